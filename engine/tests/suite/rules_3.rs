//! Tests of RULES 3, clause by clause.

use engine::{
    ActionKind, AnyMatch, BySide, LegalAction, Overflow, PlayedAction,
    Ruleset::{self, Crossfire, Focus, FocusClassic},
};

use crate::{
    STACKS, cells, check, check_text, fate, legal, play, read,
    slow_stacks::{self, Stacks},
};

const START: &str = ".,.,.,./o,o,x,x,o,o/.,x,x,o,o,x,x,./.,o,o,x,x,o,o,./\
                     .,x,x,o,o,x,x,./.,o,o,x,x,o,o,./x,x,o,o,x,x/.,.,.,. 1 1 0 0";

/// The text of the start with other fields after the board.
fn start_at(rest: &str) -> String {
    START.replace("1 1 0 0", rest)
}

/// Stacks of `focus-classic` with First to move.
fn stacks(stacks: &str) -> String {
    Stacks::of(FocusClassic, stacks, "1 21 0 0")
}

fn game(text: &str) -> AnyMatch {
    read(FocusClassic, text)
}

/// The targets of the legal actions whose texts begin with a prefix.
fn targets(game: &AnyMatch, prefix: &str) -> Vec<String> {
    legal(game).iter().filter_map(|text| text.strip_prefix(prefix).map(str::to_owned)).collect()
}

/// Plays one action in a position and checks the resulting board and the overflow.
#[track_caller]
fn lands(text: &str, action: &str, expected: &str, overflow: Option<Overflow>) {
    let draft = game(text).draft(&[action]).unwrap();
    let PlayedAction { position, overflow: found, .. } = &draft.steps[0];
    assert_eq!((position.as_str(), *found), (expected, overflow));
}

#[test]
fn clause_3_1_there_are_52_cells() {
    let cells = slow_stacks::cells(FocusClassic);
    assert_eq!(cells.len(), 52);
    for ruleset in [Focus, FocusClassic] {
        let capacities = ruleset.capacities();
        assert_eq!(capacities.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), cells);
    }
    let game = game(&Stacks::of(FocusClassic, "d4:xxxxx e5:o", "1 21 1 0"));
    let bad = "a8 b8 g8 h8 a7 h7 a2 h2 a1 b1 g1 h1 i4 d9 d0 D4 d44 d ` \u{e9}4 d4-d5".split(' ');
    for bad in bad.chain([""]) {
        for action in [format!("d4-{bad}"), format!("{bad}-d4"), format!("*{bad}")] {
            assert_eq!(fate(&game, &action), "refused 0 3.1", "{action}");
        }
    }
}

#[test]
fn clause_3_2_the_start() {
    let text: String = START.split_whitespace().collect::<Vec<_>>().join(" ");
    for ruleset in [Focus, FocusClassic] {
        assert_eq!(AnyMatch::new(ruleset).position_text(), text);
        check_text(ruleset, &text, "ok");
    }
}

#[test]
fn clause_3_2_only_canonical_texts_are_read() {
    for ruleset in [Focus, FocusClassic] {
        for (from, to) in [
            (".,.,.,./o", ".,.,.^/o"),
            (".,.,.,./o", ".,.,.,.^,./o"),
            (".,.,.,./o", ".,.,.,.^ o"),
            (".,.,.,./o", "^4/o"),
            (".,.,.,./o", "^,.,.,./o"),
            (".,.,.,./o", ".^.,.,./o"),
            (".,.,.,./o", "^X,.,.,./o"),
            (".,.,.,./o", "o^.,.,.,./o"),
            (". 1 1 0 0", ".^/. 1 1 0 0"),
            (". 1 1 0 0", ".^"),
            ("1 1 0 0", "^0 1 0 0"),
            ("1 1 0 0", "1 1 0^"),
            ("1 1 0 0", "1 1 ^00 0"),
            ("1 1 0 0", "1 1 0 ^-1"),
            ("1 1 0 0", "1 1 0 0^ "),
            ("1 1 0 0", "1 1 0 0^/0"),
        ] {
            check_text(ruleset, &START.replacen(from, to, 1), "3.2");
        }
        check_text(ruleset, "^", "3.2");
        check_text(ruleset, &start_at("^2 3 0 0"), "0.4");
        check_text(ruleset, &start_at("1 ^1001 0 0"), "0.9");
        check_text(ruleset, &start_at("1 ^0 0 0"), "0.9");
    }
}

