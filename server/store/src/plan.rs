//! Planning of a transaction: decides which writes succeed, and collects the changes to make. Both databases share it.

use std::collections::{BTreeMap, HashMap};

use game::{
    Status,
    ids::{GameId, NodeId, SeekId, Version},
};
use uuid::Uuid;

use super::{
    AccountChange, Append, Audience, CeremonyStep, ChatRow, Clearing, ConditionalRow, Conflict, DraftIs,
    DraftRow, GameRow, MailChange, ModerationChange, NewNotice, PushChange, Refused, ReviewRow, SeekChange,
    SessionChange, StoredEvent, VacationChange, Write, Written,
    accounts::{Accounts, NamesPlan, SessionWrite},
    inbox::InboxPlan,
    outbox::{OutboxPlan, Subscriber},
    people::{NewPlayer, People, PeoplePlan},
    row,
};

/// State of the games and players that the writes concern. It must not change until the writes are done, so it is read
/// in their transaction, with the rows locked.
#[derive(Debug, Default)]
pub(super) struct StoredState {
    games: Heads,
    people: People,
    accounts: Accounts,
}

/// Stored states of games.
pub(super) type Heads = HashMap<GameId, GameHead>;

/// Stored state of one game.
#[derive(Clone, Copy, Debug)]
pub(super) struct GameHead {
    version: Version,
    /// Time of the last change, milliseconds since 1970.
    updated_ms: i64,
    /// The version at which the turn under way began. A draft builds on this version or a later one.
    turn_version: Version,
    /// Whether the stored row has both players.
    has_players: bool,
    /// Whether the game has a stored draft.
    has_draft: bool,
    /// Time of the next check by the sweep, in milliseconds since 1970; never after the deadline. `None`: no check.
    check_ms: Option<i64>,
}

/// The columns of a [`GameHead`]: the game's id, its version, its last change, its turn version, whether it has both players, whether it
/// has a draft, and the time of its next check by the sweep.
pub(super) type HeadColumns = (Uuid, i64, i64, i64, bool, bool, Option<i64>);

/// Converts the columns of a game.
pub(super) fn head(
    (game, version, updated_ms, turn_version, has_players, has_draft, check_ms): HeadColumns,
) -> Result<(GameId, GameHead), sqlx::Error> {
    let (version, turn_version) = (row::version(version)?, row::version(turn_version)?);
    let head = GameHead { version, updated_ms, turn_version, has_players, has_draft, check_ms };
    Ok((GameId::new(game), head))
}

impl StoredState {
    /// `games` has the state of every existing game that the writes change, and possibly of others. No account is known
    /// before [`with_accounts`](Self::with_accounts).
    pub(super) fn new(games: Heads, people: People) -> Self {
        Self { games, people, accounts: Accounts::default() }
    }

    /// Adds the accounts and the keys of names that the writes concern.
    pub(super) fn with_accounts(self, accounts: Accounts) -> Self {
        Self { accounts, ..self }
    }
}

