//! 手元のサーバー。

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode};
use futures_util::StreamExt as _;
use tempfile::TempDir;
use tokio::sync::watch;
use tower::ServiceExt as _;
use workbook::serve::{CODE_CHANGED, State, router};

use crate::fixture::Fixture;
use crate::terminal::BINARY;

/// これより待たされたら、止まっているとみなす。
const PATIENCE: Duration = Duration::from_secs(120);

/// 動いているサーバー。捨てると、自分の起こしたプロセスだけを終わらせる。
struct Server {
    child: Child,
    stdout: BufReader<ChildStdout>,
    address: SocketAddr,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Server {
    fn start(book: &Fixture) -> Result<Server> {
        let mut child = Command::new(BINARY)
            .args(["serve", "--port", "0"])
            .current_dir(book.root())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let mut stdout = BufReader::new(child.stdout.take().context("出力がない")?);
        let (mut first, mut second) = (String::new(), String::new());
        stdout.read_line(&mut first)?;
        stdout.read_line(&mut second)?;
        let address = second.strip_prefix("http://").and_then(|rest| rest.split('/').next());
        let address = address.with_context(|| format!("番地がない: {first}{second}"))?.parse()?;
        assert!(first.starts_with("本を組んだ(") && first.contains("秒"), "{first}");
        Ok(Server { child, stdout, address })
    }

    fn connect(&self, request: &str) -> Result<TcpStream> {
        let mut stream = TcpStream::connect(self.address)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.write_all(request.as_bytes())?;
        Ok(stream)
    }

    /// 道を、ブラウザーのように整えずにそのまま送る。
    fn get(&self, path: &str) -> Result<String> {
        let request =
            format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        let mut answer = Vec::new();
        self.connect(&request)?.read_to_end(&mut answer)?;
        Ok(String::from_utf8_lossy(&answer).into_owned())
    }

    fn events(&self) -> Result<BufReader<TcpStream>> {
        let request = "GET /__workbook/events HTTP/1.1\r\nHost: localhost\r\n\r\n";
        let mut events = BufReader::new(self.connect(request)?);
        // 見出しを読み終えれば、知らせを受け取れるようになっている。
        wait_for(&mut events, "transfer-encoding: chunked")?;
        Ok(events)
    }

    #[cfg(unix)]
    fn interrupt(mut self) -> Result<ExitStatus> {
        let id = self.child.id().to_string();
        let status = Command::new("kill").args(["-INT", &id]).status()?;
        anyhow::ensure!(status.success(), "-INT を送れない");
        let started = Instant::now();
        while started.elapsed() < PATIENCE {
            if let Some(status) = self.child.try_wait()? {
                return Ok(status);
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        bail!("Ctrl-C で終わらない")
    }
}

fn wait_for(events: &mut BufReader<TcpStream>, wanted: &str) -> Result<()> {
    let started = Instant::now();
    let mut line = String::new();
    // つないだままにするための空の知らせが届くので、読むのを待つ上限だけでは終わらない。
    while started.elapsed() < PATIENCE && events.read_line(&mut line)? > 0 {
        if line.trim() == wanted {
            return Ok(());
        }
        line.clear();
    }
    bail!("{wanted} が来ない")
}

#[test]
fn only_pages_get_the_reload_script() -> Result<()> {
    let book = Fixture::whole()?;
    let server = Server::start(&book)?;
    let page = server.get("/demo.html")?;
    assert!(page.starts_with("HTTP/1.1 200"), "{page}");
    assert!(page.contains("__workbook/events"));
    assert!(page.to_ascii_lowercase().contains("cache-control: no-store"));
    assert!(!book.page("demo.html")?.contains("__workbook"));
    let root = server.get("/")?;
    assert!(root.starts_with("HTTP/1.1 200") && root.contains("__workbook/events"));
    Ok(())
}

#[test]
fn nothing_outside_the_book_is_served() -> Result<()> {
    let book = Fixture::whole()?;
    book.write("secret.txt", "秘密")?;
    let server = Server::start(&book)?;
    let paths = [
        "/../../secret.txt",
        "/..%2f..%2fsecret.txt",
        "/%2e%2e/%2e%2e/secret.txt",
        "/css/../../../secret.txt",
        "//../../secret.txt",
        "/..%5c..%5csecret.txt",
        "/no.html",
    ];
    for path in paths {
        let answer = server.get(path)?;
        assert!(answer.starts_with("HTTP/1.1 404"), "{path}: {answer}");
        assert!(!answer.contains("秘密"), "{path}");
    }
    Ok(())
}

#[test]
fn only_this_machine_is_listened_on() -> Result<()> {
    let book = Fixture::whole()?;
    let server = Server::start(&book)?;
    assert_eq!(server.address.ip(), Ipv4Addr::LOCALHOST);
    // すべての番地で待ち受けていれば、同じ番号をほかの番地では取れない。
    // ほかの OS では、127.0.0.2 を使うのに設定が要る。
    if cfg!(target_os = "linux") {
        TcpListener::bind((Ipv4Addr::new(127, 0, 0, 2), server.address.port()))?;
    }
    Ok(())
}

#[test]
fn a_changed_source_reloads_the_page() -> Result<()> {
    let book = Fixture::whole()?;
    let server = Server::start(&book)?;
    let mut events = server.events()?;
    book.write("book/demo.md", "# 変えた\n")?;
    wait_for(&mut events, "event: reload")?;
    assert!(server.get("/demo.html")?.contains("変えた"));
    Ok(())
}

#[test]
fn a_failed_rebuild_keeps_serving_the_last_book() -> Result<()> {
    let book = Fixture::whole()?;
    let server = Server::start(&book)?;
    let mut events = server.events()?;
    book.write("book/demo.md", "{{#text no::story}}\n")?;
    wait_for(&mut events, "event: notice")?;
    assert!(server.get("/demo.html")?.contains("見本"));
    book.write("book/demo.md", "# 直した\n")?;
    wait_for(&mut events, "event: reload")?;
    Ok(())
}

#[test]
fn changed_code_asks_for_a_restart() -> Result<()> {
    let book = Fixture::whole()?;
    book.write("crates/lease/src/lib.rs", "")?;
    let mut server = Server::start(&book)?;
    let mut events = server.events()?;
    book.write("crates/lease/src/lib.rs", "//! 変えた\n")?;
    wait_for(&mut events, "event: notice")?;
    wait_for(&mut events, "data: コードが変わった。起動し直す")?;
    let mut line = String::new();
    server.stdout.read_line(&mut line)?;
    assert!(line.starts_with("コードが変わった。起動し直す"), "{line}");
    Ok(())
}

/// 網を通さずに配る、一ページの本。組み直したことにする時は、試験が決める。
struct Desk {
    _folder: TempDir,
    router: Router,
    state: watch::Sender<State>,
}

impl Desk {
    fn open(state: State) -> Result<Desk> {
        let folder = tempfile::tempdir()?;
        std::fs::write(folder.path().join("a.html"), "<p>本文</p>")?;
        let state = watch::Sender::new(state);
        Ok(Desk { router: router(folder.path(), state.clone()), _folder: folder, state })
    }

    /// 返事の、初めに届く部分。
    async fn get(&self, path: &str) -> Result<String> {
        let request = Request::get(path).body(Body::empty())?;
        let response = self.router.clone().oneshot(request).await?;
        assert_eq!(response.status(), StatusCode::OK, "{path}");
        let mut parts = response.into_body().into_data_stream();
        let first = parts.next().await.with_context(|| format!("{path}: 何も届かない"))??;
        Ok(String::from_utf8(first.to_vec())?)
    }
}

/// 配られたページが、知らせを聞きに行く番地。
fn listens_at(page: &str) -> Result<&str> {
    let mut quoted = page.split('"');
    let found = quoted.find(|text| text.starts_with("/__workbook/events"));
    found.with_context(|| format!("聞きに行かない: {page}"))
}

const RELOAD: &str = "event: reload\ndata: reload\n\n";

/// 読み込みの重いページや、続けざまの保存では、聞き始める前に組み直しが済む。
#[tokio::test]
async fn a_page_learns_of_a_rebuild_that_ended_before_it_listened() -> Result<()> {
    // 組み直していなければ「コードが変わった」が届くので、届かないことを待たずに確かめられる。
    let desk = Desk::open(State { code_changed: true, ..State::default() })?;
    for _ in 0..2 {
        let page = desk.get("/a.html").await?;
        let unchanged = format!("event: notice\ndata: {CODE_CHANGED}\n\n");
        assert_eq!(desk.get(listens_at(&page)?).await?, unchanged);
        desk.state.send_modify(|state| state.rebuilt += 1);
        assert_eq!(desk.get(listens_at(&page)?).await?, RELOAD);
    }
    Ok(())
}

#[tokio::test]
async fn a_page_learns_of_a_rebuild_that_ended_while_it_was_read() -> Result<()> {
    let desk = Desk::open(State { code_changed: true, ..State::default() })?;
    let rebuild = async { desk.state.send_modify(|state| state.rebuilt += 1) };
    let (page, ()) = tokio::join!(biased; desk.get("/a.html"), rebuild);
    assert_eq!(desk.get(listens_at(&page?)?).await?, RELOAD);
    Ok(())
}

/// 起動し直したサーバーは、前のサーバーより少なく数えている。
#[tokio::test]
async fn a_page_of_an_earlier_server_is_reloaded() -> Result<()> {
    let desk = Desk::open(State { code_changed: true, ..State::default() })?;
    let heard = desk.get("/__workbook/events?built=7").await?;
    assert_eq!(heard, RELOAD);
    Ok(())
}

/// 数えられる範囲に収まらない回数。
const BIG: &str = "?built=99999999999999999999";

#[tokio::test]
async fn an_unreadable_count_is_not_a_reason_to_reload() -> Result<()> {
    let desk = Desk::open(State { rebuilt: 3, code_changed: true, ..State::default() })?;
    for query in ["", "?", "?built", "?built=", "?built=x", "?built=-1", "?built=4%", "?no=4", BIG]
    {
        let heard = desk.get(&format!("/__workbook/events{query}")).await?;
        assert!(heard.starts_with("event: notice\n"), "{query}: {heard}");
    }
    Ok(())
}

/// 読むだけの見張りの知らせで組み直すと、自分の読み込みに応じて、いつまでも組み直すことになる。
#[test]
fn nothing_is_rebuilt_without_a_change() -> Result<()> {
    let book = Fixture::whole()?;
    let mut server = Server::start(&book)?;
    book.write("book/demo.md", "# 変えた\n")?;
    let mut line = String::new();
    server.stdout.read_line(&mut line)?;
    assert!(line.starts_with("組み直した("), "{line}");
    std::thread::sleep(Duration::from_secs(2));
    server.child.kill()?;
    let mut rest = String::new();
    server.stdout.read_to_string(&mut rest)?;
    assert_eq!(rest, "");
    Ok(())
}

#[test]
fn a_taken_port_is_reported() -> Result<()> {
    let book = Fixture::whole()?;
    let taken = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let port = taken.local_addr()?.port();
    let output = Command::new(BINARY)
        .args(["serve", "--port", &port.to_string()])
        .current_dir(book.root())
        .output()?;
    assert_eq!(output.status.code(), Some(1));
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    let expected =
        format!("誤り: ポート {port} はほかのプログラムが使っている。--port で別の番号を");
    assert!(told.starts_with(&expected), "{told}");
    Ok(())
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_quietly() -> Result<()> {
    let book = Fixture::whole()?;
    let server = Server::start(&book)?;
    // 開いたままのページがあっても終わる。
    let _events = server.events()?;
    assert_eq!(server.interrupt()?.code(), Some(0));
    Ok(())
}
