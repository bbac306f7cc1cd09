//! One WebSocket connection of a scripted client.

use std::{
    collections::{HashMap, VecDeque},
    fs,
};

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::{TcpSocket, TcpStream};
use tokio_tungstenite::{
    WebSocketStream, client_async,
    tungstenite::{
        Error, Message,
        client::IntoClientRequest,
        error::ProtocolError,
        http::{HeaderValue, StatusCode},
    },
};

use crate::{in_time, new_command, player::Player, record::Record};

/// The version of the protocol that these tests speak.
pub const PROTOCOL: u32 = 1;

/// What comes from the wire.
#[derive(Clone, Debug, PartialEq)]
pub enum Incoming {
    Message(Value),
    /// The connection is over; the close code, if the server gave one.
    Closed(Option<u16>),
}

/// A connection. It keeps every message until it is taken, and a record of each game that it hears of.
#[derive(Debug)]
pub struct Socket {
    stream: WebSocketStream<TcpStream>,
    inbox: VecDeque<Value>,
    records: HashMap<String, Record>,
    heard: Vec<String>,
    closed: Option<Option<u16>>,
}

/// How a connection is made.
#[derive(Clone, Debug, Default)]
pub struct Connect<'a> {
    /// The page's origin as a browser tells it.
    pub origin: Option<&'a str>,
    /// The size of the kernel's receive buffer, to make a client whose network is soon full.
    pub receive_buffer: Option<u32>,
}

impl Socket {
    /// Opens a connection and says nothing on it yet.
    ///
    /// # Errors
    /// The HTTP status, if the server refuses the upgrade.
    pub async fn open(player: &Player, how: Connect<'_>) -> Result<Self, StatusCode> {
        let mut request = format!("ws://{}/ws", player.address()).into_client_request().expect("a URL");
        if let Some(cookie) = player.cookie() {
            request.headers_mut().insert("cookie", HeaderValue::from_str(cookie).expect("a cookie"));
        }
        if let Some(origin) = how.origin {
            request.headers_mut().insert("origin", HeaderValue::from_str(origin).expect("an origin"));
        }
        let tcp = TcpSocket::new_v4().expect("a socket can be made");
        if let Some(size) = how.receive_buffer {
            tcp.set_recv_buffer_size(size).expect("the buffer's size can be set");
        }
        let tcp = in_time("a connection", tcp.connect(player.address())).await.expect("the server is there");
        tcp.set_nodelay(true).expect("the socket can be told");
        match in_time("the upgrade to WebSocket", client_async(request, tcp)).await {
            Ok((stream, _)) => Ok(Self {
                stream,
                inbox: VecDeque::new(),
                records: HashMap::new(),
                heard: Vec::new(),
                closed: None,
            }),
            Err(Error::Http(response)) => Err(response.status()),
            Err(error) => panic!("the connection fails: {error}"),
        }
    }

    /// Sends a message.
    pub async fn send(&mut self, message: &Value) {
        self.send_frame(Message::text(message.to_string())).await;
    }

    /// Sends a frame as it is. A connection that the server has closed meanwhile is no error here: what it said
    /// last is still to be read.
    pub async fn send_frame(&mut self, frame: Message) {
        match in_time("room to send", self.stream.send(frame)).await {
            Ok(()) | Err(Error::ConnectionClosed | Error::AlreadyClosed | Error::Io(_)) => {}
            Err(Error::Protocol(ProtocolError::SendAfterClosing)) => {}
            Err(error) => panic!("cannot send: {error}"),
        }
    }

    /// What comes next from the wire; a message is also put into the records.
    async fn receive(&mut self) -> Incoming {
        if let Some(code) = self.closed {
            return Incoming::Closed(code);
        }
        loop {
            let code = match self.stream.next().await {
                Some(Ok(Message::Text(text))) => {
                    let message: Value = serde_json::from_str(&text).expect("the server sends JSON");
                    self.note(&message);
                    self.heard.push(text.to_string());
                    return Incoming::Message(message);
                }
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => continue,
                Some(Ok(Message::Close(frame))) => frame.map(|frame| frame.code.into()),
                Some(Ok(other)) => panic!("the server sends an unexpected frame: {other:?}"),
                Some(Err(_)) | None => None,
            };
            self.closed = Some(code);
            return Incoming::Closed(code);
        }
    }

