//! 試験する図。台本の筋書きに、章のクレートが固定したスナップショットを加える。
//!
//! 章のクレートはこのクレートに依存するので、ここから筋書きを演じることはできない。図はすべて
//! スナップショットに固定されているので、それを読む。

use std::fs;
use std::path::Path;

use timeline::{Form, Timeline};

use crate::scene;

/// 図と、その名前。
pub struct Drawing {
    pub name: String,
    pub drawn: String,
}

/// `form` の図のすべて。
pub fn drawings(form: Form) -> Vec<Drawing> {
    let own = scene::all().into_iter().map(|timeline| own(&timeline, form));
    own.chain(pinned(form)).collect()
}

fn own(timeline: &Timeline, form: Form) -> Drawing {
    let drawn = timeline.form(form).unwrap_or_default();
    Drawing { name: timeline.title.clone(), drawn }
}

/// 章のスナップショットに固定された図。
fn pinned(form: Form) -> Vec<Drawing> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let ending = format!(".{}.snap", form.suffix());
    let mut found = Vec::new();
    for chapter in fs::read_dir(crates).into_iter().flatten().flatten() {
        let snapshots = fs::read_dir(chapter.path().join("tests/snapshots"));
        for file in snapshots.into_iter().flatten().flatten() {
            let name = file.path().display().to_string();
            let text = fs::read_to_string(file.path()).unwrap_or_default();
            // 二本目の --- までは、insta の覚え書き。
            if let Some(drawn) = text.splitn(3, "---\n").nth(2).filter(|_| name.ends_with(&ending))
            {
                found.push(Drawing { name, drawn: drawn.to_owned() });
            }
        }
    }
    found
}

#[test]
fn every_chapter_has_pinned_drawings() {
    for form in Form::ALL {
        let found = pinned(form);
        for chapter in ["plain-lock", "lease", "double-acquisition", "fencing"] {
            let of_chapter = |drawing: &&Drawing| drawing.name.contains(chapter);
            assert_ne!(found.iter().filter(of_chapter).count(), 0, "{chapter} の {form:?}");
        }
    }
}
