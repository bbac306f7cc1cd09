//! Rows of mails about accounts, and of the links in them.

use game::ids::PlayerId;
use uuid::Uuid;

use super::{a_hash, address, invalid, player};
use crate::{DueMail, Errand, Link, LinkOf, Mail, OwnMail, Purpose};

row! {
    /// A mail to be sent.
    MailRow {
        id: Uuid,
        player: Option<Uuid>,
        purpose: String,
        name: Option<String>,
        address: Option<String>,
        language: String,
        attempts: i64,
    }
}

impl TryFrom<MailRow> for DueMail {
    type Error = sqlx::Error;

    fn try_from(row: MailRow) -> Result<Self, sqlx::Error> {
        let player = row.player.map(PlayerId::new);
        let errand = match (row.purpose.as_str(), player, row.name) {
            (CONFIRM, Some(player), _) => Errand::Confirm(player),
            (RECOVER, _, Some(key)) => Errand::Recover { key },
            (CHANGED, Some(player), _) => Errand::Changed(player),
            (PASSKEY, Some(player), _) => Errand::PasskeyAdded(player),
            (other, ..) => return Err(invalid(format_args!("{other:?} is not an errand of a mail"))),
        };
        let to = address(row.address.ok_or_else(|| invalid("a mail to be sent has an address"))?)?;
        let mail = Mail { id: row.id, errand, to, language: row.language };
        Ok(Self { mail, attempts: u32::try_from(row.attempts).map_err(invalid)? })
    }
}

row! {
    /// A mail to the owner of an account, for the owner.
    OwnMailRow {
        purpose: String,
        address: Option<String>,
        created_ms: i64,
    }
}

impl TryFrom<OwnMailRow> for OwnMail {
    type Error = sqlx::Error;

    fn try_from(OwnMailRow { purpose, address: to, created_ms }: OwnMailRow) -> Result<Self, sqlx::Error> {
        Ok(Self { purpose, to: to.map(address).transpose()?, created_ms })
    }
}

row! {
    /// A link with its account.
    LinkRow {
        hash: Vec<u8>,
        player: Uuid,
        name: String,
        purpose: String,
        body: Option<String>,
        expires_ms: i64,
    }
}

impl TryFrom<LinkRow> for LinkOf {
    type Error = sqlx::Error;

    fn try_from(row: LinkRow) -> Result<Self, sqlx::Error> {
        let purpose = match (row.purpose.as_str(), row.body) {
            (RECOVERY, None) => Purpose::Recovery { by_mail: false },
            (RECOVERY, Some(body)) if body == MAIL => Purpose::Recovery { by_mail: true },
            (MAIL, Some(body)) => Purpose::Mail(address(body)?),
            (UNSUBSCRIPTION, None) => Purpose::Unsubscription,
            (other, _) => return Err(invalid(format_args!("{other:?} is not a purpose of a link"))),
        };
        let link = Link { secret: a_hash(&row.hash)?, purpose, expires_ms: row.expires_ms };
        Ok(Self { player: player(row.player, row.name)?, link })
    }
}

/// Word of [`Purpose::Recovery`], whose body says that a mail brings the link.
const RECOVERY: &str = "recovery";

/// Word of [`Purpose::Mail`], whose body is the address.
const MAIL: &str = "mail";

/// Word of [`Purpose::Unsubscription`].
const UNSUBSCRIPTION: &str = "unsubscription";

/// Returns the word and the body of a purpose.
pub(crate) fn purpose(purpose: &Purpose) -> (&'static str, Option<&str>) {
    match purpose {
        Purpose::Recovery { by_mail } => (RECOVERY, by_mail.then_some(MAIL)),
        Purpose::Mail(address) => (MAIL, Some(address.as_str())),
        Purpose::Unsubscription => (UNSUBSCRIPTION, None),
    }
}

/// Words of errands.
pub(crate) const CONFIRM: &str = "confirm";

pub(crate) const RECOVER: &str = "recover";

pub(crate) const CHANGED: &str = "changed";

pub(crate) const PASSKEY: &str = "passkey";

/// Returns the word of an errand, with its player or its key of a name.
pub(crate) fn errand(errand: &Errand) -> (&'static str, Option<Uuid>, Option<&str>) {
    match errand {
        Errand::Confirm(player) => (CONFIRM, Some(player.uuid()), None),
        Errand::Recover { key } => (RECOVER, None, Some(key)),
        Errand::Changed(player) => (CHANGED, Some(player.uuid()), None),
        Errand::PasskeyAdded(player) => (PASSKEY, Some(player.uuid()), None),
    }
}
