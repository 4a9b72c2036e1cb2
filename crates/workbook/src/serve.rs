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
use axum::extract::{RawQuery, Request};
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use futures_util::Stream;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tower_http::services::{ServeDir, ServeFile};

use crate::build::Builder;
use crate::cli::{complain, say};
use crate::watch::{Change, Watch};

const SCRIPT: &str = include_str!("reload.js");
/// ページが知らせを聞きに来る口。
const EVENTS: &str = "/__workbook/events";
/// コードが変わったときの知らせ。
pub const CODE_CHANGED: &str = "コードが変わった。起動し直す";
const FAILED: &str = "本を組み直せなかった。理由は端末にある";

/// 開いているページに見せる、今のようす。
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// 組み直した回数。変われば読み込み直させる
    pub rebuilt: u64,
    /// 最後の組み直しに失敗したか
    pub failed: bool,
    /// 起動したあとでコードが変わったか
    pub code_changed: bool,
}

impl State {
    /// ページに見せる文。
    fn notice(self) -> Option<&'static str> {
        match (self.failed, self.code_changed) {
            (true, _) => Some(FAILED),
            (_, true) => Some(CODE_CHANGED),
            _ => None,
        }
    }
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
    // 初めの本を組む間の変更も見落とさないように、組む前から見張る。
    let watch = Watch::start(builder.root())?;
    let address = format!("http://{}/", listener.local_addr().context("番地が分からない")?);
    let started = Instant::now();
    let output = build(builder).await?;
    say(&format!("本を組んだ({:.1} 秒)。", started.elapsed().as_secs_f64()));
    say(&format!("{address} で読める。Ctrl-C で終わる。"));
    if open && let Err(error) = opener::open(&address) {
        complain(&anyhow!(error).context("ブラウザーを開けない。上の番地を自分で開く"));
    }

    let state = watch::Sender::new(State::default());
    let server = axum::serve(listener, router(&output, state.clone()));
    tokio::select! {
        result = server.into_future() => result.context("サーバーが止まった"),
        () = follow(builder, watch, &state) => Ok(()),
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

/// 変更に応じて組み直し、ページに知らせる。見張りが絶えたら終わる。
async fn follow(builder: &Builder, mut watch: Watch, state: &watch::Sender<State>) {
    loop {
        let changes = watch.next().await;
        if changes.is_empty() {
            return;
        }
        for change in changes {
            match change {
                Change::Book => rebuild(builder, state).await,
                Change::Code => {
                    say(&format!("{CODE_CHANGED}(Ctrl-C のあとで cargo run)。"));
                    state.send_modify(|state| state.code_changed = true);
                }
            }
        }
    }
}

async fn rebuild(builder: &Builder, state: &watch::Sender<State>) {
    let started = Instant::now();
    match build(builder).await {
        Ok(_) => {
            say(&format!("組み直した({:.1} 秒)。", started.elapsed().as_secs_f64()));
            state.send_modify(|state| {
                state.rebuilt += 1;
                state.failed = false;
            });
        }
        Err(error) => {
            complain(&error.context("組み直せなかったので、前の本を配り続ける"));
            state.send_modify(|state| state.failed = true);
        }
    }
}

/// `folder` の本と、知らせの口。
pub fn router(folder: &Path, state: watch::Sender<State>) -> Router {
    let missing = ServeFile::new(folder.join("404.html"));
    let pages = ServeDir::new(folder).not_found_service(missing);
    let now = state.subscribe();
    let listen = move |RawQuery(query)| events(state.subscribe(), query);
    Router::new().route(EVENTS, get(listen)).fallback_service(pages).layer(middleware::from_fn(
        move |request: Request, next: Next| add_script(now.borrow().rebuilt, request, next),
    ))
}

/// 今の知らせから始めて、ようすが変わるたびに送る。ページを移っても、知らせは見え続ける。
///
/// 組み直しは、聞き始めた時でなく、ページを配った時の回数と比べる。聞き始める前に済んだものも知らせる。
/// 起動し直すと回数は 0 に戻るので、多くても少なくても、違えば読み込み直させる。
/// 回数を読めないときは、聞き始めた時の回数と比べる。読み込み直させても読めるとは限らず、きりがない。
async fn events(
    mut receiver: watch::Receiver<State>,
    query: Option<String>,
) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let built = query.and_then(|query| query.strip_prefix("built=")?.parse().ok());
    let built = built.unwrap_or(receiver.borrow().rebuilt);
    receiver.mark_changed();
    let stream = futures_util::stream::unfold(receiver, move |mut receiver| async move {
        loop {
            receiver.changed().await.ok()?;
            let state = *receiver.borrow_and_update();
            let event = match state.notice() {
                _ if state.rebuilt != built => Event::default().event("reload").data("reload"),
                Some(text) => Event::default().event("notice").data(text),
                None => continue,
            };
            return Some((Ok(event), receiver));
        }
    });
    Sse::new(stream).keep_alive(KeepAlive::default())
}

/// HTML の末尾にスクリプトを足す。組み直した直後に古いものを見せないように、控えも取らせない。
///
/// `built` は、ページを読む前に数えた組み直しの回数。読む間に組み直されたら、読み込み直させる。
async fn add_script(built: u64, request: Request, next: Next) -> Response {
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
    let script = format!("<script data-events=\"{EVENTS}?built={built}\">{SCRIPT}</script>\n");
    Response::from_parts(parts, Body::from([&page[..], script.as_bytes()].concat()))
}
