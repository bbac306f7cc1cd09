//! The memory of games: games that nobody plays are evicted, and finished ones are read from the database.

use reqwest::Method;
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Connection, SqliteConnection};
use system_tests::{
    database::Database,
    on_both_databases,
    pair::Pair,
    player::Player,
    server::Server,
    socket::{Socket, command, resign},
};

use crate::rulesets::{Dice, opening};

on_both_databases![
    a_finished_game_reads_the_same_after_its_eviction,
    spectators_of_a_finished_game_receive_chat_lines_and_the_rematch,
];

const MIB: u64 = 1024 * 1024;

/// MiB that games may take in the test of the bound, and number of watched games of some 18 KB each.
const GAME_MEMORY_MIB: &str = "1";
const WATCHED: usize = 240;

/// Bytes by which memory may grow while the games are watched, with the buffers for their connections. Without a bound on
/// games it grows by at least 10 MiB.
const GROWTH: u64 = 7 * MIB;

/// Plays turns at random that do not end the game.
async fn play(pair: &mut Pair, n_turns: usize) {
    let mut dice = Dice(5);
    let record = pair.first.socket.record(&pair.game);
    let mut game = opening(record.events());
    for turn in record.turns() {
        game.play(&turn).unwrap();
    }
    for _ in 0..n_turns {
        let turn = dice.turn_in_the_game(&game);
        game.play(&turn).unwrap();
        pair.play(&turn).await;
    }
}

/// Reads all resources of a game.
async fn all_of(game: &str, reader: &Player) -> Vec<Value> {
    let mut all = Vec::new();
    for path in ["", "/record.txt", "/record.json"] {
        let answer = reader.get(&format!("/api/v1/games/{game}{path}")).await;
        all.push(json!([answer.status.as_u16(), answer.content_type, answer.text()]));
    }
    if reader.cookie().is_some() {
        let mut known = None;
        for version in [0, 3] {
            let mut socket = reader.connect().await;
            if let Some(known) = known.take() {
                socket.know(game, known);
            }
            socket.send(&json!({"type": "watch", "game": game, "version": version})).await;
            let shown = |message: &Value| {
                let kind = message["type"].as_str().unwrap_or_default();
                ["events", "error"].contains(&kind)
            };
            all.push(socket.take("the game", shown).await);
            socket.settle().await;
            let lines = socket.waiting().filter(|message| message["type"] == "chat");
            all.push(lines.map(|message| message["lines"].clone()).collect());
            known = socket.into_records().remove(game).map(|record| record.up_to(3));
        }
    }
    all
}

async fn a_finished_game_reads_the_same_after_its_eviction(database: Database) {
    let server = Server::start(&database).await;
    let stranger = Player::stranger(&server);
    let visitor = Player::enter(&server).await;
    let mut read = Vec::new();
    for terms in [json!({}), json!({"watching": "nobody"}), json!({"delay": 5})] {
        let mut pair = Pair::open_on(&server, "fibonacci", terms).await;
        play(&mut pair, 12).await;
        for (seat, said) in [(&mut pair.first, "hello"), (&mut pair.second, "good luck")] {
            let say = command("say", &pair.game, json!({"text": said}));
            assert_eq!(seat.socket.ask(&say).await["type"], "ack");
        }
        let version = pair.first.socket.ask(&resign(&pair.game)).await["version"].as_u64().unwrap();
        pair.second.socket.until_version(&pair.game, version).await;
        let readers =
            [stranger.clone(), visitor.clone(), pair.first.player.clone(), pair.second.player.clone()];
        for reader in readers {
            let all = all_of(&pair.game, &reader).await;
            read.push((pair.game.clone(), reader, all));
        }
    }
    let private = |(_, _, all): &(String, Player, Vec<Value>)| all[0][0] == 403;
    assert_eq!(read.iter().filter(|read| private(read)).count(), 2, "two may not see one of them");
    let server = server.kill().await.start().await;
    for (game, reader, before) in read {
        assert_eq!(all_of(&game, &reader.at(server.address())).await, before);
    }
}

async fn say(socket: &mut Socket, game: &str, text: &str) {
    let answer = socket.ask(&command("say", game, json!({"text": text}))).await;
    assert_eq!(answer["type"], "ack", "{answer}");
}

