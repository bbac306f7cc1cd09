//! The speed of the rules: `cargo bench -p engine`. Items are leaves, or turns.

use divan::{Bencher, counter::ItemsCount};
use engine::{AnyMatch, Ruleset, Seed};

fn main() {
    divan::main();
}

fn perft(bencher: Bencher<'_, '_>, ruleset: Ruleset, depth: u32, leaves: u64) {
    let game = AnyMatch::new(ruleset).with_seed(Seed::new([0; 32]));
    bencher.counter(ItemsCount::new(leaves)).bench_local(|| {
        let counted = divan::black_box(&game).perft(depth);
        assert_eq!(counted, leaves);
        counted
    });
}

#[divan::bench(sample_count = 20, sample_size = 1)]
fn perft_4_fibonacci(bencher: Bencher<'_, '_>) {
    perft(bencher, Ruleset::Fibonacci, 4, 263_959_247);
}

#[divan::bench(sample_count = 20, sample_size = 1)]
fn perft_4_fibonacci_mixed(bencher: Bencher<'_, '_>) {
    perft(bencher, Ruleset::FibonacciMixed, 4, 266_863_467);
}

#[divan::bench(sample_count = 20, sample_size = 1)]
fn perft_4_fibonacci_cards(bencher: Bencher<'_, '_>) {
    perft(bencher, Ruleset::FibonacciCards, 4, 216_652_081);
}

#[divan::bench(sample_count = 10, sample_size = 1)]
fn perft_5_fenix(bencher: Bencher<'_, '_>) {
    perft(bencher, Ruleset::Fenix, 5, 2_657_856_960);
}

/// A position of the second phase, in which captures are searched for.
#[divan::bench(sample_count = 20, sample_size = 1)]
fn perft_5_fenix_after_the_set_up(bencher: Bencher<'_, '_>) {
    const POSITION: &str =
        "2SSSSS1C/3SS1S1S/s4KSCS/ss3SSSS/k1s3SSS/1sss3C1/1ccss3S/cs1sss3/1ssssss2 1 11 - 0";
    let game = AnyMatch::from_text(Ruleset::Fenix, POSITION).expect("a valid position");
    bencher.counter(ItemsCount::new(23_223_773u64)).bench_local(|| {
        assert_eq!(divan::black_box(&game).perft(5), 23_223_773);
    });
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn perft_4_focus(bencher: Bencher<'_, '_>) {
    perft(bencher, Ruleset::Focus, 4, 457_618_256);
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn perft_5_focus_classic(bencher: Bencher<'_, '_>) {
    perft(bencher, Ruleset::FocusClassic, 5, 1_298_133_752);
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn perft_5_crossfire(bencher: Bencher<'_, '_>) {
    perft(bencher, Ruleset::Crossfire, 5, 6_302_390_532);
}

/// The cost of a turn does not grow with the length of the game: earlier turns are looked up by their hash.
#[divan::bench(args = [20, 800])]
fn turn_after(bencher: Bencher<'_, '_>, n_turns: usize) {
    let mut game = AnyMatch::new(Ruleset::FibonacciMixed);
    let mut dice: u64 = 7;
    while game.turns().len() < n_turns {
        let turn = turn_of_chance(&game, &mut dice);
        game.play(&turn).expect("a legal turn");
    }
    let turn = turn_of_chance(&game, &mut dice);
    bencher.counter(ItemsCount::new(1u32)).with_inputs(|| game.clone()).bench_local_refs(|game| {
        assert!(game.play(&turn).is_ok());
    });
}

fn turn_of_chance(game: &AnyMatch, dice: &mut u64) -> Vec<String> {
    let mut turn = Vec::new();
    loop {
        let draft = game.draft(&turn).expect("a legal beginning");
        if draft.complete {
            return turn;
        }
        let legal = draft.legal();
        *dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        turn.push(legal[(*dice >> 33) as usize % legal.len()].text.clone());
    }
}

/// The leaves played as a search would, not only counted.
#[divan::bench(sample_count = 20, sample_size = 1)]
fn perft_3_fibonacci_played(bencher: Bencher<'_, '_>) {
    let game = AnyMatch::new(Ruleset::Fibonacci);
    bencher.counter(ItemsCount::new(2_153_316u64)).bench_local(|| {
        assert_eq!(divan::black_box(&game).perft_played(3), 2_153_316);
    });
}

/// The work of the server for each turn: six actions checked, played and recorded with their texts.
#[divan::bench]
fn turn_of_six_actions(bencher: Bencher<'_, '_>) {
    const POSITION: &str = "CSSSSS/1S5/8/8p/2P3ppp1/3P3p3/1PPP3p2/P8/8/5s1/sssssc 1 7 6/6";
    let game = AnyMatch::from_text(Ruleset::Fibonacci, POSITION).expect("a valid position");
    let turn = ["f11-a5", "a5-f11", "f11-a5", "a5-f11", "f11-a5", "a5-f11"];
    bencher.counter(ItemsCount::new(1u32)).with_inputs(|| game.clone()).bench_local_refs(|game| {
        assert_eq!(game.play(&turn), Ok(()));
    });
}
