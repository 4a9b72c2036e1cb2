// 読者の読む文章(本文、演習の問題とヒント、README.md、CONTRIBUTING.md)を textlint にかける。
//
// 原稿をそのまま渡すと、差し込みの指示と HTML のタグが、文の長さや文末の検査を乱す。そこで、読者の見る形に近い
// 文字列を渡す。行は増やしも減らしもしないので、指摘の行番号は原稿の行番号である。
//
// 例外は、その行のすぐ上に、検査の名前と理由を書く。理由のない例外と、要らなくなった例外は、それ自体を指摘する。
//
//     <!-- 例外 ja-no-weak-phrase: 分からないことそのものを述べている -->

import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = join(here, "../..");
// 道具は run が target の下に入れる。ここに node_modules があると、Rust の試験がたどってしまう。
const tools = join(root, "target/textlint");
const { createLinter, loadTextlintrc } = createRequire(join(tools, "package.json"))("textlint");

/** 原稿の一行を、読者の見る形にする。 */
function asRead(line) {
  return (
    line
      // 文献の著者と題名は、文ではない。呼び方と注記だけを残す。
      .replace(/^- <a id="[^"]*"><\/a>.*?(?:<https?:[^>]*>|\.(?=\())/u, "- ")
      .replace(/^\{\{#(?:timeline|table|drawing) \S+ (.*)\}\}$/u, "$1")
      .replace(/^\{\{#demo \S+ \S+ (.*) \| (.*)\}\}$/u, "$1$2")
      .replace(/^\{\{#(?:command|include|text) .*\}\}$/u, "")
      .replace(/\{\{#ref [^}]*\}\}/gu, "図 1-1")
      .replace(/\{\{=[^}]* 文\}\}/gu, "A が取得する。")
      .replace(/\{\{=[^}]*\}\}/gu, "10")
      // 開くまで隠れている部分の見出しも、文ではない。
      .replace(/<summary>.*<\/summary>/u, "")
      .replace(/(`+).*?[^`]\1(?!`)|<\/?[a-z][a-z0-9]*(?:\s[^>]*)?>/gu, (all, code) => (code ? all : ""))
  );
}

/** 演習の問題から、読者への説明だけを残す。 */
function asTask(line) {
  return line.startsWith("//!") ? line.slice(4).replace(/^演習: /u, "# ") : "";
}

/** 予想の囲みの中の一行を、読者の見る形にする。 */
function asAsked(line) {
  const [, , words] = line.match(/^(問い|選択|説明): (.*)$/u) ?? [];
  return words ? `- ${asRead(words)}` : "";
}

/** 行ごとの、囲みの名前。囲みの外では空。 */
function fences(lines) {
  let fence = "";
  return lines.map((line) => {
    const [mark, name] = line.match(/^```(.*)$/u) ?? [];
    if (mark === undefined) return fence;
    const around = fence || name || "text";
    fence = fence ? "" : around;
    return around;
  });
}

/** 原稿を、読者の見る形にする。 */
function manuscript(lines) {
  const fence = fences(lines);
  return lines.map((line, index) => {
    if (fence[index] === "predict") return asAsked(line);
    return fence[index] ? line : asRead(line);
  });
}

/** 例外の一覧。`from` から `to` の行で働く。予想の囲みの上に書けば、囲みの中のどの行でも働く。 */
function exceptions(lines) {
  const fence = fences(lines);
  const found = [];
  lines.forEach((text, index) => {
    const comment = text.match(/^\s*<!-- 例外 (\S+?)(?::\s*(.*?))?\s*-->$/u);
    if (!comment || fence[index]) return;
    let from = index + 1;
    while (/^\s*<!--.*-->$/u.test(lines[from] ?? "")) from += 1;
    const to = fence[from] === "predict" ? lines.indexOf("```", from) : from;
    found.push({ at: index + 1, from: from + 1, to: to + 1, rule: comment[1], reason: comment[2], used: false });
  });
  return found;
}

/** 英語の言葉を引いてよい原稿。 */
const quotesEnglish = /^book\/(?:glossary|references)\.md$/u;

/** 一つの原稿の指摘。`{ line, rule, message }` の列。 */
export async function lint(linter, file, text) {
  const isTask = file.endsWith(".rs");
  const lines = text.split(/\r?\n/u).map((line) => (isTask ? asTask(line) : line));
  const allowed = exceptions(lines);
  const { messages } = await linter.lintText(manuscript(lines).join("\n"), join(root, `${file}.md`));
  const found = [];
  for (const { line, ruleId, message } of messages) {
    const rule = ruleId.split("/").pop();
    if (rule === "prh" && quotesEnglish.test(file) && /^[ -~]+ =>/u.test(message)) continue;
    const exception = allowed.find(
      (one) => one.from <= line && line <= one.to && one.rule === rule && one.reason,
    );
    if (exception) exception.used = true;
    else found.push({ line, rule, message: message.split("\n")[0] });
  }
  for (const { at, rule, reason, used } of allowed) {
    if (!reason) found.push({ line: at, rule, message: "例外に理由がない。" });
    else if (!used) found.push({ line: at, rule, message: "この例外は、もう要らない。" });
  }
  return found.sort((a, b) => a.line - b.line);
}

/** 設定どおりの検査。 */
export async function load() {
  const descriptor = await loadTextlintrc({
    configFilePath: join(here, "textlintrc.yml"),
    node_modulesDir: join(tools, "node_modules"),
  });
  return createLinter({ descriptor });
}

/** 文章のあるファイル。根からの道筋で、名前の順に並べる。 */
function files() {
  const inside = (folder, ending) =>
    readdirSync(join(root, folder), { recursive: true })
      .filter((name) => name.endsWith(ending))
      .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
      .sort();
  return [
    "README.md",
    "CONTRIBUTING.md",
    ...inside("book", ".md"),
    ...inside("crates/exercises/hints", ".md"),
    ...inside("crates/exercises/starters", ".rs"),
  ];
}

async function main() {
  const linter = await load();
  let count = 0;
  const all = files();
  for (const file of all) {
    for (const { line, rule, message } of await lint(linter, file, readFileSync(join(root, file), "utf8"))) {
      count += 1;
      console.log(`${file}:${line}: ${message}(${rule})`);
    }
  }
  console.log(`文章の検査: ${all.length} 個のファイル、指摘 ${count} 件`);
  process.exitCode = count === 0 ? 0 : 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
