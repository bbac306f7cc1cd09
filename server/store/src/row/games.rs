//! Rows of games, with their events, drafts and chats.

use game::{
    Outcome, Seats, StandingOffer, StoredWord, clock_from_db, clock_to_db,
    ids::{GameId, LineId, PlayerId, Version},
};
use sqlx::{Postgres, Sqlite, postgres::PgArguments, query::Query, sqlite::SqliteArguments};
use uuid::Uuid;

use super::{all, command, count, from_word, invalid, version, word};
use crate::{
    Audience, ChatLine, ChatRow, Cursor, DraftRow, GameCounts, GameFilter, GameResult, GameRow, Head,
    LastChange, List, Log, LogPage, StoredEvent, plan::Planned,
};

/// Defines a struct as `row!` does, and binds its columns, in their order, to the statements that write it.
macro_rules! written_row {
    ($(#[$doc:meta])* $name:ident { $($field:ident: $type:ty,)* }) => {
        row! { $(#[$doc])* $name { $($field: $type,)* } }

        impl $name {
            /// Binds the columns of one row, each to a parameter.
            pub(crate) fn bind<'q>(&self, query: SqliteQuery<'q>) -> SqliteQuery<'q> {
                query$(.bind(&self.$field))*
            }

            /// Binds the columns of many rows, each as one array for `unnest`.
            pub(crate) fn bind_all<'q>(rows: &[Self], query: PgQuery<'q>) -> PgQuery<'q> {
                query$(.bind(rows.iter().map(|row| &row.$field).collect::<Vec<_>>()))*
            }
        }
    };
}

type SqliteQuery<'q> = Query<'q, Sqlite, SqliteArguments>;

type PgQuery<'q> = Query<'q, Postgres, PgArguments>;

written_row! {
    /// A row of `game`.
    GameColumns {
        id: Uuid,
        ruleset: String,
        status: String,
        visibility: String,
        creator: Uuid,
        challenged: Option<Uuid>,
        seat: String,
        clock: String,
        watching: String,
        delay: i32,
        custom_start: bool,
        first_player: Option<Uuid>,
        second_player: Option<Uuid>,
        version: i64,
        turn: i32,
        to_move: String,
        winner: Option<String>,
        reason: Option<String>,
        created_ms: i64,
        updated_ms: i64,
        deadline_ms: Option<i64>,
        position: Option<String>,
        offers: Option<String>,
    }
}

impl From<&GameRow> for GameColumns {
    fn from(game: &GameRow) -> Self {
        Self {
            id: game.id.uuid(),
            ruleset: word(game.ruleset),
            status: word(game.status),
            visibility: word(game.visibility),
            creator: game.creator.uuid(),
            challenged: game.challenged.map(PlayerId::uuid),
            seat: word(game.seat),
            clock: clock_to_db(game.clock),
            watching: word(game.watching),
            delay: game.delay.get().into(),
            custom_start: game.custom_start,
            first_player: game.seats.map(|seats| seats.first.uuid()),
            second_player: game.seats.map(|seats| seats.second.uuid()),
            version: game.version.get().into(),
            turn: game.turn.into(),
            to_move: word(game.to_move),
            winner: game.outcome.and_then(|outcome| outcome.winner).map(word),
            reason: game.outcome.map(|outcome| word(outcome.reason)),
            created_ms: game.created_ms,
            updated_ms: game.updated_ms,
            deadline_ms: game.deadline_ms,
            position: game.position.clone(),
            offers: offers_to_db(&game.offers),
        }
    }
}

impl GameColumns {
    /// The place of the game in a list.
    pub(crate) fn cursor(&self, list: &List) -> Cursor {
        Cursor { at_ms: list.at_ms(self.created_ms, self.updated_ms), game: GameId::new(self.id) }
    }
}

impl TryFrom<GameColumns> for GameRow {
    type Error = sqlx::Error;

