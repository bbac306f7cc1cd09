use std::{
    collections::BTreeSet,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};

use async_trait::async_trait;
use engine::Side;
use game::{
    NoticeChannel, NoticePurpose, Period, Player, PlayerKind, Role, Vacation, Vacations,
    ids::{ActId, GameId, LineId, NoticeId, PlayerId, PlayerName, ReportId, SeekId, SessionId, Version},
};
use parking_lot::Mutex;
use store::{
    Account, Act, Audience, ChatLine, ChatRow, ConditionalRow, Credentials, DueMail, DueMessage, GameCounts,
    GameLimits, GameRow, Games, Head, InboxNotice, LastChange, LinkOf, List, LogPage, Moderation,
    NamedAccount, Nodes, Outage, OwnMail, OwnPush, OwnSession, Page, Paging, Passkey, Players, Refused,
    Report, ReportCursor, Seek, Seeks, Session, Store, StoreError, TokenHash, TurnEvent, Write, Written,
};

use crate::database::Database;

/// A store that counts its transactions.
#[derive(Debug)]
pub(crate) struct Counting {
    store: Arc<dyn Store>,
    pub(crate) commits: AtomicUsize,
    pub(crate) writes: AtomicUsize,
    /// For each transaction, the number of appends and of other writes.
    pub(crate) transactions: Mutex<Vec<(usize, usize)>>,
    /// Whether the next commit panics.
    pub(crate) breaks: AtomicBool,
}

impl Counting {
    pub(crate) fn of(database: &Database) -> Self {
        let (commits, writes) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let (transactions, breaks) = (Mutex::default(), AtomicBool::new(false));
        Self { store: Arc::clone(&database.store), commits, writes, transactions, breaks }
    }
}

#[async_trait]
impl Store for Counting {
    async fn commit(&self, writes: &[Write]) -> Result<Vec<Result<Written, Refused>>, StoreError> {
        self.commits.fetch_add(1, Ordering::Relaxed);
        self.writes.fetch_add(writes.len(), Ordering::Relaxed);
        let appends = writes.iter().filter(|write| matches!(write, Write::Append(_))).count();
        self.transactions.lock().push((appends, writes.len() - appends));
        assert!(writes.len() <= 512 + 32, "at most 512 urgent and 32 deferrable writes");
        assert!(!self.breaks.swap(false, Ordering::Relaxed), "the test makes this commit panic");
        self.store.commit(writes).await
    }
}

#[async_trait]
impl Moderation for Counting {
    async fn role(&self, player: PlayerId) -> Result<Option<Role>, StoreError> {
        self.store.role(player).await
    }

    async fn muted(&self, now_ms: i64) -> Result<Vec<(PlayerId, i64)>, StoreError> {
        self.store.muted(now_ms).await
    }

    async fn reports(
        &self,
        reader: PlayerId,
        after: Option<ReportCursor>,
        limit: u32,
    ) -> Result<Vec<Report>, StoreError> {
        self.store.reports(reader, after, limit).await
    }

    async fn report(&self, id: ReportId) -> Result<Option<Report>, StoreError> {
        self.store.report(id).await
    }

    async fn acts(&self, before: Option<ActId>, limit: u32) -> Result<Vec<Act>, StoreError> {
        self.store.acts(before, limit).await
    }

    async fn acts_on(
        &self,
        player: PlayerId,
        before: Option<ActId>,
        limit: u32,
    ) -> Result<Vec<Act>, StoreError> {
        self.store.acts_on(player, before, limit).await
    }

    async fn acts_by(
        &self,
        moderator: PlayerId,
        before: Option<ActId>,
        limit: u32,
    ) -> Result<Vec<Act>, StoreError> {
        self.store.acts_by(moderator, before, limit).await
    }

    async fn reports_by(
        &self,
        player: PlayerId,
        after: Option<ReportId>,
        limit: u32,
    ) -> Result<Vec<Report>, StoreError> {
        self.store.reports_by(player, after, limit).await
    }
}

#[async_trait]
impl Games for Counting {
    async fn log_page(
        &self,
        game: GameId,
        after: Version,
        limit: u32,
    ) -> Result<Option<LogPage>, StoreError> {
        self.store.log_page(game, after, limit).await
    }

    async fn game(&self, game: GameId) -> Result<Option<GameRow>, StoreError> {
        self.store.game(game).await
    }

    async fn games_after(&self, after: Option<GameId>, limit: u32) -> Result<Vec<GameId>, StoreError> {
        self.store.games_after(after, limit).await
    }

    async fn list(&self, list: List, paging: Paging) -> Result<Page, StoreError> {
        self.store.list(list, paging).await
    }

