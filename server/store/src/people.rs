//! Planning of the writes about players and their blocks, the counterpart of [`plan`](super::plan) for games.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use game::{
    Player,
    ids::{PlayerId, PlayerName, SeekId},
};
use uuid::Uuid;

use super::{
    Append, CHALLENGES_A_DAY, CHALLENGES_A_DAY_TO_ONE, CannotBlock, Condition, MAX_BLOCKS, MAX_CHALLENGES,
    MAX_CHALLENGES_TO, MailChange, Refused, Seek, TokenHash, Write,
    challenge::{CHALLENGES_COUNT_MS, ChallengeCounts},
};

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
    /// Numbers of challenges of each player whose challenges have limits.
    challenges: Vec<ChallengeCounts>,
    /// Number of open challenges to each player whom one of the writes challenges.
    n_challenges_to: HashMap<PlayerId, u32>,
    /// The seeks that want the games of the writes.
    seeks: HashMap<SeekId, Seek>,
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
            ..Self::default()
        }
    }

    /// Adds the challenges by players and to players, and the seeks, that the writes concern.
    pub(super) fn with_opponents(
        self,
        challenges: Vec<ChallengeCounts>,
        challenges_to: impl IntoIterator<Item = (PlayerId, u32)>,
        seeks: Vec<Seek>,
    ) -> Self {
        let n_challenges_to = challenges_to.into_iter().collect();
        let seeks = seeks.into_iter().map(|seek| (seek.id, seek)).collect();
        Self { challenges, n_challenges_to, seeks, ..self }
    }

    /// Verifies that a player exists.
    pub(super) fn must_know(&self, player: PlayerId) -> Result<(), Refused> {
        if self.known.contains(&player) { Ok(()) } else { Err(Refused::UnknownPlayer) }
    }

    /// Decides the condition of an append, and counts the room or the game that it makes. Returns how many games the seeks
    /// that want it want afterwards.
    pub(super) fn check(&mut self, append: &Append) -> Result<Vec<(SeekId, u32)>, Refused> {
        match append.condition {
            Some(Condition::OpenRoomsBelow(limit)) => {
                let n_rooms = self.n_rooms.entry(append.row().creator).or_default();
                if *n_rooms >= limit {
                    return Err(Refused::TooManyRooms);
                }
                *n_rooms += 1;
            }
            Some(Condition::NotBlocked(one, other)) => self.must_not_block([one, other])?,
            Some(Condition::MayChallenge) => self.challenge(append)?,
            Some(Condition::Sought { seek, other }) => return self.take_seeks(append, seek, other),
            None => {}
        }
        Ok(Vec::new())
    }

    fn must_not_block(&self, [one, other]: [PlayerId; 2]) -> Result<(), Refused> {
        let is_blocked = [(one, other), (other, one)].iter().any(|pair| self.blocks.contains(pair));
        if is_blocked { Err(Refused::Blocked) } else { Ok(()) }
    }

    fn challenge(&mut self, append: &Append) -> Result<(), Refused> {
        let maker = append.row().creator;
        let challenged = append.row().challenged.filter(|player| self.known.contains(player));
        let challenged = challenged.ok_or(Refused::NoTarget)?;
        self.must_not_block([maker, challenged])?;
        let (mut open, mut recent, mut recent_to) = (0, 0, 0);
        for counts in self.challenges.iter().filter(|counts| counts.maker == maker) {
            open += counts.open;
            recent += counts.recent;
            recent_to += if counts.challenged == challenged { counts.recent } else { 0 };
        }
        let open_to = self.n_challenges_to.entry(challenged).or_default();
        if open >= MAX_CHALLENGES
            || recent >= CHALLENGES_A_DAY
            || recent_to >= CHALLENGES_A_DAY_TO_ONE
            || *open_to >= MAX_CHALLENGES_TO
        {
            return Err(Refused::TooManyChallenges);
        }
        *open_to += 1;
        self.challenges.push(ChallengeCounts { maker, challenged, open: 1, recent: 1 });
        Ok(())
    }

    /// Takes one game from the seeks that want it: each of them is of a player of the game, and of another one.
    fn take_seeks(
        &mut self,
        append: &Append,
        seek: SeekId,
        other: Option<SeekId>,
    ) -> Result<Vec<(SeekId, u32)>, Refused> {
        let players = players_of(append).ok_or(Refused::SeekGone)?;
        self.must_not_block(players)?;
        let seeks = [Some(seek), other].into_iter().flatten();
        let found: Option<Vec<Seek>> = seeks.map(|id| self.seeks.get(&id).copied()).collect();
        let wants = |seek: &Seek| seek.wanted > 0 && players.contains(&seek.player);
        let found = found.filter(|found| found.iter().all(wants)).ok_or(Refused::SeekGone)?;
        if let [one, other] = found[..]
            && one.player == other.player
        {
            return Err(Refused::SeekGone);
        }
        let mut left = Vec::new();
        for Seek { id, wanted, .. } in found {
            left.push((id, wanted - 1));
            self.seeks.entry(id).and_modify(|seek| seek.wanted -= 1);
        }
        Ok(left)
    }
}

