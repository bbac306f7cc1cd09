//! What some writes do to players and their blocks, decided in memory as [`plan`](super::plan) decides about games.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use uuid::Uuid;

use super::{CannotBlock, MAX_BLOCKS, Refused, TokenHash, Write};
use crate::{
    game::Player,
    ids::{PlayerId, PlayerName},
};

/// A block: who has blocked whom.
pub(super) type Pair = (PlayerId, PlayerId);

/// How the players stand whom some writes are about. It must hold still until the writes are done.
#[derive(Debug, Default)]
pub(super) struct People {
    known: HashSet<PlayerId>,
    /// How many each has blocked.
    n_blocks: HashMap<PlayerId, u32>,
    /// Which of the blocks that the writes are about there are.
    blocks: HashSet<Pair>,
}

impl People {
    /// Of the ids that there are, of players with how many they have blocked, and of the blocks that there are.
    pub(super) fn of(known: Vec<Uuid>, counts: Vec<(Uuid, i64)>, blocks: Vec<(Uuid, Uuid)>) -> Self {
        let count =
            |(player, count): (Uuid, i64)| (PlayerId::new(player), u32::try_from(count).unwrap_or(u32::MAX));
        let pair = |(player, blocked)| (PlayerId::new(player), PlayerId::new(blocked));
        Self {
            known: known.into_iter().map(PlayerId::new).collect(),
            n_blocks: counts.into_iter().map(count).collect(),
            blocks: blocks.into_iter().map(pair).collect(),
        }
    }
}

/// A player to be made.
#[derive(Clone, Copy, Debug)]
pub(super) struct NewPlayer<'w> {
    pub(super) player: &'w Player,
    pub(super) token: &'w TokenHash,
    pub(super) now_ms: i64,
}

/// What to write about players.
#[derive(Debug, Default)]
pub(super) struct PeoplePlan<'w> {
    pub(super) new: Vec<NewPlayer<'w>>,
    pub(super) names: BTreeMap<PlayerId, &'w PlayerName>,
    /// When players were last here, in milliseconds since 1970.
    pub(super) seen: BTreeMap<PlayerId, i64>,
    /// Blocks to be taken back, before any is made.
    pub(super) unblocks: BTreeSet<Pair>,
    /// Blocks to be made, with the milliseconds since 1970 since when they hold.
    pub(super) blocks: BTreeMap<Pair, i64>,
}

impl<'w> PeoplePlan<'w> {
    pub(super) fn rename(
        &mut self,
        player: PlayerId,
        name: &'w PlayerName,
        people: &People,
    ) -> Result<(), Refused> {
        if !people.known.contains(&player) {
            return Err(Refused::UnknownPlayer);
        }
        self.names.insert(player, name);
        Ok(())
    }

    pub(super) fn see(&mut self, players: impl IntoIterator<Item = PlayerId>, now_ms: i64) {
        for player in players {
            let seen_ms = self.seen.entry(player).or_insert(now_ms);
            *seen_ms = now_ms.max(*seen_ms);
        }
    }

    pub(super) fn block(&mut self, pair: Pair, now_ms: i64, people: &mut People) -> Result<(), CannotBlock> {
        let (player, blocked) = pair;
        if player == blocked {
            return Err(CannotBlock::Oneself);
        }
        if ![player, blocked].iter().all(|player| people.known.contains(player)) {
            return Err(CannotBlock::UnknownPlayer);
        }
        if people.blocks.contains(&pair) {
            return Ok(());
        }
        let n_blocks = people.n_blocks.entry(player).or_default();
        if *n_blocks >= MAX_BLOCKS {
            return Err(CannotBlock::TooMany);
        }
        *n_blocks += 1;
        people.blocks.insert(pair);
        self.blocks.insert(pair, now_ms);
        Ok(())
    }

    pub(super) fn unblock(&mut self, pair: Pair, people: &mut People) {
        if people.blocks.remove(&pair) {
            let n_blocks = people.n_blocks.entry(pair.0).or_default();
            *n_blocks = n_blocks.saturating_sub(1);
            self.blocks.remove(&pair);
            self.unblocks.insert(pair);
        }
    }
}

/// What has to be known of the players whom some writes are about.
#[derive(Debug, Default)]
pub(super) struct Asked {
    /// Whose rows the writes rely on, each once, in order.
    pub(super) players: BTreeSet<Uuid>,
    /// Of these, those whose blocks are counted.
    pub(super) blockers: BTreeSet<Uuid>,
    pub(super) pairs: BTreeSet<(Uuid, Uuid)>,
}

impl Asked {
    pub(super) fn of(writes: &[Write]) -> Self {
        let mut asked = Self::default();
        for write in writes {
            match write {
                Write::Rename { player, .. } => {
                    asked.players.insert(player.uuid());
                }
                Write::Block { player, blocked, .. } => {
                    asked.players.extend([player.uuid(), blocked.uuid()]);
                    asked.blockers.insert(player.uuid());
                    asked.pairs.insert((player.uuid(), blocked.uuid()));
                }
                // Its blocker's row is locked as well, so that what is counted holds still.
                Write::Unblock { player, blocked } => {
                    asked.players.insert(player.uuid());
                    asked.blockers.insert(player.uuid());
                    asked.pairs.insert((player.uuid(), blocked.uuid()));
                }
                Write::Session(change) => {
                    asked.players.insert(change.player().uuid());
                }
                Write::Seen { players, .. } => {
                    asked.players.extend(players.iter().map(|player| player.uuid()));
                }
                Write::Append(_)
                | Write::Draft(_)
                | Write::TakeDraft(_)
                | Write::Line(_)
                | Write::NewPlayer { .. }
                | Write::Clear(_)
                | Write::Beat { .. }
                | Write::TakeSweep { .. } => {}
            }
        }
        asked
    }

    pub(super) fn is_nothing(&self) -> bool {
        self.players.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(number: u128) -> Uuid {
        Uuid::from_u128(number)
    }

    fn pair(player: u128, blocked: u128) -> Pair {
        (PlayerId::new(id(player)), PlayerId::new(id(blocked)))
    }

    #[test]
    fn blocks_of_one_transaction_look_at_those_before_as_done() {
        let full = i64::from(MAX_BLOCKS) - 1;
        let mut people =
            People::of(vec![id(1), id(2), id(3), id(4)], vec![(id(1), full)], vec![(id(1), id(4))]);
        let mut plan = PeoplePlan::default();
        assert_eq!(plan.block(pair(1, 2), 5, &mut people), Ok(()));
        assert_eq!(plan.block(pair(1, 3), 5, &mut people), Err(CannotBlock::TooMany));
        assert_eq!(plan.block(pair(1, 2), 6, &mut people), Ok(()), "again is not one more");
        plan.unblock(pair(1, 4), &mut people);
        plan.unblock(pair(1, 4), &mut people);
        assert_eq!(plan.block(pair(1, 3), 7, &mut people), Ok(()));
        assert_eq!(plan.block(pair(1, 4), 8, &mut people), Err(CannotBlock::TooMany), "taken back once");
        plan.unblock(pair(1, 2), &mut people);
        assert_eq!(plan.block(pair(1, 4), 9, &mut people), Ok(()));
        assert_eq!(plan.blocks, BTreeMap::from([(pair(1, 3), 7), (pair(1, 4), 9)]));
        assert_eq!(plan.unblocks, BTreeSet::from([pair(1, 2), pair(1, 4)]), "the one of before goes first");
    }
}
