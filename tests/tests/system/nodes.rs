//! Several nodes on one PostgreSQL: whatever fails between them, the game ends on all boards with the same text.

use serde_json::{Value, json};
use system_tests::{
    database::Database,
    game::Game,
    nats::Nats,
    pair::{Pair, Seat},
    player::Player,
    postgres::Postgres,
    server::Server,
    socket::{Socket, command, resign},
    timeout,
};
use tokio::time::{Duration, Instant};

/// Two nodes, a player and a spectator on each.
struct Scene {
    nats: Nats,
    one: Server,
    other: Server,
    game: Game,
    pair: Pair,
    spectators: [Seat; 2],
}

/// Starts a node that is connected to its peers.
pub(crate) async fn node(database: &Database, nats: &Nats) -> Server {
    node_at(database, &nats.url()).await
}

async fn node_at(database: &Database, nats_url: &str) -> Server {
    let server = Server::start_with(database, &["--nats-url", nats_url]).await;
    is_ready(&server, "ready, connected to other nodes\n").await;
    server
}

/// Waits until a node reports this readiness.
pub(crate) async fn is_ready(server: &Server, word: &str) {
    let asker = Player::stranger(server);
    timeout(word, async {
        while asker.get("/readyz").await.text() != word {
            tokio::task::yield_now().await;
        }
    })
    .await;
}

async fn spectator(server: &Server, game: &str) -> Seat {
    let player = Player::enter(server).await;
    Seat { socket: player.follow(game).await, player }
}

impl Scene {
    async fn open(database: &Database) -> Self {
        Self::open_on(database, json!({})).await
    }

    async fn open_on(database: &Database, terms: Value) -> Self {
        let nats = Nats::start().await;
        let (one, other) = (node(database, &nats).await, node(database, &nats).await);
        let game = Game::fibonacci();
        let pair = Pair::open_across([&one, &other], &game.ruleset, terms).await;
        let spectators = [spectator(&one, &pair.game).await, spectator(&other, &pair.game).await];
        Self { nats, one, other, game, pair, spectators }
    }

    /// Plays the rest of the game, and asserts that all players and spectators have received the same events.
    async fn ends_alike_for_all(&mut self, from_turn: usize) {
        self.pair.play_turns(&self.game, from_turn..self.game.turns.len()).await;
        let (id, last) = (&self.pair.game, self.pair.version());
        let events = self.pair.first.socket.record(id).events();
        assert_eq!(self.pair.first.socket.record(id).turns(), self.game.turns, "no turn is lost or doubled");
        assert_eq!(self.pair.second.socket.record(id).events(), events);
        for spectator in &mut self.spectators {
            spectator.socket.until_version(id, last).await;
            assert_eq!(spectator.socket.record(id).events(), events);
            assert_eq!(spectator.socket.record(id).position(), self.game.last_position);
        }
        let stored = Player::enter(&self.one).await.game(id).await;
        self.pair.first.socket.record(id).assert_is(&stored);
    }
}

#[tokio::test]
async fn a_game_is_played_across_two_nodes() {
    let mut scene = Scene::open(&Database::postgres()).await;
    scene.pair.play_turns(&scene.game, 0..4).await;

    // The first side begins a turn on one node; the spectator on the other receives the draft.
    let (id, begun) = (scene.pair.game.clone(), &scene.game.turns[4][..1]);
    let options = scene.pair.first.socket.draft(&id, begun).await;
    assert_eq!(options["type"], "options", "{options}");
    let shows_draft = |message: &Value| message["type"] == "draft" && !message["draft"].is_null();
    scene.spectators[1].socket.take("the draft on the other node", shows_draft).await;
    assert_eq!(scene.spectators[1].socket.record(&id).draft_actions(), begun);

    let said = command("say", &id, json!({"text": "good luck"}));
    assert_eq!(scene.pair.first.socket.ask(&said).await["type"], "ack");
    let line = scene
        .pair
        .second
        .socket
        .take("the line on the other node", |message| message["type"] == "chat")
        .await;
    assert_eq!(line["lines"][0]["text"], "good luck");

    scene.ends_alike_for_all(4).await;
}

