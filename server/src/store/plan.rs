//! What of some writes can be done, and what the database is to do for it: the one decision that both databases
//! share.

use std::collections::{BTreeMap, HashMap, HashSet};

use uuid::Uuid;

use super::{Append, Conflict, DraftRow, StoredEvent, Write, row};
use crate::{
    ids::{CommandId, GameId, Version},
    protocol::GameSummary,
};

/// How the games stand that some writes are about. It must hold still until the writes are done, so it is read
/// in their transaction, with the games locked.
#[derive(Debug, Default)]
pub(super) struct Standing {
    /// The version of each game that there is.
    pub(super) versions: HashMap<GameId, Version>,
    /// Those of the writes' command ids that their games have events of.
    pub(super) commands: HashSet<(GameId, CommandId)>,
}

impl Standing {
    /// Of rows of games with their versions, and of events with their commands.
    pub(super) fn of(versions: Vec<(Uuid, i64)>, commands: Vec<(Uuid, String)>) -> Result<Self, sqlx::Error> {
        Ok(Self {
            versions: versions
                .into_iter()
                .map(|(game, version)| Ok((GameId::new(game), row::version(version)?)))
                .collect::<Result<_, sqlx::Error>>()?,
            commands: commands
                .into_iter()
                .map(|(game, command)| Ok((GameId::new(game), row::command(command)?)))
                .collect::<Result<_, sqlx::Error>>()?,
        })
    }
}

/// What to write, in the order of the games' ids, so that two nodes take their locks in the same order.
#[derive(Debug)]
pub(super) struct Plan<'w> {
    /// For each write, in order.
    pub(super) results: Vec<Result<(), Conflict>>,
    pub(super) games: BTreeMap<GameId, &'w GameSummary>,
    pub(super) events: Vec<(GameId, &'w StoredEvent)>,
    /// `None` where the game is to have no draft.
    pub(super) drafts: BTreeMap<GameId, Option<&'w DraftRow>>,
}

impl<'w> Plan<'w> {
    pub(super) fn of(writes: &'w [Write], mut standing: Standing) -> Self {
        let mut plan =
            Self { results: Vec::new(), games: BTreeMap::new(), events: Vec::new(), drafts: BTreeMap::new() };
        for write in writes {
            let result = match write {
                Write::Append(append) => plan.append(append, &mut standing),
                Write::Draft(draft) => plan.draft(draft, &standing),
                Write::TakeDraft(game) => {
                    plan.drafts.insert(*game, None);
                    Ok(())
                }
            };
            plan.results.push(result);
        }
        plan.events.sort_by_key(|(game, event)| (*game, event.version));
        plan
    }

    fn append(&mut self, append: &'w Append, standing: &mut Standing) -> Result<(), Conflict> {
        let game = append.game();
        let version = standing.versions.get(&game).copied().unwrap_or(Version::NONE);
        if append.first() != version.next() {
            return Err(Conflict::Version(version));
        }
        let commands: Vec<_> = commands(append).collect();
        if commands.iter().any(|command| standing.commands.contains(command)) {
            return Err(Conflict::Command);
        }
        standing.versions.insert(game, append.row().version);
        standing.commands.extend(commands);
        self.games.insert(game, append.row());
        self.events.extend(append.events().iter().map(|event| (game, event)));
        self.drafts.insert(game, None);
        Ok(())
    }

    fn draft(&mut self, draft: &'w DraftRow, standing: &Standing) -> Result<(), Conflict> {
        let version = standing.versions.get(&draft.game).copied().unwrap_or(Version::NONE);
        if version == Version::NONE || draft.version != version {
            return Err(Conflict::Version(version));
        }
        self.drafts.insert(draft.game, Some(draft));
        Ok(())
    }

    /// The drafts to be stored.
    pub(super) fn saved_drafts(&self) -> Vec<&'w DraftRow> {
        self.drafts.values().filter_map(|draft| *draft).collect()
    }

    /// The games that are to have no draft.
    pub(super) fn draftless_games(&self) -> Vec<GameId> {
        self.drafts.iter().filter(|(_, draft)| draft.is_none()).map(|(game, _)| *game).collect()
    }
}

/// The games that writes are about, each once.
pub(super) fn games_of(writes: &[Write]) -> Vec<GameId> {
    let mut games: Vec<_> = writes
        .iter()
        .map(|write| match write {
            Write::Append(append) => append.game(),
            Write::Draft(draft) => draft.game,
            Write::TakeDraft(game) => *game,
        })
        .collect();
    games.sort_unstable();
    games.dedup();
    games
}

/// The commands that writes come from.
pub(super) fn commands_of(writes: &[Write]) -> Vec<(GameId, CommandId)> {
    writes
        .iter()
        .filter_map(|write| match write {
            Write::Append(append) => Some(append),
            Write::Draft(_) | Write::TakeDraft(_) => None,
        })
        .flat_map(|append| commands(append))
        .collect()
}

fn commands(append: &Append) -> impl Iterator<Item = (GameId, CommandId)> {
    append.events().iter().filter_map(|event| Some((append.game(), event.command.clone()?)))
}
