//! Pictures of positions and animations of games, drawn on a pool of their own. Of a game they show what a spectator may
//! see at that moment, to its players too, so that anybody may be sent their addresses.

mod cache;
mod frames;

use axum::{
    Extension,
    extract::FromRequestParts,
    http::{HeaderMap, HeaderValue, StatusCode, header, request::Parts},
    response::{IntoResponse, Response},
};
use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use engine::{AnyMatch, Ruleset};
use game::ids::GameId;
use pictures::{Scene, Shape, Style, Theme, Undrawn};
use protocol::{
    AnimationQuery, GamePictureQuery, PictureQuery, PictureShape, PictureTheme, PositionPictureQuery,
    ProblemCode::{self, InvalidStart, NoSuchResource, Refused},
    PuzzleId, Text, Turn,
};
use sha2::{Digest as _, Sha256};
use tokio::time::Instant;
use tracing::error;

pub(in crate::http) use self::cache::Pictures;
use self::{
    cache::Drawn,
    frames::{Frame, Frames},
};
use super::{
    FOR_ALL_PAGES, Problem, RESOURCE_POLICY,
    cached::{KEPT, is_known},
    client::refuse_fast,
    describe::{OF_DOCUMENTS, OF_QUERIES, OF_READING, problems},
    document::Recipient,
    extract::{Path, Query},
    puzzles::Entry,
};
use crate::{
    deflate::Gzipped,
    net::{
        address::{Client, LimitedAction},
        limits::{MAX_POSITION, PICTURES_AN_ANIMATION},
    },
    state::App,
};

/// A game may go on, so pictures of it are revalidated soon, by their tag.
const OF_A_GAME: HeaderValue = HeaderValue::from_static("public, max-age=30");

/// Format of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Svg,
    Png,
    Gif,
}

impl Format {
    const fn content_type(self) -> &'static str {
        match self {
            Self::Svg => "image/svg+xml",
            Self::Png => "image/png",
            Self::Gif => "image/gif",
        }
    }
}

/// Everything that a picture depends on.
#[derive(Debug)]
struct Plan {
    ruleset: Ruleset,
    /// One, or those of an animation.
    frames: Vec<Frame>,
    style: Style,
    format: Format,
}

impl Plan {
    fn digest(&self) -> cache::Digest {
        let mut digest = Sha256::new();
        let Self { ruleset, frames, style, format } = self;
        // A later release may draw the same differently.
        digest.update(format!("{} {ruleset} {style:?} {format:?}", env!("CARGO_PKG_VERSION")));
        for Frame { position, steps, threats, turn: _ } in frames {
            digest.update(format!("\n{position}{steps:?}{threats:?}"));
        }
        digest.finalize().into()
    }

    fn draw(&self) -> Result<Drawn, Undrawn> {
        let scenes: Vec<Scene<'_>> = self
            .frames
            .iter()
            .map(|Frame { position, steps, threats, .. }| Scene {
                ruleset: self.ruleset,
                position,
                steps,
                threats: threats.as_ref(),
            })
            .collect();
        let one = scenes.last().ok_or(pictures::Unreadable)?;
        Ok(match self.format {
            Format::Svg => Drawn::Text(Gzipped::of_text(&pictures::svg(one, self.style)?)),
            Format::Png => Drawn::Pixels(pictures::png(one, self.style)?.into()),
            Format::Gif => Drawn::Pixels(pictures::gif(&scenes, self.style.theme)?.into()),
        })
    }
}

/// A client that asks for a picture. Its requests count against the limits of its address.
pub(super) struct PictureRequest {
    app: App,
    client: Client,
    pictures: Pictures,
    recipient: Recipient,
    headers: HeaderMap,
}

impl FromRequestParts<App> for PictureRequest {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Problem> {
        let unavailable = |_| Problem::from(ProblemCode::Unavailable);
        let Extension(client) =
            Extension::<Client>::from_request_parts(parts, app).await.map_err(unavailable)?;
        let Extension(pictures) =
            Extension::<Pictures>::from_request_parts(parts, app).await.map_err(unavailable)?;
        refuse_fast(app, client, LimitedAction::Picture)?;
        let recipient = Recipient::from_request_parts(parts, app).await?;
        Ok(Self { app: app.clone(), client, pictures, recipient, headers: parts.headers.clone() })
    }
}

/// The answer to a request for a picture.
struct Answer {
    tag: HeaderValue,
    /// `None` if the client has the picture already.
    drawn: Option<Drawn>,
}

