//! A model of a game by `docs/protocol.md`, as simple as possible and independent of the code under test: permissions,
//! offers, clocks and flags.

use std::sync::Arc;

use super::super::*;

/// Index of the player who makes the room and has its first seat.
pub(super) const MAKER: usize = 0;

pub(super) const KINDS: [OfferKind; 3] = [OfferKind::Draw, OfferKind::Takeback, OfferKind::Rematch];

/// The turns of one game, computed in advance, so that the model knows the legal turn at each point without the rules.
#[derive(Debug)]
pub(super) struct Script {
    pub ruleset: Ruleset,
    /// The text of the start position, if it is not the ruleset's own.
    pub start: Option<String>,
    pub turns: Vec<ScriptedTurn>,
    /// The side to move after the last turn, if the game is not over.
    pub then: Option<Side>,
    /// The game after its room has opened again, if the cards make it another one.
    pub again: Option<Arc<Script>>,
}

#[derive(Debug)]
pub(super) struct ScriptedTurn {
    pub side: Side,
    pub actions: Vec<ActionText>,
    /// The outcome, if this turn ends the game.
    pub ends: Option<Outcome>,
}

impl Script {
    /// Returns the actions to send as a turn of this kind after `n_turns` turns.
    pub(super) fn actions(&self, n_turns: usize, kind: TurnKind) -> Vec<ActionText> {
        let mut actions = self.turns.get(n_turns).map(|turn| turn.actions.clone()).unwrap_or_default();
        match kind {
            TurnKind::Whole => {}
            TurnKind::Beginning => drop(actions.pop()),
            TurnKind::Wrong => actions.insert(0, ActionText::try_from("a1-z99".to_owned()).unwrap()),
        }
        actions
    }
}

/// The kind of turn that a player sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TurnKind {
    Whole,
    /// A turn without its last action.
    Beginning,
    /// A turn whose first action does not exist.
    Wrong,
}

/// A command, in the form of the model.
#[derive(Clone, Copy, Debug)]
pub(super) enum Ask {
    Join,
    Cancel,
    Turn { base: u32, kind: TurnKind, lag_ms: i64 },
    Resign,
    Abort(Option<i64>),
    Offer(OfferKind),
    Answer(OfferKind, bool),
    Claim(ClaimKind, Option<i64>),
}

/// The phase of a game, in the form of the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    Open,
    Playing,
    Over(Outcome),
    Aborted,
    Closed,
}

/// Both sides' clocks and the lag that they may still be forgiven, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Clocks {
    pub left_ms: Option<[i64; 2]>,
    pub quota_ms: [i64; 2],
}

/// The modelled state of a game.
#[derive(Clone, Debug)]
pub(super) struct Model {
    pub script: Arc<Script>,
    pub rule: ClockRule,
    pub version: u32,
    pub stage: Stage,
    /// The player in the second seat. At one table, this is the maker, who has both.
    pub joined: Option<usize>,
    /// The players who joined the room and left it.
    left: Vec<usize>,
    /// The clocks before each turn that stands.
    pub turns: Vec<Clocks>,
    pub clocks: Clocks,
    /// The version of the latest change of the board.
    pub since: u32,
    pub began_ms: i64,
    pub credited_ms: i64,
    /// The side that made the standing offer of each of [`KINDS`].
    pub offers: [Option<Side>; 3],
    pub has_rematch: bool,
    declined: Vec<(OfferKind, Side)>,
    /// Time of the last event up to the end of the game.
    updated_ms: i64,
}

impl Model {
    pub(super) fn room(script: Arc<Script>, rule: ClockRule, made_ms: i64) -> Self {
        Self {
            script,
            rule,
            version: 1,
            stage: Stage::Open,
            joined: None,
            left: Vec::new(),
            turns: Vec::new(),
            clocks: unused_clocks(rule),
            since: 0,
            began_ms: 0,
            credited_ms: 0,
            offers: [None; 3],
            has_rematch: false,
            declined: Vec::new(),
            updated_ms: made_ms,
        }
    }