#[tokio::test]
async fn a_draft_reaches_a_node_that_has_read_the_game_before_it_was_stored() {
    let nats = Nats::start().await;
    let database = Database::postgres();
    let (one, other) = (node(&database, &nats).await, node(&database, &nats).await);
    let game = Game::fibonacci();
    let mut pair = Pair::open(&one, &game.ruleset).await;
    let id = pair.game.clone();
    // The first draft is stored at once, its end a second later.
    for actions in [&game.turns[0][..1], &[]] {
        assert_eq!(pair.first.socket.draft(&id, actions).await["type"], "options");
    }
    let mut spectator = spectator(&other, &id).await;
    if !spectator.socket.record(&id).draft().is_null() {
        let is_over = |message: &Value| message["type"] == "draft" && message["draft"].is_null();
        spectator.socket.take("the end of the draft", is_over).await;
    }
}

#[tokio::test]
async fn one_player_plays_both_sides_on_two_nodes() {
    let nats = Nats::start().await;
    let database = Database::postgres();
    let (one, other) = (node(&database, &nats).await, node(&database, &nats).await);
    let player = Player::enter(&one).await;
    let game = Game::fibonacci();
    let summary = player.post("/api/v1/tables", &json!({"ruleset": game.ruleset})).await.ok();
    let id = summary["id"].as_str().unwrap();
    let mut sockets = [player.follow(id).await, player.at(other.address()).follow(id).await];
    let mut spectator = spectator(&other, id).await;
    let alone = |message: &Value| message["type"] == "presence" && message["watchers"] == 1;
    spectator.socket.take("the player counts once, on either node", alone).await;
    for (index, turn) in game.turns.iter().enumerate() {
        let answer = sockets[index % 2].turn(id, turn).await;
        assert_eq!(answer["type"], "ack", "{answer}");
        let version = answer["version"].as_u64().unwrap();
        for socket in &mut sockets {
            socket.until_version(id, version).await;
        }
    }
    let [here, there] = &sockets;
    assert_eq!(here.record(id).turns(), game.turns);
    assert_eq!(there.record(id).events(), here.record(id).events());
}

#[tokio::test]
async fn presence_at_a_game_is_the_same_on_all_nodes() {
    let mut scene = Scene::open(&Database::postgres()).await;
    let all_here = |message: &Value| {
        let here = [&message["first"], &message["second"], &message["watchers"]];
        message["type"] == "presence" && here == [&json!(true), &json!(true), &json!(2)]
    };
    for socket in [&mut scene.pair.first.socket, &mut scene.spectators[1].socket] {
        socket.take("that both sides and two spectators are here", all_here).await;
    }
    let Pair { second, .. } = scene.pair;
    drop(second.socket);
    let is_gone = |message: &Value| message["type"] == "presence" && message["second"] == false;
    scene.spectators[0].socket.take("that the second side is gone", is_gone).await;
}

#[tokio::test]
async fn all_nodes_show_the_same_lobby() {
    let (database, nats) = (Database::postgres(), Nats::start().await);
    let (one, other) = (node(&database, &nats).await, node(&database, &nats).await);
    let (maker, reader) = (Player::enter(&one).await, Player::enter(&other).await);
    let mut lobby = reader.connect().await;
    lobby.hello(&[], true).await;
    lobby.take_type("lobby").await;
    let _page = maker.connect().await;
    let counts = |players: u32| {
        move |message: &Value| message["type"] == "lobby_counts" && message["players"] == players
    };
    lobby.take("that two players are here", counts(2)).await;

    let game = maker.open_room("fibonacci", "public").await;
    let is_news = |status: &'static str| {
        let game = game.clone();
        move |message: &Value| {
            message["type"] == "lobby_changed"
                && message["game"]["id"] == game
                && message["game"]["status"] == status
        }
    };
    lobby.take("the room", is_news("open")).await;
    Player::enter(&other).await.join(&game).await.ok();
    lobby.take("the game", is_news("playing")).await;
    let spectator = spectator(&one, &game).await;
    let is_watched = |message: &Value| {
        message["type"] == "lobby_counts" && message["watchers"] == json!([{"game": game, "watchers": 1}])
    };
    lobby.take("that somebody watches", is_watched).await;
    drop(spectator.socket);
    lobby.take("that who watched has left", counts(2)).await;
}