impl PictureRequest {
    /// Draws a picture, unless it is kept.
    ///
    /// # Errors
    /// There is nothing to be drawn, or too much work of the client's address is queued.
    async fn answer(
        self,
        cache_control: HeaderValue,
        plan: impl FnOnce() -> Result<Plan, Problem> + Send + 'static,
    ) -> Result<Response, Problem> {
        let Self { app, pictures, recipient, headers, .. } = self;
        let work = move || {
            let plan = plan()?;
            Ok::<_, Problem>((plan.format.content_type(), drawn(&plan, &pictures, &headers)?))
        };
        let (kind, Answer { tag, drawn }) = app.drawing.run(recipient.requester, work).await??;
        let mut response = match drawn {
            None => StatusCode::NOT_MODIFIED.into_response(),
            Some(Drawn::Text(text)) => recipient.answer(&app, text, kind).await?,
            Some(Drawn::Pixels(bytes)) => recipient.answer_as_it_is(bytes, kind),
        };
        response.headers_mut().insert(header::ETAG, tag);
        response.headers_mut().insert(header::CACHE_CONTROL, cache_control);
        response.headers_mut().insert(RESOURCE_POLICY, FOR_ALL_PAGES);
        Ok(response)
    }

    /// Draws positions of a game, as far as a spectator may see them.
    ///
    /// # Errors
    /// Only its players may see the game, or it does not exist.
    async fn answer_of_game(
        self,
        game: GameId,
        format: Format,
        style: Style,
        chosen: impl FnOnce(Frames) -> Vec<Frame> + Send + 'static,
    ) -> Result<Response, Problem> {
        let document = self.app.games.document(game, None, self.recipient.requester).await?;
        let plan = move || {
            let frames = Frames::of_document(&document.text())?;
            let ruleset = frames.ruleset;
            Ok(Plan { ruleset, frames: chosen(frames), style, format })
        };
        self.answer(OF_A_GAME, plan).await
    }
}

fn drawn(plan: &Plan, pictures: &Pictures, headers: &HeaderMap) -> Result<Answer, Problem> {
    let digest = plan.digest();
    let tag = format!("W/\"{}\"", BASE64_URL_SAFE_NO_PAD.encode(digest));
    let tag = HeaderValue::from_str(&tag).map_err(|_| ProblemCode::Unavailable)?;
    if is_known(&tag, headers) {
        return Ok(Answer { tag, drawn: None });
    }
    if let Some(kept) = pictures.find(&digest) {
        return Ok(Answer { tag, drawn: Some(kept) });
    }
    let drawn = plan.draw().map_err(|error| {
        error!(%error, "picture: drawing failed");
        ProblemCode::Unavailable
    })?;
    pictures.keep(digest, drawn.clone());
    Ok(Answer { tag, drawn: Some(drawn) })
}

const fn style(theme: PictureTheme, shape: PictureShape) -> Style {
    let theme = match theme {
        PictureTheme::Light => Theme::Light,
        PictureTheme::Dark => Theme::Dark,
    };
    let shape = match shape {
        PictureShape::Card => Shape::Card,
        PictureShape::Square => Shape::Square,
    };
    Style { theme, shape }
}

problems!(GameProblems: OF_DOCUMENTS, OF_QUERIES, OF_READING, &[Refused]);

/// A picture of a game as SVG.
///
/// It shows what a spectator may see at the moment.
#[utoipa::path(
    get,
    path = "/games/{id}/picture.svg",
    tag = "pictures",
    operation_id = "draw_game_as_svg",
    params(("id" = inline(GameId), Path, description = "Id of the game."), GamePictureQuery),
    responses(
        (status = 200, description = "The picture.", body = String, content_type = "image/svg+xml"),
        (status = 304, description = "The client has it already, by `If-None-Match`."),
        GameProblems,
    ),
)]
pub(super) async fn game_svg(
    request: PictureRequest,
    Path(game): Path<GameId>,
    Query(GamePictureQuery { turn, theme, shape }): Query<GamePictureQuery>,
) -> Result<Response, Problem> {
    let chosen = move |frames: Frames| frames.at(turn).into_iter().collect();
    request.answer_of_game(game, Format::Svg, style(theme, shape), chosen).await
}

/// A picture of a game as PNG.
///
/// It shows what a spectator may see at the moment.
#[utoipa::path(
    get,
    path = "/games/{id}/picture.png",
    tag = "pictures",
    operation_id = "draw_game",
    params(("id" = inline(GameId), Path, description = "Id of the game."), GamePictureQuery),
    responses(
        (status = 200, description = "The picture.", body = String, content_type = "image/png"),
        (status = 304, description = "The client has it already, by `If-None-Match`."),
        GameProblems,
    ),
)]
pub(super) async fn game_png(
    request: PictureRequest,
    Path(game): Path<GameId>,
    Query(GamePictureQuery { turn, theme, shape }): Query<GamePictureQuery>,
) -> Result<Response, Problem> {
    let chosen = move |frames: Frames| frames.at(turn).into_iter().collect();
    request.answer_of_game(game, Format::Png, style(theme, shape), chosen).await
}

