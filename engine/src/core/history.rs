use std::{
    array,
    fmt::{self, Debug, Formatter},
    ops::Index,
    sync::{Arc, OnceLock},
};

/// Number of items in a block. Larger blocks waste more memory on empty slots; with smaller ones the list of blocks is
/// copied more often.
const BLOCK: usize = 16;

/// The events of a game, in order. A copy shares its items with the original, so it is cheap however many there are.
pub struct History<T> {
    /// All blocks but the last are full. Copies of this history may have filled slots of the last one after its items.
    blocks: Arc<Vec<Arc<Block<T>>>>,
    len: usize,
}

/// Slots that are filled in order, each once. The first copy to append, on any thread, fills the shared slot; another copy
/// copies the block.
type Block<T> = [OnceLock<T>; BLOCK];

impl<T> History<T> {
    /// The number of items.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no items.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Bytes of heap memory, without that of the items.
    #[must_use]
    pub fn n_bytes(&self) -> usize {
        // A block has two reference counts before its items.
        self.blocks.len() * (size_of::<Block<T>>() + 2 * size_of::<usize>())
            + self.blocks.capacity() * size_of::<Arc<Block<T>>>()
    }

    /// The last item.
    #[must_use]
    pub fn last(&self) -> Option<&T> {
        self.len.checked_sub(1).map(|index| &self[index])
    }

    /// The items in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &T> + Clone {
        (0..self.len).map(|index| &self[index])
    }
}

impl<T: Clone> History<T> {
    /// Appends an item.
    pub fn push(&mut self, item: T) {
        let (block, slot) = (self.len / BLOCK, self.len % BLOCK);
        if block == self.blocks.len() {
            Arc::make_mut(&mut self.blocks).push(Arc::new([const { OnceLock::new() }; BLOCK]));
        }
        let shared = &self.blocks[block];
        if let Err(item) = shared[slot].set(item) {
            let mut own: Block<T> =
                array::from_fn(|index| if index < slot { shared[index].clone() } else { OnceLock::new() });
            own[slot] = OnceLock::from(item);
            Arc::make_mut(&mut self.blocks)[block] = Arc::new(own);
        }
        self.len += 1;
    }

    /// Removes all but the first `len` items.
    pub fn truncate(&mut self, len: usize) {
        if len < self.len {
            self.len = len;
            let n_blocks = len.div_ceil(BLOCK);
            if n_blocks < self.blocks.len() {
                Arc::make_mut(&mut self.blocks).truncate(n_blocks);
            }
        }
    }
}

impl<T> Clone for History<T> {
    fn clone(&self) -> Self {
        Self { blocks: self.blocks.clone(), len: self.len }
    }
}

impl<T: PartialEq> PartialEq for History<T> {
    fn eq(&self, other: &Self) -> bool {
        self.len == other.len && self.iter().eq(other.iter())
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
        Self { blocks: Arc::default(), len: 0 }
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
        assert!(index < self.len, "index {index} is out of bounds of {} items", self.len);
        self.blocks[index / BLOCK][index % BLOCK].get().expect("the slots of items are filled")
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

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
    fn copies_are_extended_on_several_threads_at_once() {
        for len in [0, 1, BLOCK - 1, BLOCK, BLOCK + 1] {
            let history: History<usize> = (0..len).collect();
            thread::scope(|scope| {
                for number in 1..5 {
                    let mut copy = history.clone();
                    scope.spawn(move || {
                        (0..2 * BLOCK).for_each(|item| copy.push(number * item));
                        let own = (0..2 * BLOCK).map(|item| number * item);
                        assert!(copy.iter().copied().eq((0..len).chain(own)));
                    });
                }
            });
            assert!(history.iter().copied().eq(0..len));
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
