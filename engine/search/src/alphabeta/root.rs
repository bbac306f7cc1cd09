use std::{ops::ControlFlow, slice};

use engine::{GameHistory, Match, Playable, Progress};

use super::{
    AlphaBeta,
    errors::Errors,
    evaluate::{Evaluate, PROVEN, WON, chance},
    scores::Window,
    tree::Search,
};
use crate::{
    Report, Settings,
    limit::Meter,
    player::{Player, Task},
    report::{ScoredLine, texts},
};

/// Half-width of the aspiration window around the previous iteration's score, in hundredths of the scale.
const FIRST_WIDTH: i32 = 12;

/// Maximum depth of an iteration.
const MAX_DEPTH: u32 = 64;

/// An action of the root.
#[derive(Clone, Debug)]
pub(super) struct Choice<A> {
    pub(super) action: A,
    pub(super) score: i32,
    /// The best line after it.
    line: Vec<A>,
}

impl<R: Evaluate> Player<R> for AlphaBeta<R> {
    fn search(&mut self, task: &mut Task<'_, R>) -> Report {
        let mut search = Search::new(self, task.game, task.settings, &mut task.meter);
        search.deepen(task.settings.lines.max(1), task.improved)
    }
}

impl<'s, 'm, R: Evaluate> Search<'s, 'm, R> {
    pub(super) fn new(
        memory: &'s mut AlphaBeta<R>,
        game: &Match<R>,
        settings: &Settings,
        meter: &'s mut Meter<'m>,
    ) -> Self {
        memory.table.clear();
        memory.successes.clear();
        memory.plies.iter_mut().for_each(|ply| ply.killers = [0; 2]);
        let line = game.line();
        let errors = Errors::of_level::<R>(settings.level, settings.seed, line.position().hash());
        meter.cap_nodes(errors.max_nodes);
        Self {
            n_root_turns: line.history().turn_keys_from(0).count(),
            root_turn: line.position().turn().get(),
            no_history: GameHistory::from_start(line.position()),
            errors,
            depends_on: usize::MAX,
            memory,
            meter,
            line,
        }
    }

    /// Searches deeper and deeper until a limit is reached.
    fn deepen(&mut self, n_lines: usize, improved: &mut dyn FnMut(&Report)) -> Report {
        let mut choices = self.choices();
        let max_depth = self.meter.max_depth().min(self.errors.max_depth).clamp(1, MAX_DEPTH);
        if let Some(index) = self.win_at_once(&choices) {
            choices.swap(0, index);
            choices[0].score = WON - 1;
            return self.report(&choices[..1], 1);
        }
        self.overlook(&mut choices);
        let n_lines = n_lines.min(choices.len());
        let mut done = 0;
        for depth in 1..=max_depth {
            // A single line may be cut short, since its best action comes first. The scores of several lines can be
            // compared only at one depth.
            let complete = (n_lines > 1 && done > 0).then(|| choices.clone());
            for from in 0..n_lines {
                self.search_choices(&mut choices, from, depth as i32);
            }
            if self.is_over() {
                choices = complete.unwrap_or(choices);
                break;
            }
            choices[..n_lines].sort_by_key(|choice| -choice.score);
            done = depth;
            if depth > 2 || choices.len() == 1 {
                improved(&self.report(&choices[..n_lines], done));
            }
            let is_proven = choices[..n_lines].iter().all(|choice| choice.score.abs() >= PROVEN);
            let is_single = choices.len() == 1 && depth >= 4;
            if is_proven || is_single {
                break;
            }
        }
        self.report(&choices[..n_lines], done)
    }

    /// The legal actions of the root, at least one.
    pub(super) fn choices(&mut self) -> Vec<Choice<R::Action>> {
        let complete = self.list(0, 0);
        let mut actions: Vec<R::Action> = if complete {
            let mut scored = self.memory.plies[0].actions.clone();
            scored.sort_by_key(|scored| -scored.order);
            scored.into_iter().map(|scored| scored.action).collect()
        } else {
            Vec::new()
        };
        actions.retain(|action| self.line.ko_turn(*action).is_none());
        if actions.is_empty() {
            actions.extend(self.any_action());
        }
        let choice = |action| Choice { action, score: 0, line: Vec::new() };
        actions.into_iter().map(choice).collect()
    }

    /// A legal action of the root. The game is not over, so there is one.
    fn any_action(&mut self) -> Option<R::Action> {
        let position = *self.line.position();
        let found = position.try_for_each_result(&mut self.memory.scratch, |action| {
            if self.line.ko_turn(action).is_none() {
                ControlFlow::Break(action)
            } else {
                ControlFlow::Continue(())
            }
        });
        found.break_value()
    }