    /// Returns a game of two people at one screen, in which the maker plays both sides.
    pub(super) fn table(script: Arc<Script>, made_ms: i64) -> Self {
        let mut model = Self::room(script, ClockRule::None, made_ms);
        (model.joined, model.stage) = (Some(MAKER), Stage::Playing);
        model.happens(made_ms, 1);
        model.begin_turn();
        model
    }

    fn is_at_one_table(&self) -> bool {
        self.joined == Some(MAKER)
    }

    /// Returns the side to move after the turns that stand.
    pub(super) fn to_move(&self) -> Option<Side> {
        self.script.turns.get(self.turns.len()).map_or(self.script.then, |turn| Some(turn.side))
    }

    pub(super) fn side_of(&self, who: usize) -> Option<Side> {
        match who {
            MAKER if self.is_at_one_table() => Some(self.to_move().unwrap_or(Side::First)),
            MAKER => Some(Side::First),
            _ if self.joined == Some(who) => Some(Side::Second),
            _ => None,
        }
    }

    /// Whether both sides have made a turn.
    pub(super) fn has_begun(&self) -> bool {
        Side::ALL.into_iter().all(|side| self.last_turn_of(side).is_some())
    }

    /// Returns the index of a side's last turn among those that stand.
    fn last_turn_of(&self, side: Side) -> Option<usize> {
        self.script.turns[..self.turns.len()].iter().rposition(|turn| turn.side == side)
    }

    /// Applies a command. For a bad turn, the index and the rule of the refusal are placeholders.
    pub(super) fn give(
        &mut self,
        who: usize,
        ask: Ask,
        (received_ms, now_ms): (i64, i64),
    ) -> Result<(), Refusal> {
        match ask {
            Ask::Join => self.join(who, now_ms),
            Ask::Cancel => self.cancel(who),
            Ask::Turn { base, kind, lag_ms } => {
                self.may_play(who, base)?;
                self.turn(kind, lag_ms, received_ms, now_ms)
            }
            Ask::Resign => {
                let side = self.playing(who)?;
                if self.may_leave(who) {
                    self.reopen(now_ms);
                } else {
                    self.happens(now_ms, 2);
                    self.end(Some(side.other()), Reason::Resign);
                }
                Ok(())
            }
            Ask::Abort(gone_ms) => {
                self.playing(who)?;
                if self.has_begun() {
                    return Err(Refusal::TooLateToAbort);
                }
                let is_late =
                    self.to_move() == Some(Side::Second) && self.last_turn_of(Side::Second).is_none();
                let waits = !self.is_at_one_table() && (is_late || gone_ms.is_some());
                if self.may_leave(who) || waits {
                    self.reopen(now_ms);
                } else {
                    self.happens(now_ms, 1);
                    self.stop(Stage::Aborted);
                }
                Ok(())
            }
            Ask::Offer(kind) => self.offer(who, kind, now_ms),
            Ask::Answer(kind, accepts) => self.answer(who, kind, accepts, now_ms),
            Ask::Claim(kind, gone_ms) => {
                let side = self.playing(who)?;
                let is_left =
                    gone_ms.zip(claimed_after_ms(self.rule)).is_some_and(|(gone, after)| gone >= after);
                if self.is_at_one_table() || !(is_left && self.has_begun()) {
                    return Err(Refusal::NotGone);
                }
                self.happens(now_ms, 2);
                self.end((kind == ClaimKind::Win).then_some(side), Reason::Abandon);
                Ok(())
            }
        }
    }

