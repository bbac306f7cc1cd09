//! The reason why a request is refused, as the client reads it (RFC 9457).

use std::time::Duration;

use axum::{
    extract::rejection::{JsonRejection, PathRejection, QueryRejection, StringRejection},
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use engine::record::RecordError;
use protocol::{Flaw, Nack};
use store::{CannotBlock, InvalidCursor, Refused, StoreError, WriteError};
use tracing::error;

use crate::{
    admission::{NoRoom, Why},
    compute::ComputeError,
    live::{CreateError, RoomError},
    net::{address::TooMany, outbox::COME_BACK_AFTER},
};

/// `Retry-After` for a client whose address has too many sockets.
const SOCKETS_FULL_FOR: Duration = Duration::from_secs(10);

/// `Retry-After` for a client whose address reads too many games and records at once.
const DOCUMENTS_FULL_FOR: Duration = Duration::from_secs(1);

/// `Retry-After` for a client whose address has too much work queued.
const WORK_WAITS_FOR: Duration = Duration::from_secs(1);

/// `Retry-After` for a client whose address reads too many lists at once.
const LISTS_FULL_FOR: Duration = Duration::from_secs(1);

/// `Retry-After` for a client whose write finds the queue full.
const WRITES_FULL_FOR: Duration = Duration::from_secs(1);

/// `Retry-After` for a client that requests a game while the server is overloaded.
const OVERLOADED_FOR: Duration = Duration::from_secs(5);

/// The reason why a request is refused, as `application/problem+json`.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    status: StatusCode,
    code: &'static str,
    detail: String,
    line: Option<u32>,
    turn: Option<u16>,
    flaw: Option<Box<Flaw>>,
    /// Time after which a retry may succeed.
    retry_after: Option<Duration>,
}

impl Problem {
    /// The HTTP status.
    #[cfg(test)]
    pub(crate) fn status(&self) -> StatusCode {
        self.status
    }

    /// Returns a problem with a code for programs and a detail for people.
    pub(crate) fn new(status: StatusCode, code: &'static str, detail: impl Into<String>) -> Self {
        Self { status, code, detail: detail.into(), line: None, turn: None, flaw: None, retry_after: None }
    }

    /// Adds the flaw of a text that a person wrote.
    pub(crate) fn because(self, flaw: Flaw) -> Self {
        Self { flaw: Some(Box::new(flaw)), ..self }
    }

    /// Too many requests; `wait` is the time until the next one is allowed.
    pub(crate) fn too_fast(detail: impl Into<String>, wait: Duration) -> Self {
        let problem = Self::new(StatusCode::TOO_MANY_REQUESTS, "too_fast", detail);
        Self { retry_after: Some(wait), ..problem }
    }

    /// The address has the maximum number of open WebSockets.
    pub(crate) fn too_many_sockets(TooMany { limit }: TooMany) -> Self {
        let detail = format!("{limit} sockets of this address are open: close one");
        let problem = Self::new(StatusCode::TOO_MANY_REQUESTS, "too_many_sockets", detail);
        Self { retry_after: Some(SOCKETS_FULL_FOR), ..problem }
    }

    /// The address reads the maximum number of games and records at once.
    pub(crate) fn too_many_documents(TooMany { limit }: TooMany) -> Self {
        let detail = format!("{limit} games or records are on their way to this address: wait for one");
        let problem = Self::new(StatusCode::TOO_MANY_REQUESTS, "too_many_documents", detail);
        Self { retry_after: Some(DOCUMENTS_FULL_FOR), ..problem }
    }

    /// Too much engine work of the client's address is queued.
    fn too_much_work() -> Self {
        let detail = "too much engine work of this address is waiting: try again in a moment";
        let problem = Self::new(StatusCode::TOO_MANY_REQUESTS, "too_much_work", detail);
        Self { retry_after: Some(WORK_WAITS_FOR), ..problem }
    }

    /// The address reads the maximum number of lists at once.
    pub(crate) fn too_many_lists(TooMany { limit }: TooMany) -> Self {
        let detail = format!("{limit} lists are being read for this address: wait for one");
        let problem = Self::new(StatusCode::TOO_MANY_REQUESTS, "too_many_lists", detail);
        Self { retry_after: Some(LISTS_FULL_FOR), ..problem }
    }

