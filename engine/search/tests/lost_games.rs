//! Positions of games that full strength has lost, with the turns that would have been right. `docs/strength.md` has the
//! classes of the lost games.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use engine::{AnyMatch, Ruleset};
use search::{Limit, Report, Searcher, Settings};

/// The chance of a proven win.
const SURE: f32 = 1.0;

fn search(game: &AnyMatch, nodes: u64) -> Report {
    let limit = Limit { nodes: Some(nodes), ..Limit::default() };
    Searcher::new(1 << 24).search(game, &limit, &Settings::default(), &mut |_| {}).unwrap()
}

/// Asserts that full strength finds a turn within `nodes` and knows that it wins.
fn assert_wins(position: &str, turn: &str, nodes: u64) {
    let game = AnyMatch::from_text(Ruleset::Fenix, position).unwrap();
    let report = search(&game, nodes);
    assert_eq!(report.turn.join(" "), turn, "{position}");
    assert_eq!(report.score, SURE, "{position}: {turn}");
}

/// The loser made the same capture, and landed one cell further.
#[test]
fn a_capture_that_wins_the_king_is_found() {
    assert_wins(
        "2SC2K1S/5SSSS/s3SSSSS/3s3SS/sss4SS/sss5C/1c1ss3S/kscsssc2/1s1ssss2 1 15 C 0",
        "d9xd5",
        150_000,
    );
}

/// The turn by which the other side won a game.
#[test]
fn a_quiet_turn_that_wins_the_king_is_found() {
    let opening = "2C1S1SSS/3SSK1SS/s3S1CSS/ss3SSSS/c1s3SSS/c1ss3S1/sssss3C/s1ss1c3/sk1ssss2 1 11 - 0";
    assert_wins(opening, "f8-g8", 1_000_000);
}

/// A search of 30,000 nodes plays it.
#[test]
fn a_turn_after_which_the_king_is_lost_is_not_played() {
    let position = "1C3SSSS/3SSS1K1/s3SSSSS/ss3SSSC/ss4SS1/1s1s3S1/k1css4/ss1sssc2/sss2s3 1 19 C 0";
    let mut game = AnyMatch::from_text(Ruleset::Fenix, position).unwrap();
    assert_ne!(search(&game, 150_000).turn, ["h5+h4"]);
    game.play(&["h5+h4"]).unwrap();
    let answer = search(&game, 150_000);
    assert_eq!(answer.turn, ["g2-i2"]);
    assert_eq!(answer.score, SURE);
}

/// Played out eight times by searches of 150,000 to 300,000 nodes, this turn won six games and lost two. Three others lost all;
/// searches of 400,000 nodes and more still take them for better.
#[test]
fn the_turn_that_holds_is_found() {
    let position = "C5/7/8/3S4S/2P1S1ppp1/3P1sp4/1PPPsSsp2/1s1S2Sp1/3s4/2P4/1s3c 2 8 6/6";
    let game = AnyMatch::from_text(Ruleset::Fibonacci, position).unwrap();
    assert_eq!(search(&game, 100_000).turn.join(" "), "g2-g3 g3-g5 g4-e4 g5-d3 d2-e6 g8-g6");
}
