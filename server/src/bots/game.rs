//! The bot of one game: its duties, and how it does them.

use std::time::Duration;

use ::game::{
    Command, OfferKind, Phase, State,
    ids::{ActionText, BotLevel, CommandId, GameId, Version},
};
use engine::Side;
use protocol::Nack;
use tokio::time::sleep;
use tracing::{error, warn};

use super::{Bots, thinking::Question};
use crate::{
    compute::{Asker, ComputeError},
    live::Request,
};

/// Maximum number of commands that are refused in a row: for two minutes. After these the game is left to the search for
/// overdue turns.
const TRIES: u32 = 8;

/// Time until a command that was refused once is tried again. It doubles with each further refusal.
const TRY_AGAIN_AFTER: Duration = Duration::from_millis(500);

/// A score below this is as good as lost.
const LOST: f32 = 0.02;

/// Number of consecutive turns with such a score after which a bot resigns.
const LOST_TURNS: u8 = 3;

/// A bot accepts a draw if its score is at most this.
const DRAWN: f32 = 0.45;

/// Something that a bot has to do in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Duty {
    /// To play its turn.
    Turn,
    /// To answer an offer of the other side.
    Answer(OfferKind),
}

/// The duty of the bot of a side.
fn duty(state: &State, side: Side) -> Option<Duty> {
    let (offers, is_to_move) = match state.phase() {
        Phase::Playing { offers, .. } => (offers, state.play().to_move() == side),
        Phase::Finished { offers, rematch: None, .. } => (offers, false),
        Phase::Open | Phase::Finished { .. } | Phase::Aborted { .. } | Phase::Cancelled => return None,
    };
    let offered = offers.standing().iter().find(|offer| offer.side != side);
    offered.map(|offer| Duty::Answer(offer.what)).or_else(|| is_to_move.then_some(Duty::Turn))
}

impl Bots {
    /// Does what the bot of a game has to do, until it has nothing to do.
    pub(super) async fn play(&self, game: GameId) {
        let mut refused = 0;
        while refused < TRIES {
            match self.next_duty(game).await {
                Ok(Done::Something) => refused = 0,
                Ok(Done::Nothing) | Err(Undone::GoingDown) => return,
                Err(Undone::Refused(refusal)) => {
                    if !matches!(refusal, Nack::Busy | Nack::Unavailable | Nack::Stale { .. }) {
                        warn!(%game, ?refusal, "bots: command in game {game} refused");
                    }
                    sleep(TRY_AGAIN_AFTER * 2_u32.pow(refused)).await;
                    refused += 1;
                }
            }
        }
    }

    /// Does the next duty of the bot of a game.
    async fn next_duty(&self, game: GameId) -> Result<Done, Undone> {
        let row = self.0.store.game(game).await.map_err(|error| {
            warn!(%game, %error, "bots: game {game} cannot be read: {error}");
            Undone::Refused(Nack::Unavailable)
        })?;
        let players = row.and_then(|row| row.seats).map(|seats| [seats.first.id, seats.second.id]);
        let bot = players.into_iter().flatten().find(|player| BotLevel::of(*player).is_some());
        let Some(bot) = bot else { return Ok(Done::Nothing) };
        let state = self.0.games.state(game, bot).await.map_err(Undone::Refused)?;
        let Some((side, level)) = state.bot() else { return Ok(Done::Nothing) };
        let Some(duty) = duty(&state, side) else { return Ok(Done::Nothing) };
        let command = match duty {
            Duty::Turn => self.turn(game, &state, side, level).await?,
            Duty::Answer(what) => self.answer(what, &state, side, level).await?,
        };
        // An offer that was made while the bot thought is answered first: the turn would end it.
        let now = self.0.games.state(game, bot).await.map_err(Undone::Refused)?;
        if now.version() != state.version() {
            return Ok(Done::Something);
        }
        match self.send(game, level, command).await {
            Err(Undone::Refused(
                Nack::TooFast { .. } | Nack::TooManyUnderWay { .. } | Nack::Overloaded | Nack::NoSpace,
            )) if duty == Duty::Answer(OfferKind::Rematch) => {
                let rematch = GameId::new(self.0.games.env().id());
                let decline = Command::Answer { what: OfferKind::Rematch, accept: false, rematch };
                self.send(game, level, decline).await?;
            }
            sent => sent?,
        }
        Ok(Done::Something)
    }

