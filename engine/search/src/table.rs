/// A hash table of fixed size, in which new values evict old ones.
///
/// A value is found by its full hash; positions with equal hashes are not distinguished.
#[derive(Debug)]
pub(crate) struct TranspositionTable<T> {
    /// Their number is a power of two.
    slots: Vec<Slot<T>>,
    /// Values of other generations count as removed.
    generation: u32,
}

#[derive(Clone, Copy, Debug)]
struct Slot<T> {
    hash: u64,
    generation: u32,
    value: T,
}

impl<T: Copy + Default> TranspositionTable<T> {
    /// Creates a table of at most `n_bytes` bytes, but of at least one slot.
    pub(crate) fn new(n_bytes: usize) -> Self {
        let n_slots = (n_bytes / size_of::<Slot<T>>()).max(1);
        let n_slots = if n_slots.is_power_of_two() { n_slots } else { n_slots.next_power_of_two() / 2 };
        Self { slots: vec![Slot { hash: 0, generation: 0, value: T::default() }; n_slots], generation: 1 }
    }

    /// Removes all values, in constant time except once every 2³² calls.
    pub(crate) fn clear(&mut self) {
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            self.slots.iter_mut().for_each(|slot| slot.generation = 0);
            self.generation = 1;
        }
    }

    #[inline]
    fn index(&self, hash: u64) -> usize {
        hash as usize & (self.slots.len() - 1)
    }

    #[inline]
    pub(crate) fn get(&self, hash: u64) -> Option<T> {
        let slot = &self.slots[self.index(hash)];
        (slot.hash == hash && slot.generation == self.generation).then_some(slot.value)
    }

    /// Stores a value. Evicts the value of another hash unless `keeps` returns true for it.
    #[inline]
    pub(crate) fn put(&mut self, hash: u64, value: T, keeps: impl FnOnce(&T) -> bool) {
        let index = self.index(hash);
        let slot = &mut self.slots[index];
        if slot.generation == self.generation && slot.hash != hash && keeps(&slot.value) {
            return;
        }
        *slot = Slot { hash, generation: self.generation, value };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found_until_they_are_evicted() {
        let mut table = TranspositionTable::new(16 * size_of::<Slot<u32>>());
        assert_eq!(table.slots.len(), 16);
        table.put(1, 10, |_| false);
        table.put(17, 20, |_| true);
        assert_eq!((table.get(1), table.get(17)), (Some(10), None));
        table.put(17, 20, |_| false);
        assert_eq!((table.get(1), table.get(17)), (None, Some(20)));
        table.clear();
        assert_eq!(table.get(17), None);
    }
}
