use std::fmt;

/// The result of a search, or the best one so far.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    /// The texts of the actions of the best turn, which is complete and legal.
    pub turn: Vec<String>,
    /// The chance of the side to move to win, 0 to 1. A draw counts as half a win.
    pub score: f32,
    /// The best turns, the best one first, as many as were asked for and found.
    pub lines: Vec<ScoredLine>,
    /// Number of positions visited.
    pub nodes: u64,
    /// Depth reached: plies in games of one action a turn, and in Fibonacci the number of turns whose answers were searched.
    pub depth: u32,
}

/// A turn with its score.
#[derive(Clone, PartialEq, Debug)]
pub struct ScoredLine {
    /// The turns expected from here, each as the texts of its actions. The first one is complete and legal.
    pub turns: Vec<Vec<String>>,
    /// The chance of the side to move to win, 0 to 1.
    pub score: f32,
}

impl Report {
    /// The report of a single turn.
    pub(crate) fn of_turn<A: fmt::Display>(turn: &[A], score: f32, nodes: u64, depth: u32) -> Self {
        let turn = texts(turn);
        Self { lines: vec![ScoredLine { turns: vec![turn.clone()], score }], turn, score, nodes, depth }
    }
}

/// The texts of the actions of a turn.
pub(crate) fn texts<A: fmt::Display>(turn: &[A]) -> Vec<String> {
    turn.iter().map(ToString::to_string).collect()
}
