//! Draws, take-backs, rematches, aborts and claims.

use super::*;
use crate::decide::MAX_TAKEBACKS;

fn rematch_id() -> GameId {
    GameId::new(Uuid::from_u128(99))
}

fn offer(what: OfferKind) -> Command {
    Command::Offer { what, rematch: rematch_id() }
}

fn answer(what: OfferKind, accept: bool) -> Command {
    Command::Answer { what, accept, rematch: rematch_id() }
}

fn standing(game: &Game) -> Vec<(OfferKind, Side)> {
    let (Phase::Playing { offers, .. } | Phase::Finished { offers, .. }) = &game.state.phase else {
        panic!("no offers in this phase")
    };
    offers.standing().iter().map(|offer| (offer.what, offer.side)).collect()
}

/// Returns a game in which both sides have made a turn and Ada is to move.
fn under_way() -> Game {
    let mut game = Game::begun();
    game.play(1, 0).unwrap();
    game.play(1, 0).unwrap();
    game
}

fn finished() -> Game {
    let mut game = under_way();
    game.give(&ada(), &Command::Resign).unwrap();
    game
}

#[test]
fn a_draw_is_agreed_by_an_answer_or_by_a_counter_offer() {
    for accept in [answer(OfferKind::Draw, true), offer(OfferKind::Draw)] {
        let mut game = under_way();
        game.give(&ada(), &offer(OfferKind::Draw)).unwrap();
        assert_eq!(standing(&game), [(OfferKind::Draw, Side::First)]);
        assert_eq!(
            game.give(&ada(), &answer(OfferKind::Draw, true)),
            Err(Refusal::NoOffer),
            "a side cannot accept its own offer"
        );
        game.give(&blaise(), &accept).unwrap();
        let Phase::Finished { outcome, .. } = &game.state.phase else { panic!("not finished") };
        assert_eq!(*outcome, Outcome { winner: None, reason: Reason::Agreement });
    }
}

#[test]
fn a_draw_offer_stands_until_the_other_side_has_played() {
    let mut game = under_way();
    game.give(&ada(), &offer(OfferKind::Draw)).unwrap();
    game.play(1, 0).unwrap();
    assert_eq!(standing(&game), [(OfferKind::Draw, Side::First)], "it outlasts its maker's turn");
    game.play(1, 0).unwrap();
    assert_eq!(standing(&game), [], "the other side's turn ends it");
    assert_eq!(game.give(&blaise(), &answer(OfferKind::Draw, true)), Err(Refusal::NoOffer));
}

#[test]
fn a_declined_or_withdrawn_offer_cannot_be_repeated_in_the_same_turn() {
    for decliner in [ada(), blaise()] {
        let mut game = under_way();
        game.give(&ada(), &offer(OfferKind::Draw)).unwrap();
        assert_eq!(game.give(&ada(), &offer(OfferKind::Draw)), Err(Refusal::OfferedAlready));
        game.give(&decliner, &answer(OfferKind::Draw, false)).unwrap();
        assert_eq!(standing(&game), []);
        assert_eq!(game.give(&ada(), &offer(OfferKind::Draw)), Err(Refusal::OfferedAlready));
        game.give(&blaise(), &offer(OfferKind::Draw)).unwrap();
        game.play(1, 0).unwrap();
        game.give(&ada(), &offer(OfferKind::Draw)).unwrap();
    }
}

#[test]
fn an_offer_does_not_invalidate_the_turn_under_way() {
    let mut game = under_way();
    let base = game.state.version();
    game.give(&blaise(), &offer(OfferKind::Draw)).unwrap();
    let now = game.state.version();
    assert!(may_act(&game.state, &ada(), base).is_ok(), "the version before the offer");
    assert!(may_act(&game.state, &ada(), now).is_ok(), "the version after it");
    let older = Version::new(base.get() - 1);
    assert_eq!(may_act(&game.state, &ada(), older), Err(Refusal::Stale { version: now }));
}