    /// Returns the time at which the game ends without a command.
    pub(super) fn flag_falls_at_ms(&self) -> Option<i64> {
        if self.stage == Stage::Open {
            return Some(self.updated_ms + 30 * 86_400_000);
        }
        let side = self.to_move().filter(|_| self.stage == Stage::Playing)?;
        let may_take_ms = if self.has_begun() {
            self.may_take_ms(side)? + self.clocks.quota_ms[place(side)]
        } else {
            match self.rule {
                ClockRule::None => 7 * 86_400_000,
                ClockRule::RealTime(_) => 60_000,
                ClockRule::Correspondence { days } => i64::from(days.get()) * 86_400_000,
                ClockRule::Bank { base_days, .. } => i64::from(base_days.get()) * 86_400_000,
            }
        };
        Some(self.began_ms + self.credited_ms + may_take_ms)
    }

    /// Ends the game if its time is over, and returns whether it did.
    pub(super) fn flag_fall(&mut self, now_ms: i64) -> bool {
        if self.flag_falls_at_ms().is_none_or(|at_ms| now_ms < at_ms) {
            return false;
        }
        if self.stage == Stage::Open {
            self.happens(now_ms, 1);
            self.stop(Stage::Closed);
        } else if self.has_begun() {
            self.happens(now_ms, 2);
            self.end(self.to_move().map(Side::other), Reason::Time);
        } else if self.to_move() == Some(Side::Second) && !self.is_at_one_table() {
            self.reopen(now_ms);
        } else {
            self.happens(now_ms, 1);
            self.stop(Stage::Aborted);
        }
        true
    }

    /// Credits the outages in the turn under way, `away_ms` in all, and returns whether this added an event.
    pub(super) fn credit(&mut self, away_ms: i64, now_ms: i64) -> bool {
        if self.stage != Stage::Playing || self.rule == ClockRule::None || away_ms <= self.credited_ms {
            return false;
        }
        self.credited_ms = away_ms;
        self.happens(now_ms, 1);
        true
    }

    /// Marks the last events as committed at `at_ms`.
    pub(super) fn committed(&mut self, at_ms: i64) {
        if self.stage == Stage::Playing && self.since == self.version {
            self.began_ms = self.began_ms.max(at_ms);
        }
    }

    fn playing(&self, who: usize) -> Result<Side, Refusal> {
        match self.stage {
            _ if who != MAKER && self.side_of(who).is_none() => Err(Refusal::NotSeated),
            Stage::Open => Err(Refusal::NotStarted),
            Stage::Closed => Err(Refusal::RoomCancelled),
            Stage::Over(_) | Stage::Aborted => Err(Refusal::GameOver),
            Stage::Playing => self.side_of(who).ok_or(Refusal::NotSeated),
        }
    }

    fn may_play(&self, who: usize, base: u32) -> Result<(), Refusal> {
        let side = self.playing(who)?;
        if base < self.since || base > self.version {
            return Err(Refusal::Stale { version: Version::new(self.version) });
        }
        if self.to_move() == Some(side) { Ok(()) } else { Err(Refusal::NotYourTurn) }
    }

    fn join(&mut self, who: usize, now_ms: i64) -> Result<(), Refusal> {
        match self.stage {
            Stage::Open if who == MAKER => Err(Refusal::OwnRoom),
            Stage::Open if self.left.contains(&who) => Err(Refusal::RoomLeft),
            Stage::Open => {
                (self.joined, self.stage) = (Some(who), Stage::Playing);
                self.happens(now_ms, 1);
                self.begin_turn();
                Ok(())
            }
            Stage::Closed => Err(Refusal::RoomCancelled),
            Stage::Playing | Stage::Over(_) | Stage::Aborted => Err(Refusal::RoomTaken),
        }
    }

    /// Whether the room opens again when this player leaves.
    fn may_leave(&self, who: usize) -> bool {
        who != MAKER && !self.has_begun()
    }

