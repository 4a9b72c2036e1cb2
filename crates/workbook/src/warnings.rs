//! mdBook の警告を集める。
//!
//! mdBook は、壊れた `{{#include}}` や閉じていない HTML を警告するだけで、成功して終わる。

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use tracing::field::{Field, Visit};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt as _};

#[derive(Clone, Default)]
struct Collected(Arc<Mutex<Vec<String>>>);

impl<S: Subscriber> Layer<S> for Collected {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        if *event.metadata().level() > Level::WARN {
            return;
        }
        let mut message = Message(String::new());
        event.record(&mut message);
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(message.0);
    }
}

struct Message(String);

impl Visit for Message {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        if field.name() == "message" {
            self.0 = format!("{value:?}").trim().to_owned();
        }
    }
}

/// `work` の間に出た警告と誤りを、結果とともに返す。
pub fn during<T>(work: impl FnOnce() -> T) -> (T, Vec<String>) {
    let collected = Collected::default();
    let subscriber = tracing_subscriber::registry().with(collected.clone());
    let result = tracing::subscriber::with_default(subscriber, work);
    let messages = std::mem::take(&mut *collected.0.lock().unwrap_or_else(PoisonError::into_inner));
    (result, messages)
}

#[cfg(test)]
mod tests {
    use super::during;

    #[test]
    fn only_warnings_and_errors_are_collected() {
        let ((), messages) = during(|| {
            tracing::info!("知らせ");
            tracing::warn!("警告 {}", 1);
            tracing::error!("誤り");
        });
        assert_eq!(messages, ["警告 1", "誤り"]);
    }
}
