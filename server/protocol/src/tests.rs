//! Tests of games as readers are shown them.

use std::{fs, path::Path};

use engine::{AnyMatch, Ruleset, Side};
use game::{
    Away, Bonus, ClockRule, Command, Decision, Event, Phase, Player, RealTime, Recorded, SeatChoice, State,
    Terms, Visibility, When, credit, decide,
    ids::{ActionText, GameId, PlayerId, PlayerName},
    record,
};
use serde::Serialize;
use uuid::Uuid;

use super::{
    CompactEvent, Draft, Event as Shown, LastTurn, LegalAction, ServerMessage, Snapshot, Standing, Times,
    compact, replay, view,
};

fn player(number: u128, name: &str) -> Player {
    let name = PlayerName::try_from(name.to_owned()).unwrap();
    Player { id: PlayerId::new(Uuid::from_u128(number)), name }
}

/// The players of all games: Ada, and else Blaise.
fn names(id: PlayerId) -> super::Player {
    let (ada, blaise) = (player(1, "Ada"), player(2, "Blaise"));
    (if id == ada.id { ada } else { blaise }, game::PlayerKind::Guest).into()
}

/// Game in virtual time with its log. Ada has the first side, Blaise the second.
struct Game {
    state: State,
    log: Vec<Recorded>,
    now_ms: i64,
}

impl Game {
    fn begun(ruleset: Ruleset, clock: ClockRule) -> Self {
        let event = Event::Created {
            ruleset,
            visibility: Visibility::Public,
            creator: player(1, "Ada").id,
            challenged: None,
            seat: SeatChoice::First,
            terms: Terms { clock, ..Terms::default() },
            start: None,
            seed: ruleset.has_cards().then(|| engine::Seed::new([7; 32])),
        };
        let recorded = Recorded { at_ms: 1_000, event };
        let mut game = Self { state: State::begin(&recorded).unwrap(), log: vec![recorded], now_ms: 5_000 };
        game.give(&player(2, "Blaise"), &Command::Join { coin: false });
        game
    }

    fn give(&mut self, who: &Player, command: &Command) {
        let when = When { received_ms: self.now_ms, now_ms: self.now_ms };
        let decision = decide(&self.state, command, who, when).unwrap();
        self.log.extend(decision.events);
        self.state = *decision.next;
    }

    /// The first legal actions that make a whole turn.
    fn next_turn(&self) -> (Player, Command) {
        let mut actions: Vec<String> = Vec::new();
        loop {
            let draft = self.state.play().draft(&actions).unwrap();
            if draft.complete {
                break;
            }
            let next = draft.legal().into_iter().find(|action| action.text != "end").unwrap();
            actions.push(next.text);
        }
        let actions = actions.into_iter().map(|text| ActionText::try_from(text).unwrap()).collect();
        let mover = self.state.seats().unwrap()[self.state.play().to_move()];
        let who = [player(1, "Ada"), player(2, "Blaise")].into_iter().find(|who| who.id == mover).unwrap();
        (who, Command::Turn { base: self.state.version(), actions, lag_ms: 5 })
    }

    fn play(&mut self) {
        let (who, turn) = self.next_turn();
        self.give(&who, &turn);
    }
}

fn real_time(base_s: u32, bonus_s: u32, bonus: Bonus) -> ClockRule {
    ClockRule::RealTime(RealTime::new(base_s, bonus_s, bonus).unwrap())
}

#[test]
fn the_messages_about_a_game_match_their_snapshots() {
    for ruleset in Ruleset::ALL {
        let mut shown = String::new();
        let mut game = Game::begun(ruleset, real_time(180, 2, Bonus::PerTurn));
        for _ in 0..2 {
            game.now_ms += 700;
            game.play();
        }
        let mut state = State::begin(&game.log[0]).unwrap();
        show(&mut shown, &view::event(&state, state.version(), &game.log[0], &names));
        show(&mut shown, &view::snapshot(&state, game.now_ms));
        for recorded in &game.log[1..] {
            state.apply(recorded).unwrap();
            show(&mut shown, &view::event(&state, state.version(), recorded, &names));
        }
        let draft = state.play().draft::<&str>(&[]).unwrap();
        show(&mut shown, &Draft::from(&draft));
        for action in draft.legal().into_iter().take(3) {
            show(&mut shown, &LegalAction::from(action));
        }
        show(&mut shown, &view::snapshot(&state, game.now_ms + 100));
        game.give(&player(1, "Ada"), &Command::Resign);
        show(&mut shown, &view::event(&game.state, game.state.version(), game.log.last().unwrap(), &names));
        show(&mut shown, &view::snapshot(&game.state, game.now_ms));
        insta::assert_snapshot!(format!("shown_{}", ruleset.id()), shown);
    }
}

