//! Number of turns per second that the store commits, and the processor time of this process for a thousand of them:
//! games in a closed loop, each appending an event of a usual size as soon as the previous one is acknowledged.
//! `cargo bench -p server --bench commit`
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a measurement prints its result, or fails")]

use std::{sync::Arc, time::Duration};

use engine::{Ruleset, Side};
use game::{
    ClockRule, SeatChoice, Seats, Status, Visibility, Watching,
    ids::{CommandId, Delay, GameId, PlayerId, Version},
};
use rustix::time::{ClockId, clock_gettime};
use store::{Append, DraftIs, GameRow, Store, StoredEvent, Writer, open, writer};
use system_tests::postgres::Postgres;
use tempfile::TempDir;
use tokio::{runtime::Handle, task::JoinSet, time::Instant};
use uuid::Uuid;

/// The stored body of a turn of six moves.
const BODY: &str = r#"{"v":2,"turn":"b7-c7 c7-d7 d7-e7 e7-f7 f7-g7 g7-h7","ms":53}"#;
const RUN: Duration = Duration::from_secs(4);

#[tokio::main]
async fn main() {
    let directory = TempDir::new().unwrap();
    let sqlite = format!("sqlite://{}/towers.db", directory.path().display());
    for (name, url) in [("SQLite", sqlite), ("PostgreSQL", Postgres::shared().database())] {
        let store = open(&url).await.unwrap();
        for games in [1, 32, 512] {
            measure(name, Arc::clone(&store), games).await;
        }
    }
}

async fn measure(name: &str, store: Arc<dyn Store>, games: usize) {
    let (writer, work) = writer(store, Handle::current());
    let mut tasks = JoinSet::new();
    tasks.spawn(work);
    let (began, processor) = (Instant::now(), processor_time());
    let until = began + RUN;
    let mut playing = JoinSet::new();
    for _ in 0..games {
        playing.spawn(play(writer.clone(), until));
    }
    let mut waits: Vec<_> = playing.join_all().await.into_iter().flatten().collect();
    let seconds = began.elapsed().as_secs_f64();
    let processor = processor_time() - processor;
    waits.sort_unstable();
    println!(
        "{name:10} {games:4} games: {:6.0} appends/s, {:6.2} ms/1000, p50 {:6.2} ms, p99 {:6.2} ms",
        waits.len() as f64 / seconds,
        processor.as_secs_f64() * 1e6 / waits.len() as f64,
        at(&waits, 50).as_secs_f64() * 1e3,
        at(&waits, 99).as_secs_f64() * 1e3,
    );
}

fn processor_time() -> Duration {
    clock_gettime(ClockId::ProcessCPUTime).try_into().unwrap()
}

fn at(sorted: &[Duration], percent: usize) -> Duration {
    sorted[sorted.len() * percent / 100]
}

/// Plays one game until the time is over; returns the latency of each append.
async fn play(writer: Writer, until: Instant) -> Vec<Duration> {
    let mut game = game();
    let mut waits = Vec::new();
    loop {
        let began = Instant::now();
        if began > until {
            return waits;
        }
        game.version = game.version.next();
        let command = Some(CommandId::try_from(Uuid::now_v7().to_string()).unwrap());
        let event = StoredEvent { version: game.version, at_ms: 1, command, body: BODY.to_owned() };
        writer.append(Append::new(vec![event], game.clone(), DraftIs::Gone)).await.unwrap();
        waits.push(began.elapsed());
    }
}

/// The row of a game under way.
fn game() -> GameRow {
    let [first, second] = [(); 2].map(|()| PlayerId::new(Uuid::now_v7()));
    GameRow {
        id: GameId::new(Uuid::now_v7()),
        ruleset: Ruleset::Fibonacci,
        status: Status::Playing,
        visibility: Visibility::Public,
        creator: first,
        challenged: None,
        seat: SeatChoice::Random,
        clock: ClockRule::None,
        watching: Watching::Everybody,
        delay: Delay::default(),
        custom_start: false,
        seats: Some(Seats { first, second }),
        version: Version::NONE,
        turn: 1,
        to_move: Side::First,
        outcome: None,
        created_ms: 1,
        updated_ms: 1,
        deadline_ms: None,
        position: Some("CSSSSS/1S5/8/8p/2P3ppp1/3P3p3/1PPP3p2/P8/8/5s1/sssssc 1 1 1/1".to_owned()),
        offers: Vec::new(),
    }
}
