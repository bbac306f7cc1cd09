use std::collections::BTreeSet;

use game::{
    MailAddress, NoticeSettings, Player, QuietHours, SecurityEvent, Zone,
    ids::{PasskeyId, PlayerId, PlayerName, SessionId},
};
use uuid::Uuid;

use super::{EndedSessions, Link, Mail, Passkey, TokenHash, UsedPasskey};

/// Maximum number of former names of an account. They stay its own, so more would let it keep others from many names.
pub const MAX_FORMER_NAMES: usize = 10;

/// Maximum number of sessions of a player, and of devices of an account. The ones that were unused for longest give way.
pub const MAX_SESSIONS: u32 = 50;

/// An account as its player sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    pub player: Player,
    /// Names that stay the account's own, the last one last.
    pub former_names: Vec<PlayerName>,
    pub has_password: bool,
    /// The confirmed mail address.
    pub mail: Option<AccountMail>,
    pub notices: NoticeSettings,
}

impl Account {
    /// Returns the quiet hours of the account. One whose zone is not known has none: by other clocks they would be in its day.
    pub fn quiet(&self) -> QuietHours {
        if self.notices.zone == Zone::default() { QuietHours::NONE } else { self.notices.quiet }
    }
}

/// The mail address of an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccountMail {
    pub address: MailAddress,
    /// Whether a link that is sent there may set the account's password.
    pub recovers: bool,
    /// Whether the SMTP server has refused for good a mail to it since it was confirmed.
    pub is_refused: bool,
}

/// The names of an account, with the keys that are stored for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedAccount {
    pub player: PlayerId,
    /// The present name and the former ones.
    pub names: Vec<PlayerName>,
    pub keys: BTreeSet<String>,
}

/// The account of a name, to be compared with what a visitor sends.
#[derive(Clone, PartialEq, Eq)]
pub struct Credentials {
    pub player: Player,
    /// The hash of the password, as a PHC string; `None` if the account has no password.
    pub password: Option<String>,
    /// The hash of the recovery code; `None` if the account has no code.
    pub recovery: Option<TokenHash>,
    /// Whether the account has signed in with the visitor's browser.
    pub knows_device: bool,
}

impl std::fmt::Debug for Credentials {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Credentials").field("player", &self.player.id).finish_non_exhaustive()
    }
}

/// A sign-in of a browser, which gets a session that counts as proved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignIn {
    pub token: TokenHash,
    /// Coarse description of the browser.
    pub label: Option<String>,
    /// Secret by which the account recognises the browser from now on.
    pub device: TokenHash,
    /// Time until which it does, in milliseconds since 1970.
    pub device_until_ms: i64,
    /// Milliseconds since 1970.
    pub now_ms: i64,
    /// Whether an account that is closed is reopened by it.
    pub reopens: bool,
}

/// Proof of a player who has lost the password.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecoveryProof {
    /// The hash of the recovery code.
    Code(TokenHash),
    /// The hash of the secret of a [`Link`], which is void afterwards.
    Link(TokenHash),
}

/// First credential of a new account.
#[derive(Clone, Debug)]
pub enum FirstCredential {
    /// A password with this hash, a PHC string.
    Password(String),
    Passkey(Passkey),
}

/// Proof of an account's owner.
#[derive(Clone, Debug)]
pub enum Proof {
    /// The password with this hash, a PHC string.
    Password(String),
    Passkey(UsedPasskey),
}

