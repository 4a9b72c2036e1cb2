//! 組み上がったページの検査。リンクの飛び先と、置き換えられずに残った記号を見る。
//!
//! 外のサイトへのリンクは、読むときにも組むときにも取りに行かない。

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use percent_encoding::percent_decode_str;

use crate::numbering::slashed;
use crate::rendered::{self, Rendered};

/// 全ページをまとめた、印刷用のページ。文は元のページで検査する。
const PRINT: &str = "print.html";
/// 知らせに添える、前後の字の数。
const AROUND: usize = 15;

/// `folder` に組まれた本を検査する。
///
/// # Errors
/// 切れたリンクや、残った記号があるとき。見つけたものすべてを、一行に一つずつ書く。
pub fn check(folder: &Path) -> Result<()> {
    let site = Site::read(folder)?;
    let mut problems = Vec::new();
    for (path, page) in &site.pages {
        problems.extend(site.broken_links(path, page));
        if path != Path::new(PRINT) {
            problems.extend(leftovers(page).map(|problem| format!("{}: {problem}", name(path))));
        }
    }
    match problems.is_empty() {
        true => Ok(()),
        false => bail!("{}", problems.join("\n")),
    }
}

/// 読み手が直す原稿の名前。
fn name(path: &Path) -> String {
    slashed(&path.with_extension("md"))
}

struct Site {
    folder: PathBuf,
    pages: BTreeMap<PathBuf, Rendered>,
}

impl Site {
    fn read(folder: &Path) -> Result<Site> {
        let mut site = Site { folder: folder.to_owned(), pages: BTreeMap::new() };
        site.read_folder(Path::new(""))?;
        Ok(site)
    }

    fn read_folder(&mut self, below: &Path) -> Result<()> {
        let folder = self.folder.join(below);
        let failed = || format!("組んだ本 {} を読めない", folder.display());
        for entry in std::fs::read_dir(&folder).with_context(failed)? {
            let entry = entry.with_context(failed)?;
            let path = below.join(entry.file_name());
            if entry.path().is_dir() {
                self.read_folder(&path)?;
            } else if path.extension().is_some_and(|extension| extension == "html") {
                let html = std::fs::read_to_string(entry.path()).with_context(failed)?;
                self.pages.insert(path, rendered::read(&html));
            }
        }
        Ok(())
    }

    fn broken_links(&self, path: &Path, page: &Rendered) -> Vec<String> {
        let links = page.links.iter().filter(|link| is_internal(link));
        let broken = links.filter_map(|link| {
            let problem = self.broken(path, page, link)?;
            Some(format!("{}: リンク「{}」が切れている。{problem}。", name(path), decode(link)))
        });
        broken.collect()
    }

    /// 切れたリンクなら、その理由。
    fn broken(&self, from: &Path, page: &Rendered, link: &str) -> Option<String> {
        let (target, fragment) = link.split_once('#').unwrap_or((link, ""));
        let target = decode(target.split('?').next().unwrap_or_default());
        if target.starts_with('/') {
            return Some("/ で始めず、ファイルとして開いても届くように、相対的な道で書く".into());
        }
        let path = match target.is_empty() {
            true => from.to_owned(),
            false => match resolve(start(from, page), &target) {
                Some(path) => path,
                None => return Some("本の外を指しているので、本の中のページを指す".into()),
            },
        };
        let path = if self.folder.join(&path).is_dir() { path.join("index.html") } else { path };
        if !self.folder.join(&path).is_file() {
            return Some("飛び先のページがないので、名前を直すか、SUMMARY.md に足す".into());
        }
        let fragment = decode(fragment);
        let there = self.pages.get(&path)?;
        match fragment.is_empty() || there.ids.contains(&fragment) {
            true => None,
            false => Some(format!("{} に #{fragment} がないので、# のあとを直す", name(&path))),
        }
    }
}

/// リンクの起点。`<base>` のあるページ(404)は、本の根から数える。
fn start<'a>(from: &'a Path, page: &Rendered) -> &'a Path {
    let is_rooted = page.base.is_some();
    if is_rooted { Path::new("") } else { from.parent().unwrap_or(Path::new("")) }
}

