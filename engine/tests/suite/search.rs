//! Tests of the engine's interface for search: hashes, lines of play, interruptible generation, and read access.

use std::{
    collections::{BTreeSet, HashSet},
    ops::ControlFlow,
};

use engine::{
    Line, Match, Playable, Progress, Rules, Side,
    fenix::{self, Fenix},
    fibonacci::{self, Fibonacci, Variant},
    stacks::{Game, Stacks},
};
use proptest::prelude::*;

use crate::dice::Dice;

/// A check of one game, generic over its type.
trait Check {
    fn check<P: Playable>(&mut self, variant: P::Variant, game: &Match<P>);
}

/// Positions with few pieces, in which positions and actions soon recur.
const SMALL_FENIX: &str = "k8/9/9/9/4s4/9/9/1S7/8K 1 11 - 0";
const SMALL_FOCUS: &str = ".,.,.,./.,.,.,.,.,./.,.,.,.,.,.,.,./.,.,.,x,.,.,.,./.,.,.,.,o,.,.,./.,.,.,.,.,.,.,./\
                           .,.,.,.,.,./.,.,.,. 1 3 0 0";
const SMALL_CROSSFIRE: &str = "./.,.,.,./.,.,.,.,.,.,./.,.,.,x,.,./.,.,.,.,.,.,./.,.,o,.,.,./.,.,.,.,.,.,./\
                               .,.,.,./. 1 1 0 0";
/// A councillor that can take four soldiers in a round, in either direction.
const ROUND: &str = "k8/9/9/3s5/9/1s3s3/9/1C1s5/8K 1 11 - 0";

/// Checks each of the seven rulesets from its start, and some positions.
fn check_all(check: &mut impl Check) {
    for variant in [Variant::Original, Variant::Mixed, Variant::Cards] {
        check.check(variant, &Match::<Fibonacci>::new(variant));
    }
    check.check((), &Match::<Fenix>::new(()));
    for text in [SMALL_FENIX, ROUND] {
        check.check((), &Match::<Fenix>::from_text((), text).unwrap());
    }
    for game in [Game::Focus, Game::FocusClassic, Game::Crossfire] {
        check.check(game, &Match::<Stacks>::new(game));
    }
    for (game, text) in
        [(Game::Focus, SMALL_FOCUS), (Game::FocusClassic, SMALL_FOCUS), (Game::Crossfire, SMALL_CROSSFIRE)]
    {
        check.check(game, &Match::<Stacks>::from_text(game, text).unwrap());
    }
}

/// Pushes random legal actions and cards until `n_plies` are pushed or the game is over.
fn walk<P: Playable>(
    line: &mut Line<P>,
    dice: &mut Dice,
    n_plies: usize,
    mut each: impl FnMut(&mut Line<P>),
) {
    let mut actions = Vec::new();
    while line.ply() < n_plies && line.outcome().is_none() {
        if line.position().awaits_card() {
            line.push_card(engine::Card::ALL[dice.below(6)]);
        } else {
            line.actions_into(&mut actions);
            assert_eq!(line.count(), actions.len() as u64);
            let progress = line.push(actions[dice.below(actions.len())]);
            assert_eq!(matches!(progress, Progress::Over(_)), line.outcome().is_some());
        }
        each(line);
    }
}

struct Hashes(Dice);

impl Check for Hashes {
    /// The hash of a position from its text equals the hash that was updated incrementally.
    fn check<P: Playable>(&mut self, variant: P::Variant, game: &Match<P>) {
        walk(&mut game.line(), &mut self.0, 150, |line| {
            if line.outcome().is_none() && !line.position().awaits_card() {
                let read = P::parse(variant, &line.position().to_string()).ok();
                assert_eq!(read.map(|read| read.hash()), Some(line.position().hash()), "{}", line.position());
            }
        });
    }
}

struct Keys {
    dice: Dice,
    n_same: usize,
}

