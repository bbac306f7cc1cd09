//! Logs as stored in a database, valid or not.

use std::collections::BTreeSet;

use engine::Seed;
use game::{
    ClaimKind, Command, Decision, OfferKind, Player, Recorded, State, When,
    ids::{GameId, PlayerId, PlayerName, Version},
    record,
};
use protocol::view;
use uuid::Uuid;

use crate::{convert, directory::deleted};

/// Maximum number of events of one input, which bounds its running time.
const MAX_EVENTS: usize = 60;

/// A time longer than any turn may take.
const MONTH_MS: i64 = 30 * 24 * 60 * 60 * 1_000;

/// Time from which on a game is not continued, milliseconds since 1970: far beyond the life of any server.
const LATE_MS: i64 = 1 << 52;

/// Reads a text as a log, each line the time of an event and its body. Encoding and decoding an event again changes
/// nothing. A log that can be folded can be shown, written down and continued.
pub fn stored(text: &str) {
    let log: Vec<(i64, &str)> = text.lines().take(MAX_EVENTS).filter_map(event).collect();
    for (at_ms, body) in &log {
        if let Ok(recorded) = Recorded::read(*at_ms, body) {
            let written = recorded.body();
            assert_eq!(Recorded::read(*at_ms, &written).as_ref(), Ok(&recorded), "{written}");
        }
    }
    if let Ok(state) = State::of_log(log.iter().copied()) {
        assert_eq!(state.version(), Version::new(u32::try_from(log.len()).expect("few events")));
        show(&state);
        if state.updated_ms() < LATE_MS {
            go_on(&state);
        }
    }
}

fn event(line: &str) -> Option<(i64, &str)> {
    let (at_ms, body) = line.split_once(' ')?;
    Some((at_ms.parse().ok()?, body))
}

/// Encodes the row, the snapshot and the record of a game.
fn show(state: &State) {
    let summary = convert::row(GameId::new(Uuid::nil()), state);
    serde_json::to_string(&convert::summary(summary, &deleted)).expect("a row is JSON");
    for now_ms in [state.updated_ms(), state.updated_ms() + MONTH_MS] {
        serde_json::to_string(&view::snapshot(state, now_ms)).expect("a snapshot is JSON");
    }
    let record = record::of(state, |id| deleted(id).name);
    let written = record.to_text();
    assert_eq!(engine::record::Record::parse_text(&written).as_ref(), Ok(&record), "{written}");
}

/// Continues a game by all commands of several people, and checks that all decisions can be folded.
fn go_on(state: &State) {
    let now_ms = state.updated_ms() + 1_000;
    let name = PlayerName::try_from("Eve".to_owned()).expect("a name");
    let seats = state.seats().into_iter().flat_map(|seats| [seats.first, seats.second]);
    let people: BTreeSet<PlayerId> =
        [state.creator(), PlayerId::new(Uuid::max())].into_iter().chain(seats).collect();
    let people: Vec<Player> = people.into_iter().map(|id| Player { id, name: name.clone() }).collect();
    let rematch = GameId::new(Uuid::nil());
    let mut commands = vec![
        Command::Join { coin: true },
        Command::Cancel,
        Command::Decline { counter: None },
        Command::Decline { counter: Some(rematch) },
        Command::Resign,
        Command::Abort { gone_ms: None },
    ];
    commands.push(Command::Turn { base: state.version(), actions: Vec::new(), lag_ms: 0 });
    commands.push(Command::Claim { what: ClaimKind::Win, gone_ms: Some(i64::MAX) });
    for what in [OfferKind::Draw, OfferKind::Takeback, OfferKind::Rematch] {
        commands.push(Command::Offer { what, rematch });
        commands.extend([true, false].map(|accept| Command::Answer { what, accept, rematch }));
    }
    for who in &people {
        for command in &commands {
            if let Ok(decision) = game::decide(state, command, who, When { received_ms: now_ms, now_ms }) {
                folds(state, &decision);
            }
        }
    }
    let by_time = [
        game::flag_fall(state, state.updated_ms() + MONTH_MS),
        game::credit(state, game::Away::of_outages(5_000), now_ms),
    ];
    by_time.iter().flatten().for_each(|decision| folds(state, decision));
    for recorded in game::rematch_of(state, Seed::new([7; 32]), now_ms) {
        assert_eq!(Recorded::read(now_ms, &recorded.body()), Ok(recorded));
    }
}

fn folds(state: &State, decision: &Decision) {
    let mut next = state.clone();
    for recorded in &decision.events {
        let read = Recorded::read(recorded.at_ms, &recorded.body());
        next.apply(&read.expect("a decided event can be read")).expect("a decided event folds");
    }
    assert_eq!((next.version(), &next.phase), (decision.next.version(), &decision.next.phase));
}
