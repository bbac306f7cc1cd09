//! A person with a browser, without the browser: a session and the requests that need it.

use std::net::SocketAddr;

use reqwest::{Method, Response, StatusCode, header};
use serde_json::{Value, json};

use crate::{
    server::Server,
    socket::{Connect, Socket},
    timeout,
};

/// A visitor of a server. It outlives the server's process, as a browser does.
#[derive(Clone, Debug)]
pub struct Player {
    http: reqwest::Client,
    address: SocketAddr,
    cookie: Option<String>,
    /// The `name=value` of the cookie by which accounts recognise the browser.
    device: Option<String>,
    id: String,
    /// Client address in the header of a proxy.
    forwarded_for: Option<String>,
}

/// An answer to a request.
#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub content_type: String,
    pub body: Value,
    text: String,
}

impl Answer {
    async fn of(response: Response) -> Self {
        let status = response.status();
        let content_type = response.headers().get(header::CONTENT_TYPE);
        let content_type = content_type.and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned();
        let bytes = timeout("the body", response.bytes()).await.expect("the body can be read");
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let body = serde_json::from_str(&text).unwrap_or(Value::Null);
        Self { status, content_type, body, text }
    }

    /// The body as text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the body of a successful answer.
    ///
    /// # Panics
    /// If the request failed.
    pub fn ok(self) -> Value {
        assert!(self.status.is_success(), "the request was refused: {self:?}");
        self.body
    }

    /// Asserts that the request was refused with a problem of this status and code.
    pub fn is_problem(&self, status: u16, code: &str) {
        assert_eq!((self.status.as_u16(), self.body["code"].as_str()), (status, Some(code)), "{self:?}");
        assert_eq!(self.content_type, "application/problem+json");
        assert_eq!(self.body["status"], status, "the body tells the status too");
        for field in ["title", "detail"] {
            assert!(self.body[field].as_str().is_some_and(|text| !text.is_empty()), "no {field}: {self:?}");
        }
    }
}

impl Player {
    /// A visitor without a session.
    pub fn stranger(server: &Server) -> Self {
        // A connection for each request: one that is kept may have gone down with a server that was killed.
        let http = reqwest::Client::builder().no_proxy().pool_max_idle_per_host(0);
        let http = http.build().expect("an HTTP client can be made");
        Self {
            http,
            address: server.address(),
            cookie: None,
            device: None,
            id: String::new(),
            forwarded_for: None,
        }
    }

    /// A guest with a session of its own.
    pub async fn enter(server: &Server) -> Self {
        Self::stranger(server).with_session().await
    }

    /// The same visitor through a proxy that reports this address.
    #[must_use]
    pub fn forwarded_for(self, address: &str) -> Self {
        Self { forwarded_for: Some(address.to_owned()), ..self }
    }

    /// The same visitor with a new session.
    #[must_use]
    pub async fn with_session(self) -> Self {
        let mut player = self;
        let response = player.respond(Method::POST, "/api/v1/session", None).await;
        player.keep(response).await;
        player
    }

    /// Signs in with this browser, by the path and the body of a request, and keeps the cookies. Returns the body of the
    /// answer.
    pub async fn signs_in(&mut self, path: &str, body: &Value) -> Value {
        let response = self.respond(Method::POST, path, Some(body)).await;
        self.keep(response).await
    }

    /// Keeps the cookies of an answer, and the id of its player. Returns the answer's body.
    async fn keep(&mut self, response: Response) -> Value {
        for cookie in response.headers().get_all(header::SET_COOKIE) {
            let pair = cookie.to_str().expect("a cookie is text").split(';').next().expect("split gives one");
            let kept = if pair.contains("towers_device") { &mut self.device } else { &mut self.cookie };
            *kept = Some(pair.to_owned());
        }
        let body = Answer::of(response).await.ok();
        self.id = body["player"]["id"].as_str().expect("a player has an id").to_owned();
        body
    }

    /// The same visitor of another server, on the same database.
    #[must_use]
    pub fn at(&self, address: SocketAddr) -> Self {
        Self { address, ..self.clone() }
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The `name=value` of the session cookie.
    pub fn cookie(&self) -> Option<&str> {
        self.cookie.as_deref()
    }

    /// Client address in the header of a proxy.
    pub fn forwarded(&self) -> Option<&str> {
        self.forwarded_for.as_deref()
    }

    /// The token in the session cookie.
    pub fn token(&self) -> &str {
        self.cookie().and_then(|pair| pair.split_once('=')).expect("the player has a session").1
    }

    /// The public id.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// A request of this player, to be sent by the caller.
    pub fn request(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        let mut request = self.http.request(method, format!("http://{}{path}", self.address));
        if let Some(address) = &self.forwarded_for {
            request = request.header("x-forwarded-for", address);
        }
        [&self.cookie, &self.device]
            .into_iter()
            .flatten()
            .fold(request, |request, cookie| request.header(header::COOKIE, cookie))
    }

    /// The whole response to a request, headers and all.
    pub async fn respond(&self, method: Method, path: &str, body: Option<&Value>) -> Response {
        let request = self.request(method, path);
        let request = match body {
            Some(body) => request.json(body),
            None => request,
        };
        timeout(format!("the response of {path}"), request.send()).await.expect("the server responds")
    }

    async fn answer(&self, method: Method, path: &str, body: Option<&Value>) -> Answer {
        Answer::of(self.respond(method, path, body).await).await
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.answer(Method::GET, path, None).await
    }

    pub async fn post(&self, path: &str, body: &Value) -> Answer {
        self.answer(Method::POST, path, Some(body)).await
    }

    pub async fn patch(&self, path: &str, body: &Value) -> Answer {
        self.answer(Method::PATCH, path, Some(body)).await
    }

    pub async fn delete(&self, path: &str) -> Answer {
        self.answer(Method::DELETE, path, None).await
    }

    /// Sends a request that the caller has made.
    pub async fn send(&self, request: reqwest::RequestBuilder) -> Answer {
        Answer::of(timeout("the response", request.send()).await.expect("the server responds")).await
    }

    /// Opens a room with the first seat for its maker, and returns the game's id.
    pub async fn open_room(&self, ruleset: &str, visibility: &str) -> String {
        let room = json!({"ruleset": ruleset, "seat": "first", "visibility": visibility});
        let summary = self.post("/api/v1/rooms", &room).await.ok();
        summary["id"].as_str().expect("a room has an id").to_owned()
    }

    pub async fn join(&self, game: &str) -> Answer {
        self.answer(Method::POST, &format!("/api/v1/rooms/{game}/join"), None).await
    }

    /// The game's document.
    pub async fn game(&self, game: &str) -> Value {
        self.get(&format!("/api/v1/games/{game}")).await.ok()
    }

    /// Opens an idle connection.
    pub async fn connect(&self) -> Socket {
        Socket::open(self, Connect::default()).await.expect("the server takes the connection")
    }

    /// Opens a connection that follows a game from its beginning.
    pub async fn follow(&self, game: &str) -> Socket {
        let mut socket = self.connect().await;
        socket.hello(&[(game, 0)], false).await;
        socket.take("the game", |message| message["type"] == "events").await;
        socket
    }
}