/// The two players of a game that an append begins.
fn players_of(append: &Append) -> Option<[PlayerId; 2]> {
    append.row().seats.map(|seats| [seats.first, seats.second])
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
    /// The players whose challenges are counted.
    pub(super) challengers: BTreeSet<Uuid>,
    /// The players to whom challenges are counted.
    pub(super) challenged: BTreeSet<Uuid>,
    /// Time from which challenges count as those of the last day, in milliseconds since 1970.
    pub(super) challenges_since_ms: i64,
    pub(super) seeks: BTreeSet<Uuid>,
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
                Write::Mail(change) => match &**change {
                    MailChange::Tried { player, .. } | MailChange::Refused { player, .. } => {
                        asked.players.insert(player.uuid());
                    }
                    MailChange::Asked { .. } | MailChange::Done { .. } => {}
                },
                // So that neither the account nor its address is gone before the attempt is noted.
                Write::Outbox(change) => {
                    asked.players.insert(change.key().player.uuid());
                }
                Write::Vacation(change) => {
                    asked.players.insert(change.player.uuid());
                }
                Write::SeeNotices { player, .. } => {
                    asked.players.insert(player.uuid());
                }
                // So that its subscriptions stay bounded, and change in one order.
                Write::Push(change) => {
                    asked.players.insert(change.player().uuid());
                }
                Write::Moderation(change) => {
                    asked.players.extend(change.players().into_iter().map(PlayerId::uuid));
                }
                Write::Seek(change) => {
                    asked.players.insert(change.player().uuid());
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

    /// Adds what the condition of an append depends on. The rows of its players are locked, so that neither their rooms and
    /// challenges nor their blocks change.
    fn add_condition(&mut self, append: &Append) {
        match append.condition {
            Some(Condition::OpenRoomsBelow(_)) => {
                let maker = append.row().creator.uuid();
                self.players.insert(maker);
                self.makers.insert(maker);
            }
            Some(Condition::NotBlocked(one, other)) => self.add_pair([one, other]),
            Some(Condition::MayChallenge) => {
                let (maker, since_ms) = (append.row().creator, append.row().created_ms - CHALLENGES_COUNT_MS);
                let is_first = self.challengers.is_empty();
                self.challenges_since_ms =
                    if is_first { since_ms } else { since_ms.min(self.challenges_since_ms) };
                self.challengers.insert(maker.uuid());
                if let Some(challenged) = append.row().challenged {
                    self.challenged.insert(challenged.uuid());
                    self.add_pair([maker, challenged]);
                }
            }
            Some(Condition::Sought { seek, other }) => {
                self.seeks.extend([Some(seek), other].into_iter().flatten().map(SeekId::uuid));
                if let Some(players) = players_of(append) {
                    self.add_pair(players);
                }
            }
            None => {}
        }
    }

    /// Adds two players of whom neither may have blocked the other.
    fn add_pair(&mut self, players: [PlayerId; 2]) {
        let [one, other] = players.map(PlayerId::uuid);
        self.players.extend([one, other]);
        self.pairs.extend([(one, other), (other, one)]);
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
