//! Lists of games: of all finished public games, and of one's own games.

use std::collections::HashSet;

use serde_json::{Value, json};
use system_tests::{
    database::Database,
    game::Game,
    on_both_databases,
    pair::Pair,
    player::Player,
    server::Server,
    socket::{command, resign},
};

use crate::accounts::execute;

on_both_databases![
    finished_games_are_paged_without_gaps_or_doubles,
    a_game_that_a_newer_server_has_written_hides_no_other,
    finished_games_are_found_by_each_filter,
    a_new_name_shows_in_old_games_and_finds_them,
    an_invalid_filter_is_refused_with_the_valid_ones,
    a_player_finds_their_own_games,
    a_players_finished_games_are_listed_for_that_player_alone,
    the_games_that_wait_for_a_turn_are_listed_by_urgency,
    open_rooms_are_paged,
];

fn ids(games: &Value) -> Vec<&str> {
    let games = games.as_array().expect("a list of games");
    games.iter().map(|game| game["id"].as_str().expect("a game has an id")).collect()
}

/// Plays a game as short as possible, and returns its id.
async fn finish_a_game(server: &Server) -> String {
    let mut pair = Pair::open(server, "fibonacci").await;
    let ack = pair.first.socket.ask(&resign(&pair.game)).await;
    assert_eq!(ack["type"], "ack", "{ack}");
    pair.game
}

async fn finished_games_are_paged_without_gaps_or_doubles(database: Database) {
    const GAMES: usize = 11;
    let server = Server::start(&database).await;
    let mut finished = Vec::new();
    for _ in 0..GAMES {
        finished.push(finish_a_game(&server).await);
    }
    finished.reverse();
    let reader = Player::enter(&server).await;
    for limit in [1, 4, 11, 100] {
        let (mut listed, mut cursor) = (Vec::new(), String::new());
        loop {
            let page = reader.get(&format!("/api/v1/games?list=finished&limit={limit}{cursor}")).await.ok();
            listed.extend(ids(&page["games"]).into_iter().map(str::to_owned));
            assert!(ids(&page["games"]).len() <= limit);
            match page["next"].as_str() {
                Some(next) => cursor = format!("&before={next}"),
                None => break,
            }
        }
        assert_eq!(listed, finished, "newest first, in pages of {limit}");
    }

    let first = reader.get("/api/v1/games?list=finished&limit=5").await.ok();
    finish_a_game(&server).await;
    let cursor = first["next"].as_str().expect("there is another page");
    let rest = reader.get(&format!("/api/v1/games?list=finished&limit=100&before={cursor}")).await.ok();
    assert_eq!(ids(&rest["games"]), finished[5..], "a game that ends meanwhile moves no page");
}

