//! Places among the connections of a server, when others hold nearly all.

use std::net::Ipv4Addr;

use futures_util::future::join_all;
use sqlx::{Connection, Executor, PgConnection};
use system_tests::{
    database::Database,
    game::Game,
    on_both_databases,
    pair::Pair,
    player::Player,
    raw::connect,
    server::Server,
    socket::{Connect, Socket},
};

on_both_databases![
    idle_connections_of_many_addresses_keep_no_newcomer_out,
    behind_a_proxy_the_sockets_of_those_who_hold_most_give_way,
];

/// Limit of open files, of which 64 are reserved.
const FILES: u32 = 256;

/// Number of addresses whose connections take all places several times over.
const HOLDERS: u8 = 10;

/// Number of connections of each.
const HELD: usize = 40;

/// A connection is displaced.
const DISPLACED: u16 = 4006;

async fn idle_connections_of_many_addresses_keep_no_newcomer_out(database: Database) {
    let server = Server::start_with_files(&database, FILES, &[]).await;
    let game = Game::fibonacci();
    let mut pair = Pair::open(&server, &game.ruleset).await;
    pair.play_turns(&game, 0..2).await;
    let holder = Player::enter(&server).await;
    let mut idle = Vec::new();
    for number in 0..HOLDERS {
        let from = Ipv4Addr::new(127, 0, 2, number);
        if number.is_multiple_of(2) {
            idle.extend(join_all((0..HELD).map(|_| connect(&server, from))).await);
            continue;
        }
        let how = || Connect { from: Some(from), ..Connect::default() };
        for _ in 0..HELD {
            // The last places are not for those who hold many.
            let _ = Socket::open(&holder, how()).await;
        }
    }
    let stranger = Player::stranger(&server);
    for path in ["/healthz", "/readyz"] {
        assert_eq!(stranger.get(path).await.status, 200, "{path}");
    }
    let newcomer = Player::enter(&server).await;
    newcomer.connect().await.hello(&[], true).await;
    if database.file().is_none() {
        lose_connections(&database).await;
    }
    pair.play_turns(&game, 2..4).await;
    let log = server.log();
    let n_lines = |text: &str| log.lines().filter(|line| line.contains(text)).count();
    assert_eq!(n_lines("connections scarce"), 1, "{log}");
    assert_eq!(n_lines("accepting connections failed"), 0, "files are reserved: {log}");
}

#[tokio::test]
async fn when_no_file_is_left_for_a_connection_idle_ones_make_room() {
    let database = Database::sqlite();
    let server = Server::start(&database).await;
    let holder = Player::enter(&server).await;
    let mut held = Vec::new();
    for number in 0..2 * HELD {
        let from = Ipv4Addr::new(127, 0, 2, u8::try_from(number % 4).unwrap());
        let how = Connect { from: Some(from), ..Connect::default() };
        held.push(Socket::open(&holder, how).await.unwrap());
    }
    server.limit_files(held.len() as u64);
    assert_eq!(Player::stranger(&server).get("/healthz").await.status, 200);
    Player::enter(&server).await.connect().await.hello(&[], false).await;
    assert_eq!(server.log().matches("accepting connections failed").count(), 1, "{}", server.log());
}

/// Ends all connections of the server to PostgreSQL.
async fn lose_connections(database: &Database) {
    let mut connection = PgConnection::connect(database.url()).await.unwrap();
    let sql = "select pg_terminate_backend(pid) from pg_stat_activity \
        where datname = current_database() and pid <> pg_backend_pid()";
    connection.execute(sql).await.unwrap();
}

async fn behind_a_proxy_the_sockets_of_those_who_hold_most_give_way(database: Database) {
    let options = ["--trusted-proxies", "127.0.0.0/8", "--address-factor", "1"];
    let server = Server::start_with_files(&database, FILES, &options).await;
    let game = Game::fibonacci();
    let honest = [1, 2].map(|number| Player::stranger(&server).forwarded_for(&format!("192.0.2.{number}")));
    let [first, second] = honest;
    let mut pair =
        Pair::between([first.with_session().await, second.with_session().await], &game.ruleset).await;
    let bystander = Player::stranger(&server).forwarded_for("192.0.2.3").with_session().await;
    let mut waiting = bystander.connect().await;
    waiting.hello(&[], true).await;
    let mut held = Vec::new();
    for number in 0..HOLDERS {
        // Two of them are one subscriber's.
        let address = format!("2001:db8:{:x}:{number:x}::1", number / 2);
        let holder = Player::stranger(&server).forwarded_for(&address).with_session().await;
        for _ in 0..HELD {
            held.push(holder.connect().await);
        }
    }
    waiting.settle().await;
    pair.play_turns(&game, 0..2).await;
    let newcomer = Player::stranger(&server).forwarded_for("192.0.2.4").with_session().await;
    newcomer.connect().await.hello(&[], false).await;
    let mut first = held.swap_remove(0);
    assert_eq!(first.closed().await, Some(DISPLACED));
    assert_eq!(first.last_words(), Some("displaced"));
}
