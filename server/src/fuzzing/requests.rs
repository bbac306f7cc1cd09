//! HTTP requests, as the routes receive them.

use std::sync::Arc;

use axum::{
    body::{Body, Bytes, to_bytes},
    extract::OptionalFromRequestParts,
    http::{HeaderMap, HeaderValue, Method, Request, Response, StatusCode, Uri, header, request::Parts},
};
use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use clap::Parser;
use engine::{Ruleset, Seed};
use game::{
    Command, Player, SeatChoice, Terms, Visibility, Watching,
    ids::{CommandId, GameId, PlayerId, PlayerName},
};
use hyper::service::Service as _;
use hyper_util::service::TowerToHyperService;
use protocol::NewRoom;
use store::{Memory, Store, TokenHash};
use tokio::runtime::Handle;
use uuid::Uuid;

use super::{
    headers::header,
    node::{self, address, requester},
};
use crate::{
    app::{self},
    cluster::bus::Bus,
    compute::Compute,
    config::Arguments,
    credentials::Passwords,
    env::Env,
    http,
    identity::Visitor,
    live::{Beginner, Request as GameRequest},
    net::{address::Client, gate::Gate, origin::is_foreign, peer::Peer},
    state::App,
    tasks::Tasks,
};

/// Maximum number of bytes of an answer; the largest one is a script of the client.
const MAX_ANSWER: usize = 4 * 1024 * 1024;

/// Name of the session cookie over HTTPS.
const HOST_COOKIE: &str = "__Host-towers_session";

/// Name of the session cookie over plain HTTP.
const PLAIN_COOKIE: &str = "towers_session";

/// Names of the players of a private game.
const HIDDEN_NAMES: [&str; 2] = ["Hyacinth", "Nightingale"];

/// Reads bytes as a request: method and path, headers, an empty line, the body. The answer contains nothing that the
/// player of the cookie may not see, and the request changes nothing without permission.
///
/// In the path, `{room}`, `{hidden}` and `{ended}` stand for games; in headers, `{ada}` and `{hidden}` for tokens.
pub fn requests(bytes: &[u8]) {
    node::run(async {
        let site = Site::open().await;
        let Some((parts, body)) = site.read(bytes) else { return };
        site.ask(parts, body).await;
    });
}

/// Server with a few games.
#[derive(Debug)]
struct Site {
    app: App,
    store: Arc<Memory>,
    sessions: Vec<(Player, [u8; 32])>,
    room: GameId,
    hidden: GameId,
    ended: GameId,
}

impl Site {
    async fn open() -> Self {
        let memory = Arc::<Memory>::default();
        let store: Arc<dyn Store> = memory.clone();
        let tasks = Tasks::default();
        let (writer, writing) = store::writer(store.clone(), Handle::current());
        tasks.tracker().spawn(writing);
        let Arguments { config, .. } = Arguments::parse_from(["towers", "--trusted-proxies", "127.0.0.1/32"]);
        let (bus, compute) = (Bus::alone(), Compute::at_once());
        let app = app::assemble(&config, Env::of_test(1), store, writer, bus, compute, &tasks).await;
        let mut app = app.expect("the store can be read");
        app.parts_mut().passwords = Passwords::new(Compute::at_once());
        let mut sessions = Vec::new();
        for (number, name) in (1_u8..).zip(["Ada", HIDDEN_NAMES[0], HIDDEN_NAMES[1]]) {
            let name = PlayerName::try_from(name.to_owned()).expect("a name");
            let player = Player { id: PlayerId::new(Uuid::from_u128(number.into())), name };
            let token = [number; 32];
            let made = app.writer.create_player(player.clone(), TokenHash::of(&token), app.env.now_ms());
            made.await.expect("the player is stored");
            sessions.push((player, token));
        }
        let people: Vec<Player> = sessions.iter().map(|(player, _)| player.clone()).collect();
        let room = make(&app, &people[0], Visibility::Public, Watching::Everybody).await;
        let hidden = make(&app, &people[1], Visibility::Public, Watching::Nobody).await;
        give(&app, hidden, &people[2], Command::Join { coin: true }).await;
        let ended = make(&app, &people[0], Visibility::Public, Watching::Everybody).await;
        let guest = Player { id: PlayerId::new(Uuid::from_u128(9)), ..people[0].clone() };
        give(&app, ended, &guest, Command::Join { coin: true }).await;
        give(&app, ended, &guest, Command::Resign).await;
        Self { app, store: memory, sessions, room, hidden, ended }
    }

