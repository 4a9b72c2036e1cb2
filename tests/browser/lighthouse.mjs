// Lighthouse(携帯電話の設定)で、フェンシングの章を測る。四つの点のどれかが 98 に届かなければ落ちる。
//   tests/browser/run --lighthouse [ページ]
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root, serve } from './lib/site.mjs';

const LIMIT = 98;
const tools = join(root, 'target/lighthouse');
if (!existsSync(join(tools, 'node_modules'))) throw new Error(`${tools} に道具がない。tests/browser/run --lighthouse が入れる。`);
const require = createRequire(join(tools, 'package.json'));
const load = (name) => import(pathToFileURL(require.resolve(name)));
const [{ default: lighthouse }, chromeLauncher] = await Promise.all([load('lighthouse'), load('chrome-launcher')]);

const [name = 'fencing.html'] = process.argv.slice(2);
const site = await serve();
const chrome = await chromeLauncher.launch({
  chromePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  chromeFlags: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
});
try {
  const { lhr } = await lighthouse(site.base + name, { port: chrome.port, output: 'json', logLevel: 'error' });
  let low = false;
  for (const { title, score, auditRefs } of Object.values(lhr.categories)) {
    const points = Math.round(score * 100);
    low ||= points < LIMIT;
    console.log(`${title}: ${points}`);
    for (const { id, weight } of auditRefs) {
      const audit = lhr.audits[id];
      if (weight > 0 && audit.score !== null && audit.score < 1) console.log(`  ${audit.score} ${audit.title} ${audit.displayValue ?? ''}`);
    }
  }
  for (const id of ['first-contentful-paint', 'largest-contentful-paint', 'total-blocking-time', 'cumulative-layout-shift', 'speed-index']) {
    console.log(`${lhr.audits[id].title}: ${lhr.audits[id].displayValue}`);
  }
  process.exitCode = low ? 1 : 0;
} finally {
  await chrome.kill();
  await site.close();
}