async fn spectators_of_a_finished_game_receive_chat_lines_and_the_rematch(database: Database) {
    let server = Server::start(&database).await;
    let mut pair = Pair::open(&server, "focus").await;
    let game = pair.game.clone();
    pair.first.socket.ask(&resign(&game)).await;
    let [first, second] = [pair.first.player, pair.second.player];
    let server = server.kill().await.start().await;
    let mut spectators = Vec::new();
    for _ in 0..3 {
        let spectator = Player::enter(&server).await;
        spectators.push(spectator.follow(&game).await);
    }
    spectators[2].send(&json!({"type": "unwatch", "game": game})).await;
    spectators[2].settle().await;
    say(&mut spectators[0], &game, "well played").await;
    for spectator in &mut spectators[..2] {
        let heard = |message: &Value| message["lines"][0]["text"] == "well played";
        spectator.take("the line", heard).await;
    }
    let (first, second) = (first.at(server.address()), second.at(server.address()));
    let mut seats = [first.follow(&game).await, second.follow(&game).await];
    for seat in &mut seats {
        let offer = command("offer", &game, json!({"what": "rematch"}));
        assert_eq!(seat.ask(&offer).await["type"], "ack");
    }
    let version = seats[0].record(&game).version().max(seats[1].record(&game).version());
    for spectator in &mut spectators[..2] {
        let record = spectator.until_version(&game, version).await;
        assert_eq!(record.events().last().unwrap()["type"], "rematch_started");
    }
    spectators[2].settle().await;
    assert!(spectators[2].waiting().all(|message| message["type"] != "chat"), "it has left");
    // The cached game before the rematch must not be served after it.
    let document = Player::stranger(&server).game(&game).await;
    assert_eq!(document["summary"]["version"], version);
    let server = server.kill().await.start().await;
    assert_eq!(Player::stranger(&server).game(&game).await, document);
}

#[tokio::test]
async fn watched_games_are_evicted_first_and_players_play_on_within_the_bound() {
    let database = Database::sqlite();
    let options = ["--game-memory-mib", GAME_MEMORY_MIB, "--messages-per-second", "100000"];
    let server = Server::start_with(&database, &options).await;
    let mut honest = Pair::open(&server, "fibonacci").await;
    let mut copied = Pair::open(&server, "fibonacci").await;
    play(&mut copied, 20).await;
    let copies = copies(&database, &copied.game, WATCHED).await;
    drop(copied);

    let before = server.most_memory();
    let mut told = 0;
    let mut sockets = Vec::new();
    for games in copies.chunks(60) {
        let mut socket = Player::enter(&server).await.connect().await;
        socket.hello(&[], false).await;
        for game in games {
            socket.send(&json!({"type": "watch", "game": game, "version": 0})).await;
            let shown = |message: &Value| message["type"] == "events" && message["game"] == **game;
            socket.take("the game", shown).await;
        }
        play(&mut honest, 1).await;
        sockets.push(socket);
    }
    for socket in &mut sockets {
        socket.settle().await;
        told += socket.waiting().filter(|message| message["code"] == "no_more_watchers").count();
    }
    assert!(told >= WATCHED / 2, "most games were evicted: {told}");
    play(&mut honest, 4).await;
    let grown = server.most_memory() - before;
    assert!(grown < GROWTH, "{} KiB", grown / 1024);
}

/// Copies of a game under way, between the same players.
async fn copies(database: &Database, game: &str, n_copies: usize) -> Vec<String> {
    let mut file = SqliteConnection::connect(database.url()).await.unwrap();
    let columns = async |file: &mut SqliteConnection, table: &str, id: &str| {
        let columns = AssertSqlSafe(format!(
            "select group_concat(name) from pragma_table_info('{table}') where name <> '{id}'"
        ));
        sqlx::query_scalar::<_, String>(columns).fetch_one(file).await.unwrap()
    };
    let of_game = columns(&mut file, "game", "id").await;
    let of_event = columns(&mut file, "event", "game").await;
    let key = game.replace('-', "");
    let mut copies = Vec::new();
    for number in 0..n_copies {
        let id = format!("01990000-0000-7000-8000-{number:012x}");
        let copy = id.replace('-', "");
        for order in [
            format!(
                "insert into game (id, {of_game}) select x'{copy}', {of_game} from game where id = x'{key}'"
            ),
            format!(
                "insert into event (game, {of_event}) select x'{copy}', {of_event} from event where game = x'{key}'"
            ),
        ] {
            let done = sqlx::query(AssertSqlSafe(order)).execute(&mut file).await.unwrap();
            assert!(done.rows_affected() > 0, "there is something to copy");
        }
        copies.push(id);
    }
    copies
}

#[tokio::test]
async fn a_document_goes_out_compressed_if_it_is_asked_for_so_and_is_the_same() {
    let database = Database::sqlite();
    let server = Server::start(&database).await;
    let mut pair = Pair::open(&server, "focus").await;
    pair.first.socket.ask(&resign(&pair.game)).await;
    let reader = Player::stranger(&server);
    let path = format!("/api/v1/games/{}", pair.game);
    let plain = reader.respond(Method::GET, &path, None).await;
    assert!(plain.headers().get("content-encoding").is_none());
    for (accepted, encoding) in [("gzip, br", Some("gzip")), ("br", None), ("identity", None)] {
        let request = reader.request(Method::GET, &path).header("accept-encoding", accepted);
        let response = request.send().await.unwrap();
        let header =
            |name: &str| response.headers().get(name).map(|value| value.to_str().unwrap().to_owned());
        assert_eq!(header("content-encoding").as_deref(), encoding, "{accepted}");
        assert_eq!(header("vary").as_deref(), Some("accept-encoding"));
        assert_eq!(header("content-type").as_deref(), Some("application/json"));
    }
}
