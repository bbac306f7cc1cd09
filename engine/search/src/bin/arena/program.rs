//! Other programs, which speak the line protocol of `bot`.

use std::{
    io::{self, BufRead, BufReader, Write},
    process::{Child, ChildStdin, Command, Stdio},
    sync::mpsc::{Receiver, RecvTimeoutError, sync_channel},
    thread,
    time::Duration,
};

use anyhow::{Context, bail};
use engine::AnyMatch;
use rustix::param::clock_ticks_per_second;
use search::Limit;
use serde_json::{Value, json};

/// A program that plays. It is started for its first turn, and again after a fault.
pub(crate) struct Program {
    command: String,
    running: Option<Running>,
}

impl Program {
    pub(crate) const fn new(command: String) -> Self {
        Self { command, running: None }
    }

    /// Asks for a turn, for which it waits `patience`. Returns the turn and the processor's time that the program took
    /// for it. After an error the program is ended.
    pub(crate) fn turn(
        &mut self,
        game: &AnyMatch,
        limit: &Limit<'_>,
        patience: Duration,
    ) -> anyhow::Result<(Vec<String>, Duration)> {
        let mut running = match self.running.take() {
            Some(running) => running,
            None => Running::start(&self.command)?,
        };
        let before = running.processor_time()?;
        let turn = running.ask(&request(game, limit), patience)?;
        let taken = running.processor_time()?.saturating_sub(before);
        self.running = Some(running);
        Ok((turn, taken))
    }
}

/// A program at work, which is ended when this is dropped.
struct Running {
    child: Child,
    input: ChildStdin,
    answers: Receiver<io::Result<String>>,
}

impl Running {
    fn start(command: &str) -> anyhow::Result<Self> {
        let mut words = command.split(' ');
        let mut child = Command::new(words.next().unwrap_or_default())
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .context("it does not start")?;
        let input = child.stdin.take().context("it has no input")?;
        let output = BufReader::new(child.stdout.take().context("it has no output")?);
        let (sender, answers) = sync_channel(1);
        thread::spawn(move || output.lines().all(|line| sender.send(line).is_ok()));
        Ok(Self { child, input, answers })
    }

    fn ask(&mut self, request: &Value, patience: Duration) -> anyhow::Result<Vec<String>> {
        // A program that has ended reads nothing. It is found out by its missing answer.
        let _ = writeln!(self.input, "{request}");
        let line = match self.answers.recv_timeout(patience) {
            Ok(line) => line?,
            Err(RecvTimeoutError::Timeout) => bail!("no answer within {patience:.1?}"),
            Err(RecvTimeoutError::Disconnected) => bail!("it has ended"),
        };
        turn(&line).with_context(|| format!("not a turn: {line:?}"))
    }

    /// The processor's time of the process so far, in steps of a hundredth of a second.
    fn processor_time(&self) -> anyhow::Result<Duration> {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id()))?;
        // The name of the program, in parentheses, may hold spaces.
        let fields = stat.rsplit_once(") ").context("the times of a process")?.1;
        let ticks = fields.split(' ').skip(11).take(2).map(str::parse::<u64>).sum::<Result<u64, _>>()?;
        Ok(Duration::from_secs(ticks) / clock_ticks_per_second() as u32)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn request(game: &AnyMatch, limit: &Limit<'_>) -> Value {
    let turns: Vec<Vec<&str>> = game.turns().iter().map(|turn| turn.actions().collect()).collect();
    let mut request = json!({ "ruleset": game.ruleset().id(), "start": game.start_text(), "turns": turns });
    if let Some(time) = limit.time {
        request["movetime_ms"] = json!(time.limit.as_millis() as u64);
    }
    if let Some(nodes) = limit.nodes {
        request["nodes"] = json!(nodes);
    }
    request
}

/// The turn of an answer.
fn turn(line: &str) -> Option<Vec<String>> {
    let answer: Value = serde_json::from_str(line).ok()?;
    answer["turn"].as_array()?.iter().map(|action| Some(action.as_str()?.to_owned())).collect()
}
