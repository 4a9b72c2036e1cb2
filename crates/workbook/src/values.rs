//! 文の中に置く値。

use anyhow::{Context as _, Result, bail};
use chart::{Frame, Table, Timeline};

use crate::library::{Item, Library};

/// 筋書きの手から引ける項目のうち、どの時系列にもあるもの。ほかの項目は、時系列が事実として持つ。
pub const FIELDS: [&str; 3] = ["時刻", "判定", "文"];

/// 値を引く。
///
/// # Errors
/// 名前・手・項目・行・列のどれかがないとき。使えるものを添える。
pub fn look_up(library: &Library, key: &str, place: &str) -> Result<String> {
    match library.find(key)? {
        Item::Story(story) => of_story(&story.content.timeline, place),
        Item::Table(table) => of_table(&table.content, place),
        Item::Drawing(_) => bail!("{key} は絵である。値は筋書きか表から引く。"),
    }
}

fn of_story(timeline: &Timeline, place: &str) -> Result<String> {
    let (step, field) = place.split_once(char::is_whitespace).unwrap_or((place, ""));
    let frames = timeline.frames();
    let frame = step.parse().ok().and_then(|step: usize| frames.get(step)).with_context(|| {
        format!("手 {step} はない。手は 0 から {} までである", frames.len().saturating_sub(1))
    })?;
    let value = field_of(frame, field.trim())?;
    match value.is_empty() {
        false => Ok(value),
        true => bail!("手 {step} に{field}はない。ほかの手か項目を指す"),
    }
}

fn field_of(frame: &Frame, field: &str) -> Result<String> {
    let value = match field {
        "時刻" => frame.time.to_string(),
        "判定" => frame.verdict.clone(),
        "文" => frame.words.clone(),
        fact => match frame.facts.get(fact) {
            Some(text) => text.clone(),
            None => {
                let known = FIELDS.into_iter().chain(frame.facts.keys().map(String::as_str));
                let known: Vec<&str> = known.collect();
                bail!("{fact} という項目はない。使えるのは {} である", known.join("、"));
            }
        },
    };
    Ok(value)
}

/// 見出しの言葉は空白を含みうるので、行と列の切れ目をすべて試す。
fn of_table(table: &Table, place: &str) -> Result<String> {
    let heads: Vec<&str> =
        table.rows.iter().map(|row| row.first().map_or("", String::as_str)).collect();
    let columns: Vec<&str> = table.header.iter().map(String::as_str).collect();
    let cuts = place.match_indices(char::is_whitespace);
    let hit = cuts.into_iter().find_map(|(at, _)| {
        let (row, column) = place.split_at(at);
        Some((position(&heads, row.trim())?, position(&columns, column.trim())?))
    });
    let cell = hit.and_then(|(row, column)| table.rows.get(row)?.get(column));
    cell.cloned().with_context(|| {
        format!(
            "{place} というセルはない。行は 1 から {} まで({})、列は 1 から {} まで({})である",
            heads.len(),
            heads.join("、"),
            columns.len(),
            columns.join("、")
        )
    })
}

/// 1 から数えた番号か、見出しの言葉で指された位置。
fn position(names: &[&str], wanted: &str) -> Option<usize> {
    let by_name = names.iter().position(|name| *name == wanted);
    by_name.or_else(|| wanted.parse::<usize>().ok()?.checked_sub(1).filter(|at| *at < names.len()))
}

/// Markdown の記号として読まれないように書き換える。文字参照は、表のセルでも HTML の中でも効く。
#[must_use]
pub fn escape(value: &str) -> String {
    let mut out = String::new();
    for character in value.chars() {
        match character {
            '(' | ')' | ',' | '.' | ':' | '-' | '=' | ' ' => out.push(character),
            other if other.is_ascii_punctuation() => out.push_str(&format!("&#{};", other as u32)),
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ways() -> Table {
        Table {
            header: vec!["方法".into(), "拒否した数".into()],
            rows: vec![
                vec!["フェンシング 有".into(), "1".into()],
                vec!["フェンシング 無".into(), "0".into()],
            ],
        }
    }

    #[test]
    fn a_table_is_read_by_number_or_by_heading() {
        assert_eq!(of_table(&ways(), "2 2").unwrap(), "0");
        assert_eq!(of_table(&ways(), "フェンシング 有 拒否した数").unwrap(), "1");
        assert_eq!(of_table(&ways(), "フェンシング 無 1").unwrap(), "フェンシング 無");
    }

    #[test]
    fn an_unknown_cell_lists_what_exists() {
        let error = of_table(&ways(), "3 1").unwrap_err().to_string();
        assert_eq!(
            error,
            "3 1 というセルはない。行は 1 から 2 まで(フェンシング 有、フェンシング 無)、\
             列は 1 から 2 まで(方法、拒否した数)である"
        );
    }

    #[test]
    fn symbols_become_character_references() {
        assert_eq!(escape("拒否 1 < 2"), "拒否 1 &#60; 2");
        assert_eq!(escape("a|b*"), "a&#124;b&#42;");
    }
}