/// A change of an account and of its sessions. One that a session makes is refused if the session has ended meanwhile.
#[derive(Clone, Debug)]
pub enum AccountChange {
    /// A guest becomes an account with this name. Its session gets another token; its other sessions end.
    Registered {
        player: Player,
        session: SessionId,
        credential: FirstCredential,
        recovery: TokenHash,
        by: SignIn,
    },
    /// A browser has proved the account, and leaves the sessions that it had. It is refused if the password has changed
    /// meanwhile, or the passkey is gone.
    SignedIn {
        player: PlayerId,
        proof: Proof,
        by: SignIn,
        left: Option<(PlayerId, EndedSessions)>,
    },
    /// A browser signs in without the password, and gives the account this one. Of its sessions and devices the account
    /// keeps these alone, and of its passkeys and links none.
    Recovered {
        player: PlayerId,
        proof: RecoveryProof,
        password: String,
        by: SignIn,
        left: Option<(PlayerId, EndedSessions)>,
    },
    /// A session gives the account this password. Of its sessions and devices the account keeps these alone, and of its
    /// links none.
    PasswordSet {
        player: PlayerId,
        session: SessionId,
        device: Option<TokenHash>,
        password: String,
        now_ms: i64,
    },
    /// A session gives the account this recovery code.
    CodeSet {
        player: PlayerId,
        session: SessionId,
        recovery: TokenHash,
    },
    /// The account gets a link.
    LinkMade {
        player: PlayerId,
        link: Link,
    },
    /// A session closes its account, whose sessions all end. Nobody is shown its name from then on.
    Closed {
        player: PlayerId,
        session: SessionId,
        /// Milliseconds since 1970.
        now_ms: i64,
    },
    /// A session asks for a mail that confirms an address. It is refused if the account was sent
    /// [too many](super::MAILS_A_DAY), or if too many wait.
    MailAsked {
        player: PlayerId,
        session: SessionId,
        mail: Mail,
        /// The zone of the browser, which the account has from now on, with the mail's language.
        zone: Option<Zone>,
        now_ms: i64,
    },
    /// A link confirms a mail address. The account has it from now on, and its links are void. If it had another one,
    /// that one is sent the notice.
    MailConfirmed {
        player: PlayerId,
        link: TokenHash,
        notice: Notice,
        now_ms: i64,
    },
    /// A session takes the mail address from the account, whose links are void. The address is sent the notice.
    MailRemoved {
        player: PlayerId,
        session: SessionId,
        notice: Notice,
        now_ms: i64,
    },
    /// A session sets whether a link that is sent to the mail address may set the account's password.
    MailRecoverySet {
        player: PlayerId,
        session: SessionId,
        recovers: bool,
    },
    /// A session sets what the account is told when it is away.
    NoticesSet {
        player: PlayerId,
        session: SessionId,
        notices: NoticeSettings,
        now_ms: i64,
    },
    /// A link stops the mails about turns. It is refused if the link does not count.
    Unsubscribed {
        player: PlayerId,
        link: TokenHash,
        now_ms: i64,
    },
    /// A session has proved the account by this passkey. It is refused if the passkey is gone.
    PasskeyUsed {
        player: PlayerId,
        session: SessionId,
        used: UsedPasskey,
    },
    /// A session gives the account this passkey. The mail address of the account is sent the notice.
    PasskeyAdded {
        player: PlayerId,
        session: SessionId,
        passkey: Passkey,
        notice: Notice,
    },
    PasskeyNamed {
        player: PlayerId,
        session: SessionId,
        passkey: PasskeyId,
        label: String,
    },
    /// A session takes a passkey from the account. It is refused if nothing else proves the account.
    PasskeyRemoved {
        player: PlayerId,
        session: SessionId,
        passkey: PasskeyId,
        now_ms: i64,
    },
}

/// A mail that tells the owner of an account about a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    pub id: Uuid,
    pub language: String,
}

impl AccountChange {
    /// The account that changes.
    pub const fn player(&self) -> PlayerId {
        match self {
            Self::Registered { player, .. } => player.id,
            Self::SignedIn { player, .. }
            | Self::Recovered { player, .. }
            | Self::PasswordSet { player, .. }
            | Self::CodeSet { player, .. }
            | Self::LinkMade { player, .. }
            | Self::Closed { player, .. }
            | Self::MailAsked { player, .. }
            | Self::MailConfirmed { player, .. }
            | Self::MailRemoved { player, .. }
            | Self::MailRecoverySet { player, .. }
            | Self::NoticesSet { player, .. }
            | Self::Unsubscribed { player, .. }
            | Self::PasskeyUsed { player, .. }
            | Self::PasskeyAdded { player, .. }
            | Self::PasskeyNamed { player, .. }
            | Self::PasskeyRemoved { player, .. } => *player,
        }
    }

