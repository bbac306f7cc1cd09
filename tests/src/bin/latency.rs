//! Latency of a turn from a player to the acknowledgement, over loopback, with a hundred games at once.
//!
//! `cargo run --release -p system-tests --bin latency -- --database-url URL`

use std::{
    process::ExitCode,
    time::{Duration, Instant},
};

use engine::{AnyMatch, Ruleset};
use system_tests::{database::Database, pair::Pair, server::Server};
use tokio::task::JoinSet;

const GAMES: u32 = 100;

/// Number of turns in each game: half of them with pauses, half without.
const TURNS: usize = 80;

#[tokio::main]
async fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [option, url] = &arguments[..] else { return usage() };
    if option != "--database-url" {
        return usage();
    }
    let database = Database::at(url);
    let server = Server::start_with(&database, &["--messages-per-second", "100000"]).await;
    let mut pairs = Vec::new();
    for _ in 0..GAMES {
        pairs.push(Pair::open(&server, Ruleset::Fibonacci.id()).await);
    }

    let turns = a_long_game();
    let (calm, rush) = turns.split_at(TURNS / 2);
    pairs = measure("a turn each quarter of a second", pairs, calm, Duration::from_millis(250)).await;
    measure("each turn at once after the one before", pairs, rush, Duration::ZERO).await;
    ExitCode::SUCCESS
}

fn usage() -> ExitCode {
    eprintln!("usage: latency --database-url sqlite://FILE|postgres://…");
    ExitCode::from(2)
}

/// Plays the same turns in all games at once, and prints the latencies of the acknowledgements.
#[expect(clippy::print_stdout, reason = "the program prints its figures")]
async fn measure(how: &str, pairs: Vec<Pair>, turns: &[Vec<String>], pause: Duration) -> Vec<Pair> {
    let began = Instant::now();
    let mut games = JoinSet::new();
    for (number, pair) in (0..).zip(pairs) {
        let first_turn = began + pause * number / GAMES;
        games.spawn(play(pair, turns.to_vec(), first_turn, pause));
    }
    let (pairs, latencies): (Vec<Pair>, Vec<Vec<Duration>>) = games.join_all().await.into_iter().unzip();
    let took = began.elapsed().as_secs_f64();
    let mut latencies = latencies.concat();
    latencies.sort_unstable();
    let at = |percent: usize| latencies[(latencies.len() * percent).div_ceil(100) - 1].as_secs_f64() * 1e3;
    let rate = latencies.len() as f64 / took;
    println!("{GAMES} games, {how}: {} turns in {took:.1} s, {rate:.0} turns/s", latencies.len());
    println!("  turn -> ack: p50 {:.2} ms, p95 {:.2} ms, p99 {:.2} ms", at(50), at(95), at(99));
    pairs
}

/// Both players of a pair play the turns one after the other.
async fn play(
    mut pair: Pair,
    turns: Vec<Vec<String>>,
    first_turn: Instant,
    pause: Duration,
) -> (Pair, Vec<Duration>) {
    let mut latencies = Vec::with_capacity(turns.len());
    let mut due = tokio::time::Instant::from_std(first_turn);
    for actions in &turns {
        tokio::time::sleep_until(due).await;
        due += pause;
        let game = pair.game.clone();
        let (mover, other) = pair.by_turn();
        let sent = Instant::now();
        let answer = mover.socket.turn(&game, actions).await;
        latencies.push(sent.elapsed());
        let version = answer["version"].as_u64().unwrap_or_else(|| panic!("refused: {answer}"));
        for seat in [mover, other] {
            seat.socket.until_version(&game, version).await;
            seat.socket.discard_waiting();
        }
    }
    (pair, latencies)
}

/// Whole turns of a game that is not over after them.
fn a_long_game() -> Vec<Vec<String>> {
    let mut game = AnyMatch::new(Ruleset::Fibonacci);
    let mut state: u64 = 1;
    let mut pick = |count: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % count
    };
    while game.turns().len() < TURNS {
        let mut actions: Vec<String> = Vec::new();
        loop {
            let draft = game.draft(&actions).expect("the actions are legal");
            if draft.complete {
                break;
            }
            let legal = draft.legal();
            actions.push(legal[pick(legal.len())].text.clone());
        }
        let mut next = game.clone();
        next.play(&actions).expect("the turn is whole");
        if next.outcome().is_none() {
            game = next;
        }
    }
    let turns = game.turns().iter();
    turns.map(|turn| turn.actions().map(str::to_owned).collect()).collect()
}
