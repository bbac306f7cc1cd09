//! A real NATS server for tests, which ends with the test's process, however that ends.

use std::process::Stdio;

use tokio::{
    io::{AsyncBufReadExt, BufReader, Lines},
    process::{Child, ChildStdout, Command},
};

use crate::{
    address::ReservedAddress,
    timeout,
    wire::{Service, Wire},
};

/// Runs the server until its input is closed.
const KEEPER: &str = r#"
trap '' HUP INT TERM PIPE
command -v nats-server >/dev/null || { echo 'nats-server is not installed: apt-get install nats-server' >&2; exit 1; }
nats-server --addr 127.0.0.1 --port "$1" 2>&1 &
read -r _
kill -KILL $!
"#;

/// A NATS server.
#[derive(Debug)]
pub struct Nats {
    reserved: ReservedAddress,
    /// `None` while it is stopped.
    keeper: Option<Keeper>,
}

#[derive(Debug)]
struct Keeper {
    process: Child,
    /// Kept open so that the server can go on writing.
    _log: Lines<BufReader<ChildStdout>>,
}

impl Nats {
    /// Starts a server on a free port.
    ///
    /// # Panics
    /// If it cannot be started.
    pub async fn start() -> Self {
        let mut nats = Self { reserved: ReservedAddress::new().expect("there is a free port"), keeper: None };
        nats.restart().await;
        nats
    }

    /// Value for `--nats-url`.
    pub fn url(&self) -> String {
        format!("nats://{}", self.reserved.address)
    }

    /// Opens a relay to the server.
    pub async fn wire(&self) -> Wire {
        Wire::to(Service::Tcp(self.reserved.address)).await
    }

    /// Kills the server.
    ///
    /// # Panics
    /// If it does not run.
    pub async fn stop(&mut self) {
        let mut keeper = self.keeper.take().expect("NATS runs");
        drop(keeper.process.stdin.take());
        timeout("the end of NATS", keeper.process.wait()).await.expect("it can be waited for");
    }

    /// Starts the server after [`stop`](Self::stop), at the same address.
    ///
    /// # Panics
    /// If it cannot be started.
    pub async fn restart(&mut self) {
        let mut process = Command::new("sh")
            .args(["-c", KEEPER, "keeper", &self.reserved.address.port().to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .process_group(0)
            .spawn()
            .expect("sh can be run");
        let mut log = BufReader::new(process.stdout.take().expect("its output is piped")).lines();
        timeout("NATS", async {
            loop {
                let line = log.next_line().await.expect("the log can be read");
                if line.expect("NATS does not start").contains("Server is ready") {
                    return;
                }
            }
        })
        .await;
        self.keeper = Some(Keeper { process, _log: log });
    }
}
