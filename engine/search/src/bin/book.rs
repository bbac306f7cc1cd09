//! Makes a book of openings: the first turn that leaves the other side the least, and the best answer to each.

use std::io::{self, Write};

use anyhow::Context;
use clap::Parser;
use engine::{AnyMatch, Ruleset};
use search::{Limit, Searcher, Settings};

/// Memory of the tables in bytes.
const TABLE_BYTES: usize = 64 << 20;

/// First turns that are searched with [`DEEPER`] times the nodes, since a player begins with the best of them.
const N_BEST: usize = 5;
const DEEPER: u64 = 8;

/// Makes the book of a ruleset, on standard output.
#[derive(Parser)]
struct Options {
    #[arg(long)]
    ruleset: Ruleset,
    /// Nodes of the search of an answer.
    #[arg(long, default_value_t = 6_000_000)]
    nodes: u64,
}

/// A first turn with the best answer.
struct Opening {
    first: String,
    answer: String,
    /// The chance of the second side.
    score: f32,
    is_deep: bool,
}

fn main() -> anyhow::Result<()> {
    let Options { ruleset, nodes } = Options::parse();
    let start = AnyMatch::new(ruleset);
    let mut openings = Vec::new();
    for first in start.draft::<&str>(&[])?.legal() {
        openings.push(opening(&start, first.text, nodes, false)?);
    }
    loop {
        openings.sort_by(|a, b| a.score.total_cmp(&b.score));
        let Some(shallow) = openings.iter_mut().take(N_BEST).find(|opening| !opening.is_deep) else { break };
        *shallow = opening(&start, shallow.first.clone(), nodes * DEEPER, true)?;
    }
    let mut out = io::stdout().lock();
    let best = openings.first().context("a first turn")?;
    writeln!(out, ": {} {:.2}", best.first, 1.0 - best.score)?;
    for Opening { first, answer, score, .. } in &openings {
        writeln!(out, "{first}: {answer} {score:.2}")?;
    }
    Ok(())
}

/// Searches for the answer to a first turn.
fn opening(start: &AnyMatch, first: String, nodes: u64, is_deep: bool) -> anyhow::Result<Opening> {
    let mut game = start.clone();
    game.play(&[&first])?;
    let limit = Limit { nodes: Some(nodes), ..Limit::default() };
    let found = Searcher::new(TABLE_BYTES).search(&game, &limit, &Settings::default(), &mut |_| {});
    let found = found.context("no turn was found")?;
    let opening = Opening { first, answer: found.turn.join(" "), score: found.score, is_deep };
    eprintln!("{}: {} {:.3}", opening.first, opening.answer, opening.score);
    Ok(opening)
}
