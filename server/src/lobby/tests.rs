//! What the readers of the lobby see and hear, in virtual time.

use engine::{Ruleset, Side};
use serde_json::Value;
use tokio::{task::JoinHandle, time::advance};
use uuid::Uuid;

use super::*;
use crate::{
    ids::{Delay, PlayerName, Version},
    limits::MAX_CONNECTIONS,
    outbox::Outgoing,
    presence::Here,
    protocol::{ClockRule, Outcome, Player, Reason, SeatChoice, Seats, Watching},
    store::{self, Append, DraftIs, StoredEvent, Write},
};

const GONE_AFTER: Duration = Duration::from_secs(30);

const ADA: u128 = 1;
const BLAISE: u128 = 2;
const CHARLES: u128 = 3;
const READER: u128 = 9;

fn player(number: u128) -> Player {
    let name = PlayerName::try_from(format!("Player {number}")).unwrap();
    Player { id: PlayerId::new(Uuid::from_u128(number)), name }
}

fn game(number: u128) -> GameId {
    GameId::new(Uuid::from_u128(number))
}

/// A public room of Ada's.
fn room(number: u128) -> GameSummary {
    GameSummary {
        id: game(number),
        ruleset: Ruleset::Fenix,
        status: Status::Open,
        visibility: Visibility::Public,
        creator: player(ADA),
        seat: SeatChoice::First,
        clock: ClockRule::None,
        watching: Watching::Everybody,
        delay: Delay::default(),
        custom_start: false,
        seats: None,
        version: Version::new(1),
        turn: Some(1),
        to_move: Some(Side::First),
        outcome: None,
        created_ms: 0,
        updated_ms: 0,
        deadline_ms: None,
    }
}

/// The room, joined by Blaise.
fn begun(room: GameSummary) -> GameSummary {
    let seats = Some(Seats { first: player(ADA), second: player(BLAISE) });
    GameSummary { status: Status::Playing, seats, version: room.version.next(), ..room }
}

/// The game, a turn later.
fn moved(game: GameSummary) -> GameSummary {
    GameSummary { turn: game.turn.map(|turn| turn + 1), version: game.version.next(), ..game }
}

fn over(game: GameSummary) -> GameSummary {
    let outcome = Some(Outcome { winner: Some(Side::First), reason: Reason::Resign });
    GameSummary { status: Status::Finished, outcome, version: game.version.next(), ..game }
}

/// A lobby whose task runs.
struct Scene {
    lobby: Lobby,
    stop: CancellationToken,
    running: JoinHandle<()>,
}

/// A player's connection that follows the lobby.
struct Tab {
    outgoing: Outgoing,
    _here: Here,
}

impl Scene {
    async fn begin() -> Self {
        let (lobby, stop) = (Lobby::new(Bus::alone(), Presence::new(Bus::alone())), CancellationToken::new());
        #[expect(clippy::disallowed_methods, reason = "a test has no server whose drain would wait for it")]
        let running = tokio::spawn(lobby.clone().run(stop.clone()));
        advance(Duration::ZERO).await;
        Self { lobby, stop, running }
    }

    fn come(&self, number: u128) -> Here {
        self.lobby.presence.enter(player(number), Outbox::open().0)
    }

    /// Opens the lobby with these games of the player's in the store.
    fn open(&self, number: u128, stored: Vec<GameSummary>) -> (Tab, Value) {
        let (outbox, outgoing) = Outbox::open();
        let here = self.lobby.presence.enter(player(number), outbox.clone());
        let players = self.lobby.presence.count();
        self.lobby.locked().show(player(number).id, &outbox, stored, players);
        let mut tab = Tab { outgoing, _here: here };
        let shown = tab.heard().remove(0);
        (tab, shown)
    }

    /// Lets time pass second by second, so that the lobby's task keeps up.
    async fn wait(&self, time: Duration) {
        for _ in 0..time.as_secs() {
            advance(Duration::from_secs(1)).await;
            tokio::task::yield_now().await;
        }
    }