impl Check for Keys {
    /// Turns have equal hashes if and only if they count as the same (RULES 1.15, 2.11, 3.7).
    fn check<P: Playable>(&mut self, _: P::Variant, game: &Match<P>) {
        let mut seen: Vec<(P::PositionKey, u64)> = Vec::new();
        for _ in 0..4 {
            walk(&mut game.line(), &mut self.dice, 150, |line| {
                let Some(key) = line.position().turn_key() else { return };
                for (earlier, hash) in &seen {
                    assert_eq!(*earlier == key, *hash == line.position().hash(), "{}", line.position());
                    self.n_same += usize::from(*earlier == key);
                }
                seen.push((key, line.position().hash()));
            });
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn an_incremental_hash_equals_the_hash_of_the_text(seed: u64) {
        check_all(&mut Hashes(Dice(seed)));
    }

    #[test]
    fn turns_that_count_as_the_same_have_the_same_hash(seed: u64) {
        check_all(&mut Keys { dice: Dice(seed), n_same: 0 });
    }

    #[test]
    fn pops_undo_pushes(seed: u64) {
        check_all(&mut Pops(Dice(seed)));
    }

    #[test]
    fn a_line_continues_and_ends_like_a_match(seed: u64) {
        check_all(&mut Matches(Dice(seed)));
    }

    #[test]
    fn one_action_for_each_result_is_visited(seed: u64) {
        check_all(&mut Results(Dice(seed)));
    }
}

/// A few random walks alone may repeat nothing, so repetitions are counted over walks that are the same in each run.
#[test]
fn the_walks_that_compare_hashes_repeat_turns() {
    let mut keys = Keys { dice: Dice(1), n_same: 0 };
    check_all(&mut keys);
    assert!(keys.n_same > 20, "{} repetitions", keys.n_same);
}

struct Pops(Dice);

impl Check for Pops {
    fn check<P: Playable>(&mut self, _: P::Variant, game: &Match<P>) {
        let mut line = game.line();
        let mut states = vec![(*line.position(), line.position().hash(), line.count())];
        walk(&mut line, &mut self.0, 60, |line| {
            states.push((*line.position(), line.position().hash(), line.count()));
        });
        let n_actions = line.actions().count();
        let mut n_popped = 0;
        while let Some(state) = states.pop() {
            assert_eq!((*line.position(), line.position().hash(), line.count()), state);
            assert_eq!(line.ply(), states.len());
            assert!(line.outcome().is_none() || line.ply() > 0);
            n_popped += usize::from(line.pop().is_some());
        }
        assert_eq!((line.ply(), n_popped), (0, n_actions));
        assert_eq!(line.pop(), None);
    }
}

struct Matches(Dice);

impl Check for Matches {
    fn check<P: Playable>(&mut self, _: P::Variant, game: &Match<P>) {
        let mut game = game.clone();
        let (mut line, mut turn) = (game.line(), Vec::new());
        for _ in 0..250 {
            if line.position().awaits_card() {
                let card = engine::Card::ALL[self.0.below(6)];
                if game.turn_over(card).is_err() {
                    continue;
                }
                line.push_card(card);
            }
            let mut actions = Vec::new();
            line.actions_into(&mut actions);
            let mut texts: Vec<String> = actions.iter().map(ToString::to_string).collect();
            texts.sort_unstable();
            let draft = game.draft(&turn).unwrap();
            assert_eq!(draft.legal().into_iter().map(|action| action.text).collect::<Vec<_>>(), texts);
            for forbidden in &draft.ko_forbidden {
                let action = line.position().read(&forbidden.text).unwrap();
                assert_eq!(line.ko_turn(action), Some(forbidden.turn));
            }
            let action = actions[self.0.below(actions.len())];
            turn.push(action.to_string());
            if line.push(action) != Progress::SameTurn {
                game.play(&turn).unwrap();
                turn.clear();
                assert_eq!((game.position(), game.outcome()), (line.position(), line.outcome()));
                if line.outcome().is_some() {
                    return;
                }
                if self.0.below(5) == 0 {
                    line = game.line();
                }
            }
        }
    }
}

struct Results(Dice);

impl Check for Results {
    fn check<P: Playable>(&mut self, _: P::Variant, game: &Match<P>) {
        walk(&mut game.line(), &mut self.0, 40, |line| {
            let (position, mut scratch) = (*line.position(), P::Scratch::default());
            if line.outcome().is_some() {
                return;
            }
            let after = |action: P::Action| {
                let mut after = position;
                after.play(action);
                after.to_string()
            };
            let mut all = BTreeSet::new();
            position.for_each_action(|action| {
                all.insert(after(action));
            });
            let mut results = Vec::new();
            let _: ControlFlow<()> = position.try_for_each_result(&mut scratch, |action| {
                assert!(position.check(action).is_ok(), "{action} in {position}");
                results.push(after(action));
                ControlFlow::Continue(())
            });
            let once: BTreeSet<String> = results.iter().cloned().collect();
            assert!(results.len() == once.len() || !is_fenix(&position), "{position}");
            assert_eq!(once, all);
        });
    }
}

/// Whether this is Fenix. In the other games, actions with equal results are rare, and each is visited.
fn is_fenix<P: Playable>(position: &P) -> bool {
    position.counts().quiet_turns.is_some()
}

#[test]
fn captures_with_equal_results_are_visited_once() {
    let round = Fenix::parse((), ROUND).unwrap();
    let mut scratch = fenix::CaptureScratch::default();
    let mut n_results = 0;
    let _: ControlFlow<()> = round.try_for_each_result(&mut scratch, |_| {
        n_results += 1;
        ControlFlow::Continue(())
    });
    // Each direction ends on one of three squares, one of which is the start.
    assert_eq!((n_results, round.count(&mut scratch)), (5, 6));

    let mut results = Vec::new();
    let mut budget = engine::Budget::for_start();
    assert_eq!(round.results_into(&mut scratch, &mut budget, &mut results), Ok(()));
    assert_eq!(results.len(), 5);
    let too_costly = round.results_into(&mut scratch, &mut engine::Budget::steps(3), &mut results);
    assert_eq!(too_costly, Err(engine::TooCostly { limit: 3 }));
}

#[test]
fn generation_stops_at_a_break() {
    struct Stops;
    impl Check for Stops {
        fn check<P: Playable>(&mut self, _: P::Variant, game: &Match<P>) {
            let (position, mut scratch) = (game.position(), P::Scratch::default());
            let mut all = Vec::new();
            position.actions_into(&mut scratch, &mut all);
            for (index, wanted) in all.iter().enumerate().take(10) {
                let mut n_visited = 0;
                let found = position.try_for_each_action(&mut scratch, |action| {
                    n_visited += 1;
                    if action == *wanted { ControlFlow::Break(action) } else { ControlFlow::Continue(()) }
                });
                assert_eq!((found, n_visited), (ControlFlow::Break(*wanted), index + 1));
            }
        }
    }
    check_all(&mut Stops);
}

/// Compares repetition and ko with a direct implementation of the clauses.
#[test]
fn repetition_and_ko_match_the_reference() {
    let mut dice = Dice(5);
    let (mut n_repeated, mut n_forbidden) = (0, 0);
    for _ in 0..20 {
        let game = Match::<Stacks>::from_text(Game::FocusClassic, SMALL_FOCUS).unwrap();
        let board = |position: &Stacks| {
            let text = position.to_string();
            let fields: Vec<&str> = text.split(' ').collect();
            [fields[0], fields[1], fields[3], fields[4]].join(" ")
        };
        let mut seen = vec![board(game.position())];
        walk(&mut game.line(), &mut dice, 300, |line| {
            let now = board(line.position());
            let is_third = seen.iter().filter(|earlier| **earlier == now).count() == 2;
            let is_repetition = line.outcome().is_some_and(|end| end.reason == engine::Reason::Repetition);
            assert_eq!(is_repetition, is_third);
            n_repeated += usize::from(is_third);
            seen.push(now);
        });

        let game = Match::<Stacks>::from_text(Game::Crossfire, SMALL_CROSSFIRE).unwrap();
        let mut done: HashSet<(Side, String, String)> = HashSet::new();
        let mut before = *game.position();
        walk(&mut game.line(), &mut dice, 600, |line| {
            let action = line.actions().next_back().unwrap();
            assert!(done.insert(record(&before, action)), "{action} once more in {before}");
            before = *line.position();
            if line.outcome().is_some() {
                return;
            }
            let mut expected = 0;
            before.for_each_action(|action| {
                let is_forbidden = done.contains(&record(&before, action));
                assert_eq!(line.ko_turn(action).is_some(), is_forbidden);
                expected += u64::from(is_forbidden);
            });
            let forbidden = line.history().ko_forbidden(&before);
            assert!(forbidden.iter().all(|(action, _)| done.contains(&record(&before, *action))));
            assert_eq!(forbidden.len() as u64, expected);
            n_forbidden += expected;
        });
    }
    assert!(n_repeated > 3 && n_forbidden > 20, "{n_repeated} {n_forbidden}");
}

/// The key of RULES 4.4: side, action, and the resulting board with both reserves.
fn record(before: &Stacks, action: engine::stacks::Action) -> (Side, String, String) {
    let mut after = *before;
    after.play(action);
    let text = after.to_string();
    let fields: Vec<&str> = text.split(' ').collect();
    (before.to_move(), action.to_string(), [fields[0], fields[3], fields[4]].join(" "))
}

#[test]
fn every_position_can_be_read() {
    let start = Fibonacci::start(Variant::Original);
    assert_eq!(
        (start.centre(Side::First).name(), start.actions_left(), start.turn_allowance()),
        ("a6".parse().unwrap(), 1, 1)
    );
    for cell in fibonacci::Cell::all() {
        let piece = start.piece_at(cell);
        assert_eq!(piece.is_some(), start.occupied().contains(cell));
        for side in Side::ALL {
            for kind in fibonacci::PieceKind::ALL {
                assert_eq!(start.pieces(side, kind).contains(cell), piece == Some((side, kind)));
            }
        }
    }
    let strike = start.pieces(Side::First, fibonacci::PieceKind::Strike);
    assert_eq!(start.group(strike.first().unwrap()), strike);

    let fenix = Fenix::parse((), SMALL_FENIX).unwrap();
    assert_eq!((fenix.king(Side::First), fenix.due(), fenix.quiet_turns()), ("i1".parse().ok(), None, 0));
    assert_eq!(fenix.piece_at("e5".parse().unwrap()), Some((Side::Second, fenix::PieceKind::Soldier)));
    assert_eq!(fenix.empty().len(), 77);
    assert!(!fenix.is_set_up() && !fenix.can_capture(Side::First));

    let focus = Stacks::start(Game::FocusClassic);
    let n_men: usize = Game::FocusClassic.cells().map(|cell| focus.stack(cell).men().count()).sum();
    assert_eq!((n_men, focus.reserve(Side::First), focus.is_switch_turn()), (36, 0, false));
}
