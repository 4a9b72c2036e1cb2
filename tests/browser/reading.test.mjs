// 読む。スクリプトがなくても読め、配色と目次とページめくりが働き、どの見出しと図も指せる。
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chapters, pages, session } from './lib/browser.mjs';

const book = session();
const theme = (page) => page.evaluate(() => [document.documentElement.dataset.theme, getComputedStyle(document.body).backgroundColor]);
const LIGHT = 'rgb(255, 255, 255)';
const DARK = 'rgb(22, 25, 29)';

for (const width of [1280, 390]) {
  test(`スクリプトがなくても、文も図も目次も読める(幅 ${width})`, async (t) => {
    const page = await book.page(t, { javaScriptEnabled: false, viewport: { width, height: 800 } });
    const all = await chapters();
    for (const name of await pages()) {
      await page.goto(book.url(name));
      const main = page.locator('main');
      assert.ok((await main.innerText()).length > (name === '404.html' ? 20 : 150), `${name}: 本文がない`);
      const folded = main.locator('details').first();
      if (await folded.count()) {
        await folded.locator('summary').click();
        assert.ok(await folded.locator(':scope > :not(summary)').first().isVisible(), `${name}: 畳まれた文が開かない`);
      }
      const links = page.locator('#toc a');
      assert.equal(await links.count(), all.length, `${name}: 目次`);
      for (const link of await links.all()) assert.ok(await link.isVisible(), `${name}: 目次が見えない`);
      for (const figure of await page.locator('main figure').all()) {
        assert.ok(await figure.locator(':is(svg, table):visible').first().isVisible(), `${name}: 図が見えない`);
        assert.ok((await figure.locator('figcaption').innerText()).length > 10, `${name}: キャプション`);
      }
      for (const timeline of await page.locator('figure.timeline').all()) assert.ok(await timeline.locator('details li').count() >= 2, `${name}: 言葉での説明`);
      for (const button of await page.locator('header button, header select').all()) {
        assert.ok(await button.isHidden(), `${name}: 働かないボタンが見える`);
      }
    }
    await page.goto(book.url('index.html'));
    await page.locator('#toc a').nth(2).click();
    await page.waitForURL(book.url(all[2]));
  });
}

test('どの見出し・図・表も断片で指せて、上の帯に隠れない', async (t) => {
  const page = await book.page(t);
  for (const name of await chapters()) {
    await page.goto(book.url(name));
    const ids = await page.locator('main :is(h1, h2, h3, figure)[id]').evaluateAll((all) => all.map((element) => element.id));
    assert.ok(ids.length > 0, name);
    for (const id of ids) {
      await page.evaluate((id) => { document.documentElement.style.scrollBehavior = 'auto'; location.hash = id; }, encodeURIComponent(id));
      const { top, bar, last } = await page.evaluate((id) => ({
        top: document.getElementById(id).getBoundingClientRect().top, bar: document.querySelector('.bar').offsetHeight,
        last: scrollY + innerHeight >= document.documentElement.scrollHeight - 1,
      }), id);
      assert.ok(top >= bar && (top < 200 || last), `${name}#${id}: 上端が ${top}`);
    }
  }
});

test('ページの中のリンクは、どれも切れていない', async (t) => {
  const page = await book.page(t);
  const there = new Map();
  const links = [];
  for (const name of await pages()) {
    await page.goto(book.url(name));
    there.set(new URL(page.url()).pathname, new Set(await page.locator('[id]').evaluateAll((all) => all.map((element) => element.id))));
    links.push(...await page.locator('a[href]').evaluateAll((all) => all.map((link) => [location.pathname, link.href])));
  }
  for (const [from, href] of links) {
    const url = new URL(href);
    // 404.html のリンクは、どの場所で出ても働くように、本の根から数える。
    if (from.endsWith('/404.html') && url.pathname === '/') continue;
    if (url.origin !== new URL(page.url()).origin) continue;
    const ids = there.get(url.pathname);
    assert.ok(ids, `${from}: ${decodeURI(href)}`);
    const id = decodeURIComponent(url.hash.slice(1));
    assert.ok(!id || ids.has(id), `${from}: ${decodeURI(href)}`);
  }
});

