use engine::{AnyMatch, Ruleset, Seed, fibonacci::Fibonacci};
use search::{Answer, Baseline, Level, Limit, Opponent, Random, Searcher, Settings, Solver};

/// Memory of the tables of the players in bytes.
const TABLE_BYTES: usize = 1 << 20;

/// Maximum number of turns of a game.
const MAX_TURNS: usize = 150;

/// Nodes that the solver may visit in a position of a game.
const SOLVER_NODES: u64 = 2000;

/// Games of weak players from random openings.
pub(crate) struct Games {
    ruleset: Ruleset,
    seed: u64,
    searcher: Searcher,
    solver: Solver,
}

impl Games {
    pub(crate) fn new(ruleset: Ruleset, seed: u64) -> Self {
        Self { ruleset, seed, searcher: Searcher::new(TABLE_BYTES), solver: Solver::default() }
    }

    /// Plays the game of a number, and visits the positions that may be puzzles, until `visit` returns true.
    pub(crate) fn play(
        &mut self,
        number: u64,
        visit: &mut dyn FnMut(&AnyMatch) -> anyhow::Result<bool>,
    ) -> anyhow::Result<()> {
        let mut random = Random::new(self.seed << 32 ^ number);
        let mut seed = [0; 32];
        seed[..8].copy_from_slice(&random.bits().to_le_bytes());
        let mut game = AnyMatch::new(self.ruleset).with_seed(Seed::new(seed));
        let levels = [0, 0].map(|_| Level::ALL[random.below(5)]);
        let nodes = [0, 0].map(|_| 100 + random.below(600) as u64);
        let n_set_up = if self.ruleset == Ruleset::Fenix { 10 } else { 2 };
        let n_opening = n_set_up + random.below(8);
        while game.outcome().is_none() && game.turns().len() < MAX_TURNS {
            if game.turns().len() >= n_opening
                && let Some(position) = self.worth(&game)
                && visit(&position)?
            {
                return Ok(());
            }
            let side = game.to_move().index();
            let opponent = if game.turns().len() < n_opening {
                Opponent::Baseline(Baseline::Random)
            } else {
                Opponent::Level(levels[side])
            };
            let limit = Limit { nodes: Some(nodes[side]), ..Limit::default() };
            let settings = Settings { seed: random.bits(), ..Settings::default() };
            let Some(report) = self.searcher.search_as(opponent, &game, &limit, &settings, &mut |_| {})
            else {
                return Ok(());
            };
            game.play(&report.turn)?;
        }
        Ok(())
    }

    /// The position of a game as it may be a puzzle. In Fibonacci it has as many moves left as the win needs.
    fn worth(&mut self, game: &AnyMatch) -> Option<AnyMatch> {
        match game {
            AnyMatch::Fibonacci(game) => self.shortened(game.position()),
            AnyMatch::Fenix(_) | AnyMatch::Stacks(_) => {
                AnyMatch::from_text(self.ruleset, &game.position_text()).ok()
            }
        }
    }

    fn shortened(&mut self, position: &Fibonacci) -> Option<AnyMatch> {
        let limit = Limit { nodes: Some(SOLVER_NODES), ..Limit::default() };
        if self.solver.win(position, position.actions_left(), &limit) != Answer::Win {
            return None;
        }
        let left = self.solver.line().count();
        let text = position.to_string();
        let (before, _) = text.rsplit_once(' ')?;
        let allowance = if self.ruleset.has_cards() { left } else { position.turn_allowance().into() };
        AnyMatch::from_text(self.ruleset, &format!("{before} {left}/{allowance}")).ok()
    }
}
