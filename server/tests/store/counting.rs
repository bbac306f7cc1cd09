use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicUsize, Ordering},
};

use async_trait::async_trait;
use towers::{
    ids::{GameId, NodeId, PlayerId, PlayerName, Version},
    protocol::{GameSummary, Player},
    store::{
        Audience, CannotBlock, ChatRow, Conflict, GameCounts, List, Log, Outage, Page, Paging, Store,
        StoreError, Swept, TokenHash, Write,
    },
};

use crate::database::Database;

/// Counts what goes through it.
#[derive(Debug)]
pub(crate) struct Counting {
    store: Arc<dyn Store>,
    pub(crate) commits: AtomicUsize,
    pub(crate) writes: AtomicUsize,
    /// Whether the next commit panics.
    pub(crate) breaks: AtomicBool,
}

impl Counting {
    pub(crate) fn of(database: &Database) -> Self {
        let (commits, writes) = (AtomicUsize::new(0), AtomicUsize::new(0));
        Self { store: Arc::clone(&database.store), commits, writes, breaks: AtomicBool::new(false) }
    }
}

#[async_trait]
impl Store for Counting {
    async fn commit(&self, writes: &[Write]) -> Result<Vec<Result<(), Conflict>>, StoreError> {
        self.commits.fetch_add(1, Ordering::Relaxed);
        self.writes.fetch_add(writes.len(), Ordering::Relaxed);
        assert!(writes.len() <= 512);
        assert!(!self.breaks.swap(false, Ordering::Relaxed), "it is to break");
        self.store.commit(writes).await
    }

    async fn log(&self, game: GameId) -> Result<Option<Log>, StoreError> {
        self.store.log(game).await
    }

    async fn game(&self, game: GameId) -> Result<Option<GameSummary>, StoreError> {
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

    async fn due_games(&self, now_ms: i64, limit: u32) -> Result<Vec<GameId>, StoreError> {
        self.store.due_games(now_ms, limit).await
    }

    async fn may_sweep(&self, node: NodeId, now_ms: i64, until_ms: i64) -> Result<bool, StoreError> {
        self.store.may_sweep(node, now_ms, until_ms).await
    }

    async fn versions(&self, games: &[GameId]) -> Result<Vec<(GameId, Version)>, StoreError> {
        self.store.versions(games).await
    }

    async fn count_games(&self, player: PlayerId) -> Result<GameCounts, StoreError> {
        self.store.count_games(player).await
    }

    async fn unplayed_games(&self, before_ms: i64, limit: u32) -> Result<Vec<GameId>, StoreError> {
        self.store.unplayed_games(before_ms, limit).await
    }

    async fn clear_games(&self, deleted: &[GameId], spared: &[GameId]) -> Result<(), StoreError> {
        self.store.clear_games(deleted, spared).await
    }

    async fn note_seen(&self, players: &[PlayerId], now_ms: i64) -> Result<(), StoreError> {
        self.store.note_seen(players, now_ms).await
    }

    async fn clear_guests(&self, before_ms: i64, limit: u32) -> Result<Swept, StoreError> {
        self.store.clear_guests(before_ms, limit).await
    }

    async fn create_player(&self, player: &Player, token: &TokenHash, now_ms: i64) -> Result<(), StoreError> {
        self.store.create_player(player, token, now_ms).await
    }

    async fn player_by_token(&self, token: &TokenHash) -> Result<Option<Player>, StoreError> {
        self.store.player_by_token(token).await
    }

    async fn rename(&self, player: PlayerId, name: &PlayerName) -> Result<Option<Player>, StoreError> {
        self.store.rename(player, name).await
    }

    async fn block(
        &self,
        player: PlayerId,
        blocked: PlayerId,
        now_ms: i64,
    ) -> Result<Result<(), CannotBlock>, StoreError> {
        self.store.block(player, blocked, now_ms).await
    }

    async fn unblock(&self, player: PlayerId, blocked: PlayerId) -> Result<(), StoreError> {
        self.store.unblock(player, blocked).await
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

    async fn beat(&self, now_ms: i64, gap_ms: i64) -> Result<Option<Outage>, StoreError> {
        self.store.beat(now_ms, gap_ms).await
    }

    async fn outages_since(&self, ms: i64) -> Result<Vec<Outage>, StoreError> {
        self.store.outages_since(ms).await
    }

    async fn ping(&self) -> Result<(), StoreError> {
        self.store.ping().await
    }
}