/// An animation of a game, with a frame for each turn.
///
/// It has at most 60 frames; of a longer game, evenly chosen turns are shown. It shows what a spectator may see at the
/// moment.
#[utoipa::path(
    get,
    path = "/games/{id}/animation.gif",
    tag = "pictures",
    operation_id = "animate_game",
    params(("id" = inline(GameId), Path, description = "Id of the game."), AnimationQuery),
    responses(
        (status = 200, description = "The animation.", body = String, content_type = "image/gif"),
        (status = 304, description = "The client has it already, by `If-None-Match`."),
        GameProblems,
    ),
)]
pub(super) async fn game_gif(
    request: PictureRequest,
    Path(game): Path<GameId>,
    Query(AnimationQuery { theme }): Query<AnimationQuery>,
) -> Result<Response, Problem> {
    let (address, now) = (request.client.address, Instant::now());
    request.app.addresses.charge(address, LimitedAction::Picture, PICTURES_AN_ANIMATION - 1, now);
    let style = style(theme, PictureShape::Square);
    request.answer_of_game(game, Format::Gif, style, |frames| frames.all).await
}

problems!(PuzzleProblems: OF_DOCUMENTS, OF_QUERIES, &[NoSuchResource]);

/// A picture of a puzzle as PNG.
#[utoipa::path(
    get,
    path = "/puzzles/{id}/picture.png",
    tag = "pictures",
    operation_id = "draw_puzzle",
    params(("id" = inline(PuzzleId), Path, description = "Id of the puzzle."), PictureQuery),
    responses(
        (status = 200, description = "The picture.", body = String, content_type = "image/png"),
        (status = 304, description = "The client has it already, by `If-None-Match`."),
        PuzzleProblems,
    ),
)]
pub(super) async fn puzzle_png(
    request: PictureRequest,
    Path(id): Path<PuzzleId>,
    Query(PictureQuery { theme, shape }): Query<PictureQuery>,
) -> Result<Response, Problem> {
    let entry = Entry::find(&id)?;
    let plan = move || Ok(still(&entry.game()?, Format::Png, style(theme, shape)));
    request.answer(KEPT, plan).await
}

problems!(PositionProblems: OF_DOCUMENTS, OF_QUERIES, &[InvalidStart]);

/// A picture of a position as SVG.
#[utoipa::path(
    get,
    path = "/picture.svg",
    tag = "pictures",
    operation_id = "draw_position_as_svg",
    params(PositionPictureQuery),
    responses(
        (status = 200, description = "The picture.", body = String, content_type = "image/svg+xml"),
        (status = 304, description = "The client has it already, by `If-None-Match`."),
        PositionProblems,
    ),
)]
pub(super) async fn position_svg(
    request: PictureRequest,
    Query(query): Query<PositionPictureQuery>,
) -> Result<Response, Problem> {
    request.answer(KEPT, move || of_position(&query, Format::Svg)).await
}

/// A picture of a position as PNG.
#[utoipa::path(
    get,
    path = "/picture.png",
    tag = "pictures",
    operation_id = "draw_position",
    params(PositionPictureQuery),
    responses(
        (status = 200, description = "The picture.", body = String, content_type = "image/png"),
        (status = 304, description = "The client has it already, by `If-None-Match`."),
        PositionProblems,
    ),
)]
pub(super) async fn position_png(
    request: PictureRequest,
    Query(query): Query<PositionPictureQuery>,
) -> Result<Response, Problem> {
    request.answer(KEPT, move || of_position(&query, Format::Png)).await
}

fn of_position(query: &PositionPictureQuery, format: Format) -> Result<Plan, Problem> {
    let PositionPictureQuery { ruleset: Text(ruleset), position, theme, shape } = query;
    if position.len() > MAX_POSITION {
        let detail = format!("`position` has at most {MAX_POSITION} bytes");
        return Err(Problem::new(ProblemCode::InvalidQuery, detail));
    }
    let game = AnyMatch::from_text(*ruleset, position).map_err(|error| {
        let detail = error.to_string();
        Problem::new(InvalidStart, detail).because(error.into())
    })?;
    Ok(still(&game, format, style(*theme, *shape)))
}

/// A picture of a game that has no turn yet.
fn still(game: &AnyMatch, format: Format, style: Style) -> Plan {
    let Turn { position, threats, .. } = game.present().into();
    Plan { ruleset: game.ruleset(), frames: vec![Frame::still(position, threats)], style, format }
}
