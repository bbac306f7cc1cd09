//! Bodies of the HTTP resources of accounts and sessions.

use game::{
    MailAddress, Zone,
    ids::{Hour, NewName, PlayerName, SessionId},
};
use serde::{Deserialize, Serialize};

use super::{LinkSecret, NewPassword, PasskeyAnswer, Password, Player, RecoveryCode};

/// Body of `POST /api/v1/account`: the visitor, a guest, becomes an account.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(try_from = "NewAccountFields")]
pub struct NewAccount {
    pub name: NewName,
    #[serde(flatten)]
    pub credential: NewCredential,
}

/// First credential of a new account: a password or a passkey.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum NewCredential {
    Password(NewPassword),
    /// The authenticator's answer to the options for `register`.
    Passkey(PasskeyAnswer),
}

/// The fields of a [`NewAccount`].
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NewAccountFields {
    name: NewName,
    password: Option<NewPassword>,
    passkey: Option<PasskeyAnswer>,
}

impl TryFrom<NewAccountFields> for NewAccount {
    type Error = &'static str;

    fn try_from(fields: NewAccountFields) -> Result<Self, &'static str> {
        let NewAccountFields { name, password, passkey } = fields;
        let credential = match (password, passkey) {
            (Some(password), None) => NewCredential::Password(password),
            (None, Some(passkey)) => NewCredential::Passkey(passkey),
            (Some(_), Some(_)) | (None, None) => {
                return Err("expected a password or a passkey, one of the two");
            }
        };
        Ok(Self { name, credential })
    }
}

/// Body of `PATCH /api/v1/account`: the one thing that changes.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case", try_from = "Changes")]
pub enum AccountChange {
    /// The new name.
    Name(NewName),
    /// The new password.
    Password(NewPassword),
    /// What the account is told when it is away.
    Notices(NoticeSettings),
}

/// The fields of an [`AccountChange`], of which there must be one.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Changes {
    name: Option<NewName>,
    password: Option<NewPassword>,
    notices: Option<NoticeSettings>,
}

impl TryFrom<Changes> for AccountChange {
    type Error = &'static str;

    fn try_from(changes: Changes) -> Result<Self, &'static str> {
        match changes {
            Changes { name: Some(name), password: None, notices: None } => Ok(Self::Name(name)),
            Changes { name: None, password: Some(password), notices: None } => Ok(Self::Password(password)),
            Changes { name: None, password: None, notices: Some(notices) } => Ok(Self::Notices(notices)),
            Changes { .. } => Err("expected a name, a password or `notices`, one of the three"),
        }
    }
}

/// Response to the requests for the visitor's account.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Account {
    pub player: Player,
    /// Names that the account had, the last one last. Nobody else can take them.
    pub former_names: Vec<PlayerName>,
    /// Whether it has a password; else passkeys alone prove it.
    pub has_password: bool,
    /// The confirmed mail address, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    #[cfg_attr(feature = "openapi", schema(value_type = AccountMail))]
    pub mail: Option<AccountMail>,
    pub notices: NoticeSettings,
    /// The recovery code, shown this once: only in the answers to `POST /api/v1/account` and `POST /api/v1/account/code`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    #[cfg_attr(feature = "openapi", schema(value_type = RecoveryCode))]
    pub recovery_code: Option<RecoveryCode>,
}

/// The mail address of an account.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AccountMail {
    pub address: MailAddress,
    /// Whether a link that is sent there may set the account's password.
    pub recovers: bool,
    /// Whether the last mails were refused there for good, so that the account needs another address.
    pub refused: bool,
}

/// When an account is told of its waiting turns, in its own time zone.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct NoticeSettings {
    /// When the account's mail address is told that turns of slow games are due.
    pub turn_mails: TurnMails,
    /// The hour of the daily mail.
    pub hour: Hour,
    /// The hours of the day between which nothing is sent, but of deadlines that are in them. If both are the same, there
    /// are none.
    pub quiet_from: Hour,
    pub quiet_to: Hour,
    /// The name of the zone, as `Europe/Paris`.
    pub zone: Zone,
}

