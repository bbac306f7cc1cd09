//! Conversion between the rows of both databases and the types of the store. [`StoredWord`] defines the words in the
//! columns.

use std::{collections::BTreeSet, error::Error, fmt::Display};

use game::{
    InboxEvent, MailAddress, NoticeSettings, Outcome, Player, PlayerKind, QuietHours, Role, Seats,
    StandingOffer, StoredWord, Vacation, Vacations, clock_from_db, clock_to_db,
    ids::{
        ActId, CommandId, GameId, Hour, LineId, NoticeId, PasskeyId, PlayerId, PlayerName, ReportId, SeekId,
        SessionId, Version,
    },
};
use sqlx::{
    FromRow, Postgres, Row, Sqlite,
    postgres::{PgArguments, PgRow},
    query::Query,
    sqlite::{SqliteArguments, SqliteRow},
};
use tracing::warn;
use uuid::Uuid;

use super::{
    Account, AccountMail, Act, ActKind, Audience, Ceremony, ChatLine, ChatRow, Credentials, Cursor, DraftRow,
    DueMail, DueMessage, Errand, GameCounts, GameFilter, GameResult, GameRow, Head, InboxNotice, LastChange,
    Link, LinkOf, List, Log, LogPage, Mail, NamedAccount, Outage, OutboxKey, OwnMail, OwnPush, OwnSession,
    Passkey, Purpose, PushKeys, PushSubscription, Report, Seek, Session, StoredEvent, TokenHash,
    accounts::StoredAccount, plan::Planned,
};

/// Defines a struct with a field for each column, read by name from the rows of either database.
macro_rules! row {
    ($(#[$doc:meta])* $name:ident { $($field:ident: $type:ty,)* }) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub(super) struct $name {
            $(pub(super) $field: $type,)*
        }

        row!(@from SqliteRow, $name, $($field)*);
        row!(@from PgRow, $name, $($field)*);
    };
    (@from $row:ty, $name:ident, $($field:ident)*) => {
        impl FromRow<'_, $row> for $name {
            fn from_row(row: &$row) -> Result<Self, sqlx::Error> {
                Ok(Self { $($field: row.try_get(stringify!($field))?,)* })
            }
        }
    };
}

