//! What is to be sent to players who are away. A row says that there is something, and not what: that is found out when it is
//! sent, so no message is about a turn that has been played.

use std::collections::BTreeMap;

use game::{
    NoticeChannel, NoticePurpose,
    ids::{BotLevel, PlayerId},
};
use uuid::Uuid;

use super::{Append, DraftIs, Link, TokenHash};

/// Time after which a turn that is still due is told, in milliseconds.
pub const TURN_TOLD_AFTER_MS: i64 = 10 * 60 * 1000;

/// Returns the times at which a player is told that a deadline comes near: when a quarter of the time that the turn was allotted is
/// left, and a tenth. All times are in milliseconds.
pub fn warnings_ms(deadline_ms: i64, allotted_ms: i64) -> [i64; 2] {
    [4, 10].map(|part| deadline_ms - allotted_ms / part)
}

/// The row of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct OutboxKey {
    pub player: PlayerId,
    pub purpose: NoticePurpose,
    pub channel: NoticeChannel,
}

/// A message that is due. Times are milliseconds since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DueMessage {
    pub key: OutboxKey,
    /// Time up to which the player has been told everything.
    pub since_ms: i64,
    /// Time of the last change. It is another one after each change.
    pub changed_ms: i64,
    /// Number of earlier attempts to send it.
    pub attempts: u32,
}

/// A change of the messages to be sent. Times are milliseconds since 1970.
#[derive(Clone, Debug)]
pub enum OutboxChange {
    /// A message is about to be sent, and due again at `again_ms` if that fails. It is refused if none is due: another node
    /// may be sending it.
    Tried { key: OutboxKey, mail: Option<NoticeMail>, now_ms: i64, again_ms: i64 },
    /// There is nothing to be sent before `due_ms`. Without effect if there is more since `changed_ms`.
    Postponed { key: OutboxKey, changed_ms: i64, due_ms: i64 },
    /// The player has been told what there was at `now_ms`. If there is more since `changed_ms`, it is due at once; else
    /// at `next_ms`.
    Done { key: OutboxKey, changed_ms: i64, now_ms: i64, next_ms: Option<i64> },
}

/// The mail that carries a message.
#[derive(Clone, Debug)]
pub struct NoticeMail {
    /// Under this id it counts as a mail that was tried.
    pub id: Uuid,
    /// Stops such mails.
    pub link: Link,
}

impl OutboxChange {
    pub(super) const fn key(&self) -> OutboxKey {
        match self {
            Self::Tried { key, .. } | Self::Postponed { key, .. } | Self::Done { key, .. } => *key,
        }
    }
}

/// Something to be told to a player by each channel that reaches them. Times are milliseconds since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Note {
    pub(super) at_ms: i64,
    pub(super) due_ms: i64,
}

/// A player whose browser subscribes: turns that are due before are told of too.
#[derive(Clone, Copy, Debug)]
pub(super) struct Subscriber<'w> {
    pub(super) player: PlayerId,
    pub(super) session: &'w TokenHash,
    pub(super) now_ms: i64,
}

/// Changes of messages to write in a transaction.
#[derive(Debug, Default)]
pub(super) struct OutboxPlan<'w> {
    notes: BTreeMap<(PlayerId, NoticePurpose), Note>,
    subscribers: Vec<Subscriber<'w>>,
    changes: Vec<(usize, &'w OutboxChange)>,
}

/// One statement of a plan.
#[derive(Clone, Debug)]
pub(super) enum OutboxStep<'w> {
    /// Notes in the order of their rows.
    Notes(Vec<((PlayerId, NoticePurpose), Note)>),
    Subscribed(Subscriber<'w>),
    /// A change, with the index of its result.
    Change(usize, &'w OutboxChange),
}

impl OutboxStep<'_> {
    /// The first rows that it locks: those of a player for a purpose, by one channel or by all in their order.
    fn rows(&self) -> Option<(PlayerId, NoticePurpose, Option<NoticeChannel>)> {
        Some(match self {
            Self::Notes(notes) => {
                let ((player, purpose), _) = notes.first()?;
                (*player, *purpose, None)
            }
            Self::Subscribed(Subscriber { player, .. }) => {
                (*player, NoticePurpose::Deadline, Some(NoticeChannel::Push))
            }
            Self::Change(_, change) => {
                let OutboxKey { player, purpose, channel } = change.key();
                (player, purpose, Some(channel))
            }
        })
    }
}

