//! Quick pairing: two players who seek the same game are paired, once.

use std::collections::HashSet;

use serde_json::{Value, json};
use system_tests::{
    database::Database,
    on_both_databases,
    player::Player,
    server::Server,
    socket::{Socket, command},
};

on_both_databases![
    two_seekers_of_the_same_pool_begin_a_game,
    nobody_is_paired_with_themselves_and_all_tabs_are_notified,
    another_ruleset_or_clock_is_another_pool,
    a_paired_player_leaves_all_pools,
    a_departed_player_is_in_no_pool,
    blocked_players_are_not_paired,
    the_pools_of_a_player_are_limited,
    many_at_once_are_each_paired_once,
    a_renamed_player_is_paired_and_speaks_under_the_new_name,
];

fn pool(ruleset: &str) -> Value {
    let clock = json!({"kind": "real_time", "base_s": 300, "bonus_s": 3, "bonus": "per_turn"});
    json!({"ruleset": ruleset, "clock": clock})
}

fn days(days: u32) -> Value {
    json!({"ruleset": "fenix", "clock": {"kind": "correspondence", "days": days}})
}

fn bank(bonus_hours: u32) -> Value {
    json!({"ruleset": "fenix", "clock": {"kind": "bank", "base_days": 10, "bonus_hours": bonus_hours}})
}

/// A player with a connection.
async fn enter(server: &Server) -> (Player, Socket) {
    let player = Player::enter(server).await;
    let socket = connect(&player).await;
    (player, socket)
}

async fn connect(player: &Player) -> Socket {
    let mut socket = player.connect().await;
    socket.hello(&[], false).await;
    socket
}

/// Takes the pools that the player is reported to wait in.
async fn seeking(socket: &mut Socket) -> Value {
    socket.take_type("seeking").await["pools"].clone()
}

async fn seek(socket: &mut Socket, pool: &Value) -> Value {
    socket.send(&json!({"type": "seek", "pool": pool})).await;
    seeking(socket).await
}

async fn stop(socket: &mut Socket, pool: &Value) -> Value {
    socket.send(&json!({"type": "stop_seeking", "pool": pool})).await;
    seeking(socket).await
}

async fn paired(socket: &mut Socket) -> String {
    socket.take_type("paired").await["game"].as_str().expect("a game").to_owned()
}

fn is_paired(socket: &Socket) -> bool {
    socket.waiting().any(|message| message["type"] == "paired")
}

async fn two_seekers_of_the_same_pool_begin_a_game(database: Database) {
    let server = Server::start(&database).await;
    let ((ada, mut one), (blaise, mut two)) = (enter(&server).await, enter(&server).await);
    let mut lobby = connect(&Player::enter(&server).await).await;
    lobby.send(&json!({"type": "watch_lobby"})).await;
    assert_eq!(seeking(&mut lobby).await, json!([]));

    let pool = pool("fibonacci-cards");
    assert_eq!(seek(&mut one, &pool).await, json!([pool]));
    assert_eq!(seek(&mut two, &pool).await, json!([pool]));
    let game = paired(&mut one).await;
    assert_eq!(paired(&mut two).await, game);
    assert_eq!((seeking(&mut one).await, seeking(&mut two).await), (json!([]), json!([])));

    let news = lobby.take_type("lobby_changed").await;
    assert_eq!((&news["game"]["id"], &news["game"]["status"]), (&json!(game), &json!("playing")));
    let document = ada.game(&game).await;
    let summary = &document["summary"];
    assert_eq!((&summary["ruleset"], &summary["clock"]), (&pool["ruleset"], &pool["clock"]));
    assert_eq!((&summary["visibility"], &summary["version"]), (&json!("public"), &json!(2)));
    let seated: HashSet<_> = ["first", "second"].map(|side| summary["seats"][side]["id"].as_str()).into();
    assert_eq!(seated, HashSet::from([Some(ada.id()), Some(blaise.id())]));
    let server = server.kill().await.start().await;
    assert_eq!(blaise.game(&game).await["summary"], *summary, "after a restart too");
    drop(server);
}

