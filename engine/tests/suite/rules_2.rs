//! Tests of RULES 2, clause by clause.

use engine::{
    ActionKind, AnyMatch, BySide, Counts, Jump, Owed, OwedPiece, QuietTurns,
    Ruleset::Fenix,
    SetUp, Side,
    fenix::{PieceKind, Square},
};

use crate::{check, check_text, fate, legal, play, read, slow_fenix, slow_fenix::Board};

const START: &str = "2SSSSSSS/3SSSSSS/s3SSSSS/ss3SSSS/sss3SSS/ssss3SS/sssss3S/ssssss3/sssssss2 1 1 - 0";

/// The start's board after ten stackings.
const SET_UP: &str = "2SSSSS1C/3SS1S1S/s4KSCS/ss3SSSS/k1s3SSS/1sss3C1/1ccss3S/cs1sss3/1ssssss2 1 11 - 0";

fn position(pieces: &str, rest: &str) -> String {
    format!("{} {rest}", Board::of(pieces).print())
}

/// The legal actions in a position of these pieces.
#[track_caller]
fn actions(pieces: &str, rest: &str) -> String {
    legal(&read(Fenix, &position(pieces, rest))).join(" ")
}

/// The legal actions of the piece on a square.
#[track_caller]
fn actions_of(square: &str, pieces: &str, rest: &str) -> String {
    let all = actions(pieces, rest);
    all.split(' ').filter(|action| action.starts_with(square)).collect::<Vec<_>>().join(" ")
}

/// Checks the fate of one action in a position of these pieces.
#[track_caller]
fn check_in(pieces: &str, rest: &str, action: &str, expected: &str) {
    check(Fenix, &position(pieces, rest), action, expected);
}

#[test]
fn clause_2_1_there_are_81_squares() {
    let names: Vec<String> = Square::all().map(|square| square.to_string()).collect();
    assert_eq!(names, slow_fenix::squares().into_iter().map(slow_fenix::name).collect::<Vec<_>>());
    assert!(names.iter().all(|name| name.parse::<Square>().unwrap().to_string() == *name));
    for bad in ["", "a", "a0", "j1", "a10", "A1", "a1 ", "\u{e9}1", "1a", "`1"] {
        assert!(bad.parse::<Square>().is_err(), "{bad}");
    }
    for bad in ["a1-a0", "j1-i1", "a1-", "-a1", "a1-a2-a3", "a1+A2", "a1xa3x", "a1x", "a1xa3-a5"] {
        assert_eq!(fate(&AnyMatch::new(Fenix), bad), "refused 0 2.1", "{bad}");
    }
}

#[test]
fn clause_2_1_pieces_are_one_two_and_three_discs_high() {
    assert_eq!(PieceKind::ALL.map(PieceKind::n_discs), [1, 2, 3]);
}

#[test]
fn clause_2_2_the_start() {
    let game = AnyMatch::new(Fenix);
    assert_eq!(game.position_text(), START);
    let board = Board::read(START);
    assert_eq!((board.n_discs(true), board.n_discs(false)), (28, 28));
    assert_eq!(board.pieces[&slow_fenix::place("i9")], 'S');
    assert_eq!(board.pieces[&slow_fenix::place("a1")], 's');
}

#[test]
fn clause_2_2_the_text_has_board_side_turn_due_and_quiet() {
    for rest in [
        "^",
        "1^",
        "1 ^x - 0",
        "^3 1 - 0",
        "1 1^",
        "1 1 ^",
        "1 1 ^k 0",
        "1 1 -^",
        "1 1 - ^",
        "1 1 - ^-",
        "1 1 - 0^ ",
    ] {
        check_text(Fenix, &START.replace("1 1 - 0", rest), "2.2");
    }
    for (from, to) in [
        ("2SS", "2^XS"),
        ("2SS", "^0SS"),
        ("/3SS", "/4SSSSS^S"),
        ("/3SS", "^ 3SS"),
        ("s2 1", "s1^ 1"),
        ("2SSS", "^11S"),
    ] {
        check_text(Fenix, &START.replacen(from, to, 1), "2.2");
    }
    check_text(Fenix, &START.replace("1 1 - 0", "^2 1 - 0"), "0.4");
    check_text(Fenix, &START.replace("1 1 - 0", "1 ^1001 - 0"), "0.9");
}

