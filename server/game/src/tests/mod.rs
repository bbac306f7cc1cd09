//! Decisions on commands, and the fold of the log.

mod clocks;
mod corpus;
mod formats;
mod interleavings;
mod lag;
mod offers;
mod one_table;
mod reopened;
mod vacations;

use engine::{BySide, Rule, Ruleset, Side};
use uuid::Uuid;

use super::*;
use crate::ids::{ActionText, BotLevel, GameId, PlayerId, PlayerName, Version};

const MADE_MS: i64 = 1_000;
const JOINED_MS: i64 = 5_000;

fn player(number: u128, name: &str) -> Player {
    let name = PlayerName::try_from(name.to_owned()).unwrap();
    Player { id: PlayerId::new(Uuid::from_u128(number)), name }
}

fn ada() -> Player {
    player(1, "Ada")
}

fn blaise() -> Player {
    player(2, "Blaise")
}

/// The player of an id.
fn named(id: PlayerId) -> Player {
    let bot = BotLevel::of(id).map(BotLevel::player);
    bot.into_iter().chain([ada(), blaise(), stranger()]).find(|player| player.id == id).unwrap()
}

fn stranger() -> Player {
    player(3, "Charles")
}

/// A game in virtual time that keeps its log, as a store would.
struct Game {
    state: State,
    log: Vec<Recorded>,
    now_ms: i64,
}

impl Game {
    fn room(seat: SeatChoice) -> Self {
        Self::room_with(Ruleset::Fibonacci, seat, ClockRule::None)
    }

    fn room_with(ruleset: Ruleset, seat: SeatChoice, clock: ClockRule) -> Self {
        let event = Event::Created {
            ruleset,
            visibility: Visibility::Public,
            creator: ada().id,
            challenged: None,
            seat,
            terms: Terms { clock, ..Terms::default() },
            start: None,
            seed: ruleset.has_cards().then(|| engine::Seed::new([7; 32])),
        };
        let recorded = Recorded { at_ms: MADE_MS, event };
        Self { state: State::begin(&recorded).unwrap(), log: vec![recorded], now_ms: JOINED_MS }
    }

    /// Returns a game in which Ada has the first seat and Blaise the second.
    fn begun() -> Self {
        Self::begun_with(Ruleset::Fibonacci, ClockRule::None)
    }

    fn begun_with(ruleset: Ruleset, clock: ClockRule) -> Self {
        let mut game = Self::room_with(ruleset, SeatChoice::First, clock);
        game.give(&blaise(), &Command::Join { coin: false }).unwrap();
        game
    }

    fn give(&mut self, who: &Player, command: &Command) -> Result<Version, Refusal> {
        let when = When { received_ms: self.now_ms, now_ms: self.now_ms };
        let decision = decide(&self.state, command, who, when)?;
        self.keep(decision);
        Ok(self.state.version())
    }

    fn keep(&mut self, Decision { events, next, .. }: Decision) {
        assert!(!events.is_empty());
        self.log.extend(events);
        self.state = *next;
    }

    fn player_to_move(&self) -> Player {
        named(self.state.seats().unwrap()[self.state.play().to_move()])
    }

    /// Plays a turn of the side to move: `moves` actions, each the first legal one, and `end` unless the turn
    /// is already complete.
    fn play(&mut self, moves: usize, lag_ms: i64) -> Result<Version, Refusal> {
        let mut actions: Vec<String> = Vec::new();
        loop {
            let draft = self.state.play().draft(&actions).unwrap();
            let next = match draft.complete {
                true => break,
                false if actions.len() == moves => "end".to_owned(),
                false => draft.legal().into_iter().find(|action| action.text != "end").unwrap().text,
            };
            actions.push(next);
        }
        let Command::Turn { base, actions, .. } = turn_on(self.state.version(), &actions.join(" ")) else {
            unreachable!("`turn_on` returns a turn")
        };
        let who = self.player_to_move();
        self.give(&who, &Command::Turn { base, actions, lag_ms })
    }

    fn turn(&mut self, who: &Player, actions: &str) -> Result<Version, Refusal> {
        let command = turn_on(self.state.version(), actions);
        self.give(who, &command)
    }

    fn status(&self) -> Status {
        self.state.status()
    }
}

fn turn_on(base: Version, actions: &str) -> Command {
    let actions =
        actions.split_whitespace().map(|text| ActionText::try_from(text.to_owned()).unwrap()).collect();
    Command::Turn { base, actions, lag_ms: 0 }
}

/// Returns the clock of a bank of time.
fn bank(base_days: u64, bonus_hours: u64) -> ClockRule {
    ClockRule::Bank { base_days: base_days.try_into().unwrap(), bonus_hours: bonus_hours.try_into().unwrap() }
}

