//! The limits of one address, directly and behind a proxy.

use futures_util::future::join_all;
use reqwest::{Method, Response, header};
use serde_json::Value;
use system_tests::{
    database::Database,
    player::Player,
    server::Server,
    socket::{Connect, Socket},
    timeout,
};
use tokio::{io::AsyncReadExt, net::TcpStream};

/// A proxy on this machine.
const PROXIED: [&str; 4] = ["--trusted-proxies", "127.0.0.0/8,::1/128", "--address-factor", "1"];

/// Maximum number of open sockets of one address.
const SOCKETS: usize = 256;

/// Maximum number of open connections of one address.
const CONNECTIONS: usize = 512;

async fn proxied() -> (Server, Database) {
    let database = Database::sqlite();
    (Server::start_with(&database, &PROXIED).await, database)
}

/// Requests `number` new sessions at once from an address.
async fn sessions(server: &Server, address: &str, number: usize) -> Vec<Response> {
    let strangers: Vec<Player> =
        (0..number).map(|_| Player::stranger(server).forwarded_for(address)).collect();
    join_all(strangers.iter().map(|stranger| stranger.respond(Method::POST, "/api/v1/session", None))).await
}

#[tokio::test]
async fn an_address_gets_new_sessions_at_a_rate_and_is_told_when_to_retry() {
    // At one a second after the first sixty, some of these are refused however slow the machine is.
    const VISITORS: usize = 400;
    let (server, _database) = proxied().await;
    let answers = sessions(&server, "192.0.2.1", VISITORS).await;
    let (welcome, refused): (Vec<_>, Vec<_>) =
        answers.into_iter().partition(|answer| answer.status().is_success());
    assert!(welcome.len() >= 60, "a school comes in at once: {}", welcome.len());
    assert!(!refused.is_empty());
    for answer in refused {
        assert_eq!(answer.status(), 429);
        let wait = answer.headers().get(header::RETRY_AFTER).unwrap().to_str().unwrap();
        assert!(wait.parse::<u64>().unwrap() >= 1, "{wait}");
        let problem: Value = timeout("the problem", answer.json()).await.unwrap();
        assert_eq!(problem["code"], "too_fast");
    }
    let others = Player::stranger(&server).forwarded_for("192.0.2.2").with_session().await;
    others.open_room("fibonacci", "public").await;
    // Forged addresses before the client's own do not change its address.
    let answers = sessions(&server, "198.51.100.1, 192.0.2.1, 127.0.0.9", VISITORS).await;
    assert!(answers.iter().any(|answer| answer.status() == 429));
}

#[tokio::test]
async fn the_sockets_of_an_address_are_limited() {
    let (server, _database) = proxied().await;
    let player = Player::stranger(&server).forwarded_for("192.0.2.1").with_session().await;
    let mut sockets = Vec::new();
    for _ in 0..SOCKETS {
        sockets.push(player.connect().await);
    }
    let refused = Socket::open(&player, Connect::default()).await;
    assert_eq!(refused.err().map(|status| status.as_u16()), Some(429), "before the upgrade");
    let other = Player::stranger(&server).forwarded_for("2001:db8::1").with_session().await;
    other.connect().await.hello(&[], false).await;
    drop(sockets.pop());
    timeout("a place for another socket", async {
        while Socket::open(&player, Connect::default()).await.is_err() {}
    })
    .await;
}

#[tokio::test]
async fn the_connections_of_an_address_are_limited_and_silent_ones_cut() {
    let database = Database::sqlite();
    let server = Server::start_with(&database, &["--address-factor", "1"]).await;
    // A machine that stalls for long enough may cut the first before the last comes.
    timeout("one connection too many", async {
        loop {
            let mut connections = Vec::new();
            for _ in 0..CONNECTIONS + 50 {
                connections.push(TcpStream::connect(server.address()).await.unwrap());
            }
            let ends = join_all(connections.into_iter().map(until_its_end)).await;
            let told: Vec<&String> = ends.iter().filter(|said| !said.is_empty()).collect();
            for said in &told {
                assert!(said.starts_with("HTTP/1.1 429 ") && said.contains("too_many_connections"), "{said}");
            }
            if !told.is_empty() {
                return;
            }
        }
    })
    .await;
    assert_eq!(Player::stranger(&server).get("/healthz").await.status, 200, "there is a place again");
}

/// Reads an idle connection to its end.
async fn until_its_end(mut tcp: TcpStream) -> String {
    let mut said = String::new();
    let _ = tcp.read_to_string(&mut said).await;
    said
}

#[tokio::test]
async fn a_session_opened_over_https_is_kept_for_https() {
    let (server, _database) = proxied().await;
    let stranger = Player::stranger(&server);
    for (protocol, is_secure) in [("https", true), ("http", false)] {
        let request = stranger.request(Method::POST, "/api/v1/session").header("x-forwarded-proto", protocol);
        let answer = timeout("the session", request.send()).await.unwrap();
        let cookie = answer.headers().get(header::SET_COOKIE).unwrap().to_str().unwrap();
        assert_eq!(cookie.contains("Secure"), is_secure, "{cookie}");
    }
}

#[tokio::test]
async fn behind_a_proxy_that_hides_the_host_the_configured_origin_holds() {
    let database = Database::sqlite();
    let server = Server::start_with(&database, &["--origin", "https://towers.example"]).await;
    let player = Player::enter(&server).await;
    let here = server.url("");
    for (origin, is_taken) in [("https://towers.example", true), (here.as_str(), false)] {
        let socket = Socket::open(&player, Connect { origin: Some(origin), ..Connect::default() }).await;
        assert_eq!(socket.is_ok(), is_taken, "{origin}");
        let request = player.request(Method::POST, "/api/v1/session").header("origin", origin);
        assert_eq!(player.send(request).await.status.is_success(), is_taken, "{origin}");
    }
}
