//! Rooms: making, joining, closing, and refusals.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use system_tests::{
    database::Database,
    on_both_databases,
    player::{Answer, Player},
    server::Server,
    socket::{command, resign},
    timeout,
};
use tokio::task::JoinSet;

on_both_databases![
    a_maker_cancels_a_room,
    a_link_seats_one_of_fifty,
    a_maker_cannot_join_their_own_room,
    concurrent_requests_for_rooms_stay_within_the_limit,
    a_room_has_the_terms_that_its_maker_sets,
    a_blocked_player_cannot_join,
    blocks_are_the_players_own,
    a_room_whose_joiner_leaves_at_once_opens_again_for_others,
    a_link_survives_a_visitor_who_leaves_and_a_restart,
    an_address_that_joins_rooms_to_leave_them_soon_joins_none,
    an_address_that_joins_rooms_and_does_not_come_joins_none,
];

async fn a_maker_cancels_a_room(database: Database) {
    let server = Server::start(&database).await;
    let (maker, other) = (Player::enter(&server).await, Player::enter(&server).await);
    let mut lobby = other.connect().await;
    lobby.hello(&[], true).await;
    lobby.take_type("lobby").await;
    let game = maker.open_room("fibonacci", "public").await;
    let mut waiting = maker.follow(&game).await;
    let is_open = |message: &Value| message["type"] == "lobby_changed" && message["game"]["id"] == game;
    lobby.take("the news of the room", is_open).await;
    let room = format!("/api/v1/rooms/{game}");
    other.delete(&room).await.is_problem(403, "not_yours");
    assert_eq!(maker.delete(&room).await.status, StatusCode::NO_CONTENT);
    lobby
        .take("the news that the room is closed", |message| {
            message["type"] == "lobby_gone" && message["game"] == game
        })
        .await;
    let record = waiting.until_version(&game, 2).await;
    assert_eq!(record.present()["status"], "cancelled");
    other.join(&game).await.is_problem(409, "room_cancelled");
    assert_eq!(other.get("/api/v1/rooms").await.ok()["games"], json!([]));

    let taken = maker.open_room("fibonacci", "public").await;
    other.join(&taken).await.ok();
    maker.delete(&format!("/api/v1/rooms/{taken}")).await.is_problem(409, "room_taken");
}

async fn a_link_seats_one_of_fifty(database: Database) {
    const CROWD: usize = 50;
    let server = Server::start(&database).await;
    let game = Player::enter(&server).await.open_room("fibonacci", "link").await;
    let mut crowd = Vec::new();
    for _ in 0..CROWD {
        crowd.push(Player::enter(&server).await);
    }
    let mut joins = JoinSet::new();
    for player in crowd {
        let game = game.clone();
        joins.spawn(async move { (player.id().to_owned(), player.join(&game).await) });
    }
    let mut seated = Vec::new();
    for (player, answer) in timeout("everybody's answer", joins.join_all()).await {
        if answer.status == StatusCode::OK {
            seated.push(player);
        } else {
            answer.is_problem(409, "room_taken");
        }
    }
    let [seated] = &seated[..] else { panic!("not one but {} were seated", seated.len()) };
    let document = Player::enter(&server).await.game(&game).await;
    assert_eq!(document["summary"]["seats"]["second"]["id"], *seated);
    assert_eq!(document["summary"]["version"], 2, "created, started");
}

async fn a_maker_cannot_join_their_own_room(database: Database) {
    let server = Server::start(&database).await;
    let maker = Player::enter(&server).await;
    let game = maker.open_room("fibonacci", "public").await;
    maker.join(&game).await.is_problem(409, "own_room");
    Player::enter(&server).await.join(&game).await.ok();
}

