use engine::{Card, Rules, Side, fibonacci::Fibonacci};

use super::{
    beam::{Beam, Candidate, MAX_ACTIONS, Turn, Width},
    evaluation::{chance, value_of},
    network::Network,
    solver::{Answer, Solver},
    tree::{Breadth, ClaimedLeaf, Expansion, RootTurn},
};
use crate::limit::Meter;

/// Factor on the solver's limit for replies to root turns.
const ROOT_CARE: u64 = 8;

/// Factor on the widths of the beam for most answers.
const MOST_FACTOR: usize = 4;

/// Parameters of the expansion of leaves.
#[derive(Clone, Debug)]
pub(super) struct Plan<'a> {
    /// The side to move at the root.
    pub(super) side: Side,
    /// The widths of the beam for few answers, and for many.
    pub(super) few: Width,
    pub(super) many: Width,
    pub(super) network: &'a Network,
    /// Maximum number of boards that the solver visits at a leaf.
    pub(super) solver_nodes: u64,
    /// For each card that the other side may turn over next, from 1 to 6, how many of them there are.
    pub(super) cards: [u8; 6],
}

impl Plan<'_> {
    /// The widths of the beam for answers of `n_moves` moves.
    fn width_for(&self, breadth: Breadth, n_moves: u8) -> Width {
        let Width { boards, turns } = self.many;
        match breadth {
            Breadth::Few => self.few,
            Breadth::Many => self.many,
            Breadth::Most if n_moves == 1 => Width { boards, turns: usize::MAX },
            Breadth::Most => Width { boards: boards * MOST_FACTOR, turns: turns * MOST_FACTOR },
        }
    }
}

/// The solver and the beam of one thread, with their memory.
#[derive(Debug)]
pub(super) struct Explorer {
    solver: Solver,
    beam: Beam,
    found: Vec<Candidate>,
}

impl Explorer {
    pub(super) fn new() -> Self {
        Self { solver: Solver::default(), beam: Beam::new(), found: Vec::new() }
    }

    /// Returns a win in the turn with at most `n_moves` moves, if the solver finds one within `max_nodes`.
    pub(super) fn win(
        &mut self,
        position: &Fibonacci,
        n_moves: u8,
        max_nodes: u64,
        meter: &mut Meter<'_>,
    ) -> Option<RootTurn> {
        let n_moves = n_moves.min(position.actions_left());
        let answer = self.solver.solve(position, n_moves, max_nodes, meter);
        (answer == Answer::Win).then(|| {
            let mut turn = Turn::EMPTY;
            self.solver.line().for_each(|action| turn.push(action));
            RootTurn::win(turn)
        })
    }

    /// Returns a win in the turn with at most `n_moves` moves, if the last [`Self::glance`] came upon one.
    pub(super) fn seen_win(&self, n_moves: u8) -> Option<RootTurn> {
        let is_short = |turn: &Turn| turn.actions().len() <= usize::from(n_moves);
        self.beam.win().filter(is_short).map(RootTurn::win)
    }

    /// Finds turns without searching the replies, the best one first. `error` is added to the value of the board with
    /// this hash.
    pub(super) fn glance(
        &mut self,
        position: &Fibonacci,
        width: Width,
        network: &Network,
        error: impl Fn(u64) -> i32,
        meter: &mut Meter<'_>,
    ) -> &mut [Candidate] {
        self.beam.turns(position, width, network, error, meter, &mut self.found);
        &mut self.found
    }

    /// Expands a leaf: asks the solver whether the side to move wins in the turn, and if it does not, the beam for its
    /// answers.
    pub(super) fn expand(
        &mut self,
        leaf: &ClaimedLeaf,
        plan: &Plan<'_>,
        meter: &mut Meter<'_>,
    ) -> Expansion<'_> {
        if leaf.side(plan.side) != leaf.position.to_move() {
            // The turn of the other side is skipped (RULES 1.8), so what comes next are no answers.
            return Expansion::Nothing;
        }
        if leaf.position.awaits_card() {
            return self.expand_before_card(leaf.position, plan, meter);
        }
        let n_moves = leaf.position.actions_left();
        if leaf.is_new {
            let care = if leaf.is_root_turn() { ROOT_CARE } else { 1 };
            match self.solver.solve(&leaf.position, n_moves, care * plan.solver_nodes, meter) {
                Answer::Win => return Expansion::Lost,
                Answer::NoWin | Answer::Unknown => {}
            }
            if meter.is_over() {
                return Expansion::CutShort;
            }
        }
        self.beam.turns(
            &leaf.position,
            plan.width_for(leaf.breadth, n_moves),
            plan.network,
            |_| 0,
            meter,
            &mut self.found,
        );
        if self.beam.win().is_some() {
            Expansion::Lost
        } else if meter.is_over() {
            Expansion::CutShort
        } else if self.found.is_empty() {
            Expansion::Nothing
        } else {
            Expansion::Answers(&self.found)
        }
    }

    /// Takes the mean of the best answers with each card as the value.
    fn expand_before_card(
        &mut self,
        mut position: Fibonacci,
        plan: &Plan<'_>,
        meter: &mut Meter<'_>,
    ) -> Expansion<'_> {
        position.deal(Card::ALL[MAX_ACTIONS - 1]);
        let answer = self.solver.solve(&position, position.actions_left(), plan.solver_nodes, meter);
        self.beam.turns(&position, plan.many, plan.network, |_| 0, meter, &mut self.found);
        if meter.is_over() {
            return Expansion::CutShort;
        }
        let seen = self.beam.win().map(|turn| turn.actions().len());
        let proven = (answer == Answer::Win).then(|| self.solver.line().count());
        let win_moves = seen.into_iter().chain(proven).min().unwrap_or(MAX_ACTIONS + 1);
        let (mut sum, mut n_cards) = (0.0, 0.0);
        for (n, n_moves) in plan.cards.into_iter().map(f32::from).zip(1..) {
            let best = self.beam.best_value(n_moves);
            sum += n * if n_moves >= win_moves { 1.0 } else { chance(best) };
            n_cards += n;
        }
        Expansion::Value(-value_of(sum / n_cards))
    }
}

#[cfg(test)]
mod tests {
    use engine::fibonacci::Variant;

    use super::*;
    use crate::{
        Limit,
        fibonacci::{
            NETWORKS,
            tree::{Claim, Tree},
        },
    };

    /// The solver gives up at most positions with six moves left.
    #[test]
    fn a_turn_is_lost_if_the_beam_comes_upon_a_win_that_the_solver_missed() {
        let text = "C5/7/8/2P6/1PP4p1p/3P3pp2/8p1/PPss4p/2ss1SS1/2ssSSS/4Sc 1 9 1/6";
        let after = Fibonacci::parse(Variant::Original, text).unwrap();
        let mut tree = Tree::new();
        let turn = Candidate { turn: Turn::EMPTY, after, value: 0 };
        tree.start(&Fibonacci::start(Variant::Original), &[turn], (Breadth::Many, 1), |_| false);
        let Claim::Leaf(leaf) = tree.claim(0, u32::MAX) else { panic!("there is a leaf") };
        let network = Network::read(NETWORKS[0]);
        let many = Width { boards: 48, turns: 10 };
        let plan =
            Plan { side: Side::Second, few: many, many, network: &network, solver_nodes: 0, cards: [2; 6] };
        let limit = Limit::default();
        let mut explorer = Explorer::new();
        let expansion = explorer.expand(&leaf, &plan, &mut Meter::new(&limit));
        assert!(matches!(expansion, Expansion::Lost), "{expansion:?}");
    }
}
