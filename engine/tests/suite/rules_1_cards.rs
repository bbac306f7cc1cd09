//! Tests of RULES 1.16 to 1.19, clause by clause.

use engine::{
    AnyMatch, BySide, Card, CardError, Cards, Pack,
    Ruleset::{Fenix, FibonacciCards},
    Seed, SeedHash, Side, TurnNumber, Unfair,
};

use crate::{START, check, check_text, fate, legal, play, position, read, start_at, words};

/// The bytes 0 to 31 as a seed, and its hash as computed by an independent program.
const SEED: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
const HASH: &str = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd";
const ZERO: &str = "0000000000000000000000000000000000000000000000000000000000000000";
const ZERO_HASH: &str = "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925";

/// The packs of First and Second in rounds 0, 1 and 41, as computed by the same program.
const PACKS: [(&str, [[&str; 3]; 2]); 2] = [
    (
        ZERO,
        [["524321366415", "363521164452", "655323144612"], ["455343212166", "441231255636", "416153236245"]],
    ),
    (
        SEED,
        [["443526536121", "234126435516", "121343452566"], ["365214315426", "265316344521", "264436325115"]],
    ),
];

fn seed(hex: &str) -> Seed {
    hex.parse().unwrap()
}

/// A game with the seed of zeros. First has the cards 5 2 4 3 2 1 …, Second has 4 5 5 3 4 3 ….
fn game() -> AnyMatch {
    AnyMatch::new(FibonacciCards).with_seed(seed(ZERO))
}

fn card(value: u8) -> Card {
    Card::from_value(value).unwrap()
}

/// All turn numbers, from a played game, since only a game creates them.
fn turns() -> Vec<TurnNumber> {
    let mut game = AnyMatch::new(FibonacciCards).with_seed(seed(ZERO));
    let mut turns = Vec::new();
    while game.outcome().is_none() {
        turns.push(game.turn());
        pass(&mut game);
    }
    turns
}

/// Plays a turn of one move that has little effect.
fn pass(game: &mut AnyMatch) {
    let action = match game.to_move() {
        Side::First => ["b7-c7", "c7-b7"],
        Side::Second => ["j5-i5", "i5-j5"],
    };
    let action = action.into_iter().find(|action| game.draft(&[action]).is_ok()).unwrap();
    match fate(game, action).as_str() {
        "open" => game.play(&[action, "end"]).unwrap(),
        _ => game.play(&[action]).unwrap(),
    };
}

#[test]
fn clause_1_16_the_allowance_is_the_card() {
    let mut game = game();
    assert_eq!(fate(&game, "b7-c7 c7-b7 b7-c7 c7-b7 b7-c7"), "whole");
    assert_eq!(fate(&game, "b7-c7 c7-b7 b7-c7 c7-b7"), "open");
    assert_eq!(fate(&game, "b7-c7 end"), "whole");
    assert_eq!(fate(&game, "end"), "refused 0 1.9");
    assert_eq!(play(&mut game, "b7-c7 end"), start_at("2 2 4/4").replace("CSSSSS/1S5", "C1SSSS/1SS4"));
    let allowance = game.present().allowance.unwrap();
    assert_eq!((allowance.base, allowance.lost, allowance.allowance, allowance.left), (4, 0, 4, 4));
    assert_eq!(allowance.lost_to, Some(vec![]));
}

#[test]
fn clause_1_16_groups_are_of_one_kind() {
    let text = start_at("1 21 3/3");
    check(FibonacciCards, &text, "f11-a5", "open");
    check(FibonacciCards, &text, "f11-c4", "refused 0 1.12");
}

#[test]
fn clause_1_16_attackers_do_not_reduce_the_allowance() {
    let pieces = "C a1 S b4 e6 b5 f7 g7 c6 P a2 a3 a4 b1 b2 b3 \
                  c f6 s k7 k8 k9 k10 k11 j11 p i11 i10 h11 h10 h9 h8";
    check_text(FibonacciCards, &position(pieces, "2 8 6/6"), "ok");
    check_text(FibonacciCards, &position(pieces, "2 8 1/1"), "ok");
    check_text(FibonacciCards, &position(pieces, "2 8 6/^7"), "1.5");
    check_text(FibonacciCards, &position(pieces, "2 8 ^4/3"), "1.5");
    check_text(FibonacciCards, &position(pieces, "2 8 ^0/0"), "1.5");
}

