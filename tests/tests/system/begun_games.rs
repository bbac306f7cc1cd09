//! One address that begins as many games as it can, and its effect on others.

use std::{collections::HashMap, time::Duration};

use serde_json::{Value, json};
use system_tests::{
    database::Database,
    game::Game,
    on_both_databases,
    pair::Pair,
    player::Player,
    server::Server,
    socket::{Socket, command, resign},
    timeout,
};
use tokio::time::Instant;

on_both_databases![
    an_address_of_many_guests_begins_games_at_its_rate_and_others_are_paired_and_shown,
    a_rematch_of_a_rematch_has_a_rate,
    games_under_way_of_a_player_are_limited,
];

/// A proxy on this machine, and the default limits.
const PROXIED: [&str; 4] = ["--trusted-proxies", "127.0.0.0/8,::1/128", "--address-factor", "1"];

/// Burst of rooms and games of an address; then one a second.
const OF_ADDRESS: usize = 60;

/// Burst of games of a player; then one in five seconds.
const OF_PLAYER: usize = 20;

/// Maximum number of games under way of a player in real time.
const REAL_TIME: usize = 20;

/// Maximum number of other games under way of a player who has finished none of these.
const SLOW: usize = 20;

async fn guest(server: &Server, address: &str) -> Player {
    Player::stranger(server).forwarded_for(address).with_session().await
}

async fn connect(player: &Player, lobby: bool) -> Socket {
    let mut socket = player.connect().await;
    socket.hello(&[], lobby).await;
    socket
}

fn pool() -> Value {
    json!({"ruleset": "fenix", "clock": {"kind": "correspondence", "days": 3}})
}

fn real_time() -> Value {
    json!({"kind": "real_time", "base_s": 300, "bonus_s": 3, "bonus": "per_turn"})
}

/// Returns the maximum number of actions that a rate limit allows since a moment.
fn at_most(at_once: usize, every: Duration, since: Instant) -> usize {
    at_once + (since.elapsed().as_millis() / every.as_millis()) as usize + 1
}

/// Seeks with one player of an address that begins as many games as it may, until that is refused. Another player takes
/// the tokens that are refilled meanwhile.
async fn a_seek_is_refused(seeking: &Player, other: &Player, room: &Value) {
    let mut seeker = connect(seeking, false).await;
    let told = timeout("a refused seek", async {
        loop {
            // A token refilled meanwhile goes to another room.
            other.post("/api/v1/rooms", room).await;
            for kind in ["seek", "stop_seeking"] {
                seeker.send(&json!({"type": kind, "pool": pool()})).await;
            }
            seeker.settle().await;
            let told = seeker.waiting().find(|message| message["type"] == "error").cloned();
            if let Some(told) = told {
                return told;
            }
        }
    })
    .await;
    assert_eq!((&told["code"], &told["pool"]), (&json!("pool_too_fast"), &pool()), "{told}");
    assert!(told["retry_ms"].as_u64().is_some_and(|wait| (1..=5_001).contains(&wait)), "{told}");
}

async fn an_address_of_many_guests_begins_games_at_its_rate_and_others_are_paired_and_shown(
    database: Database,
) {
    const FLOOD: &str = "192.0.2.1";
    let server = Server::start_with(&database, &PROXIED).await;
    let mut guests = Vec::new();
    for _ in 0..20 {
        guests.push(guest(&server, FLOOD).await);
    }
    let (since, mut begun) = (Instant::now(), 0);
    let room = json!({"ruleset": "fenix", "seat": "first", "visibility": "public"});
    let refused = timeout("a refusal", async {
        loop {
            for (place, maker) in guests.iter().enumerate() {
                let made = maker.post("/api/v1/rooms", &room).await;
                if !made.status.is_success() {
                    return made;
                }
                begun += 1;
                let id = made.ok()["id"].as_str().unwrap().to_owned();
                let joined = guests[(place + 1) % guests.len()].join(&id).await;
                if !joined.status.is_success() {
                    return joined;
                }
                begun += 1;
            }
        }
    })
    .await;
    refused.is_problem(429, "too_fast");
    assert!(begun >= OF_ADDRESS && begun <= at_most(OF_ADDRESS, Duration::from_secs(1), since), "{begun}");

    a_seek_is_refused(&guests[0], &guests[1], &room).await;

    let mut pair = Vec::new();
    for address in ["198.51.100.1", "198.51.100.2"] {
        let player = guest(&server, address).await;
        let socket = connect(&player, false).await;
        pair.push((player, socket));
    }
    let mut reader = connect(&guest(&server, "203.0.113.1").await, true).await;
    let mut games = Vec::new();
    for (_, socket) in &mut pair {
        socket.send(&json!({"type": "seek", "pool": pool()})).await;
    }
    for (_, socket) in &mut pair {
        games.push(socket.take_type("paired").await["game"].as_str().unwrap().to_owned());
    }
    assert_eq!(games[0], games[1], "with each other");
    let is_it = |message: &Value| message["type"] == "lobby_changed" && message["game"]["id"] == games[0];
    reader.take("their game in the lobby", is_it).await;
    let mut visitor = connect(&guest(&server, "203.0.113.2").await, true).await;
    let live = visitor.take_type("lobby").await["live"].clone();
    let shown = players_of(&live);
    assert!(shown.values().all(|times| *times <= 2), "no player more than twice: {shown:?}");
    assert!(pair.iter().all(|(player, _)| shown.contains_key(player.id())), "{shown:?}");
}

