//! Tests of RULES 1.1 to 1.15, clause by clause.

use engine::{
    AnyMatch,
    Ruleset::{Fibonacci, FibonacciMixed},
    Side,
    fibonacci::Cell,
};

use crate::{
    ALMOST, FIBONACCI, START, check, check_text, fate, legal, play, position, read,
    slow::{self, Board},
    start_at,
};

#[test]
fn clause_1_1_there_are_91_cells() {
    let names: Vec<String> = Cell::all().map(|cell| cell.to_string()).collect();
    assert_eq!(names, slow::cells().into_iter().map(slow::name).collect::<Vec<_>>());
    assert_eq!(names.len(), 91);
    assert!(names.iter().all(|name| name.parse::<Cell>().unwrap().to_string() == *name));
    for bad in
        ["", "a", "1", "a0", "a7", "a01", "b8", "k5", "k12", "l11", "A1", "a1 ", "a111", "\u{e9}1", "`1"]
    {
        assert!(bad.parse::<Cell>().is_err(), "{bad}");
    }
    for bad in ["b7-b8", "b8-b7", "b7-", "-b7", "b7-c7-d7", "b7--c7", "b7-C7"] {
        assert_eq!(fate(&AnyMatch::new(Fibonacci), bad), "refused 0 1.1", "{bad}");
    }
}

#[test]
fn clause_1_1_an_inner_cell_has_six_neighbours() {
    // The targets of a piece without a group are the neighbours of its cell.
    let lone = |cell: &str| {
        let pieces = format!(
            "C k11 S k6 k7 k8 k9 k10 j11 P {cell} j6 j7 j8 j9 j10 c i11 s i4 h3 g2 f1 i5 h4 p i6 i7 i8 i9 i10 h11"
        );
        let game = read(Fibonacci, &position(&pieces, "1 21 1/6"));
        let prefix = format!("{cell}-");
        legal(&game)
            .into_iter()
            .filter_map(|text| text.strip_prefix(&prefix).map(str::to_owned))
            .collect::<Vec<_>>()
    };
    assert_eq!(lone("d4"), ["c3", "c4", "d3", "d5", "e4", "e5"]);
    assert_eq!(lone("a1"), ["a2", "b1", "b2"]);
    assert_eq!(lone("a3"), ["a2", "a4", "b3", "b4"]);
}

#[test]
fn clause_1_2_rows_are_drawn_from_a6_to_k6() {
    for (index, row) in START.split(' ').next().unwrap().split('/').enumerate() {
        let board = Board::read(START).print();
        assert_eq!(board.split('/').nth(index), Some(row));
    }
    for (from, to) in [
        ("1S5/", "1S^6/"),
        ("1S5/", "1S4^/"),
        ("1S5/", "1S5^p/"),
        ("8p/", "9^p/"),
        ("/sssssc", "^"),
        ("sssssc", "sssssc^/6"),
        ("2P3ppp1", "^11"),
    ] {
        check_text(Fibonacci, &START.replacen(from, to, 1), "1.4");
    }
}

#[test]
fn clause_1_3_the_start() {
    let pieces = "C a6 S b6 b7 c8 d9 e10 f11 P c4 d4 e4 d3 c2 c1 \
                  c k6 s j6 j5 i4 h3 g2 f1 p i8 h8 g8 h9 i10 i11";
    for ruleset in FIBONACCI {
        assert_eq!(AnyMatch::new(ruleset).position_text(), position(pieces, "1 1 1/1"));
    }
}

#[test]
fn clause_1_3_a_side_has_one_centre_six_strike_and_six_support_pieces() {
    for (from, to) in [
        ("CSSSSS/1S5/8/8p/2P3ppp1/3P3p3/1PPP3p2/P8", "CSSSSP/1S5/8/8p/2P3ppp1/3P3p3/1PPP3p2/^P8"),
        ("CSSSSS", "C^CSSSS"),
        ("1S5", "1S^S4"),
        ("sssssc", "sssss^s"),
    ] {
        check_text(Fibonacci, &START.replacen(from, to, 1), "1.3");
    }
    for (from, to) in [("CS", "1S"), ("CSS", "C1S"), ("/P8/", "/9/"), ("8p/", "9/"), ("sssssc", "sssss1")] {
        let board = START.split(' ').next().unwrap().replacen(from, to, 1);
        check_text(Fibonacci, &format!("{board}^ 1 1 1/1"), "1.3");
    }
}

