//! Messages to the readers of the lobby, in virtual time.

use engine::{Ruleset, Side};
use game::{
    ClockRule, Outcome, Player, Reason, SeatChoice, Seats, Watching,
    ids::{Delay, PlayerName, Version},
};
use serde_json::Value;
use store::{Append, DraftIs, StoredEvent, Write};
use tokio::{task::JoinHandle, time::advance};
use uuid::Uuid;

use super::*;
use crate::{net::outbox::Outgoing, presence::PresenceGuard};

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
fn room(number: u128) -> GameRow {
    GameRow {
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
        turn: 1,
        to_move: Side::First,
        outcome: None,
        created_ms: 0,
        updated_ms: 0,
        deadline_ms: None,
        position: Some("CSSSSS/1S5/8/8p/2P3ppp1/3P3p3/1PPP3p2/P8/8/5s1/sssssc 1 1 1/1".to_owned()),
    }
}

/// A public room of a player without others.
fn of_stranger(number: u128) -> GameRow {
    GameRow { creator: player(1_000_000 + number), ..room(number) }
}

/// A game under way of two players without others.
fn of_strangers(number: u128) -> GameRow {
    between(number, 1_000_000 + number, 2_000_000 + number)
}

/// A game under way.
fn between(number: u128, first: u128, second: u128) -> GameRow {
    let seats = Some(Seats { first: player(first), second: player(second) });
    GameRow { creator: player(first), seats, ..begun(room(number)) }
}

/// The room, joined by Blaise.
fn begun(room: GameRow) -> GameRow {
    let seats = Some(Seats { first: player(ADA), second: player(BLAISE) });
    GameRow { status: Status::Playing, seats, version: room.version.next(), ..room }
}

/// The game, a turn later.
fn moved(game: GameRow) -> GameRow {
    GameRow { turn: game.turn + 1, version: game.version.next(), ..game }
}

fn over(game: GameRow) -> GameRow {
    let outcome = Some(Outcome { winner: Some(Side::First), reason: Reason::Resign });
    GameRow { status: Status::Finished, outcome, version: game.version.next(), ..game }
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
    _here: PresenceGuard,
}

impl Scene {
    async fn begin() -> Self {
        let (lobby, stop) = (Lobby::new(Bus::alone(), Presence::new(Bus::alone())), CancellationToken::new());
        #[expect(clippy::disallowed_methods, reason = "a test has no server whose drain would wait for it")]
        let running = tokio::spawn(lobby.clone().run(stop.clone()));
        advance(Duration::ZERO).await;
        Self { lobby, stop, running }
    }

    fn come(&self, number: u128) -> PresenceGuard {
        self.lobby.presence.enter(player(number), Address::of_tests(1), Outbox::open().0)
    }

    /// Opens the lobby with these games of the player's in the store.
    fn open(&self, number: u128, stored: &[GameRow]) -> (Tab, Value) {
        let (outbox, outgoing) = Outbox::open();
        let here = self.lobby.presence.enter(player(number), Address::of_tests(1), outbox.clone());
        let reading = self.lobby.locked().readings.begin(player(number).id);
        self.lobby.show(player(number).id, &outbox, &reading, stored);
        let mut tab = Tab { outgoing, _here: here };
        let shown = tab.received().remove(0);
        (tab, shown)
    }

    /// Lets the time of a tick pass.
    async fn tick(&self) {
        self.wait(TICK).await;
    }

    /// Lets time pass tick by tick, so that the lobby's task keeps up.
    async fn wait(&self, time: Duration) {
        for _ in 0..time.as_millis() / TICK.as_millis() {
            advance(TICK).await;
            tokio::task::yield_now().await;
        }
    }

    async fn end(self) {
        self.stop.cancel();
        self.running.await.unwrap();
    }
}

impl Tab {
    /// All received messages.
    fn received(&mut self) -> Vec<Value> {
        let frames = std::iter::from_fn(|| self.outgoing.next_waiting());
        frames.map(|frame| serde_json::from_str(&frame).unwrap()).collect()
    }