async fn nobody_is_paired_with_themselves_and_all_tabs_are_notified(database: Database) {
    let server = Server::start(&database).await;
    let (ada, mut one) = enter(&server).await;
    let mut two = connect(&ada).await;
    let pool = pool("focus");
    for tab in [&mut one, &mut two] {
        tab.send(&json!({"type": "seek", "pool": pool})).await;
    }
    for _ in 0..2 {
        assert_eq!((seeking(&mut one).await, seeking(&mut two).await), (json!([pool]), json!([pool])));
    }
    let mut three = connect(&ada).await;
    three.send(&json!({"type": "watch_lobby"})).await;
    assert_eq!(seeking(&mut three).await, json!([pool]), "a tab that opens the lobby is told");
    let (_, mut other) = enter(&server).await;
    seek(&mut other, &pool).await;
    let game = paired(&mut other).await;
    for tab in [&mut one, &mut two, &mut three] {
        assert_eq!(paired(tab).await, game);
        assert_eq!(seeking(tab).await, json!([]));
    }
}

async fn another_ruleset_or_clock_is_another_pool(database: Database) {
    let server = Server::start(&database).await;
    let ((_, mut one), (_, mut two)) = (enter(&server).await, enter(&server).await);
    let fenix = pool("fenix");
    assert_eq!(seek(&mut one, &fenix).await, json!([fenix]));
    seek(&mut two, &pool("focus")).await;
    assert_eq!(seek(&mut two, &days(1)).await, json!([pool("focus"), days(1)]));
    assert_eq!(stop(&mut one, &fenix).await, json!([]));
    assert_eq!(stop(&mut one, &fenix).await, json!([]), "leaving a pool without being in it is no error");
    assert_eq!(seek(&mut two, &fenix).await, json!([pool("focus"), days(1), fenix]));
    stop(&mut two, &days(1)).await;
    seek(&mut two, &bank(36)).await;
    assert_eq!(seek(&mut one, &bank(24)).await, json!([bank(24)]));
    assert!(!is_paired(&two), "nobody looks for the same");
    seek(&mut one, &bank(36)).await;
    assert_eq!(paired(&mut one).await, paired(&mut two).await);
}

async fn a_paired_player_leaves_all_pools(database: Database) {
    let server = Server::start(&database).await;
    let ((_, mut one), (_, mut two), (_, mut three)) =
        (enter(&server).await, enter(&server).await, enter(&server).await);
    seek(&mut one, &days(1)).await;
    seek(&mut one, &days(2)).await;
    seek(&mut two, &days(1)).await;
    assert_eq!(paired(&mut one).await, paired(&mut two).await);
    assert_eq!(seek(&mut three, &days(2)).await, json!([days(2)]));
    assert_eq!(seek(&mut three, &days(3)).await, json!([days(2), days(3)]));
    assert!(!is_paired(&three), "the first has a game");
}

async fn a_departed_player_is_in_no_pool(database: Database) {
    let server = Server::start(&database).await;
    let ((ada, mut one), (_, mut two)) = (enter(&server).await, enter(&server).await);
    two.send(&json!({"type": "watch_lobby"})).await;
    seeking(&mut two).await;
    let tab = connect(&ada).await;
    seek(&mut one, &days(1)).await;
    drop((one, tab));
    two.take("the news that one player is here", |message| {
        message["type"] == "lobby_counts" && message["players"] == 1
    })
    .await;
    assert_eq!(seek(&mut two, &days(1)).await, json!([days(1)]));
    let mut back = connect(&ada).await;
    back.send(&json!({"type": "watch_lobby"})).await;
    assert_eq!(seeking(&mut back).await, json!([]), "a player who returns is in no pool");
    assert!(!is_paired(&two));
    seek(&mut back, &days(1)).await;
    assert_eq!(paired(&mut back).await, paired(&mut two).await);
}