#[test]
fn clause_1_4_the_text_has_board_side_turn_and_allowance() {
    for rest in [
        "^3 1 1/1",
        "1^",
        "1 ^",
        "1 ^x 1/1",
        "1 1^",
        "1 1 ^",
        "1 1 1^",
        "1 1 1/^",
        "1 1 1^-1",
        "1 1 1/1^ -",
        "^",
    ] {
        check_text(Fibonacci, &start_at(rest), "1.4");
    }
    check_text(Fibonacci, &START.replace("CS", "^XS"), "1.4");
    check_text(Fibonacci, &START.replace("CSSSSS/", "CSSSSS^ "), "1.4");
}

#[test]
fn clause_1_5_left_is_from_1_to_the_allowance() {
    for rest in ["1 21 ^0/6", "1 21 ^6/5", "1 21 ^0/0", "1 21 ^65535/6"] {
        check_text(Fibonacci, &start_at(rest), "1.5");
    }
    for left in 1..=6 {
        check_text(Fibonacci, &start_at(&format!("1 21 {left}/6")), "ok");
    }
}

#[test]
fn clause_1_6_the_base_is_the_turn_number_up_to_six() {
    for (turn, base) in [(1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 6), (7, 6), (1000, 6)] {
        let side = 2 - turn % 2;
        check_text(Fibonacci, &start_at(&format!("{side} {turn} {base}/{base}")), "ok");
        check_text(Fibonacci, &start_at(&format!("{side} {turn} 1/^{}", base + 1)), "1.6");
    }
    let mut game = AnyMatch::new(Fibonacci);
    let text =
        play(&mut game, "b7-c7, j5-i5 i5-j5, c7-b7 b7-c7 c7-b7, j5-i5 end, b7-c7 end, i5-j5 end, c7-b7 end");
    assert!(text.ends_with(" 2 8 6/6"), "{text}");
}

#[test]
fn clause_1_7_attackers_lower_the_allowance_when_the_turn_begins() {
    let five_attackers = |rest| position(&ALMOST.replace("h7", "d7"), rest);
    check_text(Fibonacci, &five_attackers("2 8 1/1"), "ok");
    check_text(Fibonacci, &five_attackers("2 8 6/^6"), "1.7");
    check_text(FibonacciMixed, &five_attackers("2 8 2/^2"), "1.7");
    // In the middle of a turn, the text does not determine the number of attackers.
    check_text(Fibonacci, &five_attackers("2 8 1/6"), "ok");
    check_text(Fibonacci, &five_attackers("2 8 1/3"), "ok");
    // Support pieces do not attack, nor do strike pieces of the same side.
    check_text(Fibonacci, &five_attackers("1 7 6/6"), "ok");
}

#[test]
fn clause_1_7_moves_made_during_the_turn_do_not_change_it() {
    let mut game = read(Fibonacci, &position(&ALMOST.replace("h7", "d7"), "1 7 6/6"));
    let draft = game.draft(&["d7-e7", "e5-d6"]).unwrap();
    assert!(draft.present.position.ends_with(" 1 7 4/6"));
    let text = play(&mut game, "d7-e7 e5-d6 end");
    assert!(text.ends_with(" 2 8 2/2"), "e6, f5, f7 and g7 are left as attackers: {text}");
}

