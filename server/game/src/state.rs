use std::sync::{Arc, OnceLock};

use engine::{AnyMatch, BySide, History, Ruleset, Seed, Side, TextError, TurnError};

use super::{
    ClosedBy, Event, OfferKind, Outcome, Recorded, SeatChoice, Seats, StandingOffer, Status, Terms,
    Visibility,
    clock::{LagQuota, SideClocks},
    event::MAX_MS,
    offers::Offers,
};
use crate::ids::{ActionText, BotLevel, GameId, PlayerId, Version};

/// The state of a game: the fold of its log. Cheap to clone, however long the log is.
#[derive(Clone, Debug)]
pub struct State {
    pub(crate) version: Version,
    pub(crate) visibility: Visibility,
    pub(crate) creator: PlayerId,
    /// The only player who may join the room, if it is a challenge.
    pub(crate) challenged: Option<PlayerId>,
    pub(crate) seat: SeatChoice,
    pub(crate) terms: Terms,
    /// The text of a start position other than the ruleset's own (RULES 0.9).
    pub(crate) start: Option<String>,
    pub(crate) created_ms: i64,
    pub updated_ms: i64,
    /// The secret that fixes the cards (RULES 1.18), in a ruleset with cards. The match gets it only when play begins,
    /// so that nobody can choose among rooms by their first card.
    pub(crate) seed: Option<Seed>,
    pub play: AnyMatch,
    /// The text of the position of `play`, once somebody has asked for it.
    pub(crate) position_text: OnceLock<Arc<str>>,
    /// The people who joined the room and left it before both sides had made a turn.
    pub(crate) left: Vec<PlayerId>,
    /// Number of times that the room has opened again, at most [`MAX_REOPENED`].
    pub(crate) n_reopened: usize,
    /// Time at which the room last opened again, milliseconds since 1970.
    pub(crate) reopened_ms: Option<i64>,
    /// Time and clocks of each turn of `play`, in the same order.
    pub(crate) played: History<Played>,
    /// Number of take-backs so far.
    pub(crate) n_takebacks: u32,
    /// Both sides' time at the beginning of the turn under way, or at the end of the game.
    pub(crate) clocks: SideClocks,
    pub phase: Phase,
}

/// Time for which a room waits for its second player, in milliseconds.
pub(crate) const ROOM_WAITS_MS: i64 = 30 * 24 * 60 * 60 * 1_000;

/// Time for which a challenge waits for its answer, in milliseconds.
pub(crate) const CHALLENGE_WAITS_MS: i64 = 14 * 24 * 60 * 60 * 1_000;

/// Maximum number of times that a room opens again. A game whose player leaves after that is aborted, which bounds the
/// log.
pub(crate) const MAX_REOPENED: usize = 20;

/// Time in milliseconds within which a player who joins a room comes to its game. A maker who has waited for as long for
/// that player's first turn may end the game at the other's cost.
pub const PATIENCE_MS: i64 = 30_000;

/// The time of a turn that stands, and the clocks before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Played {
    pub took_ms: i64,
    /// The clocks at the beginning of the turn.
    pub before: SideClocks,
}

/// The phase of a game, with the data that only this phase has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Phase {
    Open,
    Playing {
        seats: Seats,
        /// The side of the player who joined the room; `None` if the game did not begin with a room.
        joiner: Option<Side>,
        turn: TurnUnderWay,
        offers: Offers,
    },
    Finished {
        seats: Seats,
        outcome: Outcome,
        offers: Offers,
        rematch: Option<GameId>,
    },
    Aborted {
        seats: Seats,
    },
    Cancelled,
}

/// The turn that a side is to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TurnUnderWay {
    /// The version of the latest change of the board. A turn may be based on it or on any later version.
    pub since: Version,
    /// Start of the turn's time, in milliseconds since 1970.
    pub began_ms: i64,
    /// Milliseconds of outages and vacations credited to the turn. A vacation is credited up to its end in advance.
    pub credited_ms: i64,
    /// End of the last credited vacation, in milliseconds since 1970; 0 if none is credited.
    pub vacation_until_ms: i64,
}