test('配色は、機械の設定に従い、選べば変わり、次のページでも覚えている', async (t) => {
  const page = await book.page(t, { colorScheme: 'light' });
  await page.goto(book.url('fencing.html'));
  assert.deepEqual(await theme(page), ['auto', LIGHT]);
  await page.emulateMedia({ colorScheme: 'dark' });
  assert.deepEqual(await theme(page), ['auto', DARK]);
  for (const [chosen, color, opposite] of [['light', LIGHT, 'dark'], ['dark', DARK, 'light']]) {
    await page.emulateMedia({ colorScheme: opposite });
    await page.getByLabel('配色').selectOption(chosen);
    assert.deepEqual(await theme(page), [chosen, color]);
    await page.reload();
    assert.deepEqual(await theme(page), [chosen, color]);
    await page.goto(book.url('lease.html'));
    assert.deepEqual(await theme(page), [chosen, color]);
    assert.equal(await page.getByLabel('配色').inputValue(), chosen);
  }
  await page.getByLabel('配色').selectOption('auto');
  assert.deepEqual(await theme(page), ['auto', LIGHT]);
});

test('狭い画面の目次は、開き、閉じ、飛べる', async (t) => {
  const page = await book.page(t, { viewport: { width: 390, height: 800 } });
  await page.goto(book.url('fencing.html'));
  const [toc, toggle] = [page.locator('#toc'), page.getByRole('button', { name: '目次' })];
  assert.ok(await toc.isHidden());
  await toggle.click();
  assert.ok(await toc.isVisible());
  assert.equal(await toggle.getAttribute('aria-expanded'), 'true');
  assert.equal(await toc.locator('[aria-current="page"]').innerText(), '4. フェンシングトークン');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Escape');
  assert.ok(await toc.isHidden());
  assert.equal(await toggle.getAttribute('aria-expanded'), 'false');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'toc-toggle');
  await toggle.press('Enter');
  await toc.getByRole('link', { name: '二重取得' }).click();
  await page.waitForURL(book.url('double-acquisition.html'));
  assert.ok(await toc.isHidden());
});

test('横にはみ出すページはない(幅 390 と 320)', async (t) => {
  for (const width of [390, 320]) {
    const page = await book.page(t, { viewport: { width, height: 800 } });
    for (const name of await pages()) {
      await page.goto(book.url(name));
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${name}: ${width}`);
    }
  }
});

test('←/→ でページをめくり、端では動かず、操作するものの上ではめくらない', async (t) => {
  const page = await book.page(t);
  const all = await chapters();
  await page.goto(book.url(all[0]));
  await page.keyboard.press('ArrowLeft');
  for (const name of all.slice(1)) {
    await page.keyboard.press('ArrowRight');
    await page.waitForURL(book.url(name));
  }
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowLeft');
  await page.waitForURL(book.url(all.at(-2)));

  await page.goto(book.url('fencing.html'));
  // めくろうとすれば、その場で分かる。数えて、止める。
  await page.evaluate(() => {
    window.turns = 0;
    navigation.addEventListener('navigate', (event) => {
      event.preventDefault();
      window.turns += 1;
    });
  });
  const turns = () => page.evaluate(() => window.turns);
  const inside = '#search-toggle, #theme-select, #search-input, main summary, main pre, main .tl-scroll, main a, .turn a';
  for (const kind of inside.split(', ')) {
    const element = page.locator(kind).first();
    if (kind === '#search-input') await page.keyboard.press('/');
    await element.focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowLeft');
    assert.equal(await turns(), 0, kind);
    if (kind === '#search-input') await page.keyboard.press('Escape');
  }
  await page.locator('main').focus();
  for (const pressed of ['Alt+ArrowRight', 'Control+ArrowRight', 'Shift+ArrowRight']) await page.keyboard.press(pressed);
  assert.equal(await turns(), 0);
  await page.keyboard.press('ArrowRight');
  assert.equal(await turns(), 1);
});

test('本文へ飛ぶリンクが、初めの Tab で現れる', async (t) => {
  const page = await book.page(t);
  await page.goto(book.url('fencing.html'));
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.textContent), '本文へ');
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'content');
});
