//! Requests as browsers, proxies and other programs on the host send them.

use std::net::Ipv4Addr;

use reqwest::{Method, Response, header};
use serde_json::{Value, json};
use system_tests::{
    database::Database, game::Game, pair::Pair, player::Player, raw::exchange, server::Server,
};

async fn start() -> (Server, Database) {
    let database = Database::sqlite();
    (Server::start(&database).await, database)
}

/// Sends a request with these headers, whatever bytes they have.
async fn ask(server: &Server, method: Method, path: &str, headers: &[(&str, &[u8])]) -> Response {
    let request = Player::stranger(server).request(method, path);
    let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
    request.send().await.expect("the server responds")
}

/// The player of the session that a browser with these cookies has.
async fn visitor(server: &Server, cookies: &[u8]) -> String {
    let response = ask(server, Method::POST, "/api/v1/session", &[("cookie", cookies)]).await;
    let session: Value = response.json().await.expect("a session is JSON");
    session["player"]["id"].as_str().expect("a player has an id").to_owned()
}

/// The value of a header, of all its lines.
fn header_of(response: &Response, name: &str) -> Option<String> {
    let lines = response.headers().get_all(name).iter().map(|value| value.to_str().expect("it is text"));
    let lines: Vec<&str> = lines.collect();
    (!lines.is_empty()).then(|| lines.join(", "))
}

#[tokio::test]
async fn a_visitor_is_found_whatever_cookies_other_programs_leave() {
    let (server, _database) = start().await;
    let ada = Player::enter(&server).await;
    let ours = ada.cookie().expect("a session has a cookie").as_bytes();
    let (name, token) = (&ours[..ours.len() - 44], ada.token().as_bytes());
    let dead = [b"=", &b"A".repeat(43)[..]].concat();
    for cookies in [
        [b"theirs=\xff\xe9; ", ours].concat(),
        [ours, b"; theirs=\xff"].concat(),
        [b"theirs=\"a; ", ours, b"; b\""].concat(),
        [name, b"=\"", token, b"\""].concat(),
        // Set by another host of the domain, or for another path.
        [name, &dead, b"; ", ours].concat(),
        [name, b"=; ", name, b"=\xff; ", ours].concat(),
        // The name of an earlier release, and that of an earlier port.
        [b"towers_session=", token].concat(),
        [b"towers_session", &dead[..], b"; towers_session_1=", token].concat(),
    ] {
        let shown = String::from_utf8_lossy(&cookies).into_owned();
        assert_eq!(visitor(&server, &cookies).await, ada.id(), "{shown}");
    }
    let nobody = [b"xtowers_session=", token].concat();
    assert_ne!(visitor(&server, &nobody).await, ada.id());
}

#[tokio::test]
async fn two_servers_on_one_host_do_not_end_each_others_guests() {
    let ((one, _kept), (other, _too)) = tokio::join!(start(), start());
    let [ada, blaise] = [Player::enter(&one).await, Player::enter(&other).await];
    let jar = format!("{}; {}", ada.cookie().unwrap(), blaise.cookie().unwrap());
    assert_ne!(jar.split('=').next(), blaise.cookie().unwrap().split('=').next(), "both are kept");
    assert_eq!(visitor(&one, jar.as_bytes()).await, ada.id());
    assert_eq!(visitor(&other, jar.as_bytes()).await, blaise.id());
    let left = ask(&other, Method::DELETE, "/api/v1/session", &[("cookie", jar.as_bytes())]).await;
    assert_eq!(left.status(), 204);
    let port = other.address().port().to_string();
    for removed in left.headers().get_all(header::SET_COOKIE) {
        let name = removed.to_str().unwrap().split('=').next().unwrap();
        assert!(name.ends_with(&port), "{name} is not of this server");
    }
    assert_eq!(visitor(&one, jar.as_bytes()).await, ada.id());
    assert_ne!(visitor(&other, jar.as_bytes()).await, blaise.id());
}

#[tokio::test]
async fn a_head_is_answered_wherever_a_get_is() {
    let (server, _database) = start().await;
    let pair = Pair::open(&server, "fibonacci").await;
    let game = &pair.game;
    for path in [
        "/",
        "/games",
        "/turns",
        "/inbox",
        "/learn",
        "/rules/fibonacci",
        "/service-worker.js",
        "/connection/api.js",
        "/no/such/page",
        "/healthz",
        "/readyz",
        "/api/v1/rooms",
        "/api/v1/nothing",
        "/api/v1/games?list=finished",
        "/api/v1/openapi.json",
        "/api/v1/puzzles",
        "/api/v1/examples/focus",
        &format!("/game/{game}"),
        &format!("/embed/{game}"),
        &format!("/api/v1/games/{game}"),
        &format!("/api/v1/games/{game}/record.txt"),
        &format!("/api/v1/games/{game}/picture.svg"),
    ] {
        let got = ask(&server, Method::GET, path, &[]).await;
        let head = ask(&server, Method::HEAD, path, &[]).await;
        assert_eq!(head.status(), got.status(), "{path}");
        for name in ["content-type", "etag", "cache-control", "access-control-allow-origin"] {
            assert_eq!(header_of(&head, name), header_of(&got, name), "{name} of {path}");
        }
        assert!(head.bytes().await.expect("it can be read").is_empty(), "{path}");
    }
}