    async fn end(self) {
        self.stop.cancel();
        self.running.await.unwrap();
    }
}

impl Tab {
    /// All that has come.
    fn heard(&mut self) -> Vec<Value> {
        let frames = std::iter::from_fn(|| self.outgoing.next_waiting());
        frames.map(|frame| serde_json::from_str(&frame).unwrap()).collect()
    }

    /// What has come of games: the type of the message, the number of the game, its status.
    fn news(&mut self) -> Vec<(String, u128, Option<String>)> {
        let news = self.heard().into_iter().filter(|message| message["type"] != "lobby_counts");
        news.map(|message| {
            let id = message["game"].as_str().or_else(|| message["game"]["id"].as_str()).unwrap();
            let status = message["game"]["status"].as_str().map(str::to_owned);
            let id: GameId = id.parse().unwrap();
            (message["type"].as_str().unwrap().to_owned(), id.uuid().as_u128(), status)
        })
        .collect()
    }
}

fn changed(number: u128, status: &str) -> (String, u128, Option<String>) {
    ("lobby_changed".to_owned(), number, Some(status.to_owned()))
}

fn gone(number: u128) -> (String, u128, Option<String>) {
    ("lobby_gone".to_owned(), number, None)
}

fn numbers(rows: &Value) -> Vec<u128> {
    let id = |row: &Value| row["id"].as_str().unwrap().parse::<GameId>().unwrap();
    rows.as_array().unwrap().iter().map(|row| id(row).uuid().as_u128()).collect()
}

#[tokio::test(start_paused = true)]
async fn the_room_of_a_maker_who_is_gone_for_30_seconds_leaves_the_list_and_comes_back_with_him() {
    let scene = Scene::begin().await;
    let (mut reader, _) = scene.open(READER, vec![]);
    let ada = scene.come(ADA);
    scene.lobby.update(&room(1));
    assert_eq!(reader.news(), [changed(1, "open")]);
    scene.wait(GONE_AFTER * 2).await;
    assert_eq!(reader.news(), [], "the maker is here");

    drop(ada);
    scene.wait(GONE_AFTER - Duration::from_secs(1)).await;
    assert_eq!(reader.news(), []);
    assert_eq!(numbers(&scene.open(READER, vec![]).1["rooms"]), [1]);
    scene.wait(Duration::from_secs(1)).await;
    assert_eq!(reader.news(), [gone(1)]);
    assert_eq!(numbers(&scene.open(READER, vec![]).1["rooms"]), [] as [u128; 0]);
    assert_eq!(scene.lobby.rooms(None, 10).0.len(), 0, "GET /api/rooms");

    let ada = scene.come(ADA);
    assert!(ada.came);
    let reading = scene.lobby.locked().readings.begin(player(ADA).id);
    scene.lobby.locked().come_back(reading.end(vec![room(1)]));
    assert_eq!(reader.news(), [changed(1, "open")]);
    assert_eq!(scene.lobby.rooms(None, 10).0.len(), 1);
    scene.wait(GONE_AFTER * 2).await;
    assert_eq!(reader.news(), []);
    scene.end().await;
}

#[tokio::test(start_paused = true)]
async fn who_comes_back_within_30_seconds_loses_nothing() {
    let scene = Scene::begin().await;
    let (mut reader, _) = scene.open(READER, vec![]);
    for _ in 0..3 {
        let ada = scene.come(ADA);
        scene.lobby.update(&room(1));
        drop(ada);
        scene.wait(GONE_AFTER - Duration::from_secs(1)).await;
    }
    assert_eq!(reader.news(), [changed(1, "open")]);
    scene.end().await;
}

#[tokio::test(start_paused = true)]
async fn rooms_from_before_a_restart_have_30_seconds_for_their_makers_to_come() {
    let scene = Scene::begin().await;
    let (mut reader, _) = scene.open(READER, vec![]);
    scene.lobby.update(&room(1));
    scene.lobby.update(&GameSummary { creator: player(BLAISE), ..room(2) });
    assert_eq!(reader.news().len(), 2);
    scene.wait(GONE_AFTER - Duration::from_secs(1)).await;
    let _blaise = scene.come(BLAISE);
    scene.wait(Duration::from_secs(1)).await;
    assert_eq!(reader.news(), [gone(1)]);
    scene.end().await;
}

