use axum::{Extension, extract::State};
use game::ids::PlayerId;
use protocol::{
    NewVacation,
    ProblemCode::{NoSession, NoVacationLeft, NotOnVacation, OnVacation},
    Vacation, VacationSettings,
};
use store::{VacationChange, VacationStep};

use super::{
    Problem,
    client::{count_stored, refuse_fast},
    describe::{OF_BODIES, OF_CHANGES, OF_FIELDS, OF_SESSIONS, problems},
    extract::Json,
};
use crate::{
    identity::Visitor,
    net::{
        address::{Client, LimitedAction},
        limits::price,
    },
    state::App,
};

problems!(ReadProblems: OF_SESSIONS);

/// The visitor's vacation.
///
/// During a vacation no time runs in the visitor's games with a clock of days.
#[utoipa::path(
    get,
    path = "/vacation",
    tag = "vacation",
    operation_id = "read_vacation",
    responses(
        (status = 200, description = "The vacation.", body = Vacation),
        ReadProblems,
    ),
    security(("session" = []), ("session_over_http" = [])),
)]
pub(super) async fn read(
    State(app): State<App>,
    Visitor(player): Visitor,
) -> Result<Json<Vacation>, Problem> {
    of(&app, player.id).await
}

problems!(BeginProblems: OF_BODIES, OF_CHANGES, OF_FIELDS, OF_SESSIONS, &[NoVacationLeft, OnVacation]);

/// Begins a vacation of some days.
#[utoipa::path(
    put,
    path = "/vacation",
    tag = "vacation",
    operation_id = "begin_vacation",
    request_body = NewVacation,
    responses(
        (status = 200, description = "The vacation, under way.", body = Vacation),
        BeginProblems,
    ),
    security(("session" = []), ("session_over_http" = [])),
)]
pub(super) async fn begin(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    Visitor(player): Visitor,
    Json(NewVacation { days }): Json<NewVacation>,
) -> Result<Json<Vacation>, Problem> {
    change(&app, client, player.id, VacationStep::Begun(days)).await
}

problems!(ChangeProblems: OF_BODIES, OF_CHANGES, OF_FIELDS, OF_SESSIONS);

/// Sets whether a day is used when the visitor's time in a game runs out.
#[utoipa::path(
    patch,
    path = "/vacation",
    tag = "vacation",
    operation_id = "change_vacation",
    request_body = VacationSettings,
    responses(
        (status = 200, description = "The vacation.", body = Vacation),
        ChangeProblems,
    ),
    security(("session" = []), ("session_over_http" = [])),
)]
pub(super) async fn set(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    Visitor(player): Visitor,
    Json(VacationSettings { automatic }): Json<VacationSettings>,
) -> Result<Json<Vacation>, Problem> {
    change(&app, client, player.id, VacationStep::SetAutomatic(automatic)).await
}

problems!(EndProblems: OF_CHANGES, OF_SESSIONS, &[NotOnVacation]);

/// Ends the visitor's vacation. Its days that have not begun are left for another one.
#[utoipa::path(
    delete,
    path = "/vacation",
    tag = "vacation",
    operation_id = "end_vacation",
    responses(
        (status = 200, description = "The vacation, over.", body = Vacation),
        EndProblems,
    ),
    security(("session" = []), ("session_over_http" = [])),
)]
pub(super) async fn end(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    Visitor(player): Visitor,
) -> Result<Json<Vacation>, Problem> {
    change(&app, client, player.id, VacationStep::Ended).await
}

/// Stores a change. The node that sweeps has the player's games credit it.
async fn change(
    app: &App,
    client: Client,
    player: PlayerId,
    what: VacationStep,
) -> Result<Json<Vacation>, Problem> {
    refuse_fast(app, client, LimitedAction::Block)?;
    count_stored(app, client, price::VACATION)?;
    let change = VacationChange { player, now_ms: app.env.now_ms(), what };
    app.writer.change_vacation(change).await?;
    of(app, player).await
}

/// Returns the vacation of a player.
async fn of(app: &App, player: PlayerId) -> Result<Json<Vacation>, Problem> {
    let vacations = app.store.vacations(player).await?.ok_or(NoSession)?;
    let now_ms = app.env.now_ms();
    Ok(Json(Vacation {
        days_left: vacations.days_left(now_ms),
        automatic: vacations.is_automatic,
        present: vacations.present(now_ms).map(Into::into),
    }))
}
