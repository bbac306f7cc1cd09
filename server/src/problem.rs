//! The reason why a request is refused, as the client reads it (RFC 9457).

use std::{borrow::Cow, time::Duration};

use axum::{
    extract::rejection::{BytesRejection, QueryRejection, StringRejection},
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use engine::record::{RecordError, in_plain_words};
use game::NoVacation;
use protocol::{Flaw, GameSummary, Nack, ProblemCode as Code};
use store::{CannotBlock, InvalidCursor, Refused, StoreError, WriteError};
use tracing::error;

use crate::{
    admission::{NoRoom, Why},
    compute::ComputeError,
    live::{CreateError, RoomError},
    net::{address::TooMany, outbox::COME_BACK_AFTER},
    review::ReviewError,
};

/// Content type of problems.
pub(crate) const PROBLEM_JSON: &str = "application/problem+json";

/// `Retry-After` for a client whose address has too many sockets.
const SOCKETS_FULL_FOR: Duration = Duration::from_secs(10);

/// `Retry-After` for a client whose address reads too many games and records at once.
const DOCUMENTS_FULL_FOR: Duration = Duration::from_secs(1);

/// `Retry-After` for a client whose address has too much work queued.
const WORK_WAITS_FOR: Duration = Duration::from_secs(1);

/// `Retry-After` for a client whose address reads too many lists at once.
const LISTS_FULL_FOR: Duration = Duration::from_secs(1);

/// `Retry-After` for a client who asks for one review too many.
const REVIEWS_FULL_FOR: Duration = Duration::from_secs(10);

/// `Retry-After` for a client who asks for a review that has failed.
const REVIEW_FAILS_FOR: Duration = Duration::from_secs(60);

/// `Retry-After` for a client whose write finds the queue full.
const WRITES_FULL_FOR: Duration = Duration::from_secs(1);

/// `Retry-After` for the owner of an account who was sent too many mails.
const MAILS_FULL_FOR: Duration = Duration::from_secs(24 * 60 * 60);

/// `Retry-After` for an account that makes too many reports.
const REPORTS_FULL_FOR: Duration = Duration::from_secs(60 * 60);

/// `Retry-After` for a player who makes too many challenges.
const CHALLENGES_FULL_FOR: Duration = Duration::from_secs(60 * 60);

/// `Retry-After` for a client that asks for a mail while too many wait.
const MAILS_WAIT_FOR: Duration = Duration::from_secs(60);

/// `Retry-After` for a client that requests a game while the server is overloaded.
const OVERLOADED_FOR: Duration = Duration::from_secs(5);

/// `Retry-After` for a client that requests a game while the disk is nearly full.
const NO_SPACE_FOR: Duration = Duration::from_secs(60);

/// The reason why a request is refused, as `application/problem+json`.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    code: Code,
    detail: Cow<'static, str>,
    line: Option<u32>,
    turn: Option<u16>,
    flaw: Option<Box<Flaw>>,
    games: Option<Vec<GameSummary>>,
    /// Time from which it is allowed, in milliseconds since 1970.
    until_ms: Option<i64>,
    /// Time after which a retry may succeed.
    retry_after: Option<Duration>,
}

impl Problem {
    /// The HTTP status.
    pub(crate) fn status(&self) -> StatusCode {
        StatusCode::from_u16(self.code.status()).expect("the status of each code is one")
    }

    /// Returns a problem with a detail for people that is more specific than its code.
    pub(crate) fn new(code: Code, detail: impl Into<Cow<'static, str>>) -> Self {
        Self {
            code,
            detail: detail.into(),
            line: None,
            turn: None,
            flaw: None,
            games: None,
            until_ms: None,
            retry_after: None,
        }
    }

    /// Whether this is its code.
    pub(crate) fn is(&self, code: Code) -> bool {
        self.code == code
    }

    /// Adds the flaw of a text that a person wrote.
    pub(crate) fn because(self, flaw: Flaw) -> Self {
        Self { flaw: Some(Box::new(flaw)), ..self }
    }

