// 図のプレイヤーとデモ。鍵だけで両方の結末まで行け、手を指せ、スクリプトがなくても表が残る。
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axe, session, watch } from './lib/browser.mjs';

const book = session();
const scenario = (name, options, act) => test(name, async (t) => {
  const page = await book.page(t, { viewport: { width: 1280, height: 900 }, ...options });
  const heard = watch(page);
  await act(page);
  assert.deepEqual(heard, [], 'コンソールに何か出た');
});

const DEMO = '#demo-fencing';
const FIG = '#fig-fencing-gc_pause';
const OTHER = '#fig-fencing-many_writes';
const open = async (page, to = 'fencing.html') => { await page.goto('about:blank'); await page.goto(book.url(to)); };
const hash = (page) => page.evaluate(() => location.hash);
const slot = (page, name, figure = DEMO) => page.locator(`${figure} [data-slot="${name}"]`).innerText();
const fact = (page, name) => page.locator(`${DEMO} [data-fact="${name}"]`).innerText();
const count = (page, figure = DEMO) => page.locator(`${figure} .pl-count`).innerText();
const button = (page, name, figure = DEMO) => page.locator(figure).getByRole('button', { name, exact: true });
const radio = (page, name) => page.locator(DEMO).getByRole('radio', { name, exact: true });
const focused = (page) => page.evaluate(() => document.activeElement.textContent || document.activeElement.value);

scenario('初めは手 0、フェンシング無。断片は付かない', {}, async (page) => {
  await open(page);
  assert.equal(await count(page), '手 0 / 7');
  assert.ok(await radio(page, '無').isChecked());
  const names = ['持ち主', 'トークン', '期限', '現在', '値', '最大', '拒否数', 'つもり'];
  assert.deepEqual(await Promise.all(names.map((name) => fact(page, name))),
    ['(空き)', '—', '—', '0', '(空)', '0', '0', 'なし']);
  assert.equal(await slot(page, 'closing'), '最後の手で分かる');
  assert.equal(await hash(page), '');
  assert.equal(await button(page, '1手もどす').getAttribute('aria-disabled'), 'true');
  assert.ok(!await page.locator(`${DEMO} .demo-steps`).isVisible());
});

scenario('キーボードだけで、両方の結末まで行ける。ページはめくられず、履歴も増えない', {}, async (page) => {
  await open(page);
  const before = await page.evaluate(() => history.length);
  await radio(page, '無').focus();
  for (let step = 1; step <= 7; step += 1) {
    await page.keyboard.press('ArrowRight');
    assert.equal(await count(page), `手 ${step} / 7`);
  }
  await page.keyboard.press('ArrowRight');
  assert.equal(await slot(page, 'closing'), '資源が破壊された');
  assert.equal(await fact(page, '値'), 'A1');
  assert.equal(await hash(page), '#demo-fencing:7:off');
  await page.keyboard.press('ArrowDown');
  assert.ok(await radio(page, '有').isChecked());
  assert.equal(await count(page), '手 7 / 7');
  assert.equal(await slot(page, 'closing'), '資源は守られた');
  assert.equal(await slot(page, 'verdict'), '拒否 1 < 2');
  assert.deepEqual([await fact(page, '値'), await fact(page, '拒否数')], ['B1', '1']);
  assert.equal(await hash(page), '#demo-fencing:7:on');
  await page.keyboard.press('Home');
  assert.equal(await count(page), '手 0 / 7');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('End');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter'); // 最初へ
  assert.equal(await count(page), '手 0 / 7');
  await page.keyboard.press('ArrowRight');
  assert.equal(await count(page), '手 1 / 7');
  assert.ok(page.url().startsWith(book.url('fencing.html')));
  assert.equal(await page.evaluate(() => history.length), before);
});

scenario('押せなくなったボタンも焦点を保つ', {}, async (page) => {
  await open(page);
  const next = button(page, '1手すすめる');
  await next.focus();
  for (let press = 0; press < 9; press += 1) await page.keyboard.press('Enter');
  assert.equal(await count(page), '手 7 / 7');
  assert.equal(await next.getAttribute('aria-disabled'), 'true');
  assert.equal(await focused(page), '1手すすめる');
  await page.keyboard.press('ArrowLeft');
  assert.equal(await next.getAttribute('aria-disabled'), 'false');
});

