//! Replay of a submitted record as a game of this server.

use engine::{
    AnyMatch, Budget, Side,
    record::{EndReason, Ending, LineText, Record, RecordError},
};
use game::ids::{PlayerId, PlayerName, Version};
use uuid::Uuid;

use super::{
    Event, EventKind, Outcome, Player, Reason, Replay, SeatChoice, Seats, Snapshot, Standing, Terms,
    Visibility, view,
};

/// Maximum number of search steps for all turns of a replayed record together: about a second.
const RECORD_STEPS: u64 = 4_000_000;

/// Replays a record as if its game had been played on this server.
///
/// # Errors
/// The first error in the record, or a cost of more than [`RECORD_STEPS`].
pub fn replay(record: &Record) -> Result<Replay, RecordError> {
    let mut turns = Vec::new();
    record.check_start()?;
    let game = record.replay_within(&mut Budget::steps(RECORD_STEPS), |game, turn| {
        let took_ms = turn.took_ms.and_then(|took_ms| i64::try_from(took_ms).ok()).unwrap_or(0);
        turns.push(view::turn_played(game, took_ms, None));
    })?;
    let happenings = happenings(record, turns);
    let last = Version::new(u32::try_from(happenings.len()).unwrap_or(u32::MAX));
    let mut version = Version::NONE;
    let mut at_ms = 0;
    let events = happenings
        .into_iter()
        .map(|what| {
            version = version.next();
            if let EventKind::TurnPlayed { took_ms, .. } = &what {
                at_ms = i64::saturating_add(at_ms, *took_ms);
            }
            Event { version, at_ms, what }
        })
        .collect();
    let standing = match outcome_of(record) {
        Some(outcome) => Standing::Finished { outcome, time: None, offers: Vec::new(), rematch: None },
        None => Standing::Playing {
            at_ms,
            clock: None,
            first_turn_ms: None,
            vacation_until_ms: None,
            offers: Vec::new(),
        },
    };
    let snapshot = Snapshot { version: last, turn: game.present().into(), standing };
    Ok(Replay { events, snapshot })
}

fn happenings(record: &Record, turns: Vec<EventKind>) -> Vec<EventKind> {
    let start = record.start.as_ref().map(ToString::to_string);
    let seats = Seats {
        first: player(Side::First, record.players.first.as_ref()),
        second: player(Side::Second, record.players.second.as_ref()),
    };
    let created = EventKind::Created {
        ruleset: record.ruleset,
        visibility: Visibility::Link,
        creator: seats.first.clone(),
        challenged: None,
        seat: SeatChoice::First,
        terms: Terms::default(),
        start: start.unwrap_or_else(|| AnyMatch::new(record.ruleset).start_text().to_owned()),
        seed_hash: record.card_hash.map(|hash| hash.to_string()),
    };
    let ended = outcome_of(record)
        .map(|outcome| EventKind::Ended { outcome, seed: record.seed.as_ref().map(engine::Seed::reveal) });
    [created, EventKind::Started { seats }].into_iter().chain(turns).chain(ended).collect()
}

fn outcome_of(record: &Record) -> Option<Outcome> {
    let Ending { winner, reason } = record.ending?;
    let reason = match reason {
        EndReason::Rules(reason) => game::Reason::from(reason).into(),
        EndReason::Resign => Reason::Resign,
        EndReason::Time => Reason::Time,
        EndReason::Agreement => Reason::Agreement,
        EndReason::Abandon => Reason::Abandon,
    };
    Some(Outcome { winner, reason })
}

/// Returns a player of a record, with an id that no player of this server has. A long name is cut; without a name, the
/// player gets that of the side.
fn player(side: Side, name: Option<&LineText>) -> Player {
    let kept = name.and_then(|name| {
        let kept: String = name.as_str().chars().take(PlayerName::MAX_CHARS).collect();
        PlayerName::try_from(kept.trim_end().to_owned()).ok()
    });
    let name = kept.unwrap_or_else(|| PlayerName::try_from(side.to_string()).expect("a side's id is a name"));
    let number = match side {
        Side::First => 1,
        Side::Second => 2,
    };
    Player { id: PlayerId::new(Uuid::from_u128(number)), name, bot: None, kind: None }
}
