//! A store in memory, for tests and fuzzing. It shares the [`Plan`](crate::plan::Plan) of the databases, and can simulate failures.

mod accounts;
mod clearing;
mod commit;
mod games;
mod inbox;
mod mails;
mod moderation;
mod nodes;
mod outbox;
mod passkeys;
mod people;
mod players;
mod pushes;
mod seeks;
mod sessions;
mod vacations;

use std::collections::{BTreeMap, BTreeSet};

use engine::Side;
use game::{
    MailAddress, NoticePurpose, NoticeSettings, Player, Role, Vacations,
    ids::{
        ActId, GameId, NodeId, NoticeId, PasskeyId, PlayerId, PlayerName, ReportId, SeekId, SessionId,
        Version,
    },
};
use parking_lot::Mutex;

use crate::{
    Act, Ceremony, ChatRow, ConditionalRow, DraftRow, GameRow, InboxNotice, Link, Mail, Outage, OutboxKey,
    Passkey, PushSubscription, Report, Seek, StoredEvent, TokenHash,
};

/// A store in memory, for one process.
#[derive(Debug, Default)]
pub struct Memory(Mutex<Tables>);

/// Way in which the next commit fails. The caller cannot tell the two apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// Nothing is stored.
    BeforeCommit,
    /// Everything is stored, but the result is lost.
    AfterCommit,
}

#[derive(Debug, Default)]
struct Tables {
    games: BTreeMap<GameId, Game>,
    chat: Vec<ChatRow>,
    reviews: BTreeMap<GameId, String>,
    conditionals: BTreeMap<(GameId, Side), ConditionalRow>,
    players: BTreeMap<PlayerId, Person>,
    sessions: BTreeMap<TokenHash, SessionData>,
    /// The account of each key of a name; `None` of one that was erased.
    name_keys: BTreeMap<String, Option<PlayerId>>,
    /// Devices of accounts, with the time until which each is known, in milliseconds since 1970.
    devices: BTreeMap<(PlayerId, TokenHash), i64>,
    links: Vec<(PlayerId, Link)>,
    mails: Vec<MailData>,
    messages: BTreeMap<OutboxKey, outbox::Message>,
    /// Mails with messages that were tried: the player, the purpose and the time.
    tried_messages: Vec<(PlayerId, NoticePurpose, i64)>,
    notices: BTreeMap<(PlayerId, NoticeId), InboxNotice>,
    /// Push subscriptions, by their hashes. One whose session has ended is void.
    pushes: BTreeMap<TokenHash, PushData>,
    server_keys: BTreeMap<&'static str, Vec<u8>>,
    /// Passkeys, with their players.
    passkeys: BTreeMap<PasskeyId, (PlayerId, Passkey)>,
    /// Ceremonies under way, by the hashes of their challenges.
    ceremonies: BTreeMap<TokenHash, Ceremony>,
    roles: BTreeMap<PlayerId, Role>,
    reports: BTreeMap<ReportId, Report>,
    acts: BTreeMap<ActId, Act>,
    seeks: BTreeMap<SeekId, Seek>,
    /// Keys of names that moderators have hidden.
    hidden_keys: BTreeSet<String>,
    /// Blocks as pairs of blocker and blocked player, with the time of each, in milliseconds since 1970.
    blocks: BTreeMap<(PlayerId, PlayerId), i64>,
    beat_ms: Option<i64>,
    outages: Vec<Outage>,
    /// The node that sweeps, and the end of its lease.
    sweeper: Option<(NodeId, i64)>,
    next_failure: Option<Failure>,
    /// What [`Nodes::free_bytes`](crate::Nodes::free_bytes) returns.
    free_bytes: Option<u64>,
    n_failures: usize,
    /// Whether clearings fail.
    clearings_fail: bool,
    n_writes: usize,
}

#[derive(Clone, Debug)]
struct Game {
    row: GameRow,
    turn_version: Version,
    events: Vec<StoredEvent>,
    draft: Option<DraftRow>,
    is_spared: bool,
}

#[derive(Clone, Debug)]
struct Person {
    player: Player,
    account: Option<AccountData>,
    seen_ms: i64,
    is_spared: bool,
    is_erased: bool,
    muted_until_ms: Option<i64>,
    vacations: Vacations,
    /// The beginnings of the vacations that the player's games are still to be credited.
    uncredited: BTreeSet<i64>,
}

#[derive(Clone, Debug)]
struct AccountData {
    password: Option<String>,
    recovery: Option<TokenHash>,
    former_names: Vec<PlayerName>,
    mail: Option<MailAddress>,
    mail_recovers: bool,
    notices: NoticeSettings,
    mail_is_refused: bool,
    closed_ms: Option<i64>,
    is_barred: bool,
}

/// A mail to be sent, or that was sent or given up. Times are milliseconds since 1970.
#[derive(Clone, Debug)]
struct MailData {
    mail: Mail,
    player: Option<PlayerId>,
    created_ms: i64,
    due_ms: Option<i64>,
    tried_ms: Option<i64>,
    attempts: u32,
}

/// A push subscription of a session.
#[derive(Clone, Debug)]
struct PushData {
    session: TokenHash,
    subscription: PushSubscription,
    failures: u32,
}

/// A session of a player. Times are milliseconds since 1970.
#[derive(Clone, Debug)]
struct SessionData {
    id: SessionId,
    player: PlayerId,
    label: Option<String>,
    created_ms: i64,
    used_ms: i64,
    proved_ms: Option<i64>,
}

impl Memory {
    /// Sets how the next commit of anything but a periodic write fails, if at all.
    pub fn fail_next(&self, failure: Option<Failure>) {
        self.0.lock().next_failure = failure;
    }

    /// Sets whether clearings fail from now on.
    pub fn fail_clearings(&self, fail: bool) {
        self.0.lock().clearings_fail = fail;
    }

    /// Sets the free bytes of the disk; `None` if they are not visible.
    pub fn set_free_bytes(&self, free: Option<u64>) {
        self.0.lock().free_bytes = free;
    }

    /// Number of commits that have failed so far.
    pub fn n_failures(&self) -> usize {
        self.0.lock().n_failures
    }

    /// Number of writes stored so far, without those that nodes make on their own.
    pub fn n_writes(&self) -> usize {
        self.0.lock().n_writes
    }

    /// Returns a game's row, its draft and its events, without the first `known` ones.
    pub fn look(&self, game: GameId, known: usize) -> Option<(GameRow, Option<DraftRow>, Vec<StoredEvent>)> {
        let tables = self.0.lock();
        let game = tables.games.get(&game)?;
        Some((game.row.clone(), game.draft.clone(), game.events[known..].to_vec()))
    }

    /// Goes back to an earlier state of a game, as after a failover to a standby that is behind: its row becomes this
    /// one, and the later events and the draft are gone.
    pub fn go_back(&self, row: GameRow) {
        if let Some(game) = self.0.lock().games.get_mut(&row.id) {
            game.events.truncate(row.version.get() as usize);
            (game.turn_version, game.draft, game.row) = (row.version, None, row);
        }
    }

    /// Removes a game, as [`go_back`](Self::go_back) to a state before it.
    pub fn remove(&self, game: GameId) {
        self.0.lock().games.remove(&game);
    }
}

fn count(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
