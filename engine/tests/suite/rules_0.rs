//! Tests of RULES 0, clause by clause.

use engine::{
    AnyMatch, Reason,
    Ruleset::{self, Fibonacci, FibonacciCards, FibonacciMixed},
    Side, TextErrorKind, TurnErrorKind,
};

use crate::{FIBONACCI, START, check, check_text, fate, legal, play, read, start_at};

/// Four turns that lead back to the start's board.
const ROUND: &str = "b7-c7 end, j5-i5 end, c7-b7 end, i5-j5 end";

#[track_caller]
fn refuse(marked: &str, rule: &str) {
    for ruleset in FIBONACCI {
        check_text(ruleset, marked, rule);
    }
}

#[test]
fn clause_0_1_first_takes_the_first_turn() {
    for ruleset in Ruleset::ALL {
        assert_eq!(AnyMatch::new(ruleset).to_move(), Side::First);
        assert_eq!(ruleset.id().parse(), Ok(ruleset));
        assert_eq!(ruleset.has_cards(), ruleset == FibonacciCards);
    }
}

#[test]
fn clause_0_1_there_are_two_sides() {
    for side in Side::ALL {
        assert_eq!((side.id().parse(), side.other().other()), (Ok(side), side));
    }
    assert!("third".parse::<Side>().is_err());
}

#[test]
fn clause_0_2_a_turn_is_the_actions_until_the_other_side_is_to_act() {
    check(Fibonacci, START, "b7-c7", "whole");
    check(Fibonacci, START, "b7-c7 j5-i5", "refused 1 0.2");
    check(Fibonacci, &start_at("2 2 2/2"), "j5-i5 i5-j5 end", "refused 2 0.2");
    check(Fibonacci, &start_at("2 2 2/2"), "j5-i5 end end", "refused 2 0.2");
    // Actions after the end of the turn are not even parsed.
    check(Fibonacci, START, "b7-c7 nonsense", "refused 1 0.2");
}

#[test]
fn clause_0_3_only_canonical_texts_are_read() {
    check_text(Fibonacci, START, "ok");
    refuse("^", "1.4");
    refuse("CSSSSS/1S5/^08/8p/2P3ppp1/3P3p3/1PPP3p2/P8/8/5s1/sssssc 1 1 1/1", "1.4");
    refuse("CSSSSS/1S5/^08", "1.4");
    refuse(&start_at("^ 1 1 1/1"), "1.4");
    refuse(&start_at("1 ^ 1 1/1"), "1.4");
    refuse(&START.replace("c 1", "c^\u{a0}1"), "1.4");
    refuse("^\u{ff23}SSSSS/1S5", "1.4");
    refuse("^ CSSSSS/1S5", "1.4");
    refuse(&start_at("1 ^01 1/1"), "1.4");
    refuse(&start_at("1 ^+1 1/1"), "1.4");
    refuse(&start_at("1 1 1/^01"), "1.4");
    refuse(&start_at("1 1 1/1^ "), "1.4");
    refuse(&start_at("1 ^99999999 1/1"), "1.4");
}

#[test]
fn clause_0_3_a_game_from_a_text_has_no_history() {
    let mut game = AnyMatch::new(Fibonacci);
    play(&mut game, "b7-c7, j5-i5 end");
    let fresh = read(Fibonacci, &game.position_text());
    assert_eq!(fresh.start_text(), game.position_text());
    assert!(fresh.turns().is_empty());
    assert_eq!(game.start_text(), START);
    assert_eq!(game.turns().len(), 2);
}

#[test]
fn clause_0_4_first_has_the_odd_turns() {
    refuse(&start_at("^2 1 1/1"), "0.4");
    refuse(&start_at("^1 2 2/2"), "0.4");
    refuse(&start_at("1 ^0 1/1"), "0.9");
    check_text(Fibonacci, &start_at("2 2 2/2"), "ok");
    let mut game = AnyMatch::new(Fibonacci);
    play(&mut game, "b7-c7");
    assert_eq!((game.turn().get(), game.to_move()), (2, Side::Second));
    assert_eq!((game.turns()[0].turn.get(), game.turns()[0].side), (1, Side::First));
}

#[test]
fn clause_0_5_after_the_end_no_action_is_legal() {
    let mut game = read(Fibonacci, &start_at("2 1000 1/6"));
    play(&mut game, "j5-i5");
    assert_eq!(legal(&game), [""; 0]);
    assert_eq!(fate(&game, ""), "refused 0 0.5");
    let error = game.play(&["b7-c7"]).unwrap_err();
    assert_eq!((error.index, error.rule.as_str(), error.kind), (0, "0.5", TurnErrorKind::GameOver));
    assert_eq!(game.present().position, game.position_text());
    assert_eq!(
        Reason::ALL.map(Reason::id),
        ["surround", "king", "blocked", "repetition", "quiet", "turn-limit"]
    );
}