/// Six connected strike pieces, two of them next to Second's centre.
const CHAIN: &str = "C a1 S e5 e6 d5 d4 d3 c3 P a2 a3 a4 b1 b2 b3 \
                     c f6 s k7 k8 k9 k10 k11 j11 p i11 i10 h11 h10 h9 h8";

#[test]
fn clause_1_16_six_connected_strike_pieces_three_of_them_next_to_the_centre_win() {
    check(FibonacciCards, &position(CHAIN, "1 7 3/3"), "d3-f5", "first surround");
    // Connected, but only two next to the centre.
    check(FibonacciCards, &position(CHAIN, "1 7 3/3"), "c3-c4", "open");
    // Three next to the centre, but not connected.
    let apart = CHAIN.replace("c3", "k6");
    check(FibonacciCards, &position(&apart, "1 7 3/3"), "d3-f5", "open");
    let mut game = read(FibonacciCards, &position(CHAIN, "1 7 1/3"));
    assert_eq!(play(&mut game, "d3-f5"), position(&CHAIN.replace("d3", "f5"), "1 7 0/3"));
    assert!(!game.awaits_card());
    assert!(game.cards().is_empty());
    let won = position(&CHAIN.replace("d3", "f5"), "1 7 1/3");
    check_text(FibonacciCards, &format!("^{won}"), "0.9");
}

#[test]
fn clause_1_16_a_centre_on_the_edge_can_be_surrounded() {
    let edge = "C k11 S b1 b2 c3 c4 d5 e6 P d1 d2 d3 d4 d6 d7 \
                c a1 s k6 h3 i4 j5 j6 h4 p g11 h11 i11 f11 e10 d9";
    check(FibonacciCards, &position(edge, "1 7 3/3"), "e6-b3", "open");
    check(FibonacciCards, &position(edge, "1 7 3/3"), "e6-a2", "first surround");
}

#[test]
fn clause_1_16_the_mover_is_checked_first_then_the_other_side() {
    // First's centre goes to c2, among Second's strike pieces.
    let pieces = "C f5 S e5 e6 d5 d4 d3 c2 P k6 k7 k8 k9 k10 j11 \
                  c f6 s b1 b2 c1 a1 a2 b3 p i11 i10 h11 h10 h9 h8";
    check(FibonacciCards, &position(pieces, "1 7 3/3"), "c2-f5", "first surround");
    let pieces = pieces.replace("c f6", "c k11");
    check(FibonacciCards, &position(&pieces, "1 7 3/3"), "c2-f5", "second surround");
}

#[test]
fn clause_1_16_there_is_no_repetition() {
    let mut game = game();
    for _ in 0..40 {
        pass(&mut game);
    }
    assert_eq!((game.outcome(), game.turn().get()), (None, 41));
}

#[test]
fn clause_1_17_a_pack_has_twelve_cards_and_is_used_up() {
    let all = turns();
    assert_eq!(all.len(), 1000);
    for (side, turn) in [(0, 0), (1, 1)] {
        let own: Vec<Card> = all.iter().skip(turn).step_by(2).map(|turn| seed(SEED).card(*turn)).collect();
        assert_eq!(own.len(), 500, "side {side}");
        for round in own.chunks_exact(12) {
            let mut round = round.to_vec();
            round.sort_unstable();
            assert_eq!(round, Card::ALL.into_iter().flat_map(|card| [card, card]).collect::<Vec<_>>());
        }
    }
}

#[test]
fn clause_1_18_the_shuffles_match_an_independent_program() {
    let all = turns();
    for (hex, sides) in PACKS {
        for (side, rounds) in sides.iter().enumerate() {
            for (round, pack) in [0, 1, 41].into_iter().zip(rounds) {
                let first = 24 * round + side;
                let cards = all.iter().skip(first).step_by(2).take(12);
                let cards: String = cards.map(|turn| seed(hex).card(*turn).to_string()).collect();
                // Turn 1000 is in the middle of round 41.
                assert!(pack.starts_with(&cards) && cards.len() >= 8, "{hex} {side} {round}: {cards}");
            }
        }
    }
}

