use async_trait::async_trait;
use engine::Side;
use game::{
    StoredWord,
    ids::{GameId, LineId, PlayerId, Version},
};
use sqlx::Connection as _;
use uuid::Uuid;

use super::{Connection, SqlDatabase, text};
use crate::{
    Audience, ChatLine, ChatRow, ConditionalRow, Cursor, GameCounts, GameRow, Games, Head, LastChange, List,
    LogPage, Page, Paging, StoreError, TurnEvent,
    error::reading,
    row::{self, GameColumns, HeadRow, LineRow, OwnLineRow},
};

#[async_trait]
impl<D: SqlDatabase> Games for D {
    async fn log_page(
        &self,
        game: GameId,
        after: Version,
        limit: u32,
    ) -> Result<Option<LogPage>, StoreError> {
        reading("read the log of a game", async {
            let mut reader = self.reader().await?;
            let mut tx = reader.begin_with(Self::BEGIN_TO_READ).await?;
            let events = tx.rows(text::EVENTS.bind(game.uuid()).bind(after.get()).bind(limit)).await?;
            let draft = tx.row(text::DRAFT.bind(game.uuid())).await?;
            tx.commit().await?;
            row::log_page(game, after, limit, events, draft)
        })
        .await
    }

    async fn game(&self, game: GameId) -> Result<Option<GameRow>, StoreError> {
        reading("read a game", async {
            let statement = text::GAME.bind(game.uuid());
            let row: Option<GameColumns> = self.read_first(statement).await?;
            row.map(GameRow::try_from).transpose()
        })
        .await
    }

    async fn games_after(&self, after: Option<GameId>, limit: u32) -> Result<Vec<GameId>, StoreError> {
        reading("go through all games", async {
            let statement = text::GAMES_AFTER.bind(after.map_or(Uuid::nil(), GameId::uuid)).bind(limit);
            Ok(row::games(self.read(statement).await?))
        })
        .await
    }

    async fn list(&self, list: List, paging: Paging) -> Result<Page, StoreError> {
        reading("read a list of games", async {
            let reader = if list.is_browsed() { self.list_reader().await } else { self.reader().await };
            let mut connection = reader?;
            let mut last = None;
            if let Some(statement) = list.last_looked_at(paging) {
                let row: Option<(i64, Uuid)> = connection.row(statement).await?;
                last = row.map(|(at_ms, game)| Cursor { at_ms, game: GameId::new(game) });
            }
            let (mut games, mut behind) = (Vec::new(), paging);
            loop {
                let rows: Vec<GameColumns> = connection.rows(list.page(behind, last)).await?;
                let next = rows.last().filter(|_| rows.len() > paging.limit as usize);
                behind.before = next.map(|row| row.cursor(&list));
                games.extend(row::readable(rows));
                if behind.before.is_none() || games.len() > paging.limit as usize {
                    return Ok(Page::of(&list, games, paging.limit, last));
                }
            }
        })
        .await
    }

    async fn chat(&self, game: GameId, audience: Audience, limit: u32) -> Result<Vec<ChatRow>, StoreError> {
        reading("read a chat", async {
            let statement = text::CHAT.bind(game.uuid()).bind(audience.word()).bind(limit);
            let rows: Vec<LineRow> = self.read(statement).await?;
            rows.into_iter().rev().map(|row| row.chat_row(game, audience)).collect()
        })
        .await
    }

    async fn lines_by(
        &self,
        player: PlayerId,
        after: Option<LineId>,
        limit: u32,
    ) -> Result<Vec<(GameId, ChatLine)>, StoreError> {
        reading("read the lines of a player", async {
            let after = after.map_or_else(Uuid::nil, LineId::uuid);
            let statement = text::LINES_BY.bind(player.uuid()).bind(after).bind(limit);
            row::all(self.read::<OwnLineRow>(statement).await?)
        })
        .await
    }

    async fn review(&self, game: GameId) -> Result<Option<String>, StoreError> {
        reading("read a review", async {
            let row: Option<(String,)> = self.read_first(text::REVIEW.bind(game.uuid())).await?;
            Ok(row.map(|(body,)| body))
        })
        .await
    }

