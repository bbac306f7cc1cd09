//! Guests and their connections, as cheap as possible.

use std::{
    fmt,
    net::{IpAddr, SocketAddr},
    time::Duration,
};

use anyhow::{Context, bail, ensure};
use futures_util::{SinkExt, StreamExt};
use protocol::NewRoom;
use reqwest::{Method, RequestBuilder, StatusCode, header};
use serde_json::{Value, json};
use tokio::net::{TcpSocket, TcpStream};
use tokio_tungstenite::{
    WebSocketStream, client_async_with_config,
    tungstenite::{
        Message, Utf8Bytes,
        client::IntoClientRequest,
        http::HeaderValue,
        protocol::{CloseFrame, WebSocketConfig},
    },
};

use crate::{
    messages,
    wire::{Frame, parse},
};

/// Bytes read from a connection at once, as the server does it.
const READ_BUFFER: usize = 4 * 1024;

/// Timeout of answers while nothing is measured.
const PATIENCE: Duration = Duration::from_secs(120);

/// Time after which an idle connection is not used again. The server closes it after 10 s, perhaps while a request is on
/// its way.
const MOST_IDLE: Duration = Duration::from_secs(5);

/// HTTP client of a server, shared by all guests.
#[derive(Clone, Debug)]
pub struct Http {
    client: reqwest::Client,
    address: SocketAddr,
    /// Source address of connections; `None` leaves it to the kernel.
    source: Option<IpAddr>,
}

/// A visitor with a session.
#[derive(Clone, Debug)]
pub struct Guest {
    cookie: String,
}

impl Http {
    /// Returns a client of the server at an address.
    ///
    /// # Errors
    /// The HTTP client cannot be built.
    pub fn to(address: SocketAddr) -> anyhow::Result<Self> {
        Self::connecting(address, None)
    }

    /// Returns a client whose own address is `source`; any of `127.0.0.0/8` is possible.
    ///
    /// # Errors
    /// The HTTP client cannot be built.
    pub fn from(source: IpAddr, address: SocketAddr) -> anyhow::Result<Self> {
        Self::connecting(address, Some(source))
    }

    fn connecting(address: SocketAddr, source: Option<IpAddr>) -> anyhow::Result<Self> {
        let client = reqwest::Client::builder().no_proxy().timeout(PATIENCE).local_address(source);
        let client = client.pool_idle_timeout(MOST_IDLE).build()?;
        Ok(Self { client, address, source })
    }

    /// Address of the server.
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    fn post(&self, path: &str) -> RequestBuilder {
        self.request(Method::POST, path, None)
    }

    /// Returns a request, of a guest or without a session, for the caller to complete and send.
    pub fn request(&self, method: Method, path: &str, guest: Option<&Guest>) -> RequestBuilder {
        let request = self.client.request(method, format!("http://{}{path}", self.address));
        match guest {
            Some(guest) => request.header(header::COOKIE, &guest.cookie),
            None => request,
        }
    }

    /// Opens an idle TCP connection.
    ///
    /// # Errors
    /// The server does not accept it.
    pub async fn tcp(&self) -> anyhow::Result<TcpStream> {
        let socket = if self.address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
        if let Some(source) = self.source {
            socket.bind(SocketAddr::new(source, 0))?;
        }
        let tcp = socket.connect(self.address).await?;
        tcp.set_nodelay(true)?;
        Ok(tcp)
    }

    /// Creates a guest.
    ///
    /// # Errors
    /// The server refuses it.
    pub async fn enter(&self) -> anyhow::Result<Guest> {
        let response = self.post("/api/v1/session").send().await?.error_for_status()?;
        Guest::of(&response)
    }

    /// Opens a room, and returns the game's id.
    ///
    /// # Errors
    /// The server refuses it.
    pub async fn open_room(&self, maker: &Guest, room: &NewRoom) -> anyhow::Result<String> {
        self.ask_for_room(maker, room).await?.context("the server has too much to do for a new room")
    }

    /// As [`open_room`](Self::open_room); `None` if the server is overloaded.
    ///
    /// # Errors
    /// The server refuses it for another reason.
    pub async fn ask_for_room(&self, maker: &Guest, room: &NewRoom) -> anyhow::Result<Option<String>> {
        let request = self.post("/api/v1/rooms").header(header::COOKIE, &maker.cookie).json(room);
        let response = request.send().await?;
        if response.status() == StatusCode::SERVICE_UNAVAILABLE {
            let problem: Value = response.json().await?;
            ensure!(problem["code"] == "overloaded", "the server refuses a room: {problem}");
            return Ok(None);
        }
        let summary: Value = response.error_for_status()?.json().await?;
        Ok(Some(summary["id"].as_str().context("a room has an id")?.to_owned()))
    }

    /// Joins a room.
    ///
    /// # Errors
    /// The server refuses it.
    pub async fn join(&self, guest: &Guest, game: &str) -> anyhow::Result<()> {
        let request = self.post(&format!("/api/v1/rooms/{game}/join")).header(header::COOKIE, &guest.cookie);
        request.send().await?.error_for_status()?;
        Ok(())
    }