    /// Received updates of games: number and status, or none if the game is gone.
    fn news(&mut self) -> Vec<(u128, Option<String>)> {
        let number = |id: &Value| id.as_str().unwrap().parse::<GameId>().unwrap().uuid().as_u128();
        let mut news = Vec::new();
        for message in self.messages() {
            for game in message["games"].as_array().unwrap() {
                news.push((number(&game["id"]), Some(game["status"].as_str().unwrap().to_owned())));
            }
            news.extend(message["gone"].as_array().unwrap().iter().map(|id| (number(id), None)));
        }
        news
    }

    /// All received updates.
    fn messages(&mut self) -> Vec<Value> {
        self.received().into_iter().filter(|message| message["type"] == "lobby_changed").collect()
    }
}

fn changed(number: u128, status: &str) -> (u128, Option<String>) {
    (number, Some(status.to_owned()))
}

fn gone(number: u128) -> (u128, Option<String>) {
    (number, None)
}

fn numbers(rows: &Value) -> Vec<u128> {
    let id = |row: &Value| row["id"].as_str().unwrap().parse::<GameId>().unwrap();
    rows.as_array().unwrap().iter().map(|row| id(row).uuid().as_u128()).collect()
}

#[tokio::test(start_paused = true)]
async fn the_room_of_a_maker_who_is_gone_for_30_seconds_leaves_the_list_and_comes_back_with_him() {
    let scene = Scene::begin().await;
    let (mut reader, _) = scene.open(READER, &[]);
    let ada = scene.come(ADA);
    scene.lobby.update(&room(1));
    scene.tick().await;
    assert_eq!(reader.news(), [changed(1, "open")]);
    scene.wait(GONE_AFTER * 2).await;
    assert_eq!(reader.news(), [], "the maker is here");

    drop(ada);
    scene.wait(GONE_AFTER - Duration::from_secs(1)).await;
    assert_eq!(reader.news(), []);
    assert_eq!(numbers(&scene.open(READER, &[]).1["rooms"]), [1]);
    scene.wait(Duration::from_secs(2)).await;
    assert_eq!(reader.news(), [gone(1)]);
    assert_eq!(numbers(&scene.open(READER, &[]).1["rooms"]), [] as [u128; 0]);
    assert_eq!(scene.lobby.rooms(None, 10).0.len(), 0, "GET /api/v1/rooms");

    let ada = scene.come(ADA);
    assert!(ada.is_new);
    let reading = scene.lobby.locked().readings.begin(player(ADA).id);
    scene.lobby.locked().come_back(reading.games(&[room(1)]), |_| None);
    scene.tick().await;
    assert_eq!(reader.news(), [changed(1, "open")]);
    assert_eq!(scene.lobby.rooms(None, 10).0.len(), 1);
    scene.wait(GONE_AFTER * 2).await;
    assert_eq!(reader.news(), []);
    scene.end().await;
}

#[tokio::test(start_paused = true)]
async fn a_reader_that_returns_within_30_seconds_loses_nothing() {
    let scene = Scene::begin().await;
    let (mut reader, _) = scene.open(READER, &[]);
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
    let (mut reader, _) = scene.open(READER, &[]);
    scene.lobby.update(&room(1));
    scene.lobby.update(&GameRow { creator: player(BLAISE), ..room(2) });
    scene.tick().await;
    assert_eq!(reader.news().len(), 2);
    scene.wait(GONE_AFTER - Duration::from_secs(1)).await;
    let _blaise = scene.come(BLAISE);
    scene.wait(Duration::from_secs(1)).await;
    assert_eq!(reader.news(), [gone(1)]);
    scene.end().await;
}

#[tokio::test(start_paused = true)]
async fn however_many_games_begin_a_reader_gets_one_bounded_message_at_each_tick() {
    let scene = Scene::begin().await;
    let (mut reader, _) = scene.open(READER, &[]);
    for number in 1..=5 * BATCH as u128 {
        scene.lobby.update(&of_strangers(number));
    }
    assert_eq!(reader.messages(), [] as [Value; 0]);
    let mut told = vec![];
    for _ in 0..5 {
        scene.tick().await;
        let messages = reader.messages();
        let [message] = &messages[..] else { panic!("{} messages at once", messages.len()) };
        assert_eq!(message["games"].as_array().unwrap().len(), BATCH);
        told.extend(numbers(&message["games"]));
    }
    told.sort_unstable();
    assert_eq!(told, (1..=5 * BATCH as u128).collect::<Vec<_>>(), "each once");
    scene.wait(Duration::from_secs(5)).await;
    assert_eq!(reader.messages(), [] as [Value; 0], "nothing has changed");
    scene.end().await;
}