#[tokio::test]
async fn a_node_is_killed_and_its_players_go_on_at_another() {
    let mut scene = Scene::open(&Database::postgres()).await;
    scene.pair.play_turns(&scene.game, 0..3).await;
    let Scene { nats, one, other, game, pair, spectators: [here, there] } = scene;
    let _dead = other.kill().await;
    let second = pair.second.move_to(&one).await;
    let spectators = [here, there.move_to(&one).await];
    let other = node(&Database::at(one.database_url()), &nats).await;
    let mut scene = Scene { nats, one, other, game, pair: Pair { second, ..pair }, spectators };
    scene.ends_alike_for_all(3).await;
}

#[tokio::test]
async fn nodes_cut_off_from_each_other_keep_serving_and_agree_again_afterwards() {
    let mut scene = Scene::open(&Database::postgres()).await;
    scene.pair.play_turns(&scene.game, 0..4).await;
    scene.nats.stop().await;
    for server in [&scene.one, &scene.other] {
        is_ready(server, "ready, disconnected from other nodes\n").await;
    }
    scene.pair.play_turns(&scene.game, 4..6).await;
    let said = command("say", &scene.pair.game, json!({"text": "are you there?"}));
    assert_eq!(scene.pair.first.socket.ask(&said).await["type"], "ack");
    scene.nats.restart().await;
    let is_line =
        |message: &Value| message["type"] == "chat" && message["lines"][0]["text"] == "are you there?";
    scene.pair.second.socket.take("what was said meanwhile", is_line).await;
    scene.ends_alike_for_all(6).await;
}

/// Waits until a connection that follows a game learns the new name of a player.
async fn renamed(socket: &mut Socket, name: &str) {
    let is_it = |message: &Value| message["type"] == "renamed" && message["player"]["name"] == name;
    socket.take(name, is_it).await;
}

#[tokio::test]
async fn a_new_name_shows_on_the_other_node_also_if_its_message_was_lost() {
    let mut scene = Scene::open(&Database::postgres()).await;
    let (ada, id) = (&scene.pair.first.player, scene.pair.game.clone());
    let names = async |player: &Player| {
        let document = player.game(&id).await;
        let first = &document["summary"]["seats"]["first"];
        [first["name"].clone(), document["events"][1]["seats"]["first"]["name"].clone()]
    };
    ada.patch("/api/v1/session", &json!({"name": "Countess"})).await.ok();
    for socket in [&mut scene.pair.second.socket, &mut scene.spectators[0].socket] {
        renamed(socket, "Countess").await;
    }
    for player in [&scene.pair.second.player, &scene.spectators[0].player] {
        assert_eq!(names(player).await, ["Countess", "Countess"]);
    }

    scene.nats.stop().await;
    for server in [&scene.one, &scene.other] {
        is_ready(server, "ready, disconnected from other nodes\n").await;
    }
    ada.patch("/api/v1/session", &json!({"name": "Augusta"})).await.ok();
    scene.nats.restart().await;
    renamed(&mut scene.pair.second.socket, "Augusta").await;
    assert_eq!(names(&scene.pair.second.player).await, ["Augusta", "Augusta"]);
}

#[tokio::test]
async fn a_disconnected_nodes_events_reach_the_others_afterwards() {
    let (database, nats) = (Database::postgres(), Nats::start().await);
    let mut wire = nats.wire().await;
    let (one, other) =
        (node(&database, &nats).await, node_at(&database, &format!("nats://{}", wire.address())).await);
    let mut pair = Pair::open_across([&one, &other], "fibonacci", json!({})).await;
    let mut lobby = Player::enter(&one).await.connect().await;
    lobby.hello(&[], true).await;
    lobby.take_type("lobby").await;

    wire.cut().await;
    is_ready(&other, "ready, disconnected from other nodes\n").await;
    let said = command("say", &pair.game, json!({"text": "are you there?"}));
    assert_eq!(pair.second.socket.ask(&said).await["type"], "ack");
    let maker = Player::enter(&other).await;
    let _page = maker.connect().await;
    let room = maker.open_room("fibonacci", "public").await;
    wire.mend().await;

    let is_line =
        |message: &Value| message["type"] == "chat" && message["lines"][0]["text"] == "are you there?";
    pair.first.socket.take("what was said meanwhile", is_line).await;
    let is_room = |message: &Value| message["type"] == "lobby_changed" && message["game"]["id"] == room;
    lobby.take("the room that was made meanwhile", is_room).await;
}