#[tokio::test(start_paused = true)]
async fn rooms_that_leave_together_are_told_in_batches() {
    let scene = Scene::begin().await;
    let n_rooms = BATCH as u128 + 10;
    for number in 1..=n_rooms {
        scene.lobby.update(&room(number));
    }
    scene.wait(GONE_AFTER - Duration::from_secs(1)).await;
    let (mut reader, _) = scene.open(READER, vec![]);
    scene.wait(Duration::from_secs(1)).await;
    assert_eq!(reader.news().len(), BATCH);
    scene.wait(Duration::from_secs(1)).await;
    assert_eq!(reader.news().len(), 10);
    scene.end().await;
}

#[tokio::test(start_paused = true)]
async fn players_hear_of_their_games_at_once_and_others_of_turns_once_a_second() {
    let scene = Scene::begin().await;
    let _ada = scene.come(ADA);
    let (mut reader, _) = scene.open(READER, vec![]);
    let (mut blaise, _) = scene.open(BLAISE, vec![]);
    let mut row = begun(room(1));
    scene.lobby.update(&room(1));
    scene.lobby.update(&row);
    assert_eq!(reader.news(), [changed(1, "open"), changed(1, "playing")]);
    assert_eq!(blaise.news(), [changed(1, "open"), changed(1, "playing")]);
    for _ in 0..3 {
        row = moved(row);
        scene.lobby.update(&row);
    }
    assert_eq!(blaise.news().len(), 3);
    assert_eq!(reader.news(), []);
    scene.wait(Duration::from_secs(1)).await;
    let news = reader.heard();
    let turns: Vec<_> = news.iter().filter(|news| news["type"] == "lobby_changed").collect();
    assert_eq!(turns.len(), 1, "{news:?}");
    assert_eq!(turns[0]["game"]["turn"], 4);
    assert_eq!(blaise.news(), []);

    scene.lobby.update(&moved(row.clone()));
    let row = over(moved(row));
    scene.lobby.update(&row);
    assert_eq!(reader.news(), [changed(1, "finished")]);
    scene.wait(Duration::from_secs(2)).await;
    assert_eq!(reader.news(), [], "the turn before the end is old news");
    scene.lobby.update(&GameSummary { version: row.version.next(), ..row.clone() });
    scene.lobby.update(&row);
    assert_eq!(reader.news(), [], "what follows the end is no news");
    assert_eq!(numbers(&scene.open(READER, vec![]).1["finished"]), [1]);
    scene.end().await;
}

#[tokio::test(start_paused = true)]
async fn a_row_that_is_no_newer_than_the_one_that_was_told_is_no_news() {
    let scene = Scene::begin().await;
    let (mut reader, _) = scene.open(READER, vec![]);
    let row = begun(room(1));
    scene.lobby.update(&row);
    scene.lobby.update(&row);
    scene.lobby.update(&room(1));
    assert_eq!(reader.news(), [changed(1, "playing")]);
    scene.end().await;
}

#[tokio::test(start_paused = true)]
async fn a_game_by_link_is_told_to_its_players_alone() {
    let scene = Scene::begin().await;
    let (mut reader, _) = scene.open(READER, vec![]);
    let ((mut ada, _), (mut blaise, _)) = (scene.open(ADA, vec![]), scene.open(BLAISE, vec![]));
    let room = GameSummary { visibility: Visibility::Link, ..room(1) };
    scene.lobby.update(&room);
    assert_eq!((ada.news(), blaise.news()), (vec![changed(1, "open")], vec![]));
    for row in [begun(room.clone()), moved(begun(room.clone())), over(moved(begun(room)))] {
        let status = if row.status == Status::Playing { "playing" } else { "finished" };
        scene.lobby.update(&row);
        assert_eq!((ada.news(), blaise.news()), (vec![changed(1, status)], vec![changed(1, status)]));
    }
    scene.wait(Duration::from_secs(2)).await;
    assert_eq!(reader.news(), []);
    let (_, shown) = scene.open(READER, vec![]);
    for list in ["rooms", "live", "finished"] {
        assert_eq!(shown[list], serde_json::json!([]), "{list}");
    }
    scene.end().await;
}