    /// The sign-in of the change, and the id of its session.
    pub(super) const fn sign_in(&self) -> Option<(SessionId, &SignIn)> {
        match self {
            Self::Registered { session, by, .. } => Some((*session, by)),
            Self::SignedIn { by, .. } | Self::Recovered { by, .. } => Some((by.token.session(), by)),
            Self::PasswordSet { .. }
            | Self::CodeSet { .. }
            | Self::LinkMade { .. }
            | Self::Closed { .. }
            | Self::MailAsked { .. }
            | Self::MailConfirmed { .. }
            | Self::MailRemoved { .. }
            | Self::MailRecoverySet { .. }
            | Self::NoticesSet { .. }
            | Self::Unsubscribed { .. }
            | Self::PasskeyUsed { .. }
            | Self::PasskeyAdded { .. }
            | Self::PasskeyNamed { .. }
            | Self::PasskeyRemoved { .. } => None,
        }
    }

    /// The session that makes the change.
    pub(super) const fn session(&self) -> Option<SessionId> {
        match self {
            Self::Registered { session, .. }
            | Self::PasswordSet { session, .. }
            | Self::CodeSet { session, .. }
            | Self::Closed { session, .. }
            | Self::MailAsked { session, .. }
            | Self::MailRemoved { session, .. }
            | Self::MailRecoverySet { session, .. }
            | Self::NoticesSet { session, .. }
            | Self::PasskeyUsed { session, .. }
            | Self::PasskeyAdded { session, .. }
            | Self::PasskeyNamed { session, .. }
            | Self::PasskeyRemoved { session, .. } => Some(*session),
            Self::SignedIn { .. }
            | Self::Recovered { .. }
            | Self::LinkMade { .. }
            | Self::MailConfirmed { .. }
            | Self::Unsubscribed { .. } => None,
        }
    }

    /// The passkey that is added with the change.
    pub(super) const fn new_passkey(&self) -> Option<&Passkey> {
        match self {
            Self::Registered { credential: FirstCredential::Passkey(passkey), .. }
            | Self::PasskeyAdded { passkey, .. } => Some(passkey),
            Self::Registered { .. }
            | Self::SignedIn { .. }
            | Self::Recovered { .. }
            | Self::PasswordSet { .. }
            | Self::CodeSet { .. }
            | Self::LinkMade { .. }
            | Self::Closed { .. }
            | Self::MailAsked { .. }
            | Self::MailConfirmed { .. }
            | Self::MailRemoved { .. }
            | Self::MailRecoverySet { .. }
            | Self::NoticesSet { .. }
            | Self::Unsubscribed { .. }
            | Self::PasskeyUsed { .. }
            | Self::PasskeyNamed { .. }
            | Self::PasskeyRemoved { .. } => None,
        }
    }

    /// Whether the change depends on the passkeys that the account has.
    pub(super) const fn needs_passkeys(&self) -> bool {
        match self {
            Self::SignedIn { proof: Proof::Passkey(_), .. }
            | Self::PasskeyUsed { .. }
            | Self::PasskeyAdded { .. }
            | Self::PasskeyNamed { .. }
            | Self::PasskeyRemoved { .. } => true,
            Self::Registered { .. }
            | Self::SignedIn { .. }
            | Self::Recovered { .. }
            | Self::PasswordSet { .. }
            | Self::CodeSet { .. }
            | Self::LinkMade { .. }
            | Self::Closed { .. }
            | Self::MailAsked { .. }
            | Self::MailConfirmed { .. }
            | Self::MailRemoved { .. }
            | Self::MailRecoverySet { .. }
            | Self::NoticesSet { .. }
            | Self::Unsubscribed { .. } => false,
        }
    }

