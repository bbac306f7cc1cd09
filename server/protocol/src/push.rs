//! Bodies of the HTTP resource of push subscriptions.

use std::fmt;

use game::ids::SessionId;
use serde::{Deserialize, Serialize};

/// Response to the requests to `/api/v1/push`: what a browser needs to subscribe.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PushKey {
    /// The server's public key, in base64url: the `applicationServerKey` of a subscription.
    pub key: String,
}

/// Body of `PUT /api/v1/push`: a `PushSubscription` of a browser, as its `toJSON` writes it, without its end.
#[derive(Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct NewPush {
    /// URL at the browser's push service.
    pub endpoint: String,
    pub keys: NewPushKeys,
}

/// Keys of a browser, in base64url.
#[derive(Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct NewPushKeys {
    /// Its public key.
    pub p256dh: String,
    /// Its secret.
    pub auth: String,
}

impl fmt::Debug for NewPush {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("NewPush(…)")
    }
}

impl fmt::Debug for NewPushKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("NewPushKeys(…)")
    }
}

/// A push subscription of the visitor, without its secrets.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OwnPush {
    /// The session that it belongs to.
    pub session: SessionId,
    /// The origin of the browser's push service.
    pub service: String,
}
