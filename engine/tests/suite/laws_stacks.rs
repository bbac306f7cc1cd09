//! Property tests of all positions of the games of stacks, and of complete games.

use std::collections::{BTreeMap, BTreeSet};

use engine::{AnyMatch, CellName, Reason, Ruleset, Side, record::Record};
use proptest::{
    collection::vec,
    prelude::*,
    sample::{Index, select},
};

use crate::{
    STACKS,
    dice::Dice,
    law,
    laws::played,
    legal, read,
    slow_stacks::{self, Stacks},
};

/// Positions with stacks anywhere, or crowded so that they are high. The turn is any, with or without reserves.
fn placed() -> impl Strategy<Value = AnyMatch> {
    let cells = (0..43usize, 1..=52usize, vec(any::<Index>(), 36));
    let men =
        Just("x".repeat(18) + &"o".repeat(18)).prop_map(|men| men.chars().collect::<Vec<_>>()).prop_shuffle();
    let turn = prop_oneof![1..=4u16, 1..=1000u16];
    (select(&STACKS[..]), cells, men, 0..=36usize, turn, [0..4usize, 0..4usize]).prop_filter_map(
        "valid",
        |(ruleset, (first, n_cells, places), men, n_men, turn, reserves)| {
            let names = slow_stacks::cells(ruleset);
            let highest = |name: &str| match (ruleset, turn) {
                (Ruleset::Focus, 1 | 2) => 1,
                _ => slow_stacks::capacity(ruleset, name),
            };
            let mut stacks = BTreeMap::<String, String>::new();
            for (man, place) in men.into_iter().zip(places).take(n_men) {
                let name = &names[(first + place.index(n_cells)) % names.len()];
                let stack = stacks.entry(name.clone()).or_default();
                if stack.len() < highest(name) {
                    stack.push(man);
                }
            }
            let mut position = Stacks { ruleset, stacks, turn, reserves };
            for (index, letter) in ['x', 'o'].into_iter().enumerate() {
                if position.n_men(letter) > 18 || highest("d4") == 1 {
                    position.reserves[index] = 0;
                }
            }
            AnyMatch::from_text(ruleset, &position.print()).ok()
        },
    )
}

pub(crate) fn games() -> impl Strategy<Value = AnyMatch> {
    prop_oneof![played(&STACKS), placed()].prop_filter("ongoing", |game| game.outcome().is_none())
}

/// Applies a symmetry of the board to a cell. The boards of squares have eight symmetries, those of hexagons twelve.
fn turned(ruleset: Ruleset, symmetry: usize, name: &str) -> String {
    let (letter, number) =
        (i32::from(name.as_bytes()[0]) - i32::from(b'a'), i32::from(name.as_bytes()[1] - b'0'));
    let (mut x, mut y);
    if ruleset == Ruleset::Crossfire {
        (x, y) = ((letter - 6 - (number - 5)) / 2, number - 5);
        for _ in 0..symmetry % 6 {
            (x, y) = (-y, x + y);
        }
        if symmetry >= 6 {
            (x, y) = (y, x);
        }
        (x, y) = (2 * x + y + 6, y + 5);
    } else {
        (x, y) = (letter, number - 1);
        for _ in 0..symmetry % 4 {
            (x, y) = (7 - y, x);
        }
        if symmetry % 8 >= 4 {
            (x, y) = (y, x);
        }
        y += 1;
    }
    format!("{}{y}", char::from(b'a' + u8::try_from(x).unwrap()))
}

fn turned_action(ruleset: Ruleset, symmetry: usize, action: &str) -> String {
    let cell = |name: &str| turned(ruleset, symmetry, name);
    match action.split_once(['-', '~']) {
        Some((from, to)) => format!("{}{}{}", cell(from), &action[2..3], cell(to)),
        None => format!("*{}", cell(&action[1..])),
    }
}