#[tokio::test(start_paused = true)]
async fn rooms_that_leave_together_are_told_together() {
    let scene = Scene::begin().await;
    let n_rooms = 50;
    for number in 1..=n_rooms {
        scene.lobby.update(&of_stranger(number));
    }
    scene.wait(GONE_AFTER - Duration::from_secs(1)).await;
    let (mut reader, _) = scene.open(READER, &[]);
    scene.wait(Duration::from_secs(2)).await;
    let mut left = reader.news();
    left.sort();
    assert_eq!(left, (1..=n_rooms).map(gone).collect::<Vec<_>>());
    scene.end().await;
}

#[tokio::test(start_paused = true)]
async fn players_hear_of_their_games_at_once_and_others_of_turns_once_a_second() {
    let scene = Scene::begin().await;
    let _ada = scene.come(ADA);
    let (mut reader, _) = scene.open(READER, &[]);
    let (mut blaise, _) = scene.open(BLAISE, &[]);
    let mut row = begun(room(1));
    scene.lobby.update(&room(1));
    scene.tick().await;
    scene.lobby.update(&row);
    assert_eq!(blaise.news(), [changed(1, "open"), changed(1, "playing")], "a player hears at once");
    scene.tick().await;
    assert_eq!(reader.news(), [changed(1, "open"), changed(1, "playing")]);
    for _ in 0..3 {
        row = moved(row);
        scene.lobby.update(&row);
    }
    assert_eq!(blaise.news().len(), 3);
    assert_eq!(reader.news(), []);
    scene.wait(Duration::from_secs(1)).await;
    let news = reader.received();
    let turns: Vec<_> = news.iter().filter(|news| news["type"] == "lobby_changed").collect();
    assert_eq!(turns.len(), 1, "{news:?}");
    assert_eq!(turns[0]["games"][0]["turn"], 4);
    assert_eq!(blaise.news(), []);

    scene.lobby.update(&moved(row.clone()));
    let row = over(moved(row));
    scene.lobby.update(&row);
    scene.tick().await;
    assert_eq!(reader.news(), [changed(1, "finished")]);
    scene.wait(Duration::from_secs(2)).await;
    assert_eq!(reader.news(), [], "the turn before the end is old news");
    scene.lobby.update(&GameRow { version: row.version.next(), ..row.clone() });
    scene.lobby.update(&row);
    scene.wait(Duration::from_secs(2)).await;
    assert_eq!(reader.news(), [], "what follows the end is no news");
    assert_eq!(numbers(&scene.open(READER, &[]).1["finished"]), [1]);
    scene.end().await;
}

#[tokio::test(start_paused = true)]
async fn a_row_that_is_no_newer_than_the_one_that_was_told_is_no_news() {
    let scene = Scene::begin().await;
    let (mut reader, _) = scene.open(READER, &[]);
    let row = begun(room(1));
    scene.lobby.update(&row);
    scene.lobby.update(&row);
    scene.lobby.update(&room(1));
    scene.wait(Duration::from_secs(2)).await;
    assert_eq!(reader.news(), [changed(1, "playing")]);
    scene.end().await;
}

