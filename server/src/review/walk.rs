//! The search of a review, a turn at a time. It is pure: the same record gives the same review.

use std::sync::{Arc, atomic::AtomicBool};

use engine::{
    AnyMatch, CardError, Side, TextError, TurnError,
    record::{Record, RecordError, Turn},
};
use protocol::{BetterTurn, Review, ReviewProgress, ReviewedTurn};
use search::{Level, Limit, Searcher, Settings};

/// Number of nodes of each search: a fifth of a second on a slow core. A turn takes up to three searches, one of which
/// the next turn reuses, so a game of forty turns takes a quarter of a minute.
pub(crate) const NODES: u64 = 100_000;

/// Maximum number of turns that are reviewed, the first ones of a game.
pub(super) const MAX_TURNS: usize = 300;

/// Bytes of the tables of a searcher. Each turn has a new one, so that its score does not depend on other searches.
const TABLE_BYTES: usize = 4 << 20;

/// Least difference of the chances to win by which the search clearly prefers another turn.
const CLEARLY: f32 = 0.08;

/// A record that no game has, written by a bug or by another program.
#[derive(Debug, thiserror::Error)]
pub(super) enum Flaw {
    #[error("the record is invalid: {0}")]
    Record(#[from] RecordError),
    #[error("the record has no end")]
    NotOver,
    #[error("the start is invalid: {0}")]
    Start(#[from] TextError),
    #[error("a turn cannot have been played: {0}")]
    Turn(#[from] TurnError),
    #[error("a card cannot have been turned over: {0}")]
    Card(#[from] CardError),
    #[error("a position has no score")]
    Unscored,
}

/// A walk through a game. Its match never has the seed of the cards: it gets each card when its turn begins.
#[derive(Clone, Debug)]
pub(super) struct Walk {
    game: AnyMatch,
    /// All turns of the record, with the one that was only begun.
    turns: Arc<[Turn]>,
    n_reviewed: usize,
    n_nodes: u64,
    /// The search of the current position, if the turn before has made it.
    found: Option<Found>,
    reviewed: Vec<ReviewedTurn>,
}

/// The result of a position.
#[derive(Clone, Debug)]
struct Found {
    /// The first side's chance to win.
    score: f32,
    /// The best turn; `None` if the game is over.
    best: Option<Vec<String>>,
}

impl Walk {
    /// Begins with the first turn of a record.
    ///
    /// # Errors
    /// The start or its card is invalid, or the game is not over.
    pub(super) fn begin(record: &Record, n_nodes: u64) -> Result<Self, Flaw> {
        if record.ending.is_none() {
            return Err(Flaw::NotOver);
        }
        let game = match &record.start {
            Some(start) => AnyMatch::from_text(record.ruleset, start.as_str())?,
            None => AnyMatch::new(record.ruleset),
        };
        let n_played = record.turns.iter().filter(|turn| !turn.actions.is_empty()).count();
        let mut walk = Self {
            game,
            turns: record.turns.as_slice().into(),
            n_reviewed: n_played.min(MAX_TURNS),
            n_nodes,
            found: None,
            reviewed: Vec::new(),
        };
        walk.game = walk.dealt(walk.game.clone(), 0)?;
        Ok(walk)
    }

    pub(super) fn is_done(&self) -> bool {
        self.reviewed.len() >= self.n_reviewed
    }

    pub(super) fn progress(&self) -> ReviewProgress {
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        ReviewProgress { done: count(self.reviewed.len()), of: count(self.n_reviewed) }
    }

    /// The turns reviewed so far.
    pub(super) fn review(&self) -> Review {
        Review { turns: self.reviewed.clone() }
    }

    /// Reviews the next turn. The result is worthless if `stop` is set meanwhile.
    ///
    /// # Errors
    /// The turn cannot have been played.
    pub(super) fn advanced(mut self, stop: &AtomicBool) -> Result<Self, Flaw> {
        let (turn, next) = (&self.turns[self.reviewed.len()], self.reviewed.len() + 1);
        let mut search = Search { searcher: Searcher::new(TABLE_BYTES), n_nodes: self.n_nodes, stop };
        let before = match self.found.take() {
            Some(found) => found,
            None => search.find(&self.game).ok_or(Flaw::Unscored)?,
        };
        let mut after = self.game.clone();
        after.replay(&turn.actions)?;
        let after = self.dealt(after, next)?;
        let played = search.find(&after).ok_or(Flaw::Unscored)?;
        let side = self.game.to_move();
        let mut better = None;
        if let Some(actions) = before.best.filter(|_| gain(side, before.score, played.score) >= CLEARLY) {
            let mut other = self.game.clone();
            other.play(&actions)?;
            let other = self.dealt(other, next)?;
            // Both turns are valued by a search of the position after them.
            if other.position_text() != after.position_text()
                && let Some(Found { score, .. }) = search.find(&other)
                && gain(side, score, played.score) >= CLEARLY
            {
                better = Some(BetterTurn { actions, score });
            }
        }
        self.reviewed.push(ReviewedTurn { score: played.score, better });
        (self.game, self.found) = (after, Some(played));
        Ok(self)
    }

    /// Turns over the card of the turn at an index of the record, if the match waits for it.
    fn dealt(&self, mut game: AnyMatch, index: usize) -> Result<AnyMatch, Flaw> {
        if let Some(card) = self.turns.get(index).and_then(|turn| turn.card).filter(|_| game.awaits_card()) {
            game.turn_over(card)?;
        }
        Ok(game)
    }
}

/// Returns by how much a score is better for a side than another.
fn gain(side: Side, score: f32, than: f32) -> f32 {
    match side {
        Side::First => score - than,
        Side::Second => than - score,
    }
}

/// Searches of one turn.
struct Search<'a> {
    searcher: Searcher,
    n_nodes: u64,
    stop: &'a AtomicBool,
}

impl Search<'_> {
    /// Returns the result of a position; `None` if its card is unknown.
    fn find(&mut self, game: &AnyMatch) -> Option<Found> {
        if let Some(outcome) = game.outcome() {
            let score = match outcome.winner {
                Some(Side::First) => 1.0,
                Some(Side::Second) => 0.0,
                None => 0.5,
            };
            return Some(Found { score, best: None });
        }
        let limit = Limit { nodes: Some(self.n_nodes), stop: Some(self.stop), ..Limit::default() };
        let settings = Settings { level: Level::FULL, seed: 0, ..Settings::default() };
        let report = self.searcher.search(game, &limit, &settings, &mut |_| {})?;
        let score = match game.to_move() {
            Side::First => report.score,
            Side::Second => 1.0 - report.score,
        };
        Some(Found { score, best: Some(report.turn) })
    }
}
