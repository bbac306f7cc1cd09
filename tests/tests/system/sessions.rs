//! Sessions over plain HTTP and HTTPS, until they end; and caching headers.

use reqwest::{Method, Response, header};
use serde_json::{Value, json};
use std::{net::Ipv4Addr, time::Duration};
use system_tests::{
    database::Database,
    on_both_databases,
    player::Player,
    raw::{connect, exchange, status},
    server::Server,
    socket::{Connect, Socket},
    timeout,
};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

on_both_databases![signing_out_ends_the_session_and_its_sockets];

/// The session cookies of a server at an unusual port: over plain HTTP and over HTTPS.
fn names(server: &Server) -> [String; 2] {
    ["towers_session", "__Host-towers_session"].map(|name| format!("{name}_{}", server.address().port()))
}

/// A proxy on this machine that reports the protocol of its clients.
const PROXIED: [&str; 2] = ["--trusted-proxies", "127.0.0.0/8"];

const HERE: Ipv4Addr = Ipv4Addr::LOCALHOST;

/// A sign-out whose client disconnects after some time, or with `None` once it is answered.
async fn abandoned_sign_out(server: &Server, player: &Player, after: Option<Duration>) {
    let cookie = player.cookie().unwrap();
    let request = format!("DELETE /api/v1/session HTTP/1.1\r\nhost: h\r\ncookie: {cookie}\r\n\r\n");
    let mut tcp = connect(server, HERE).await;
    tcp.write_all(request.as_bytes()).await.unwrap();
    match after {
        Some(after) => tokio::time::sleep(after).await,
        None => drop(timeout("the answer", tcp.read_u8()).await.unwrap()),
    }
}

#[tokio::test]
async fn a_sign_out_that_its_client_abandons_is_whole_or_not_at_all() {
    let (server, _database) = proxied().await;
    let moments = (0..30).map(|round| Some(Duration::from_millis(round % 5))).chain([None]);
    for (round, moment) in moments.enumerate() {
        // An address each, since guests of one are rate-limited.
        let ada = Player::stranger(&server).forwarded_for(&format!("192.0.2.{round}")).with_session().await;
        let mut socket = ada.connect().await;
        socket.hello(&[], false).await;
        abandoned_sign_out(&server, &ada, moment).await;
        let has_session = Socket::open(&ada, Connect::default()).await.is_ok();
        assert!(!has_session || moment.is_some(), "a sign-out that is answered is done");
        if !has_session {
            assert_eq!(socket.closed().await, Some(4005), "round {round}");
        }
    }
}

async fn proxied() -> (Server, Database) {
    let database = Database::sqlite();
    (Server::start_with(&database, &PROXIED).await, database)
}

/// Opens a session, as a browser with these cookies does.
async fn open(server: &Server, protocol: &str, cookies: &str) -> Response {
    let request = Player::stranger(server).request(Method::POST, "/api/v1/session");
    let request = request.header("x-forwarded-proto", protocol).header(header::COOKIE, cookies.to_owned());
    request.send().await.unwrap()
}

/// Returns the value of a cookie that an answer sets; empty if it removes the cookie.
fn set(response: &Response, name: &str) -> Option<String> {
    let cookies = response.headers().get_all(header::SET_COOKIE).iter().map(|value| value.to_str().unwrap());
    let value =
        |cookie: &str| Some(cookie.strip_prefix(name)?.strip_prefix('=')?.split(';').next()?.to_owned());
    cookies.into_iter().find_map(value)
}

async fn player(response: Response) -> String {
    let session: Value = response.json().await.unwrap();
    session["player"]["id"].as_str().unwrap().to_owned()
}

async fn signing_out_ends_the_session_and_its_sockets(database: Database) {
    let server = Server::start(&database).await;
    let [over_http, over_https] = names(&server);
    let ada = Player::enter(&server).await;
    let mut socket = ada.connect().await;
    socket.hello(&[], false).await;
    let left = ada.respond(Method::DELETE, "/api/v1/session", None).await;
    assert_eq!(left.status(), 204);
    assert_eq!((set(&left, &over_https), set(&left, &over_http)), (Some(String::new()), Some(String::new())));
    assert_eq!(socket.closed().await, Some(4005));
    assert_eq!(Socket::open(&ada, Connect::default()).await.err().map(|status| status.as_u16()), Some(401));
    ada.patch("/api/v1/session", &json!({"name": "Ada"})).await.is_problem(401, "no_session");
    let again = ada.post("/api/v1/session", &Value::Null).await.ok();
    assert_ne!(again["player"]["id"], ada.id(), "a new guest");
    let nobody = Player::stranger(&server).delete("/api/v1/session").await;
    assert_eq!(nobody.status, 204, "a visitor without a session may sign out");
}

