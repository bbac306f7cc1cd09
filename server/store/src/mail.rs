use game::{MailAddress, ids::PlayerId};
use uuid::Uuid;

use super::{Link, TokenHash};

/// Maximum number of links that are sent to the owner of one account in a day.
pub const MAILS_A_DAY: u32 = 3;

/// Maximum number of mails in a day that ask the owner of one address to confirm it, whichever accounts ask for them. More
/// than one network address may ask for, so that none alone keeps an owner from confirming.
pub const MAILS_A_DAY_TO_ADDRESS: u32 = 20;

/// The day of [`MAILS_A_DAY`], after which a mail is deleted, in milliseconds.
pub const MAILS_KEPT_MS: i64 = 24 * 60 * 60 * 1000;

/// Maximum number of mails that wait to be sent.
pub const MAX_MAILS_WAITING: u32 = 1_000;

/// Why a mail is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Errand {
    /// A link in it confirms that the address is the account's.
    Confirm(PlayerId),
    /// Somebody asks to recover the account that has or had a name with this key. The mail is sent if the account has the
    /// address.
    Recover { key: String },
    /// It tells the former address of an account that the account has it no more.
    Changed(PlayerId),
    /// It tells the owner of an account that the account has one more passkey.
    PasskeyAdded(PlayerId),
}

/// A mail to be sent. Its text is made when it is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mail {
    pub id: Uuid,
    pub errand: Errand,
    pub to: MailAddress,
    pub language: String,
}

impl Mail {
    /// Hash of the [mailbox](MailAddress::mailbox) of the address, if its owner is asked to confirm it.
    pub(super) fn confirming(&self) -> Option<TokenHash> {
        let hash = || TokenHash::of(self.to.mailbox().as_bytes());
        matches!(self.errand, Errand::Confirm(_)).then(hash)
    }
}

/// A mail to the owner of an account as its player sees it. Times are milliseconds since 1970.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnMail {
    /// `confirm`, `recover`, `changed` or `passkey`.
    pub purpose: String,
    /// `None` if it was sent or given up.
    pub to: Option<MailAddress>,
    pub created_ms: i64,
}

/// A mail that is due, with the number of earlier attempts to send it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DueMail {
    pub mail: Mail,
    pub attempts: u32,
}

/// A change of the mails to be sent. Times are milliseconds since 1970.
#[derive(Clone, Debug)]
pub enum MailChange {
    /// A mail is to be sent. It is refused if [`MAX_MAILS_WAITING`] wait.
    Asked { mail: Mail, now_ms: i64 },
    /// A mail to the owner of an account is about to be sent, with this link in it. It is due again at `again_ms`. It is refused
    /// if the mail is no longer to be sent.
    Tried { mail: Uuid, player: PlayerId, link: Option<Link>, now_ms: i64, again_ms: i64 },
    /// A mail was sent or given up. Its address is deleted.
    Done { mail: Uuid },
    /// The SMTP server refuses a mail to this address for good. If it is that of the account, the account's owner is told so there.
    Refused { player: PlayerId, address: MailAddress },
}