    fn try_from(row: GameColumns) -> Result<Self, sqlx::Error> {
        let seats = row.first_player.zip(row.second_player);
        let winner = row.winner.map(|side| from_word(&side)).transpose()?;
        let reason = row.reason.map(|reason| from_word(&reason)).transpose()?;
        Ok(Self {
            id: GameId::new(row.id),
            ruleset: from_word(&row.ruleset)?,
            status: from_word(&row.status)?,
            visibility: from_word(&row.visibility)?,
            creator: PlayerId::new(row.creator),
            challenged: row.challenged.map(PlayerId::new),
            seat: from_word(&row.seat)?,
            clock: clock_from_db(&row.clock).map_err(invalid)?,
            watching: from_word(&row.watching)?,
            delay: u64::try_from(row.delay).map_err(invalid)?.try_into().map_err(invalid)?,
            custom_start: row.custom_start,
            seats: seats
                .map(|(first, second)| Seats { first: PlayerId::new(first), second: PlayerId::new(second) }),
            version: version(row.version)?,
            turn: row.turn.try_into().map_err(invalid)?,
            to_move: from_word(&row.to_move)?,
            outcome: reason.map(|reason| Outcome { winner, reason }),
            created_ms: row.created_ms,
            updated_ms: row.updated_ms,
            deadline_ms: row.deadline_ms,
            position: row.position,
            offers: row.offers.as_deref().map(offers_from_db).transpose()?.unwrap_or_default(),
        })
    }
}

row! {
    /// A row of `event`, without the game.
    EventRow {
        version: i64,
        at_ms: i64,
        command: Option<String>,
        body: String,
    }
}

impl TryFrom<EventRow> for StoredEvent {
    type Error = sqlx::Error;

    fn try_from(row: EventRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            version: version(row.version)?,
            at_ms: row.at_ms,
            command: row.command.map(command).transpose()?,
            body: row.body,
        })
    }
}

row! {
    /// The version, the draft and the numbers of chat lines of a game.
    HeadRow {
        id: Uuid,
        version: i64,
        updated_ms: i64,
        draft_version: Option<i64>,
        draft_body: Option<String>,
        players_lines: i64,
        spectators_lines: i64,
    }
}

impl TryFrom<HeadRow> for Head {
    type Error = sqlx::Error;

    fn try_from(row: HeadRow) -> Result<Self, sqlx::Error> {
        let game = GameId::new(row.id);
        let draft = row.draft_version.zip(row.draft_body).map(|(at, body)| {
            let version = version(at)?;
            Ok::<_, sqlx::Error>(DraftRow { game, version, body })
        });
        let count = |lines| u32::try_from(lines).map_err(invalid);
        let n_lines = [count(row.players_lines)?, count(row.spectators_lines)?];
        let last_change = LastChange { version: version(row.version)?, at_ms: row.updated_ms };
        Ok(Self { game, last_change, draft: draft.transpose()?, n_lines })
    }
}

row! {
    /// A row of `draft`, without the game.
    SavedDraft {
        version: i64,
        body: String,
    }
}

row! {
    /// A row of `chat`, without the game and the audience.
    LineRow {
        id: Uuid,
        at_ms: i64,
        turn: i32,
        player: Uuid,
        body: String,
        command: String,
    }
}

impl LineRow {
    pub(crate) fn chat_row(self, game: GameId, audience: Audience) -> Result<ChatRow, sqlx::Error> {
        let line = ChatLine {
            id: LineId::new(self.id),
            at_ms: self.at_ms,
            turn: self.turn.try_into().map_err(invalid)?,
            who: PlayerId::new(self.player),
            text: self.body.try_into().map_err(invalid)?,
        };
        Ok(ChatRow { game, audience, command: command(self.command)?, line })
    }
}

row! {
    /// A line of a chat, with its game.
    OwnLineRow {
        game: Uuid,
        id: Uuid,
        at_ms: i64,
        turn: i32,
        player: Uuid,
        body: String,
    }
}

impl TryFrom<OwnLineRow> for (GameId, ChatLine) {
    type Error = sqlx::Error;

    fn try_from(row: OwnLineRow) -> Result<Self, sqlx::Error> {
        let line = ChatLine {
            id: LineId::new(row.id),
            at_ms: row.at_ms,
            turn: row.turn.try_into().map_err(invalid)?,
            who: PlayerId::new(row.player),
            text: row.body.try_into().map_err(invalid)?,
        };
        Ok((GameId::new(row.game), line))
    }
}

impl TryFrom<(i64, i64, i64)> for GameCounts {
    type Error = sqlx::Error;