#[test]
fn clause_2_2_a_side_has_at_most_28_discs_and_one_king() {
    check_text(Fenix, &START.replace("2SSSSSSS/3SS", "2SSSSSSS/2SSS").replace("sssss3S", "sssss3^S"), "2.2");
    check_text(Fenix, &SET_UP.replace("k1s3", "k1ss2").replace("1ssssss2", "1sssss^s2"), "2.2");
    check_text(Fenix, &position("K a1 b1 k i9", "1 21 - 0").replace("KK", "K^K"), "2.2");
}

#[test]
fn clause_2_2_councillors_and_kings_are_those_of_the_stackings_made() {
    let stacked = |rest: &str| position("S a1 b1 C a2 s i9 h9 c i8", rest);
    check_text(Fenix, &stacked("1 3 - 0"), "ok");
    check_text(Fenix, &format!("^{}", stacked("2 4 - 0")), "2.2");
    check_text(Fenix, &format!("^{}", stacked("1 1 - 0")), "2.2");
    check_text(Fenix, &position("S a1 b1 K a2 s i9 c i8 i7", "1 5 - 0"), "ok");
    check_text(Fenix, &position("S a1 b1 K a2 s i9 k i8", "1 5 - 0"), "ok");
    check_text(
        Fenix,
        &format!("^{}", position("S a1 C a2 b2 c2 d2 e2 s i9 k i8 c g1 g2", "2 10 - 0")),
        "2.2",
    );
    check_text(Fenix, &format!("^{}", position("S a1 C a2 b2 c2 K d2 s i9 k i8 c g1", "2 10 - 0")), "2.2");
}

#[test]
fn clause_2_2_each_side_has_its_king_from_turn_11_on() {
    check_text(Fenix, SET_UP, "ok");
    check_text(Fenix, &format!("^{}", position("K a1 s i9", "1 21 - 0")), "2.2");
    check_text(Fenix, &format!("^{}", position("S a1 k i9", "1 21 - 0")), "2.2");
    check_text(Fenix, &format!("^{}", position("K a1 k i9", "1 21 K 0")), "2.2");
    check_text(Fenix, &format!("^{}", position("S a1 C a2 s i9", "1 21 K 0")), "2.2");
    check_text(Fenix, &position("S a1 C a2 k i9", "1 21 K 0"), "ok");
    check_text(Fenix, &format!("^{}", position("S a1 C a2 k i9", "1 21 C 0")), "2.2");
}

#[test]
fn clause_2_2_something_is_due_from_turn_12_on() {
    let pieces = "S a1 b1 K a2 s i9 h9 k i8";
    check_text(Fenix, &position(pieces, "1 11 ^C 0"), "2.2");
    check_text(Fenix, &position(pieces, "2 12 C 0"), "ok");
    check_text(Fenix, &position(pieces, "1 13 C ^1"), "2.2");
    check_text(Fenix, &START.replace("1 1 - 0", "1 1 ^C 0"), "2.2");
}

#[test]
fn clause_2_2_quiet_is_at_most_99_and_the_turns_of_the_second_phase() {
    let pieces = "K a1 k i9";
    check_text(Fenix, &position(pieces, "1 111 - 99"), "ok");
    check_text(Fenix, &position(pieces, "1 201 - ^100"), "2.2");
    check_text(Fenix, &position(pieces, "1 21 - 10"), "ok");
    check_text(Fenix, &position(pieces, "1 21 - ^11"), "2.2");
    check_text(Fenix, &position(pieces, "1 21 - ^01"), "2.2");
    check_text(Fenix, &START.replace("1 1 - 0", "1 1 - ^1"), "2.2");
}

#[test]
fn clause_2_3_a_soldier_steps_onto_a_soldier_beside_it() {
    check(Fenix, START, "c9+d9", "whole");
    let mut game = AnyMatch::new(Fenix);
    assert_eq!(play(&mut game, "c9+d9"), START.replace("2SS", "3C").replace("1 1 -", "2 2 -"));
    check(Fenix, START, "c9+b9", "refused 0 2.3");
    check(Fenix, START, "c9+d8", "refused 0 2.3");
    check(Fenix, START, "c9+e9", "refused 0 2.3");
    check(Fenix, START, "a1+a2", "refused 0 2.3");
    check(Fenix, START, "e5+e6", "refused 0 2.3");
    check(Fenix, START, "c9-b9", "refused 0 2.3");
    check(Fenix, START, "c9xa9", "refused 0 2.3");
}