#[test]
fn a_take_back_restores_the_board_and_the_turn_and_includes_the_reply() {
    let mut game = under_way();
    let before = game.state.play().position_text();
    game.play(1, 0).unwrap();
    game.give(&ada(), &offer(OfferKind::Takeback)).unwrap();
    game.give(&blaise(), &answer(OfferKind::Takeback, true)).unwrap();
    assert_eq!(game.state.play().position_text(), before, "Blaise had not played");
    assert_eq!(game.player_to_move(), ada());

    game.play(1, 0).unwrap();
    game.play(1, 0).unwrap();
    game.give(&ada(), &offer(OfferKind::Takeback)).unwrap();
    game.give(&blaise(), &answer(OfferKind::Takeback, true)).unwrap();
    assert_eq!(game.state.play().position_text(), before, "Blaise had played");
    assert_eq!(game.state.play().turns().len(), 2);
    assert_eq!(game.state.played.len(), 2);
    assert_eq!(game.log.last().unwrap().event, Event::TurnsTakenBack { turns: 2, side: Side::Second });
}

#[test]
fn a_game_has_at_most_a_hundred_take_backs_but_an_older_log_with_more_still_folds() {
    let mut game = Game::begun();
    game.play(1, 0).unwrap();
    let accepted = answer(OfferKind::Takeback, true);
    for _ in 0..MAX_TAKEBACKS {
        game.give(&ada(), &offer(OfferKind::Takeback)).unwrap();
        game.give(&blaise(), &accepted).unwrap();
        game.play(1, 0).unwrap();
    }
    let too_many = Err(Refusal::TooManyTakebacks { limit: 100 });
    assert_eq!(game.give(&ada(), &offer(OfferKind::Takeback)), too_many);
    let mut state = game.state.clone();
    for event in [
        Event::Offered { what: OfferKind::Takeback, side: Side::First },
        Event::TurnsTakenBack { turns: 1, side: Side::Second },
    ] {
        game.state = state.clone();
        state.apply(&Recorded { at_ms: state.updated_ms, event }).unwrap();
    }
    assert_eq!(state.play().turns().len(), 0);
    assert_eq!(game.give(&blaise(), &accepted), too_many, "an offer of the older log");
    game.give(&blaise(), &answer(OfferKind::Takeback, false)).unwrap();
}

#[test]
fn a_take_back_needs_an_own_turn_and_no_cards_and_lapses_with_the_next_turn() {
    let mut game = Game::begun();
    game.play(1, 0).unwrap();
    assert_eq!(game.give(&blaise(), &offer(OfferKind::Takeback)), Err(Refusal::NothingToTakeBack));
    game.give(&ada(), &offer(OfferKind::Takeback)).unwrap();
    game.play(1, 0).unwrap();
    assert_eq!(standing(&game), []);

    let mut cards = Game::begun_with(Ruleset::FibonacciCards, ClockRule::None);
    cards.play(1, 0).unwrap();
    assert_eq!(cards.give(&ada(), &offer(OfferKind::Takeback)), Err(Refusal::CardsAreOpen));
}

#[test]
fn a_rematch_swaps_the_sides_and_keeps_the_terms() {
    let mut game = finished();
    assert_eq!(under_way().give(&ada(), &offer(OfferKind::Rematch)), Err(Refusal::NotOver));
    let mut aborted = Game::begun();
    aborted.give(&ada(), &Command::Abort { gone_ms: None }).unwrap();
    assert_eq!(aborted.give(&ada(), &offer(OfferKind::Rematch)), Err(Refusal::GameOver));
    assert_eq!(game.give(&stranger(), &offer(OfferKind::Rematch)), Err(Refusal::NotSeated));
    game.give(&blaise(), &offer(OfferKind::Rematch)).unwrap();
    game.give(&ada(), &answer(OfferKind::Rematch, true)).unwrap();
    assert!(matches!(game.state.phase, Phase::Finished { rematch: Some(id), .. } if id == rematch_id()));
    assert_eq!(game.give(&ada(), &offer(OfferKind::Rematch)), Err(Refusal::OfferedAlready));

    let events = rematch_of(&game.state, engine::Seed::new([1; 32]), game.now_ms);
    let mut next = State::begin(&events[0]).unwrap();
    next.apply(&events[1]).unwrap();
    assert_eq!(next.side_of(ada().id), Some(Side::Second));
    assert_eq!(next.side_of(blaise().id), Some(Side::First));
    assert_eq!((next.ruleset(), &next.terms), (game.state.ruleset(), &game.state.terms));
}

