//! 筋書きを演じられるもの。

use smallvec::SmallVec;

use crate::action::Action;
use crate::event::Event;
use crate::impossible::Impossible;
use crate::vocabulary::Observation;

/// 一手で起きたこと。起きた順。
///
/// たいていは一つなので、一つまではメモリーを借りない。何百万手を演じる章がある。
pub type Events = SmallVec<[Event; 1]>;

/// 筋書きを演じられるもの。状態は小さく、同じ手の列からはいつも同じ結果が出る。
pub trait System {
    /// 一手を演じて、起きたことを返す。時刻が進む手では、ロックの失効が先、客の期限があと。
    /// 何も起きなければ空。
    ///
    /// # Errors
    /// 起こりえない手には [`Impossible`] を返す。
    fn apply(&mut self, action: Action) -> Result<Events, Impossible>;

    /// 今、外から見えるもの。
    fn observe(&self) -> Observation;
}
