//! Passkeys: the ceremonies by which authenticators make and use them, as `webauthn-rs` judges them.

use std::sync::Arc;

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use game::ids::{PlayerId, PlayerName};
use protocol::{PasskeyAnswer, PasskeyOptions, ProblemCode};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Value, json};
use store::{Passkey, TokenHash, UsedPasskey};
use tracing::{debug, error};
use url::Url;
use webauthn_rs::prelude::{
    CreationChallengeResponse, CredentialID, DiscoverableAuthentication, PasskeyAuthentication,
    PasskeyRegistration, PublicKeyCredential, RegisterPublicKeyCredential, Webauthn, WebauthnBuilder,
    WebauthnError,
};

use crate::{net::origin::Origin, problem::Problem};

/// Name of the site, which authenticators show.
const SITE: &str = "Towers";

/// Length of a day in milliseconds: times of last use are exact to it.
const DAY_MS: i64 = 86_400_000;

/// The judge of ceremonies; `None` at an IP address, for which authenticators make no passkeys.
#[derive(Clone, Debug)]
pub(crate) struct Passkeys(Option<Arc<Site>>);

#[derive(Debug)]
struct Site {
    host: String,
    webauthn: Webauthn,
}

/// A ceremony that begins: the hash of its challenge, what its end has to fit, and what the authenticator is asked.
#[derive(Debug)]
pub(crate) struct Begun {
    pub(crate) challenge: TokenHash,
    pub(crate) state: String,
    pub(crate) options: PasskeyOptions,
}

/// State of a ceremony, which its end has to fit. The database keeps it: a client could repeat it.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum State {
    New(PasskeyRegistration),
    SignIn(DiscoverableAuthentication),
    Prove(PasskeyAuthentication),
}

