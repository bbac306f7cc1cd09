//! Starting points of interleavings: rooms, and games a few turns old.

use std::sync::Arc;

use engine::{AnyMatch, TurnRecord};

use super::{
    super::*,
    model::{Ask, MAKER, Script, ScriptedTurn, TurnKind},
    steps::{Dice, Operation, OperationKind},
    table::Table,
};
use crate::{ids::Days, state::next_seed};

pub(super) fn seed() -> engine::Seed {
    engine::Seed::new([7; 32])
}

/// Plays a random game of this ruleset and returns its first turns. If the game ends and has no cards, also returns its
/// last turns, which start from the text of the position before them.
fn scripts(dice: &mut Dice, ruleset: Ruleset) -> Vec<Arc<Script>> {
    const FIRST: usize = 8;
    const LAST: usize = 6;
    /// Maximum number of turns; a longer game is left unfinished.
    const LONGEST: usize = 300;
    let mut game = AnyMatch::new(ruleset).with_seed(seed());
    let again = again(dice, ruleset, &seed(), FIRST);
    let mut texts = Vec::new();
    while game.outcome().is_none() && texts.len() < LONGEST {
        texts.push(game.position_text());
        play_by_chance(dice, &mut game);
    }
    let beginning = AnyMatch::new(ruleset).with_seed(seed());
    let mut scripts = vec![script(beginning, None, game.turns().iter().take(FIRST), again)];
    if game.outcome().is_some() && !ruleset.has_cards() {
        let last = game.turns().len() - LAST;
        let near_the_end = AnyMatch::from_text(ruleset, &texts[last]).unwrap();
        scripts.push(script(near_the_end, Some(texts[last].clone()), game.turns().iter().skip(last), None));
    }
    scripts
}

/// Returns the script of a game with cards after its room has opened again, once for each of the two who can leave it.
fn again(dice: &mut Dice, ruleset: Ruleset, seed: &engine::Seed, n_turns: usize) -> Option<Arc<Script>> {
    let mut again = None;
    let once = next_seed(seed);
    for seed in [next_seed(&once), once].into_iter().filter(|_| ruleset.has_cards()) {
        let beginning = AnyMatch::new(ruleset).with_seed(seed);
        let mut game = beginning.clone();
        for _ in 0..n_turns {
            play_by_chance(dice, &mut game);
        }
        again = Some(script(beginning, None, game.turns().iter(), again));
    }
    again
}

fn play_by_chance(dice: &mut Dice, game: &mut AnyMatch) {
    let mut actions: Vec<String> = Vec::new();
    loop {
        let draft = game.draft(&actions).unwrap();
        if draft.complete {
            break;
        }
        let mut legal = draft.legal();
        actions.push(legal.swap_remove(dice.below(legal.len())).text);
    }
    game.play(&actions).unwrap();
}

fn script<'t>(
    mut game: AnyMatch,
    start: Option<String>,
    turns: impl Iterator<Item = &'t TurnRecord>,
    again: Option<Arc<Script>>,
) -> Arc<Script> {
    let written = turns.map(|turn| {
        let actions: Vec<_> =
            turn.actions().map(|text| ActionText::try_from(text.to_owned()).unwrap()).collect();
        game.play(&actions).unwrap();
        ScriptedTurn { side: turn.side, actions, ends: game.outcome().map(Outcome::from) }
    });
    let turns = written.collect();
    let then = game.outcome().is_none().then(|| game.to_move());
    Arc::new(Script { ruleset: game.ruleset(), start, turns, then, again })
}

fn clocks() -> Vec<ClockRule> {
    let real_time =
        |base_s, bonus_s, bonus| ClockRule::RealTime(RealTime::new(base_s, bonus_s, bonus).unwrap());
    vec![
        ClockRule::None,
        ClockRule::Correspondence { days: Days::try_from(1).unwrap() },
        bank(1, 0),
        bank(10, 36),
        real_time(20, 3, Bonus::PerTurn),
        real_time(0, 10, Bonus::PerTurn),
        real_time(600, 1, Bonus::PerAction),
        real_time(15, 2, Bonus::Delay),
        real_time(15, 4, Bonus::Bronstein),
    ]
}

/// Starting points of interleavings: rooms, and games a few turns old.
pub(super) fn beginnings() -> Vec<Table> {
    let mut dice = Dice(1);
    let mut tables = Vec::new();
    for script in Ruleset::ALL.into_iter().flat_map(|ruleset| scripts(&mut dice, ruleset)) {
        let mut table = Table::shared(&script);
        tables.push(table.clone());
        while table.model.turns.len() < 5 {
            let ask = Ask::Turn { base: table.model.version, kind: TurnKind::Whole, lag_ms: 0 };
            let what = OperationKind::Give { who: MAKER, ask, waits_ms: 0, stored_in_ms: 1 };
            table.step(Operation { passes_ms: 700, what }).unwrap();
            table.log.clear();
            tables.push(table.clone());
        }
        for rule in clocks() {
            let mut table = Table::room(&script, rule);
            tables.push(table.clone());
            let mut follow = |who, ask| {
                let what = OperationKind::Give { who, ask, waits_ms: 0, stored_in_ms: 1 };
                table.step(Operation { passes_ms: 700, what }).unwrap();
                table.log.clear();
                tables.push(table.clone());
                table.model.clone()
            };
            let mut model = follow(1, Ask::Join);
            while model.turns.len() < 5 {
                let who = (0..2).find(|who| model.side_of(*who) == model.to_move()).unwrap();
                model = follow(who, Ask::Turn { base: model.version, kind: TurnKind::Whole, lag_ms: 50 });
            }
        }
    }
    tables
}
