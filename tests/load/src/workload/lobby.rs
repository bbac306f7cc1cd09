//! W5: fifty rooms opened per second, and many readers of the lobby.

use std::{collections::HashMap, sync::Arc, time::Duration};

use anyhow::ensure;
use parking_lot::Mutex;
use tokio::{
    task::JoinSet,
    time::{Instant, MissedTickBehavior, interval},
};

use super::{Counter, Measured, WARM_UP, measure_running};
use crate::{
    client::{Guest, Http, Socket, many},
    connected::many_connected,
    host::Host,
    messages,
    wire::{self, Frame, parse},
};

const ROOMS_PER_SECOND: u32 = 50;

/// Number of rooms opened by one guest; the server allows no more at a time.
const ROOMS_EACH: usize = 8;

/// Received rows: the game and the time of receipt.
#[derive(Debug, Default)]
struct Rows(Mutex<Vec<(String, Instant)>>);

pub(super) async fn measure(host: &Host, readers: usize, run: Duration) -> anyhow::Result<Measured> {
    let (counter, rows) = (Arc::<Counter>::default(), Arc::<Rows>::default());
    let rooms = (WARM_UP + run + Duration::from_secs(1)).as_secs_f64() * f64::from(ROOMS_PER_SECOND);
    let http = host.http.clone();
    let makers = many((rooms as usize).div_ceil(ROOMS_EACH), |_| {
        let http = http.clone();
        async move { http.enter().await }
    })
    .await?;
    let sockets = many_connected(readers, |_| {
        let http = http.clone();
        async move {
            let mut socket = http.connect(&http.enter().await?).await?;
            socket.read_lobby().await?;
            Ok(socket)
        }
    })
    .await?;
    let mut reading = JoinSet::new();
    for socket in sockets {
        reading.spawn(read(socket, counter.clone(), rows.clone()));
    }
    let opened = Arc::<Mutex<HashMap<String, Instant>>>::default();
    let (began, ended, mut tally) = tokio::select! {
        measured = measure_running(host, &counter, run) => measured?,
        Err(error) = open_rooms(http.clone(), &makers, opened.clone()) => return Err(error),
    };
    let cut = readers - reading.len() + std::iter::from_fn(|| reading.try_join_next()).count();
    let opened = opened.lock();
    let waits = rows.0.lock().drain(..).filter_map(|(game, came)| Some(came - *opened.get(&game)?)).collect();
    tally.waits = waits;
    ensure!(tally.done > 0, "nothing was delivered");
    Ok(Measured { began, ended, tally, connections: readers, cut })
}

async fn read(mut socket: Socket, counter: Arc<Counter>, rows: Arc<Rows>) {
    while let Ok(text) = socket.next().await {
        if let Frame::Rows(frame) = parse(&text) {
            for game in wire::rows(frame) {
                counter.done();
                rows.0.lock().push((game.to_owned(), Instant::now()));
            }
        }
    }
}

/// Opens rooms at a constant rate, without waiting for the answers.
async fn open_rooms(
    http: Http,
    makers: &[Guest],
    opened: Arc<Mutex<HashMap<String, Instant>>>,
) -> anyhow::Result<std::convert::Infallible> {
    let mut ticks = interval(Duration::from_secs(1) / ROOMS_PER_SECOND);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut opening = JoinSet::new();
    let mut makers = makers.iter().cycle();
    loop {
        ticks.tick().await;
        let (http, opened) = (http.clone(), opened.clone());
        let maker = makers.next().ok_or_else(|| anyhow::anyhow!("there are makers"))?.clone();
        opening.spawn(async move {
            let asked = Instant::now();
            let game = http.open_room(&maker, &messages::live_room()).await?;
            opened.lock().insert(game, asked);
            anyhow::Ok(())
        });
        while let Some(done) = opening.try_join_next() {
            done??;
        }
    }
}
