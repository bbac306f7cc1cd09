//! A bounded map of recently used entries.

use std::{collections::HashMap, hash::Hash};

/// A map that keeps at least the `capacity` most recently used keys, and at most twice as many.
#[derive(Debug)]
pub(crate) struct Recent<K, V> {
    capacity: usize,
    recent: HashMap<K, V>,
    /// Entries used before `recent` was last full.
    older: HashMap<K, V>,
}

impl<K: Eq + Hash, V> Recent<K, V> {
    /// Returns an empty map.
    pub(crate) fn new(capacity: usize) -> Self {
        Self { capacity, recent: HashMap::new(), older: HashMap::new() }
    }

    /// Returns the value of a key, which is created if there is none.
    pub(crate) fn get(&mut self, key: K, make: impl FnOnce() -> V) -> &mut V {
        let older = self.older.remove(&key);
        if !self.recent.contains_key(&key) && self.recent.len() == self.capacity {
            self.older = std::mem::take(&mut self.recent);
        }
        self.recent.entry(key).or_insert_with(|| older.unwrap_or_else(make))
    }

    /// Returns the value of a key that is kept, without using the key: looking for many keys displaces none.
    pub(crate) fn find(&self, key: &K) -> Option<&V> {
        self.recent.get(key).or_else(|| self.older.get(key))
    }

    /// The keys that are kept, in no particular order.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &K> {
        self.recent.keys().chain(self.older.keys())
    }

    /// Number of kept entries.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.recent.len() + self.older.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_used_keys_are_remembered_and_the_size_is_bounded() {
        let mut recent = Recent::new(10);
        *recent.get(0, || 0) = 7;
        for key in 1..1000 {
            recent.get(key, || key);
            if key % 9 == 0 {
                assert_eq!(*recent.get(0, || 0), 7, "a key that is used is kept");
            }
            assert!(recent.len() <= 20, "{}", recent.len());
        }
        assert_eq!(*recent.get(1, || -1), -1, "a key that was not used is dropped");
    }

    #[test]
    fn looking_for_any_number_of_keys_displaces_none() {
        let mut recent = Recent::new(10);
        for key in 0..15 {
            recent.get(key, || key);
        }
        assert_eq!((100..1_000).find(|key| recent.find(key).is_some()), None);
        for key in 0..15 {
            assert_eq!(recent.find(&key), Some(&key), "of either generation");
        }
        assert_eq!(recent.len(), 15);
    }
}
