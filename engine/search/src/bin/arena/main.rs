//! Matches between two players from random openings, with sides swapped, and their result as a row of a table.

mod entrant;
mod game;
mod player;
mod program;
mod results;

use std::{
    path::{Path, PathBuf},
    sync::atomic::{AtomicU32, Ordering},
};

use anyhow::{Context, ensure};
use clap::Parser;
use engine::Ruleset;

use self::{
    entrant::Entrant,
    game::{Game, play_pair},
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
    /// `full@5000` nodes.
    #[arg(long)]
    one: Entrant,
    /// The other player, named likewise.
    #[arg(long, required_unless_present = "other_program")]
    other: Option<Entrant>,
    /// A program in its place that speaks the line protocol of `bot`: its path and arguments, separated by spaces.
    #[arg(long, conflicts_with = "other")]
    other_program: Option<String>,
    /// Number of games, rounded up to an even number.
    #[arg(long, default_value_t = 200)]
    games: u32,
    /// Time per turn in milliseconds.
    #[arg(long)]
    time_ms: Option<u64>,
    /// Counts the processor's time of a turn instead of the time that passes, for a busy machine. A program has to count
    /// it likewise by itself.
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
    /// Writes a record of each lost game of the first player into this folder.
    #[arg(long)]
    lost: Option<PathBuf>,
}

fn main() -> anyhow::Result<()> {
    let options = Options::parse();
    let other = options.other.clone().or_else(|| options.other_program.clone().map(Entrant::program));
    let entrants = [options.one.clone(), other.context("another player")?];
    ensure!(
        entrants.iter().all(|entrant| entrant.limit.is_some())
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
            let (sender, options, entrants, next) = (sender.clone(), &options, &entrants, &next);
            scope.spawn(move || {
                let mut players = entrants.each_ref().map(Player::new);
                loop {
                    let pair = next.fetch_add(1, Ordering::Relaxed);
                    if pair >= n_pairs
                        || sender.send((pair, play_pair(options, entrants, &mut players, pair))).is_err()
                    {
                        break;
                    }
                }
            });
        }
        drop(sender);
        for (index, pair) in &receiver {
            if let Some(folder) = &options.lost {
                keep_lost(&pair, folder, index)?;
            }
            results.add(pair, &options);
            if options.sprt.is_some_and(|sprt| results.is_decided(sprt)) {
                break;
            }
        }
        // The players notice that nobody listens, and end.
        drop(receiver);
        anyhow::Ok(())
    })?;
    if options.markdown {
        results.print_row(&options, &entrants)
    } else {
        results.print(&options, &entrants)
    }
    Ok(())
}

/// Writes the records of the games of a pair that the first player lost.
fn keep_lost(pair: &[Game; 2], folder: &Path, index: u32) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder)?;
    for game in pair.iter().filter(|game| game.points == 0.0) {
        let name = format!("{}-{index}-{}.txt", game.record.ruleset, game.one.digit());
        std::fs::write(folder.join(name), game.record.to_text())?;
    }
    Ok(())
}