#[test]
fn clause_3_2_a_stack_is_one_to_five_men_and_its_top_man_owns_it() {
    check_text(FocusClassic, &stacks("d4:xoxox e5:o"), "ok");
    check_text(FocusClassic, &stacks("d4:xoxox e5:oooooo").replace("oooooo", "ooooo^o"), "3.2");
    check(FocusClassic, &stacks("d4:ox e5:xo"), "d4-d5", "whole");
    check(FocusClassic, &stacks("d4:ox e5:xo"), "e5-d5", "refused 0 3.4");
}

#[test]
fn clause_3_2_a_side_has_at_most_18_men() {
    for ruleset in [Focus, FocusClassic] {
        check_text(
            ruleset,
            &START
                .replacen(".,.,.,./o", "^x,.,.,./o", 1)
                .replace("^x", "x")
                .replace("/x,x,o,o,x,x/", "/x,x,o,o,x,^x/"),
            "3.2",
        );
        check_text(ruleset, &start_at("1 21 ^1 0"), "3.2");
        check_text(ruleset, &start_at("1 21 0 ^1"), "3.2");
        check_text(ruleset, &start_at("1 21 ^65535 0"), "3.2");
        let fewer = START.replacen("o,o,x,x,o,o", ".,.,.,.,o,o", 1);
        check_text(ruleset, &fewer.replace("1 1 0 0", "1 21 2 2"), "ok");
        check_text(ruleset, &fewer.replace("1 1 0 0", "1 21 ^3 2"), "3.2");
        check_text(ruleset, &fewer.replace("1 1 0 0", "1 21 2 ^3"), "3.2");
    }
}

#[test]
fn clause_3_2_before_the_switches_there_are_neither_stacks_nor_reserves() {
    for (turn, side) in [(1, 1), (2, 2)] {
        let higher = Stacks::of(Focus, "d4:x e5:^xo f6:o", &format!("{side} {turn} 0 0"));
        check_text(Focus, &higher, "3.2");
        check_text(FocusClassic, &higher.replace('^', ""), "ok");
        for reserves in ["^1 0", "0 ^1"] {
            let text = Stacks::of(Focus, "d4:x f6:o", &format!("{side} {turn} {reserves}"));
            check_text(Focus, &text, "3.2");
            check_text(FocusClassic, &text.replace('^', ""), "ok");
        }
    }
    check_text(Focus, &Stacks::of(Focus, "d4:x e5:xo f6:o", "1 3 1 1"), "ok");
}

#[test]
fn clause_3_3_turns_1_and_2_are_switches() {
    let mut game = AnyMatch::new(Focus);
    assert_eq!(legal(&game).len(), 18 * 18);
    assert_eq!(fate(&game, "e7-e6"), "refused 0 3.3");
    assert_eq!(fate(&game, "*e7"), "refused 0 3.3");
    assert_eq!(fate(&game, "e7~c7 c7~e7"), "refused 1 0.2");
    let text = play(&mut game, "e7~c7");
    assert_eq!(text, start_at("2 2 0 0").replacen("o,o,x,x,o,o", "o,x,x,o,o,o", 1));
    assert_eq!(fate(&game, "b7-b6"), "refused 0 3.3");
    play(&mut game, "b7~b6");
    assert_eq!(fate(&game, "d7~b6"), "refused 0 3.3");
    assert_eq!(fate(&game, "d7-d8"), "whole");
}

