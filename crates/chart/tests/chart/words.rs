//! このクレートは、何のデータかを知らない。特定の世界の言葉も、ワークスペースのほかのクレートも使わないこと。

use std::fs;
use std::path::{Path, PathBuf};

/// 使ってはならない英語の言葉。
const ENGLISH: [&str; 9] =
    ["lock", "lease", "token", "fence", "holder", "client", "acquire", "renew", "release"];

/// 使ってはならない日本語の言葉。
const JAPANESE: [&str; 11] = [
    "ロック",
    "リース",
    "トークン",
    "フェンス",
    "フェンシング",
    "持ち主",
    "クライアント",
    "客",
    "取得",
    "延長",
    "解放",
];

/// 綴りを、`_` と大文字の始まりで分けた、小文字の語。
fn parts(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut before = ' ';
    for c in text.chars() {
        let new_word = c.is_ascii_uppercase() && before.is_ascii_lowercase();
        if !c.is_ascii_alphabetic() || new_word {
            parts.push(String::new());
        }
        if c.is_ascii_alphabetic() {
            parts.last_mut().unwrap().extend(c.to_lowercase());
        }
        before = c;
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// `text` の中の、使ってはならない言葉。
fn forbidden(text: &str) -> Vec<String> {
    let english = parts(text).into_iter().filter(|part| {
        let plain = |word: &str| part == word || part.strip_suffix('s') == Some(word);
        ENGLISH.iter().any(|word| plain(word))
    });
    let japanese = JAPANESE.iter().filter(|word| text.contains(*word));
    english.chain(japanese.map(|word| (*word).to_owned())).collect()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

#[test]
fn the_sources_speak_of_no_particular_world() {
    let mut read = 0;
    for file in fs::read_dir(root().join("src")).unwrap() {
        let path = file.unwrap().path();
        assert!(path.is_file(), "{path:?}: 下のフォルダーも調べるように、試験を直す");
        let source = fs::read_to_string(&path).unwrap();
        for (number, line) in source.lines().enumerate() {
            let found = forbidden(line);
            assert!(found.is_empty(), "{path:?} {} 行: {found:?}", number + 1);
        }
        read += 1;
    }
    assert!(read >= 11, "{read} 個しか読んでいない");
}

#[test]
fn the_forbidden_words_are_found_wherever_they_stand() {
    for text in [
        "use own_lock::Rule;",
        "struct LockService;",
        "fn maxToken()",
        "TOKEN",
        "// the Lease",
        "holders",
        "/// 持ち主",
        "客を描く",
    ] {
        assert_eq!(forbidden(text).len(), 1, "{text}");
    }
    for text in ["block", "unblocked", "clock", "fenced", "relock", "tl-holds", "言葉を置く"] {
        assert_eq!(forbidden(text), Vec::<String>::new(), "{text}");
    }
}

/// マニフェストの、依存の節に書かれた名前。
fn dependencies(manifest: &str) -> Vec<String> {
    let mut inside = false;
    let mut names = Vec::new();
    for line in manifest.lines().map(str::trim) {
        if let Some(section) = line.strip_prefix('[') {
            inside = section.trim_end_matches(']').ends_with("dependencies");
        } else if let (true, Some((name, _))) = (inside, line.split_once(['.', ' ', '='])) {
            names.push(name.to_owned());
        }
    }
    names
}

#[test]
fn the_crate_depends_on_no_crate_of_the_workspace() {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let names = dependencies(&manifest);
    for known in ["serde", "unicode-width", "insta"] {
        assert!(names.contains(&known.to_owned()), "{names:?}");
    }
    let mut crates = 0;
    for member in fs::read_dir(root().join("..")).unwrap().flatten() {
        let name = member.file_name().into_string().unwrap();
        assert!(!names.contains(&name), "{name} に依存している");
        crates += 1;
    }
    assert!(crates > 5, "{crates} 個しか調べていない");
    assert!(!manifest.contains("path ="), "ワークスペースの中を指している");
}
