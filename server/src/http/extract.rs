//! What handlers take from a request, as plain values. All of it is refused with a [`Problem`].

use std::convert::Infallible;

use axum::{
    body::Bytes,
    extract::{FromRequest, FromRequestParts, Request},
    http::{HeaderMap, header, request::Parts},
    response::{IntoResponse, Response},
};
use engine::Ruleset;
use game::ids::{GameId, PasskeyId, PlayerId, ReportId, SeekId, SessionId};
use mime::Mime;
use protocol::{ProblemCode, PuzzleId, Text};
use serde::{Serialize, de::DeserializeOwned};
use store::CannotBlock;

use super::Problem;
use crate::problem::plain;

/// The body of a request or of an answer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Json<T>(pub(super) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Json<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        let kind = media_type(request.headers())?;
        if kind.is_none_or(|kind| kind.essence_str() != mime::APPLICATION_JSON.essence_str()) {
            return Err(Problem::new(
                ProblemCode::WrongContentType,
                "expected `content-type: application/json`",
            ));
        }
        let body = Bytes::from_request(request, state).await?;
        read(&body).map(Self)
    }
}

/// Reads the body of a request, an object.
///
/// # Errors
/// It is no JSON, or not the JSON of a `T`.
fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, Problem> {
    let unreadable =
        |error: serde_json::Error| Problem::new(ProblemCode::UnreadableBody, plain(&error.to_string()));
    let mut text = serde_json::Deserializer::from_slice(body);
    let error = match serde_path_to_error::deserialize(&mut text) {
        Ok(read) => {
            text.end().map_err(unreadable)?;
            // serde also accepts a list of an object's fields in their order.
            let is_object = body.trim_ascii_start().starts_with(b"{");
            let no_object = || Problem::new(ProblemCode::InvalidBody, "expected an object");
            return is_object.then_some(read).ok_or_else(no_object);
        }
        Err(error) => error,
    };
    // In a text, serde takes anything else in the place of a word for a fault of the JSON.
    let value: serde_json::Value = serde_json::from_slice(body).map_err(unreadable)?;
    let error = serde_path_to_error::deserialize::<_, T>(value).err().unwrap_or(error);
    Err(Problem::new(ProblemCode::InvalidBody, plain(&error.to_string())))
}

/// Returns the media type of a body.
///
/// # Errors
/// It names another charset than UTF-8, in which all bodies are read.
pub(super) fn media_type(headers: &HeaderMap) -> Result<Option<Mime>, Problem> {
    let sent = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let kind: Option<Mime> = sent.and_then(|kind| kind.trim().parse().ok());
    let charset = kind.as_ref().and_then(|kind| kind.get_param(mime::CHARSET));
    // ASCII is a part of UTF-8, and some programs leave out the hyphen.
    if charset.is_some_and(|charset| !["utf-8", "utf8", "us-ascii"].iter().any(|known| charset == *known)) {
        let detail = "a body is text in UTF-8: send `charset=utf-8`, or no charset";
        return Err(Problem::new(ProblemCode::WrongContentType, detail));
    }
    Ok(kind)
}

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

impl Name for SessionId {
    fn unknown() -> Problem {
        ProblemCode::NoSuchResource.into()
    }
}

impl Name for SeekId {
    fn unknown() -> Problem {
        ProblemCode::NoSuchResource.into()
    }
}

impl Name for ReportId {
    fn unknown() -> Problem {
        ProblemCode::NoSuchResource.into()
    }
}

impl Name for PasskeyId {
    fn unknown() -> Problem {
        ProblemCode::NoSuchResource.into()
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

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn a_media_type_counts_in_any_case_and_only_with_the_charset_that_is_read() {
        for (sent, expected) in [
            ("text/plain", Some("text/plain")),
            ("Text/Plain", Some("text/plain")),
            ("APPLICATION/JSON ", Some("application/json")),
            ("text/plain; charset=utf-8", Some("text/plain")),
            ("text/plain;charset=UTF-8", Some("text/plain")),
            ("Text/Plain; Charset=\"Utf-8\"; format=flowed", Some("text/plain")),
            ("text/plain; charset=US-ASCII", Some("text/plain")),
            ("text/plain; charset=utf8", Some("text/plain")),
            ("text/plain; charset=iso-8859-1", None),
            ("application/json; charset=\"UTF-16\"", None),
        ] {
            let headers = HeaderMap::from_iter([(header::CONTENT_TYPE, HeaderValue::from_static(sent))]);
            let read = media_type(&headers).ok().flatten();
            assert_eq!(read.as_ref().map(Mime::essence_str), expected, "{sent}");
        }
        for sent in ["", "text", "\u{e9}"] {
            let value = HeaderValue::from_bytes(sent.as_bytes()).unwrap();
            let headers = HeaderMap::from_iter([(header::CONTENT_TYPE, value)]);
            assert!(media_type(&headers).is_ok_and(|kind| kind.is_none()), "{sent}");
        }
    }

    #[derive(Debug, serde::Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Body {
        #[expect(dead_code, reason = "it is only read")]
        seat: protocol::SeatChoice,
    }

    #[test]
    fn a_body_that_is_no_json_is_told_from_one_with_a_wrong_field() {
        for (sent, code, detail) in [
            (r#"{"seat":"#, ProblemCode::UnreadableBody, "EOF while parsing a value at line 1 column 8"),
            (
                r#"{"seat":"first"} {}"#,
                ProblemCode::UnreadableBody,
                "trailing characters at line 1 column 18",
            ),
            (r#"{"seat":1}"#, ProblemCode::InvalidBody, "seat: invalid type: integer `1`, expected a word"),
            (r#"{"seat":null}"#, ProblemCode::InvalidBody, "seat: invalid type: null, expected a word"),
            (r#"["first"]"#, ProblemCode::InvalidBody, "expected an object"),
            ("5", ProblemCode::InvalidBody, "invalid type: integer `5`, expected an object"),
            (
                r#"{"seat":"first","seat":"first"}"#,
                ProblemCode::InvalidBody,
                "duplicate field `seat` at line 1",
            ),
            ("{}", ProblemCode::InvalidBody, "missing field `seat`"),
        ] {
            let problem = read::<Body>(sent.as_bytes()).unwrap_err();
            assert!(problem.is(code) && format!("{problem:?}").contains(detail), "{sent}: {problem:?}");
        }
        assert!(read::<Body>(br#" {"seat":"random"} "#).is_ok());
    }
}