#[tokio::test(start_paused = true)]
async fn a_game_that_nobody_may_watch_is_shown_to_others_while_it_is_open() {
    let scene = Scene::begin().await;
    let (mut reader, _) = scene.open(READER, vec![]);
    let (mut ada, _) = scene.open(ADA, vec![]);
    let room = GameSummary { watching: Watching::Nobody, ..room(1) };
    scene.lobby.update(&room);
    scene.lobby.update(&begun(room.clone()));
    assert_eq!(reader.news(), [changed(1, "open"), gone(1)]);
    assert_eq!(ada.news(), [changed(1, "open"), changed(1, "playing")]);
    scene.lobby.update(&moved(begun(room.clone())));
    scene.lobby.update(&over(moved(begun(room))));
    scene.wait(Duration::from_secs(2)).await;
    assert_eq!(reader.news(), []);
    assert_eq!(ada.news(), [changed(1, "playing"), changed(1, "finished")]);
    let (_, shown) = scene.open(READER, vec![]);
    assert_eq!((&shown["live"], &shown["finished"]), (&serde_json::json!([]), &serde_json::json!([])));
    scene.end().await;
}

#[tokio::test(start_paused = true)]
async fn how_far_a_game_is_that_watchers_see_later_is_told_to_its_players_alone() {
    let scene = Scene::begin().await;
    let ((mut reader, _), (mut ada, _)) = (scene.open(READER, vec![]), scene.open(ADA, vec![]));
    let room = GameSummary { delay: Delay::try_from(2).unwrap(), ..room(1) };
    let row = GameSummary { updated_ms: 5, deadline_ms: Some(7), ..moved(begun(room.clone())) };
    scene.lobby.update(&begun(room));
    scene.lobby.update(&row);
    scene.wait(Duration::from_secs(2)).await;
    let told = |tab: &mut Tab| {
        let news = tab.heard().into_iter().filter(|news| news["type"] == "lobby_changed");
        news.map(|news| news["game"].clone()).collect::<Vec<_>>()
    };
    let far = |row: &Value| {
        ["version", "turn", "to_move", "updated_ms", "deadline_ms"].map(|part| row[part].clone())
    };
    let unknown = serde_json::json!([0, null, null, 0, null]);
    let [began] = &told(&mut reader)[..] else { panic!("a turn is no news") };
    assert_eq!((serde_json::json!(far(began)), &began["delay"]), (unknown.clone(), &serde_json::json!(2)));
    let for_ada = told(&mut ada);
    assert_eq!(serde_json::json!(far(for_ada.last().unwrap())), serde_json::json!([3, 2, "first", 5, 7]));
    let (_, shown) = scene.open(READER, vec![]);
    assert_eq!(serde_json::json!(far(&shown["live"][0])), unknown);

    scene.lobby.update(&over(row));
    let [ended] = &told(&mut reader)[..] else { panic!("the end is news") };
    assert_eq!(
        (&ended["turn"], &ended["version"]),
        (&serde_json::json!(2), &serde_json::json!(4)),
        "all is known"
    );
    scene.end().await;
}

