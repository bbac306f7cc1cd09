//! Messages to players who are away.

use game::{NoticeChannel, NoticePurpose, TurnMails, ids::PlayerId};

use super::Tables;
use crate::{
    DueMessage, NoticeMail, OutboxChange, OutboxKey, Refused,
    outbox::{Note, Subscriber},
    row::word,
};

/// A message to be sent. Times are milliseconds since 1970.
#[derive(Clone, Copy, Debug)]
pub(super) struct Message {
    since_ms: i64,
    due_ms: i64,
    changed_ms: i64,
    attempts: u32,
}

impl Tables {
    /// Notes something by each channel that reaches a player.
    pub(super) fn note(&mut self, player: PlayerId, purpose: NoticePurpose, note: Note) {
        let mail = self.is_mailed(player).then_some(NoticeChannel::Mail);
        let push = self.has_pushes(player).then_some(NoticeChannel::Push);
        let Note { at_ms, due_ms } = note;
        for channel in [mail, push].into_iter().flatten() {
            let new = Message { since_ms: at_ms, due_ms, changed_ms: at_ms - 1, attempts: 0 };
            let message = self.messages.entry(OutboxKey { player, purpose, channel }).or_insert(new);
            message.due_ms = message.due_ms.min(due_ms);
            message.changed_ms = at_ms.max(message.changed_ms + 1);
        }
    }

    /// Whether mails tell a player of turns.
    fn is_mailed(&self, player: PlayerId) -> bool {
        self.account_of(player).is_some_and(|account| {
            account.mail.is_some()
                && account.notices.turn_mails != TurnMails::Off
                && account.closed_ms.is_none()
        })
    }

    /// Notes that the time for turns of a player, whom mails may tell of turns now, may come to its end.
    pub(super) fn note_by_mail(&mut self, player: PlayerId, now_ms: i64) {
        if self.is_mailed(player) {
            self.note_deadline(player, NoticeChannel::Mail, now_ms);
        }
    }

    /// Notes that the time for turns of a player whose browser subscribes may come to its end.
    pub(super) fn note_to_browsers(&mut self, Subscriber { player, session, now_ms }: Subscriber<'_>) {
        if !self.sessions.contains_key(session) {
            return;
        }
        self.note_deadline(player, NoticeChannel::Push, now_ms);
    }

    fn note_deadline(&mut self, player: PlayerId, channel: NoticeChannel, now_ms: i64) {
        let key = OutboxKey { player, purpose: NoticePurpose::Deadline, channel };
        let new = Message { since_ms: now_ms, due_ms: now_ms, changed_ms: now_ms, attempts: 0 };
        self.messages.entry(key).or_insert(new);
    }

    pub(super) fn change_message(&mut self, change: &OutboxChange) -> Result<(), Refused> {
        let key = change.key();
        let found = self.messages.get_mut(&key);
        match change {
            OutboxChange::Tried { mail, now_ms, again_ms, .. } => {
                let due = found.filter(|message| message.due_ms <= *now_ms);
                let message = due.ok_or(Refused::NothingToSend)?;
                (message.due_ms, message.attempts) = (*again_ms, message.attempts + 1);
                if let Some(NoticeMail { link, .. }) = mail {
                    self.tried_messages.push((key.player, key.purpose, *now_ms));
                    self.links.push((key.player, link.clone()));
                }
            }
            OutboxChange::Postponed { changed_ms, due_ms, .. } => {
                if let Some(message) = found.filter(|message| message.changed_ms == *changed_ms) {
                    message.due_ms = *due_ms;
                }
            }
            OutboxChange::Done { changed_ms, now_ms, next_ms, .. } => {
                let Some(message) = found else { return Ok(()) };
                let is_same = message.changed_ms == *changed_ms;
                if is_same && next_ms.is_none() {
                    self.messages.remove(&key);
                    return Ok(());
                }
                let next_ms = next_ms.filter(|_| is_same);
                message.changed_ms += i64::from(next_ms.is_some());
                (message.since_ms, message.attempts) = (*now_ms, 0);
                message.due_ms = next_ms.unwrap_or(*now_ms);
            }
        }
        Ok(())
    }

    pub(super) fn due_messages(&self, channel: NoticeChannel, now_ms: i64, limit: u32) -> Vec<DueMessage> {
        let due =
            self.messages.iter().filter(|(key, message)| key.channel == channel && message.due_ms <= now_ms);
        let mut due: Vec<_> = due.collect();
        due.sort_by_key(|(key, message)| (message.due_ms, **key));
        due.into_iter().map(row).take(limit as usize).collect()
    }

    pub(super) fn messages_of(&self, player: PlayerId) -> Vec<DueMessage> {
        let mut own: Vec<_> = self.messages.iter().filter(|(key, _)| key.player == player).map(row).collect();
        own.sort_by_key(|message| (message.key.channel, word(message.key.purpose)));
        own
    }
}

fn row((key, message): (&OutboxKey, &Message)) -> DueMessage {
    let Message { since_ms, changed_ms, attempts, .. } = *message;
    DueMessage { key: *key, since_ms, changed_ms, attempts }
}
