//! Refusals of HTTP requests.

use serde::{Deserialize, Serialize};

use super::{Flaw, GameSummary};

/// Body of an HTTP error, `application/problem+json` (RFC 9457).
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Problem {
    /// HTTP status.
    pub status: u16,
    /// Code for clients to branch on.
    pub code: ProblemCode,
    /// Kind of problem by its status, in English.
    pub title: String,
    /// Description of the error, and of valid values, in English.
    pub detail: String,
    /// Line of the error in a refused record in text form, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(feature = "ts", ts(optional))]
    #[cfg_attr(feature = "openapi", schema(value_type = u32))]
    pub line: Option<u32>,
    /// Turn of the error in a refused record, or index of the refused one of several conditional turns, counted from 0.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(feature = "ts", ts(optional))]
    #[cfg_attr(feature = "openapi", schema(value_type = u16))]
    pub turn: Option<u16>,
    /// Error in a refused record, start position or list of actions.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(feature = "ts", ts(optional))]
    #[cfg_attr(feature = "openapi", schema(value_type = Flaw))]
    pub flaw: Option<Flaw>,
    /// Games under way that the visitor would leave, with `guest_has_games`; at most 100.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(feature = "ts", ts(optional))]
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<GameSummary>))]
    pub games: Option<Vec<GameSummary>>,
    /// Time from which it is allowed, in milliseconds since 1970, with `keeps_name`, `too_many_acts` and `too_many_exports`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(feature = "ts", ts(optional, type = "number"))]
    #[cfg_attr(feature = "openapi", schema(value_type = i64))]
    pub until_ms: Option<i64>,
}

/// The codes of problems, each with its status and its text.
macro_rules! problem_codes {
    ($($status:literal $code:ident $detail:literal)*) => {
        /// Code of a problem. Each has one HTTP status.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[cfg_attr(feature = "ts", derive(ts_rs::TS))]
        #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
        #[serde(rename_all = "snake_case")]
        pub enum ProblemCode {
            $($code,)*
        }

        impl ProblemCode {
            /// All codes, by their status.
            pub const ALL: &[Self] = &[$(Self::$code),*];

            /// The HTTP status of problems with this code.
            pub const fn status(self) -> u16 {
                match self {
                    $(Self::$code => $status,)*
                }
            }

            /// Meaning of the code, in English: the detail of a problem without a more specific one.
            pub const fn detail(self) -> &'static str {
                match self {
                    $(Self::$code => $detail,)*
                }
            }
        }
    };
}