#[test]
fn clause_2_3_at_most_four_councillors_and_kings_and_one_king() {
    let second = "s i9 i8 c i5 g5 g3 i3";
    let four = format!("S a1 a2 C b1 d1 f1 h1 {second}");
    assert_eq!(actions(&four, "1 9 - 0"), "a1+b1");
    check_in(&four, "1 9 - 0", "a1+a2", "refused 0 2.3");
    let king = format!("S a1 a2 b2 K b1 C c2 e1 s i9 i8 c {}", "i5 g5 g3 i3");
    assert_eq!(actions(&king, "1 9 - 0"), "a1+a2 a2+a1 a2+b2 b2+a2");
    check_in(&king, "1 9 - 0", "b2+c2", "refused 0 2.3");
    check_in(&king, "1 9 - 0", "a1+b1", "refused 0 2.3");
    check_in(&king, "1 9 - 0", "b1+b2", "refused 0 2.3");
}

#[test]
fn clause_2_3_a_side_without_a_stacking_loses() {
    let pieces = "S a1 a2 C b5 d5 c e5 g5 s i9 g9";
    check_in(pieces, "1 5 - 0", "a1+a2", "first king");
    let mut game = read(Fenix, &position(pieces, "1 5 - 0"));
    assert!(play(&mut game, "a1+a2").ends_with(" 2 6 - 0"));
    check_text(Fenix, &format!("^{}", position("S a1 c3 s i9 i8", "1 1 - 0")), "0.9");
}

#[test]
fn clause_2_3_a_match_reports_the_set_up() {
    let set_up = |game: &AnyMatch| game.present().counts.set_up;
    let mut game = AnyMatch::new(Fenix);
    let side = |king, n_councillors, n_left| SetUp { king, n_councillors, n_left };
    assert_eq!(set_up(&game), Some(BySide { first: side(false, 0, 5), second: side(false, 0, 5) }));
    play(&mut game, "c9+d9, a1+b1, e9+d9");
    assert_eq!(set_up(&game), Some(BySide { first: side(true, 0, 3), second: side(false, 1, 4) }));
    let draft = game.draft(&["b2+b1"]).unwrap();
    assert_eq!(draft.present.counts.set_up.unwrap().second, side(true, 0, 3));
    assert_eq!(draft.legal(), []);
    let counts = read(Fenix, SET_UP).present().counts;
    assert_eq!(
        counts,
        Counts { quiet_turns: Some(QuietTurns { turns: 0, limit: 100 }), ..Counts::default() }
    );
}

#[test]
fn clause_2_4_how_pieces_move() {
    let pieces = "S d4 C b7 K g3 S b9 k i9 s f7 g7";
    let rest = "1 21 - 0";
    assert_eq!(actions_of("d4", pieces, rest), "d4-c4 d4-d3 d4-d5 d4-e4");
    assert_eq!(actions_of("g3", pieces, rest), "g3-f2 g3-f3 g3-f4 g3-g2 g3-g4 g3-h2 g3-h3 g3-h4");
    assert_eq!(
        actions_of("b7", pieces, rest),
        "b7-a7 b7-b1 b7-b2 b7-b3 b7-b4 b7-b5 b7-b6 b7-b8 b7-c7 b7-d7 b7-e7"
    );
    for (action, rule) in [
        ("d4-d6", "2.4"),
        ("d4-e5", "2.4"),
        ("d4-d4", "2.4"),
        ("b7-b9", "2.4"),
        ("b7-f7", "2.4"),
        ("b7-c8", "2.4"),
        ("g3-g5", "2.4"),
        ("i9-i8", "2.4"),
        ("a1-a2", "2.4"),
    ] {
        check_in(pieces, rest, action, &format!("refused 0 {rule}"));
    }
}

