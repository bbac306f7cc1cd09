use std::sync::Arc;

use super::{History, Outcome, Reason, Rules, TurnNumber, hash_index::HashIndex};

/// Maximum number of ko records that are compared one by one. With more, each action is looked up by its hash.
const MAX_COMPARED: usize = 64;

/// The part of a game's history that legality and the end of the game depend on (RULES 0.6, 2.11, 4.4).
///
/// Turns and records are found by their hash and then compared in full, so that a hash collision cannot decide a game.
/// The cost of a turn does not grow with the length of the game. A copy shares the history of its match.
#[derive(Clone, Debug)]
pub struct GameHistory<R: Rules> {
    turn_keys: Hashed<R::PositionKey>,
    ko_records: Hashed<(R::KoRecord, TurnNumber)>,
}

impl<R: Rules> GameHistory<R> {
    /// The history of a game that starts from a position, which is the first occurrence of its key (RULES 0.9).
    #[must_use]
    pub fn from_start(start: &R) -> Self {
        let mut history = Self { turn_keys: Hashed::default(), ko_records: Hashed::default() };
        if let Some(key) = start.turn_key() {
            history.turn_keys.settle(start.hash(), key);
        }
        history
    }

    /// Bytes of heap memory. Memory shared between copies counts for each of them.
    #[must_use]
    pub fn n_bytes(&self) -> usize {
        self.turn_keys.n_bytes() + self.ko_records.n_bytes()
    }

    /// The keys of the turns that have begun, in order, from an index on.
    pub fn turn_keys_from(&self, first: usize) -> impl Iterator<Item = &R::PositionKey> + Clone {
        self.turn_keys.items_from(first)
    }

    /// The indices of the earlier turns with the key of the turn that begins at `position`, the last one first.
    #[inline]
    pub fn same_turns(&self, position: &R) -> impl Iterator<Item = usize> {
        let hash = position.hash();
        let key = if self.turn_keys.has_hash(hash) { position.turn_key() } else { None };
        key.into_iter().flat_map(move |key| self.turn_keys.find(hash, move |earlier| *earlier == key))
    }

    /// The draw by repetition or turn limit at the beginning of a turn at `position`, if there is one (RULES 0.6, 0.7).
    #[must_use]
    #[inline]
    pub fn draw(&self, position: &R) -> Option<Outcome> {
        if self.same_turns(position).nth(1).is_some() {
            return Some(Outcome::drawn(Reason::Repetition));
        }
        (position.turn() > TurnNumber::LAST).then_some(Outcome::drawn(Reason::TurnLimit))
    }

    /// The turn in which the side to move played the same action with the same result, so that ko forbids it here
    /// (RULES 4.4). The action must be legal apart from ko.
    #[must_use]
    pub fn ko_turn(&self, position: &R, action: R::Action) -> Option<TurnNumber> {
        if self.ko_records.is_empty() {
            return None;
        }
        let mut after = *position;
        after.play(action);
        let record = position.ko_record(action, &after)?;
        let index = self.ko_records.find(R::ko_hash(&record), |(earlier, _)| *earlier == record).next()?;
        Some(self.ko_records.get(index).1)
    }

    /// The actions that only ko forbids here, each once, with the turn in which the side played the same (RULES 4.4).
    #[must_use]
    pub fn ko_forbidden(&self, position: &R) -> Vec<(R::Action, TurnNumber)> {
        let mut forbidden = Vec::new();
        if self.ko_records.len() <= MAX_COMPARED {
            let records = self.ko_records.items_from(0);
            forbidden.extend(records.filter_map(|(record, turn)| Some((position.repeats(record)?, *turn))));
        } else {
            position.for_each_action(|action| {
                forbidden.extend(self.ko_turn(position, action).map(|turn| (action, turn)));
            });
        }
        forbidden
    }

    /// The number of those actions.
    #[must_use]
    #[inline]
    pub fn n_ko_forbidden(&self, position: &R) -> u64 {
        if self.ko_records.is_empty() { 0 } else { self.ko_forbidden(position).len() as u64 }
    }

    /// The number of ko records, which bounds the number of actions that ko forbids in a position.
    #[must_use]
    #[inline]
    pub fn n_ko_records(&self) -> usize {
        self.ko_records.len()
    }

    /// The same history, in which lookups are as fast as they can be, for a search.
    #[must_use]
    pub(crate) fn indexed(mut self) -> Self {
        self.turn_keys.index_all();
        self.ko_records.index_all();
        self
    }

    /// Adds a turn that was played in the match.
    pub(crate) fn settle(&mut self, ko_record: Option<(R::KoRecord, TurnNumber)>, next: &R) {
        if let Some(record) = ko_record {
            self.ko_records.settle(R::ko_hash(&record.0), record);
        }
        if let Some(key) = next.turn_key() {
            self.turn_keys.settle(next.hash(), key);
        }
    }

    #[inline]
    pub(crate) fn push_ko_record(&mut self, record: R::KoRecord, turn: TurnNumber) {
        self.ko_records.push(R::ko_hash(&record), (record, turn));
    }