    /// The index of an action that wins the game at once.
    fn win_at_once(&mut self, choices: &[Choice<R::Action>]) -> Option<usize> {
        let side = self.line.position().to_move();
        choices.iter().position(|choice| {
            let progress = self.line.push(choice.action);
            let hash = self.line.position().hash();
            self.line.pop();
            matches!(progress, Progress::Over(outcome) if outcome.winner == Some(side))
                && !self.errors.overlooks_win(hash)
        })
    }

    /// Removes the actions that a lower level overlooks, but always leaves one.
    fn overlook(&self, choices: &mut Vec<Choice<R::Action>>) {
        let position = self.line.position();
        let seen = |choice: &Choice<R::Action>| {
            !self.errors.overlooks(position, choice.action, !R::signature(choice.action))
        };
        if choices.iter().any(seen) {
            choices.retain(seen);
        }
    }

    /// Searches the actions from an index on, and moves the best one to that index.
    pub(super) fn search_choices(&mut self, choices: &mut [Choice<R::Action>], from: usize, depth: i32) {
        let last = choices[from].score;
        let mut width = FIRST_WIDTH * R::SCALE as i32 / 100;
        let mut window = if depth > 4 && last.abs() < PROVEN && self.memory.is_selective {
            Window { alpha: (last - width).max(-WON), beta: (last + width).min(WON) }
        } else {
            Window::FULL
        };
        loop {
            let score = self.search_window(&mut choices[from..], depth, window);
            if self.is_over() {
                return;
            }
            width *= 3;
            if score <= window.alpha && window.alpha > -WON {
                window.alpha = if width > 1000 { -WON } else { (score - width).max(-WON) };
            } else if score >= window.beta && window.beta < WON {
                window.beta = if width > 1000 { WON } else { (score + width).min(WON) };
            } else {
                return;
            }
        }
    }

    /// Searches all choices with a window, and moves the best one to the front. Returns its score.
    fn search_window(&mut self, choices: &mut [Choice<R::Action>], depth: i32, window: Window) -> i32 {
        let (mut alpha, mut best) = (window.alpha, -WON);
        for index in 0..choices.len() {
            let action = choices[index].action;
            let score = self.search_choice(action, depth, Window { alpha, ..window }, index);
            if self.is_over() {
                break;
            }
            if index == 0 || score > alpha {
                let choice = &mut choices[index];
                choice.score = score;
                choice.line.clear();
                choice.line.extend_from_slice(&self.memory.plies[1].best_line);
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    choices[..=index].rotate_right(1);
                }
                if score >= window.beta {
                    break;
                }
            }
        }
        best
    }

    fn search_choice(&mut self, action: R::Action, depth: i32, window: Window, index: usize) -> i32 {
        let null = Window::null(window.alpha);
        if index == 0 {
            return self.try_action(action, depth - 1, window, 0);
        }
        let is_quiet = self.line.position().gain(action).is_none();
        let reduction = if is_quiet && self.memory.is_selective {
            self.reduction(depth, index as i32, 0, window)
        } else {
            0
        };
        let mut score = self.try_action(action, depth - 1 - reduction, null, 0);
        if reduction > 0 && score > window.alpha && !self.is_over() {
            score = self.try_action(action, depth - 1, null, 0);
        }
        if score > window.alpha && !self.is_over() {
            score = self.try_action(action, depth - 1, window, 0);
        }
        score
    }

    fn report(&self, choices: &[Choice<R::Action>], depth: u32) -> Report {
        let lines: Vec<ScoredLine> = choices
            .iter()
            .map(|choice| ScoredLine {
                turns: turns(self.line.position(), choice),
                score: chance(choice.score, R::SCALE),
            })
            .collect();
        Report {
            turn: lines.first().map(|line| line.turns[0].clone()).unwrap_or_default(),
            score: lines.first().map_or(0.5, |line| line.score),
            lines,
            nodes: self.meter.nodes(),
            depth,
        }
    }
}

/// The turns of a line. An incomplete last one is left out.
fn turns<R: Playable>(root: &R, choice: &Choice<R::Action>) -> Vec<Vec<String>> {
    let (mut position, mut turn, mut turns) = (*root, Vec::new(), Vec::new());
    for &action in slice::from_ref(&choice.action).iter().chain(&choice.line) {
        turn.push(action);
        if position.play(action) != Progress::SameTurn {
            turns.push(texts(&turn));
            turn.clear();
        }
    }
    turns
}
