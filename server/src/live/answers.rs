use std::collections::{HashMap, VecDeque};

use crate::{
    game::{Cause, Refusal},
    ids::{CommandId, PlayerId, Version},
    store::StoredEvent,
};

/// Refusals that a game remembers. They have no effect that a repetition could double, so the oldest may go.
const REMEMBERED_REFUSALS: usize = 64;

/// What the commands of one game were answered, so that the same command id gets the same answer.
#[derive(Debug, Default)]
pub(super) struct Answers {
    /// Every command in the log.
    accepted: HashMap<CommandId, Accepted>,
    latest: Option<CommandId>,
    refused: VecDeque<(CommandId, PlayerId, Refusal)>,
}

/// A command that had an effect.
#[derive(Debug)]
struct Accepted {
    sender: PlayerId,
    /// The versions of the first and the last of its events.
    first: Version,
    last: Version,
}

impl Answers {
    /// The answer that a command got before; `is_same` tells whether the event with a version came of what is
    /// asked now.
    pub(super) fn find(
        &self,
        command: &CommandId,
        who: PlayerId,
        is_same: impl FnOnce(Version) -> bool,
    ) -> Option<Result<Version, Refusal>> {
        if let Some(Accepted { sender, first, last }) = self.accepted.get(command) {
            let is_repeated = *sender == who && is_same(*first);
            return Some(if is_repeated { Ok(*last) } else { Err(Refusal::CommandReused) });
        }
        let (.., refusal) = self.refused.iter().find(|(id, sender, _)| id == command && *sender == who)?;
        Some(Err(refusal.clone()))
    }

    /// Takes note of an event of the log and of what brought it about.
    pub(super) fn learn(&mut self, stored: &StoredEvent, cause: Cause) {
        match (&stored.command, cause) {
            (Some(command), Cause::Command(author)) => {
                let version = stored.version;
                self.accepted
                    .insert(command.clone(), Accepted { sender: author, first: version, last: version });
                self.latest = Some(command.clone());
            }
            (None, Cause::EventBefore) => {
                if let Some(accepted) = self.latest.as_ref().and_then(|id| self.accepted.get_mut(id)) {
                    accepted.last = stored.version;
                }
            }
            (Some(_), Cause::EventBefore | Cause::Server) | (None, Cause::Command(_) | Cause::Server) => {
                self.latest = None;
            }
        }
    }

    /// Takes note of a refusal.
    pub(super) fn refused(&mut self, command: &CommandId, who: PlayerId, refusal: &Refusal) {
        if self.refused.len() == REMEMBERED_REFUSALS {
            self.refused.pop_front();
        }
        self.refused.push_back((command.clone(), who, refusal.clone()));
    }
}
