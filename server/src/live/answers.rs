use std::collections::{HashMap, VecDeque};

use crate::{
    game::{Cause, Command, Event, Refusal},
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
    /// The first of its events.
    event: Box<Event>,
    /// The version of the last of its events.
    last: Version,
}

impl Answers {
    /// The answer that a command got before.
    pub(super) fn find(
        &self,
        id: &CommandId,
        who: PlayerId,
        command: &Command,
    ) -> Option<Result<Version, Refusal>> {
        if let Some(Accepted { sender, event, last }) = self.accepted.get(id) {
            let is_repeated = *sender == who && command.brings(event);
            return Some(if is_repeated { Ok(*last) } else { Err(Refusal::CommandReused) });
        }
        let (.., refusal) = self.refused.iter().find(|(known, sender, _)| known == id && *sender == who)?;
        Some(Err(refusal.clone()))
    }

    /// Takes note of an event of the log and of what brought it about.
    pub(super) fn learn(&mut self, stored: &StoredEvent, cause: Cause, event: Event) {
        match (&stored.command, cause) {
            (Some(command), Cause::Command(author)) => {
                let accepted = Accepted { sender: author, event: Box::new(event), last: stored.version };
                self.accepted.insert(command.clone(), accepted);
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