#[tokio::test]
async fn conditions_and_ranges_are_read_in_any_form() {
    let (server, _database) = start().await;
    for path in ["/connection/api.js", "/rules/fenix", "/api/v1/examples/fenix"] {
        let plain = ask(&server, Method::GET, path, &[]).await;
        let tag = header_of(&plain, "etag").expect("it has a tag");
        let strong = tag.trim_start_matches("W/").to_owned();
        for (name, value, expected) in [
            ("if-none-match", tag.clone(), 304),
            ("if-none-match", strong.clone(), 304),
            ("if-none-match", format!("\"other\",{tag}"), 304),
            ("if-none-match", format!("\"\u{e9}\", {strong}"), 304),
            ("if-none-match", "*".to_owned(), 304),
            ("if-none-match", "\"other\"".to_owned(), 200),
            ("if-none-match", "nonsense".to_owned(), 200),
            ("if-modified-since", "Wed, 21 Oct 2037 07:28:00 GMT".to_owned(), 200),
            ("if-modified-since", "yesterday".to_owned(), 200),
            ("range", "bytes=0-1".to_owned(), 200),
            ("range", "bytes=9999999-".to_owned(), 200),
        ] {
            let answer = ask(&server, Method::GET, path, &[(name, value.as_bytes())]).await;
            assert_eq!(answer.status(), expected, "{path} {name}: {value}");
        }
        for (accepted, expected) in [
            (&b"gzip"[..], true),
            (b"x-gzip", true),
            (b"\xff, gzip;q=0.5", true),
            (b"gzip;q=0", false),
            (b"identity", false),
            (b"identity;q=0", false),
            (b"*;q=0", false),
            (b"deflate, zstd", false),
            (b"", false),
        ] {
            let answer = ask(&server, Method::GET, path, &[("accept-encoding", accepted)]).await;
            let coding = header_of(&answer, "content-encoding");
            let shown = String::from_utf8_lossy(accepted);
            assert_eq!(answer.status(), 200, "{path} {shown}");
            assert_eq!(coding.as_deref() == Some("gzip"), expected, "{path} {shown}");
        }
    }
}

#[tokio::test]
async fn a_body_is_read_by_its_media_type_in_any_case_and_never_in_another_charset() {
    let (server, _database) = start().await;
    let ada = Player::enter(&server).await;
    let example = ask(&server, Method::GET, "/api/v1/examples/fenix", &[]).await;
    assert_eq!(example.status(), 200);
    let check = async |kind: &str| {
        let request = ada.request(Method::POST, "/api/v1/records/check").header(header::CONTENT_TYPE, kind);
        ada.send(request.body("no record")).await
    };
    for kind in ["text/plain", "Text/Plain", "TEXT/PLAIN; Charset=\"UTF-8\"", "text/plain;charset=us-ascii"] {
        check(kind).await.is_problem(422, "bad_record");
    }
    for kind in ["text/plain; charset=iso-8859-1", "application/json;charset=utf-16", "text/html", "text"] {
        check(kind).await.is_problem(415, "wrong_content_type");
    }
    let rename = async |kind: &str| {
        let request = ada.request(Method::PATCH, "/api/v1/session").header(header::CONTENT_TYPE, kind);
        ada.send(request.body(json!({"name": "Ada"}).to_string())).await
    };
    for kind in ["application/json", "Application/JSON; charset=utf-8"] {
        rename(kind).await.ok();
    }
    rename("application/json; charset=windows-1252").await.is_problem(415, "wrong_content_type");
}

#[tokio::test]
async fn a_client_that_waits_before_its_body_is_told_to_go_on() {
    let (server, _database) = start().await;
    for expect in ["100-continue", "100-Continue"] {
        let request = format!(
            "POST /api/v1/records/check HTTP/1.1\r\nhost: h\r\ncontent-type: text/plain\r\nexpect: {expect}\r\n\
             connection: close\r\ncontent-length: 2\r\n\r\nno"
        );
        let answer = exchange(&server, Ipv4Addr::LOCALHOST, request.as_bytes()).await;
        assert!(answer.contains("HTTP/1.1 422 "), "{answer}");
    }
}

