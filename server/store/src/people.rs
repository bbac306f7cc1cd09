//! Planning of the writes about players and their blocks, the counterpart of [`plan`](super::plan) for games.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use game::{
    Player,
    ids::{PlayerId, PlayerName},
};
use uuid::Uuid;

use super::{Append, CannotBlock, Condition, MAX_BLOCKS, MailChange, Refused, TokenHash, Write};

/// A block: the blocker and the blocked player.
pub(super) type Pair = (PlayerId, PlayerId);

/// State of the players that the writes concern. It must not change until the writes are done.
#[derive(Debug, Default)]
pub(super) struct People {
    known: HashSet<PlayerId>,
    /// Number of blocks of each player.
    n_blocks: HashMap<PlayerId, u32>,
    /// The existing blocks among those that the writes concern.
    blocks: HashSet<Pair>,
    /// Number of open rooms of each player whose rooms have a limit.
    n_rooms: HashMap<PlayerId, u32>,
}

impl People {
    /// Takes the ids of the existing players, the number of blocks of each blocker, the existing blocks, and the number
    /// of open rooms of each maker.
    pub(super) fn of(
        known: Vec<Uuid>,
        counts: Vec<(Uuid, i64)>,
        blocks: Vec<(Uuid, Uuid)>,
        rooms: Vec<(Uuid, i64)>,
    ) -> Self {
        let count =
            |(player, count): (Uuid, i64)| (PlayerId::new(player), u32::try_from(count).unwrap_or(u32::MAX));
        let pair = |(player, blocked)| (PlayerId::new(player), PlayerId::new(blocked));
        Self {
            known: known.into_iter().map(PlayerId::new).collect(),
            n_blocks: counts.into_iter().map(count).collect(),
            blocks: blocks.into_iter().map(pair).collect(),
            n_rooms: rooms.into_iter().map(count).collect(),
        }
    }

    /// Verifies that a player exists.
    pub(super) fn must_know(&self, player: PlayerId) -> Result<(), Refused> {
        if self.known.contains(&player) { Ok(()) } else { Err(Refused::UnknownPlayer) }
    }

    /// Decides the condition of an append, and counts the room that it makes.
    pub(super) fn check(&mut self, append: &Append) -> Result<(), Refused> {
        match append.condition {
            Some(Condition::OpenRoomsBelow(limit)) => {
                let n_rooms = self.n_rooms.entry(append.row().creator).or_default();
                if *n_rooms >= limit {
                    return Err(Refused::TooManyRooms);
                }
                *n_rooms += 1;
            }
            Some(Condition::NotBlocked(one, other))
                if [(one, other), (other, one)].iter().any(|pair| self.blocks.contains(pair)) =>
            {
                return Err(Refused::Blocked);
            }
            Some(Condition::NotBlocked(..)) | None => {}
        }
        Ok(())
    }
}

/// A player to be created.
#[derive(Clone, Copy, Debug)]
pub(super) struct NewPlayer<'w> {
    pub(super) player: &'w Player,
    pub(super) token: &'w TokenHash,
    pub(super) now_ms: i64,
}

/// Changes to write about players.
#[derive(Debug, Default)]
pub(super) struct PeoplePlan<'w> {
    pub(super) new: Vec<NewPlayer<'w>>,
    pub(super) names: BTreeMap<PlayerId, &'w PlayerName>,
    /// Time at which each player was last seen, in milliseconds since 1970.
    pub(super) seen: BTreeMap<PlayerId, i64>,
    /// Blocks to be removed, before any is added.
    pub(super) unblocks: BTreeSet<Pair>,
    /// Blocks to be added, with the time at which they were made, in milliseconds since 1970.
    pub(super) blocks: BTreeMap<Pair, i64>,
}

impl PeoplePlan<'_> {
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

