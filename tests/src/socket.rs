//! One WebSocket connection of a scripted client.

use std::{
    collections::{HashMap, VecDeque},
    fs,
    net::Ipv4Addr,
    os::fd::AsFd,
};

use futures_util::{
    SinkExt, StreamExt,
    stream::{SplitSink, SplitStream},
};
use serde_json::{Value, json};
use socket2::SockRef;
use tokio::{
    net::{TcpSocket, TcpStream},
    sync::mpsc::{self, UnboundedReceiver, UnboundedSender},
};
use tokio_tungstenite::{
    WebSocketStream, client_async,
    tungstenite::{
        Error, Message,
        client::IntoClientRequest,
        error::ProtocolError,
        http::{HeaderValue, StatusCode},
    },
};

use crate::{new_command, player::Player, record::Record, timeout};

/// The version of the protocol that these tests speak.
pub const PROTOCOL: u32 = 1;

/// An input from the wire.
enum Incoming {
    Message(Value),
    /// The connection is closed, with the close code if the server gave one.
    Closed(Option<u16>),
}

type Stream = WebSocketStream<TcpStream>;

type Frame = Result<Message, Error>;

/// A connection. It keeps every message until it is taken, and a record of each game.
#[derive(Debug)]
pub struct Socket {
    sink: SplitSink<Stream, Message>,
    frames: Frames,
    /// The connection as the kernel has it.
    tcp: socket2::Socket,
    /// Messages split from the last frame and not yet received.
    split: VecDeque<Value>,
    inbox: VecDeque<Value>,
    records: HashMap<String, Record>,
    received: Vec<String>,
    closed: Option<Option<u16>>,
    /// Text of the server's close frame, if there was one.
    last_words: Option<String>,
}

/// Source of the frames.
#[derive(Debug)]
enum Frames {
    /// Read as they arrive, as in a browser, however busy its page is. The server thus knows that this end is alive,
    /// and frames are kept even if the server then closes the connection.
    AsTheyCome(UnboundedReceiver<Frame>),
    /// Read when the test wants one.
    OnDemand(SplitStream<Stream>),
}

impl Frames {
    async fn next(&mut self) -> Option<Frame> {
        match self {
            Self::AsTheyCome(frames) => frames.recv().await,
            Self::OnDemand(stream) => stream.next().await,
        }
    }
}

/// Reads until the connection is closed, or the receiver is dropped.
async fn read(mut stream: SplitStream<Stream>, frames: UnboundedSender<Frame>) {
    loop {
        let frame = tokio::select! {
            frame = stream.next() => frame,
            () = frames.closed() => return,
        };
        if frame.is_none_or(|frame| frames.send(frame).is_err()) {
            return;
        }
    }
}

/// Options of a connection.
#[derive(Clone, Debug, Default)]
pub struct Connect<'a> {
    /// The page's origin in the form that a browser sends.
    pub origin: Option<&'a str>,
    /// Own address of the connection; `None` for the default.
    pub from: Option<Ipv4Addr>,
    /// Whether it reads only when the test does, over a network with small buffers.
    pub is_slow: bool,
}

/// Bytes that the kernel keeps for a slow connection to read.
const SLOW_BUFFER: u32 = 4096;

