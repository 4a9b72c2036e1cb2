// 検査そのものの試験。指摘すべきものを指摘し、指示やタグに乱されないこと。

import assert from "node:assert/strict";
import { test } from "node:test";

import { lint, load } from "./lint.mjs";

const linter = await load();
const found = async (text, file = "book/lease.md") =>
  (await lint(linter, file, text)).map(({ line, rule }) => `${line} ${rule}`);

test("使わない言葉は、段落でも、リンクでも、表でも見つかる", async () => {
  const text = "一行目である。\n\nこの[オーナー](a.md)が書く。\n\n| 意味 |\n|---|\n| リソースである |\n";
  assert.deepEqual(await found(text), ["3 prh", "7 prh"]);
});

test("図のキャプションも、タグの中の文も検査する", async () => {
  assert.deepEqual(await found("{{#timeline lease::crash シナリオである。}}\n"), ["1 prh"]);
  assert.deepEqual(await found("{{#drawing explore::states シナリオである。}}\n"), ["1 prh"]);
  assert.deepEqual(await found('<p class="takeaway">期限切れである。</p>\n'), ["1 prh"]);
});

test("予想の囲みの中の文も検査する", async () => {
  const text = "```predict\n問い: 次はどれか。\n選択: 租借\nもし: crash 5 持ち主 = オーナー\n説明: シナリオのとおりである。\n```\n";
  assert.deepEqual(await found(text), ["3 prh", "5 prh"]);
  assert.deepEqual(await found(`<!-- 例外 prh: 使わない言葉を問う -->\n${text}`), []);
});

test("演習の問題の説明も検査する", async () => {
  const text = "//! 演習: 境目を決める\n//!\n//! オーナーが書く。\n\nfn answer() {} // リソース\n";
  assert.deepEqual(await found(text, "crates/exercises/starters/lease/expiry.rs"), ["3 prh"]);
});

test("です・ます、長い文、飾りの言い回しを見つける", async () => {
  assert.deepEqual(await found("これは本です。\n"), ["1 no-mix-dearu-desumasu"]);
  assert.ok((await found(`${"あいうえおかきくけこ".repeat(8)}である。\n`)).includes("1 sentence-length"));
  assert.deepEqual(await found("重要なのは順序である。\n"), ["1 prh"]);
});

test("指示とタグは、文を乱さない", async () => {
  const text =
    "時刻 {{=crash 2 時刻}} に<dfn>失効</dfn>した。{{#ref lease::crash}}を見る。\n\n1. {{=crash 1 文}}\n\n{{#command cargo test -p lease}}\n\n<summary>答えを見る</summary>\n";
  assert.deepEqual(await found(text), []);
});

test("英語の言葉は、添えるときと、用語集で引くときだけよい", async () => {
  assert.deepEqual(await found("延長(renew)という。`renew` を呼ぶ。\n"), []);
  assert.deepEqual(await found("客が renew を頼む。\n"), ["1 prh"]);
  assert.deepEqual(await found("| 延長 | renew |\n|---|---|\n| 延長 | renew |\n", "book/glossary.md"), []);
});

test("例外は、理由があり、要るときだけ働く", async () => {
  const doubtful = "A は落ちたのかもしれない。\n";
  assert.deepEqual(await found(doubtful), ["1 ja-no-weak-phrase"]);
  assert.deepEqual(await found(`<!-- 例外 ja-no-weak-phrase: 分からないことを述べる -->\n${doubtful}`), []);
  assert.deepEqual(await found(`<!-- 例外 ja-no-weak-phrase -->\n${doubtful}`), [
    "1 ja-no-weak-phrase",
    "2 ja-no-weak-phrase",
  ]);
  assert.deepEqual(await found("<!-- 例外 prh: 要らない -->\nこれでよい。\n"), ["1 prh"]);
  assert.deepEqual(await found("```html\n<!-- 例外 prh: 見本 -->\n```\n"), []);
});
