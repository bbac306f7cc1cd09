//! Matches between two players from random openings, with sides swapped, and their result as a row of a table.

mod entrant;
mod game;
mod player;
mod results;

use std::sync::atomic::{AtomicU32, Ordering};

use anyhow::ensure;
use clap::Parser;
use engine::Ruleset;

use self::{
    entrant::Entrant,
    game::play_pair,
    player::Player,
    results::{Results, Sprt},
};

/// Plays matches between two players. Each opening is played twice, with sides swapped.
#[derive(Parser)]
#[command(version)]
struct Options {
    #[arg(long)]
    ruleset: Ruleset,
    /// `full`, `level-1` to `level-8`, `random`, `greedy` or `uct`, and after an `@` its own limit: `full@200ms` or
    /// `full@5000` nodes. Also `program:PATH ARGUMENTS`, a program with the line protocol of `bot`.
    #[arg(long)]
    one: Entrant,
    #[arg(long)]
    other: Entrant,
    /// Number of games, rounded up to an even number.
    #[arg(long, default_value_t = 200)]
    games: u32,
    /// Time per turn in milliseconds.
    #[arg(long)]
    time_ms: Option<u64>,
    /// Counts the processor's time of a turn instead of the time that passes, for a busy machine.
    #[arg(long)]
    cpu: bool,
    /// Nodes per turn.
    #[arg(long)]
    nodes: Option<u64>,
    /// Seed of openings, cards and players.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games played at the same time.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=64))]
    threads: u32,
    /// Random turns at the beginning of a game. The default depends on the ruleset.
    #[arg(long)]
    opening: Option<u32>,
    /// Runs a sequential probability ratio test (SPRT) of `elo0,elo1`, and stops when one hypothesis is rejected.
    #[arg(long)]
    sprt: Option<Sprt>,
    /// Prints a row of a Markdown table.
    #[arg(long)]
    markdown: bool,
    /// Prints each lost game of the first player.
    #[arg(long)]
    show_losses: bool,
}

fn main() -> anyhow::Result<()> {
    let options = Options::parse();
    ensure!(
        [&options.one, &options.other].iter().all(|entrant| entrant.limit.is_some())
            || options.time_ms.is_some()
            || options.nodes.is_some(),
        "a limit is needed: --time-ms or --nodes, or one after the names"
    );
    let mut results = Results::default();
    let n_pairs = options.games.div_ceil(2);
    let next = AtomicU32::new(0);
    let (sender, receiver) = std::sync::mpsc::sync_channel(64);
    std::thread::scope(|scope| {
        for _ in 0..options.threads {
            let (sender, options, next) = (sender.clone(), &options, &next);
            scope.spawn(move || {
                let players = [Player::new(&options.one), Player::new(&options.other)];
                let [Ok(one), Ok(other)] = players else {
                    for error in players.into_iter().filter_map(Result::err) {
                        eprintln!("{error:#}");
                    }
                    return;
                };
                let mut players = [one, other];
                loop {
                    let pair = next.fetch_add(1, Ordering::Relaxed);
                    if pair >= n_pairs || sender.send(play_pair(options, &mut players, pair)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        for pair in &receiver {
            results.add(pair, &options);
            if options.sprt.is_some_and(|sprt| results.is_decided(sprt)) {
                break;
            }
        }
        // The players notice that nobody listens, and end.
        drop(receiver);
    });
    if options.markdown {
        results.print_row(&options)
    } else {
        results.print(&options)
    }
    Ok(())
}
