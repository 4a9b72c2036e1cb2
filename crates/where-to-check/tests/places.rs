//! どの部品に比べさせても、`FencedResource` と同じ判定と同じ値になる。

use std::fmt::Write as _;

use anyhow::{Context as _, Result};
use fencing::{FencedResource, Resource as _};
use object_store::memory::InMemory;
use object_store::path::Path;
use rusqlite::Connection;
use stage::{Client, Event, Refusal, Token, Value};
use where_to_check::object::{Object, Outcome};
use where_to_check::{FENCED_SET, sql};

mod redis;

use redis::Redis;

const ROW: i64 = 42;

/// 判定の並びと、最後の値と、覚えている最大。
type Ending = (Vec<bool>, Option<String>, u64);

/// トークンの並びの順に、一つずつ違う値を書く。
fn values(tokens: &[u64]) -> impl Iterator<Item = (u64, Value)> {
    tokens.iter().zip(1..).map(|(&token, nth)| (token, Value { by: Client::A, nth }))
}

fn by_fencing(tokens: &[u64]) -> Ending {
    let mut row = FencedResource::new();
    let verdicts = values(tokens)
        .map(|(token, value)| matches!(row.write(Token(token), value), Event::Accepted { .. }))
        .collect();
    (verdicts, row.value().map(|value| value.to_string()), row.max_token().0)
}

fn by_sql(tokens: &[u64]) -> Result<Ending> {
    let db = table(Connection::open_in_memory()?)?;
    let mut verdicts = Vec::new();
    for (token, value) in values(tokens) {
        verdicts.push(sql::write(&db, ROW, token.try_into()?, &value.to_string())? == 1);
    }
    let (value, token) = sql::read(&db, ROW)?.context("行がない")?;
    Ok((verdicts, value, token.try_into()?))
}

fn by_redis(tokens: &[u64]) -> Result<Ending> {
    let redis = Redis::new()?;
    let mut verdicts = Vec::new();
    for (token, value) in values(tokens) {
        verdicts.push(redis.eval(FENCED_SET, "row", &token.to_string(), &value.to_string())? == 1);
    }
    let token = redis.field("row", "token").context("トークンがない")?;
    Ok((verdicts, redis.field("row", "value"), token.parse()?))
}

async fn by_object(tokens: &[u64]) -> Result<Ending> {
    let store = InMemory::new();
    let row = Object { store: &store, path: Path::from("row") };
    let mut verdicts = Vec::new();
    for (token, value) in values(tokens) {
        let outcome = row.write(token, &value.to_string()).await?;
        verdicts.push(outcome == Outcome::Written);
    }
    let seen = row.read().await?;
    Ok((verdicts, seen.value, seen.token))
}

/// 守りたい行だけがある表。
fn table(db: Connection) -> Result<Connection> {
    db.execute_batch(sql::CREATE)?;
    db.execute("INSERT INTO items (id) VALUES (?1)", [ROW])?;
    Ok(db)
}

#[tokio::test]
async fn every_place_gives_the_verdicts_of_the_fenced_resource() -> Result<()> {
    let mut sequences: Vec<Vec<u64>> = vec![Vec::new()];
    let mut tried = 0;
    for _ in 1..=4 {
        sequences = sequences
            .iter()
            .flat_map(|before| (1..=3).map(|token| [before.as_slice(), &[token]].concat()))
            .collect();
        for tokens in &sequences {
            let expected = by_fencing(tokens);
            assert_eq!(by_sql(tokens)?, expected, "SQL: {tokens:?}");
            assert_eq!(by_redis(tokens)?, expected, "Redis: {tokens:?}");
            assert_eq!(by_object(tokens).await?, expected, "オブジェクト: {tokens:?}");
            tried += 1;
        }
    }
    assert_eq!(tried, 3 + 9 + 27 + 81);
    Ok(())
}

/// 比べる所と、三つの書き込みに返ったもの、残った値。
struct Row {
    place: &'static str,
    returned: [String; 3],
    left: String,
}

/// 同じ割り込みを、部品だけ替えて演じる。
///
/// A がトークン 1 で `A1` を書き、`A2` を書く途中で止まる。その間に、B がトークン 2 で `B1` を書く。A は、
/// 再開して続きをする。比べてから書くまでに間のある書き方では、A はその間で止まる。
#[tokio::test]
async fn the_same_interruption_in_every_place() -> Result<()> {
    let rows = [
        fenced(),
        in_one_statement()?,
        in_a_script()?,
        with_a_version().await?,
        by_the_client()?,
        before_an_api()?,
    ];
    let mut text =
        "| 比べる所 | `B1` の返事 | 遅れた `A2` の返事 | 値 |\n|---|---|---|---|\n".to_owned();
    for Row { place, returned: [first, second, late], left } in rows {
        assert_eq!(first, second, "{place}: `A1` も `B1` も、遅れていない");
        writeln!(text, "| {place} | {second} | {late} | `{left}` |")?;
    }
    insta::assert_snapshot!("interruption", text);
    Ok(())
}