    async fn chat(&self, game: GameId, audience: Audience, limit: u32) -> Result<Vec<ChatRow>, StoreError> {
        self.store.chat(game, audience, limit).await
    }

    async fn lines_by(
        &self,
        player: PlayerId,
        after: Option<LineId>,
        limit: u32,
    ) -> Result<Vec<(GameId, ChatLine)>, StoreError> {
        self.store.lines_by(player, after, limit).await
    }

    async fn review(&self, game: GameId) -> Result<Option<String>, StoreError> {
        self.store.review(game).await
    }

    async fn conditional(&self, game: GameId, side: Side) -> Result<Option<ConditionalRow>, StoreError> {
        self.store.conditional(game, side).await
    }

    async fn due_conditionals(&self, limit: u32) -> Result<Vec<(GameId, Side)>, StoreError> {
        self.store.due_conditionals(limit).await
    }

    async fn due_games(&self, now_ms: i64, limit: u32) -> Result<Vec<GameId>, StoreError> {
        self.store.due_games(now_ms, limit).await
    }

    async fn last_changes(&self, games: &[GameId]) -> Result<Vec<(GameId, LastChange)>, StoreError> {
        self.store.last_changes(games).await
    }

    async fn heads(&self, games: &[GameId], lines: u32) -> Result<Vec<Head>, StoreError> {
        self.store.heads(games, lines).await
    }

    async fn rows(&self, games: &[GameId]) -> Result<Vec<GameRow>, StoreError> {
        self.store.rows(games).await
    }

    async fn turn_events(&self, games: &[GameId]) -> Result<Vec<TurnEvent>, StoreError> {
        self.store.turn_events(games).await
    }

    async fn count_games(&self, player: PlayerId) -> Result<GameCounts, StoreError> {
        self.store.count_games(player).await
    }

    async fn count_finished_slow_games(&self, player: PlayerId, at_most: u32) -> Result<u32, StoreError> {
        self.store.count_finished_slow_games(player, at_most).await
    }

    async fn aborted_games(&self, before_ms: i64, limit: u32) -> Result<Vec<GameId>, StoreError> {
        self.store.aborted_games(before_ms, limit).await
    }

    async fn given_up_games(&self, before_ms: i64, limit: u32) -> Result<Vec<GameId>, StoreError> {
        self.store.given_up_games(before_ms, limit).await
    }
}

#[async_trait]
impl Players for Counting {
    async fn session(&self, token: &TokenHash, unused_since_ms: i64) -> Result<Option<Session>, StoreError> {
        self.store.session(token, unused_since_ms).await
    }

    async fn sessions_of(
        &self,
        player: PlayerId,
        unused_since_ms: i64,
    ) -> Result<Vec<OwnSession>, StoreError> {
        self.store.sessions_of(player, unused_since_ms).await
    }

    async fn sessions_among(
        &self,
        players: &[PlayerId],
    ) -> Result<BTreeSet<(PlayerId, SessionId)>, StoreError> {
        self.store.sessions_among(players).await
    }

    async fn named(&self, players: &[PlayerId]) -> Result<Vec<(Player, PlayerKind)>, StoreError> {
        self.store.named(players).await
    }

    async fn player_named(&self, name: &PlayerName) -> Result<Option<PlayerId>, StoreError> {
        self.store.player_named(name).await
    }

    async fn account(&self, player: PlayerId) -> Result<Option<Account>, StoreError> {
        self.store.account(player).await
    }

    async fn named_accounts(
        &self,
        after: Option<PlayerId>,
        limit: u32,
    ) -> Result<Vec<NamedAccount>, StoreError> {
        self.store.named_accounts(after, limit).await
    }

    async fn closed_with_games(&self, limit: u32) -> Result<Vec<PlayerId>, StoreError> {
        self.store.closed_with_games(limit).await
    }

    async fn credentials(
        &self,
        key: &str,
        device: Option<&TokenHash>,
        now_ms: i64,
    ) -> Result<Option<Credentials>, StoreError> {
        self.store.credentials(key, device, now_ms).await
    }

    async fn link(&self, secret: &TokenHash, now_ms: i64) -> Result<Option<LinkOf>, StoreError> {
        self.store.link(secret, now_ms).await
    }

    async fn due_mails(&self, now_ms: i64, limit: u32) -> Result<Vec<DueMail>, StoreError> {
        self.store.due_mails(now_ms, limit).await
    }

    async fn count_tried_mails(&self, since_ms: i64) -> Result<u32, StoreError> {
        self.store.count_tried_mails(since_ms).await
    }