fn show(shown: &mut String, what: &impl Serialize) {
    *shown += &serde_json::to_string(what).unwrap();
    shown.push('\n');
}

#[test]
fn a_snapshot_has_the_clocks_at_the_time_of_sending() {
    let mut game = Game::begun(Ruleset::Fibonacci, real_time(10, 2, Bonus::Delay));
    game.play();
    game.play();
    let began_ms = game.now_ms;
    let shown = |state: &State, after_ms| match view::snapshot(state, began_ms + after_ms) {
        Snapshot { standing: Standing::Playing { at_ms, clock: Some(clock), .. }, .. } => {
            assert_eq!(at_ms, began_ms + after_ms);
            clock
        }
        other => panic!("{other:?}"),
    };
    for (after_ms, first_ms, free_ms) in
        [(0, 10_000, 2_000), (500, 10_000, 1_500), (2_000, 10_000, 0), (2_001, 9_999, 0), (99_000, 0, 0)]
    {
        let clock = shown(&game.state, after_ms);
        assert_eq!(clock.left, Times { first_ms, second_ms: 10_000 }, "after {after_ms} ms");
        assert_eq!((clock.free_ms, clock.running), (free_ms, Some(Side::First)), "after {after_ms} ms");
    }
    let credited = credit(&game.state, Away::of_outages(1_000), began_ms).unwrap().next;
    assert_eq!(shown(&credited, 3_000).left.first_ms, 10_000, "credited time runs before the side's own");
}

#[test]
fn a_replayed_record_has_the_events_of_its_game() {
    for ruleset in Ruleset::ALL {
        let mut game = Game::begun(ruleset, ClockRule::None);
        let shown: Vec<_> = (0..4)
            .map(|_| {
                game.now_ms += 700;
                game.play();
                let event = view::event(&game.state, game.state.version(), game.log.last().unwrap(), &names);
                serde_json::to_value(event.what).unwrap()
            })
            .collect();
        let events = replay::replay(&record::of(&game.state, |id| names(id).name)).unwrap().events;
        let replayed: Vec<_> =
            events.iter().skip(2).map(|event| serde_json::to_value(&event.what).unwrap()).collect();
        assert_eq!(replayed, shown, "{ruleset}");
    }
}

#[test]
fn a_record_with_excessive_times_is_replayed() {
    let mut game = AnyMatch::new(Ruleset::Fibonacci);
    game.play(&["b7-c7"]).unwrap();
    game.play(&["j5-i5", "end"]).unwrap();
    let mut written = engine::record::Record::from_match(&game);
    for turn in &mut written.turns {
        turn.took_ms = Some(i64::MAX as u64);
    }
    let replay = replay::replay(&written).unwrap();
    assert_eq!(replay.events.last().map(|event| event.at_ms), Some(i64::MAX));
}

/// Folds a log; returns each event as the socket sends it and with all that follows from it, and the position after it.
fn both_forms(log: &[Recorded]) -> Vec<(CompactEvent, Shown, String)> {
    let mut state = State::begin(&log[0]).unwrap();
    let mut forms = Vec::new();
    for (index, recorded) in log.iter().enumerate() {
        if index > 0 {
            state.replay(recorded).unwrap();
        }
        let version = state.version();
        let (compact, full) = (
            CompactEvent::of(&state, version, recorded, &names),
            view::event(&state, version, recorded, &names),
        );
        forms.push((compact, full, state.play().position_text()));
    }
    forms
}

/// The logs of earlier builds, by their names. Those named `compact-*` are the same games in another form.
fn kept_logs() -> Vec<(String, Vec<Recorded>)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../game/src/tests/corpus");
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let logs = paths.filter(|path| path.extension().is_some_and(|extension| extension == "log"));
    let name = |path: &Path| path.file_stem().unwrap().to_str().unwrap().to_owned();
    let mut kept: Vec<_> = logs
        .filter(|path| !name(path).starts_with("compact-"))
        .map(|path| {
            let text = fs::read_to_string(&path).unwrap();
            let (log, _) = text.split_once("\n\n").unwrap();
            let events = log.lines().map(|line| {
                let (at_ms, body) = line.split_once(' ').unwrap();
                Recorded::read(at_ms.parse().unwrap(), body).unwrap()
            });
            (name(&path), events.collect())
        })
        .collect();
    kept.sort_by(|(one, _), (other, _)| one.cmp(other));
    kept
}

/// Environment variable that makes the test rewrite the games of the client's test instead of comparing them.
const WRITE: &str = "WRITE_PROTOCOL";

