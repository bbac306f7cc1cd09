use std::fmt;

use game::ids::{PlayerId, SessionId};

use super::TokenHash;

/// Maximum number of push subscriptions of a player. Those of the sessions that were unused for longest give way.
pub const MAX_PUSHES: u32 = 10;

/// Number of messages in a row that its push service has not taken, after which a subscription is deleted. A service that does
/// not answer is tried this often in days; one that is not reached at all, for as long as the session is used.
pub const PUSH_FAILURES: u32 = 60;

/// The number of failures that a refusal counts as: after five in a row a subscription is deleted.
pub const PUSH_REFUSAL: u32 = 12;

/// Name of the [key](crate::Nodes::server_key) that signs the requests to push services.
pub const PUSH_KEY: &str = "push";

/// Keys of a browser by which a message to it is encrypted. No debug text has them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct PushKeys {
    /// Point on P-256, uncompressed.
    pub public: [u8; Self::PUBLIC],
    pub secret: [u8; Self::SECRET],
}

impl PushKeys {
    /// Bytes of the public key.
    pub const PUBLIC: usize = 65;

    /// Bytes of the secret.
    pub const SECRET: usize = 16;

    pub(super) fn to_bytes(self) -> Vec<u8> {
        [self.public.as_slice(), &self.secret].concat()
    }

    /// Returns the keys with these bytes; `None` if they are not as many.
    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (public, secret) = bytes.split_first_chunk()?;
        Some(Self { public: *public, secret: secret.try_into().ok()? })
    }
}

impl fmt::Debug for PushKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PushKeys(…)")
    }
}

/// Where a browser takes messages, and its keys. Whoever knows the address can have it called, so no debug text has it.
#[derive(Clone, PartialEq, Eq)]
pub struct PushSubscription {
    /// URL at the browser's push service.
    pub endpoint: String,
    pub keys: PushKeys,
}

impl PushSubscription {
    /// The hash that names the subscription.
    pub fn hash(&self) -> TokenHash {
        TokenHash::of(self.endpoint.as_bytes())
    }
}

impl fmt::Debug for PushSubscription {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PushSubscription(…)")
    }
}

/// A stored subscription of a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnPush {
    /// The session that it belongs to.
    pub session: SessionId,
    pub subscription: PushSubscription,
    /// Number of failures since the last delivery.
    pub failures: u32,
}

/// A change of push subscriptions. A missing subscription is not an error.
#[derive(Clone, Debug)]
pub enum PushChange {
    /// The session has this subscription and no other. It is refused if the session has ended.
    Subscribed {
        player: PlayerId,
        session: TokenHash,
        subscription: PushSubscription,
        /// Milliseconds since 1970.
        now_ms: i64,
    },
    /// The session has no subscription.
    Unsubscribed { player: PlayerId, session: TokenHash },
    /// The push service has taken a message.
    Delivered { player: PlayerId, subscription: TokenHash },
    /// The push service has not taken a message, which counts as a number of failures. The subscription is deleted after
    /// [`PUSH_FAILURES`].
    Failed { player: PlayerId, subscription: TokenHash, failures: u32 },
    /// The push service no longer has the subscription.
    Gone { player: PlayerId, subscription: TokenHash },
}

impl PushChange {
    /// The player whose subscriptions change.
    pub(super) const fn player(&self) -> PlayerId {
        match self {
            Self::Subscribed { player, .. }
            | Self::Unsubscribed { player, .. }
            | Self::Delivered { player, .. }
            | Self::Failed { player, .. }
            | Self::Gone { player, .. } => *player,
        }
    }
}