#[tokio::test(start_paused = true)]
async fn a_game_by_link_is_told_to_its_players_alone() {
    let scene = Scene::begin().await;
    let (mut reader, _) = scene.open(READER, &[]);
    let ((mut ada, _), (mut blaise, _)) = (scene.open(ADA, &[]), scene.open(BLAISE, &[]));
    let room = GameRow { visibility: Visibility::Link, ..room(1) };
    scene.lobby.update(&room);
    assert_eq!((ada.news(), blaise.news()), (vec![changed(1, "open")], vec![]));
    for row in [begun(room.clone()), moved(begun(room.clone())), over(moved(begun(room)))] {
        let status = if row.status == Status::Playing { "playing" } else { "finished" };
        scene.lobby.update(&row);
        assert_eq!((ada.news(), blaise.news()), (vec![changed(1, status)], vec![changed(1, status)]));
    }
    scene.wait(Duration::from_secs(2)).await;
    assert_eq!(reader.news(), []);
    let (_, shown) = scene.open(READER, &[]);
    for list in ["rooms", "live", "finished"] {
        assert_eq!(shown[list], serde_json::json!([]), "{list}");
    }
    scene.end().await;
}

#[tokio::test(start_paused = true)]
async fn a_game_that_nobody_may_watch_is_shown_to_others_while_it_is_open() {
    let scene = Scene::begin().await;
    let (mut reader, _) = scene.open(READER, &[]);
    let (mut ada, _) = scene.open(ADA, &[]);
    let room = GameRow { watching: Watching::Nobody, ..room(1) };
    scene.lobby.update(&room);
    scene.tick().await;
    scene.lobby.update(&begun(room.clone()));
    scene.tick().await;
    assert_eq!(reader.news(), [changed(1, "open"), gone(1)]);
    assert_eq!(ada.news(), [changed(1, "open"), changed(1, "playing"), gone(1)], "the lists have it no more");
    scene.lobby.update(&moved(begun(room.clone())));
    scene.lobby.update(&over(moved(begun(room))));
    scene.wait(Duration::from_secs(2)).await;
    assert_eq!(reader.news(), []);
    assert_eq!(ada.news(), [changed(1, "playing"), changed(1, "finished")]);
    let (_, shown) = scene.open(READER, &[]);
    assert_eq!((&shown["live"], &shown["finished"]), (&serde_json::json!([]), &serde_json::json!([])));
    scene.end().await;
}

#[tokio::test(start_paused = true)]
async fn how_far_a_game_is_that_spectators_see_later_is_told_to_its_players_alone() {
    let scene = Scene::begin().await;
    let ((mut reader, _), (mut ada, _)) = (scene.open(READER, &[]), scene.open(ADA, &[]));
    let room = GameRow { delay: Delay::try_from(2).unwrap(), ..room(1) };
    let row = GameRow { updated_ms: 5, deadline_ms: Some(7), ..moved(begun(room.clone())) };
    scene.lobby.update(&begun(room));
    scene.lobby.update(&row);
    scene.wait(Duration::from_secs(2)).await;
    let told =
        |tab: &mut Tab| tab.messages().into_iter().map(|news| news["games"][0].clone()).collect::<Vec<_>>();
    let far = |row: &Value| {
        ["version", "turn", "to_move", "updated_ms", "deadline_ms", "position"].map(|part| row[part].clone())
    };
    let unknown = serde_json::json!([0, null, null, 0, null, null]);
    let [began] = &told(&mut reader)[..] else { panic!("a turn is no news") };
    assert_eq!((serde_json::json!(far(began)), &began["delay"]), (unknown.clone(), &serde_json::json!(2)));
    let for_ada = told(&mut ada);
    assert_eq!(
        serde_json::json!(far(for_ada.last().unwrap())),
        serde_json::json!([3, 2, "first", 5, 7, row.position])
    );
    let (_, shown) = scene.open(READER, &[]);
    assert_eq!(serde_json::json!(far(&shown["live"][0])), unknown);

    scene.lobby.update(&over(row));
    scene.tick().await;
    let [ended] = &told(&mut reader)[..] else { panic!("the end is news") };
    assert_eq!(
        (&ended["turn"], &ended["version"]),
        (&serde_json::json!(2), &serde_json::json!(4)),
        "all is known"
    );
    scene.end().await;
}

