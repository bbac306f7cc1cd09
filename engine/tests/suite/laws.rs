//! Property tests of all positions of Fibonacci.

use engine::{AnyMatch, Reason, Ruleset, Side};
use proptest::{
    collection::vec,
    prelude::*,
    sample::{Index, select},
};

use crate::{
    law::{self, walk},
    legal, new, read,
    slow::{self, Board, Place},
};

/// The letters of the 26 pieces, in any order.
const PIECES: &str = "CSSSSSSPPPPPPcsssssspppppp";

/// The rulesets of Fibonacci.
const RULESETS: [Ruleset; 3] = [Ruleset::Fibonacci, Ruleset::FibonacciMixed, Ruleset::FibonacciCards];

/// A match after up to 40 legal actions from the start.
pub(crate) fn played(rulesets: &'static [Ruleset]) -> impl Strategy<Value = AnyMatch> {
    (select(rulesets), vec(any::<Index>(), 0..40)).prop_map(|(ruleset, choices)| {
        let mut game = new(ruleset);
        walk(&mut game, &choices, |_, _| {});
        game
    })
}

/// Positions with pieces anywhere, or crowded so that groups are large. The turn is any, at its beginning or in
/// progress.
fn placed() -> impl Strategy<Value = AnyMatch> {
    let cells = (0..=65usize, 26..=91usize).prop_flat_map(|(first, n_cells)| {
        let cells: Vec<Place> = slow::cells().into_iter().cycle().skip(first).take(n_cells).collect();
        Just(cells).prop_shuffle()
    });
    let turn = prop_oneof![1..=8u16, 1..=1000u16];
    (select(&RULESETS[..]), cells, turn, 0..=6u16, 1..=6u16).prop_filter_map(
        "valid",
        |(ruleset, cells, turn, lost, left)| {
            let board = Board { pieces: cells.into_iter().zip(PIECES.chars()).collect() };
            let base = if ruleset.has_cards() { 6 } else { turn.min(6) };
            let allowance = base.saturating_sub(lost);
            let text =
                format!("{} {} {turn} {}/{allowance}", board.print(), 2 - turn % 2, left.min(allowance));
            AnyMatch::from_text(ruleset, &text).is_ok().then(|| read(ruleset, &text))
        },
    )
}

fn games() -> impl Strategy<Value = AnyMatch> {
    prop_oneof![played(&RULESETS), placed()].prop_filter("ongoing", |game| game.outcome().is_none())
}

/// The texts of all actions that can be legal in some position.
fn texts() -> Vec<String> {
    let names: Vec<String> = slow::cells().into_iter().map(slow::name).collect();
    let moves = names.iter().flat_map(|from| names.iter().map(move |to| format!("{from}-{to}")));
    moves.chain(["end".to_owned()]).collect()
}

/// Applies one of the twelve rotations and reflections of the board to a cell.
fn turned(symmetry: usize, (q, r): Place) -> Place {
    let (mut x, mut y) = (q - 6, r - 6);
    for _ in 0..symmetry % 6 {
        (x, y) = (x - y, x);
    }
    if symmetry >= 6 {
        (x, y) = (y, x);
    }
    (x + 6, y + 6)
}

fn turned_action(symmetry: usize, action: &str) -> String {
    let cell = |name| slow::name(turned(symmetry, slow::place(name)));
    action
        .split_once('-')
        .map_or_else(|| action.to_owned(), |(from, to)| format!("{}-{}", cell(from), cell(to)))
}

fn turned_text(symmetry: usize, text: &str) -> String {
    let board = Board::read(text);
    let pieces = board.pieces.into_iter().map(|(place, piece)| (turned(symmetry, place), piece)).collect();
    let (_, rest) = text.split_once(' ').unwrap();
    format!("{} {rest}", Board { pieces }.print())
}

