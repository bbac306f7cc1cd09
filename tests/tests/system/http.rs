//! The HTTP resources: sessions, problems, origins, health.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use reqwest::{Method, header};
use serde_json::{Value, json};
use system_tests::{
    address::ReservedAddress,
    database::Database,
    game::Game,
    on_both_databases,
    pair::Pair,
    player::Player,
    server::Server,
    socket::{Connect, Socket},
};

on_both_databases![
    the_server_reports_that_it_is_healthy,
    a_visitor_gets_a_session_and_keeps_it,
    a_player_changes_their_own_name,
    the_session_cookie_is_kept_from_scripts_and_other_sites,
    the_database_never_holds_a_token,
    requests_without_a_needed_session_are_refused,
    every_refusal_is_a_problem,
    an_unsupported_method_of_a_page_is_a_problem,
    an_address_without_a_page_speaks_to_people_and_to_programs,
    refusals_speak_to_people_and_name_nothing_of_the_program,
    a_record_is_refused_with_the_mark_that_is_wrong_in_it,
    the_page_of_a_game_has_one_address,
    every_page_has_one_address_and_the_interface_stays_strict,
    search_engines_find_every_page_in_both_languages,
    joining_twice_takes_one_seat,
    other_sites_are_refused,
    metrics_are_served_at_an_address_of_their_own,
];

async fn the_server_reports_that_it_is_healthy(database: Database) {
    let server = Server::start(&database).await;
    let visitor = Player::stranger(&server);
    let response = visitor.respond(Method::GET, "/healthz", None).await;
    assert_eq!(response.status(), 200);
    assert_eq!(visitor.get("/readyz").await.text(), "ready, alone\n");
}

async fn a_visitor_gets_a_session_and_keeps_it(database: Database) {
    let server = Server::start(&database).await;
    let player = Player::enter(&server).await;
    let again = player.post("/api/v1/session", &Value::Null).await.ok();
    assert_eq!(again["player"]["id"], player.id(), "the cookie is known again");
    let server = server.kill().await.start().await;
    let again = player.post("/api/v1/session", &Value::Null).await.ok();
    assert_eq!(again["player"]["id"], player.id(), "after a crash too");

    let forger = Player::stranger(&server);
    let request = forger.request(Method::POST, "/api/v1/session");
    let request = request.header(header::COOKIE, format!("towers_session={}", "A".repeat(43)));
    let session = forger.send(request).await.ok();
    assert_ne!(session["player"]["id"], player.id(), "an unknown token makes a new guest");

    for (language, word) in [("fr-CH, en;q=0.5", "Invité "), ("de", "Guest ")] {
        let request = Player::stranger(&server).request(Method::POST, "/api/v1/session");
        let session = forger.send(request.header(header::ACCEPT_LANGUAGE, language)).await.ok();
        let name = session["player"]["name"].as_str().unwrap();
        assert!(name.starts_with(word), "{name} is a name in the visitor's language, {language}");
    }
}

async fn a_player_changes_their_own_name(database: Database) {
    let server = Server::start(&database).await;
    let game = Game::fibonacci();
    let player = Player::enter(&server).await;
    let session = player.patch("/api/v1/session", &json!({"name": "Léonard de Pise"})).await.ok();
    assert_eq!(session["player"], json!({"id": player.id(), "name": "Léonard de Pise", "kind": "guest"}));
    let id = player.open_room(&game.ruleset, "public").await;
    let document = Player::enter(&server).await.game(&id).await;
    assert_eq!(document["summary"]["creator"]["name"], "Léonard de Pise");
    for name in ["", " ", "a\u{202e}b", "two  blanks", " before", &"x".repeat(25), "Bot 1", "b0t2", "<b>"] {
        player.patch("/api/v1/session", &json!({"name": name})).await.is_problem(422, "invalid_body");
    }
    let again = player.post("/api/v1/session", &Value::Null).await.ok();
    assert_eq!(again["player"]["name"], "Léonard de Pise");
}

