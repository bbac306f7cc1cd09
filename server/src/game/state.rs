use engine::{AnyMatch, BySide, History, Ruleset, Seed, Side, TextError, TurnError};

use super::{
    Event, OfferKind, Outcome, Player, Recorded, SeatChoice, Seats, StandingOffer, Status, Terms, Visibility,
    clock::{LagQuota, SideClocks},
    event::MAX_MS,
    offers::Offers,
};
use crate::ids::{ActionText, GameId, PlayerId, Version};

/// A game as its log has made it. A copy of it costs little, however long the log is.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub(crate) version: Version,
    pub(crate) visibility: Visibility,
    pub(crate) creator: Player,
    pub(crate) seat: SeatChoice,
    pub(crate) terms: Terms,
    /// The text of a start position other than the ruleset's own (RULES 0.9).
    pub(crate) start: Option<String>,
    pub(crate) created_ms: i64,
    pub(crate) updated_ms: i64,
    /// The cards to come, in a ruleset with cards. The match has it from the moment at which play begins, so
    /// that nobody can choose among rooms by their first card.
    pub(crate) seed: Option<Seed>,
    pub(crate) play: AnyMatch,
    /// Of the turns of `play`, in their order.
    pub(crate) played: History<Played>,
    /// How often turns were taken back.
    pub(crate) n_takebacks: u32,
    /// Both sides' time at the beginning of the turn under way, or at the end of the game.
    pub(crate) clocks: SideClocks,
    pub(crate) phase: Phase,
}

/// What a turn that stands has cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Played {
    pub took_ms: i64,
    /// The clocks when it began.
    pub before: SideClocks,
}

/// Where the game is in its life, with what belongs to that time only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    Open,
    Playing { seats: Seats, turn: TurnUnderWay, offers: Offers },
    Finished { seats: Seats, outcome: Outcome, offers: Offers, rematch: Option<GameId> },
    Aborted { seats: Seats },
    Cancelled,
}

/// The turn that a side is to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TurnUnderWay {
    /// The version at which the board became what it is: turns may be built on it and all that follow.
    pub since: Version,
    /// When its time began to run, milliseconds since 1970.
    pub began_ms: i64,
    /// Milliseconds of it in which the server was away.
    pub credited_ms: i64,
}