    fn note(&mut self, message: &Value) {
        let Some(game) = message["game"].as_str() else { return };
        self.records.entry(game.to_owned()).or_default().note(message);
    }

    /// The next message or the end of the connection.
    pub async fn next(&mut self) -> Incoming {
        match self.inbox.pop_front() {
            Some(message) => Incoming::Message(message),
            None => in_time("a message", self.receive()).await,
        }
    }

    /// Takes the first message that is wanted, waiting for it if need be. The others stay for later.
    pub async fn take(&mut self, what: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        if let Some(place) = self.inbox.iter().position(&wanted) {
            return self.inbox.remove(place).expect("it was just found");
        }
        in_time(what, async {
            loop {
                match self.receive().await {
                    Incoming::Message(message) if wanted(&message) => return message,
                    Incoming::Message(message) => self.inbox.push_back(message),
                    Incoming::Closed(code) => {
                        panic!("waiting for {what}: closed with {code:?}; before: {:?}", self.inbox)
                    }
                }
            }
        })
        .await
    }

    /// Takes the first message of a type.
    pub async fn take_type(&mut self, kind: &str) -> Value {
        self.take(kind, |message| message["type"] == kind).await
    }

    /// Sends a message and takes the answer with its command id: `ack`, `nack` or `options`.
    pub async fn ask(&mut self, message: &Value) -> Value {
        self.send(message).await;
        self.answer(message["command"].as_str().expect("a command has an id")).await
    }

    /// Takes the answer to a command.
    pub async fn answer(&mut self, command: &str) -> Value {
        self.take(&format!("the answer to {command}"), |message| {
            message["command"] == command && message["type"] != "draft"
        })
        .await
    }

    /// Gives the kernel room to receive again. Through a full buffer of a few kilobytes it takes what waits by drops,
    /// one each time that the other end asks whether there is room now.
    pub fn widen(&self) {
        let tcp = socket2::SockRef::from(self.stream.get_ref());
        tcp.set_recv_buffer_size(1 << 20).expect("the buffer's size can be set");
    }

    /// Reads until the server ends the connection, and returns its close code. The messages before it stay.
    pub async fn closed(&mut self) -> Option<u16> {
        in_time("the end of the connection", async {
            loop {
                match self.receive().await {
                    Incoming::Message(message) => self.inbox.push_back(message),
                    Incoming::Closed(code) => return code,
                }
            }
        })
        .await
    }

    /// Reads until all that the server had to say so far has come: it answers in order, so a `pong` tells.
    pub async fn settle(&mut self) {
        self.send(&json!({"type": "ping"})).await;
        self.take_type("pong").await;
    }

    /// Bytes that the kernel has taken from the server for this connection and not delivered yet.
    pub fn sent_but_unread(&self) -> u64 {
        let tcp = self.stream.get_ref();
        let here = tcp.local_addr().expect("the connection is open").port();
        let there = tcp.peer_addr().expect("the connection is open").port();
        let ports = |text: &str| u16::from_str_radix(text.rsplit(':').next()?, 16).ok();
        let table = fs::read_to_string("/proc/net/tcp").expect("the kernel lists its connections");
        let servers_end = table
            .lines()
            .map(|line| line.split_whitespace().collect::<Vec<_>>())
            .find(|row| row.len() > 4 && ports(row[1]) == Some(there) && ports(row[2]) == Some(here));
        let queues = servers_end.expect("the server's end is listed")[4];
        let queue = queues.split(':').next().and_then(|queue| u64::from_str_radix(queue, 16).ok());
        queue.expect("the queue's length is a number")
    }

    /// The messages that have come and were not taken.
    pub fn waiting(&self) -> impl Iterator<Item = &Value> {
        self.inbox.iter()
    }

