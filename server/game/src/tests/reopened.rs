//! Rooms that open again, since the player who had joined left before both sides had made a turn.

use super::*;
use crate::{no_show, state::MAX_REOPENED};

/// More moves than a turn has.
const MANY: usize = 99;

const JOIN: Command = Command::Join { coin: true };

const ABORT: Command = Command::Abort { gone_ms: None };

/// A room whose maker has this seat, joined by Blaise, with this number of turns played.
fn joined(ruleset: Ruleset, seat: SeatChoice, turns: usize) -> Game {
    let clock = ClockRule::RealTime(RealTime::new(60, 1, Bonus::PerTurn).unwrap());
    let mut game = Game::room_with(ruleset, seat, clock);
    game.give(&blaise(), &JOIN).unwrap();
    for _ in 0..turns {
        game.play(MANY, 0).unwrap();
    }
    game
}

/// Returns the state that a log folds to, written and read back.
fn folded(log: &[Recorded]) -> State {
    let read = |one: &Recorded| Recorded::read(one.at_ms, &one.body()).unwrap();
    let mut state = State::begin(&read(&log[0])).unwrap();
    for recorded in &log[1..] {
        state.replay(&read(recorded)).unwrap();
    }
    state
}

fn is_fresh(game: &Game) -> bool {
    let unused = Game::room_with(game.state.ruleset(), game.state.seat(), game.state.terms().clock);
    game.status() == Status::Open
        && game.state.seats().is_none()
        && game.state.play().turns().is_empty()
        && game.state.clocks_ms() == unused.state.clocks_ms()
        && game.state.play().position_text() == unused.state.play().position_text()
}

#[test]
fn a_room_whose_joiner_aborts_or_resigns_before_both_sides_have_made_a_turn_is_open_for_others() {
    for ruleset in Ruleset::ALL {
        for (seat, turns) in [(SeatChoice::First, 0), (SeatChoice::First, 1), (SeatChoice::Second, 1)] {
            for leave in [ABORT, Command::Resign] {
                let mut game = joined(ruleset, seat, turns);
                game.give(&blaise(), &leave).unwrap();
                assert!(is_fresh(&game), "{ruleset} {seat:?} {leave:?} after {turns} turns");
                assert_eq!(game.give(&blaise(), &JOIN), Err(Refusal::RoomLeft));
                assert_eq!(game.give(&blaise(), &leave), Err(Refusal::NotSeated));
                game.give(&stranger(), &JOIN).unwrap();
                game.play(MANY, 0).unwrap();
                game.play(MANY, 0).unwrap();
                let folded = folded(&game.log);
                assert_eq!(folded.play().position_text(), game.state.play().position_text());
                assert!(folded.has_left(blaise().id));
            }
        }
    }
}

#[test]
fn a_joiner_who_does_not_make_the_first_turn_in_time_leaves_the_room_to_others() {
    for turns in [0, 1] {
        let seat = if turns == 0 { SeatChoice::Second } else { SeatChoice::First };
        let mut game = joined(Ruleset::Fibonacci, seat, turns);
        assert_eq!(game.player_to_move(), blaise());
        game.keep(flag_fall(&game.state, game.now_ms + 60_000).unwrap());
        assert!(is_fresh(&game));
        assert_eq!(game.log.last().unwrap().event, Event::Reopened { side: None });
    }
}

#[test]
fn a_maker_who_no_longer_waits_for_the_player_who_joined_has_a_room_that_is_open_for_others() {
    let gone = Command::Abort { gone_ms: Some(0) };
    for (seat, turns, abort) in [
        (SeatChoice::Second, 0, &ABORT),
        (SeatChoice::First, 1, &ABORT),
        (SeatChoice::First, 0, &gone),
        (SeatChoice::Second, 1, &gone),
    ] {
        let mut game = joined(Ruleset::Fibonacci, seat, turns);
        game.give(&ada(), abort).unwrap();
        assert!(is_fresh(&game), "{seat:?} {abort:?} after {turns} turns");
        assert_eq!(game.give(&blaise(), &JOIN), Err(Refusal::RoomLeft));
        game.give(&stranger(), &JOIN).unwrap();
    }
}

#[test]
fn a_player_who_joins_and_does_not_come_leaves_the_room_to_others() {
    let mut game = joined(Ruleset::Fibonacci, SeatChoice::First, 1);
    assert!(no_show(&game.state, PATIENCE_MS - 1, game.now_ms).is_none());
    game.keep(no_show(&game.state, PATIENCE_MS, game.now_ms).unwrap());
    assert!(is_fresh(&game));
    assert_eq!(game.log.last().unwrap().event, Event::Reopened { side: None });
    assert!(no_show(&game.state, PATIENCE_MS, game.now_ms).is_none(), "nobody has joined");
    let under_way = joined(Ruleset::Fibonacci, SeatChoice::First, 2);
    assert!(no_show(&under_way.state, PATIENCE_MS, under_way.now_ms).is_none());
}

