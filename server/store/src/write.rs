use std::sync::Arc;

use game::{
    NoVacation, Player,
    ids::{GameId, NodeId, NoticeId, PlayerId, PlayerName, Version},
};

use super::{
    ACTS_AN_HOUR, AccountChange, Append, CannotBlock, Ceremony, CeremonyStep, ChatRow, Cleared, Clearing,
    ConditionalRow, Conflict, DraftRow, MAX_FORMER_NAMES, MAX_PASSKEYS, MailChange, ModerationChange, Outage,
    OutboxChange, PushChange, REPORTS_A_DAY, ReviewRow, SeekChange, SessionChange, TokenHash, VacationChange,
    VacationStep,
};

/// A write of a [`Store::commit`](super::Store::commit).
#[derive(Clone, Debug)]
pub enum Write {
    Append(Arc<Append>),
    /// Replaces the game's draft.
    Draft(DraftRow),
    /// Deletes the game's draft, if there is one. `version` is that on which its player withdrew it.
    TakeDraft {
        game: GameId,
        version: Version,
    },
    /// Adds a line to the game's chat, unless its player already has a line with the same command id.
    Line(ChatRow),
    /// Adds the review of a game, unless the game has one or does not exist.
    Review(ReviewRow),
    /// Replaces the conditional turns of a side, unless the game is over or does not exist. Refused as a [`Conflict`] if a turn
    /// was played or taken back after the version that their player saw.
    SetConditional(ConditionalRow),
    /// Removes the conditional turns of a side if they are these.
    DropConditional(ConditionalRow),
    /// Creates a player with a first session.
    NewPlayer {
        player: Player,
        token: TokenHash,
        /// Milliseconds since 1970.
        now_ms: i64,
    },
    /// Renames a player. Games keep the names that their players had. An account keeps its former name too; nobody gets a
    /// name that looks like one of an account's names. It is refused while the player is muted, and for
    /// [a while](crate::NEUTRAL_NAME_KEPT_MS) after a name of the player was hidden.
    Rename {
        player: PlayerId,
        name: PlayerName,
        /// Milliseconds since 1970.
        now_ms: i64,
    },
    /// Makes a player block another. Blocking a player twice is not an error.
    Block {
        player: PlayerId,
        blocked: PlayerId,
        /// Milliseconds since 1970.
        now_ms: i64,
    },
    /// Removes a block, if there is one.
    Unblock {
        player: PlayerId,
        blocked: PlayerId,
    },
    Session(SessionChange),
    Account(Box<AccountChange>),
    Mail(Box<MailChange>),
    Outbox(Box<OutboxChange>),
    Push(Box<PushChange>),
    /// Adds a key pair of the deployment, unless it has one of this name.
    ServerKey {
        name: &'static str,
        body: Vec<u8>,
    },
    Moderation(Box<ModerationChange>),
    Seek(SeekChange),
    Ceremony(CeremonyStep),
    Vacation(VacationChange),
    /// Marks the notices of a player as seen, up to this one.
    SeeNotices {
        player: PlayerId,
        up_to: NoticeId,
        /// Milliseconds since 1970.
        now_ms: i64,
    },
    /// Records that players were seen without a [use of their sessions](SessionChange::Used).
    Seen {
        players: Vec<PlayerId>,
        /// Milliseconds since 1970.
        now_ms: i64,
    },
    Clear(Clearing),
    /// Records a heartbeat of a node. If the last beat of any node is more than `gap_ms` ago, also records the time
    /// since then as an outage.
    Beat {
        /// Milliseconds since 1970.
        now_ms: i64,
        gap_ms: i64,
    },
    /// Acquires or renews a node's lease of the sweep until `until_ms`, unless another node holds it at `now_ms`. Then
    /// postpones the checks of games whose deadline is later.
    TakeSweep {
        node: NodeId,
        now_ms: i64,
        until_ms: i64,
    },
}

/// Urgency of a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Urgency {
    /// A game under way waits for it.
    Play,
    /// No game under way waits for it, but it must not queue behind deferrable writes: a new game, the heartbeat.
    Soon,
    /// A deferrable write: each transaction takes a bounded number of them.
    Later,
}

impl Write {
    /// The game whose log, draft or conditional turns the write changes.
    pub(super) fn game(&self) -> Option<GameId> {
        match self {
            Self::Append(append) => Some(append.game()),
            Self::Draft(draft) => Some(draft.game),
            Self::TakeDraft { game, .. } => Some(*game),
            // So that the game does not end before they are stored.
            Self::SetConditional(row) | Self::DropConditional(row) => Some(row.game),
            Self::Line(_)
            | Self::Review(_)
            | Self::NewPlayer { .. }
            | Self::Rename { .. }
            | Self::Block { .. }
            | Self::Unblock { .. }
            | Self::Session(_)
            | Self::Account(_)
            | Self::Mail(_)
            | Self::Outbox(_)
            | Self::Push(_)
            | Self::ServerKey { .. }
            | Self::Moderation(_)
            | Self::Seek(_)
            | Self::Ceremony(_)
            | Self::Vacation(_)
            | Self::SeeNotices { .. }
            | Self::Seen { .. }
            | Self::Clear(_)
            | Self::Beat { .. }
            | Self::TakeSweep { .. } => None,
        }
    }

