//! Tests of the information that a draft and a match give to a reader.

use engine::{ActionKind, Allowance, AnyMatch, Card, Ruleset, Ruleset::Fibonacci, TurnErrorKind};

use crate::{ALMOST, START, cells, fate, position, read, start_at, words};

/// Second's turn, with attackers on e6, f7 and g7 at its beginning.
const ATTACKED: &str = "C a1 S b4 e6 b5 f7 g7 c6 P a2 a3 a4 b1 b2 b3 \
                        c f6 s k7 k8 k9 k10 k11 j11 p i11 i10 h11 h10 h9 h8";

fn attacked(rest: &str) -> AnyMatch {
    read(Fibonacci, &position(ATTACKED, rest))
}

fn allowance(game: &AnyMatch, actions: &str) -> Allowance {
    game.draft(&words(actions)).unwrap().present.allowance.unwrap()
}

#[test]
fn a_draft_reports_the_rest_of_the_allowance() {
    let game = attacked("2 8 3/3");
    let lost_to = Some(cells("e6 f7 g7"));
    let expected =
        |used, left| Allowance { base: 6, lost: 3, lost_to: lost_to.clone(), allowance: 3, used, left };
    assert_eq!(allowance(&game, ""), expected(0, 3));
    assert_eq!(allowance(&game, "k7-k6"), expected(1, 2));
    assert_eq!(allowance(&game, "k7-k6 k6-k7 k7-k6"), expected(3, 0));
    assert_eq!(allowance(&game, "k7-k6 end"), expected(1, 0));
    assert_eq!(game.present(), game.draft::<&str>(&[]).unwrap().present);
}

#[test]
fn each_step_has_the_threats_after_it() {
    let draft = read(Fibonacci, &position(ALMOST, "1 7 6/6")).draft(&["e6-e7", "e7-e6"]).unwrap();
    let threats = draft.steps.iter().map(|step| step.threats.as_ref().unwrap().second.clone());
    assert_eq!(threats.collect::<Vec<_>>(), [cells("e5 f5 f7 g7"), cells("e5 e6 f5 f7 g7")]);
}

#[test]
fn in_the_middle_of_a_turn_the_attackers_are_not_known() {
    let game = attacked("2 8 2/4");
    let expected = |used, left| Allowance { base: 6, lost: 2, lost_to: None, allowance: 4, used, left };
    assert_eq!(allowance(&game, ""), expected(2, 2));
    assert_eq!(allowance(&game, "k7-k6"), expected(3, 1));
}

#[test]
fn a_complete_draft_keeps_its_own_turn_and_shows_the_next_position() {
    let game = AnyMatch::new(Fibonacci);
    let draft = game.draft(&["b7-c7"]).unwrap();
    assert!(draft.complete && !draft.may_end);
    assert_eq!((draft.present.turn.get(), draft.present.side), (1, game.to_move()));
    assert!(draft.present.position.ends_with(" 2 2 2/2"));
    assert_eq!(draft.steps[0].position, draft.present.position);
    assert_eq!((draft.legal(), draft.groups()), (vec![], vec![]));
}

#[test]
fn a_turn_is_drafted_in_the_turn_before_it() {
    let game = AnyMatch::new(Fibonacci).passed().unwrap();
    assert_eq!((game.turn().get(), allowance(&game, "").allowance), (2, 2));
    assert_eq!(allowance(&game, "j5-i5 i5-h5").left, 0);
    // The attackers next to a centre lower the allowance of its side (RULES 1.7).
    let attacked = read(Fibonacci, &position(ATTACKED, "1 7 6/6")).passed().unwrap();
    assert_eq!(allowance(&attacked, "").allowance, 3);
}

#[test]
fn a_turn_before_its_card_or_after_the_end_cannot_be_drafted() {
    let mut cards = AnyMatch::new(Ruleset::FibonacciCards);
    cards.turn_over(Card::from_value(1).unwrap()).unwrap();
    assert!(cards.passed().is_none());
    assert!(read(Fibonacci, &position(ATTACKED, "2 1000 3/3")).passed().is_none());
    let mut won = read(Fibonacci, &position(ALMOST, "1 7 6/6"));
    won.play(&["h7-g6"]).unwrap();
    assert!(won.outcome().is_some() && won.passed().is_none());
}

#[test]
fn a_draft_reports_whether_the_turn_may_be_ended() {
    for (ruleset, may_end) in [(Fibonacci, true), (Ruleset::FibonacciMixed, false)] {
        let game = read(ruleset, &start_at("2 4 4/4"));
        assert!(!game.draft::<&str>(&[]).unwrap().may_end);
        assert_eq!(game.draft(&["j5-i5"]).unwrap().may_end, may_end);
        assert_eq!(ruleset.has_early_end(), may_end);
        let kinds = game.draft(&["j5-i5"]).unwrap().legal().into_iter().map(|action| action.kind);
        assert_eq!(kinds.filter(|kind| *kind == ActionKind::End).count(), usize::from(may_end));
    }
}

