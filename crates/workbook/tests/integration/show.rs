//! 図のデータを書き出し、読み戻す。

use std::path::Path;
use std::process::Command;

use anyhow::Result;
use workbook::library::Library;
use workbook::show;

use crate::terminal::BINARY;

/// 終了コードと、出力と、断った文。
fn shown(folder: &Path, arguments: &[&str]) -> Result<(Option<i32>, String, String)> {
    let output = Command::new(BINARY).current_dir(folder).arg("show").args(arguments).output()?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ok((output.status.code(), text(&output.stdout), text(&output.stderr)))
}

#[test]
fn a_written_story_is_drawn_the_same_when_it_is_read() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let (code, json, _) = shown(folder.path(), &["fencing::gc_pause", "--json"])?;
    assert_eq!(code, Some(0));
    std::fs::write(folder.path().join("run.json"), &json)?;
    let read = shown(folder.path(), &["--file", "run.json"])?;
    assert_eq!(read, shown(folder.path(), &["fencing::gc_pause"])?);
    assert_eq!(read.0, Some(0));

    // メモ帳の付ける BOM があっても読める。
    std::fs::write(folder.path().join("bom.json"), format!("\u{feff}{json}"))?;
    assert_eq!(shown(folder.path(), &["--file", "bom.json"])?, read);
    Ok(())
}

#[test]
fn every_story_of_the_book_is_drawn_the_same_when_it_is_read() -> Result<()> {
    let library = Library::perform(&workbook::chapters()?)?;
    let file = tempfile::NamedTempFile::new()?;
    for story in &library.stories {
        std::fs::write(file.path(), show::json(&library, &story.key())?)?;
        assert_eq!(show::file(file.path())?, show::one(&library, &story.key())?, "{}", story.key());
    }
    Ok(())
}

#[test]
fn a_file_that_is_not_such_data_is_refused_by_a_sentence() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let (_, json, _) = shown(folder.path(), &["fencing::gc_pause", "--json"])?;
    let edits: [(&str, &str, &str); 4] = [
        ("\"lane\":\"A\"", "\"lane\":\"Z\"", "手 1 の印 1: レーン「Z」はない。"),
        ("\"version\": 1", "\"version\": 2", "version が 2 である。"),
        ("\"time\":2,", "\"time\":11,", "手 3: 時刻が 11 から 10 に戻る。"),
        ("\"verdict\":\"no\"", "\"verdict\":\"maybe\"", "steps[7].arrows[0].verdict を読めない"),
    ];
    for (from, to, told) in edits {
        assert!(json.contains(from), "{from}");
        std::fs::write(folder.path().join("run.json"), json.replace(from, to))?;
        let (code, out, err) = shown(folder.path(), &["--file", "run.json"])?;
        assert_eq!((code, out.as_str()), (Some(1), ""), "{to}");
        assert!(err.starts_with("誤り: run.json は時系列のデータになっていない: "), "{err}");
        assert!(err.contains(told), "{err}");
    }
    std::fs::write(folder.path().join("bytes"), [0xff, 0xfe, 0x00])?;
    for (file, told) in [
        ("nowhere.json", "nowhere.json というファイルはない。名前を確かめる。"),
        (".", ". はフォルダーである。中のファイルを渡す。"),
        ("bytes", "bytes は UTF-8 の文字ではない。JSON のファイルを渡す"),
    ] {
        let (code, _, err) = shown(folder.path(), &["--file", file])?;
        assert_eq!(code, Some(1), "{file}");
        assert!(err.starts_with(&format!("誤り: {told}")), "{err}");
    }
    Ok(())
}

#[test]
fn what_is_no_ordinary_file_is_refused_without_reading_it() -> Result<()> {
    let folder = tempfile::tempdir()?;
    std::fs::File::create(folder.path().join("large.json"))?.set_len(16 * 1024 * 1024 + 1)?;
    let mut refused = vec![("large.json", "large.json は大きすぎる。16 MiB までの")];
    // 書き手のないパイプを開くと、いつまでも待つ。終わりのない装置は、読むほどメモリーを使う。
    if cfg!(unix) {
        assert!(Command::new("mkfifo").arg(folder.path().join("pipe")).status()?.success());
        refused.push(("pipe", "pipe はふつうのファイルではない。"));
        refused.push(("/dev/zero", "/dev/zero はふつうのファイルではない。"));
    }
    for (file, told) in refused {
        let (code, out, err) = shown(folder.path(), &["--file", file])?;
        assert_eq!((code, out.as_str()), (Some(1), ""), "{file}");
        assert!(err.starts_with(&format!("誤り: {told}")), "{err}");
    }
    Ok(())
}

#[test]
fn what_was_typed_or_written_reaches_the_terminal_only_in_harmless_form() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let ill = "\u{1b}[31m\n\u{202e}\u{9b}";
    let (_, json, _) = shown(folder.path(), &["fencing::gc_pause", "--json"])?;
    let key = json.replacen("\"title\"", "\"\\u001b\\n\\u202e\"", 1);
    std::fs::write(folder.path().join("key.json"), key)?;
    let long = "長".repeat(10_000);
    for arguments in [
        &["--file", "key.json"][..],
        &["--file", ill],
        &[ill],
        &[&format!("--{ill}")],
        &[&long],
        &["--file", &long[..300]],
    ] {
        let (code, out, err) = shown(folder.path(), arguments)?;
        assert_ne!(code, Some(0));
        assert_eq!(out, "");
        let line = err.strip_suffix('\n').unwrap_or_default();
        let disturbs = |c: char| c.is_control() || ('\u{2028}'..='\u{202e}').contains(&c);
        assert!(!line.contains(disturbs), "{err:?}");
        assert!(!line.is_empty() && line.chars().count() < 400, "{err}");
    }
    Ok(())
}

#[test]
fn options_that_do_not_go_together_are_refused() -> Result<()> {
    let help = "使い方は cargo run -- --help で見られる。\n";
    let folder = Path::new(".");
    for (arguments, told) in [
        (&["--json"][..], "<章::名前> が要る。"),
        (
            &["fencing::gc_pause", "--file", "a"],
            "[章::名前] と --file <ファイル> は、いっしょには書けない。",
        ),
        (&["--file"], "--file <ファイル> に値がない。"),
    ] {
        let (code, _, err) = shown(folder, arguments)?;
        assert_eq!((code, err), (Some(2), format!("誤り: {told}{help}")));
    }
    let (code, _, err) = shown(folder, &["fencing::ways", "--json"])?;
    assert_eq!(code, Some(1));
    assert_eq!(err, "誤り: fencing::ways は筋書きではなく表である。{{#table}} で置く。\n");
    Ok(())
}
