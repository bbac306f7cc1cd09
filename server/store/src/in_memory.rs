//! A store in memory, for tests and fuzzing. It shares the [`Plan`] of the databases, and can simulate failures.

mod inbox;
mod moderation;
mod outbox;

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet, HashMap},
    error::Error,
    time::Duration,
};

use async_trait::async_trait;
use engine::Side;
use game::{
    Language, MailAddress, NoticeChannel, NoticePurpose, NoticeSettings, Outcome, Period, Player, PlayerKind,
    Role, Seats, Status, TurnMails, Vacation, Vacations, Visibility, Watching, Zone,
    ids::{
        ActId, GameId, LineId, NodeId, NoticeId, PasskeyId, PlayerId, PlayerName, ReportId, SeekId,
        SessionId, Version,
    },
};
use parking_lot::Mutex;
use sqlx::error::{DatabaseError, ErrorKind};

use super::{
    Account, AccountChange, AccountMail, Act, ActKind, Audience, CHAT_LINES, CLEARED_ROWS, Ceremony,
    CeremonyStep, ChatLine, ChatRow, Cleared, Clearing, ConditionalRow, Credentials, Cursor, DraftRow,
    DueMail, DueMessage, EndedSessions, Errand, FirstCredential, GameCounts, GameFilter, GameLimits,
    GameResult, GameRow, Games, Head, InboxNotice, LastChange, Link, LinkOf, List, Log, LogPage,
    MAX_CEREMONIES, MAX_MAILS_WAITING, MAX_PUSHES, MAX_SEEKS, MAX_SESSIONS, Mail, MailChange, NamedAccount,
    Nodes, Notice, Outage, OutboxKey, OwnMail, OwnPush, OwnSession, PUSH_FAILURES, Page, Paging, Passkey,
    Players, Proof, Purpose, PushChange, PushSubscription, RecoveryProof, Refused, Report, Seek, SeekChange,
    Seeks, Session, SessionChange, SignIn, Store, StoreError, StoredEvent, TokenHash, VacationChange,
    VacationStep, Write, Written,
    accounts::{Accounts, KeptName, MailCounts, NamesPlan, SessionWrite, StoredAccount},
    challenge::ChallengeCounts,
    outbox::OutboxStep,
    people::{Asked, People, PeoplePlan},
    plan,
    plan::{PeriodicWrite, Plan, Planned, StoredState},
    row,
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
    sessions: BTreeMap<TokenHash, Used>,
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
    /// What [`Nodes::free_bytes`] returns.
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
struct Used {
    id: SessionId,
    player: PlayerId,
    label: Option<String>,
    created_ms: i64,
    used_ms: i64,
    proved_ms: Option<i64>,
}

impl AccountData {
    /// Returns a new account.
    fn new(password: Option<String>, recovery: TokenHash) -> Self {
        Self {
            password,
            recovery: Some(recovery),
            former_names: Vec::new(),
            mail: None,
            mail_recovers: true,
            notices: NoticeSettings::default(),
            mail_is_refused: false,
            closed_ms: None,
            is_barred: false,
        }
    }
}

impl Person {
    fn kind(&self) -> PlayerKind {
        if self.account.is_some() { PlayerKind::Account } else { PlayerKind::Guest }
    }

    /// Whether the player's name may be shown.
    fn is_named(&self) -> bool {
        !self.is_erased && self.account.as_ref().is_none_or(|account| account.closed_ms.is_none())
    }
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

impl Tables {
    fn stored_state(&self, writes: &[Write]) -> StoredState {
        let known = plan::games_of(writes).into_iter().filter_map(|id| {
            let Game { row, turn_version, draft, .. } = self.games.get(&id)?;
            let (version, turn_version) = (row.version.get().into(), turn_version.get().into());
            let (has_players, has_draft) = (row.seats.is_some(), draft.is_some());
            let (id, updated_ms) = (id.uuid(), row.updated_ms);
            Some(plan::head((id, version, updated_ms, turn_version, has_players, has_draft, row.deadline_ms)))
        });
        let heads = known.collect::<Result<_, _>>().expect("stored rows are valid");
        StoredState::new(heads, self.people(&Asked::of(writes))).with_accounts(self.accounts())
    }

    fn accounts(&self) -> Accounts {
        let rows = self.players.values().filter_map(|Person { player, account, .. }| {
            let AccountData { password, recovery, former_names, closed_ms, is_barred, .. } =
                account.clone()?;
            let (name, is_closed) = (player.name.clone(), closed_ms.is_some());
            Some((player.id, StoredAccount { name, former_names, password, recovery, is_closed, is_barred }))
        });
        let sessions = self.sessions.values().map(|used| (used.player, used.id));
        let passkeys = self.passkeys.iter().map(|(id, (player, _))| (*id, *player));
        let owners = self.name_keys.keys().map(|key| (key.clone(), self.owner(key)));
        let is_confirming = |errand: &Errand| matches!(errand, Errand::Confirm(_));
        let of_accounts =
            self.players.keys().map(|player| (*player, self.mails_of(*player, i64::MIN, is_confirming)));
        let waiting = count(self.mails.iter().filter(|mail| mail.due_ms.is_some()).count());
        let mut to_addresses = HashMap::new();
        for hash in self.mails.iter().filter_map(|data| data.mail.confirming()) {
            *to_addresses.entry(hash).or_default() += 1;
        }
        let mails = MailCounts { of_accounts: of_accounts.collect(), to_addresses, waiting };
        let kept_names = self.players.values().filter_map(|Person { player, muted_until_ms, .. }| {
            let is_hiding =
                |act: &&Act| act.target == player.id && matches!(act.what, ActKind::NameHidden(_));
            let hidden_ms = self.acts.values().filter(is_hiding).map(|act| act.at_ms).max();
            Some((player.id, KeptName::of(player.name.as_str(), *muted_until_ms, hidden_ms)?))
        });
        let kept_names = kept_names.collect();
        Accounts::of(rows, owners, sessions, self.links().collect(), mails, passkeys, kept_names)
    }

    /// The account that may take a name with a key.
    fn owner(&self, key: &String) -> Option<PlayerId> {
        self.name_keys.get(key).copied().flatten().filter(|_| !self.hidden_keys.contains(key))
    }

    fn links(&self) -> impl Iterator<Item = LinkOf> {
        self.links
            .iter()
            .map(|(id, link)| LinkOf { player: self.players[id].player.clone(), link: link.clone() })
    }

    /// The mails of an account for a purpose that were asked for after `since_ms`.
    fn mails_of(&self, player: PlayerId, since_ms: i64, is_for: fn(&Errand) -> bool) -> u32 {
        let is_counted = |data: &&MailData| {
            is_for(&data.mail.errand) && data.player == Some(player) && data.created_ms > since_ms
        };
        count(self.mails.iter().filter(is_counted).count())
    }

    fn add_mail(&mut self, mail: Mail, created_ms: i64) {
        let player = match mail.errand {
            Errand::Confirm(player) | Errand::Changed(player) | Errand::PasskeyAdded(player) => Some(player),
            Errand::Recover { .. } => None,
        };
        let due_ms = Some(created_ms);
        self.mails.push(MailData { mail, player, created_ms, due_ms, tried_ms: None, attempts: 0 });
    }

    fn change_mail(&mut self, change: &MailChange) -> Result<(), Refused> {
        match change {
            MailChange::Asked { mail, now_ms } => {
                if count(self.mails.iter().filter(|data| data.due_ms.is_some()).count()) >= MAX_MAILS_WAITING
                {
                    return Err(Refused::MailsWait);
                }
                self.add_mail(mail.clone(), *now_ms);
            }
            MailChange::Tried { mail, player, link, now_ms, again_ms } => {
                let is_due = |data: &&MailData| {
                    data.mail.id == *mail && data.due_ms.is_some_and(|due_ms| due_ms <= *now_ms)
                };
                let due = self.mails.iter().find(is_due).ok_or(Refused::NoLink)?;
                if matches!(due.mail.errand, Errand::Recover { .. }) {
                    let account = self.players.get(player).and_then(|person| person.account.as_ref());
                    let own = account.filter(|account| account.mail_recovers);
                    let own = own.and_then(|account| account.mail.as_ref());
                    own.filter(|own| own.is_same_as(&due.mail.to)).ok_or(Refused::NoLink)?;
                }
                for data in self.mails.iter_mut().filter(|data| data.mail.id == *mail) {
                    (data.player, data.tried_ms, data.due_ms) =
                        (Some(*player), Some(*now_ms), Some(*again_ms));
                    data.attempts += 1;
                }
                self.links.extend(link.clone().map(|link| (*player, link)));
            }
            MailChange::Refused { player, address } => {
                let account = self.players.get_mut(player).and_then(|person| person.account.as_mut());
                let is_own = |own: &MailAddress| own.is_same_as(address);
                if let Some(own) = account.filter(|own| own.mail.as_ref().is_some_and(is_own)) {
                    own.mail_is_refused = true;
                }
            }
            MailChange::Done { mail } => {
                for data in self.mails.iter_mut().filter(|data| data.mail.id == *mail) {
                    data.due_ms = None;
                }
            }
        }
        Ok(())
    }

    fn change_vacation(&mut self, change: &VacationChange) -> Result<(), Refused> {
        let person = self.players.get_mut(&change.player).ok_or(Refused::UnknownPlayer)?;
        match change.what {
            VacationStep::SetAutomatic(is_automatic) => person.vacations.is_automatic = is_automatic,
            VacationStep::Credited(credited) => {
                if person.vacations.taken.iter().any(|taken| taken.period() == credited) {
                    person.uncredited.remove(&credited.from_ms);
                }
            }
            VacationStep::Begun(_) | VacationStep::Ended | VacationStep::Used { .. } => {}
        }
        if let Some(vacation) = change.decide(&person.vacations)? {
            person.vacations.keep(vacation);
            person.uncredited.insert(vacation.from_ms);
            change.notice(vacation).iter().for_each(|notice| self.tell(notice));
        }
        Ok(())
    }

    fn change_push(&mut self, change: &PushChange) -> Result<(), Refused> {
        match change {
            PushChange::Subscribed { player, session, subscription, .. } => {
                if !self.sessions.contains_key(session) {
                    return Err(Refused::NoSession);
                }
                let data = PushData { session: *session, subscription: subscription.clone(), failures: 0 };
                self.pushes.retain(|_, push| push.session != *session);
                self.pushes.insert(subscription.hash(), data);
                self.trim_pushes(*player, session);
            }
            PushChange::Unsubscribed { session, .. } => {
                self.pushes.retain(|_, push| push.session != *session)
            }
            PushChange::Delivered { subscription, .. } => {
                self.pushes.entry(*subscription).and_modify(|push| push.failures = 0);
            }
            PushChange::Failed { subscription, failures, .. } => {
                self.pushes.entry(*subscription).and_modify(|push| push.failures += failures);
                self.pushes.retain(|_, push| push.failures < PUSH_FAILURES);
            }
            PushChange::Gone { subscription, .. } => drop(self.pushes.remove(subscription)),
        }
        Ok(())
    }

    /// Whether a browser of a player has subscribed.
    fn has_pushes(&self, player: PlayerId) -> bool {
        let is_of =
            |push: &PushData| self.sessions.get(&push.session).is_some_and(|used| used.player == player);
        self.pushes.values().any(is_of)
    }

    /// Ends the subscriptions of a player beyond that of a session and those of the last used ones.
    fn trim_pushes(&mut self, player: PlayerId, session: &TokenHash) {
        let of_player = self.pushes.iter().filter_map(|(hash, push)| {
            let used = self.sessions.get(&push.session).filter(|used| used.player == player)?;
            Some((push.session != *session, Reverse((used.used_ms, used.created_ms)), push.session, *hash))
        });
        let mut hashes: Vec<_> = of_player.collect();
        hashes.sort_unstable();
        for (.., hash) in hashes.into_iter().skip(MAX_PUSHES as usize) {
            self.pushes.remove(&hash);
        }
    }

    fn void_links(&mut self, player: PlayerId) {
        self.links.retain(|(owner, link)| *owner != player || link.purpose == Purpose::Unsubscription);
        let is_void = |data: &&mut MailData| data.mail.errand == Errand::Confirm(player);
        self.mails.iter_mut().filter(is_void).for_each(|data| data.due_ms = None);
    }

    /// Adds a mail to the address of an account, if it has another one than this, whose links are void.
    fn set_mail(&mut self, player: PlayerId, new: Option<MailAddress>, notice: &Notice, now_ms: i64) {
        let account = self.account(player);
        account.mail_is_refused = false;
        let former = std::mem::replace(&mut account.mail, new.clone());
        let other = former.filter(|former| new.is_none_or(|new| !new.is_same_as(former)));
        if let Some(to) = other {
            let (errand, language) = (Errand::Changed(player), notice.language.clone());
            self.add_mail(Mail { id: notice.id, errand, to, language }, now_ms);
        }
        self.links.retain(|(owner, link)| *owner != player || link.purpose != Purpose::Unsubscription);
        self.void_links(player);
    }

    fn people(&self, asked: &Asked) -> People {
        let ids = asked.players.iter().copied();
        let known = ids.filter(|id| self.players.contains_key(&PlayerId::new(*id))).collect();
        let pairs: Vec<_> = self.blocks.keys().map(|(by, whom)| (by.uuid(), whom.uuid())).collect();
        let mut counts = HashMap::new();
        for (by, _) in pairs.iter().filter(|(by, _)| asked.blockers.contains(by)) {
            *counts.entry(*by).or_default() += 1;
        }
        let blocks = pairs.into_iter().filter(|pair| asked.pairs.contains(pair)).collect();
        let mut rooms = HashMap::new();
        let is_room = |game: &&Game| game.row.status == Status::Open && game.row.challenged.is_none();
        for Game { row, .. } in self.games.values().filter(is_room) {
            if asked.makers.contains(&row.creator.uuid()) {
                *rooms.entry(row.creator.uuid()).or_default() += 1;
            }
        }
        let people = People::of(known, counts.into_iter().collect(), blocks, rooms.into_iter().collect());
        let (made, to) = self.challenges(asked);
        let seeks = self.seeks.values().filter(|seek| asked.seeks.contains(&seek.id.uuid()));
        people.with_opponents(made, to, seeks.copied().collect())
    }

    /// The challenges by and to players.
    fn challenges(&self, asked: &Asked) -> (Vec<ChallengeCounts>, HashMap<PlayerId, u32>) {
        let (mut made, mut to) = (Vec::new(), HashMap::new());
        for Game { row, .. } in self.games.values() {
            let Some(challenged) = row.challenged else { continue };
            let (maker, is_open) = (row.creator, row.status == Status::Open);
            if asked.challengers.contains(&maker.uuid()) {
                let recent = u32::from(row.created_ms > asked.challenges_since_ms);
                made.push(ChallengeCounts { maker, challenged, open: u32::from(is_open), recent });
            }
            *to.entry(challenged).or_default() += u32::from(is_open);
        }
        (made, to)
    }

    fn save(&mut self, plan: &Plan<'_>) {
        for (id, Planned { summary, turn_version }) in &plan.rows {
            let row = (*summary).clone();
            match self.games.get_mut(id) {
                Some(game) => (game.row, game.turn_version) = (row, *turn_version),
                None => {
                    let (events, draft, turn_version) = (Vec::new(), None, *turn_version);
                    self.games.insert(*id, Game { row, turn_version, events, draft, is_spared: false });
                }
            }
        }
        for (id, Planned { summary, turn_version }) in &plan.moves {
            let game = self.games.get_mut(id).expect("a move is planned of a stored game");
            game.turn_version = *turn_version;
            game.row = GameRow {
                version: summary.version,
                turn: summary.turn,
                to_move: summary.to_move,
                updated_ms: summary.updated_ms,
                deadline_ms: summary.deadline_ms,
                position: summary.position.clone(),
                ..game.row.clone()
            };
        }
        for (id, event) in &plan.events {
            let game = self.games.get_mut(id).expect("a game with events has a row");
            game.events.push((*event).clone());
        }
        for (id, draft) in &plan.drafts {
            if let Some(game) = self.games.get_mut(id) {
                game.draft = draft.cloned();
            }
        }
        for line in &plan.lines {
            let is_said = |known: &ChatRow| {
                (known.game, known.line.who, &known.command) == (line.game, line.line.who, &line.command)
            };
            if self.games.contains_key(&line.game) && !self.chat.iter().any(is_said) {
                self.chat.push((*line).clone());
            }
        }
        for chat in plan.chats() {
            let of_chat = |line: &ChatRow| (line.game, line.audience) == chat;
            let mut ids: Vec<_> =
                self.chat.iter().filter(|line| of_chat(line)).map(|line| line.line.id).collect();
            ids.sort_unstable();
            if let Some(oldest) = ids.iter().rev().nth(CHAT_LINES as usize - 1) {
                self.chat.retain(|line| !of_chat(line) || line.line.id >= *oldest);
            }
        }
        for review in &plan.reviews {
            if self.games.contains_key(&review.game) {
                self.reviews.entry(review.game).or_insert_with(|| review.body.clone());
            }
        }
        self.save_conditionals(plan);
        self.save_people(&plan.people);
        for write in &plan.sessions {
            match write {
                SessionWrite::Session(change) => self.change_session(*change),
                SessionWrite::Account(change) => self.change_account(change),
            }
        }
        self.save_names(&plan.names);
        for (id, wanted) in &plan.wanted {
            match wanted {
                0 => drop(self.seeks.remove(id)),
                wanted => drop(self.seeks.entry(*id).and_modify(|seek| seek.wanted = *wanted)),
            }
        }
    }

    fn change_seeks(&mut self, change: &SeekChange) -> Result<(), Refused> {
        match change {
            SeekChange::Posted(seek) => {
                self.seeks.retain(|_, other| {
                    (other.player, other.ruleset, other.clock) != (seek.player, seek.ruleset, seek.clock)
                });
                let n_seeks = self.seeks.values().filter(|other| other.player == seek.player).count();
                if count(n_seeks) >= MAX_SEEKS {
                    return Err(Refused::TooManySeeks);
                }
                self.seeks.insert(seek.id, *seek);
            }
            SeekChange::Withdrawn { seek, player } => {
                self.seeks.get(seek).filter(|found| found.player == *player).ok_or(Refused::SeekGone)?;
                self.seeks.remove(seek);
            }
        }
        Ok(())
    }

    /// The seeks of players who may be named, the oldest first.
    fn open_seeks(&self) -> impl DoubleEndedIterator<Item = &Seek> {
        self.seeks.values().filter(|seek| self.players.get(&seek.player).is_some_and(Person::is_named))
    }

    /// The seeks that a player may accept, the oldest first.
    fn seeks_to_accept(
        &self,
        player: PlayerId,
        limits: GameLimits,
    ) -> impl DoubleEndedIterator<Item = &Seek> {
        let is_blocked =
            move |other| [(player, other), (other, player)].iter().any(|pair| self.blocks.contains_key(pair));
        let may_begin = move |other| {
            let GameCounts { real_time, under_way, .. } = self.count_games(other);
            let slow_limit = limits.slow_at_first + self.count_finished_slow_games(other);
            under_way < limits.under_way && under_way - real_time < slow_limit
        };
        self.open_seeks()
            .filter(move |seek| seek.player != player && !is_blocked(seek.player) && may_begin(seek.player))
    }

    fn count_games(&self, player: PlayerId) -> GameCounts {
        let rows = self.games.values().map(|game| &game.row);
        let mut counts = GameCounts::default();
        for row in rows.filter(|row| is_unfinished_of(row, player)) {
            counts.open_rooms += u32::from(row.status == Status::Open);
            counts.real_time += u32::from(row.clock.is_live());
            counts.under_way += 1;
        }
        counts
    }

    fn count_finished_slow_games(&self, player: PlayerId) -> u32 {
        let is_counted =
            |row: &&GameRow| row.status == Status::Finished && row.is_of(player) && !row.clock.is_live();
        count(self.games.values().map(|game| &game.row).filter(is_counted).count())
    }

    fn withdraw_seeks(&mut self, player: PlayerId) {
        self.seeks.retain(|_, seek| seek.player != player);
    }

    fn save_conditionals(&mut self, plan: &Plan<'_>) {
        for (row, is_set) in &plan.conditionals {
            let key = (row.game, row.side);
            let is_going = self.games.get(&row.game).is_some_and(|game| game.row.status == Status::Playing);
            if *is_set && is_going {
                self.conditionals.insert(key, (*row).clone());
            } else if !is_set && self.conditionals.get(&key) == Some(*row) {
                self.conditionals.remove(&key);
            }
        }
        self.conditionals.retain(|(game, _), _| !plan.ended_slow_games.contains(game));
    }

    fn save_people(&mut self, people: &PeoplePlan<'_>) {
        for new in &people.new {
            let (player, seen_ms) = (new.player.clone(), new.now_ms);
            let vacations = Vacations { created_ms: new.now_ms, is_automatic: true, taken: Vec::new() };
            let person = Person {
                player,
                account: None,
                seen_ms,
                is_spared: false,
                is_erased: false,
                muted_until_ms: None,
                vacations,
                uncredited: BTreeSet::new(),
            };
            self.players.insert(new.player.id, person);
            let used = Used {
                id: new.token.session(),
                player: new.player.id,
                label: None,
                created_ms: new.now_ms,
                used_ms: new.now_ms,
                proved_ms: None,
            };
            self.sessions.insert(*new.token, used);
        }
        for (id, name) in &people.names {
            self.person(*id).player.name = (*name).clone();
        }
        for (id, seen_ms) in &people.seen {
            if let Some(person) = self.players.get_mut(id) {
                person.seen_ms = person.seen_ms.max(*seen_ms);
            }
        }
        self.blocks.retain(|pair, _| !people.unblocks.contains(pair));
        self.blocks.extend(&people.blocks);
    }

    fn change_session(&mut self, change: SessionChange) {
        match change {
            SessionChange::Used { token, player: _, now_ms, ending_ms } => {
                if let Some(used) = self.sessions.get_mut(&token).filter(|used| used.used_ms > ending_ms) {
                    used.used_ms = used.used_ms.max(now_ms);
                }
            }
            SessionChange::Copied { token, by, player, now_ms, ending_ms } => {
                if let Some(used) = self.sessions.get_mut(&token) {
                    used.used_ms = used.used_ms.min(ending_ms);
                    let id = by.session();
                    let copy =
                        Used { id, created_ms: now_ms, used_ms: now_ms, proved_ms: None, ..used.clone() };
                    self.sessions.insert(by, copy);
                    self.trim_sessions(player);
                }
            }
            SessionChange::Proved { token, player: _, now_ms } => {
                if let Some(used) = self.sessions.get_mut(&token) {
                    used.proved_ms = Some(now_ms);
                }
            }
            SessionChange::Ended { player, ended } => self.end_sessions(player, ended),
        }
    }

    fn end_sessions(&mut self, player: PlayerId, ended: EndedSessions) {
        self.sessions.retain(|_, used| used.player != player || !ended.include(used.id));
    }

    /// Ends the sessions of a player beyond the last used ones.
    fn trim_sessions(&mut self, player: PlayerId) {
        let of_player = self.sessions.iter().filter(|(_, used)| used.player == player);
        let mut tokens: Vec<_> =
            of_player.map(|(token, used)| (Reverse((used.used_ms, used.created_ms)), *token)).collect();
        tokens.sort_unstable();
        for (_, token) in tokens.into_iter().skip(MAX_SESSIONS as usize) {
            self.sessions.remove(&token);
        }
    }

    fn recover(&mut self, player: PlayerId, proof: &RecoveryProof, password: &str, device: TokenHash) {
        let by_mail = self.links.iter().any(|(_, known)| {
            *proof == RecoveryProof::Link(known.secret)
                && known.purpose == Purpose::Recovery { by_mail: true }
        });
        let account = self.account(player);
        account.mail_recovers &= by_mail;
        if let RecoveryProof::Link(_) = proof {
            account.recovery = None;
        }
        self.set_password(player, password, Some(device));
        self.passkeys.retain(|_, (owner, _)| *owner != player);
    }

    fn change_account(&mut self, change: &AccountChange) {
        let player = change.player();
        match change {
            AccountChange::Registered { credential, recovery, .. } => {
                let password = match credential {
                    FirstCredential::Password(password) => Some(password.clone()),
                    FirstCredential::Passkey(passkey) => {
                        self.passkeys.insert(passkey.id, (player, passkey.clone()));
                        None
                    }
                };
                self.person(player).account = Some(AccountData::new(password, *recovery));
            }
            AccountChange::Recovered { proof, password, by: SignIn { device, .. }, .. } => {
                self.recover(player, proof, password, *device);
            }
            AccountChange::PasswordSet { password, device, .. } => {
                self.set_password(player, password, *device);
            }
            AccountChange::CodeSet { recovery, .. } => self.account(player).recovery = Some(*recovery),
            AccountChange::LinkMade { link, .. } => self.links.push((player, link.clone())),
            AccountChange::Closed { now_ms, .. } => {
                self.account(player).closed_ms = Some(*now_ms);
                self.withdraw_seeks(player);
                self.void_links(player);
            }
            AccountChange::MailAsked { mail, zone, now_ms, .. } => {
                self.add_mail(mail.clone(), *now_ms);
                self.learn_language(player, mail, zone.as_ref());
            }
            AccountChange::NoticesSet { notices, .. } => self.account(player).notices = notices.clone(),
            AccountChange::Unsubscribed { .. } => self.account(player).notices.turn_mails = TurnMails::Off,
            AccountChange::MailConfirmed { link, notice, now_ms, .. } => {
                let found = self.links.iter().find(|(_, known)| known.secret == *link);
                let new = found.and_then(|(_, link)| match &link.purpose {
                    Purpose::Mail(address) => Some(address.clone()),
                    Purpose::Recovery { .. } | Purpose::Unsubscription => None,
                });
                self.set_mail(player, new, notice, *now_ms);
            }
            AccountChange::MailRemoved { notice, now_ms, .. } => self.set_mail(player, None, notice, *now_ms),
            AccountChange::MailRecoverySet { recovers, .. } => {
                self.account(player).mail_recovers = *recovers;
                if !recovers {
                    self.void_links(player);
                }
            }
            AccountChange::SignedIn { proof: Proof::Passkey(used), .. }
            | AccountChange::PasskeyUsed { used, .. } => {
                let passkey = self.passkey(used.id);
                (passkey.body, passkey.used_ms) = (used.body.clone(), used.used_ms);
            }
            AccountChange::SignedIn { proof: Proof::Password(_), .. } => {}
            AccountChange::PasskeyAdded { passkey, notice, .. } => {
                self.passkeys.insert(passkey.id, (player, passkey.clone()));
                if let Some(to) = self.account(player).mail.clone() {
                    let (errand, language) = (Errand::PasskeyAdded(player), notice.language.clone());
                    self.add_mail(Mail { id: notice.id, errand, to, language }, passkey.created_ms);
                }
            }
            AccountChange::PasskeyNamed { passkey, label, .. } => {
                self.passkey(*passkey).label = Some(label.clone());
            }
            AccountChange::PasskeyRemoved { passkey, .. } => drop(self.passkeys.remove(passkey)),
        }
        for (player, ended) in change.ended() {
            self.end_sessions(player, ended);
        }
        if let Some((session, by)) = change.sign_in() {
            self.sign_in(player, session, by);
        }
    }

    /// Notes the language and the zone of the page from which a mail was asked for.
    fn learn_language(&mut self, player: PlayerId, mail: &Mail, zone: Option<&Zone>) {
        let notices = &mut self.account(player).notices;
        notices.language = Language::of_page(&mail.language);
        notices.zone = zone.unwrap_or(&notices.zone).clone();
    }

    fn passkey(&mut self, id: PasskeyId) -> &mut Passkey {
        &mut self.passkeys.get_mut(&id).expect("a change is planned of a stored passkey").1
    }

    fn take_step(&mut self, step: &CeremonyStep) -> Result<Written, Refused> {
        match step {
            CeremonyStep::Begin { challenge, ceremony } => {
                self.ceremonies.insert(*challenge, ceremony.clone());
                while self.ceremonies.len() > MAX_CEREMONIES as usize {
                    let first = self.ceremonies.iter().min_by_key(|(_, ceremony)| ceremony.expires_ms);
                    let first = *first.expect("there are some").0;
                    self.ceremonies.remove(&first);
                }
                Ok(Written::Done)
            }
            CeremonyStep::Take { challenge, now_ms } => {
                let taken = self.ceremonies.remove(challenge).filter(|taken| taken.expires_ms > *now_ms);
                taken.map(Written::Taken).ok_or(Refused::NoCeremony)
            }
        }
    }

    fn set_password(&mut self, player: PlayerId, password: &str, device: Option<TokenHash>) {
        self.account(player).password = Some(password.to_owned());
        self.void_links(player);
        self.devices.retain(|(owner, known), _| *owner != player || Some(*known) == device);
    }

    fn sign_in(&mut self, player: PlayerId, id: SessionId, by: &SignIn) {
        self.end_sessions(player, EndedSessions::One(id));
        if by.reopens {
            self.account(player).closed_ms = None;
        }
        let (label, now_ms) = (by.label.clone(), by.now_ms);
        let proved_ms = Some(now_ms);
        let session = Used { id, player, label, created_ms: now_ms, used_ms: now_ms, proved_ms };
        self.sessions.insert(by.token, session);
        self.trim_sessions(player);
        self.devices.insert((player, by.device), by.device_until_ms);
        let of_player = self.devices.iter().filter(|((owner, _), _)| *owner == player);
        let mut devices: Vec<_> = of_player.map(|(device, until_ms)| (Reverse(*until_ms), *device)).collect();
        devices.sort_unstable();
        for (_, device) in devices.into_iter().skip(MAX_SESSIONS as usize) {
            self.devices.remove(&device);
        }
    }

    fn person(&mut self, player: PlayerId) -> &mut Person {
        self.players.get_mut(&player).expect("a change is planned of a stored player")
    }

    fn account(&mut self, player: PlayerId) -> &mut AccountData {
        self.person(player).account.as_mut().expect("a change is planned of a stored account")
    }

    fn save_names(&mut self, names: &NamesPlan) {
        self.name_keys.extend(names.keys.iter().map(|(key, player)| (key.clone(), Some(*player))));
        for (player, former_names) in &names.former_names {
            self.account(*player).former_names.clone_from(former_names);
        }
    }

    fn clear(&mut self, clearing: &Clearing) -> Cleared {
        match clearing {
            Clearing::Games { deleted, spared } => self.clear_games(deleted, spared),
            Clearing::Guests { before_ms, at_most } => self.clear_guests(*before_ms, *at_most),
            Clearing::Accounts { closed_before_ms, at_most } => {
                self.erase_accounts(*closed_before_ms, *at_most)
            }
            Clearing::Sessions { unused_since_ms } => {
                let ended = self.sessions.iter().filter(|(_, used)| used.used_ms <= *unused_since_ms);
                let mut ended: Vec<_> = ended.map(|(token, used)| (used.used_ms, *token)).collect();
                ended.sort_unstable();
                ended.truncate(CLEARED_ROWS as usize);
                self.sessions.retain(|token, used| !ended.contains(&(used.used_ms, *token)));
                Cleared { deleted: count(ended.len()), is_more: count(ended.len()) == CLEARED_ROWS }
            }
            Clearing::Mails { created_ms } => {
                let mut left = CLEARED_ROWS;
                self.mails.retain(|data| data.created_ms > *created_ms || !take_one(&mut left));
                Cleared { deleted: CLEARED_ROWS - left, is_more: left == 0 }
            }
            Clearing::Links { expired_ms } => {
                let mut left = CLEARED_ROWS;
                self.links.retain(|(_, link)| link.expires_ms > *expired_ms || !take_one(&mut left));
                Cleared { deleted: CLEARED_ROWS - left, is_more: left == 0 }
            }
            Clearing::Reports { settled_ms } => {
                let mut left = CLEARED_ROWS;
                let is_old = |report: &Report| report.settled_ms.is_some_and(|at_ms| at_ms <= *settled_ms);
                self.reports.retain(|_, report| !(is_old(report) && take_one(&mut left)));
                Cleared { deleted: CLEARED_ROWS - left, is_more: left == 0 }
            }
            Clearing::Notices { at_ms } => {
                let mut left = CLEARED_ROWS;
                self.notices.retain(|_, notice| notice.at_ms > *at_ms || !take_one(&mut left));
                Cleared { deleted: CLEARED_ROWS - left, is_more: left == 0 }
            }
            Clearing::Seeks { seen_ms } => {
                let mut left = CLEARED_ROWS;
                let players = &self.players;
                let is_left = |seek: &Seek| players[&seek.player].seen_ms <= *seen_ms;
                self.seeks.retain(|_, seek| !(is_left(seek) && take_one(&mut left)));
                Cleared { deleted: CLEARED_ROWS - left, is_more: left == 0 }
            }
            Clearing::Ceremonies { expired_ms } => {
                let mut left = CLEARED_ROWS;
                self.ceremonies.retain(|_, begun| begun.expires_ms > *expired_ms || !take_one(&mut left));
                Cleared { deleted: CLEARED_ROWS - left, is_more: left == 0 }
            }
        }
    }

    fn clear_games(&mut self, deleted: &[GameId], spared: &[GameId]) -> Cleared {
        for id in spared {
            if let Some(game) = self.games.get_mut(id) {
                game.is_spared = true;
            }
        }
        let may_delete = |id: &&GameId| {
            self.games.get(id).is_some_and(|Game { row, .. }| is_aborted(row) || row.was_given_up())
        };
        let deleted: Vec<GameId> = deleted.iter().filter(may_delete).copied().collect();
        let mut left = CLEARED_ROWS;
        self.chat.retain(|line| !(deleted.contains(&line.game) && take_one(&mut left)));
        for id in &deleted {
            let events = &mut self.games.get_mut(id).expect("it may be deleted").events;
            while !events.is_empty() && take_one(&mut left) {
                events.pop();
            }
        }
        if left == 0 {
            return Cleared::PARTLY;
        }
        for id in &deleted {
            self.reviews.remove(id);
            self.conditionals.retain(|(game, _), _| game != id);
            let Game { row, .. } = self.games.remove(id).expect("it was there");
            let seats = row.seats.into_iter().flat_map(|Seats { first, second }| [first, second]);
            for player in seats.chain([row.creator]) {
                self.players.entry(player).and_modify(|person| person.is_spared = false);
            }
        }
        Cleared { deleted: count(deleted.len()), is_more: false }
    }

    fn clear_guests(&mut self, before_ms: i64, at_most: u32) -> Cleared {
        let idle = self.players.values().filter(|person| !person.is_spared && person.seen_ms < before_ms);
        let mut idle: Vec<_> = idle.map(|person| (person.seen_ms, person.player.id)).collect();
        idle.sort_unstable();
        idle.truncate(at_most as usize);
        let is_more = count(idle.len()) == at_most;
        let ids = idle.into_iter().map(|(_, id)| id);
        let stays = |id: &PlayerId| {
            let person = &self.players[id];
            person.is_erased || person.account.is_some() || self.has_game(*id)
        };
        let (spared, deleted): (Vec<_>, Vec<_>) = ids.partition(stays);
        for id in spared {
            self.players.entry(id).and_modify(|person| person.is_spared = true);
        }
        let mut left = CLEARED_ROWS;
        self.blocks.retain(|(by, whom), _| {
            !((deleted.contains(by) || deleted.contains(whom)) && take_one(&mut left))
        });
        self.seeks.retain(|_, seek| !(deleted.contains(&seek.player) && take_one(&mut left)));
        self.sessions.retain(|_, used| !(deleted.contains(&used.player) && take_one(&mut left)));
        self.messages.retain(|key, _| !(deleted.contains(&key.player) && take_one(&mut left)));
        self.notices.retain(|(player, _), _| !(deleted.contains(player) && take_one(&mut left)));
        self.forget_moderation(&deleted, &mut left);
        self.forget_vacations(&deleted, &mut left);
        if left == 0 {
            return Cleared::PARTLY;
        }
        deleted.iter().for_each(|id| drop(self.players.remove(id)));
        Cleared { deleted: count(deleted.len()), is_more }
    }

    /// Deletes vacations of players, at most `left`.
    fn forget_vacations(&mut self, players: &[PlayerId], left: &mut u32) {
        for player in players {
            self.person(*player).vacations.taken.retain(|_| !take_one(left));
        }
    }

    fn erase_accounts(&mut self, closed_before_ms: i64, at_most: u32) -> Cleared {
        let closed = self.players.values().filter_map(|person| {
            let closed_ms = person.account.as_ref()?.closed_ms?;
            (closed_ms < closed_before_ms).then_some((closed_ms, person.player.id))
        });
        let mut closed: Vec<_> = closed.collect();
        closed.sort_unstable();
        let closed: Vec<_> = closed.into_iter().map(|(_, id)| id).take(at_most as usize).collect();
        let mut left = CLEARED_ROWS;
        self.blocks
            .retain(|(by, whom), _| !((closed.contains(by) || closed.contains(whom)) && take_one(&mut left)));
        self.seeks.retain(|_, seek| !(closed.contains(&seek.player) && take_one(&mut left)));
        self.sessions.retain(|_, used| !(closed.contains(&used.player) && take_one(&mut left)));
        self.devices.retain(|(player, _), _| !(closed.contains(player) && take_one(&mut left)));
        self.links.retain(|(player, _)| !(closed.contains(player) && take_one(&mut left)));
        self.passkeys.retain(|_, (player, _)| !(closed.contains(player) && take_one(&mut left)));
        self.mails
            .retain(|mail| !(mail.player.is_some_and(|id| closed.contains(&id)) && take_one(&mut left)));
        self.messages.retain(|key, _| !(closed.contains(&key.player) && take_one(&mut left)));
        self.notices.retain(|(player, _), _| !(closed.contains(player) && take_one(&mut left)));
        self.forget_moderation(&closed, &mut left);
        self.forget_vacations(&closed, &mut left);
        if left == 0 {
            return Cleared::PARTLY;
        }
        for player in &closed {
            self.name_keys
                .values_mut()
                .filter(|owner| **owner == Some(*player))
                .for_each(|owner| *owner = None);
            let person = self.person(*player);
            (person.account, person.is_erased, person.muted_until_ms) = (None, true, None);
            person.vacations.is_automatic = true;
            self.roles.remove(player);
        }
        Cleared { deleted: count(closed.len()), is_more: count(closed.len()) == at_most }
    }

    fn periodic_write(&mut self, write: PeriodicWrite) -> Result<Written, Refused> {
        match write {
            PeriodicWrite::Beat { now_ms, gap_ms } => {
                let before_ms = self.beat_ms.unwrap_or(now_ms);
                self.beat_ms = Some(before_ms.max(now_ms));
                let outage = Outage::between(before_ms, now_ms, gap_ms);
                self.outages.extend(outage);
                Ok(outage.map_or(Written::Done, Written::AfterOutage))
            }
            PeriodicWrite::TakeSweep { node, now_ms, until_ms } => {
                if self.sweeper.is_some_and(|(other, until_ms)| other != node && until_ms > now_ms) {
                    return Err(Refused::SweptElsewhere);
                }
                self.sweeper = Some((node, until_ms));
                Ok(Written::Done)
            }
        }
    }

    /// The first games by a time, at most `limit`, among those of a kind that ended before `before_ms` and are not spared.
    fn ended_before(
        &self,
        before_ms: i64,
        limit: u32,
        is_wanted: fn(&GameRow) -> bool,
        by_ms: fn(&GameRow) -> i64,
    ) -> Vec<GameId> {
        let games = self.games.values().filter(|game| !game.is_spared && game.row.updated_ms < before_ms);
        let rows = games.map(|game| &game.row).filter(|row| is_wanted(row));
        let mut ended: Vec<_> = rows.map(|row| (by_ms(row), row.id)).collect();
        ended.sort_unstable();
        ended.into_iter().map(|(_, game)| game).take(limit as usize).collect()
    }

    /// Whether a player has an open room, or a game that they play or played.
    fn has_game(&self, player: PlayerId) -> bool {
        self.games.values().any(|Game { row, .. }| is_made_by(row, player) || is_seated(row, player))
    }

    /// Whether a game is in a list.
    fn lists(&self, list: &List, row: &GameRow) -> bool {
        let is_public = row.visibility == Visibility::Public;
        let is_shown = is_public && row.watching == Watching::Everybody;
        match list {
            List::OpenRooms => is_public && row.status == Status::Open,
            List::LiveGames => is_shown && row.status == Status::Playing,
            List::FinishedGames(filter) => is_shown && row.status == Status::Finished && passes(filter, row),
            List::UnfinishedGamesOf(player) => {
                is_unfinished_of(row, *player)
                    || (row.status == Status::Open && row.challenged == Some(*player))
            }
            List::FinishedGamesOf(player) => row.status == Status::Finished && is_seated(row, *player),
        }
    }
}

/// Whether a game is an open room of a player's.
fn is_made_by(row: &GameRow, player: PlayerId) -> bool {
    row.status == Status::Open && row.creator == player
}

/// Whether a game is an open room of a player's, or one that they play.
fn is_unfinished_of(row: &GameRow, player: PlayerId) -> bool {
    is_made_by(row, player) || (row.status == Status::Playing && is_seated(row, player))
}

/// Whether a player has a seat in a game.
fn is_seated(row: &GameRow, player: PlayerId) -> bool {
    row.seats.as_ref().is_some_and(|seats| [seats.first, seats.second].contains(&player))
}

/// Whether a finished game passes a filter. `until_ms` is not checked: it is part of [`List::start`].
fn passes(filter: &GameFilter, row: &GameRow) -> bool {
    let GameFilter { player, ruleset, result, reason, since_ms, until_ms: _ } = filter;
    let winner = row.outcome.as_ref().and_then(|Outcome { winner, .. }| *winner);
    let won_by = winner.map_or(GameResult::Draw, GameResult::WonBy);
    player.is_none_or(|player| is_seated(row, player))
        && ruleset.is_none_or(|ruleset| ruleset == row.ruleset)
        && result.is_none_or(|result| result == won_by)
        && reason.is_none_or(|reason| row.outcome.as_ref().is_some_and(|outcome| outcome.reason == reason))
        && since_ms.is_none_or(|since_ms| row.updated_ms >= since_ms)
}

/// The refusal of a token that another player has, as a unique key refuses it.
#[derive(Debug, thiserror::Error)]
#[error("another player has this token")]
struct TokenTaken;

impl DatabaseError for TokenTaken {
    fn message(&self) -> &str {
        "another player has this token"
    }

    fn kind(&self) -> ErrorKind {
        ErrorKind::UniqueViolation
    }

    fn as_error(&self) -> &(dyn Error + Send + Sync + 'static) {
        self
    }

    fn as_error_mut(&mut self) -> &mut (dyn Error + Send + Sync + 'static) {
        self
    }

    fn into_error(self: Box<Self>) -> Box<dyn Error + Send + Sync + 'static> {
        self
    }
}

/// Whether nodes make this write on their own, without a request of a client.
const fn is_of_a_node(write: &Write) -> bool {
    matches!(write, Write::Beat { .. } | Write::TakeSweep { .. } | Write::Seen { .. } | Write::Clear(_))
}

/// Takes one from the budget, and returns whether there was one left.
fn take_one(left: &mut u32) -> bool {
    let is_left = *left > 0;
    *left -= u32::from(is_left);
    is_left
}

fn count(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// Whether a game was cancelled or aborted.
fn is_aborted(row: &GameRow) -> bool {
    matches!(row.status, Status::Cancelled | Status::Aborted)
}

#[async_trait]
impl Store for Memory {
    async fn commit(&self, writes: &[Write]) -> Result<Vec<Result<Written, Refused>>, StoreError> {
        let mut tables = self.0.lock();
        let n_writes = writes.iter().filter(|write| !is_of_a_node(write)).count();
        let mut failure = if n_writes > 0 { tables.next_failure.take() } else { None };
        if tables.clearings_fail && writes.iter().any(|write| matches!(write, Write::Clear(_))) {
            failure = Some(Failure::BeforeCommit);
        }
        tables.n_failures += usize::from(failure.is_some());
        let failed = Err(StoreError::TimedOut { doing: "commit", waited: Duration::ZERO });
        if failure == Some(Failure::BeforeCommit) {
            return failed;
        }
        let mut plan = Plan::of(writes, tables.stored_state(writes));
        if plan.people.new.iter().any(|new| tables.sessions.contains_key(new.token)) {
            let source = sqlx::Error::Database(Box::new(TokenTaken));
            return Err(StoreError::Database { doing: "commit", source });
        }
        tables.save(&plan);
        for (place, change) in std::mem::take(&mut plan.mails) {
            plan.results[place] = tables.change_mail(change).map(|()| Written::Done);
        }
        for step in plan.outbox.take() {
            match step {
                OutboxStep::Note(player, purpose, note) => tables.note(player, purpose, note),
                OutboxStep::Subscribed(subscriber) => tables.note_to_browsers(subscriber),
                OutboxStep::Change(place, change) => {
                    plan.results[place] = tables.change_message(change).map(|()| Written::Done);
                }
            }
        }
        plan.notices.iter().for_each(|notice| tables.tell(notice));
        for (player, up_to, now_ms) in &plan.seen_notices {
            tables.see_notices(*player, *up_to, *now_ms);
        }
        for (place, change) in std::mem::take(&mut plan.pushes) {
            plan.results[place] = tables.change_push(change).map(|()| Written::Done);
        }
        for (name, body) in &plan.server_keys {
            tables.server_keys.entry(name).or_insert_with(|| body.to_vec());
        }
        for (place, change) in std::mem::take(&mut plan.moderation) {
            plan.results[place] = tables.moderate(change).map(|()| Written::Done);
        }
        for (place, change) in std::mem::take(&mut plan.vacations) {
            plan.results[place] = tables.change_vacation(change).map(|()| Written::Done);
        }
        for (place, change) in std::mem::take(&mut plan.seeks) {
            plan.results[place] = tables.change_seeks(change).map(|()| Written::Done);
        }
        for (place, step) in std::mem::take(&mut plan.ceremonies) {
            plan.results[place] = tables.take_step(step);
        }
        for (place, clearing) in std::mem::take(&mut plan.clearings) {
            plan.results[place] = Ok(Written::Cleared(tables.clear(clearing)));
        }
        for (place, write) in std::mem::take(&mut plan.periodic_writes) {
            plan.results[place] = tables.periodic_write(write);
        }
        tables.n_writes += n_writes;
        if failure == Some(Failure::AfterCommit) { failed } else { Ok(plan.results) }
    }
}

#[async_trait]
impl Games for Memory {
    async fn log_page(
        &self,
        game: GameId,
        after: Version,
        limit: u32,
    ) -> Result<Option<LogPage>, StoreError> {
        let tables = self.0.lock();
        Ok(tables.games.get(&game).map(|game| {
            let rest = game.events.iter().filter(|event| event.version > after);
            let events: Vec<_> = rest.take(limit as usize).cloned().collect();
            let is_last = events.len() < limit as usize;
            LogPage { log: Log { events, draft: game.draft.clone() }, is_last }
        }))
    }

    async fn game(&self, game: GameId) -> Result<Option<GameRow>, StoreError> {
        Ok(self.0.lock().games.get(&game).map(|game| game.row.clone()))
    }

    async fn games_after(&self, after: Option<GameId>, limit: u32) -> Result<Vec<GameId>, StoreError> {
        let tables = self.0.lock();
        let behind = tables.games.keys().filter(|id| after.is_none_or(|after| **id > after));
        Ok(behind.copied().take(limit as usize).collect())
    }

    async fn list(&self, list: List, paging: Paging) -> Result<Page, StoreError> {
        let start = list.start(paging);
        let tables = self.0.lock();
        let rows = tables.games.values().map(|game| &game.row);
        let mut rows: Vec<(Cursor, GameRow)> = rows
            .filter(|row| tables.lists(&list, row))
            .map(|row| (Cursor::at(&list, row), row.clone()))
            .filter(|(place, _)| *place < start)
            .collect();
        rows.sort_by_key(|(place, _)| Reverse(*place));
        rows.truncate(paging.limit as usize + 1);
        Ok(Page::of(&list, rows.into_iter().map(|(_, row)| row).collect(), paging.limit, None))
    }

    async fn chat(&self, game: GameId, audience: Audience, limit: u32) -> Result<Vec<ChatRow>, StoreError> {
        let tables = self.0.lock();
        let rows = tables.chat.iter().filter(|row| row.game == game && row.audience == audience);
        let mut rows: Vec<ChatRow> = rows.cloned().collect();
        rows.sort_by_key(|row| row.line.id);
        Ok(rows[rows.len().saturating_sub(limit as usize)..].to_vec())
    }

    async fn lines_by(
        &self,
        player: PlayerId,
        after: Option<LineId>,
        limit: u32,
    ) -> Result<Vec<(GameId, ChatLine)>, StoreError> {
        let tables = self.0.lock();
        let lines = tables.chat.iter().filter(|row| row.line.who == player && Some(row.line.id) > after);
        let mut lines: Vec<_> = lines.map(|row| (row.game, row.line.clone())).collect();
        lines.sort_by_key(|(_, line)| line.id);
        lines.truncate(limit as usize);
        Ok(lines)
    }

    async fn review(&self, game: GameId) -> Result<Option<String>, StoreError> {
        Ok(self.0.lock().reviews.get(&game).cloned())
    }

    async fn conditional(&self, game: GameId, side: Side) -> Result<Option<ConditionalRow>, StoreError> {
        Ok(self.0.lock().conditionals.get(&(game, side)).cloned())
    }

    async fn due_conditionals(&self, limit: u32) -> Result<Vec<(GameId, Side)>, StoreError> {
        let tables = self.0.lock();
        let is_due = |conditional: &&ConditionalRow| {
            let game = tables.games.get(&conditional.game);
            game.is_some_and(|Game { row, turn_version, .. }| {
                let is_to_move = row.status == Status::Playing && row.to_move == conditional.side;
                is_to_move && conditional.version < *turn_version
            })
        };
        let due = tables.conditionals.values().filter(is_due).take(limit as usize);
        Ok(due.map(|row| (row.game, row.side)).collect())
    }

    async fn due_games(&self, now_ms: i64, limit: u32) -> Result<Vec<GameId>, StoreError> {
        let tables = self.0.lock();
        let unfinished = tables.games.values().filter(|game| !game.row.is_over());
        let due = unfinished.filter_map(|game| Some((game.row.deadline_ms?, game.row.id)));
        let mut due: Vec<_> = due.filter(|(deadline_ms, _)| *deadline_ms <= now_ms).collect();
        due.sort_unstable();
        Ok(due.into_iter().map(|(_, game)| game).take(limit as usize).collect())
    }

    async fn last_changes(&self, games: &[GameId]) -> Result<Vec<(GameId, LastChange)>, StoreError> {
        let tables = self.0.lock();
        let known = games.iter().filter_map(|id| tables.games.get(id));
        Ok(known.map(|game| (game.row.id, game.row.last_change())).collect())
    }

    async fn heads(&self, games: &[GameId], lines: u32) -> Result<Vec<Head>, StoreError> {
        let tables = self.0.lock();
        let n_lines = |game, audience| {
            let of_audience = |row: &&ChatRow| row.game == game && row.audience == audience;
            let n_lines = tables.chat.iter().filter(of_audience).take(lines as usize).count();
            u32::try_from(n_lines).expect("at most as many as are to be counted")
        };
        let head = |game: &Game| Head {
            game: game.row.id,
            last_change: game.row.last_change(),
            draft: game.draft.clone(),
            n_lines: [Audience::Players, Audience::Spectators].map(|audience| n_lines(game.row.id, audience)),
        };
        Ok(games.iter().filter_map(|id| tables.games.get(id)).map(head).collect())
    }

    async fn rows(&self, games: &[GameId]) -> Result<Vec<GameRow>, StoreError> {
        let tables = self.0.lock();
        Ok(games.iter().filter_map(|id| tables.games.get(id)).map(|game| game.row.clone()).collect())
    }

    async fn count_games(&self, player: PlayerId) -> Result<GameCounts, StoreError> {
        Ok(self.0.lock().count_games(player))
    }

    async fn count_finished_slow_games(&self, player: PlayerId, at_most: u32) -> Result<u32, StoreError> {
        Ok(self.0.lock().count_finished_slow_games(player).min(at_most))
    }

    async fn aborted_games(&self, before_ms: i64, limit: u32) -> Result<Vec<GameId>, StoreError> {
        Ok(self.0.lock().ended_before(before_ms, limit, is_aborted, |row| row.created_ms))
    }

    async fn given_up_games(&self, before_ms: i64, limit: u32) -> Result<Vec<GameId>, StoreError> {
        Ok(self.0.lock().ended_before(before_ms, limit, GameRow::was_given_up, |row| row.updated_ms))
    }
}

#[async_trait]
impl Players for Memory {
    async fn session(&self, token: &TokenHash, unused_since_ms: i64) -> Result<Option<Session>, StoreError> {
        let tables = self.0.lock();
        let used = tables.sessions.get(token).filter(|used| used.used_ms > unused_since_ms);
        Ok(used.and_then(|used| {
            let person = tables.players.get(&used.player)?;
            let (player, kind) = (person.player.clone(), person.kind());
            Some(Session { id: used.id, player, kind, used_ms: used.used_ms, proved_ms: used.proved_ms })
        }))
    }

    async fn sessions_of(
        &self,
        player: PlayerId,
        unused_since_ms: i64,
    ) -> Result<Vec<OwnSession>, StoreError> {
        let tables = self.0.lock();
        let of_player =
            tables.sessions.values().filter(|used| used.player == player && used.used_ms > unused_since_ms);
        let mut sessions: Vec<OwnSession> = of_player
            .map(|Used { id, label, created_ms, used_ms, .. }| OwnSession {
                id: *id,
                label: label.clone(),
                created_ms: *created_ms,
                used_ms: *used_ms,
            })
            .collect();
        sessions.sort_by_key(|session| (Reverse((session.used_ms, session.created_ms)), session.id));
        Ok(sessions)
    }

    async fn sessions_among(
        &self,
        players: &[PlayerId],
    ) -> Result<BTreeSet<(PlayerId, SessionId)>, StoreError> {
        let tables = self.0.lock();
        let among = tables.sessions.values().filter(|used| players.contains(&used.player));
        Ok(among.map(|used| (used.player, used.id)).collect())
    }

    async fn named(&self, players: &[PlayerId]) -> Result<Vec<(Player, PlayerKind)>, StoreError> {
        let tables = self.0.lock();
        let known = players.iter().filter_map(|player| tables.players.get(player));
        let named = known.filter(|person| person.is_named());
        Ok(named.map(|person| (person.player.clone(), person.kind())).collect())
    }

    async fn player_named(&self, name: &PlayerName) -> Result<Option<PlayerId>, StoreError> {
        let (tables, folded) = (self.0.lock(), name.folded());
        let named = |player: &PlayerId| tables.players.get(player).is_some_and(Person::is_named);
        let account = tables.owner(&folded).filter(named);
        let guests = tables
            .players
            .values()
            .filter(|person| person.is_named() && person.player.name.folded() == folded);
        Ok(account.or_else(|| guests.map(|person| person.player.id).max()))
    }

    async fn account(&self, player: PlayerId) -> Result<Option<Account>, StoreError> {
        let tables = self.0.lock();
        Ok(tables.players.get(&player).and_then(|Person { player, account, .. }| {
            let AccountData { password, former_names, mail, notices, .. } = account.clone()?;
            let AccountData { mail_recovers: recovers, mail_is_refused: is_refused, .. } = account.clone()?;
            let mail = mail.map(|address| AccountMail { address, recovers, is_refused });
            let (player, has_password) = (player.clone(), password.is_some());
            Some(Account { player, former_names, has_password, mail, notices })
        }))
    }

    async fn named_accounts(
        &self,
        after: Option<PlayerId>,
        limit: u32,
    ) -> Result<Vec<NamedAccount>, StoreError> {
        let tables = self.0.lock();
        let behind = tables.players.values().filter(|person| after.is_none_or(|id| person.player.id > id));
        let accounts = behind.filter_map(|Person { player, account, .. }| {
            let names = [account.as_ref()?.former_names.clone(), vec![player.name.clone()]].concat();
            let of_player = tables.name_keys.keys().filter(|key| tables.owner(key) == Some(player.id));
            let keys = of_player.cloned().collect();
            Some(NamedAccount { player: player.id, names, keys })
        });
        Ok(accounts.take(limit as usize).collect())
    }

    async fn closed_with_games(&self, limit: u32) -> Result<Vec<PlayerId>, StoreError> {
        let tables = self.0.lock();
        let closed = tables.players.values().filter_map(|person| {
            let closed_ms = person.account.as_ref()?.closed_ms?;
            let id = person.player.id;
            tables
                .games
                .values()
                .any(|game| tables.lists(&List::UnfinishedGamesOf(id), &game.row))
                .then_some((closed_ms, id))
        });
        let mut closed: Vec<_> = closed.collect();
        closed.sort_unstable();
        Ok(closed.into_iter().map(|(_, id)| id).take(limit as usize).collect())
    }

    async fn credentials(
        &self,
        key: &str,
        device: Option<&TokenHash>,
        now_ms: i64,
    ) -> Result<Option<Credentials>, StoreError> {
        let tables = self.0.lock();
        let player = tables.name_keys.get(key).copied().flatten();
        let person = player.and_then(|player| tables.players.get(&player));
        Ok(person.and_then(|Person { player, account, .. }| {
            let AccountData { password, recovery, .. } = account.clone()?;
            let until_ms = device.and_then(|device| tables.devices.get(&(player.id, *device)));
            let knows_device = until_ms.is_some_and(|until_ms| *until_ms > now_ms);
            Some(Credentials { player: player.clone(), password, recovery, knows_device })
        }))
    }

    async fn link(&self, secret: &TokenHash, now_ms: i64) -> Result<Option<LinkOf>, StoreError> {
        let tables = self.0.lock();
        Ok(tables.links().find(|of| of.link.secret == *secret && now_ms < of.link.expires_ms))
    }

    async fn due_mails(&self, now_ms: i64, limit: u32) -> Result<Vec<DueMail>, StoreError> {
        let tables = self.0.lock();
        let mut due: Vec<_> = tables.mails.iter().filter_map(|data| Some((data.due_ms?, data))).collect();
        due.retain(|(due_ms, _)| *due_ms <= now_ms);
        due.sort_by_key(|(due_ms, data)| (*due_ms, data.mail.id));
        let mail = |(_, data): (i64, &MailData)| DueMail { mail: data.mail.clone(), attempts: data.attempts };
        Ok(due.into_iter().map(mail).take(limit as usize).collect())
    }

    async fn count_tried_mails(&self, since_ms: i64) -> Result<u32, StoreError> {
        let tables = self.0.lock();
        let tried = tables.mails.iter().filter_map(|data| data.tried_ms);
        let tried = tried.chain(tables.tried_messages.iter().map(|(_, _, tried_ms)| *tried_ms));
        Ok(count(tried.filter(|tried_ms| *tried_ms > since_ms).count()))
    }

    async fn due_messages(
        &self,
        channel: NoticeChannel,
        now_ms: i64,
        limit: u32,
    ) -> Result<Vec<DueMessage>, StoreError> {
        Ok(self.0.lock().due_messages(channel, now_ms, limit))
    }

    async fn count_tried_notices(&self, since_ms: i64) -> Result<u32, StoreError> {
        let tables = self.0.lock();
        Ok(count(tables.tried_messages.iter().filter(|(_, _, tried_ms)| *tried_ms > since_ms).count()))
    }

    async fn last_notice_mail(
        &self,
        player: PlayerId,
        purpose: NoticePurpose,
        since_ms: i64,
    ) -> Result<Option<i64>, StoreError> {
        let tables = self.0.lock();
        let own = tables.tried_messages.iter().filter(|(of, why, _)| (*of, *why) == (player, purpose));
        Ok(own.map(|(_, _, tried_ms)| *tried_ms).filter(|tried_ms| *tried_ms > since_ms).max())
    }

    async fn count_recovery_mails_of(&self, player: PlayerId, since_ms: i64) -> Result<u32, StoreError> {
        Ok(self.0.lock().mails_of(player, since_ms, |errand| matches!(errand, Errand::Recover { .. })))
    }

    async fn messages_of(&self, player: PlayerId) -> Result<Vec<DueMessage>, StoreError> {
        Ok(self.0.lock().messages_of(player))
    }

    async fn mails_of(&self, player: PlayerId) -> Result<Vec<OwnMail>, StoreError> {
        let tables = self.0.lock();
        let own = tables.mails.iter().filter(|data| data.player == Some(player));
        let mail = |data: &MailData| OwnMail {
            purpose: row::errand(&data.mail.errand).0.to_owned(),
            to: data.due_ms.map(|_| data.mail.to.clone()),
            created_ms: data.created_ms,
        };
        Ok(own.map(mail).collect())
    }

    async fn devices_of(&self, player: PlayerId) -> Result<Vec<i64>, StoreError> {
        let tables = self.0.lock();
        let own = tables.devices.iter().filter(|((owner, _), _)| *owner == player);
        let mut until_ms: Vec<i64> = own.map(|(_, until_ms)| *until_ms).collect();
        until_ms.sort_unstable();
        Ok(until_ms)
    }

    async fn passkeys_of(&self, player: PlayerId) -> Result<Vec<Passkey>, StoreError> {
        let tables = self.0.lock();
        let own = tables.passkeys.values().filter(|(owner, _)| *owner == player);
        let mut own: Vec<Passkey> = own.map(|(_, passkey)| passkey.clone()).collect();
        own.sort_by_key(|passkey| (passkey.created_ms, passkey.id));
        Ok(own)
    }

    async fn pushes_of(&self, player: PlayerId) -> Result<Vec<OwnPush>, StoreError> {
        let tables = self.0.lock();
        let own = tables.pushes.values().filter_map(|PushData { session, subscription, failures }| {
            let used = tables.sessions.get(session)?;
            let (subscription, failures) = (subscription.clone(), *failures);
            (used.player == player).then_some(OwnPush { session: used.id, subscription, failures })
        });
        Ok(own.collect())
    }

    async fn count_passkeys_elsewhere(&self, host: &str) -> Result<u64, StoreError> {
        let tables = self.0.lock();
        Ok(tables.passkeys.values().filter(|(_, passkey)| passkey.host != host).count() as u64)
    }

    async fn is_taken(&self, name: &PlayerName, player: PlayerId) -> Result<bool, StoreError> {
        let tables = self.0.lock();
        Ok(name
            .keys()
            .iter()
            .any(|key| tables.name_keys.contains_key(key) && tables.owner(key) != Some(player)))
    }

    async fn blocks_of(&self, player: PlayerId) -> Result<Vec<Player>, StoreError> {
        let tables = self.0.lock();
        let blocks = tables.blocks.iter().filter(|((by, _), _)| *by == player);
        let mut blocked: Vec<_> = blocks.map(|((_, whom), since_ms)| (Reverse(*since_ms), *whom)).collect();
        blocked.sort_unstable();
        let players = blocked.into_iter().filter_map(|(_, whom)| tables.players.get(&whom));
        let players = players.filter(|person| person.is_named());
        Ok(players.map(|person| person.player.clone()).collect())
    }

    async fn inbox(
        &self,
        player: PlayerId,
        before: Option<NoticeId>,
        limit: u32,
    ) -> Result<Vec<InboxNotice>, StoreError> {
        let tables = self.0.lock();
        let own = tables
            .notices
            .iter()
            .rev()
            .filter(|((of, id), _)| *of == player && before.is_none_or(|before| *id < before));
        Ok(own.map(|(_, notice)| notice.clone()).take(limit as usize).collect())
    }

    async fn count_unseen(&self, player: PlayerId) -> Result<u32, StoreError> {
        let tables = self.0.lock();
        let own = tables.notices.iter().filter(|((of, _), _)| *of == player);
        Ok(count(own.filter(|(_, notice)| notice.seen_ms.is_none()).count()))
    }

    async fn vacations(&self, player: PlayerId) -> Result<Option<Vacations>, StoreError> {
        Ok(self.0.lock().players.get(&player).map(|person| person.vacations.clone()))
    }

    async fn uncredited_vacations(&self, limit: u32) -> Result<Vec<(PlayerId, Period)>, StoreError> {
        let tables = self.0.lock();
        let uncredited = tables.players.iter().flat_map(|(player, person)| {
            let taken = person.vacations.taken.iter();
            let uncredited = taken.filter(|taken| person.uncredited.contains(&taken.from_ms));
            uncredited.map(|taken| (*player, taken.period()))
        });
        let mut uncredited: Vec<_> = uncredited.collect();
        uncredited.sort_by_key(|(_, period)| period.from_ms);
        uncredited.truncate(limit as usize);
        Ok(uncredited)
    }

    async fn all_vacations(
        &self,
        after: Option<(PlayerId, Vacation)>,
        limit: u32,
    ) -> Result<Vec<(PlayerId, Vacation)>, StoreError> {
        let tables = self.0.lock();
        let all = tables
            .players
            .iter()
            .flat_map(|(player, person)| person.vacations.taken.iter().map(|vacation| (*player, *vacation)));
        let place = |(player, vacation): &(PlayerId, Vacation)| (*player, vacation.from_ms);
        let after = after.as_ref().map(place);
        let next = all.filter(|vacation| after.is_none_or(|after| place(vacation) > after));
        Ok(next.take(limit as usize).collect())
    }

    async fn blocked_among(
        &self,
        player: PlayerId,
        others: &[PlayerId],
    ) -> Result<Vec<PlayerId>, StoreError> {
        let tables = self.0.lock();
        let is_blocked =
            |other| [(player, other), (other, player)].iter().any(|pair| tables.blocks.contains_key(pair));
        Ok(others.iter().copied().filter(|other| is_blocked(*other)).collect())
    }
}

#[async_trait]
impl Seeks for Memory {
    async fn seek(&self, seek: SeekId) -> Result<Option<Seek>, StoreError> {
        Ok(self.0.lock().open_seeks().find(|open| open.id == seek).copied())
    }

    async fn seeks_of(&self, player: PlayerId) -> Result<Vec<Seek>, StoreError> {
        Ok(self.0.lock().open_seeks().filter(|seek| seek.player == player).copied().collect())
    }

    async fn newest_seeks(
        &self,
        player: PlayerId,
        limits: GameLimits,
        limit: u32,
    ) -> Result<Vec<Seek>, StoreError> {
        let tables = self.0.lock();
        Ok(tables.seeks_to_accept(player, limits).rev().take(limit as usize).copied().collect())
    }

    async fn seeks_like(&self, seek: &Seek, limits: GameLimits, limit: u32) -> Result<Vec<Seek>, StoreError> {
        let tables = self.0.lock();
        let is_like = |other: &&Seek| (other.ruleset, other.clock) == (seek.ruleset, seek.clock);
        let seeks = tables.seeks_to_accept(seek.player, limits).filter(is_like);
        Ok(seeks.take(limit as usize).copied().collect())
    }
}

#[async_trait]
impl Nodes for Memory {
    async fn outages_since(&self, ms: i64) -> Result<Vec<Outage>, StoreError> {
        Ok(self.0.lock().outages.iter().filter(|outage| outage.to_ms > ms).copied().collect())
    }

    async fn server_key(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        Ok(self.0.lock().server_keys.get(name).cloned())
    }

    async fn ping(&self) -> Result<(), StoreError> {
        Ok(())
    }

    async fn verify_tables(&self) -> Result<(), StoreError> {
        Ok(())
    }

    async fn free_bytes(&self) -> Result<Option<u64>, StoreError> {
        Ok(self.0.lock().free_bytes)
    }

    async fn close(&self) {}
}