async fn concurrent_requests_for_rooms_stay_within_the_limit(database: Database) {
    const ASKED: usize = 40;
    const LIMIT: usize = 8;
    let server = Server::start(&database).await;
    let maker = Player::enter(&server).await;
    let room = json!({"ruleset": "fibonacci", "seat": "first", "visibility": "link"});
    let mut requests = JoinSet::new();
    for _ in 0..ASKED {
        let (maker, room) = (maker.clone(), room.clone());
        requests.spawn(async move { maker.post("/api/v1/rooms", &room).await });
    }
    let answers = timeout("all answers", requests.join_all()).await;
    let (made, refused): (Vec<_>, Vec<_>) =
        answers.into_iter().partition(|answer| answer.status == StatusCode::CREATED);
    assert_eq!(made.len(), LIMIT);
    for answer in refused {
        answer.is_problem(429, "too_many_rooms");
    }
    let mine = maker.get("/api/v1/games?list=mine&limit=100").await.ok();
    assert_eq!(mine["games"].as_array().unwrap().len(), LIMIT);
}

async fn a_room_has_the_terms_that_its_maker_sets(database: Database) {
    let server = Server::start(&database).await;
    let (maker, joiner) = (Player::enter(&server).await, Player::enter(&server).await);
    let room =
        |terms: Value| json!({"ruleset": "fenix", "seat": "first", "visibility": "public", "terms": terms});
    let clock = json!({"kind": "real_time", "base_s": 300, "bonus_s": 5, "bonus": "per_action"});
    let terms = json!({"clock": clock, "watching": "nobody", "drafts": "hidden", "delay": 2});
    let made = maker.post("/api/v1/rooms", &room(terms.clone())).await.ok();
    assert_eq!((&made["clock"], &made["watching"]), (&clock, &json!("nobody")));
    let game = made["id"].as_str().unwrap();
    let joined = joiner.join(game).await.ok();
    assert_eq!((&joined["clock"], &joined["watching"]), (&clock, &json!("nobody")));
    let mut player = maker.connect().await;
    let whole = player.watch(game).await;
    assert_eq!(whole["events"][0]["terms"], terms);

    let usual = maker.post("/api/v1/rooms", &room(json!({}))).await.ok();
    assert_eq!((&usual["clock"], &usual["watching"]), (&json!({"kind": "none"}), &json!("everybody")));
    for terms in [
        json!({"clock": {"kind": "real_time", "base_s": 0, "bonus_s": 0, "bonus": "per_turn"}}),
        json!({"clock": {"kind": "real_time", "base_s": 10_801, "bonus_s": 0, "bonus": "per_turn"}}),
        json!({"clock": {"kind": "correspondence", "days": 15}}),
        json!({"clock": {"kind": "bank", "base_days": 31, "bonus_hours": 36}}),
        json!({"clock": {"kind": "bank", "base_days": 10, "bonus_hours": 169}}),
        json!({"clock": {"kind": "bank", "base_days": 10}}),
        json!({"clock": {"kind": "sundial"}}),
        json!({"delay": 21}),
        json!({"watching": "friends"}),
        json!({"rated": true}),
    ] {
        maker.post("/api/v1/rooms", &room(terms)).await.is_problem(422, "invalid_body");
    }
}

fn block_of(player: &Player) -> String {
    format!("/api/v1/blocks/{}", player.id())
}

async fn put(player: &Player, path: &str) -> Answer {
    player.send(player.request(Method::PUT, path)).await
}

async fn block(player: &Player, other: &Player) {
    assert_eq!(put(player, &block_of(other)).await.status, StatusCode::NO_CONTENT);
}