fn fenced() -> Row {
    let mut row = FencedResource::new();
    let mut write = |token, by, nth| match row.write(Token(token), Value { by, nth }) {
        Event::Rejected { token, reason: Refusal::Older { max }, .. } => {
            format!("拒否 {token} < {max}")
        }
        _ => "受理".to_owned(),
    };
    let returned = [write(1, Client::A, 1), write(2, Client::B, 1), write(1, Client::A, 2)];
    let left = row.value().map(|value| value.to_string()).unwrap_or_default();
    Row { place: "この章の資源", returned, left }
}

fn in_one_statement() -> Result<Row> {
    let db = table(Connection::open_in_memory()?)?;
    let write = |token, value| Ok::<_, anyhow::Error>(rows(sql::write(&db, ROW, token, value)?));
    let returned = [write(1, "A1")?, write(2, "B1")?, write(1, "A2")?];
    Ok(Row { place: "SQL の `WHERE`", returned, left: left(&db)? })
}

fn in_a_script() -> Result<Row> {
    let redis = Redis::new()?;
    let write = |token: &str, value: &str| {
        Ok::<_, anyhow::Error>(format!("返り値 {}", redis.eval(FENCED_SET, "row", token, value)?))
    };
    let returned = [write("1", "A1")?, write("2", "B1")?, write("1", "A2")?];
    let left = redis.field("row", "value").context("値がない")?;
    Ok(Row { place: "Redis のスクリプト", returned, left })
}

async fn with_a_version() -> Result<Row> {
    let store = InMemory::new();
    let row = Object { store: &store, path: Path::from("row") };
    let told = |outcome| match outcome {
        Outcome::Written => "書けた",
        Outcome::Refused => "トークンが小さい",
        Outcome::Changed => "版が違う",
    };
    let first = row.write(1, "A1").await?;
    let seen_by_a = row.read().await?;
    let second = row.write(2, "B1").await?;
    let late = row.put(&seen_by_a, 1, "A2").await?;
    let again = row.write_from(seen_by_a, 1, "A2").await?;
    let late = format!("{}。読み直すと、{}", told(late), told(again));
    let left = row.read().await?.value.context("値がない")?;
    let returned = [told(first).to_owned(), told(second).to_owned(), late];
    Ok(Row { place: "オブジェクトの版", returned, left })
}

/// 誤り。`SELECT` で読み、客が比べ、条件のない `UPDATE` を送る。
fn by_the_client() -> Result<Row> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("items.db");
    let a = table(Connection::open(&file)?)?;
    let b = Connection::open(&file)?;
    let first = sql::write(&a, ROW, 1, "A1")?;
    let (_, seen_by_a) = sql::read(&a, ROW)?.context("行がない")?;
    assert!(1 >= seen_by_a, "A は、比べて、書いてよいと判断した");
    let (_, seen_by_b) = sql::read(&b, ROW)?.context("行がない")?;
    assert!(2 >= seen_by_b, "B も、比べて、書いてよいと判断した");
    let second = sql::write_after_comparing_elsewhere(&b, ROW, 2, "B1")?;
    let late = sql::write_after_comparing_elsewhere(&a, ROW, 1, "A2")?;
    let returned = [first, second, late].map(rows);
    Ok(Row { place: "客が、`SELECT` のあとで", returned, left: left(&b)? })
}

/// 比べる係が通してから、比べない外の API を呼ぶ。係の表の比較は正しい。
fn before_an_api() -> Result<Row> {
    let gate = table(Connection::open_in_memory()?)?;
    let passes = |token| Ok::<_, anyhow::Error>(sql::write(&gate, ROW, token, "")? == 1);
    let mut called = Vec::new();
    let mut call = |value| {
        called.push(value);
        "呼ばれた".to_owned()
    };
    assert!(passes(1)?, "A1 を通す");
    let first = call("A1");
    assert!(passes(1)?, "A2 も、まだ新しいので通す");
    assert!(passes(2)?, "B1 を通す");
    let second = call("B1");
    let late = call("A2");
    let left = called.last().copied().context("呼ばれていない")?.to_owned();
    Ok(Row { place: "係が、外の API の前で", returned: [first, second, late], left })
}

fn rows(changed: usize) -> String {
    format!("更新 {changed} 行")
}

fn left(db: &Connection) -> Result<String> {
    sql::read(db, ROW)?.and_then(|(value, _)| value).context("値がない")
}
