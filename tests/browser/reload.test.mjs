// 書きながら読む。原稿を変えればすぐに読み直され、コードを変えればそう知らされる。
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { session } from './lib/browser.mjs';
import { copy, workbook } from './lib/copy.mjs';

const book = session();
/* 変えてから読み直されるまでの上限(ミリ秒)。 */
// 時間の上限は、STRICT_TIMES=1 のときだけ確かめる(.ci/nightly)。混んだ機械では、本に誤りがなくても遅い。
const strict = process.env.STRICT_TIMES === '1';
const LIMIT = 1000;

/* よそに書いてから、一度に置く。書いている途中が見えると、空のページで一度組み直す。 */
async function save(copied, path, text) {
  const beside = `${copied}.saving`;
  await writeFile(beside, text);
  await rename(beside, join(copied, path));
}

/* 終わりに書き足す。 */
async function append(copied, path, text) {
  await save(copied, path, await readFile(join(copied, path), 'utf8') + text);
}

/* 空いているポートで配り、番地を返す。試験の終わりに、起こしたものだけを終わらせる。 */
async function serve(t, cwd) {
  const server = spawn(workbook, ['serve', '--port', '0'], { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => new Promise((done) => {
    if (server.exitCode !== null) return done();
    server.on('exit', done);
    server.kill('SIGINT');
  }));
  for await (const line of createInterface(server.stdout)) {
    const address = line.match(/http:\/\/127\.0\.0\.1:\d+\//);
    if (address) return address[0];
  }
  throw new Error('workbook serve が番地を言わずに終わった');
}

test(`原稿を変えると${strict ? ' 1 秒のうちに' : ''}読み直され、コードを変えると知らせが出る`, async (t) => {
  const copied = await copy(t);
  const address = await serve(t, copied);
  const page = await book.page(t);
  await page.goto(`${address}glossary.html`);
  const text = 'book/glossary.md';
  const original = await readFile(join(copied, text), 'utf8');

  const times = [];
  for (let count = 1; count <= 3; count += 1) {
    const words = `書き足した文、その ${count}`;
    // 見張りが落ち着いてから書く。
    await page.waitForTimeout(500);
    const began = performance.now();
    await save(copied, text, `${original}\n${words}。\n`);
    await page.getByText(words).waitFor();
    times.push(performance.now() - began);
  }
  t.diagnostic(`読み直し: ${times.map((time) => time.toFixed(0)).join('・')} ミリ秒`);
  if (strict) assert.ok(Math.min(...times) < LIMIT, `読み直しに ${Math.min(...times)} ミリ秒かかった`);

  // 書き足した文は、検索でも見つかる。文が見えても、検索のスクリプトはまだ動いていないことがある。
  await page.waitForLoadState();
  await page.keyboard.press('/');
  await page.fill('#search-input', '書き足した文');
  await page.waitForSelector('#search-results a');
  await page.keyboard.press('Escape');

  await append(copied, 'theme/book.css', '\nh1 { letter-spacing: 3px; }\n');
  await page.waitForFunction(() => getComputedStyle(document.querySelector('h1')).letterSpacing === '3px');

  await save(copied, text, `${original}\n{{#timeline 章::ない 図}}\n`);
  await page.getByText('本を組み直せなかった。理由は端末にある').waitFor();
  assert.ok(await page.getByText('書き足した文、その 3').isVisible(), '組めないときに、前の本が消えた');
  await save(copied, text, original);
  await page.getByText('本を組み直せなかった').waitFor({ state: 'detached' });

  await append(copied, 'crates/lease/src/lib.rs', '// 変えた\n');
  await page.getByText('コードが変わった。起動し直す').waitFor();
  await page.goto(`${address}lease.html`);
  await page.getByText('コードが変わった。起動し直す').waitFor();
});

test('聞き始める前に組み直しが済んでも、読み直される', async (t) => {
  const copied = await copy(t);
  const address = await serve(t, copied);
  const [early, late] = [await book.page(t), await book.page(t)];
  let rebuilt;
  const wait = new Promise((done) => { rebuilt = done; });
  await late.route('**/__workbook/events*', async (route) => { await wait; await route.continue(); });
  for (const page of [early, late]) await page.goto(`${address}glossary.html`);

  await append(copied, 'book/glossary.md', '\n書き足した文。\n');
  // 先のページが読み直されたときには、組み直しは済んでいる。
  await early.getByText('書き足した文').waitFor();
  assert.equal(await late.getByText('書き足した文').count(), 0);
  rebuilt();
  await late.getByText('書き足した文').waitFor();
});
