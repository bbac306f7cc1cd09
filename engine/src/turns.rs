use std::{iter::Chain, ops::Index, slice, sync::Arc};

use crate::TurnRecord;

/// Turns that a copy of a game counts one by one. More of them make a copy slower, fewer make it more often that all are
/// counted.
const BLOCK: usize = 16;

/// The turns of a game in their order. A copy shares them with what it was made of and costs little, however long the
/// game is.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Turns {
    /// A multiple of [`BLOCK`].
    early: Arc<Vec<Arc<TurnRecord>>>,
    /// At most a [`BLOCK`], and never none behind others.
    late: Vec<Arc<TurnRecord>>,
}

impl Turns {
    /// How many they are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.early.len() + self.late.len()
    }

    /// Whether none was played.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.late.is_empty()
    }

    /// The one played last.
    #[must_use]
    pub fn last(&self) -> Option<&TurnRecord> {
        self.late.last().map(|turn| &**turn)
    }

    /// One after the other, from the first on.
    pub fn iter(&self) -> Chain<slice::Iter<'_, Arc<TurnRecord>>, slice::Iter<'_, Arc<TurnRecord>>> {
        self.early.iter().chain(&self.late)
    }

    pub(crate) fn push(&mut self, turn: TurnRecord) {
        if self.late.len() == BLOCK {
            Arc::make_mut(&mut self.early).append(&mut self.late);
        }
        self.late.push(Arc::new(turn));
    }

    pub(crate) fn last_mut(&mut self) -> Option<&mut TurnRecord> {
        self.late.last_mut().map(Arc::make_mut)
    }
}

impl Index<usize> for Turns {
    type Output = TurnRecord;

    fn index(&self, index: usize) -> &TurnRecord {
        match index.checked_sub(self.early.len()) {
            Some(index) => &self.late[index],
            None => &self.early[index],
        }
    }
}

impl<'t> IntoIterator for &'t Turns {
    type Item = &'t Arc<TurnRecord>;
    type IntoIter = Chain<slice::Iter<'t, Arc<TurnRecord>>, slice::Iter<'t, Arc<TurnRecord>>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Side, TurnNumber};

    fn turn(count: usize) -> TurnRecord {
        let side = if count.is_multiple_of(2) { Side::First } else { Side::Second };
        TurnRecord {
            turn: TurnNumber::FIRST,
            side,
            card: Some(crate::Card::ALL[count % 5]),
            steps: Vec::new(),
        }
    }

    #[test]
    fn a_copy_goes_its_own_way_and_both_keep_what_they_had() {
        for shared in 0..3 * BLOCK {
            let mut turns = Turns::default();
            (0..shared).for_each(|count| turns.push(turn(count)));
            let mut copy = turns.clone();
            assert_eq!(copy, turns);
            (shared..5 * BLOCK).for_each(|count| turns.push(turn(count)));
            copy.push(turn(shared + 1));
            assert_eq!((copy.len(), turns.len()), (shared + 1, 5 * BLOCK));
            assert_eq!(copy.last(), Some(&turn(shared + 1)));
            for (count, played) in turns.iter().enumerate() {
                assert_eq!((&**played, &turns[count]), (&turn(count), &turn(count)));
            }
            assert!(copy.iter().take(shared).eq(turns.iter().take(shared)));
        }
    }
}
