use std::ops::ControlFlow;

use engine::{
    GameHistory, Line, Match, Progress, Rules,
    fenix::Fenix,
    stacks::{Game, Stacks},
};

use super::{
    AlphaBeta,
    evaluate::{Calm, Evaluate, PROVEN, WON},
    quiescence::OptionalCaptures,
    scores::Window,
    tree::Search,
};
use crate::{Limit, Random, Settings, limit::Meter};

const SMALL_FENIX: &str = "k8/9/2c6/9/4s4/9/3S5/1S4C2/8K 1 11 - 0";
const SMALL_FOCUS: &str = ".,.,.,./.,.,.,.,.,./.,.,.,.,.,.,.,./.,.,.,xx,.,.,.,./.,.,.,.,oo,.,.,./.,.,.,.,.,.,.,./\
                           .,.,.,.,.,./.,.,.,. 1 3 0 0";
const SMALL_CROSSFIRE: &str =
    "./.,.,.,./.,.,.,.,.,.,./.,.,.,x,.,./.,.,.,.,.,.,./.,.,oo,.,.,./.,.,.,.,.,.,./.,.,.,./. 1 1 0 0";

/// Pushes random actions, each turn of which is then part of the history.
fn walk<R: Evaluate>(line: &mut Line<R>, random: &mut Random, n_plies: usize) {
    let mut actions = Vec::new();
    for _ in 0..n_plies {
        line.actions_into(&mut actions);
        if actions.is_empty() {
            break;
        }
        line.push(actions[random.below(actions.len())]);
    }
}

/// A match some random turns after its start, in which the game is not over.
fn walked<R: Evaluate>(start: &Match<R>, random: &mut Random, n_turns: usize) -> Match<R> {
    let mut line = start.line();
    walk(&mut line, random, n_turns);
    let mut game = start.clone();
    for action in line.actions() {
        let before = game.clone();
        game.play(&[action.to_string()]).unwrap();
        if game.outcome().is_some() {
            return before;
        }
    }
    game
}

/// Plain negamax without a window, a table or an order.
struct Reference<R: Evaluate> {
    line: Line<R>,
    scratch: R::Scratch,
    no_history: GameHistory<R>,
    n_optional: i32,
}

impl<R: Evaluate> Reference<R> {
    fn new(game: &Match<R>, n_optional: i32) -> Self {
        let no_history = GameHistory::from_start(game.position());
        Self { line: game.line(), scratch: R::Scratch::default(), no_history, n_optional }
    }

    fn search(&mut self, depth: i32, ply: usize) -> i32 {
        if depth == 0 {
            let position = *self.line.position();
            return self.quiesce(&position, ply, self.n_optional);
        }
        let (position, mut actions) = (*self.line.position(), Vec::new());
        assert!(position.list_actions(&mut self.scratch, &mut actions, &mut Meter::new(&Limit::default())));
        let mut best = -WON;
        for action in actions {
            if self.line.ko_turn(action).is_some() {
                continue;
            }
            self.line.push(action);
            let score = match self.line.outcome() {
                Some(outcome) => Search::<R>::score_of(outcome, position.to_move(), ply + 1),
                None => -self.search(depth - 1, ply + 1),
            };
            self.line.pop();
            best = best.max(score);
        }
        best
    }

    fn quiesce(&mut self, position: &R, ply: usize, n_optional: i32) -> i32 {
        let calm = position.calm();
        if calm == Calm::Quiet || n_optional <= 0 && calm == Calm::Optional {
            return position.evaluate();
        }
        let mut actions = Vec::new();
        assert!(position.list_captures(&mut self.scratch, &mut actions, &mut Meter::new(&Limit::default())));
        if calm == Calm::Optional {
            actions.retain(|action| position.gain(*action).is_some());
        }
        let mut best = if calm == Calm::Optional { position.evaluate() } else { -WON };
        for action in actions {
            let mut next = *position;
            assert_eq!(next.play(action), Progress::NewTurn);
            let score = match next.outcome_at_turn_start(&self.no_history) {
                Some(outcome) => Search::<R>::score_of(outcome, position.to_move(), ply + 1),
                None => -self.quiesce(&next, ply + 1, n_optional - 1),
            };
            best = best.max(score);
        }
        best
    }
}

/// Compares the search without reductions with the reference.
fn check_scores<R: Evaluate>(start: &Match<R>, seed: u64, n_positions: usize, max_depth: i32) {
    let mut random = Random::new(seed);
    let mut player = AlphaBeta::<R>::new(1 << 20);
    player.is_selective = false;
    player.max_optional_captures = 1;
    for _ in 0..n_positions {
        let n_turns = 10 + random.below(60);
        let game = walked(start, &mut random, n_turns);
        let limit = Limit::default();
        for depth in 1..=max_depth {
            let mut reference = Reference::new(&game, player.max_optional_captures);
            let expected = reference.search(depth, 0);
            let mut meter = Meter::new(&limit);
            let mut search = Search::new(&mut player, &game, &Settings::default(), &mut meter);
            let mut choices = search.choices();
            search.search_choices(&mut choices, 0, depth);
            assert_eq!(choices[0].score, expected, "depth {depth} of {}", game.position());
            assert_eq!((search.line.ply(), search.line.position()), (0, game.position()));
            let line = search.line.history().turn_keys_from(0).count();
            assert_eq!(line, game.history().turn_keys_from(0).count());
        }
    }
}