/// The players and blocks whose state the writes depend on.
#[derive(Debug, Default)]
pub(super) struct Asked {
    /// The players whose rows the writes depend on, in order.
    pub(super) players: BTreeSet<Uuid>,
    /// Of these, those whose blocks are counted.
    pub(super) blockers: BTreeSet<Uuid>,
    pub(super) pairs: BTreeSet<(Uuid, Uuid)>,
    /// The players whose open rooms are counted.
    pub(super) makers: BTreeSet<Uuid>,
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
                // The blocker's row is locked here too, so that the count of blocks does not change.
                Write::Unblock { player, blocked } => {
                    asked.players.insert(player.uuid());
                    asked.blockers.insert(player.uuid());
                    asked.pairs.insert((player.uuid(), blocked.uuid()));
                }
                Write::Session(change) => {
                    asked.players.insert(change.player().uuid());
                }
                Write::Account(change) => {
                    asked.players.insert(change.player().uuid());
                    asked.players.extend(change.ended().into_iter().map(|(player, _)| player.uuid()));
                }
                // So that the account keeps its address, and its links, until the mail is noted.
                Write::Mail(change) => {
                    if let MailChange::Tried { player, .. } = &**change {
                        asked.players.insert(player.uuid());
                    }
                }
                // So that neither the account nor its address is gone before the attempt is noted.
                Write::Outbox(change) => {
                    asked.players.insert(change.key().player.uuid());
                }
                Write::Vacation(change) => {
                    asked.players.insert(change.player.uuid());
                }
                // So that its subscriptions stay bounded.
                Write::Push(change) => {
                    asked.players.extend(change.subscriber().map(PlayerId::uuid));
                }
                Write::Moderation(change) => {
                    asked.players.extend(change.players().into_iter().map(PlayerId::uuid));
                }
                Write::Seen { players, .. } => {
                    asked.players.extend(players.iter().map(|player| player.uuid()));
                }
                Write::Append(append) => asked.add_condition(append),
                Write::Draft(_)
                | Write::TakeDraft { .. }
                | Write::Line(_)
                | Write::Review(_)
                | Write::SetConditional(_)
                | Write::DropConditional(_)
                | Write::NewPlayer { .. }
                | Write::Ceremony(_)
                | Write::ServerKey { .. }
                | Write::Clear(_)
                | Write::Beat { .. }
                | Write::TakeSweep { .. } => {}
            }
        }
        asked
    }

    /// Adds what the condition of an append is about. The rows of these players are locked, so that neither their rooms nor
    /// their blocks change.
    fn add_condition(&mut self, append: &Append) {
        match append.condition {
            Some(Condition::OpenRoomsBelow(_)) => {
                let maker = append.row().creator.uuid();
                self.players.insert(maker);
                self.makers.insert(maker);
            }
            Some(Condition::NotBlocked(one, other)) => {
                let (one, other) = (one.uuid(), other.uuid());
                self.players.extend([one, other]);
                self.pairs.extend([(one, other), (other, one)]);
            }
            None => {}
        }
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
    fn blocks_in_one_transaction_see_the_earlier_ones() {
        let full = i64::from(MAX_BLOCKS) - 1;
        let mut people =
            People::of(vec![id(1), id(2), id(3), id(4)], vec![(id(1), full)], vec![(id(1), id(4))], vec![]);
        let mut plan = PeoplePlan::default();
        assert_eq!(plan.block(pair(1, 2), 5, &mut people), Ok(()));
        assert_eq!(plan.block(pair(1, 3), 5, &mut people), Err(CannotBlock::TooMany));
        assert_eq!(plan.block(pair(1, 2), 6, &mut people), Ok(()), "a repeated block does not count");
        plan.unblock(pair(1, 4), &mut people);
        plan.unblock(pair(1, 4), &mut people);
        assert_eq!(plan.block(pair(1, 3), 7, &mut people), Ok(()));
        assert_eq!(plan.block(pair(1, 4), 8, &mut people), Err(CannotBlock::TooMany), "unblocked once");
        plan.unblock(pair(1, 2), &mut people);
        assert_eq!(plan.block(pair(1, 4), 9, &mut people), Ok(()));
        assert_eq!(plan.blocks, BTreeMap::from([(pair(1, 3), 7), (pair(1, 4), 9)]));
        assert_eq!(plan.unblocks, BTreeSet::from([pair(1, 2), pair(1, 4)]), "the stored block goes first");
    }
}
