use std::fmt;

use game::ids::{PasskeyId, PlayerId};

use super::TokenHash;

/// Maximum number of passkeys of an account.
pub const MAX_PASSKEYS: usize = 20;

/// Maximum number of ceremonies under way on all nodes. The ones that were begun first give way.
pub const MAX_CEREMONIES: u32 = 10_000;

/// A passkey of an account. Times are milliseconds since 1970.
#[derive(Clone, PartialEq, Eq)]
pub struct Passkey {
    pub id: PasskeyId,
    /// The host that it was made for.
    pub host: String,
    /// JSON with the public key and the counter.
    pub body: String,
    /// Its name, given by its player.
    pub label: Option<String>,
    pub created_ms: i64,
    /// Time of last use, to the day.
    pub used_ms: i64,
}

impl fmt::Debug for Passkey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Passkey").field("id", &self.id).finish_non_exhaustive()
    }
}

/// A passkey that has proved its player, as it is stored afterwards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsedPasskey {
    pub id: PasskeyId,
    pub body: String,
    /// Time of this use, to the day, in milliseconds since 1970.
    pub used_ms: i64,
}

/// A ceremony under way, which makes or uses a passkey.
#[derive(Clone, PartialEq, Eq)]
pub struct Ceremony {
    /// The player whom it concerns; `None` of a sign-in, which finds out.
    pub player: Option<PlayerId>,
    /// JSON with what its end has to fit.
    pub state: String,
    /// Time from which it counts no longer, in milliseconds since 1970.
    pub expires_ms: i64,
}

impl fmt::Debug for Ceremony {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ceremony").field("player", &self.player).finish_non_exhaustive()
    }
}

/// A step of a ceremony. It is named by the hash of its challenge.
#[derive(Clone, Debug)]
pub enum CeremonyStep {
    Begin {
        challenge: TokenHash,
        ceremony: Ceremony,
    },
    /// Takes the ceremony, which is gone then. It is refused if there is none, or if it has expired.
    Take {
        challenge: TokenHash,
        /// Milliseconds since 1970.
        now_ms: i64,
    },
}