#[tokio::test]
async fn a_page_of_another_origin_reads_what_anybody_may_read_and_nothing_else() {
    let (server, _database) = start().await;
    let game = Game::fibonacci();
    let mut pair = Pair::open(&server, &game.ruleset).await;
    pair.play_turns(&game, 0..1).await;
    let hidden = Pair::open_on(&server, &game.ruleset, json!({"watching": "nobody"})).await;
    let cookie = hidden.first.player.cookie().expect("a player has a session").to_owned();
    let read = async |path: &str, headers: &[(&str, &[u8])]| {
        let headers = [&[("origin", &b"null"[..])], headers].concat();
        ask(&server, Method::GET, path, &headers).await
    };
    let allowed = |response: &Response| header_of(response, "access-control-allow-origin");
    let any = Some("*".to_owned());
    for (path, status) in [
        (format!("/api/v1/games/{}", pair.game), 200),
        (format!("/api/v1/games/{}/record.txt", pair.game), 200),
        (format!("/api/v1/games/{}/picture.svg", pair.game), 200),
        (format!("/api/v1/games/{}", hidden.game), 403),
        ("/api/v1/games?list=finished".to_owned(), 200),
        ("/api/v1/games?list=mine".to_owned(), 401),
        ("/api/v1/rooms".to_owned(), 200),
        ("/api/v1/examples/fibonacci".to_owned(), 200),
        ("/api/v1/puzzles".to_owned(), 200),
        ("/api/v1/openapi.json".to_owned(), 200),
        ("/board/board.js".to_owned(), 200),
        ("/style/board.css".to_owned(), 200),
        ("/i18n/fr.json".to_owned(), 200),
    ] {
        let answer = read(&path, &[]).await;
        assert_eq!((answer.status().as_u16(), allowed(&answer)), (status, any.clone()), "{path}");
        assert_eq!(header_of(&answer, "access-control-allow-credentials"), None, "{path}");
        if path.starts_with("/api/") {
            let answer = read(&path, &[("cookie", cookie.as_bytes())]).await;
            assert_eq!(allowed(&answer), None, "{path} with a cookie");
            assert!(header_of(&answer, "vary").is_some_and(|vary| vary.contains("cookie")), "{path}");
        }
    }
    for path in ["/", "/readyz", &format!("/embed/{}", pair.game), "/service-worker.js"] {
        assert_eq!(allowed(&read(path, &[]).await), None, "{path}");
    }
}

#[tokio::test]
async fn a_page_of_another_origin_may_check_a_record_and_change_nothing() {
    let (server, _database) = start().await;
    let theirs = ("origin", &b"https://notes.example"[..]);
    let before = async |method: &[u8], path: &str| {
        let asked = ("access-control-request-method", method);
        ask(&server, Method::OPTIONS, path, &[theirs, asked]).await
    };
    let allowed = |response: &Response| header_of(response, "access-control-allow-origin");
    for (method, path) in [(&b"POST"[..], "/api/v1/records/check"), (b"GET", "/api/v1/rooms")] {
        let answer = before(method, path).await;
        assert_eq!((answer.status().as_u16(), allowed(&answer)), (204, Some("*".to_owned())), "{path}");
        let headers = header_of(&answer, "access-control-allow-headers");
        assert!(headers.is_some_and(|headers| headers.contains("content-type")), "{path}");
    }
    for (method, path) in [
        (&b"POST"[..], "/api/v1/session"),
        (b"PATCH", "/api/v1/session"),
        (b"DELETE", "/api/v1/session"),
        (b"POST", "/api/v1/rooms"),
        (b"post", "/api/v1/records/check"),
    ] {
        let answer = before(method, path).await;
        assert_eq!(allowed(&answer), None, "{path}");
        assert!(answer.status().is_client_error(), "{path}");
    }
    let kind = ("content-type", &b"text/plain"[..]);
    let checked = ask(&server, Method::POST, "/api/v1/records/check", &[theirs, kind]).await;
    assert_eq!((checked.status().as_u16(), allowed(&checked)), (422, Some("*".to_owned())));
    let opened = ask(&server, Method::POST, "/api/v1/session", &[theirs]).await;
    assert_eq!((opened.status().as_u16(), allowed(&opened)), (403, None));
}

#[tokio::test]
async fn an_answer_says_which_sites_may_show_it_and_that_no_page_uses_a_device() {
    let (server, _database) = start().await;
    let pair = Pair::open(&server, "focus").await;
    for (path, expected) in [
        ("/".to_owned(), "same-origin"),
        (format!("/game/{}", pair.game), "same-origin"),
        (format!("/api/v1/games/{}", pair.game), "same-origin"),
        ("/api/v1/nothing".to_owned(), "same-origin"),
        ("/no/such/page".to_owned(), "same-origin"),
        (format!("/embed/{}", pair.game), "cross-origin"),
        (format!("/api/v1/games/{}/picture.png", pair.game), "cross-origin"),
        ("/ui/theme.js".to_owned(), "cross-origin"),
        ("/style/board.css".to_owned(), "cross-origin"),
    ] {
        let answer = ask(&server, Method::GET, &path, &[]).await;
        assert_eq!(header_of(&answer, "cross-origin-resource-policy").as_deref(), Some(expected), "{path}");
        let policy = header_of(&answer, "permissions-policy");
        let is_page = header_of(&answer, "content-type").is_some_and(|kind| kind.starts_with("text/html"));
        assert_eq!(policy.is_some(), is_page, "{path}: browsers read it in documents alone");
        let is_closed = |policy: String| policy.contains("camera=()") && policy.contains("geolocation=()");
        assert!(policy.is_none_or(is_closed), "{path}");
    }
}
