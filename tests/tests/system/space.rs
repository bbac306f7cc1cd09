//! The bounds of what is stored.

use serde_json::json;
use system_tests::{
    database::Database, game::Game, pair::Pair, player::Player, server::Server, socket::command,
};

/// Free space that no disk has, in MiB.
const TOO_LITTLE: [&str; 2] = ["--min-free-mib", "1000000000"];

#[tokio::test]
async fn when_the_disk_is_nearly_full_no_games_begin_and_those_under_way_go_on() {
    let database = Database::sqlite();
    let server = Server::start(&database).await;
    let game = Game::fibonacci();
    let mut pair = Pair::open(&server, &game.ruleset).await;
    pair.play_turns(&game, 0..1).await;
    let open = pair.first.player.open_room("fenix", "public").await;
    drop(server.kill().await);
    let server = Server::start_in_use(&database, &TOO_LITTLE).await;
    let [first, second] = [&pair.first.player, &pair.second.player].map(|player| player.at(server.address()));
    let mut socket = second.follow(&pair.game).await;
    socket.turn(&pair.game, &game.turns[1]).await;
    socket.ask(&command("resign", &pair.game, json!({}))).await;
    let room = json!({"ruleset": "focus", "seat": "first", "visibility": "public"});
    first.post("/api/v1/rooms", &room).await.is_problem(503, "no_space");
    first.post("/api/v1/tables", &json!({"ruleset": "focus"})).await.is_problem(503, "no_space");
    second.join(&open).await.is_problem(503, "no_space");
    let mut other = first.follow(&pair.game).await;
    let rematch = command("offer", &pair.game, json!({"what": "rematch"}));
    assert_eq!(socket.ask(&rematch).await["type"], "ack");
    let rematch = command("answer", &pair.game, json!({"what": "rematch", "accept": true}));
    let refused = other.ask(&rematch).await;
    assert_eq!((&refused["type"], &refused["code"]), (&json!("nack"), &json!("no_space")), "{refused}");
    Player::enter(&server).await;
    assert!(server.log().contains("refusing new games"), "{}", server.log());
}