async fn blocked_players_are_not_paired(database: Database) {
    let server = Server::start(&database).await;
    let ((ada, mut one), (blaise, mut two), (_, mut three)) =
        (enter(&server).await, enter(&server).await, enter(&server).await);
    let block = ada.request(reqwest::Method::PUT, &format!("/api/v1/blocks/{}", blaise.id()));
    assert_eq!(ada.send(block).await.status, 204);
    seek(&mut one, &days(1)).await;
    assert_eq!(seek(&mut two, &days(1)).await, json!([days(1)]));
    assert_eq!(seek(&mut two, &days(2)).await, json!([days(1), days(2)]));
    one.settle().await;
    assert!(!is_paired(&one) && !is_paired(&two), "one has blocked the other");
    seek(&mut three, &days(1)).await;
    assert_eq!(paired(&mut three).await, paired(&mut one).await, "the first seeker who is not blocked");
}

async fn the_pools_of_a_player_are_limited(database: Database) {
    const POOLS: u32 = 5;
    let server = Server::start(&database).await;
    let (_, mut socket) = enter(&server).await;
    for number in 1..=POOLS {
        seek(&mut socket, &days(number)).await;
    }
    socket.send(&json!({"type": "seek", "pool": days(6)})).await;
    let error = socket.take_type("error").await;
    assert_eq!((&error["code"], &error["limit"]), (&json!("too_many_pools"), &json!(POOLS)), "{error}");
    assert_eq!(seek(&mut socket, &days(5)).await.as_array().unwrap().len(), 5, "it waits there already");
    stop(&mut socket, &days(1)).await;
    assert_eq!(seek(&mut socket, &days(6)).await.as_array().unwrap().len(), 5);
    let odd = json!({"ruleset": "fenix", "clock": {"kind": "real_time", "base_s": 0, "bonus_s": 0, "bonus": "delay"}});
    socket.send(&json!({"type": "seek", "pool": odd})).await;
    assert_eq!(socket.take_type("error").await["code"], "invalid_message");
}

async fn many_at_once_are_each_paired_once(database: Database) {
    const PLAYERS: usize = 20;
    let server = Server::start(&database).await;
    let mut sockets = Vec::new();
    for _ in 0..PLAYERS {
        sockets.push(enter(&server).await);
    }
    let pool = pool("crossfire");
    for (_, socket) in &mut sockets {
        socket.send(&json!({"type": "seek", "pool": pool})).await;
    }
    let mut games = Vec::new();
    for (player, socket) in &mut sockets {
        let game = paired(socket).await;
        let summary = player.game(&game).await["summary"].clone();
        assert!(
            ["first", "second"].iter().any(|side| summary["seats"][side]["id"] == player.id()),
            "{summary}"
        );
        games.push(game);
    }
    let distinct: HashSet<_> = games.iter().collect();
    assert_eq!(distinct.len(), PLAYERS / 2, "two to a game");
    for (_, socket) in &mut sockets {
        socket.settle().await;
        assert!(!is_paired(socket), "once");
    }
}

async fn a_renamed_player_is_paired_and_speaks_under_the_new_name(database: Database) {
    let server = Server::start(&database).await;
    let ((ada, mut her), (_blaise, mut his)) = (enter(&server).await, enter(&server).await);
    seek(&mut her, &days(2)).await;
    ada.patch("/api/v1/session", &json!({"name": "Ada, renamed"})).await.ok();
    his.send(&json!({"type": "seek", "pool": days(2)})).await;
    let game = paired(&mut her).await;
    let seats = ada.game(&game).await["summary"]["seats"].clone();
    let names = [&seats["first"]["name"], &seats["second"]["name"]];
    assert!(names.contains(&&json!("Ada, renamed")), "{seats}");

    his.watch(&game).await;
    her.ask(&command("say", &game, json!({"text": "It is me"}))).await;
    assert_eq!(his.take_type("chat").await["lines"][0]["who"]["name"], "Ada, renamed");
}