    /// The write queue is full; the request may be retried.
    fn busy() -> Self {
        let detail = "too much waits to be stored: try again in a moment";
        let problem = Self::new(StatusCode::SERVICE_UNAVAILABLE, "busy", detail);
        Self { retry_after: Some(WRITES_FULL_FOR), ..problem }
    }

    /// The server is overloaded.
    pub(crate) fn overloaded() -> Self {
        let detail = "too much is going on here for another game: try again in a moment";
        let problem = Self::new(StatusCode::SERVICE_UNAVAILABLE, "overloaded", detail);
        Self { retry_after: Some(OVERLOADED_FOR), ..problem }
    }

    /// The request has no valid session.
    pub(crate) fn no_session() -> Self {
        Self::new(StatusCode::UNAUTHORIZED, "no_session", "open a session with POST /api/session first")
    }

    /// The URL is unknown.
    pub(crate) async fn no_such_resource() -> Self {
        Self::new(StatusCode::NOT_FOUND, "no_such_resource", "there is nothing at this address")
    }

    /// The resource does not support the method.
    pub(crate) async fn method_not_allowed() -> Self {
        Self::new(
            StatusCode::METHOD_NOT_ALLOWED,
            "method_not_allowed",
            "this address does not take this method",
        )
    }

    /// The server shuts down.
    pub(crate) fn going_down() -> Self {
        let problem =
            Self::new(StatusCode::SERVICE_UNAVAILABLE, "going_down", "the server goes down for a moment");
        Self { retry_after: Some(COME_BACK_AFTER), ..problem }
    }

    /// The body of a request did not arrive in time.
    pub(crate) fn body_too_slow() -> Self {
        let detail = "the body of this request did not come in time: send it at once";
        Self::new(StatusCode::REQUEST_TIMEOUT, "body_too_slow", detail)
    }

    /// The store cannot answer now.
    pub(crate) fn unavailable() -> Self {
        Self::unavailable_because("the games cannot be read or written just now")
    }

    /// The server cannot answer now, with a public reason.
    pub(crate) fn unavailable_because(detail: &str) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "unavailable", detail)
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let body = protocol::Problem {
            status: self.status.as_u16(),
            code: self.code.to_owned(),
            title: self.status.canonical_reason().unwrap_or_default().to_owned(),
            detail: self.detail,
            line: self.line,
            turn: self.turn,
            flaw: self.flaw.map(|flaw| *flaw),
        };
        let body = serde_json::to_string(&body).expect("problems have string keys only");
        let mut response =
            (self.status, [(header::CONTENT_TYPE, "application/problem+json")], body).into_response();
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
        Self::unavailable()
    }
}

impl From<ComputeError> for Problem {
    fn from(error: ComputeError) -> Self {
        match error {
            ComputeError::Busy => Self::too_much_work(),
            ComputeError::Panicked | ComputeError::GoingDown => Self::unavailable(),
        }
    }
}

impl From<WriteError> for Problem {
    fn from(problem: WriteError) -> Self {
        match problem {
            WriteError::Refused(Refused::UnknownPlayer) => return Self::no_session(),
            WriteError::Refused(Refused::CannotBlock(refusal)) => return refusal.into(),
            WriteError::Full => return Self::busy(),
            WriteError::Refused(
                Refused::Conflict(_) | Refused::SweptElsewhere | Refused::TooManyRooms | Refused::Blocked,
            )
            | WriteError::Unknown(_)
            | WriteError::Ended => {}
        }
        error!(error = &problem as &dyn std::error::Error, "request failed in the writer");
        Self::unavailable()
    }
}