impl TurnUnderWay {
    /// How long it has taken at a moment, without the time that was given back; never below 0.
    pub(crate) fn elapsed_ms(&self, now_ms: i64) -> i64 {
        (now_ms - self.began_ms - self.credited_ms).max(0)
    }
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

/// How a turn of the log is played.
type PlayTurn = fn(&mut AnyMatch, &[ActionText]) -> Result<(), TurnError>;

/// Why a command was answered as it was, or who it came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    /// A command of this player.
    Command(PlayerId),
    /// The event before it.
    EventBefore,
    /// Time.
    Server,
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
            start: start.clone(),
            created_ms: first.at_ms,
            updated_ms: first.at_ms,
            seed: seed.clone(),
            play,
            played: History::default(),
            n_takebacks: 0,
            clocks: SideClocks::new(terms.clock),
            phase: Phase::Open,
        })
    }

    /// Folds the next event of the log in. What [`decide`](super::decide) allowed on this state is never
    /// refused here.
    ///
    /// # Errors
    /// An event that cannot follow those before it, with the state as it was.
    pub(crate) fn apply(&mut self, next: &Recorded) -> Result<(), Corrupt> {
        self.fold(next, |play, actions| play.play(actions).map(drop))
    }

    /// Folds in an event that was decided once, as when a log is read: of a turn, what is costly to find out is taken for
    /// granted.
    ///
    /// # Errors
    /// An event that cannot follow those before it, with the state as it was.
    pub(crate) fn replay(&mut self, next: &Recorded) -> Result<(), Corrupt> {
        self.fold(next, |play, actions| play.replay(actions).map(drop))
    }

    fn fold(&mut self, next: &Recorded, play: PlayTurn) -> Result<(), Corrupt> {
        let version = self.version.next();
        let phase = match (&self.phase, &next.event) {
            (Phase::Open, Event::Started { seats }) => {
                if let Some(seed) = &self.seed {
                    self.play = self.play.clone().with_seed(seed.clone());
                }
                let turn = TurnUnderWay { since: version, began_ms: next.at_ms, credited_ms: 0 };
                Phase::Playing { seats: seats.clone(), turn, offers: Offers::default() }
            }
            (Phase::Open, Event::Cancelled) => Phase::Cancelled,
            (Phase::Playing { seats, turn, offers }, _) => {
                let (seats, turn, offers) = (seats.clone(), *turn, offers.clone());
                self.go_on(seats, turn, offers, next, play)?
            }
            (Phase::Finished { seats, outcome, offers, rematch: None }, event) => {
                let (seats, outcome, mut offers) = (seats.clone(), *outcome, offers.clone());
                let rematch = talk_of_rematch(&mut offers, event).ok_or(Corrupt::OutOfPlace { version })?;
                Phase::Finished { seats, outcome, offers, rematch }
            }
            (Phase::Open | Phase::Finished { .. } | Phase::Aborted { .. } | Phase::Cancelled, _) => {
                return Err(Corrupt::OutOfPlace { version });
            }
        };
        // Talk of a rematch makes an old game no newer.
        if !matches!(self.phase, Phase::Finished { .. }) {
            self.updated_ms = next.at_ms;
        }
        self.phase = phase;
        self.version = version;
        Ok(())
    }

    /// What an event makes of a game under way.
    fn go_on(
        &mut self,
        seats: Seats,
        mut turn: TurnUnderWay,
        mut offers: Offers,
        Recorded { at_ms, event }: &Recorded,
        play: PlayTurn,
    ) -> Result<Phase, Corrupt> {
        let version = self.version.next();
        let at_ms = *at_ms;
        let next_turn = TurnUnderWay { since: version, began_ms: at_ms, credited_ms: 0 };
        match event {
            Event::TurnPlayed { actions, took_ms, lag_ms, time } => {
                let side = self.play.to_move();
                play(&mut self.play, actions).map_err(|error| Corrupt::IllegalTurn { version, error })?;
                self.played.push(Played { took_ms: *took_ms, before: self.clocks });
                self.clocks.left_ms = *time;
                self.clocks.lag[side] = self.clocks.lag[side].after(*lag_ms);
                offers.turn_played(side);
                turn = next_turn;
            }
            Event::TurnsTakenBack { turns, .. } => {
                let kept = self.played.len().checked_sub(usize::from(*turns));
                let kept = kept.filter(|_| *turns > 0).ok_or(Corrupt::OutOfPlace { version })?;
                self.play = self.play.rewound(kept);
                self.clocks = self.played[kept].before;
                self.played.truncate(kept);
                self.n_takebacks += 1;
                offers = Offers::default();
                turn = next_turn;
            }
            Event::Offered { what, side } => offers.make(StandingOffer { what: *what, side: *side }),
            Event::Declined { what, .. } => offers.decline(*what),
            Event::TimeCredited { ms, .. } => {
                let credited_ms = turn.credited_ms + ms;
                if !(0..=MAX_MS).contains(&credited_ms) {
                    return Err(Corrupt::OutOfPlace { version });
                }
                turn.credited_ms = credited_ms;
            }
            Event::DrawAgreed { .. }
            | Event::Resigned { .. }
            | Event::Flagged { .. }
            | Event::Claimed { .. } => {}
            Event::Ended { outcome } => {
                self.clocks.left_ms = self.left_ms(&turn, at_ms);
                let offers = Offers::default();
                return Ok(Phase::Finished { seats, outcome: *outcome, offers, rematch: None });
            }
            Event::Aborted { .. } => return Ok(Phase::Aborted { seats }),
            Event::Created { .. }
            | Event::Started { .. }
            | Event::Cancelled
            | Event::RematchStarted { .. } => {
                return Err(Corrupt::OutOfPlace { version });
            }
        }
        Ok(Phase::Playing { seats, turn, offers })
    }

    /// The last event is stored only now: what follows from it, the time of a turn, begins now.
    pub(crate) fn committed(&mut self, now_ms: i64) {
        if let Phase::Playing { turn, .. } = &mut self.phase
            && turn.since == self.version
        {
            turn.began_ms = turn.began_ms.max(now_ms);
        }
    }

    /// Bytes of memory that the state takes, a few hundred more or less. What copies share counts for each.
    pub(crate) fn n_bytes(&self) -> usize {
        size_of::<Self>() + self.play.n_bytes() + self.played.n_bytes()
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

    /// The place of the game in its life.
    pub(crate) const fn status(&self) -> Status {
        match &self.phase {
            Phase::Open => Status::Open,
            Phase::Playing { .. } => Status::Playing,
            Phase::Finished { .. } => Status::Finished,
            Phase::Aborted { .. } => Status::Aborted,
            Phase::Cancelled => Status::Cancelled,
        }
    }

    /// The outcome, once the game is over.
    pub(crate) const fn outcome(&self) -> Option<Outcome> {
        match &self.phase {
            Phase::Finished { outcome, .. } => Some(*outcome),
            Phase::Open | Phase::Playing { .. } | Phase::Aborted { .. } | Phase::Cancelled => None,
        }
    }

    /// The players, once both seats are taken.
    pub(crate) const fn seats(&self) -> Option<&Seats> {
        match &self.phase {
            Phase::Playing { seats, .. } | Phase::Finished { seats, .. } | Phase::Aborted { seats } => {
                Some(seats)
            }
            Phase::Open | Phase::Cancelled => None,
        }
    }

    /// The side for which this player acts in the game. The player of a game at one table acts for the side to move.
    pub(crate) fn side_of(&self, player: PlayerId) -> Option<Side> {
        let seats = self.seats()?;
        let to_move = self.play.to_move();
        [to_move, to_move.other()].into_iter().find(|side| seats[*side].id == player)
    }

    /// Whether one player has both seats: two people play at one screen.
    pub(crate) fn is_at_one_table(&self) -> bool {
        self.seats().is_some_and(Seats::are_of_one_player)
    }

    /// Whether both sides have made a turn, from which on time costs and the game has a result.
    pub(crate) fn is_under_way(&self) -> bool {
        Side::ALL.iter().all(|side| self.play.turns().iter().any(|turn| turn.side == *side))
    }

    /// How many turns are taken back if this side's last one is.
    pub(crate) fn turns_back_to(&self, side: Side) -> Option<u16> {
        let back = self.play.turns().iter().rev().position(|turn| turn.side == side)?;
        u16::try_from(back + 1).ok()
    }

    /// When the turn under way must be here, milliseconds since 1970; a turn that comes then is too late. Lag may
    /// still be forgiven.
    pub(crate) fn deadline_ms(&self) -> Option<i64> {
        let Phase::Playing { turn, .. } = &self.phase else { return None };
        Some(turn.began_ms + turn.credited_ms + self.allowed_ms()?)
    }

    /// How long the turn under way may take.
    pub(crate) fn allowed_ms(&self) -> Option<i64> {
        if self.is_under_way() {
            self.clocks.left_ms.map(|left| self.terms.clock.allows_ms(left[self.play.to_move()]))
        } else {
            Some(self.terms.clock.first_turn_ms())
        }
    }

    /// What both sides have left at a moment of the turn under way, where time is measured.
    pub(crate) fn left_ms(&self, turn: &TurnUnderWay, now_ms: i64) -> Option<BySide<i64>> {
        let mut left = self.clocks.left_ms?;
        if self.is_under_way() {
            let gone_ms = turn.elapsed_ms(now_ms) - self.terms.clock.delay_ms();
            let side = self.play.to_move();
            left[side] -= gone_ms.clamp(0, left[side].max(0));
        }
        Some(left)
    }

    /// What the side to move may be forgiven in this turn.
    pub(crate) fn lag_quota(&self) -> LagQuota {
        self.clocks.lag[self.play.to_move()]
    }

    /// What brought about `event`, the next one.
    pub(crate) fn cause(&self, event: &Event) -> Cause {
        let player = |side: Side| self.seats().map_or(Cause::Server, |seats| Cause::Command(seats[side].id));
        match event {
            Event::Created { creator, .. } => Cause::Command(creator.id),
            Event::Started { seats } if seats.first.id == self.creator.id => Cause::Command(seats.second.id),
            Event::Started { seats } => Cause::Command(seats.first.id),
            Event::TurnPlayed { .. } => player(self.play.to_move()),
            Event::Offered { side, .. }
            | Event::Declined { side, .. }
            | Event::DrawAgreed { side }
            | Event::TurnsTakenBack { side, .. }
            | Event::Resigned { side }
            | Event::Claimed { side }
            | Event::Aborted { side: Some(side) }
            | Event::RematchStarted { side, .. } => player(*side),
            Event::Cancelled => Cause::Command(self.creator.id),
            Event::Ended { .. } => Cause::EventBefore,
            Event::TimeCredited { .. } | Event::Flagged { .. } | Event::Aborted { side: None } => {
                Cause::Server
            }
        }
    }
}

/// What an event after the end makes of the offers; the rematch, if it started. `None` if nothing of the kind can
/// come after the end.
fn talk_of_rematch(offers: &mut Offers, event: &Event) -> Option<Option<GameId>> {
    match event {
        Event::Offered { what: what @ OfferKind::Rematch, side } => {
            offers.make(StandingOffer { what: *what, side: *side });
            Some(None)
        }
        Event::Declined { what: what @ OfferKind::Rematch, .. } => {
            offers.decline(*what);
            Some(None)
        }
        Event::RematchStarted { rematch, .. } => {
            *offers = Offers::default();
            Some(Some(*rematch))
        }
        _ => None,
    }
}