/// Any clause of the rules, for refusals whose clause is not compared.
fn some_rule() -> Rule {
    engine::AnyMatch::new(Ruleset::Fibonacci).play(&["end"]).unwrap_err().rule
}

#[test]
fn the_maker_of_a_room_gets_the_chosen_seat() {
    let check = |seat, coin, adas_side| {
        let mut game = Game::room(seat);
        assert_eq!(game.status(), Status::Open);
        game.give(&blaise(), &Command::Join { coin }).unwrap();
        assert_eq!(game.status(), Status::Playing);
        assert_eq!(game.state.side_of(ada().id), Some(adas_side), "{seat:?} {coin}");
        assert_eq!(game.state.side_of(blaise().id), Some(adas_side.other()), "{seat:?} {coin}");
        assert_eq!(game.state.side_of(stranger().id), None);
    };
    for coin in [false, true] {
        check(SeatChoice::First, coin, Side::First);
        check(SeatChoice::Second, coin, Side::Second);
    }
    check(SeatChoice::Random, true, Side::First);
    check(SeatChoice::Random, false, Side::Second);
}

#[test]
fn an_open_room_is_joined_only_by_another_player_and_closed_only_by_its_maker() {
    let mut game = Game::room(SeatChoice::First);
    assert_eq!(game.give(&ada(), &Command::Join { coin: true }), Err(Refusal::OwnRoom));
    assert_eq!(game.give(&blaise(), &Command::Cancel), Err(Refusal::NotYours));
    game.give(&blaise(), &Command::Join { coin: true }).unwrap();
    assert_eq!(game.give(&stranger(), &Command::Join { coin: true }), Err(Refusal::RoomTaken));
    assert_eq!(game.give(&ada(), &Command::Cancel), Err(Refusal::RoomTaken));

    let mut game = Game::room(SeatChoice::First);
    game.give(&ada(), &Command::Cancel).unwrap();
    assert_eq!(game.status(), Status::Cancelled);
    assert_eq!(game.give(&blaise(), &Command::Join { coin: true }), Err(Refusal::RoomCancelled));
    assert_eq!(game.give(&ada(), &Command::Cancel), Err(Refusal::RoomCancelled));
}

/// A room of Ada's that challenges Blaise.
fn challenge() -> Game {
    let mut game = Game::room(SeatChoice::First);
    let Event::Created { challenged, .. } = &mut game.log[0].event else { unreachable!("a room was made") };
    *challenged = Some(blaise().id);
    game.state = State::begin(&game.log[0]).unwrap();
    game
}

#[test]
fn a_challenge_is_joined_or_declined_by_its_player_alone_and_does_not_open_again() {
    let join = Command::Join { coin: true };
    let mut game = challenge();
    assert_eq!(game.give(&stranger(), &join), Err(Refusal::NotForYou));
    for who in [ada(), stranger()] {
        assert_eq!(game.give(&who, &Command::Decline { counter: None }), Err(Refusal::NotForYou));
    }
    assert_eq!(game.give(&blaise(), &Command::Cancel), Err(Refusal::NotYours));
    game.give(&blaise(), &join).unwrap();
    assert_eq!(game.give(&blaise(), &Command::Decline { counter: None }), Err(Refusal::RoomTaken));
    game.give(&blaise(), &Command::Abort { gone_ms: None }).unwrap();
    assert_eq!(game.status(), Status::Aborted, "nobody else may join it");

    for (who, command, by) in [
        (blaise(), Command::Decline { counter: None }, ClosedBy::Challenged { counter: None }),
        (ada(), Command::Cancel, ClosedBy::Maker),
    ] {
        let mut game = challenge();
        game.give(&who, &command).unwrap();
        assert_eq!(game.status(), Status::Cancelled);
        assert_eq!(game.log.last().unwrap().event, Event::Cancelled { by });
        assert_eq!(game.give(&blaise(), &join), Err(Refusal::RoomCancelled));
        assert_eq!(game.give(&blaise(), &Command::Decline { counter: None }), Err(Refusal::RoomCancelled));
    }
    assert_eq!(
        Game::room(SeatChoice::First).give(&blaise(), &Command::Decline { counter: None }),
        Err(Refusal::NotForYou)
    );
}

#[test]
fn a_challenge_waits_for_two_weeks() {
    const DAY_MS: i64 = 24 * 60 * 60 * 1_000;
    let state = challenge().state;
    assert_eq!(state.deadline_ms(), Some(MADE_MS + 14 * DAY_MS));
    assert!(flag_fall(&state, MADE_MS + 14 * DAY_MS - 1).is_none());
    let decision = flag_fall(&state, MADE_MS + 14 * DAY_MS).unwrap();
    assert_eq!(decision.events[0].event, Event::Cancelled { by: ClosedBy::Time });
}

