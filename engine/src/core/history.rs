use std::{
    fmt::{self, Debug, Formatter},
    ops::Index,
    sync::{Arc, OnceLock},
};

/// Number of items in a block. Larger blocks take more memory; with smaller ones the list of blocks is copied more
/// often.
const BLOCK: usize = 16;

/// The events of a game, in order. A copy shares its items with the original, so it is cheap however many there are.
pub struct History<T> {
    /// The items in full blocks.
    early: Arc<Vec<Arc<Block<T>>>>,
    /// The block with the last items; `None` if and only if there are no items at all.
    late: Option<Arc<Block<T>>>,
    /// Number of items in `late`. Later slots may be filled by copies of this history that have gone on.
    n_late: usize,
}

/// Slots that are filled once, in order, so that a copy can be extended without copying the items that it shares.
type Block<T> = [OnceLock<T>; BLOCK];

impl<T> History<T> {
    /// The number of items.
    #[must_use]
    pub fn len(&self) -> usize {
        self.early.len() * BLOCK + self.n_late
    }

    /// Whether there are no items.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.late.is_none()
    }

    /// Bytes of heap memory, without that of the items.
    #[must_use]
    pub fn n_bytes(&self) -> usize {
        // A block has two reference counts before its items, and a pointer to it.
        let block = size_of::<Block<T>>() + 2 * size_of::<usize>() + size_of::<Arc<Block<T>>>();
        (self.early.len() + usize::from(self.late.is_some())) * block
    }

    /// The last item.
    #[must_use]
    pub fn last(&self) -> Option<&T> {
        self.late().last()
    }

    /// The items in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &T> + Clone {
        self.early.iter().flat_map(|block| items(&block[..])).chain(self.late())
    }

    /// The items behind the full blocks.
    fn late(&self) -> impl DoubleEndedIterator<Item = &T> + Clone {
        self.late.iter().flat_map(|block| items(&block[..self.n_late]))
    }
}

/// The items of filled slots.
fn items<T>(slots: &[OnceLock<T>]) -> impl DoubleEndedIterator<Item = &T> + Clone {
    slots.iter().filter_map(OnceLock::get)
}

impl<T: Clone> History<T> {
    /// Appends an item.
    pub fn push(&mut self, item: T) {
        if self.n_late == BLOCK {
            Arc::make_mut(&mut self.early).extend(self.late.take());
            self.n_late = 0;
        }
        let late = self.late.get_or_insert_with(empty);
        if let Err(item) = late[self.n_late].set(item) {
            // A copy that shares the block has gone on.
            let shared = std::mem::replace(late, empty());
            for (slot, item) in late.iter().zip(items(&shared[..self.n_late]).cloned().chain([item])) {
                slot.get_or_init(|| item);
            }
        }
        self.n_late += 1;
    }

    /// Removes all but the first `len` items.
    pub fn truncate(&mut self, len: usize) {
        let n_blocks = len.saturating_sub(1) / BLOCK;
        if n_blocks < self.early.len() {
            self.late = Some(self.early[n_blocks].clone());
            Arc::make_mut(&mut self.early).truncate(n_blocks);
            self.n_late = BLOCK;
        }
        self.n_late = self.n_late.min(len - self.early.len() * BLOCK);
        if self.n_late == 0 {
            self.late = None;
        }
    }
}

/// A block without items.
fn empty<T>() -> Arc<Block<T>> {
    Arc::new([const { OnceLock::new() }; BLOCK])
}

impl<T> Clone for History<T> {
    fn clone(&self) -> Self {
        Self { early: self.early.clone(), late: self.late.clone(), n_late: self.n_late }
    }
}

impl<T: PartialEq> PartialEq for History<T> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().eq(other.iter())
    }
}

impl<T: Eq> Eq for History<T> {}

impl<T: Debug> Debug for History<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<T> Default for History<T> {
    fn default() -> Self {
        Self { early: Arc::default(), late: None, n_late: 0 }
    }
}

impl<T: Clone> FromIterator<T> for History<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut history = Self::default();
        items.into_iter().for_each(|item| history.push(item));
        history
    }
}

impl<T> Index<usize> for History<T> {
    type Output = T;

    fn index(&self, index: usize) -> &T {
        assert!(index < self.len(), "index {index} is out of bounds of {} items", self.len());
        let block = self.early.get(index / BLOCK).or(self.late.as_ref());
        block.and_then(|block| block[index % BLOCK].get()).expect("the slots of items are filled")
    }
}

#[cfg(test)]
mod tests {
    use proptest::{collection::vec, prelude::*};

    use super::*;

    #[derive(Clone, Debug)]
    enum Change {
        Push(u8),
        Truncate(usize),
    }

    fn changes() -> impl Strategy<Value = Vec<Change>> {
        let change = prop_oneof![
            40 => any::<u8>().prop_map(Change::Push),
            1 => (0..5 * BLOCK).prop_map(Change::Truncate),
        ];
        vec(change, 0..6 * BLOCK)
    }

    fn make(changes: &[Change], history: &mut History<u8>, model: &mut Vec<u8>) {
        for change in changes {
            match *change {
                Change::Push(item) => {
                    history.push(item);
                    model.push(item);
                }
                Change::Truncate(len) => {
                    history.truncate(len);
                    model.truncate(len);
                }
            }
        }
    }

    fn is_as(history: &History<u8>, model: &[u8]) {
        assert!(history.iter().eq(model));
        assert!(history.iter().rev().eq(model.iter().rev()));
        assert_eq!((history.len(), history.is_empty()), (model.len(), model.is_empty()));
        assert_eq!(history.last(), model.last());
        for (index, item) in model.iter().enumerate() {
            assert_eq!(&history[index], item);
        }
        assert_eq!(history, &model.iter().copied().collect());
    }

    proptest! {
        #[test]
        fn a_copy_and_its_original_change_independently(
            before in changes(),
            own in changes(),
            others in changes(),
        ) {
            let (mut history, mut model) = (History::default(), Vec::new());
            make(&before, &mut history, &mut model);
            is_as(&history, &model);
            let (mut copy, mut copied) = (history.clone(), model.clone());
            make(&own, &mut history, &mut model);
            is_as(&copy, &copied);
            make(&others, &mut copy, &mut copied);
            is_as(&history, &model);
            is_as(&copy, &copied);
        }
    }

    #[test]
    #[should_panic(expected = "out of bounds")]
    fn an_index_after_the_last_item_panics() {
        let history: History<usize> = (0..=BLOCK).collect();
        assert_eq!(history[BLOCK], BLOCK);
        let _ = history[BLOCK + 1];
    }
}