impl TurnUnderWay {
    /// Returns the turn that begins with a version.
    const fn beginning(since: Version, began_ms: i64) -> Self {
        Self { since, began_ms, credited_ms: 0, vacation_until_ms: 0 }
    }

    /// Returns the duration of the turn up to `now_ms`, without credited time; never below 0. During a vacation it is that at
    /// the vacation's beginning.
    pub fn elapsed_ms(&self, now_ms: i64) -> i64 {
        (now_ms.max(self.vacation_until_ms) - self.began_ms - self.credited_ms).max(0)
    }
}

/// A log that no game can have, written by a bug or by another program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Corrupt {
    #[error("the log does not begin with a `created` event")]
    NotCreated,
    #[error("the start position is invalid: {0}")]
    BadStart(#[from] TextError),
    #[error("event {version} cannot follow the events before it")]
    OutOfPlace { version: Version },
    #[error("event {version} is a turn that the rules refuse: {error}")]
    IllegalTurn { version: Version, error: TurnError },
}

/// A function that plays a turn of the log: [`AnyMatch::play`] or [`AnyMatch::replay`].
type PlayTurn = fn(&mut AnyMatch, &[ActionText]) -> Result<(), TurnError>;

/// The cause of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// A command of this player.
    Command(PlayerId),
    /// The event before it.
    EventBefore,
    /// The server itself: time, or the credit for an outage or a vacation.
    Server,
}

impl State {
    /// Begins a game with the first event of its log.
    ///
    /// # Errors
    /// [`Corrupt::NotCreated`] if the event is not [`Event::Created`], [`Corrupt::BadStart`] if its start position is
    /// invalid.
    pub fn begin(first: &Recorded) -> Result<Self, Corrupt> {
        let Event::Created { ruleset, visibility, creator, challenged, seat, terms, start, seed } =
            &first.event
        else {
            return Err(Corrupt::NotCreated);
        };
        Ok(Self {
            version: Version::NONE.next(),
            visibility: *visibility,
            creator: *creator,
            challenged: *challenged,
            seat: *seat,
            terms: terms.clone(),
            start: start.clone(),
            created_ms: first.at_ms,
            updated_ms: first.at_ms,
            seed: seed.clone(),
            play: unplayed(*ruleset, start.as_deref())?,
            position_text: OnceLock::new(),
            left: Vec::new(),
            n_reopened: 0,
            reopened_ms: None,
            played: History::default(),
            n_takebacks: 0,
            clocks: SideClocks::new(terms.clock),
            phase: Phase::Open,
        })
    }

    /// Folds in the next event of the log. An event that [`decide`](super::decide) returned for this state is never
    /// refused.
    ///
    /// # Errors
    /// The event cannot follow those before it. The state is then unchanged.
    pub fn apply(&mut self, next: &Recorded) -> Result<(), Corrupt> {
        self.fold(next, |play, actions| play.play(actions).map(drop))
    }

    /// Folds in an event that was decided before, as when a log is read. Skips the costly checks of a turn: its
    /// captures are assumed to be the largest.
    ///
    /// # Errors
    /// The event cannot follow those before it. The state is then unchanged.
    pub fn replay(&mut self, next: &Recorded) -> Result<(), Corrupt> {
        self.fold(next, |play, actions| play.replay(actions).map(drop))
    }