    /// Returns the notice to the owner of the account about the change, if there is one, and its time in milliseconds since
    /// 1970.
    pub(super) const fn security(&self) -> Option<(SecurityEvent, i64)> {
        match self {
            Self::Recovered { proof: RecoveryProof::Code(_), by, .. } => {
                Some((SecurityEvent::RecoveredByCode, by.now_ms))
            }
            Self::Recovered { proof: RecoveryProof::Link(_), by, .. } => {
                Some((SecurityEvent::RecoveredByLink, by.now_ms))
            }
            Self::PasswordSet { now_ms, .. } => Some((SecurityEvent::PasswordSet, *now_ms)),
            Self::MailConfirmed { now_ms, .. } => Some((SecurityEvent::MailSet, *now_ms)),
            Self::MailRemoved { now_ms, .. } => Some((SecurityEvent::MailRemoved, *now_ms)),
            Self::PasskeyAdded { passkey, .. } => Some((SecurityEvent::PasskeyAdded, passkey.created_ms)),
            Self::PasskeyRemoved { now_ms, .. } => Some((SecurityEvent::PasskeyRemoved, *now_ms)),
            Self::Registered { .. }
            | Self::SignedIn { .. }
            | Self::CodeSet { .. }
            | Self::LinkMade { .. }
            | Self::Closed { .. }
            | Self::MailAsked { .. }
            | Self::MailRecoverySet { .. }
            | Self::NoticesSet { .. }
            | Self::Unsubscribed { .. }
            | Self::PasskeyUsed { .. }
            | Self::PasskeyNamed { .. } => None,
        }
    }

    /// Whether others may see the player under another name, or as of another kind, after the change.
    pub const fn is_seen(&self) -> bool {
        match self {
            Self::Registered { .. } | Self::Closed { .. } => true,
            Self::SignedIn { by, .. } | Self::Recovered { by, .. } => by.reopens,
            Self::PasswordSet { .. }
            | Self::CodeSet { .. }
            | Self::LinkMade { .. }
            | Self::MailAsked { .. }
            | Self::MailConfirmed { .. }
            | Self::MailRemoved { .. }
            | Self::MailRecoverySet { .. }
            | Self::NoticesSet { .. }
            | Self::Unsubscribed { .. }
            | Self::PasskeyUsed { .. }
            | Self::PasskeyAdded { .. }
            | Self::PasskeyNamed { .. }
            | Self::PasskeyRemoved { .. } => false,
        }
    }

    /// The sessions that end with the change, by their players.
    pub fn ended(&self) -> Vec<(PlayerId, EndedSessions)> {
        match self {
            Self::Registered { player, session, .. } => vec![(player.id, EndedSessions::AllBut(*session))],
            Self::SignedIn { left, .. } => left.iter().copied().collect(),
            Self::Recovered { player, by, left, .. } => {
                let others = (*player, EndedSessions::AllBut(by.token.session()));
                left.iter().copied().chain([others]).collect()
            }
            Self::PasswordSet { player, session, .. } => vec![(*player, EndedSessions::AllBut(*session))],
            Self::CodeSet { .. }
            | Self::LinkMade { .. }
            | Self::MailAsked { .. }
            | Self::MailConfirmed { .. }
            | Self::MailRemoved { .. }
            | Self::MailRecoverySet { .. }
            | Self::NoticesSet { .. }
            | Self::Unsubscribed { .. }
            | Self::PasskeyUsed { .. }
            | Self::PasskeyAdded { .. }
            | Self::PasskeyNamed { .. }
            | Self::PasskeyRemoved { .. } => Vec::new(),
            Self::Closed { player, .. } => vec![(*player, EndedSessions::All)],
        }
    }
}
