//! The key pair by which push services recognise this deployment (VAPID, RFC 8292).

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use p256::{
    SecretKey,
    ecdsa::{Signature, SigningKey, signature::Signer},
};
use serde_json::json;
use store::{PUSH_KEY, Store, StoreError, WriteError, Writer};

use crate::env::Env;

/// Time for which a token counts at least, in seconds. Push services accept a day at most.
const COUNTS_S: i64 = 12 * 60 * 60;

/// Tokens of the same hour end at the same time, so that a push service gets the same one again.
const HOUR_S: i64 = 60 * 60;

/// Error for a key pair that cannot be had.
#[derive(Debug, thiserror::Error)]
pub(crate) enum KeyError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Write(#[from] WriteError),
    #[error("the stored key of push services is none of P-256")]
    Invalid,
}

/// The key pair. No debug text has its secret part.
#[derive(Clone)]
pub(crate) struct ServerKey {
    secret: SigningKey,
    /// The public part, a point in base64url.
    public: String,
}

impl ServerKey {
    /// Returns the key pair of the deployment. The first node that asks makes it.
    ///
    /// # Errors
    /// The store cannot be read or written, or what it has is no key.
    pub(crate) async fn load(env: &Env, store: &dyn Store, writer: &Writer) -> Result<Self, KeyError> {
        if let Some(stored) = store.server_key(PUSH_KEY).await? {
            return Self::from_bytes(&stored);
        }
        writer.add_server_key(PUSH_KEY, new_secret(env).to_bytes().to_vec()).await?;
        // Another node may have been first.
        let stored = store.server_key(PUSH_KEY).await?;
        Self::from_bytes(&stored.ok_or(KeyError::Invalid)?)
    }

    fn from_bytes(bytes: &[u8]) -> Result<Self, KeyError> {
        let bytes: [u8; 32] = bytes.try_into().map_err(|_| KeyError::Invalid)?;
        let secret = SecretKey::from_slice(&bytes).map_err(|_| KeyError::Invalid)?;
        let public = BASE64_URL_SAFE_NO_PAD.encode(secret.public_key().to_sec1_bytes());
        Ok(Self { secret: SigningKey::from(secret), public })
    }

    /// The public key, as browsers take it when they subscribe.
    pub(crate) fn public(&self) -> &str {
        &self.public
    }

    /// Returns the value of `Authorization` for requests to the origin of a push service. `subject` says whom the service
    /// may ask about them.
    pub(super) fn authorization(&self, audience: &str, subject: Option<&str>, now_ms: i64) -> String {
        let ends_s = (now_ms / 1000 / HOUR_S + 1) * HOUR_S + COUNTS_S;
        let mut claims = json!({"aud": audience, "exp": ends_s});
        if let Some(subject) = subject {
            claims["sub"] = subject.into();
        }
        let [header, claims] = [json!({"typ": "JWT", "alg": "ES256"}), claims]
            .map(|part| BASE64_URL_SAFE_NO_PAD.encode(part.to_string()));
        let signed = format!("{header}.{claims}");
        let signature: Signature = self.secret.sign(signed.as_bytes());
        let signature = BASE64_URL_SAFE_NO_PAD.encode(signature.to_bytes());
        format!("vapid t={signed}.{signature}, k={}", self.public)
    }
}

impl std::fmt::Debug for ServerKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ServerKey").field("public", &self.public).finish_non_exhaustive()
    }
}

/// Returns a new secret key. Nearly all random bytes are one.
pub(super) fn new_secret(env: &Env) -> SecretKey {
    loop {
        if let Ok(secret) = SecretKey::from_slice(&env.random::<[u8; 32]>()) {
            return secret;
        }
    }
}

#[cfg(test)]
mod tests {
    use p256::ecdsa::{VerifyingKey, signature::Verifier};
    use serde_json::Value;
    use tokio_util::task::TaskTracker;

    use super::*;

    fn decoded(text: &str) -> Vec<u8> {
        BASE64_URL_SAFE_NO_PAD.decode(text).unwrap()
    }

    #[test]
    fn a_token_verifies_and_counts_for_less_than_a_day() {
        let key = ServerKey::from_bytes(&[7; 32]).unwrap();
        let now_s = 1_800_000_123;
        let sent = key.authorization("https://push.example", Some("https://towers.example"), now_s * 1000);
        let (token, public) = sent.strip_prefix("vapid t=").unwrap().split_once(", k=").unwrap();
        assert_eq!(public, key.public());
        let (signed, signature) = token.rsplit_once('.').unwrap();
        let verifying = VerifyingKey::from_sec1_bytes(&decoded(public)).unwrap();
        let signature = Signature::from_slice(&decoded(signature)).unwrap();
        verifying.verify(signed.as_bytes(), &signature).unwrap();
        let (header, claims) = signed.split_once('.').unwrap();
        let [header, claims] =
            [header, claims].map(|part| serde_json::from_slice::<Value>(&decoded(part)).unwrap());
        assert_eq!(header, json!({"typ": "JWT", "alg": "ES256"}));
        assert_eq!(
            (&claims["aud"], &claims["sub"]),
            (&json!("https://push.example"), &json!("https://towers.example"))
        );
        let counts_s = claims["exp"].as_i64().unwrap() - now_s;
        assert!((COUNTS_S..24 * 60 * 60).contains(&counts_s), "{counts_s}");
        let again =
            key.authorization("https://push.example", Some("https://towers.example"), now_s * 1000 + 1);
        assert_eq!(again, sent, "the same hour has the same token");
        assert!(!key.authorization("https://push.example", None, 0).is_empty());
    }

    #[tokio::test]
    async fn the_first_node_makes_the_key_and_all_others_share_it() {
        let store = std::sync::Arc::new(store::Memory::default());
        let (writer, writing) = store::writer(store.clone(), tokio::runtime::Handle::current());
        TaskTracker::new().spawn(writing);
        let load = async |seed| ServerKey::load(&Env::of_test(seed), &*store, &writer).await.unwrap();
        let first = load(1).await;
        assert_eq!(load(2).await.public(), first.public());
        assert!(!format!("{first:?}").contains("secret"));
    }

    #[test]
    fn what_is_no_key_is_refused() {
        for wrong in [vec![], vec![0; 32], vec![u8::MAX; 32], vec![1; 31], vec![1; 33]] {
            assert!(matches!(ServerKey::from_bytes(&wrong), Err(KeyError::Invalid)), "{wrong:?}");
        }
    }
}
