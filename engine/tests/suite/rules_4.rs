//! Tests of RULES 4, clause by clause.

use engine::{
    AnyMatch, IllegalAction, KoForbidden, Overflow,
    Ruleset::{self, Crossfire},
    TurnErrorKind, TurnNumber,
};

use crate::{
    check, check_text, fate, legal, play, read,
    slow_stacks::{self, Stacks},
};

const START: &str =
    "./o,x,x,x/.,o,o,x,x,o,./o,o,o,x,o,o/x,x,x,.,o,o,o/x,x,o,x,x,x/.,x,o,o,x,x,./o,o,o,x/. 1 1 0 0";

fn stacks(stacks: &str) -> String {
    Stacks::of(Crossfire, stacks, "1 21 0 0")
}

fn targets(stack: &str) -> Vec<String> {
    let cell = &stack[..2];
    let game = read(Crossfire, &stacks(stack));
    legal(&game).iter().filter_map(|text| text.strip_prefix(&format!("{cell}-")).map(str::to_owned)).collect()
}

#[track_caller]
fn lands(before: &str, action: &str, after: &str, overflow: Option<(u8, u8)>) {
    let game = read(Crossfire, &stacks(before));
    let step = game.draft(&[action]).unwrap().steps.remove(0);
    let overflow = overflow.map(|(reserved, captured)| Overflow { reserved, captured });
    assert_eq!((step.position, step.overflow), (after.to_owned(), overflow));
}

#[test]
fn clause_4_1_there_are_43_cells() {
    let names: Vec<String> = Crossfire.capacities().iter().map(|(name, _)| name.to_string()).collect();
    assert_eq!(names, slow_stacks::cells(Crossfire));
    assert_eq!(names.len(), 43);
    let game = AnyMatch::new(Crossfire);
    for bad in ["a9", "f9", "g8", "b8", "l8", "b7", "a6", "n7", "g2", "b2", "g0", "o5", "e10", "G5", ""] {
        assert_eq!(fate(&game, &format!("*{bad}")), "refused 0 4.1", "{bad}");
        assert_eq!(fate(&game, &format!("d8-{bad}")), "refused 0 4.1", "{bad}");
    }
}

#[test]
fn clause_4_1_a_cell_has_up_to_six_neighbours() {
    assert_eq!(targets("g5:x"), ["e5", "f4", "f6", "h4", "h6", "i5"]);
    assert_eq!(targets("g9:x"), ["f8", "h8"]);
    assert_eq!(targets("a5:x"), ["b4", "b6", "c5"]);
    assert_eq!(targets("f8:x"), ["d8", "e7", "g7", "g9", "h8"]);
}

#[test]
fn clause_4_1_lines_run_in_six_directions() {
    assert_eq!(
        targets("g5:xxx"),
        [
            "a5", "c5", "d2", "d8", "e3", "e5", "e7", "f4", "f6", "h4", "h6", "i3", "i5", "i7", "j2", "j8",
            "k5", "m5"
        ]
    );
    assert_eq!(targets("a3:xx"), ["b4", "c3", "c5", "e3"]);
    check(Crossfire, &stacks("g5:xx e7:o j8:o"), "g5-g7", "refused 0 3.4");
    check(Crossfire, &stacks("g5:xx e7:o j8:o"), "g5-m5", "refused 0 3.4");
    check(Crossfire, &stacks("g5:xx e7:o j8:o"), "g5-e7", "whole");
}

#[test]
fn clause_4_1_there_is_no_switch() {
    assert_eq!(fate(&AnyMatch::new(Crossfire), "f8~d8"), "refused 0 4.1");
}

#[test]
fn clause_4_2_the_capacity_is_the_number_of_neighbours() {
    let listed = |names: &str, capacity: u8| {
        for name in names.split(' ') {
            assert!(Crossfire.capacities().contains(&(name.parse().unwrap(), capacity)), "{name}");
        }
    };
    listed("g9 a7 m7 a3 m3 g1", 2);
    listed("d8 j8 a5 m5 d2 j2", 3);
    let with = |capacity| Crossfire.capacities().iter().filter(|(_, found)| *found == capacity).count();
    assert_eq!([2, 3, 4, 5, 6].map(with), [6, 6, 0, 12, 19]);
}

#[test]
fn clause_4_2_a_move_onto_an_empty_cell_can_lose_men() {
    lands("d6:oxx e3:o", "d6-g9", &Stacks::of(Crossfire, "g9:xx e3:o", "2 22 0 0"), Some((0, 1)));
    lands("d6:xxox e3:o", "d6-g9", &Stacks::of(Crossfire, "d6:x g9:ox e3:o", "2 22 1 0"), Some((1, 0)));
    lands("d6:oxx e3:o", "d6-j6", &Stacks::of(Crossfire, "j6:oxx e3:o", "2 22 0 0"), None);
}