#[test]
fn clause_2_5_soldiers_and_kings_jump_over_the_next_square() {
    let pieces = "S d4 K a1 s d5 e5 c4 b4 k i9";
    assert_eq!(actions(pieces, "1 21 - 0"), "d4xd6");
    for action in ["d4xf6", "d4xd7", "d4xb4", "d4xf4", "d4xd5", "d4xe6", "a1xc3", "d4xd4"] {
        check_in(pieces, "1 21 - 0", action, "refused 0 2.5");
    }
    check_in(pieces, "1 21 - 0", "d5xd3", "refused 0 2.5");
    check_in(pieces, "1 21 - 0", "h1xh3", "refused 0 2.5");
    assert_eq!(actions("S d4 e4 K a1 s b2 k i9", "1 21 - 0"), "a1xc3");
    // Any piece can jump over any other kind.
    assert_eq!(actions("S d4 K a1 k d5", "1 21 - 0"), "d4xd6");
}

#[test]
fn clause_2_5_a_councillor_jumps_from_afar_and_lands_on_any_free_square_behind() {
    assert_eq!(actions("C a5 K a1 s d5 h5 i5 k i9", "1 21 - 0"), "a5xe5 a5xf5 a5xg5");
    assert_eq!(
        actions_of("a5", "C a5 K a1 s d5 e5 k i9", "1 21 - 0"),
        "a5-a2 a5-a3 a5-a4 a5-a6 a5-a7 a5-a8 a5-a9 a5-b5 a5-c5"
    );
    let pieces = "C a5 K a1 s d5 k i9";
    for action in ["a5xd5", "a5xc5", "a5xa9", "a5xc7"] {
        check_in(pieces, "1 21 - 0", action, "refused 0 2.5");
    }
    // Neither over two pieces nor over one of its own side.
    check_in("C a5 K a1 s d5 f5 k i9", "1 21 - 0", "a5xg5", "refused 0 2.5");
    check_in("C a5 K a1 S c5 s e5 k i9", "1 21 - 0", "a5xf5", "refused 0 2.5");
}

#[test]
fn clause_2_6_the_start_square_counts_as_empty_and_no_piece_is_jumped_twice() {
    let round = "S d4 K i1 s d5 e6 f5 e4 k a9";
    assert_eq!(actions(round, "1 21 - 0"), "d4xd6xf6xf4xd4 d4xf4xf6xd6xd4");
    check_in(round, "1 21 - 0", "d4xd6xf6xf4xd4xd6", "refused 0 2.6");
    check_in(round, "1 21 - 0", "d4xd6xd4", "refused 0 2.6");
    check_in(round, "1 21 - 0", "d4xd6xf6xf4", "refused 0 2.7");
    let mut game = read(Fenix, &position(round, "1 21 - 0"));
    assert_eq!(play(&mut game, "d4xd6xf6xf4xd4"), position("S d4 K i1 k a9", "2 22 - 0"));
    let [step] = &*game.last_steps() else { panic!("a turn is one action") };
    assert_eq!(step.taken, ["d5", "e6", "f5", "e4"]);
    assert_eq!(step.route, ["d4", "d6", "f6", "f4", "d4"]);
}

#[test]
fn clause_2_6_jumped_pieces_stay_in_the_way_until_the_capture_is_done() {
    // From f3 the councillor could reach b3 if c3 were already removed.
    let pieces = "C c1 K i9 s c3 e5 f4 b3 k a9";
    let best = "c1xc5xf5xf1 c1xc5xf5xf2 c1xc5xf5xf3";
    assert_eq!(actions(pieces, "1 21 - 0"), best);
    check_in(pieces, "1 21 - 0", "c1xc5xf5xf3xa3", "refused 0 2.6");
    assert_eq!(actions("C f3 K i9 s b3 k a9", "1 21 - 0"), "f3xa3");
}

