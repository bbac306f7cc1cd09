//! Equations that hold for any text, a function for each fuzz target. The engine's tests run them too, in
//! `tests/suite/found.rs`.

use engine::{
    AnyMatch, Draft, Ruleset, Seed,
    record::{Record, RecordError},
};

/// Maximum number of legal actions that are listed: a position of Fenix can have millions of captures.
const MAX_LISTED: usize = 2_000;

/// Maximum number of turns of one text, and of actions of one turn, which bounds the running time.
const MAX_TURNS: usize = 40;
const MAX_ACTIONS: usize = 10;

/// Parses a text as a position of each ruleset. A valid position is printed as the same text, and can be played on.
pub fn position(text: &str) {
    for ruleset in Ruleset::ALL {
        match AnyMatch::from_text(ruleset, text) {
            Ok(game) => stands_at(&game, text),
            Err(error) => {
                assert!(text.is_char_boundary(error.at), "{error} in {text}");
                assert!(error.to_string().contains(error.rule.as_str()));
            }
        }
    }
}

fn stands_at(game: &AnyMatch, text: &str) {
    let present = game.present();
    assert_eq!((game.position_text().as_str(), game.start_text()), (text, text));
    assert_eq!((present.position.as_str(), present.turn, present.side), (text, game.turn(), game.to_move()));
    assert_eq!((game.outcome(), game.awaits_card()), (None, false));
    let draft = game.draft::<&str>(&[]).expect("a game that goes on takes a turn");
    assert_eq!(draft.present, present);
    let Some(listed) = listed(&draft) else { return };
    assert_eq!(game.perft(1), listed.len() as u64);
    assert!(!listed.is_empty(), "nothing is legal in {text}");
    for action in listed.first().into_iter().chain(listed.last()) {
        assert!(game.draft(&[action]).is_ok(), "{action} in {text}");
    }
}

/// The legal actions of a draft, if they are not too many.
fn listed(draft: &Draft) -> Option<Vec<String>> {
    let listed = draft.legal_within(MAX_LISTED)?;
    assert!(listed.len() <= MAX_LISTED);
    let listed: Vec<String> = listed.into_iter().map(|action| action.text).collect();
    assert!(listed.is_sorted_by(|a, b| a < b), "{listed:?}");
    assert!(!draft.complete || listed.is_empty());
    assert_eq!(draft.may_end, listed.iter().any(|action| action == "end"));
    Some(listed)
}

/// Plays from a position. The first line is a ruleset and a position's text, each further line a turn. A number in a
/// turn stands for the legal action with that index, modulo the number of legal actions.
pub fn turns(text: &str) {
    let mut lines = text.lines();
    let Some(mut game) = lines.next().and_then(start) else { return };
    for line in lines.take(MAX_TURNS) {
        let actions = drafted(&game, line);
        play(&mut game, &actions);
    }
    let record = Record::from_match(&game);
    goes_there_and_back(&record);
    let replayed = record.replay().expect("the record of a match is valid");
    assert_eq!((replayed.turns(), replayed.outcome()), (game.turns(), game.outcome()));
    assert_eq!(replayed.present(), game.present());
}

fn start(line: &str) -> Option<AnyMatch> {
    let (ruleset, text) = line.split_once(' ')?;
    let game = AnyMatch::from_text(ruleset.parse().ok()?, text).ok()?;
    Some(game.with_seed(Seed::new([7; 32])))
}

/// The actions of a line. Each one is listed exactly if it is legal.
fn drafted(game: &AnyMatch, line: &str) -> Vec<String> {
    let mut actions = Vec::new();
    for word in line.split(' ').take(MAX_ACTIONS) {
        match game.draft(&actions) {
            Ok(draft) => next(game, &mut actions, &draft, word),
            Err(error) => {
                actions.push(word.to_owned());
                assert_eq!(game.draft(&actions).err(), Some(error));
            }
        }
    }
    actions
}

fn next(game: &AnyMatch, actions: &mut Vec<String>, draft: &Draft, word: &str) {
    let listed = listed(draft);
    let action = listed.as_deref().and_then(|listed| chosen(listed, word)).unwrap_or(word);
    actions.push(action.to_owned());
    let after = game.draft(actions);
    if let Some(listed) = &listed {
        assert_eq!(after.is_ok(), listed.iter().any(|legal| legal == action), "{actions:?} in {game:?}");
    }
    match after {
        Ok(after) => {
            let (last, before) = after.steps.split_last().expect("an action was drafted");
            assert_eq!((before, last.action.as_str()), (draft.steps.as_slice(), action));
            assert_eq!((&last.position, &last.threats), (&after.present.position, &after.present.threats));
        }
        Err(error) => assert_eq!(error.index, draft.steps.len()),
    }
}