#[test]
fn clause_4_2_a_stack_is_never_higher_than_six() {
    lands(
        "e5:xxx k5:oxoxox f2:o",
        "e5-k5",
        &Stacks::of(Crossfire, "k5:xoxxxx f2:o", "2 22 1 0"),
        Some((1, 2)),
    );
    lands("a5:xxx c5:o", "a5-g5", &Stacks::of(Crossfire, "g5:xxx c5:o", "2 22 0 0"), None);
    assert_eq!(targets("g5:oooxxx").len(), 18);
    assert_eq!(targets("a5:xxx").len(), 9);
}

#[test]
fn clause_4_3_the_start() {
    assert_eq!(AnyMatch::new(Crossfire).position_text(), START);
    check_text(Crossfire, START, "ok");
}

#[test]
fn clause_4_3_a_valid_text_keeps_the_capacities() {
    check_text(Crossfire, &stacks("g9:xx e5:ooooox c7:xxxxx d8:xox"), "ok");
    for (cell, stack, too_high) in [
        ("g9", "xxx", "xx^x"),
        ("d8", "xoxo", "xox^o"),
        ("c7", "xxxxxx", "xxxxx^x"),
        ("e5", "oooooox", "oooooo^x"),
    ] {
        let text = stacks(&format!("{cell}:{stack} g5:x")).replacen(stack, too_high, 1);
        check_text(Crossfire, &text, "4.3");
    }
    check_text(Crossfire, &START.replace("1 1 0 0", "1 1 ^1 0"), "3.2");
}

#[test]
fn clause_4_3_only_canonical_texts_are_read() {
    for (from, to) in [
        ("./o,x,x,x/", ".^,./o,x,x,x/"),
        ("./o,x,x,x/", "./o,x,x^/"),
        ("./o,x,x,x/.,o,o,x,x,o", "./.,o,o,x^,x,o"),
        ("./o,x,x,x/", "./o,x,^4,x/"),
        (" 1 1 0 0", "^"),
        (" 1 1 0 0", "^/. 1 1 0 0"),
        (" 1 1 0 0", " 1 1 0^"),
    ] {
        check_text(Crossfire, &START.replacen(from, to, 1), "4.3");
    }
    check_text(Crossfire, &START.replace("1 1 0 0", "1 ^1001 0 0"), "0.9");
    check_text(Crossfire, &START.replace("1 1 0 0", "^2 1 0 0"), "0.4");
}

/// Turns in which both sides move a man away and back. After them, both sides' first actions are forbidden.
const ROUND: &str = "d4-f4, j6-l6, f4-d4, l6-j6";

fn after_round() -> AnyMatch {
    let mut game = read(Crossfire, &Stacks::of(Crossfire, "d4:x j6:o", "1 1 0 0"));
    play(&mut game, ROUND);
    game
}

#[test]
fn clause_4_4_the_same_action_to_the_same_position_is_not_made_twice() {
    let mut game = after_round();
    let error = game.play(&["d4-f4"]).unwrap_err();
    assert_eq!((error.index, error.rule.as_str()), (0, "4.4"));
    assert_eq!(error.kind, TurnErrorKind::Illegal(IllegalAction::Ko { turn: TurnNumber::FIRST }));
    assert_eq!(error.to_string(), "action 1 (rule 4.4): the same action led to the same position in turn 1");
    assert_eq!(fate(&game, "d4-e5"), "whole");
}

#[test]
fn clause_4_4_a_ko_forbidden_action_is_reported_with_its_turn() {
    let game = after_round();
    let draft = game.draft::<&str>(&[]).unwrap();
    let forbidden = KoForbidden {
        text: "d4-f4".to_owned(),
        from: "d4".parse().ok(),
        to: "f4".parse().ok(),
        turn: TurnNumber::FIRST,
    };
    assert_eq!(draft.ko_forbidden, [forbidden]);
    assert!(!legal(&game).contains(&"d4-f4".to_owned()));
    assert_eq!(draft.legal_within(legal(&game).len()), Some(draft.legal()));
    assert_eq!(draft.legal_within(legal(&game).len() - 1), None);
    assert_eq!(game.draft(&["d4-e5"]).unwrap().ko_forbidden, []);
}

#[test]
fn clause_4_4_ko_holds_in_a_turn_that_is_drawn_up_in_advance() {
    let twice = after_round().passed().unwrap().passed().unwrap();
    assert!(!legal(&twice).contains(&"d4-f4".to_owned()));
}

#[test]
fn clause_4_4_ko_covers_the_whole_game() {
    let mut game = after_round();
    play(&mut game, "d4-e3, j6-h6, e3-d4, h6-j6");
    let forbidden: Vec<(String, u16)> = game
        .draft::<&str>(&[])
        .unwrap()
        .ko_forbidden
        .into_iter()
        .map(|forbidden| (forbidden.text, forbidden.turn.get()))
        .collect();
    assert_eq!(forbidden, [("d4-e3".to_owned(), 5), ("d4-f4".to_owned(), 1)]);
}

