//! A store in memory, for fuzzing. It shares the [`Plan`] of the databases, and can be told to fail.

use std::{
    collections::{BTreeMap, HashMap},
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use async_trait::async_trait;

use super::{
    Audience, CannotBlock, ChatRow, Conflict, Cursor, DraftRow, GameFilter, GameResult, List, Log, Outage,
    Page, Paging, Store, StoreError, StoredEvent, TokenHash, Write, block, plan,
    plan::{Plan, Planned, Standing},
};
use crate::{
    ids::{GameId, NodeId, PlayerId, PlayerName, Version},
    protocol::{GameSummary, Outcome, Player, Status, Visibility, Watching},
};

/// Keeps everything in memory, for one process.
#[derive(Debug, Default)]
pub(crate) struct Memory(Mutex<Tables>);

/// How the next commit fails. Its caller cannot tell the two apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// Nothing is stored.
    BeforeCommit,
    /// Everything is stored, and the answer is lost.
    AfterCommit,
}

#[derive(Debug, Default)]
struct Tables {
    games: BTreeMap<GameId, Game>,
    chat: Vec<ChatRow>,
    players: HashMap<PlayerId, Player>,
    sessions: Vec<(TokenHash, PlayerId)>,
    /// Who has blocked whom, the last one last.
    blocks: Vec<(PlayerId, PlayerId)>,
    beat_ms: Option<i64>,
    outages: Vec<Outage>,
    next_failure: Option<Failure>,
    n_failures: usize,
    n_writes: usize,
}

#[derive(Clone, Debug)]
struct Game {
    row: GameSummary,
    turn_version: Version,
    events: Vec<StoredEvent>,
    draft: Option<DraftRow>,
}

impl Memory {
    /// Sets how the next commit fails, if at all.
    pub(crate) fn fail_next(&self, failure: Option<Failure>) {
        self.locked().next_failure = failure;
    }

    /// How many commits have failed so far.
    pub(crate) fn n_failures(&self) -> usize {
        self.locked().n_failures
    }

    /// How many changes were stored so far, heartbeats aside.
    pub(crate) fn n_writes(&self) -> usize {
        self.locked().n_writes
    }

    /// A game's row, draft and the events behind `known`.
    pub(crate) fn look(
        &self,
        game: GameId,
        known: usize,
    ) -> Option<(GameSummary, Option<DraftRow>, Vec<StoredEvent>)> {
        let tables = self.locked();
        let game = tables.games.get(&game)?;
        Some((game.row.clone(), game.draft.clone(), game.events[known..].to_vec()))
    }

    fn locked(&self) -> MutexGuard<'_, Tables> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Tables {
    fn standing(&self, writes: &[Write]) -> Standing {
        let known = plan::games_of(writes).into_iter().filter_map(|id| {
            let Game { row, turn_version, .. } = self.games.get(&id)?;
            let (version, turn_version) = (row.version.get().into(), turn_version.get().into());
            Some((id.uuid(), version, turn_version, row.seats.is_some()))
        });
        Standing::of(known.collect()).expect("what is stored was valid")
    }

    fn save(&mut self, plan: &Plan<'_>) {
        for (id, Planned { summary, turn_version }) in &plan.rows {
            let row = (*summary).clone();
            match self.games.get_mut(id) {
                Some(game) => (game.row, game.turn_version) = (row, *turn_version),
                None => {
                    let (events, draft) = (Vec::new(), None);
                    self.games.insert(*id, Game { row, turn_version: *turn_version, events, draft });
                }
            }
        }
        for (id, Planned { summary, turn_version }) in &plan.moves {
            let game = self.games.get_mut(id).expect("a move is planned of a stored game");
            game.turn_version = *turn_version;
            game.row = GameSummary {
                version: summary.version,
                turn: summary.turn,
                to_move: summary.to_move,
                updated_ms: summary.updated_ms,
                deadline_ms: summary.deadline_ms,
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
                (known.game, known.line.who.id, &known.command)
                    == (line.game, line.line.who.id, &line.command)
            };
            if !self.chat.iter().any(is_said) {
                self.chat.push((*line).clone());
            }
        }
    }