#[tokio::test(start_paused = true)]
async fn changes_during_a_read_of_the_store_are_in_the_readers_own_list() {
    let scene = Scene::begin().await;
    let stored = vec![begun(room(1)), begun(room(2)), room(3)];
    let reading = scene.lobby.locked().readings.begin(player(ADA).id);
    let others = GameRow { creator: player(CHARLES), ..room(5) };
    for row in [moved(begun(room(1))), over(begun(room(2))), room(4), others] {
        scene.lobby.update(&row);
    }
    let mine = reading.games(&stored);
    let found: Vec<_> = mine.iter().map(|row| (row.id.uuid().as_u128(), row.version.get())).collect();
    assert_eq!(found, [(4, 1), (3, 1), (1, 3)], "one moved, one is over, one is new");

    drop(reading);
    assert!(scene.lobby.locked().readings.is_empty(), "no row has to come for a reading to be forgotten");
    let reading = scene.lobby.locked().readings.begin(player(ADA).id);
    scene.lobby.update(&moved(begun(room(1))));
    assert_eq!(reading.games(&[moved(moved(begun(room(1))))])[0].version.get(), 4, "the store knew better");
    drop(reading);
    scene.end().await;
}

#[tokio::test(start_paused = true)]
async fn presence_and_spectator_counts_are_sent_once_a_second() {
    let scene = Scene::begin().await;
    let (mut reader, _) = scene.open(READER, &[]);
    scene.wait(Duration::from_secs(1)).await;
    reader.received();
    scene.lobby.set_spectators(SpectatorCount { game: game(1), spectators: 7 });
    scene.lobby.update(&room(1));
    scene.lobby.set_spectators(SpectatorCount { game: game(1), spectators: 1 });
    scene.lobby.update(&begun(room(1)));
    for spectators in 2..=5 {
        scene.lobby.set_spectators(SpectatorCount { game: game(1), spectators });
    }
    let (ada, tab) = (scene.come(ADA), scene.come(ADA));
    assert!(reader.received().iter().all(|news| news["type"] != "lobby_counts"));
    scene.wait(Duration::from_secs(1)).await;
    let counts: Vec<_> =
        reader.received().into_iter().filter(|news| news["type"] == "lobby_counts").collect();
    let [counts] = &counts[..] else { panic!("{counts:?}") };
    assert_eq!(counts["players"], 2, "each is counted once");
    assert_eq!(counts["watchers"], serde_json::json!([{"game": game(1), "watchers": 5}]));

    let (outbox, mut outgoing) = Outbox::open();
    let reading = scene.lobby.locked().readings.begin(player(READER).id);
    scene.lobby.show(player(READER).id, &outbox, &reading, &[]);
    let frames: Vec<Value> = std::iter::from_fn(|| outgoing.next_waiting())
        .map(|frame| serde_json::from_str(&frame).unwrap())
        .collect();
    assert_eq!(frames[1], *counts, "a newcomer is told all counts");
    reader.received();

    drop(tab);
    scene.wait(Duration::from_secs(3)).await;
    assert_eq!(reader.received(), [] as [Value; 0], "nothing has changed");
    drop(ada);
    scene.lobby.set_spectators(SpectatorCount { game: game(1), spectators: 0 });
    scene.wait(Duration::from_secs(1)).await;
    let counts = reader.received();
    assert_eq!(counts[0]["players"], 1);
    assert_eq!(counts[0]["watchers"], serde_json::json!([{"game": game(1), "watchers": 0}]));
    scene.lobby.update(&over(begun(room(1))));
    scene.lobby.set_spectators(SpectatorCount { game: game(1), spectators: 3 });
    scene.tick().await;
    reader.received();
    scene.wait(Duration::from_secs(2)).await;
    assert_eq!(reader.received(), [] as [Value; 0], "a game that is over has no spectators in the lobby");
    scene.end().await;
}

#[tokio::test(start_paused = true)]
async fn no_message_of_a_node_about_itself_is_larger_than_nats_takes() {
    /// Default maximum size of a NATS message in bytes.
    const MAX_PAYLOAD: usize = 1 << 20;
    let lobby = Lobby::new(Bus::alone(), Presence::new(Bus::alone()));
    let n_shown = 2 * KEPT as u128;
    for number in 1..=n_shown {
        lobby.update(&if number.is_multiple_of(2) { of_strangers(number) } else { of_stranger(number) });
    }
    for number in 1..=10 * n_shown {
        lobby.set_spectators(SpectatorCount { game: game(number), spectators: 9_999 });
    }
    let watching = lobby.watching();
    assert_eq!(watching.len(), 2 * KEPT);
    let players: Vec<_> = (0..200_000).map(|number| player(number).id).collect();
    let mut told = Vec::new();
    for news in NodeNews::state(Bus::alone().node(), players.clone(), watching) {
        assert!(serde_json::to_vec(&news).unwrap().len() < MAX_PAYLOAD);
        if let NodeNews::Here { part, .. } = news {
            told.extend(part.players);
        }
    }
    assert_eq!(told, players, "each player is told once");
}

