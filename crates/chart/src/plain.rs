//! 端末や SVG を乱さない文字。

use std::fmt::Write as _;

/// 断る文に引くときの、文字の数の上限。
const QUOTED: usize = 60;

/// 端末や SVG を乱すか。
///
/// 制御文字のほかに、行と並びの向きを変える文字、目に見えない文字、XML に書けない文字も乱す。絵文字をつなぐ
/// U+200D は、乱さない。
pub(crate) fn disturbs(character: char) -> bool {
    let unseen = [
        '\u{ad}'..='\u{ad}',
        '\u{61c}'..='\u{61c}',
        '\u{180e}'..='\u{180e}',
        '\u{200b}'..='\u{200c}',
        '\u{200e}'..='\u{200f}',
        '\u{2028}'..='\u{202e}',
        '\u{2060}'..='\u{2064}',
        '\u{2066}'..='\u{2069}',
        '\u{feff}'..='\u{feff}',
        '\u{fff9}'..='\u{fffb}',
        '\u{fffe}'..='\u{ffff}',
        '\u{e0000}'..='\u{e007f}',
    ];
    character.is_control() || unseen.iter().any(|range| range.contains(&character))
}

/// 人の書いた文字を、断る文に引ける形にする。乱す文字は `\u{1b}` のように書き、長ければ途中で切る。
#[must_use]
pub fn harmless(text: &str) -> String {
    let mut quoted = String::new();
    for (index, character) in text.chars().enumerate() {
        if index == QUOTED {
            quoted.push('…');
            break;
        }
        if disturbs(character) {
            let _ = write!(quoted, "\\u{{{:x}}}", u32::from(character));
        } else {
            quoted.push(character);
        }
    }
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_disturbs_is_written_out_and_what_is_long_is_cut() {
        assert_eq!(harmless("時計 過 ✓ é 👩\u{200d}💻"), "時計 過 ✓ é 👩\u{200d}💻");
        assert_eq!(harmless("a\u{1b}[31m\n\u{202e}b"), "a\\u{1b}[31m\\u{a}\\u{202e}b");
        assert_eq!(harmless(&"あ".repeat(60)), "あ".repeat(60));
        assert_eq!(harmless(&"あ".repeat(61)), format!("{}…", "あ".repeat(60)));
    }
}