async fn a_game_that_a_newer_server_has_written_hides_no_other(database: Database) {
    let server = Server::start(&database).await;
    let player = Player::enter(&server).await;
    let mut rooms = Vec::new();
    for _ in 0..5 {
        rooms.push(player.open_room("fibonacci", "public").await);
    }
    rooms.reverse();
    let newer = "update game set clock = 'sundial' where id in (select id from game order by id desc limit 3 offset 1)";
    execute(&database, newer).await;
    for limit in [1, 4] {
        let (mut listed, mut cursor) = (Vec::new(), String::new());
        loop {
            let page = player.get(&format!("/api/v1/games?list=mine&limit={limit}{cursor}")).await.ok();
            listed.extend(ids(&page["games"]).into_iter().map(str::to_owned));
            match page["next"].as_str() {
                Some(next) => cursor = format!("&before={next}"),
                None => break,
            }
        }
        assert_eq!(listed, [rooms[0].clone(), rooms[4].clone()], "in pages of {limit}");
    }
    let exported = player.get("/api/v1/session/export").await;
    let n_games = exported.text().lines().filter(|line| line.starts_with(r#"{"type":"game""#)).count();
    assert_eq!(n_games, 2);
}

async fn a_player_finds_their_own_games(database: Database) {
    let server = Server::start(&database).await;
    let (player, other) = (Player::enter(&server).await, Player::enter(&server).await);
    let open = player.open_room("fibonacci", "link").await;
    let playing = other.open_room("fibonacci", "public").await;
    player.join(&playing).await.ok();
    finish_a_game(&server).await;
    let page = player.get("/api/v1/games?list=mine").await.ok();
    let mine: HashSet<&str> = ids(&page["games"]).into_iter().collect();
    assert_eq!(mine, HashSet::from([open.as_str(), playing.as_str()]));
    Player::stranger(&server).get("/api/v1/games?list=mine").await.is_problem(401, "no_session");
}

async fn a_players_finished_games_are_listed_for_that_player_alone(database: Database) {
    let server = Server::start(&database).await;
    let (player, other) = (Player::enter(&server).await, Player::enter(&server).await);
    let begin = async |visibility: &str, watching: &str| {
        let terms = json!({"watching": watching});
        let room = json!({"ruleset": "fibonacci", "seat": "first", "visibility": visibility, "terms": terms});
        let made = other.post("/api/v1/rooms", &room).await.ok();
        let game = made["id"].as_str().unwrap().to_owned();
        player.join(&game).await.ok();
        game
    };
    let give = async |player: &Player, game: &str, leave: Value| {
        let ack = player.follow(game).await.ask(&leave).await;
        assert_eq!(ack["type"], "ack", "{ack}");
    };
    let (public, private) = (begin("public", "everybody").await, begin("link", "nobody").await);
    let (aborted, going_on) = (begin("public", "everybody").await, begin("link", "everybody").await);
    let table = player.post("/api/v1/tables", &json!({"ruleset": "focus"})).await.ok();
    let table = table["id"].as_str().unwrap();
    give(&player, table, resign(table)).await;
    // Against the order in which they began.
    give(&other, &private, resign(&private)).await;
    give(&other, &public, resign(&public)).await;
    give(&other, &aborted, command("abort", &aborted, json!({}))).await;
    finish_a_game(&server).await;

    let played = async |player: &Player| {
        let (mut listed, mut cursor) = (Vec::new(), String::new());
        loop {
            let page = player.get(&format!("/api/v1/games?list=played&limit=2{cursor}")).await.ok();
            assert!(ids(&page["games"]).len() <= 2);
            listed.extend(ids(&page["games"]).into_iter().map(str::to_owned));
            match page["next"].as_str() {
                Some(next) => cursor = format!("&before={next}"),
                None => return listed,
            }
        }
    };
    assert_eq!(played(&player).await, [&*public, &*private, table], "last ended first, in pages");
    assert_eq!(played(&other).await, [public, private]);
    assert_eq!(played(&Player::enter(&server).await).await, [""; 0]);
    Player::stranger(&server).get("/api/v1/games?list=played").await.is_problem(401, "no_session");
    let mine = player.get("/api/v1/games?list=mine").await.ok();
    assert_eq!(ids(&mine["games"]), [going_on]);
}

/// Two players begin a game, the first of them under a chosen name, and one of them, who has made the room, resigns.
async fn resign_a_game(server: &Server, ruleset: &str, name: &str, loser: &str) -> String {
    let (first, second) = (Player::enter(server).await, Player::enter(server).await);
    first.patch("/api/v1/session", &json!({"name": name})).await.ok();
    let (maker, joiner) = if loser == "first" { (first, second) } else { (second, first) };
    let room = json!({"ruleset": ruleset, "seat": loser, "visibility": "public"});
    let made = maker.post("/api/v1/rooms", &room).await.ok();
    let game = made["id"].as_str().expect("a room has an id").to_owned();
    joiner.join(&game).await.ok();
    let mut socket = maker.follow(&game).await;
    let ack = socket.ask(&resign(&game)).await;
    assert_eq!(ack["type"], "ack", "{ack}");
    game
}

async fn finished_games_are_found_by_each_filter(database: Database) {
    let server = Server::start(&database).await;
    let fenix = resign_a_game(&server, "fenix", "Ada Lovelace", "first").await;
    let focus = resign_a_game(&server, "focus", "Émile", "second").await;
    let (fenix, focus) = (fenix.as_str(), focus.as_str());
    let reader = Player::enter(&server).await;
    let today =
        reader.get(&format!("/api/v1/games/{focus}")).await.ok()["summary"]["updated_ms"].as_i64().unwrap();
    let day = |days: i64| engine::record::Date::from_unix_ms(today + days * 86_400_000).unwrap();
    for (query, expected) in [
        (String::new(), vec![focus, fenix]),
        ("&player=ada lovelace".to_owned(), vec![fenix]),
        ("&player=%C3%A9mile".to_owned(), vec![focus]),
        ("&player=ada".to_owned(), vec![]),
        ("&ruleset=focus".to_owned(), vec![focus]),
        ("&ruleset=crossfire".to_owned(), vec![]),
        ("&result=first".to_owned(), vec![focus]),
        ("&result=second".to_owned(), vec![fenix]),
        ("&result=draw".to_owned(), vec![]),
        ("&reason=resign".to_owned(), vec![focus, fenix]),
        ("&reason=turn-limit".to_owned(), vec![]),
        (format!("&since={}&until={}", day(-1), day(0)), vec![focus, fenix]),
        (format!("&since={}", day(1)), vec![]),
        (format!("&until={}", day(-2)), vec![]),
        ("&ruleset=fenix&result=second&reason=resign&player=ADA LOVELACE".to_owned(), vec![fenix]),
        ("&ruleset=fenix&result=first".to_owned(), vec![]),
    ] {
        let page = reader.get(&format!("/api/v1/games?list=finished{query}")).await.ok();
        assert_eq!(ids(&page["games"]), expected, "{query}");
    }
    let page = reader.get("/api/v1/games?list=finished&reason=resign&limit=1").await.ok();
    let next = page["next"].as_str().expect("there is another page");
    let rest =
        reader.get(&format!("/api/v1/games?list=finished&reason=resign&limit=1&before={next}")).await.ok();
    assert_eq!((ids(&page["games"]), ids(&rest["games"])), (vec![focus], vec![fenix]));
}

async fn a_new_name_shows_in_old_games_and_finds_them(database: Database) {
    let server = Server::start(&database).await;
    let Pair { first, game, .. } = {
        let mut pair = Pair::open(&server, "fenix").await;
        pair.first.player.patch("/api/v1/session", &json!({"name": "Ada"})).await.ok();
        assert_eq!(pair.first.socket.ask(&resign(&pair.game)).await["type"], "ack");
        pair
    };
    let reader = Player::enter(&server).await;
    for name in ["Ada", "Countess"] {
        first.player.patch("/api/v1/session", &json!({"name": name})).await.ok();
        let page = reader.get(&format!("/api/v1/games?list=finished&player={name}")).await.ok();
        assert_eq!(page["games"][0]["seats"]["first"]["name"], name, "{page}");
        assert_eq!(page["games"][0]["seats"]["first"]["kind"], "guest");
        let document = reader.game(&game).await;
        assert_eq!(document["summary"]["creator"], document["events"][0]["creator"]);
        assert_eq!(document["events"][1]["seats"]["first"]["name"], name);
        let record = reader.get(&format!("/api/v1/games/{game}/record.txt")).await;
        assert!(record.text().contains(&format!("\nfirst: {name}\n")), "{}", record.text());
    }
    let page = reader.get("/api/v1/games?list=finished&player=Ada").await.ok();
    assert_eq!(ids(&page["games"]), [""; 0], "nobody has that name any more");
}

async fn an_invalid_filter_is_refused_with_the_valid_ones(database: Database) {
    let server = Server::start(&database).await;
    let reader = Player::enter(&server).await;
    for (query, right) in [
        ("list=finished&player=", "a name: 1 to 24 characters"),
        ("list=finished&ruleset=chess", "fibonacci-cards"),
        ("list=finished&result=lost", "`draw`"),
        ("list=finished&reason=boredom", "`turn-limit`"),
        ("list=finished&since=yesterday", "`2026-11-20`"),
        ("list=finished&until=2026-02-29", "`2026-11-20`"),
        ("list=finished&until=2026-2-2", "`2026-11-20`"),
        ("list=finished&winner=first", "`result`"),
        ("list=mine&ruleset=fenix", "list=finished"),
        ("list=played&result=draw", "list=finished"),
    ] {
        let answer = reader.get(&format!("/api/v1/games?{query}")).await;
        answer.is_problem(400, "invalid_query");
        let detail = answer.body["detail"].as_str().unwrap();
        assert!(detail.contains(right), "{query}: {detail}");
    }
}

async fn the_games_that_wait_for_a_turn_are_listed_by_urgency(database: Database) {
    let server = Server::start(&database).await;
    let game = Game::fibonacci();
    let (ada, bob) = (Player::enter(&server).await, Player::enter(&server).await);
    let begin = async |clock: Value| {
        let room = json!({"ruleset": game.ruleset, "seat": "first", "visibility": "public", "terms": {"clock": clock}});
        let id = ada.post("/api/v1/rooms", &room).await.ok()["id"].as_str().unwrap().to_owned();
        bob.join(&id).await.ok();
        id
    };
    let untimed = begin(json!({"kind": "none"})).await;
    let a_week = begin(json!({"kind": "correspondence", "days": 7})).await;
    let a_day = begin(json!({"kind": "correspondence", "days": 1})).await;
    let a_bank = begin(json!({"kind": "bank", "base_days": 10, "bonus_hours": 36})).await;
    begin(json!({"kind": "real_time", "base_s": 600, "bonus_s": 5, "bonus": "per_turn"})).await;
    ada.post("/api/v1/tables", &json!({"ruleset": game.ruleset})).await.ok();
    ada.open_room(&game.ruleset, "public").await;
    let waiting = async |player: &Player| player.get("/api/v1/turns").await.ok()["games"].clone();
    let all = waiting(&ada).await;
    assert_eq!(
        ids(&all),
        [&*a_day, &*untimed, &*a_week, &*a_bank],
        "the turn of a game without a clock ends at some time too"
    );
    assert!(all.as_array().unwrap().is_sorted_by_key(|game| game["deadline_ms"].as_i64()));
    assert_eq!(waiting(&bob).await, json!([]));
    let theirs = async |player: &Player| player.get("/api/v1/turns").await.ok()["theirs"].clone();
    assert_eq!((theirs(&ada).await, theirs(&bob).await), (json!(0), json!(4)));

    let mut socket = ada.follow(&a_day).await;
    assert_eq!(socket.turn(&a_day, &game.turns[0]).await["type"], "ack");
    assert_eq!(ids(&waiting(&ada).await), [&*untimed, &*a_week, &*a_bank]);
    assert_eq!(ids(&waiting(&bob).await), [&*a_day]);
    assert_eq!((theirs(&ada).await, theirs(&bob).await), (json!(1), json!(3)));
    let offer = command("offer", &a_day, json!({"what": "draw"}));
    assert_eq!(waiting(&bob).await[0]["offers"], Value::Null);
    assert_eq!(socket.ask(&offer).await["type"], "ack");
    assert_eq!(waiting(&bob).await[0]["offers"], json!([{"what": "draw", "side": "first"}]));
    let withdrawn = command("answer", &a_day, json!({"what": "draw", "accept": false}));
    assert_eq!(socket.ask(&withdrawn).await["type"], "ack");
    assert_eq!(waiting(&bob).await[0]["offers"], Value::Null);
    Player::stranger(&server).get("/api/v1/turns").await.is_problem(401, "no_session");
}

async fn open_rooms_are_paged(database: Database) {
    const ROOMS: usize = 5;
    let server = Server::start(&database).await;
    let maker = Player::enter(&server).await;
    let _here = maker.connect().await;
    let mut made = Vec::new();
    for _ in 0..ROOMS {
        made.push(maker.open_room("fenix", "public").await);
    }
    made.reverse();
    let (mut listed, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = maker.get(&format!("/api/v1/rooms?limit=2{cursor}")).await.ok();
        listed.extend(ids(&page["games"]).into_iter().map(str::to_owned));
        match page["next"].as_str() {
            Some(next) => cursor = format!("&before={next}"),
            None => break,
        }
    }
    assert_eq!(listed, made, "newest first, none twice");
    maker.get("/api/v1/rooms?before=x").await.is_problem(400, "invalid_query");
    maker.get("/api/v1/rooms?limit=0").await.is_problem(400, "invalid_query");
}
