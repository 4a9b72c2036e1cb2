//! 取り返しのつかないことをする前に尋ねる。

use std::io::{BufRead, IsTerminal as _, Write};

use anyhow::{Context as _, Result, bail};

/// `question`(「…してよいか」)と尋ねる。`yes` なら尋ねない。
///
/// # Errors
/// 尋ねる端末がないとき。
pub(super) fn confirm(question: &str, yes: bool) -> Result<bool> {
    if yes {
        return Ok(true);
    }
    let stdin = std::io::stdin();
    if !stdin.is_terminal() {
        bail!("{question}を尋ねる端末がない。よければ --yes をつけて、もう一度打つ。");
    }
    ask(question, &mut stdin.lock(), &mut std::io::stdout().lock())
}

/// 分かる答えが返るまで尋ねる。入力が終わったら、いいえとみなす。
fn ask(question: &str, input: &mut impl BufRead, output: &mut impl Write) -> Result<bool> {
    loop {
        write!(output, "{question}(はい/いいえ): ").context("尋ねられない")?;
        output.flush().context("尋ねられない")?;
        let mut line = String::new();
        if input.read_line(&mut line).context("答えを読めない")? == 0 {
            writeln!(output).context("尋ねられない")?;
            return Ok(false);
        }
        match line.trim().to_lowercase().as_str() {
            "はい" | "y" | "yes" => return Ok(true),
            "いいえ" | "n" | "no" | "" => return Ok(false),
            _ => writeln!(output, "「はい」か「いいえ」(y か n)で答える。")
                .context("尋ねられない")?,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(typed: &str) -> (bool, String) {
        let mut shown = Vec::new();
        let agreed = ask("見せてよいか", &mut typed.as_bytes(), &mut shown).unwrap();
        (agreed, String::from_utf8(shown).unwrap())
    }

    #[test]
    fn only_a_clear_yes_goes_on() {
        for typed in ["はい\n", "y\n", " YES \n", "たぶん\nはい\n"] {
            assert!(asked(typed).0, "{typed:?}");
        }
        for typed in ["いいえ\n", "n\n", "No\n", "\n", "", "たぶん\n"] {
            assert!(!asked(typed).0, "{typed:?}");
        }
    }

    #[test]
    fn an_unclear_reply_is_asked_again() {
        let question = "見せてよいか(はい/いいえ): ";
        let (_, shown) = asked("たぶん\nn\n");
        let told = "「はい」か「いいえ」(y か n)で答える。\n";
        assert_eq!(shown, format!("{question}{told}{question}"));
    }
}
