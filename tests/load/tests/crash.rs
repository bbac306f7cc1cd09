//! Acknowledged commands are stored, however the server or its database ends. The long form is the program `crash`.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use load::{
    crash::{Trial, Victim},
    machine,
    script::Script,
};
use system_tests::{database::Database, postgres::Postgres};

const KILLS: usize = 5;
const GAMES: usize = 200;

/// More turns than are played during this many kills.
const TURNS: usize = 120;

async fn survives(victim: Victim, database: Database, postgres: Option<&Postgres>) {
    machine::raise_open_files(2_000).unwrap();
    let script: &'static Script = Box::leak(Box::new(Script::random(1, TURNS)));
    let trial = Trial { victim, kills: KILLS, games: GAMES, seed: 1 };
    let verdict = trial.run(database, postgres, script).await.unwrap();
    assert!(verdict.is_good(), "{verdict}");
    // The database may be killed between two transactions, and be up again before any client is refused.
    let was_under_way = verdict.sent_again > 0 || victim == Victim::Database;
    assert!(was_under_way, "nothing was under way when it was killed: {verdict}");
    assert!(verdict.acknowledged >= GAMES, "the games went on: {verdict}");
}

#[tokio::test]
async fn nothing_acknowledged_is_lost_when_the_server_on_sqlite_is_killed() {
    survives(Victim::Server, Database::sqlite(), None).await;
}

#[tokio::test]
async fn nothing_acknowledged_is_lost_when_the_server_on_postgresql_is_killed() {
    survives(Victim::Server, Database::postgres(), None).await;
}

#[tokio::test]
async fn nothing_acknowledged_is_lost_when_postgresql_is_killed() {
    let postgres = Postgres::start().unwrap();
    survives(Victim::Database, Database::at(&postgres.database()), Some(&postgres)).await;
}
