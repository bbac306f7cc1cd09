//! W6: games with three times as many turns as the machine carries; load shedding, and recovery afterwards.

use std::{sync::Arc, time::Duration};

use anyhow::{Context, ensure};
use parking_lot::Mutex;
use tokio::{
    task::JoinSet,
    time::{Instant, MissedTickBehavior, interval, sleep, sleep_until},
};

use super::{
    Counter,
    play::{News, Pair},
};
use crate::{
    client::{Closed, Guest, Http, Socket, many},
    connected::many_connected,
    figures::{Overload, Recovery, Waits},
    host::{Host, Kind},
    machine, messages,
    script::{Script, version_before},
};

/// The default of the server.
const OVERLOAD_AFTER_MS: &str = "150";

/// Ratio of the turns due to the turns that the machine carries.
const TIMES: f64 = 3.0;

/// Number of games that measure the capacity.
const CARRIED_GAMES: usize = 500;

const CARRIED_FOR: Duration = Duration::from_secs(5);

/// Duration of quiet before the overload, so that earlier load is over.
const REST: Duration = Duration::from_secs(5);

/// Duration of the measurement of the quiet game before the overload.
const BEFORE: Duration = Duration::from_secs(5);

/// Maximum time for the recovery after the overload.
const AFTER: Duration = Duration::from_secs(30);

const SPECTATORS: usize = 200;

/// Interval of room requests, of turns in the quiet game and, after the overload, of checks for recovery.
const EVERY: Duration = Duration::from_millis(100);

/// Number of rooms opened by one guest; the server allows no more at a time.
const ROOMS_EACH: usize = 8;

/// Number of consecutive turns of the quiet game that must be as fast as before.
const QUICK_TURNS: usize = 10;

/// Close code of an overloaded server.
const OVERLOADED: u16 = 4004;

pub(super) async fn measure(
    kind: Kind,
    games: usize,
    run: Duration,
    script: &'static Script,
) -> anyhow::Result<Overload> {
    let host = Host::start_with(kind, &["--overload-after-ms", OVERLOAD_AFTER_MS]).await?;
    let Scene { mut all, quiet, makers, lost, watching: _watching } = Scene::set(&host, games, run).await?;
    let quiet_game: Arc<str> = quiet.pair.game().into();
    let counter = Arc::<Counter>::default();

    counter.begin();
    let waiting = all.split_off(games.min(CARRIED_GAMES));
    let until = Instant::now() + CARRIED_FOR;
    let mut played = play(all, Pace::AsAnswered, until, script, &counter, &lost).await?;
    played.extend(waiting);
    let carried_per_second = counter.end().done as f64 / CARRIED_FOR.as_secs_f64();
    sleep(REST).await;

    let (turns, rooms) = (Arc::<Turns>::default(), Arc::<Rooms>::default());
    let mut beside = JoinSet::new();
    beside.spawn(play_quietly(quiet, script, turns.clone()));
    sleep(BEFORE).await;
    let before: Vec<Duration> = turns.0.lock().iter().map(|turn| turn.took).collect();
    let longest = *before.iter().max().context("no turn came through before the load")?;

    ensure!(carried_per_second > 0.0, "no turn was acknowledged");
    let due_per_second = TIMES * carried_per_second;
    let each = Duration::from_secs_f64(games as f64 / due_per_second);
    let (began, mark) = (Instant::now(), host.mark()?);
    let ended = began + run;
    beside.spawn(ask_for_rooms(host.http.clone(), makers, rooms.clone()));
    counter.begin();
    let load = async {
        let played = play(played, Pace::Each(each), ended, script, &counter, &lost).await?;
        anyhow::Ok((played, host.mark()?))
    };
    let recovery = async { Ok(recover(&host.http, &quiet_game, ended, &rooms, &turns, longest).await) };
    let ((_played, load_ended), recovery) = tokio::select! {
        both = async { tokio::try_join!(load, recovery) } => both?,
        Some(stopped) = beside.join_next() => match stopped? {
            Err(error) => return Err(error),
            Ok(never) => match never {},
        },
    };
    let tally = counter.end();
    let (seconds, costs) = load_ended.since(mark);
    let asked = rooms.0.lock().iter().filter(|room| room.asked < ended).copied().collect::<Vec<_>>();
    let refused = asked.iter().filter(|room| !room.is_made);
    let lost = lost.0.lock();
    Ok(Overload {
        database: kind.name(),
        games,
        carried_per_second,
        due_per_second,
        seconds,
        done: tally.done,
        waits: Waits::of(tally.waits),
        costs,
        rooms_asked: asked.len(),
        rooms_refused: refused.clone().count(),
        refused_after_s: refused.map(|room| (room.asked - began).as_secs_f64()).reduce(f64::min),
        spectators: SPECTATORS,
        spectators_sent_away: lost.spectators,
        players: 2 * (games + 1),
        players_sent_away: lost.players,
        other_faults: lost.others.clone(),
        most_memory_kib: host.server.most_memory() / 1024,
        before: Waits::of(before),
        recovery,
        load_average: machine::load_average(),
    })
}