#[test]
fn clause_1_8_an_allowance_of_0_skips_the_turn() {
    let pieces = "C e9 S j5 i4 h3 g2 f1 e1 P d8 d7 c7 c6 b6 b7 \
                  c k6 s a1 a2 a3 b1 b2 b3 p h9 h10 h11 i9 i10 i11";
    let mut game = read(Fibonacci, &position(pieces, "1 1 1/1"));
    let after = position(&pieces.replace("e1", "j6"), "1 3 3/3");
    assert_eq!(play(&mut game, "e1-j6"), after);
    assert_eq!((game.turn().get(), game.turns().len(), game.to_move()), (3, 1, Side::First));
    // A start must not have a turn that would be skipped.
    check_text(Fibonacci, &after.replace("1 3 3/3", "2 2 ^0/0"), "1.5");
    check_text(Fibonacci, &after.replace("1 3 3/3", "2 2 2/^2"), "1.7");
    check_text(Fibonacci, &after.replace("1 3 3/3", "2 2 1/2"), "ok");
}

#[test]
fn clause_1_8_both_sides_can_be_skipped() {
    let pieces = "C i6 S j5 j6 i5 h5 a1 a2 P b1 b2 b3 b4 b5 b6 \
                  c k6 s g5 h4 g4 k11 k10 k9 p c1 c2 c3 c4 c5 c6";
    let mut game = read(Fibonacci, &position(pieces, "1 1 1/1"));
    let after = pieces.replace("C i6 S j5 j6 i5 h5", "C h5 S j5 j6 i5 i6");
    assert_eq!(play(&mut game, "h5-i6"), position(&after, "2 4 2/2"));
}

#[test]
fn clause_1_9_the_allowance_is_a_right_in_fibonacci() {
    let turn_4 = start_at("2 4 4/4");
    check(Fibonacci, &turn_4, "end", "refused 0 1.9");
    check(Fibonacci, &turn_4, "", "open");
    check(Fibonacci, &turn_4, "j5-i5", "open");
    check(Fibonacci, &turn_4, "j5-i5 end", "whole");
    check(Fibonacci, &turn_4, "j5-i5 i5-j5 j5-i5 end", "whole");
    check(Fibonacci, &turn_4, "j5-i5 i5-j5 j5-i5 i5-j5", "whole");
    check(Fibonacci, &turn_4, "j5-i5 i5-j5 j5-i5 i5-j5 end", "refused 4 0.2");
    // A start in the middle of a turn counts as one with a move already played.
    check(Fibonacci, &start_at("2 4 3/4"), "end", "whole");
}

#[test]
fn clause_1_9_the_whole_allowance_must_be_used_with_mixed_groups() {
    let turn_4 = start_at("2 4 4/4");
    check(FibonacciMixed, &turn_4, "j5-i5 end", "refused 1 1.9");
    check(FibonacciMixed, &turn_4, "end", "refused 0 1.9");
    check(FibonacciMixed, &turn_4, "j5-i5 i5-j5 j5-i5", "open");
    check(FibonacciMixed, &turn_4, "j5-i5 i5-j5 j5-i5 i5-j5", "whole");
    check(FibonacciMixed, &start_at("2 4 3/4"), "end", "refused 0 1.9");
}

#[test]
fn clause_1_10_a_piece_goes_to_an_empty_target_or_changes_places() {
    let after = |ruleset, action: &str| {
        let game = read(ruleset, START);
        let draft = game.draft(&[action]).unwrap();
        (draft.steps[0].swap, draft.present.position.split(' ').next().unwrap().to_owned())
    };
    let board = |from: &str, to: &str| START.split(' ').next().unwrap().replacen(from, to, 1);
    assert_eq!(after(Fibonacci, "b7-c7"), (false, board("CSSSSS/1S5", "C1SSSS/1SS4")));
    // Its own centre.
    assert_eq!(after(Fibonacci, "b7-a6"), (true, board("CS", "SC")));
    // A piece of its own of the other kind, in a group of mixed kinds.
    let pieces =
        "C a6 S c4 c8 d9 e10 f11 b7 P c5 d4 e4 d3 c2 c1 c k6 s e6 j5 i4 h3 g2 f1 p d6 h8 g8 h9 i10 i11";
    for (action, swapped) in [
        ("c4-c5", pieces.replace("S c4", "S c5").replace("P c5", "P c4")),
        // Pieces of the other side, of either kind.
        ("c5-d6", pieces.replace("P c5", "P d6").replace("p d6", "p c5")),
    ] {
        for ruleset in FIBONACCI {
            let game = read(ruleset, &position(pieces, "1 21 2/6"));
            let draft = game.draft(&[action]).unwrap();
            assert!(draft.steps[0].swap);
            assert_eq!(draft.present.position, position(&swapped, "1 21 1/6"));
        }
    }
    // The other side's centre.
    let game = read(Fibonacci, &position(ALMOST, "1 21 2/6"));
    let swapped = ALMOST.replace("S e5", "S f6").replace("c f6", "c e5");
    assert_eq!(game.draft(&["e5-f6"]).unwrap().present.position, position(&swapped, "1 21 1/6"));
}