#[test]
fn clause_2_7_the_most_discs_must_be_taken() {
    // Two soldiers have fewer discs than a king, and as many as a councillor.
    let pieces = "S a1 h1 c1 K i9 s a2 a4 c h2 k c2";
    assert_eq!(actions(pieces, "1 21 - 0"), "c1xc3");
    check_in(pieces, "1 21 - 0", "a1xa3xa5", "refused 0 2.7");
    check_in(pieces, "1 21 - 0", "i9-i8", "refused 0 2.7");
    let pieces = pieces.replace("k c2", "k c7");
    assert_eq!(actions(&pieces, "1 21 - 0"), "a1xa3xa5 h1xh3");
    check_in(&pieces, "1 21 - 0", "a1xa3", "refused 0 2.7");
    check_in(&pieces, "1 21 - 0", "c1-c2", "refused 0 2.7");
    let best =
        |pieces: &str| read(Fenix, &position(pieces, "1 21 - 0")).draft::<&str>(&[]).unwrap().best_capture();
    assert_eq!((best(&pieces), best("K a1 k i9")), (Some(2), None));
    let error = read(Fenix, &position(&pieces, "1 21 - 0")).play(&["i9-i8"]).unwrap_err();
    assert_eq!(error.kind.to_string(), "capturing is compulsory: the best capture takes 2 discs");
}

#[test]
fn clause_2_7_a_capture_lists_the_taken_pieces() {
    let game = read(Fenix, &position("C c1 K i9 s c3 f4 c e5 k a9", "1 21 - 0"));
    let legal = game.draft::<&str>(&[]).unwrap().legal();
    let action = legal.iter().find(|action| action.text == "c1xc5xf5xf2").unwrap();
    assert_eq!(
        (action.kind, action.from, action.to),
        (ActionKind::Capture, "c1".parse().ok(), "f2".parse().ok())
    );
    let capture = action.capture.as_ref().unwrap();
    let jump = |over: &str, to: &str| Jump { over: over.parse().unwrap(), to: to.parse().unwrap() };
    assert_eq!(capture.jumps, [jump("c3", "c5"), jump("e5", "f5"), jump("f4", "f2")]);
    assert_eq!(capture.n_discs, 4);
}

#[test]
fn clause_2_8_after_the_loss_of_a_councillor_one_may_be_made() {
    let pieces = "S e2 K a1 c e3 s i8 i9 g1 k a9";
    let mut game = read(Fenix, &position(pieces, "1 21 - 0"));
    assert_eq!(play(&mut game, "e2xe4"), position("S e4 K a1 s i8 i9 g1 k a9", "2 22 C 0"));
    assert_eq!(
        game.present().counts.owed,
        Some(Owed { side: Side::Second, piece: OwedPiece::Councillor, must: false })
    );
    let made = ["i8+i9", "i9+i8"];
    assert!(made.iter().all(|action| fate(&game, action) == "whole"));
    assert_eq!(fate(&game, "g1-g2"), "whole");
    for bad in ["i8+i7", "a9+a8", "g1+i9", "e4+e5", "g2+g3"] {
        assert_eq!(fate(&game, bad), "refused 0 2.8", "{bad}");
    }
    // It may be made only in the next turn.
    play(&mut game, "g1-g2, e4-e5");
    assert_eq!(fate(&game, "i8+i9"), "refused 0 2.8");
    assert_eq!(game.present().counts.owed, None);
}

#[test]
fn clause_2_8_a_councillor_may_be_made_even_when_a_capture_is_possible() {
    let pieces = "S e4 K a1 C h5 s e5 i8 i9 k a9";
    assert_eq!(actions(pieces, "2 22 C 0"), "e5xe3 i8+i9 i9+i8");
    assert_eq!(actions(pieces, "2 22 - 0"), "e5xe3");
    let mut game = read(Fenix, &position(pieces, "2 22 C 0"));
    let after = "S e4 K a1 C h5 s e5 c i9 k a9";
    assert_eq!(play(&mut game, "i8+i9"), position(after, "1 23 - 0"));
}

#[test]
fn clause_2_8_the_limits_of_the_set_up_no_longer_apply() {
    let pieces = "K a1 k a9 c c9 d9 e9 f9 s i8 i9";
    assert!(actions(pieces, "2 22 C 0").contains("i8+i9"));
}

