// チェックリスト。A4 の一枚に刷れ、紙では行ごとに印の欄がつく。
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { session } from './lib/browser.mjs';

const book = session();

/* 書体の幅は機械によって違う。あふれる手前で気づけるように、少し大きくしても収まることを見る。 */
const SCALES = [1, 1.05];

/** PDF のページの数。ページの木の頭(/Pages)は数えない。 */
const pagesOf = (pdf) => [...pdf.toString('latin1').matchAll(/\/Type\s*\/Page\b/g)].length;

test('刷ると A4 の一枚に収まる', async (t) => {
  const page = await book.page(t);
  await page.goto(book.url('checklist.html'));
  for (const scale of SCALES) {
    const pdf = await page.pdf({ format: 'A4', preferCSSPageSize: true, scale });
    assert.equal(pagesOf(pdf), 1, `倍率 ${scale}: 一枚に収まらない。問いを短くするか、減らす`);
  }
});

test('数え方は、二枚になれば二と数える', async (t) => {
  const page = await book.page(t);
  await page.setContent('<p>一枚目</p><p style="break-before: page">二枚目</p>');
  assert.equal(pagesOf(await page.pdf({ format: 'A4' })), 2);
});

test('印の欄は、紙にだけある', async (t) => {
  const page = await book.page(t);
  await page.goto(book.url('checklist.html'));
  const boxes = () => page.locator('.checklist li').evaluateAll((all) => all.map((line) => {
    const { content, width, borderTopWidth } = getComputedStyle(line, '::before');
    return content !== 'none' && parseFloat(width) > 8 && parseFloat(borderTopWidth) > 0;
  }));
  assert.ok((await boxes()).every((box) => !box), '画面に、押せそうな欄が出ている');
  await page.emulateMedia({ media: 'print' });
  const printed = await boxes();
  assert.ok(printed.length > 0 && printed.every(Boolean), '印の欄のない行がある');
  assert.ok(await page.locator('.screen-only').isHidden(), '画面のための文が刷られる');
});