#[tokio::test]
async fn a_node_without_postgresql_refuses_turns_and_is_not_ready() {
    let postgres = Postgres::start().expect("PostgreSQL for this test");
    let mut scene = Scene::open(&Database::at(&postgres.database())).await;
    scene.pair.play_turns(&scene.game, 0..3).await;
    postgres.stop();
    let asker = Player::stranger(&scene.one);
    asker.get("/readyz").await.is_problem(503, "unavailable");
    assert_eq!(asker.get("/healthz").await.text(), "ok\n");
    let game = scene.pair.game.clone();
    let answer = scene.pair.second.socket.turn(&game, &scene.game.turns[3]).await;
    assert_eq!((&answer["type"], &answer["code"]), (&json!("nack"), &json!("unavailable")), "{answer}");
    postgres.restart();
    for server in [&scene.one, &scene.other] {
        is_ready(server, "ready, connected to other nodes\n").await;
    }
    scene.pair = scene.pair.reconnect().await;
    for spectator in &mut scene.spectators {
        spectator.socket.watch(&game).await;
    }
    scene.ends_alike_for_all(3).await;
}

#[tokio::test]
async fn a_flag_falls_once_on_whatever_node() {
    let clock = json!({"kind": "real_time", "base_s": 1, "bonus_s": 0, "bonus": "per_turn"});
    let mut scene = Scene::open_on(&Database::postgres(), json!({"clock": clock})).await;
    scene.pair.play_turns(&scene.game, 0..2).await;
    let (id, last) = (scene.pair.game.clone(), scene.pair.version() + 2);
    let mut logs = Vec::new();
    let Pair { first, second, .. } = scene.pair;
    for mut socket in [first.socket, second.socket] {
        logs.push(socket.until_version(&id, last).await.events().to_vec());
    }
    assert_eq!(logs[0], logs[1]);
    let kinds: Vec<&Value> = logs[0].iter().rev().take(2).map(|event| &event["type"]).collect();
    assert_eq!(kinds, ["ended", "flagged"]);
}

#[tokio::test]
async fn a_command_overtaken_by_another_node_is_decided_again() {
    let mut scene = Scene::open(&Database::postgres()).await;
    scene.pair.play_turns(&scene.game, 0..2).await;
    scene.nats.stop().await;
    for server in [&scene.one, &scene.other] {
        is_ready(server, "ready, disconnected from other nodes\n").await;
    }
    let (game, turn) = (scene.pair.game.clone(), scene.game.turns[2].clone());
    let answer = scene.pair.first.socket.turn(&game, &turn).await;
    assert_eq!(answer["type"], "ack", "{answer}");
    let answer = scene.pair.second.socket.ask(&resign(&game)).await;
    assert_eq!(answer["type"], "ack", "a resignation is no matter of versions: {answer}");
}

#[tokio::test]
async fn a_file_is_for_one_node() {
    let database = Database::sqlite();
    let refused = std::process::Command::new(system_tests::server::program())
        .args([
            "--listen",
            "127.0.0.1:0",
            "--database-url",
            database.url(),
            "--nats-url",
            "nats://127.0.0.1:1",
        ])
        .output()
        .unwrap();
    assert!(!refused.status.success());
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(said.contains("several nodes need PostgreSQL"), "{said}");
}

/// A guest with a connection to a node.
async fn guest(server: &Server) -> Socket {
    let mut socket = Player::enter(server).await.connect().await;
    socket.hello(&[], false).await;
    socket
}

