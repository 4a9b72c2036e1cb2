//! 組み立てたページの図・表・文字・命令が、記録と一語も違わないこと。

use std::path::PathBuf;
use std::sync::{Arc, LazyLock, OnceLock};

use anyhow::{Context as _, Result};
use chart::Timeline;
use scraper::{ElementRef, Html, Selector};
use serde_json::{Value, json};
use tests::{body, read, root};
use workbook::build::Builder;
use workbook::directives::{self, Directive};
use workbook::library::Library;

/// 組み立てたページの置き場。試験ごとに組み立て直さない。
fn built() -> Result<&'static PathBuf> {
    static BUILT: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    let build = || {
        let chapters = workbook::chapters().map_err(|error| format!("{error:#}"))?;
        let library = Library::perform(&chapters).map_err(|error| format!("{error:#}"))?;
        let builder = Builder::new(root(), Arc::new(library));
        builder.build().map_err(|error| format!("{error:#}"))
    };
    BUILT.get_or_init(build).as_ref().map_err(|error| anyhow::anyhow!(error.clone()))
}

fn page(name: &str) -> Result<Html> {
    let path = built()?.join(format!("{name}.html"));
    let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    Ok(Html::parse_document(&text))
}

fn select(selector: &str) -> Result<Selector> {
    Selector::parse(selector).map_err(|error| anyhow::anyhow!("{error}"))
}

fn only<'a>(html: &'a Html, selector: &str) -> Result<ElementRef<'a>> {
    html.select(&select(selector)?).next().with_context(|| format!("{selector} がない"))
}

/// 要素の名前と属性と文字を、空白によらない形に並べる。
fn shape(element: ElementRef<'_>) -> Vec<String> {
    let mut shape = Vec::new();
    for node in element.descendants() {
        if let Some(element) = node.value().as_element() {
            let mut attributes: Vec<String> =
                element.attrs().map(|(name, value)| format!("{name}={value}")).collect();
            attributes.sort();
            shape.push(format!("<{} {}>", element.name(), attributes.join(" ")));
        }
        if let Some(text) = node.value().as_text() {
            shape.extend(text.split_whitespace().map(str::to_owned));
        }
    }
    shape
}

fn words(element: ElementRef<'_>) -> String {
    element.text().collect::<String>()
}

/// 固定した図のデータ。ページの図と数は、ここから描いたものと同じでなければならない。
fn pinned(key: &str) -> Result<Timeline> {
    let (chapter, name) = key.split_once("::").context("章のない名前")?;
    let saved = read(&format!("crates/{chapter}/tests/snapshots/stories__{name}.timeline.snap"))?;
    Ok(Timeline::from_json(body(&saved))?)
}

/// 固定したデータから描いた、横の図と縦の図。
fn drawn(timeline: &Timeline) -> Vec<Vec<String>> {
    let shapes = |svg: &str| shapes(Html::parse_fragment(svg).select(&SVG));
    [timeline.across(), timeline.down()].iter().flat_map(|svg| shapes(svg)).collect()
}

static SVG: LazyLock<Selector> =
    LazyLock::new(|| Selector::parse("svg").unwrap_or_else(|error| unreachable!("{error}")));

fn shapes<'a>(elements: impl Iterator<Item = ElementRef<'a>>) -> Vec<Vec<String>> {
    elements.map(shape).collect()
}

/// 狭い所でだけ見せる、列の見出しを除いた文字。
fn shown_words(element: ElementRef<'_>) -> String {
    let texts = element.descendants().filter_map(|node| Some((node, node.value().as_text()?)));
    let shown = texts.filter(|(node, _)| {
        let mut above = node.ancestors().filter_map(|above| above.value().as_element());
        !above.any(|element| element.attr("hidden").is_some())
    });
    shown.map(|(_, text)| text.to_string()).collect()
}

#[test]
fn every_figure_is_drawn_from_its_pinned_data() -> Result<()> {
    for chapter in workbook::chapters()? {
        let html = page(chapter.name)?;
        for story in &chapter.stories {
            let figure = format!("figure#fig-{}-{}", chapter.name, story.name);
            let timeline = pinned(&format!("{}::{}", chapter.name, story.name))?;
            let shown = shapes(html.select(&select(&format!("{figure} svg"))?));
            assert!(!shown.is_empty(), "{figure}");
            assert_eq!(shown, drawn(&timeline), "{figure}");

            let told: Vec<String> =
                html.select(&select(&format!("{figure} li"))?).map(words).collect();
            let pinned = timeline.steps.iter().skip(1);
            let pinned: Vec<String> =
                pinned.map(|step| format!("時刻 {} {}", step.time, step.words)).collect();
            assert_eq!(told, pinned, "{figure}");
        }
    }
    Ok(())
}