#[tokio::test]
async fn a_cookie_set_over_https_is_for_this_host_alone() {
    let (server, _database) = proxied().await;
    let [over_http, over_https] = names(&server);
    let first = open(&server, "https", "").await;
    let cookie = first.headers()[header::SET_COOKIE].to_str().unwrap().to_lowercase();
    let name = format!("{}=", over_https.to_lowercase());
    for attribute in
        [name.as_str(), "; max-age=34560000", "; secure", "; path=/", "; httponly", "; samesite=lax"]
    {
        assert!(cookie.contains(attribute), "no {attribute} in {cookie}");
    }
    assert!(!cookie.contains("domain"), "{cookie}");
    let token = set(&first, &over_https).unwrap();
    let me = player(first).await;
    assert_eq!(player(open(&server, "https", &format!("{over_https}={token}")).await).await, me);

    let planted = open(&server, "https", "").await;
    let planted = format!("{over_http}={}; {over_https}={token}", set(&planted, &over_https).unwrap());
    assert_eq!(
        player(open(&server, "https", &planted).await).await,
        me,
        "a neighbour's cookie changes nothing"
    );
    let plain = open(&server, "http", "").await;
    assert!(set(&plain, &over_http).is_some() && set(&plain, &over_https).is_none(), "{plain:?}");
}

#[tokio::test]
async fn an_old_cookie_that_comes_by_https_is_replaced_and_no_second_request_or_lost_answer_costs_the_guest()
{
    let (server, _database) = proxied().await;
    let [over_http, over_https] = names(&server);
    let old = open(&server, "http", "").await;
    let old_cookie = format!("{over_http}={}", set(&old, &over_http).unwrap());
    let me = player(old).await;
    let elsewhere = Player::stranger(&server).request(Method::PATCH, "/api/v1/session");
    let elsewhere = elsewhere.header("x-forwarded-proto", "https").header(header::COOKIE, old_cookie.clone());
    let refused = Player::stranger(&server).send(elsewhere.json(&json!({"name": "Mallory"}))).await;
    refused.is_problem(401, "no_session");

    let migrated = open(&server, "https", &old_cookie).await;
    assert_eq!(set(&migrated, &over_http).as_deref(), Some(""), "it is taken away");
    let token = set(&migrated, &over_https).unwrap();
    assert_eq!(player(migrated).await, me);
    let (one, other) = tokio::join!(open(&server, "https", &old_cookie), open(&server, "https", &old_cookie));
    let tokens = [&one, &other].map(|answer| set(answer, &over_https).unwrap());
    assert!(tokens[0] != tokens[1] && !tokens.contains(&token), "each answer has a token of its own");
    for again in [one, other] {
        assert_eq!(player(again).await, me);
    }
    assert_eq!(player(open(&server, "https", &format!("{over_https}={token}")).await).await, me);
    let leaving = Player::stranger(&server).request(Method::DELETE, "/api/v1/session");
    let leaving =
        leaving.header("x-forwarded-proto", "https").header(header::COOKIE, format!("{over_https}={token}"));
    assert_eq!(Player::stranger(&server).send(leaving).await.status, 204);
    for cookie in [old_cookie, format!("{over_https}={}", tokens[0])] {
        assert_ne!(player(open(&server, "https", &cookie).await).await, me, "who has left has no session");
    }
}

#[tokio::test]
async fn answers_have_cache_headers_and_https_ones_hsts() {
    let (server, _database) = proxied().await;
    let ada = Player::stranger(&server).with_session().await;
    let game = ada.open_room("fibonacci", "link").await;
    let ask = async |method: Method, path: &str, protocol: &str| {
        let request = ada.request(method, path).header("x-forwarded-proto", protocol);
        request.header(header::ACCEPT_ENCODING, "gzip").send().await.unwrap()
    };
    let said = |response: &Response, name: header::HeaderName| {
        let values =
            response.headers().get_all(name).iter().map(|value| value.to_str().unwrap().to_lowercase());
        values.collect::<Vec<_>>().join(", ")
    };
    for (method, path, kept) in [
        (Method::POST, "/api/v1/session", "no-store"),
        (Method::PATCH, "/api/v1/session", "no-store"),
        (Method::GET, "/api/v1/games?list=mine", "no-store"),
        (Method::GET, "/api/v1/games?list=played", "no-store"),
        (Method::GET, "/api/v1/games?list=finished", "no-store"),
        (Method::GET, &format!("/api/v1/games/{game}"), "no-store"),
        (Method::GET, &format!("/api/v1/games/{game}/record.txt"), "no-store"),
        (Method::GET, "/api/v1/blocks", "no-store"),
        (Method::GET, "/api/v1/rooms", "no-store"),
        (Method::GET, "/api/v1/nothing", "no-store"),
        (Method::PUT, "/api/v1/rooms", "no-store"),
        (Method::GET, "/ws", "no-store"),
        (Method::GET, "/readyz", "no-store"),
        (Method::GET, "/no/such/page", "no-store"),
        (Method::GET, "/", "no-cache"),
        (Method::GET, "/connection/api.js", "no-cache"),
    ] {
        let answer = ask(method.clone(), path, "https").await;
        let shown = format!("{method} {path}: {:?}", answer.headers());
        assert_eq!(said(&answer, header::CACHE_CONTROL), kept, "{shown}");
        assert_eq!(said(&answer, header::STRICT_TRANSPORT_SECURITY), "max-age=31536000", "{shown}");
        assert_eq!(said(&answer, header::X_CONTENT_TYPE_OPTIONS), "nosniff", "{shown}");
        if path.starts_with("/api/v1/") {
            assert!(said(&answer, header::VARY).contains("cookie"), "{shown}");
        }
        let plain = ask(method, path, "http").await;
        assert_eq!(said(&plain, header::STRICT_TRANSPORT_SECURITY), "", "{shown}");
    }
    let file = ask(Method::GET, "/connection/api.js", "http").await;
    let known = ada
        .request(Method::GET, "/connection/api.js")
        .header(header::IF_NONE_MATCH, said(&file, header::ETAG));
    let unsure = known.send().await.unwrap();
    // Tags are case-sensitive: in lower case this one does not match.
    assert_eq!((unsure.status().as_u16(), said(&unsure, header::CACHE_CONTROL).as_str()), (200, "no-cache"));
    let tag = file.headers()[header::ETAG].clone();
    let known = ada
        .request(Method::GET, "/connection/api.js")
        .header(header::IF_NONE_MATCH, tag)
        .send()
        .await
        .unwrap();
    assert_eq!((known.status().as_u16(), said(&known, header::CACHE_CONTROL).as_str()), (304, "no-cache"));
}

