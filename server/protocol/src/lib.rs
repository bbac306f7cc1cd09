//! The types of all messages on the wire.
//!
//! A client sends [`ClientMessage`]s and receives [`ServerMessage`]s. All other types are their parts and the bodies of
//! the HTTP resources. `static/protocol.d.ts` is generated from these files, and `docs/protocol.md` explains each
//! message with an example.
//!
//! Three counters are never mixed: an *index* counts the actions of a turn from 0, a *turn* is the rules' own number
//! (RULES 0.4), and a *version* counts the events of one game's log from 1.

mod accounts;
mod client;
pub mod compact;
mod convert;
mod event;
mod export;
mod flaw;
mod inbox;
mod lists;
mod moderation;
mod passkeys;
mod password;
mod player;
mod problem;
mod push;
mod puzzles;
mod queries;
mod refusal;
pub mod replay;
mod resources;
#[cfg(feature = "openapi")]
pub mod schema;
mod seeks;
mod server;
mod snapshot;
mod terms;
#[cfg(test)]
mod tests;
mod vacation;
pub mod view;

pub use self::client::About;
pub use self::{
    accounts::{
        Account, AccountChange, AccountMail, LinkRecovery, MailConfirmation, MailRecovery, MailSettings,
        NewAccount, NewCredential, NewMail, NoticeSettings, OwnSession, Proof, Recovery, Sessions, SignIn,
        TurnMails,
    },
    client::{ClientMessage, Known},
    compact::{CompactEvent, CompactTurn, LastTurn, OtherEvent, TurnTimes},
    event::{Event, EventKind},
    export::Exported,
    flaw::{Expected, Flaw},
    inbox::{Inbox, InboxNotice, NoticeKind, NoticeResult, SecurityEvent, SeenNotices},
    lists::{Challenges, GamePage, GameSummary, Status, WaitingTurns},
    moderation::{
        Act, ActKind, Audit, NewAct, NewReport, OwnAct, OwnActs, OwnReport, Report, ReportKind, ReportedLine,
        Reports, Role,
    },
    passkeys::{
        NewPasskey, OwnPasskey, PasskeyAnswer, PasskeyChange, PasskeyOptions, PasskeyPurpose, Passkeys,
        SignInByPasskey,
    },
    password::{LinkSecret, NewPassword, Password, RecoveryCode},
    player::{Names, Player, PlayerKind, Seats},
    problem::{Problem, ProblemCode},
    push::{NewPush, NewPushKeys, OwnPush, PushKey},
    puzzles::{
        Grade, NotAPuzzleId, Puzzle, PuzzleAttempt, PuzzleId, PuzzleList, PuzzleRow, PuzzleSolution,
        PuzzleTask, PuzzleTrialQuery, PuzzleTurn, PuzzleVerdict, PuzzlesQuery, Verdict,
    },
    queries::{
        AnimationQuery, AuditQuery, GamePictureQuery, InboxQuery, Limit, ListName, ListQuery, PageQuery,
        PictureQuery, PictureShape, PictureTheme, PlayerQuery, PositionPictureQuery, ReportsQuery, Text,
        Winner,
    },
    refusal::{Fault, Nack},
    resources::{
        BetterTurn, Blocks, ConditionalTurn, ConditionalTurns, GameDocument, GameEvents, InvitedBot, NewRoom,
        NewTable, Rename, Replay, Review, ReviewProgress, ReviewedTurn, Session, Trial,
    },
    seeks::{NewSeek, PostedSeek, Seek, Seeks, SlowClock, WantedGames},
    server::{ChatLine, ClaimOffer, ServerMessage, SpectatorCount},
    snapshot::{ClaimKind, Clock, OfferKind, Outcome, Reason, Snapshot, Standing, StandingOffer, Times},
    terms::{
        Bonus, ClockRule, Drafts, Pool, RealTime, RealTimeParts, SeatChoice, Terms, Visibility, Watching,
    },
    vacation::{NewVacation, Vacation, VacationPeriod, VacationSettings},
};
pub use game::InvalidTime;
pub use views::{
    ActionKind, Allowance, Barred, Capture, Cards, CellName, Choices, Draft, Jump, LegalAction, Overflow,
    Owed, OwedKind, Pack, Quiet, Reserves, SetUp, SetUps, Step, Threats, Turn,
};

/// Version of this protocol. A `hello` with another version is answered by `wrong_protocol`; the page must be reloaded.
pub const PROTOCOL: u32 = 1;