fn piece_letters(text: &str) -> Vec<char> {
    let board = text.split(' ').next().unwrap();
    let mut letters: Vec<char> = board.chars().filter(|c| c.is_alphabetic()).collect();
    letters.sort_unstable();
    letters
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn a_parsed_text_prints_unchanged(game in games()) {
        law::a_parsed_text_prints_unchanged(&game);
    }

    #[test]
    fn targets_match_the_reference(game in games()) {
        let text = game.position_text();
        let mut expected = Board::read(&text).moves(game.ruleset(), game.turn().get() % 2 == 1);
        if game.draft::<&str>(&[]).unwrap().may_end {
            expected.insert("end".to_owned());
        }
        let listed = legal(&game);
        prop_assert_eq!(game.perft(1), listed.len() as u64);
        prop_assert_eq!(listed, expected.into_iter().collect::<Vec<_>>());
    }

    #[test]
    fn legal_actions_keep_texts_valid_and_pieces_whole(game in games(), choices in vec(any::<Index>(), 1..30)) {
        let mut letters: Vec<char> = PIECES.chars().collect();
        letters.sort_unstable();
        law::legal_actions_keep_texts_valid(game, &choices, |_, text| assert_eq!(piece_letters(text), letters));
    }

    #[test]
    fn the_winner_matches_the_reference(mut game in games(), choices in vec(any::<Index>(), 1..12)) {
        let ruleset = game.ruleset();
        walk(&mut game, &choices, |game, turn| {
            let draft = game.draft(turn).unwrap();
            let board = Board::read(&draft.present.position);
            let mover = game.to_move();
            let winner = [mover, mover.other()].into_iter().find(|side| board.has_won(ruleset, *side == Side::First));
            let surround = draft.outcome.filter(|outcome| outcome.reason == Reason::Surround);
            assert_eq!(surround.and_then(|outcome| outcome.winner), winner);
        });
    }

    #[test]
    fn routes_are_shortest_chains_of_the_group(mut game in games(), choices in vec(any::<Index>(), 1..8)) {
        let ruleset = game.ruleset();
        walk(&mut game, &choices, |game, turn| {
            let before = game.draft(&turn[..turn.len() - 1]).unwrap().present.position;
            let step = game.draft(turn).unwrap().steps.pop().unwrap();
            let Some((from, to)) = step.action.split_once('-') else {
                assert!(step.route.is_empty());
                return;
            };
            let board = Board::read(&before);
            let route: Vec<Place> = step.route.iter().map(|name| slow::place(name.as_str())).collect();
            let group = board.group(ruleset, slow::place(from));
            assert_eq!((step.route[0].as_str(), step.route[route.len() - 1].as_str()), (from, to));
            assert!(route[..route.len() - 1].iter().all(|place| group.contains(place)));
            assert!(route.windows(2).all(|pair| slow::neighbours(pair[0]).any(|next| next == pair[1])));
            assert_eq!(board.distance(ruleset, route[0], slow::place(to)), Some(route.len() - 1));
            assert_eq!(step.swap, board.pieces.contains_key(&slow::place(to)));
        });
    }

    #[test]
    fn the_symmetries_of_the_board_map_actions_onto_actions(game in games(), symmetry in 0..12usize, choice: Index) {
        let text = |text: &str| turned_text(symmetry, text);
        law::symmetries_map_actions_onto_actions(&game, choice, text, |action| turned_action(symmetry, action));
    }

    #[test]
    fn a_refused_turn_leaves_the_match_unchanged(
        game in games(),
        choices in vec(any::<Index>(), 1..6),
        bad in prop_oneof![Just("a6-a5".to_owned()), Just("end".to_owned()), "[a-k][1-9]-[a-k][1-9]", ".{0,8}"],
    ) {
        law::a_refused_turn_leaves_the_match_unchanged(game, &choices, bad);
    }

    #[test]
    fn a_played_turn_matches_its_draft(game in played(&RULESETS), choices in vec(any::<Index>(), 0..12)) {
        law::a_played_turn_matches_its_draft(game, &choices);
    }

    #[test]
    fn a_game_can_be_replayed(game in played(&RULESETS)) {
        law::a_game_can_be_replayed(&game);
    }

    #[test]
    fn garbage_is_refused_without_a_panic(game in games(), text in "\\PC{0,80}", at: Index, byte in "[CSPcsp0-9/ é-]") {
        law::garbage_is_refused_without_a_panic(&game, &text, at, &byte);
    }
}

proptest! {
    // Each case tries thousands of texts.
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn an_action_is_listed_exactly_if_it_is_legal(game in games()) {
        law::an_action_is_listed_exactly_if_it_is_legal(&game, texts());
    }
}
