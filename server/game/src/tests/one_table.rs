//! Games of two people at one screen: one player has both seats.

use super::*;

fn offer(what: OfferKind) -> Command {
    Command::Offer { what, rematch: GameId::new(Uuid::from_u128(99)) }
}

/// Returns a game in which Ada has both seats.
fn begun(ruleset: Ruleset) -> Game {
    let mut game = Game::room_with(ruleset, SeatChoice::First, ClockRule::None);
    let started = Recorded {
        at_ms: JOINED_MS,
        event: Event::Started { seats: Seats { first: ada().id, second: ada().id }, joined: false },
    };
    game.state.apply(&started).unwrap();
    game.log.push(started);
    game
}

/// Returns a game in which each side has made a turn.
fn under_way() -> Game {
    let mut game = begun(Ruleset::Fibonacci);
    game.play(1, 0).unwrap();
    game.play(1, 0).unwrap();
    game
}

fn outcome(game: &Game) -> Outcome {
    let Phase::Finished { outcome, .. } = &game.state.phase else { panic!("not finished") };
    *outcome
}

#[test]
fn the_player_acts_for_the_side_to_move() {
    let mut game = begun(Ruleset::Fibonacci);
    for side in [Side::First, Side::Second, Side::First] {
        assert_eq!(game.state.side_of(ada().id), Some(side));
        assert!(may_act(&game.state, &ada(), game.state.version()).is_ok());
        game.play(1, 0).unwrap();
        assert_eq!(game.state.play().turns().last().unwrap().side, side);
    }
    assert_eq!(game.give(&stranger(), &Command::Resign), Err(Refusal::NotSeated));
}

#[test]
fn resigning_loses_the_game_for_the_side_to_move() {
    let mut game = under_way();
    game.play(1, 0).unwrap();
    game.give(&ada(), &Command::Resign).unwrap();
    assert_eq!(outcome(&game), Outcome { winner: Some(Side::First), reason: Reason::Resign });
}

#[test]
fn a_draw_is_agreed_at_once() {
    let mut game = under_way();
    game.give(&ada(), &offer(OfferKind::Draw)).unwrap();
    assert_eq!(outcome(&game), Outcome { winner: None, reason: Reason::Agreement });
    assert_eq!(game.give(&ada(), &offer(OfferKind::Draw)), Err(Refusal::GameOver));
}

#[test]
fn the_last_turn_is_taken_back_at_once_whichever_side_played_it() {
    let mut game = begun(Ruleset::Fibonacci);
    assert_eq!(game.give(&ada(), &offer(OfferKind::Takeback)), Err(Refusal::NothingToTakeBack));
    let mut positions = Vec::new();
    for _ in 0..3 {
        positions.push(game.state.play().position_text());
        game.play(1, 0).unwrap();
    }
    while let Some(before) = positions.pop() {
        game.give(&ada(), &offer(OfferKind::Takeback)).unwrap();
        assert_eq!(game.state.play().position_text(), before);
    }
    assert_eq!(game.give(&ada(), &offer(OfferKind::Takeback)), Err(Refusal::NothingToTakeBack));

    let mut cards = begun(Ruleset::FibonacciCards);
    cards.play(1, 0).unwrap();
    assert_eq!(cards.give(&ada(), &offer(OfferKind::Takeback)), Err(Refusal::CardsAreOpen));
}

#[test]
fn a_rematch_begins_at_once_and_is_at_one_table_too() {
    let mut game = under_way();
    game.give(&ada(), &Command::Resign).unwrap();
    game.give(&ada(), &offer(OfferKind::Rematch)).unwrap();
    assert!(matches!(game.state.phase, Phase::Finished { rematch: Some(_), .. }));
    assert_eq!(game.give(&ada(), &offer(OfferKind::Rematch)), Err(Refusal::OfferedAlready));
    let events = rematch_of(&game.state, engine::Seed::new([1; 32]), game.now_ms);
    let mut next = State::begin(&events[0]).unwrap();
    next.apply(&events[1]).unwrap();
    assert!(next.is_at_one_table());
}

#[test]
fn no_offer_waits_for_an_answer_and_no_game_can_be_claimed() {
    let mut game = under_way();
    for what in [OfferKind::Draw, OfferKind::Takeback] {
        for accept in [true, false] {
            let answer = Command::Answer { what, accept, rematch: GameId::new(Uuid::from_u128(99)) };
            assert_eq!(game.give(&ada(), &answer), Err(Refusal::NoOffer), "{what:?}");
        }
    }
    for what in [ClaimKind::Win, ClaimKind::Draw] {
        let claim = Command::Claim { what, gone_ms: Some(i64::MAX) };
        assert_eq!(game.give(&ada(), &claim), Err(Refusal::NotGone), "{what:?}");
    }
}

#[test]
fn no_flag_falls_once_both_sides_have_made_a_turn() {
    assert_eq!(flag_falls_at_ms(&under_way().state), None);
}