    async fn answer(
        &self,
        what: OfferKind,
        state: &State,
        side: Side,
        level: BotLevel,
    ) -> Result<Command, Undone> {
        let accept = match what {
            OfferKind::Takeback | OfferKind::Rematch => true,
            OfferKind::Draw => self.would_draw(state, side, level).await?,
        };
        Ok(Command::Answer { what, accept, rematch: GameId::new(self.0.games.env().id()) })
    }

    async fn send(&self, game: GameId, level: BotLevel, command: Command) -> Result<(), Undone> {
        let env = self.0.games.env();
        let id: CommandId =
            env.id().to_string().try_into().map_err(|_| Undone::Refused(Nack::Unavailable))?;
        let request = Request {
            id,
            who: level.player(),
            asker: Asker::SERVER,
            command,
            received_ms: env.now_ms(),
            over_budget: None,
        };
        self.0.games.command(game, request).await.map(drop).map_err(Undone::Refused)
    }

    /// Searches for the bot's turn, or resigns.
    async fn turn(
        &self,
        game: GameId,
        state: &State,
        side: Side,
        level: BotLevel,
    ) -> Result<Command, Undone> {
        let found =
            self.0.thinking.search(self.asker(state, side), self.question(state, side, level)).await?;
        let actions = match found {
            Some(report) => {
                if self.is_lost(game, state.version(), report.score) {
                    return Ok(Command::Resign);
                }
                report.turn
            }
            None => {
                error!(%game, level = level.get(), "bots: no turn found in game {game}: the first legal one is played");
                self.0.thinking.first_turn(self.asker(state, side), state.play().clone()).await?
            }
        };
        let actions = actions.into_iter().map(ActionText::try_from).collect::<Result<_, _>>();
        let actions = actions.map_err(|_| Undone::Refused(Nack::Unavailable))?;
        Ok(Command::Turn { base: state.version(), actions, lag_ms: 0 })
    }

    /// Records the score of the turn at a version of the game. Returns whether the bot resigns.
    pub(super) fn is_lost(&self, game: GameId, version: Version, score: f32) -> bool {
        let mut lost_turns = self.0.lost_turns.lock();
        let lost = lost_turns.get(game, || LostTurns { last: Version::NONE, number: 0 });
        if score >= LOST {
            lost.number = 0;
        } else if lost.last != version {
            *lost = LostTurns { last: version, number: lost.number + 1 };
        }
        lost.number >= LOST_TURNS
    }

    async fn would_draw(&self, state: &State, side: Side, level: BotLevel) -> Result<bool, Undone> {
        let question = self.question(state, side, level);
        let found = self.0.thinking.search(self.asker(state, side), question).await?;
        let score = found.map(
            |report| {
                if state.play().to_move() == side { report.score } else { 1.0 - report.score }
            },
        );
        Ok(score.is_some_and(|score| score <= DRAWN))
    }

    fn question(&self, state: &State, side: Side, level: BotLevel) -> Question {
        let left = match state.phase() {
            Phase::Playing { turn, .. } => state.left_ms(turn, self.0.games.env().now_ms()),
            Phase::Open | Phase::Finished { .. } | Phase::Aborted { .. } | Phase::Cancelled => None,
        };
        let left = left.map(|left| Duration::from_millis(u64::try_from(left[side]).unwrap_or(0)));
        Question { game: state.play().clone(), level, seed: self.0.games.env().random(), left }
    }

    /// Returns the person for whom a bot thinks: searches are shared out fairly among addresses.
    fn asker(&self, state: &State, side: Side) -> Asker {
        let Some(person) = state.seats().map(|seats| seats[side.other()].id) else { return Asker::SERVER };
        let mut addresses = self.0.addresses.lock();
        let last = addresses.get(person, || None);
        *last = self.0.presence.address(person).or(*last);
        last.map_or(Asker::SERVER, |address| Asker::player(address, person))
    }
}

/// The consecutive turns in which the bot of a game was as good as lost.
#[derive(Debug)]
pub(super) struct LostTurns {
    /// The version of the game in the last of them.
    last: Version,
    number: u8,
}

/// Whether a bot had something to do.
enum Done {
    Something,
    Nothing,
}

/// The reason why a bot did not do its duty.
#[derive(Debug)]
enum Undone {
    Refused(Nack),
    GoingDown,
}

impl From<ComputeError> for Undone {
    fn from(error: ComputeError) -> Self {
        match error {
            ComputeError::GoingDown => Self::GoingDown,
            ComputeError::Busy | ComputeError::Panicked => Self::Refused(Nack::Busy),
        }
    }
}
