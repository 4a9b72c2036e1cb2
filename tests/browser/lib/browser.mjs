// ブラウザーを起こす。要るものがなければ、何を入れるかを言って落ちる。
import { existsSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { folder, root, serve } from './site.mjs';

// 道具は run が target の下に入れる。tests に node_modules があると、本の見張りと Rust の試験がたどってしまう。
const tools = join(root, 'target/browser');
const require = createRequire(join(tools, 'package.json'));

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
const args = [
  '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update',
  '--disable-sync',
];

const missing = (what, how) => { throw new Error(`${what}がない。${how}`); };

export async function launch() {
  if (!existsSync(executablePath)) {
    missing(`ブラウザー ${executablePath} `, 'Debian では apt-get install chromium fonts-noto-cjk で入る。ほかの場所にあるなら、環境変数 CHROMIUM で指す。');
  }
  if (!existsSync(join(folder, 'index.html'))) missing(`組んだ本 ${folder} `, 'cargo run -- build で組む。');
  if (!existsSync(join(tools, 'node_modules'))) missing(`${tools} に道具`, 'tests/browser/run が入れる。');
  return require('playwright-core').chromium.launch({ executablePath, args });
}

/** 一つのファイルの試験が分け合う、ブラウザーと配り手。 */
export function session() {
  const shared = {};
  before(async () => {
    shared.browser = await launch();
    shared.site = await serve();
  });
  after(async () => {
    await shared.browser?.close();
    await shared.site?.close();
  });
  return {
    url: (path) => shared.site.base + path,
    /** 試験の終わりに閉じるページ。 */
    async page(t, options) {
      const context = await shared.browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
      t.after(() => context.close());
      const page = await context.newPage();
      // 開いたページに仕掛けた横取りは、すぐ後の要求に間に合わないことがある。
      const route = page.route.bind(page);
      page.route = (...given) => {
        if (page.url() !== 'about:blank') throw new Error('page.route は、ページを開く前に呼ぶ。');
        return route(...given);
      };
      return page;
    },
  };
}

/** ページの出した誤りと、届かなかったもの。見つけるたびに増える。 */
export function watch(page) {
  const heard = [];
  page.on('console', (message) => { if (message.type() !== 'info') heard.push(`${message.type()}: ${message.text()}`); });
  page.on('pageerror', (error) => heard.push(String(error)));
  page.on('requestfailed', (request) => {
    // 次のページへ移って取りやめたものは、誤りではない。
    if (request.failure().errorText !== 'net::ERR_ABORTED') heard.push(`届かない: ${request.url()}`);
  });
  page.on('response', (response) => { if (response.status() >= 400) heard.push(`${response.status()}: ${response.url()}`); });
  return heard;
}

/** axe の見つけた誤り。`within` の中だけを見ることもできる。 */
export async function axe(page, within = ':root') {
  const script = await readFile(require.resolve('axe-core/axe.min.js'), 'utf8');
  if (!await page.evaluate(() => 'axe' in window)) await page.evaluate(script);
  const found = await page.evaluate((within) => window.axe.run(within, { resultTypes: ['violations'] }), within);
  return found.violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html, failureSummary }) => `${html.slice(0, 200)} ${failureSummary}`) }));
}

/** 組んだ本の、すべてのページ。 */
export async function pages() {
  const names = await readdir(folder, { recursive: true });
  // toc.html は、mdBook が自分の紙面のために出すもので、この本では使わない。
  return names.filter((name) => name.endsWith('.html') && name !== 'toc.html').sort();
}

/** 目次に並ぶページ。本の順。 */
export async function chapters() {
  const toc = await readFile(join(folder, 'toc.html'), 'utf8');
  return [...toc.matchAll(/href="([^"#]+\.html)"/g)].map(([, name]) => decodeURI(name));
}