/// The reason why a ceremony fails.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PasskeyError {
    #[error("an IP address has no passkeys")]
    NoPasskeys,
    #[error("the ceremony was begun for something else")]
    OtherPurpose,
    #[error("this is not what an authenticator answers")]
    Unreadable(#[source] serde_json::Error),
    #[error("this server does not understand what is stored")]
    Stored(#[source] serde_json::Error),
    #[error("the new passkey does not fit")]
    Unusable(#[source] WebauthnError),
    #[error("the passkey does not prove the account")]
    Wrong(#[source] WebauthnError),
    #[error("the account does not have this passkey")]
    Unknown,
}

impl From<PasskeyError> for Problem {
    fn from(error: PasskeyError) -> Self {
        let source = &error as &dyn std::error::Error;
        match &error {
            PasskeyError::Stored(_) => error!(error = source, "passkey not understood"),
            _ => debug!(error = source, "passkey refused"),
        }
        match error {
            PasskeyError::NoPasskeys => ProblemCode::NoPasskeys.into(),
            PasskeyError::OtherPurpose => ProblemCode::CeremonyOver.into(),
            PasskeyError::Unreadable(_) => Self::new(
                ProblemCode::InvalidBody,
                "expected in `passkey` what `toJSON` of a browser's `PublicKeyCredential` writes",
            ),
            PasskeyError::Stored(_) => ProblemCode::Unavailable.into(),
            PasskeyError::Unusable(_) => ProblemCode::UnusablePasskey.into(),
            PasskeyError::Wrong(_) | PasskeyError::Unknown => ProblemCode::WrongCredentials.into(),
        }
    }
}

impl Passkeys {
    /// Returns the passkeys of a server with this origin.
    pub(crate) fn at(origin: Option<&Origin>) -> Self {
        Self(site(origin).map(Arc::new))
    }

    /// The host that passkeys are made for.
    pub(crate) fn host(&self) -> Option<&str> {
        self.0.as_ref().map(|site| site.host.as_str())
    }

    fn site(&self) -> Result<&Site, PasskeyError> {
        self.0.as_deref().ok_or(PasskeyError::NoPasskeys)
    }

    /// Begins to make a passkey for a player who has these. It has to be one that says whose it is: nobody types a name to
    /// sign in with a passkey.
    pub(crate) fn begin_new(
        &self,
        player: PlayerId,
        name: &PlayerName,
        known: &[Passkey],
    ) -> Result<Begun, PasskeyError> {
        let Site { webauthn, .. } = self.site()?;
        let (id, name) = (player.uuid(), name.as_str());
        let excluded: Vec<CredentialID> =
            self.own(known).iter().map(|passkey| passkey.cred_id().clone()).collect();
        let begun = webauthn.start_passkey_registration(id, name, name, Some(excluded));
        let (CreationChallengeResponse { public_key }, state) = begun.map_err(PasskeyError::Unusable)?;
        let mut options = value(&public_key);
        options["authenticatorSelection"]["residentKey"] = json!("required");
        options["authenticatorSelection"]["requireResidentKey"] = json!(true);
        Ok(Begun::of(options, &State::New(state)))
    }

    /// Begins a sign-in, in which the passkey says whose it is.
    pub(crate) fn begin_sign_in(&self) -> Result<Begun, PasskeyError> {
        let begun = self.site()?.webauthn.start_discoverable_authentication();
        // The options alone: the object around them would have the browser wait until a person types into a field.
        let (request, state) = begun.map_err(PasskeyError::Wrong)?;
        Ok(Begun::of(value(&request.public_key), &State::SignIn(state)))
    }

    /// Begins a proof by one of these passkeys.
    pub(crate) fn begin_proof(&self, known: &[Passkey]) -> Result<Begun, PasskeyError> {
        let begun = self.site()?.webauthn.start_passkey_authentication(&self.own(known));
        let (request, state) = begun.map_err(PasskeyError::Wrong)?;
        Ok(Begun::of(value(&request.public_key), &State::Prove(state)))
    }

    /// Ends the making of a passkey.
    pub(crate) fn end_new(
        &self,
        state: &str,
        answer: PasskeyAnswer,
        label: Option<String>,
        now_ms: i64,
    ) -> Result<Passkey, PasskeyError> {
        let Site { host, webauthn } = self.site()?;
        let State::New(state) = read(state)? else { return Err(PasskeyError::OtherPurpose) };
        let answer: RegisterPublicKeyCredential = parse(answer)?;
        let made = webauthn.finish_passkey_registration(&answer, &state).map_err(PasskeyError::Unusable)?;
        Ok(Passkey {
            id: TokenHash::of(made.cred_id()).passkey(),
            host: host.clone(),
            body: value(&made).to_string(),
            label,
            created_ms: now_ms,
            used_ms: day_ms(now_ms),
        })
    }

    /// Ends a sign-in or a proof by one of these passkeys.
    pub(crate) fn end_use(
        &self,
        state: &str,
        answer: PasskeyAnswer,
        known: &[Passkey],
        now_ms: i64,
    ) -> Result<UsedPasskey, PasskeyError> {
        let Site { webauthn, .. } = self.site()?;
        let answer: PublicKeyCredential = parse(answer)?;
        let id = TokenHash::of(answer.get_credential_id()).passkey();
        let found = known.iter().find(|passkey| passkey.id == id).ok_or(PasskeyError::Unknown)?;
        let mut passkey: webauthn_rs::prelude::Passkey = read(&found.body)?;
        let result = match read(state)? {
            State::SignIn(state) => webauthn.finish_discoverable_authentication_v2(&answer, state, &passkey),
            State::Prove(state) => webauthn.finish_passkey_authentication(&answer, &state),
            State::New(_) => return Err(PasskeyError::OtherPurpose),
        };
        passkey.update_credential(&result.map_err(PasskeyError::Wrong)?);
        Ok(UsedPasskey { id, body: value(&passkey).to_string(), used_ms: day_ms(now_ms) })
    }

    /// The passkeys among these that were made for this host.
    fn own(&self, known: &[Passkey]) -> Vec<webauthn_rs::prelude::Passkey> {
        let own = known.iter().filter(|passkey| Some(passkey.host.as_str()) == self.host());
        own.filter_map(|passkey| read(&passkey.body).ok()).collect()
    }
}

impl Begun {
    fn of(options: Value, state: &State) -> Self {
        let challenge = options["challenge"].as_str().and_then(decode).expect("options have a challenge");
        let challenge = TokenHash::of(&challenge);
        Self { challenge, state: value(state).to_string(), options: PasskeyOptions(options) }
    }
}

/// Returns the hash of the challenge that an authenticator answers.
pub(crate) fn challenge_of(PasskeyAnswer(answer): &PasskeyAnswer) -> Option<TokenHash> {
    let data = decode(answer.get("response")?["clientDataJSON"].as_str()?)?;
    let data: Value = serde_json::from_slice(&data).ok()?;
    decode(data["challenge"].as_str()?).map(|challenge| TokenHash::of(&challenge))
}

/// Returns the player whose passkey an authenticator used.
pub(crate) fn player_of(PasskeyAnswer(answer): &PasskeyAnswer) -> Option<PlayerId> {
    let id = decode(answer.get("response")?["userHandle"].as_str()?)?;
    uuid::Uuid::from_slice(&id).ok().map(PlayerId::new)
}

fn decode(text: &str) -> Option<Vec<u8>> {
    BASE64_URL_SAFE_NO_PAD.decode(text).ok()
}

/// Reads what an authenticator has answered.
fn parse<T: DeserializeOwned>(PasskeyAnswer(answer): PasskeyAnswer) -> Result<T, PasskeyError> {
    serde_json::from_value(answer.into()).map_err(PasskeyError::Unreadable)
}

/// Reads what an earlier release may have stored.
fn read<T: DeserializeOwned>(json: &str) -> Result<T, PasskeyError> {
    serde_json::from_str(json).map_err(PasskeyError::Stored)
}

fn value(of: &impl Serialize) -> Value {
    serde_json::to_value(of).expect("it has string keys only")
}

const fn day_ms(now_ms: i64) -> i64 {
    now_ms - now_ms.rem_euclid(DAY_MS)
}

/// Returns the site of a server: its origin, or where there is none, this machine at any port. Browsers take pages there for
/// secure, with or without HTTPS.
fn site(origin: Option<&Origin>) -> Option<Site> {
    let parse = |text: &str| Url::parse(text).ok();
    let (url, other) = match origin {
        Some(origin) => (parse(&origin.to_string())?, None),
        None => (parse("http://localhost")?, parse("https://localhost")),
    };
    let host = url.domain()?.to_owned();
    let mut builder = WebauthnBuilder::new(&host, &url).ok()?.rp_name(SITE).allow_any_port(origin.is_none());
    if let Some(other) = &other {
        builder = builder.append_allowed_origin(other);
    }
    let webauthn = builder.build().ok()?;
    Some(Site { host, webauthn })
}

#[cfg(test)]
mod tests {
    use game::ids::PasskeyId;
    use system_tests::authenticator::Authenticator;
    use uuid::Uuid;

    use super::*;

    const ADA: PlayerId = PlayerId::new(Uuid::from_u128(1));

    const DAY: i64 = 20_000 * DAY_MS;

    /// A passkey as it is stored. What this release has stored has to be read for ever.
    const STORED: &str = concat!(
        r#"{"cred":{"attestation":{"data":"None","metadata":"None"},"attestation_format":"none","#,
        r#""backup_eligible":true,"backup_state":true,"counter":0,"cred":{"key":{"EC_EC2":{"curve":"SECP256R1","#,
        r#""x":"iuwDvn_mRrMvFoMVCedbCPnO0dgOm-uUBeOwhV_Izw4","#,
        r#""y":"zp4I6fsGk0bzcyqzI7xV-p73ZV1dMck2Xb_3gBWiIcs"}},"type_":"ES256"},"#,
        r#""cred_id":"G4kx4-AaXVBxoP4RCQyowg","extensions":{"appid":"NotRequested","#,
        r#""cred_props":{"Unsigned":{"rk":true}},"cred_protect":"Ignored","hmac_create_secret":"NotRequested"},"#,
        r#""registration_policy":"required","transports":null,"user_verified":true}}"#,
    );

    fn origin(text: &str) -> Origin {
        text.parse().unwrap()
    }

    fn made(passkeys: &Passkeys, page: &str) -> Result<(Authenticator, Passkey), PasskeyError> {
        let name = PlayerName::try_from("Ada".to_owned()).unwrap();
        let begun = passkeys.begin_new(ADA, &name, &[])?;
        let (authenticator, answer) = Authenticator::create("ada", &begun.options.0, page);
        let answer: PasskeyAnswer = serde_json::from_value(answer).unwrap();
        assert_eq!(challenge_of(&answer), Some(begun.challenge));
        Ok((authenticator, passkeys.end_new(&begun.state, answer, None, DAY + 5)?))
    }

    fn signs_in(passkeys: &Passkeys, authenticator: &Authenticator, stored: Passkey) -> Option<UsedPasskey> {
        let begun = passkeys.begin_sign_in().unwrap();
        let answer = authenticator.answer(&begun.options.0);
        let answer: PasskeyAnswer = serde_json::from_value(answer).unwrap();
        assert_eq!(player_of(&answer), Some(ADA));
        passkeys.end_use(&begun.state, answer, &[stored], DAY + 7).ok()
    }

    #[test]
    fn a_passkey_is_stored_in_a_format_that_later_releases_read() {
        let passkeys = Passkeys::at(None);
        let (mut authenticator, made) = made(&passkeys, "http://localhost:4000").unwrap();
        assert_eq!(made.body, STORED);
        assert_eq!((made.host.as_str(), made.created_ms, made.used_ms), ("localhost", DAY + 5, DAY));
        let stored = Passkey { body: STORED.to_owned(), ..made };
        authenticator.counter = 7;
        let used = signs_in(&passkeys, &authenticator, stored.clone()).unwrap();
        assert_eq!(used.body, STORED.replace("\"counter\":0", "\"counter\":7"));
        assert_eq!((used.id, used.used_ms), (stored.id, DAY));
        let other = Passkey { id: PasskeyId::new(Uuid::from_u128(2)), ..stored.clone() };
        assert!(signs_in(&passkeys, &authenticator, other).is_none(), "another passkey");
        let broken = Passkey { body: "{}".to_owned(), ..stored };
        assert!(signs_in(&passkeys, &authenticator, broken).is_none());
    }

    #[test]
    fn passkeys_are_made_for_the_host_of_the_origin_by_its_pages_alone() {
        let elsewhere = "http://towers.example.evil.example";
        for (origin, host, page, others) in [
            (None, "localhost", "http://localhost:8080", ["http://127.0.0.1:8080", "https://a.localhost"]),
            (None, "localhost", "https://localhost", ["http://localhost.example", elsewhere]),
            (
                Some(origin("https://towers.example")),
                "towers.example",
                "https://towers.example",
                ["http://towers.example", elsewhere],
            ),
            (
                Some(origin("https://TOWERS.example.:8443")),
                "towers.example",
                "https://towers.example:8443",
                ["https://towers.example", "https://a.towers.example:8443"],
            ),
            (
                Some(origin("https://türme.example")),
                "xn--trme-0ra.example",
                "https://xn--trme-0ra.example",
                [elsewhere, "https://example"],
            ),
        ] {
            let passkeys = Passkeys::at(origin.as_ref());
            assert_eq!(passkeys.host(), Some(host));
            let (authenticator, stored) = made(&passkeys, page).unwrap();
            assert!(signs_in(&passkeys, &authenticator, stored).is_some(), "{page}");
            for other in others {
                assert!(matches!(made(&passkeys, other), Err(PasskeyError::Unusable(_))), "{page} {other}");
            }
        }
        for address in ["http://192.0.2.1", "https://[2001:db8::1]:8443"] {
            let passkeys = Passkeys::at(Some(&origin(address)));
            assert_eq!(passkeys.host(), None);
            assert!(matches!(passkeys.begin_sign_in(), Err(PasskeyError::NoPasskeys)), "{address}");
        }
    }
}