#[test]
fn scores_equal_those_of_plain_negamax() {
    check_scores(&Match::<Fenix>::new(()), 1, 6, 2);
    check_scores(&Match::<Fenix>::from_text((), SMALL_FENIX).unwrap(), 2, 10, 4);
    for game in [Game::Focus, Game::FocusClassic, Game::Crossfire] {
        check_scores(&Match::<Stacks>::new(game), 3, 3, 2);
    }
    check_scores(&Match::<Stacks>::from_text(Game::FocusClassic, SMALL_FOCUS).unwrap(), 4, 8, 3);
    check_scores(&Match::<Stacks>::from_text(Game::Crossfire, SMALL_CROSSFIRE).unwrap(), 5, 8, 3);
}

/// The side may make a councillor in place of the one that was taken (RULES 2.8), or capture. However much it lacks, a capture may
/// win the king.
#[test]
fn a_capture_of_the_king_is_seen_where_a_councillor_is_due() {
    let game = Match::<Fenix>::from_text((), "8c/9/2c6/9/4k4/4S4/9/1S4C2/8K 1 13 C 0").unwrap();
    let mut player = AlphaBeta::<Fenix>::new(1 << 20);
    let limit = Limit::default();
    let mut meter = Meter::new(&limit);
    let mut search = Search::new(&mut player, &game, &Settings::default(), &mut meter);
    let window = Window { alpha: game.position().evaluate() + 1000, beta: WON };
    let optional = OptionalCaptures { n_plies: 1, target: None };
    assert!(search.quiesce(game.position(), window, 0, optional) >= PROVEN);
}

/// The evaluation of a position is that of its mirror image with the sides exchanged.
#[test]
fn an_evaluation_flips_with_the_sides() {
    for (own, other) in [
        (
            "2C1S1SSS/3SSK1SS/s3S1CSS/ss3SSSS/c1s3SSS/c1ss3S1/sssss3C/s1ss1c3/sk1ssss2 1 11 - 0",
            "2SSSS1KS/3C1SS1S/c3SSSSS/1s3SS1C/sss3S1C/ssss3SS/ssc1s3S/ss1kss3/sss1s1c2 2 12 - 0",
        ),
        (
            "1C3SSSS/3SSS1K1/s3SSSSS/ss3SSSC/ss4SS1/1s1s3S1/k1css4/ss1sssc2/sss2s3 1 19 C 0",
            "3S2SSS/2CSSS1SS/4SSC1K/1s3S1S1/1ss4SS/csss3SS/sssss3S/1k1sss3/ssss3c1 2 20 C 0",
        ),
    ] {
        let scores = [own, other].map(|text| Fenix::parse((), text).unwrap().evaluate());
        assert_eq!(scores[0], scores[1]);
    }
    for (game, own, other) in [
        (
            Game::FocusClassic,
            ".,.,.,./.,.,.,.,.,./.,.,.,.,.,.,.,./.,.,.,xox,.,.,.,./.,.,.,.,oo,.,.,./.,.,.,.,.,.,.,./.,.,.,.,.,./.,.,.,. 1 3 2 1",
            ".,.,.,./.,.,.,.,.,./.,.,.,.,.,.,.,./.,.,.,oxo,.,.,.,./.,.,.,.,xx,.,.,./.,.,.,.,.,.,.,./.,.,.,.,.,./.,.,.,. 2 4 1 2",
        ),
        (
            Game::Crossfire,
            "./.,.,.,./.,.,.,.,.,.,./.,.,.,xo,.,./.,.,.,.,.,.,./.,.,oox,.,.,./.,.,.,.,.,.,./.,.,.,./. 1 1 0 3",
            "./.,.,.,./.,.,.,.,.,.,./.,.,.,ox,.,./.,.,.,.,.,.,./.,.,xxo,.,.,./.,.,.,.,.,.,./.,.,.,./. 2 2 3 0",
        ),
    ] {
        let scores = [own, other].map(|text| Stacks::parse(game, text).unwrap().evaluate());
        assert_eq!(scores[0], scores[1]);
    }
}

#[test]
fn signatures_tell_actions_apart() {
    let mut random = Random::new(9);
    for _ in 0..20 {
        let game = walked(&Match::<Fenix>::new(()), &mut random, 40);
        let mut signatures = Vec::new();
        let _: ControlFlow<()> = game.position().try_for_each_action(&mut Default::default(), |action| {
            signatures.push(Fenix::signature(action));
            ControlFlow::Continue(())
        });
        let n_actions = signatures.len();
        signatures.sort_unstable();
        signatures.dedup();
        let can_capture = game.position().can_capture(game.position().to_move());
        assert!(signatures.len() == n_actions || can_capture);
    }
}
