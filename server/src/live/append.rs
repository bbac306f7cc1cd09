//! Events in their stored form, and the first ones of a game.

use std::sync::Arc;

use engine::{TextError, TooCostly};
use game::{
    Corrupt, Recorded, State,
    ids::{CommandId, GameId, Version},
};
use store::{Append, DraftIs, GameRow, StoredEvent, WriteError};

use super::{shared::Shared, telling};
use crate::{compute::ComputeError, convert};

/// The reason why the first events of a game were not stored.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CreateError {
    #[error(transparent)]
    Start(TextError),
    #[error(transparent)]
    Costly(TooCostly),
    #[error(transparent)]
    Compute(#[from] ComputeError),
    #[error(transparent)]
    Store(#[from] WriteError),
}

impl Shared {
    /// Stores the first events of a new game.
    ///
    /// # Errors
    /// No game can start from the position in the first event; or the store cannot tell whether the game was stored,
    /// and it may appear in the lists.
    pub(super) async fn store_new(&self, id: GameId, events: Vec<Recorded>) -> Result<GameRow, CreateError> {
        Ok(self.store_first(self.first_append(id, events).await?).await?)
    }

    /// Returns the append of the first events of a new game. If it begins with a turn of a player on vacation, that is
    /// credited at once, so that nobody is told of a deadline during the vacation.
    pub(super) async fn first_append(
        &self,
        id: GameId,
        mut events: Vec<Recorded>,
    ) -> Result<Append, CreateError> {
        let refuse = |corrupt| match corrupt {
            Corrupt::BadStart(error) => CreateError::Start(error),
            Corrupt::NotCreated | Corrupt::OutOfPlace { .. } | Corrupt::IllegalTurn { .. } => {
                unreachable!("it begins with the making of a room")
            }
        };
        let mut state = State::begin(&events[0]).map_err(refuse)?;
        for recorded in &events[1..] {
            state.apply(recorded).map_err(refuse)?;
        }
        let credit = self.decide_credit(&state).await;
        if let Some(decision) = credit.map_err(|error| WriteError::Unknown(Arc::new(error)))? {
            events.extend(decision.events);
            state = *decision.next;
        }
        let stored = stored(Version::NONE, None, &events);
        let row = convert::row(id, &state);
        let notices = telling::notices(&row, &events, None);
        Ok(Append::new(stored, row, DraftIs::Gone).telling(notices))
    }

    /// Stores the first events of a new game.
    pub(super) async fn store_first(&self, append: Append) -> Result<GameRow, WriteError> {
        // The lobby shows the game as soon as it is stored.
        let named = self.dependencies.directory.load(convert::mentioned(append.row())).await;
        named.map_err(|error| WriteError::Unknown(Arc::new(error)))?;
        let committed = self.dependencies.writer.append(append).await?;
        let row = committed.row().clone();
        self.publish(committed);
        Ok(row)
    }
}

/// Returns events in their stored form, with the versions that follow `version`. The first one has the command that
/// caused them.
pub(super) fn stored(
    mut version: Version,
    command: Option<&CommandId>,
    events: &[Recorded],
) -> Vec<StoredEvent> {
    let mut command = command.cloned();
    let mut stored = Vec::with_capacity(events.len());
    for recorded in events {
        version = version.next();
        let (at_ms, body) = (recorded.at_ms, recorded.body());
        stored.push(StoredEvent { version, at_ms, command: command.take(), body });
    }
    stored
}
