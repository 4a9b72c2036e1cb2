//! 章のクレートが固定した、ふつうの筋書き。
//!
//! 章はこのクレートに依存するので、ここから演じることはできない。データはすべてスナップショットに固定されている。

use std::fs;
use std::path::Path;

use chart::Timeline;

/// 今ある筋書きの数。減ったら、読む所が変わったということである。
const LEAST: usize = 59;

/// 固定された時系列と、`章::名前`。
pub fn stories() -> Vec<(String, Timeline)> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut found = Vec::new();
    for chapter in fs::read_dir(crates).unwrap().flatten() {
        let files = fs::read_dir(chapter.path().join("tests/snapshots"));
        for file in files.into_iter().flatten().flatten() {
            let file_name = file.file_name().into_string().unwrap();
            let Some(name) = file_name.strip_suffix(".timeline.snap") else { continue };
            let name = name.trim_start_matches("stories__");
            let name = format!("{}::{name}", chapter.file_name().to_string_lossy());
            let text = fs::read_to_string(file.path()).unwrap();
            // 二本目の --- までは、insta の覚え書き。
            let json = text.splitn(3, "---\n").nth(2).unwrap();
            let read = Timeline::from_json(json);
            found.push((name.clone(), read.unwrap_or_else(|error| panic!("{name}: {error}"))));
        }
    }
    found.sort_by(|one, other| one.0.cmp(&other.0));
    found
}

/// 名前の指す筋書き。
pub fn story(name: &str) -> Timeline {
    let found = stories().into_iter().find(|(own, _)| own == name);
    found.unwrap_or_else(|| panic!("{name} がない")).1
}

/// 試験する時系列のすべて。名前と、時系列。
pub fn everything() -> Vec<(String, Timeline)> {
    let own = crate::scene::all().into_iter().map(|timeline| (timeline.title.clone(), timeline));
    own.chain(stories()).collect()
}

#[test]
fn every_pinned_story_is_found() {
    let found = stories();
    assert!(found.len() >= LEAST, "{} 本しか見つからない", found.len());
    let mut names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
    names.dedup();
    assert_eq!(names.len(), found.len(), "同じ名前がある");
}