    async fn due_messages(
        &self,
        channel: NoticeChannel,
        now_ms: i64,
        limit: u32,
    ) -> Result<Vec<DueMessage>, StoreError> {
        self.store.due_messages(channel, now_ms, limit).await
    }

    async fn count_tried_notices(&self, since_ms: i64) -> Result<u32, StoreError> {
        self.store.count_tried_notices(since_ms).await
    }

    async fn last_notice_mail(
        &self,
        player: PlayerId,
        purpose: NoticePurpose,
        since_ms: i64,
    ) -> Result<Option<i64>, StoreError> {
        self.store.last_notice_mail(player, purpose, since_ms).await
    }

    async fn count_recovery_mails_of(&self, player: PlayerId, since_ms: i64) -> Result<u32, StoreError> {
        self.store.count_recovery_mails_of(player, since_ms).await
    }

    async fn inbox(
        &self,
        player: PlayerId,
        before: Option<NoticeId>,
        limit: u32,
    ) -> Result<Vec<InboxNotice>, StoreError> {
        self.store.inbox(player, before, limit).await
    }

    async fn count_unseen(&self, player: PlayerId) -> Result<u32, StoreError> {
        self.store.count_unseen(player).await
    }

    async fn vacations(&self, player: PlayerId) -> Result<Option<Vacations>, StoreError> {
        self.store.vacations(player).await
    }

    async fn uncredited_vacations(&self, limit: u32) -> Result<Vec<(PlayerId, Period)>, StoreError> {
        self.store.uncredited_vacations(limit).await
    }

    async fn all_vacations(
        &self,
        after: Option<(PlayerId, Vacation)>,
        limit: u32,
    ) -> Result<Vec<(PlayerId, Vacation)>, StoreError> {
        self.store.all_vacations(after, limit).await
    }

    async fn messages_of(&self, player: PlayerId) -> Result<Vec<DueMessage>, StoreError> {
        self.store.messages_of(player).await
    }

    async fn mails_of(&self, player: PlayerId) -> Result<Vec<OwnMail>, StoreError> {
        self.store.mails_of(player).await
    }

    async fn devices_of(&self, player: PlayerId) -> Result<Vec<i64>, StoreError> {
        self.store.devices_of(player).await
    }

    async fn passkeys_of(&self, player: PlayerId) -> Result<Vec<Passkey>, StoreError> {
        self.store.passkeys_of(player).await
    }

    async fn pushes_of(&self, player: PlayerId) -> Result<Vec<OwnPush>, StoreError> {
        self.store.pushes_of(player).await
    }

    async fn count_passkeys_elsewhere(&self, host: &str) -> Result<u64, StoreError> {
        self.store.count_passkeys_elsewhere(host).await
    }

    async fn is_taken(&self, name: &PlayerName, player: PlayerId) -> Result<bool, StoreError> {
        self.store.is_taken(name, player).await
    }

    async fn blocks_of(&self, player: PlayerId) -> Result<Vec<Player>, StoreError> {
        self.store.blocks_of(player).await
    }

    async fn blocked_among(
        &self,
        player: PlayerId,
        others: &[PlayerId],
    ) -> Result<Vec<PlayerId>, StoreError> {
        self.store.blocked_among(player, others).await
    }
}

#[async_trait]
impl Seeks for Counting {
    async fn seek(&self, seek: SeekId) -> Result<Option<Seek>, StoreError> {
        self.store.seek(seek).await
    }

    async fn seeks_of(&self, player: PlayerId) -> Result<Vec<Seek>, StoreError> {
        self.store.seeks_of(player).await
    }

    async fn newest_seeks(
        &self,
        player: PlayerId,
        limits: GameLimits,
        limit: u32,
    ) -> Result<Vec<Seek>, StoreError> {
        self.store.newest_seeks(player, limits, limit).await
    }

    async fn seeks_like(&self, seek: &Seek, limits: GameLimits, limit: u32) -> Result<Vec<Seek>, StoreError> {
        self.store.seeks_like(seek, limits, limit).await
    }

    async fn left_seeks(&self, seen_ms: i64, limit: u32) -> Result<Vec<SeekId>, StoreError> {
        self.store.left_seeks(seen_ms, limit).await
    }
}

#[async_trait]
impl Nodes for Counting {
    async fn outages_since(&self, ms: i64) -> Result<Vec<Outage>, StoreError> {
        self.store.outages_since(ms).await
    }

    async fn server_key(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.store.server_key(name).await
    }

    async fn ping(&self) -> Result<(), StoreError> {
        self.store.ping().await
    }

    async fn verify_tables(&self) -> Result<(), StoreError> {
        self.store.verify_tables().await
    }

    async fn close(&self) {
        self.store.close().await;
    }
}
