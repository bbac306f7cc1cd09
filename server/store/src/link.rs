use game::{MailAddress, Player};

use super::TokenHash;

/// Purpose of a link: the one change that its holder may make.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Set the password of the account, and sign in to it.
    Recovery {
        /// Whether the link is sent to the account's mail address; else the host of the server hands it over.
        by_mail: bool,
    },
    /// Give the account this mail address.
    Mail(MailAddress),
    /// Stop the mails about turns. It counts until it ends or the account has another address, and after a new password too.
    Unsubscription,
}

/// A link that the owner of an account gets outside of the pages. But for one that stops mails, it counts once. The store has only the hash of its
/// secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    pub secret: TokenHash,
    pub purpose: Purpose,
    /// Time from which it does not count, in milliseconds since 1970.
    pub expires_ms: i64,
}

/// A link with the account that it is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkOf {
    pub player: Player,
    pub link: Link,
}

impl LinkOf {
    /// Whether the link may set the password of its account.
    pub fn recovers(&self, now_ms: i64) -> bool {
        matches!(self.link.purpose, Purpose::Recovery { .. }) && now_ms < self.link.expires_ms
    }

    /// Whether the link may stop the mails to its account.
    pub fn unsubscribes(&self, now_ms: i64) -> bool {
        self.link.purpose == Purpose::Unsubscription && now_ms < self.link.expires_ms
    }

    /// Returns the mail address that the link may give its account.
    pub(super) fn confirms(&self, now_ms: i64) -> Option<&MailAddress> {
        let Purpose::Mail(address) = &self.link.purpose else { return None };
        (now_ms < self.link.expires_ms).then_some(address)
    }
}