    async fn conditional(&self, game: GameId, side: Side) -> Result<Option<ConditionalRow>, StoreError> {
        reading("read conditional turns", async {
            let statement = text::CONDITIONAL.bind(game.uuid()).bind(side.as_db_str());
            let row: Option<(i64, String)> = self.read_first(statement).await?;
            let convert =
                |(version, body)| Ok(ConditionalRow { game, side, version: row::version(version)?, body });
            row.map(convert).transpose()
        })
        .await
    }

    async fn due_conditionals(&self, limit: u32) -> Result<Vec<(GameId, Side)>, StoreError> {
        reading("look for conditional turns that are due", async {
            let rows: Vec<(Uuid, String)> = self.read(text::DUE_CONDITIONALS.bind(limit)).await?;
            rows.into_iter().map(|(game, side)| Ok((GameId::new(game), row::from_word(&side)?))).collect()
        })
        .await
    }

    async fn due_games(&self, now_ms: i64, limit: u32) -> Result<Vec<GameId>, StoreError> {
        reading("look for games that are due", async {
            let statement = text::DUE_GAMES.bind(now_ms).bind(limit);
            Ok(row::games(self.read(statement).await?))
        })
        .await
    }

    async fn last_changes(&self, games: &[GameId]) -> Result<Vec<(GameId, LastChange)>, StoreError> {
        reading("read how far games are", async {
            let statement = text::LAST_CHANGES.bind_ids(games.iter().map(|game| game.uuid()));
            let rows: Vec<(Uuid, i64, i64)> = self.read(statement).await?;
            let last_change = |(game, version, at_ms)| {
                Ok((GameId::new(game), LastChange { version: row::version(version)?, at_ms }))
            };
            rows.into_iter().map(last_change).collect()
        })
        .await
    }

    async fn heads(&self, games: &[GameId], lines: u32) -> Result<Vec<Head>, StoreError> {
        reading("compare games", async {
            let statement = text::HEADS.bind_ids(games.iter().map(|game| game.uuid())).bind(lines);
            row::all(self.read::<HeadRow>(statement).await?)
        })
        .await
    }

    async fn rows(&self, games: &[GameId]) -> Result<Vec<GameRow>, StoreError> {
        reading("read the rows of games", async {
            let statement = text::GAMES.bind_ids(games.iter().map(|game| game.uuid()));
            row::all(self.read::<GameColumns>(statement).await?)
        })
        .await
    }

    async fn turn_events(&self, games: &[GameId]) -> Result<Vec<TurnEvent>, StoreError> {
        reading("read the turns under way in games", async {
            let statement = text::TURN_EVENTS.bind_ids(games.iter().map(|game| game.uuid()));
            let rows: Vec<(Uuid, i64, String)> = self.read(statement).await?;
            let event = |(game, at_ms, body)| TurnEvent { game: GameId::new(game), at_ms, body };
            Ok(rows.into_iter().map(event).collect())
        })
        .await
    }

    async fn count_games(&self, player: PlayerId) -> Result<GameCounts, StoreError> {
        reading("count the games of a player", async {
            let statement = text::COUNT_GAMES.bind(player.uuid());
            let counts: Option<(i64, i64, i64)> = self.read_first(statement).await?;
            GameCounts::try_from(counts.ok_or(sqlx::Error::RowNotFound)?)
        })
        .await
    }

    async fn count_finished_slow_games(&self, player: PlayerId, at_most: u32) -> Result<u32, StoreError> {
        reading("count the finished games of a player", async {
            let statement = text::COUNT_FINISHED_SLOW_GAMES.bind(player.uuid()).bind(at_most);
            let count: Option<(i64,)> = self.read_first(statement).await?;
            row::count(count.ok_or(sqlx::Error::RowNotFound)?.0)
        })
        .await
    }

    async fn aborted_games(&self, before_ms: i64, limit: u32) -> Result<Vec<GameId>, StoreError> {
        reading("look for games without a result", async {
            let statement = text::ABORTED_GAMES.bind(before_ms).bind(limit);
            Ok(row::games(self.read(statement).await?))
        })
        .await
    }

    async fn given_up_games(&self, before_ms: i64, limit: u32) -> Result<Vec<GameId>, StoreError> {
        reading("look for games that were given up", async {
            let statement = text::GIVEN_UP_GAMES.bind(before_ms).bind(limit);
            Ok(row::games(self.read(statement).await?))
        })
        .await
    }
}
