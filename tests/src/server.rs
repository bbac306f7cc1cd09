//! The real `towers` process.

use std::{
    fs::{self, File},
    net::SocketAddr,
    path::{Path, PathBuf},
    process::{Command, ExitStatus, Stdio},
    sync::OnceLock,
};

use rustix::process::{Pid, Resource, Rlimit, Signal, kill_process, prlimit};
use serde_json::Value;
use tempfile::TempDir;
use tokio::{
    io::{AsyncBufReadExt, BufReader, Lines},
    process::{Child, ChildStdout},
};

use crate::{address::ReservedAddress, database::Database, timeout};

static PROGRAM: OnceLock<PathBuf> = OnceLock::new();

/// The server's program: the one in `TOWERS_BIN`, by default the one that Cargo builds now from the sources, so that no
/// test runs against an old build.
pub fn program() -> &'static Path {
    PROGRAM.get_or_init(|| std::env::var_os("TOWERS_BIN").map_or_else(build, PathBuf::from))
}

/// Sets another file as the server's program.
///
/// # Errors
/// Returns the program that is in use already.
pub fn use_program(path: PathBuf) -> Result<(), PathBuf> {
    PROGRAM.set(path)
}

fn build() -> PathBuf {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    // The whole workspace, so that the features of the dependencies are those that `cargo test --workspace`
    // has built them with.
    command.args(["build", "--workspace", "--bin", "towers", "--quiet", "--message-format=json"]);
    command.current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    if !cfg!(debug_assertions) {
        command.arg("--release");
    }
    let output = command.stderr(Stdio::inherit()).output().expect("cargo can be run");
    assert!(output.status.success(), "the server does not build");
    String::from_utf8_lossy(&output.stdout)
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .find(|message| message["target"]["name"] == "towers" && message["executable"].is_string())
        .and_then(|message| message["executable"].as_str().map(PathBuf::from))
        .expect("Cargo names the program that it has built")
}

/// A running server; it ends with this value.
#[derive(Debug)]
pub struct Server {
    process: Child,
    /// Kept open so that the server can go on writing.
    _output: Lines<BufReader<ChildStdout>>,
    setup: Setup,
}

/// Configuration of a server, kept for a restart.
#[derive(Debug)]
struct Setup {
    reserved: ReservedAddress,
    database_url: String,
    arguments: Vec<String>,
    /// Default arguments beyond `arguments`, as pairs of option and value.
    tolerance: &'static [[&'static str; 2]],
    /// Limit of open files; `None` for that of the tests.
    files: Option<u32>,
    /// Filter of the log; `None` for the default.
    log_level: Option<&'static str>,
    directory: TempDir,
}

/// All clients of a test share one address, and a machine that stalls for a minute must not count as overloaded.
const TOLERANCE: [[&str; 2]; 2] = [["--address-factor", "10000"], ["--overload-after-ms", "600000"]];

impl Setup {
    fn new(database: &Database, arguments: &[&str]) -> Self {
        Self {
            reserved: ReservedAddress::new().expect("there is a free port"),
            database_url: database.url().to_owned(),
            arguments: arguments.iter().map(|&argument| argument.to_owned()).collect(),
            tolerance: &TOLERANCE,
            files: None,
            log_level: None,
            directory: TempDir::with_prefix("towers-server-").expect("a temporary directory can be made"),
        }
    }

    /// The default arguments that `arguments` does not override.
    fn tolerance(&self) -> impl Iterator<Item = &str> {
        let is_unsaid = |[name, _]: &&[&str; 2]| !self.arguments.iter().any(|argument| argument == name);
        self.tolerance.iter().filter(is_unsaid).flatten().copied()
    }