    /// Lets a bot of a level, 1 to 8, join a guest's own room.
    ///
    /// # Errors
    /// The server refuses it.
    pub async fn seat_bot(&self, guest: &Guest, game: &str, level: u8) -> anyhow::Result<()> {
        let request = self.post(&format!("/api/v1/rooms/{game}/bot")).header(header::COOKIE, &guest.cookie);
        request.json(&json!({ "level": level })).send().await?.error_for_status()?;
        Ok(())
    }

    /// Opens an idle WebSocket of a guest.
    ///
    /// # Errors
    /// The server refuses it.
    pub async fn connect(&self, guest: &Guest) -> anyhow::Result<Socket> {
        let mut request = format!("ws://{}/ws", self.address).into_client_request()?;
        request.headers_mut().insert(header::COOKIE, HeaderValue::from_str(&guest.cookie)?);
        let tcp = self.tcp().await?;
        let config = WebSocketConfig::default().read_buffer_size(READ_BUFFER);
        let (stream, _) = client_async_with_config(request, tcp, Some(config)).await?;
        Ok(Socket { stream })
    }
}

impl Guest {
    /// Returns the guest of an answer to `POST /api/v1/session`.
    ///
    /// # Errors
    /// The answer has no session.
    pub fn of(response: &reqwest::Response) -> anyhow::Result<Self> {
        let cookie = response.headers().get(header::SET_COOKIE).context("the session comes in a cookie")?;
        let pair = cookie.to_str()?.split(';').next().unwrap_or_default();
        Ok(Self { cookie: pair.to_owned() })
    }

    /// The `name=value` of the session cookie.
    pub fn cookie(&self) -> &str {
        &self.cookie
    }
}

/// The server has closed a connection with a reason.
#[derive(Debug)]
pub struct Closed {
    /// The WebSocket close code.
    pub code: u16,
    reason: String,
}

impl fmt::Display for Closed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the server has closed the connection: {} {}", self.code, self.reason)
    }
}

impl std::error::Error for Closed {}

/// A connection.
#[derive(Debug)]
pub struct Socket {
    stream: WebSocketStream<TcpStream>,
}

impl Socket {
    /// Returns the TCP connection below, for data that no honest client sends. Buffered data is lost.
    pub fn into_tcp(self) -> TcpStream {
        self.stream.into_inner()
    }

    /// Sends a message.
    ///
    /// # Errors
    /// The connection is closed.
    pub async fn say(&mut self, message: impl Into<Utf8Bytes>) -> anyhow::Result<()> {
        self.stream.send(Message::Text(message.into())).await.context("the server has cut the connection")
    }

    /// Returns the next text of the server.
    ///
    /// # Errors
    /// The connection is closed; [`Closed`] if the server gave the reason.
    pub async fn next(&mut self) -> anyhow::Result<Utf8Bytes> {
        loop {
            match self.stream.next().await {
                Some(Ok(Message::Text(text))) => return Ok(text),
                Some(Ok(Message::Close(Some(CloseFrame { code, reason })))) => {
                    return Err(Closed { code: code.into(), reason: reason.to_string() }.into());
                }
                Some(Ok(_)) => {}
                Some(Err(error)) => return Err(error.into()),
                None => bail!("the connection is over"),
            }
        }
    }

    /// Reads up to a wanted frame.
    ///
    /// # Errors
    /// The server refuses something, the connection is closed, or it takes too long.
    pub async fn until(&mut self, wanted: impl Fn(Frame<'_>) -> bool) -> anyhow::Result<()> {
        tokio::time::timeout(PATIENCE, async {
            loop {
                let text = self.next().await?;
                match parse(&text) {
                    Frame::Refused(why) => bail!("the server refuses: {why}"),
                    other if wanted(other) => return Ok(()),
                    _ => {}
                }
            }
        })
        .await
        .context("the server does not answer")?
    }

    /// Says hello and follows a game from its beginning, up to its events.
    ///
    /// # Errors
    /// The server refuses it.
    pub async fn follow(&mut self, game: &str) -> anyhow::Result<()> {
        self.say(messages::hello(&[(game, 0)], false)).await?;
        self.until(|frame| frame == Frame::Whole).await
    }

    /// Follows one more game, up to its events.
    ///
    /// # Errors
    /// The server refuses it.
    pub async fn watch(&mut self, game: &str) -> anyhow::Result<()> {
        self.say(messages::watch(game, 0)).await?;
        self.until(|frame| frame == Frame::Whole).await
    }

    /// Follows the lobby, up to its first message.
    ///
    /// # Errors
    /// The server refuses it.
    pub async fn read_lobby(&mut self) -> anyhow::Result<()> {
        self.say(messages::hello(&[], true)).await?;
        self.until(|frame| frame == Frame::Lobby).await
    }
}

/// Does the same work several times, some of it concurrently, and returns the results in order.
///
/// # Errors
/// Returns the first error.
pub async fn many<T: Send + 'static, W: Future<Output = anyhow::Result<T>> + Send + 'static>(
    count: usize,
    work: impl Fn(usize) -> W,
) -> anyhow::Result<Vec<T>> {
    /// Maximum concurrency; with more, the first would wait for the last.
    const AT_ONCE: usize = 32;
    let mut done: Vec<T> = Vec::with_capacity(count);
    for start in (0..count).step_by(AT_ONCE) {
        let tasks: Vec<_> =
            (start..count.min(start + AT_ONCE)).map(|number| tokio::spawn(work(number))).collect();
        for task in tasks {
            done.push(task.await??);
        }
    }
    Ok(done)
}
