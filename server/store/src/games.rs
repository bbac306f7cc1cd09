use std::{fmt, future::ready};

use async_trait::async_trait;
use engine::Side;
use game::ids::{GameId, LineId, PlayerId, Version};

use crate::{
    Audience, ChatLine, ChatRow, ConditionalRow, GameCounts, GameRow, Head, LastChange, List, Log, LogPage,
    Page, Paging, StoreError, TurnEvent, log::read_pages,
};

/// Games: their logs, drafts, chats and reviews, and the rows of the lists.
#[async_trait]
pub trait Games: fmt::Debug + Send + Sync + 'static {
    /// Reads the next events of a game after a version, at most `limit`, and its draft, in one snapshot; `None` if
    /// there is no such game.
    async fn log_page(&self, game: GameId, after: Version, limit: u32)
    -> Result<Option<LogPage>, StoreError>;

    /// Reads all events and the draft of a game; `None` if there is no such game.
    async fn log(&self, game: GameId) -> Result<Option<Log>, StoreError> {
        self.log_after(game, Version::NONE).await
    }

    /// Reads the events of a game after a version, page by page, and its draft; `None` if there is no such game.
    async fn log_after(&self, game: GameId, after: Version) -> Result<Option<Log>, StoreError> {
        read_pages(self, game, after, || ready(())).await
    }

    /// Reads a game's row.
    async fn game(&self, game: GameId) -> Result<Option<GameRow>, StoreError>;

    /// Reads the next ids of all games after `after`, in order, at most `limit`.
    async fn games_after(&self, after: Option<GameId>, limit: u32) -> Result<Vec<GameId>, StoreError>;

    /// Reads a page of a list.
    async fn list(&self, list: List, paging: Paging) -> Result<Page, StoreError>;

    /// Reads the newest lines of one of a game's chats, at most `limit`, in chronological order.
    async fn chat(&self, game: GameId, audience: Audience, limit: u32) -> Result<Vec<ChatRow>, StoreError>;

    /// Reads the next lines of a player after `after`, in any game, in chronological order, at most `limit`.
    async fn lines_by(
        &self,
        player: PlayerId,
        after: Option<LineId>,
        limit: u32,
    ) -> Result<Vec<(GameId, ChatLine)>, StoreError>;

    /// Reads the body of a game's review; `None` if there is no review or no such game.
    async fn review(&self, game: GameId) -> Result<Option<String>, StoreError>;

    /// Reads the conditional turns of a side.
    async fn conditional(&self, game: GameId, side: Side) -> Result<Option<ConditionalRow>, StoreError>;

    /// Reads the sides to move that have conditional turns from before their turn, in games under way, at most `limit`.
    async fn due_conditionals(&self, limit: u32) -> Result<Vec<(GameId, Side)>, StoreError>;

    /// Reads the ids of open rooms and games under way whose deadline is not after `now_ms`, at most `limit`, roughly the
    /// most overdue first.
    async fn due_games(&self, now_ms: i64, limit: u32) -> Result<Vec<GameId>, StoreError>;

    /// Reads the last changes of games, in no particular order. Unknown games are omitted.
    async fn last_changes(&self, games: &[GameId]) -> Result<Vec<(GameId, LastChange)>, StoreError>;

    /// Reads the heads of games, with at most `lines` lines of each chat counted, in no particular order. Unknown games
    /// are omitted.
    async fn heads(&self, games: &[GameId], lines: u32) -> Result<Vec<Head>, StoreError>;

    /// Reads the rows of games, in no particular order. Unknown games are omitted.
    async fn rows(&self, games: &[GameId]) -> Result<Vec<GameRow>, StoreError>;

    /// Reads the events of the turns under way in games, each from the one that began the turn on. Those of a game are in their
    /// order. Games that are not under way are omitted.
    async fn turn_events(&self, games: &[GameId]) -> Result<Vec<TurnEvent>, StoreError>;

    /// Counts the open rooms and games under way of a player, by link or public.
    async fn count_games(&self, player: PlayerId) -> Result<GameCounts, StoreError>;

    /// Counts the finished slow games of a player, up to `at_most`, by link or public.
    async fn count_finished_slow_games(&self, player: PlayerId, at_most: u32) -> Result<u32, StoreError>;

    /// Reads the ids of games that were cancelled or aborted before a time and are not yet [spared](Clearing::Games),
    /// at most `limit`, the oldest first.
    async fn aborted_games(&self, before_ms: i64, limit: u32) -> Result<Vec<GameId>, StoreError>;

    /// Reads the ids of games that [were given up](GameRow::was_given_up) before a time and are not yet
    /// [spared](Clearing::Games), at most `limit`, the oldest first.
    async fn given_up_games(&self, before_ms: i64, limit: u32) -> Result<Vec<GameId>, StoreError>;
}
