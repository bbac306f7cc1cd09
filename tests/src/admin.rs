//! The administration commands of the server's program.

use std::process::{Output, Stdio};

use tokio::process::Command;

use crate::{database::Database, server::program, timeout};

/// The output and the exit status of a command.
#[derive(Debug)]
pub struct Done {
    /// The lines of its standard output.
    pub lines: Vec<String>,
    /// Its standard error.
    pub complaint: String,
    pub code: Option<i32>,
}

impl Done {
    fn of(output: &Output) -> Self {
        let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
        let lines = text(&output.stdout).lines().map(str::to_owned).collect();
        Self { lines, complaint: text(&output.stderr), code: output.status.code() }
    }

    /// Returns the output of a successful command.
    ///
    /// # Panics
    /// If the command failed.
    pub fn ok(self) -> Vec<String> {
        assert_eq!(self.code, Some(0), "{self:?}");
        self.lines
    }

    /// Asserts that the command failed with an error text.
    ///
    /// # Panics
    /// If it succeeded, or failed with another text.
    pub fn is_refused(&self, why: &str) {
        assert!(self.code == Some(1) && self.complaint.contains(why), "expected {why:?}: {self:?}");
    }
}

/// Runs a command, such as `check`, on a database.
pub async fn run(database: &Database, arguments: &[&str]) -> Done {
    run_in(database.url(), arguments, None).await
}

/// As [`run`], with a `PATH` for programs.
pub async fn run_in(database_url: &str, arguments: &[&str], path: Option<&str>) -> Done {
    let mut command = Command::new(program());
    command.args(arguments).args(["--database-url", database_url]).env_remove("DATABASE_URL");
    command.envs(path.map(|path| ("PATH", path))).stdin(Stdio::null()).kill_on_drop(true);
    let output = timeout(format!("the end of {arguments:?}"), command.output()).await;
    Done::of(&output.expect("the program can be run"))
}