    /// Locates the error in one of several turns.
    pub(crate) fn in_turn(self, turn: u16) -> Self {
        Self { turn: Some(turn), ..self }
    }

    /// The visitor would leave games under way.
    pub(crate) fn guest_has_games(games: Vec<GameSummary>) -> Self {
        Self { games: Some(games), ..Code::GuestHasGames.into() }
    }

    /// Adds the time from which it is allowed, in milliseconds since 1970.
    pub(crate) fn until(self, until_ms: i64) -> Self {
        Self { until_ms: Some(until_ms), ..self }
    }

    /// Adds the time until a retry may succeed.
    fn retry_after(self, wait: Duration) -> Self {
        Self { retry_after: Some(wait), ..self }
    }

    /// Too many requests; `wait` is the time until the next one is allowed.
    pub(crate) fn too_fast(detail: impl Into<Cow<'static, str>>, wait: Duration) -> Self {
        Self::new(Code::TooFast, detail).retry_after(wait)
    }

    /// The address has had so much stored that only its games go on; `wait` is the time until more is stored.
    pub(crate) fn stored_too_much(wait: Duration) -> Self {
        let detail =
            "this address has had as much stored as it may for now: its games go on, and new ones wait";
        Self::too_fast(detail, wait)
    }

    /// The address has the maximum number of open WebSockets.
    pub(crate) fn too_many_sockets(TooMany { limit }: TooMany) -> Self {
        let detail = format!("{limit} sockets of this address are open: close one");
        Self::new(Code::TooManySockets, detail).retry_after(SOCKETS_FULL_FOR)
    }

    /// The address reads the maximum number of games and records at once.
    pub(crate) fn too_many_documents(TooMany { limit }: TooMany) -> Self {
        let detail = format!("{limit} games or records are being sent to this address: wait for one");
        Self::new(Code::TooManyDocuments, detail).retry_after(DOCUMENTS_FULL_FOR)
    }

    /// The address reads the maximum number of lists at once.
    pub(crate) fn too_many_lists(TooMany { limit }: TooMany) -> Self {
        let detail = format!("{limit} lists are being read for this address: wait for one");
        Self::new(Code::TooManyLists, detail).retry_after(LISTS_FULL_FOR)
    }

    /// The player has had an export lately; `wait` is the time until the next one, which begins at `until_ms`.
    pub(crate) fn too_many_exports(wait: Duration, until_ms: i64) -> Self {
        Self::from(Code::TooManyExports).until(until_ms).retry_after(wait)
    }

    /// The server is overloaded.
    pub(crate) fn overloaded() -> Self {
        Self::from(Code::Overloaded).retry_after(OVERLOADED_FOR)
    }

    /// The server shuts down.
    pub(crate) fn going_down() -> Self {
        Self::from(Code::GoingDown).retry_after(COME_BACK_AFTER)
    }
}

impl From<Code> for Problem {
    fn from(code: Code) -> Self {
        Self::new(code, code.detail())
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = self.status();
        let body = protocol::Problem {
            status: status.as_u16(),
            code: self.code,
            title: status.canonical_reason().unwrap_or_default().to_owned(),
            detail: self.detail.into_owned(),
            line: self.line,
            turn: self.turn,
            flaw: self.flaw.map(|flaw| *flaw),
            games: self.games,
            until_ms: self.until_ms,
        };
        let body = serde_json::to_string(&body).expect("problems have string keys only");
        let mut response = (status, [(header::CONTENT_TYPE, PROBLEM_JSON)], body).into_response();
        if let Some(wait) = self.retry_after {
            let whole_seconds = wait.as_millis().div_ceil(1000).max(1);
            let value = HeaderValue::from_str(&whole_seconds.to_string()).expect("a number is a value");
            response.headers_mut().insert(header::RETRY_AFTER, value);
        }
        response
    }
}

impl From<StoreError> for Problem {
    fn from(problem: StoreError) -> Self {
        error!(error = &problem as &dyn std::error::Error, "request failed in the store");
        Code::Unavailable.into()
    }
}