async fn a_blocked_player_cannot_join(database: Database) {
    let server = Server::start(&database).await;
    let (maker, other) = (Player::enter(&server).await, Player::enter(&server).await);
    let (rooms, others_room) = (
        [maker.open_room("focus", "public").await, maker.open_room("focus", "link").await],
        other.open_room("focus", "public").await,
    );
    block(&maker, &other).await;
    for room in &rooms {
        other.join(room).await.is_problem(403, "blocked");
    }
    maker.join(&others_room).await.is_problem(403, "blocked");
    Player::enter(&server).await.join(&rooms[0]).await.ok();
    other.join(&rooms[0]).await.is_problem(409, "room_taken");
    let server = server.kill().await.start().await;
    other.join(&rooms[1]).await.is_problem(403, "blocked");
    assert_eq!(maker.delete(&block_of(&other)).await.status, StatusCode::NO_CONTENT);
    other.join(&rooms[1]).await.ok();
    drop(server);
}

async fn blocks_are_the_players_own(database: Database) {
    let server = Server::start(&database).await;
    let (player, other) = (Player::enter(&server).await, Player::enter(&server).await);
    assert_eq!(player.get("/api/v1/blocks").await.ok(), json!({"players": []}));
    other.patch("/api/v1/session", &json!({"name": "Blaise"})).await.ok();
    for _ in 0..2 {
        block(&player, &other).await;
    }
    let blocked = json!({"players": [{"id": other.id(), "name": "Blaise", "kind": "guest"}]});
    assert_eq!(player.get("/api/v1/blocks").await.ok(), blocked);
    assert_eq!(other.get("/api/v1/blocks").await.ok(), json!({"players": []}), "it is not told to the other");
    for _ in 0..2 {
        assert_eq!(player.delete(&block_of(&other)).await.status, StatusCode::NO_CONTENT);
    }
    assert_eq!(player.get("/api/v1/blocks").await.ok(), json!({"players": []}));

    put(&player, &block_of(&player)).await.is_problem(409, "own_block");
    let nobody = "/api/v1/blocks/01890a5d-ac96-774b-bcce-b302099a8057";
    put(&player, nobody).await.is_problem(404, "unknown_player");
    put(&player, "/api/v1/blocks/me").await.is_problem(404, "unknown_player");
    let stranger = Player::stranger(&server);
    stranger.get("/api/v1/blocks").await.is_problem(401, "no_session");
    put(&stranger, &block_of(&other)).await.is_problem(401, "no_session");
    stranger.delete(&block_of(&other)).await.is_problem(401, "no_session");
}

/// A guest whose requests come from an address, by a trusted proxy.
async fn at(server: &Server, address: &str) -> Player {
    Player::stranger(server).forwarded_for(address).with_session().await
}

const PROXIED: [&str; 4] = ["--trusted-proxies", "127.0.0.0/8,::1/128", "--address-factor", "1"];

async fn a_room_whose_joiner_leaves_at_once_opens_again_for_others(database: Database) {
    let server = Server::start_with(&database, &PROXIED).await;
    let maker = at(&server, "192.0.2.1").await;
    let game = maker.open_room("fibonacci-cards", "public").await;
    let mut waiting = maker.follow(&game).await;
    for (number, leave) in [command("abort", &game, json!({})), resign(&game)].into_iter().enumerate() {
        let address = format!("192.0.2.{}", 10 + number);
        let (joiner, neighbour) = (at(&server, &address).await, at(&server, &address).await);
        let mut socket = joiner.follow(&game).await;
        joiner.join(&game).await.ok();
        assert_eq!(socket.ask(&leave).await["type"], "ack");
        let version = 3 + 2 * number as u64;
        let record = waiting.until_version(&game, version).await;
        assert_eq!(record.present()["status"], "open", "the maker waits again");
        let listed = maker.get("/api/v1/rooms").await.ok()["games"][0].clone();
        assert_eq!((&listed["id"], &listed["seats"]), (&json!(game), &Value::Null), "visitors see it");
        joiner.join(&game).await.is_problem(403, "room_left");
        neighbour.join(&game).await.is_problem(403, "room_left");
        for list in ["mine", "played"] {
            let page = joiner.get(&format!("/api/v1/games?list={list}")).await.ok();
            assert_eq!(page["games"], json!([]), "the game is not the leaver's: {list}");
        }
    }
    let honest = at(&server, "192.0.2.2").await;
    let joined = honest.join(&game).await.ok();
    assert_eq!(joined["status"], "playing");
    let document = honest.game(&game).await;
    let hashes: Vec<&Value> =
        document["events"].as_array().unwrap().iter().map(|event| &event["seed_hash"]).collect();
    assert!(
        hashes[0].is_string() && hashes[2].is_string() && hashes[0] != hashes[2],
        "other cards: {hashes:?}"
    );
    let mut fresh = honest.connect().await;
    fresh.watch(&game).await;
    assert_eq!(fresh.record(&game).present()["status"], "playing");
}