fn is_internal(link: &str) -> bool {
    let scheme = link.split(['/', '?', '#']).next().unwrap_or_default();
    !scheme.contains(':') && !link.starts_with("//")
}

fn decode(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}

/// `..` を畳んだ道。本の外へ出るなら `None`。
fn resolve(start: &Path, target: &str) -> Option<PathBuf> {
    let mut path = start.to_owned();
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                if !path.pop() {
                    return None;
                }
            }
            part => path.push(part),
        }
    }
    Some(path)
}

/// 読まれなかった強調と、置き換えられなかった書き方。
fn leftovers(page: &Rendered) -> impl Iterator<Item = String> + '_ {
    let found = |mark: &'static str, problem: &'static str| {
        let texts = page.texts.iter().filter(move |text| text.contains(mark));
        texts.map(move |text| format!("「{}」{problem}", excerpt(text, mark)))
    };
    let doubled = page.doubly_strong.iter().map(|text| {
        format!("「{text}」が二重の強調になっている。<strong>…</strong> で、強調する範囲を囲む。")
    });
    found(
        "**",
        "に ** が残っている。括弧や句点の隣では強調と読まれない。<strong>…</strong> で囲む。",
    )
    .chain(found("{{#", "の {{# が置き換えられていない。}} までを一行に書く。"))
    .chain(found("{{=", "の {{= が置き換えられていない。}} までを一行に書く。"))
    .chain(doubled)
}

/// 記号の前後だけを抜き出す。
fn excerpt(text: &str, mark: &str) -> String {
    let Some((before, after)) = text.split_once(mark) else { return text.to_owned() };
    let skipped = before.chars().count().saturating_sub(AROUND);
    let before: String = before.chars().skip(skipped).collect();
    let after: String = after.chars().take(AROUND).collect();
    format!("{before}{mark}{after}").replace('\n', " ").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(pages: &[(&str, &str)]) -> String {
        let folder = tempfile::tempdir().unwrap();
        for (path, html) in pages {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, html).unwrap();
        }
        check(folder.path()).map_or_else(|error| error.to_string(), |()| "なし".to_owned())
    }

    #[test]
    fn good_links_pass() {
        let a = r##"<h1 id="題">x</h1><a href="#題">1</a><a href="sub/b.html#%E9%A1%8C">2</a>
            <a href="https://example.com/x">3</a><a href="mailto:a@example.com">4</a><a href="#">5</a>
            <a href="sub/">6</a>"##;
        let b = r#"<h1 id="題">x</h1><a href="../a.html">1</a>"#;
        assert_eq!(problems(&[("a.html", a), ("sub/b.html", b), ("sub/index.html", "")]), "なし");
    }

    #[test]
    fn broken_links_are_reported() {
        assert_eq!(
            problems(&[("a.html", r#"<a href="b.html">x</a>"#)]),
            "a.md: リンク「b.html」が切れている。飛び先のページがないので、名前を直すか、\
             SUMMARY.md に足す。"
        );
        assert_eq!(
            problems(&[("a.html", r##"<a href="#%E9%A1%8C">x</a>"##)]),
            "a.md: リンク「#題」が切れている。a.md に #題 がないので、# のあとを直す。"
        );
        assert!(problems(&[("a.html", r#"<a href="../b">x</a>"#)]).contains("本の外を指している"));
        assert!(problems(&[("a.html", r#"<a href="/b">x</a>"#)]).contains("/ で始めず"));
    }

    #[test]
    fn stray_marks_are_reported() {
        assert_eq!(
            problems(&[("a.html", "<p>鍵は**「持つ」**こと</p><code>**</code>")]),
            "a.md: 「鍵は**「持つ」**こと」に ** が残っている。括弧や句点の隣では強調と読まれない。\
             <strong>…</strong> で囲む。"
        );
        assert!(problems(&[("a.html", "<p>{{#timeline a</p>")]).contains("置き換えられていない"));
        assert!(
            problems(&[("a.html", "<strong>a<strong>b</strong></strong>")]).contains("二重の強調")
        );
    }
}
