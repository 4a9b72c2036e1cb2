//! 途中で止めるようにとの知らせ。

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context as _, Result};

/// 途中で止められたときの終了コード。シェルが Ctrl-C に使うのと同じにする。
pub(crate) const CODE: u8 = 130;

/// 止めるようにとの知らせが来たかを、いつでも尋ねられるもの。
///
/// 計算を続ける糸は知らせを待てないので、別の糸が待つ。待つのには、ほかの命令も使う tokio を使う。
/// 同じことをする ctrlc クレートより、足すものが少ない。
#[derive(Clone, Debug)]
pub(crate) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// 知らせを待ち始める。二度目の知らせでは、すぐに終わる。
    ///
    /// # Errors
    /// 知らせを待つ用意ができないとき。
    pub(crate) fn listen() -> Result<Interrupt> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.context("Ctrl-C を受け付けられない")?;
        let interrupt = Interrupt(Arc::default());
        let told = interrupt.clone();
        std::thread::spawn(move || {
            runtime.block_on(async {
                stopped().await;
                told.0.store(true, Ordering::Relaxed);
                stopped().await;
                std::process::exit(CODE.into());
            });
        });
        Ok(interrupt)
    }

    /// 知らせが来たか。
    pub(crate) fn has_come(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Ctrl-C か、終わるようにとの知らせを待つ。
///
/// 知らせを受けずに死ぬと、終わらない答えが親をなくして動き続ける。
#[cfg(unix)]
pub(crate) async fn stopped() {
    use tokio::signal::unix::{SignalKind, signal};
    let Ok(mut terminate) = signal(SignalKind::terminate()) else {
        return interrupted().await;
    };
    tokio::select! {
        _ = terminate.recv() => {}
        () = interrupted() => {}
    }
}

#[cfg(not(unix))]
pub(crate) async fn stopped() {
    interrupted().await;
}

/// Ctrl-C を待つ。受け付けられない環境では、待ち続ける。
async fn interrupted() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}