impl<'w> OutboxPlan<'w> {
    /// Notes the turn that is due after an append, and its deadline, to be told to its player if that is a person. The deadline
    /// also moves within a turn: to a later time when a vacation begins, and to an earlier one when it ends before its time. When it
    /// is told then depends on what the turn was allotted, so it is found out at once.
    /// Of games in real time nothing is noted.
    pub(super) fn note_turn(&mut self, append: &Append) {
        let row = append.row();
        let person = row.awaited().filter(|player| BotLevel::of(*player).is_none());
        let Some(player) = person else { return };
        let at_ms = row.updated_ms;
        let begins = append.draft_is == DraftIs::Gone;
        if begins {
            self.note(player, NoticePurpose::Turns, Note { at_ms, due_ms: at_ms + TURN_TOLD_AFTER_MS });
        }
        if let Some(deadline_ms) = row.deadline_ms {
            let [quarter_ms, _] = warnings_ms(deadline_ms, deadline_ms - at_ms);
            let due_ms = if begins { quarter_ms } else { at_ms };
            self.note(player, NoticePurpose::Deadline, Note { at_ms, due_ms });
        }
    }

    fn note(&mut self, player: PlayerId, purpose: NoticePurpose, note: Note) {
        let noted = self.notes.entry((player, purpose)).or_insert(note);
        *noted = Note { at_ms: noted.at_ms.max(note.at_ms), due_ms: noted.due_ms.min(note.due_ms) };
    }

    pub(super) fn subscribe(&mut self, subscriber: Subscriber<'w>) {
        self.subscribers.push(subscriber);
    }

    pub(super) fn change(&mut self, place: usize, change: &'w OutboxChange) {
        self.changes.push((place, change));
    }

    /// Takes the statements in the order of their rows, so that two nodes never deadlock. A note comes before the changes of
    /// its row. Notes without anything between them are one statement.
    pub(super) fn take(&mut self) -> Vec<OutboxStep<'w>> {
        let Self { notes, subscribers, changes } = std::mem::take(self);
        let notes = notes.into_iter().map(|note| OutboxStep::Notes(vec![note]));
        let changes = changes.into_iter().map(|(place, change)| OutboxStep::Change(place, change));
        let subscribers = subscribers.into_iter().map(OutboxStep::Subscribed);
        let mut steps: Vec<_> = notes.chain(subscribers).chain(changes).collect();
        steps.sort_by_key(OutboxStep::rows);
        steps.into_iter().fold(Vec::new(), |mut merged, step| {
            match (merged.last_mut(), step) {
                (Some(OutboxStep::Notes(before)), OutboxStep::Notes(notes)) => before.extend(notes),
                (_, step) => merged.push(step),
            }
            merged
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_locked_in_the_order_of_their_keys() {
        let player = PlayerId::new(Uuid::from_u128(1));
        let done = |purpose, channel| OutboxChange::Done {
            key: OutboxKey { player, purpose, channel },
            changed_ms: 1,
            now_ms: 1,
            next_ms: None,
        };
        let changes = [
            done(NoticePurpose::Deadline, NoticeChannel::Push),
            done(NoticePurpose::Turns, NoticeChannel::Push),
            done(NoticePurpose::Deadline, NoticeChannel::Mail),
            done(NoticePurpose::Turns, NoticeChannel::Mail),
        ];
        let mut plan = OutboxPlan::default();
        for (place, change) in changes.iter().enumerate() {
            plan.change(place, change);
        }
        let session = TokenHash::of(b"");
        plan.subscribe(Subscriber { player, session: &session, now_ms: 1 });
        plan.note(player, NoticePurpose::Turns, Note { at_ms: 1, due_ms: 1 });
        let rows: Vec<_> = plan.take().iter().map(OutboxStep::rows).collect();
        let [turns, deadline] = [NoticePurpose::Turns, NoticePurpose::Deadline];
        let [mail, push] = [Some(NoticeChannel::Mail), Some(NoticeChannel::Push)];
        let expected = [
            (turns, None),
            (turns, mail),
            (turns, push),
            (deadline, mail),
            (deadline, push),
            (deadline, push),
        ];
        assert_eq!(rows, expected.map(|(purpose, channel)| Some((player, purpose, channel))));
    }

    #[test]
    fn the_notes_of_many_turns_are_one_statement() {
        let players = [1, 2, 3].map(|n| PlayerId::new(Uuid::from_u128(n)));
        let mut plan = OutboxPlan::default();
        for player in players.into_iter().rev() {
            plan.note(player, NoticePurpose::Turns, Note { at_ms: 1, due_ms: 2 });
        }
        let [OutboxStep::Notes(notes)] = &plan.take()[..] else { panic!("one step") };
        let noted: Vec<_> = notes.iter().map(|((player, _), _)| *player).collect();
        assert_eq!(noted, players, "in the order of their rows");
    }
}
