// 静かさと重さ。どのページも、誤りを出さず、ほかへつながず、軽い。
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chapters, pages, session, watch } from './lib/browser.mjs';
import { pathToFileURL } from 'node:url';
import { file, folder } from './lib/site.mjs';

const book = session();
/* 初めて開いたときの重さの上限。 */
const BYTES = 60_000;
const REQUESTS = 12;

for (const [kind, start, url] of [['http', () => book.url(''), (name) => book.url(name)], ['file', () => pathToFileURL(folder).href, file]]) {
  test(`どのページも、誤りを出さず、ほかへつながない(${kind})`, async (t) => {
    const page = await book.page(t);
    const heard = watch(page);
    page.on('request', (request) => { if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(start())) heard.push(`外へ: ${request.url()}`); });
    for (const name of await pages()) {
      // 404.html は、本を配る場所の根から数えたリンクを持つので、ファイルとしては開けない。
      if (kind === 'file' && name === '404.html') continue;
      await page.goto(url(name), { waitUntil: 'networkidle' });
      await page.keyboard.press('/');
      await page.waitForFunction(() => window.searchData);
      await page.locator('#theme-select').selectOption('dark');
      assert.deepEqual(heard, [], name);
    }
  });
}

test(`初めて開いたフェンシングの章は ${BYTES / 1000} KB と ${REQUESTS} 回に収まる`, async (t) => {
  for (const name of [...await chapters(), 'index.html']) {
    const page = await book.page(t);
    const responses = [];
    page.on('response', (response) => responses.push(response));
    await page.goto(book.url(name), { waitUntil: 'networkidle' });
    const sizes = await Promise.all(responses.map(async (response) => {
      const { responseBodySize } = await response.request().sizes();
      return [responseBodySize, new URL(response.url()).pathname];
    }));
    const sum = sizes.reduce((sum, [size]) => sum + size, 0);
    t.diagnostic(`${name}: ${(sum / 1000).toFixed(1)} KB、${sizes.length} 回`);
    if (name === 'fencing.html') for (const [size, path] of sizes) t.diagnostic(`  ${size} ${path}`);
    assert.ok(sum <= BYTES, `${name}: ${sum} バイト`);
    assert.ok(sizes.length <= REQUESTS, `${name}: ${sizes.length} 回`);
    await page.context().close();
  }
});
