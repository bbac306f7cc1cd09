//! What handlers take from a request, as plain values. All of it is refused with a [`Problem`].

use std::convert::Infallible;

use axum::{
    extract::{FromRequest, FromRequestParts},
    http::request::Parts,
    response::{IntoResponse, Response},
};
use engine::Ruleset;
use game::ids::{GameId, PlayerId};
use protocol::{ProblemCode, PuzzleId, Text};
use serde::{Serialize, de::DeserializeOwned};
use store::CannotBlock;

use super::Problem;

/// The body of a request or of an answer.
#[derive(Clone, Copy, Debug, FromRequest)]
#[from_request(via(axum::Json), rejection(Problem))]
pub(super) struct Json<T>(pub(super) T);

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        axum::Json(self.0).into_response()
    }
}

/// The query of a request.
#[derive(Clone, Copy, Debug, FromRequestParts)]
#[from_request(via(axum::extract::Query), rejection(Problem))]
pub(super) struct Query<T>(pub(super) T);

/// The variable part of a path.
#[derive(Clone, Copy, Debug)]
pub(super) struct Path<T>(pub(super) T);

/// The name of a resource in a path.
pub(super) trait Name: DeserializeOwned + Send {
    /// Returns the problem of a request for a resource that does not exist. An invalid name is one of no resource.
    fn unknown() -> Problem;
}

impl<S: Send + Sync, T: Name> FromRequestParts<S> for Path<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let part = axum::extract::Path::from_request_parts(parts, state).await;
        part.map(|axum::extract::Path(name)| Self(name)).map_err(|_| T::unknown())
    }
}

impl Name for GameId {
    fn unknown() -> Problem {
        ProblemCode::UnknownGame.into()
    }
}

impl Name for PlayerId {
    fn unknown() -> Problem {
        CannotBlock::UnknownPlayer.into()
    }
}

impl Name for Text<Ruleset> {
    fn unknown() -> Problem {
        ProblemCode::NoSuchResource.into()
    }
}

impl Name for PuzzleId {
    fn unknown() -> Problem {
        ProblemCode::NoSuchResource.into()
    }
}

/// The variable part of a page's path. Bytes that are not text are none, which names no resource.
#[derive(Clone, Debug)]
pub(super) struct PartOfPath(pub(super) String);

impl<S: Send + Sync> FromRequestParts<S> for PartOfPath {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Infallible> {
        let part = axum::extract::Path::from_request_parts(parts, state).await;
        Ok(part.map_or_else(|_| Self(String::new()), |axum::extract::Path(text)| Self(text)))
    }
}
