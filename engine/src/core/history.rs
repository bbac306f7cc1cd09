use std::{mem, ops::Index, sync::Arc};

/// Number of items in a block. Larger blocks make a copy slower; with smaller ones the list of blocks is copied more
/// often.
const BLOCK: usize = 16;

/// The events of a game, in order. A copy shares its items with the original, so it is cheap however many there are.
#[derive(PartialEq, Eq, Debug)]
pub struct History<T> {
    /// The items in full blocks of [`BLOCK`].
    early: Arc<Vec<Arc<[T]>>>,
    /// The last items, at most [`BLOCK`]. Empty only if there are no items at all.
    late: Vec<T>,
}

impl<T> History<T> {
    /// The number of items.
    #[must_use]
    pub fn len(&self) -> usize {
        self.early.len() * BLOCK + self.late.len()
    }

    /// Whether there are no items.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.late.is_empty()
    }

    /// Bytes of heap memory, without that of the items.
    #[must_use]
    pub fn n_bytes(&self) -> usize {
        // A shared block has two reference counts before its items, and a fat pointer to it.
        let shared = size_of::<[T; BLOCK]>() + 2 * size_of::<usize>() + size_of::<Arc<[T]>>();
        self.early.len() * shared + self.late.capacity() * size_of::<T>()
    }

    /// The last item.
    #[must_use]
    pub fn last(&self) -> Option<&T> {
        self.late.last()
    }

    /// The items in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &T> + Clone {
        self.early.iter().flat_map(|block| block.iter()).chain(&self.late)
    }

    /// Appends an item.
    pub fn push(&mut self, item: T) {
        if self.late.len() == BLOCK {
            Arc::make_mut(&mut self.early).push(mem::take(&mut self.late).into());
        }
        self.late.push(item);
    }
}

impl<T: Clone> History<T> {
    /// Removes all but the first `len` items.
    pub fn truncate(&mut self, len: usize) {
        let n_blocks = len.saturating_sub(1) / BLOCK;
        if n_blocks < self.early.len() {
            self.late = self.early[n_blocks].to_vec();
            Arc::make_mut(&mut self.early).truncate(n_blocks);
        }
        self.late.truncate(len - self.early.len() * BLOCK);
    }
}

impl<T: Clone> Clone for History<T> {
    /// The copy has room for one more item, since most copies are made to append one.
    fn clone(&self) -> Self {
        let mut late = Vec::with_capacity((self.late.len() + 1).next_multiple_of(4).min(BLOCK));
        late.extend_from_slice(&self.late);
        Self { early: self.early.clone(), late }
    }
}

impl<T> Default for History<T> {
    fn default() -> Self {
        Self { early: Arc::default(), late: Vec::new() }
    }
}

impl<T> FromIterator<T> for History<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut history = Self::default();
        items.into_iter().for_each(|item| history.push(item));
        history
    }
}

impl<T> Index<usize> for History<T> {
    type Output = T;

    fn index(&self, index: usize) -> &T {
        match self.early.get(index / BLOCK) {
            Some(block) => &block[index % BLOCK],
            None => &self.late[index - self.early.len() * BLOCK],
        }
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
