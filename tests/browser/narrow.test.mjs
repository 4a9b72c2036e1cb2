// 幅。狭い画面でも、表と絵は横に送らずに読め、語は途中で折れない。
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pages, session } from './lib/browser.mjs';

const book = session();
const WIDTHS = [360, 390, 1280];
/* 読める、いちばん小さい字。画面の px。 */
const SMALLEST = 10.5;
/* 印刷のときの本文の幅。A4 の幅から、左右の余白を引いたもの。 */
const PAPER = Math.floor((210 - 2 * 18) / 25.4 * 96);

/* ページの中で動かすもの。図の表、原稿の表、絵を、同じように測る。 */
const measure = ({ smallest }) => {
  const shown = (element) => element.checkVisibility() && element.getClientRects().length > 0;
  const name = (element) => element.closest('figure')?.id || element.textContent.trim().slice(0, 20);
  const scroller = (element) => {
    for (let box = element.parentElement; box && box.id !== 'content'; box = box.parentElement) {
      if (/auto|scroll|hidden/.test(getComputedStyle(box).overflowX)) return box;
    }
    return document.documentElement;
  };
  const outside = (inner, outer) => inner.left < outer.left - 1 || inner.right > outer.right + 1;
  const found = [];
  for (const whole of document.querySelectorAll('main :is(figure.data table, .table-wrapper table, figure.drawing svg)')) {
    if (!shown(whole)) continue;
    const box = scroller(whole);
    if (box.scrollWidth > box.clientWidth + 1) found.push(`${name(whole)}: 横に送らないと見えない(${box.scrollWidth} > ${box.clientWidth})`);
    const rect = whole.getBoundingClientRect();
    const window = { left: 0, right: document.documentElement.clientWidth };
    if (outside(rect, window)) found.push(`${name(whole)}: 窓から出る`);
    for (const part of whole.querySelectorAll('th, td, text, path')) {
      // 積んだ表の見出しの行は、読み上げのためにだけ残してある。
      const head = part.closest('thead');
      if (!shown(part) || head && getComputedStyle(head).clipPath !== 'none') continue;
      if (outside(part.getBoundingClientRect(), rect)) found.push(`${name(whole)}: 「${part.textContent.trim()}」が切れる`);
    }
    const scale = rect.width / (whole.viewBox?.baseVal.width ?? rect.width);
    for (const text of whole.querySelectorAll('text, tspan')) {
      const size = parseFloat(getComputedStyle(text).fontSize) * scale;
      if (size < smallest - .01) found.push(`${name(whole)}: 「${text.textContent}」の字が ${size.toFixed(1)} px`);
    }
  }
  return found;
};

/* 表と見出しの中で、行をまたいだ語。 */
const broken = () => {
  const segmenter = new Intl.Segmenter('ja', { granularity: 'word' });
  const units = /[A-Za-z0-9]+|[ァ-ヴー]{2,}/g;
  const found = [];
  const lines = (node, from, to) => {
    const range = new Range();
    range.setStart(node, from);
    range.setEnd(node, to);
    return new Set([...range.getClientRects()].filter(({ width }) => width > 0).map(({ bottom }) => Math.round(bottom))).size;
  };
  for (const box of document.querySelectorAll('main :is(table, h1, h2, h3)')) {
    if (!box.checkVisibility()) continue;
    const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = walker.currentNode;
      if (!node.parentElement.checkVisibility()) continue;
      const cuts = [...node.data.matchAll(units)].map(({ 0: word, index }) => [word, index]);
      if (box.localName !== 'table') for (const { segment, index, isWordLike } of segmenter.segment(node.data)) if (isWordLike && segment.length > 1) cuts.push([segment, index]);
      for (const [word, index] of cuts) {
        if (lines(node, index, index + word.length) > 1) found.push(`${box.localName} 「${box.localName === 'table' ? node.data : box.textContent}」の ${word}`);
      }
    }
  }
  return [...new Set(found)];
};

