//! The lobby: updates about other people's rooms and games, and about one's own.

use serde_json::{Value, json};
use system_tests::{
    database::Database,
    on_both_databases,
    player::Player,
    server::Server,
    socket::{Socket, resign},
};

on_both_databases![
    a_room_appears_goes_live_and_leaves,
    a_private_room_never_appears,
    a_game_that_nobody_may_watch_leaves_the_lobby_when_it_begins,
    a_player_sees_their_own_rooms_and_games_in_all_tabs,
    the_lobby_counts_the_players,
];

/// A connection of a player that follows the lobby, and the first `lobby` message.
async fn watch(player: &Player) -> (Socket, Value) {
    let mut socket = player.connect().await;
    socket.hello(&[], true).await;
    let lobby = socket.take_type("lobby").await;
    // It may come at any time after the lobby.
    socket.take_type("seeking").await;
    (socket, lobby)
}

/// Returns the lobby as a stranger sees it now.
async fn lobby(server: &Server) -> Value {
    watch(&Player::enter(server).await).await.1
}

fn ids(games: &Value) -> Vec<&str> {
    let games = games.as_array().expect("a list of games");
    games.iter().map(|game| game["id"].as_str().expect("a game has an id")).collect()
}

async fn changed(socket: &mut Socket, game: &str, status: &str) -> Value {
    let what = format!("the lobby's news that the game is {status}");
    let change = socket
        .take(&what, |message| {
            message["type"] == "lobby_changed"
                && message["game"]["id"] == game
                && message["game"]["status"] == status
        })
        .await;
    change["game"].clone()
}

/// Returns the received updates of games that were not taken.
fn news(socket: &Socket) -> Vec<&Value> {
    socket
        .waiting()
        .filter(|message| message["type"] != "lobby_counts" && message["type"] != "seeking")
        .collect()
}

async fn a_room_appears_goes_live_and_leaves(database: Database) {
    let server = Server::start(&database).await;
    let (mut socket, empty) = watch(&Player::enter(&server).await).await;
    for list in ["rooms", "live", "finished", "mine"] {
        assert_eq!(empty[list], json!([]), "{list}");
    }

    let (maker, joiner) = (Player::enter(&server).await, Player::enter(&server).await);
    let mut player = maker.connect().await;
    let game = maker.open_room("fibonacci", "public").await;
    let room = changed(&mut socket, &game, "open").await;
    assert_eq!((&room["ruleset"], &room["creator"]["id"]), (&json!("fibonacci"), &json!(maker.id())));
    assert_eq!(room["seats"], Value::Null);
    assert_eq!(ids(&lobby(&server).await["rooms"]), [&game]);
    assert_eq!(ids(&joiner.get("/api/v1/rooms").await.ok()["games"]), [&game]);

    let joined = joiner.join(&game).await.ok();
    assert_eq!(joined["status"], "playing");
    let live = changed(&mut socket, &game, "playing").await;
    assert_eq!(live["seats"]["first"]["id"], maker.id(), "the maker asked for the first seat");
    assert_eq!(live["seats"]["second"]["id"], joiner.id());
    let now = lobby(&server).await;
    assert_eq!((ids(&now["rooms"]), ids(&now["live"])), (vec![], vec![game.as_str()]));
    assert_eq!(joiner.get("/api/v1/rooms").await.ok()["games"], json!([]));

    player.ask(&resign(&game)).await;
    let over = changed(&mut socket, &game, "finished").await;
    assert_eq!(over["outcome"], json!({"winner": "second", "reason": "resign"}));
    let server = server.kill().await.start().await;
    let now = lobby(&server).await;
    assert_eq!((&now["rooms"], &now["live"]), (&json!([]), &json!([])));
    assert_eq!(ids(&now["finished"]), [&game], "after a restart too");

    let (mut socket, _) = watch(&maker).await;
    socket.send(&json!({"type": "unwatch_lobby"})).await;
    socket.settle().await;
    socket.discard_waiting();
    maker.open_room("fibonacci-mixed", "public").await;
    socket.settle().await;
    assert_eq!(socket.waiting().count(), 0, "a reader who left the lobby receives nothing more");
}

