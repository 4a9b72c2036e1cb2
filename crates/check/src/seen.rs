//! 見た状態の集まり。見つけた順に並べ、番号で指す。

use std::hash::BuildHasher as _;
use std::mem;

use rustc_hash::FxBuildHasher;

use crate::grown::grown;
use crate::layout::{Key, Layout};

/// まとめて照らし合わせる数。
const BATCH: usize = 64;
/// 近ごろ来た状態を覚えておく数。キャッシュに収める。
const RECENT: usize = 1 << 12;
/// 空いている場所。
const EMPTY: u32 = u32::MAX;
/// 見分けられる状態の数。番号の最後の一つは、空きの印に使う。
pub(crate) const CAPACITY: usize = EMPTY as usize;

fn hash(key: Key) -> usize {
    FxBuildHasher.hash_one(key) as usize
}

/// 見た状態。
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    /// 見つけた順の状態
    keys: Vec<Key>,
    /// その状態に初めて来たときの、一つ前の状態
    parents: Vec<u32>,
    /// ハッシュで引く、状態の番号。いつも半分より多く空いている
    slots: Vec<u32>,
    /// まだ照らし合わせていない状態と、一つ前の状態
    waiting: Vec<(Key, u32)>,
    /// 近ごろ来た状態。ハッシュで引き、同じ場所の前の状態は忘れる
    recent: Vec<Key>,
}

impl Seen {
    pub(crate) fn new(first: Key) -> Seen {
        let mut seen = Seen {
            keys: Vec::new(),
            parents: Vec::new(),
            slots: vec![EMPTY; 4 * BATCH],
            waiting: vec![(first, 0)],
            recent: vec![first; RECENT],
        };
        seen.settle();
        seen
    }

    pub(crate) fn len(&self) -> usize {
        self.keys.len()
    }

    /// 照らし合わせていない状態も、すべて新しいと見たときの数。
    pub(crate) fn most(&self) -> usize {
        self.keys.len() + self.waiting.len()
    }

    pub(crate) fn key(&self, at: usize) -> Key {
        self.keys[at]
    }

    pub(crate) fn parent(&self, at: usize) -> usize {
        self.parents[at] as usize
    }

    /// `key` の番号。見ていなければ `None`。
    pub(crate) fn find(&self, key: Key) -> Option<usize> {
        let mut slot = self.home(key);
        while self.slots[slot] != EMPTY {
            let at = self.slots[slot] as usize;
            if self.keys[at] == key {
                return Some(at);
            }
            slot = self.after(slot);
        }
        None
    }

    // ANCHOR: add
    /// `parent` の次の状態を加える。数がたまるまでは、照らし合わせない。
    ///
    /// 手の順序を入れ替えただけの状態は、近い親から続けて来る。近ごろ来た状態なら、表を引かずに済む。
    pub(crate) fn add(&mut self, key: Key, parent: usize) {
        let recent = &mut self.recent[hash(key) % RECENT];
        if key == self.keys[parent] || mem::replace(recent, key) == key {
            return;
        }
        self.waiting.push((key, parent as u32));
        if self.waiting.len() == BATCH {
            self.settle();
        }
    }
    // ANCHOR_END: add

    // ANCHOR: settle
    /// たまった状態を、見たものと照らし合わせる。
    ///
    /// 表の大きさはキャッシュをはるかに超え、一つ引くたびにメモリーを待つ。三つの段に分けると、段の中では
    /// 前の結果を待たずに次を引けて、待ち時間が重なる。
    pub(crate) fn settle(&mut self) {
        self.make_room();
        let mut slots = [EMPTY; BATCH];
        for (slot, (key, _)) in slots.iter_mut().zip(&self.waiting) {
            *slot = self.slots[self.home(*key)];
        }
        let mut known = [false; BATCH];
        for ((known, slot), (key, _)) in known.iter_mut().zip(slots).zip(&self.waiting) {
            *known = self.keys.get(slot as usize) == Some(key);
        }
        for (known, at) in known.into_iter().zip(0..self.waiting.len()) {
            let (key, parent) = self.waiting[at];
            if !known {
                self.insert(key, parent);
            }
        }
        self.waiting.clear();
    }
    // ANCHOR_END: settle

    fn insert(&mut self, key: Key, parent: u32) {
        let mut slot = self.home(key);
        while self.slots[slot] != EMPTY {
            if self.keys[self.slots[slot] as usize] == key {
                return;
            }
            slot = self.after(slot);
        }
        self.slots[slot] = self.keys.len() as u32;
        self.keys.push(key);
        self.parents.push(parent);
    }

    /// 終わりに加えた一つを忘れる。数の限りを、一つ超えたときに使う。
    pub(crate) fn forget_last(&mut self) {
        self.keys.pop();
        self.parents.pop();
        self.place(self.slots.len());
    }

    /// 半分を超えて埋まりそうなら、場所を倍にする。
    fn make_room(&mut self) {
        if 2 * (self.keys.len() + BATCH) <= self.slots.len() {
            return;
        }
        self.place(2 * self.slots.len());
    }

    /// 場所を `slots` 個にして、置き直す。
    fn place(&mut self, slots: usize) {
        // 古い表を先に手放し、二つの表が並ばないようにする。
        self.slots = Vec::new();
        self.slots = vec![EMPTY; slots];
        for at in 0..self.keys.len() {
            let mut slot = self.home(self.keys[at]);
            while self.slots[slot] != EMPTY {
                slot = self.after(slot);
            }
            self.slots[slot] = at as u32;
        }
    }

    /// 状態を、別の並べかたに詰め直す。
    pub(crate) fn repack(&mut self, from: &Layout, to: &Layout) {
        self.settle();
        for key in &mut self.keys {
            // 新しい並べかたには、今あるどの番号も収まる。
            *key = from.repack(*key, to).unwrap_or(*key);
        }
        self.place(self.slots.len());
        self.recent.fill(self.keys[0]);
    }

    /// 初めに見る場所。場所の数は、いつも 2 のべき乗である。
    fn home(&self, key: Key) -> usize {
        hash(key) & (self.slots.len() - 1)
    }

    fn after(&self, slot: usize) -> usize {
        (slot + 1) & (self.slots.len() - 1)
    }

    /// あと `more` 個を加えるまでに使いうるメモリー。単位はバイト。
    pub(crate) fn bytes_with(&self, more: usize) -> usize {
        let len = self.most() + more;
        let slots = self.slots.len();
        let slots = if 2 * (len + BATCH) <= slots { slots } else { (4 * len).max(2 * slots) };
        grown(len, self.keys.capacity()) * size_of::<Key>()
            + grown(len, self.parents.capacity()) * size_of::<u32>()
            + slots * size_of::<u32>()
            + RECENT * size_of::<Key>()
            + BATCH * size_of::<(Key, u32)>()
    }
}
