//! Makes puzzles from games of weak players against each other, and writes them as the files of the crate.
//!
//! Each game gives at most one puzzle. No two puzzles of a ruleset are alike, apart from symmetries and a few pieces.
//! The same options give the same files.

mod games;
mod pattern;

use std::{fs, io::Write, path::PathBuf};

use anyhow::Context;
use clap::Parser;
use engine::{AnyMatch, Ruleset};
use search::puzzle::{Proof, Puzzle, first_moves, prove};

use self::{games::Games, pattern::Pattern};

/// Maximum number of nodes of a proof, so that all of them are proven again within seconds.
const MAX_NODES: u64 = 400_000;

/// Makes puzzles from games of weak players against each other.
#[derive(Parser)]
#[command(version)]
struct Options {
    /// All rulesets by default.
    #[arg(long)]
    ruleset: Vec<Ruleset>,
    /// Maximum number of puzzles of a ruleset.
    #[arg(long, default_value_t = 60)]
    puzzles: usize,
    /// Maximum number of games of a ruleset.
    #[arg(long, default_value_t = 4000)]
    games: u64,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The folder of the files.
    #[arg(long, default_value = "engine/search/puzzles")]
    folder: PathBuf,
}

/// A puzzle without its grade.
struct Candidate {
    puzzle: Puzzle,
    pattern: Pattern,
    /// The kinds of which there should be equally many.
    kind: u8,
    /// Measure of the difficulty.
    difficulty: f64,
}

/// The puzzles found so far.
struct Collection {
    max: usize,
    /// Maximum number of a kind.
    max_of_kind: usize,
    /// Maximum number of those in Fibonacci in which the other side's centre can stay where it is.
    max_without_pull: usize,
    n_without_pull: usize,
    candidates: Vec<Candidate>,
}

impl Collection {
    fn new(ruleset: Ruleset, max: usize) -> Self {
        let n_kinds = if ruleset.has_drops() { 2 } else { 4 };
        let max_of_kind = max.div_ceil(n_kinds);
        Self { max, max_of_kind, max_without_pull: max / 4, n_without_pull: 0, candidates: Vec::new() }
    }

    fn is_full(&self) -> bool {
        self.candidates.len() >= self.max
    }

    /// Whether a puzzle of a kind, with a pattern, is wanted.
    fn wants(&self, kind: u8, pattern: &Pattern) -> bool {
        let same_kind = self.candidates.iter().filter(|other| other.kind == kind).count();
        same_kind < self.max_of_kind && self.candidates.iter().all(|other| !pattern.is_like(&other.pattern))
    }
}

const fn is_fibonacci(ruleset: Ruleset) -> bool {
    matches!(ruleset, Ruleset::Fibonacci | Ruleset::FibonacciMixed | Ruleset::FibonacciCards)
}

/// Makes a puzzle of a position, if it is one that the collection wants.
fn candidate(game: &AnyMatch, collection: &mut Collection) -> anyhow::Result<Option<Candidate>> {
    let kind = match game {
        AnyMatch::Fibonacci(game) => game.position().actions_left(),
        AnyMatch::Fenix(_) | AnyMatch::Stacks(_) => 0,
    };
    let pattern = Pattern::of(game)?;
    if is_fibonacci(game.ruleset()) && !collection.wants(kind, &pattern) {
        return Ok(None);
    }
    let Ok(mut proof) = prove(game, MAX_NODES) else { return Ok(None) };
    let kind = if is_fibonacci(game.ruleset()) { kind } else { kind_of(&proof) };
    if !collection.wants(kind, &pattern) {
        return Ok(None);
    }
    let is_without_pull = matches!(game, AnyMatch::Fibonacci(_)) && !proof.is_pull;
    if is_without_pull && collection.n_without_pull >= collection.max_without_pull {
        return Ok(None);
    }
    if let Some((n_solutions, n_legal)) = first_moves(game) {
        (proof.n_solutions, proof.n_legal) = (n_solutions, n_legal);
    }
    // A task that more than a tenth of the turns solve is too easy.
    if proof.n_solutions * 10 > proof.n_legal.max(10) {
        return Ok(None);
    }
    collection.n_without_pull += usize::from(is_without_pull);
    let puzzle = Puzzle {
        id: id(game),
        position: game.position_text(),
        gain: proof.gain,
        grade: 0,
        nodes: proof.nodes,
        solution: proof.solution.clone(),
    };
    Ok(Some(Candidate { puzzle, pattern, kind, difficulty: difficulty(&proof, kind) }))
}

/// The kind of a puzzle of another game than Fibonacci: its gain, or whether its solution begins with a drop.
fn kind_of(proof: &Proof) -> u8 {
    let begins_with_drop = proof.solution.iter().take(1).flatten().any(|action| action.starts_with('*'));
    proof.gain.map_or(u8::from(begins_with_drop), |gain| gain.min(4))
}

/// A measure of the difficulty: more nodes, fewer solutions and more moves are harder.
fn difficulty(proof: &Proof, n_moves: u8) -> f64 {
    let share = proof.n_solutions.max(1) as f64 / proof.n_legal.max(1) as f64;
    (proof.nodes.max(1) as f64).ln() - share.ln() + f64::from(n_moves)
}

/// Eight digits that follow from the ruleset and the position.
fn id(game: &AnyMatch) -> String {
    // FNV-1a, folded to 32 bits.
    let text = format!("{} {}", game.ruleset().id(), game.position_text());
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{:08x}", (hash >> 32) as u32 ^ hash as u32)
}

/// The puzzles of a ruleset, from the easiest on.
fn puzzles(options: &Options, ruleset: Ruleset) -> anyhow::Result<Vec<Puzzle>> {
    let mut collection = Collection::new(ruleset, options.puzzles);
    let mut games = Games::new(ruleset, options.seed);
    for number in 0..options.games {
        if collection.is_full() {
            break;
        }
        let mut found = None;
        games.play(number, &mut |game| {
            found = candidate(game, &mut collection)?;
            Ok(found.is_some())
        })?;
        collection.candidates.extend(found);
        if number % 100 == 99 {
            eprintln!("{ruleset}: {} games, {} puzzles", number + 1, collection.candidates.len());
        }
    }
    let mut candidates = collection.candidates;
    candidates
        .sort_by(|a, b| a.difficulty.total_cmp(&b.difficulty).then_with(|| a.puzzle.id.cmp(&b.puzzle.id)));
    let n = candidates.len().max(1);
    let graded = candidates.into_iter().enumerate();
    Ok(graded
        .map(|(index, Candidate { puzzle, .. })| Puzzle { grade: (1 + 5 * index / n) as u8, ..puzzle })
        .collect())
}

fn main() -> anyhow::Result<()> {
    let options = Options::parse();
    let rulesets = if options.ruleset.is_empty() { Ruleset::ALL.to_vec() } else { options.ruleset.clone() };
    for ruleset in rulesets {
        let path = options.folder.join(format!("{ruleset}.jsonl"));
        let mut lines = Vec::new();
        for puzzle in puzzles(&options, ruleset)? {
            serde_json::to_writer(&mut lines, &puzzle)?;
            lines.write_all(b"\n")?;
        }
        fs::write(&path, lines).with_context(|| format!("{}", path.display()))?;
    }
    Ok(())
}