#[test]
fn a_game_can_be_aborted_only_before_both_sides_have_made_a_turn() {
    let mut game = Game::begun();
    game.give(&ada(), &Command::Abort { gone_ms: None }).unwrap();
    assert_eq!(game.status(), Status::Aborted);
    assert_eq!(game.give(&ada(), &Command::Resign), Err(Refusal::GameOver));
    assert_eq!(under_way().give(&ada(), &Command::Abort { gone_ms: None }), Err(Refusal::TooLateToAbort));
    assert_eq!(Game::begun().give(&stranger(), &Command::Abort { gone_ms: None }), Err(Refusal::NotSeated));
}

#[test]
fn a_game_can_be_claimed_after_an_absence_that_depends_on_the_clock() {
    let real_time =
        |base_s, bonus_s| ClockRule::RealTime(RealTime::new(base_s, bonus_s, Bonus::PerTurn).unwrap());
    let begun = |rule| {
        let mut game = Game::begun_with(Ruleset::Fibonacci, rule);
        game.play(1, 0).unwrap();
        game.play(1, 0).unwrap();
        game
    };
    let table = [(real_time(180, 0), 30_000), (real_time(1_800, 30), 120_000), (ClockRule::None, 1_800_000)];
    for (rule, after_ms) in table {
        for (what, winner) in [(ClaimKind::Win, Some(Side::First)), (ClaimKind::Draw, None)] {
            let mut game = begun(rule);
            for gone_ms in [None, Some(after_ms - 1)] {
                let claim = Command::Claim { what, gone_ms };
                assert_eq!(game.give(&ada(), &claim), Err(Refusal::NotGone), "{rule:?} {gone_ms:?}");
            }
            game.give(&ada(), &Command::Claim { what, gone_ms: Some(after_ms) }).unwrap();
            let Phase::Finished { outcome, .. } = &game.state.phase else { panic!("not finished") };
            assert_eq!(*outcome, Outcome { winner, reason: Reason::Abandon });
        }
    }
    let days = ClockRule::Correspondence { days: crate::ids::Days::try_from(3).unwrap() };
    let claim = Command::Claim { what: ClaimKind::Win, gone_ms: Some(i64::MAX) };
    for slow in [days, bank(10, 36)] {
        assert_eq!(begun(slow).give(&ada(), &claim), Err(Refusal::NotGone), "only the clock ends it");
    }
    assert_eq!(
        Game::begun().give(&ada(), &claim),
        Err(Refusal::NotGone),
        "a game without turns can only be aborted"
    );
}

#[test]
fn a_bots_turn_is_based_on_every_event_and_a_persons_on_the_board() {
    let bot = BotLevel::try_from(1).unwrap().player();
    for second in [&bot, &blaise()] {
        let mut game = Game::room(SeatChoice::First);
        game.give(second, &Command::Join { coin: false }).unwrap();
        for _ in 0..3 {
            game.play(1, 0).unwrap();
        }
        let first_legal = game.state.play().draft::<&str>(&[]).unwrap().legal()[0].text.clone();
        let turn = turn_on(game.state.version(), &format!("{first_legal} end"));
        let offered = game.give(&ada(), &offer(OfferKind::Draw)).unwrap();
        let stale = Err(Refusal::Stale { version: offered });
        assert_eq!(game.give(second, &turn) == stale, second.id == bot.id);
    }
}