    /// Converts the columns of [`COUNT_GAMES`](crate::sql::text::COUNT_GAMES).
    fn try_from((open_rooms, real_time, under_way): (i64, i64, i64)) -> Result<Self, sqlx::Error> {
        Ok(Self {
            open_rooms: count(open_rooms)?,
            real_time: count(real_time)?,
            under_way: count(under_way)?,
        })
    }
}

/// The columns of `game` that change while the game is played.
#[derive(Debug)]
#[cfg_attr(test, derive(Default))]
pub(crate) struct MoveRow {
    pub(crate) id: Uuid,
    pub(crate) version: i64,
    pub(crate) turn: i32,
    pub(crate) to_move: &'static str,
    pub(crate) updated_ms: i64,
    pub(crate) deadline_ms: Option<i64>,
    pub(crate) turn_version: i64,
    pub(crate) position: Option<String>,
    pub(crate) offers: Option<String>,
}

impl From<&Planned<'_>> for MoveRow {
    fn from(Planned { summary: game, turn_version }: &Planned<'_>) -> Self {
        Self {
            id: game.id.uuid(),
            version: game.version.get().into(),
            turn: game.turn.into(),
            to_move: game.to_move.as_db_str(),
            updated_ms: game.updated_ms,
            deadline_ms: game.deadline_ms,
            turn_version: turn_version.get().into(),
            position: game.position.clone(),
            offers: offers_to_db(&game.offers),
        }
    }
}

/// The stored form of standing offers: `kind:side`, with spaces between; null for none.
fn offers_to_db(offers: &[StandingOffer]) -> Option<String> {
    let words = offers.iter().map(|StandingOffer { what, side }| format!("{}:{}", word(*what), word(*side)));
    Some(words.collect::<Vec<_>>().join(" ")).filter(|text| !text.is_empty())
}

fn offers_from_db(text: &str) -> Result<Vec<StandingOffer>, sqlx::Error> {
    let offer = |words: &str| {
        let (what, side) = words.split_once(':').ok_or_else(|| invalid(format!("no offer: {words}")))?;
        Ok(StandingOffer { what: from_word(what)?, side: from_word(side)? })
    };
    text.split(' ').map(offer).collect()
}

/// The bind values of a [`GameFilter`], without its times. Null matches every game.
#[derive(Debug)]
pub(crate) struct FilterRow {
    pub(crate) ruleset: Option<&'static str>,
    pub(crate) result: Option<&'static str>,
    pub(crate) reason: Option<&'static str>,
    pub(crate) player: Option<Uuid>,
}

impl From<&GameFilter> for FilterRow {
    fn from(filter: &GameFilter) -> Self {
        Self {
            ruleset: filter.ruleset.map(StoredWord::as_db_str),
            result: filter.result.map(|result| match result {
                GameResult::WonBy(side) => side.as_db_str(),
                GameResult::Draw => "draw",
            }),
            reason: filter.reason.map(StoredWord::as_db_str),
            player: filter.player.map(PlayerId::uuid),
        }
    }
}

/// Makes a page of a log from at most `limit` rows after a version; `None` if the game has no event.
pub(crate) fn log_page(
    game: GameId,
    after: Version,
    limit: u32,
    events: Vec<EventRow>,
    draft: Option<SavedDraft>,
) -> Result<Option<LogPage>, sqlx::Error> {
    if events.is_empty() && after == Version::NONE {
        return Ok(None);
    }
    let events: Vec<StoredEvent> = all(events)?;
    if !events.iter().zip(after.get() + 1..).all(|(event, count)| event.version == Version::new(count)) {
        return Err(invalid("the versions of a game's events have a gap"));
    }
    let draft = draft
        .map(|draft| {
            Ok::<_, sqlx::Error>(DraftRow { game, version: version(draft.version)?, body: draft.body })
        })
        .transpose()?;
    let is_last = events.len() < limit as usize;
    Ok(Some(LogPage { log: Log { events, draft }, is_last }))
}

/// Returns the games of rows that are an id each.
pub(crate) fn games(rows: Vec<(Uuid,)>) -> Vec<GameId> {
    rows.into_iter().map(|(game,)| GameId::new(game)).collect()
}
