use engine::{BySide, Seed, Side};

use super::{
    ClaimKind, ClockRule, ClosedBy, Command, Corrupt, Event, OfferKind, Outcome, Phase, Player, Reason,
    Recorded, Refusal, SeatChoice, Seats, StandingOffer, State,
    away::Away,
    offers::Offers,
    state::{PATIENCE_MS, TurnUnderWay},
};
use crate::ids::{ActionText, BotLevel, GameId, PlayerId, Version};

/// Maximum number of take-backs in one game, by both sides together. An answered offer can be repeated only after a
/// turn or a take-back, so this and the turn limit bound the versions of a game: see `limits.rs` of the server.
pub(crate) const MAX_TAKEBACKS: u32 = 100;

/// Difference between the beginnings of a turn on two nodes, in milliseconds, that is not credited again.
const CREDIT_DIFFERS_BY_MS: i64 = 1_000;

/// The decision on a command or on elapsed time: the events to append, and the state after them.
#[derive(Clone, Debug)]
pub struct Decision {
    /// At least one.
    pub events: Vec<Recorded>,
    /// Boxed: it is large and moved several times.
    pub next: Box<State>,
    at_ms: i64,
}

/// The times of a request, in milliseconds since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct When {
    /// Time of receipt by the server.
    pub received_ms: i64,
    /// Time of the decision.
    pub now_ms: i64,
}

/// Decides on `command`, given by `who`. Does not change `state`.
///
/// # Errors
/// The reason why the game in its current state does not allow the command.
pub fn decide(state: &State, command: &Command, who: &Player, when: When) -> Result<Decision, Refusal> {
    let mut decision = Decision::on(state, when.now_ms);
    match command {
        Command::Join { coin } => decision.fold(join(state, who, *coin)?)?,
        Command::Cancel => decision.fold(cancel(state, who)?)?,
        Command::Decline { counter } => decision.fold(decline(state, who, *counter)?)?,
        Command::Turn { base, actions, lag_ms } => {
            decision.fold(turn(state, who, *base, actions, *lag_ms, when.received_ms)?)?;
            if let Some(outcome) = decision.next.play.outcome() {
                decision.end(outcome.into())?;
            }
        }
        Command::Resign => {
            let (side, ..) = playing(state, who)?;
            if state.side_that_may_leave() == Some(side) {
                decision.fold(Event::Reopened { side: Some(side) })?;
            } else {
                decision.fold(Event::Resigned { side })?;
                decision.end(Outcome { winner: Some(side.other()), reason: Reason::Resign })?;
            }
        }
        Command::Abort { gone_ms } => {
            let (side, ..) = playing(state, who)?;
            if state.is_under_way() {
                return Err(Refusal::TooLateToAbort);
            }
            let is_left = |joiner| joiner == side || gone_ms.is_some() || state.is_first_turn_of(joiner);
            decision.fold(match state.side_that_may_leave() {
                Some(joiner) if is_left(joiner) => Event::Reopened { side: Some(side) },
                Some(_) | None => Event::Aborted { side: Some(side) },
            })?;
        }
        Command::Offer { what, rematch } => offer(&mut decision, state, who, *what, *rematch)?,
        Command::Answer { what, accept, rematch } => {
            let (side, offers) = may_offer(state, who, *what)?;
            let maker = offers.maker(*what).ok_or(Refusal::NoOffer)?;
            match accept {
                true if maker == side => return Err(Refusal::NoOffer),
                true => accepted(&mut decision, state, side, *what, *rematch)?,
                false => decision.fold(Event::Declined { what: *what, side })?,
            }
        }
        Command::Claim { what, gone_ms } => {
            let (side, ..) = playing(state, who)?;
            if !may_claim(state, *gone_ms) {
                return Err(Refusal::NotGone);
            }
            let winner = match what {
                ClaimKind::Win => Some(side),
                ClaimKind::Draw => None,
            };
            decision.fold(Event::Claimed { side })?;
            decision.end(Outcome { winner, reason: Reason::Abandon })?;
        }
    }
    Ok(decision)
}

/// Returns the decision that follows from time alone: a fallen flag, the end of a game in which a side has not made its
/// first turn, or the end of a room that nobody has joined. If the player who joined a room makes no first turn, the room
/// opens again. A flag falls only when no more lag can be forgiven.
pub fn flag_fall(state: &State, now_ms: i64) -> Option<Decision> {
    if now_ms < flag_falls_at_ms(state)? {
        return None;
    }
    let mut decision = Decision::on(state, now_ms);
    let side = state.play.to_move();
    let done = if state.phase == Phase::Open {
        decision.fold(Event::Cancelled { by: ClosedBy::Time })
    } else if state.is_under_way() {
        decision
            .fold(Event::Flagged { side })
            .and_then(|()| decision.end(Outcome { winner: Some(side.other()), reason: Reason::Time }))
    } else if state.side_that_may_leave() == Some(side) {
        decision.fold(Event::Reopened { side: None })
    } else {
        decision.fold(Event::Aborted { side: None })
    };
    done.ok().map(|()| decision)
}