#[test]
fn clause_1_18_the_seed_can_be_checked_afterwards() {
    assert_eq!(
        (seed(SEED).hash().to_string(), seed(ZERO).hash().to_string()),
        (HASH.into(), ZERO_HASH.into())
    );
    assert_eq!(HASH.parse::<SeedHash>(), Ok(seed(SEED).hash()));
    let mut game = game();
    play(&mut game, "b7-c7 end, j5-i5 end, c7-b7 end");
    let hash = seed(ZERO).hash();
    assert_eq!(game.cards().iter().map(|(_, card)| card.get()).collect::<Vec<_>>(), [5, 4, 2, 5]);
    assert_eq!(seed(ZERO).verify(hash, game.cards().iter()), Ok(()));
    assert_eq!(seed(SEED).verify(hash, game.cards().iter()), Err(Unfair::Hash));
    let mut lie: Vec<_> = game.cards().iter().copied().collect();
    lie[2].1 = card(6);
    let unfair = Unfair::Card { turn: lie[2].0, shown: card(6), fixed: card(2) };
    assert_eq!(seed(ZERO).verify(hash, &lie), Err(unfair));
    assert_eq!(unfair.to_string(), "the card of turn 3 was 6 where the seed has 2");
}

#[test]
fn clause_1_18_seeds_are_64_digits() {
    assert_eq!(seed(SEED).reveal(), SEED);
    assert_eq!(Seed::new([0; 32]), seed(ZERO));
    for bad in
        ["", "00", &ZERO[1..], &format!("{ZERO}0"), &ZERO.replacen('0', "A", 1), &ZERO.replacen('0', "g", 1)]
    {
        assert!(bad.parse::<Seed>().is_err(), "{bad}");
        assert!(bad.parse::<SeedHash>().is_err(), "{bad}");
    }
}

#[test]
fn clause_1_18_nobody_learns_a_card_before_it_is_turned_over() {
    let game = game();
    let draft = game.draft(&words("b7-c7 end")).unwrap();
    assert!(draft.complete);
    assert!(draft.present.position.ends_with(" 2 2 0/0"));
    assert!(draft.steps.iter().all(|step| !step.position.contains("4/4")));
    assert_eq!(draft.present.cards.as_ref().unwrap().card, Some(card(5)));
    let shown = format!("{:?} {game:?}", seed(SEED));
    assert!(shown.contains("secret") && !shown.contains("000102") && !shown.contains("0, 1, 2"));
}

#[test]
fn clause_1_18_a_match_without_the_seed_needs_each_card_from_its_caller() {
    let mut server = game();
    let mut fold = AnyMatch::new(FibonacciCards);
    assert_eq!((fold.start_text(), fold.awaits_card()), (start_at("1 1 0/0").as_str(), true));
    assert_eq!(fate(&fold, "b7-c7"), "refused 0 1.16");
    assert_eq!(legal(&fold), [""; 0]);
    assert_eq!((fold.perft(0), fold.perft(1)), (1, 0));
    let mut short = fold.clone();
    short.turn_over(card(1)).unwrap();
    assert_eq!((short.perft(1), short.perft(2)), (132, 0));
    fold.turn_over(card(5)).unwrap();
    assert_eq!(fold.turn_over(card(5)), Err(CardError::NoneDue));
    for (turn, next) in [("b7-c7 end", 4), ("j5-i5 i5-j5 j5-i5 i5-j5", 2), ("c7-b7 end", 5)] {
        play(&mut server, turn);
        play(&mut fold, turn);
        assert!(fold.position_text().ends_with(" 0/0"));
        fold.turn_over(card(next)).unwrap();
        assert_eq!(server.present(), fold.present());
        assert_eq!(server.turns(), fold.turns());
    }
    assert_eq!((server.start_text(), server.cards()), (fold.start_text(), fold.cards()));
    assert_eq!(fold.turns().iter().map(|turn| turn.card.unwrap().get()).collect::<Vec<_>>(), [5, 4, 2]);
}

/// Turns over cards, with a pass after each. Returns the error of the first refused card, and checks that it changed
/// nothing.
fn deal(game: &mut AnyMatch, cards: &str) -> Result<(), CardError> {
    for value in cards.bytes().map(|digit| digit - b'0') {
        let before = format!("{game:?}");
        game.turn_over(card(value)).inspect_err(|_| assert_eq!(format!("{game:?}"), before))?;
        pass(game);
    }
    Ok(())
}

#[test]
fn clause_1_17_a_pack_has_two_cards_of_a_value() {
    let error = CardError::NoneLeft { card: card(3) };
    let none_left = Err(error);
    let mut game = AnyMatch::new(FibonacciCards);
    // First and Second alternate, and each has a pack of their own.
    assert_eq!(deal(&mut game, "3333"), Ok(()));
    assert_eq!((deal(&mut game, "3"), deal(&mut game, "43")), (none_left, none_left));
    assert_eq!(deal(&mut game, "4445555666611112222"), Ok(()));
    // Both packs are used up and shuffled again.
    assert_eq!((game.turn().get(), deal(&mut game, "33333")), (25, none_left));
    assert_eq!(
        error.to_string(),
        "both cards of value 3 have left the pack since it was shuffled (rule 1.17)"
    );
}

