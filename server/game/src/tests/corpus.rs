//! Logs of earlier builds keep folding to the same games: see `corpus/README.md`.

use std::fs;

use super::*;

/// A log of the corpus, with the description of the game that it folds to.
struct Kept {
    name: String,
    log: Vec<(i64, String)>,
    game: String,
}

fn corpus() -> Vec<Kept> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/tests/corpus");
    let mut corpus = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "log") {
            continue;
        }
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let text = fs::read_to_string(&path).unwrap();
        let (log, game) = text.split_once("\n\n").unwrap();
        let log = log.lines().map(|line| line.split_once(' ').unwrap());
        let log = log.map(|(at_ms, body)| (at_ms.parse().unwrap(), body.to_owned())).collect();
        corpus.push(Kept { name, log, game: without_names(game) });
    }
    corpus
}

/// Returns the description of a game without the names that builds with names in events told.
fn without_names(game: &str) -> String {
    let is_player =
        |line: &str| ["creator: ", "first: ", "second: "].iter().any(|word| line.starts_with(word));
    let lines = game.lines().map(|line| match line.split_once(" \"") {
        Some((player, _name)) if is_player(line) => player,
        Some(_) | None => line,
    });
    lines.map(|line| line.to_owned() + "\n").collect()
}

#[test]
fn every_log_of_the_corpus_folds_to_its_game() {
    let corpus = corpus();
    assert!(corpus.len() >= 64, "the corpus grows and never shrinks: {}", corpus.len());
    for Kept { name, log, game } in corpus {
        let state = State::of_log(log.iter().map(|(at_ms, body)| (*at_ms, body.as_str()))).unwrap();
        assert_eq!(told(&state), game, "{name}");
        let mut events = log.iter().map(|(at_ms, body)| Recorded::read(*at_ms, body).unwrap());
        let mut state = State::begin(&events.next().unwrap()).unwrap();
        events.for_each(|event| state.replay(&event).unwrap());
        assert_eq!(told(&state), game, "{name}, replayed");
    }
}

#[test]
fn the_events_of_the_corpus_are_written_as_the_same_events() {
    for Kept { name, log, .. } in corpus() {
        for (at_ms, body) in log {
            let recorded = Recorded::read(at_ms, &body).unwrap();
            let written = recorded.body();
            let is_of = |what: &str| body.starts_with(&format!(r#"{{"v":1,"type":"{what}""#));
            let has_newer_schema = ["created", "started", "turn_played"].into_iter().any(is_of);
            if !name.starts_with("old-") && !has_newer_schema {
                assert_eq!(written, body, "{name}");
            }
            assert_eq!(Recorded::read(at_ms, &written), Ok(recorded), "{name}");
        }
    }
}

/// Describes everything that a log says of its game, one fact on a line. The words are independent of the wire and the
/// tables.
fn told(state: &State) -> String {
    let mut lines = vec![
        format!("ruleset: {}", state.ruleset().id()),
        format!("version: {}", state.version().get()),
        format!("creator: {}", state.creator),
        format!("visibility: {}", visibility(state.visibility)),
        format!("seat: {}", seat(state.seat)),
        format!("terms: {}", terms(&state.terms)),
        format!("created: {} updated: {}", state.created_ms, state.updated_ms),
        format!("position: {}", state.play().position_text()),
        format!("turn: {} to move: {}", state.play().turn().get(), state.play().to_move().id()),
        format!("turns: {}", turns(state)),
        format!("takebacks: {}", state.n_takebacks),
        format!("lag: {} {}", state.clocks.lag.first.left_ms(), state.clocks.lag.second.left_ms()),
    ];
    lines.extend(state.start.as_ref().map(|start| format!("start: {start}")));
    lines.extend(state.seed.as_ref().map(|seed| format!("seed: {}", seed.reveal())));
    lines.extend(state.clocks.left_ms.map(|left| format!("left: {} {}", left.first, left.second)));
    if let Some(seats) = state.seats() {
        lines.push(format!("first: {}", seats.first));
        lines.push(format!("second: {}", seats.second));
    }
    lines.extend(phase(&state.phase));
    // The time for which a room stays open is no part of its log.
    let ends_at_ms = flag_falls_at_ms(state).filter(|_| state.phase != Phase::Open);
    lines.extend(ends_at_ms.map(|at_ms| format!("ends by itself: {at_ms}")));
    lines.into_iter().map(|line| line + "\n").collect()
}

fn phase(phase: &Phase) -> Vec<String> {
    match phase {
        Phase::Open => vec!["open".to_owned()],
        Phase::Cancelled => vec!["cancelled".to_owned()],
        Phase::Aborted { .. } => vec!["aborted".to_owned()],
        Phase::Playing { turn, offers, .. } => vec![
            format!("playing since: {} began: {} credited: {}", turn.since, turn.began_ms, turn.credited_ms),
            format!("offers: {}", offered(offers.standing())),
        ],
        Phase::Finished { outcome, offers, rematch, .. } => vec![
            format!("finished: {} by {}", outcome.winner.map_or("nobody", Side::id), reason(outcome.reason)),
            format!("offers: {}", offered(offers.standing())),
            format!("rematch: {}", rematch.map_or("none".to_owned(), |game| game.to_string())),
        ],
    }
}

fn visibility(visibility: Visibility) -> &'static str {
    match visibility {
        Visibility::Public => "public",
        Visibility::Link => "link",
    }
}

fn seat(seat: SeatChoice) -> &'static str {
    match seat {
        SeatChoice::First => "first",
        SeatChoice::Second => "second",
        SeatChoice::Random => "random",
    }
}

