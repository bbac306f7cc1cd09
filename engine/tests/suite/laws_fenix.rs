//! Property tests of all positions of Fenix.

use engine::{AnyMatch, CellName, Ruleset::Fenix};
use proptest::{collection::vec, prelude::*, sample::Index};

use crate::{
    law::{self, walk},
    legal, read,
    slow_fenix::{self, Board, Place},
};

/// Plays legal actions in a match.
fn after(mut game: AnyMatch, choices: &[Index]) -> AnyMatch {
    walk(&mut game, choices, |_, _| {});
    game
}

/// A match after up to 120 legal actions from the start, the first ten of which are the set-up.
fn played() -> impl Strategy<Value = AnyMatch> {
    vec(any::<Index>(), 0..120).prop_map(|choices| after(AnyMatch::new(Fenix), &choices))
}

/// Positions with pieces anywhere and any making due. Many of them have captures.
fn placed() -> impl Strategy<Value = AnyMatch> {
    let place = (1..=9i32, 1..=9i32);
    let soldiers = || vec(place.clone(), 0..20);
    let councillors = || vec(place.clone(), 0..5);
    let kings = (place.clone(), place.clone());
    let rest = (12..=1000u16, prop_oneof![4 => Just("-"), 2 => Just("C"), 1 => Just("K")], 0..=99u16);
    (kings, councillors(), councillors(), soldiers(), soldiers(), rest).prop_filter_map(
        "valid",
        |((king, other), first, second, own, others, (turn, due, quiet))| {
            let capital = turn % 2 == 1;
            let mut board = Board { pieces: [(king, 'K'), (other, 'k')].into() };
            for (places, letter) in [(first, 'C'), (second, 'c'), (own, 'S'), (others, 's')] {
                for place in places {
                    board.pieces.entry(place).or_insert(letter);
                }
            }
            if due == "K" {
                board.pieces.retain(|_, letter| *letter != if capital { 'K' } else { 'k' });
            }
            let quiet = if due == "-" { quiet.min(turn - 11) } else { 0 };
            let text = format!("{} {} {turn} {due} {quiet}", board.print(), 2 - turn % 2);
            AnyMatch::from_text(Fenix, &text).ok()
        },
    )
}

fn games() -> impl Strategy<Value = AnyMatch> {
    prop_oneof![played(), placed()].prop_filter("ongoing", |game| game.outcome().is_none())
}

/// Applies one of the eight rotations and reflections of the board to a square.
fn turned(symmetry: usize, (mut file, mut rank): Place) -> Place {
    for _ in 0..symmetry % 4 {
        (file, rank) = (10 - rank, file);
    }
    if symmetry >= 4 { (rank, file) } else { (file, rank) }
}

fn turned_action(symmetry: usize, action: &str) -> String {
    let square = |name| slow_fenix::name(turned(symmetry, slow_fenix::place(name)));
    let sign = action.chars().find(|c| "-+x".contains(*c)).unwrap();
    action.split(sign).map(square).collect::<Vec<_>>().join(&sign.to_string())
}

fn turned_text(symmetry: usize, text: &str) -> String {
    let board = Board::read(text);
    let pieces = board.pieces.into_iter().map(|(place, piece)| (turned(symmetry, place), piece)).collect();
    let (_, rest) = text.split_once(' ').unwrap();
    format!("{} {rest}", Board { pieces }.print())
}

/// Only captures remove discs, and only those of the other side.
fn discs_are_whole(before: &str, after: &str) {
    let mover = before.split(' ').nth(1) == Some("1");
    let discs = |text, capital| Board::read(text).n_discs(capital);
    assert_eq!(discs(before, mover), discs(after, mover));
    assert!(discs(before, !mover) >= discs(after, !mover));
}

