// axe。どのページにも、機械の見つける誤りがない。
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axe, pages, session } from './lib/browser.mjs';

const book = session();

/* ひな形ごとに一つのページで、組み合わせのすべてを見る。 */
const TEMPLATES = ['introduction.html', 'fencing.html', 'systems.html', 'references.html', 'print.html'];

for (const name of TEMPLATES) {
  for (const colorScheme of ['light', 'dark']) {
    for (const width of [1280, 390]) {
      test(`${name} ${colorScheme} ${width}`, async (t) => {
        const page = await book.page(t, { colorScheme, viewport: { width, height: 800 }, reducedMotion: 'reduce' });
        await page.goto(book.url(name));
        assert.deepEqual(await axe(page), [], '検索は閉じている');
        await page.keyboard.press('/');
        await page.fill('#search-input', 'リース');
        await page.waitForSelector('#search-results a');
        assert.deepEqual(await axe(page), [], '検索は開いている');
        await page.fill('#search-input', 'xyzzy');
        await page.waitForFunction(() => document.getElementById('search-status').textContent.startsWith('見つからない'));
        assert.deepEqual(await axe(page), [], '見つからない');
        await page.keyboard.press('Escape');
        if (width === 390) {
          await page.getByRole('button', { name: '目次' }).click();
          assert.deepEqual(await axe(page), [], '目次は開いている');
        }
        await page.goto(book.url(`${name}?q=リース`));
        await page.waitForSelector('#search-marks');
        assert.deepEqual(await axe(page), [], '印がついている');
      });
    }
  }
}

test('ほかのすべてのページ', async (t) => {
  const page = await book.page(t);
  for (const name of await pages()) {
    if (TEMPLATES.includes(name)) continue;
    await page.goto(book.url(name));
    assert.deepEqual(await axe(page), [], name);
  }
});
