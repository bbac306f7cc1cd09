//! Tests of RULES 0.10 against the published counts.

use engine::{
    AnyMatch,
    Ruleset::{self, Crossfire, Fenix, Fibonacci, FibonacciCards, FibonacciMixed, Focus, FocusClassic},
    Seed,
};

use crate::{START, new, read};

const SET_UP: &str = "2SSSSSSS/3SSSSSS/s3SSSSS/ss3SSSS/sss3SSS/ssss3SS/sssss3S/ssssss3/sssssss2 1 1 - 0";

#[track_caller]
fn check(ruleset: Ruleset, position: &str, counts: &[u64]) {
    let game = read(ruleset, position).with_seed(Seed::new([0; 32]));
    for (depth, count) in (1..).zip(counts) {
        assert_eq!(game.perft(depth), *count, "{ruleset}, depth {depth}, {position}");
    }
}

#[test]
fn fibonacci_from_the_start() {
    check(Fibonacci, START, &[132, 17_424, 2_153_316, 263_959_247]);
}

#[test]
fn fibonacci_later() {
    check(
        Fibonacci,
        "SCSS1p/1S3S1/4p3/7p1/3S1p4/1s9/1P1P4p1/9/1PP3ss/2s2c1/Ps1Psp 1 21 1/6",
        &[68, 4_348, 284_551, 18_783_734],
    );
}

#[test]
fn fibonacci_mixed_from_the_start() {
    check(FibonacciMixed, START, &[132, 17_424, 2_156_352, 266_863_467]);
}

#[test]
fn fibonacci_mixed_later() {
    check(
        FibonacciMixed,
        "6/SS3S1/P1PpSS2/C1P6/8p1/2S1P6/4sP2p1/2s2p3/P3spcs/1s3s1/2p3 1 21 1/6",
        &[124, 14_516, 1_735_527],
    );
}

#[test]
fn fibonacci_cards_from_the_start() {
    let game = AnyMatch::new(FibonacciCards).with_seed(Seed::new([0; 32]));
    check(FibonacciCards, game.start_text(), &[132, 16_313, 1_913_241]);
}

#[test]
fn fibonacci_cards_later() {
    check(
        FibonacciCards,
        "C1S3/1S3S1/1Sp5/3Sp2pp/1P2S5/P10/PP3p4/6sp1/P1s1s1s1/1cs4/P2s2 1 21 1/1",
        &[73, 5_706, 457_674, 37_188_166],
    );
}

#[test]
fn fenix_from_the_start() {
    check(Fenix, SET_UP, &[84, 7_056, 530_208, 39_841_344]);
}

#[test]
fn fenix_later() {
    check(
        Fenix,
        "2SSSSS1C/3SS1S1S/s4KSCS/ss3SSSS/k1s3SSS/1sss3C1/1ccss3S/cs1sss3/1ssssss2 1 11 - 0",
        &[32, 873, 27_330, 751_177],
    );
}

#[test]
fn focus_from_the_start() {
    check(Focus, &start(Focus), &[324, 102_240, 6_952_320]);
}

#[test]
fn focus_later() {
    check(
        Focus,
        ".,.,.,./o,x,o,x,o,o/.,x,x,o,o,.,xx,./.,o,.,o,x,o,.,./.,x,x,ox,ox,.,xo,./.,x,o,ox,.,.,.,./\
         .,x,oo,.,xxox,./.,.,.,o 2 20 0 0",
        &[52, 3_832, 202_604, 14_506_773],
    );
}

#[test]
fn focus_classic_from_the_start() {
    check(FocusClassic, &start(FocusClassic), &[68, 4_460, 299_912, 19_521_582]);
}

#[test]
fn focus_classic_later() {
    check(
        FocusClassic,
        ".,.,.,./.,o,x,xo,.,o/.,xo,xxo,o,.,o,x,./o,.,oxx,.,.,.,o,./.,x,.,ox,x,.,.,./x,o,oxo,x,.,o,ox,./\
         .,x,.,o,x,x/.,o,.,. 2 20 0 0",
        &[69, 3_965, 268_158, 15_524_168],
    );
}

#[test]
fn crossfire_from_the_start() {
    check(Crossfire, &start(Crossfire), &[93, 8_484, 776_925, 69_855_543]);
}

#[test]
fn crossfire_later() {
    check(
        Crossfire,
        "./o,.,x,xo/.,.,o,xx,.,.,./oo,o,o,.,oo,xx/.,x,x,o,o,o,o/x,x,.,xx,x,x/.,xo,.,oxo,x,x,./.,o,o,./. 2 20 0 0",
        &[98, 7_721, 746_175, 58_860_508],
    );
}

fn start(ruleset: Ruleset) -> String {
    AnyMatch::new(ruleset).position_text()
}

#[test]
fn perft_of_depth_0_is_1() {
    assert_eq!(AnyMatch::new(Fibonacci).perft(0), 1);
}

/// Perft counts the last ply without playing it. Playing every ply gives the same count.
#[test]
fn counting_agrees_with_playing_the_last_ply() {
    fn count(game: &AnyMatch, turn: &[String], depth: u32) -> u64 {
        let Ok(draft) = game.draft(turn) else { return 0 };
        if depth == 0 {
            return 1;
        }
        if draft.complete {
            let mut next = game.clone();
            next.play(turn).unwrap();
            return if next.outcome().is_some() { 0 } else { count(&next, &[], depth) };
        }
        let mut total = 0;
        for action in draft.legal() {
            total += count(game, &[turn, &[action.text]].concat(), depth - 1);
        }
        total
    }
    for ruleset in Ruleset::ALL {
        let game = new(ruleset);
        assert_eq!(count(&game, &[], 2), game.perft(2));
    }
}