async fn the_session_cookie_is_kept_from_scripts_and_other_sites(database: Database) {
    let server = Server::start(&database).await;
    let response = Player::stranger(&server).respond(Method::POST, "/api/v1/session", None).await;
    let cookie = response.headers()[header::SET_COOKIE].to_str().unwrap();
    let (value, attributes) = cookie.split_once(';').expect("a cookie with attributes");
    let name = format!("towers_session_{}=", server.address().port());
    let token = value.strip_prefix(&name).expect("the session's cookie");
    assert!(token.len() >= 43, "256 bits take 43 letters: {token}");
    let attributes: Vec<String> = attributes.split(';').map(|part| part.trim().to_lowercase()).collect();
    for attribute in ["httponly", "samesite=lax", "path=/"] {
        assert!(attributes.iter().any(|part| part == attribute), "no {attribute} in {cookie}");
    }
}

async fn the_database_never_holds_a_token(database: Database) {
    let server = Server::start(&database).await;
    let player = Player::enter(&server).await;
    player.open_room("fibonacci", "public").await;
    let token = player.token().to_owned();
    let _stopped = server.kill().await;
    let stored = database.everything_stored();
    let secret = URL_SAFE_NO_PAD.decode(&token).expect("the token is base64");
    let id = player.id().replace('-', "");
    let holds = |bytes: &[u8]| contains(&stored, bytes) || contains(&stored, hex(bytes).as_bytes());
    assert!(contains(&stored, player.id().as_bytes()) || holds(&unhex(&id)), "the player is stored");
    assert!(!holds(token.as_bytes()), "the token is stored as it is");
    assert!(!holds(&secret), "the token's bytes are stored");
}

async fn requests_without_a_needed_session_are_refused(database: Database) {
    let server = Server::start(&database).await;
    let stranger = Player::stranger(&server);
    let id = Player::enter(&server).await.open_room("fibonacci", "public").await;
    let room = json!({"ruleset": "fibonacci", "seat": "first", "visibility": "public"});
    stranger.post("/api/v1/rooms", &room).await.is_problem(401, "no_session");
    stranger.join(&id).await.is_problem(401, "no_session");
    stranger.delete(&format!("/api/v1/rooms/{id}")).await.is_problem(401, "no_session");
    stranger.patch("/api/v1/session", &json!({"name": "Nobody"})).await.is_problem(401, "no_session");
    stranger.get("/api/v1/games?list=mine").await.is_problem(401, "no_session");
    let refused = Socket::open(&stranger, Connect::default()).await.map(|_| ());
    assert_eq!(refused.unwrap_err(), 401);
    stranger.get("/api/v1/rooms").await.ok();
    stranger.get(&format!("/api/v1/games/{id}")).await.ok();
}

/// The longest body that the server takes, but for records.
const MAX_BODY: usize = 16 * 1024;

async fn every_refusal_is_a_problem(database: Database) {
    let server = Server::start(&database).await;
    let player = Player::enter(&server).await;
    let nowhere = "01890a5d-ac96-774b-bcce-b302099a8057";
    player.get(&format!("/api/v1/games/{nowhere}")).await.is_problem(404, "unknown_game");
    player.join(nowhere).await.is_problem(404, "unknown_game");
    player.delete(&format!("/api/v1/rooms/{nowhere}")).await.is_problem(404, "unknown_game");
    player.get("/api/v1/games/not-an-id").await.is_problem(404, "unknown_game");
    player.get("/api/v1/nothing").await.is_problem(404, "no_such_resource");
    player.patch("/api/v1/rooms", &json!({})).await.is_problem(405, "method_not_allowed");
    for query in ["list=all", "list=finished&before=x", "list=finished&limit=0", "list=mine&limit=101", ""] {
        player.get(&format!("/api/v1/games?{query}")).await.is_problem(400, "invalid_query");
    }
    for body in [
        json!({}),
        json!({"ruleset": "chess", "seat": "first", "visibility": "public"}),
        json!({"ruleset": "fibonacci", "seat": "third", "visibility": "public"}),
        json!({"ruleset": "fibonacci", "seat": "first", "visibility": "public", "rated": true}),
    ] {
        player.post("/api/v1/rooms", &body).await.is_problem(422, "invalid_body");
    }
    let json_type = (header::CONTENT_TYPE, "application/json");
    let broken =
        player.request(Method::POST, "/api/v1/rooms").header(json_type.0.clone(), json_type.1).body("{");
    player.send(broken).await.is_problem(400, "unreadable_body");
    let untyped = player.request(Method::POST, "/api/v1/rooms").body("{}");
    player.send(untyped).await.is_problem(415, "wrong_content_type");
    let long = player.request(Method::POST, "/api/v1/rooms").header(json_type.0, json_type.1);
    // Short enough to be sent at once: the server does not wait for the rest of a refused body.
    player.send(long.body(" ".repeat(MAX_BODY + 1))).await.is_problem(413, "body_too_large");
}