impl From<Nack> for Problem {
    fn from(refusal: Nack) -> Self {
        use StatusCode as Is;
        let (status, code, detail) = match refusal {
            Nack::UnknownGame => (Is::NOT_FOUND, "unknown_game", "no game has this id"),
            Nack::OwnRoom => (Is::CONFLICT, "own_room", "the room is yours: somebody else has to join it"),
            Nack::RoomTaken => (Is::CONFLICT, "room_taken", "somebody else has joined this room"),
            Nack::RoomCancelled => (Is::CONFLICT, "room_cancelled", "the room was closed by its maker"),
            Nack::NotYours => (Is::FORBIDDEN, "not_yours", "only the room's maker can close it"),
            Nack::Private => (Is::FORBIDDEN, "private", "only its players may see this game"),
            Nack::Blocked => (Is::FORBIDDEN, "blocked", "one of you has blocked the other"),
            Nack::Busy => (Is::SERVICE_UNAVAILABLE, "busy", "too much is asked of this game: try again"),
            Nack::CommandReused => (Is::CONFLICT, "command_reused", "this command id is used"),
            Nack::TooFast { retry_ms } => {
                return Why::TooFast(Duration::from_millis(retry_ms.into())).into();
            }
            Nack::TooManyUnderWay { limit } => return Why::TooManyUnderWay { limit }.into(),
            Nack::Overloaded => return Self::overloaded(),
            Nack::Unavailable => return Self::unavailable(),
            Nack::Stale { .. }
            | Nack::NotSeated
            | Nack::NotYourTurn
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
            | Nack::TooCostly { .. } => (Is::CONFLICT, "refused", "the game does not allow this now"),
        };
        Self::new(status, code, detail)
    }
}

impl From<JsonRejection> for Problem {
    fn from(rejection: JsonRejection) -> Self {
        Self::new(rejection.status(), "invalid_body", rejection.body_text())
    }
}

impl From<StringRejection> for Problem {
    fn from(rejection: StringRejection) -> Self {
        Self::new(rejection.status(), "invalid_body", rejection.body_text())
    }
}

impl From<QueryRejection> for Problem {
    fn from(rejection: QueryRejection) -> Self {
        Self::new(rejection.status(), "invalid_query", rejection.body_text())
    }
}

impl From<PathRejection> for Problem {
    fn from(_: PathRejection) -> Self {
        Nack::UnknownGame.into()
    }
}

impl From<InvalidCursor> for Problem {
    fn from(invalid: InvalidCursor) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "invalid_query", invalid.to_string())
    }
}

impl From<CannotBlock> for Problem {
    fn from(refusal: CannotBlock) -> Self {
        use StatusCode as Is;
        let (status, code) = match refusal {
            CannotBlock::Oneself => (Is::CONFLICT, "own_block"),
            CannotBlock::UnknownPlayer => (Is::NOT_FOUND, "unknown_player"),
            CannotBlock::TooMany => (Is::TOO_MANY_REQUESTS, "too_many_blocks"),
        };
        Self::new(status, code, refusal.to_string())
    }
}

impl From<Why> for Problem {
    fn from(why: Why) -> Self {
        match why {
            Why::TooFast(wait) => Self::too_fast(why.to_string(), wait),
            Why::TooManyUnderWay { .. } => {
                Self::new(StatusCode::TOO_MANY_REQUESTS, "too_many_under_way", why.to_string())
            }
        }
    }
}

impl From<NoRoom> for Problem {
    fn from(refusal: NoRoom) -> Self {
        match refusal {
            NoRoom::TooManyRooms => {
                Self::new(StatusCode::TOO_MANY_REQUESTS, "too_many_rooms", refusal.to_string())
            }
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
                Self::new(StatusCode::UNPROCESSABLE_ENTITY, "costly_start", detail).because(error.into())
            }
            CreateError::Compute(error) => error.into(),
            CreateError::Start(error) => {
                let detail = error.to_string();
                Self::new(StatusCode::UNPROCESSABLE_ENTITY, "invalid_start", detail).because(error.into())
            }
            CreateError::Store(error) => error.into(),
        }
    }
}

impl From<RecordError> for Problem {
    fn from(error: RecordError) -> Self {
        let line = error.line.and_then(|line| u32::try_from(line).ok());
        let turn = error.turn;
        let problem = Self::new(StatusCode::UNPROCESSABLE_ENTITY, "bad_record", error.to_string());
        Self { line, turn, ..problem.because(error.kind.into()) }
    }
}