#[test]
fn clause_3_3_a_switch_takes_a_man_of_each_side() {
    let game = AnyMatch::new(Focus);
    for (action, expected) in [
        ("e7~c7", "whole"),
        ("c7~e7", "refused 0 3.3"),
        ("e7~d7", "refused 0 3.3"),
        ("e7~e7", "refused 0 3.3"),
        ("e7~e8", "refused 0 3.3"),
        ("e8~c7", "refused 0 3.3"),
        ("e7~a8", "refused 0 3.1"),
        ("e7~c7~d7", "refused 0 3.1"),
    ] {
        assert_eq!(fate(&game, action), expected, "{action}");
    }
    let looks = game.draft::<&str>(&[]).unwrap().legal();
    assert!(looks.iter().all(|action| action.kind == ActionKind::Switch && action.count.is_none()));
    let step = game.draft(&["e7~c7"]).unwrap().steps.remove(0);
    assert_eq!((step.route, step.swap), (cells("e7 c7"), true));
}

#[test]
fn clause_3_3_after_the_second_switch_the_position_is_not_symmetric() {
    let mut game = AnyMatch::new(Focus);
    play(&mut game, "e7~c7");
    // Switched back, it is the start, which is symmetric under reversed numbers with exchanged colours.
    assert_eq!(fate(&game, "e7~c7"), "refused 0 3.3");
    assert_eq!(fate(&game, "f7~d7"), "whole");
    for (symmetry, board, back, other) in [
        ("numbers from the other end", "c3:o c6:x d2:x d7:o g4:x g5:o", "c3~c6", "d7~c6"),
        ("letters from the other end", "c3:o f3:x b5:x g5:o d7:x e7:o", "c3~f3", "g5~f3"),
        ("half a turn", "c3:o f6:x b5:x g4:o d7:x e2:o", "c3~f6", "g4~f6"),
        ("the rising diagonal", "c4:o d3:x b5:x e2:o c6:x f3:o", "c4~d3", "e2~d3"),
        ("the falling diagonal", "c4:o e6:x b5:x d7:o d3:x f5:o", "c4~e6", "d7~e6"),
        ("a quarter turn", "c3:o f3:x f6:x c6:o b4:x e2:o g5:x d7:o", "c3~f3", "e2~f3"),
    ] {
        let game = read(Focus, &Stacks::of(Focus, board, "2 2 0 0"));
        assert_eq!(fate(&game, back), "refused 0 3.3", "{symmetry}");
        assert_eq!(fate(&game, other), "whole", "{symmetry}");
        assert!(!legal(&game).contains(&back.to_owned()));
        // First's switch may make the position symmetric.
        let first = read(Focus, &Stacks::of(Focus, board, "1 1 0 0"));
        let (own, others) = back.split_once('~').unwrap();
        assert_eq!(fate(&first, &format!("{others}~{own}")), "whole", "{symmetry}");
    }
}

#[test]
fn clause_3_3_without_the_switch_play_begins_at_turn_1() {
    check(FocusClassic, &start_at("1 1 0 0"), "e7-e6", "whole");
    check(FocusClassic, &start_at("1 1 0 0"), "e7~c7", "refused 0 3.3");
    check(Focus, &start_at("1 3 0 0"), "e7~c7", "refused 0 3.3");
    assert_eq!(legal(&AnyMatch::new(FocusClassic)).len(), 68);
}