    fn fold(&mut self, next: &Recorded, play: PlayTurn) -> Result<(), Corrupt> {
        let version = self.version.next();
        self.position_text.take();
        let phase = match (&self.phase, &next.event) {
            (Phase::Open, Event::Started { seats, joined }) => {
                if let Some(seed) = &self.seed {
                    self.play = self.play.clone().with_seed(seed.clone());
                }
                let makers = if seats.first == self.creator { Side::First } else { Side::Second };
                Phase::Playing {
                    seats: *seats,
                    joiner: joined.then_some(makers.other()),
                    turn: TurnUnderWay::beginning(version, next.at_ms),
                    offers: Offers::default(),
                }
            }
            (Phase::Open, Event::Cancelled { .. }) => Phase::Cancelled,
            (Phase::Playing { seats, joiner: Some(joiner), .. }, Event::Reopened { .. })
                if !self.is_under_way() =>
            {
                let left = seats[*joiner];
                self.reopen(left, next.at_ms)?
            }
            (Phase::Playing { seats, joiner, turn, offers }, _) => {
                let (seats, joiner, turn, offers) = (*seats, *joiner, *turn, offers.clone());
                self.go_on(seats, joiner, turn, offers, next, play)?
            }
            (Phase::Finished { seats, outcome, offers, rematch: None }, event) => {
                let (seats, outcome, mut offers) = (*seats, *outcome, offers.clone());
                let rematch = talk_of_rematch(&mut offers, event).ok_or(Corrupt::OutOfPlace { version })?;
                Phase::Finished { seats, outcome, offers, rematch }
            }
            (Phase::Open | Phase::Finished { .. } | Phase::Aborted { .. } | Phase::Cancelled, _) => {
                return Err(Corrupt::OutOfPlace { version });
            }
        };
        // Rematch events do not change when a finished game was last updated.
        if !matches!(self.phase, Phase::Finished { .. }) {
            self.updated_ms = next.at_ms;
        }
        self.phase = phase;
        self.version = version;
        Ok(())
    }

    /// Undoes all turns of a room that `left` has left, and returns the next phase. The first cards are known, so the
    /// cards are shuffled again.
    fn reopen(&mut self, left: PlayerId, at_ms: i64) -> Result<Phase, Corrupt> {
        self.reopened_ms = Some(at_ms);
        self.n_reopened += 1;
        self.play = unplayed(self.ruleset(), self.start.as_deref())?;
        self.seed = self.seed.as_ref().map(next_seed);
        self.played = History::default();
        self.clocks = SideClocks::new(self.terms.clock);
        // A maker may invite the same bot again.
        if BotLevel::of(left).is_none() {
            self.left.push(left);
        }
        Ok(Phase::Open)
    }

    /// Applies an event to a game that is being played, and returns the next phase.
    fn go_on(
        &mut self,
        seats: Seats,
        joiner: Option<Side>,
        mut turn: TurnUnderWay,
        mut offers: Offers,
        Recorded { at_ms, event }: &Recorded,
        play: PlayTurn,
    ) -> Result<Phase, Corrupt> {
        let version = self.version.next();
        let at_ms = *at_ms;
        let next_turn = TurnUnderWay::beginning(version, at_ms);
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
            Event::TimeCredited { ms, vacation_until_ms, .. } => {
                let credited_ms = turn.credited_ms + ms;
                if !(0..=MAX_MS).contains(&credited_ms) {
                    return Err(Corrupt::OutOfPlace { version });
                }
                turn.credited_ms = credited_ms;
                turn.vacation_until_ms = vacation_until_ms.unwrap_or(turn.vacation_until_ms);
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
            | Event::Reopened { .. }
            | Event::Cancelled { .. }
            | Event::RematchStarted { .. } => {
                return Err(Corrupt::OutOfPlace { version });
            }
        }
        Ok(Phase::Playing { seats, joiner, turn, offers })
    }

    /// Marks the last event as committed at `now_ms`. If the event began a turn, the turn's time runs from then.
    pub fn committed(&mut self, now_ms: i64) {
        if let Phase::Playing { turn, .. } = &mut self.phase
            && turn.since == self.version
        {
            turn.began_ms = turn.began_ms.max(now_ms);
        }
    }

    /// Returns the memory used by the state in bytes, accurate to a few hundred. Memory shared by copies counts for
    /// each.
    pub fn n_bytes(&self) -> usize {
        size_of::<Self>() + self.play.n_bytes() + self.played.n_bytes()
    }

    /// Returns the version: the number of events folded in.
    pub const fn version(&self) -> Version {
        self.version
    }

