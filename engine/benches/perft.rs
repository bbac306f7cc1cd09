//! How fast the rules are: `cargo bench -p engine`. Items are leaves, or turns.

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

/// In the second phase, where captures are looked for.
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

/// What the server asks for each turn: six actions checked, played and recorded with their texts and routes.
#[divan::bench]
fn turn_of_six_actions(bencher: Bencher<'_, '_>) {
    const POSITION: &str = "CSSSSS/1S5/8/8p/2P3ppp1/3P3p3/1PPP3p2/P8/8/5s1/sssssc 1 7 6/6";
    let game = AnyMatch::from_text(Ruleset::Fibonacci, POSITION).expect("a valid position");
    let turn = ["f11-a5", "a5-f11", "f11-a5", "a5-f11", "f11-a5", "a5-f11"];
    bencher.counter(ItemsCount::new(1u32)).with_inputs(|| game.clone()).bench_local_refs(|game| {
        assert_eq!(game.play(&turn).map(<[_]>::len), Ok(6));
    });
}