/// Defines a struct as `row!` does, and binds its columns, in their order, to the statements that write it.
macro_rules! written_row {
    ($(#[$doc:meta])* $name:ident { $($field:ident: $type:ty,)* }) => {
        row! { $(#[$doc])* $name { $($field: $type,)* } }

        impl $name {
            /// Binds the columns of one row, each to a parameter.
            pub(super) fn bind<'q>(&self, query: SqliteQuery<'q>) -> SqliteQuery<'q> {
                query$(.bind(&self.$field))*
            }

            /// Binds the columns of many rows, each as one array for `unnest`.
            pub(super) fn bind_all<'q>(rows: &[Self], query: PgQuery<'q>) -> PgQuery<'q> {
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

row! {
    /// A row of `event`, without the game.
    EventRow {
        version: i64,
        at_ms: i64,
        command: Option<String>,
        body: String,
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

row! {
    /// A row of `outage`.
    OutageRow {
        from_ms: i64,
        to_ms: i64,
    }
}

row! {
    /// A row of `vacation` with what its player's row decides. The latter alone of a player without one.
    VacationRow {
        created_ms: i64,
        automatic_vacation: bool,
        from_ms: Option<i64>,
        to_ms: Option<i64>,
        automatic: Option<bool>,
    }
}

/// Converts the rows of a player; `None` if there are none.
pub(super) fn vacations(rows: &[VacationRow]) -> Option<Vacations> {
    let first = rows.first()?;
    let (created_ms, is_automatic) = (first.created_ms, first.automatic_vacation);
    let taken = rows.iter().filter_map(|row| {
        Some(Vacation { from_ms: row.from_ms?, to_ms: row.to_ms?, is_automatic: row.automatic? })
    });
    Some(Vacations { created_ms, is_automatic, taken: taken.collect() })
}

row! {
    /// A row of `player`.
    PlayerRow {
        id: Uuid,
        name: String,
    }
}

/// The kind of a player whose name nobody is shown.
pub(super) const DELETED: &str = "deleted";

row! {
    /// A row of `player` with the kind.
    NamedRow {
        id: Uuid,
        name: String,
        kind: String,
    }
}

row! {
    /// A session with its player.
    SessionRow {
        id: Uuid,
        player: Uuid,
        name: String,
        kind: String,
        used_ms: i64,
        proved_ms: Option<i64>,
    }
}

row! {
    /// A row of `session`, for its player.
    OwnSessionRow {
        id: Uuid,
        label: Option<String>,
        created_ms: i64,
        used_ms: i64,
    }
}

row! {
    /// A row of `account` with the player's name.
    AccountRow {
        player: Uuid,
        name: String,
        password: Option<String>,
        recovery_hash: Option<Vec<u8>>,
        former_names: String,
        mail: Option<String>,
        mail_recovers: bool,
        language: String,
        zone: String,
        turn_mails: String,
        mail_hour: i32,
        quiet_from: i32,
        quiet_to: i32,
        mail_refused: bool,
        is_closed: bool,
        is_barred: bool,
    }
}

row! {
    /// A row of `role`.
    RoleRow {
        player: Uuid,
        role: String,
    }
}

row! {
    /// A row of `seek`.
    SeekRow {
        id: Uuid,
        player: Uuid,
        ruleset: String,
        clock: String,
        wanted: i64,
        created_ms: i64,
    }
}

row! {
    /// A row of `report`.
    ReportRow {
        id: Uuid,
        at_ms: i64,
        by: Uuid,
        target: Uuid,
        kind: String,
        game: Uuid,
        name: String,
        body: Option<String>,
        lines: String,
        settled_ms: Option<i64>,
    }
}

row! {
    /// A row of `audit`.
    ActRow {
        id: Uuid,
        at_ms: i64,
        by: Option<Uuid>,
        target: Uuid,
        kind: String,
        body: Option<String>,
    }
}

row! {
    /// A mail to be sent.
    MailRow {
        id: Uuid,
        player: Option<Uuid>,
        purpose: String,
        name: Option<String>,
        address: Option<String>,
        language: String,
        attempts: i64,
    }
}

row! {
    /// A message to be sent.
    MessageRow {
        player: Uuid,
        channel: String,
        purpose: String,
        since_ms: i64,
        changed_ms: i64,
        attempts: i64,
    }
}

row! {
    /// A notice in an inbox.
    NoticeRow {
        id: Uuid,
        kind: String,
        subject: String,
        body: String,
        at_ms: i64,
        seen_ms: Option<i64>,
    }
}

row! {
    /// A mail to the owner of an account, for the owner.
    OwnMailRow {
        purpose: String,
        address: Option<String>,
        created_ms: i64,
    }
}

row! {
    /// A link with its account.
    LinkRow {
        hash: Vec<u8>,
        player: Uuid,
        name: String,
        purpose: String,
        body: Option<String>,
        expires_ms: i64,
    }
}

row! {
    /// A row of `credential`, for its player.
    PasskeyRow {
        id: Uuid,
        host: String,
        passkey: String,
        label: Option<String>,
        created_ms: i64,
        used_ms: i64,
    }
}

row! {
    /// A push subscription with the id of its session.
    PushRow {
        session: Uuid,
        endpoint: String,
        keys: Vec<u8>,
        failures: i64,
    }
}

row! {
    /// A row of `ceremony`.
    CeremonyRow {
        player: Option<Uuid>,
        state: String,
        expires_ms: i64,
    }
}

row! {
    /// The names of an account, with one of its keys.
    NamedAccountRow {
        player: Uuid,
        name: String,
        former_names: String,
        key: Option<String>,
    }
}

row! {
    /// The account of a name.
    CredentialsRow {
        player: Uuid,
        name: String,
        password: Option<String>,
        recovery_hash: Option<Vec<u8>>,
        knows_device: bool,
    }
}

/// Converts a number of rows.
pub(super) fn count(rows: i64) -> Result<u32, sqlx::Error> {
    u32::try_from(rows).map_err(invalid)
}

impl TryFrom<(i64, i64, i64)> for GameCounts {
    type Error = sqlx::Error;

    /// Converts the columns of [`COUNT_GAMES`](super::sql::text::COUNT_GAMES).
    fn try_from((open_rooms, real_time, under_way): (i64, i64, i64)) -> Result<Self, sqlx::Error> {
        Ok(Self {
            open_rooms: count(open_rooms)?,
            real_time: count(real_time)?,
            under_way: count(under_way)?,
        })
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
    pub(super) fn cursor(&self, list: &List) -> Cursor {
        Cursor { at_ms: list.at_ms(self.created_ms, self.updated_ms), game: GameId::new(self.id) }
    }
}

/// The columns of `game` that change while the game is played.
#[derive(Debug)]
#[cfg_attr(test, derive(Default))]
pub(super) struct MoveRow {
    pub(super) id: Uuid,
    pub(super) version: i64,
    pub(super) turn: i32,
    pub(super) to_move: &'static str,
    pub(super) updated_ms: i64,
    pub(super) deadline_ms: Option<i64>,
    pub(super) turn_version: i64,
    pub(super) position: Option<String>,
    pub(super) offers: Option<String>,
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

impl TryFrom<PlayerRow> for Player {
    type Error = sqlx::Error;

    fn try_from(row: PlayerRow) -> Result<Self, sqlx::Error> {
        player(row.id, row.name)
    }
}

impl TryFrom<NamedRow> for (Player, PlayerKind) {
    type Error = sqlx::Error;

    fn try_from(row: NamedRow) -> Result<Self, sqlx::Error> {
        Ok((player(row.id, row.name)?, from_word(&row.kind)?))
    }
}

impl LineRow {
    pub(super) fn chat_row(self, game: GameId, audience: Audience) -> Result<ChatRow, sqlx::Error> {
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

impl From<OutageRow> for Outage {
    fn from(OutageRow { from_ms, to_ms }: OutageRow) -> Self {
        Self { from_ms, to_ms }
    }
}

/// The bind values of a [`GameFilter`], without its times. Null matches every game.
#[derive(Debug)]
pub(super) struct FilterRow {
    pub(super) ruleset: Option<&'static str>,
    pub(super) result: Option<&'static str>,
    pub(super) reason: Option<&'static str>,
    pub(super) player: Option<Uuid>,
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
pub(super) fn log_page(
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

/// Converts all rows, or returns the first error.
pub(super) fn all<R, T: TryFrom<R, Error = sqlx::Error>>(rows: Vec<R>) -> Result<Vec<T>, sqlx::Error> {
    rows.into_iter().map(T::try_from).collect()
}

/// Converts the rows that this program understands. Those that a newer one has written are left out, so that they take no others
/// from their readers.
pub(super) fn readable<R, T: TryFrom<R, Error = sqlx::Error>>(rows: Vec<R>) -> Vec<T> {
    let read = |row| {
        let read = T::try_from(row);
        read.inspect_err(|error| warn!(error = error as &dyn Error, "store: a row is left out: {error}")).ok()
    };
    rows.into_iter().filter_map(read).collect()
}

/// Returns the games of rows that are an id each.
pub(super) fn games(rows: Vec<(Uuid,)>) -> Vec<GameId> {
    rows.into_iter().map(|(game,)| GameId::new(game)).collect()
}

pub(super) fn version(count: i64) -> Result<Version, sqlx::Error> {
    u32::try_from(count).map(Version::new).map_err(invalid)
}

pub(super) fn command(text: String) -> Result<CommandId, sqlx::Error> {
    text.try_into().map_err(invalid)
}

impl TryFrom<SessionRow> for Session {
    type Error = sqlx::Error;

    fn try_from(row: SessionRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            id: SessionId::new(row.id),
            player: player(row.player, row.name)?,
            kind: from_word(&row.kind)?,
            used_ms: row.used_ms,
            proved_ms: row.proved_ms,
        })
    }
}

impl From<OwnSessionRow> for OwnSession {
    fn from(OwnSessionRow { id, label, created_ms, used_ms }: OwnSessionRow) -> Self {
        Self { id: SessionId::new(id), label, created_ms, used_ms }
    }
}

impl TryFrom<AccountRow> for Account {
    type Error = sqlx::Error;

    fn try_from(row: AccountRow) -> Result<Self, sqlx::Error> {
        let AccountRow { mail_recovers: recovers, mail_refused: is_refused, .. } = row;
        let address = row.mail.map(address).transpose()?;
        let mail = address.map(|address| AccountMail { address, recovers, is_refused });
        let has_password = row.password.is_some();
        let notices = NoticeSettings {
            turn_mails: from_word(&row.turn_mails)?,
            hour: hour(row.mail_hour)?,
            quiet: QuietHours { from: hour(row.quiet_from)?, to: hour(row.quiet_to)? },
            // A newer program may know more zones.
            zone: row.zone.try_into().unwrap_or_default(),
            language: from_word(&row.language)?,
        };
        let (player, former_names) = (player(row.player, row.name)?, names(&row.former_names)?);
        Ok(Self { player, former_names, has_password, mail, notices })
    }
}

impl TryFrom<AccountRow> for (PlayerId, StoredAccount) {
    type Error = sqlx::Error;

    fn try_from(row: AccountRow) -> Result<Self, sqlx::Error> {
        let recovery = hash(row.recovery_hash.as_deref())?;
        let Player { id, name } = player(row.player, row.name)?;
        let (former_names, password) = (names(&row.former_names)?, row.password);
        let mail = row.mail.map(address).transpose()?;
        let AccountRow { is_closed, is_barred, .. } = row;
        Ok((id, StoredAccount { name, former_names, password, recovery, mail, is_closed, is_barred }))
    }
}

/// Returns the former names of an account.
pub(super) fn former_names(row: &AccountRow) -> Result<Vec<PlayerName>, sqlx::Error> {
    names(&row.former_names)
}

impl TryFrom<RoleRow> for (PlayerId, Role) {
    type Error = sqlx::Error;

    fn try_from(row: RoleRow) -> Result<Self, sqlx::Error> {
        Ok((PlayerId::new(row.player), from_word(&row.role)?))
    }
}

impl TryFrom<SeekRow> for Seek {
    type Error = sqlx::Error;

    fn try_from(row: SeekRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            id: SeekId::new(row.id),
            player: PlayerId::new(row.player),
            ruleset: from_word(&row.ruleset)?,
            clock: clock_from_db(&row.clock).map_err(invalid)?,
            wanted: count(row.wanted)?,
            created_ms: row.created_ms,
        })
    }
}

impl TryFrom<ReportRow> for Report {
    type Error = sqlx::Error;

    fn try_from(row: ReportRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            id: ReportId::new(row.id),
            at_ms: row.at_ms,
            by: PlayerId::new(row.by),
            target: PlayerId::new(row.target),
            kind: from_word(&row.kind)?,
            game: GameId::new(row.game),
            name: row.name.try_into().map_err(invalid)?,
            text: row.body.map(TryInto::try_into).transpose().map_err(invalid)?,
            lines: serde_json::from_str(&row.lines).map_err(invalid)?,
            settled_ms: row.settled_ms,
        })
    }
}

/// Returns the word and the body of a what.
pub(super) fn what(what: &ActKind) -> (&'static str, Option<String>) {
    match what {
        ActKind::Muted { until_ms } => ("muted", Some(until_ms.to_string())),
        ActKind::Unmuted => ("unmuted", None),
        ActKind::NameHidden(name) => ("name_hidden", Some(name.as_str().to_owned())),
        ActKind::Closed => ("closed", None),
        ActKind::Reopened => ("reopened", None),
        ActKind::Dismissed => ("dismissed", None),
        ActKind::RoleGiven(role) => ("role", Some(word(*role))),
        ActKind::RoleTaken => ("role", None),
    }
}

impl TryFrom<ActRow> for Act {
    type Error = sqlx::Error;

    fn try_from(row: ActRow) -> Result<Self, sqlx::Error> {
        let what = match (row.kind.as_str(), row.body) {
            ("muted", Some(until_ms)) => ActKind::Muted { until_ms: until_ms.parse().map_err(invalid)? },
            ("unmuted", None) => ActKind::Unmuted,
            ("name_hidden", Some(name)) => ActKind::NameHidden(name.try_into().map_err(invalid)?),
            ("closed", None) => ActKind::Closed,
            ("reopened", None) => ActKind::Reopened,
            ("dismissed", None) => ActKind::Dismissed,
            ("role", Some(role)) => ActKind::RoleGiven(from_word(&role)?),
            ("role", None) => ActKind::RoleTaken,
            (other, _) => return Err(invalid(format_args!("{other:?} is not an act"))),
        };
        let (by, target) = (row.by.map(PlayerId::new), PlayerId::new(row.target));
        Ok(Self { id: ActId::new(row.id), at_ms: row.at_ms, by, target, what })
    }
}

impl From<PasskeyRow> for Passkey {
    fn from(PasskeyRow { id, host, passkey, label, created_ms, used_ms }: PasskeyRow) -> Self {
        Self { id: PasskeyId::new(id), host, body: passkey, label, created_ms, used_ms }
    }
}

impl TryFrom<PushRow> for OwnPush {
    type Error = sqlx::Error;

    fn try_from(row: PushRow) -> Result<Self, sqlx::Error> {
        let keys =
            PushKeys::from_bytes(&row.keys).ok_or_else(|| invalid("the keys of a push have 81 bytes"))?;
        let subscription = PushSubscription { endpoint: row.endpoint, keys };
        let failures = u32::try_from(row.failures).map_err(invalid)?;
        Ok(Self { session: SessionId::new(row.session), subscription, failures })
    }
}

impl From<CeremonyRow> for Ceremony {
    fn from(CeremonyRow { player, state, expires_ms }: CeremonyRow) -> Self {
        Self { player: player.map(PlayerId::new), state, expires_ms }
    }
}

impl TryFrom<CredentialsRow> for Credentials {
    type Error = sqlx::Error;

    fn try_from(row: CredentialsRow) -> Result<Self, sqlx::Error> {
        let (player, recovery) = (player(row.player, row.name)?, hash(row.recovery_hash.as_deref())?);
        Ok(Self { player, password: row.password, recovery, knows_device: row.knows_device })
    }
}

/// Word of [`Purpose::Recovery`], whose body says that a mail brings the link.
const RECOVERY: &str = "recovery";

/// Word of [`Purpose::Mail`], whose body is the address.
const MAIL: &str = "mail";

/// Word of [`Purpose::Unsubscription`].
const UNSUBSCRIPTION: &str = "unsubscription";

/// Returns the word and the body of a purpose.
pub(super) fn purpose(purpose: &Purpose) -> (&'static str, Option<&str>) {
    match purpose {
        Purpose::Recovery { by_mail } => (RECOVERY, by_mail.then_some(MAIL)),
        Purpose::Mail(address) => (MAIL, Some(address.as_str())),
        Purpose::Unsubscription => (UNSUBSCRIPTION, None),
    }
}

/// Words of errands.
pub(super) const CONFIRM: &str = "confirm";
pub(super) const RECOVER: &str = "recover";
pub(super) const CHANGED: &str = "changed";
pub(super) const PASSKEY: &str = "passkey";

/// Returns the word of an errand, with its player or its key of a name.
pub(super) fn errand(errand: &Errand) -> (&'static str, Option<Uuid>, Option<&str>) {
    match errand {
        Errand::Confirm(player) => (CONFIRM, Some(player.uuid()), None),
        Errand::Recover { key } => (RECOVER, None, Some(key)),
        Errand::Changed(player) => (CHANGED, Some(player.uuid()), None),
        Errand::PasskeyAdded(player) => (PASSKEY, Some(player.uuid()), None),
    }
}

fn hour(hour: i32) -> Result<Hour, sqlx::Error> {
    u64::try_from(hour).map_err(invalid)?.try_into().map_err(invalid)
}

impl TryFrom<NoticeRow> for InboxNotice {
    type Error = sqlx::Error;

    fn try_from(row: NoticeRow) -> Result<Self, sqlx::Error> {
        let event = InboxEvent::read(&row.kind, &row.subject, &row.body).map_err(invalid)?;
        Ok(Self { id: NoticeId::new(row.id), event, at_ms: row.at_ms, seen_ms: row.seen_ms })
    }
}

impl TryFrom<MessageRow> for DueMessage {
    type Error = sqlx::Error;

    fn try_from(row: MessageRow) -> Result<Self, sqlx::Error> {
        let (channel, purpose) = (from_word(&row.channel)?, from_word(&row.purpose)?);
        let key = OutboxKey { player: PlayerId::new(row.player), channel, purpose };
        let attempts = u32::try_from(row.attempts).map_err(invalid)?;
        Ok(Self { key, since_ms: row.since_ms, changed_ms: row.changed_ms, attempts })
    }
}

fn address(text: String) -> Result<MailAddress, sqlx::Error> {
    MailAddress::try_from(text).map_err(invalid)
}

impl TryFrom<MailRow> for DueMail {
    type Error = sqlx::Error;

    fn try_from(row: MailRow) -> Result<Self, sqlx::Error> {
        let player = row.player.map(PlayerId::new);
        let errand = match (row.purpose.as_str(), player, row.name) {
            (CONFIRM, Some(player), _) => Errand::Confirm(player),
            (RECOVER, _, Some(key)) => Errand::Recover { key },
            (CHANGED, Some(player), _) => Errand::Changed(player),
            (PASSKEY, Some(player), _) => Errand::PasskeyAdded(player),
            (other, ..) => return Err(invalid(format_args!("{other:?} is not an errand of a mail"))),
        };
        let to = address(row.address.ok_or_else(|| invalid("a mail to be sent has an address"))?)?;
        let mail = Mail { id: row.id, errand, to, language: row.language };
        Ok(Self { mail, attempts: u32::try_from(row.attempts).map_err(invalid)? })
    }
}

impl TryFrom<OwnMailRow> for OwnMail {
    type Error = sqlx::Error;

    fn try_from(OwnMailRow { purpose, address: to, created_ms }: OwnMailRow) -> Result<Self, sqlx::Error> {
        Ok(Self { purpose, to: to.map(address).transpose()?, created_ms })
    }
}

impl TryFrom<LinkRow> for LinkOf {
    type Error = sqlx::Error;

    fn try_from(row: LinkRow) -> Result<Self, sqlx::Error> {
        let purpose = match (row.purpose.as_str(), row.body) {
            (RECOVERY, None) => Purpose::Recovery { by_mail: false },
            (RECOVERY, Some(body)) if body == MAIL => Purpose::Recovery { by_mail: true },
            (MAIL, Some(body)) => Purpose::Mail(address(body)?),
            (UNSUBSCRIPTION, None) => Purpose::Unsubscription,
            (other, _) => return Err(invalid(format_args!("{other:?} is not a purpose of a link"))),
        };
        let link = Link { secret: a_hash(&row.hash)?, purpose, expires_ms: row.expires_ms };
        Ok(Self { player: player(row.player, row.name)?, link })
    }
}

/// Returns the accounts of rows, those of an account one after the other.
pub(super) fn named_accounts(rows: Vec<NamedAccountRow>) -> Result<Vec<NamedAccount>, sqlx::Error> {
    let mut accounts: Vec<NamedAccount> = Vec::new();
    for row in rows {
        let id = PlayerId::new(row.player);
        if accounts.last().is_none_or(|last| last.player != id) {
            let mut names = names(&row.former_names)?;
            names.push(player(row.player, row.name)?.name);
            accounts.push(NamedAccount { player: id, names, keys: BTreeSet::new() });
        }
        accounts.last_mut().expect("there is one by now").keys.extend(row.key);
    }
    Ok(accounts)
}

fn hash(bytes: Option<&[u8]>) -> Result<Option<TokenHash>, sqlx::Error> {
    bytes.map(a_hash).transpose()
}

fn a_hash(bytes: &[u8]) -> Result<TokenHash, sqlx::Error> {
    TokenHash::from_bytes(bytes).ok_or_else(|| invalid("a hash has 32 bytes"))
}

/// Reads a list of names, as `account` has it.
fn names(json: &str) -> Result<Vec<PlayerName>, sqlx::Error> {
    serde_json::from_str(json).map_err(invalid)
}

fn player(id: Uuid, name: String) -> Result<Player, sqlx::Error> {
    Ok(Player { id: PlayerId::new(id), name: PlayerName::try_from(name).map_err(invalid)? })
}

pub(super) fn word(value: impl StoredWord) -> String {
    value.as_db_str().to_owned()
}

pub(super) fn from_word<T: StoredWord>(word: &str) -> Result<T, sqlx::Error> {
    T::from_db_str(word).map_err(invalid)
}

pub(super) fn invalid(error: impl Display) -> sqlx::Error {
    sqlx::Error::Decode(format!("a row that this server does not understand: {error}").into())
}