#[test]
fn clause_2_9_a_taken_king_must_be_made_again() {
    let pieces = "S e2 f9 K a1 k e3 s i8 i7 g9 c i9";
    let mut game = read(Fenix, &position(pieces, "1 21 - 0"));
    assert_eq!(play(&mut game, "e2xe4"), position("S e4 f9 K a1 s i8 i7 g9 c i9", "2 22 K 0"));
    assert_eq!(legal(&game), ["i8+i9"]);
    assert_eq!(
        game.present().counts.owed,
        Some(Owed { side: Side::Second, piece: OwedPiece::King, must: true })
    );
    // No moves, captures or other makings are legal.
    for bad in ["g9xe9", "i9-h9", "i7-i6", "i7+i8", "i9+i8", "g9+i9"] {
        assert_eq!(fate(&game, bad), "refused 0 2.9", "{bad}");
    }
    assert_eq!(play(&mut game, "i8+i9"), position("S e4 f9 K a1 s i7 g9 k i9", "1 23 - 0"));
}

#[test]
fn clause_2_9_a_king_that_cannot_be_made_again_is_the_end() {
    let pieces = "S e2 K a1 k e3 s i7 c i9";
    check_in(pieces, "1 21 - 0", "e2xe4", "first king");
    let mut game = read(Fenix, &position(pieces, "1 21 - 0"));
    assert_eq!(play(&mut game, "e2xe4"), position("S e4 K a1 s i7 c i9", "2 22 K 0"));
    assert_eq!(fate(&game, "i7-i8"), "refused 0 0.5");
    let over = position("S e4 K a1 s i7 c i9", "2 22 K 0");
    check_text(Fenix, &format!("^{over}"), "0.9");
}

#[test]
fn clause_2_9_a_king_and_a_councillor_taken_together_leave_a_king_due() {
    let pieces = "S e2 K a1 k e3 c e5 i9 s i8";
    let mut game = read(Fenix, &position(pieces, "1 21 - 0"));
    assert_eq!(play(&mut game, "e2xe4xe6"), position("S e6 K a1 c i9 s i8", "2 22 K 0"));
}

/// Second's king in its corner, and the soldier that blocks it.
const CORNERED: &str = "k a1 S a2 b1 b2 a3 c1 c4 K i9";

#[test]
fn clause_2_10_a_side_without_an_action_loses() {
    check_in(CORNERED, "1 21 - 0", "c4-c3", "first blocked");
    check_in(CORNERED, "1 21 - 0", "c4-c5", "whole");
    let blocked = position(&CORNERED.replace("c4", "c3"), "2 22 - 0");
    check_text(Fenix, &format!("^{blocked}"), "0.9");
}

/// Second's king, and First's councillor that chases it.
const CHASE: &str = "C d1 K a9 k e5";

#[test]
fn clause_2_11_the_side_that_evaded_loses() {
    let mut game = read(Fenix, &position(CHASE, "1 21 - 0"));
    let round = "d1-e1, e5-d5, e1-d1, d5-e5";
    play(&mut game, round);
    play(&mut game, "d1-e1, e5-d5, e1-d1");
    assert_eq!(game.outcome(), None);
    assert_eq!(fate(&game, "d5-e5"), "first repetition");
    assert_eq!(fate(&game, "d5-e6"), "whole");
}

#[test]
fn clause_2_11_turns_before_the_second_occurrence_do_not_matter() {
    let mut game = read(Fenix, &position(CHASE, "1 21 - 0"));
    play(&mut game, "a9-a8, e5-e6, a8-a9, e6-e5");
    play(&mut game, "d1-e1, e5-d5, e1-d1");
    assert_eq!(fate(&game, "d5-e5"), "first repetition");
}

#[test]
fn clause_2_11_the_turn_of_the_second_occurrence_counts() {
    // Second is under threat only at the turn in between.
    let mut game = read(Fenix, &position(&CHASE.replace("d1", "c1"), "2 22 - 0"));
    play(&mut game, "e5-d5, c1-d1, d5-e5, d1-c1");
    play(&mut game, "e5-d5, c1-d1, d5-e5");
    assert_eq!(fate(&game, "d1-c1"), "draw repetition");
    // Here Second is under threat at all turns.
    let mut game = read(Fenix, &position(&CHASE.replace("d1", "e1"), "2 22 - 0"));
    play(&mut game, "e5-d5, e1-d1, d5-e5, d1-e1");
    play(&mut game, "e5-d5, e1-d1, d5-e5");
    assert_eq!(fate(&game, "d1-e1"), "first repetition");
}