#[tokio::test(start_paused = true)]
async fn what_changes_while_the_store_is_read_is_in_the_readers_own_list() {
    let scene = Scene::begin().await;
    let stored = vec![begun(room(1)), begun(room(2)), room(3)];
    let reading = scene.lobby.locked().readings.begin(player(ADA).id);
    let others = GameSummary { creator: player(CHARLES), ..room(5) };
    for row in [moved(begun(room(1))), over(begun(room(2))), room(4), others] {
        scene.lobby.update(&row);
    }
    let mine = reading.end(stored);
    let found: Vec<_> = mine.iter().map(|row| (row.id.uuid().as_u128(), row.version.get())).collect();
    assert_eq!(found, [(4, 1), (3, 1), (1, 3)], "one moved, one is over, one is new");

    let reading = scene.lobby.locked().readings.begin(player(ADA).id);
    scene.lobby.update(&moved(begun(room(1))));
    assert_eq!(reading.end(vec![moved(moved(begun(room(1))))])[0].version.get(), 4, "the store knew better");
    scene.lobby.update(&room(6));
    assert!(scene.lobby.locked().readings.is_empty(), "a reading that has ended leaves nothing");
    scene.end().await;
}

#[tokio::test(start_paused = true)]
async fn who_is_here_and_who_watches_is_told_once_a_second() {
    let scene = Scene::begin().await;
    let (mut reader, _) = scene.open(READER, vec![]);
    scene.wait(Duration::from_secs(1)).await;
    reader.heard();
    scene.lobby.set_watchers(WatcherCount { game: game(1), watchers: 7 });
    scene.lobby.update(&room(1));
    scene.lobby.set_watchers(WatcherCount { game: game(1), watchers: 1 });
    scene.lobby.update(&begun(room(1)));
    for watchers in 2..=5 {
        scene.lobby.set_watchers(WatcherCount { game: game(1), watchers });
    }
    let (ada, tab) = (scene.come(ADA), scene.come(ADA));
    assert!(reader.heard().iter().all(|news| news["type"] != "lobby_counts"));
    scene.wait(Duration::from_secs(1)).await;
    let counts: Vec<_> = reader.heard().into_iter().filter(|news| news["type"] == "lobby_counts").collect();
    let [counts] = &counts[..] else { panic!("{counts:?}") };
    assert_eq!(counts["players"], 2, "each is counted once");
    assert_eq!(counts["watchers"], serde_json::json!([{"game": game(1), "watchers": 5}]));

    let (outbox, mut outgoing) = Outbox::open();
    scene.lobby.locked().show(player(READER).id, &outbox, vec![], 2);
    let frames: Vec<Value> = std::iter::from_fn(|| outgoing.next_waiting())
        .map(|frame| serde_json::from_str(&frame).unwrap())
        .collect();
    assert_eq!(frames[1], *counts, "a newcomer is told all counts");

    drop(tab);
    scene.wait(Duration::from_secs(3)).await;
    assert_eq!(reader.heard(), [] as [Value; 0], "nothing has changed");
    drop(ada);
    scene.lobby.set_watchers(WatcherCount { game: game(1), watchers: 0 });
    scene.wait(Duration::from_secs(1)).await;
    let counts = reader.heard();
    assert_eq!(counts[0]["players"], 1);
    assert_eq!(counts[0]["watchers"], serde_json::json!([{"game": game(1), "watchers": 0}]));
    scene.lobby.update(&over(begun(room(1))));
    scene.lobby.set_watchers(WatcherCount { game: game(1), watchers: 3 });
    reader.heard();
    scene.wait(Duration::from_secs(2)).await;
    assert_eq!(reader.heard(), [] as [Value; 0], "a game that is over has no watchers in the lobby");
    scene.end().await;
}

#[tokio::test(start_paused = true)]
async fn all_that_a_full_node_tells_of_itself_at_once_is_no_more_than_nats_takes() {
    /// Bytes of one message, unless NATS is told otherwise.
    const MAX_PAYLOAD: usize = 1 << 20;
    let lobby = Lobby::new(Bus::alone(), Presence::new(Bus::alone()));
    let n_shown = 2 * KEPT as u128;
    for number in 1..=n_shown {
        let room = room(number);
        lobby.update(&if number.is_multiple_of(2) { begun(room) } else { room });
    }
    for number in 1..=10 * n_shown {
        lobby.set_watchers(WatcherCount { game: game(number), watchers: 9_999 });
    }
    let watching = lobby.watching();
    assert_eq!(watching.len(), 2 * KEPT);
    let players = (0..MAX_CONNECTIONS as u128).map(|number| player(number).id).collect();
    let news = NodeNews::Here { node: Bus::alone().node(), players, watching };
    assert!(serde_json::to_vec(&news).unwrap().len() < MAX_PAYLOAD);
}