fn terms(terms: &Terms) -> String {
    let clock = match terms.clock {
        ClockRule::None => "no clock".to_owned(),
        ClockRule::Correspondence { days } => format!("{} days", days.get()),
        ClockRule::Bank { base_days, bonus_hours } => {
            format!("bank of {} days + {} hours", base_days.get(), bonus_hours.get())
        }
        ClockRule::RealTime(time) => {
            let bonus = match time.bonus() {
                Bonus::PerTurn => "per turn",
                Bonus::PerAction => "per action",
                Bonus::Delay => "delay",
                Bonus::Bronstein => "Bronstein",
            };
            format!("{} s + {} s {bonus}", time.base_s(), time.bonus_s())
        }
    };
    let watching = match terms.watching {
        Watching::Everybody => "everybody watches",
        Watching::Nobody => "nobody watches",
    };
    let drafts = match terms.drafts {
        Drafts::Shown => "drafts shown",
        Drafts::Hidden => "drafts hidden",
    };
    format!("{clock}, {watching}, {drafts}, {} turns behind", terms.delay.get())
}

/// Lists the turns that stand, each with its side and duration.
fn turns(state: &State) -> String {
    let turns = state.play().turns().iter().zip(state.played.iter());
    let turns = turns.map(|(turn, played)| format!("{} {}", turn.side.id(), played.took_ms));
    list(&turns.collect::<Vec<_>>())
}

fn offered(offers: &[StandingOffer]) -> String {
    let offer = |offer: &StandingOffer| {
        let what = match offer.what {
            OfferKind::Draw => "draw",
            OfferKind::Takeback => "takeback",
            OfferKind::Rematch => "rematch",
        };
        format!("{what} by {}", offer.side.id())
    };
    list(&offers.iter().map(offer).collect::<Vec<_>>())
}

fn list(items: &[String]) -> String {
    if items.is_empty() { "none".to_owned() } else { items.join(", ") }
}

fn reason(reason: Reason) -> &'static str {
    match reason {
        Reason::Surround => "surround",
        Reason::King => "king",
        Reason::Blocked => "blocked",
        Reason::Repetition => "repetition",
        Reason::Quiet => "quiet",
        Reason::TurnLimit => "turn limit",
        Reason::Resign => "resigning",
        Reason::Time => "time",
        Reason::Agreement => "agreement",
        Reason::Abandon => "leaving",
    }
}