/// Bytes in a packet to a slow connection. The larger the packets of a connection, the more the server's kernel buffers
/// for it: megabytes for packets of the loopback's size.
const SLOW_PACKET: u32 = 536;

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
        if let Some(address) = player.forwarded() {
            request
                .headers_mut()
                .insert("x-forwarded-for", HeaderValue::from_str(address).expect("an address"));
        }
        if let Some(origin) = how.origin {
            request.headers_mut().insert("origin", HeaderValue::from_str(origin).expect("an origin"));
        }
        let tcp = TcpSocket::new_v4().expect("a socket can be made");
        if let Some(from) = how.from {
            tcp.bind((from, 0).into()).expect("the address is this machine's");
        }
        if how.is_slow {
            tcp.set_recv_buffer_size(SLOW_BUFFER).expect("the buffer's size can be set");
            SockRef::from(&tcp).set_tcp_mss(SLOW_PACKET).expect("the packets' size can be set");
        }
        let tcp = timeout("a connection", tcp.connect(player.address())).await.expect("the server is there");
        tcp.set_nodelay(true).expect("the socket can be told");
        let kernels = tcp.as_fd().try_clone_to_owned().expect("the socket can be had twice").into();
        match timeout("the upgrade to WebSocket", client_async(request, tcp)).await {
            Ok((stream, _)) => Ok(Self::of(stream, kernels, how.is_slow)),
            Err(Error::Http(response)) => Err(response.status()),
            Err(error) => panic!("the connection fails: {error}"),
        }
    }

    fn of(stream: Stream, tcp: socket2::Socket, is_slow: bool) -> Self {
        let (sink, stream) = stream.split();
        let frames = if is_slow {
            Frames::OnDemand(stream)
        } else {
            let (sender, frames) = mpsc::unbounded_channel();
            tokio::spawn(read(stream, sender));
            Frames::AsTheyCome(frames)
        };
        let (split, inbox, records, received) =
            (VecDeque::new(), VecDeque::new(), HashMap::new(), Vec::new());
        Self { sink, frames, tcp, split, inbox, records, received, closed: None, last_words: None }
    }

    /// Sends a message.
    pub async fn send(&mut self, message: &Value) {
        self.send_frame(Message::text(message.to_string())).await;
    }

    /// Sends a frame as it is. A connection closed by the server meanwhile is no error: its last frames can still be
    /// read.
    pub async fn send_frame(&mut self, frame: Message) {
        self.send_frames(vec![frame]).await;
    }

    /// Sends frames with nothing in between: if they are small, the kernel gets all of them in one piece.
    pub async fn send_frames(&mut self, frames: Vec<Message>) {
        let mut frames = futures_util::stream::iter(frames.into_iter().map(Ok));
        match timeout("room to send", self.sink.send_all(&mut frames)).await {
            Ok(()) | Err(Error::ConnectionClosed | Error::AlreadyClosed | Error::Io(_)) => {}
            Err(Error::Protocol(ProtocolError::SendAfterClosing)) => {}
            Err(error) => panic!("cannot send: {error}"),
        }
    }

    /// Receives the next message, and applies it to the records. An update of several games of the lobby is received as
    /// several messages, `lobby_changed` with a `game` or `lobby_gone`.
    async fn receive(&mut self) -> Incoming {
        if let Some(message) = self.split.pop_front() {
            return Incoming::Message(message);
        }
        if let Some(code) = self.closed {
            return Incoming::Closed(code);
        }
        loop {
            let code = match self.frames.next().await {
                Some(Ok(Message::Text(text))) => {
                    let message: Value = serde_json::from_str(&text).expect("the server sends JSON");
                    self.record_message(&message);
                    self.received.push(text.to_string());
                    self.split.extend(split(message));
                    return Incoming::Message(self.split.pop_front().expect("no message is of nothing"));
                }
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => continue,
                Some(Ok(Message::Close(frame))) => {
                    self.last_words = frame.as_ref().map(|frame| frame.reason.to_string());
                    frame.map(|frame| frame.code.into())
                }
                Some(Ok(other)) => panic!("the server sends an unexpected frame: {other:?}"),
                Some(Err(_)) | None => None,
            };
            self.closed = Some(code);
            return Incoming::Closed(code);
        }
    }

    fn record_message(&mut self, message: &Value) {
        let Some(game) = message["game"].as_str() else { return };
        self.records.entry(game.to_owned()).or_default().apply(message);
    }

    /// Takes the first wanted message, waiting for it if necessary. The others stay for later.
    pub async fn take(&mut self, what: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        if let Some(place) = self.inbox.iter().position(&wanted) {
            return self.inbox.remove(place).expect("it was just found");
        }
        timeout(what, async {
            loop {
                match self.receive().await {
                    Incoming::Message(message) if wanted(&message) => return message,
                    Incoming::Message(message) => self.inbox.push_back(message),
                    Incoming::Closed(code) => {
                        let types: Vec<&Value> = self.inbox.iter().map(|message| &message["type"]).collect();
                        panic!("waiting for {what}: closed with {code:?}; before: {types:?}")
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

    /// Enlarges the kernel's receive buffer again. A full buffer of a few kilobytes is drained very slowly, with each
    /// window probe of the other end.
    pub fn widen(&self) {
        self.tcp.set_recv_buffer_size(1 << 20).expect("the buffer's size can be set");
    }

    /// Shows the server that this end is alive, without a request.
    pub async fn show_life(&mut self) {
        self.send_frame(Message::Pong(Default::default())).await;
    }

    /// Reads until the server closes the connection, and returns its close code. The messages before it stay.
    pub async fn closed(&mut self) -> Option<u16> {
        timeout("the end of the connection", async {
            loop {
                match self.receive().await {
                    Incoming::Message(message) => self.inbox.push_back(message),
                    Incoming::Closed(code) => return code,
                }
            }
        })
        .await
    }

    /// The reason that the server gave for closing the connection.
    pub fn last_words(&self) -> Option<&str> {
        self.last_words.as_deref()
    }

    /// Reads until everything that the server had to send has arrived: it answers in order, so a `pong` is the last
    /// message.
    pub async fn settle(&mut self) {
        self.send(&json!({"type": "ping"})).await;
        self.take_type("pong").await;
    }

    /// Bytes that the kernel has taken from the server for this connection and not delivered yet.
    pub fn sent_but_unread(&self) -> u64 {
        let port = |address: socket2::SockAddr| address.as_socket().map(|address| address.port());
        let here = port(self.tcp.local_addr().expect("the connection is open"));
        let there = port(self.tcp.peer_addr().expect("the connection is open"));
        let ports = |text: &str| u16::from_str_radix(text.rsplit(':').next()?, 16).ok();
        let table = fs::read_to_string("/proc/net/tcp").expect("the kernel lists its connections");
        let servers_end = table
            .lines()
            .map(|line| line.split_whitespace().collect::<Vec<_>>())
            .find(|row| row.len() > 4 && ports(row[1]) == there && ports(row[2]) == here);
        let queues = servers_end.expect("the server's end is listed")[4];
        let queue = queues.split(':').next().and_then(|queue| u64::from_str_radix(queue, 16).ok());
        queue.expect("the queue's length is a number")
    }

    /// The received messages that were not taken.
    pub fn waiting(&self) -> impl Iterator<Item = &Value> {
        self.inbox.iter()
    }

    /// Drops the received messages that were not taken.
    pub fn discard_waiting(&mut self) {
        self.inbox.clear();
    }

    /// Takes every received frame, as it came.
    pub fn take_frames(&mut self) -> Vec<String> {
        std::mem::take(&mut self.received)
    }

    /// The client's record of a game.
    pub fn record(&self, game: &str) -> &Record {
        self.records.get(game).expect("this connection follows the game")
    }

    /// Sets the client's record of a game.
    pub fn know(&mut self, game: &str, record: Record) {
        self.records.insert(game.to_owned(), record);
    }

    /// Reads until the client has a game up to a version.
    pub async fn until_version(&mut self, game: &str, version: u64) -> &Record {
        timeout(format!("version {version} of the game"), async {
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

    /// Says `hello` with the versions of known games, and waits for the welcome.
    pub async fn hello(&mut self, known: &[(&str, u64)], lobby: bool) -> Value {
        let games: Vec<Value> =
            known.iter().map(|(game, version)| json!({"game": game, "version": version})).collect();
        self.send(&json!({"type": "hello", "protocol": PROTOCOL, "games": games, "lobby": lobby})).await;
        self.take_type("welcome").await
    }

    /// Starts to follow a game of which the client has nothing yet, and takes its events.
    pub async fn watch(&mut self, game: &str) -> Value {
        // Events that have been applied are no answer.
        self.inbox.retain(|message| message["type"] != "events" || message["game"] != game);
        self.send(&json!({"type": "watch", "game": game, "version": 0})).await;
        self.take("the game", |message| message["type"] == "events" && message["game"] == game).await
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

    /// Returns all records for another connection, as for a page that reconnects.
    pub fn into_records(self) -> HashMap<String, Record> {
        self.records
    }

    /// Takes over the records of an earlier connection, and reports them in its `hello`.
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

/// A message about several games of the lobby as one for each.
fn split(message: Value) -> Vec<Value> {
    if message["type"] != "lobby_changed" {
        return vec![message];
    }
    let [games, gone] = ["games", "gone"].map(|part| message[part].as_array().expect("a list of games"));
    let games = games.iter().map(|game| json!({"type": "lobby_changed", "game": game}));
    games.chain(gone.iter().map(|game| json!({"type": "lobby_gone", "game": game}))).collect()
}