impl From<ComputeError> for Problem {
    fn from(error: ComputeError) -> Self {
        match error {
            ComputeError::Busy => Self::from(Code::TooMuchWork).retry_after(WORK_WAITS_FOR),
            ComputeError::Panicked | ComputeError::GoingDown => Code::Unavailable.into(),
        }
    }
}

impl From<WriteError> for Problem {
    fn from(problem: WriteError) -> Self {
        match problem {
            WriteError::Refused(Refused::UnknownPlayer | Refused::NoSession) => {
                return Code::NoSession.into();
            }
            WriteError::Refused(Refused::CannotBlock(refusal)) => return refusal.into(),
            WriteError::Refused(Refused::NameTaken) => return Code::NameTaken.into(),
            WriteError::Refused(Refused::TooManyNames) => return Code::TooManyNames.into(),
            WriteError::Refused(Refused::HasAccount) => return Code::HasAccount.into(),
            WriteError::Refused(Refused::WrongCredentials) => return Code::WrongCredentials.into(),
            WriteError::Refused(Refused::NoLink) => return Code::LinkVoid.into(),
            WriteError::Refused(Refused::TooManyMails) => {
                return Self::from(Code::TooManyMails).retry_after(MAILS_FULL_FOR);
            }
            WriteError::Refused(Refused::MailsWait) => {
                return Self::from(Code::Busy).retry_after(MAILS_WAIT_FOR);
            }
            WriteError::Refused(Refused::NoCeremony) => return Code::CeremonyOver.into(),
            WriteError::Refused(Refused::NoPasskey) => return Code::NoSuchResource.into(),
            WriteError::Refused(Refused::PasskeyTaken) => return Code::UnusablePasskey.into(),
            WriteError::Refused(Refused::TooManyPasskeys) => return Code::TooManyPasskeys.into(),
            WriteError::Refused(Refused::LastCredential) => return Code::LastCredential.into(),
            WriteError::Refused(Refused::AccountClosed) => return Code::AccountClosed.into(),
            WriteError::Refused(Refused::AccountBarred) => return Code::AccountBarred.into(),
            WriteError::Refused(Refused::NoTarget) => return Code::UnknownPlayer.into(),
            WriteError::Refused(Refused::OnOneself) => return Code::Oneself.into(),
            WriteError::Refused(Refused::TooManyReports) => {
                return Self::from(Code::TooManyReports).retry_after(REPORTS_FULL_FOR);
            }
            WriteError::Refused(Refused::TooManySeeks) => return Code::TooManySeeks.into(),
            WriteError::Refused(Refused::SeekGone) => return Code::SeekGone.into(),
            WriteError::Refused(Refused::NotModerator) => return Code::NotModerator.into(),
            WriteError::Refused(Refused::OnModerator) => return Code::OnModerator.into(),
            WriteError::Refused(Refused::NothingToDo) => return Code::NothingToDo.into(),
            WriteError::Refused(Refused::TooManyActs { until_ms }) => {
                return Self::from(Code::TooManyActs).until(until_ms);
            }
            WriteError::Refused(Refused::KeepsName { until_ms }) => {
                return Self::from(Code::KeepsName).until(until_ms);
            }
            WriteError::Refused(Refused::NoVacation(refusal)) => return refusal.into(),
            WriteError::Full => return Self::from(Code::Busy).retry_after(WRITES_FULL_FOR),
            WriteError::Refused(
                Refused::Conflict(_)
                | Refused::SweptElsewhere
                | Refused::TooManyRooms
                | Refused::Blocked
                | Refused::TooManyChallenges
                | Refused::NothingToSend,
            )
            | WriteError::Unknown(_)
            | WriteError::Ended => {}
        }
        error!(error = &problem as &dyn std::error::Error, "request failed in the writer");
        Code::Unavailable.into()
    }
}