#[test]
fn clause_2_11_without_threats_at_each_turn_it_is_a_draw() {
    let mut game = read(Fenix, &position(CHASE, "1 21 - 0"));
    play(&mut game, "d1-e1, e5-d5, e1-d1, d5-e5");
    // On c1 the councillor does not threaten e5.
    play(&mut game, "d1-c1, e5-e4, c1-e1, e4-f5, e1-d1");
    assert_eq!(fate(&game, "f5-e5"), "draw repetition");
    let mut quiet = read(Fenix, &position("K a1 k i9", "1 21 - 0"));
    let round = "a1-a2, i9-i8, a2-a1, i8-i9";
    play(&mut quiet, round);
    play(&mut quiet, "a1-a2, i9-i8, a2-a1");
    assert_eq!(fate(&quiet, "i8-i9"), "draw repetition");
}

#[test]
fn clause_2_13_after_100_quiet_turns_it_is_a_draw() {
    check_in("K a1 k i9", "1 201 - 98", "a1-a2", "whole");
    check_in("K a1 k i9", "1 201 - 99", "a1-a2", "draw quiet");
    let mut game = read(Fenix, &position("K a1 k i9", "1 201 - 99"));
    assert_eq!(play(&mut game, "a1-a2"), position("K a2 k i9", "2 202 - 100"));
    // A capture or a making resets the count, and turns of the first phase do not count.
    check_in("K a1 S e2 s e3 k i9", "1 201 - 99", "e2xe4", "whole");
    let mut game = read(Fenix, &position("K a1 S e2 s e3 k i9", "1 201 - 99"));
    assert!(play(&mut game, "e2xe4").ends_with(" 2 202 - 0"));
    assert!(play(&mut game, "i9-i8").ends_with(" 1 203 - 1"));
    assert_eq!(game.present().counts.quiet_turns, Some(QuietTurns { turns: 1, limit: 100 }));
}

#[test]
fn clause_0_8_the_order_of_ends() {
    check_in(CORNERED, "1 201 - 99", "c4-c3", "first blocked");
    check_in(CORNERED, "1 201 - 99", "c4-c5", "draw quiet");
    check_in("K a1 k i9", "2 1000 - 99", "i9-i8", "draw quiet");
    check_in("K a1 k i9", "2 1000 - 9", "i9-i8", "draw turn-limit");
    let last = "S e7 K a1 k i9 s e8 C c9";
    check_in(last, "1 999 - 9", "e7xe9", "whole");
    check_in("s e2 k a1 K e3 S i7", "2 1000 - 9", "e2xe4", "second king");
    let mut game = read(Fenix, &position(CHASE, "1 201 - 92"));
    play(&mut game, "d1-e1, e5-d5, e1-d1, d5-e5, d1-e1, e5-d5, e1-d1");
    assert_eq!(fate(&game, "d5-e5"), "first repetition");
    assert_eq!(fate(&game, "d5-c5"), "draw quiet");
}

#[test]
fn clause_0_2_a_turn_is_one_action() {
    check(Fenix, START, "c9+d9 a1+b1", "refused 1 0.2");
    let error = AnyMatch::new(Fenix).play::<&str>(&[]).unwrap_err();
    assert_eq!((error.index, error.rule.as_str()), (0, "0.2"));
}

#[test]
fn clause_2_14_actions_are_written_with_their_sign() {
    for bad in ["", "end", "d5", "d5d6", "d5:d6", "*d5"] {
        let error = AnyMatch::new(Fenix).play(&[bad]).unwrap_err();
        assert_eq!((error.index, error.rule.as_str()), (0, "2.14"), "{bad}");
    }
    let long = ["a1"; 28].join("x");
    let error = AnyMatch::new(Fenix).play(&[&long]).unwrap_err();
    assert_eq!(error.rule.as_str(), "2.14");
    assert_eq!(fate(&AnyMatch::new(Fenix), &long[..26 * 3 + 2]), "refused 0 2.3");
    let kind = |text: &str, game: &AnyMatch| {
        game.draft::<&str>(&[]).unwrap().legal().into_iter().find(|action| action.text == text).unwrap().kind
    };
    assert_eq!(kind("c9+d9", &AnyMatch::new(Fenix)), ActionKind::Promote);
    assert_eq!(kind("a1-a2", &read(Fenix, &position("K a1 k i9", "1 21 - 0"))), ActionKind::Move);
}
