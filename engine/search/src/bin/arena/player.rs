//! Players at work: those of the crate, and other programs.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    time::Duration,
};

use engine::AnyMatch;
use search::{Limit, Opponent, Searcher, Settings};

use crate::{
    entrant::{Entrant, Kind},
    program::Program,
};

/// Memory of the tables of each player in bytes.
const TABLE_BYTES: usize = 64 << 20;

/// Time that a program may take for a turn where no time limits it.
const PATIENCE: Duration = Duration::from_secs(60);

/// A player at work, with its memory.
pub(crate) enum Player {
    Searcher(Opponent, Box<Searcher>),
    Program(Program),
}

/// A turn, and the processor's time that another process took for it.
pub(crate) struct Answer {
    pub(crate) turn: Vec<String>,
    pub(crate) elsewhere: Duration,
}

impl Player {
    pub(crate) fn new(entrant: &Entrant) -> Self {
        match &entrant.kind {
            Kind::Opponent(opponent) => Self::Searcher(*opponent, searcher()),
            Kind::Program(command) => Self::Program(Program::new(command.clone())),
        }
    }

    /// Returns the turn of the player, or its fault. A program is given up after `patience`, or after a minute.
    pub(crate) fn turn(
        &mut self,
        game: &AnyMatch,
        limit: &Limit<'_>,
        patience: Option<Duration>,
        seed: u64,
    ) -> Result<Answer, String> {
        match self {
            Self::Searcher(opponent, player) => {
                let settings = Settings { seed, ..Settings::default() };
                let report = catch_unwind(AssertUnwindSafe(|| {
                    player.search_as(*opponent, game, limit, &settings, &mut |_| {})
                }));
                match report {
                    Ok(Some(report)) => Ok(Answer { turn: report.turn, elsewhere: Duration::ZERO }),
                    Ok(None) => Err("no turn".to_owned()),
                    Err(_) => {
                        *player = searcher();
                        Err("panic".to_owned())
                    }
                }
            }
            Self::Program(program) => program
                .turn(game, limit, patience.unwrap_or(PATIENCE))
                .map(|(turn, elsewhere)| Answer { turn, elsewhere })
                .map_err(|error| format!("{error:#}")),
        }
    }
}

fn searcher() -> Box<Searcher> {
    Box::new(Searcher::new(TABLE_BYTES))
}
