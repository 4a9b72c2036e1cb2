//! 読者のコードのパニックを受け止める。

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// `call` を呼ぶ。パニックしたら、その理由を返す。
///
/// パニックした状態は捨てるので、途中まで変わっていても、あとには残らない。
pub(crate) fn caught<O>(call: impl FnOnce() -> O) -> Result<O, String> {
    catch_unwind(AssertUnwindSafe(call)).map_err(|payload| reason(payload.as_ref()))
}

fn reason(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
    text.unwrap_or_else(|| "理由は分からない".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_its_reason() {
        assert_eq!(caught(|| 1), Ok(1));
        let panics: fn() -> u8 = || panic!("{} が空", "列");
        assert_eq!(caught(panics), Err("列 が空".to_owned()));
        assert_eq!(
            caught(|| std::panic::panic_any(1)).map(|()| 0),
            Err("理由は分からない".to_owned())
        );
    }
}
