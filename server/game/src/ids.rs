//! Identifiers and validated texts that all modules share. Each is validated once, when it is parsed, so every value is
//! valid.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};
use smol_str::SmolStr;
use uuid::Uuid;

use crate::visible;

macro_rules! uuid_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[cfg_attr(feature = "ts", derive(ts_rs::TS))]
        #[cfg_attr(feature = "ts", ts(type = "string"))]
        #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
        pub struct $name(Uuid);

        impl $name {
            /// Wraps a UUID. Ids of version 7 sort by the time when they were made.
            pub const fn new(uuid: Uuid) -> Self {
                Self(uuid)
            }

            pub const fn uuid(self) -> Uuid {
                self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl FromStr for $name {
            type Err = uuid::Error;

            fn from_str(text: &str) -> Result<Self, uuid::Error> {
                text.parse().map(Self)
            }
        }
    };
}

uuid_id! {
    /// Id of a game, a UUID: the same for the open room, the game and its replay.
    GameId
}
uuid_id! {
    /// Id of a player, a UUID. It is public; the secret of a session is its token.
    PlayerId
}

impl PlayerId {
    /// The id that readers see instead of that of a deleted player, the same for all.
    pub const DELETED: Self = Self(Uuid::nil());

    /// The id that readers see instead of that of a game's second player if both are deleted: one id for both sides would
    /// mean a game of two people at one screen.
    pub const ALSO_DELETED: Self = Self(Uuid::max());
}

uuid_id! {
    /// Id of a session, a UUID. It names the session to its player and proves nothing.
    SessionId
}

uuid_id! {
    /// Id of a passkey, a UUID. It names the passkey to its player and proves nothing.
    PasskeyId
}

uuid_id! {
    /// Id of a notice in an inbox, a UUID.
    NoticeId
}
uuid_id! {
    /// Id of a seek, a UUID.
    SeekId
}

uuid_id! {
    /// Id of a server process among those on one database. A restarted server gets a new id.
    NodeId
}

/// Version of a game: the number of events in its log. The first event has version 1; 0 means none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "ts", ts(type = "number"))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Version(u32);

impl Version {
    /// Version before the first event.
    pub const NONE: Self = Self(0);

    pub const fn new(count: u32) -> Self {
        Self(count)
    }

    pub const fn get(self) -> u32 {
        self.0
    }