/// All clients, before play begins.
struct Scene {
    all: Vec<Seated>,
    quiet: Seated,
    makers: Vec<Guest>,
    lost: Arc<Losses>,
    /// The spectators of the quiet game.
    watching: JoinSet<()>,
}

impl Scene {
    async fn set(host: &Host, games: usize, run: Duration) -> anyhow::Result<Self> {
        let http = host.http.clone();
        let pairs = many_connected(games, |_| Pair::open(http.clone())).await?;
        let all = pairs.into_iter().map(Seated::at).collect();
        let quiet = Seated::at(Pair::open(http.clone()).await?);
        let makers = many(rooms_at_most(run).div_ceil(ROOMS_EACH), |_| {
            let http = http.clone();
            async move { http.enter().await }
        })
        .await?;
        let quiet_game: Arc<str> = quiet.pair.game().into();
        let sockets = many_connected(SPECTATORS, |_| spectator(http.clone(), quiet_game.clone())).await?;
        let lost = Arc::<Losses>::default();
        let watching = sockets.into_iter().map(|socket| watch(socket, lost.clone())).collect();
        Ok(Self { all, quiet, makers, lost, watching })
    }
}

/// Waits for the end of the overload, and then for the recovery.
async fn recover(
    http: &Http,
    quiet_game: &Arc<str>,
    ended: Instant,
    rooms: &Rooms,
    turns: &Turns,
    longest: Duration,
) -> Recovery {
    sleep_until(ended).await;
    let (room_s, spectator_s, turn_s) = tokio::join!(
        until_some(ended, async || rooms.made_after(ended)),
        until_some(ended, async || {
            spectator(http.clone(), quiet_game.clone()).await.is_ok().then(Instant::now)
        }),
        until_some(ended, async || turns.quick_after(ended, longest)),
    );
    Recovery { room_s, spectator_s, turn_s }
}

/// Maximum number of requested rooms.
fn rooms_at_most(run: Duration) -> usize {
    ((run + AFTER).as_millis() / EVERY.as_millis()) as usize + 1
}

/// Polls until there is a result, and returns the seconds since the end of the overload.
async fn until_some(ended: Instant, mut look: impl AsyncFnMut() -> Option<Instant>) -> Option<f64> {
    while Instant::now() < ended + AFTER {
        if let Some(at) = look().await {
            return Some((at - ended).as_secs_f64());
        }
        sleep(EVERY).await;
    }
    None
}

/// The closed connections.
#[derive(Debug, Default)]
struct Losses(Mutex<Gone>);

#[derive(Debug, Default)]
struct Gone {
    /// Number of spectators disconnected as overloaded.
    spectators: usize,
    /// Number of players disconnected as overloaded.
    players: usize,
    /// Other errors.
    others: Vec<String>,
}

impl Losses {
    fn record(&self, error: &anyhow::Error, sent_away: impl Fn(&mut Gone) -> &mut usize) {
        let mut gone = self.0.lock();
        match error.downcast_ref::<Closed>() {
            Some(Closed { code: OVERLOADED, .. }) => *sent_away(&mut gone) += 1,
            Some(_) | None => gone.others.push(format!("{error:#}")),
        }
    }
}

/// A game with its version.
#[derive(Debug)]
struct Seated {
    pair: Pair,
    version: u64,
}

impl Seated {
    /// A game at its beginning.
    fn at(pair: Pair) -> Self {
        Self { pair, version: version_before(0) }
    }

    /// Plays the next turn, until the other side has it, and returns the latency. Answers are counted as they come.
    async fn play(&mut self, script: &Script, counter: &Counter) -> anyhow::Result<Duration> {
        let turn = script.next(self.version).context("the script is too short for so few games")?;
        let sent = Instant::now();
        let other = self.pair.send(turn, self.version).await?;
        self.version += 1;
        loop {
            match self.pair.next_news().await? {
                (seat, News::Events { version, .. }) if seat == other && version == self.version => {
                    return Ok(sent.elapsed());
                }
                (_, News::Events { .. }) => {}
                (_, News::Ack) => counter.done(),
            }
        }
    }
}

/// The times at which a game plays its turns.
#[derive(Clone, Copy, Debug)]
enum Pace {
    /// As soon as the previous turn has arrived.
    AsAnswered,
    /// One turn is due in each interval. If the previous turn has not arrived by then, it is played as soon as that
    /// has.
    Each(Duration),
}

