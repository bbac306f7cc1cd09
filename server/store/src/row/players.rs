//! Rows of players, accounts, sessions and passkeys.

use std::collections::BTreeSet;

use game::{
    NoticeSettings, Player, PlayerKind, QuietHours,
    ids::{PasskeyId, PlayerId, PlayerName, SessionId},
};
use uuid::Uuid;

use super::{address, from_word, hash, hour, names, player};
use crate::{
    Account, AccountMail, Ceremony, Credentials, NamedAccount, OwnSession, Passkey, Session,
    accounts::StoredAccount,
};

row! {
    /// A row of `player`.
    PlayerRow {
        id: Uuid,
        name: String,
    }
}

impl TryFrom<PlayerRow> for Player {
    type Error = sqlx::Error;

    fn try_from(row: PlayerRow) -> Result<Self, sqlx::Error> {
        player(row.id, row.name)
    }
}

/// The kind of a player whose name nobody is shown.
pub(crate) const DELETED: &str = "deleted";

row! {
    /// A row of `player` with the kind.
    NamedRow {
        id: Uuid,
        name: String,
        kind: String,
    }
}

impl TryFrom<NamedRow> for (Player, PlayerKind) {
    type Error = sqlx::Error;

    fn try_from(row: NamedRow) -> Result<Self, sqlx::Error> {
        Ok((player(row.id, row.name)?, from_word(&row.kind)?))
    }
}

row! {
    /// A session with its player.
    SessionRow {
        id: Uuid,
        player: Uuid,
        name: String,
        kind: String,
        used_ms: i64,
        proved_ms: Option<i64>,
    }
}

impl TryFrom<SessionRow> for Session {
    type Error = sqlx::Error;

    fn try_from(row: SessionRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            id: SessionId::new(row.id),
            player: player(row.player, row.name)?,
            kind: from_word(&row.kind)?,
            used_ms: row.used_ms,
            proved_ms: row.proved_ms,
        })
    }
}

row! {
    /// A row of `session`, for its player.
    OwnSessionRow {
        id: Uuid,
        label: Option<String>,
        created_ms: i64,
        used_ms: i64,
    }
}

impl From<OwnSessionRow> for OwnSession {
    fn from(OwnSessionRow { id, label, created_ms, used_ms }: OwnSessionRow) -> Self {
        Self { id: SessionId::new(id), label, created_ms, used_ms }
    }
}

row! {
    /// A row of `account` with the player's name.
    AccountRow {
        player: Uuid,
        name: String,
        password: Option<String>,
        recovery_hash: Option<Vec<u8>>,
        former_names: String,
        mail: Option<String>,
        mail_recovers: bool,
        language: String,
        zone: String,
        turn_mails: String,
        mail_hour: i32,
        quiet_from: i32,
        quiet_to: i32,
        mail_refused: bool,
        is_closed: bool,
        is_barred: bool,
    }
}

impl TryFrom<AccountRow> for Account {
    type Error = sqlx::Error;

    fn try_from(row: AccountRow) -> Result<Self, sqlx::Error> {
        let AccountRow { mail_recovers: recovers, mail_refused: is_refused, .. } = row;
        let address = row.mail.map(address).transpose()?;
        let mail = address.map(|address| AccountMail { address, recovers, is_refused });
        let has_password = row.password.is_some();
        let notices = NoticeSettings {
            turn_mails: from_word(&row.turn_mails)?,
            hour: hour(row.mail_hour)?,
            quiet: QuietHours { from: hour(row.quiet_from)?, to: hour(row.quiet_to)? },
            // A newer program may know more zones.
            zone: row.zone.try_into().unwrap_or_default(),
            language: from_word(&row.language)?,
        };
        let (player, former_names) = (player(row.player, row.name)?, names(&row.former_names)?);
        Ok(Self { player, former_names, has_password, mail, notices })
    }
}

impl TryFrom<AccountRow> for (PlayerId, StoredAccount) {
    type Error = sqlx::Error;

    fn try_from(row: AccountRow) -> Result<Self, sqlx::Error> {
        let recovery = hash(row.recovery_hash.as_deref())?;
        let Player { id, name } = player(row.player, row.name)?;
        let (former_names, password) = (names(&row.former_names)?, row.password);
        let mail = row.mail.map(address).transpose()?;
        let AccountRow { is_closed, is_barred, .. } = row;
        Ok((id, StoredAccount { name, former_names, password, recovery, mail, is_closed, is_barred }))
    }
}

row! {
    /// A row of `credential`, for its player.
    PasskeyRow {
        id: Uuid,
        host: String,
        passkey: String,
        label: Option<String>,
        created_ms: i64,
        used_ms: i64,
    }
}

impl From<PasskeyRow> for Passkey {
    fn from(PasskeyRow { id, host, passkey, label, created_ms, used_ms }: PasskeyRow) -> Self {
        Self { id: PasskeyId::new(id), host, body: passkey, label, created_ms, used_ms }
    }
}

row! {
    /// A row of `ceremony`.
    CeremonyRow {
        player: Option<Uuid>,
        state: String,
        expires_ms: i64,
    }
}

impl From<CeremonyRow> for Ceremony {
    fn from(CeremonyRow { player, state, expires_ms }: CeremonyRow) -> Self {
        Self { player: player.map(PlayerId::new), state, expires_ms }
    }
}

row! {
    /// The names of an account, with one of its keys.
    NamedAccountRow {
        player: Uuid,
        name: String,
        former_names: String,
        key: Option<String>,
    }
}

row! {
    /// The account of a name.
    CredentialsRow {
        player: Uuid,
        name: String,
        password: Option<String>,
        recovery_hash: Option<Vec<u8>>,
        knows_device: bool,
    }
}

impl TryFrom<CredentialsRow> for Credentials {
    type Error = sqlx::Error;

    fn try_from(row: CredentialsRow) -> Result<Self, sqlx::Error> {
        let (player, recovery) = (player(row.player, row.name)?, hash(row.recovery_hash.as_deref())?);
        Ok(Self { player, password: row.password, recovery, knows_device: row.knows_device })
    }
}

/// Returns the former names of an account.
pub(crate) fn former_names(row: &AccountRow) -> Result<Vec<PlayerName>, sqlx::Error> {
    names(&row.former_names)
}

/// Returns the accounts of rows, those of an account one after the other.
pub(crate) fn named_accounts(rows: Vec<NamedAccountRow>) -> Result<Vec<NamedAccount>, sqlx::Error> {
    let mut accounts: Vec<NamedAccount> = Vec::new();
    for row in rows {
        let id = PlayerId::new(row.player);
        if accounts.last().is_none_or(|last| last.player != id) {
            let mut names = names(&row.former_names)?;
            names.push(player(row.player, row.name)?.name);
            accounts.push(NamedAccount { player: id, names, keys: BTreeSet::new() });
        }
        accounts.last_mut().expect("there is one by now").keys.extend(row.key);
    }
    Ok(accounts)
}