fn turned_text(ruleset: Ruleset, symmetry: usize, text: &str) -> String {
    let mut position = Stacks::read(ruleset, text);
    position.stacks =
        position.stacks.into_iter().map(|(name, stack)| (turned(ruleset, symmetry, &name), stack)).collect();
    position.print()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn actions_and_their_results_match_the_reference(game in games()) {
        let draft = game.draft::<&str>(&[]).unwrap();
        let slow = Stacks::read(game.ruleset(), &game.position_text()).actions();
        let ko_forbidden: Vec<&String> = draft.ko_forbidden.iter().map(|forbidden| &forbidden.text).collect();
        let expected: Vec<&String> = slow.keys().filter(|text| !ko_forbidden.contains(text)).collect();
        let listed = draft.legal();
        prop_assert_eq!(listed.iter().map(|action| &action.text).collect::<Vec<_>>(), expected);
        for action in &listed {
            let step = game.draft(&[&action.text]).unwrap().steps.pop().unwrap();
            let after = &slow[&action.text];
            let overflow = after.overflow;
            prop_assert_eq!((&step.position, step.count), (&after.position, after.count));
            prop_assert_eq!(step.overflow.map_or((0, 0), |lost| (lost.reserved, lost.captured)), overflow);
            prop_assert_eq!((action.count, action.overflow), (step.count, step.overflow));
        }
    }

    #[test]
    fn the_symmetries_of_the_board_map_actions_onto_actions(game in placed(), symmetry in 0..24usize, choice: Index) {
        let ruleset = game.ruleset();
        let symmetry = symmetry % if ruleset == Ruleset::Crossfire { 12 } else { 8 };
        let text = |text: &str| turned_text(ruleset, symmetry, text);
        let action = |action: &str| turned_action(ruleset, symmetry, action);
        law::symmetries_map_actions_onto_actions(&game, choice, text, action);
    }

    #[test]
    fn a_parsed_text_prints_unchanged(game in games()) {
        law::a_parsed_text_prints_unchanged(&game);
    }

    #[test]
    fn legal_actions_keep_texts_valid_and_make_no_men(game in games(), choices in vec(any::<Index>(), 1..30)) {
        let ruleset = game.ruleset();
        let n_men = |text: &str| {
            let position = Stacks::read(ruleset, text);
            position.n_men('x') + position.n_men('o')
        };
        law::legal_actions_keep_texts_valid(game, &choices, |before, after| assert!(n_men(before) >= n_men(after)));
    }

    #[test]
    fn a_refused_turn_leaves_the_match_unchanged(
        game in games(),
        choices in vec(any::<Index>(), 1..6),
        bad in prop_oneof!["[a-m][1-9][-~][a-m][1-9]", "[*][a-m][1-9]", ".{0,8}"],
    ) {
        law::a_refused_turn_leaves_the_match_unchanged(game, &choices, bad);
    }

    #[test]
    fn a_played_turn_matches_its_draft(game in played(&STACKS), choices in vec(any::<Index>(), 0..12)) {
        law::a_played_turn_matches_its_draft(game, &choices);
    }

    #[test]
    fn a_game_can_be_replayed(game in played(&STACKS)) {
        law::a_game_can_be_replayed(&game);
    }

    #[test]
    fn garbage_is_refused_without_a_panic(game in games(), text in "\\PC{0,80}", at: Index, byte in "[xo0-9/,. é-]") {
        law::garbage_is_refused_without_a_panic(&game, &text, at, &byte);
    }

    #[test]
    fn routes_are_straight_lines(game in games(), choice: Index) {
        let actions = game.draft::<&str>(&[]).unwrap().legal();
        let action = &actions[choice.index(actions.len())];
        let step = game.draft(&[&action.text]).unwrap().steps.pop().unwrap();
        prop_assert_eq!(step.route.last(), action.to.as_ref());
        prop_assert_eq!(step.swap, action.text.contains('~'));
        let Some(from) = &action.from else {
            prop_assert_eq!(step.route.len(), 1);
            return Ok(());
        };
        prop_assert_eq!(&step.route[0], from);
        prop_assert_eq!(step.route.len(), usize::from(action.count.unwrap_or(1)) + 1);
    }
}

proptest! {
    // Each case tries thousands of texts.
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn an_action_is_listed_exactly_if_it_is_legal(game in games()) {
        law::an_action_is_listed_exactly_if_it_is_legal(&game, slow_stacks::texts(game.ruleset()));
    }
}

