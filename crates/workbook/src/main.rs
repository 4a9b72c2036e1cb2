//! ワークスペースでただ一つのバイナリ。中身は [`workbook::cli`] にある。

use std::process::ExitCode;

fn main() -> ExitCode {
    workbook::cli::run()
}
