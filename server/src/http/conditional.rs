use axum::{Extension, extract::State, http::StatusCode};
use engine::{AnyMatch, Budget, Ruleset, Side};
use game::{
    Status,
    ids::{GameId, PlayerId},
};
use protocol::{
    ConditionalTurn, ConditionalTurns, Flaw,
    ProblemCode::{Busy, IllegalAction, InvalidBody, NotAPlayer, NotConditional, TooMuchWork, UnknownGame},
};
use store::{ConditionalRow, GameRow, MAX_CONDITIONAL, Refused, WriteError};

use super::{
    Problem,
    client::{count_stored, refuse_fast},
    describe::{OF_BODIES, OF_CHANGES, OF_FIELDS, OF_SESSIONS, problems},
    extract::{Json, Path},
};
use crate::{
    compute::Requester,
    conditional::{self, has_conditional_turns},
    identity::Visitor,
    net::address::{Client, LimitedAction},
    state::App,
};

/// Number of times that conditional turns are stored anew after a turn was made meanwhile.
const TRIES: usize = 3;

problems!(ReadProblems: OF_SESSIONS, &[NotAPlayer, UnknownGame]);

/// The visitor's conditional turns in a game. Nobody else is shown them.
#[utoipa::path(
    get,
    path = "/games/{id}/conditional",
    tag = "games",
    operation_id = "read_conditional_turns",
    params(("id" = inline(GameId), Path, description = "Id of the game.")),
    responses(
        (status = 200, description = "The turns, none after the other side's turn led elsewhere.", body = ConditionalTurns),
        ReadProblems,
    ),
    security(("session" = []), ("session_over_http" = [])),
)]
pub(super) async fn read(
    State(app): State<App>,
    Visitor(player): Visitor,
    Path(game): Path<GameId>,
) -> Result<Json<ConditionalTurns>, Problem> {
    let (_, side) = seat(&app, game, player.id).await?;
    let row = app.store.conditional(game, side).await?;
    let turns = row.map_or_else(Vec::new, |row| conditional::read(&row.body));
    Ok(Json(ConditionalTurns { turns }))
}

problems!(
    SetProblems: OF_BODIES, OF_CHANGES, OF_FIELDS, OF_SESSIONS,
    &[IllegalAction, NotAPlayer, NotConditional, TooMuchWork, UnknownGame],
);

/// Replaces the visitor's conditional turns in a game.
///
/// They are played at once, and no time is charged, when the other side's turn leads to one of their positions. If it
/// leads elsewhere, all are removed.
#[utoipa::path(
    put,
    path = "/games/{id}/conditional",
    tag = "games",
    operation_id = "set_conditional_turns",
    params(("id" = inline(GameId), Path, description = "Id of the game.")),
    request_body = ConditionalTurns,
    responses(
        (status = 204, description = "The turns are laid down."),
        SetProblems,
    ),
    security(("session" = []), ("session_over_http" = [])),
)]
pub(super) async fn set(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    Visitor(player): Visitor,
    Path(game): Path<GameId>,
    Json(ConditionalTurns { turns }): Json<ConditionalTurns>,
) -> Result<StatusCode, Problem> {
    refuse_fast(&app, client, LimitedAction::Message)?;
    let (row, side) = seat(&app, game, player.id).await?;
    let is_of_two = row.seats.is_some_and(|seats| !seats.are_of_one_player());
    if !(is_of_two && row.status == Status::Playing && has_conditional_turns(row.ruleset, row.clock)) {
        return Err(NotConditional.into());
    }
    let body = conditional::body(&turns);
    if turns.len() > ConditionalTurns::MAX || body.len() > MAX_CONDITIONAL {
        let detail = format!("expected at most {} turns, in {MAX_CONDITIONAL} bytes", ConditionalTurns::MAX);
        return Err(Problem::new(InvalidBody, detail));
    }
    count_stored(&app, client, body.len())?;
    let requester = Requester::player(client.address, player.id);
    let ruleset = row.ruleset;
    app.compute.run(requester, move || check(ruleset, side, &turns)).await??;
    store(&app, (game, side), player.id, &body).await?;
    // The other side may have played meanwhile.
    if let Some(row) = app.store.game(game).await? {
        app.replies().look_at(&row);
    }
    Ok(StatusCode::NO_CONTENT)
}

/// Stores conditional turns for the game as it is. They are refused if a turn was played or taken back meanwhile: one that was
/// taken back is not played again.
async fn store(app: &App, (game, side): (GameId, Side), player: PlayerId, body: &str) -> Result<(), Problem> {
    for _ in 0..TRIES {
        let state = app.games.state(game, player).await?;
        // Before that, another player may take the seat.
        if !state.is_under_way() {
            return Err(NotConditional.into());
        }
        let row = ConditionalRow { game, side, version: state.version(), body: body.to_owned() };
        match app.writer.set_conditional(row).await {
            Err(WriteError::Refused(Refused::Conflict(_))) => {}
            stored => return Ok(stored?),
        }
    }
    Err(Busy.into())
}

/// Returns the row of a game, and the side of a player.
async fn seat(app: &App, game: GameId, player: PlayerId) -> Result<(GameRow, Side), Problem> {
    let row = app.store.game(game).await?.ok_or(UnknownGame)?;
    let seats = row.seats.ok_or(NotAPlayer)?;
    let side = Side::ALL.into_iter().find(|side| seats[*side] == player).ok_or(NotAPlayer)?;
    Ok((row, side))
}

/// Checks that each turn is whole and legal in its position, where the side is to move.
fn check(ruleset: Ruleset, side: Side, turns: &[ConditionalTurn]) -> Result<(), Problem> {
    let mut budget = Budget::for_start();
    for (index, ConditionalTurn { position, actions }) in (0..).zip(turns) {
        let refused =
            |code, detail: String| Problem::new(code, format!("turns[{index}]: {detail}")).in_turn(index);
        let illegal = |detail: String, flaw: Flaw| refused(IllegalAction, detail).because(flaw);
        let game = AnyMatch::from_text(ruleset, position);
        let mut game = game.map_err(|error| illegal(error.to_string(), error.into()))?;
        if game.to_move() != side {
            return Err(refused(InvalidBody, "you are not to move in this position".to_owned()));
        }
        game.appraise(&mut budget).map_err(|error| illegal(error.to_string(), error.into()))?;
        game.play(actions).map_err(|error| illegal(error.to_string(), error.into()))?;
    }
    Ok(())
}