async fn other_sites_are_refused(database: Database) {
    let server = Server::start(&database).await;
    let player = Player::enter(&server).await;
    let own = format!("http://{}", server.address());
    for foreign in ["http://evil.example", "null", "http://127.0.0.1:1"] {
        let how = Connect { origin: Some(foreign), ..Connect::default() };
        let refused = Socket::open(&player, how).await.map(|_| ());
        assert_eq!(refused.unwrap_err(), 403, "a socket from {foreign}");
        let request = player.request(Method::POST, "/api/v1/session").header(header::ORIGIN, foreign);
        player.send(request).await.is_problem(403, "foreign_origin");
    }
    let request = player.request(Method::POST, "/api/v1/session").header(header::ORIGIN, &own);
    player.send(request).await.ok();
    let how = Connect { origin: Some(&own), ..Connect::default() };
    let mut socket = Socket::open(&player, how).await.expect("the own page may connect");
    socket.hello(&[], false).await;
    let pair = Pair::open(&server, "fibonacci").await;
    assert_eq!(pair.version(), 2);
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex(text: &str) -> Vec<u8> {
    let digits = |place: usize| u8::from_str_radix(&text[place..place + 2], 16).expect("hex digits");
    (0..text.len()).step_by(2).map(digits).collect()
}

async fn an_unsupported_method_of_a_page_is_a_problem(database: Database) {
    let server = Server::start(&database).await;
    let visitor = Player::stranger(&server);
    for path in ["/", "/healthz", "/ws", "/game/x", "/board/board.js", "/api/v1/games"] {
        visitor.delete(path).await.is_problem(405, "method_not_allowed");
    }
    visitor.get("/api/v1/nothing").await.is_problem(404, "no_such_resource");
}

async fn an_address_without_a_page_speaks_to_people_and_to_programs(database: Database) {
    let server = Server::start(&database).await;
    let visitor = Player::stranger(&server);
    let open = async |path: &str, known: &str| {
        let request = visitor.request(Method::GET, path).header(header::ACCEPT_LANGUAGE, "fr");
        let request = request.header(header::ACCEPT, "text/html,application/xhtml+xml,*/*;q=0.8");
        let response =
            request.header(header::IF_NONE_MATCH, known).send().await.expect("the server responds");
        assert_eq!(response.status(), 404, "{path}");
        let tag = response.headers()[header::ETAG].to_str().expect("a tag is of plain letters").to_owned();
        let text = response.text().await.expect("the page can be read");
        assert!(text.contains("<html lang=\"fr\">"), "{path}: {text}");
        tag
    };
    for path in [
        "/rules/chess",
        "/rules/%FF",
        "/example/chess",
        "/learn/chess",
        "/puzzles/chess",
        "/rules/",
        "/game/",
        "/index.html",
        "/no/such/page",
        "/assets/gone-0123456789ab.js",
    ] {
        visitor.get(path).await.is_problem(404, "no_such_page");
        let tag = open(path, "\"another\"").await;
        assert_eq!(open(path, &tag).await, tag, "a condition leaves nobody without a page");
    }
    let tag = open("/game/not-an-id", "\"another\"").await;
    open("/game/not-an-id", &tag).await;
    let request = visitor.request(Method::GET, "/api/v1/nothing").header(header::ACCEPT, "text/html");
    visitor.send(request).await.is_problem(404, "no_such_resource");
}

async fn the_page_of_a_game_has_one_address(database: Database) {
    let server = Server::start(&database).await;
    let visitor = Player::enter(&server).await;
    let id = visitor.open_room("fibonacci", "public").await;
    for page in ["game", "replay"] {
        let canonical = visitor.respond(Method::GET, &format!("/{page}/{id}"), None).await;
        assert_eq!(canonical.status(), 200);
        let capitals = format!("/{page}/{}", id.to_uppercase());
        let led = visitor.respond(Method::GET, &capitals, None).await;
        assert_eq!(led.url().path(), format!("/{page}/{id}"), "{capitals} leads to the one address");
        let pasted = format!("//{page}/{id}%E2%80%8B).?lang=fr");
        let led = visitor.respond(Method::GET, &pasted, None).await;
        assert_eq!(
            (led.url().path(), led.url().query()),
            (&*format!("/{page}/{id}"), Some("lang=fr")),
            "{pasted}"
        );
        assert!(led.text().await.is_ok_and(|text| text.contains("<html lang=\"fr\"")));
        let none = visitor.respond(Method::GET, &format!("/{page}/not-an-id"), None).await;
        assert_eq!(none.status(), 404);
        assert!(none.text().await.is_ok_and(|text| text.contains("<html")), "a person reads this");
    }
}

async fn every_page_has_one_address_and_the_interface_stays_strict(database: Database) {
    let server = Server::start(&database).await;
    let visitor = Player::stranger(&server);
    let of_a_ruleset = ["/learn/fenix", "/puzzles/fenix", "/example/fenix", "/rules/fenix"];
    let others = ["/", "/learn", "/puzzles", "/games", "/table", "/analysis", "/import", "/api", "/privacy"];
    for page in of_a_ruleset.into_iter().chain(others) {
        for written in [format!("{page}/"), format!("{page}/%20?a=b"), format!("/{page}")] {
            let led = visitor.respond(Method::GET, &written, None).await;
            assert_eq!((led.status().as_u16(), led.url().path()), (200, page), "{written}");
            assert_eq!(led.url().query(), written.split_once('?').map(|(_, query)| query), "{written}");
        }
    }
    for unknown in ["/no-such-page/", "//evil.example/", "/%5Cevil.example", "/%0D%0Ax:y"] {
        visitor.get(unknown).await.is_problem(404, "no_such_page");
    }
    visitor.get("/api/v1/games/").await.is_problem(404, "no_such_resource");
    visitor.get("/api/v1/games/0193f2a4-7c1b-7d3e-9a52-4b8e6f0c1d2a.").await.is_problem(404, "unknown_game");
}

async fn search_engines_find_every_page_in_both_languages(database: Database) {
    let server = Server::start(&database).await;
    let visitor = Player::stranger(&server);
    let origin = format!("http://{}", server.address());
    let robots = visitor.get("/robots.txt").await.text().to_owned();
    assert!(robots.contains(&format!("Sitemap: {origin}/sitemap.xml\n")), "{robots}");
    assert!(robots.contains("Disallow: /game/\n"), "a game under way is for its players");
    let map = visitor.get("/sitemap.xml").await.text().to_owned();
    let pages: Vec<_> = map.split("<loc>").skip(1).filter_map(|part| part.split("</loc>").next()).collect();
    assert_eq!(pages.len(), 1 + 8 + 4 * 7, "the lobby, plain pages, and those of the rulesets");
    for page in pages {
        let path = page.strip_prefix(&origin).expect("a page of this server");
        for (query, language) in [("", "en"), ("?lang=fr", "fr")] {
            let html = visitor.get(&format!("{path}{query}")).await.text().to_owned();
            assert!(html.contains(&format!("<html lang=\"{language}\">")), "{path}{query}");
            for tag in [
                format!("<link rel=\"canonical\" href=\"{page}{query}\">"),
                format!("<link rel=\"alternate\" hreflang=\"fr\" href=\"{page}?lang=fr\">"),
                format!("<meta property=\"og:image\" content=\"{origin}/api/v1/picture.png?ruleset="),
                "<meta name=\"description\" content=\"".to_owned(),
                "<meta property=\"og:description\" content=\"".to_owned(),
            ] {
                assert!(html.contains(&tag), "{path}{query} has {tag}: {html}");
            }
        }
    }
    for icon in ["/favicon.ico", "/apple-touch-icon.png"] {
        assert_eq!(visitor.respond(Method::GET, icon, None).await.status(), 200, "{icon}");
    }
}

async fn refusals_speak_to_people_and_name_nothing_of_the_program(database: Database) {
    let server = Server::start(&database).await;
    let visitor = Player::enter(&server).await;
    let json = |path: &str, body: &str| {
        let request = visitor.request(Method::POST, path).header(header::CONTENT_TYPE, "application/json");
        visitor.send(request.body(body.to_owned()))
    };
    let long = format!("{{\"ruleset\":\"{}\"}}", "x".repeat(20_000));
    let answers = [
        (
            json("/api/v1/rooms", "{\"ruleset\": 1, \"seat\": \"first\", \"visibility\": \"public\"}").await,
            "invalid_body",
        ),
        (json("/api/v1/rooms", "[]").await, "invalid_body"),
        (json("/api/v1/rooms", "{").await, "unreadable_body"),
        (json("/api/v1/rooms", &long).await, "body_too_large"),
        (json("/api/v1/records/check", "[]").await, "bad_record"),
        (json("/api/v1/records/check", "{\"towers_record\": \"1\"}").await, "bad_record"),
        (visitor.get("/api/v1/games?list=finished&limit=x").await, "invalid_query"),
        (visitor.get("/api/v1/games").await, "invalid_query"),
    ];
    for (answer, code) in answers {
        answer.is_problem(answer.status.as_u16(), code);
        let detail = answer.body["detail"].as_str().unwrap_or_default();
        for leak in [
            "Failed to",
            "struct ",
            "u8",
            "u16",
            "u32",
            "u64",
            "target type",
            "enum ",
            "invalid digit",
            "sequence",
        ] {
            assert!(!detail.contains(leak), "{leak}: {detail}");
        }
    }
}

async fn a_record_is_refused_with_the_mark_that_is_wrong_in_it(database: Database) {
    let server = Server::start(&database).await;
    let visitor = Player::stranger(&server);
    let document = include_str!("../../../docs/records.md");
    let record = document.split("```").nth(1).and_then(|block| block.strip_prefix("text\n"));
    let record = record.expect("the document begins with a whole game").to_owned();
    let check = async |content_type: &str, text: String| {
        let request = visitor.request(Method::POST, "/api/v1/records/check");
        visitor.send(request.header(header::CONTENT_TYPE, content_type).body(text)).await
    };
    for kind in ["text/plain", "Text/Plain", "text/plain; charset=UTF-8", "TEXT/PLAIN;Charset=\"utf-8\""] {
        check(kind, record.clone()).await.ok();
    }
    for kind in ["text/html", "text/plain; charset=iso-8859-1", ""] {
        check(kind, record.clone()).await.is_problem(415, "wrong_content_type");
    }
    for (wrong, line, flaw) in [
        (record.replace('\n', "\r\n"), 1, json!({"code": "carriage_return"})),
        (record.replacen("\n\n", "\n\r\n", 1), 10, json!({"code": "carriage_return"})),
        (format!("\u{feff}{record}"), 1, json!({"code": "byte_order_mark"})),
        (record.replacen("record 1", "record 2", 1), 1, json!({"code": "newer_version", "version": 2})),
    ] {
        let answer = check("text/plain", wrong).await;
        answer.is_problem(422, "bad_record");
        assert_eq!((&answer.body["flaw"], &answer.body["line"]), (&flaw, &json!(line)));
    }
}

async fn joining_twice_takes_one_seat(database: Database) {
    let server = Server::start(&database).await;
    let maker = Player::enter(&server).await;
    let id = maker.open_room("fibonacci", "public").await;
    let guest = Player::enter(&server).await;
    let first = guest.join(&id).await.ok();
    assert_eq!(guest.join(&id).await.ok()["seats"], first["seats"], "the answer may have been lost");
    Player::enter(&server).await.join(&id).await.is_problem(409, "room_taken");
}

async fn metrics_are_served_at_an_address_of_their_own(database: Database) {
    let metrics = ReservedAddress::new().unwrap();
    let address = metrics.address.to_string();
    let server = Server::start_with(&database, &["--metrics-listen", &address]).await;
    let game = Game::fibonacci();
    let mut pair = Pair::open(&server, &game.ruleset).await;
    pair.play_turns(&game, 0..2).await;
    let counted = Player::stranger(&server).at(metrics.address).get("/metrics").await;
    assert!(counted.content_type.starts_with("application/openmetrics-text"), "{counted:?}");
    for line in [
        "towers_turn_seconds_count 2",
        "towers_games 1",
        "towers_sockets 2",
        "towers_watches 2",
        "towers_nats_up 0",
        "# EOF",
    ] {
        assert!(counted.text().lines().any(|told| told == line), "no line {line}:\n{}", counted.text());
    }
    for path in ["/healthz", "/readyz"] {
        assert_eq!(Player::stranger(&server).at(metrics.address).get(path).await.status, 200, "{path}");
    }
    assert_eq!(Player::stranger(&server).get("/metrics").await.status, 404, "visitors are not told");
}