/// Returns the decision that follows if the player who joined the room has been away from the game for `gone_ms`, ever
/// since: from [`PATIENCE_MS`] on the room opens again, unless turns take days, for which nobody has to be present.
pub fn no_show(state: &State, gone_ms: i64, now_ms: i64) -> Option<Decision> {
    let is_awaited = gone_ms >= PATIENCE_MS && !state.terms().clock.is_by_days();
    state.side_that_may_leave().filter(|_| is_awaited)?;
    let mut decision = Decision::on(state, now_ms);
    decision.fold(Event::Reopened { side: None }).ok().map(|()| decision)
}

/// Returns the time from which [`flag_fall`] returns a decision, in milliseconds since 1970.
pub fn flag_falls_at_ms(state: &State) -> Option<i64> {
    let lag_ms = if state.is_under_way() { state.lag_quota().left_ms() } else { 0 };
    Some(state.deadline_ms()? + lag_ms)
}

/// Credits the time in the turn under way that is not charged, `away` in all. Returns `None` if it is already credited or
/// no time is measured.
///
/// For example, the server is killed when First has 25 s left, and is back after 40 s. With 3 s to connect again
/// `away.ms` is 43,000, and the event credits all of it: First still has 25 s. A second outage of 10 s in the same turn
/// makes it 56,000, of which 13,000 are new. A vacation that ends early is credited less than before.
pub fn credit(state: &State, away: Away, now_ms: i64) -> Option<Decision> {
    let Phase::Playing { turn, .. } = &state.phase else { return None };
    let ms = away.ms - turn.credited_ms;
    let until_ms = away.vacation_until_ms.max(turn.began_ms);
    let is_vacation = until_ms != turn.vacation_until_ms.max(turn.began_ms);
    // A vacation may cover the beginning of the turn, of which each node has a time of its own.
    let least_ms = if turn.vacation_until_ms > turn.began_ms { CREDIT_DIFFERS_BY_MS } else { 1 };
    if state.terms.clock == ClockRule::None || (!is_vacation && ms < least_ms) {
        return None;
    }
    let mut decision = Decision::on(state, now_ms);
    let vacation_until_ms = is_vacation.then_some(until_ms);
    let credited = Event::TimeCredited { side: state.play.to_move(), ms, vacation_until_ms };
    decision.fold(credited).ok().map(|()| decision)
}

/// Returns the time that the turn under way may take until its [flag falls](flag_falls_at_ms); `None` if no turn is limited.
pub fn falls_after_ms(state: &State) -> Option<i64> {
    let Phase::Playing { turn, .. } = &state.phase else { return None };
    Some(flag_falls_at_ms(state)? - turn.began_ms - turn.credited_ms)
}

/// Whether the other side may claim a game after an absence of `gone_ms`. Only a game in which both sides have made a
/// turn can be claimed, and never one at one table.
///
/// For example, Second closes the page in a game of five minutes. From 30 s on First may claim a win or a draw, whoever
/// is to move. If Second comes back after 29 s, `gone_ms` is `None`, and the next absence begins at 0.
pub fn may_claim(state: &State, gone_ms: Option<i64>) -> bool {
    let is_going =
        matches!(state.phase, Phase::Playing { .. }) && state.is_under_way() && !state.is_at_one_table();
    let after_ms = state.terms.clock.claim_after_ms().filter(|_| is_going);
    gone_ms.zip(after_ms).is_some_and(|(gone_ms, after_ms)| gone_ms >= after_ms)
}

impl Decision {
    fn on(state: &State, now_ms: i64) -> Self {
        // The times in a log never decrease, even if the server's clock is set back.
        Self { events: Vec::new(), next: Box::new(state.clone()), at_ms: now_ms.max(state.updated_ms) }
    }

    fn fold(&mut self, event: Event) -> Result<(), Refusal> {
        let recorded = Recorded { at_ms: self.at_ms, event };
        self.next.apply(&recorded).map_err(|corrupt| match corrupt {
            Corrupt::IllegalTurn { error, .. } => Refusal::from(error),
            Corrupt::NotCreated | Corrupt::BadStart(_) | Corrupt::OutOfPlace { .. } => {
                unreachable!("a decided event fits the state that it was decided on")
            }
        })?;
        self.events.push(recorded);
        Ok(())
    }

    fn end(&mut self, outcome: Outcome) -> Result<(), Refusal> {
        self.fold(Event::Ended { outcome })
    }
}