/// Counts how often each player is in a list of games under way.
fn players_of(games: &Value) -> HashMap<String, usize> {
    let mut shown = HashMap::new();
    for game in games.as_array().unwrap() {
        for side in ["first", "second"] {
            *shown.entry(game["seats"][side]["id"].as_str().unwrap().to_owned()).or_default() += 1;
        }
    }
    shown
}

async fn a_rematch_of_a_rematch_has_a_rate(database: Database) {
    let server = Server::start_with(&database, &PROXIED).await;
    let (ada, blaise) = (guest(&server, "192.0.2.1").await, guest(&server, "192.0.2.2").await);
    let mut game = ada.open_room("fenix", "link").await;
    let since = Instant::now();
    blaise.join(&game).await.ok();
    let (mut hers, mut his) = (connect(&ada, false).await, connect(&blaise, false).await);
    let mut begun = 1;
    let refused = timeout("a refusal", async {
        loop {
            let over = hers.ask(&resign(&game)).await;
            assert_eq!(over["type"], "ack", "{over}");
            let offer = command("offer", &game, json!({"what": "rematch"}));
            assert_eq!(hers.ask(&offer).await["type"], "ack");
            let offer = command("offer", &game, json!({"what": "rematch"}));
            let answer = his.ask(&offer).await;
            if answer["type"] == "nack" {
                return answer;
            }
            let events = ada.game(&game).await["events"].clone();
            let events = events.as_array().unwrap();
            game = events.last().unwrap()["rematch"].as_str().unwrap().to_owned();
            begun += 1;
        }
    })
    .await;
    assert_eq!(refused["code"], "too_fast", "{refused}");
    assert!(refused["retry_ms"].as_u64().is_some_and(|wait| (1..=5_001).contains(&wait)), "{refused}");
    let most = at_most(OF_PLAYER, Duration::from_secs(5), since);
    assert!(begun >= OF_PLAYER - 1 && begun <= most, "{begun} games, at most {most}");
}

async fn games_under_way_of_a_player_are_limited(database: Database) {
    let server = Server::start(&database).await;
    let mut pair = Pair::open(&server, "fibonacci").await;
    let open = async |terms: Value| {
        let maker = Player::enter(&server).await;
        let room = json!({"ruleset": "fenix", "seat": "first", "visibility": "link", "terms": terms});
        maker.post("/api/v1/rooms", &room).await.ok()["id"].as_str().unwrap().to_owned()
    };
    let mut games = Vec::new();
    for _ in 0..REAL_TIME {
        let game = open(json!({"clock": real_time()})).await;
        pair.first.player.join(&game).await.ok();
        games.push(game);
    }
    let one_more = open(json!({"clock": real_time()})).await;
    pair.first.player.join(&one_more).await.is_problem(429, "too_many_under_way");
    let own =
        json!({"ruleset": "fenix", "seat": "first", "visibility": "link", "terms": {"clock": real_time()}});
    pair.first.player.post("/api/v1/rooms", &own).await.is_problem(429, "too_many_under_way");
    for _ in 1..SLOW {
        let slow = open(json!({"clock": {"kind": "correspondence", "days": 3}})).await;
        pair.first.player.join(&slow).await.ok();
    }
    let slow = open(json!({})).await;
    pair.first.player.join(&slow).await.is_problem(429, "too_many_under_way");

    let mut socket = connect(&pair.first.player, false).await;
    assert_eq!(socket.ask(&resign(&games[0])).await["type"], "ack");
    pair.first.player.join(&one_more).await.ok();
    pair.first.player.join(&slow).await.is_problem(429, "too_many_under_way");

    let played = Game::fibonacci();
    pair.play_turns(&played, 0..2).await;
    let over = resign(&pair.game);
    assert_eq!(pair.second.socket.ask(&over).await["type"], "ack");
    pair.first.player.join(&slow).await.ok();
    let [next, last] = [open(json!({})).await, open(json!({})).await];
    pair.first.player.join(&next).await.ok();
    pair.first.player.join(&last).await.is_problem(429, "too_many_under_way");
}