#[test]
fn clause_1_5_the_card_of_a_start_text_need_not_be_from_the_pack() {
    let mut game = AnyMatch::from_text(FibonacciCards, &start_at("1 1 3/3")).unwrap();
    pass(&mut game);
    assert_eq!(deal(&mut game, "13132"), Ok(()));
    assert_eq!(deal(&mut game, "3"), Err(CardError::NoneLeft { card: card(3) }));
}

#[test]
fn clause_1_18_a_game_without_cards_has_no_use_for_a_seed() {
    let mut game = AnyMatch::new(Fenix).with_seed(seed(SEED));
    assert_eq!((game.awaits_card(), game.turn_over(card(1))), (false, Err(CardError::NoneDue)));
    assert_eq!((game.present().cards, game.cards().len()), (None, 0));
}

#[test]
fn clause_1_17_a_match_reports_the_cards_left_in_the_packs() {
    let mut game = game();
    let full = Pack { left: [2; 6], unseen: 0 };
    let packs = |game: &AnyMatch| game.present().cards.unwrap().packs;
    let first = Pack { left: [2, 2, 2, 2, 1, 2], unseen: 0 };
    assert_eq!(
        game.present().cards,
        Some(Cards { card: Some(card(5)), packs: BySide { first, second: full } })
    );
    for _ in 0..22 {
        pass(&mut game);
    }
    // Turn 23 is First's twelfth; Second has one card left, a 6.
    assert_eq!(
        packs(&game),
        BySide {
            first: Pack { left: [0; 6], unseen: 0 },
            second: Pack { left: [0, 0, 0, 0, 0, 1], unseen: 0 }
        }
    );
    pass(&mut game);
    pass(&mut game);
    let (first, second) = (Pack { left: [2, 2, 1, 2, 2, 2], unseen: 0 }, Pack { left: [0; 6], unseen: 0 });
    assert_eq!(packs(&game), BySide { first, second });
    // Before the first card, the packs are complete.
    assert_eq!(packs(&AnyMatch::new(FibonacciCards)), BySide { first: full, second: full });
}

#[test]
fn clause_1_17_cards_drawn_before_the_start_text_are_unknown() {
    let mut game = read(FibonacciCards, &start_at("1 21 1/1"));
    let packs = |game: &AnyMatch| game.present().cards.unwrap().packs;
    assert_eq!(packs(&game).first, Pack { left: [1, 2, 2, 2, 2, 2], unseen: 10 });
    assert_eq!(packs(&game).second, Pack { left: [2; 6], unseen: 10 });
    assert!(game.cards().is_empty());
    pass(&mut game);
    assert_eq!(game.cards().len(), 1);
    assert_eq!(packs(&game).second.unseen, 10);
}

#[test]
fn clause_1_5_later_cards_come_from_the_seed_whatever_the_text_has() {
    // By the seed, the card of turn 21 is a 1.
    let mut game = AnyMatch::from_text(FibonacciCards, &start_at("1 21 3/6")).unwrap().with_seed(seed(ZERO));
    assert_eq!(game.position_text(), start_at("1 21 3/6"));
    assert!(play(&mut game, "b7-c7 end").ends_with(" 2 22 6/6"));
}

#[test]
fn clause_1_19_the_start_has_the_first_card() {
    assert_eq!(game().start_text(), start_at("1 1 5/5"));
    assert_eq!(AnyMatch::new(FibonacciCards).with_seed(seed(SEED)).start_text(), start_at("1 1 4/4"));
    assert_ne!(game().start_text(), START);
}

#[test]
fn clause_0_7_after_turn_1000_it_is_a_draw() {
    let mut game = AnyMatch::from_text(FibonacciCards, &start_at("2 1000 1/6")).unwrap();
    assert_eq!(fate(&game, "j5-i5"), "draw turn-limit");
    play(&mut game, "j5-i5");
    assert_eq!(game.outcome().unwrap().to_string(), "draw turn-limit");
    // The text has the fields of the next turn (RULES 0.8).
    assert!(game.position_text().ends_with(" 1 1001 0/0"));
    game.turn_over(card(3)).unwrap();
    assert!(game.position_text().ends_with(" 1 1001 3/3"));
    assert_eq!(legal(&game), [""; 0]);
}