/// A strategy that chooses the next action.
type Player = fn(&AnyMatch, &mut Dice) -> String;

fn at_random(game: &AnyMatch, dice: &mut Dice) -> String {
    let mut legal = legal(game);
    legal.swap_remove(dice.below(legal.len()))
}

/// First moves onto a stack of Second whenever it can.
fn hungry(game: &AnyMatch, dice: &mut Dice) -> String {
    let position = Stacks::read(game.ruleset(), &game.position_text());
    let is_seconds =
        |cell: &CellName| position.stacks.get(cell.as_str()).is_some_and(|stack| stack.ends_with('o'));
    let mut legal = game.draft::<&str>(&[]).unwrap().legal();
    legal.retain(|action| game.to_move() == Side::First && action.to.as_ref().is_some_and(is_seconds));
    if legal.is_empty() { at_random(game, dice) } else { legal.swap_remove(dice.below(legal.len())).text }
}

/// First plays the alphabetically first action, Second the last, so that they avoid each other.
fn shy(game: &AnyMatch, _: &mut Dice) -> String {
    let mut legal = legal(game);
    legal.swap_remove(if game.to_move() == Side::First { 0 } else { legal.len() - 1 })
}

/// Plays a game to its end. Checks in each turn that the position can be read back, and that only captures remove men.
fn play_to_the_end(mut game: AnyMatch, player: Player, dice: &mut Dice) -> AnyMatch {
    let ruleset = game.ruleset();
    let n_men = |game: &AnyMatch| {
        let position = Stacks::read(ruleset, &game.position_text());
        [position.n_men('x'), position.n_men('o')]
    };
    let at_start = n_men(&game);
    let mut captured = [0, 0];
    while game.outcome().is_none() {
        let text = game.position_text();
        assert_eq!(AnyMatch::from_text(ruleset, &text).map(|read| read.position_text()), Ok(text));
        let other = usize::from(game.to_move() == Side::First);
        game.play(&[player(&game, dice)]).unwrap();
        captured[other] += game.last_steps()[0].overflow.map_or(0, |overflow| usize::from(overflow.captured));
        let there = n_men(&game);
        assert_eq!([0, 1].map(|side| there[side] + captured[side]), at_start, "{}", game.position_text());
    }
    check_end(&game);
    game
}

fn check_end(game: &AnyMatch) {
    let (outcome, text) = (game.outcome().unwrap(), game.position_text());
    match outcome.reason {
        Reason::Blocked => assert_eq!(outcome.winner, Some(game.to_move().other())),
        Reason::Repetition => assert_ne!(game.ruleset(), Ruleset::Crossfire),
        Reason::TurnLimit => assert_eq!(game.turn().get(), 1001),
        Reason::Surround | Reason::King | Reason::Quiet => {
            panic!("{} ended with {outcome}: {text}", game.ruleset())
        }
    }
    assert_eq!(Record::from_match(game).replay().map(|replayed| replayed.outcome()), Ok(Some(outcome)));
}

#[test]
fn games_come_to_an_end_and_only_captures_remove_men() {
    let mut ends = BTreeSet::new();
    for ruleset in STACKS {
        let mut dice = Dice(1);
        let few = read(ruleset, &Stacks::of(ruleset, "d4:x g7:o", "1 21 0 0"));
        let starts: [(AnyMatch, Player, usize); 3] =
            [(AnyMatch::new(ruleset), at_random, 5), (AnyMatch::new(ruleset), hungry, 20), (few, shy, 1)];
        for (start, player, n_games) in starts {
            for _ in 0..n_games {
                let game = play_to_the_end(start.clone(), player, &mut dice);
                ends.insert(format!("{ruleset} {}", game.outcome().unwrap().reason));
            }
        }
    }
    let expected = [
        "crossfire blocked",
        "crossfire turn-limit",
        "focus blocked",
        "focus repetition",
        "focus turn-limit",
        "focus-classic blocked",
        "focus-classic repetition",
        "focus-classic turn-limit",
    ];
    assert_eq!(ends.into_iter().collect::<Vec<_>>(), expected);
}
