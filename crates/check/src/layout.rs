//! 部品の番号を、128 ビットに詰める並べかた。

use crate::part::Tag;

// ANCHOR: key
/// 詰めた状態。部品の番号を並べた 128 ビット。
///
/// 32 ビットの数の配列より速い。比べるのも、ハッシュを求めるのも、二語で済む。
pub(crate) type Key = u128;

/// 詰めた状態の中で、一つの番号が占める場所。単位はビット。
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    shift: u32,
    /// 番号の取りうるビット
    mask: u32,
}

/// 番号が場所に収まらない。
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Overflow;

impl Place {
    fn new(shift: u32, width: u32) -> Place {
        Place { shift, mask: u32::MAX.checked_shr(u32::BITS - width).unwrap_or_default() }
    }

    pub(crate) fn get(self, key: Key) -> u32 {
        (key >> self.shift) as u32 & self.mask
    }

    /// 番号 `before` を `after` に入れ替える。収まらない番号を黙って切り落とすと、別の状態が同じに見えてしまう。
    pub(crate) fn change(self, key: &mut Key, before: u32, after: u32) -> Result<(), Overflow> {
        if after & !self.mask != 0 {
            return Err(Overflow);
        }
        *key ^= Key::from(before ^ after) << self.shift;
        Ok(())
    }
}
// ANCHOR_END: key

/// 一つの番号に使うビットの、いちばん多い数。
const WIDEST: u32 = Tag::CAPACITY.ilog2();

/// すべての部品の場所。
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Layout {
    pub(crate) places: Vec<Place>,
}

impl Layout {
    /// 棚ごとの部品の数が `counts` のときの場所。余ったビットは、これから増える分として、等しく分ける。
    ///
    /// どの場所にも、次の一つの番号が収まる。収めきれなければ `None`。
    pub(crate) fn fitting(counts: &[usize]) -> Option<Layout> {
        let needed: Vec<u32> = counts.iter().map(|count| bits(*count)).collect();
        if needed.iter().any(|needed| *needed > WIDEST) {
            return None;
        }
        let mut spare = Key::BITS.checked_sub(needed.iter().sum())?;
        let mut places = Vec::new();
        let mut shift = 0;
        for (index, needed) in needed.iter().enumerate() {
            let share = spare.div_ceil((counts.len() - index) as u32);
            let width = (needed + share).min(WIDEST);
            spare -= width - needed;
            places.push(Place::new(shift, width));
            shift += width;
        }
        Some(Layout { places })
    }

    /// `key` を、別の並べかた `to` に詰め直す。`to` の場所が足りなければ `None`。
    pub(crate) fn repack(&self, key: Key, to: &Layout) -> Option<Key> {
        let mut packed = 0;
        for (from, to) in self.places.iter().zip(&to.places) {
            to.change(&mut packed, 0, from.get(key)).ok()?;
        }
        Some(packed)
    }
}

/// 番号 `number` を書くのに要るビットの数。
fn bits(number: usize) -> u32 {
    usize::BITS - number.leading_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bit_belongs_to_exactly_one_place() {
        for counts in [vec![0; 8], vec![1, 1000, 3], vec![70_000, 1, 1, 5, 200, 9], vec![7; 16]] {
            let layout = Layout::fitting(&counts).unwrap();
            let mut bits = vec![0; 128];
            for place in &layout.places {
                for bit in place.shift..place.shift + place.mask.count_ones() {
                    bits[bit as usize] += 1;
                }
            }
            assert!(bits.iter().all(|count| *count <= 1), "{counts:?}: {bits:?}");
            // 一つの番号は 24 ビットまでなので、部品が少なければ、使わないビットが残る。
            let used = bits.iter().filter(|count| **count == 1).count();
            assert_eq!(used, 128.min(24 * counts.len()), "{counts:?}");
        }
    }

    #[test]
    fn every_place_has_room_for_the_number_that_overflowed() {
        let counts = [70_000, 1, 256, 255, 0];
        let layout = Layout::fitting(&counts).unwrap();
        for (place, count) in layout.places.iter().zip(counts) {
            let mut key = 0;
            assert_eq!(place.change(&mut key, 0, count as u32), Ok(()));
            assert_eq!(place.get(key), count as u32);
        }
    }

    #[test]
    fn what_does_not_fit_in_128_bits_has_no_layout() {
        assert!(Layout::fitting(&[Tag::CAPACITY - 1; 5]).is_some());
        assert_eq!(Layout::fitting(&[Tag::CAPACITY - 1; 6]), None);
        assert_eq!(Layout::fitting(&[Tag::CAPACITY]), None);
        assert!(Layout::fitting(&[1; 128]).is_some());
        assert_eq!(Layout::fitting(&[1; 129]), None);
    }

    #[test]
    fn a_number_that_does_not_fit_is_refused_and_never_cut_off() {
        let layout = Layout::fitting(&[1 << 20; 6]).unwrap();
        let mut key = 0;
        for place in &layout.places {
            assert_eq!(place.change(&mut key, 0, 5), Ok(()));
        }
        let before = key;
        for place in &layout.places {
            assert_eq!(place.change(&mut key, 5, place.mask + 1), Err(Overflow));
            assert_eq!(key, before);
        }
        assert_eq!(Place::new(0, 0).change(&mut key, 0, 1), Err(Overflow));
    }

    #[test]
    fn repacking_keeps_every_number() {
        let from = Layout::fitting(&[10, 10, 10]).unwrap();
        let to = Layout::fitting(&[10, 1 << 23, 10]).unwrap();
        let mut key = 0;
        for (place, number) in from.places.iter().zip([3, 9, 7]) {
            place.change(&mut key, 0, number).unwrap();
        }
        let packed = from.repack(key, &to).unwrap();
        let numbers: Vec<u32> = to.places.iter().map(|place| place.get(packed)).collect();
        assert_eq!(numbers, [3, 9, 7]);
    }
}
