//! The bot of one game: its duties, and how it does them.

use std::time::Duration;

use ::game::{
    Command, OfferKind, Phase, State,
    ids::{ActionText, BotLevel, CommandId, GameId, PlayerId, Version},
};
use engine::Side;
use protocol::Nack;
use tokio::time::sleep;
use tracing::{error, warn};

use super::{Bots, thinking::Question};
use crate::{
    compute::{ComputeError, Requester},
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

/// The next task of the bot that plays this side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Task {
    /// To play its turn.
    Turn,
    /// To answer an offer of the other side.
    Answer(OfferKind),
}

/// Returns the next task of the bot that plays a side.
fn next_task(state: &State, side: Side) -> Option<Task> {
    let (offers, is_to_move) = match state.phase() {
        Phase::Playing { offers, .. } => (offers, state.play().to_move() == side),
        Phase::Finished { offers, rematch: None, .. } => (offers, false),
        Phase::Open | Phase::Finished { .. } | Phase::Aborted { .. } | Phase::Cancelled => return None,
    };
    let offered = offers.standing().iter().find(|offer| offer.side != side);
    offered.map(|offer| Task::Answer(offer.what)).or_else(|| is_to_move.then_some(Task::Turn))
}

impl Bots {
    /// Runs the bot's pending tasks until none is left. Returns the version after which it has nothing to do; none if it
    /// gave up.
    pub(super) async fn play(&self, game: GameId, bot: PlayerId) -> Version {
        let mut refused = 0;
        while refused < TRIES {
            match self.next_task(game, bot).await {
                Ok(Progress::Something) => refused = 0,
                Ok(Progress::NothingSince(version)) => return version,
                Err(BotError::GoingDown) => break,
                Err(BotError::Refused(refusal)) => {
                    // The game may have ended while the bot thought.
                    if !matches!(refusal, Nack::Busy | Nack::Unavailable | Nack::GameOver) {
                        warn!(%game, ?refusal, "bots: command in game {game} refused");
                    }
                    sleep(TRY_AGAIN_AFTER * 2_u32.pow(refused)).await;
                    refused += 1;
                }
            }
        }
        Version::NONE
    }

    /// Does the bot's next task in a game.
    async fn next_task(&self, game: GameId, bot: PlayerId) -> Result<Progress, BotError> {
        let state = self.0.games.state(game, bot).await.map_err(BotError::Refused)?;
        let nothing = Ok(Progress::NothingSince(state.version()));
        let Some((side, level)) = state.bot() else { return nothing };
        let Some(task) = next_task(&state, side) else { return nothing };
        let command = match task {
            Task::Turn => self.turn(game, &state, side, level).await?,
            Task::Answer(what) => self.answer(what, &state, side, level).await?,
        };
        match self.send(game, level, command).await {
            Ok(version) if task == Task::Turn => return Ok(Progress::NothingSince(version)),
            // An offer that was made while the bot thought is answered first.
            Ok(_) | Err(BotError::Refused(Nack::Stale { .. })) => {}
            Err(BotError::Refused(
                Nack::TooFast { .. } | Nack::TooManyUnderWay { .. } | Nack::Overloaded | Nack::NoSpace,
            )) if task == Task::Answer(OfferKind::Rematch) => {
                let rematch = GameId::new(self.0.games.env().id());
                let decline = Command::Answer { what: OfferKind::Rematch, accept: false, rematch };
                self.send(game, level, decline).await?;
            }
            Err(error) => return Err(error),
        }
        Ok(Progress::Something)
    }

    async fn answer(
        &self,
        what: OfferKind,
        state: &State,
        side: Side,
        level: BotLevel,
    ) -> Result<Command, BotError> {
        let accept = match what {
            OfferKind::Takeback | OfferKind::Rematch => true,
            OfferKind::Draw => self.would_draw(state, side, level).await?,
        };
        Ok(Command::Answer { what, accept, rematch: GameId::new(self.0.games.env().id()) })
    }

    async fn send(&self, game: GameId, level: BotLevel, command: Command) -> Result<Version, BotError> {
        let env = self.0.games.env();
        let id: CommandId =
            env.id().to_string().try_into().map_err(|_| BotError::Refused(Nack::Unavailable))?;
        let request = Request {
            id,
            who: level.player(),
            requester: Requester::SERVER,
            command,
            received_ms: env.now_ms(),
            over_budget: None,
        };
        self.0.games.command(game, request).await.map_err(BotError::Refused)
    }

    /// Searches for the bot's turn, or resigns.
    async fn turn(
        &self,
        game: GameId,
        state: &State,
        side: Side,
        level: BotLevel,
    ) -> Result<Command, BotError> {
        let found =
            self.0.thinking.search(self.requester(state, side), self.question(state, side, level)).await?;
        let actions = match found {
            Some(report) => {
                if self.is_lost(game, state.version(), report.score) {
                    return Ok(Command::Resign);
                }
                report.turn
            }
            None => {
                error!(%game, level = level.get(), "bots: no turn found in game {game}: the first legal one is played");
                self.0.thinking.first_turn(self.requester(state, side), state.play().clone()).await?
            }
        };
        let actions = actions.into_iter().map(ActionText::try_from).collect::<Result<_, _>>();
        let actions = actions.map_err(|_| BotError::Refused(Nack::Unavailable))?;
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

    async fn would_draw(&self, state: &State, side: Side, level: BotLevel) -> Result<bool, BotError> {
        let question = self.question(state, side, level);
        let found = self.0.thinking.search(self.requester(state, side), question).await?;
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
    fn requester(&self, state: &State, side: Side) -> Requester {
        let Some(person) = state.seats().map(|seats| seats[side.other()]) else {
            return Requester::SERVER;
        };
        let mut addresses = self.0.addresses.lock();
        let last = addresses.get(person, || None);
        *last = self.0.presence.address(person).or(*last);
        last.map_or(Requester::SERVER, |address| Requester::player(address, person))
    }
}

/// The consecutive turns in which the bot of a game was as good as lost.
#[derive(Debug)]
pub(super) struct LostTurns {
    /// The version of the game in the last of them.
    last: Version,
    number: u8,
}

/// The result of a look at a game.
enum Progress {
    Something,
    /// Nothing is left to do at this version.
    NothingSince(Version),
}

/// The reason why a bot did not do its task.
#[derive(Debug)]
enum BotError {
    Refused(Nack),
    GoingDown,
}

impl From<ComputeError> for BotError {
    fn from(error: ComputeError) -> Self {
        match error {
            ComputeError::GoingDown => Self::GoingDown,
            ComputeError::Busy | ComputeError::Panicked => Self::Refused(Nack::Busy),
        }
    }
}