    /// Whether a list has a game.
    fn lists(&self, list: &List, row: &GameSummary) -> bool {
        let is_public = row.visibility == Visibility::Public;
        let is_shown = is_public && row.watching == Watching::Everybody;
        let is_made_by = |player| row.status == Status::Open && row.creator.id == player;
        let is_seated = |player| {
            row.seats.as_ref().is_some_and(|seats| [seats.first.id, seats.second.id].contains(&player))
        };
        match list {
            List::OpenRooms => is_public && row.status == Status::Open,
            List::LiveGames => is_shown && row.status == Status::Playing,
            List::FinishedGames(filter) => is_shown && row.status == Status::Finished && passes(filter, row),
            List::GamesOf(player) => is_made_by(*player) || is_seated(*player),
            List::UnfinishedGamesOf(player) => {
                is_made_by(*player) || (is_seated(*player) && row.status == Status::Playing)
            }
        }
    }
}

/// Whether a finished game is among those that a filter asks for, the time before which it ended aside.
fn passes(filter: &GameFilter, row: &GameSummary) -> bool {
    let GameFilter { player, ruleset, result, reason, since_ms, until_ms: _ } = filter;
    let winner = row.outcome.as_ref().and_then(|Outcome { winner, .. }| *winner);
    let won_by = winner.map_or(GameResult::Draw, GameResult::WonBy);
    let is_called = |name: &PlayerName| {
        let folded = name.as_str().to_lowercase();
        row.seats.as_ref().is_some_and(|seats| {
            [&seats.first, &seats.second].iter().any(|seat| seat.name.as_str().to_lowercase() == folded)
        })
    };
    player.as_ref().is_none_or(is_called)
        && ruleset.is_none_or(|ruleset| ruleset == row.ruleset)
        && result.is_none_or(|result| result == won_by)
        && reason.is_none_or(|reason| row.outcome.as_ref().is_some_and(|outcome| outcome.reason == reason))
        && since_ms.is_none_or(|since_ms| row.updated_ms >= since_ms)
}

#[async_trait]
impl Store for Memory {
    async fn commit(&self, writes: &[Write]) -> Result<Vec<Result<(), Conflict>>, StoreError> {
        let mut tables = self.locked();
        let failure = tables.next_failure.take();
        tables.n_failures += usize::from(failure.is_some());
        let failed = Err(StoreError::TimedOut { doing: "commit", waited: Duration::ZERO });
        if failure == Some(Failure::BeforeCommit) {
            return failed;
        }
        let plan = Plan::of(writes, tables.standing(writes));
        tables.save(&plan);
        tables.n_writes += writes.len();
        if failure == Some(Failure::AfterCommit) { failed } else { Ok(plan.results) }
    }

    async fn log(&self, game: GameId) -> Result<Option<Log>, StoreError> {
        let tables = self.locked();
        Ok(tables.games.get(&game).map(|game| Log { events: game.events.clone(), draft: game.draft.clone() }))
    }

    async fn game(&self, game: GameId) -> Result<Option<GameSummary>, StoreError> {
        Ok(self.locked().games.get(&game).map(|game| game.row.clone()))
    }

    async fn games_after(&self, after: Option<GameId>, limit: u32) -> Result<Vec<GameId>, StoreError> {
        let tables = self.locked();
        let behind = tables.games.keys().filter(|id| after.is_none_or(|after| **id > after));
        Ok(behind.copied().take(limit as usize).collect())
    }

    async fn list(&self, list: List, paging: Paging) -> Result<Page, StoreError> {
        let start = list.start(paging);
        let tables = self.locked();
        let rows = tables.games.values().map(|game| &game.row);
        let mut rows: Vec<(Cursor, GameSummary)> = rows
            .filter(|row| tables.lists(&list, row))
            .map(|row| (Cursor::at(&list, row), row.clone()))
            .filter(|(place, _)| *place < start)
            .collect();
        rows.sort_by_key(|(place, _)| std::cmp::Reverse(*place));
        rows.truncate(paging.limit as usize + 1);
        Ok(Page::of(&list, rows.into_iter().map(|(_, row)| row).collect(), paging.limit))
    }

    async fn chat(&self, game: GameId, audience: Audience, limit: u32) -> Result<Vec<ChatRow>, StoreError> {
        let tables = self.locked();
        let rows = tables.chat.iter().filter(|row| row.game == game && row.audience == audience);
        let rows: Vec<ChatRow> = rows.cloned().collect();
        Ok(rows[rows.len().saturating_sub(limit as usize)..].to_vec())
    }

