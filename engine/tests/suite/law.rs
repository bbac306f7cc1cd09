//! Properties that hold for every ruleset, each as a function that checks one game.

use std::collections::BTreeSet;

use engine::{AnyMatch, Ruleset};
use proptest::sample::Index;

use crate::{legal, read};

/// Plays by choosing among the legal actions, and calls `each` for each action. A turn that the choices do not complete
/// is not played.
pub(crate) fn walk(game: &mut AnyMatch, choices: &[Index], mut each: impl FnMut(&AnyMatch, &[String])) {
    let mut turn = Vec::new();
    for choice in choices {
        let Ok(draft) = game.draft(&turn) else { return };
        let legal = draft.legal();
        turn.push(legal[choice.index(legal.len())].text.clone());
        each(game, &turn);
        if game.draft(&turn).unwrap().complete {
            game.play(&turn).unwrap();
            turn.clear();
        }
    }
}

/// Makes the text of a position readable, by replacing a card that is not yet turned over with a 1.
fn readable(text: &str) -> String {
    text.replace(" 0/0", " 1/1")
}

pub(crate) fn a_parsed_text_prints_unchanged(game: &AnyMatch) {
    let text = game.position_text();
    let read = AnyMatch::from_text(game.ruleset(), &text);
    assert_eq!(read.map(|game| game.position_text()), Ok(text));
}

/// Position texts stay valid to the end of the game. Calls `conserved` with the texts before and after each action.
pub(crate) fn legal_actions_keep_texts_valid(
    mut game: AnyMatch,
    choices: &[Index],
    conserved: impl Fn(&str, &str),
) {
    let ruleset = game.ruleset();
    walk(&mut game, choices, |game, turn| {
        let before = game.draft(&turn[..turn.len() - 1]).unwrap().present.position;
        let draft = game.draft(turn).unwrap();
        let text = readable(&draft.present.position);
        conserved(&before, &text);
        assert_eq!(draft.steps[turn.len() - 1].threats, draft.present.threats);
        if draft.outcome.is_none() {
            assert_eq!(AnyMatch::from_text(ruleset, &text).map(|read| read.position_text()), Ok(text));
        } else {
            assert!(draft.complete);
        }
    });
    if game.outcome().is_some() {
        assert_eq!(legal(&game), [""; 0]);
        assert_eq!(game.play(&["end"]).unwrap_err().rule.as_str(), "0.5");
    }
}

/// A symmetry of the board maps the legal actions of a position onto those of the mapped position, and their results
/// likewise. `text` and `action` apply the symmetry.
pub(crate) fn symmetries_map_actions_onto_actions(
    game: &AnyMatch,
    choice: Index,
    text: impl Fn(&str) -> String,
    action: impl Fn(&str) -> String,
) {
    let turned = read(game.ruleset(), &text(&game.position_text()));
    let actions = legal(game);
    let mapped: BTreeSet<String> = actions.iter().map(|name| action(name)).collect();
    assert_eq!(mapped.into_iter().collect::<Vec<_>>(), legal(&turned));
    let chosen = &actions[choice.index(actions.len())];
    let draft = game.draft(&[chosen]).unwrap();
    let turned_draft = turned.draft(&[action(chosen)]).unwrap();
    assert_eq!(text(&draft.present.position), turned_draft.present.position);
}

pub(crate) fn a_refused_turn_leaves_the_match_unchanged(mut game: AnyMatch, choices: &[Index], bad: String) {
    let mut turn = Vec::new();
    walk(&mut game.clone(), choices, |_, longer| turn = longer.to_vec());
    turn.push(bad);
    let before = format!("{game:?}");
    if let Err(error) = game.play(&turn) {
        assert!(error.index <= turn.len());
        assert_eq!(format!("{game:?}"), before);
    }
}

/// Ignores the card of the next turn, which is turned over only when the turn is played.
pub(crate) fn a_played_turn_matches_its_draft(mut game: AnyMatch, choices: &[Index]) {
    walk(&mut game, choices, |game, turn| {
        let mut draft = game.draft(turn).unwrap();
        if !draft.complete {
            return;
        }
        let (n_before, side, mut game) = (game.turns().len(), game.to_move(), game.clone());
        game.play(turn).unwrap();
        let played = game.last_steps();
        let last = draft.steps.last_mut().unwrap();
        if last.position.ends_with(" 0/0") {
            last.position.clone_from(&game.position_text());
            assert!(!last.position.ends_with(" 0/0"));
        }
        assert_eq!(draft.steps, played);
        assert_eq!(played[played.len() - 1].position, game.position_text());
        assert_eq!(draft.outcome, game.outcome());
        assert_eq!(game.turns().len(), n_before + 1);
        let record = &game.turns()[n_before];
        assert_eq!((record.turn, record.side), (draft.present.turn, side));
        assert!(record.actions().eq(turn));
    });
}

/// `text` is no valid text of a position. `byte` replaces a character of the game's own text.
pub(crate) fn garbage_is_refused_without_a_panic(game: &AnyMatch, text: &str, at: Index, byte: &str) {
    for ruleset in Ruleset::ALL {
        assert!(AnyMatch::from_text(ruleset, text).is_err());
    }
    let mut changed: Vec<char> = game.position_text().chars().collect();
    let at = at.index(changed.len());
    changed.splice(at..=at, byte.chars());
    let changed: String = changed.into_iter().collect();
    if let Ok(read) = AnyMatch::from_text(game.ruleset(), &changed) {
        assert_eq!(read.position_text(), changed);
    }
    assert!(game.draft(&[text]).is_err());
}

/// `texts` are all texts that could be actions, in any order.
pub(crate) fn an_action_is_listed_exactly_if_it_is_legal(game: &AnyMatch, mut texts: Vec<String>) {
    texts.retain(|action| game.draft(&[action]).is_ok());
    texts.sort_unstable();
    assert_eq!(texts, legal(game));
    assert_eq!(game.perft(1), texts.len() as u64);
    let draft = game.draft::<&str>(&[]).unwrap();
    assert_eq!(draft.legal_within(texts.len()), Some(draft.legal()));
    assert_eq!(draft.legal_within(texts.len() - 1), None);
}

/// The same start, actions and cards give the same game, even without the seed.
pub(crate) fn a_game_can_be_replayed(game: &AnyMatch) {
    let mut replay =
        if game.turns().is_empty() || game.cards().iter().next().is_none_or(|(turn, _)| turn.get() > 1) {
            AnyMatch::from_text(game.ruleset(), game.start_text()).unwrap()
        } else {
            AnyMatch::new(game.ruleset())
        };
    let mut cards = game.cards().iter();
    let mut turn_over = |replay: &mut AnyMatch| {
        if replay.awaits_card() {
            replay.turn_over(cards.next().unwrap().1).unwrap();
        }
    };
    turn_over(&mut replay);
    for turn in game.turns().iter() {
        let actions: Vec<&str> = turn.actions().collect();
        replay.play(&actions).unwrap();
        turn_over(&mut replay);
    }
    assert_eq!((replay.turns(), replay.outcome()), (game.turns(), game.outcome()));
    assert_eq!((replay.last_steps(), replay.present()), (game.last_steps(), game.present()));
    assert_eq!(replay.start_text(), game.start_text());
}
