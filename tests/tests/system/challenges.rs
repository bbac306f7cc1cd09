//! Challenges: rooms that one player alone may join or decline.

use serde_json::{Value, json};
use system_tests::{
    database::Database,
    nats::Nats,
    on_both_databases,
    player::{Answer, Player},
    server::Server,
    socket::command,
};

use crate::{
    accounts::{PASSWORD, account, credentials},
    nodes::node,
};

on_both_databases![
    a_challenge_is_in_the_games_of_its_two_players_alone_until_one_of_them_joins,
    nobody_is_written_to_before_a_challenge_is_accepted,
    a_challenge_that_is_declined_is_closed_for_both,
    nobody_challenges_oneself_a_bot_a_stranger_or_a_player_who_has_blocked_them,
    a_player_makes_five_challenges_a_day_to_another_one,
    an_account_is_found_by_its_name_and_by_no_other,
    an_account_that_is_closed_declines_its_challenges,
];

const CHALLENGES: &str = "/api/v1/challenges";

fn challenge(player: &Player) -> Value {
    let terms = json!({"clock": {"kind": "correspondence", "days": 3}});
    json!({"ruleset": "fenix", "seat": "first", "visibility": "public", "for": player.id(), "terms": terms})
}

/// A challenge of a player to another one.
async fn make(maker: &Player, challenged: &Player) -> String {
    let made = maker.post("/api/v1/rooms", &challenge(challenged)).await.ok();
    assert_eq!((&made["for"]["id"], &made["visibility"]), (&json!(challenged.id()), &json!("link")));
    made["id"].as_str().unwrap().to_owned()
}

/// The numbers of received and of sent challenges.
async fn n_open(player: &Player) -> [usize; 2] {
    let open = player.get(CHALLENGES).await.ok();
    ["received", "sent"].map(|list| open[list].as_array().unwrap().len())
}

async fn decline(player: &Player, game: &str) -> Answer {
    player.post(&format!("/api/v1/rooms/{game}/decline"), &Value::Null).await
}

async fn a_challenge_is_in_the_games_of_its_two_players_alone_until_one_of_them_joins(database: Database) {
    let server = Server::start(&database).await;
    let (ada, bob) = (Player::enter(&server).await, Player::enter(&server).await);
    let mut lobby = bob.connect().await;
    lobby.hello(&[], true).await;
    lobby.take_type("lobby").await;
    let game = make(&ada, &bob).await;
    lobby.take("the challenge at once", |message| message["game"]["id"] == game).await;
    assert_eq!((n_open(&ada).await, n_open(&bob).await), ([0, 1], [1, 0]));
    for player in [&ada, &bob] {
        let mine = player.get("/api/v1/games?list=mine").await.ok();
        assert_eq!(mine["games"][0]["id"], json!(game));
    }
    let stranger = Player::enter(&server).await;
    stranger.join(&game).await.is_problem(403, "not_for_you");
    decline(&stranger, &game).await.is_problem(403, "not_for_you");
    assert_eq!(stranger.get("/api/v1/rooms").await.ok()["games"], json!([]));
    let invited = ada.post(&format!("/api/v1/rooms/{game}/bot"), &json!({"level": 1})).await;
    invited.is_problem(403, "not_for_you");
    let document = stranger.game(&game).await;
    assert_eq!(document["events"][0]["for"]["id"], bob.id());

    let joined = bob.join(&game).await.ok();
    assert_eq!(joined["status"], "playing");
    assert_eq!((n_open(&ada).await, n_open(&bob).await), ([0, 0], [0, 0]));
    decline(&bob, &game).await.is_problem(409, "room_taken");
}

async fn nobody_is_written_to_before_a_challenge_is_accepted(database: Database) {
    let server = Server::start(&database).await;
    let (ada, bob) = (Player::enter(&server).await, Player::enter(&server).await);
    let game = make(&ada, &bob).await;
    let mut socket = ada.follow(&game).await;
    let say = |game: &str| command("say", game, json!({"text": "Answer me!"}));
    assert_eq!(socket.ask(&say(&game)).await["code"], "not_started");
    bob.join(&game).await.ok();
    assert_eq!(socket.ask(&say(&game)).await["type"], "ack");

    let declined = make(&ada, &bob).await;
    let mut socket = ada.follow(&declined).await;
    assert_eq!(decline(&bob, &declined).await.status, 204);
    assert_eq!(socket.ask(&say(&declined)).await["code"], "not_started");
}

async fn a_challenge_that_is_declined_is_closed_for_both(database: Database) {
    let server = Server::start(&database).await;
    is_declined(Player::enter(&server).await, Player::enter(&server).await).await;
}

#[tokio::test]
async fn a_challenge_is_declined_on_another_node() {
    let (database, nats) = (Database::postgres(), Nats::start().await);
    let [here, there] = [node(&database, &nats).await, node(&database, &nats).await];
    is_declined(Player::enter(&here).await, Player::enter(&there).await).await;
}