    /// Opens the room again, without the turns.
    fn reopen(&mut self, now_ms: i64) {
        self.left.extend(self.joined.take());
        self.turns.clear();
        self.clocks = unused_clocks(self.rule);
        if let Some(again) = self.script.again.clone() {
            self.script = again;
        }
        self.happens(now_ms, 1);
        self.stop(Stage::Open);
    }

    fn cancel(&mut self, who: usize) -> Result<(), Refusal> {
        match self.stage {
            _ if who != MAKER => Err(Refusal::NotYours),
            Stage::Open => {
                self.version += 1;
                self.stage = Stage::Closed;
                Ok(())
            }
            Stage::Closed => Err(Refusal::RoomCancelled),
            Stage::Playing | Stage::Over(_) | Stage::Aborted => Err(Refusal::RoomTaken),
        }
    }

    /// Plays a turn of the side to move.
    fn turn(&mut self, kind: TurnKind, lag_ms: i64, received_ms: i64, now_ms: i64) -> Result<(), Refusal> {
        let (script, before) = (self.script.clone(), self.clocks);
        let side = self.to_move().unwrap();
        let is_timed = self.has_begun();
        let elapsed_ms = (received_ms - self.began_ms - self.credited_ms).max(0);
        let quota_ms = before.quota_ms[place(side)];
        let forgiven_ms = if is_timed { lag_ms.clamp(0, quota_ms).min(elapsed_ms) } else { 0 };
        let took_ms = elapsed_ms - forgiven_ms;
        if is_timed && self.may_take_ms(side).is_some_and(|may_take_ms| took_ms >= may_take_ms) {
            return Err(Refusal::OutOfTime);
        }
        let turn = match (kind, script.turns.get(self.turns.len())) {
            (TurnKind::Wrong, _) => return Err(Refusal::Illegal { index: 0, rule: some_rule() }),
            (TurnKind::Whole, Some(turn)) => turn,
            (TurnKind::Whole | TurnKind::Beginning, _) => {
                return Err(Refusal::Incomplete { index: 0, rule: some_rule() });
            }
        };
        if let (true, Some(left_ms)) = (is_timed, &mut self.clocks.left_ms) {
            let left_ms = &mut left_ms[place(side)];
            *left_ms = match self.rule {
                ClockRule::Bank { base_days, bonus_hours } => {
                    let full_ms = i64::from(base_days.get()) * 86_400_000;
                    let gained_ms = i64::from(bonus_hours.get()) * 3_600_000;
                    let missing_ms = (full_ms - *left_ms + took_ms - gained_ms).max(0);
                    full_ms - missing_ms
                }
                _ => *left_ms + change_ms(self.rule, took_ms, &turn.actions),
            };
        }
        self.clocks.quota_ms[place(side)] = (quota_ms - forgiven_ms + 200).min(1_000);
        self.turns.push(before);
        // A side's own draw offer still stands after its turn. All other offers lapse.
        self.offers = [self.offers[0].filter(|maker| *maker == side), None, None];
        self.declined.clear();
        self.happens(now_ms, 1);
        self.begin_turn();
        if let Some(Outcome { winner, reason }) = turn.ends {
            self.happens(now_ms, 1);
            self.end(winner, reason);
        }
        Ok(())
    }

    /// Returns the time that a side's turn may take; `None` if time is not measured.
    fn may_take_ms(&self, side: Side) -> Option<i64> {
        self.clocks.left_ms.map(|left_ms| left_ms[place(side)] + delay_ms(self.rule))
    }

    fn may_talk(&self, who: usize, kind: OfferKind) -> Result<Side, Refusal> {
        match (kind, &self.stage) {
            _ if who != MAKER && self.side_of(who).is_none() => Err(Refusal::NotSeated),
            (OfferKind::Draw | OfferKind::Takeback, _) => self.playing(who),
            (OfferKind::Rematch, Stage::Over(_)) if self.has_rematch => Err(Refusal::OfferedAlready),
            (OfferKind::Rematch, Stage::Over(_)) => self.side_of(who).ok_or(Refusal::NotSeated),
            (OfferKind::Rematch, Stage::Open | Stage::Playing) => Err(Refusal::NotOver),
            (OfferKind::Rematch, Stage::Aborted | Stage::Closed) => Err(Refusal::GameOver),
        }
    }