#[tokio::test(start_paused = true)]
async fn the_lobby_keeps_so_many_rows_and_shows_the_newest() {
    let scene = Scene::begin().await;
    let (mut reader, _) = scene.open(READER, vec![]);
    let _ada = scene.come(ADA);
    let n_games = KEPT as u128 + 5;
    for number in 1..=n_games {
        scene.lobby.update(&begun(room(number)));
        reader.heard();
    }
    scene.lobby.set_watchers(WatcherCount { game: game(1), watchers: 1 });
    scene.lobby.update(&moved(begun(room(1))));
    assert_eq!(reader.news(), [], "the oldest is not kept");
    assert_eq!(scene.lobby.locked().rows.live().count(), KEPT);
    assert!(scene.lobby.locked().rows.counts().is_empty());
    let (_, shown) = scene.open(READER, vec![]);
    let newest: Vec<_> = (1..=n_games).rev().take(SHOWN).collect();
    assert_eq!(numbers(&shown["live"]), newest);
    for number in 1..=FINISHED as u128 + 5 {
        scene.lobby.update(&over(begun(room(number))));
    }
    let (_, shown) = scene.open(READER, vec![]);
    let last: Vec<_> = (6..=FINISHED as u128 + 5).rev().collect();
    assert_eq!(numbers(&shown["finished"]), last, "the last ended first");
    scene.end().await;
}

#[tokio::test(start_paused = true)]
async fn open_rooms_are_paged_newest_first() {
    let scene = Scene::begin().await;
    for number in 1..=5 {
        scene.lobby.update(&room(number));
    }
    let page = |before, limit| {
        let (rooms, are_more) = scene.lobby.rooms(before, limit);
        (rooms.iter().map(|room| room.id.uuid().as_u128()).collect::<Vec<_>>(), are_more)
    };
    assert_eq!(page(None, 2), (vec![5, 4], true));
    assert_eq!(page(Some(game(4)), 2), (vec![3, 2], true));
    assert_eq!(page(Some(game(2)), 2), (vec![1], false));
    assert_eq!(page(None, 5), (vec![5, 4, 3, 2, 1], false));
    scene.end().await;
}

#[tokio::test]
async fn what_the_store_still_has_brings_no_room_back_whose_maker_is_gone() {
    let directory = tempfile::TempDir::new().unwrap();
    let store = store::open(&format!("sqlite:{}/towers.db", directory.path().display())).await.unwrap();
    let made = |number: u128| {
        let event = StoredEvent { version: Version::new(1), at_ms: 0, command: None, body: "{}".to_owned() };
        Write::Append(Arc::new(Append::new(vec![event], room(number), DraftIs::Gone)))
    };
    store.commit(&[made(1)]).await.unwrap().remove(0).unwrap();
    let lobby = Lobby::load(&*store, Bus::alone(), Presence::new(Bus::alone())).await.unwrap();
    let shown = || lobby.rooms(None, 10).0.iter().map(|room| room.id).collect::<Vec<_>>();
    assert_eq!(shown(), [game(1)]);

    tokio::time::pause();
    advance(GONE_AFTER).await;
    tokio::time::resume();
    lobby.tick();
    assert_eq!(shown(), []);
    store.commit(&[made(2)]).await.unwrap().remove(0).unwrap();
    lobby.catch_up(&*store).await.unwrap();
    assert_eq!(shown(), [], "Ada is gone");
    let _ada = lobby.presence.enter(player(ADA), Outbox::open().0);
    lobby.catch_up(&*store).await.unwrap();
    assert_eq!(shown(), [game(2), game(1)], "Ada is here");
}
