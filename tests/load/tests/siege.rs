//! One address cannot stop or starve the server for others: the short form of the program `siege`, with the cheapest
//! attacks.
//!
//! Limits on latencies are wide, since the machine may be busy: the test asserts that honest players are served while
//! the attacker is refused.

use std::time::Duration;

use load::{
    host::Kind,
    machine,
    siege::{Amounts, Attack, Bounds, Phases, Siege, Table, Verdict},
};

const ATTACKS: [Attack; 9] = [
    Attack::Dear,
    Attack::Writes,
    Attack::Accounts,
    Attack::Disk,
    Attack::Pools,
    Attack::Rooms,
    Attack::Frames,
    Attack::Pipelines,
    Attack::Places,
];

/// Latency that is exceeded only if the server stands still, however busy the machine is.
const STANDSTILL_MS: f64 = 4_000.0;

#[tokio::test]
async fn an_attack_from_one_address_takes_nothing_from_honest_players() {
    machine::raise_open_files(4_000).unwrap();
    let siege = Siege {
        database: Kind::Sqlite,
        seed: 1,
        phases: Phases {
            before: Duration::from_secs(1),
            during: Duration::from_secs(4),
            after: Duration::from_secs(4),
        },
        amounts: Amounts { turns: 0, long_games: 0, many_games: 0 },
        bounds: Bounds {
            floor_ms: STANDSTILL_MS,
            most_ms: STANDSTILL_MS,
            join_ms: STANDSTILL_MS,
            owner_ms: STANDSTILL_MS,
            ..Bounds::default()
        },
        server_arguments: Vec::new(),
    };
    let outcomes = siege.run(&ATTACKS, |_| {}).await.unwrap();
    let lines =
        outcomes.iter().map(|outcome| format!("{}\n{}\n", Table::line(outcome), Table::details(outcome)));
    let report: String = lines.collect();
    assert!(
        outcomes.iter().all(|outcome| outcome.verdict() == Verdict::Passed),
        "{}\n{report}",
        Table::headings()
    );
    let is_refused = outcomes.iter().all(|outcome| !outcome.refused.is_empty());
    assert!(is_refused, "an attacker was refused nothing:\n{report}");
}