#[test]
fn clause_1_10_only_strike_and_support_pieces_of_the_side_to_move_are_moved() {
    for ruleset in FIBONACCI {
        check(ruleset, START, "a6-a5", "refused 0 1.10");
        check(ruleset, START, "a5-a4", "refused 0 1.10");
        check(ruleset, START, "j5-i5", "refused 0 1.10");
        check(ruleset, START, "k6-k7", "refused 0 1.10");
    }
}

#[test]
fn clause_1_11_groups_are_of_one_kind_or_of_any() {
    // Strike b2 touches support b3, which touches the centre b4, which touches strike b5.
    let pieces = "C b4 S b2 b5 k7 k8 k9 k10 P b3 h5 i5 i6 j6 j7 c f6 s k11 j11 j10 i11 i10 h11 p f11 g11 e10 d9 c8 f10";
    let text = position(pieces, "1 21 2/6");
    check(Fibonacci, &text, "b2-a1", "open");
    check(Fibonacci, &text, "b2-b3", "open");
    check(Fibonacci, &text, "b2-c4", "refused 0 1.12");
    check(FibonacciMixed, &text, "b2-c4", "open");
    check(FibonacciMixed, &text, "b2-a5", "open");
    check(FibonacciMixed, &text, "b2-h4", "refused 0 1.12");
    let groups = |ruleset| read(ruleset, &text).draft::<&str>(&[]).unwrap().groups();
    let has = |ruleset, group: &[&str]| groups(ruleset).iter().any(|found| found == group);
    assert!(has(Fibonacci, &["b2"]) && has(Fibonacci, &["b3"]) && has(Fibonacci, &["b5"]));
    assert!(has(FibonacciMixed, &["b2", "b3", "b4", "b5"]));
    assert_eq!(groups(Fibonacci).len(), 5);
    assert_eq!(groups(FibonacciMixed).len(), 2);
}

#[test]
fn clause_1_12_targets_are_next_to_the_group_as_it_stands_before_the_move() {
    // The cells next to the far end of the chain from f11 to b6 are targets, and so are those that only f11 touches.
    check(Fibonacci, START, "f11-a5", "whole");
    check(Fibonacci, START, "f11-g11", "whole");
    check(Fibonacci, START, "f11-a4", "refused 0 1.12");
    check(Fibonacci, START, "f11-c4", "refused 0 1.12");
}

#[test]
fn clause_1_12_a_piece_of_the_same_side_and_kind_is_not_a_target() {
    for ruleset in FIBONACCI {
        check(ruleset, START, "b6-b7", "refused 0 1.12");
        check(ruleset, START, "b6-b6", "refused 0 1.12");
        check(ruleset, START, "b6-f11", "refused 0 1.12");
    }
}

#[test]
fn clause_1_13_a_move_is_written_from_to() {
    for bad in ["", "b7", "b7c7", "b7:c7", "End", "pass", "end "] {
        let error = AnyMatch::new(Fibonacci).play(&[bad]).unwrap_err();
        assert_eq!((error.index, error.rule.as_str()), (0, "1.13"), "{bad}");
    }
    assert_eq!(fate(&AnyMatch::new(Fibonacci), "b7-c7"), "whole");
    assert_eq!(fate(&AnyMatch::new(Fibonacci), "b7-a6"), "whole");
}

