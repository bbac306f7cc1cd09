//! A push service for tests: it answers as the path of an endpoint says, and browsers read what it was sent.

use std::time::{SystemTime, UNIX_EPOCH};

use aes_gcm::{
    Aes128Gcm, KeyInit,
    aead::{Aead, Key, Nonce},
};
use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use hkdf::Hkdf;
use p256::{
    PublicKey, SecretKey,
    ecdsa::{Signature, VerifyingKey, signature::Verifier},
};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
    sync::mpsc,
    task::AbortHandle,
};

use crate::timeout;

/// Requests that were received and not looked at.
const WAITING: usize = 64;

/// A running push service; it ends with this value.
#[derive(Debug)]
pub struct PushService {
    origin: String,
    received: mpsc::Receiver<Pushed>,
    serving: AbortHandle,
}

/// A request that the service has received.
#[derive(Debug)]
pub struct Pushed {
    pub path: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
    origin: String,
}

/// A browser that subscribes.
#[derive(Clone, Debug)]
pub struct Browser {
    secret: SecretKey,
    auth: [u8; 16],
    endpoint: String,
}

impl PushService {
    /// Starts the service on a free port.
    ///
    /// # Panics
    /// If it cannot be started.
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("there is a free port");
        let origin = format!("http://{}", listener.local_addr().expect("it has an address"));
        let (sender, received) = mpsc::channel(WAITING);
        let own = origin.clone();
        let serving = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, own.clone(), sender.clone()));
            }
        });
        Self { origin, received, serving: serving.abort_handle() }
    }

    /// The value of `--push-hosts`.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// A browser with keys of this seed. The service answers its messages by the first part of the path: a status, `stall`,
    /// `redirect`, `endless` or `nonsense`.
    ///
    /// # Panics
    /// If the seed gives no key, which is as good as impossible.
    pub fn browser(&self, path: &str, seed: &str) -> Browser {
        let hash: [u8; 32] = Sha256::digest(seed).into();
        let secret = SecretKey::from_slice(&hash).expect("a hash is a key");
        let (auth, _) = hash.split_first_chunk().expect("a hash is longer");
        Browser { secret, auth: *auth, endpoint: format!("{}/{path}", self.origin) }
    }

    /// Waits for the next request.
    ///
    /// # Panics
    /// If none comes.
    pub async fn next(&mut self) -> Pushed {
        timeout("a request to the push service", self.received.recv()).await.expect("the service is running")
    }

    /// Asserts that nothing was received that was not looked at.
    ///
    /// # Panics
    /// If there was something.
    pub fn has_nothing(&mut self) {
        if let Ok(pushed) = self.received.try_recv() {
            panic!("received: {} {:?}", pushed.path, pushed.headers);
        }
    }
}

impl Drop for PushService {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

impl Browser {
    pub fn endpoint(&self) -> &str {
        &self.endpoint
    }

    /// The public key and the secret, in base64url.
    pub fn keys(&self) -> [String; 2] {
        [BASE64_URL_SAFE_NO_PAD.encode(self.public()), BASE64_URL_SAFE_NO_PAD.encode(self.auth)]
    }

    /// The subscription, as `PUT /api/v1/push` takes it.
    pub fn subscription(&self) -> Value {
        let [p256dh, auth] = self.keys();
        json!({"endpoint": self.endpoint, "keys": {"p256dh": p256dh, "auth": auth}})
    }

    fn public(&self) -> Box<[u8]> {
        self.secret.public_key().to_sec1_bytes()
    }

    /// Decrypts a message.
    ///
    /// # Panics
    /// If it is for another browser.
    pub fn read(&self, pushed: &Pushed) -> String {
        let (salt, rest) = pushed.body.split_at(16);
        let (record, rest) = rest.split_at(4);
        assert_eq!(record, 4_096_u32.to_be_bytes());
        let (length, rest) = rest.split_first().expect("the body has a key");
        let (theirs, record) = rest.split_at(usize::from(*length));
        let point = PublicKey::from_sec1_bytes(theirs).expect("a key is a point");
        let shared = self.secret.diffie_hellman(&point);
        let info = [b"WebPush: info\0".as_slice(), &self.public(), theirs].concat();
        let input: [u8; 32] = derive(&self.auth, shared.raw_secret_bytes(), &info);
        let key: [u8; 16] = derive(salt, &input, b"Content-Encoding: aes128gcm\0");
        let nonce: [u8; 12] = derive(salt, &input, b"Content-Encoding: nonce\0");
        let cipher = Aes128Gcm::new(&Key::<Aes128Gcm>::from(key));
        let read = cipher.decrypt(&Nonce::<Aes128Gcm>::from(nonce), record);
        let mut content = read.expect("the message is for this browser");
        assert_eq!(content.pop(), Some(2), "the record is the last");
        String::from_utf8(content).expect("a message is text")
    }
}

impl Pushed {
    /// # Panics
    /// If there is no such header.
    pub fn header(&self, name: &str) -> &str {
        let found = self.headers.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str()).unwrap_or_else(|| panic!("no {name}: {:?}", self.headers))
    }

