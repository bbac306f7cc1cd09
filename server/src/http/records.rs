use std::borrow::Cow;

use axum::{
    extract::{FromRequest, Request, State},
    http::{HeaderValue, header},
    response::{IntoResponse, Response},
};
use engine::record::{Record, RecordError};
use game::ids::GameId;
use mime::Mime;
use protocol::{
    ProblemCode::{self, BadRecord, Refused},
    Replay, replay, schema,
};

use super::{
    Problem,
    describe::{OF_BODIES, OF_DOCUMENTS, OF_READING, problems},
    document::{Reader, Recipient},
    extract::{Path, media_type},
};
use crate::{deflate::Gzipped, state::App};

problems!(ReadProblems: OF_DOCUMENTS, OF_READING, &[Refused]);

/// The record of a game as text.
#[utoipa::path(
    get,
    path = "/games/{id}/record.txt",
    tag = "games",
    operation_id = "read_record_text",
    params(("id" = inline(GameId), Path, description = "Id of the game.")),
    responses(
        (status = 200, description = "The record.", body = String, content_type = "text/plain"),
        ReadProblems,
    ),
    security((), ("session" = []), ("session_over_http" = [])),
)]
pub(super) async fn text(
    State(app): State<App>,
    reader: Reader,
    Path(game): Path<GameId>,
) -> Result<impl IntoResponse, Problem> {
    let record = app.games.record(game, reader.player, reader.recipient.requester).await?.text;
    Ok((save_as(game, "txt"), reader.recipient.answer(&app, record, "text/plain; charset=utf-8").await?))
}

/// The record of a game as JSON.
#[utoipa::path(
    get,
    path = "/games/{id}/record.json",
    tag = "games",
    operation_id = "read_record",
    params(("id" = inline(GameId), Path, description = "Id of the game.")),
    responses(
        (status = 200, description = "The record.", body = schema::Record),
        ReadProblems,
    ),
    security((), ("session" = []), ("session_over_http" = [])),
)]
pub(super) async fn json(
    State(app): State<App>,
    reader: Reader,
    Path(game): Path<GameId>,
) -> Result<impl IntoResponse, Problem> {
    let record = app.games.record(game, reader.player, reader.recipient.requester).await?.json;
    Ok((save_as(game, "json"), reader.recipient.answer(&app, record, "application/json").await?))
}

/// The forms of a record that can be checked.
#[derive(Clone, Copy)]
enum Form {
    Text,
    Json,
}

/// A record in the form that its content type names.
pub(super) struct RecordBody {
    form: Form,
    text: String,
}

impl<S: Send + Sync> FromRequest<S> for RecordBody {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        let kind = media_type(request.headers())?;
        let form = match kind.as_ref().map(Mime::essence_str) {
            Some("application/json") => Form::Json,
            Some("text/plain") => Form::Text,
            _ => {
                let detail = "a record is text/plain or application/json";
                return Err(Problem::new(ProblemCode::WrongContentType, detail));
            }
        };
        Ok(Self { form, text: String::from_request(request, state).await? })
    }
}

problems!(CheckProblems: OF_BODIES, OF_DOCUMENTS, &[BadRecord]);

/// Replays a record by the rules.
///
/// Nothing is stored.
#[utoipa::path(
    post,
    path = "/records/check",
    tag = "games",
    operation_id = "check_record",
    request_body(content((schema::Record = "application/json"), (String = "text/plain"))),
    responses(
        (status = 200, description = "The game.", body = Replay),
        CheckProblems,
    ),
)]
pub(super) async fn check(
    State(app): State<App>,
    recipient: Recipient,
    RecordBody { form, text }: RecordBody,
) -> Result<Response, Problem> {
    let written =
        app.compute.run(recipient.requester, move || replay(&text, form).map(|replay| written(&replay)));
    recipient.answer(&app, written.await??, "application/json").await
}

/// Encodes the answer as compressed JSON. It is done on the compute pool, since the positions of a thousand turns are
/// much to write.
fn written(replay: &Replay) -> Gzipped {
    let json = serde_json::to_string(replay).expect("replays have string keys only");
    Gzipped::of_text(&json)
}

fn replay(body: &str, form: Form) -> Result<Replay, RecordError> {
    match form {
        Form::Text => replay::replay(&Record::parse_text(&without_notes(body))?),
        Form::Json => {
            Record::from_json(body).and_then(|record| replay::replay(&record)).map_err(without_line)
        }
    }
}

/// Removes the notes and variations of an analysis after a record (docs/records.md). No record has the line that they
/// begin with after an empty one.
fn without_notes(text: &str) -> Cow<'_, str> {
    text.split_once("\n\nnotes\n")
        .map_or(Cow::Borrowed(text), |(record, _)| Cow::Owned(format!("{record}\n")))
}

/// Removes the line number: it refers to the text form, and only the turn applies to JSON.
fn without_line(error: RecordError) -> RecordError {
    RecordError { line: None, ..error }
}

/// Makes a browser save the answer under the game's name.
fn save_as(game: GameId, ending: &str) -> [(header::HeaderName, HeaderValue); 1] {
    let name = HeaderValue::from_str(&format!("attachment; filename=\"towers-{game}.{ending}\""));
    [(header::CONTENT_DISPOSITION, name.expect("an id is plain ASCII"))]
}
