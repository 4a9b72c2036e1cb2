//! 演習の合否。

use std::process::{ExitCode, Termination};

/// 演習の合否。答えのファイルの `main` が返すと、動かす側に渡り、終了コードになる。
#[derive(Debug)]
pub enum Verdict {
    /// 合格
    Passed,
    /// 不合格。理由と時系列が入っている
    Failed(anyhow::Error),
}

impl From<anyhow::Result<()>> for Verdict {
    fn from(checked: anyhow::Result<()>) -> Verdict {
        match checked {
            Ok(()) => Verdict::Passed,
            Err(reason) => Verdict::Failed(reason),
        }
    }
}

impl Termination for Verdict {
    fn report(self) -> ExitCode {
        let (passed, text) = match self {
            Verdict::Passed => (true, "合格".to_owned()),
            Verdict::Failed(reason) => (false, format!("不合格: {reason:#}")),
        };
        verdict_channel::Verdict { passed, text }.deliver()
    }
}

/// 答えの `main` を動かす。答えの出力や `exit` は、合否を変えない。
pub fn run(answer: fn() -> Verdict) -> ExitCode {
    verdict_channel::conduct("答え", answer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_pass_is_a_success() {
        let success = format!("{:?}", ExitCode::SUCCESS);
        assert_eq!(format!("{:?}", Verdict::Passed.report()), success);
        assert_ne!(format!("{:?}", Verdict::Failed(anyhow::anyhow!("理由")).report()), success);
    }
}
