//! オブジェクトストレージの条件つきの書き込みに、読んだときの版を添える。
//!
//! 保存先は、トークンの大小を比べない。大小は客が比べ、比べている間にほかの書き込みがなかったことを、
//! 保存先が確かめる。

use std::num::ParseIntError;
use std::str::Utf8Error;

use object_store::Error::{AlreadyExists, NotFound, Precondition};
use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreExt as _, PutMode, UpdateVersion};

/// 読んだときの中身と、その版。
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// 最後に書いた客のトークン。まだなければ 0
    pub token: u64,
    /// 値。まだなければ `None`
    pub value: Option<String>,
    /// 版。まだなければ `None`
    version: Option<UpdateVersion>,
}

/// 一度の書き込みの結果。
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// 書けた
    Written,
    /// トークンが小さいので、書き込みを送らなかった
    Refused,
    /// 読んだあとにほかの書き込みがあり、保存先が断った
    Changed,
}

/// 書き込みが、判定の前に失敗した理由。
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// 保存先の失敗
    #[error(transparent)]
    Store(#[from] object_store::Error),
    /// 中身が UTF-8 でない
    #[error("中身が文字として読めない")]
    Text(#[from] Utf8Error),
    /// 一行目がトークンでない
    #[error("中身の一行目がトークンではない")]
    Token(#[from] ParseIntError),
}

/// 一行目がトークンで、残りが値のオブジェクト。
#[derive(Debug)]
pub struct Object<'a> {
    /// 置いてある保存先
    pub store: &'a dyn ObjectStore,
    /// 保存先の中の名前
    pub path: Path,
}

impl Object<'_> {
    /// 中身と版を読む。
    ///
    /// # Errors
    /// 保存先の失敗と、読めない中身。
    pub async fn read(&self) -> Result<Seen, Error> {
        let found = match self.store.get(&self.path).await {
            Err(NotFound { .. }) => return Ok(Seen::default()),
            found => found?,
        };
        let version =
            UpdateVersion { e_tag: found.meta.e_tag.clone(), version: found.meta.version.clone() };
        let body = found.bytes().await?;
        let (token, value) = std::str::from_utf8(&body)?.split_once('\n').unwrap_or_default();
        Ok(Seen { token: token.parse()?, value: Some(value.to_owned()), version: Some(version) })
    }

    // ANCHOR: put
    /// 読んだ中身のトークンと比べ、読んだときの版のままなら書く。
    pub async fn put(&self, seen: &Seen, token: u64, value: &str) -> Result<Outcome, Error> {
        if token < seen.token {
            return Ok(Outcome::Refused);
        }
        let mode = seen.version.clone().map_or(PutMode::Create, PutMode::Update);
        let body = format!("{token}\n{value}").into();
        match self.store.put_opts(&self.path, body, mode.into()).await {
            Ok(_) => Ok(Outcome::Written),
            Err(Precondition { .. } | AlreadyExists { .. }) => Ok(Outcome::Changed),
            Err(error) => Err(error.into()),
        }
    }
    // ANCHOR_END: put

    /// 読んで、比べて、書く。
    ///
    /// # Errors
    /// 保存先の失敗と、読めない中身。
    pub async fn write(&self, token: u64, value: &str) -> Result<Outcome, Error> {
        self.write_from(self.read().await?, token, value).await
    }

    /// 前に読んだ中身から始める。版が変わっていたら、読み直して、もう一度比べる。
    ///
    /// 読み直すのは、ほかの書き込みが済んだときだけである。[`Outcome::Changed`] は返さない。
    ///
    /// # Errors
    /// 保存先の失敗と、読めない中身。
    pub async fn write_from(
        &self,
        mut seen: Seen,
        token: u64,
        value: &str,
    ) -> Result<Outcome, Error> {
        loop {
            match self.put(&seen, token, value).await? {
                Outcome::Changed => seen = self.read().await?,
                outcome => return Ok(outcome),
            }
        }
    }
}
