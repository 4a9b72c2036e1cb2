//! 一台の中では、持ち主が落ちたことを実行環境が知っている。

use std::sync::Mutex;
use std::thread;

// ANCHOR: poisoned
#[test]
fn within_one_process_the_runtime_notices_a_dead_holder() {
    let stock = Mutex::new(100);
    thread::scope(|scope| {
        let holder = scope.spawn(|| {
            let _held = stock.lock();
            std::panic::resume_unwind(Box::new("持ったまま落ちる"));
        });
        assert!(holder.join().is_err());
    });
    // 待たされない。ロックは外れており、前の持ち主が落ちたことも分かる。
    let next = stock.lock();
    assert!(next.is_err_and(|poisoned| *poisoned.into_inner() == 100));
}
// ANCHOR_END: poisoned