/// Texts that could be actions in this position: all moves and makings, and captures of any size, complete, cut short
/// or continued too far.
fn texts(game: &AnyMatch) -> Vec<String> {
    let mut texts = Vec::new();
    for from in slow_fenix::squares().into_iter().map(slow_fenix::name) {
        for to in slow_fenix::squares().into_iter().map(slow_fenix::name) {
            texts.extend(["-", "+", "x"].map(|sign| format!("{from}{sign}{to}")));
        }
    }
    let board = Board::read(&game.position_text());
    for route in [true, false].into_iter().flat_map(|capital| board.captures(capital).into_keys()) {
        texts.extend(["d1", "d5", "d9"].map(|square| format!("{route}x{square}")));
        texts.extend((8..=route.len()).step_by(3).map(|end| route[..end].to_owned()));
    }
    texts.sort_unstable();
    texts.dedup();
    texts
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn a_parsed_text_prints_unchanged(game in games()) {
        law::a_parsed_text_prints_unchanged(&game);
    }

    #[test]
    fn actions_match_the_reference(game in games()) {
        let listed = legal(&game);
        prop_assert_eq!(game.perft(1), listed.len() as u64);
        let expected = slow_fenix::legal(&game.position_text());
        prop_assert_eq!(listed, expected.into_iter().collect::<Vec<_>>());
    }

    #[test]
    fn captures_list_the_taken_pieces(game in games()) {
        let text = game.position_text();
        let (board, capital) = (Board::read(&text), text.contains(" 1 "));
        let draft = game.draft::<&str>(&[]).unwrap();
        for action in draft.legal() {
            let step = game.draft(&[&action.text]).unwrap().steps.remove(0);
            let Some(capture) = action.capture else {
                assert!(step.taken.is_empty());
                continue;
            };
            let overs: Vec<CellName> = capture.jumps.iter().map(|jump| jump.over).collect();
            let route: Vec<&str> = capture.jumps.iter().map(|jump| jump.to.as_str()).collect();
            assert_eq!(format!("{}x{}", action.from.unwrap(), route.join("x")), action.text);
            assert_eq!(overs, step.taken);
            assert_eq!(Some(capture.n_discs), draft.best_capture());
            let taken: u32 = overs.iter().map(|over| slow_fenix::discs(board.pieces[&slow_fenix::place(over.as_str())])).sum();
            assert_eq!(taken, u32::from(capture.n_discs));
            assert!(overs.iter().all(|over| board.pieces[&slow_fenix::place(over.as_str())].is_uppercase() != capital));
        }
    }

    #[test]
    fn results_of_legal_actions_match_the_reference(game in games(), choice: Index) {
        let actions = legal(&game);
        let action = &actions[choice.index(actions.len())];
        let draft = game.draft(&[action]).unwrap();
        prop_assert_eq!(&draft.present.position, &slow_fenix::after(&game.position_text(), action));
    }

    #[test]
    fn legal_actions_keep_texts_valid_and_discs_whole(game in games(), choices in vec(any::<Index>(), 1..30)) {
        law::legal_actions_keep_texts_valid(game, &choices, discs_are_whole);
    }

    #[test]
    fn the_symmetries_of_the_board_map_actions_onto_actions(game in games(), symmetry in 0..8usize, choice: Index) {
        let text = |text: &str| turned_text(symmetry, text);
        law::symmetries_map_actions_onto_actions(&game, choice, text, |action| turned_action(symmetry, action));
    }

    #[test]
    fn a_refused_turn_leaves_the_match_unchanged(
        game in games(),
        choices in vec(any::<Index>(), 1..6),
        bad in prop_oneof!["[a-i][1-9][-+x][a-i][1-9]", "[a-i][1-9](x[a-i][1-9]){1,30}", ".{0,8}"],
    ) {
        law::a_refused_turn_leaves_the_match_unchanged(game, &choices, bad);
    }

    #[test]
    fn a_played_turn_matches_its_draft(game in played(), choices in vec(any::<Index>(), 0..12)) {
        law::a_played_turn_matches_its_draft(game, &choices);
    }

    #[test]
    fn a_game_can_be_replayed(game in played()) {
        law::a_game_can_be_replayed(&game);
    }

    #[test]
    fn garbage_is_refused_without_a_panic(game in games(), text in "\\PC{0,80}", at: Index, byte in "[SCKsck0-9/ é-]") {
        law::garbage_is_refused_without_a_panic(&game, &text, at, &byte);
    }
}

proptest! {
    // Each case tries some 20,000 texts.
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn an_action_is_listed_exactly_if_it_is_legal(game in games()) {
        law::an_action_is_listed_exactly_if_it_is_legal(&game, texts(&game));
    }
}

/// Positions with very many captures: a king, and a councillor, in a lattice of enemies.
#[test]
fn the_captures_in_a_lattice_match_the_reference() {
    for text in [
        "8k/8C/9/9/1s1s5/sssss4/1s1s5/sssss4/Ks1s5 1 21 - 0",
        "8k/8K/1s1s1s3/s1s1s1s2/1s1s1s3/s1s1s1s2/1s1s1s3/s1s1s1s2/Cs1s1s3 1 21 - 0",
    ] {
        let expected = slow_fenix::legal(text);
        assert!(expected.len() > 100);
        assert_eq!(legal(&read(Fenix, text)), expected.into_iter().collect::<Vec<_>>());
    }
}

/// Adversarial positions: they have up to millions of captures of some 25 jumps each, and many times more incomplete
/// ones.
#[test]
fn queries_do_not_enumerate_the_captures_in_a_large_lattice() {
    for (text, best, too_little) in [
        ("8k/8C/1s1s5/sssss4/1s1s5/sssss4/1s1s5/sssss4/Ks1s5 1 21 - 0", 23, "i8-h8"),
        ("9/9/1s7/ssskss3/1s1s1s3/ssssss3/1sKs1s3/ssssss3/1s7 1 13 - 0", 27, "c3xc5"),
    ] {
        let game = read(Fenix, text);
        let draft = game.draft::<&str>(&[]).unwrap();
        assert_eq!((draft.best_capture(), draft.legal_within(5_000)), (Some(best), None));
        assert_eq!(game.draft(&[too_little]).unwrap_err().rule.as_str(), "2.7");
    }
}

/// A replay assumes that each capture was the largest, and checks everything else.
#[test]
fn a_replay_refuses_the_same_turns_as_play_except_for_too_small_captures() {
    let text = "8k/6s2/4s4/9/2s1C4/9/9/9/K8 1 13 - 0";
    let played = |turn: &str| read(Fenix, text).play(&[turn]).map(drop).map_err(|error| error.rule.as_str());
    let replayed =
        |turn: &str| read(Fenix, text).replay(&[turn]).map(drop).map_err(|error| error.rule.as_str());
    assert_eq!((played("e5xe8xi8"), played("e5xb5")), (Ok(()), Err("2.7")));
    for turn in ["e5-e6", "a1-a2", "e5xe8xa8", "e5xe8xi8", "e5+e6", "i9-i8"] {
        assert_eq!(replayed(turn), played(turn), "{turn}");
    }
    assert_eq!(replayed("e5xb5"), Ok(()));
}
