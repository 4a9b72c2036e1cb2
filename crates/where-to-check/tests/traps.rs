//! 部品ごとに、間違えやすい所。

use anyhow::{Context as _, Result};
use object_store::memory::InMemory;
use object_store::path::Path;
use rusqlite::Connection;
use where_to_check::object::{Object, Outcome};
use where_to_check::{FENCED_SET, sql};

mod redis;

use redis::Redis;

const ROW: i64 = 42;

fn table(db: &Connection) -> Result<()> {
    db.execute_batch(sql::CREATE)?;
    db.execute("INSERT INTO items (id) VALUES (?1)", [ROW])?;
    Ok(())
}

#[test]
fn a_missing_row_looks_like_a_refusal() -> Result<()> {
    let db = Connection::open_in_memory()?;
    db.execute_batch(sql::CREATE)?;
    assert_eq!(sql::write(&db, ROW, 1, "A1")?, 0);
    assert_eq!(sql::read(&db, ROW)?, None);
    Ok(())
}

#[test]
fn deleting_the_row_forgets_the_largest_token() -> Result<()> {
    let db = Connection::open_in_memory()?;
    table(&db)?;
    sql::write(&db, ROW, 2, "B1")?;
    db.execute("DELETE FROM items", [])?;
    db.execute("INSERT INTO items (id) VALUES (?1)", [ROW])?;
    assert_eq!(sql::write(&db, ROW, 1, "A1")?, 1);
    Ok(())
}

#[test]
fn leaving_the_token_out_of_the_update_remembers_nothing() -> Result<()> {
    let db = Connection::open_in_memory()?;
    table(&db)?;
    let update = "UPDATE items SET value = ?1 WHERE id = ?3 AND token <= ?2";
    for (token, value) in [(2, "B1"), (1, "A1")] {
        assert_eq!(db.execute(update, (value, token, ROW))?, 1);
    }
    assert_eq!(sql::read(&db, ROW)?, Some((Some("A1".to_owned()), 0)));
    Ok(())
}

#[test]
fn the_largest_token_outlives_the_connection() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("items.db");
    let db = Connection::open(&file)?;
    table(&db)?;
    sql::write(&db, ROW, 2, "B1")?;
    drop(db);
    assert_eq!(sql::write(&Connection::open(&file)?, ROW, 1, "A1")?, 0);
    Ok(())
}

#[test]
fn comparing_as_strings_accepts_nine_after_ten() -> Result<()> {
    let as_strings = FENCED_SET.replace("tonumber", "tostring");
    for (script, verdict) in [(FENCED_SET, 0), (as_strings.as_str(), 1)] {
        let redis = Redis::new()?;
        assert_eq!(redis.eval(FENCED_SET, "row", "10", "B1")?, 1);
        assert_eq!(redis.eval(script, "row", "9", "A1")?, verdict);
    }
    Ok(())
}

#[test]
fn lua_cannot_tell_neighbours_above_two_to_the_53rd_apart() -> Result<()> {
    let limit = 1_u64 << 53;
    for (newer, verdict) in [(limit, 0), (limit + 1, 1)] {
        let redis = Redis::new()?;
        redis.eval(FENCED_SET, "row", &newer.to_string(), "B1")?;
        let older = (newer - 1).to_string();
        assert_eq!(
            redis.eval(FENCED_SET, "row", &older, "A1")?,
            verdict,
            "{newer} のあとの {older}"
        );
    }
    Ok(())
}

#[test]
fn the_token_is_kept_digit_by_digit() -> Result<()> {
    let (redis, token) = (Redis::new()?, (1_u64 << 53).to_string());
    redis.eval(FENCED_SET, "row", &token, "B1")?;
    assert_eq!(redis.field("row", "token").context("トークンがない")?, token);
    Ok(())
}

#[tokio::test]
async fn a_write_on_an_old_version_is_not_stored() -> Result<()> {
    let store = InMemory::new();
    let row = Object { store: &store, path: Path::from("row") };
    let empty = row.read().await?;
    assert_eq!(row.put(&empty, 2, "B1").await?, Outcome::Written);
    assert_eq!(row.put(&empty, 3, "C1").await?, Outcome::Changed);
    let seen = row.read().await?;
    assert_eq!((seen.token, seen.value.as_deref()), (2, Some("B1")));
    assert_eq!(row.write_from(empty.clone(), 1, "A1").await?, Outcome::Refused);
    assert_eq!(row.write_from(empty, 3, "C1").await?, Outcome::Written);
    assert_eq!(row.put(&seen, 3, "C2").await?, Outcome::Changed);
    Ok(())
}

#[tokio::test]
async fn an_unreadable_object_is_an_error_and_stays() -> Result<()> {
    use object_store::ObjectStoreExt as _;
    let store = InMemory::new();
    let row = Object { store: &store, path: Path::from("row") };
    for body in [&b"B1"[..], b"two\nB1", b"\xff\n"] {
        store.put(&row.path, body.into()).await?;
        assert!(row.write(3, "C1").await.is_err(), "{body:?}");
        assert_eq!(store.get(&row.path).await?.bytes().await?, body);
    }
    Ok(())
}
