//! Mails to be sent.

use game::{MailAddress, ids::PlayerId};

use super::{MailData, Tables, count};
use crate::{Errand, MAX_MAILS_WAITING, Mail, MailChange, Refused};

impl Tables {
    /// The number of mails that are yet to be sent.
    pub(super) fn mails_waiting(&self) -> u32 {
        count(self.mails.iter().filter(|data| data.due_ms.is_some()).count())
    }

    /// The number of mails of an account for a purpose that were asked for after `since_ms`.
    pub(super) fn count_mails_of(&self, player: PlayerId, since_ms: i64, is_for: fn(&Errand) -> bool) -> u32 {
        let is_counted = |data: &&MailData| {
            is_for(&data.mail.errand) && data.player == Some(player) && data.created_ms > since_ms
        };
        count(self.mails.iter().filter(is_counted).count())
    }

    pub(super) fn add_mail(&mut self, mail: Mail, created_ms: i64) {
        let player = match mail.errand {
            Errand::Confirm(player) | Errand::Changed(player) | Errand::PasskeyAdded(player) => Some(player),
            Errand::Recover { .. } => None,
        };
        let due_ms = Some(created_ms);
        self.mails.push(MailData { mail, player, created_ms, due_ms, tried_ms: None, attempts: 0 });
    }

    pub(super) fn change_mail(&mut self, change: &MailChange) -> Result<(), Refused> {
        match change {
            MailChange::Asked { mail, now_ms } => {
                if self.mails_waiting() >= MAX_MAILS_WAITING {
                    return Err(Refused::MailsWait);
                }
                self.add_mail(mail.clone(), *now_ms);
            }
            MailChange::Tried { mail, player, link, now_ms, again_ms } => {
                let is_due = |data: &&MailData| {
                    data.mail.id == *mail && data.due_ms.is_some_and(|due_ms| due_ms <= *now_ms)
                };
                let due = self.mails.iter().find(is_due).ok_or(Refused::NoLink)?;
                if matches!(due.mail.errand, Errand::Recover { .. }) {
                    let own = self.account_of(*player).filter(|account| account.mail_recovers);
                    let own = own.and_then(|account| account.mail.as_ref());
                    own.filter(|own| own.is_same_as(&due.mail.to)).ok_or(Refused::NoLink)?;
                }
                for data in self.mails.iter_mut().filter(|data| data.mail.id == *mail) {
                    (data.player, data.tried_ms, data.due_ms) =
                        (Some(*player), Some(*now_ms), Some(*again_ms));
                    data.attempts += 1;
                }
                self.links.extend(link.clone().map(|link| (*player, link)));
            }
            MailChange::Refused { player, address } => {
                let account = self.players.get_mut(player).and_then(|person| person.account.as_mut());
                let is_own = |own: &MailAddress| own.is_same_as(address);
                if let Some(own) = account.filter(|own| own.mail.as_ref().is_some_and(is_own)) {
                    own.mail_is_refused = true;
                }
            }
            MailChange::Done { mail } => {
                for data in self.mails.iter_mut().filter(|data| data.mail.id == *mail) {
                    data.due_ms = None;
                }
            }
        }
        Ok(())
    }
}