scenario('余白をクリックしてからの ←/→ も、ページをめくらない', {}, async (page) => {
  await open(page);
  await page.locator(`${DEMO} .pl-panel dt`).first().click();
  await page.keyboard.press('ArrowRight');
  assert.equal(await count(page), '手 1 / 7');
  assert.ok(page.url().startsWith(book.url('fencing.html')));
});

scenario('スライダーは名前と値の言葉を持ち、ふつうに動く', {}, async (page) => {
  await open(page);
  const slider = page.locator(DEMO).getByRole('slider', { name: '手', exact: true });
  await slider.focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  assert.equal(await slider.getAttribute('aria-valuetext'), '手 3 / 7、時刻 10');
  await page.keyboard.press('End');
  assert.equal(await count(page), '手 7 / 7');
  await slider.fill('4');
  assert.equal(await hash(page), '#demo-fencing:4:off');
});

scenario('どの手でも、見せる値はページに埋め込まれた値と同じ', {}, async (page) => {
  await open(page);
  const data = JSON.parse(await page.locator(`${DEMO} .frames`).textContent());
  for (const [side, name] of [[0, '無'], [1, '有']]) {
    await radio(page, name).check();
    await page.locator(DEMO).getByRole('slider').fill('0');
    for (const frame of data[side].frames) {
      for (const key of ['time', 'action', 'verdict', 'words']) {
        const wanted = String(frame[key]);
        if (wanted) assert.equal(await slot(page, key), wanted, `${name} 手 ${frame.step} ${key}`);
      }
      assert.equal(Object.keys(frame.facts).length, 8);
      for (const [key, wanted] of Object.entries(frame.facts)) {
        assert.equal(await fact(page, key), wanted, `${name} 手 ${frame.step} ${key}`);
      }
      assert.equal(await count(page), `手 ${frame.step} / 7`);
      if (frame.step < 7) await button(page, '1手すすめる').click();
    }
    assert.equal(await slot(page, 'closing'), data[side].closing);
  }
});

scenario('切り替えは手を保ち、図も替わる', {}, async (page) => {
  await open(page, 'fencing.html#demo-fencing:5:off');
  await radio(page, '有').check();
  assert.equal(await count(page), '手 5 / 7');
  assert.equal(await slot(page, 'verdict'), '受理 2 >= 0');
  assert.ok(await page.locator(`${DEMO} .tl-scroll[aria-label^="フェンシング有"]`).isVisible());
  assert.ok(!await page.locator(`${DEMO} .tl-scroll[aria-label^="フェンシング無"]`).isVisible());
});

scenario('断片で手と切り替えを指せて、そこまで送られる', {}, async (page) => {
  const cases = [
    ['#demo-fencing:5:on', DEMO, '手 5 / 7', '有'], ['#demo-fencing%3A6%3Aon', DEMO, '手 6 / 7', '有'],
    ['#demo-fencing:3', DEMO, '手 3 / 7', '無'], ['#demo-fencing:99:on', DEMO, '手 7 / 7', '有'],
    ['#fig-fencing-gc_pause:3', FIG, '手 3 / 7'],
  ];
  for (const [fragment, figure, wanted, on] of cases) {
    await open(page, `fencing.html${fragment}`);
    assert.equal(await count(page, figure), wanted, fragment);
    if (on) assert.ok(await radio(page, on).isChecked(), fragment);
    const top = await page.locator(figure).evaluate((element) => element.getBoundingClientRect().top);
    assert.ok(top >= 0 && top < 200, `${fragment}: 上端が ${top}`);
    await page.keyboard.press('ArrowLeft');
    assert.equal(await count(page, figure), wanted.replace(/\d+/, (step) => step - 1), fragment);
  }
  for (const fragment of ['#demo-fencing:x', '#demo-fencing', '#demo-fencing:', '#%E0%A4%A', '#fig-fencing-gc_pause']) {
    await open(page, `fencing.html${fragment}`);
    assert.equal(await count(page), '手 0 / 7', fragment);
    assert.ok(!await page.locator(`${FIG} .pl`).isVisible());
  }
  await page.evaluate(() => { location.hash = '#demo-fencing:2:on'; });
  await page.waitForFunction(() => document.querySelector('#demo-fencing .pl-count').textContent === '手 2 / 7');
});

