//! Bodies of the HTTP resources of passkeys. What browsers and authenticators say to each other is passed on as it is.

use std::fmt;

use game::ids::{NewName, PasskeyId, PasskeyLabel};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

macro_rules! webauthn {
    ($(#[$doc:meta])* $name:ident($inner:ty)) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
        #[cfg_attr(feature = "ts", derive(ts_rs::TS))]
        #[cfg_attr(feature = "ts", ts(type = "object"))]
        #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
        #[cfg_attr(feature = "openapi", schema(value_type = Object))]
        pub struct $name(pub $inner);

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!(stringify!($name), "(…)"))
            }
        }
    };
}

webauthn! {
    /// Response to `POST /api/v1/passkeys/options`, as `PublicKeyCredential.parseCreationOptionsFromJSON` or
    /// `parseRequestOptionsFromJSON` of a browser reads it.
    PasskeyOptions(Value)
}

webauthn! {
    /// Answer of an authenticator to the options: a `PublicKeyCredential` of a browser, as its `toJSON` writes it.
    PasskeyAnswer(Map<String, Value>)
}

/// Body of `POST /api/v1/passkeys/options`: what a passkey is made or used for.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case", tag = "purpose", deny_unknown_fields)]
pub enum PasskeyPurpose {
    /// A new passkey, for a guest who becomes an account with this name by `POST /api/v1/account`.
    Register { name: NewName },
    /// A new passkey, for the account of the visitor by `POST /api/v1/passkeys`.
    Add {},
    /// A passkey that says whose it is, for `POST /api/v1/session/passkey`.
    SignIn {},
    /// A passkey of the visitor's account, for `POST /api/v1/session/prove`.
    Prove {},
}

/// Body of `POST /api/v1/session/passkey`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct SignInByPasskey {
    /// The authenticator's answer to the options for `sign_in`.
    pub passkey: PasskeyAnswer,
    /// Whether a guest leaves games under way.
    #[serde(default)]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<bool>"))]
    pub leave_guest: bool,
    /// Whether the account is opened again, if it is closed.
    #[serde(default)]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<bool>"))]
    pub reopen: bool,
}

/// Body of `POST /api/v1/passkeys`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct NewPasskey {
    /// The authenticator's answer to the options for `add`.
    pub passkey: PasskeyAnswer,
}

/// Body of `PATCH /api/v1/passkeys/{id}`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct PasskeyChange {
    pub label: PasskeyLabel,
}

/// Response to the requests for the passkeys of the visitor's account, the first made one first.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Passkeys {
    pub passkeys: Vec<OwnPasskey>,
}

/// A passkey of the visitor's account.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct OwnPasskey {
    pub id: PasskeyId,
    /// Its name, at first the browser and its system, as `Firefox, Linux`; null if they are unknown.
    pub label: Option<String>,
    /// Milliseconds since 1970.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub created_ms: i64,
    /// Time of last use, to the day, in milliseconds since 1970.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub used_ms: i64,
}