fn join(state: &State, who: &Player, coin: bool) -> Result<Event, Refusal> {
    match &state.phase {
        Phase::Cancelled => Err(Refusal::RoomCancelled),
        Phase::Playing { .. } | Phase::Finished { .. } | Phase::Aborted { .. } => Err(Refusal::RoomTaken),
        Phase::Open if state.creator == who.id => Err(Refusal::OwnRoom),
        Phase::Open if state.challenged.is_some_and(|challenged| challenged != who.id) => {
            Err(Refusal::NotForYou)
        }
        Phase::Open if state.has_left(who.id) => Err(Refusal::RoomLeft),
        Phase::Open => {
            let makers_side = match state.seat {
                SeatChoice::First => Side::First,
                SeatChoice::Second => Side::Second,
                SeatChoice::Random if coin => Side::First,
                SeatChoice::Random => Side::Second,
            };
            let BySide { first, second } =
                BySide::from_fn(|side| if side == makers_side { state.creator } else { who.id });
            Ok(Event::Started { seats: Seats { first, second }, joined: true })
        }
    }
}

fn cancel(state: &State, who: &Player) -> Result<Event, Refusal> {
    if state.creator != who.id {
        return Err(Refusal::NotYours);
    }
    close(state, ClosedBy::Maker)
}

fn decline(state: &State, who: &Player, counter: Option<GameId>) -> Result<Event, Refusal> {
    if state.challenged != Some(who.id) {
        return Err(Refusal::NotForYou);
    }
    close(state, ClosedBy::Challenged { counter })
}

fn close(state: &State, by: ClosedBy) -> Result<Event, Refusal> {
    match state.phase {
        Phase::Open => Ok(Event::Cancelled { by }),
        Phase::Cancelled => Err(Refusal::RoomCancelled),
        Phase::Playing { .. } | Phase::Finished { .. } | Phase::Aborted { .. } => Err(Refusal::RoomTaken),
    }
}

fn turn(
    state: &State,
    who: &Player,
    base: Version,
    actions: &[ActionText],
    lag_ms: i64,
    received_ms: i64,
) -> Result<Event, Refusal> {
    let turn = may_act(state, who, base)?;
    // A bot answers an offer that was made while it thought: its turn would end the offer.
    if BotLevel::of(who.id).is_some() && base != state.version {
        return Err(Refusal::Stale { version: state.version });
    }
    let side = state.play.to_move();
    let elapsed_ms = turn.elapsed_ms(received_ms);
    if !state.is_under_way() {
        let time = state.clocks.left_ms;
        return Ok(Event::TurnPlayed { actions: actions.to_vec(), took_ms: elapsed_ms, lag_ms: 0, time });
    }
    let lag_ms = state.lag_quota().forgives(lag_ms).min(elapsed_ms);
    let took_ms = elapsed_ms - lag_ms;
    if state.allowed_ms().is_some_and(|allowed_ms| took_ms >= allowed_ms) {
        return Err(Refusal::OutOfTime);
    }
    let time = state.clocks.left_ms.map(|mut left| {
        left[side] = state.terms.clock.after_turn_ms(left[side], took_ms, actions);
        left
    });
    Ok(Event::TurnPlayed { actions: actions.to_vec(), took_ms, lag_ms, time })
}

/// Checks that `who` may play or draft a turn based on `base`, and returns the turn under way.
///
/// # Errors
/// The player may not act now, or the board has changed since `base`.
pub fn may_act(state: &State, who: &Player, base: Version) -> Result<TurnUnderWay, Refusal> {
    let (side, turn, _) = playing(state, who)?;
    if !(turn.since..=state.version).contains(&base) {
        return Err(Refusal::Stale { version: state.version });
    }
    if side != state.play.to_move() {
        return Err(Refusal::NotYourTurn);
    }
    Ok(turn)
}

/// Whether a player takes part in the game: as one of its two sides, as the maker of its room, or as the player whom the room
/// challenges.
pub fn is_seated(state: &State, who: PlayerId) -> bool {
    state.side_of(who).is_some() || state.creator == who || state.challenged == Some(who)
}

/// Returns the side of `who` in a game that is being played, with its turn and its offers. Strangers are refused before
/// the phase is checked, so that a game they may not watch does not reveal its phase.
fn playing<'s>(state: &'s State, who: &Player) -> Result<(Side, TurnUnderWay, &'s Offers), Refusal> {
    if !is_seated(state, who.id) {
        return Err(Refusal::NotSeated);
    }
    match &state.phase {
        Phase::Open => Err(Refusal::NotStarted),
        Phase::Cancelled => Err(Refusal::RoomCancelled),
        Phase::Finished { .. } | Phase::Aborted { .. } => Err(Refusal::GameOver),
        Phase::Playing { turn, offers, .. } => {
            Ok((state.side_of(who.id).ok_or(Refusal::NotSeated)?, *turn, offers))
        }
    }
}