#[test]
fn clause_4_4_another_position_or_another_action_is_not_forbidden() {
    let mut game = after_round();
    play(&mut game, "d4-b4, j6-k5, b4-d4");
    // The same action with First's man elsewhere.
    assert_eq!(fate(&game, "k5-j6"), "whole");
    play(&mut game, "k5-l4");
    // The same action with Second's man elsewhere.
    assert_eq!(fate(&game, "d4-f4"), "whole");
    // The same position as after turn 1, but by another action.
    let mut game = after_round();
    play(&mut game, "d4-e5, j6-k5, e5-d4");
    play(&mut game, "k5-j6, d4-e3, j6-l6, e3-g3, l6-j6");
    assert_eq!(fate(&game, "g3-f4"), "whole");
    play(&mut game, "g3-f4");
    assert_eq!(game.position_text().split(' ').next(), after_first_turn().split(' ').next());
}

fn after_first_turn() -> String {
    let game = read(Crossfire, &Stacks::of(Crossfire, "d4:x j6:o", "1 1 0 0"));
    game.draft(&["d4-f4"]).unwrap().present.position
}

#[test]
fn clause_4_4_the_reserves_belong_to_the_position() {
    // The board recurs, but each drop onto the full stack uses up a man of the reserve.
    let mut game = read(Crossfire, &Stacks::of(Crossfire, "g9:oo g5:x d4:o", "1 1 2 0"));
    play(&mut game, "*g9, d4-f4, *g9");
    assert_eq!(game.position_text(), Stacks::of(Crossfire, "g9:xx g5:x f4:o", "2 4 0 0"));
    // If the full stack has only men of the same side, a drop does not change the reserve either, so it is forbidden
    // the second time.
    let mut game = read(Crossfire, &Stacks::of(Crossfire, "g9:xx g5:x d4:o", "1 1 1 0"));
    play(&mut game, "*g9, d4-f4");
    assert_eq!(fate(&game, "*g9"), "whole");
    play(&mut game, "*g9, f4-d4");
    let forbidden = game.draft::<&str>(&[]).unwrap().ko_forbidden;
    assert_eq!(
        (forbidden[0].text.as_str(), forbidden[0].from, forbidden[0].to),
        ("*g9", None, "g9".parse().ok())
    );
    assert_eq!(fate(&game, "*g9"), "refused 0 4.4");
}

#[test]
fn clause_4_4_a_text_has_no_history() {
    let game = after_round();
    let fresh = read(Crossfire, &game.position_text());
    assert_eq!(fate(&fresh, "d4-f4"), "whole");
    assert_eq!(game.perft(1) + 1, fresh.perft(1));
}

#[test]
fn clause_4_4_perft_counts_legal_actions_only() {
    fn count(game: &AnyMatch, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let after = |text: &String| {
            let mut next = game.clone();
            next.play(&[text]).unwrap();
            count(&next, depth - 1)
        };
        legal(game).iter().map(after).sum()
    }
    let game = after_round();
    let fresh = read(Crossfire, &game.position_text());
    for depth in 1..=4 {
        assert_eq!(game.perft(depth), count(&game, depth));
    }
    // Even without history, ko matters from depth 5 on, when both sides have moved away and back.
    assert_eq!(fresh.perft(4), count_without_ko(&fresh, 4));
    assert!(fresh.perft(5) < count_without_ko(&fresh, 5));
}

/// Perft without the ko rule (RULES 4.4).
fn count_without_ko(game: &AnyMatch, depth: u32) -> u64 {
    fn count(position: &Stacks, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let next = |after: slow_stacks::After| count(&Stacks::read(Crossfire, &after.position), depth - 1);
        position.actions().into_values().map(next).sum()
    }
    count(&Stacks::read(Crossfire, &game.position_text()), depth)
}

#[test]
fn clause_4_5_a_side_without_an_action_because_of_ko_loses() {
    let mut game = read(Crossfire, &Stacks::of(Crossfire, "g9:x g1:o", "1 1 0 0"));
    play(&mut game, "g9-f8, g1-f2, f8-g9, f2-g1, g9-h8, g1-h2, h8-g9");
    assert_eq!(fate(&game, "h2-j2"), "whole");
    assert_eq!(fate(&game, "h2-g1"), "second blocked");
    play(&mut game, "h2-g1");
    assert_eq!(game.outcome().unwrap().to_string(), "second blocked");
    assert_eq!(game.perft(1), 0);
}

#[test]
fn clause_4_5_there_is_no_repetition() {
    // The same position begins a turn three times, each time with one legal action fewer.
    let mut game = after_round();
    play(&mut game, "d4-e3, j6-h6, e3-d4, h6-j6, d4-e5, j6-k5, e5-d4, k5-j6");
    assert_eq!(game.outcome(), None);
    assert_eq!(game.draft::<&str>(&[]).unwrap().ko_forbidden.len(), 3);
    assert_eq!(Ruleset::Crossfire.id().parse(), Ok(Crossfire));
}
