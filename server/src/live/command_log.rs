use std::{
    collections::{HashMap, VecDeque},
    hash::{BuildHasher, RandomState},
};

use game::{
    Cause, Command, Effect, Event,
    ids::{CommandId, PlayerId, Version},
};
use protocol::Nack;
use store::StoredEvent;

/// Number of refusals recorded for each player of a game, and for no stranger. A repeated refused command has no
/// effect, so old records may be dropped.
const REMEMBERED_REFUSALS: usize = 64;

/// The answers to the commands of one game, so that a repeated command id gets the same answer.
#[derive(Debug, Default)]
pub(super) struct CommandLog {
    /// All commands in the log, by the digest of the id.
    accepted: HashMap<u64, Accepted>,
    latest: Option<u64>,
    refused: VecDeque<(CommandId, PlayerId, Nack)>,
    /// Random keys of the digests, so that no client can choose two ids with the same digest. Among the thousands of
    /// commands of a game a collision has a probability of 10⁻¹².
    digests: RandomState,
}

/// A command that had an effect.
#[derive(Clone, Copy, Debug)]
struct Accepted {
    /// Digest of the sender and the effect.
    effect: u32,
    /// Version of the last event of the command.
    last: Version,
}

impl CommandLog {
    /// Returns the earlier answer to a command.
    pub(super) fn find(
        &self,
        id: &CommandId,
        who: PlayerId,
        command: &Command,
    ) -> Option<Result<Version, Nack>> {
        if let Some(Accepted { effect, last }) = self.accepted.get(&self.digests.hash_one(id)) {
            let is_repeated = command.effects().any(|asked| self.effect(who, &asked) == *effect);
            return Some(if is_repeated { Ok(*last) } else { Err(Nack::CommandReused) });
        }
        let (.., refusal) = self.refused.iter().find(|(known, sender, _)| known == id && *sender == who)?;
        Some(Err(refusal.clone()))
    }

    /// Records an event of the log with its cause.
    pub(super) fn record(&mut self, stored: &StoredEvent, cause: Cause, event: &Event) {
        match (&stored.command, cause) {
            (Some(command), Cause::Command(author)) => {
                let id = self.digests.hash_one(command);
                let effect = self.effect(author, &event.effect());
                self.accepted.insert(id, Accepted { effect, last: stored.version });
                self.latest = Some(id);
            }
            (None, Cause::EventBefore) => {
                if let Some(accepted) = self.latest.and_then(|id| self.accepted.get_mut(&id)) {
                    accepted.last = stored.version;
                }
            }
            (Some(_), Cause::EventBefore | Cause::Server) | (None, Cause::Command(_) | Cause::Server) => {
                self.latest = None;
            }
        }
    }

    /// Returns the upper half of the digest of a player's command.
    fn effect(&self, who: PlayerId, effect: &Effect<'_>) -> u32 {
        (self.digests.hash_one((who, effect)) >> u32::BITS) as u32
    }

    /// Records a refusal of one of the game's players.
    pub(super) fn refused(&mut self, command: &CommandId, who: PlayerId, refusal: &Nack) {
        let of_player = |(_, sender, _): &(CommandId, PlayerId, Nack)| *sender == who;
        if self.refused.iter().filter(|refused| of_player(refused)).count() == REMEMBERED_REFUSALS
            && let Some(oldest) = self.refused.iter().position(of_player)
        {
            self.refused.remove(oldest);
        }
        self.refused.push_back((command.clone(), who, refusal.clone()));
    }

    /// Bytes of memory that the log takes: each slot of the table has a control byte, and an eighth of the slots is
    /// free.
    pub(super) fn n_bytes(&self) -> usize {
        let accepted = self.accepted.capacity() * 8 / 7 * (size_of::<(u64, Accepted)>() + 1);
        accepted + self.refused.capacity() * size_of::<(CommandId, PlayerId, Nack)>()
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn id(number: usize) -> CommandId {
        CommandId::try_from(number.to_string()).unwrap()
    }

    #[test]
    fn the_refusals_of_one_player_displace_none_of_the_other() {
        let [ada, blaise] = [1, 2].map(|number| PlayerId::new(Uuid::from_u128(number)));
        let mut command_log = CommandLog::default();
        command_log.refused(&id(0), ada, &Nack::NotYourTurn);
        for number in 0..=REMEMBERED_REFUSALS {
            command_log.refused(&id(number), blaise, &Nack::GameOver);
        }
        let told = |who, number| command_log.find(&id(number), who, &Command::Resign);
        assert_eq!(told(ada, 0), Some(Err(Nack::NotYourTurn)));
        assert_eq!(told(blaise, 0), None, "the oldest refusal of the same player is dropped");
        assert_eq!(told(blaise, REMEMBERED_REFUSALS), Some(Err(Nack::GameOver)));
        assert_eq!(command_log.refused.len(), 1 + REMEMBERED_REFUSALS);
    }
}