    pub const fn visibility(&self) -> Visibility {
        self.visibility
    }

    /// Returns the player who opened the room.
    pub const fn creator(&self) -> PlayerId {
        self.creator
    }

    /// Returns the offers that wait for an answer.
    pub fn offers(&self) -> &[StandingOffer] {
        match &self.phase {
            Phase::Playing { offers, .. } | Phase::Finished { offers, .. } => offers.standing(),
            Phase::Open | Phase::Aborted { .. } | Phase::Cancelled => &[],
        }
    }

    /// Returns the only player who may join the room, if it is a challenge.
    pub const fn challenged(&self) -> Option<PlayerId> {
        self.challenged
    }

    /// Returns the choice of the creator's seat.
    pub const fn seat(&self) -> SeatChoice {
        self.seat
    }

    pub const fn terms(&self) -> &Terms {
        &self.terms
    }

    /// Returns the text of a start position other than the ruleset's own (RULES 0.9).
    pub fn start(&self) -> Option<&str> {
        self.start.as_deref()
    }

    /// Returns the time of the first event, in milliseconds since 1970.
    pub const fn created_ms(&self) -> i64 {
        self.created_ms
    }

    /// Returns the time of the last event, in milliseconds since 1970.
    pub const fn updated_ms(&self) -> i64 {
        self.updated_ms
    }

    /// Returns the secret that fixes the cards, in a ruleset with cards (RULES 1.18).
    pub const fn seed(&self) -> Option<&Seed> {
        self.seed.as_ref()
    }

    pub const fn phase(&self) -> &Phase {
        &self.phase
    }

    /// Returns both sides' time at the beginning of the turn under way, or at the end of the game; `None` in a game
    /// without clocks.
    pub fn clocks_ms(&self) -> Option<BySide<i64>> {
        self.clocks.left_ms
    }

    /// Returns the match, to replace it by an equal one with more of its work prepared.
    pub const fn play_mut(&mut self) -> &mut AnyMatch {
        &mut self.play
    }

    /// Returns the match: the position and the turns that stand.
    pub const fn play(&self) -> &AnyMatch {
        &self.play
    }

    /// Returns the text of the position. It is made once for each version.
    pub fn position_text(&self) -> &str {
        self.position_text.get_or_init(|| self.play.position_text().into())
    }

    pub fn ruleset(&self) -> Ruleset {
        self.play.ruleset()
    }

    /// Returns the status: the phase without its data.
    pub const fn status(&self) -> Status {
        match &self.phase {
            Phase::Open => Status::Open,
            Phase::Playing { .. } => Status::Playing,
            Phase::Finished { .. } => Status::Finished,
            Phase::Aborted { .. } => Status::Aborted,
            Phase::Cancelled => Status::Cancelled,
        }
    }

    /// Returns the outcome of a finished game.
    pub const fn outcome(&self) -> Option<Outcome> {
        match &self.phase {
            Phase::Finished { outcome, .. } => Some(*outcome),
            Phase::Open | Phase::Playing { .. } | Phase::Aborted { .. } | Phase::Cancelled => None,
        }
    }

    /// Time at which the room last opened again, milliseconds since 1970; `None` if no player has left it.
    pub const fn reopened_ms(&self) -> Option<i64> {
        self.reopened_ms
    }

    /// Whether a player joined the room and left it before both sides had made a turn.
    pub fn has_left(&self, player: PlayerId) -> bool {
        self.left.contains(&player)
    }

    /// Returns the side of the player who joined the room, if the room opens again when that player leaves now. A challenge
    /// does not: nobody else may join it.
    pub fn side_that_may_leave(&self) -> Option<Side> {
        let Phase::Playing { joiner, .. } = &self.phase else { return None };
        let may_open = self.challenged.is_none() && self.n_reopened < MAX_REOPENED;
        joiner.filter(|_| !self.is_under_way() && may_open)
    }

