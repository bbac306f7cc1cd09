//! Makes the book of openings of `fibonacci`: the first turn that leaves the other side the least, and the best answer to each
//! first turn.

use std::io::{self, Write};

use anyhow::Context;
use engine::{AnyMatch, Ruleset};
use search::{Limit, Searcher, Settings};

/// Nodes of the search of an answer.
const NODES: u64 = 6_000_000;

/// Number of first turns that are searched with [`DEEPER`] times the nodes, since a player begins with the best of them.
const N_BEST: usize = 5;
const DEEPER: u64 = 8;

/// A first turn with the best answer.
struct Opening {
    first: String,
    answer: String,
    /// The chance of the second side.
    score: f32,
    is_deep: bool,
}

fn main() -> anyhow::Result<()> {
    let start = AnyMatch::new(Ruleset::Fibonacci);
    let mut openings = Vec::new();
    for first in start.draft::<&str>(&[])?.legal() {
        openings.push(opening(&start, first.text, false)?);
    }
    loop {
        openings.sort_by(|a, b| a.score.total_cmp(&b.score));
        let Some(shallow) = openings.iter_mut().take(N_BEST).find(|opening| !opening.is_deep) else { break };
        *shallow = opening(&start, shallow.first.clone(), true)?;
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
fn opening(start: &AnyMatch, first: String, is_deep: bool) -> anyhow::Result<Opening> {
    let mut game = start.clone();
    game.play(&[&first])?;
    let nodes = if is_deep { NODES * DEEPER } else { NODES };
    let limit = Limit { nodes: Some(nodes), ..Limit::default() };
    let found = Searcher::new(0).search(&game, &limit, &Settings::default(), &mut |_| {});
    let found = found.context("no turn was found")?;
    let opening = Opening { first, answer: found.turn.join(" "), score: found.score, is_deep };
    eprintln!("{}: {} {:.3}", opening.first, opening.answer, opening.score);
    Ok(opening)
}
