use axum::{Extension, extract::State, http::StatusCode, response::IntoResponse};
use game::{
    Player, Seats,
    ids::{PlayerId, SeekId},
};
use protocol::{
    GameSummary, NewSeek, PostedSeek,
    ProblemCode::{Blocked, NoSuchResource, OwnSeek, SeekGone, SeekerFull, TooManyLists, TooManySeeks},
    Seek, Seeks,
};
use store::{GameRow, Refused, SeekChange, StoreError, WriteError};
use tracing::warn;

use super::{
    Problem,
    client::{count_stored, refuse_fast},
    describe::{OF_BEGINNING, OF_BODIES, OF_CHANGES, OF_FIELDS, OF_QUERIES, OF_SESSIONS, problems},
    extract::{Json, Path},
};
use crate::{
    admission::{Applicant, Denied},
    identity::Visitor,
    live::{BeginError, CreateError, Sought},
    net::{
        address::{Client, LimitedAction, LimitedResource},
        limits::price,
    },
    state::App,
};

/// Maximum number of seeks of others in a list.
const SHOWN: u32 = 100;

/// Maximum number of matching seeks that a new one is paired with at once.
const MATCHED: u32 = 64;

problems!(ListProblems: OF_QUERIES, OF_SESSIONS, &[TooManyLists]);

/// The visitor's own seeks, and those of others that the visitor may accept.
#[utoipa::path(
    get,
    path = "/seeks",
    tag = "seeks",
    operation_id = "list_seeks",
    responses(
        (status = 200, description = "The seeks.", body = Seeks),
        ListProblems,
    ),
    security(("session" = []), ("session_over_http" = [])),
)]
pub(super) async fn list(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    Visitor(player): Visitor,
) -> Result<Json<Seeks>, Problem> {
    refuse_fast(&app, client, LimitedAction::List)?;
    let _place =
        app.addresses.open(client.address, LimitedResource::List).map_err(Problem::too_many_lists)?;
    let own = of(&app, player.id).await?;
    let mut open = app.store.newest_seeks(SHOWN).await?;
    open.retain(|seek| seek.player != player.id);
    without_blocked(&app, player.id, &mut open).await?;
    Ok(Json(Seeks { own, open: shown(&app, open).await? }))
}

/// Returns the seeks of a player.
pub(super) async fn of(app: &App, player: PlayerId) -> Result<Vec<Seek>, StoreError> {
    shown(app, app.store.seeks_of(player).await?).await
}

async fn shown(app: &App, seeks: Vec<store::Seek>) -> Result<Vec<Seek>, StoreError> {
    app.directory.load(seeks.iter().map(|seek| seek.player)).await?;
    let shown = |store::Seek { id, player, ruleset, clock, wanted, created_ms }| Seek {
        id,
        player: app.directory.player_with_id(player),
        ruleset,
        clock: clock.into(),
        games: wanted,
        created_ms,
    };
    Ok(seeks.into_iter().map(shown).collect())
}

/// Removes the seeks of players who have blocked a player or are blocked by them.
async fn without_blocked(
    app: &App,
    player: PlayerId,
    seeks: &mut Vec<store::Seek>,
) -> Result<(), StoreError> {
    let others: Vec<_> = seeks.iter().map(|seek| seek.player).collect();
    let blocked = app.store.blocked_among(player, &others).await?;
    seeks.retain(|seek| !blocked.contains(&seek.player));
    Ok(())
}

problems!(PostProblems: OF_BEGINNING, OF_BODIES, OF_CHANGES, OF_FIELDS, OF_SESSIONS, &[TooManySeeks]);

/// A new seek.
///
/// It is paired at once with the seeks of others that want the same. It waits for as many other games as it wants, until it is
/// withdrawn, or its player was not seen for 14 days.
#[utoipa::path(
    post,
    path = "/seeks",
    tag = "seeks",
    operation_id = "post_seek",
    request_body = NewSeek,
    responses(
        (status = 201, description = "The seek, and the games that began.", body = PostedSeek),
        PostProblems,
    ),
    security(("session" = []), ("session_over_http" = [])),
)]
pub(super) async fn post(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    Visitor(player): Visitor,
    Json(NewSeek { ruleset, clock, games }): Json<NewSeek>,
) -> Result<impl IntoResponse, Problem> {
    if app.load.is_too_much() {
        return Err(Problem::overloaded());
    }
    refuse_fast(&app, client, LimitedAction::Seek)?;
    count_stored(&app, client, price::SEEK)?;
    let seek = store::Seek {
        id: SeekId::new(app.env.id()),
        player: player.id,
        ruleset,
        clock: protocol::ClockRule::from(clock).into(),
        wanted: games.into(),
        created_ms: app.env.now_ms(),
    };
    let pairing = app.clone();
    let posted = app.complete(async move { pairing.post_seek(seek, client).await }).await??;
    let waiting = shown(&app, app.store.seek(seek.id).await?.into_iter().collect()).await?;
    let games = app.summaries(posted).await?;
    Ok((StatusCode::CREATED, Json(PostedSeek { seek: waiting.into_iter().next(), games })))
}

