//! 表を HTML にする。広い所では表のまま、狭い所では、横に送らずに読める形に組み替わる。
//!
//! どの形に組み替えるかは、セルの幅からここで決め、いつ組み替えるかは、スタイルシートが、置かれた
//! 場所の幅から決める。幅は端末の桁で数えるので、読者の書体によらない。表の役割は `role` でも書く。
//! 組み替えると、表として読み上げないブラウザーがある。

use std::ops::Range;

use mdbook_markdown::pulldown_cmark::html::push_html;
use mdbook_markdown::pulldown_cmark::{Event, Tag, TagEnd};
use unicode_width::UnicodeWidthStr as _;

use crate::figures::escape;
use crate::typography::{breakable, parser, softened};

/// 狭い画面の本文の桁。幅 360 の画面で、表の字なら半角 46 字が入る。
const PHONE: usize = 46;
/// 広い画面の本文の桁。
const COLUMN: usize = 96;
/// 折り返して読む文の列に要る桁。
const PROSE: usize = 20;
/// 列の間の桁。広い画面と、狭い画面と、行と列を入れ替えたとき。
const GAP: usize = 3;
const TIGHT: usize = 2;
const TIGHTEST: usize = 1;
/// 行に振った番号の列の見出し。番号だけでは何の行か分からないので、次の列を行の名前とみなす。
const NUMBER: &str = "項番";
/// 二つを並べたときの、折り返しても二行で収まる桁。
const HALF: usize = 30;

/// 表のセル。
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    /// 中身の HTML
    html: String,
    /// 見える文字
    text: String,
    /// 見出しなら、狭い所での短い呼び名
    short: Option<String>,
}

impl Cell {
    /// 文字だけのセル。
    #[must_use]
    pub fn plain(text: &str) -> Cell {
        Cell { html: escape(text), text: text.to_owned(), short: None }
    }

    /// 語の途中で折れない見出し。
    fn heading(&self) -> String {
        if self.html == escape(&self.text) { breakable(&self.text) } else { self.html.clone() }
    }

    fn width(&self) -> usize {
        self.text.width()
    }
}

/// 狭い所での形。
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// 表のまま
    Table,
    /// 行と列を入れ替える
    Turned,
    /// 行の見出しの下に、二つのセルを並べる
    Paired,
    /// 行の見出しの下に、列の見出しとセルを、一組ずつ積む
    Listed,
    /// 積む。セルは文なので、列の見出しに続けて書く
    Told,
}

/// 表。
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grid {
    header: Vec<Cell>,
    rows: Vec<Vec<Cell>>,
    /// 文の表か。文のセルは、広い所でも折り返す
    prose: bool,
}

impl Grid {
    /// 章のクレートの表。
    #[must_use]
    pub fn of_data(header: &[String], rows: &[Vec<String>]) -> Grid {
        let cells = |row: &[String]| row.iter().map(|cell| Cell::plain(cell)).collect();
        Grid {
            header: cells(header),
            rows: rows.iter().map(|row| cells(row)).collect(),
            prose: false,
        }
    }