#[tokio::test(start_paused = true)]
async fn a_lobby_that_is_behind_catches_up_with_games_that_no_list_of_the_store_begins_with() {
    let store = store::Memory::default();
    let lobby = Lobby::new(Bus::alone(), Presence::new(Bus::alone()));
    let n_games = SHOWN as u128 + 3;
    for number in 1..=n_games {
        let known = of_strangers(number);
        lobby.update(&known);
        let row = moved(known);
        let event = |version| {
            let version = Version::new(version);
            StoredEvent { version, at_ms: 0, command: None, body: "{}".to_owned() }
        };
        let append = Append::new((1..=row.version.get()).map(event).collect(), row, DraftIs::Gone);
        store.commit(&[Write::Append(append.into())]).await.unwrap().remove(0).unwrap();
    }
    lobby.catch_up(&store).await.unwrap();
    let known = lobby.locked().rows.unfinished();
    assert_eq!(known.len() as u128, n_games);
    assert!(known.values().all(|version| *version == Version::new(3)), "{known:?}");
}

#[tokio::test(start_paused = true)]
async fn the_lobby_keeps_a_bounded_number_of_rows_and_shows_the_newest() {
    let scene = Scene::begin().await;
    let n_games = KEPT as u128 + 5;
    for number in 1..=n_games {
        scene.lobby.update(&of_strangers(number));
    }
    scene.lobby.set_spectators(SpectatorCount { game: game(1), spectators: 1 });
    assert!(scene.lobby.locked().rows.counts().is_empty(), "the oldest is not kept");
    let (_, shown) = scene.open(READER, &[]);
    let newest: Vec<_> = (1..=n_games).rev().take(SHOWN).collect();
    assert_eq!(numbers(&shown["live"]), newest);
    for number in 1..=FINISHED as u128 + 5 {
        scene.lobby.update(&over(of_strangers(number)));
    }
    let (_, shown) = scene.open(READER, &[]);
    let last: Vec<_> = (6..=FINISHED as u128 + 5).rev().collect();
    assert_eq!(numbers(&shown["finished"]), last, "the last ended first");
    scene.end().await;
}

#[tokio::test(start_paused = true)]
async fn no_player_is_shown_more_than_twice_among_live_or_finished_games() {
    let scene = Scene::begin().await;
    let (mut reader, _) = scene.open(READER, &[]);
    for number in 1..=100 {
        // Ada plays against everybody, and some play against each other too.
        scene.lobby.update(&between(number, ADA, 100 + number / 3));
    }
    let (_, shown) = scene.open(READER, &[]);
    assert_eq!(numbers(&shown["live"]), [100, 99]);
    scene.tick().await;
    let mut news = reader.news();
    news.sort();
    assert_eq!(news, [changed(99, "playing"), changed(100, "playing")]);

    scene.lobby.update(&over(between(100, ADA, 133)));
    scene.tick().await;
    assert_eq!(reader.news(), [changed(98, "playing"), changed(100, "finished")], "the next one is shown");
    for number in (1..=97).rev() {
        scene.lobby.update(&over(between(number, ADA, 100 + number / 3)));
    }
    let (_, shown) = scene.open(READER, &[]);
    assert_eq!(shown["finished"].as_array().unwrap().len(), 2);
    scene.end().await;
}