#[test]
fn the_games_of_the_clients_test_are_those_that_the_server_shows() {
    let kept = kept_logs();
    assert!(kept.len() >= 51, "the corpus grows and never shrinks: {}", kept.len());
    let mut games = String::new();
    for (name, log) in kept {
        let forms: Vec<_> = both_forms(&log).iter().map(|form| serde_json::json!(form)).collect();
        games += &serde_json::json!({ "name": name, "rules": engine::RULES, "events": forms }).to_string();
        games.push('\n');
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/client/kept-games.jsonl");
    if std::env::var_os(WRITE).is_some() {
        return fs::write(path, games).unwrap();
    }
    let written = fs::read_to_string(path).unwrap_or_default();
    assert!(
        written == games,
        "the engine answers otherwise: raise `engine::RULES`, and run `{WRITE}=1 cargo test -p protocol`"
    );
}

/// Maximum number of bytes of the frame of a turn of six actions, on average.
const BYTES_OF_TURN: usize = 260;

#[test]
fn a_turn_of_six_actions_takes_at_most_260_bytes_in_the_mean() {
    let mut game = Game::begun(Ruleset::Fibonacci, real_time(900, 5, Bonus::PerTurn));
    let (mut n_six, mut n_bytes) = (0, 0);
    for _ in 0..60 {
        game.now_ms += 2_500;
        game.play();
        let Some(recorded) = game.log.last().filter(|_| matches!(game.state.phase(), Phase::Playing { .. }))
        else {
            break;
        };
        let recorded = Recorded { at_ms: 1_790_000_000_000, ..recorded.clone() };
        let event = CompactEvent::of(&game.state, game.state.version(), &recorded, &names);
        let standing = compact::standing(
            view::standing(&game.state, game.now_ms),
            game.state.play().to_move(),
            event.last_turn(),
        );
        let (id, version) = (GameId::new(Uuid::nil()), game.state.version());
        let (events, position) = (vec![event], game.state.play().position_text());
        let message = ServerMessage::Events { game: id, version, events, position, standing, draft: None };
        if game.state.play().last_steps().len() == 6 {
            n_six += 1;
            n_bytes += serde_json::to_string(&message).unwrap().len();
        }
    }
    assert!(n_six > 0, "no turn has six actions");
    assert!(n_bytes <= BYTES_OF_TURN * n_six, "{} bytes", n_bytes / n_six);
}

#[test]
fn a_client_is_told_from_when_the_clock_runs_unless_it_is_from_the_turn_on() {
    let mut game = Game::begun(Ruleset::Fibonacci, real_time(900, 5, Bonus::PerTurn));
    for _ in 0..3 {
        game.play();
    }
    let last = game.log.last().unwrap();
    let sent = |commit_ms| {
        let (mut state, now_ms) = (game.state.clone(), last.at_ms + commit_ms);
        state.committed(now_ms);
        compact::standing(view::standing(&state, now_ms), state.play().to_move(), LastTurn::of(last))
    };
    assert_eq!((sent(0), sent(100)), (None, None));
    match sent(5_000) {
        Some(Standing::Playing { at_ms, clock: Some(clock), .. }) => {
            assert_eq!(at_ms, last.at_ms + 5_000);
            assert_eq!(clock.running, Some(game.state.play().to_move()));
        }
        other => panic!("{other:?}"),
    }
}

/// Allocations of a decision on a turn of six actions: the texts of the actions once more, for the event, and a copy of the
/// parts of the state that it changes. One turn in sixteen also begins a block of each history.
const ALLOCATIONS_OF_DECISION: u64 = 9;

/// Allocations of the event for readers and for the store.
const ALLOCATIONS_OF_EVENT: u64 = 6;

#[test]
fn a_turn_of_six_actions_allocates_a_bounded_number_of_times() {
    let mut game = Game::begun(Ruleset::Fibonacci, real_time(900, 5, Bonus::PerTurn));
    let mut n_six = 0;
    while game.state.outcome().is_none() {
        game.now_ms += 2_500;
        let (who, turn) = game.next_turn();
        let Command::Turn { actions, .. } = &turn else { unreachable!() };
        let n_actions = actions.len();
        let when = When { received_ms: game.now_ms, now_ms: game.now_ms };
        let mut decided = None;
        let counted = allocation_counter::measure(|| decided = Some(decide(&game.state, &turn, &who, when)));
        let Decision { events, next, .. } = decided.unwrap().unwrap();
        if n_actions == 6 && next.outcome().is_none() {
            n_six += 1;
            assert!(counted.count_total <= ALLOCATIONS_OF_DECISION, "{}", counted.count_total);
            let counted = allocation_counter::measure(|| {
                let event = CompactEvent::of(&next, next.version(), &events[0], &names);
                std::hint::black_box((serde_json::to_string(&event).unwrap(), events[0].body()));
            });
            assert!(counted.count_total <= ALLOCATIONS_OF_EVENT, "{}", counted.count_total);
        }
        game.state = *next;
    }
    assert!(n_six > 0, "no turn has six actions");
}