problems!(AcceptProblems: OF_BEGINNING, OF_CHANGES, OF_SESSIONS, &[Blocked, NoSuchResource, OwnSeek, SeekGone, SeekerFull]);

/// Begins a game that a seek of another player wants.
#[utoipa::path(
    post,
    path = "/seeks/{id}/accept",
    tag = "seeks",
    operation_id = "accept_seek",
    params(("id" = inline(SeekId), Path, description = "Id of the seek.")),
    responses(
        (status = 201, description = "The game.", body = GameSummary),
        AcceptProblems,
    ),
    security(("session" = []), ("session_over_http" = [])),
)]
pub(super) async fn accept(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    Visitor(player): Visitor,
    Path(seek): Path<SeekId>,
) -> Result<impl IntoResponse, Problem> {
    if app.load.is_too_much() {
        return Err(Problem::overloaded());
    }
    refuse_fast(&app, client, LimitedAction::Seek)?;
    let seek = app.store.seek(seek).await?.ok_or(SeekGone)?;
    if seek.player == player.id {
        return Err(OwnSeek.into());
    }
    let visitor = Applicant { player: player.id, address: Some(client.address) };
    let (games, env) = (app.games.clone(), app.env.clone());
    let begun = app.complete(async move {
        let sought = Sought { seek, other: None, seats: seats(env.random(), [player.id, seek.player]) };
        games.begin_sought(sought, [visitor, absent(seek.player)], env.seed()).await
    });
    let row = begun.await?.map_err(|error| problem(error, seek.player))?;
    Ok((StatusCode::CREATED, Json(app.summary(row).await?)))
}

problems!(WithdrawProblems: OF_CHANGES, OF_SESSIONS, &[NoSuchResource, SeekGone]);

/// Withdraws a seek of the visitor.
#[utoipa::path(
    delete,
    path = "/seeks/{id}",
    tag = "seeks",
    operation_id = "withdraw_seek",
    params(("id" = inline(SeekId), Path, description = "Id of the seek.")),
    responses(
        (status = 204, description = "The seek is withdrawn."),
        WithdrawProblems,
    ),
    security(("session" = []), ("session_over_http" = [])),
)]
pub(super) async fn withdraw(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    Visitor(Player { id: player, .. }): Visitor,
    Path(seek): Path<SeekId>,
) -> Result<StatusCode, Problem> {
    refuse_fast(&app, client, LimitedAction::Seek)?;
    app.writer.change_seeks(SeekChange::Withdrawn { seek, player }).await?;
    Ok(StatusCode::NO_CONTENT)
}

impl App {
    /// Stores a seek, and begins the games that other seeks want too, one with each of their players. Two seeks that are posted at
    /// once find each other: each is stored before it is paired.
    async fn post_seek(self, seek: store::Seek, client: Client) -> Result<Vec<GameRow>, Problem> {
        self.writer.change_seeks(SeekChange::Posted(seek)).await?;
        let mut others = self.store.seeks_like(&seek, MATCHED).await?;
        without_blocked(&self, seek.player, &mut others).await?;
        let mut begun: Vec<GameRow> = Vec::new();
        for other in others {
            let wanted = seek.wanted as usize;
            let is_paired = begun.iter().any(|row| row.is_of(other.player));
            if begun.len() == wanted || is_paired {
                continue;
            }
            let seats = seats(self.env.random(), [seek.player, other.player]);
            let sought = Sought { seek, other: Some(other.id), seats };
            let visitor = Applicant { player: seek.player, address: Some(client.address) };
            match self.games.begin_sought(sought, [visitor, absent(other.player)], self.env.seed()).await {
                Ok(row) => begun.push(row),
                // The seek waits: its player may have room for a game later.
                Err(BeginError::Denied(Denied { player, .. })) if player == seek.player => break,
                Err(error) => {
                    if !is_expected(&error) {
                        warn!(error = &error as &dyn std::error::Error, "seeks: a game could not begin");
                    }
                }
            }
        }
        Ok(begun)
    }
}

/// A player who agreed to the game when the seek was posted.
fn absent(player: PlayerId) -> Applicant {
    Applicant { player, address: None }
}

fn seats(is_first: bool, [one, other]: [PlayerId; 2]) -> Seats {
    if is_first { Seats { first: one, second: other } } else { Seats { first: other, second: one } }
}

/// Whether another player's seek cannot be paired now, for reasons that are not the server's.
fn is_expected(error: &BeginError) -> bool {
    match error {
        BeginError::Denied(_) => true,
        BeginError::Create(CreateError::Store(WriteError::Refused(refused))) => {
            matches!(refused, Refused::SeekGone | Refused::Blocked)
        }
        BeginError::Create(_) | BeginError::Counts(_) => false,
    }
}

/// Returns the refusal of an accepted seek of a player.
fn problem(error: BeginError, seeker: PlayerId) -> Problem {
    match error {
        BeginError::Denied(Denied { player, .. }) if player == seeker => SeekerFull.into(),
        BeginError::Denied(Denied { why, .. }) => why.into(),
        BeginError::Counts(error) => error.into(),
        BeginError::Create(CreateError::Store(WriteError::Refused(Refused::Blocked))) => Blocked.into(),
        BeginError::Create(error) => error.into(),
    }
}