#[tokio::test]
async fn ambiguous_requests_and_long_bodies_are_refused() {
    let database = Database::sqlite();
    let server = Server::start(&database).await;
    let cookie = Player::enter(&server).await.cookie().unwrap().to_owned();
    let get = |headers: &str| format!("GET /healthz HTTP/1.1\r\n{headers}connection: close\r\n\r\n");
    let post = |length: usize, body: &str| {
        format!(
            "POST /api/v1/rooms HTTP/1.1\r\nhost: h\r\ncookie: {cookie}\r\ncontent-type: application/json\r\n\
             content-length: {length}\r\n\r\n{body}"
        )
    };
    let blanks = |length: usize| post(length, &" ".repeat(length));
    for (request, expected) in [
        (get("host: h\r\n"), "200"),
        (get(""), "400"),
        (get("host: h\r\nhost: h\r\n"), "400"),
        (get("host: h\r\nhost: evil.example\r\n"), "400"),
        ("GET /healthz HTTP/1.0\r\n\r\n".to_owned(), "200"),
        (get(&format!("host: h\r\nx-long: {}\r\n", "x".repeat(31 * 1024))), "200"),
        (get(&format!("host: h\r\nx-long: {}\r\n", "x".repeat(33 * 1024))), "431"),
        (get(&format!("host: h\r\nx-long: {}\r\n", "x".repeat(40 * 1024))), "431"),
        (blanks(16 * 1024 + 1), "413"),
        (blanks(25 * 1024), "413"),
        (blanks(200 * 1024), "413"),
    ] {
        // The server reads the whole body, so the connection stays open for this request, which ends it.
        let last = if request.starts_with("POST") { get("host: h\r\n") } else { String::new() };
        let answer = exchange(&server, HERE, format!("{request}{last}").as_bytes()).await;
        let shown: String = request.chars().take(80).collect();
        assert_eq!(status(&answer), expected, "{shown} of {}: {answer}", request.len());
        if !last.is_empty() {
            assert!(answer.contains("HTTP/1.1 200 "), "the connection is as before: {answer}");
        }
    }
}

#[tokio::test]
async fn names_and_lines_are_normalised() {
    let database = Database::sqlite();
    let server = Server::start(&database).await;
    let ada = Player::enter(&server).await;
    for unseen in [
        "\u{3164}",
        "\u{115f}",
        "\u{ffa0}",
        "\u{2800}",
        "\u{17b4}",
        "\u{34f}",
        "\u{180b}",
        "\u{1d173}",
        "\u{1bca0}",
        "\u{301}",
        "Adа",
    ] {
        ada.patch("/api/v1/session", &json!({"name": unseen})).await.is_problem(422, "invalid_body");
    }
    let renamed = ada.patch("/api/v1/session", &json!({"name": "Le\u{301}onard"})).await.ok();
    assert_eq!(renamed["player"]["name"], "Léonard");
    let game = ada.open_room("fibonacci", "public").await;
    Player::enter(&server).await.join(&game).await.ok();
    let mut socket = ada.follow(&game).await;
    let say =
        |command: &str, text: &str| json!({"type": "say", "command": command, "game": game, "text": text});
    assert_eq!(socket.ask(&say("unseen", "\u{3164}\u{2800}")).await["code"], "invalid");
    assert_eq!(
        socket.ask(&say("seen", "\u{202e}good\u{200b} luck!\u{301}\u{301}\u{301}\u{301}\u{301}")).await["type"],
        "ack"
    );
    let said = socket.take_type("chat").await;
    assert_eq!(said["lines"][0]["text"], "good luck!\u{301}\u{301}\u{301}");
}
