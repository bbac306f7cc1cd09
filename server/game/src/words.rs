//! The words that represent values in stored events and in columns of tables. They are written by hand and never
//! change. They depend neither on the names of variants nor on the wire.

use std::fmt;

use engine::{Ruleset, Side};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Visitor};

use super::{
    Bonus, Drafts, Language, NoticeChannel, NoticePurpose, OfferKind, PlayerKind, Reason, ReportKind, Role,
    SeatChoice, SecurityEvent, Status, TurnMails, Visibility, Watching, inbox::InboxKind,
};

/// A value that is stored as one word.
pub trait StoredWord: Copy {
    /// Returns the stored word of the value.
    fn as_db_str(self) -> &'static str;

    /// Returns the value of a stored word.
    ///
    /// # Errors
    /// No value has this word.
    fn from_db_str(word: &str) -> Result<Self, UnknownWord>;
}

/// A stored word that no value has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{word:?} is not a word for a {kind}")]
pub struct UnknownWord {
    kind: &'static str,
    word: String,
}

macro_rules! words {
    ($kind:ident { $($variant:ident = $word:literal,)* }) => {
        impl StoredWord for $kind {
            fn as_db_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)*
                }
            }

            fn from_db_str(word: &str) -> Result<Self, UnknownWord> {
                match word {
                    $($word => Ok(Self::$variant),)*
                    _ => Err(UnknownWord { kind: stringify!($kind), word: word.to_owned() }),
                }
            }
        }
    };
}

words! { Side { First = "first", Second = "second", } }
words! { Ruleset {
    Fibonacci = "fibonacci",
    FibonacciMixed = "fibonacci-mixed",
    FibonacciCards = "fibonacci-cards",
    Fenix = "fenix",
    Focus = "focus",
    FocusClassic = "focus-classic",
    Crossfire = "crossfire",
} }
words! { Status {
    Open = "open",
    Playing = "playing",
    Finished = "finished",
    Aborted = "aborted",
    Cancelled = "cancelled",
} }
words! { Visibility { Public = "public", Link = "link", } }
words! { SeatChoice { First = "first", Second = "second", Random = "random", } }
words! { Watching { Everybody = "everybody", Nobody = "nobody", } }
words! { Role { Moderator = "moderator", Admin = "admin", } }
words! { ReportKind { Chat = "chat", Name = "name", Play = "play", } }
words! { PlayerKind { Guest = "guest", Account = "account", } }
words! { NoticeChannel { Mail = "mail", Push = "push", } }
words! { NoticePurpose { Turns = "turns", Deadline = "deadline", } }
words! { InboxKind {
    GameOver = "game_over",
    Challenged = "challenged",
    ChallengeAccepted = "challenge_accepted",
    ChallengeDeclined = "challenge_declined",
    ChallengeCountered = "challenge_countered",
    SeekAccepted = "seek_accepted",
    VacationUsed = "vacation_used",
    Security = "security",
    ReportAnswered = "report_answered",
} }
words! { SecurityEvent {
    PasskeyAdded = "passkey_added",
    PasskeyRemoved = "passkey_removed",
    PasswordSet = "password_set",
    MailSet = "mail_set",
    MailRemoved = "mail_removed",
    RecoveredByCode = "recovered_by_code",
    RecoveredByLink = "recovered_by_link",
} }
words! { TurnMails { Off = "off", Daily = "daily", Soon = "soon", } }
words! { Language { English = "en", French = "fr", } }
words! { Drafts { Shown = "shown", Hidden = "hidden", } }
words! { Bonus {
    PerTurn = "per_turn",
    PerAction = "per_action",
    Delay = "delay",
    Bronstein = "bronstein",
} }
words! { OfferKind { Draw = "draw", Takeback = "takeback", Rematch = "rematch", } }
words! { Reason {
    Surround = "surround",
    King = "king",
    Blocked = "blocked",
    Repetition = "repetition",
    Quiet = "quiet",
    TurnLimit = "turn-limit",
    Resign = "resign",
    Time = "time",
    Agreement = "agreement",
    Abandon = "abandon",
} }

/// A value that is represented in stored JSON by its word.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Word<T>(pub(super) T);

impl<T: StoredWord> Serialize for Word<T> {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.serialize_str(self.0.as_db_str())
    }
}

impl<'de, T: StoredWord> Deserialize<'de> for Word<T> {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        struct Reader<T>(std::marker::PhantomData<T>);

        impl<T: StoredWord> Visitor<'_> for Reader<T> {
            type Value = Word<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a word")
            }

            fn visit_str<E: serde::de::Error>(self, word: &str) -> Result<Word<T>, E> {
                T::from_db_str(word).map(Word).map_err(E::custom)
            }
        }

        input.deserialize_str(Reader(std::marker::PhantomData))
    }
}