/// Returns the side of `who` and the offers, if the phase allows offers of this kind.
fn may_offer<'s>(state: &'s State, who: &Player, what: OfferKind) -> Result<(Side, &'s Offers), Refusal> {
    if !is_seated(state, who.id) {
        return Err(Refusal::NotSeated);
    }
    match (what, &state.phase) {
        (OfferKind::Draw | OfferKind::Takeback, _) => {
            playing(state, who).map(|(side, _, offers)| (side, offers))
        }
        (OfferKind::Rematch, Phase::Finished { rematch: Some(_), .. }) => Err(Refusal::OfferedAlready),
        (OfferKind::Rematch, Phase::Finished { offers, .. }) => {
            Ok((state.side_of(who.id).ok_or(Refusal::NotSeated)?, offers))
        }
        (OfferKind::Rematch, Phase::Playing { .. } | Phase::Open) => Err(Refusal::NotOver),
        (OfferKind::Rematch, Phase::Aborted { .. } | Phase::Cancelled) => Err(Refusal::GameOver),
    }
}

fn offer(
    decision: &mut Decision,
    state: &State,
    who: &Player,
    what: OfferKind,
    rematch: GameId,
) -> Result<(), Refusal> {
    let (side, offers) = may_offer(state, who, what)?;
    if state.is_at_one_table() {
        return agreed(decision, state, side, what, rematch);
    }
    if offers.maker(what) == Some(side.other()) && what != OfferKind::Takeback {
        return accepted(decision, state, side, what, rematch);
    }
    let offer = StandingOffer { what, side };
    if !offers.may_make(offer) {
        return Err(Refusal::OfferedAlready);
    }
    if what == OfferKind::Takeback {
        has_closed_cards(state)?;
        state.turns_back_to(side).ok_or(Refusal::NothingToTakeBack)?;
        may_take_back(state)?;
    }
    decision.fold(Event::Offered { what, side })
}

/// Refuses take-backs in a game with cards, where each turn turns over the next card.
fn has_closed_cards(state: &State) -> Result<(), Refusal> {
    if state.ruleset().has_cards() { Err(Refusal::CardsAreOpen) } else { Ok(()) }
}

/// Accepts an offer at one table as soon as it is made. A take-back there is of the last turn of either side.
fn agreed(
    decision: &mut Decision,
    state: &State,
    side: Side,
    what: OfferKind,
    rematch: GameId,
) -> Result<(), Refusal> {
    let accepting = match what {
        OfferKind::Draw | OfferKind::Rematch => side,
        OfferKind::Takeback => {
            has_closed_cards(state)?;
            state.play.turns().last().ok_or(Refusal::NothingToTakeBack)?.side.other()
        }
    };
    accepted(decision, state, accepting, what, rematch)
}

/// Accepts, for `side`, the offer of the other side.
fn accepted(
    decision: &mut Decision,
    state: &State,
    side: Side,
    what: OfferKind,
    rematch: GameId,
) -> Result<(), Refusal> {
    match what {
        OfferKind::Draw => {
            decision.fold(Event::DrawAgreed { side })?;
            decision.end(Outcome { winner: None, reason: Reason::Agreement })
        }
        OfferKind::Takeback => {
            may_take_back(state)?;
            let turns = state.turns_back_to(side.other()).ok_or(Refusal::NothingToTakeBack)?;
            decision.fold(Event::TurnsTakenBack { turns, side })
        }
        OfferKind::Rematch => decision.fold(Event::RematchStarted { rematch, side }),
    }
}

fn may_take_back(state: &State) -> Result<(), Refusal> {
    let limit = MAX_TAKEBACKS;
    if state.n_takebacks < limit { Ok(()) } else { Err(Refusal::TooManyTakebacks { limit }) }
}

/// Returns the first events of the rematch, in which the sides are swapped.
pub fn rematch_of(state: &State, seed: Seed, now_ms: i64) -> Vec<Recorded> {
    let Some(Seats { first, second }) = state.seats().copied() else { return Vec::new() };
    let seats = Seats { first: second, second: first };
    let created = Event::Created {
        ruleset: state.ruleset(),
        visibility: state.visibility,
        creator: seats.first,
        challenged: None,
        seat: SeatChoice::First,
        terms: state.terms.clone(),
        start: state.start.clone(),
        seed: state.ruleset().has_cards().then_some(seed),
    };
    [created, Event::Started { seats, joined: false }].map(|event| Recorded { at_ms: now_ms, event }).to_vec()
}