#[test]
fn clause_3_4_a_move_goes_as_many_cells_as_it_takes_men() {
    let stack = game(&stacks("d4:oxx e5:o"));
    assert_eq!(
        targets(&stack, "d4-"),
        ["a4", "b4", "c4", "d1", "d2", "d3", "d5", "d6", "d7", "e4", "f4", "g4"]
    );
    for (action, expected) in [
        ("d4-d5", "whole"),
        ("d4-d7", "whole"),
        ("d4-d8", "refused 0 3.4"),
        ("d4-e5", "refused 0 3.4"),
        ("d4-f6", "refused 0 3.4"),
        ("d4-d4", "refused 0 3.4"),
        ("d5-d6", "refused 0 3.4"),
        ("e5-e4", "refused 0 3.4"),
        ("d4", "refused 0 3.4"),
        ("d4xd5", "refused 0 3.4"),
        ("", "open"),
    ] {
        check(FocusClassic, &stacks("d4:oxx e5:o"), action, expected);
    }
}

#[test]
fn clause_3_4_the_topmost_men_move_and_keep_their_order() {
    lands(
        &stacks("d4:oxoxx e5:o"),
        "d4-d5",
        &Stacks::of(FocusClassic, "d4:oxox d5:x e5:o", "2 22 0 0"),
        None,
    );
    lands(&stacks("d4:oxoxx d7:o"), "d4-d7", &Stacks::of(FocusClassic, "d4:ox d7:ooxx", "2 22 0 0"), None);
    lands(
        &stacks("d4:xxoox a4:o"),
        "d4-h4",
        &Stacks::of(FocusClassic, "d4:x a4:o h4:xoox", "2 22 0 0"),
        None,
    );
}

#[test]
fn clause_3_4_stacks_on_the_way_do_not_matter() {
    let stack = game(&stacks("d4:oxx d5:ooooo d6:xxxxx c4:o e4:o"));
    assert_eq!(targets(&stack, "d4-").len(), 12);
}

#[test]
fn clause_3_4_every_cell_on_the_way_is_on_the_board() {
    assert_eq!(
        targets(&game(&stacks("c8:xxxxx e5:o")), "c8-"),
        ["c3", "c4", "c5", "c6", "c7", "d8", "e8", "f8"]
    );
    assert_eq!(
        targets(&game(&stacks("a3:xxxxx e5:o")), "a3-"),
        ["a4", "a5", "a6", "b3", "c3", "d3", "e3", "f3"]
    );
}

#[test]
fn clause_3_4_the_men_left_behind_belong_to_the_owner_of_their_top_man() {
    let mut game = game(&stacks("d4:ox e5:o"));
    play(&mut game, "d4-d5");
    assert_eq!(fate(&game, "d4-c4"), "whole");
}

#[test]
fn clause_3_4_an_action_reports_the_number_of_men_that_move() {
    let legal = game(&stacks("d4:oxx e5:o")).draft::<&str>(&[]).unwrap().legal();
    let find = |text: &str| legal.iter().find(|action| action.text == text).cloned().unwrap();
    assert_eq!(
        find("d4-d6"),
        LegalAction {
            text: "d4-d6".to_owned(),
            kind: ActionKind::Move,
            from: "d4".parse().ok(),
            to: "d6".parse().ok(),
            count: Some(2),
            overflow: None,
            capture: None,
        }
    );
    assert_eq!((find("d4-d5").count, find("d4-d7").count), (Some(1), Some(3)));
    let step = game(&stacks("d4:oxx e5:o")).draft(&["d4-d7"]).unwrap().steps.remove(0);
    assert_eq!((step.route, step.swap, step.count), (cells("d4 d5 d6 d7"), false, Some(3)));
}

#[test]
fn clause_3_5_a_drop_puts_a_man_of_the_reserve_on_any_cell() {
    let text = Stacks::of(FocusClassic, "d4:ooooo e5:x", "1 21 2 0");
    assert_eq!(targets(&game(&text), "*").len(), 52);
    lands(&text, "*c8", &Stacks::of(FocusClassic, "c8:x d4:ooooo e5:x", "2 22 1 0"), None);
    lands(&text, "*e5", &Stacks::of(FocusClassic, "d4:ooooo e5:xx", "2 22 1 0"), None);
    let captured = Some(Overflow { reserved: 0, captured: 1 });
    lands(&text, "*d4", &Stacks::of(FocusClassic, "d4:oooox e5:x", "2 22 1 0"), captured);
    let action = game(&text).draft::<&str>(&[]).unwrap().legal().remove(0);
    assert_eq!(
        (action.text.as_str(), action.kind, action.from, action.count),
        ("*a3", ActionKind::Drop, None, Some(1))
    );
    assert_eq!(game(&text).draft(&["*c8"]).unwrap().steps[0].route, ["c8"]);
}