    /// Parses a request; `None` if the bytes are none.
    fn read(&self, bytes: &[u8]) -> Option<(Parts, Bytes)> {
        let (head, body) = match bytes.windows(2).position(|pair| pair == b"\n\n") {
            Some(place) => (&bytes[..place], &bytes[place + 2..]),
            None => (bytes, &[][..]),
        };
        let mut head = String::from_utf8_lossy(head).into_owned();
        for (name, game) in [("{room}", self.room), ("{hidden}", self.hidden), ("{ended}", self.ended)] {
            let (line, rest) = head.split_once('\n').unwrap_or((&head, ""));
            head = format!("{}\n{rest}", line.replace(name, &game.to_string()));
        }
        for (name, (_, token)) in ["{ada}", "{hidden}"].into_iter().zip(&self.sessions) {
            head = head.replace(name, &BASE64_URL_SAFE_NO_PAD.encode(token));
        }
        let (line, lines) = head.split_once('\n')?;
        let (method, uri) = line.split_once(' ')?;
        let method = Method::from_bytes(method.as_bytes()).ok()?;
        let mut request = Request::builder().method(method).uri(Uri::try_from(uri).ok()?).body(()).ok()?;
        for (name, value) in lines.split('\n').filter_map(|line| header(line.as_bytes())) {
            request.headers_mut().append(name, value);
        }
        // The gate rejects requests without a host.
        request.headers_mut().entry(header::HOST).or_insert(HeaderValue::from_static("towers.example"));
        Some((request.into_parts().0, Bytes::copy_from_slice(body)))
    }

    /// Sends a request, and checks its effect and its answer.
    async fn ask(&self, parts: Parts, body: Bytes) {
        let (method, path, headers) = (parts.method.clone(), parts.uri.clone(), parts.headers.clone());
        let sent = String::from_utf8_lossy(&body).into_owned();
        let mut request = Request::from_parts(parts, Body::from(body));
        let gate = Gate::new(Peer::made_up(), self.app.addresses.clone(), self.app.proxies.clone());
        let client = match gate.admit(&mut request).map(|admitted| admitted.client) {
            Ok(client) => client,
            Err(refused) => {
                let status = refused.response().status();
                return assert!(status.is_client_error(), "{method} {path} {headers:?}: {refused:?}");
            }
        };
        let (parts, body) = request.into_parts();
        let visitor = self.visitor(parts.clone(), client).await;
        let before = self.store.n_writes();
        let router = TowerToHyperService::new(http::router(self.app.clone()));
        let answer = router.call(Request::from_parts(parts, body)).await;
        let (answer, body) = answer.expect("a router answers").into_parts();
        let body = to_bytes(Body::new(body), MAX_ANSWER).await.expect("an answer can be read");
        let answer = Response::from_parts(answer, body);
        let what = format!("{method} {path} {headers:?} {sent:?}: {answer:?}");

        assert!(!answer.status().is_server_error(), "{what}");
        let is_foreign = is_foreign(&headers, None);
        let is_reading = [Method::GET, Method::HEAD, Method::OPTIONS].contains(&method);
        let is_session = path.path() == "/api/v1/session" && [Method::POST, Method::DELETE].contains(&method);
        let sets_cookies = is_session || ["/api/v1/account", "/api/v1/sessions"].contains(&path.path());
        if self.store.n_writes() > before {
            assert!(!is_reading && !is_foreign, "a request without permission changed something: {what}");
            assert!(visitor.is_some() || is_session, "a request without a session changed something: {what}");
        }
        check_headers(&headers, answer.headers(), &what);
        let cookies = answer.headers().get_all(header::SET_COOKIE);
        for cookie in cookies.iter().map(|cookie| cookie.to_str().expect(&what)) {
            assert!(sets_cookies, "{what}");
            check_cookie(cookie, client, &what);
        }
        let is_problem = answer.status().is_client_error() && method != Method::HEAD;
        if answer.headers().contains_key(header::CONTENT_ENCODING) {
            return;
        }
        if is_problem {
            let problem: protocol::Problem = serde_json::from_slice(answer.body()).expect(&what);
            assert_eq!(StatusCode::from_u16(problem.status).ok(), Some(answer.status()), "{what}");
            assert!(problem.status == problem.code.status() && !problem.detail.is_empty(), "{what}");
        }
        let is_hidden_from = visitor.is_none_or(|visitor| visitor.id == self.sessions[0].0.id);
        let answered = String::from_utf8_lossy(answer.body());
        for name in HIDDEN_NAMES {
            let is_echo = sent.contains(name) || path.to_string().contains(name);
            assert!(!is_hidden_from || is_echo || !answered.contains(name), "{name} is revealed: {what}");
        }
    }