    fn offer(&mut self, who: usize, kind: OfferKind, now_ms: i64) -> Result<(), Refusal> {
        let side = self.may_talk(who, kind)?;
        if self.is_at_one_table() {
            return self.offer_at_one_table(side, kind, now_ms);
        }
        let standing = self.offers[place_of(kind)];
        if standing == Some(side.other()) && kind != OfferKind::Takeback {
            self.accepted(side.other(), kind, now_ms);
            return Ok(());
        }
        if standing.is_some() || self.declined.contains(&(kind, side)) {
            return Err(Refusal::OfferedAlready);
        }
        if kind == OfferKind::Takeback && self.script.ruleset.has_cards() {
            return Err(Refusal::CardsAreOpen);
        }
        if kind == OfferKind::Takeback && self.last_turn_of(side).is_none() {
            return Err(Refusal::NothingToTakeBack);
        }
        self.offers[place_of(kind)] = Some(side);
        self.happens(now_ms, 1);
        Ok(())
    }

    /// Accepts an offer at one table at once. A take-back there is of the last turn of either side.
    fn offer_at_one_table(&mut self, side: Side, kind: OfferKind, now_ms: i64) -> Result<(), Refusal> {
        if kind == OfferKind::Takeback && self.script.ruleset.has_cards() {
            return Err(Refusal::CardsAreOpen);
        }
        let of = match self.turns.len().checked_sub(1).map(|last| self.script.turns[last].side) {
            Some(last) if kind == OfferKind::Takeback => last,
            None if kind == OfferKind::Takeback => return Err(Refusal::NothingToTakeBack),
            Some(_) | None => side,
        };
        self.accepted(of, kind, now_ms);
        Ok(())
    }

    fn answer(&mut self, who: usize, kind: OfferKind, accepts: bool, now_ms: i64) -> Result<(), Refusal> {
        let side = self.may_talk(who, kind)?;
        let maker = self.offers[place_of(kind)].ok_or(Refusal::NoOffer)?;
        match accepts {
            true if maker == side => return Err(Refusal::NoOffer),
            true => self.accepted(maker, kind, now_ms),
            false => {
                self.offers[place_of(kind)] = None;
                self.declined.push((kind, maker));
                self.happens(now_ms, 1);
            }
        }
        Ok(())
    }

    fn accepted(&mut self, maker: Side, kind: OfferKind, now_ms: i64) {
        match kind {
            OfferKind::Draw => {
                self.happens(now_ms, 2);
                self.end(None, Reason::Agreement);
            }
            OfferKind::Takeback => {
                let kept = self.last_turn_of(maker).unwrap();
                self.clocks = self.turns[kept];
                self.turns.truncate(kept);
                self.forget_offers();
                self.happens(now_ms, 1);
                self.begin_turn();
            }
            OfferKind::Rematch => {
                self.has_rematch = true;
                self.forget_offers();
                self.happens(now_ms, 1);
            }
        }
    }

    fn forget_offers(&mut self) {
        self.offers = [None; 3];
        self.declined.clear();
    }

    /// Appends `n_events` events. Times never decrease up to the end, and later events do not change `updated_ms`.
    fn happens(&mut self, now_ms: i64, n_events: u32) {
        self.version += n_events;
        if !matches!(self.stage, Stage::Over(_)) {
            self.updated_ms = self.updated_ms.max(now_ms);
        }
    }

    /// Begins a turn, after an event that changed the board.
    fn begin_turn(&mut self) {
        (self.since, self.began_ms, self.credited_ms) = (self.version, self.updated_ms, 0);
    }