#[test]
fn legal_actions_are_sorted_and_have_their_kind_and_cells() {
    let legal = AnyMatch::new(Fibonacci).draft::<&str>(&[]).unwrap().legal();
    assert!(legal.is_sorted_by(|a, b| a.text < b.text));
    let find = |text: &str| legal.iter().find(|action| action.text == text).unwrap();
    assert_eq!((find("b7-c7").kind, find("b7-a6").kind), (ActionKind::Move, ActionKind::Swap));
    assert_eq!((find("b7-c7").from, find("b7-c7").to), ("b7".parse().ok(), "c7".parse().ok()));
}

#[test]
fn threats_are_those_of_the_current_position() {
    let game = attacked("1 7 6/6");
    let threats = |actions: &str| game.draft(&words(actions)).unwrap().present.threats.unwrap();
    assert_eq!(threats("").second, ["e6", "f7", "g7"]);
    assert_eq!(threats("f7-g6").second, ["e6", "g6", "g7"]);
    assert_eq!(threats("f7-g6 end").second, ["e6", "g6", "g7"]);
    assert_eq!(threats("").first, [""; 0]);
}

#[test]
fn a_step_has_the_route_through_its_group() {
    let route = |actions: &str| {
        let game = read(Fibonacci, &start_at("1 3 3/3"));
        game.draft(&words(actions)).unwrap().steps.pop().unwrap().route
    };
    assert_eq!(route("b7-c7"), ["b7", "c7"]);
    assert_eq!(route("f11-a5"), ["f11", "e10", "d9", "c8", "b7", "b6", "a5"]);
    assert_eq!(route("b7-c7 end"), [""; 0]);
}

#[test]
fn an_incomplete_turn_is_refused_after_its_last_action() {
    let mut game = read(Fibonacci, &start_at("2 4 4/4"));
    for (actions, may_end) in [("", false), ("j5-i5", true), ("j5-i5 i5-j5 j5-i5", true)] {
        let error = game.play(&words(actions)).unwrap_err();
        assert_eq!((error.index, error.rule.as_str()), (words(actions).len(), "1.9"));
        assert_eq!(error.kind, TurnErrorKind::Incomplete { may_end });
    }
    assert_eq!(game.position_text(), start_at("2 4 4/4"));
}

#[test]
fn a_draft_does_not_change_the_match() {
    let game = AnyMatch::new(Fibonacci);
    assert_eq!(fate(&game, "b7-c7"), "whole");
    assert_eq!((game.position_text(), game.turns().len()), (START.to_owned(), 0));
}

#[test]
fn errors_name_the_mistake() {
    let say = |actions: &str| AnyMatch::new(Fibonacci).play(&words(actions)).unwrap_err().to_string();
    for (actions, message) in [
        ("b7-b8", "action 1 (rule 1.1): at byte 3 of the action: expected a cell such as `a1` or `k11`"),
        (
            "pass",
            "action 1 (rule 1.13): at byte 0 of the action: expected `from-to` such as `b7-c7`, or `end`",
        ),
        ("a6-a5", "action 1 (rule 1.10): a centre never moves by itself"),
        ("j5-i5", "action 1 (rule 1.10): the piece on j5 is the other side's"),
        (
            "b7-b6",
            "action 1 (rule 1.12): b6 holds a strike piece of the same side, so a swap would change nothing",
        ),
        ("b7-g7", "action 1 (rule 1.12): g7 is not next to the group of b7"),
        (
            "b7-c7 end",
            "action 2 (rule 0.2): the turn was over before this action, and the other side is to act",
        ),
        ("", "action 1 (rule 1.9): the turn is not complete: it needs more actions"),
    ] {
        assert_eq!(say(actions), message);
    }
    let say = |ruleset, action: &str| AnyMatch::new(ruleset).play(&[action]).unwrap_err().to_string();
    for (ruleset, action, message) in [
        (
            Ruleset::FocusClassic,
            "e7",
            "action 1 (rule 3.4): at byte 0 of the action: expected `from-to` such as `d4-f4`, \
             a drop such as `*d4`, or a switch such as `d4~f4`",
        ),
        (
            Ruleset::Focus,
            "e7~a8",
            "action 1 (rule 3.1): at byte 3 of the action: expected a cell such as `d4`",
        ),
        (Ruleset::Focus, "e7-e6", "action 1 (rule 3.3): turns 1 and 2 are switches"),
        (
            Ruleset::FocusClassic,
            "e7-e5",
            "action 1 (rule 3.4): e5 is 2 cells away, and the stack on e7 has 1 men",
        ),
        (Ruleset::Crossfire, "h8-k7", "action 1 (rule 3.4): no straight line leads from h8 to k7"),
        (Ruleset::Crossfire, "*g5", "action 1 (rule 3.5): the reserve is empty"),
    ] {
        assert_eq!(say(ruleset, action), message);
    }
    let error = "chess".parse::<Ruleset>().unwrap_err();
    assert_eq!(
        error.to_string(),
        "unknown ruleset: expected one of fibonacci, fibonacci-mixed, fibonacci-cards, fenix, focus, \
         focus-classic, crossfire"
    );
}
