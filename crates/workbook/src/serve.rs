//! 組んだ本を手元だけに配る。変更があれば組み直し、開いているページに知らせる。
//!
//! 再読み込みのスクリプトは、配るときに足す。`build` の作る本は、サーバーのあるなしで変わらない。

use std::convert::Infallible;
use std::io::ErrorKind;
use std::net::Ipv4Addr;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context as _, Result, anyhow};
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use futures_util::Stream;
use tokio::net::TcpListener;
use tokio::sync::{broadcast, mpsc};
use tower_http::services::{ServeDir, ServeFile};

use crate::build::Builder;
use crate::cli::{complain, say};
use crate::watch::{self, Change};

const SCRIPT: &str = concat!("<script>", include_str!("reload.js"), "</script>\n");
/// コードが変わったときの知らせ。
pub const CODE_CHANGED: &str = "コードが変わった。起動し直す";
const FAILED: &str = "本を組み直せなかった。理由は端末にある";
/// 受け取りの遅いページのために溜める知らせの数。
const BACKLOG: usize = 16;

/// 開いているページへの知らせ。
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Signal {
    /// 読み込み直す
    Reload,
    /// 文を見せる
    Notice(&'static str),
}

/// 本を組んで配る。Ctrl-C で終わる。
///
/// # Errors
/// ポートが使われているとき、初めの本を組めないとき、見張りを始められないとき。
pub fn run(builder: &Builder, port: u16, open: bool) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.context("サーバーを始められない")?;
    runtime.block_on(async {
        tokio::select! {
            result = serve(builder, port, open) => result,
            _ = tokio::signal::ctrl_c() => {
                say("終わる。");
                Ok(())
            }
        }
    })
}

async fn serve(builder: &Builder, port: u16, open: bool) -> Result<()> {
    // 組むのを待たせてから断らないように、先にポートを取る。
    let listener = bind(port).await?;
    let address = format!("http://{}/", listener.local_addr().context("番地が分からない")?);
    let started = Instant::now();
    let output = build(builder).await?;
    say(&format!("本を組んだ({:.1} 秒)。", started.elapsed().as_secs_f64()));
    say(&format!("{address} で読める。Ctrl-C で終わる。"));
    if open && let Err(error) = opener::open(&address) {
        complain(&anyhow!(error).context("ブラウザーを開けない。上の番地を自分で開く"));
    }

    let (signals, _) = broadcast::channel(BACKLOG);
    let (sender, changes) = mpsc::unbounded_channel();
    let _watching = watch::start(builder.root(), move |change| {
        // 受け手がいないのは終わるときだけなので、届かなくてよい。
        let _ = sender.send(change);
    })?;
    let server = axum::serve(listener, router(&output, signals.clone()));
    tokio::select! {
        result = server.into_future() => result.context("サーバーが止まった"),
        () = follow(builder, changes, &signals) => Ok(()),
    }
}

async fn bind(port: u16) -> Result<TcpListener> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await.map_err(|error| match error.kind() {
        ErrorKind::AddrInUse => anyhow!(
            "ポート {port} はほかのプログラムが使っている。--port で別の番号を指定する(例: cargo run -- serve --port {})。",
            port.checked_add(1).unwrap_or(3000)
        ),
        _ => anyhow!(error).context(format!("ポート {port} を使えない。--port で別の番号を指定する")),
    })
}

/// 組んでいる間も、ほかのページへの応答を止めない。
async fn build(builder: &Builder) -> Result<std::path::PathBuf> {
    let builder = builder.clone();
    let building = tokio::task::spawn_blocking(move || builder.build());
    building.await.context("本を組む途中で止まった")?
}

/// 変更に応じて組み直し、ページに知らせる。
async fn follow(
    builder: &Builder,
    mut changes: mpsc::UnboundedReceiver<Change>,
    signals: &broadcast::Sender<Signal>,
) {
    while let Some(change) = changes.recv().await {
        let signal = match change {
            Change::Book => rebuild(builder).await,
            Change::Code => {
                say(&format!("{CODE_CHANGED}(Ctrl-C のあとで cargo run)。"));
                Signal::Notice(CODE_CHANGED)
            }
        };
        // 開いているページがなければ、知らせる相手もいない。
        let _ = signals.send(signal);
    }
}

async fn rebuild(builder: &Builder) -> Signal {
    let started = Instant::now();
    match build(builder).await {
        Ok(_) => {
            say(&format!("組み直した({:.1} 秒)。", started.elapsed().as_secs_f64()));
            Signal::Reload
        }
        Err(error) => {
            complain(&error.context("組み直せなかったので、前の本を配り続ける"));
            Signal::Notice(FAILED)
        }
    }
}

/// `folder` の本と、知らせの口。
pub fn router(folder: &Path, signals: broadcast::Sender<Signal>) -> Router {
    let missing = ServeFile::new(folder.join("404.html"));
    let pages = ServeDir::new(folder).not_found_service(missing);
    Router::new()
        .route("/__workbook/events", get(move || events(signals.subscribe())))
        .fallback_service(pages)
        .layer(middleware::from_fn(add_script))
}

async fn events(
    receiver: broadcast::Receiver<Signal>,
) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let stream = futures_util::stream::unfold(receiver, |mut receiver| async move {
        let event = match receiver.recv().await {
            Ok(Signal::Notice(text)) => Event::default().event("notice").data(text),
            // 取りこぼしたページは、読み込み直せば追いつく。
            Ok(Signal::Reload) | Err(broadcast::error::RecvError::Lagged(_)) => {
                Event::default().event("reload").data("")
            }
            Err(broadcast::error::RecvError::Closed) => return None,
        };
        Some((Ok(event), receiver))
    });
    Sse::new(stream).keep_alive(KeepAlive::default())
}

/// HTML の末尾にスクリプトを足す。組み直した直後に古いものを見せないように、控えも取らせない。
async fn add_script(request: Request, next: Next) -> Response {
    let is_get = request.method() == Method::GET;
    let (mut parts, body) = next.run(request).await.into_parts();
    parts.headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    let kind = parts.headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    if !is_get || !kind.is_some_and(|kind| kind.starts_with("text/html")) {
        return Response::from_parts(parts, body);
    }
    let Ok(page) = to_bytes(body, usize::MAX).await else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    parts.headers.remove(header::CONTENT_LENGTH);
    parts
        .headers
        .insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    Response::from_parts(parts, Body::from([&page[..], SCRIPT.as_bytes()].concat()))
}