    /// Returns the clocks as shown at `now_ms` in the turn under way.
    pub(super) fn shows_ms(&self, now_ms: i64) -> Option<[i64; 2]> {
        let mut left_ms = self.clocks.left_ms?;
        if let (true, Some(side)) = (self.has_begun(), self.to_move()) {
            let elapsed_ms = (now_ms - self.began_ms - self.credited_ms).max(0);
            let counted_ms = (elapsed_ms - delay_ms(self.rule)).max(0);
            left_ms[place(side)] = (left_ms[place(side)] - counted_ms).max(0);
        }
        Some(left_ms)
    }

    /// Ends the game and stops its clocks.
    fn end(&mut self, winner: Option<Side>, reason: Reason) {
        self.clocks.left_ms = self.shows_ms(self.updated_ms);
        self.stop(Stage::Over(Outcome { winner, reason }));
    }

    fn stop(&mut self, stage: Stage) {
        self.stage = stage;
        self.forget_offers();
    }
}

/// Returns the clocks before the first turn.
fn unused_clocks(rule: ClockRule) -> Clocks {
    let left_ms = match rule {
        ClockRule::None => None,
        ClockRule::Correspondence { days } => Some(i64::from(days.get()) * 86_400_000),
        ClockRule::Bank { base_days, .. } => Some(i64::from(base_days.get()) * 86_400_000),
        ClockRule::RealTime(time) if time.base_s() > 0 => Some(seconds(time.base_s())),
        ClockRule::RealTime(time) => Some(seconds(time.bonus_s())),
    };
    Clocks { left_ms: left_ms.map(|ms| [ms, ms]), quota_ms: [1_000, 1_000] }
}

/// Returns the change of a side's clock by its turn.
fn change_ms(rule: ClockRule, took_ms: i64, actions: &[ActionText]) -> i64 {
    let ClockRule::RealTime(time) = rule else { return 0 };
    let bonus_ms = seconds(time.bonus_s());
    match time.bonus() {
        Bonus::PerTurn => bonus_ms - took_ms,
        Bonus::PerAction => {
            let n_moves = actions.iter().filter(|action| action.as_str() != "end").count();
            bonus_ms * i64::try_from(n_moves).unwrap() - took_ms
        }
        Bonus::Delay | Bonus::Bronstein if took_ms <= bonus_ms => 0,
        Bonus::Delay | Bonus::Bronstein => bonus_ms - took_ms,
    }
}

/// Returns the uncharged time at the beginning of each turn.
fn delay_ms(rule: ClockRule) -> i64 {
    match rule {
        ClockRule::RealTime(time) if time.bonus() == Bonus::Delay => seconds(time.bonus_s()),
        ClockRule::None
        | ClockRule::RealTime(_)
        | ClockRule::Correspondence { .. }
        | ClockRule::Bank { .. } => 0,
    }
}

/// Returns the absence after which a game can be claimed, for a quick clock, a slow one or none. A correspondence game
/// is never claimed.
fn claimed_after_ms(rule: ClockRule) -> Option<i64> {
    match rule {
        ClockRule::RealTime(time) if time.base_s() + 40 * time.bonus_s() <= 600 => Some(30_000),
        ClockRule::RealTime(_) => Some(120_000),
        ClockRule::None => Some(1_800_000),
        ClockRule::Correspondence { .. } | ClockRule::Bank { .. } => None,
    }
}

/// Returns the index of a kind in [`KINDS`].
pub(super) fn place_of(kind: OfferKind) -> usize {
    match kind {
        OfferKind::Draw => 0,
        OfferKind::Takeback => 1,
        OfferKind::Rematch => 2,
    }
}

/// Returns the index of a side in an array of both sides.
pub(super) fn place(side: Side) -> usize {
    match side {
        Side::First => 0,
        Side::Second => 1,
    }
}

fn seconds(number: u32) -> i64 {
    i64::from(number) * 1_000
}