    /// Returns the player who joined the room, if the game is being played.
    pub fn joiner(&self) -> Option<PlayerId> {
        let Phase::Playing { seats, joiner, .. } = &self.phase else { return None };
        joiner.map(|side| seats[side])
    }

    /// Whether a side is to make its first turn.
    pub(crate) fn is_first_turn_of(&self, side: Side) -> bool {
        self.play.to_move() == side && self.turns_back_to(side).is_none()
    }

    /// Returns the player by whom `next`, the next event of the log, ends the game before both sides have made a turn;
    /// `None` for other events, and at one table. A maker who no longer waits is that player if the one who had joined
    /// the room is not gone and has had less than [`PATIENCE_MS`] for a first turn.
    pub fn left_early_by(&self, next: &Recorded, is_gone: impl Fn(Side) -> bool) -> Option<PlayerId> {
        let side = match &next.event {
            Event::Aborted { side: Some(side) } | Event::Resigned { side } => *side,
            Event::Aborted { side: None } => self.play.to_move(),
            Event::Reopened { side } => {
                let joiner = self.side_that_may_leave()?;
                let is_late = self.is_first_turn_of(joiner)
                    && self.turn_under_way().is_some_and(|turn| turn.elapsed_ms(next.at_ms) >= PATIENCE_MS);
                side.filter(|_| !is_late && !is_gone(joiner)).unwrap_or(joiner)
            }
            Event::Created { .. }
            | Event::Started { .. }
            | Event::TurnPlayed { .. }
            | Event::Offered { .. }
            | Event::Declined { .. }
            | Event::DrawAgreed { .. }
            | Event::TurnsTakenBack { .. }
            | Event::TimeCredited { .. }
            | Event::Flagged { .. }
            | Event::Claimed { .. }
            | Event::RematchStarted { .. }
            | Event::Cancelled { .. }
            | Event::Ended { .. } => return None,
        };
        let seats = self.seats().filter(|seats| !seats.are_of_one_player() && !self.is_under_way())?;
        Some(seats[side])
    }

    /// Returns the players, if both seats are taken.
    pub const fn seats(&self) -> Option<&Seats> {
        match &self.phase {
            Phase::Playing { seats, .. } | Phase::Finished { seats, .. } | Phase::Aborted { seats } => {
                Some(seats)
            }
            Phase::Open | Phase::Cancelled => None,
        }
    }

    /// Returns the side for which a player acts. The player of a game at one table acts for the side to move.
    pub fn side_of(&self, player: PlayerId) -> Option<Side> {
        let seats = self.seats()?;
        let to_move = self.play.to_move();
        [to_move, to_move.other()].into_iter().find(|side| seats[*side] == player)
    }

    /// Whether one player has both seats: two people play at one screen.
    pub fn is_at_one_table(&self) -> bool {
        self.seats().is_some_and(Seats::are_of_one_player)
    }

    /// Whether both sides have made a turn. From then on, turns are charged and the game can no longer be aborted.
    pub fn is_under_way(&self) -> bool {
        // The last turns are likely to be in the processor's cache.
        Side::ALL.iter().all(|side| self.play.turns().iter().rev().any(|turn| turn.side == *side))
    }

    /// Returns the number of turns that a take-back of this side's last turn removes; `None` if the side has made none.
    pub fn turns_back_to(&self, side: Side) -> Option<u16> {
        let back = self.play.turns().iter().rev().position(|turn| turn.side == side)?;
        u16::try_from(back + 1).ok()
    }

    fn turn_under_way(&self) -> Option<&TurnUnderWay> {
        if let Phase::Playing { turn, .. } = &self.phase { Some(turn) } else { None }
    }

    /// Returns the deadline of the turn under way, or the time at which an open room is closed, in milliseconds since
    /// 1970. A turn received at the deadline is too late, unless lag is forgiven.
    pub fn deadline_ms(&self) -> Option<i64> {
        match &self.phase {
            Phase::Open if self.challenged.is_some() => Some(self.updated_ms + CHALLENGE_WAITS_MS),
            Phase::Open => Some(self.updated_ms + ROOM_WAITS_MS),
            Phase::Playing { turn, .. } => Some(turn.began_ms + turn.credited_ms + self.allowed_ms()?),
            Phase::Finished { .. } | Phase::Aborted { .. } | Phase::Cancelled => None,
        }
    }

