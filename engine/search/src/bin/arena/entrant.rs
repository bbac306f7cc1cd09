//! Players on the command line.

use std::{fmt, str::FromStr, time::Duration};

use search::Opponent;

/// A player with its own limit, if it has one.
#[derive(Clone, Debug)]
pub(crate) struct Entrant {
    pub(crate) kind: Kind,
    pub(crate) limit: Option<Each>,
}

#[derive(Clone, Debug)]
pub(crate) enum Kind {
    Opponent(Opponent),
    /// The path of a program with the line protocol of `bot`, and its arguments, separated by spaces.
    Program(String),
}

/// A limit of a turn.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Each {
    Time(Duration),
    Nodes(u64),
}

impl Entrant {
    /// A program, without a limit of its own.
    pub(crate) const fn program(command: String) -> Self {
        Self { kind: Kind::Program(command), limit: None }
    }
}

/// An opponent of the crate by its name, and after an `@` its limit.
impl FromStr for Entrant {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        let (name, limit) = text.split_once('@').map_or((text, None), |(name, limit)| (name, Some(limit)));
        let limit = limit.map(|limit| match limit.strip_suffix("ms") {
            Some(ms) => ms.parse().map(|ms| Each::Time(Duration::from_millis(ms))),
            None => limit.parse().map(Each::Nodes),
        });
        Ok(Self { kind: Kind::Opponent(name.parse()?), limit: limit.transpose()? })
    }
}

impl fmt::Display for Entrant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::Opponent(opponent) => opponent.fmt(f)?,
            Kind::Program(command) => f.write_str(command)?,
        }
        match self.limit {
            Some(Each::Time(time)) => write!(f, "@{}ms", time.as_millis()),
            Some(Each::Nodes(nodes)) => write!(f, "@{nodes}"),
            None => Ok(()),
        }
    }
}