    /// Returns the player that the cookies of a request authenticate, and checks that a known token is among them.
    async fn visitor(&self, mut parts: Parts, client: Client) -> Option<Player> {
        let visitor = <Visitor as OptionalFromRequestParts<App>>::from_request_parts(&mut parts, &self.app);
        let Visitor(player) = visitor.await.expect("the store can be read")?;
        let session = self.sessions.iter().find(|(known, _)| known.id == player.id);
        let (_, token) = session.expect("only these players have sessions");
        // Over plain HTTP a cookie of either name is accepted. `HOST_COOKIE` ends with `PLAIN_COOKIE`, and a port may
        // follow.
        let name = if client.is_https { HOST_COOKIE } else { PLAIN_COOKIE };
        let proof = BASE64_URL_SAFE_NO_PAD.encode(token);
        let cookies = parts.headers.get_all(header::COOKIE);
        let is_proved = cookies.iter().any(|cookies| {
            let cookies = String::from_utf8_lossy(cookies.as_bytes()).into_owned();
            cookies.contains(name) && cookies.contains(&proof)
        });
        assert!(is_proved, "{:?} authenticate nobody", parts.headers);
        Some(player)
    }
}

/// Checks that an answer has the security headers, each once, and an id that the client did not choose.
fn check_headers(sent: &HeaderMap, answered: &HeaderMap, what: &str) {
    for name in [
        "content-security-policy",
        "cross-origin-resource-policy",
        "referrer-policy",
        "x-content-type-options",
    ] {
        assert_eq!(answered.get_all(name).iter().count(), 1, "{name}: {what}");
    }
    let is_page =
        answered.get(header::CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"));
    assert_eq!(answered.contains_key("permissions-policy"), is_page, "{what}");
    let is_shared = answered.contains_key("access-control-allow-origin");
    let is_private = sent.contains_key(header::COOKIE) && answered.contains_key(header::CONTENT_TYPE);
    let is_file = answered.get("cross-origin-resource-policy").is_some_and(|policy| policy == "cross-origin");
    assert!(!is_shared || !is_private || is_file, "another origin may read what is for a visitor: {what}");
    let id = answered.get("x-request-id").expect(what);
    assert!(sent.get("x-request-id") != Some(id), "{what}");
}

/// Checks that a cookie is that of a session or a device, and is withheld from scripts and from other sites. A new cookie is
/// restricted to HTTPS exactly if the request came over HTTPS.
fn check_cookie(cookie: &str, client: Client, what: &str) {
    let (name, value) = cookie.split_once('=').expect(what);
    let is_secure = name.starts_with("__Host-");
    let is_own = |own: &str| name.trim_start_matches("__Host-").starts_with(own);
    assert!(is_own(PLAIN_COOKIE) || is_own("towers_device"), "{what}");
    for word in ["HttpOnly", "SameSite=Lax", "Path=/"] {
        assert!(cookie.contains(word), "{word}: {what}");
    }
    assert_eq!(cookie.contains("Secure"), is_secure, "{what}");
    let is_given = !value.starts_with(';');
    assert!(!is_given || is_secure == client.is_https, "{what}");
}

async fn make(app: &App, maker: &Player, visibility: Visibility, watching: Watching) -> GameId {
    let terms = Terms { watching, ..Terms::default() };
    let (ruleset, seat) = (Ruleset::Crossfire, SeatChoice::First);
    let room = NewRoom {
        ruleset,
        seat: seat.into(),
        visibility: visibility.into(),
        challenged: None,
        answers: None,
        start: None,
        terms: terms.into(),
    };
    let maker = Beginner { player: maker.clone(), address: address() };
    app.games.create(room, maker, Seed::new([7; 32])).await.expect("a room is made").id
}

async fn give(app: &App, game: GameId, who: &Player, command: Command) {
    let id = CommandId::try_from(app.env.id().to_string()).expect("letters and digits");
    let (who, requester) = (who.clone(), requester(who.id));
    let request =
        GameRequest { id, who, requester, command, received_ms: app.env.now_ms(), over_budget: None };
    app.games.command(game, request).await.expect("the command is legal");
}