impl From<Nack> for Problem {
    fn from(refusal: Nack) -> Self {
        match refusal {
            Nack::UnknownGame => Code::UnknownGame.into(),
            Nack::OwnRoom => Code::OwnRoom.into(),
            Nack::RoomTaken => Code::RoomTaken.into(),
            Nack::RoomLeft => Code::RoomLeft.into(),
            Nack::NotForYou => Code::NotForYou.into(),
            Nack::RoomCancelled => Code::RoomCancelled.into(),
            Nack::NotYours => Code::NotYours.into(),
            Nack::Private => Code::Private.into(),
            Nack::Blocked => Code::Blocked.into(),
            Nack::CommandReused => Code::CommandReused.into(),
            Nack::Busy => Self::new(Code::Busy, "too much is asked of this game: try again"),
            Nack::TooFast { retry_ms } => Why::TooFast(Duration::from_millis(retry_ms.into())).into(),
            Nack::TooManyUnderWay { limit } => Why::TooManyUnderWay { limit }.into(),
            Nack::Overloaded => Self::overloaded(),
            Nack::NoSpace => Why::NoSpace.into(),
            Nack::Unavailable => Code::Unavailable.into(),
            // Refusals of commands that no HTTP request makes.
            Nack::Stale { .. }
            | Nack::NotSeated
            | Nack::NotYourTurn
            | Nack::Muted { .. }
            | Nack::NotStarted
            | Nack::GameOver
            | Nack::NotOver
            | Nack::OutOfTime
            | Nack::TooLateToAbort
            | Nack::NothingToTakeBack
            | Nack::TooManyTakebacks { .. }
            | Nack::CardsAreOpen
            | Nack::OfferedAlready
            | Nack::NoOffer
            | Nack::NotGone
            | Nack::Illegal { .. }
            | Nack::Incomplete { .. }
            | Nack::TooMany { .. }
            | Nack::TooCostly { .. }
            | Nack::Invalid { .. } => Code::Refused.into(),
        }
    }
}

impl From<ReviewError> for Problem {
    fn from(error: ReviewError) -> Self {
        match error {
            ReviewError::Unread(refusal) => refusal.into(),
            ReviewError::NotOver => Code::NotOver.into(),
            ReviewError::NotAsked => Code::NoReview.into(),
            ReviewError::TooMany(TooMany { limit }) => {
                let detail = format!("{limit} review(s) for this address are being computed: wait for one");
                Self::new(Code::TooManyReviews, detail).retry_after(REVIEWS_FULL_FOR)
            }
            ReviewError::Full => {
                let detail = "many reviews are being computed: try again in a moment";
                Self::new(Code::Overloaded, detail).retry_after(REVIEWS_FULL_FOR)
            }
            ReviewError::Failed => Self::from(Code::ReviewFailed).retry_after(REVIEW_FAILS_FOR),
            ReviewError::Store(error) => error.into(),
        }
    }
}

impl From<BytesRejection> for Problem {
    fn from(rejection: BytesRejection) -> Self {
        Self::of_body(rejection.status(), &rejection.body_text())
    }
}

impl From<StringRejection> for Problem {
    fn from(rejection: StringRejection) -> Self {
        Self::of_body(rejection.status(), &rejection.body_text())
    }
}

/// What axum's messages begin with: the words of a library about its own work.
const PREFIXES: [&str; 2] = ["Failed to deserialize query string: ", "Failed to buffer the request body: "];

/// Returns a message about a body or a query in words for the people who wrote it.
pub(crate) fn plain(message: &str) -> String {
    let told = PREFIXES.iter().find_map(|prefix| message.strip_prefix(prefix)).unwrap_or(message);
    // The messages of integers and of ids.
    let told = told.split_once("UUID parsing failed").map_or(Cow::Borrowed(told), |(field, _)| {
        Cow::Owned(format!("{field}expected a UUID, such as 01a2b3c4-0000-7000-8000-000000000001"))
    });
    in_plain_words(&told)
        .replace("invalid digit found in string", "expected a whole number")
        .replace("number too large to fit in target type", "expected a smaller number")
}

