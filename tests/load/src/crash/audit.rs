//! Compares the database with the acknowledgements of the clients. It shares no code with the server.

use std::collections::HashMap;

use engine::{AnyMatch, Ruleset};
use serde::Deserialize;
use sqlx::{PgPool, SqlitePool};
use uuid::Uuid;

use super::{Ledger, Verdict};

/// A stored event.
#[derive(Clone, Debug)]
struct Stored {
    version: i64,
    command: Option<String>,
    body: String,
}

/// A stored game.
#[derive(Clone, Debug, Default)]
struct Log {
    /// The version in the game's row.
    version: i64,
    events: Vec<Stored>,
}

const GAMES: &str = "select id, version from game";
const EVENTS: &str = "select game, version, command, body from event order by game, version";

type GameRow = (Uuid, i64);
type EventRow = (Uuid, i64, Option<String>, String);

/// Compares everything acknowledged with everything stored.
///
/// # Errors
/// The database cannot be read.
pub(super) async fn audit(url: &str, ledgers: &[Ledger]) -> anyhow::Result<Verdict> {
    let (games, events): (Vec<GameRow>, Vec<EventRow>) = if url.starts_with("sqlite:") {
        let pool = SqlitePool::connect(url).await?;
        (sqlx::query_as(GAMES).fetch_all(&pool).await?, sqlx::query_as(EVENTS).fetch_all(&pool).await?)
    } else {
        let pool = PgPool::connect(url).await?;
        (sqlx::query_as(GAMES).fetch_all(&pool).await?, sqlx::query_as(EVENTS).fetch_all(&pool).await?)
    };
    let mut logs: HashMap<String, Log> = HashMap::new();
    for (game, version) in games {
        logs.insert(game.to_string(), Log { version, events: Vec::new() });
    }
    for (game, version, command, body) in events {
        logs.entry(game.to_string()).or_default().events.push(Stored { version, command, body });
    }
    let mut verdict = Verdict::default();
    for ledger in ledgers {
        let log = logs.remove(&ledger.game).unwrap_or_default();
        compare(ledger, &log, &mut verdict);
    }
    Ok(verdict)
}

/// Adds the faults of one game.
fn compare(ledger: &Ledger, log: &Log, verdict: &mut Verdict) {
    verdict.acknowledged += ledger.acknowledged.len();
    verdict.sent_again += ledger.sent_again;
    let mut places: HashMap<&str, Vec<i64>> = HashMap::new();
    for event in &log.events {
        if let Some(command) = &event.command {
            places.entry(command).or_default().push(event.version);
        }
    }
    for acknowledged in &ledger.acknowledged {
        match places.get(acknowledged.command.as_str()).map(Vec::as_slice) {
            None => verdict.lost += 1,
            Some([version]) if u64::try_from(*version) == Ok(acknowledged.version) => {}
            Some([_]) => verdict.out_of_order += 1,
            Some(_) => verdict.doubled += 1,
        }
    }
    let gaps = log.events.iter().zip(1..).filter(|(event, count)| event.version != *count).count();
    let is_row_behind = log.events.last().is_none_or(|last| last.version != log.version);
    let is_told_in_order = ledger.acknowledged.is_sorted_by(|one, next| one.version < next.version);
    verdict.out_of_order += gaps + usize::from(is_row_behind) + usize::from(!is_told_in_order);
    match replay(log) {
        // No command was in flight at the end, so each turn was acknowledged.
        Some(turns) => verdict.doubled += turns.saturating_sub(ledger.acknowledged.len()),
        None => verdict.broken += 1,
    }
}

/// The part of an event's body that matters here.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Body {
    Turn {
        /// The actions, separated by spaces.
        turn: String,
    },
    Other {
        #[serde(rename = "type")]
        _kind: String,
    },
}

/// Returns the number of turns in the log; `None` if the rules refuse one.
fn replay(log: &Log) -> Option<usize> {
    let mut game = AnyMatch::new(Ruleset::Fibonacci);
    for event in &log.events {
        let body: Body = serde_json::from_str(&event.body).ok()?;
        if let Body::Turn { turn } = body {
            let actions: Vec<_> = turn.split_terminator(' ').collect();
            game.play(&actions).ok()?;
        }
    }
    Some(game.turns().len())
}

#[cfg(test)]
mod tests {
    use super::{super::Acknowledged, *};

    fn event(version: i64, command: Option<&str>, actions: &[&str]) -> Stored {
        let body = if actions.is_empty() {
            serde_json::json!({"v": 1, "type": "started"})
        } else {
            serde_json::json!({"v": 2, "turn": actions.join(" ")})
        };
        Stored { version, command: command.map(str::to_owned), body: body.to_string() }
    }

    fn log() -> Log {
        let turns = [event(2, Some("a"), &["b7-c7"]), event(3, Some("b"), &["j5-i5", "end"])];
        Log { version: 3, events: [event(1, None, &[])].into_iter().chain(turns).collect() }
    }

    fn verdict_on(change: impl FnOnce(&mut Log, &mut Ledger)) -> Verdict {
        let acknowledged =
            [("a", 2), ("b", 3)].map(|(command, version)| Acknowledged { command: command.into(), version });
        let mut ledger = Ledger { acknowledged: acknowledged.into(), ..Ledger::default() };
        let (mut log, mut verdict) = (log(), Verdict::default());
        change(&mut log, &mut ledger);
        compare(&ledger, &log, &mut verdict);
        verdict
    }

    #[test]
    fn events_in_order_and_once_pass() {
        let verdict = verdict_on(|_, _| {});
        assert!(verdict.is_good(), "{verdict}");
        assert_eq!(verdict.acknowledged, 2);
    }

    #[test]
    fn a_missing_acknowledged_event_is_lost() {
        let verdict = verdict_on(|log, _| {
            log.events.pop();
            log.version = 2;
        });
        assert_eq!((verdict.lost, verdict.out_of_order), (1, 0), "{verdict}");
    }

    #[test]
    fn a_stored_turn_without_an_acknowledgement_is_doubled() {
        let verdict = verdict_on(|_, ledger| {
            ledger.acknowledged.pop();
        });
        assert_eq!(verdict.doubled, 1, "{verdict}");
    }

    #[test]
    fn a_gap_another_place_and_a_row_that_is_behind_are_out_of_order() {
        assert_eq!(verdict_on(|log, _| log.version = 2).out_of_order, 1);
        assert_eq!(verdict_on(|_, ledger| ledger.acknowledged.swap(0, 1)).out_of_order, 1);
        let gap = verdict_on(|log, _| {
            log.events[2].version = 4;
            log.version = 4;
        });
        assert_eq!((gap.lost, gap.out_of_order), (0, 2), "the place of the command, and the gap: {gap}");
    }

    #[test]
    fn a_log_that_the_rules_refuse_is_broken() {
        let verdict = verdict_on(|log, _| log.events[2] = event(3, Some("b"), &["a6-a5"]));
        assert_eq!(verdict.broken, 1, "{verdict}");
    }
}