#[test]
fn a_stranger_gets_the_same_refusal_in_every_phase() {
    let mut cancelled = Game::room(SeatChoice::First);
    cancelled.give(&ada(), &Command::Cancel).unwrap();
    let mut aborted = Game::begun();
    aborted.give(&ada(), &Command::Abort { gone_ms: None }).unwrap();
    let mut resigned = Game::begun();
    resigned.play(1, 0).unwrap();
    resigned.play(1, 0).unwrap();
    resigned.give(&ada(), &Command::Resign).unwrap();
    let rematch = GameId::new(Uuid::from_u128(9));
    let mut gone_on = Game { state: resigned.state.clone(), log: Vec::new(), now_ms: resigned.now_ms };
    gone_on.give(&ada(), &Command::Offer { what: OfferKind::Rematch, rematch }).unwrap();
    gone_on.give(&blaise(), &Command::Answer { what: OfferKind::Rematch, accept: true, rematch }).unwrap();
    let mut commands =
        vec![turn_on(Version::new(2), "b7-c7"), Command::Resign, Command::Abort { gone_ms: None }];
    for what in [OfferKind::Draw, OfferKind::Takeback, OfferKind::Rematch] {
        commands.push(Command::Offer { what, rematch });
        commands.push(Command::Answer { what, accept: true, rematch });
        commands.push(Command::Answer { what, accept: false, rematch });
    }
    for what in [ClaimKind::Win, ClaimKind::Draw] {
        commands.push(Command::Claim { what, gone_ms: Some(i64::MAX) });
    }
    for mut game in [Game::room(SeatChoice::First), cancelled, Game::begun(), aborted, resigned, gone_on] {
        for command in &commands {
            let told = game.give(&stranger(), command);
            assert_eq!(told, Err(Refusal::NotSeated), "{command:?} in {:?}", game.state.phase);
        }
    }
}

#[test]
fn only_the_side_to_move_plays_and_only_on_the_current_board() {
    let mut room = Game::room(SeatChoice::First);
    assert_eq!(room.turn(&ada(), "b7-c7"), Err(Refusal::NotStarted));
    assert_eq!(room.give(&ada(), &Command::Resign), Err(Refusal::NotStarted));

    let mut game = Game::begun();
    assert_eq!(game.turn(&stranger(), "b7-c7"), Err(Refusal::NotSeated));
    assert_eq!(game.turn(&blaise(), "j5-i5 end"), Err(Refusal::NotYourTurn));
    for stale in [0, 1, 3] {
        let refusal = Refusal::Stale { version: Version::new(2) };
        assert_eq!(game.give(&ada(), &turn_on(Version::new(stale), "b7-c7")), Err(refusal), "{stale}");
    }
    assert_eq!(game.turn(&ada(), "b7-c7"), Ok(Version::new(3)));
    assert_eq!(game.turn(&ada(), "c7-c6"), Err(Refusal::NotYourTurn));
    assert_eq!(game.turn(&blaise(), "j5-i5 end"), Ok(Version::new(4)));
}

#[test]
fn an_illegal_or_incomplete_turn_is_refused_with_its_first_bad_action_and_rule() {
    let mut game = Game::begun();
    game.turn(&ada(), "b7-c7").unwrap();
    let mut check = |actions: &str, expected: &str| {
        let refused = match game.turn(&blaise(), actions).unwrap_err() {
            Refusal::Illegal { index, rule } => format!("illegal at {index} by {rule}"),
            Refusal::Incomplete { index, rule } => format!("incomplete at {index} by {rule}"),
            other => panic!("{other:?}"),
        };
        assert_eq!(refused, expected, "{actions}");
    };
    check("j5-i5 j6-a1", "illegal at 1 by 1.12");
    check("k6-k7", "illegal at 0 by 1.10");
    check("j5-i5", "incomplete at 1 by 1.9");
    check("", "incomplete at 0 by 1.9");
    assert_eq!(game.state.version(), Version::new(3), "nothing was applied");
}

#[test]
fn either_side_can_resign_on_any_turn_and_the_other_side_wins() {
    for (who, winner) in [(ada(), Side::Second), (blaise(), Side::First)] {
        let mut game = Game::begun();
        game.play(1, 0).unwrap();
        game.play(1, 0).unwrap();
        game.give(&who, &Command::Resign).unwrap();
        assert_eq!(game.status(), Status::Finished);
        let outcome = Outcome { winner: Some(winner), reason: Reason::Resign };
        assert!(matches!(&game.state.phase, Phase::Finished { outcome: ended, .. } if *ended == outcome));
        assert_eq!(game.turn(&ada(), "b7-c7"), Err(Refusal::GameOver));
        assert_eq!(game.give(&who, &Command::Resign), Err(Refusal::GameOver));
    }
    assert_eq!(Game::begun().give(&stranger(), &Command::Resign), Err(Refusal::NotSeated));
}