    #[inline]
    pub(crate) fn pop_ko_record(&mut self) {
        self.ko_records.pop();
    }

    #[inline]
    pub(crate) fn push_turn_key(&mut self, hash: u64, key: R::PositionKey) {
        self.turn_keys.push(hash, key);
    }

    #[inline]
    pub(crate) fn pop_turn_key(&mut self) {
        self.turn_keys.pop();
    }
}

/// Maximum number of settled items that are compared one by one. The index of those before them is copied when they
/// have become as many, if a copy of the match shares it.
const MAX_RECENT: usize = 16;

/// Items in order, with lookup by hash: first the settled ones, which copies share, then those of a line of play.
#[derive(Clone, Debug)]
struct Hashed<T> {
    settled: History<T>,
    /// The index of the settled items but the last ones.
    settled_index: Arc<HashIndex>,
    /// The hashes of the last settled items, fewer than [`MAX_RECENT`].
    recent: Vec<u64>,
    tried: Vec<T>,
    tried_index: HashIndex,
}

impl<T> Default for Hashed<T> {
    fn default() -> Self {
        Self {
            settled: History::default(),
            settled_index: Arc::default(),
            recent: Vec::new(),
            tried: Vec::new(),
            tried_index: HashIndex::default(),
        }
    }
}

impl<T: Clone> Hashed<T> {
    #[inline]
    fn len(&self) -> usize {
        self.settled.len() + self.tried.len()
    }

    #[inline]
    const fn is_empty(&self) -> bool {
        self.settled.is_empty() && self.tried.is_empty()
    }

    fn n_bytes(&self) -> usize {
        self.settled.n_bytes()
            + self.settled_index.n_bytes()
            + self.recent.capacity() * size_of::<u64>()
            + self.tried.capacity() * size_of::<T>()
            + self.tried_index.n_bytes()
    }

    fn get(&self, index: usize) -> &T {
        match index.checked_sub(self.settled.len()) {
            None => &self.settled[index],
            Some(index) => &self.tried[index],
        }
    }

    fn items_from(&self, first: usize) -> impl Iterator<Item = &T> + Clone {
        (first..self.len()).map(|index| self.get(index))
    }

    /// The indices of the items with a hash that `is_same` accepts, the newest first.
    #[inline]
    fn find<'h>(&'h self, hash: u64, is_same: impl Fn(&T) -> bool + 'h) -> impl Iterator<Item = usize> {
        let n_settled = self.settled.len();
        let n_indexed = n_settled - self.recent.len();
        let tried = self.tried_index.find(hash).map(move |index| n_settled + index);
        let recent = self.recent.iter().enumerate().rev().filter(move |(_, recent)| **recent == hash);
        let settled = recent.map(move |(index, _)| n_indexed + index).chain(self.settled_index.find(hash));
        tried.chain(settled).filter(move |index| is_same(self.get(*index)))
    }

    #[inline]
    fn has_hash(&self, hash: u64) -> bool {
        self.recent.contains(&hash)
            || self.tried_index.find(hash).chain(self.settled_index.find(hash)).next().is_some()
    }

    fn settle(&mut self, hash: u64, item: T) {
        debug_assert!(self.tried.is_empty(), "a line is not settled");
        self.settled.push(item);
        self.recent.push(hash);
        if self.recent.len() == MAX_RECENT {
            self.index_all();
        }
    }

    /// Adds the last settled items to the index, which makes lookups faster.
    fn index_all(&mut self) {
        if !self.recent.is_empty() {
            let index = Arc::make_mut(&mut self.settled_index);
            self.recent.drain(..).for_each(|hash| index.push(hash));
        }
    }

    #[inline]
    fn push(&mut self, hash: u64, item: T) {
        self.tried.push(item);
        self.tried_index.push(hash);
    }

    #[inline]
    fn pop(&mut self) {
        self.tried.pop();
        self.tried_index.pop();
    }
}

#[cfg(test)]
mod tests {
    use proptest::{collection::vec, prelude::*};

    use super::*;

    proptest! {
        #[test]
        fn items_are_found_newest_first_however_many_of_them_are_indexed(
            settled in vec(0..6u64, 0..5 * MAX_RECENT),
            tried in vec(0..6u64, 0..5),
            is_indexed: bool,
        ) {
            let mut hashed = Hashed::default();
            for (number, hash) in settled.iter().enumerate() {
                hashed.settle(*hash, number);
            }
            if is_indexed {
                hashed.index_all();
            }
            for (number, hash) in tried.iter().enumerate() {
                hashed.push(*hash, settled.len() + number);
            }
            let all: Vec<u64> = settled.into_iter().chain(tried).collect();
            for hash in 0..6 {
                let expected: Vec<usize> = (0..all.len()).rev().filter(|at| all[*at] == hash).collect();
                prop_assert_eq!(hashed.has_hash(hash), !expected.is_empty());
                let found: Vec<usize> = hashed.find(hash, |number| all[*number] == hash).collect();
                prop_assert_eq!(found, expected);
            }
        }
    }
}