#[test]
fn clause_0_6_the_third_occurrence_is_a_draw() {
    let mut game = read(Fibonacci, &start_at("1 21 6/6"));
    play(&mut game, ROUND);
    play(&mut game, "b7-c7 end, j5-i5 end, c7-b7 end");
    assert_eq!(game.outcome(), None);
    assert_eq!(fate(&game, "i5-j5"), "open");
    assert_eq!(fate(&game, "i5-j5 end"), "draw repetition");
    assert_eq!(play(&mut game, "i5-j5 end"), start_at("1 29 6/6"));
    assert_eq!(game.outcome().unwrap().to_string(), "draw repetition");
    assert_eq!(fate(&game, "b7-c7"), "refused 0 0.5");
}

#[test]
fn clause_0_7_after_turn_1000_it_is_a_draw() {
    check(Fibonacci, &start_at("1 999 1/6"), "b7-c7", "whole");
    check(Fibonacci, &start_at("2 1000 2/6"), "j5-i5", "open");
    check(Fibonacci, &start_at("2 1000 2/6"), "j5-i5 i5-j5", "draw turn-limit");
    check(Fibonacci, &start_at("2 1000 2/6"), "end", "draw turn-limit");
    check(FibonacciMixed, &start_at("2 1000 1/6"), "j5-i5", "draw turn-limit");
}

#[test]
fn clause_0_8_repetition_comes_before_the_turn_limit() {
    let mut game = read(Fibonacci, &start_at("1 993 6/6"));
    play(&mut game, ROUND);
    assert_eq!(play(&mut game, ROUND), start_at("1 1001 6/6"));
    assert_eq!(game.outcome().unwrap().to_string(), "draw repetition");
}

#[test]
fn clause_0_8_a_turn_after_the_limit_has_its_own_fields() {
    let mut game = read(Fibonacci, &start_at("2 1000 1/6"));
    play(&mut game, "j5-i5");
    assert_eq!(game.position_text(), start_at("1 1001 6/6").replace("5s1/sssssc", "4ss1/ssss1c"));
}

#[test]
fn clause_0_9_a_start_has_a_turn_of_at_most_1000() {
    check_text(Fibonacci, &start_at("2 1000 6/6"), "ok");
    refuse(&start_at("1 ^1001 6/6"), "0.9");
    let error = AnyMatch::from_text(Fibonacci, &start_at("1 1001 6/6")).unwrap_err();
    assert_eq!(error.kind, TextErrorKind::TurnOutOfRange);
    assert_eq!(error.to_string(), "at byte 56: the turn must be 1 to 1000 (rule 0.9)");
}

#[test]
fn clause_0_9_a_start_has_no_winner() {
    let first_has_won = "^C5/7/8/3SS4/2PScS2p1/3PSS1p3/1PPP3pp1/P5p2/5p2/5s1/s1ssss";
    refuse(&format!("{first_has_won} 1 7 5/6"), "0.9");
    refuse(&format!("{first_has_won} 2 8 5/6"), "0.9");
}

#[test]
fn clause_0_9_a_start_text_counts_as_an_occurrence_only_at_the_beginning_of_a_turn() {
    let mut game = read(Fibonacci, &start_at("1 21 5/6"));
    play(&mut game, ROUND);
    play(&mut game, ROUND);
    assert_eq!(game.outcome(), None);
    // The position at the beginning of turn 22 occurs for the third time.
    assert_eq!(fate(&game, "b7-c7 end"), "draw repetition");
}

#[test]
fn clause_0_10_sequences_cut_short_by_the_end_of_the_game_do_not_count() {
    let last_action = read(Fibonacci, &start_at("2 1000 1/6"));
    assert_eq!(last_action.perft(0), 1);
    assert_eq!(last_action.perft(1), legal(&last_action).len() as u64);
    assert_eq!(last_action.perft(2), 0);
}

#[test]
fn clause_0_10_repetition_counts_along_a_sequence() {
    let mut game = read(Fibonacci, &start_at("1 21 6/6"));
    play(&mut game, ROUND);
    play(&mut game, "b7-c7 end, j5-i5 end, c7-b7 end");
    let before_end = read(Fibonacci, &game.position_text());
    // The sequence `i5-j5 end` is a draw here, but not in a game without the history.
    let third = before_end.perft(3) - game.perft(3);
    assert_eq!(third, 132);
    assert_eq!(before_end.perft(2), game.perft(2));
}