problem_codes! {
    400 InvalidQuery "the query has an unknown parameter or an invalid value"
    400 NoHost "a request must have exactly one Host header"
    400 NoWebsocket "this is not a request to open a WebSocket"
    400 UnreadableBody "the body cannot be read, or is not of its content type"
    401 NoSession "open a session with POST /api/v1/session first"
    401 WrongCredentials "the name, the password, the code or the passkey is wrong"
    403 AccountBarred "a moderator has closed this account"
    403 Blocked "one of you has blocked the other"
    403 ForeignOrigin "this was sent by a page of another site"
    403 KeepsName "a moderator has muted you or hidden your name: you keep this one for now"
    403 NotAPlayer "only the players of this game may do this"
    403 NotForYou "this room is no challenge to you"
    403 NotModerator "only moderators may do this"
    403 NotYours "only the room's maker may do this"
    403 OnModerator "only an administrator may act on a moderator"
    403 Private "only its players may see this game"
    403 ProveAgain "this needs a proof of the last ten minutes: POST /api/v1/session/prove first"
    403 RoomLeft "you, or somebody at your address, left this room before: another player has to join it"
    404 NoSuchPage "there is no page at this address"
    404 NoSuchResource "there is nothing at this address"
    404 NoReview "nobody has asked for the review of this game: ask with POST"
    404 UnknownGame "no game has this id"
    404 UnknownPlayer "no player has this id"
    405 MethodNotAllowed "this address does not take this method"
    408 BodyTooSlow "the body of this request did not arrive in time"
    409 AccountClosed "this account is closed: send `reopen` to open it again"
    409 CeremonyOver "these options were answered before, or more than five minutes ago: ask for others with POST /api/v1/passkeys/options"
    409 CommandReused "this command id is already used"
    409 GamesUnplayed "you have not made your first turn in five of the games that wait for you: make it before you accept another one"
    409 GuestHasGames "you have games under way as a guest, and would leave them: send `leave_guest` to do so"
    409 HasAccount "you have an account: PATCH /api/v1/account changes it"
    409 LastCredential "nothing else proves this account: give it a password or another passkey first"
    409 NameTaken "an account has this name, or one that looks like it"
    409 NoAccount "you are a guest: POST /api/v1/account makes an account of you"
    409 NoPasskeys "passkeys need a host name, and this server has an IP address as its origin"
    409 NoVacationLeft "you do not have that many days of vacation left"
    409 NotConditional "conditional turns are for games with a clock of days, without cards, against somebody else, in which both sides have made a turn"
    409 NotOnVacation "you are not on vacation"
    409 NotOver "the game is not over: it can be reviewed when it has ended"
    409 NothingToDo "this was done already, or means nothing for this player"
    409 OnVacation "you are already on vacation: DELETE /api/v1/vacation ends it"
    409 Oneself "you cannot report yourself or act on yourself"
    409 OwnBlock "you cannot block yourself"
    409 OwnChallenge "you cannot challenge yourself"
    409 OwnRoom "the room is yours: another player has to join it"
    409 OwnSeek "this seek is yours: another player has to accept it"
    409 Refused "the game does not allow this now"
    409 RoomCancelled "the room was closed"
    409 RoomTaken "another player has joined this room"
    409 SeekGone "this seek wants no more games, or was withdrawn"
    409 SeekerFull "the player who seeks these games has too many under way, or began too many just now"
    410 LinkVoid "this link has been used, or is too old: ask for another one"
    413 BodyTooLarge "a body takes 16 KiB at most, a record 256 KiB"
    415 WrongContentType "this address does not accept the content type of the body"
    422 BadRecord "this is not a record, or its game breaks the rules"
    422 CostlyStart "no game can begin here: its captures are too costly to find"
    422 IllegalAction "one of the actions is illegal"
    422 InvalidBody "a field of the body is missing, unknown or invalid"
    422 InvalidStart "no game can begin here"
    422 UnusablePasskey "this is no answer to the options, or an account has this passkey"
    422 UnusablePush "this server does not send to this push service, or the keys are invalid"
    422 WeakPassword "this password is easy to guess: take a longer one, such as four words that have nothing to do with each other"
    426 UpgradeRequired "this connection cannot become a WebSocket"
    429 TooFast "too many requests: wait a moment"
    429 TooManyActs "a moderator may act at most 30 times an hour: wait"
    429 TooManyBlocks "you have blocked too many players: unblock one"
    429 TooManyChallenges "20 of your challenges are open, or you made 60 today, or 5 to this player, or too many wait for this player's answer"
    429 TooManyConnections "too many connections of this address are open: close one"
    429 TooManyDocuments "too many games or records are being sent to this address: wait for one"
    429 TooManyExports "one export a day: wait"
    429 TooManyLists "too many lists are being read for this address: wait for one"
    429 TooManyMails "too many links were sent to this account or this address today: wait until tomorrow"
    429 TooManyNames "an account keeps its former names, ten at most: take one of them"
    429 TooManyPasskeys "an account has 20 passkeys at most: remove one"
    429 TooManyReports "an account makes 20 reports in a day at most: wait"
    429 TooManyReviews "a review for this address is being computed: wait for it"
    429 TooManyRooms "you have too many open rooms: close one, or wait until one is joined"
    429 TooManySeeks "you have ten seeks: withdraw one"
    429 TooManySockets "too many sockets of this address are open: close one"
    429 TooManyUnderWay "one of you has too many games under way"
    429 TooMuchWork "too much work is waiting: try again in a moment"
    431 HeadersTooLarge "the address and the headers of a request take 32 KiB at most"
    503 Busy "too much waits to be stored: try again in a moment"
    503 GoingDown "the server is going down: try again in a moment"
    503 NoSpace "the server's disk is nearly full: games go on, and no new ones begin"
    503 Overloaded "the server is overloaded: try again in a moment"
    503 ReviewFailed "the review of this game could not be computed"
    503 TookTooLong "the answer took more than 15 seconds: try again later"
    503 Unavailable "games cannot be read or written right now"
}
