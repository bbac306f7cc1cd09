use std::sync::Arc;

use axum::{
    Extension, Json,
    extract::{
        Path, State,
        rejection::{PathRejection, StringRejection},
    },
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::IntoResponse,
};
use engine::record::{Record, RecordError};
use tokio::sync::Semaphore;

use super::{Problem, games::reader};
use crate::{
    address::{Client, Kind},
    app::App,
    game::record,
    identity::Visitor,
    ids::GameId,
    protocol::Replay,
};

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
    Extension(client): Extension<Client>,
    headers: HeaderMap,
    body: Result<String, StringRejection>,
) -> Result<Json<Replay>, Problem> {
    let body = body?;
    let place = app.addresses.open(client.address, Kind::Check).map_err(Problem::too_many_checks)?;
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let record = match kind.split(';').next().unwrap_or_default().trim() {
        "application/json" => Record::from_json(&body).map_err(without_line)?,
        "text/plain" => Record::parse_text(&body)?,
        _ => {
            let detail = "a record is text/plain or application/json";
            return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "invalid_body", detail));
        }
    };
    let is_json = kind.starts_with("application/json");
    let replay = in_turn(&app.record_checks, move || {
        let _place = place;
        record::replay(&record)
    });
    let replay = replay.await?;
    Ok(Json(replay.map_err(|error| if is_json { without_line(error) } else { error })?))
}

/// Does work that can take long when its turn has come, where it holds nobody else up. The turn is over when the work
/// is, whether or not somebody still waits for it.
async fn in_turn<T: Send + 'static>(
    turns: &Arc<Semaphore>,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Problem> {
    let turn = turns.clone().acquire_owned().await.map_err(|_| Problem::unavailable())?;
    let working = tokio::task::spawn_blocking(move || {
        let _turn = turn;
        work()
    });
    working.await.map_err(|_| Problem::unavailable())
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

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use system_tests::in_time;
    use tokio::sync::oneshot;

    use super::*;

    #[tokio::test]
    async fn who_does_not_wait_for_the_end_of_long_work_makes_no_room_for_more() {
        let turns = Arc::new(Semaphore::new(1));
        let (begin, begun) = oneshot::channel();
        let (end, ended) = mpsc::channel::<()>();
        let work = in_turn(&turns, move || {
            begin.send(()).unwrap();
            ended.recv().unwrap_err();
        });
        tokio::select! {
            _ = work => panic!("it does not end"),
            begun = in_time("the beginning", begun) => begun.unwrap(),
        }
        assert_eq!(turns.available_permits(), 0, "it goes on");
        drop(end);
        in_time("the next turn", in_turn(&turns, || ())).await.unwrap();
    }
}