    /// Forgets the messages that have come and were not taken.
    pub fn forget_waiting(&mut self) {
        self.inbox.clear();
    }

    /// Every frame that has come, as it came, and forgets them.
    pub fn take_heard(&mut self) -> Vec<String> {
        std::mem::take(&mut self.heard)
    }

    /// What this client knows of a game.
    pub fn record(&self, game: &str) -> &Record {
        self.records.get(game).expect("this connection follows the game")
    }

    /// Gives this client what another knew of a game.
    pub fn know(&mut self, game: &str, record: Record) {
        self.records.insert(game.to_owned(), record);
    }

    /// Reads until the client has a game up to a version.
    pub async fn until_version(&mut self, game: &str, version: u64) -> &Record {
        in_time(format!("version {version} of the game"), async {
            while self.records.get(game).is_none_or(|record| record.version() < version) {
                match self.receive().await {
                    Incoming::Message(message) => self.inbox.push_back(message),
                    Incoming::Closed(code) => panic!("closed with {code:?} before version {version} came"),
                }
            }
        })
        .await;
        self.record(game)
    }

    /// Says `hello` with what is known of the games, and waits for the welcome.
    pub async fn hello(&mut self, known: &[(&str, u64)], lobby: bool) -> Value {
        let games: Vec<Value> =
            known.iter().map(|(game, version)| json!({"game": game, "version": version})).collect();
        self.send(&json!({"type": "hello", "protocol": PROTOCOL, "games": games, "lobby": lobby})).await;
        self.take_type("welcome").await
    }

    /// Starts to follow a game of which the client has nothing yet, and takes its snapshot.
    pub async fn watch(&mut self, game: &str) -> Value {
        self.send(&json!({"type": "watch", "game": game, "version": 0})).await;
        self.take("the snapshot", |message| message["type"] == "snapshot" && message["game"] == game).await
    }

    /// Sends a whole turn on the version that this client has of the game, and takes the answer.
    pub async fn turn(&mut self, game: &str, actions: &[impl AsRef<str>]) -> Value {
        let message = turn(game, self.record(game).version(), actions);
        self.ask(&message).await
    }

    /// Sends a draft on the version that this client has of the game, and takes the answer.
    pub async fn draft(&mut self, game: &str, actions: &[impl AsRef<str>]) -> Value {
        let message = draft(game, self.record(game).version(), actions);
        self.ask(&message).await
    }

    /// Gives all records to another connection, as a page does that connects again.
    pub fn into_records(self) -> HashMap<String, Record> {
        self.records
    }

    /// Takes over what an earlier connection knew, and says so in its `hello`.
    pub async fn resume(&mut self, records: HashMap<String, Record>) {
        let known: Vec<(String, u64)> =
            records.iter().map(|(game, record)| (game.clone(), record.version())).collect();
        self.records = records;
        let known: Vec<(&str, u64)> = known.iter().map(|(game, version)| (game.as_str(), *version)).collect();
        self.hello(&known, false).await;
    }
}

/// A `turn` message with a command id of its own.
pub fn turn(game: &str, version: u64, actions: &[impl AsRef<str>]) -> Value {
    let actions: Vec<&str> = actions.iter().map(AsRef::as_ref).collect();
    json!({"type": "turn", "command": new_command(), "game": game, "version": version, "actions": actions})
}

/// A `draft` message with a command id of its own.
pub fn draft(game: &str, version: u64, actions: &[impl AsRef<str>]) -> Value {
    let mut message = turn(game, version, actions);
    message["type"] = json!("draft");
    message
}

/// A command of some type with a command id of its own; `more` are its other fields.
pub fn command(kind: &str, game: &str, more: Value) -> Value {
    let mut message = more;
    message["type"] = json!(kind);
    message["command"] = json!(new_command());
    message["game"] = json!(game);
    message
}

/// A `resign` message with a command id of its own.
pub fn resign(game: &str) -> Value {
    json!({"type": "resign", "command": new_command(), "game": game})
}
