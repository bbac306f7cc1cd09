//! Games with their drafts, chats, reviews and conditional turns.

use std::cmp::Reverse;

use async_trait::async_trait;
use engine::Side;
use game::{
    Outcome, Status, Visibility, Watching,
    ids::{GameId, LineId, PlayerId, Version},
};

use super::{Game, Memory, Tables, count};
use crate::{
    Audience, CHAT_LINES, ChatLine, ChatRow, ConditionalRow, Cursor, GameCounts, GameFilter, GameResult,
    GameRow, Games, Head, LastChange, List, Log, LogPage, Page, Paging, StoreError, TurnEvent,
    plan::{Plan, Planned},
};

impl Tables {
    pub(super) fn save_games(&mut self, plan: &Plan<'_>) {
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
                offers: summary.offers.clone(),
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
    }

    pub(super) fn save_lines(&mut self, plan: &Plan<'_>) {
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
    }

    pub(super) fn save_reviews(&mut self, plan: &Plan<'_>) {
        for review in &plan.reviews {
            if self.games.contains_key(&review.game) {
                self.reviews.entry(review.game).or_insert_with(|| review.body.clone());
            }
        }
    }

    pub(super) fn save_conditionals(&mut self, plan: &Plan<'_>) {
        for (row, is_set) in &plan.conditionals {
            let key = (row.game, row.side);
            let is_going = self.games.get(&row.game).is_some_and(|game| game.row.status == Status::Playing);
            if *is_set && is_going {
                self.conditionals.insert(key, (*row).clone());
            } else if !is_set && self.conditionals.get(&key) == Some(*row) {
                self.conditionals.remove(&key);
            }
        }
        self.conditionals.retain(|(game, _), _| !plan.without_conditionals.contains(game));
    }

    pub(super) fn count_games(&self, player: PlayerId) -> GameCounts {
        let rows = self.games.values().map(|game| &game.row);
        let mut counts = GameCounts::default();
        for row in rows.filter(|row| is_unfinished_of(row, player)) {
            counts.open_rooms += u32::from(row.status == Status::Open);
            counts.real_time += u32::from(row.clock.is_live());
            counts.under_way += 1;
        }
        counts
    }

    pub(super) fn count_finished_slow_games(&self, player: PlayerId) -> u32 {
        let is_counted =
            |row: &&GameRow| row.status == Status::Finished && row.is_of(player) && !row.clock.is_live();
        count(self.games.values().map(|game| &game.row).filter(is_counted).count())
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
    pub(super) fn has_game(&self, player: PlayerId) -> bool {
        self.games.values().any(|Game { row, .. }| is_made_by(row, player) || is_seated(row, player))
    }

    /// Whether a game is in a list.
    pub(super) fn lists(&self, list: &List, row: &GameRow) -> bool {
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

/// Whether a game was cancelled or aborted.
pub(super) fn is_aborted(row: &GameRow) -> bool {
    matches!(row.status, Status::Cancelled | Status::Aborted)
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
            count(tables.chat.iter().filter(of_audience).take(lines as usize).count())
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

    async fn turn_events(&self, games: &[GameId]) -> Result<Vec<TurnEvent>, StoreError> {
        let tables = self.0.lock();
        let known = games.iter().filter_map(|id| tables.games.get(id));
        let under_way = known.filter(|game| game.row.status == Status::Playing);
        let events = under_way.flat_map(|Game { row, turn_version, events, .. }| {
            let of_turn = events.iter().filter(|event| event.version >= *turn_version);
            of_turn.map(|event| TurnEvent { game: row.id, at_ms: event.at_ms, body: event.body.clone() })
        });
        Ok(events.collect())
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
