//! スクリプトを Lua 5.1 の処理系で動かすための、Redis の代わり。
//!
//! 確かめられるのは、スクリプトの比較と返り値である。`redis.call` は、ハッシュの読み書きだけをまねる。
//! 割り込まれないこと、複製、再起動は、まねていない。

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use mlua::{Error, Lua, Value, Variadic};

type Hashes = Rc<RefCell<BTreeMap<(String, String), String>>>;

/// 文字列のハッシュだけを持つ Redis。
pub struct Redis {
    lua: Lua,
    hashes: Hashes,
}

impl Redis {
    /// 空の Redis。
    pub fn new() -> mlua::Result<Redis> {
        let (lua, hashes) = (Lua::new(), Hashes::default());
        let shared = hashes.clone();
        let call = lua.create_function(move |lua, arguments: Variadic<String>| {
            let mut hashes = shared.borrow_mut();
            let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
            match words.as_slice() {
                // ない項目は nil ではなく false になる。Redis の RESP2 から Lua への変換に合わせる。
                ["HGET", key, field] => match hashes.get(&(key.to_string(), field.to_string())) {
                    Some(found) => Ok(Value::String(lua.create_string(found)?)),
                    None => Ok(Value::Boolean(false)),
                },
                ["HSET", key, pairs @ ..] if pairs.len() % 2 == 0 => {
                    let mut added = 0.0;
                    for pair in pairs.chunks(2) {
                        let place = (key.to_string(), pair[0].to_owned());
                        let is_new = hashes.insert(place, pair[1].to_owned()).is_none();
                        added += if is_new { 1.0 } else { 0.0 };
                    }
                    Ok(Value::Number(added))
                }
                other => Err(Error::runtime(format!("まねていない命令: {other:?}"))),
            }
        })?;
        let redis = lua.create_table()?;
        redis.set("call", call)?;
        lua.globals().set("redis", redis)?;
        Ok(Redis { lua, hashes })
    }

    /// `EVAL script 1 key token value` に当たる。
    pub fn eval(&self, script: &str, key: &str, token: &str, value: &str) -> mlua::Result<i64> {
        self.lua.globals().set("KEYS", vec![key])?;
        self.lua.globals().set("ARGV", vec![token, value])?;
        self.lua.load(script).eval()
    }

    /// ハッシュの項目。
    pub fn field(&self, key: &str, field: &str) -> Option<String> {
        self.hashes.borrow().get(&(key.to_owned(), field.to_owned())).cloned()
    }
}