impl Problem {
    /// Returns the refusal of a body. axum's rejection enum is non-exhaustive, so this matches on the status.
    fn of_body(status: StatusCode, message: &str) -> Self {
        match status {
            StatusCode::PAYLOAD_TOO_LARGE => Code::BodyTooLarge.into(),
            _ => Self::new(Code::UnreadableBody, plain(message)),
        }
    }
}

impl From<QueryRejection> for Problem {
    fn from(rejection: QueryRejection) -> Self {
        Self::new(Code::InvalidQuery, plain(&rejection.body_text()))
    }
}

impl From<InvalidCursor> for Problem {
    fn from(invalid: InvalidCursor) -> Self {
        Self::new(Code::InvalidQuery, invalid.to_string())
    }
}

impl From<NoVacation> for Problem {
    fn from(refusal: NoVacation) -> Self {
        match refusal {
            NoVacation::UnderWay => Code::OnVacation,
            NoVacation::NotUnderWay => Code::NotOnVacation,
            NoVacation::NoneLeft | NoVacation::NotAutomatic => Code::NoVacationLeft,
        }
        .into()
    }
}

impl From<CannotBlock> for Problem {
    fn from(refusal: CannotBlock) -> Self {
        let code = match refusal {
            CannotBlock::Oneself => Code::OwnBlock,
            CannotBlock::UnknownPlayer => Code::UnknownPlayer,
            CannotBlock::TooMany => Code::TooManyBlocks,
        };
        Self::new(code, refusal.to_string())
    }
}

impl From<Why> for Problem {
    fn from(why: Why) -> Self {
        match why {
            Why::TooFast(wait) => Self::too_fast(why.to_string(), wait),
            Why::StoredTooMuch(wait) => Self::stored_too_much(wait),
            Why::NoSpace => Self::from(Code::NoSpace).retry_after(NO_SPACE_FOR),
            Why::TooManyUnderWay { .. } => Self::new(Code::TooManyUnderWay, why.to_string()),
        }
    }
}

impl From<NoRoom> for Problem {
    fn from(refusal: NoRoom) -> Self {
        match refusal {
            NoRoom::TooManyRooms => Self::new(Code::TooManyRooms, refusal.to_string()),
            NoRoom::OwnChallenge => Code::OwnChallenge.into(),
            NoRoom::NoOpponent => Code::UnknownPlayer.into(),
            NoRoom::Blocked => Code::Blocked.into(),
            NoRoom::TooManyChallenges => Self::from(Code::TooManyChallenges).retry_after(CHALLENGES_FULL_FOR),
            NoRoom::Denied(why) => why.into(),
        }
    }
}

impl From<RoomError> for Problem {
    fn from(error: RoomError) -> Self {
        match error {
            RoomError::NoRoom(refusal) => refusal.into(),
            RoomError::Counts(error) => error.into(),
            RoomError::Create(error) => error.into(),
        }
    }
}

impl From<CreateError> for Problem {
    fn from(error: CreateError) -> Self {
        match error {
            CreateError::Costly(error) => {
                let detail = format!("no game can begin here: {error}");
                Self::new(Code::CostlyStart, detail).because(error.into())
            }
            CreateError::Compute(error) => error.into(),
            CreateError::Start(error) => {
                let detail = error.to_string();
                Self::new(Code::InvalidStart, detail).because(error.into())
            }
            CreateError::Store(error) => error.into(),
        }
    }
}

impl From<RecordError> for Problem {
    fn from(error: RecordError) -> Self {
        let line = error.line.and_then(|line| u32::try_from(line).ok());
        let turn = error.turn;
        let problem = Self::new(Code::BadRecord, error.to_string());
        Self { line, turn, ..problem.because(error.kind.into()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_a_status_of_a_failure_that_has_a_name() {
        for code in Code::ALL {
            let status = Problem::from(*code).status();
            assert!(status.is_client_error() || status.is_server_error(), "{code:?}");
            assert!(status.canonical_reason().is_some(), "{code:?}");
        }
    }
}
