use engine::{AnyMatch, Ruleset, Seed, Side, TextError, TurnError};

use super::{Event, Recorded};
use crate::{
    ids::{PlayerId, Version},
    protocol::{Outcome, Player, SeatChoice, Seats, Terms, Visibility},
};

/// A game as its log has made it.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub(crate) version: Version,
    pub(crate) visibility: Visibility,
    pub(crate) creator: Player,
    pub(crate) seat: SeatChoice,
    pub(crate) terms: Terms,
    /// Whether it begins from another position than the ruleset's own.
    pub(crate) custom_start: bool,
    pub(crate) created_ms: i64,
    pub(crate) updated_ms: i64,
    /// The cards to come, in a ruleset with cards. The match has it from the moment at which play begins, so
    /// that nobody can choose among rooms by their first card.
    pub(crate) seed: Option<Seed>,
    pub(crate) play: AnyMatch,
    pub(crate) phase: Phase,
}

/// Where the game is in its life, with what belongs to that time only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    Open,
    Playing { seats: Seats, turn_began_ms: i64 },
    Finished { seats: Seats, outcome: Outcome },
    Cancelled,
}

/// A log that no game can have: it was written by a fault, or not by us.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Corrupt {
    #[error("the log does not begin with the making of a room")]
    NotCreated,
    #[error("the start position is refused: {0}")]
    BadStart(#[from] TextError),
    #[error("event {version} cannot follow those before it")]
    OutOfPlace { version: Version },
    #[error("event {version} is a turn that the rules refuse: {error}")]
    IllegalTurn { version: Version, error: TurnError },
}

impl State {
    /// A game from the first event of its log.
    ///
    /// # Errors
    /// [`Corrupt::NotCreated`] if that is something else than [`Event::Created`], [`Corrupt::BadStart`] if no game
    /// can start from its text.
    pub(crate) fn begin(first: &Recorded) -> Result<Self, Corrupt> {
        let Event::Created { ruleset, visibility, creator, seat, terms, start, seed } = &first.event else {
            return Err(Corrupt::NotCreated);
        };
        let play = match start {
            Some(text) => AnyMatch::from_text(*ruleset, text)?,
            None => AnyMatch::new(*ruleset),
        };
        Ok(Self {
            version: Version::NONE.next(),
            visibility: *visibility,
            creator: creator.clone(),
            seat: *seat,
            terms: terms.clone(),
            custom_start: start.is_some(),
            created_ms: first.at_ms,
            updated_ms: first.at_ms,
            seed: seed.clone(),
            play,
            phase: Phase::Open,
        })
    }

    /// Folds the next event of the log in. What [`decide`](super::decide) allowed on this state is never
    /// refused here.
    ///
    /// # Errors
    /// An event that cannot follow those before it, with the state as it was.
    pub(crate) fn apply(&mut self, next: &Recorded) -> Result<(), Corrupt> {
        let version = self.version.next();
        let out_of_place = Corrupt::OutOfPlace { version };
        let phase = match (&self.phase, &next.event) {
            (Phase::Open, Event::Started { seats }) => {
                if let Some(seed) = &self.seed {
                    self.play = self.play.clone().with_seed(seed.clone());
                }
                Phase::Playing { seats: seats.clone(), turn_began_ms: next.at_ms }
            }
            (Phase::Open, Event::Cancelled) => Phase::Cancelled,
            (Phase::Playing { seats, .. }, Event::TurnPlayed { actions, .. }) => {
                self.play.play(actions).map_err(|error| Corrupt::IllegalTurn { version, error })?;
                Phase::Playing { seats: seats.clone(), turn_began_ms: next.at_ms }
            }
            (playing @ Phase::Playing { .. }, Event::Resigned { .. }) => playing.clone(),
            (Phase::Playing { seats, .. }, Event::Ended { outcome }) => {
                Phase::Finished { seats: seats.clone(), outcome: outcome.clone() }
            }
            (
                Phase::Open | Phase::Playing { .. } | Phase::Finished { .. } | Phase::Cancelled,
                Event::Created { .. }
                | Event::Started { .. }
                | Event::TurnPlayed { .. }
                | Event::Resigned { .. }
                | Event::Cancelled
                | Event::Ended { .. },
            ) => return Err(out_of_place),
        };
        self.phase = phase;
        self.version = version;
        self.updated_ms = next.at_ms;
        Ok(())
    }

    /// How many events have been folded in.
    pub(crate) const fn version(&self) -> Version {
        self.version
    }

    /// The board and the record of turns.
    pub(crate) const fn play(&self) -> &AnyMatch {
        &self.play
    }

    pub(crate) fn ruleset(&self) -> Ruleset {
        self.play.ruleset()
    }

    /// The players, once both seats are taken.
    pub(crate) const fn seats(&self) -> Option<&Seats> {
        match &self.phase {
            Phase::Playing { seats, .. } | Phase::Finished { seats, .. } => Some(seats),
            Phase::Open | Phase::Cancelled => None,
        }
    }

    /// The side that this player has in the game.
    pub(crate) fn side_of(&self, player: PlayerId) -> Option<Side> {
        let seats = self.seats()?;
        if seats.first.id == player {
            Some(Side::First)
        } else if seats.second.id == player {
            Some(Side::Second)
        } else {
            None
        }
    }

    /// Who sent the command that `event`, the next one, came of; nobody if it follows from the event before.
    pub(crate) fn author(&self, event: &Event) -> Option<PlayerId> {
        match event {
            Event::Created { creator, .. } => Some(creator.id),
            Event::Started { seats } if seats.first.id == self.creator.id => Some(seats.second.id),
            Event::Started { seats } => Some(seats.first.id),
            Event::TurnPlayed { .. } => self.seats().map(|seats| seats[self.play.to_move()].id),
            Event::Resigned { side } => self.seats().map(|seats| seats[*side].id),
            Event::Cancelled => Some(self.creator.id),
            Event::Ended { .. } => None,
        }
    }
}
