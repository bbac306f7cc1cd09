/// Index of the items of a list by their hashes. The list itself is kept elsewhere.
///
/// Items are added and removed only at the end. Adding, removing and finding an item take constant time.
#[derive(Clone, Default, Debug)]
pub(crate) struct HashIndex {
    /// For each bucket of hashes, the number of its newest item, counted from 1; 0 if it has none. The length is a
    /// power of two or 0.
    buckets: Vec<u32>,
    links: Vec<Link>,
}

/// An item.
#[derive(Clone, Copy, Debug)]
struct Link {
    /// The lower half of the hash.
    hash: u32,
    /// The number of the next older item of its bucket, counted from 1; 0 if there is none.
    older: u32,
}

impl HashIndex {
    const MIN_BUCKETS: usize = 16;

    /// Bytes of heap memory.
    pub(crate) fn n_bytes(&self) -> usize {
        self.buckets.capacity() * size_of::<u32>() + self.links.capacity() * size_of::<Link>()
    }

    #[inline]
    fn bucket(&self, hash: u32) -> usize {
        hash as usize & self.buckets.len().wrapping_sub(1)
    }

    #[inline]
    pub(crate) fn push(&mut self, hash: u64) {
        if self.links.len() == self.buckets.len() {
            self.grow();
        }
        self.link(hash as u32);
    }

    #[inline]
    fn link(&mut self, hash: u32) {
        let bucket = self.bucket(hash);
        self.links.push(Link { hash, older: self.buckets[bucket] });
        self.buckets[bucket] = self.links.len() as u32;
    }

    fn grow(&mut self) {
        let n_buckets = (2 * self.buckets.len()).max(Self::MIN_BUCKETS);
        self.buckets = vec![0; n_buckets];
        let links = std::mem::replace(&mut self.links, Vec::with_capacity(n_buckets));
        links.into_iter().for_each(|link| self.link(link.hash));
    }

    /// Removes the last item, if there is one.
    #[inline]
    pub(crate) fn pop(&mut self) {
        if let Some(Link { hash, older }) = self.links.pop() {
            let bucket = self.bucket(hash);
            self.buckets[bucket] = older;
        }
    }

    /// The indices of the items whose hashes have the same lower half, the newest first. The caller compares the items
    /// themselves.
    #[inline]
    pub(crate) fn find(&self, hash: u64) -> impl Iterator<Item = usize> {
        let hash = hash as u32;
        let mut next = self.buckets.get(self.bucket(hash)).copied().unwrap_or(0);
        std::iter::from_fn(move || {
            while next > 0 {
                let index = next as usize - 1;
                let link = &self.links[index];
                next = link.older;
                if link.hash == hash {
                    return Some(index);
                }
            }
            None
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::{collection::vec, prelude::*};

    use super::*;

    proptest! {
        #[test]
        fn items_are_found_exactly_where_they_are(changes in vec(prop::option::weighted(0.7, 0..40u64), 0..300)) {
            let (mut index, mut model) = (HashIndex::default(), Vec::new());
            for change in changes {
                // Hashes of few buckets, and different hashes in one bucket.
                match change.map(|n| n % 10 + (n / 10) * 4096) {
                    Some(hash) => {
                        index.push(hash);
                        model.push(hash);
                    }
                    None => {
                        index.pop();
                        model.pop();
                    }
                }
                for hash in (0..40).map(|n| n % 10 + (n / 10) * 4096) {
                    let expected: Vec<usize> = (0..model.len()).rev().filter(|at| model[*at] == hash).collect();
                    prop_assert_eq!(index.find(hash).collect::<Vec<_>>(), expected);
                }
            }
        }
    }
}