#[test]
fn a_player_who_joins_a_game_of_days_may_come_to_it_when_they_like() {
    for clock in [ClockRule::Correspondence { days: crate::ids::Days::try_from(3).unwrap() }, bank(10, 36)] {
        let mut game = Game::room_with(Ruleset::Fibonacci, SeatChoice::First, clock);
        game.give(&blaise(), &JOIN).unwrap();
        assert!(no_show(&game.state, i64::MAX, game.now_ms).is_none(), "{clock:?}");
    }
}

#[test]
fn a_game_that_its_maker_ends_before_the_first_turns_is_over() {
    for (seat, turns, leave, status) in [
        (SeatChoice::First, 0, ABORT, Status::Aborted),
        (SeatChoice::Second, 1, ABORT, Status::Aborted),
        (SeatChoice::First, 0, Command::Resign, Status::Finished),
    ] {
        let mut game = joined(Ruleset::Fibonacci, seat, turns);
        game.give(&ada(), &leave).unwrap();
        assert_eq!(game.status(), status);
    }
    let mut late = joined(Ruleset::Fibonacci, SeatChoice::First, 0);
    late.keep(flag_fall(&late.state, late.now_ms + 60_000).unwrap());
    assert_eq!(late.status(), Status::Aborted);
}

#[test]
fn a_game_that_did_not_begin_with_a_room_does_not_become_one() {
    let mut game = Game::room(SeatChoice::First);
    let seats = Seats { first: ada().id, second: blaise().id };
    let started = Recorded { at_ms: JOINED_MS, event: Event::Started { seats, joined: false } };
    game.state.apply(&started).unwrap();
    game.give(&blaise(), &ABORT).unwrap();
    assert_eq!(game.status(), Status::Aborted);
}

#[test]
fn the_cards_of_a_room_that_is_open_again_are_shuffled_again() {
    let mut game = joined(Ruleset::FibonacciCards, SeatChoice::First, 1);
    let before = game.state.seed().unwrap().clone();
    game.give(&blaise(), &ABORT).unwrap();
    let after = game.state.seed().unwrap().clone();
    assert_ne!(after.reveal(), before.reveal());
    assert_ne!(after.reveal(), before.hash().to_string(), "the published hash does not tell the next seed");
    assert_eq!(folded(&game.log).seed().unwrap().reveal(), after.reveal());
    assert!(game.state.play().awaits_card());
}

#[test]
fn a_room_opens_again_a_bounded_number_of_times() {
    let mut game = Game::room(SeatChoice::First);
    for number in 0..=MAX_REOPENED {
        let guest = player(100 + number as u128, "Guest");
        game.give(&guest, &JOIN).unwrap();
        game.give(&guest, &ABORT).unwrap();
        let expected = if number < MAX_REOPENED { Status::Open } else { Status::Aborted };
        assert_eq!(game.status(), expected, "{number}");
    }
}

/// The maker may invite the same bot again.
#[test]
fn a_room_opens_again_a_bounded_number_of_times_after_bots_too() {
    let mut game = Game::room(SeatChoice::Second);
    let bot = BotLevel::all().next().unwrap().player();
    for number in 0..=MAX_REOPENED {
        game.give(&bot, &JOIN).unwrap();
        game.give(&ada(), &ABORT).unwrap();
        let expected = if number < MAX_REOPENED { Status::Open } else { Status::Aborted };
        assert_eq!(game.status(), expected, "{number}");
    }
}

#[test]
fn the_player_by_whom_a_game_ends_early_is_known() {
    let game = joined(Ruleset::Fibonacci, SeatChoice::First, 0);
    let began_ms = game.now_ms;
    let after = |ms, state: &State, event, is_gone| {
        state.left_early_by(&Recorded { at_ms: began_ms + ms, event }, |_| is_gone)
    };
    let by = |state: &State, event| after(0, state, event, false);
    let [first, second] = [Side::First, Side::Second].map(Some);
    assert_eq!(by(&game.state, Event::Aborted { side: first }), Some(ada().id));
    assert_eq!(by(&game.state, Event::Reopened { side: second }), Some(blaise().id));
    assert_eq!(by(&game.state, Event::Aborted { side: None }), Some(ada().id), "the first turn is hers");
    assert_eq!(by(&game.state, Event::Resigned { side: Side::Second }), Some(blaise().id));
    assert_eq!(by(&game.state, Event::DrawAgreed { side: Side::Second }), None);
    assert_eq!(by(&game.state, Event::Reopened { side: None }), Some(blaise().id), "he has not come");
    let no_longer_waits = || Event::Reopened { side: first };
    assert_eq!(after(0, &game.state, no_longer_waits(), true), Some(blaise().id));
    let mut waiting = joined(Ruleset::Fibonacci, SeatChoice::First, 0);
    waiting.play(MANY, 0).unwrap();
    assert_eq!(after(PATIENCE_MS - 1, &waiting.state, no_longer_waits(), false), Some(ada().id));
    assert_eq!(after(PATIENCE_MS, &waiting.state, no_longer_waits(), false), Some(blaise().id));
    let under_way = joined(Ruleset::Fibonacci, SeatChoice::First, 2);
    assert_eq!(by(&under_way.state, Event::Resigned { side: Side::Second }), None);
}