#[test]
fn every_pinned_text_is_the_text_of_the_pinned_data() -> Result<()> {
    for chapter in workbook::chapters()? {
        for story in &chapter.stories {
            let timeline = pinned(&format!("{}::{}", chapter.name, story.name))?;
            let folder = format!("crates/{}/tests/snapshots", chapter.name);
            let saved = read(&format!("{folder}/stories__{}.text.snap", story.name))?;
            assert_eq!(timeline.text().trim(), body(&saved), "{}::{}", chapter.name, story.name);
        }
    }
    Ok(())
}

/// 固定したデータのコマ。
fn pinned_frames(key: &str) -> Result<Vec<Value>> {
    let frames = pinned(key)?.frames();
    frames.iter().map(|frame| Ok(serde_json::to_value(frame)?)).collect()
}

/// 図に埋め込まれたデータ。
fn embedded(html: &Html, figure: &str) -> Result<Vec<Value>> {
    Ok(serde_json::from_str(&words(only(html, &format!("{figure} script.frames"))?))?)
}

/// 一目で追える三手までの図には、一手ずつ見せるコマを付けない。
#[test]
fn every_longer_figure_carries_the_frames_of_its_pinned_data() -> Result<()> {
    for chapter in workbook::chapters()? {
        let html = page(chapter.name)?;
        for story in &chapter.stories {
            let figure = format!("figure#fig-{}-{}", chapter.name, story.name);
            let saved = pinned_frames(&format!("{}::{}", chapter.name, story.name))?;
            if saved.len() <= 4 {
                assert!(only(&html, &format!("{figure} .frames")).is_err(), "{figure}");
                continue;
            }
            let keys = |frame: &Value| match frame["good"].is_null() {
                true => vec!["time", "words"],
                false => vec!["time", "words", "verdict", "good"],
            };
            let pick = |frame: &Value| -> Value {
                let keys = keys(frame).into_iter();
                keys.map(|key| (key.to_owned(), frame[key].clone())).collect()
            };
            let shown: Vec<Value> = saved.iter().map(pick).collect();
            assert_eq!(embedded(&html, &figure)?, [json!({ "frames": shown })], "{figure}");
        }
    }
    Ok(())
}

#[test]
fn every_demo_is_the_snapshots_of_its_two_stories() -> Result<()> {
    let mut seen = 0;
    for (name, text) in tests::pages()? {
        let stem = name.trim_end_matches(".md");
        for found in directives::scan(&text)? {
            let Directive::Demo { off, on, takeaway, .. } = found.directive else { continue };
            seen += 1;
            let (html, figure) = (page(stem)?, format!("figure#demo-{stem}"));
            let data = embedded(&html, &figure)?;
            let tables: Vec<ElementRef<'_>> =
                html.select(&select(&format!("{figure} .demo-steps table"))?).collect();
            let drawings: Vec<ElementRef<'_>> =
                html.select(&select(&format!("{figure} .tl-forms"))?).collect();
            assert_eq!([data.len(), tables.len(), drawings.len()], [2, 2, 2], "{figure}");
            for (index, story) in [off, on].into_iter().enumerate() {
                let key = if story.contains("::") {
                    story.to_owned()
                } else {
                    format!("{stem}::{story}")
                };
                let saved = pinned_frames(&key)?;
                assert_eq!(data[index]["frames"], json!(saved), "{key}");
                assert_eq!(table_of(tables[index])?, told(&saved), "{key}");
                let closing =
                    words(tables[index].select(&select("tfoot td")?).next().context(key.clone())?);
                assert_eq!(data[index]["closing"], json!(closing), "{key}");
                let shown = shapes(drawings[index].select(&SVG));
                assert_eq!(shown, drawn(&pinned(&key)?), "{key}");
            }
            assert_eq!(words(only(&html, &format!("{figure} .takeaway"))?), takeaway);
        }
    }
    assert!(seen > 0, "デモがない");
    Ok(())
}