#[tokio::test(start_paused = true)]
async fn one_address_neither_fills_a_list_nor_pushes_others_out_of_memory() {
    let scene = Scene::begin().await;
    let mut flood = Vec::new();
    for number in 1..=2 * KEPT as u128 {
        let maker = player(1_000_000 + number);
        let address = Address::of_tests(if number <= 5 { 7 } else { 8 });
        flood.push(scene.lobby.presence.enter(maker, address, Outbox::open().0));
        scene.lobby.update(&of_strangers(number));
    }
    let (_, shown) = scene.open(READER, &[]);
    let live = numbers(&shown["live"]);
    assert_eq!(live.len(), SHOWN, "what nobody else needs may be filled");
    assert!(
        (1..=5).all(|number| live.contains(&number)),
        "the oldest are shown, of another address: {live:?}"
    );
    assert_eq!(scene.lobby.locked().rows.unfinished().len(), KEPT);

    let _ada = scene.come(ADA);
    scene.lobby.update(&room(900_000));
    // Their makers have live games, and rooms beside them.
    for number in 1..=2 * SHOWN as u128 {
        scene.lobby.update(&GameRow { id: game(900_000 + number), ..of_stranger(number + 5) });
    }
    let (rooms, are_more) = scene.lobby.rooms(None, 2 * SHOWN);
    assert_eq!((rooms.len(), are_more), (SHOWN, false));
    assert!(rooms.iter().any(|room| room.creator == player(ADA).into()), "hers is older than all of theirs");
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
async fn a_room_of_an_absent_maker_does_not_come_back_from_the_store() {
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
    lobby.tick(true);
    assert_eq!(shown(), []);
    store.commit(&[made(2)]).await.unwrap().remove(0).unwrap();
    lobby.catch_up(&*store).await.unwrap();
    assert_eq!(shown(), [], "Ada is gone");
    let _ada = lobby.presence.enter(player(ADA), Address::of_tests(1), Outbox::open().0);
    lobby.catch_up(&*store).await.unwrap();
    assert_eq!(shown(), [game(2), game(1)], "Ada is here");
}

#[tokio::test(start_paused = true)]
async fn the_lists_are_made_a_few_times_a_tick_however_many_open_the_lobby() {
    let scene = Scene::begin().await;
    let mut tabs = Vec::new();
    let mut n_made = 0;
    let mut last = None;
    for number in 1..=20 {
        scene.lobby.update(&of_stranger(number));
        tabs.push(scene.open(1_000 + number, &[]));
        let shown = scene.lobby.locked().shown();
        if !last.as_ref().is_some_and(|last| std::sync::Arc::ptr_eq(last, &shown)) {
            n_made += 1;
        }
        last = Some(shown);
    }
    assert!((1..=4).contains(&n_made), "{n_made}");
    scene.tick().await;
    for (tab, shown) in &mut tabs {
        let mut known: Vec<_> = numbers(&shown["rooms"]);
        known.extend(tab.news().into_iter().map(|(number, _)| number));
        known.sort_unstable();
        known.dedup();
        assert_eq!(known, (1..=20).collect::<Vec<_>>(), "shown, or told with the tick");
    }
    scene.end().await;
}

#[tokio::test(start_paused = true)]
async fn a_reader_gets_its_own_games_at_once_even_late_in_a_tick() {
    let scene = Scene::begin().await;
    // Somebody else has the lists made as often as they are in a tick.
    for number in 1..=10 {
        scene.lobby.update(&of_stranger(number));
        scene.open(1_000 + number, &[]);
    }
    scene.lobby.update(&room(11));
    scene.lobby.update(&begun(room(11)));
    let (mut ada, shown) = scene.open(ADA, &[begun(room(11))]);
    assert_eq!(numbers(&shown["mine"]), [11]);
    let _: ServerMessage = serde_json::from_value(shown).expect("it is a message of the protocol");
    scene.lobby.update(&over(begun(room(11))));
    assert_eq!(ada.news(), [changed(11, "finished")]);
    let (outbox, outgoing) = Outbox::open();
    let reading = scene.lobby.locked().readings.begin(player(BLAISE).id);
    scene.lobby.show(player(BLAISE).id, &outbox, &reading, &[]);
    let mut blaise = Tab { outgoing, _here: scene.come(BLAISE) };
    assert_eq!(blaise.news(), [changed(11, "finished")]);
    scene.end().await;
}