#[test]
fn clause_3_5_only_from_ones_own_reserve() {
    check(FocusClassic, &Stacks::of(FocusClassic, "d4:o e5:x", "1 21 0 5"), "*e4", "refused 0 3.5");
    check(FocusClassic, &Stacks::of(FocusClassic, "d4:o", "1 21 1 0"), "*e4", "whole");
    check(FocusClassic, &Stacks::of(FocusClassic, "d4:o", "1 21 1 0"), "*a8", "refused 0 3.1");
}

#[test]
fn clause_3_6_the_excess_is_taken_from_the_bottom() {
    let lost = |reserved, captured| Some(Overflow { reserved, captured });
    lands(
        &stacks("d4:xx d6:xooo e5:o"),
        "d4-d6",
        &Stacks::of(FocusClassic, "d6:oooxx e5:o", "2 22 1 0"),
        lost(1, 0),
    );
    lands(
        &stacks("d4:xx d6:oxoo e5:o"),
        "d4-d6",
        &Stacks::of(FocusClassic, "d6:xooxx e5:o", "2 22 0 0"),
        lost(0, 1),
    );
    lands(
        &stacks("c4:xxxxx h4:xoxoo e5:o"),
        "c4-h4",
        &Stacks::of(FocusClassic, "h4:xxxxx e5:o", "2 22 2 0"),
        lost(2, 3),
    );
    let text = Stacks::of(FocusClassic, "d4:oo d6:xooox e5:x", "2 22 3 4");
    lands(&text, "d4-d6", &Stacks::of(FocusClassic, "d6:ooxoo e5:x", "1 23 3 5"), lost(1, 1));
    let present = game(&text).draft(&["d4-d6"]).unwrap().present;
    assert_eq!(present.reserves, Some(BySide { first: 3, second: 5 }));
    assert_eq!(game(&text).present().reserves, Some(BySide { first: 3, second: 4 }));
    assert_eq!(AnyMatch::new(Ruleset::Fibonacci).present().reserves, None);
}

#[test]
fn clause_3_6_the_highest_stack_is_five() {
    for ruleset in [Focus, FocusClassic] {
        assert!(ruleset.capacities().iter().all(|(_, capacity)| *capacity == 5));
        assert!(ruleset.has_drops());
    }
    assert!(!Ruleset::Fibonacci.has_drops());
    assert_eq!(Ruleset::Fibonacci.capacities(), []);
}

#[test]
fn clause_3_7_a_side_without_a_legal_action_loses() {
    for ruleset in STACKS {
        let neighbour = if ruleset == Crossfire { "f4" } else { "e4" };
        let action = format!("d4-{neighbour}");
        let text = |rest| Stacks::of(ruleset, &format!("d4:x {neighbour}:o"), rest);
        check(ruleset, &text("1 21 0 0"), &action, "first blocked");
        check(ruleset, &text("1 21 0 1"), &action, "whole");
        // It takes precedence over the turn limit.
        let reverse = Stacks::of(ruleset, &format!("d4:o {neighbour}:x"), "2 1000 0 0");
        check(ruleset, &reverse, &action, "second blocked");
    }
}