/// 表の本体の、手・時刻・文・判定。
fn table_of(table: ElementRef<'_>) -> Result<Vec<Vec<String>>> {
    let (row, cell) = (select("tbody tr")?, select("th, td")?);
    Ok(table.select(&row).map(|row| row.select(&cell).map(words).collect()).collect())
}

/// 記録の、手・時刻・文・判定。
fn told(frames: &[Value]) -> Vec<Vec<String>> {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let keys = ["step", "time", "words", "verdict"];
    frames.iter().skip(1).map(|frame| keys.map(|key| text(&frame[key])).to_vec()).collect()
}

#[test]
fn every_table_is_its_snapshot() -> Result<()> {
    for chapter in workbook::chapters()? {
        let html = page(chapter.name)?;
        for table in &chapter.tables {
            let name = format!("figure#tbl-{}-{} table", chapter.name, table.name);
            let path = format!(
                "crates/{}/tests/snapshots/stories__{}.table.snap",
                chapter.name, table.name
            );
            let saved: Vec<String> =
                body(&read(&path)?).split_whitespace().map(str::to_owned).collect();
            let shown = only(&html, &name)?;
            let cell = select("th, td")?;
            let cells = shown.select(&cell).map(shown_words).collect::<Vec<_>>().join(" ");
            let cells: Vec<String> = cells.split_whitespace().map(str::to_owned).collect();
            assert_eq!(cells, saved, "{name}");
        }
    }
    Ok(())
}

#[test]
fn every_drawing_is_its_snapshot() -> Result<()> {
    for chapter in workbook::chapters()? {
        let html = page(chapter.name)?;
        for drawing in &chapter.drawings {
            let figure = format!("figure#fig-{}-{}", chapter.name, drawing.name);
            let folder = format!("crates/{}/tests/snapshots", chapter.name);
            let saved = read(&format!("{folder}/stories__{}.drawing.snap", drawing.name))?;
            let svg = Html::parse_fragment(body(&saved));
            let svgs = |html: &Html, selector: &str| -> Result<Vec<Vec<String>>> {
                Ok(html.select(&select(selector)?).map(shape).collect())
            };
            let shown = svgs(&html, &format!("{figure} svg"))?;
            assert_eq!(shown.len(), 2, "{figure}: 広い所と狭い所の二つ");
            assert_eq!(shown, svgs(&svg, "svg")?, "{figure}");
            for line in html.select(&select(&format!("{figure} li"))?) {
                let line = words(line);
                assert!(saved.contains(&line), "{figure}: 「{line}」が記録にない");
            }
        }
    }
    Ok(())
}

#[test]
fn every_quoted_command_is_followed_by_its_saved_output() -> Result<()> {
    let mut shown = Vec::new();
    for (name, _) in tests::pages()? {
        if name == "SUMMARY.md" {
            continue;
        }
        let html = page(name.trim_end_matches(".md"))?;
        for quoted in html.select(&select("pre.command")?) {
            let text = words(quoted);
            let (line, output) = text.split_once('\n').context("命令だけで出力がない")?;
            let line = line.trim_start_matches("$ ").to_owned();
            let path =
                format!("tests/tests/snapshots/commands__{}.snap", workbook::commands::slug(&line));
            assert_eq!(output.trim(), body(&read(&path)?), "{name}: {line}");
            shown.push(line);
        }
    }
    let mut quoted = workbook::commands::in_book(&root())?;
    quoted.sort();
    shown.sort();
    shown.dedup();
    assert_eq!(shown, quoted);
    Ok(())
}

#[test]
fn no_page_asks_another_host_for_anything() -> Result<()> {
    let loads = select(
        "script[src], link[href], img[src], iframe[src], source[src], video[src], audio[src]",
    )?;
    for (name, _) in tests::pages()? {
        if name == "SUMMARY.md" {
            continue;
        }
        let html = page(name.trim_end_matches(".md"))?;
        for element in html.select(&loads) {
            let target = element.attr("src").or(element.attr("href")).unwrap_or_default();
            assert!(!target.contains("//"), "{name}: {target} を外から取りに行く");
        }
    }
    Ok(())
}

#[test]
fn no_directive_is_left_in_a_page() -> Result<()> {
    for (name, _) in tests::pages()? {
        if name == "SUMMARY.md" {
            continue;
        }
        let text = words(page(name.trim_end_matches(".md"))?.root_element());
        assert!(!text.contains("{{"), "{name} に差し込みの指示が残っている");
    }
    Ok(())
}
