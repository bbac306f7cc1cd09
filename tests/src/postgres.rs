//! A real PostgreSQL server for tests: started from the installed packages in a directory of its own, reached by a
//! socket in it, and ended with the test's process, however that ends.

use std::{
    fs,
    io::{self, BufRead, BufReader, Write},
    os::unix::{fs::MetadataExt, process::CommandExt},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    sync::{
        Mutex, OnceLock,
        atomic::{AtomicU32, Ordering},
    },
};

use crate::wire::{Service, Wire};

/// Shell script that runs the server for as long as the script's input is open. The input closes when the test's
/// process ends, even by SIGKILL. The script ignores the signals that are sent to all tests as a group, since it must
/// live on to clean up.
///
/// The server accepts enough connections for the tests that a large machine runs at once (`-N`). After a kill it can
/// start again only when the remains of the old one are gone, so the script repeats the start until it succeeds.
const KEEPER: &str = r#"
trap '' HUP INT TERM PIPE
bin=$1
more=$2
dir=$(mktemp -d /tmp/towers-postgres.XXXXXX) || exit
log=$dir/log
options="-N 400 -c listen_addresses= $more"
quietly() { "$@" >>"$log" 2>&1 </dev/null; }
start() { quietly "$bin/pg_ctl" start --wait --timeout=600 -D "$dir/data" -l "$log" -o "$options -k $dir"; }
stop() { quietly "$bin/pg_ctl" stop --wait --timeout=600 --mode="$1" -D "$dir/data"; }
fail() { tail -n 20 "$log" >&2; exit 1; }
trap 'stop immediate; rm -rf "$dir"' EXIT
quietly "$bin/initdb" --no-sync --auth=trust --username=postgres --encoding=UTF8 --locale=C -D "$dir/data" || fail
start || fail
echo "$dir"
while read -r order; do
    case $order in
        start) start || fail ;;
        stop) stop fast || fail ;;
        kill) kill -KILL "$(head -n 1 "$dir/data/postmaster.pid")" || fail ;;
        revive) tries=0; until start; do tries=$((tries + 1)); [ $tries -lt 1000 ] || fail; done ;;
    esac
    echo done
done
"#;

/// A PostgreSQL server. On drop it is stopped and its data are deleted.
#[derive(Debug)]
pub struct Postgres {
    bin: PathBuf,
    directory: PathBuf,
    databases: AtomicU32,
    keeper: Mutex<Keeper>,
}

#[derive(Debug)]
struct Keeper {
    process: Child,
    /// `None` once it is closed, which ends the keeper.
    orders: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

/// Settings for tests without a power failure: commits do not wait for the disk (`-F`), and no autovacuum connects to
/// the template of new databases.
const FOR_TESTS: &str = "-F -c autovacuum=off";

/// Settings of production: each commit is synced to the disk.
const DURABLE: &str = "";

impl Postgres {
    /// The one server that the tests of a process share. Each takes a [`database`](Self::database) of its own.
    ///
    /// # Panics
    /// If it cannot be started. The message says why and, if it is not installed, how to install it.
    pub fn shared() -> &'static Self {
        static SHARED: OnceLock<Postgres> = OnceLock::new();
        SHARED.get_or_init(|| Self::start().expect("PostgreSQL for tests"))
    }

    /// A server for a test that stops it.
    ///
    /// # Errors
    /// It is not installed, or does not start.
    pub fn start() -> io::Result<Self> {
        Self::start_with(FOR_TESTS)
    }

    /// A server with the durability of production.
    ///
    /// # Errors
    /// It is not installed, or does not start.
    pub fn start_durable() -> io::Result<Self> {
        Self::start_with(DURABLE)
    }

    fn start_with(options: &str) -> io::Result<Self> {
        let bin = find()?;
        let mut command = as_ordinary_user()?;
        let mut process = command
            .args(["sh", "-c", KEEPER, "keeper"])
            .arg(&bin)
            .arg(options)
            .process_group(0)
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let orders = process.stdin.take();
        let answers = BufReader::new(process.stdout.take().expect("its output is piped"));
        let mut keeper = Keeper { process, orders, answers };
        let directory = keeper.answer()?.into();
        Ok(Self { bin, directory, databases: AtomicU32::new(0), keeper: Mutex::new(keeper) })
    }

    /// Creates an empty database and returns its URL.
    ///
    /// # Panics
    /// If it cannot be created.
    pub fn database(&self) -> String {
        self.create("template1")
    }