#[test]
fn clause_1_14_six_strike_pieces_round_the_other_centre_win() {
    for ruleset in FIBONACCI {
        check(ruleset, &position(ALMOST, "1 7 6/6"), "h7-g6", "first surround");
        check(ruleset, &position(ALMOST, "1 7 6/6"), "h7-g6 a2-b4", "refused 1 0.5");
        check(ruleset, &position(ALMOST, "1 7 6/6"), "h7-h6 h6-g6", "first surround");
        // Five strike pieces and a support piece do not win.
        let supported = ALMOST.replace("P a2", "P g6");
        check(ruleset, &position(&supported, "1 7 6/6"), "h7-h6", "open");
    }
}

#[test]
fn clause_1_14_after_a_surround_the_text_still_has_the_movers_turn() {
    for (rest, after) in [("1 7 6/6", "1 7 5/6"), ("1 7 1/6", "1 7 0/6")] {
        let mut game = read(Fibonacci, &position(ALMOST, rest));
        assert_eq!(play(&mut game, "h7-g6"), position(&ALMOST.replace("h7", "g6"), after));
        assert_eq!((game.to_move(), game.turn().get()), (Side::First, 7));
    }
}

#[test]
fn clause_1_14_a_side_can_surround_its_own_centre_and_lose() {
    let pieces = "C i9 S h8 a1 a2 a3 a4 a5 P b1 b2 b3 b4 b5 b6 \
                  c f6 s g7 j9 h9 i10 i8 j10 p k6 k7 k8 k9 k10 k11";
    check(Fibonacci, &position(pieces, "1 7 1/1"), "h8-g7", "second surround");
    check(FibonacciMixed, &position(pieces, "1 7 1/1"), "h8-g7", "second surround");
}

#[test]
fn clause_1_14_the_mover_is_checked_first() {
    let pieces = "C i9 S h8 g6 e6 f7 f5 e5 P b1 b2 b3 b4 b5 b6 \
                  c f6 s g7 j9 h9 i10 i8 j10 p k6 k7 k8 k9 k10 k11";
    check(Fibonacci, &position(pieces, "1 7 1/1"), "h8-g7", "first surround");
    check(Fibonacci, &position(pieces, "2 8 1/1"), "g7-h8", "second surround");
}

#[test]
fn clause_1_14_a_centre_on_the_edge_cannot_be_surrounded() {
    let pieces = "C k11 S a2 b2 a3 b3 c3 c2 P d1 d2 d3 d4 d5 d6 \
                  c a1 s k6 h3 i4 j5 j6 h4 p g11 h11 i11 f11 e10 d9";
    check(Fibonacci, &position(pieces, "1 7 6/6"), "c2-b1", "open");
    check(Fibonacci, &position(pieces, "1 7 1/6"), "c2-b1", "whole");
}

#[test]
fn clause_1_15_the_base_is_part_of_the_key() {
    let mut game = AnyMatch::new(Fibonacci);
    play(&mut game, "b7-c7, j5-i5 end, c7-b7 end, i5-j5 end");
    // Turn 6 is the first turn with a base of 6, so the first that can recur.
    for round in 0..2 {
        assert_eq!(fate(&game, "b7-c7 end"), "whole", "round {round}");
        play(&mut game, "b7-c7 end, j5-i5 end, c7-b7 end, i5-j5 end");
    }
    assert_eq!(game.turn().get(), 13);
    assert_eq!(fate(&game, "b7-c7 end"), "draw repetition");
}

#[test]
fn clause_1_15_mixed_groups_have_repetition() {
    let mut game = read(FibonacciMixed, &start_at("1 21 6/6"));
    let first = "b7-c7 c7-b7 b7-c7 c7-b7 b7-c7 c7-b7";
    let second = "j5-i5 i5-j5 j5-i5 i5-j5 j5-i5 i5-j5";
    play(&mut game, &format!("{first}, {second}, {first}"));
    assert_eq!(game.outcome(), None);
    assert_eq!(fate(&game, second), "draw repetition");
}
