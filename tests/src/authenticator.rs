//! An authenticator without a device: makes and uses a passkey as a browser does, and always verifies its user.

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use p256::ecdsa::{DerSignature, SigningKey, signature::Signer};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// An authenticator with one passkey.
#[derive(Clone, Debug)]
pub struct Authenticator {
    key: SigningKey,
    /// Id of the passkey.
    id: Vec<u8>,
    /// Origin of the page.
    origin: String,
    /// The player as the site knows them.
    user_handle: Value,
    /// Number of uses; 0 of one that does not count, as those that several devices share.
    pub counter: u32,
}

/// The user was there and was verified; the passkey may be copied, and is.
const FLAGS: u8 = 0b0001_1101;

/// The data has the passkey.
const WITH_PASSKEY: u8 = 0b0100_0000;

impl Authenticator {
    /// Makes a passkey by the options of a site, and returns the answer too. Each seed gives another one.
    ///
    /// # Panics
    /// If the options are none.
    pub fn create(seed: &str, options: &Value, origin: &str) -> (Self, Value) {
        let key = SigningKey::from_slice(&hash(seed.as_bytes())).expect("a hash is a key");
        let id = hash(format!("id {seed}").as_bytes())[..16].to_vec();
        let user_handle = options["user"]["id"].clone();
        assert!(user_handle.is_string(), "options of a new passkey: {options}");
        let made = Self { key, id, origin: origin.to_owned(), user_handle, counter: 0 };
        let data = made.data("webauthn.create", options);
        let answer = json!({
            "id": encode(&made.id),
            "rawId": encode(&made.id),
            "type": "public-key",
            "authenticatorAttachment": "platform",
            "clientExtensionResults": {"credProps": {"rk": true}},
            "response": {
                "clientDataJSON": encode(data.as_bytes()),
                "attestationObject": encode(&made.attestation(&options["rp"]["id"])),
                "transports": ["internal", "a later one"],
            },
        });
        (made, answer)
    }

    /// Uses the passkey by the options of a site, and returns the answer.
    pub fn answer(&self, options: &Value) -> Value {
        let data = self.data("webauthn.get", options);
        let about = self.about(&options["rpId"], FLAGS);
        let signed = [&about[..], &hash(data.as_bytes())].concat();
        let signature: DerSignature = self.key.sign(&signed);
        json!({
            "id": encode(&self.id),
            "rawId": encode(&self.id),
            "type": "public-key",
            "authenticatorAttachment": "platform",
            "clientExtensionResults": {},
            "response": {
                "clientDataJSON": encode(data.as_bytes()),
                "authenticatorData": encode(&about),
                "signature": encode(signature.as_bytes()),
                "userHandle": self.user_handle,
            },
        })
    }

    /// The browser's statement about a ceremony.
    fn data(&self, kind: &str, options: &Value) -> String {
        json!({"type": kind, "challenge": options["challenge"], "origin": self.origin, "crossOrigin": false})
            .to_string()
    }

    /// The authenticator's statement about the use of a passkey at a site.
    fn about(&self, site: &Value, flags: u8) -> Vec<u8> {
        let site = hash(site.as_str().expect("options name the site").as_bytes());
        [&site[..], &[flags], &self.counter.to_be_bytes()].concat()
    }

    /// The authenticator's unsigned statement about a new passkey.
    fn attestation(&self, site: &Value) -> Vec<u8> {
        let about = self.about(site, FLAGS | WITH_PASSKEY);
        let length = u8::try_from(self.id.len()).expect("an id is short");
        let point = self.key.verifying_key().to_sec1_point(false);
        let (x, y) = (point.x().expect("a point"), point.y().expect("a point"));
        let key = [b"\xa5\x01\x02\x03\x26\x20\x01\x21\x58\x20", &x[..], b"\x22\x58\x20", &y[..]].concat();
        let data = [&about[..], &[0; 16], &[0, length], &self.id, &key].concat();
        let length = u8::try_from(data.len()).expect("the data are short");
        [b"\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x58", &[length][..], &data].concat()
    }
}

fn hash(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

fn encode(bytes: &[u8]) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(bytes)
}