    /// Returns the time that the turn under way may take; `None` if it is not limited.
    pub fn allowed_ms(&self) -> Option<i64> {
        if self.is_under_way() {
            self.clocks.left_ms.map(|left| self.terms.clock.allows_ms(left[self.play.to_move()]))
        } else {
            Some(self.terms.clock.first_turn_ms())
        }
    }

    /// Returns the time that both sides have left at `now_ms` in the turn under way; `None` if time is not measured.
    pub fn left_ms(&self, turn: &TurnUnderWay, now_ms: i64) -> Option<BySide<i64>> {
        let mut left = self.clocks.left_ms?;
        if self.is_under_way() {
            let gone_ms = turn.elapsed_ms(now_ms) - self.terms.clock.delay_ms();
            let side = self.play.to_move();
            left[side] -= gone_ms.clamp(0, left[side].max(0));
        }
        Some(left)
    }

    /// Returns the lag quota of the side to move.
    pub(crate) fn lag_quota(&self) -> LagQuota {
        self.clocks.lag[self.play.to_move()]
    }

    /// Returns the cause of `event`, the next event of the log.
    pub fn cause(&self, event: &Event) -> Cause {
        let player = |side: Side| self.seats().map_or(Cause::Server, |seats| Cause::Command(seats[side]));
        match event {
            Event::Created { creator, .. } => Cause::Command(*creator),
            Event::Started { seats, .. } if seats.first == self.creator => Cause::Command(seats.second),
            Event::Started { seats, .. } => Cause::Command(seats.first),
            Event::TurnPlayed { .. } => player(self.play.to_move()),
            Event::Offered { side, .. }
            | Event::Declined { side, .. }
            | Event::DrawAgreed { side }
            | Event::TurnsTakenBack { side, .. }
            | Event::Resigned { side }
            | Event::Claimed { side }
            | Event::Aborted { side: Some(side) }
            | Event::Reopened { side: Some(side) }
            | Event::RematchStarted { side, .. } => player(*side),
            Event::Cancelled { by: ClosedBy::Maker } => Cause::Command(self.creator),
            Event::Cancelled { by: ClosedBy::Challenged { .. } } => {
                self.challenged.map_or(Cause::Server, Cause::Command)
            }
            Event::Ended { .. } => Cause::EventBefore,
            Event::TimeCredited { .. }
            | Event::Flagged { .. }
            | Event::Aborted { side: None }
            | Event::Reopened { side: None }
            | Event::Cancelled { by: ClosedBy::Time } => Cause::Server,
        }
    }
}

/// Returns a match from its start, in which no card is turned over: from the ruleset's own start position if there is no
/// other.
///
/// # Errors
/// The start position is invalid.
pub fn unplayed(ruleset: Ruleset, start: Option<&str>) -> Result<AnyMatch, TextError> {
    let usual = AnyMatch::new(ruleset);
    // No text is the start of a ruleset with cards, not even its own.
    match start.filter(|text| *text != usual.start_text()) {
        Some(text) => AnyMatch::from_text(ruleset, text),
        None => Ok(usual),
    }
}

/// Returns the seed for the cards of a room that is open again. It follows from the seed before, but not from what is
/// published of that: the hash of its digits in reverse order is as secret as the seed itself.
pub(crate) fn next_seed(seed: &Seed) -> Seed {
    let reversed: String = seed.reveal().chars().rev().collect();
    let reversed: Seed = reversed.parse().expect("the digits of a seed in any order are a seed");
    reversed.hash().to_string().parse().expect("a hash is as long as a seed")
}

/// Applies an event after the end to the offers, and returns the rematch if the event started it. `None` if the event
/// cannot follow the end.
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