#[test]
fn a_turn_is_charged_from_the_turn_before_it_and_nothing_if_the_clock_was_set_back() {
    let mut game = Game::begun();
    let took = |game: &Game| match &game.log.last().unwrap().event {
        Event::TurnPlayed { took_ms, .. } => *took_ms,
        other => panic!("{other:?}"),
    };
    game.now_ms = JOINED_MS + 1_234;
    game.turn(&ada(), "b7-c7").unwrap();
    assert_eq!(took(&game), 1_234);
    game.now_ms = JOINED_MS;
    game.turn(&blaise(), "j5-i5 end").unwrap();
    assert_eq!(took(&game), 0);
    assert!(game.log.is_sorted_by_key(|recorded| recorded.at_ms));
}

#[test]
fn the_stored_log_folds_to_the_game() {
    let mut game = Game::begun();
    game.turn(&ada(), "b7-c7").unwrap();
    game.turn(&blaise(), "j5-i5 end").unwrap();
    game.give(&ada(), &Command::Resign).unwrap();

    let read: Vec<_> = game.log.iter().map(|one| Recorded::read(one.at_ms, &one.body()).unwrap()).collect();
    assert_eq!(read, game.log);
    let mut state = State::begin(&read[0]).unwrap();
    for recorded in &read[1..] {
        state.apply(recorded).unwrap();
    }
    assert_eq!(state.version(), game.state.version());
    assert_eq!(&state.phase, &game.state.phase);
    assert_eq!(state.play().position_text(), game.state.play().position_text());
}

#[test]
fn a_corrupt_log_is_refused_with_its_fault() {
    let game = Game::begun();
    let [created, started] = &game.log[..] else { panic!("two events") };
    assert_eq!(State::begin(started).unwrap_err(), Corrupt::NotCreated);

    let mut state = game.state.clone();
    let again = state.apply(created).unwrap_err();
    assert_eq!(again, Corrupt::OutOfPlace { version: Version::new(3) });
    let actions = vec![ActionText::try_from("a1-a2".to_owned()).unwrap()];
    let illegal = Recorded {
        at_ms: JOINED_MS,
        event: Event::TurnPlayed { actions, took_ms: 0, lag_ms: 0, time: None },
    };
    assert!(matches!(state.apply(&illegal), Err(Corrupt::IllegalTurn { .. })));
    assert_eq!(state.version(), game.state.version(), "a refused event leaves the state as it was");
}

#[test]
fn a_body_of_another_schema_or_of_an_unknown_type_is_refused() {
    let body = Recorded { at_ms: 0, event: Event::Cancelled { by: ClosedBy::Maker } }.body();
    assert_eq!(body, r#"{"v":1,"type":"cancelled"}"#);
    assert_eq!(Recorded::read(0, r#"{"v":4,"type":"cancelled"}"#), Err(Unreadable::Schema(4)));
    assert!(matches!(Recorded::read(0, r#"{"v":1,"type":"danced"}"#), Err(Unreadable::Json(_))));
}

#[test]
fn a_stored_time_out_of_range_is_refused() {
    let turn = |took_ms, lag_ms, first_ms| {
        let time = Some(BySide { first: first_ms, second: 0 });
        Recorded { at_ms: 0, event: Event::TurnPlayed { actions: Vec::new(), took_ms, lag_ms, time } }.body()
    };
    let credit_until = |ms, vacation_until_ms| {
        let event = Event::TimeCredited { side: Side::First, ms, vacation_until_ms };
        Recorded { at_ms: 0, event }.body()
    };
    let credited = |ms| credit_until(ms, None);
    let too_late = credit_until(0, Some(i64::MAX));
    for body in
        [turn(i64::MAX, 0, 0), turn(0, i64::MAX, 0), turn(0, 0, i64::MIN), credited(i64::MIN), too_late]
    {
        assert_eq!(Recorded::read(0, &body), Err(Unreadable::Time), "{body}");
    }
    assert_eq!(Recorded::read(i64::MAX, &turn(0, 0, 0)), Err(Unreadable::Time));
    assert!(Recorded::read(1 << 53, &credited(1 << 53)).is_ok());
}

/// Regression test: a log with more forgiven lag than the quota allowed made the quota negative.
#[test]
fn no_log_makes_the_lag_quota_negative() {
    assert_eq!(clock::LagQuota::default().after(1 << 50).left_ms(), 0);
}

#[test]
fn a_room_stored_without_a_start_and_a_seed_is_read() {
    let body = r#"{"v":1,"type":"created","ruleset":"fibonacci","visibility":"public",
        "creator":{"id":"019a9f3e-0000-7000-8000-000000000001","name":"Ada"},"seat":"random"}"#;
    let created = Recorded::read(MADE_MS, body).unwrap();
    assert_eq!(State::begin(&created).unwrap().ruleset(), Ruleset::Fibonacci);
}
