//! The bot of one game: its duties, and how it does them.

use std::{sync::PoisonError, time::Duration};

use ::game::{
    Command, OfferKind, Phase, State,
    ids::{ActionText, BotLevel, CommandId, GameId, PlayerId},
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

/// Maximum number of commands that are refused in a row. After these the game is left to the search for overdue turns.
const TRIES: usize = 5;

/// Time until a refused command is tried again.
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
        let Ok(Some(row)) = self.0.store.game(game).await else { return };
        let bot = row.seats.iter().flat_map(|seats| [seats.first.id, seats.second.id]);
        let Some(bot) = bot.into_iter().find(|player| BotLevel::of(*player).is_some()) else { return };
        let mut refused = 0;
        while refused < TRIES {
            let state = match self.0.games.state(game, bot).await {
                Ok(state) => state,
                Err(_) => {
                    refused += 1;
                    sleep(TRY_AGAIN_AFTER).await;
                    continue;
                }
            };
            let Some((side, level)) = state.bot() else { return };
            let Some(duty) = duty(&state, side) else { return };
            match self.carry_out(game, &state, side, level, duty).await {
                Ok(()) => refused = 0,
                Err(Undone::GoingDown) => return,
                Err(Undone::Refused(refusal)) => {
                    if !matches!(refusal, Nack::Busy | Nack::Unavailable | Nack::Stale { .. }) {
                        warn!(%game, ?refusal, "bots: command in game {game} refused");
                    }
                    refused += 1;
                    sleep(TRY_AGAIN_AFTER).await;
                }
            }
        }
    }

    async fn carry_out(
        &self,
        game: GameId,
        state: &State,
        side: Side,
        level: BotLevel,
        duty: Duty,
    ) -> Result<(), Undone> {
        let rematch = GameId::new(self.0.games.env().id());
        let command = match duty {
            Duty::Turn => self.turn(game, state, side, level).await?,
            Duty::Answer(what) => {
                let accept = match what {
                    OfferKind::Takeback | OfferKind::Rematch => true,
                    OfferKind::Draw => self.would_draw(state, side, level).await?,
                };
                Command::Answer { what, accept, rematch }
            }
        };
        let env = self.0.games.env();
        let id: CommandId =
            env.id().to_string().try_into().map_err(|_| Undone::Refused(Nack::Unavailable))?;
        let request =
            Request { id, who: level.player(), asker: Asker::SERVER, command, received_ms: env.now_ms() };
        self.0.games.command(game, request).await.map(drop).map_err(Undone::Refused)
    }

    /// Searches the bot's turn, or resigns.
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
                if self.is_lost(game, report.score) {
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

    /// Records the score of a turn. Returns whether the bot resigns.
    pub(super) fn is_lost(&self, game: GameId, score: f32) -> bool {
        let mut lost_turns = self.0.lost_turns.lock().unwrap_or_else(PoisonError::into_inner);
        let n_lost = lost_turns.get(game, || 0);
        *n_lost = if score < LOST { *n_lost + 1 } else { 0 };
        *n_lost >= LOST_TURNS
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
        let person: Option<PlayerId> = state.seats().map(|seats| seats[side.other()].id);
        let address = person.and_then(|person| self.0.presence.address(person));
        match (address, person) {
            (Some(address), Some(person)) => Asker::player(address, person),
            _ => Asker::SERVER,
        }
    }
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