fn chosen<'a>(listed: &'a [String], word: &str) -> Option<&'a str> {
    let index = word.parse::<usize>().ok()?.checked_rem(listed.len())?;
    Some(&listed[index])
}

/// Plays a turn. An accepted turn has the result that its draft showed; a refused turn leaves the match unchanged.
fn play(game: &mut AnyMatch, actions: &[String]) {
    let drafted = game.draft(actions);
    let before = format!("{game:?}");
    let played = game.play(actions).map(|()| game.last_steps());
    match (drafted, played) {
        (Ok(draft), Ok(played)) => {
            assert!(draft.complete);
            assert_eq!(draft.outcome, game.outcome());
            assert!(played.iter().map(|step| &step.action).eq(actions));
            assert_eq!(played.last().map(|step| &step.position), Some(&game.position_text()));
            assert!(game.ruleset().has_cards() || draft.steps == played);
            let record = game.turns().last().expect("a turn was played just now");
            assert_eq!(record.turn, draft.present.turn);
            assert!(record.actions().eq(actions));
            goes_on_like_its_text(game);
        }
        (Ok(draft), Err(error)) => {
            assert!(!draft.complete);
            assert_eq!(error.index, actions.len());
            assert_eq!(format!("{game:?}"), before);
        }
        (Err(expected), played) => {
            assert_eq!(played, Err(expected));
            assert_eq!(format!("{game:?}"), before);
        }
    }
}

/// The position of an unfinished game is a valid start. From there the same actions are legal, and those that ko
/// forbids.
fn goes_on_like_its_text(game: &AnyMatch) {
    if game.outcome().is_some() {
        return;
    }
    let text = game.position_text();
    let fresh = AnyMatch::from_text(game.ruleset(), &text).expect("a game that goes on can start from here");
    stands_at(&fresh, &text);
    let first = |game: &AnyMatch| game.draft::<&str>(&[]).expect("a game that goes on takes a turn");
    let (draft, fresh) = (first(game), first(&fresh));
    if let (Some(mut legal), Some(expected)) = (listed(&draft), listed(&fresh)) {
        legal.extend(draft.ko_forbidden.into_iter().map(|forbidden| forbidden.text));
        legal.sort_unstable();
        assert_eq!(legal, expected);
    }
}

/// Parses a text as a record. A valid record is written as the same text.
pub fn record_text(text: &str) {
    match Record::parse_text(text) {
        Ok(record) => {
            assert_eq!(record.to_text(), text);
            goes_there_and_back(&record);
            replay(&record);
        }
        Err(error) => names_a_line(&error, text),
    }
}

/// Parses JSON as a record. A valid record survives a round trip through both forms.
pub fn record_json(json: &str) {
    match Record::from_json(json) {
        Ok(record) => {
            goes_there_and_back(&record);
            replay(&record);
        }
        Err(error) => assert_eq!(error.line, None),
    }
}

fn goes_there_and_back(record: &Record) {
    assert_eq!(Record::parse_text(&record.to_text()).as_ref(), Ok(record));
    assert_eq!(Record::from_json(&record.to_json()).as_ref(), Ok(record));
}

/// Replays a record. An accepted record agrees with the record that its match produces.
fn replay(record: &Record) {
    match record.replay() {
        Ok(game) => {
            let mut known = Record::from_match(&game);
            for (known, turn) in known.turns.iter_mut().zip(&record.turns) {
                known.took_ms = turn.took_ms;
            }
            assert_eq!((&known.turns, &known.final_text), (&record.turns, &record.final_text));
            assert!(known.ending.is_none() || known.ending == record.ending);
        }
        Err(error) => names_a_line(&error, &record.to_text()),
    }
}

/// An error names a line of the text, or the line missing after the last one.
fn names_a_line(error: &RecordError, text: &str) {
    let line = error.line.expect("a text has lines");
    assert!((1..=text.split('\n').count()).contains(&line), "{error} in {text}");
}