/// Puts a guest into a pool, the same for all.
async fn seek(guest: &mut Socket) {
    let pool = json!({"ruleset": "fenix", "clock": {"kind": "correspondence", "days": 1}});
    guest.send(&json!({"type": "seek", "pool": pool})).await;
    assert_eq!(guest.take_type("seeking").await["pools"], json!([pool]));
}

async fn are_paired([one, other]: &mut [Socket; 2]) {
    let game = one.take_type("paired").await["game"].clone();
    assert_eq!(other.take_type("paired").await["game"], game);
    for guest in [one, other] {
        assert_eq!(guest.take_type("seeking").await["pools"], json!([]));
    }
}

#[tokio::test]
async fn two_seekers_of_one_pool_on_two_nodes_are_paired_at_once() {
    const AT_ONCE: Duration = Duration::from_millis(500);
    let (database, nats) = (Database::postgres(), Nats::start().await);
    let mut nodes = [node(&database, &nats).await, node(&database, &nats).await];
    let mut fastest = [Duration::MAX; 2];
    // A machine may stall in one round, and nodes that have just started may not know each other in the first.
    for round in 0..8 {
        let mut guests = [guest(&nodes[0]).await, guest(&nodes[1]).await];
        seek(&mut guests[0]).await;
        let began = Instant::now();
        seek(&mut guests[1]).await;
        are_paired(&mut guests).await;
        let fastest = &mut fastest[round % 2];
        *fastest = began.elapsed().min(*fastest);
        nodes.reverse();
    }
    assert!(
        fastest.iter().all(|took| *took < AT_ONCE),
        "seconds of the fastest pairing by the node of the first seeker: {fastest:?}"
    );
}

#[tokio::test]
async fn disconnected_nodes_pair_their_own_guests_and_connected_ones_all() {
    let (database, mut nats) = (Database::postgres(), Nats::start().await);
    let (one, other) = (node(&database, &nats).await, node(&database, &nats).await);
    nats.stop().await;
    for server in [&one, &other] {
        is_ready(server, "ready, disconnected from other nodes\n").await;
        let mut guests = [guest(server).await, guest(server).await];
        for guest in &mut guests {
            seek(guest).await;
        }
        are_paired(&mut guests).await;
    }
    let mut apart = [guest(&one).await, guest(&other).await];
    for guest in &mut apart {
        seek(guest).await;
    }
    nats.restart().await;
    are_paired(&mut apart).await;
}

#[tokio::test]
async fn guests_who_seek_are_paired_though_the_node_that_pairs_is_killed() {
    let (database, nats) = (Database::postgres(), Nats::start().await);
    let (oldest, other) = (node(&database, &nats).await, node(&database, &nats).await);
    let mut guests = [guest(&oldest).await, guest(&other).await];
    for guest in &mut guests {
        seek(guest).await;
    }
    are_paired(&mut guests).await;

    let mut guests = [guest(&other).await, guest(&other).await];
    seek(&mut guests[0]).await;
    let _dead = oldest.kill().await;
    seek(&mut guests[1]).await;
    are_paired(&mut guests).await;
}

#[tokio::test]
async fn a_bots_turn_is_played_by_another_node_if_its_own_is_killed() {
    let (database, nats) = (Database::postgres(), Nats::start().await);
    let (one, other) = (node(&database, &nats).await, node(&database, &nats).await);
    let player = Player::enter(&one).await;
    let game = player.open_room("fibonacci-mixed", "public").await;
    // It knows no openings of this ruleset and thinks for seconds, so the node is killed meanwhile.
    player.post(&format!("/api/v1/rooms/{game}/bot"), &json!({"level": 8})).await.ok();
    let mut seat = Seat { socket: player.follow(&game).await, player };
    let ack = seat.socket.turn(&game, &Game::fibonacci_mixed().turns[0]).await;
    assert_eq!(ack["type"], "ack", "{ack}");
    let version = ack["version"].as_u64().unwrap();
    let _dead = one.kill().await;
    let mut seat = seat.move_to(&other).await;
    let record = seat.socket.until_version(&game, version + 1).await;
    assert_eq!(record.side(), "first", "the bot has moved");
}
