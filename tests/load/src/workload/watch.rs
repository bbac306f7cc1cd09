//! W2: one game of ten turns a second, and many spectators.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use anyhow::ensure;
use parking_lot::Mutex;
use tokio::{
    task::JoinSet,
    time::{Instant, MissedTickBehavior, interval},
};

use super::{
    Counter, Measured, measure_running,
    play::{News, Pair},
};
use crate::{
    client::Socket,
    connected::{Connected, many_connected},
    host::Host,
    script::{Script, version_before},
    wire::{Frame, parse},
};

/// Interval between turns.
const TURN_EVERY: Duration = Duration::from_millis(100);

/// The time of sending of each turn, in order.
#[derive(Debug, Default)]
struct Sent(Mutex<Vec<Instant>>);

impl Sent {
    fn record(&self, at: Instant) {
        self.0.lock().push(at);
    }

    /// Returns the time at which the turn of a version was sent.
    fn of(&self, version: u64) -> Option<Instant> {
        let index = usize::try_from(version.checked_sub(version_before(0) + 1)?).ok()?;
        self.0.lock().get(index).copied()
    }
}

pub(super) async fn measure(
    host: &Host,
    spectators: usize,
    run: Duration,
    script: &'static Script,
) -> anyhow::Result<Measured> {
    let (counter, sent, cut) =
        (Arc::<Counter>::default(), Arc::<Sent>::default(), Arc::<AtomicUsize>::default());
    let mut pair = Pair::open(host.http.clone()).await?;
    let (http, game) = (host.http.clone(), pair.game().to_owned());
    let connecting = many_connected(spectators, move |_| {
        let (http, game) = (http.clone(), game.clone());
        async move {
            let mut socket = http.connect(&http.enter().await?).await?;
            socket.follow(&game).await?;
            Ok(socket)
        }
    });
    let sockets = tokio::select! {
        sockets = connecting => sockets?,
        over = pair.rest() => return Err(over),
    };
    let mut watching = JoinSet::new();
    for socket in sockets {
        let (counter, sent, cut) = (counter.clone(), sent.clone(), cut.clone());
        watching.spawn(async move {
            watch(socket, &counter, &sent).await;
            cut.fetch_add(1, Ordering::Relaxed);
        });
    }
    let (began, ended, tally) = tokio::select! {
        measured = measure_running(host, &counter, run) => measured?,
        Err(error) = play(pair, script, &sent) => return Err(error),
    };
    let cut = cut.load(Ordering::Relaxed);
    ensure!(tally.done > 0, "nothing was delivered");
    Ok(Measured { began, ended, tally, connections: spectators + 2, cut })
}

/// Reads until the connection is closed.
async fn watch(mut socket: Socket, counter: &Counter, sent: &Sent) {
    while let Ok(text) = socket.next().await {
        if let Frame::Events(version) = parse(&text)
            && let Some(sent) = sent.of(version)
        {
            counter.done();
            counter.came_after(sent.elapsed());
            counter.carried(text.len());
        }
    }
}

async fn play(mut pair: Pair, script: &Script, sent: &Sent) -> anyhow::Result<std::convert::Infallible> {
    let mut ticks = interval(TURN_EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut version = version_before(0);
    loop {
        ticks.tick().await;
        let turn =
            script.next(version).ok_or_else(|| anyhow::anyhow!("the script is too short for the run"))?;
        sent.record(Instant::now());
        let other = pair.send(turn, version).await?;
        version += 1;
        let mut is_there = false;
        let mut is_acknowledged = false;
        while !(is_there && is_acknowledged) {
            match pair.next_news().await? {
                (seat, News::Events { version: received, .. }) => {
                    is_there |= seat == other && received == version;
                }
                (_, News::Ack) => is_acknowledged = true,
            }
        }
    }
}