for (const width of WIDTHS) {
  test(`表も絵も、横に送らずに読める(幅 ${width})`, async (t) => {
    const page = await book.page(t, { viewport: { width, height: 800 } });
    const found = [];
    for (const name of await pages()) {
      await page.goto(book.url(name));
      if (await page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)) found.push(`${name}: ページが横に動く`);
      found.push(...(await page.evaluate(measure, { smallest: SMALLEST })).map((one) => `${name} ${one}`));
    }
    assert.deepEqual(found, []);
  });

  test(`表と見出しの語は、途中で折れない(幅 ${width})`, async (t) => {
    const page = await book.page(t, { viewport: { width, height: 800 } });
    const found = [];
    for (const name of await pages()) {
      await page.goto(book.url(name));
      found.push(...(await page.evaluate(broken)).map((one) => `${name} ${one}`));
    }
    assert.deepEqual(found, []);
  });
}

test('スクリプトがなくても、狭い画面の表と絵は同じ形になる', async (t) => {
  const shape = () => [...document.querySelectorAll('main :is(figure.data table, .table-wrapper table, figure.drawing svg)')].map((whole) => {
    const { width, height } = whole.getBoundingClientRect();
    return [getComputedStyle(whole).display, Math.round(width), Math.round(height)];
  });
  const shapes = [];
  for (const javaScriptEnabled of [true, false]) {
    const page = await book.page(t, { javaScriptEnabled, viewport: { width: 390, height: 800 } });
    shapes.push([]);
    for (const name of ['explore.html', 'wrong-locks.html', 'systems.html']) {
      await page.goto(book.url(name));
      shapes.at(-1).push(await page.evaluate(shape));
    }
  }
  assert.deepEqual(shapes[1], shapes[0]);
});

test('紙では、表は表のまま、絵は一つの形だけで、紙の幅に収まる', async (t) => {
  const page = await book.page(t, { viewport: { width: PAPER, height: 1000 } });
  await page.emulateMedia({ media: 'print' });
  const found = [];
  for (const name of await pages()) {
    await page.goto(book.url(name));
    found.push(...(await page.evaluate(measure, { smallest: 0 })).map((one) => `${name} ${one}`));
    found.push(...await page.evaluate(() => [...document.querySelectorAll('main .table-wrapper')].filter((box) => {
      const parts = [...box.querySelectorAll('table, tr, th, td')].map((part) => getComputedStyle(part).display);
      return parts.some((display) => !display.startsWith('table')) || [...box.querySelectorAll('.head')].some((head) => head.checkVisibility());
    }).map((box) => `表でない: ${box.textContent.slice(0, 20)}`)));
    found.push(...await page.evaluate(() => [...document.querySelectorAll('figure.drawing')].filter((figure) => [...figure.querySelectorAll('svg')].filter((svg) => svg.checkVisibility()).length !== 1).map(({ id }) => `${id}: 絵が一つでない`)));
  }
  assert.deepEqual(found, []);
});

test('組み替えても、表は行と列の見出しのある表として読み上げられる', async (t) => {
  const seen = { wide: [], narrow: [] };
  for (const [kind, width] of [['wide', 1280], ['narrow', 390]]) {
    const page = await book.page(t, { viewport: { width, height: 800 } });
    for (const id of ['wrong-locks.html#tbl-wrong-locks-revive_beside', 'explore.html#tbl-explore-claims', 'double-acquisition.html#tbl-double-acquisition-lease_lengths', 'fencing.html#tbl-fencing-ways']) {
      const [name, anchor] = id.split('#');
      await page.goto(book.url(name));
      seen[kind].push(await page.locator(`#${anchor} table`).ariaSnapshot());
    }
  }
  assert.match(seen.narrow[0], /columnheader "壊れているとき"/);
  assert.match(seen.narrow[0], /rowheader "A: 延長する"/);
  // 見えている列の見出しは、読み上げには重ねない。読み上げる言葉は、どの幅でも同じである。
  assert.deepEqual(seen.narrow, seen.wide);
});
