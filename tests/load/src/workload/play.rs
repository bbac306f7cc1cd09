//! W1 and W4: games whose two sides play as fast as answers come.

use std::{sync::Arc, time::Duration};

use anyhow::bail;
use engine::Side;
use tokio::{task::JoinSet, time::Instant};

use super::{Counter, Measured, measure_running};
use crate::{
    client::{Guest, Http, Socket},
    connected::{Connected, many_connected},
    host::Host,
    messages,
    script::{Script, Turn, version_before},
    wire::{Frame, parse},
};

/// A game of two guests, each with a connection.
#[derive(Debug)]
pub(super) struct Pair {
    http: Http,
    guests: [Guest; 2],
    sockets: [Socket; 2],
    game: String,
}

impl Pair {
    /// Begins a game between two new guests.
    pub(super) async fn open(http: Http) -> anyhow::Result<Self> {
        let guests = [http.enter().await?, http.enter().await?];
        let game = begin(&http, &guests).await?;
        let mut sockets = [http.connect(&guests[0]).await?, http.connect(&guests[1]).await?];
        for socket in &mut sockets {
            socket.follow(&game).await?;
        }
        Ok(Self { http, guests, sockets, game })
    }

    /// Id of the current game.
    pub(super) fn game(&self) -> &str {
        &self.game
    }

    /// Begins another game between the same guests.
    async fn begin_anew(&mut self) -> anyhow::Result<()> {
        self.game = begin(&self.http, &self.guests).await?;
        for socket in &mut self.sockets {
            socket.watch(&self.game).await?;
        }
        Ok(())
    }

    /// Sends the turn to play on a version, and returns the index of the player who waits for it.
    pub(super) async fn send(&mut self, turn: &Turn, version: u64) -> anyhow::Result<usize> {
        // A command id is unique in its game.
        let message = turn.message(&format!("t{version}"), &self.game);
        let mover = seat(turn.side);
        self.sockets[mover].say(message).await?;
        Ok(1 - mover)
    }

    /// Returns the next news of either player, with the player's index.
    pub(super) async fn next_news(&mut self) -> anyhow::Result<(usize, News)> {
        loop {
            let [first, second] = &mut self.sockets;
            let (seat, text) = tokio::select! {
                text = first.next() => (0, text?),
                text = second.next() => (1, text?),
            };
            match parse(&text) {
                Frame::Events(version) => {
                    return Ok((seat, News::Events { version, bytes: text.len() }));
                }
                Frame::Ack => return Ok((seat, News::Ack)),
                Frame::Refused(why) => bail!("a turn of the script is refused: {why}"),
                _ => {}
            }
        }
    }
}

impl Connected for Pair {
    async fn rest(&mut self) -> anyhow::Error {
        let [first, second] = &mut self.sockets;
        tokio::select! {
            over = first.rest() => over,
            over = second.rest() => over,
        }
    }
}

/// News of a game under way.
#[derive(Clone, Copy, Debug)]
pub(super) enum News {
    /// Events of the game, and the size of their frame.
    Events {
        version: u64,
        bytes: usize,
    },
    Ack,
}

async fn begin(http: &Http, [first, second]: &[Guest; 2]) -> anyhow::Result<String> {
    let game = http.open_room(first, &messages::live_room()).await?;
    http.join(second, &game).await?;
    Ok(game)
}

const fn seat(side: Side) -> usize {
    match side {
        Side::First => 0,
        Side::Second => 1,
    }
}

pub(super) async fn measure(
    host: &Host,
    games: usize,
    run: Duration,
    script: &'static Script,
) -> anyhow::Result<Measured> {
    let counter = Arc::new(Counter::default());
    let pairs = many_connected(games, |_| Pair::open(host.http.clone())).await?;
    let mut playing = JoinSet::new();
    for pair in pairs {
        playing.spawn(play(pair, script, Arc::clone(&counter)));
    }
    let (began, ended, tally) = tokio::select! {
        measured = measure_running(host, &counter, run) => measured?,
        Some(stopped) = playing.join_next() => match stopped? {
            Err(error) => return Err(error),
            Ok(never) => match never {},
        },
    };
    Ok(Measured { began, ended, tally, connections: 2 * games, cut: 0 })
}

/// Plays one game after the other.
async fn play(
    mut pair: Pair,
    script: &Script,
    counter: Arc<Counter>,
) -> anyhow::Result<std::convert::Infallible> {
    loop {
        let mut version = version_before(0);
        while let Some(turn) = script.next(version) {
            let sent = Instant::now();
            let other = pair.send(turn, version).await?;
            // The next turn follows as soon as the other side has this one; its acknowledgement may come later.
            loop {
                match pair.next_news().await? {
                    // The last turn comes with the end of the game.
                    (seat, News::Events { version: received, bytes })
                        if seat == other && received > version =>
                    {
                        counter.carried(bytes);
                        break;
                    }
                    (_, News::Events { .. }) => {}
                    (_, News::Ack) => counter.done(),
                }
            }
            counter.came_after(sent.elapsed());
            version += 1;
        }
        pair.begin_anew().await?;
    }
}