scenario('ふつうの図は、押すまで全体のまま。開く・進める・戻すで焦点を失わない', {}, async (page) => {
  await open(page);
  assert.ok(!await page.locator(`${FIG} .pl`).isVisible());
  assert.equal(await page.locator(`${FIG} .pl-later`).count(), 0);
  await button(page, '一手ずつ見る', FIG).focus();
  await page.keyboard.press('Enter');
  assert.equal(await focused(page), '1手すすめる');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  assert.equal(await count(page, FIG), '手 2 / 7');
  assert.equal(await hash(page), '#fig-fencing-gc_pause:2');
  assert.ok(!await page.locator(`${OTHER} .pl`).isVisible());
  assert.equal(await count(page), '手 0 / 7');
  await button(page, '全体を見る', FIG).press('Enter');
  assert.equal(await focused(page), '一手ずつ見る');
  assert.equal(await page.locator(`${FIG} .pl-cursor:visible`).count(), 0);
  assert.equal(await hash(page), '#fig-fencing-gc_pause');
});

for (const [width, form, axis] of [[1280, '.tl-across', 'x'], [390, '.tl-down', 'y']]) {
  const where = axis === 'x' ? '今の手の印の上' : '今の手と次の手の間';
  scenario(`カーソルは${where}にあり、起きた手までを濃く見せる(幅 ${width})`, { reducedMotion: 'reduce', viewport: { width, height: 844 } }, async (page) => {
    await open(page);
    const svg = page.locator(`${DEMO} .tl-forms:not([hidden]) ${form}`);
    assert.ok(await svg.isVisible());
    for (let step = 0; step <= 7; step += 1) {
      const { line, marks, later } = await svg.evaluate((svg, axis) => {
        const middle = (element) => {
          const { x, y, width, height } = element.getBoundingClientRect();
          return axis === 'x' ? x + width / 2 : y + height / 2;
        };
        const acts = [...svg.querySelectorAll('[data-step] .tl-act')];
        return {
          line: middle(svg.querySelector('.pl-line')),
          marks: acts.map((act) => [Number(act.closest('[data-step]').dataset.step), middle(act)]),
          later: [...svg.querySelectorAll('[data-step].pl-later')].map((part) => Number(part.dataset.step)),
        };
      }, axis);
      assert.ok(marks.length > 5);
      for (const [at, mark] of marks) {
        const told = `手 ${step} の線 ${line} と手 ${at} の印 ${mark}`;
        if (at < step) assert.ok(mark < line - 5, told);
        if (at > step) assert.ok(line + 5 < mark, told);
        if (at === step) assert.ok(axis === 'x' ? Math.abs(line - mark) < 1 : mark + 5 < line, told);
      }
      const wanted = Array.from({ length: 7 - step }, (_, index) => step + 1 + index);
      assert.deepEqual([...new Set(later)].sort((a, b) => a - b), wanted, `手 ${step}`);
      if (step < 7) await button(page, '1手すすめる').click();
    }
    const motion = await page.locator(`${DEMO} .pl-cursor`).first().evaluate((line) => getComputedStyle(line).transitionDuration);
    assert.equal(motion, '0s');
  });
}