#[test]
fn clause_3_7_nobody_starts_blocked() {
    for ruleset in STACKS {
        let text = |rest| Stacks::of(ruleset, "d4:x", rest);
        check_text(ruleset, &text("1 21 0 0"), "ok");
        check_text(ruleset, &format!("^{}", text("2 22 0 0")), "0.9");
        check_text(ruleset, &text("2 22 0 1"), "ok");
    }
    // A switch needs a man of each side.
    check_text(Focus, &format!("^{}", Stacks::of(Focus, "d4:x", "1 1 0 0")), "0.9");
    // Every switch would make the position symmetric.
    check_text(Focus, &format!("^{}", Stacks::of(Focus, "d4:x d5:o", "2 2 0 0")), "0.9");
}

/// Four turns that lead back to the same board.
const ROUND: &str = "c3-c4, f6-f5, c4-c3, f5-f6";

#[test]
fn clause_3_7_the_third_occurrence_is_a_draw() {
    let start = Stacks::of(FocusClassic, "c3:x f6:o", "1 1 0 0");
    let mut game = read(FocusClassic, &start);
    play(&mut game, ROUND);
    play(&mut game, "c3-c4, f6-f5, c4-c3");
    assert_eq!(fate(&game, "f5-f4"), "whole");
    assert_eq!(fate(&game, "f5-f6"), "draw repetition");
    assert_eq!(play(&mut game, "f5-f6"), start.replace("1 1 0 0", "1 9 0 0"));
    assert_eq!(legal(&game), [""; 0]);
    assert_eq!(game.perft(1), 0);
}

#[test]
fn clause_3_7_the_reserves_belong_to_the_key() {
    // The same board recurs, with one man fewer in the reserve.
    let mut game = read(FocusClassic, &Stacks::of(FocusClassic, "c3:xxxxx f6:o h4:o", "1 21 1 0"));
    play(&mut game, "*c3, f6-f5");
    assert!(game.position_text().ends_with(" 1 23 1 0"));
    play(&mut game, "*c3, f5-f6");
    assert_eq!(game.outcome(), None);
    play(&mut game, "*c3, f6-f5, *c3");
    assert_eq!(fate(&game, "f5-f6"), "draw repetition");
}

#[test]
fn clause_3_7_the_switches_do_not_count() {
    let board = "c3:x f6:o d4:x e6:o h4:o";
    let mut game = read(Focus, &Stacks::of(Focus, board, "1 1 0 0"));
    play(&mut game, "c3~f6, c3~f6");
    assert_eq!(game.position_text(), Stacks::of(Focus, board, "1 3 0 0"));
    play(&mut game, ROUND);
    assert_eq!(game.outcome(), None);
    play(&mut game, ROUND);
    assert_eq!(game.outcome().unwrap().to_string(), "draw repetition");
}

#[test]
fn clause_0_7_after_turn_1000_it_is_a_draw() {
    for ruleset in STACKS {
        let (board, action) = ("d4:o g5:x", if ruleset == Crossfire { "d4-f4" } else { "d4-e4" });
        check(ruleset, &Stacks::of(ruleset, board, "2 1000 0 0"), action, "draw turn-limit");
        let game = read(ruleset, &Stacks::of(ruleset, board, "2 1000 0 0"));
        let text = game.draft(&[action]).unwrap().present.position;
        assert!(text.ends_with(" 1 1001 0 0"), "{text}");
    }
}

#[test]
fn clause_0_2_a_turn_is_one_action() {
    for (ruleset, actions) in [(FocusClassic, "e7-e6 d7-d6"), (Crossfire, "h8-j8 d8-f8")] {
        let mut game = AnyMatch::new(ruleset);
        assert_eq!(fate(&game, actions), "refused 1 0.2");
        assert_eq!(
            game.play::<&str>(&[]).unwrap_err().to_string(),
            "action 1 (rule 0.2): the turn is not complete: it needs more actions"
        );
        assert!(!game.draft::<&str>(&[]).unwrap().may_end);
        assert_eq!(game.present().allowance, None);
    }
}