/// Plays all games until a moment, and returns those that go on once their last turns have arrived.
async fn play(
    games: Vec<Seated>,
    pace: Pace,
    until: Instant,
    script: &'static Script,
    counter: &Arc<Counter>,
    lost: &Arc<Losses>,
) -> anyhow::Result<Vec<Seated>> {
    let (began, n_games) = (Instant::now(), games.len());
    let mut playing = JoinSet::new();
    for (number, mut seated) in games.into_iter().enumerate() {
        let (counter, lost) = (counter.clone(), lost.clone());
        playing.spawn(async move {
            let mut due = match pace {
                Pace::AsAnswered => began,
                // The games are spread over the interval.
                Pace::Each(each) => began + each.mul_f64(number as f64 / n_games as f64),
            };
            while due.max(Instant::now()) < until {
                if let Pace::Each(each) = pace {
                    sleep_until(due).await;
                    due += each;
                }
                match seated.play(script, &counter).await {
                    Ok(took) => counter.came_after(took),
                    Err(error) => {
                        lost.record(&error, |gone| &mut gone.players);
                        return None;
                    }
                }
            }
            Some(seated)
        });
    }
    let mut go_on = Vec::with_capacity(n_games);
    while let Some(seated) = playing.join_next().await {
        go_on.extend(seated?);
    }
    Ok(go_on)
}

/// A turn of the quiet game.
#[derive(Clone, Copy, Debug)]
struct QuietTurn {
    sent: Instant,
    took: Duration,
}

/// The turns of the quiet game, in order.
#[derive(Debug, Default)]
struct Turns(Mutex<Vec<QuietTurn>>);

impl Turns {
    /// Returns the time of the first of several turns after a moment, none of which took longer than `longest`.
    fn quick_after(&self, moment: Instant, longest: Duration) -> Option<Instant> {
        let turns = self.0.lock();
        let after: Vec<_> = turns.iter().filter(|turn| turn.sent >= moment).collect();
        let quick = after.windows(QUICK_TURNS).find(|turns| turns.iter().all(|turn| turn.took <= longest));
        quick.map(|turns| turns[0].sent)
    }
}

/// Plays a turn each tenth of a second, or as fast as answers come if that is slower.
async fn play_quietly(
    mut quiet: Seated,
    script: &'static Script,
    turns: Arc<Turns>,
) -> anyhow::Result<std::convert::Infallible> {
    let counter = Counter::default();
    let mut ticks = interval(EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        let sent = Instant::now();
        let took = quiet.play(script, &counter).await.context("the quiet game is over")?;
        turns.0.lock().push(QuietTurn { sent, took });
    }
}

/// An answered room request.
#[derive(Clone, Copy, Debug)]
struct Room {
    asked: Instant,
    answered: Instant,
    is_made: bool,
}

#[derive(Debug, Default)]
struct Rooms(Mutex<Vec<Room>>);

impl Rooms {
    /// Returns the time at which the first room requested after a moment was made.
    fn made_after(&self, moment: Instant) -> Option<Instant> {
        let rooms = self.0.lock();
        rooms.iter().filter(|room| room.is_made && room.asked >= moment).map(|room| room.answered).min()
    }
}

/// Requests a room each tenth of a second, without waiting for the answers.
async fn ask_for_rooms(
    http: Http,
    makers: Vec<Guest>,
    rooms: Arc<Rooms>,
) -> anyhow::Result<std::convert::Infallible> {
    let mut ticks = interval(EVERY);
    let mut asking = JoinSet::new();
    let mut makers = makers.into_iter().cycle();
    loop {
        ticks.tick().await;
        let maker = makers.next().context("there are makers")?;
        let (http, rooms) = (http.clone(), rooms.clone());
        asking.spawn(async move {
            let asked = Instant::now();
            let is_made = http.ask_for_room(&maker, &messages::live_room()).await?.is_some();
            rooms.0.lock().push(Room { asked, answered: Instant::now(), is_made });
            anyhow::Ok(())
        });
        while let Some(done) = asking.try_join_next() {
            done??;
        }
    }
}

/// A new guest follows a game.
async fn spectator(http: Http, game: Arc<str>) -> anyhow::Result<Socket> {
    let mut socket = http.connect(&http.enter().await?).await?;
    socket.follow(&game).await?;
    Ok(socket)
}

/// Reads until the connection is closed.
async fn watch(mut socket: Socket, lost: Arc<Losses>) {
    let error = loop {
        match socket.next().await {
            Ok(_) => {}
            Err(error) => break error,
        }
    };
    lost.record(&error, |gone| &mut gone.spectators);
}