    /// Copies another database of this server and returns the URL of the copy. The original must have no connections.
    ///
    /// # Panics
    /// If it cannot be copied.
    pub fn copy(&self, url: &str) -> String {
        self.create(name_in(url))
    }

    fn create(&self, template: &str) -> String {
        let name = format!("towers_{}", self.databases.fetch_add(1, Ordering::Relaxed));
        let made = Command::new(self.bin.join("createdb"))
            .args(["--username=postgres", "--template", template, &name, "--host"])
            .arg(&self.directory)
            .status()
            .expect("createdb starts");
        assert!(made.success(), "createdb {name}: {made}");
        format!("postgres://postgres@localhost/{name}?host={}", self.directory.display())
    }

    /// Opens a relay to the server, and returns it with the URL by which it leads to a database.
    ///
    /// # Panics
    /// If the URL is none of this server's.
    pub async fn wire(&self, url: &str) -> (Wire, String) {
        let wire = Wire::to(Service::Unix(self.directory.join(".s.PGSQL.5432"))).await;
        let url = format!("postgres://postgres@{}/{}", wire.address(), name_in(url));
        (wire, url)
    }

    /// Stops the server as its administrator does: connections are cut, data stay.
    ///
    /// # Panics
    /// If it cannot be stopped.
    pub fn stop(&self) {
        self.order("stop");
    }

    /// Starts the server after [`stop`](Self::stop), at the same place with the same data.
    ///
    /// # Panics
    /// If it cannot be started.
    pub fn restart(&self) {
        self.order("start");
    }

    /// Ends the server with SIGKILL, as a crash would.
    ///
    /// # Panics
    /// If it cannot be killed.
    pub fn kill(&self) {
        self.order("kill");
    }

    /// Starts the server after [`kill`](Self::kill), as soon as all of its processes are gone.
    ///
    /// # Panics
    /// If it cannot be started.
    pub fn revive(&self) {
        self.order("revive");
    }

    /// The id of the server's first process, the parent of the others.
    ///
    /// # Panics
    /// If it does not run.
    pub fn process_id(&self) -> u32 {
        let file = self.directory.join("data/postmaster.pid");
        let text = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        text.lines().next().and_then(|line| line.parse().ok()).expect("the first line is the process's id")
    }

    fn order(&self, order: &str) {
        let mut keeper = self.keeper.lock().expect("no order has panicked");
        let orders = keeper.orders.as_mut().expect("open until dropped");
        writeln!(orders, "{order}").expect("the keeper reads");
        keeper.answer().unwrap_or_else(|error| panic!("{order} PostgreSQL: {error}"));
    }
}

impl Keeper {
    fn answer(&mut self) -> io::Result<String> {
        let mut line = String::new();
        if self.answers.read_line(&mut line)? == 0 {
            return Err(io::Error::other("PostgreSQL did not start or stop; its log is above"));
        }
        Ok(line.trim_end().to_owned())
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        self.orders = None;
        // Its messages went to standard error.
        let _ = self.process.wait();
    }
}

/// The name of the database in a URL of [`Postgres::database`].
fn name_in(url: &str) -> &str {
    let name = url.split_once("localhost/").and_then(|(_, rest)| rest.split_once('?'));
    name.unwrap_or_else(|| panic!("{url} is no database of this server")).0
}

/// The directory of PostgreSQL's programs: the newest of Debian's, else where `initdb` is found in `PATH`.
fn find() -> io::Result<PathBuf> {
    let mut versions: Vec<(u32, PathBuf)> = fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .filter_map(|entry| {
            let entry = entry.ok()?;
            Some((entry.file_name().to_str()?.parse().ok()?, entry.path().join("bin")))
        })
        .collect();
    versions.sort();
    let debians = versions.into_iter().rev().map(|(_, bin)| bin);
    let path = std::env::var_os("PATH").unwrap_or_default();
    debians
        .chain(std::env::split_paths(&path))
        .find(|bin| is_server(bin))
        .ok_or_else(|| io::Error::other("PostgreSQL is not installed: apt-get install postgresql"))
}

fn is_server(bin: &Path) -> bool {
    ["initdb", "pg_ctl", "postgres", "createdb"].iter().all(|program| bin.join(program).exists())
}

/// PostgreSQL does not run as root; its package has made a user for it.
fn as_ordinary_user() -> io::Result<Command> {
    let is_root = fs::metadata("/proc/self")?.uid() == 0;
    let mut command = Command::new(if is_root { "runuser" } else { "env" });
    if is_root {
        command.args(["-u", "postgres", "--"]);
    }
    Ok(command)
}