    /// 一行の HTML。
    #[must_use]
    pub fn html(&self) -> String {
        let form = self.form();
        let header: String = self.header.iter().map(|cell| self.column_head(cell, form)).collect();
        let rows: String = self.rows.iter().map(|row| self.row(row, form)).collect();
        let role = |role| role_of(form, role);
        let turned = match form {
            Form::Turned => format!(r#" style="--columns:{}""#, self.header.len()),
            _ => String::new(),
        };
        format!(
            r#"<div class="{}"><table{}{turned}><thead{}><tr{}>{header}</tr></thead><tbody{}>{rows}</tbody></table></div>"#,
            self.class(form),
            role("table"),
            role("rowgroup"),
            role("row"),
            role("rowgroup"),
        )
    }

    fn class(&self, form: Form) -> String {
        let mut class = "table-wrapper".to_owned();
        class.push_str(match form {
            Form::Table => "",
            Form::Turned => " turned",
            Form::Paired => " paired",
            Form::Listed if self.is_numbered() => " listed numbered",
            Form::Listed => " listed",
            Form::Told => " told",
        });
        // 広い画面の本文にも入らない表は、本文より広い所でも組み替える。
        if form != Form::Table && self.need(COLUMN, GAP) > COLUMN {
            class.push_str(" wide");
        }
        class
    }

    fn form(&self) -> Form {
        let values = self.rows.iter().flat_map(|row| row.iter().skip(1));
        let widest = values.map(Cell::width).max().unwrap_or(0);
        match self.header.len() {
            _ if self.need(PHONE, TIGHT) <= PHONE => Form::Table,
            3 if widest <= HALF => Form::Paired,
            _ if self.turned() <= PHONE => Form::Turned,
            _ if self.prose => Form::Told,
            _ => Form::Listed,
        }
    }

    /// 表のまま置くのに要る桁。
    fn need(&self, place: usize, gap: usize) -> usize {
        let columns = (0..self.header.len()).map(|column| self.column(column, place));
        columns.sum::<usize>() + gap * self.header.len()
    }

    fn column(&self, column: usize, place: usize) -> usize {
        let head = self.header.get(column).map_or(0, |cell| softened(&cell.text));
        let cells = self.rows.iter().filter_map(|row| row.get(column));
        // 文の列は、狭い所では折り返してよい。
        let wraps = self.prose && (column > 0 || place > PHONE);
        let cells = cells.map(|cell| match wraps {
            true => cell.width().min(PROSE),
            false => cell.width(),
        });
        cells.max().unwrap_or(0).max(head)
    }

    /// 行と列を入れ替えて置くのに要る桁。
    fn turned(&self) -> usize {
        let head = self.header.iter().map(|cell| softened(&cell.text)).max().unwrap_or(0);
        let rows = self.rows.iter().map(|row| row.iter().map(Cell::width).max().unwrap_or(0));
        head + rows.sum::<usize>() + TIGHTEST * (self.rows.len() + 1)
    }

    fn is_numbered(&self) -> bool {
        self.header.first().is_some_and(|head| head.text == NUMBER)
    }

    /// 行の見出しが数だけか。積むと、何の数か分からなくなる。
    fn heads_are_numbers(&self) -> bool {
        let mut heads = self.rows.iter().filter_map(|row| row.first());
        heads.all(|head| head.text.bytes().all(|byte| byte.is_ascii_digit()))
    }

    fn column_head(&self, cell: &Cell, form: Form) -> String {
        let role = role_of(form, "columnheader");
        format!(r#"<th scope="col"{role}>{}</th>"#, cell.heading())
    }

    fn row(&self, row: &[Cell], form: Form) -> String {
        let cells = row.iter().enumerate().map(|(index, cell)| self.cell(index, cell, form));
        let role = role_of(form, "row");
        format!("<tr{role}>{}</tr>", cells.collect::<String>())
    }

    fn cell(&self, index: usize, cell: &Cell, form: Form) -> String {
        let label = self.label(index, form);
        if index == 0 {
            let role = role_of(form, "rowheader");
            return format!(r#"<th scope="row"{role}>{label}{}</th>"#, cell.heading());
        }
        format!("<td{}>{label}{}</td>", role_of(form, "cell"), cell.html)
    }

    /// 積んだときに添える、列の見出し。表のままなら隠れ、検索にも拾われない。
    fn label(&self, index: usize, form: Form) -> String {
        let wanted = match (form, index) {
            (Form::Listed | Form::Told, 0) => self.heads_are_numbers(),
            (Form::Listed, 1) => !self.is_numbered(),
            (Form::Listed | Form::Told, _) => true,
            _ => false,
        };
        let Some(head) = self.header.get(index).filter(|_| wanted) else { return String::new() };
        let name = head.short.as_ref().map_or_else(|| head.heading(), |short| escape(short));
        // 読み上げでは、列の見出しがもう読まれている。
        format!(r#"<span class="head" hidden aria-hidden="true">{name}</span> "#)
    }
}

/// 表のままなら、役割は要素の名前で足りる。
fn role_of(form: Form, role: &str) -> String {
    match form {
        Form::Table => String::new(),
        _ => format!(r#" role="{role}""#),
    }
}

/// 原稿の表を、すべて HTML に置き換える。
///
/// 列の見出しのあとに `<!-- 短く: 期限 -->` と書けば、狭い所での短い呼び名になる。
#[must_use]
pub fn render(markdown: &str) -> String {
    let mut out = String::with_capacity(markdown.len());
    let mut done = 0;
    for (range, grid) in tables(markdown) {
        out.push_str(markdown.get(done..range.start).unwrap_or_default());
        out.push_str(&grid.html());
        out.push('\n');
        done = range.end;
    }
    out.push_str(markdown.get(done..).unwrap_or_default());
    out
}

fn tables(markdown: &str) -> Vec<(Range<usize>, Grid)> {
    let mut tables = Vec::new();
    let mut now: Option<Grid> = None;
    let mut cell = Vec::new();
    for (event, range) in parser(markdown).into_offset_iter() {
        match (event, &mut now) {
            (Event::Start(Tag::Table(_)), _) => now = Some(Grid { prose: true, ..Grid::default() }),
            (Event::Start(Tag::TableRow), Some(grid)) => grid.rows.push(Vec::new()),
            (Event::Start(Tag::TableHead | Tag::TableCell), Some(_)) => cell.clear(),
            (Event::End(TagEnd::TableCell), Some(grid)) => {
                let row = grid.rows.last_mut().unwrap_or(&mut grid.header);
                row.push(of_events(std::mem::take(&mut cell)));
            }
            (Event::End(TagEnd::Table), _) => {
                tables.extend(now.take().map(|grid| (range, grid)));
            }
            (event, Some(_)) => cell.push(event),
            _ => {}
        }
    }
    tables
}

fn of_events(events: Vec<Event<'_>>) -> Cell {
    let mut cell = Cell::default();
    let mut shown = Vec::new();
    for event in events {
        match &event {
            Event::Text(text) => cell.text.push_str(text),
            Event::Code(text) => {
                cell.text.push_str(text);
                let code = format!("<code>{}</code>", identifier(text));
                shown.push(Event::InlineHtml(code.into()));
                continue;
            }
            Event::InlineHtml(html) => {
                let comment = html.strip_prefix("<!--").and_then(|rest| rest.strip_suffix("-->"));
                if let Some(comment) = comment {
                    let short = comment.trim().strip_prefix("短く:");
                    cell.short = short.map(|short| short.trim().to_owned()).or(cell.short);
                    continue;
                }
            }
            _ => {}
        }
        shown.push(event);
    }
    push_html(&mut cell.html, shown.into_iter());
    cell.text = cell.text.trim().to_owned();
    cell.html = cell.html.trim().to_owned();
    cell
}

/// 長い名前を、区切りの後ろで折れるようにする。写しても、文字は増えない。
fn identifier(code: &str) -> String {
    let mut out = String::new();
    for character in code.chars() {
        out.push_str(&escape(character.encode_utf8(&mut [0; 4])));
        if matches!(character, '_' | '/' | ':' | '(' | '.') {
            out.push_str("<wbr>");
        }
    }
    out.replace(":<wbr>:<wbr>", "::<wbr>").trim_end_matches("<wbr>").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 同じ行が `times` 個ある表。
    fn data(header: &[&str], row: &[&str], times: usize) -> Grid {
        let owned = |row: &[&str]| row.iter().map(|cell| (*cell).to_owned()).collect::<Vec<_>>();
        Grid::of_data(&owned(header), &vec![owned(row); times])
    }

    const LONG: &str = "時刻 10 でも B は取得できない";

    #[test]
    fn a_short_table_stays_a_table_without_roles() {
        let grid = data(&["方法", "結果"], &["A & B", "<拒否>"], 1);
        assert_eq!(
            grid.html(),
            "<div class=\"table-wrapper\"><table><thead><tr><th scope=\"col\">方法</th>\
             <th scope=\"col\">結果</th></tr></thead><tbody><tr><th scope=\"row\">A &amp; B</th>\
             <td>&lt;拒否&gt;</td></tr></tbody></table></div>"
        );
    }

    #[test]
    fn the_form_is_chosen_from_the_widths() {
        let three = |row: [&str; 3]| data(&["手", "壊れているとき", "正しいとき"], &row, 2).form();
        assert_eq!(three(["A: 落ちる", "クラッシュ", "同じ"]), Form::Table);
        assert_eq!(three(["A: 落ちる", LONG, LONG]), Form::Paired);
        assert_eq!(three(["A: 落ちる", &LONG.repeat(2), LONG]), Form::Listed);
        let many = ["長さ", "停止 3", "停止 8", "停止 15", "停止 30", "停止 60", "最短"];
        let row = ["5", "無事", "壊れる", "壊れる", "壊れる", "壊れる", "5"];
        assert_eq!(data(&many, &row, 3).form(), Form::Turned);
        assert_eq!(data(&many, &row, 8).form(), Form::Listed);
    }

    #[test]
    fn only_a_table_wider_than_the_column_is_wide() {
        let class = |row: [&str; 4]| {
            let grid = data(&["しかた", "一", "二", "三"], &row, 2);
            grid.class(grid.form())
        };
        assert_eq!(class(["リースとフェンシング", LONG, LONG, LONG]), "table-wrapper listed wide");
        assert_eq!(class(["リース", LONG, LONG, "無事"]), "table-wrapper listed");
    }

    #[test]
    fn stacked_cells_carry_their_headings_out_of_sight() {
        let header = ["しかた", "停止の間", "資源", "結果"];
        let html = data(&header, &["リース", LONG, LONG, "無事"], 2).html();
        let head = r#"<span class="head" hidden aria-hidden="true">停止の<wbr>間</span>"#;
        assert!(html.contains(&format!(r#"<td role="cell">{head} {LONG}</td>"#)), "{html}");
        assert!(html.contains(r#"<th scope="row" role="rowheader">リース</th>"#), "{html}");
    }

    #[test]
    fn a_number_is_told_with_its_heading() {
        let row = ["3", "失効した保持をよみがえらせる", "終わるまで与えない", "錠"];
        let html = data(&["項番", "項目", "破る性質", "壊れた所"], &row, 2).html();
        assert!(html.contains("listed numbered"), "{html}");
        assert!(html.contains(r#"hidden aria-hidden="true">項番</span> 3</th>"#), "{html}");
        assert!(html.contains(r#"<td role="cell">失効した"#), "{html}");
    }

    #[test]
    fn tables_of_the_text_keep_links_code_and_short_names() {
        let long = "持ち主の書き込みが、期限の前に届き終わること、そして消えないこと";
        let markdown = format!(
            "前\n\n| 仕組み | 期限と、気づくしくみ <!-- 短く: 期限 --> | 例 |\n|---|---|---|\n\
             | [リース](lease.md) | {long} | `a::b_c` |\n\
             | 別のしかたの名前 | {long} | {long} |\n\n後\n"
        );
        let html = render(&markdown);
        assert!(html.starts_with("前\n\n<div class=\"table-wrapper told"), "{html}");
        assert!(html.ends_with("</div>\n\n後\n"), "{html}");
        assert!(html.contains(r#"<a href="lease.md">リース</a></th>"#), "{html}");
        assert!(html.contains(r#"aria-hidden="true">期限</span> 持ち主の"#), "{html}");
        assert!(html.contains(r#"role="columnheader">期限と、気づくしくみ</th>"#), "{html}");
        assert!(html.contains("<code>a::<wbr>b_<wbr>c</code>"), "{html}");
    }

    #[test]
    fn text_without_a_table_is_left_alone() {
        for text in ["# 見出し\n\n文 | 文\n", "```text\n| a | b |\n|---|---|\n```\n"] {
            assert_eq!(render(text), text);
        }
    }
}
