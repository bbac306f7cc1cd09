//! A database that changes under running nodes: it goes back to an earlier state, or gets the tables of a newer server.

use serde_json::json;
use sqlx::{Connection, PgConnection, types::Uuid};
use system_tests::{
    database::Database, game::Game, nats::Nats, pair::Pair, player::Player, record::Record, server::Server,
};

/// Keeps what the database has of a game now.
async fn keep(connection: &mut PgConnection, game: Uuid) {
    sqlx::query("create table kept as select * from game where id = $1")
        .bind(game)
        .execute(connection)
        .await
        .unwrap();
}

/// Takes the database back to what was kept of a game, as a failover to a standby that is behind does.
async fn go_back(connection: &mut PgConnection, game: Uuid) {
    let mut tx = connection.begin().await.unwrap();
    for sql in [
        "delete from event where game = $1 and version > (select version from kept where id = $1)",
        "update game set (version, turn, to_move, updated_ms, deadline_ms, turn_version, position) = (
            select version, turn, to_move, updated_ms, deadline_ms, turn_version, position from kept where id = $1
         ) where id = $1",
    ] {
        sqlx::query(sql).bind(game).execute(&mut *tx).await.unwrap();
    }
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn games_go_on_as_they_are_stored_after_the_database_went_back() {
    let (database, nats) = (Database::postgres(), Nats::start().await);
    let arguments = ["--nats-url", &nats.url()];
    let one = Server::start_with(&database, &arguments).await;
    let other = Server::start_with(&database, &arguments).await;
    let turns = Game::fibonacci().turns;
    let mut pair = Pair::open_across([&one, &other], "fibonacci", json!({})).await;
    let (game, id) = (pair.game.clone(), pair.game.parse::<Uuid>().unwrap());
    pair.play(&turns[0]).await;
    let kept = pair.version();
    let mut connection = PgConnection::connect(database.url()).await.unwrap();
    keep(&mut connection, id).await;
    for turn in &turns[1..4] {
        pair.play(turn).await;
    }

    go_back(&mut connection, id).await;
    let answer = pair.first.socket.turn(&game, &turns[4]).await;
    assert_eq!((&answer["type"], &answer["code"]), (&json!("nack"), &json!("unavailable")), "{answer}");
    // The other node finds it by itself.
    let asks_again = |message: &serde_json::Value| message["type"] == "error" && message["game"] == game;
    for seat in [&mut pair.first, &mut pair.second] {
        seat.socket.take("that the game must be asked for again", asks_again).await;
        seat.socket.know(&game, Record::default());
        seat.socket.watch(&game).await;
        assert_eq!(seat.socket.record(&game).version(), kept);
    }
    let (seat, turn) = (&mut pair.second, &turns[1]);
    let answer = seat.socket.turn(&game, turn).await;
    assert_eq!(answer["type"], "ack", "play goes on: {answer}");
    pair.first.socket.until_version(&game, kept + 1).await;
    assert_eq!(pair.first.socket.record(&game).turns(), turns[..2]);
    for node in [&one, &other] {
        let log = node.log();
        assert!(log.contains("the database went back") && log.contains(&game), "{log}");
    }
}

#[tokio::test]
async fn a_node_whose_tables_a_newer_server_has_changed_ends_in_order() {
    let database = Database::postgres();
    let server = Server::start(&database).await;
    let mut socket = Player::enter(&server).await.connect().await;
    socket.hello(&[], false).await;
    let mut connection = PgConnection::connect(database.url()).await.unwrap();
    sqlx::query(
        "insert into _sqlx_migrations (version, description, success, checksum, execution_time)
         values (9999, 'newer', true, '', 0)",
    )
    .execute(&mut connection)
    .await
    .unwrap();
    assert_eq!(socket.closed().await, Some(4002));
    let (status, _stopped) = server.ended().await;
    assert_eq!(status.code(), Some(1));
}
