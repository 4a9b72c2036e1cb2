// 時系列の図の二つの形。狭い欄では縦の形になり、横に送らなくても、帯も判定も見える。
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { session, watch } from './lib/browser.mjs';

const book = session();
const src = new URL('../../book/', import.meta.url);
/* 時系列の図の置かれたページ。 */
const PAGES = readdirSync(src).filter((name) => name.endsWith('.md'))
  .filter((name) => /\{\{#(timeline|demo) /.test(readFileSync(new URL(name, src), 'utf8')))
  .map((name) => name.replace('.md', '.html'));

const scenario = (name, options, act) => test(name, async (t) => {
  const page = await book.page(t, options);
  const heard = watch(page);
  await act(page);
  assert.deepEqual(heard, [], 'コンソールに何か出た');
});

/* 見えている図ごとに、欄からはみ出した言葉と、言葉の大きさと、横に送れる幅を調べる。 */
const survey = (page) => page.evaluate(() => {
  const seen = (element) => element.checkVisibility();
  return [...document.querySelectorAll('.tl-forms')].filter(seen).map((forms) => {
    const figure = forms.closest('figure');
    const shown = [...forms.querySelectorAll('svg.tl')].filter(seen);
    const [svg] = shown;
    const room = { left: 0, right: document.documentElement.clientWidth };
    const words = [...svg.querySelectorAll('text')];
    const outside = words.filter((word) => {
      const { left, right } = word.getBoundingClientRect();
      return left < room.left - .5 || right > room.right + .5;
    });
    const scroll = svg.closest('.tl-scroll');
    return {
      id: figure.id,
      forms: shown.length,
      down: svg.classList.contains('tl-down'),
      outside: outside.map((word) => word.textContent),
      scrolls: scroll ? scroll.scrollWidth - scroll.clientWidth : 0,
      verdicts: svg.querySelectorAll('.tl-head').length,
      signs: words.filter((word) => /^[✓✗×]/.test(word.textContent)).length,
      bands: svg.querySelectorAll('.tl-band').length,
      names: svg.querySelectorAll('.tl-band-name').length,
      size: Math.min(...words.map((word) => {
        const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
        return Number.parseFloat(getComputedStyle(word).fontSize) * scale;
      })),
    };
  });
});

test('図の置かれたページが、見落とされていない', () => {
  assert.ok(PAGES.length >= 7, PAGES.join(' '));
});

for (const width of [360, 390, 768, 1024, 1279, 1280, 1535, 1536]) {
  scenario(`幅 ${width}: どの図も横に送らずに読め、帯と判定がすべて見える`, { viewport: { width, height: 844 } }, async (page) => {
    let [downs, verdicts, bands] = [0, 0, 0];
    for (const name of PAGES) {
      await page.goto(book.url(name));
      for (const figure of await survey(page)) {
        const where = `${name} ${figure.id}`;
        assert.equal(figure.forms, 1, `${where}: 形がちょうど一つではない`);
        assert.deepEqual(figure.outside, [], `${where}: 画面の外の言葉`);
        assert.ok(figure.scrolls <= 0, `${where}: 横に ${figure.scrolls}px 送れる`);
        assert.equal(figure.signs, figure.verdicts, `${where}: 判定の言葉が足りない`);
        assert.equal(figure.names, figure.bands, `${where}: 帯の名前が足りない`);
        assert.ok(figure.size >= 11, `${where}: 文字が ${figure.size}px`);
        downs += figure.down;
        verdicts += figure.verdicts;
        bands += figure.bands;
      }
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), name);
    }
    assert.ok((width > 640 || downs >= 50) && verdicts >= 60 && bands >= 20, `${downs} ${verdicts} ${bands}`);
  });
}

scenario('広い画面では横の形で、欄より広い図は左右の余白を使い、それでも収まらない図だけが縦になる', { viewport: { width: 1280, height: 900 } }, async (page) => {
  let [wide, downs] = [0, 0];
  for (const name of PAGES) {
    await page.goto(book.url(name));
    const boxes = await page.evaluate(() => [...document.querySelectorAll('.tl-forms')].filter((one) => one.checkVisibility()).map((forms) => {
      const shown = [...forms.querySelectorAll('svg.tl')].find((svg) => svg.checkVisibility());
      const { left, right } = shown.getBoundingClientRect();
      const across = Number.parseFloat(forms.style.getPropertyValue('--w'));
      const { id } = forms.closest('figure');
      const column = forms.closest('figure').getBoundingClientRect().width;
      return { id, left, right, across, column, down: shown.classList.contains('tl-down') };
    }));
    for (const { id, left, right, across, column, down } of boxes) {
      assert.equal(down, across > 1280 - 304, `${id}: 幅 ${across}`);
      assert.ok(left >= 256 && right <= 1280, `${id}: 余白の外に出る ${left} ${right}`);
      downs += down;
      if (!down && across > column) wide += 1;
    }
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), name);
  }
  assert.ok(wide >= 5 && downs >= 1, `余白を使う図 ${wide}、縦の図 ${downs}`);
});

scenario('欄の幅を変えると形が替わり、手は保たれる', { viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' }, async (page) => {
  await page.goto(book.url('fencing.html#fig-fencing-gc_pause:5'));
  const figure = page.locator('#fig-fencing-gc_pause');
  for (const [width, shown, hidden] of [[1280, '.tl-across', '.tl-down'], [390, '.tl-down', '.tl-across'], [1280, '.tl-across', '.tl-down']]) {
    await page.setViewportSize({ width, height: 900 });
    assert.ok(await figure.locator(shown).isVisible());
    assert.ok(!await figure.locator(hidden).isVisible());
    const later = await figure.locator(`${shown} .tl-words > .pl-later`).evaluateAll((parts) => parts.map((part) => part.dataset.step));
    assert.deepEqual(later, ['6', '7']);
  }
});

scenario('スクリプトがなくても、狭い欄では縦の形になる', { viewport: { width: 360, height: 844 }, javaScriptEnabled: false }, async (page) => {
  await page.goto(book.url('fencing.html'));
  assert.ok(await page.locator('#fig-fencing-gc_pause .tl-down').isVisible());
  assert.ok(!await page.locator('#fig-fencing-gc_pause .tl-across').isVisible());
});

scenario('紙には、どの幅でも横の形だけが出る', { viewport: { width: 390, height: 844 } }, async (page) => {
  await page.goto(book.url('fencing.html'));
  await page.emulateMedia({ media: 'print' });
  assert.ok(await page.locator('#fig-fencing-gc_pause .tl-across').isVisible());
  assert.ok(!await page.locator('#fig-fencing-gc_pause .tl-down').isVisible());
});

scenario('見えている形に、題と説明がある', { viewport: { width: 390, height: 844 } }, async (page) => {
  await page.goto(book.url('fencing.html'));
  const image = page.locator('#fig-fencing-gc_pause').getByRole('img', { name: 'フェンシング有: 古い書き込みは拒否される' });
  assert.equal(await image.count(), 1);
  assert.ok(await image.locator('desc').textContent());
});