    pub(super) fn urgency(&self) -> Urgency {
        match self {
            Self::Append(append) if append.begins_a_game() => Urgency::Soon,
            Self::Append(_) => Urgency::Play,
            // A game whose flag would fall waits for the first.
            Self::Vacation(VacationChange { what: VacationStep::Used { .. }, .. })
            | Self::Beat { .. }
            | Self::TakeSweep { .. } => Urgency::Soon,
            Self::Draft(_)
            | Self::TakeDraft { .. }
            | Self::Line(_)
            | Self::Review(_)
            | Self::SetConditional(_)
            | Self::DropConditional(_)
            | Self::NewPlayer { .. }
            | Self::Rename { .. }
            | Self::Block { .. }
            | Self::Unblock { .. }
            | Self::Session(_)
            | Self::Account(_)
            | Self::Mail(_)
            | Self::Outbox(_)
            | Self::Push(_)
            | Self::ServerKey { .. }
            | Self::Moderation(_)
            | Self::Seek(_)
            | Self::Ceremony(_)
            | Self::Vacation(_)
            | Self::SeeNotices { .. }
            | Self::Seen { .. }
            | Self::Clear(_) => Urgency::Later,
        }
    }
}

/// Result of a successful write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Written {
    Done,
    /// A beat ended an outage.
    AfterOutage(Outage),
    Cleared(Cleared),
    /// The ceremony that was taken.
    Taken(Ceremony),
}

/// Reason for which a write was refused by a working database. A refused write changes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    #[error(transparent)]
    Conflict(#[from] Conflict),
    /// The maker of a room has too many open rooms; see [`Condition::OpenRoomsBelow`](super::Condition).
    #[error("the player has too many open rooms")]
    TooManyRooms,
    /// The maker of a challenge has made too many; see [`Condition::MayChallenge`](super::Condition).
    #[error("the player has made too many challenges, or too many wait for the challenged player")]
    TooManyChallenges,
    #[error("the player has too many seeks")]
    TooManySeeks,
    /// The seek wants no more games, or was withdrawn; see [`Condition::Sought`](super::Condition).
    #[error("there is no such seek")]
    SeekGone,
    /// One of the players of the game has blocked the other; see
    /// [`Condition::NotBlocked`](super::Condition).
    #[error("one of the players has blocked the other")]
    Blocked,
    /// The player to be renamed, or whose account is to be changed, does not exist.
    #[error("no player has this id")]
    UnknownPlayer,
    /// The session that changes its account has ended.
    #[error("the session has ended")]
    NoSession,
    /// The name looks like one that an account has or had.
    #[error("an account has this name, or one that looks like it")]
    NameTaken,
    #[error("an account keeps at most {MAX_FORMER_NAMES} former names")]
    TooManyNames,
    /// The guest to become an account is one.
    #[error("the player has an account")]
    HasAccount,
    /// The account is closed, and the sign-in does not reopen it.
    #[error("the account is closed")]
    AccountClosed,
    /// A moderator has closed the account.
    #[error("a moderator has closed the account")]
    AccountBarred,
    /// The account's password or recovery code is another one, or the passkey is gone.
    #[error("the password, the code or the passkey is another one")]
    WrongCredentials,
    #[error("the account was sent too many mails")]
    TooManyMails,
    #[error("too many mails wait to be sent")]
    MailsWait,
    /// The message to be sent is gone.
    #[error("there is nothing to be sent")]
    NothingToSend,
    /// The link to be used, or the mail that would bring one, is void.
    #[error("there is no such link")]
    NoLink,
    #[error("no such ceremony is under way")]
    NoCeremony,
    #[error("the account has no such passkey")]
    NoPasskey,
    #[error("an account has this passkey")]
    PasskeyTaken,
    #[error("an account has at most {MAX_PASSKEYS} passkeys")]
    TooManyPasskeys,
    /// The passkey to be removed is all that proves the account.
    #[error("nothing else proves the account")]
    LastCredential,
    #[error(transparent)]
    CannotBlock(#[from] CannotBlock),
    /// The player to be reported or challenged, or to be given a role, is not there.
    #[error("there is no such player")]
    NoTarget,
    #[error("nobody may report or act on themselves")]
    OnOneself,
    #[error("an account makes at most {REPORTS_A_DAY} reports in a day")]
    TooManyReports,
    #[error("the player is no moderator")]
    NotModerator,
    /// The target of the act is a moderator, and its author no administrator.
    #[error("only an administrator acts on a moderator")]
    OnModerator,
    #[error("a moderator acts at most {ACTS_AN_HOUR} times in an hour")]
    TooManyActs {
        /// When the next act is allowed, in milliseconds since 1970.
        until_ms: i64,
    },
    /// A moderator has muted the player, or hidden a name.
    #[error("the player keeps the name until {until_ms}")]
    KeepsName {
        /// When another name is allowed, in milliseconds since 1970.
        until_ms: i64,
    },
    /// The player is as the act would have it, or such that the act means nothing.
    #[error("there is nothing to do")]
    NothingToDo,
    #[error(transparent)]
    NoVacation(#[from] NoVacation),
    #[error("another node sweeps for due games")]
    SweptElsewhere,
}