    /// The server's program, within its limit of open files.
    fn command(&self) -> tokio::process::Command {
        let Some(files) = self.files else { return tokio::process::Command::new(program()) };
        let mut command = tokio::process::Command::new("sh");
        command.args(["-c", r#"ulimit -n "$0" && exec "$@""#, &files.to_string()]).arg(program());
        command
    }

    fn log(&self) -> PathBuf {
        self.directory.path().join("server.log")
    }
}

impl Server {
    /// Starts the server on a free port.
    pub async fn start(database: &Database) -> Self {
        Self::start_with(database, &[]).await
    }

    /// Starts the server on a free port with more arguments.
    pub async fn start_with(database: &Database, arguments: &[&str]) -> Self {
        Self::run(Setup::new(database, arguments)).await
    }

    /// Starts the server on a free port with the default limits.
    pub async fn start_in_use(database: &Database, arguments: &[&str]) -> Self {
        let mut setup = Setup::new(database, arguments);
        setup.tolerance = &[];
        Self::run(setup).await
    }

    /// Starts the server on a free port with a limit of open files, and more arguments.
    pub async fn start_with_files(database: &Database, files: u32, arguments: &[&str]) -> Self {
        let mut setup = Setup::new(database, arguments);
        setup.files = Some(files);
        Self::run(setup).await
    }

    /// As [`start_in_use`](Self::start_in_use), with a limit of open files.
    pub async fn start_in_use_with_files(database: &Database, files: u32, arguments: &[&str]) -> Self {
        let mut setup = Setup::new(database, arguments);
        (setup.files, setup.tolerance) = (Some(files), &[]);
        Self::run(setup).await
    }

    /// Starts the server on a free port with the most detailed log.
    pub async fn start_tracing(database: &Database) -> Self {
        Self::start_tracing_with(database, &[]).await
    }

    /// As [`start_tracing`](Self::start_tracing), with more arguments.
    pub async fn start_tracing_with(database: &Database, arguments: &[&str]) -> Self {
        let mut setup = Setup::new(database, arguments);
        setup.log_level = Some("trace");
        Self::run(setup).await
    }

    async fn run(setup: Setup) -> Self {
        let log = File::options().create(true).append(true).open(setup.log()).expect("the log can be opened");
        let mut process = setup
            .command()
            .args(["--listen", &setup.reserved.address.to_string(), "--database-url", &setup.database_url])
            .args(&setup.arguments)
            .args(setup.tolerance())
            .current_dir(setup.directory.path())
            .env_remove("DATABASE_URL")
            .envs(setup.log_level.map(|level| ("RUST_LOG", level)))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(log)
            .kill_on_drop(true)
            .spawn()
            .expect("the server can be started");
        let mut output = BufReader::new(process.stdout.take().expect("its output is piped")).lines();
        let first = timeout("the server's first line", output.next_line()).await;
        let address = first.ok().flatten().as_deref().and_then(address_in);
        assert_eq!(address, Some(setup.reserved.address), "the server does not say where it is");
        Self { process, _output: output, setup }
    }

    pub fn address(&self) -> SocketAddr {
        self.setup.reserved.address
    }

    /// Value of `--database-url`.
    pub fn database_url(&self) -> &str {
        &self.setup.database_url
    }

    /// Returns the URL of a path.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address())
    }

    /// Returns the complete log lines so far.
    pub fn log(&self) -> String {
        let mut log = fs::read(self.setup.log()).expect("the log can be read");
        let end = log.iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
        log.truncate(end);
        String::from_utf8(log).expect("the log is text")
    }

    /// The server's process id.
    pub fn id(&self) -> u32 {
        self.process.id().expect("the server runs")
    }

    /// Peak memory of the server in bytes.
    pub fn most_memory(&self) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.id())).expect("the server runs");
        let line =
            status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("the kernel reports it");
        let kib = line.trim().strip_suffix(" kB").and_then(|kib| kib.parse::<u64>().ok());
        kib.expect("it is a number of KiB") * 1024
    }

    /// Ends the server with SIGKILL, as a crash would, and waits until it is gone.
    pub async fn kill(mut self) -> Stopped {
        self.process.kill().await.expect("the server can be killed");
        Stopped { setup: self.setup }
    }

    /// Asks the server to end with SIGTERM.
    pub fn terminate(&self) {
        self.signal(Signal::TERM);
    }

    /// Suspends the server, as a suspended machine would, until [`resume`](Self::resume). Returns once it is suspended.
    pub async fn pause(&self) {
        self.signal(Signal::STOP);
        timeout("the stop of all threads of the server", async {
            while !self.stands_still() {
                tokio::task::yield_now().await;
            }
        })
        .await;
    }

    /// Whether all threads are stopped: on a busy machine some go on for a while after the signal.
    fn stands_still(&self) -> bool {
        let threads = fs::read_dir(format!("/proc/{}/task", self.id())).expect("the server runs");
        threads.filter_map(Result::ok).all(|thread| {
            let stat = fs::read_to_string(thread.path().join("stat")).unwrap_or_default();
            stat.rsplit_once(") ").is_some_and(|(_, fields)| fields.starts_with('T'))
        })
    }

    /// Resumes a suspended server.
    pub fn resume(&self) {
        self.signal(Signal::CONT);
    }

    /// Lowers the running server's limit of open files.
    pub fn limit_files(&self, files: u64) {
        let limit = Rlimit { current: Some(files), maximum: Some(files) };
        prlimit(Some(self.pid()), Resource::Nofile, limit).expect("the limit can be lowered");
    }

    fn pid(&self) -> Pid {
        i32::try_from(self.id()).ok().and_then(Pid::from_raw).expect("a process has a positive id")
    }

    fn signal(&self, signal: Signal) {
        kill_process(self.pid(), signal).expect("the server can be signalled");
    }

    /// Waits until the server has ended by itself.
    pub async fn ended(mut self) -> (ExitStatus, Stopped) {
        let status =
            timeout("the end of the server", self.process.wait()).await.expect("it can be waited for");
        (status, Stopped { setup: self.setup })
    }
}

/// A stopped server with its configuration.
#[derive(Debug)]
pub struct Stopped {
    setup: Setup,
}

impl Stopped {
    /// Starts the server again on the same port and the same database.
    pub async fn start(self) -> Server {
        Server::run(self.setup).await
    }
}

/// The address in the server's first line, `Towers is at http://ADDRESS`.
fn address_in(line: &str) -> Option<SocketAddr> {
    line.strip_prefix("Towers is at http://")?.parse().ok()
}

impl Drop for Setup {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let log = fs::read_to_string(self.log()).unwrap_or_default();
            let lines: Vec<&str> = log.lines().collect();
            let tail = lines[lines.len().saturating_sub(60)..].join("\n");
            eprintln!("the end of the server's log:\n{tail}");
        }
    }
}