for (const width of [1280, 390]) {
  scenario(`手を進めても、紙面は上下に動かず、横にはみ出さない(幅 ${width})`, { viewport: { width, height: 844 }, reducedMotion: 'reduce' }, async (page) => {
    await open(page);
    for (const figure of await page.locator('figure:has(> .frames)').all()) {
      const opener = figure.getByRole('button', { name: '一手ずつ見る' });
      if (await opener.count()) await opener.click();
      await figure.scrollIntoViewIfNeeded();
      const heights = new Set();
      const at = await page.evaluate(() => scrollY);
      const max = Number(await figure.getByRole('slider').getAttribute('max'));
      for (let step = 0; step <= max; step += 1) {
        await figure.getByRole('slider').evaluate((slider, step) => {
          slider.value = step;
          slider.dispatchEvent(new Event('input', { bubbles: true }));
        }, step);
        heights.add(await figure.evaluate((element) => element.getBoundingClientRect().height));
        const seen = await figure.evaluate((element) => {
          const svg = [...element.querySelectorAll('svg.tl')].find((one) => one.checkVisibility());
          const frame = (svg.closest('.tl-scroll') ?? svg).getBoundingClientRect();
          const line = svg.querySelector('.pl-line').getBoundingClientRect();
          return line.left >= frame.left - 1 && line.right <= frame.right + 1 && line.bottom <= frame.bottom + 1;
        });
        assert.ok(seen, `手 ${step} のカーソルが見えない`);
      }
      assert.equal(heights.size, 1, `${await figure.getAttribute('id')}: 高さが変わる ${[...heights]}`);
      assert.equal(await page.evaluate(() => scrollY), at);
    }
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  });
}

scenario('指で押すものは 44px 以上の高さがある', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }, async (page) => {
  await open(page, 'fencing.html#fig-fencing-gc_pause:1');
  for (const target of await page.locator('figure :is(.pl button, .pl input[type=range], .pl-switch label, .pl-open, .tl-tools summary):visible').all()) {
    const { height } = await target.boundingBox();
    assert.ok(height >= 44, `${await target.textContent()}: ${height}`);
  }
  await button(page, '1手すすめる').tap();
  await radio(page, '有').tap();
  assert.equal(await hash(page), '#demo-fencing:1:on');
});

scenario('スクリプトがなければ、手の表と結びの文が残る', { javaScriptEnabled: false }, async (page) => {
  await open(page, 'fencing.html#demo-fencing:5:on');
  assert.equal(await page.locator(`${DEMO} .demo-steps tbody tr`).count(), 14);
  assert.deepEqual(await page.locator(`${DEMO} tfoot td`).allInnerTexts(), ['資源が破壊された', '資源は守られた']);
  assert.ok(await page.locator(`${DEMO} .takeaway`).isVisible());
  assert.ok(!await page.locator(`${DEMO} .pl`).isVisible());
  assert.equal(await page.getByText('一手ずつ見る').count(), 0);
  assert.equal(await page.locator(`${FIG} svg:visible`).count(), 1);
});

scenario('紙には、全体の図と手の表だけが出る', {}, async (page) => {
  await open(page, 'fencing.html#fig-fencing-gc_pause:2');
  await page.emulateMedia({ media: 'print' });
  for (const hidden of [`${FIG} .pl`, `${FIG} .pl-cursor`, `${DEMO} .pl`, `${OTHER} .pl-open`]) {
    assert.ok(!await page.locator(hidden).first().isVisible(), hidden);
  }
  assert.ok(await page.locator(`${DEMO} .demo-steps`).isVisible());
  const faint = await page.locator(`${FIG} .pl-later`).evaluateAll((marks) => marks.filter((mark) => getComputedStyle(mark).opacity !== '1').length);
  assert.equal(faint, 0);
});

scenario('印刷用のページでも動き、id とラジオの名前は重ならない', {}, async (page) => {
  await open(page, 'print.html#demo-fencing:7:on');
  assert.equal(await slot(page, 'closing'), '資源は守られた');
  const twice = await page.evaluate(() => {
    const ids = [...document.querySelectorAll('[id]')].map((element) => element.id);
    return ids.filter((id, index) => ids.indexOf(id) !== index);
  });
  assert.deepEqual(twice, []);
  const figures = await page.locator('figure:has(> .frames)').count();
  assert.equal(await page.locator('.pl-open').count() + await page.locator('.demo').count(), figures);
});

for (const colorScheme of ['light', 'dark']) {
  for (const width of [1280, 390]) {
    scenario(`axe: ${colorScheme} ${width}`, { colorScheme, viewport: { width, height: 844 }, reducedMotion: 'reduce' }, async (page) => {
      for (const fragment of ['#demo-fencing:3:off', '#demo-fencing:7:off', '#demo-fencing:7:on', '#fig-fencing-gc_pause:3']) {
        await open(page, `fencing.html${fragment}`);
        assert.deepEqual(await axe(page, 'figure'), [], fragment);
      }
    });
  }
}
