//! 演習の合否。

use std::process::{ExitCode, Termination};

/// 演習の合否。答えのファイルの `main` が返すと、結果を表示し、終了コードになる。
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
        match self {
            Verdict::Passed => {
                println!("合格");
                ExitCode::SUCCESS
            }
            Verdict::Failed(reason) => {
                println!("不合格: {reason:#}");
                ExitCode::FAILURE
            }
        }
    }
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