    /// Verifies the token of the request, and returns its claims and the public key in it.
    ///
    /// # Panics
    /// If it is not for this service, not in time, or not of the key.
    pub fn verified(&self) -> (Value, String) {
        let decoded = |text: &str| BASE64_URL_SAFE_NO_PAD.decode(text).expect("it is base64url");
        let sent = self.header("authorization").strip_prefix("vapid t=").expect("the scheme is vapid");
        let (token, key) = sent.split_once(", k=").expect("there is a key");
        let (signed, signature) = token.rsplit_once('.').expect("there is a signature");
        let verifying = VerifyingKey::from_sec1_bytes(&decoded(key)).expect("the key is a point");
        let signature = Signature::from_slice(&decoded(signature)).expect("it is a signature");
        verifying.verify(signed.as_bytes(), &signature).expect("the key has signed it");
        let (header, claims) = signed.split_once('.').expect("there are claims");
        let [header, claims] = [header, claims]
            .map(|part| serde_json::from_slice::<Value>(&decoded(part)).expect("a part is JSON"));
        assert_eq!(header["alg"], "ES256");
        assert_eq!(claims["aud"], self.origin.as_str());
        let now_s = SystemTime::now().duration_since(UNIX_EPOCH).expect("it is later than 1970").as_secs();
        let ends_s = claims["exp"].as_u64().expect("it ends");
        assert!((now_s..now_s + 24 * 60 * 60).contains(&ends_s), "{claims}");
        (claims, key.to_owned())
    }
}

fn derive<const N: usize>(salt: &[u8], input: &[u8], info: &[u8]) -> [u8; N] {
    let mut derived = [0; N];
    Hkdf::<Sha256>::new(Some(salt), input).expand(info, &mut derived).expect("it is short");
    derived
}

/// Reads a request, reports it, and answers as its path says.
async fn serve(stream: TcpStream, origin: String, received: mpsc::Sender<Pushed>) -> Option<()> {
    let mut stream = BufReader::new(stream);
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.ok()?);
    }
    let head = String::from_utf8(head).ok()?;
    let (first, lines) = head.split_once("\r\n")?;
    let path = first.strip_prefix("POST ")?.strip_suffix(" HTTP/1.1")?.to_owned();
    let headers: Vec<(String, String)> = lines
        .lines()
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
        .collect();
    let length = headers.iter().find(|(name, _)| name == "content-length")?.1.parse().ok()?;
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await.ok()?;
    let kind = path.split('/').nth(1)?.to_owned();
    received.send(Pushed { path, headers, body, origin: origin.clone() }).await.ok()?;
    let answer = match kind.as_str() {
        "stall" => return stream.read_u8().await.ok().map(drop),
        "redirect" => {
            format!("HTTP/1.1 307 Elsewhere\r\nlocation: {origin}/201/elsewhere\r\ncontent-length: 0\r\n\r\n")
        }
        "429" => "HTTP/1.1 429 Slower\r\nretry-after: 120\r\ncontent-length: 0\r\n\r\n".to_owned(),
        "503" => "HTTP/1.1 503 Later\r\nretry-after: 99999999\r\ncontent-length: 0\r\n\r\n".to_owned(),
        "endless" => "HTTP/1.1 201 Created\r\ntransfer-encoding: chunked\r\n\r\n".to_owned(),
        "nonsense" => format!("HTTP/1.1 201 Created\r\nx: {}", "x".repeat(1_000_000)),
        status => format!("HTTP/1.1 {status} Status\r\ncontent-length: 0\r\n\r\n"),
    };
    stream.write_all(answer.as_bytes()).await.ok()?;
    if kind == "endless" {
        loop {
            stream.write_all(b"1000\r\n").await.ok()?;
            stream.write_all(&[b'x'; 0x1000]).await.ok()?;
            stream.write_all(b"\r\n").await.ok()?;
        }
    }
    Some(())
}