async fn a_private_room_never_appears(database: Database) {
    let server = Server::start(&database).await;
    let (mut socket, _) = watch(&Player::enter(&server).await).await;
    let (maker, friend) = (Player::enter(&server).await, Player::enter(&server).await);
    let mut player = maker.connect().await;
    let hidden = maker.open_room("fibonacci", "link").await;
    friend.join(&hidden).await.ok();
    let now = lobby(&server).await;
    assert_eq!((&now["rooms"], &now["live"]), (&json!([]), &json!([])));
    player.ask(&resign(&hidden)).await;

    let shown = maker.open_room("fibonacci", "public").await;
    changed(&mut socket, &shown, "open").await;
    assert_eq!(news(&socket), [] as [&Value; 0], "the lobby shows only the public room");
    let stranger = Player::enter(&server).await;
    assert_eq!(ids(&stranger.get("/api/v1/rooms").await.ok()["games"]), [&shown]);
    assert_eq!(stranger.get("/api/v1/games?list=finished").await.ok()["games"], json!([]));
    assert_eq!(lobby(&server).await["finished"], json!([]));
    assert_eq!(stranger.game(&hidden).await["summary"]["status"], "finished", "who has the link may look");
}

async fn a_game_that_nobody_may_watch_leaves_the_lobby_when_it_begins(database: Database) {
    let server = Server::start(&database).await;
    let (mut socket, _) = watch(&Player::enter(&server).await).await;
    let (maker, joiner) = (Player::enter(&server).await, Player::enter(&server).await);
    let (mut player, _) = watch(&maker).await;
    let room =
        json!({"ruleset": "fenix", "seat": "first", "visibility": "public", "terms": {"watching": "nobody"}});
    let game = maker.post("/api/v1/rooms", &room).await.ok()["id"].as_str().unwrap().to_owned();
    assert_eq!(changed(&mut socket, &game, "open").await["watching"], "nobody");
    joiner.join(&game).await.ok();
    let gone = socket.take_type("lobby_gone").await;
    assert_eq!(gone["game"], game);
    changed(&mut player, &game, "playing").await;
    player.ask(&resign(&game)).await;
    changed(&mut player, &game, "finished").await;
    socket.settle().await;
    assert_eq!(news(&socket), [] as [&Value; 0], "other readers receive nothing");
    let now = lobby(&server).await;
    assert_eq!((&now["rooms"], &now["live"], &now["finished"]), (&json!([]), &json!([]), &json!([])));
}

async fn a_player_sees_their_own_rooms_and_games_in_all_tabs(database: Database) {
    let server = Server::start(&database).await;
    let (player, other) = (Player::enter(&server).await, Player::enter(&server).await);
    let (mut one, empty) = watch(&player).await;
    let (mut two, _) = watch(&player).await;
    assert_eq!(empty["mine"], json!([]));
    let hidden = player.open_room("focus", "link").await;
    let public = other.open_room("fenix", "public").await;
    player.join(&public).await.ok();
    for tab in [&mut one, &mut two] {
        changed(tab, &hidden, "open").await;
        changed(tab, &public, "playing").await;
    }
    assert_eq!(ids(&watch(&player).await.1["mine"]), [&public, &hidden], "the newest first");
    assert_eq!(ids(&watch(&other).await.1["mine"]), [&public]);

    other.join(&hidden).await.ok();
    for tab in [&mut one, &mut two] {
        assert_eq!(changed(tab, &hidden, "playing").await["seats"]["second"]["id"], other.id());
    }
    let server = server.kill().await.start().await;
    let (mut one, lobby) = watch(&player).await;
    assert_eq!(ids(&lobby["mine"]), [&public, &hidden], "after a restart too");
    one.ask(&resign(&hidden)).await;
    changed(&mut one, &hidden, "finished").await;
    assert_eq!(ids(&watch(&player).await.1["mine"]), [&public], "what is over has left");
    drop(server);
}

async fn the_lobby_counts_the_players(database: Database) {
    let server = Server::start(&database).await;
    let (mut socket, _) = watch(&Player::enter(&server).await).await;
    let counts = async |socket: &mut Socket, players: u32| {
        let what = format!("{players} players");
        socket.take(&what, |message| message["type"] == "lobby_counts" && message["players"] == players).await
    };
    assert_eq!(counts(&mut socket, 1).await["watchers"], json!([]));
    let other = Player::enter(&server).await;
    let (tab, second_tab) = (other.connect().await, other.connect().await);
    counts(&mut socket, 2).await;
    let third = Player::enter(&server).await.connect().await;
    counts(&mut socket, 3).await;
    drop((tab, second_tab));
    counts(&mut socket, 2).await;
    drop(third);
    counts(&mut socket, 1).await;
}
