use axum::{Extension, extract::State, http::StatusCode, response::IntoResponse};
use game::{
    Player, Seats,
    ids::{PlayerId, SeekId},
};
use protocol::{
    GameSummary, NewSeek, PostedSeek,
    ProblemCode::{
        Blocked, GamesUnplayed, NoSuchResource, OwnSeek, SeekGone, SeekerFull, TooManyLists, TooManySeeks,
    },
    Seek, Seeks,
};
use store::{GameLimits, GameRow, Refused, SeekChange, StoreError, WriteError};
use tokio::time::Instant;
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
    live::{BeginError, CreateError, Sought, SoughtError},
    net::{
        address::{Client, LimitedAction, LimitedResource},
        limits::{MAX_SLOW_AT_FIRST, MAX_UNDER_WAY, price},
    },
    state::App,
};

/// Maximum number of seeks of others in a list.
const SHOWN: u32 = 100;

/// The games that players who seek may have.
const LIMITS: GameLimits = GameLimits { under_way: MAX_UNDER_WAY, slow_at_first: MAX_SLOW_AT_FIRST };

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
    let open = app.store.newest_seeks(player.id, LIMITS, SHOWN).await?;
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

problems!(PostProblems: OF_BEGINNING, OF_BODIES, OF_CHANGES, OF_FIELDS, OF_SESSIONS, &[TooManySeeks]);

/// A new seek.
///
/// It takes the place of the visitor's seek for the same ruleset and clock, if there is one, and is paired at once with the seeks
/// of others that want the same. It waits for as many other games as it wants, until it is
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

problems!(AcceptProblems: OF_BEGINNING, OF_CHANGES, OF_SESSIONS, &[Blocked, GamesUnplayed, NoSuchResource, OwnSeek, SeekGone, SeekerFull]);

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
    let taking = app.clone();
    let begun =
        app.complete(async move { taking.take_seek(seek, None, [player.id, seek.player], client).await });
    let row = begun.await?.map_err(|untaken| match untaken {
        Untaken::Taker(problem) => problem,
        Untaken::Begin(error) => problem(error),
    })?;
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
        let others = self.store.seeks_like(&seek, LIMITS, MATCHED).await?;
        let mut begun: Vec<GameRow> = Vec::new();
        for other in others {
            if begun.len() == seek.wanted as usize {
                break;
            }
            match self.take_seek(seek, Some(other), [seek.player, other.player], client).await {
                Ok(row) => begun.push(row),
                // The seek waits: its player may have room for a game later.
                Err(Untaken::Taker(_)) => break,
                Err(Untaken::Begin(error)) => {
                    if !is_expected(&error) {
                        warn!(error = &error as &dyn std::error::Error, "seeks: a game could not begin");
                    }
                }
            }
        }
        Ok(begun)
    }

    /// Begins a game that a seek wants, and another one if there is one, between a player who takes it and one who agreed to it
    /// when the seek was posted.
    async fn take_seek(
        &self,
        seek: store::Seek,
        other: Option<store::Seek>,
        [taker, seeker]: [PlayerId; 2],
        client: Client,
    ) -> Result<GameRow, Untaken> {
        refuse_fast(self, client, LimitedAction::TakeSeek).map_err(Untaken::Taker)?;
        let is_first: bool = self.env.random();
        let [first, second] = if is_first { [taker, seeker] } else { [seeker, taker] };
        let sought = Sought { seek, other, seats: Seats { first, second } };
        let present = Applicant { player: taker, address: Some(client.address) };
        let absent = Applicant { player: seeker, address: None };
        self.games.begin_sought(sought, [present, absent], self.env.seed()).await.map_err(|error| {
            self.addresses.give_back(client.address, LimitedAction::TakeSeek, Instant::now());
            match error {
                SoughtError::Unplayed => Untaken::Taker(GamesUnplayed.into()),
                SoughtError::Begin(BeginError::Denied(Denied { player, why })) if player == taker => {
                    Untaken::Taker(why.into())
                }
                SoughtError::Begin(error) => Untaken::Begin(error),
            }
        })
    }
}

/// The reason why a game that another player seeks did not begin.
enum Untaken {
    /// The player who takes the seek begins none now.
    Taker(Problem),
    Begin(BeginError),
}

/// Whether another player's seek cannot be paired now, for reasons that are not the server's.
fn is_expected(error: &BeginError) -> bool {
    match error {
        BeginError::Denied(_) => true,
        BeginError::Create(CreateError::Store(WriteError::Refused(refused))) => {
            // The two seeks have found each other from the other side if the game is there.
            matches!(refused, Refused::SeekGone | Refused::Blocked | Refused::Conflict(_))
        }
        BeginError::Create(_) | BeginError::Counts(_) => false,
    }
}

/// Returns the refusal of an accepted seek.
fn problem(error: BeginError) -> Problem {
    match error {
        BeginError::Denied(_) => SeekerFull.into(),
        BeginError::Counts(error) => error.into(),
        BeginError::Create(CreateError::Store(WriteError::Refused(Refused::Blocked))) => Blocked.into(),
        BeginError::Create(error) => error.into(),
    }
}