async fn a_link_survives_a_visitor_who_leaves_and_a_restart(database: Database) {
    let server = Server::start(&database).await;
    let (maker, visitor) = (Player::enter(&server).await, Player::enter(&server).await);
    let game = maker.open_room("fenix", "link").await;
    visitor.join(&game).await.ok();
    let mut lobby = visitor.connect().await;
    lobby.hello(&[], true).await;
    assert_eq!(lobby.take_type("lobby").await["mine"][0]["id"], *game);
    let mut socket = visitor.follow(&game).await;
    assert_eq!(socket.ask(&command("abort", &game, json!({}))).await["type"], "ack");
    let is_left = |message: &Value| {
        message["type"] == "lobby_changed"
            && message["game"]["id"] == game
            && message["game"]["seats"].is_null()
    };
    lobby.take("the news that the game is no longer the visitor's", is_left).await;
    let server = server.kill().await.start().await;
    visitor.join(&game).await.is_problem(403, "room_left");
    Player::enter(&server).await.join(&game).await.ok();
    drop(server);
}

async fn an_address_that_joins_rooms_to_leave_them_soon_joins_none(database: Database) {
    const ROOMS: usize = 8;
    let server = Server::start_with(&database, &PROXIED).await;
    let mut taken = 0;
    let mut rooms = Vec::new();
    for number in 0..ROOMS {
        rooms.push(at(&server, &format!("192.0.2.{}", 10 + number)).await.open_room("focus", "public").await);
    }
    for room in &rooms {
        let guest = at(&server, "192.0.2.1").await;
        let joined = guest.join(room).await;
        if joined.status != StatusCode::OK {
            joined.is_problem(429, "too_fast");
            continue;
        }
        taken += 1;
        let mut socket = guest.follow(room).await;
        assert_eq!(socket.ask(&command("abort", room, json!({}))).await["type"], "ack");
    }
    assert!((6..ROOMS).contains(&taken), "{taken}");
    for room in &rooms {
        let honest = at(&server, "192.0.2.2").await;
        assert_eq!(honest.join(room).await.ok()["status"], "playing", "every room is left for others");
    }
}

async fn an_address_that_joins_rooms_and_does_not_come_joins_none(database: Database) {
    const ROOMS: usize = 8;
    let server = Server::start_with(&database, &PROXIED).await;
    let mut taken = 0;
    for number in 0..ROOMS {
        let maker = at(&server, &format!("192.0.2.{}", 10 + number)).await;
        let room = maker.open_room("focus", "public").await;
        let mut waiting = maker.follow(&room).await;
        let guest = at(&server, "192.0.2.1").await;
        let joined = guest.join(&room).await;
        if joined.status == StatusCode::OK {
            taken += 1;
            assert_eq!(waiting.ask(&command("abort", &room, json!({}))).await["type"], "ack");
            assert_eq!(waiting.until_version(&room, 3).await.present()["status"], "open", "nobody came");
            guest.join(&room).await.is_problem(403, "room_left");
        } else {
            joined.is_problem(429, "too_fast");
        }
        let honest = at(&server, "192.0.2.2").await;
        assert_eq!(honest.join(&room).await.ok()["status"], "playing", "every room is left for others");
    }
    assert!((6..ROOMS).contains(&taken), "{taken}");
}
