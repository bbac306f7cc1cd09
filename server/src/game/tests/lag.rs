//! Lag as it was recorded: what a connection costs an honest player, and what a false one gains.

use std::sync::LazyLock;

use super::*;

/// How often the server asks how long an answer takes.
const PING_EVERY_MS: i64 = 5_000;

/// What a player thinks about each turn.
const THINKS_MS: i64 = 1_500;

/// How long a false client holds back its answers.
const HELD_BACK_MS: i64 = 4_000;

/// What may be forgiven in a game's first turn that counts, and in each turn after it more.
const QUOTA_MS: i64 = 1_000;
const REFILL_MS: i64 = 200;

/// Round trips between a client and the server, in the order of time.
struct Trace {
    name: &'static str,
    trips: Vec<Trip>,
}

/// How long what was sent at a time took there and back.
#[derive(Clone, Copy)]
struct Trip {
    at_ms: i64,
    took_ms: i64,
}

static TRACES: LazyLock<[Trace; 4]> = LazyLock::new(|| {
    [
        ("steady", include_str!("traces/steady.txt")),
        ("mobile", include_str!("traces/mobile.txt")),
        ("losses", include_str!("traces/losses.txt")),
        ("stalls", include_str!("traces/stalls.txt")),
    ]
    .map(|(name, text)| Trace {
        name,
        trips: text.lines().filter(|line| !line.starts_with('#')).map(trip).collect(),
    })
});

fn trip(line: &str) -> Trip {
    let (at_ms, took_ms) = line.split_once(' ').unwrap();
    Trip { at_ms: at_ms.parse().unwrap(), took_ms: took_ms.parse().unwrap() }
}

impl Trace {
    /// What is sent at a time takes so long there and back.
    fn took_ms(&self, at_ms: i64) -> i64 {
        let next = self.trips.partition_point(|trip| trip.at_ms <= at_ms);
        self.trips[next.saturating_sub(1)].took_ms
    }

    fn ends_ms(&self) -> i64 {
        self.trips.last().unwrap().at_ms
    }
}

/// What a client makes of its lag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Client {
    Honest,
    /// It holds back the answers to the server's pings.
    HoldsBack,
    /// Whatever it does, the server takes it to be ten seconds away.
    Lies,
}

/// What a player's turns came to, in milliseconds.
#[derive(Debug, Default)]
struct Charged {
    n_turns: i64,
    /// By the player's own watch.
    thought_ms: i64,
    /// From when the server began to count to when it had the turn.
    elapsed_ms: i64,
    /// By the player's clock.
    charged_ms: i64,
    /// The most that one turn was charged beyond what was thought.
    most_beyond_ms: i64,
    /// The most that may be forgiven in all.
    quota_ms: i64,
}

/// A game of which both sides have made a turn, so that time counts.
fn begun_at(now_ms: i64) -> Game {
    let rule = ClockRule::RealTime(RealTime::new(600, 0, Bonus::PerTurn).unwrap());
    let mut game = Game::begun_with(Ruleset::Fibonacci, rule);
    game.now_ms = now_ms;
    game.play(1, 0).unwrap();
    game.play(1, 0).unwrap();
    game
}

/// One game after the other whose first side is at the other end of a connection, and whose second answers at once.
fn play_over(trace: &Trace, client: Client) -> Charged {
    let (mut game, mut quota_ms, mut charged) = (begun_at(JOINED_MS), QUOTA_MS, Charged::default());
    let start_ms = game.now_ms;
    loop {
        let began_ms = game.now_ms - start_ms;
        // The other side's turn is half a trip away, and so is the answer to it.
        let sent_ms = began_ms + trace.took_ms(began_ms) / 2 + THINKS_MS;
        let received_ms = sent_ms + trace.took_ms(sent_ms) / 2;
        if received_ms > trace.ends_ms() {
            return charged;
        }
        game.now_ms = start_ms + received_ms;
        let before_ms = game.state.clocks.left_ms.unwrap().first;
        game.play(1, measured_ms(trace, client, received_ms)).unwrap();
        let cost_ms = before_ms - game.state.clocks.left_ms.unwrap().first;
        charged.n_turns += 1;
        charged.thought_ms += THINKS_MS;
        charged.elapsed_ms += received_ms - began_ms;
        charged.charged_ms += cost_ms;
        charged.most_beyond_ms = charged.most_beyond_ms.max(cost_ms - THINKS_MS);
        charged.quota_ms += std::mem::replace(&mut quota_ms, REFILL_MS);
        if game.state.play().outcome().is_none() {
            game.play(1, 0).unwrap();
        }
        if game.state.play().outcome().is_some() {
            (game, quota_ms) = (begun_at(game.now_ms), QUOTA_MS);
        }
    }
}

/// The lag that the server has measured until then: of the last ping that was answered.
fn measured_ms(trace: &Trace, client: Client, now_ms: i64) -> i64 {
    let held_back_ms = match client {
        Client::Honest => 0,
        Client::HoldsBack => HELD_BACK_MS,
        Client::Lies => return 10_000,
    };
    let pings = (0..=now_ms / PING_EVERY_MS).rev().map(|number| number * PING_EVERY_MS);
    let mut measured = pings.map(|sent_ms| (sent_ms, trace.took_ms(sent_ms) + held_back_ms));
    measured.find(|(sent_ms, took_ms)| sent_ms + took_ms <= now_ms).map_or(0, |(_, took_ms)| took_ms)
}

#[test]
fn an_honest_player_pays_for_thinking_and_hardly_for_the_connection() {
    // The most that a turn is charged beyond what was thought: in the mean, and the worst one. It is more where the
    // connection is worse than the quota can bear, or than the last ping could tell.
    let table = [("steady", 1, 25), ("mobile", 1, 560), ("losses", 110, 2_470), ("stalls", 23, 500)];
    for (trace, (name, mean_ms, worst_ms)) in TRACES.iter().zip(table) {
        let charged = play_over(trace, Client::Honest);
        assert_eq!(trace.name, name);
        assert!(charged.n_turns >= 50, "{name}: {charged:?}");
        let beyond_ms = charged.charged_ms - charged.thought_ms;
        assert!(beyond_ms <= mean_ms * charged.n_turns, "{name}: {charged:?}");
        assert!(charged.most_beyond_ms <= worst_ms, "{name}: {charged:?}");
    }
}

#[test]
fn a_client_that_lies_about_its_lag_gains_the_quota_and_no_more() {
    for trace in &*TRACES {
        for client in [Client::Honest, Client::HoldsBack, Client::Lies] {
            let charged = play_over(trace, client);
            let gained_ms = charged.elapsed_ms - charged.charged_ms;
            assert!(gained_ms <= charged.quota_ms, "{client:?} over {}: {charged:?}", trace.name);
            assert!(
                client != Client::Lies || gained_ms == charged.quota_ms,
                "it gets all of it: {charged:?}"
            );
        }
    }
}