    /// Returns the version of the next event.
    pub const fn next(self) -> Self {
        Self(self.0 + 1)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Defines a string type whose values satisfy a condition. Up to 23 bytes are stored inline; longer strings are shared
/// between clones.
macro_rules! checked_text {
    ($(#[$doc:meta])* $name:ident, $check:expr, $expected:literal) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "ts", derive(ts_rs::TS))]
        #[serde(try_from = "SmolStr")]
        #[cfg_attr(feature = "ts", ts(type = "string"))]
        #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
        #[cfg_attr(feature = "openapi", schema(value_type = String))]
        pub struct $name(SmolStr);

        impl $name {
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }

        impl TryFrom<SmolStr> for $name {
            type Error = InvalidText;

            fn try_from(text: SmolStr) -> Result<Self, InvalidText> {
                let check: fn(&str) -> bool = $check;
                if check(&text) { Ok(Self(text)) } else { Err(InvalidText { expected: $expected }) }
            }
        }

        impl TryFrom<String> for $name {
            type Error = InvalidText;

            fn try_from(text: String) -> Result<Self, InvalidText> {
                SmolStr::from(text).try_into()
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

uuid_id! {
    /// Id of a chat line, a UUID.
    LineId
}

uuid_id! {
    /// Id of a report, a UUID.
    ReportId
}

uuid_id! {
    /// Id of an act of a moderator, a UUID.
    ActId
}

macro_rules! checked_number {
    ($(#[$doc:meta])* $name:ident($type:ty), $min:tt..=$max:tt, $expected:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "ts", derive(ts_rs::TS))]
        #[serde(try_from = "u64")]
        #[cfg_attr(feature = "ts", ts(type = "number"))]
        #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
        #[cfg_attr(feature = "openapi", schema(value_type = $type, minimum = $min, maximum = $max))]
        pub struct $name($type);

        impl $name {
            pub const fn get(self) -> $type {
                self.0
            }
        }

        impl TryFrom<u64> for $name {
            type Error = InvalidText;

            fn try_from(number: u64) -> Result<Self, InvalidText> {
                let fits = <$type>::try_from(number).ok().filter(|number| ($min..=$max).contains(number));
                fits.map(Self).ok_or(InvalidText { expected: $expected })
            }
        }
    };
}

checked_number! {
    /// Days for each turn of a correspondence game, 1 to 14.
    Days(u8), 1..=14, "1 to 14 days"
}
checked_number! {
    /// Days that a side has for all its turns of a game with a bank of time, 1 to 30.
    BankDays(u8), 1..=30, "1 to 30 days"
}
checked_number! {
    /// Hours that each turn adds to a bank of time, 0 to 168, which is a week.
    BankHours(u8), 0..=168, "0 to 168 hours"
}
checked_number! {
    /// Days of a vacation, 1 to 30.
    VacationDays(u8), 1..=30, "1 to 30 days"
}
checked_number! {
    /// Level of a bot, from 1, for beginners, to 8, full strength.
    #[derive(PartialOrd, Ord)]
    BotLevel(u8), 1..=8, "a level of 1 to 8"
}
checked_number! {
    /// Number of turns by which spectators see a game late, 0 to 20.
    #[derive(Default)]
    Delay(u8), 0..=20, "a delay of 0 to 20 turns"
}

checked_number! {
    /// Hour of a day, 0 to 23.
    Hour(u8), 0..=23, "an hour of 0 to 23"
}

impl Hour {
    /// The first hour of a day.
    pub const MIDNIGHT: Self = Self(0);
}

checked_number! {
    /// Hours for which a player's chat lines are refused, 1 to 8,760.
    MuteHours(u16), 1..=8_760, "1 to 8,760 hours"
}

checked_text! {
    /// Id of a command: 1 to 64 ASCII letters, digits, `-` or `_`, chosen by the client. It makes commands idempotent:
    /// a command that is sent again with the same id has no second effect.
    CommandId,
    |text| (1..=64).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_'),
    "a command id: 1 to 64 letters, digits, '-' or '_'"
}
checked_text! {
    /// Text of an action (RULES 0.3), 1 to 128 printable ASCII characters without spaces, not yet parsed by the engine.
    ActionText,
    |text| (1..=128).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic()),
    "an action: 1 to 128 printable characters without spaces"
}
checked_text! {
    /// Name of a player, 1 to 24 characters. Stored names may come from a release with weaker rules; [`NewName`] has
    /// the present rules.
    PlayerName,
    |text| (1..=PlayerName::MAX_CHARS).contains(&text.chars().count()) && !text.chars().any(char::is_control),
    "a name: 1 to 24 characters"
}
checked_text! {
    /// Name that a player gives a passkey, 1 to 40 characters.
    PasskeyLabel,
    |text| (1..=40).contains(&text.chars().count()) && !text.chars().any(char::is_control) && text.trim() == text,
    "a label of 1 to 40 characters, without spaces around it"
}
checked_text! {
    /// Text of a chat line, 1 to 300 characters of plain text. Stored lines may come from a release with weaker rules;
    /// [`NewLine`] has the present rules.
    ChatText,
    |text| (1..=ChatText::MAX_CHARS).contains(&text.chars().count()) && !text.chars().any(char::is_control),
    "a line of 1 to 300 characters"
}
checked_text! {
    /// Text of a report, 1 to 500 characters of plain text.
    ReportText,
    |text| (1..=ReportText::MAX_CHARS).contains(&text.chars().count()) && !text.chars().any(char::is_control),
    "a text of 1 to 500 characters"
}

macro_rules! chosen_text {
    ($(#[$doc:meta])* $name:ident of $kept:ident, $clean:path, $expected:literal) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[cfg_attr(feature = "ts", derive(ts_rs::TS))]
        #[serde(try_from = "String")]
        #[cfg_attr(feature = "ts", ts(type = "string"))]
        #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
        #[cfg_attr(feature = "openapi", schema(value_type = String))]
        pub struct $name($kept);

        impl $name {
            /// Returns the text in its stored form.
            pub fn into_inner(self) -> $kept {
                self.0
            }
        }

        impl TryFrom<String> for $name {
            type Error = InvalidText;

            fn try_from(text: String) -> Result<Self, InvalidText> {
                let kept = $clean(&text, $kept::MAX_CHARS).and_then(|text| $kept::try_from(text).ok());
                kept.map(Self).ok_or(InvalidText { expected: $expected })
            }
        }
    };
}

chosen_text! {
    /// Name that a player chooses: 1 to 24 visible characters of one script, or of Latin and one other, with single
    /// spaces between words, without `<` and `>`, and not like that of a bot. It is normalised to NFKC.
    NewName of PlayerName,
    visible::name,
    "a name: 1 to 24 visible characters of one script, or of Latin and one other, with single spaces between words, \
     without < and >, and not like `Bot 1`"
}
chosen_text! {
    /// Text of a new chat line, 1 to 300 visible characters. It is normalised to NFC, and invisible characters are
    /// removed.
    NewLine of ChatText,
    visible::line,
    "a line of 1 to 300 visible characters"
}
chosen_text! {
    /// Text of a new report, 1 to 500 visible characters. It is normalised to NFC, and invisible characters are removed.
    NewReportText of ReportText,
    visible::line,
    "a text of 1 to 500 visible characters"
}

impl ActionText {
    /// Whether the action is `end`, which moves nothing (RULES 1.9).
    pub(crate) fn is_end(&self) -> bool {
        self.0 == "end"
    }
}

impl ChatText {
    /// Maximum number of characters of a line.
    pub const MAX_CHARS: usize = 300;
}

impl ReportText {
    /// Maximum number of characters of the text of a report.
    pub const MAX_CHARS: usize = 500;
}

impl PlayerName {
    /// Maximum number of characters of a name.
    pub const MAX_CHARS: usize = 24;
}

/// Error for a text or number that is not valid for its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {expected}")]
pub struct InvalidText {
    expected: &'static str,
}

/// A `serde(with = …)` module for a seed, for use only in data that stays in the store.
pub mod secret_seed {
    use engine::Seed;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(seed: &Option<Seed>, out: S) -> Result<S::Ok, S::Error> {
        match seed {
            Some(seed) => out.serialize_some(&seed.reveal()),
            None => out.serialize_none(),
        }
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(input: D) -> Result<Option<Seed>, D::Error> {
        Option::<String>::deserialize(input)?.map(|text| text.parse().map_err(D::Error::custom)).transpose()
    }
}