/// Changes to write, in the order of the games' ids, so that two nodes take their locks in the same order.
#[derive(Debug)]
pub(super) struct Plan<'w> {
    /// Result of each write, in order. Those of mails, messages, pushes, moderation, vacations, seeks, ceremonies, clearings and periodic writes
    /// are replaced when they are executed.
    pub(super) results: Vec<Result<Written, Refused>>,
    /// Complete rows of games that are new, get or lose a player, or end.
    pub(super) rows: BTreeMap<GameId, Planned<'w>>,
    /// Games that continue, as after a turn or an offer. Only some columns of their rows change, none of them indexed.
    pub(super) moves: BTreeMap<GameId, Planned<'w>>,
    /// Games among `moves` whose new deadline precedes their next check by the sweep, with that deadline.
    pub(super) earlier_checks: BTreeMap<GameId, i64>,
    pub(super) events: Vec<(GameId, &'w StoredEvent)>,
    /// The new draft of each game, or `None` if its draft is to be deleted.
    pub(super) drafts: BTreeMap<GameId, Option<&'w DraftRow>>,
    /// Chat lines. The database ignores those that it already has.
    pub(super) lines: Vec<&'w ChatRow>,
    /// Reviews. The database ignores those of games that have one or do not exist.
    pub(super) reviews: Vec<&'w ReviewRow>,
    /// Conditional turns, and whether they are set or removed. The database ignores those of games that are over.
    pub(super) conditionals: Vec<(&'w ConditionalRow, bool)>,
    /// Slow games that end, whose room opens again or in which turns are taken back: no conditional turn is left in them.
    pub(super) without_conditionals: Vec<GameId>,
    pub(super) people: PeoplePlan<'w>,
    pub(super) names: NamesPlan,
    /// Changes of sessions and accounts, in the order of the writes. The rows of their players are locked.
    pub(super) sessions: Vec<SessionWrite<'w>>,
    /// Changes of mails, with the indexes of their results. They are executed after the sessions.
    pub(super) mails: Vec<(usize, &'w MailChange)>,
    /// Changes of inboxes. They are executed after the vacations: moderation and vacations add to them.
    pub(super) inbox: InboxPlan,
    /// Changes of messages to players who are away. They are executed after the mails.
    pub(super) outbox: OutboxPlan<'w>,
    /// Changes of push subscriptions, with the indexes of their results. They are executed after the mails.
    pub(super) pushes: Vec<(usize, &'w PushChange)>,
    /// New keys of the deployment.
    pub(super) server_keys: Vec<(&'static str, &'w [u8])>,
    /// Changes of moderation, with the indexes of their results. They are executed after the mails, in their order.
    pub(super) moderation: Vec<(usize, &'w ModerationChange)>,
    /// Changes of vacations, with the indexes of their results. They are executed after the moderation, in their order.
    pub(super) vacations: Vec<(usize, &'w VacationChange)>,
    /// Number of games that seeks still want, after those that begin.
    pub(super) wanted: BTreeMap<SeekId, u32>,
    /// Changes of seeks, with the indexes of their results. They are executed after the moderation, in their order.
    pub(super) seeks: Vec<(usize, &'w SeekChange)>,
    /// Steps of ceremonies, with the indexes of their results. They are executed in their order.
    pub(super) ceremonies: Vec<(usize, &'w CeremonyStep)>,
    /// Clearings, with the indexes of their results. They are executed after all other writes but the periodic_writes.
    pub(super) clearings: Vec<(usize, &'w Clearing)>,
    /// Periodic writes, with the indexes of their results. They are executed last.
    pub(super) periodic_writes: Vec<(usize, PeriodicWrite)>,
    /// State of the games after the writes, unless a clearing deletes them.
    pub(super) heads: Heads,
}

/// A periodic write of a node. Its result is decided in the database.
#[derive(Clone, Copy, Debug)]
pub(super) enum PeriodicWrite {
    /// See [`Write::Beat`].
    Beat { now_ms: i64, gap_ms: i64 },
    /// See [`Write::TakeSweep`].
    TakeSweep { node: NodeId, now_ms: i64, until_ms: i64 },
}

/// The new row of a game.
#[derive(Clone, Copy, Debug)]
pub(super) struct Planned<'w> {
    pub(super) summary: &'w GameRow,
    /// The version at which the turn under way began.
    pub(super) turn_version: Version,
}

impl<'w> Plan<'w> {
    pub(super) fn of(writes: &'w [Write], mut stored: StoredState) -> Self {
        let mut plan = Self {
            results: Vec::new(),
            rows: BTreeMap::new(),
            moves: BTreeMap::new(),
            earlier_checks: BTreeMap::new(),
            events: Vec::new(),
            drafts: BTreeMap::new(),
            lines: Vec::new(),
            reviews: Vec::new(),
            conditionals: Vec::new(),
            without_conditionals: Vec::new(),
            people: PeoplePlan::default(),
            names: NamesPlan::default(),
            sessions: Vec::new(),
            mails: Vec::new(),
            inbox: InboxPlan::default(),
            outbox: OutboxPlan::default(),
            pushes: Vec::new(),
            server_keys: Vec::new(),
            moderation: Vec::new(),
            vacations: Vec::new(),
            wanted: BTreeMap::new(),
            seeks: Vec::new(),
            ceremonies: Vec::new(),
            clearings: Vec::new(),
            periodic_writes: Vec::new(),
            heads: Heads::new(),
        };
        for write in writes {
            let result = plan.take(write, &mut stored);
            plan.results.push(result.map(|()| Written::Done));
        }
        plan.events.sort_by_key(|(game, event)| (*game, event.version));
        plan.lines.sort_by_key(|row| (row.game, row.line.who, row.command.as_str()));
        plan.reviews.sort_by_key(|review| review.game);
        plan.heads = stored.games;
        for (game, draft) in &plan.drafts {
            if let Some(head) = plan.heads.get_mut(game) {
                head.has_draft = draft.is_some();
            }
        }
        plan
    }

    fn take(&mut self, write: &'w Write, stored: &mut StoredState) -> Result<(), Refused> {
        match write {
            Write::Append(append) => self.append(append, stored)?,
            Write::Draft(draft) => self.draft(draft.game, draft.version, Some(draft), stored)?,
            Write::TakeDraft { game, version } => self.draft(*game, *version, None, stored)?,
            Write::Line(line) => self.lines.push(line),
            Write::Review(review) => self.reviews.push(review),
            Write::SetConditional(row) => self.set_conditional(row, stored)?,
            Write::DropConditional(row) => self.conditionals.push((row, false)),
            Write::NewPlayer { player, token, now_ms } => {
                self.people.new.push(NewPlayer { player, token, now_ms: *now_ms });
            }
            Write::Rename { player, name, now_ms } => {
                stored.people.must_know(*player)?;
                self.names.rename(*player, name, *now_ms, &mut stored.accounts)?;
                self.people.names.insert(*player, name);
            }
            Write::Block { player, blocked, now_ms } => {
                self.people.block((*player, *blocked), *now_ms, &mut stored.people)?;
            }
            Write::Unblock { player, blocked } => {
                self.people.unblock((*player, *blocked), &mut stored.people);
            }
            Write::Session(change) => {
                if let Some(now_ms) = change.seen_ms() {
                    self.people.see([change.player()], now_ms);
                }
                if let SessionChange::Ended { player, ended } = change {
                    stored.accounts.end_sessions(*player, *ended);
                }
                self.sessions.push(SessionWrite::Session(*change));
            }
            Write::Account(change) => self.change_account(change, stored)?,
            Write::Mail(change) => self.mails.push((self.results.len(), change)),
            Write::Outbox(change) => self.outbox.change(self.results.len(), change),
            Write::Push(change) => {
                if let PushChange::Subscribed { player, session, now_ms, .. } = change.as_ref() {
                    self.outbox.subscribe(Subscriber { player: *player, session, now_ms: *now_ms });
                }
                self.pushes.push((self.results.len(), change));
            }
            Write::ServerKey { name, body } => self.server_keys.push((name, body)),
            Write::Moderation(change) => self.moderation.push((self.results.len(), change)),
            Write::Vacation(change) => self.vacations.push((self.results.len(), change)),
            Write::SeeNotices { player, up_to, now_ms } => {
                self.inbox.seen.push((*player, *up_to, *now_ms));
            }
            Write::Seek(change) => {
                stored.people.must_know(change.player())?;
                self.seeks.push((self.results.len(), change));
            }
            Write::Ceremony(step) => self.ceremonies.push((self.results.len(), step)),
            Write::Seen { players, now_ms } => self.people.see(players.iter().copied(), *now_ms),
            Write::Clear(clearing) => self.clearings.push((self.results.len(), clearing)),
            Write::Beat { now_ms, gap_ms } => {
                self.periodic_write(PeriodicWrite::Beat { now_ms: *now_ms, gap_ms: *gap_ms })
            }
            Write::TakeSweep { node, now_ms, until_ms } => {
                self.periodic_write(PeriodicWrite::TakeSweep {
                    node: *node,
                    now_ms: *now_ms,
                    until_ms: *until_ms,
                });
            }
        }
        Ok(())
    }

    fn set_conditional(&mut self, row: &'w ConditionalRow, stored: &StoredState) -> Result<(), Refused> {
        let head = stored.games.get(&row.game);
        if let Some(head) = head.filter(|head| row.version < head.turn_version) {
            return Err(Conflict(head.version).into());
        }
        self.conditionals.push((row, true));
        Ok(())
    }

    fn change_account(&mut self, change: &'w AccountChange, stored: &mut StoredState) -> Result<(), Refused> {
        stored.people.must_know(change.player())?;
        let is_change = self.names.change(change, &mut stored.accounts)?;
        if let AccountChange::Registered { player, .. } = change {
            self.people.names.insert(player.id, &player.name);
        }
        if let Some((_, by)) = change.sign_in() {
            self.people.see([change.player()], by.now_ms);
        }
        self.inbox.told.extend(NewNotice::of_account(change).filter(|_| is_change));
        self.sessions.push(SessionWrite::Account(change));
        Ok(())
    }

    fn periodic_write(&mut self, write: PeriodicWrite) {
        self.periodic_writes.push((self.results.len(), write));
    }

    fn append(&mut self, append: &'w Append, stored: &mut StoredState) -> Result<(), Refused> {
        let game = append.game();
        let before = stored.games.get(&game).copied();
        let version = before.map_or(Version::NONE, |before| before.version);
        let is_other =
            append.after_ms.is_some_and(|at_ms| before.is_none_or(|before| before.updated_ms != at_ms));
        if append.first() != version.next() || is_other {
            return Err(Conflict(version).into());
        }
        self.wanted.extend(stored.people.check(append)?);
        let version = append.row().version;
        let turn_version = match (append.draft_is, before) {
            (DraftIs::Kept, Some(before)) => before.turn_version,
            (DraftIs::Kept, None) | (DraftIs::Gone, _) => version,
        };
        let has_draft = before.is_some_and(|before| before.has_draft);
        // Most turns are made without a draft.
        if append.draft_is == DraftIs::Gone && (has_draft || self.drafts.contains_key(&game)) {
            self.drafts.insert(game, None);
        }
        let has_players = before.is_some_and(|before| before.has_players);
        let planned = Planned { summary: append.row(), turn_version };
        let deadline_ms = append.row().deadline_ms;
        let is_move = has_players && append.row().status == Status::Playing && !self.rows.contains_key(&game);
        let check_ms = if is_move {
            self.moves.insert(game, planned);
            let before_ms = before.and_then(|before| before.check_ms);
            let earlier_ms = deadline_ms.filter(|at_ms| before_ms.is_none_or(|before_ms| *at_ms < before_ms));
            self.earlier_checks.extend(earlier_ms.map(|at_ms| (game, at_ms)));
            earlier_ms.or(before_ms)
        } else {
            self.moves.remove(&game);
            self.earlier_checks.remove(&game);
            self.rows.insert(game, planned);
            deadline_ms
        };
        let is_left = append.row().is_over() || (append.row().status == Status::Open && before.is_some());
        if (is_left || append.takes_back) && !append.row().clock.is_live() {
            self.without_conditionals.push(game);
        }
        let (updated_ms, has_players) = (append.row().updated_ms, append.row().seats.is_some());
        let head = GameHead { version, updated_ms, turn_version, has_players, has_draft, check_ms };
        stored.games.insert(game, head);
        self.outbox.note_turn(append);
        self.inbox.told.extend(&append.notices);
        self.events.extend(append.events().iter().map(|event| (game, event)));
        Ok(())
    }

    /// Replaces or deletes the draft of a game, unless the turn that it builds on is over.
    fn draft(
        &mut self,
        game: GameId,
        base: Version,
        draft: Option<&'w DraftRow>,
        stored: &StoredState,
    ) -> Result<(), Conflict> {
        let Some(GameHead { version, turn_version, .. }) = stored.games.get(&game).copied() else {
            return Err(Conflict(Version::NONE));
        };
        if !(turn_version..=version).contains(&base) {
            return Err(Conflict(version));
        }
        self.drafts.insert(game, draft);
        Ok(())
    }

    /// The chats that get lines, without duplicates.
    pub(super) fn chats(&self) -> Vec<(GameId, Audience)> {
        let mut chats: Vec<_> = self.lines.iter().map(|row| (row.game, row.audience)).collect();
        chats.sort_unstable();
        chats.dedup();
        chats
    }

    /// The drafts to be stored.
    pub(super) fn saved_drafts(&self) -> Vec<&'w DraftRow> {
        self.drafts.values().filter_map(|draft| *draft).collect()
    }

    /// The games whose drafts are to be deleted.
    pub(super) fn draftless_games(&self) -> Vec<GameId> {
        self.drafts.iter().filter(|(_, draft)| draft.is_none()).map(|(game, _)| *game).collect()
    }
}

/// The games that writes change, sorted and without duplicates. A chat line does not change its game.
pub(super) fn games_of(writes: &[Write]) -> Vec<GameId> {
    let mut games: Vec<_> = writes.iter().filter_map(Write::game).collect();
    games.sort_unstable();
    games.dedup();
    games
}
