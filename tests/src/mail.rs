//! An SMTP server for tests, a program in Python.

use std::{fs, process::Stdio};

use serde_json::Value;
use tempfile::TempDir;
use tokio::{
    io::{AsyncBufReadExt, BufReader, Lines},
    process::{Child, ChildStdout, Command},
};

use crate::timeout;

const PROGRAM: &str = include_str!("mail_sink.py");

/// Certificate of `localhost`, which is its own authority.
const CERTIFICATE: &str = "[req]
distinguished_name = name
x509_extensions = extensions
prompt = no
[name]
CN = localhost
[extensions]
subjectAltName = DNS:localhost
basicConstraints = critical, CA:FALSE
";

/// A running SMTP server; it ends with this value.
#[derive(Debug)]
pub struct MailServer {
    _process: Child,
    events: Lines<BufReader<ChildStdout>>,
    port: u64,
    directory: TempDir,
}

impl MailServer {
    /// Starts the server on a free port.
    ///
    /// # Panics
    /// If it cannot be started.
    pub async fn start() -> Self {
        let directory = TempDir::with_prefix("towers-mail-").expect("a temporary directory can be made");
        let file = |name: &str| directory.path().join(name);
        fs::write(file("certificate.conf"), CERTIFICATE).expect("there is room for it");
        let made = Command::new("openssl")
            .args([
                "req",
                "-x509",
                "-newkey",
                "ec",
                "-pkeyopt",
                "ec_paramgen_curve:P-256",
                "-nodes",
                "-days",
                "2",
            ])
            .arg("-config")
            .arg(file("certificate.conf"))
            .arg("-keyout")
            .arg(file("key.pem"))
            .arg("-out")
            .arg(file("certificate.pem"))
            .output();
        let made = timeout("a certificate", made).await.expect("openssl can be run");
        assert!(made.status.success(), "openssl: {}", String::from_utf8_lossy(&made.stderr));
        // Debian's interpreter has Debian's modules.
        let mut process = Command::new("/usr/bin/python3")
            .args(["-W", "ignore", "-c", PROGRAM])
            .args([file("certificate.pem"), file("key.pem")])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .expect("python3 can be run");
        let mut events = BufReader::new(process.stdout.take().expect("its output is piped")).lines();
        let first = timeout("the port of the mail server", events.next_line()).await;
        let first = first.ok().flatten().expect("it says its port: is python3-aiosmtpd installed?");
        let port = serde_json::from_str::<Value>(&first).expect("an event is JSON")["port"].as_u64();
        Self { _process: process, events, port: port.expect("a port is a number"), directory }
    }

    /// The options of a server that sends its mails here, with this password.
    pub fn options(&self, password: &str) -> Vec<String> {
        let url = format!("smtp://towers:{password}@localhost:{}", self.port);
        let certificate = self.directory.path().join("certificate.pem").display().to_string();
        let from = "Towers <towers@towers.example>";
        let origin = "http://towers.example";
        ["--smtp-url", &url, "--smtp-ca", &certificate, "--mail-from", from, "--origin", origin]
            .map(str::to_owned)
            .into()
    }

    /// Waits for the next event.
    ///
    /// # Panics
    /// If none comes.
    pub async fn event(&mut self) -> Value {
        let line = timeout("an event of the mail server", self.events.next_line()).await;
        let line = line.ok().flatten().expect("the mail server runs");
        serde_json::from_str(&line).expect("an event is JSON")
    }
}
