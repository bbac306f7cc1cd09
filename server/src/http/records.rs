use axum::{
    Json,
    extract::{
        Path, State,
        rejection::{PathRejection, StringRejection},
    },
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::IntoResponse,
};
use engine::record::{Record, RecordError};

use super::{Problem, games::reader};
use crate::{app::App, game::record, identity::Visitor, ids::GameId, protocol::Replay};

/// `GET /api/games/{id}/record.txt`: the game's record as text.
pub(super) async fn text(
    State(app): State<App>,
    visitor: Option<Visitor>,
    id: Result<Path<GameId>, PathRejection>,
) -> Result<impl IntoResponse, Problem> {
    let Path(game) = id?;
    let record = app.games.record(game, reader(visitor)).await?;
    Ok((download(game, "text/plain; charset=utf-8", "txt"), record.to_text()))
}

/// `GET /api/games/{id}/record.json`: the game's record as JSON.
pub(super) async fn json(
    State(app): State<App>,
    visitor: Option<Visitor>,
    id: Result<Path<GameId>, PathRejection>,
) -> Result<impl IntoResponse, Problem> {
    let Path(game) = id?;
    let record = app.games.record(game, reader(visitor)).await?;
    Ok((download(game, "application/json", "json"), record.to_json()))
}

/// `POST /api/records/check`: replays a record by the rules. Nothing is kept.
pub(super) async fn check(
    State(app): State<App>,
    headers: HeaderMap,
    body: Result<String, StringRejection>,
) -> Result<Json<Replay>, Problem> {
    let body = body?;
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let record = match kind.split(';').next().unwrap_or_default().trim() {
        "application/json" => Record::from_json(&body).map_err(without_line)?,
        "text/plain" => Record::parse_text(&body)?,
        _ => {
            let detail = "a record is text/plain or application/json";
            return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "invalid_body", detail));
        }
    };
    // A record can ask for much; it waits for its turn, and holds nobody else up.
    let _turn = app.record_checks.acquire().await.map_err(|_| Problem::unavailable())?;
    let is_json = kind.starts_with("application/json");
    let replayed = tokio::task::spawn_blocking(move || record::replay(&record)).await;
    let replay = replayed.map_err(|_| Problem::unavailable())?;
    Ok(Json(replay.map_err(|error| if is_json { without_line(error) } else { error })?))
}

/// A line is one of the text form: of JSON only the turn can be told.
fn without_line(error: RecordError) -> RecordError {
    RecordError { line: None, ..error }
}

/// Has a browser save what it gets under the game's name.
fn download(game: GameId, kind: &'static str, ending: &str) -> [(header::HeaderName, HeaderValue); 2] {
    let name = HeaderValue::from_str(&format!("attachment; filename=\"towers-{game}.{ending}\""));
    [
        (header::CONTENT_TYPE, HeaderValue::from_static(kind)),
        (header::CONTENT_DISPOSITION, name.expect("an id is plain ASCII")),
    ]
}
