//! Counts the instructions of a turn: parsing its frame, deciding it, and encoding it for the store, its player and readers.
//! Queues, database and sockets are not part of it.
//! `cargo bench -p protocol --bench turn`
//!
//! The program runs itself in Valgrind, which counts instructions and is thus independent of the machine's load. It prints
//! the number and its ratio to [`BASELINE`]; another compiler or processor gives another ratio for the same code.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a measurement prints its result, or fails")]

use std::{env, hint::black_box, process::Command as Program};

use engine::Ruleset;
use game::{
    Command, Event, Player, Recorded, SeatChoice, State, Terms, Visibility, When, decide,
    ids::{ActionText, CommandId, GameId, PlayerId, PlayerName},
};
use protocol::{ClientMessage, CompactEvent, LastTurn, ServerMessage, compact, view};
use uuid::Uuid;

/// Instructions of a turn, as counted with Rust 1.95 on x86-64. A change that is meant to cost more or less corrects it.
const BASELINE: f64 = 27_443.0;

/// Number of turns of the game. Most have six actions.
const TURNS: usize = 40;

/// The environment variable with the number of passes over the game, if the program runs in Valgrind.
const PASSES: &str = "TURN_PASSES";

fn main() {
    if let Ok(passes) = env::var(PASSES) {
        let (begun, turns) = game();
        for _ in 0..passes.parse().unwrap() {
            turns.iter().fold(begun.clone(), |state, turn| turn.take(&state));
        }
        return;
    }
    // The difference of two runs leaves the preparation out.
    let [few, many] = [2, 12].map(instructions);
    let counted = (many - few) / 10.0 / TURNS as f64;
    println!("{counted:.0} instructions a turn, {:.3} of the baseline's {BASELINE:.0}", counted / BASELINE);
}

/// Counts the instructions of this program with a number of passes.
fn instructions(passes: u32) -> f64 {
    let output = Program::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(env::current_exe().unwrap())
        .env(PASSES, passes.to_string())
        .output()
        .expect("valgrind is installed");
    let report = String::from_utf8(output.stderr).unwrap();
    let (_, rest) = report.split_once("Collected : ").unwrap_or_else(|| panic!("{report}"));
    rest.split_whitespace().next().unwrap().parse().unwrap()
}

/// A turn that is to be played.
struct Turn {
    who: Player,
    frame: String,
}

impl Turn {
    /// Plays the turn and returns the next state. Turns build on each other, as in a live game: a state that is played on
    /// twice copies a part of its history.
    fn take(&self, before: &State) -> Box<State> {
        let message = ClientMessage::parse(&self.frame);
        let Ok(ClientMessage::Turn { command, game, version, actions }) = message else {
            panic!("{message:?}");
        };
        let turn = Command::Turn { base: version, actions, lag_ms: 5 };
        let when = When { received_ms: 1_790_000_000_000, now_ms: 1_790_000_000_001 };
        let decision = decide(before, &turn, &self.who, when).unwrap();
        let (state, recorded) = (&decision.next, &decision.events[0]);
        black_box(recorded.body());
        let version = state.version();
        let nobody = |_| -> protocol::Player { unreachable!("a turn mentions nobody") };
        let event = CompactEvent::of(state, version, recorded, &nobody);
        let standing = compact::standing(
            view::standing(state, when.now_ms),
            state.play().to_move(),
            LastTurn::of(recorded),
        );
        let (events, position) = (vec![event], state.play().position_text());
        let events = ServerMessage::Events { game, version, events, position, standing, draft: None };
        let ack = ServerMessage::Ack { command, game, version };
        black_box([events, ack].map(|message| serde_json::to_string(&message).unwrap()));
        decision.next
    }
}

/// A game that has begun, and its turns, whose actions are chosen at random.
fn game() -> (Box<State>, Vec<Turn>) {
    let players = [(1, "Ada"), (2, "Blaise")].map(|(number, name)| Player {
        id: PlayerId::new(Uuid::from_u128(number)),
        name: PlayerName::try_from(name.to_owned()).unwrap(),
    });
    let created = Event::Created {
        ruleset: Ruleset::Fibonacci,
        visibility: Visibility::Public,
        creator: players[0].id,
        challenged: None,
        seat: SeatChoice::First,
        terms: Terms::default(),
        start: None,
        seed: None,
    };
    let room = State::begin(&Recorded { at_ms: 1_000, event: created }).unwrap();
    let when = When { received_ms: 1_780_000_000_000, now_ms: 1_780_000_000_000 };
    let begun = decide(&room, &Command::Join { coin: false }, &players[1], when).unwrap().next;
    let mut state = begun.clone();
    let (mut turns, mut random) = (Vec::new(), 1_u64);
    while turns.len() < TURNS {
        let mut actions: Vec<String> = Vec::new();
        loop {
            let draft = state.play().draft(&actions).unwrap();
            if draft.complete {
                break;
            }
            let legal = draft.legal();
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            actions.push(legal[(random >> 33) as usize % legal.len()].text.clone());
        }
        let actions: Vec<_> = actions.into_iter().map(|text| ActionText::try_from(text).unwrap()).collect();
        let mover = state.seats().unwrap()[state.play().to_move()];
        let who = players.iter().find(|player| player.id == mover).unwrap().clone();
        let turn = ClientMessage::Turn {
            command: CommandId::try_from(format!("01a2b3c4-0000-7000-8000-{:012}", turns.len())).unwrap(),
            game: GameId::new(Uuid::from_u128(9)),
            version: state.version(),
            actions: actions.clone(),
        };
        let command = Command::Turn { base: state.version(), actions, lag_ms: 5 };
        let next = decide(&state, &command, &who, when).unwrap().next;
        assert!(next.outcome().is_none(), "another seed is needed");
        state = next;
        turns.push(Turn { who, frame: serde_json::to_string(&turn).unwrap() });
    }
    (begun, turns)
}
