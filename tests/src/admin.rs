//! The other commands of the server's program, each of which does one thing with a database and ends.

use std::process::{Output, Stdio};

use tokio::process::Command;

use crate::{database::Database, server::program, timeout};

/// What a command has said, and how it ended.
#[derive(Debug)]
pub struct Done {
    /// The lines of its standard output.
    pub lines: Vec<String>,
    /// What it has said on its standard error.
    pub complaint: String,
    pub code: Option<i32>,
}

impl Done {
    fn of(output: &Output) -> Self {
        let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
        let lines = text(&output.stdout).lines().map(str::to_owned).collect();
        Self { lines, complaint: text(&output.stderr), code: output.status.code() }
    }

    /// The lines of one that went well.
    ///
    /// # Panics
    /// If it did not.
    pub fn ok(self) -> Vec<String> {
        assert_eq!(self.code, Some(0), "{self:?}");
        self.lines
    }

    /// Asserts that the command was not carried out, and that it says why.
    ///
    /// # Panics
    /// If it was, or says something else.
    pub fn is_refused(&self, why: &str) {
        assert!(self.code == Some(1) && self.complaint.contains(why), "expected {why:?}: {self:?}");
    }
}

/// Carries out a command, such as `check`, on a database.
pub async fn run(database: &Database, arguments: &[&str]) -> Done {
    run_in(database.url(), arguments, None).await
}

/// As [`run`], with the directories where programs are found.
pub async fn run_in(database_url: &str, arguments: &[&str], path: Option<&str>) -> Done {
    let mut command = Command::new(program());
    command.args(arguments).args(["--database-url", database_url]).env_remove("DATABASE_URL");
    command.envs(path.map(|path| ("PATH", path))).stdin(Stdio::null()).kill_on_drop(true);
    let output = timeout(format!("the end of {arguments:?}"), command.output()).await;
    Done::of(&output.expect("the program can be run"))
}
