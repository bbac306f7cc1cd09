//! Tests of the rules. `rules_0` to `rules_4`, with `rules_1_cards`, follow the clauses of RULES by number.

#![expect(clippy::unwrap_used, reason = "all of this is test code, its helpers too")]

mod cli;
mod dice;
mod drafts;
#[path = "../../fuzz/src/equations.rs"]
#[expect(unreachable_pub, reason = "the fuzz targets are crates of their own")]
mod equations;
mod found;
mod games;
mod law;
mod laws;
mod laws_fenix;
mod laws_stacks;
mod perft;
mod records;
mod rules_0;
mod rules_1;
mod rules_1_cards;
mod rules_2;
mod rules_3;
mod rules_4;
mod search;
mod slow;
mod slow_fenix;
mod slow_stacks;

use engine::{AnyMatch, CellName, Draft, Ruleset, Seed};

/// The rulesets that begin with [`START`].
const FIBONACCI: [Ruleset; 2] = [Ruleset::Fibonacci, Ruleset::FibonacciMixed];
const STACKS: [Ruleset; 3] = [Ruleset::Focus, Ruleset::FocusClassic, Ruleset::Crossfire];

const START: &str = "CSSSSS/1S5/8/8p/2P3ppp1/3P3p3/1PPP3p2/P8/8/5s1/sssssc 1 1 1/1";

/// Strike pieces of First on five sides of Second's centre, and the sixth beside the gap on g6.
const ALMOST: &str = "C a1 S e5 e6 f5 f7 g7 h7 P a2 a3 a4 b1 b2 b3 \
                      c f6 s k7 k8 k9 k10 k11 j11 p i11 i10 h11 h10 h9 h8";

/// Drafts a turn and describes the result: `open` if more actions belong to it, `whole` if it is complete, the outcome
/// if it ends the game, or `refused INDEX RULE`.
fn fate(game: &AnyMatch, actions: &str) -> String {
    match game.draft(&words(actions)) {
        Ok(Draft { outcome: Some(outcome), .. }) => outcome.to_string(),
        Ok(Draft { complete: true, .. }) => "whole".to_owned(),
        Ok(_) => "open".to_owned(),
        Err(error) => format!("refused {} {}", error.index, error.rule),
    }
}

/// Checks the fate of one turn in a position, and that drafting and playing it agree.
#[track_caller]
fn check(ruleset: Ruleset, position: &str, actions: &str, expected: &str) {
    let mut game = read(ruleset, position);
    assert_eq!(fate(&game, actions), expected, "{ruleset}: {actions} in {position}");
    let before = format!("{game:?}");
    match game.play(&words(actions)) {
        Ok(()) => assert_eq!(game.last_steps().len(), words(actions).len()),
        Err(error) if expected == "open" => {
            assert_eq!(error.index, words(actions).len());
            assert_eq!(
                error.rule.as_str(),
                if ruleset.id().starts_with("fibonacci") { "1.9" } else { "0.2" }
            );
        }
        Err(error) => assert_eq!(format!("refused {} {}", error.index, error.rule), expected),
    }
    assert_eq!(format!("{game:?}") == before, expected == "open" || expected.starts_with("refused"));
}

/// Reads a text as a start. `expected` is `ok`, or the rule that the text breaks at the mark `^`, which is removed
/// first.
#[track_caller]
fn check_text(ruleset: Ruleset, marked: &str, expected: &str) {
    let text = marked.replacen('^', "", 1);
    match AnyMatch::from_text(ruleset, &text) {
        Ok(game) => assert_eq!((game.position_text().as_str(), expected), (marked, "ok")),
        Err(error) => {
            let found = (Some(error.at), error.rule.as_str());
            assert_eq!(found, (marked.find('^'), expected), "{ruleset}: {text}: {error}");
        }
    }
}

/// Plays turns written as `b7-c7, j5-i5 end, …` and returns the text of the resulting position.
#[track_caller]
fn play(game: &mut AnyMatch, turns: &str) -> String {
    for turn in turns.split(", ") {
        if let Err(error) = game.play(&words(turn)) {
            panic!("{turn} in {}: {error}", game.position_text());
        }
    }
    game.position_text()
}

#[track_caller]
fn read(ruleset: Ruleset, text: &str) -> AnyMatch {
    let game = AnyMatch::from_text(ruleset, text).unwrap_or_else(|error| panic!("{text}: {error}"));
    game.with_seed(Seed::new([7; 32]))
}

/// A match from the start, with a seed for the cards if it has any.
fn new(ruleset: Ruleset) -> AnyMatch {
    AnyMatch::new(ruleset).with_seed(Seed::new([7; 32]))
}

/// The text of a position with pieces in the notation of [`slow::Board::of`].
fn position(pieces: &str, rest: &str) -> String {
    format!("{} {rest}", slow::Board::of(pieces).print())
}

/// The text of the start with other fields after the board.
fn start_at(rest: &str) -> String {
    START.replace("1 1 1/1", rest)
}

fn words(actions: &str) -> Vec<&str> {
    actions.split_whitespace().collect()
}

fn cells(names: &str) -> Vec<CellName> {
    names.split_whitespace().map(|name| name.parse().unwrap()).collect()
}

fn legal(game: &AnyMatch) -> Vec<String> {
    game.draft::<&str>(&[])
        .map_or_else(|_| Vec::new(), |draft| draft.legal().into_iter().map(|a| a.text).collect())
}
