//! Lag compensation over recorded connections: the cost to an honest player, and the gain of a dishonest client.

use std::sync::LazyLock;

use super::*;

/// Interval between the server's pings.
const PING_EVERY_MS: i64 = 5_000;

/// Thinking time of a player in each turn.
const THINKS_MS: i64 = 1_500;

/// Delay that a dishonest client adds to its answers.
const HELD_BACK_MS: i64 = 4_000;

/// Lag quota in the first charged turn of a game.
const QUOTA_MS: i64 = 1_000;

/// Refill of the lag quota in each later turn.
const REFILL_MS: i64 = 200;

/// Round trips between a client and the server, in chronological order.
struct Trace {
    name: &'static str,
    trips: Vec<Trip>,
}

/// A round trip: the time at which a message was sent, and the time until its answer arrived.
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
    /// Returns the round-trip time of a message sent at `at_ms`.
    fn took_ms(&self, at_ms: i64) -> i64 {
        let next = self.trips.partition_point(|trip| trip.at_ms <= at_ms);
        self.trips[next.saturating_sub(1)].took_ms
    }

    fn ends_ms(&self) -> i64 {
        self.trips.last().unwrap().at_ms
    }
}

/// The behaviour of a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Client {
    Honest,
    /// Delays its answers to the server's pings.
    HoldsBack,
    /// Makes the server measure a lag of ten seconds.
    Lies,
}

/// Totals over the turns of a player, in milliseconds.
#[derive(Debug, Default)]
struct Charged {
    n_turns: i64,
    /// Thinking time of the player.
    thought_ms: i64,
    /// Time from the start of each turn at the server to its receipt.
    elapsed_ms: i64,
    /// Time charged to the player's clock.
    charged_ms: i64,
    /// Maximum charge of one turn beyond its thinking time.
    most_beyond_ms: i64,
    /// Maximum lag that may be forgiven.
    quota_ms: i64,
}

/// Returns a game in which both sides have made a turn, so that turns are charged.
fn begun_at(now_ms: i64) -> Game {
    let rule = ClockRule::RealTime(RealTime::new(600, 0, Bonus::PerTurn).unwrap());
    let mut game = Game::begun_with(Ruleset::Fibonacci, rule);
    game.now_ms = now_ms;
    game.play(1, 0).unwrap();
    game.play(1, 0).unwrap();
    game
}

/// Plays games one after another until the trace ends. The first side plays over the connection, and the second answers
/// at once.
fn play_over(trace: &Trace, client: Client) -> Charged {
    let (mut game, mut quota_ms, mut charged) = (begun_at(JOINED_MS), QUOTA_MS, Charged::default());
    let start_ms = game.now_ms;
    loop {
        let began_ms = game.now_ms - start_ms;
        // The other side's turn takes half a round trip to the player, and so does the reply.
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

/// Returns the lag that the server has measured by then: the round trip of the last answered ping.
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
fn an_honest_player_is_charged_little_more_than_the_thinking_time() {
    // Maximum charge of a turn beyond its thinking time: the mean over all turns, and the worst turn. It is higher
    // where the lag exceeds the quota or rises after the last ping.
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
fn a_client_that_lies_about_its_lag_gains_at_most_the_quota() {
    for trace in &*TRACES {
        for client in [Client::Honest, Client::HoldsBack, Client::Lies] {
            let charged = play_over(trace, client);
            let gained_ms = charged.elapsed_ms - charged.charged_ms;
            assert!(gained_ms <= charged.quota_ms, "{client:?} over {}: {charged:?}", trace.name);
            assert!(
                client != Client::Lies || gained_ms == charged.quota_ms,
                "a liar gains the whole quota: {charged:?}"
            );
        }
    }
}