/// When an account is mailed that turns of slow games are due.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum TurnMails {
    /// Never, nor of deadlines.
    Off,
    /// Once a day.
    Daily,
    /// Soon, at most once an hour.
    Soon,
}

/// Body of `PUT /api/v1/account/mail`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct NewMail {
    pub address: MailAddress,
    /// The browser's zone, which the account has from now on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    #[cfg_attr(feature = "openapi", schema(value_type = Zone))]
    pub zone: Option<Zone>,
}

/// Body of `PATCH /api/v1/account/mail`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct MailSettings {
    /// Whether a link that is sent to the account's address may set its password.
    pub recovers: bool,
}

/// Body of `POST /api/v1/account/mail/confirm`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct MailConfirmation {
    /// The secret in the link, behind `#confirm=`.
    pub link: LinkSecret,
}

/// Body of `POST /api/v1/account/recover/mail`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct MailRecovery {
    pub name: PlayerName,
    /// The address of the account, to which the link goes.
    pub mail: MailAddress,
}

/// Body of `POST /api/v1/session/password`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct SignIn {
    pub name: PlayerName,
    pub password: Password,
    /// Whether a guest leaves games under way.
    #[serde(default)]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<bool>"))]
    pub leave_guest: bool,
    /// Whether the account is opened again, if it is closed.
    #[serde(default)]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<bool>"))]
    pub reopen: bool,
}

/// Body of `POST /api/v1/account/recover`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Recovery {
    pub name: PlayerName,
    pub code: RecoveryCode,
    /// The new password.
    pub password: NewPassword,
    /// Whether a guest leaves games under way.
    #[serde(default)]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<bool>"))]
    pub leave_guest: bool,
    /// Whether the account is opened again, if it is closed.
    #[serde(default)]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<bool>"))]
    pub reopen: bool,
}

/// Body of `POST /api/v1/account/recover/link`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct LinkRecovery {
    /// The secret in the link, behind `#recover=`.
    pub link: LinkSecret,
    /// The new password.
    pub password: NewPassword,
    /// Whether a guest leaves games under way.
    #[serde(default)]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<bool>"))]
    pub leave_guest: bool,
    /// Whether the account is opened again, if it is closed.
    #[serde(default)]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<bool>"))]
    pub reopen: bool,
}

/// Body of `POST /api/v1/session/prove`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case", try_from = "Proofs")]
pub enum Proof {
    Password(Password),
    /// The authenticator's answer to the options for `prove`.
    Passkey(PasskeyAnswer),
}

/// The fields of a [`Proof`], of which there must be one.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Proofs {
    password: Option<Password>,
    passkey: Option<PasskeyAnswer>,
}

impl TryFrom<Proofs> for Proof {
    type Error = &'static str;

    fn try_from(proofs: Proofs) -> Result<Self, &'static str> {
        match proofs {
            Proofs { password: Some(password), passkey: None } => Ok(Self::Password(password)),
            Proofs { password: None, passkey: Some(passkey) } => Ok(Self::Passkey(passkey)),
            Proofs { .. } => Err("expected a password or a passkey, one of the two"),
        }
    }
}

/// Response to `GET /api/v1/sessions`: the visitor's sessions, the last used first.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Sessions {
    pub sessions: Vec<OwnSession>,
}

/// A session of the visitor.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct OwnSession {
    pub id: SessionId,
    /// The browser and its system, as `Firefox, Linux`; null if they are unknown.
    pub label: Option<String>,
    /// Milliseconds since 1970.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub created_ms: i64,
    /// Time of last use, to the day, in milliseconds since 1970.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub used_ms: i64,
    /// Whether it is the session of this request.
    pub is_current: bool,
}