async fn is_declined(ada: Player, bob: Player) {
    let game = make(&ada, &bob).await;
    let mut socket = ada.follow(&game).await;
    assert_eq!(decline(&bob, &game).await.status, 204);
    let told = socket.take("the refusal", |message| message["events"][0]["type"] == "cancelled").await;
    assert_eq!(told["events"][0]["declined"], true);
    assert_eq!((n_open(&ada).await, n_open(&bob).await), ([0, 0], [0, 0]));
    bob.join(&game).await.is_problem(409, "room_cancelled");
    decline(&bob, &game).await.is_problem(409, "room_cancelled");
}

async fn nobody_challenges_oneself_a_bot_a_stranger_or_a_player_who_has_blocked_them(database: Database) {
    let server = Server::start(&database).await;
    let (ada, bob) = (Player::enter(&server).await, Player::enter(&server).await);
    ada.post("/api/v1/rooms", &challenge(&ada)).await.is_problem(409, "own_challenge");
    let room = ada.open_room("fenix", "link").await;
    let begun = ada.post(&format!("/api/v1/rooms/{room}/bot"), &json!({"level": 1})).await.ok();
    let mut to_bot = challenge(&bob);
    to_bot["for"] = begun["seats"]["second"]["id"].clone();
    ada.post("/api/v1/rooms", &to_bot).await.is_problem(404, "unknown_player");
    let mut to_nobody = challenge(&bob);
    to_nobody["for"] = json!("01890a5d-ac96-774b-bcce-b302099a8057");
    ada.post("/api/v1/rooms", &to_nobody).await.is_problem(404, "unknown_player");
    let game = make(&ada, &bob).await;
    let block = bob.respond(reqwest::Method::PUT, &format!("/api/v1/blocks/{}", ada.id()), None).await;
    assert_eq!(block.status(), 204);
    bob.join(&game).await.is_problem(403, "blocked");
    for (one, other) in [(&ada, &bob), (&bob, &ada)] {
        one.post("/api/v1/rooms", &challenge(other)).await.is_problem(403, "blocked");
    }
}

async fn a_player_makes_five_challenges_a_day_to_another_one(database: Database) {
    let server = Server::start_with(&database, &["--address-factor", "1"]).await;
    let (ada, bob, cleo) =
        (Player::enter(&server).await, Player::enter(&server).await, Player::enter(&server).await);
    for _ in 0..5 {
        let game = make(&ada, &bob).await;
        assert_eq!(ada.delete(&format!("/api/v1/rooms/{game}")).await.status, 204);
    }
    ada.post("/api/v1/rooms", &challenge(&bob)).await.is_problem(429, "too_many_challenges");
    make(&ada, &cleo).await;
    // An address makes six. One that is refused does not count.
    let (guest, other) = (Player::enter(&server).await, Player::enter(&server).await);
    make(&guest, &bob).await;
    other.post("/api/v1/rooms", &challenge(&bob)).await.is_problem(429, "too_many_challenges");
    make(&other, &cleo).await;
}

async fn an_account_is_found_by_its_name_and_by_no_other(database: Database) {
    let server = Server::start(&database).await;
    let (paula, _) = account(&server, "Paula").await;
    let asker = Player::enter(&server).await;
    for name in ["Paula", "pAULA"] {
        let found = asker.get(&format!("/api/v1/players?name={name}")).await.ok();
        assert_eq!((&found["id"], &found["name"]), (&json!(paula.id()), &json!("Paula")));
    }
    // The last one has a Cyrillic letter.
    for name in ["Pau1a", "Paul", "P%D0%B0ula"] {
        asker.get(&format!("/api/v1/players?name={name}")).await.is_problem(404, "unknown_player");
    }
    let guest = asker.post("/api/v1/session", &Value::Null).await.ok();
    let name = guest["player"]["name"].as_str().unwrap().replace(' ', "%20");
    asker.get(&format!("/api/v1/players?name={name}")).await.is_problem(404, "unknown_player");
}

async fn an_account_that_is_closed_declines_its_challenges(database: Database) {
    let server = Server::start(&database).await;
    let (mut bob, _) = account(&server, "Bob").await;
    let ada = Player::enter(&server).await;
    let game = make(&ada, &bob).await;
    let mut socket = ada.follow(&game).await;
    bob.signs_in("/api/v1/session/password", &credentials("Bob", PASSWORD)).await;
    assert_eq!(bob.delete("/api/v1/account").await.status, 204);
    let told = socket.take("the refusal", |message| message["events"][0]["type"] == "cancelled").await;
    assert_eq!(told["events"][0]["declined"], true);
    ada.post("/api/v1/rooms", &challenge(&bob)).await.is_problem(404, "unknown_player");
}