    async fn due_games(&self, now_ms: i64, limit: u32) -> Result<Vec<GameId>, StoreError> {
        let tables = self.locked();
        let playing = tables.games.values().filter(|game| game.row.status == Status::Playing);
        let due = playing.filter_map(|game| Some((game.row.deadline_ms?, game.row.id)));
        let mut due: Vec<_> = due.filter(|(deadline_ms, _)| *deadline_ms <= now_ms).collect();
        due.sort_unstable();
        Ok(due.into_iter().map(|(_, game)| game).take(limit as usize).collect())
    }

    async fn may_sweep(&self, _: NodeId, _: i64, _: i64) -> Result<bool, StoreError> {
        Ok(true)
    }

    async fn versions(&self, games: &[GameId]) -> Result<Vec<(GameId, Version)>, StoreError> {
        let tables = self.locked();
        let known = games.iter().filter_map(|id| tables.games.get(id));
        Ok(known.map(|game| (game.row.id, game.row.version)).collect())
    }

    async fn count_open_rooms(&self, creator: PlayerId) -> Result<u32, StoreError> {
        let tables = self.locked();
        let rows = tables.games.values().map(|game| &game.row);
        let n_open = rows.filter(|row| row.status == Status::Open && row.creator.id == creator).count();
        Ok(u32::try_from(n_open).unwrap_or(u32::MAX))
    }

    async fn create_player(&self, player: &Player, token: &TokenHash, _: i64) -> Result<(), StoreError> {
        let mut tables = self.locked();
        tables.players.insert(player.id, player.clone());
        tables.sessions.push((*token, player.id));
        tables.n_writes += 1;
        Ok(())
    }

    async fn player_by_token(&self, token: &TokenHash) -> Result<Option<Player>, StoreError> {
        let tables = self.locked();
        let session = tables.sessions.iter().find(|(known, _)| known == token);
        Ok(session.and_then(|(_, player)| tables.players.get(player)).cloned())
    }

    async fn rename(&self, player: PlayerId, name: &PlayerName) -> Result<Option<Player>, StoreError> {
        let mut tables = self.locked();
        tables.n_writes += 1;
        Ok(tables.players.get_mut(&player).map(|player| {
            player.name = name.clone();
            player.clone()
        }))
    }

    async fn block(
        &self,
        player: PlayerId,
        blocked: PlayerId,
        _: i64,
    ) -> Result<Result<(), CannotBlock>, StoreError> {
        let mut tables = self.locked();
        let known: Vec<_> = tables.players.keys().map(|player| player.uuid()).collect();
        let others = tables.blocks.iter().filter(|(by, whom)| *by == player && *whom != blocked).count();
        let checked = block::check(player, blocked, &known, i64::try_from(others).unwrap_or(i64::MAX));
        if checked.is_ok() && !tables.blocks.contains(&(player, blocked)) {
            tables.blocks.push((player, blocked));
            tables.n_writes += 1;
        }
        Ok(checked)
    }

    async fn unblock(&self, player: PlayerId, blocked: PlayerId) -> Result<(), StoreError> {
        let mut tables = self.locked();
        tables.blocks.retain(|pair| *pair != (player, blocked));
        tables.n_writes += 1;
        Ok(())
    }

    async fn blocks_of(&self, player: PlayerId) -> Result<Vec<Player>, StoreError> {
        let tables = self.locked();
        let blocked = tables.blocks.iter().rev().filter(|(by, _)| *by == player);
        Ok(blocked.filter_map(|(_, whom)| tables.players.get(whom).cloned()).collect())
    }

    async fn is_blocked_between(&self, one: PlayerId, other: PlayerId) -> Result<bool, StoreError> {
        let tables = self.locked();
        Ok([(one, other), (other, one)].iter().any(|pair| tables.blocks.contains(pair)))
    }

    async fn beat(&self, now_ms: i64, gap_ms: i64) -> Result<Option<Outage>, StoreError> {
        let mut tables = self.locked();
        let before_ms = tables.beat_ms.unwrap_or(now_ms);
        tables.beat_ms = Some(before_ms.max(now_ms));
        let outage = Outage::between(before_ms, now_ms, gap_ms);
        tables.outages.extend(outage);
        Ok(outage)
    }

    async fn outages_since(&self, ms: i64) -> Result<Vec<Outage>, StoreError> {
        Ok(self.locked().outages.iter().filter(|outage| outage.to_ms > ms).copied().collect())
    }

    async fn ping(&self) -> Result<(), StoreError> {
        Ok(())
    }
}
