//! Subscriptions of players, and messages to all browsers of one.

use std::{error::Error, sync::Arc, time::Duration};

use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use futures_util::future::join_all;
use game::ids::PlayerId;
use sha2::{Digest, Sha256};
use store::{
    OwnPush, PUSH_REFUSAL, PushChange, PushKeys, PushSubscription, Store, StoreError, WriteError, Writer,
};
use tokio::sync::Semaphore;
use tracing::{debug, info, warn};

use super::{
    encryption::{encrypt, point},
    hosts::{PushHost, Target},
    request::{Answer, Client, RequestError},
    server_key::{ServerKey, new_secret},
};
use crate::env::Env;

/// Maximum number of requests at once.
const AT_ONCE: usize = 16;

/// How long a push service that takes nothing now is left alone, if it does not say.
const LATER: Duration = Duration::from_secs(5 * 60);

/// Bounds of what it may say.
const LATER_WITHIN: [Duration; 2] = [Duration::from_secs(10), Duration::from_secs(6 * 60 * 60)];

/// Seconds for which a push service keeps a message for a browser that it cannot reach.
const TTL: HeaderName = HeaderName::from_static("ttl");

const URGENCY: HeaderName = HeaderName::from_static("urgency");

const TOPIC: HeaderName = HeaderName::from_static("topic");

/// A message to the browsers of a player.
#[derive(Clone, Debug)]
pub(crate) struct Message {
    /// JSON, as the service worker reads it.
    pub(crate) content: String,
    /// What the message is about. A later one about the same takes the place of one that waits at the push service.
    pub(crate) about: &'static str,
    /// Time for which the message is worth showing.
    pub(crate) counts: Duration,
    pub(crate) is_urgent: bool,
}

/// What became of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sent {
    /// No browser of the player is left to be told.
    Done,
    /// Some push service does not take it now, and wants to be left alone for this time.
    Later(Duration),
}

/// Error for a message that was sent to some browsers at most.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PushError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Write(#[from] WriteError),
}

/// Sends messages to push services, and knows which subscriptions count.
#[derive(Clone, Debug)]
pub(crate) struct Push(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    env: Env,
    store: Arc<dyn Store>,
    writer: Writer,
    key: ServerKey,
    hosts: Vec<PushHost>,
    /// Whom push services may ask about requests: a URL.
    subject: Option<String>,
    client: Client,
    places: Semaphore,
}

/// What a push service makes of a message.
enum Outcome {
    Taken,
    /// The subscription has ended.
    Gone,
    Refused,
    Later(Duration),
}

impl Push {
    pub(crate) fn new(
        env: Env,
        store: Arc<dyn Store>,
        writer: Writer,
        key: ServerKey,
        hosts: Vec<PushHost>,
        subject: Option<String>,
    ) -> Self {
        let (client, places) = (Client::new(), Semaphore::new(AT_ONCE));
        Self(Arc::new(Inner { env, store, writer, key, hosts, subject, client, places }))
    }

    /// The public key with which browsers subscribe, in base64url.
    pub(crate) fn public_key(&self) -> &str {
        self.0.key.public()
    }

    /// Returns the subscription of a browser, whose keys are in base64url; `None` if its endpoint is at no known push
    /// service, or its keys are none.
    pub(crate) fn subscription(
        &self,
        endpoint: String,
        public: &str,
        secret: &str,
    ) -> Option<PushSubscription> {
        let keys = PushKeys { public: decoded(public)?, secret: decoded(secret)? };
        point(&keys.public)?;
        Target::at(&self.0.hosts, &endpoint)?;
        Some(PushSubscription { endpoint, keys })
    }

    /// Sends a message to all browsers of a player that have subscribed. It is to be sent again only if none of them took it.
    ///
    /// # Errors
    /// The store cannot be read or written.
    pub(crate) async fn send(&self, player: PlayerId, message: &Message) -> Result<Sent, PushError> {
        let pushes = self.0.store.pushes_of(player).await?;
        let outcomes = join_all(pushes.iter().map(|push| self.0.deliver(player, push, message))).await;
        let waits: Vec<_> = outcomes.into_iter().collect::<Result<_, _>>()?;
        // Those that took it are not told again.
        let all_wait: Option<Vec<_>> = waits.into_iter().collect();
        Ok(all_wait.and_then(|waits| waits.into_iter().max()).map_or(Sent::Done, Sent::Later))
    }
}

impl Inner {
    /// Sends a message to a browser, and stores what follows for its subscription. Returns how long to wait before it is
    /// sent again.
    async fn deliver(
        &self,
        player: PlayerId,
        push: &OwnPush,
        message: &Message,
    ) -> Result<Option<Duration>, WriteError> {
        let subscription = push.subscription.hash();
        let Some(outcome) = self.outcome(&push.subscription, message).await else { return Ok(Some(LATER)) };
        let (change, wait) = match outcome {
            Outcome::Later(wait) => (PushChange::Failed { player, subscription, failures: 1 }, Some(wait)),
            Outcome::Taken if push.failures == 0 => return Ok(None),
            Outcome::Taken => (PushChange::Delivered { player, subscription }, None),
            Outcome::Gone => (PushChange::Gone { player, subscription }, None),
            Outcome::Refused => (PushChange::Failed { player, subscription, failures: PUSH_REFUSAL }, None),
        };
        self.writer.change_push(change).await.map(|()| wait)
    }

    /// Returns what a push service makes of a message. `None` if it is not reached, which counts for nothing: this node may have no
    /// network. A service that is no more is forgotten with the sessions of its browsers.
    async fn outcome(&self, subscription: &PushSubscription, message: &Message) -> Option<Outcome> {
        let Some(target) = Target::at(&self.hosts, &subscription.endpoint) else {
            info!("push: a subscription at a service that is no longer known");
            return Some(Outcome::Gone);
        };
        let (own, salt) = (new_secret(&self.env), self.env.random());
        let body = match encrypt(message.content.as_bytes(), &subscription.keys, &own, salt) {
            Ok(body) => body,
            Err(error) => {
                warn!(%error, "push: not encrypted: {error}");
                return Some(Outcome::Refused);
            }
        };
        let _place = self.places.acquire().await.ok()?;
        let host = target.authority();
        match self.client.post(&target, self.headers(&target, subscription, message), body).await {
            Ok(Answer { status, retry_after }) => {
                let outcome = judge(status, retry_after);
                match outcome {
                    Outcome::Taken | Outcome::Gone => debug!(host, %status, "push: answered"),
                    Outcome::Refused | Outcome::Later(_) => warn!(host, %status, "push: not taken: {status}"),
                }
                Some(outcome)
            }
            Err(error) => {
                warn!(host, error = &error as &dyn Error, "push: not sent: {error}");
                let is_reached = !matches!(error, RequestError::Unreached(_));
                is_reached.then_some(Outcome::Later(LATER))
            }
        }
    }

    fn headers(&self, target: &Target, subscription: &PushSubscription, message: &Message) -> HeaderMap {
        let audience = target.audience();
        let authorization = self.key.authorization(&audience, self.subject.as_deref(), self.env.now_ms());
        let texts = [
            (header::AUTHORIZATION, authorization),
            (TTL, message.counts.as_secs().to_string()),
            (TOPIC, topic(&subscription.keys, message.about)),
        ];
        let mut headers: HeaderMap = texts
            .into_iter()
            .filter_map(|(name, text)| Some((name, HeaderValue::from_str(&text).ok()?)))
            .collect();
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("aes128gcm"));
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/octet-stream"));
        headers.insert(URGENCY, HeaderValue::from_static(if message.is_urgent { "high" } else { "normal" }));
        headers
    }
}

/// Returns the topic of a message for the push service, to which it tells nothing.
fn topic(keys: &PushKeys, about: &str) -> String {
    let hash: [u8; 32] = Sha256::digest([&keys.secret, about.as_bytes()].concat()).into();
    BASE64_URL_SAFE_NO_PAD.encode(&hash[..24])
}

fn decoded<const N: usize>(text: &str) -> Option<[u8; N]> {
    // Some browsers pad.
    BASE64_URL_SAFE_NO_PAD.decode(text.trim_end_matches('=')).ok()?.try_into().ok()
}

fn judge(status: StatusCode, retry_after: Option<Duration>) -> Outcome {
    match status.as_u16() {
        200..300 => Outcome::Taken,
        404 | 410 => Outcome::Gone,
        429 | 500.. => {
            let [least, most] = LATER_WITHIN;
            Outcome::Later(retry_after.unwrap_or(LATER).clamp(least, most))
        }
        // A redirect is not followed: it may lead anywhere.
        _ => Outcome::Refused,
    }
}

#[cfg(test)]
mod tests {
    use game::{Player, ids::PlayerName};
    use store::{EndedSessions, Memory, Players as _, SessionChange, TokenHash};
    use system_tests::push::{Browser, PushService};
    use tokio_util::task::TaskTracker;
    use uuid::Uuid;

    use super::*;

    const MINUTE: Duration = Duration::from_secs(60);

    /// A player, and what sends messages to a push service of tests.
    struct Scene {
        service: PushService,
        store: Arc<Memory>,
        writer: Writer,
        push: Push,
        player: PlayerId,
    }

    impl Scene {
        async fn begin() -> Self {
            let service = PushService::start().await;
            let store = Arc::new(Memory::default());
            let (writer, writing) = store::writer(store.clone(), tokio::runtime::Handle::current());
            TaskTracker::new().spawn(writing);
            let env = Env::of_machine();
            let key = ServerKey::load(&env, &*store, &writer).await.unwrap();
            let hosts = vec![service.origin().parse().unwrap()];
            let subject = Some("https://towers.example".to_owned());
            let push = Push::new(env, store.clone(), writer.clone(), key, hosts, subject);
            let player = PlayerId::new(Uuid::from_u128(1));
            let name = PlayerName::try_from("Ada".to_owned()).unwrap();
            writer.create_player(Player { id: player, name }, session(""), 1).await.unwrap();
            Self { service, store, writer, push, player }
        }

        /// A browser with a session of its own subscribes.
        async fn browser(&self, path: &str) -> Browser {
            let (browser, player, session) = (self.service.browser(path, path), self.player, session(path));
            let copied = SessionChange::Copied {
                token: self::session(""),
                by: session,
                player,
                now_ms: 1,
                ending_ms: 1,
            };
            self.writer.change_session(copied).await.unwrap();
            let [public, secret] = browser.keys();
            let subscription =
                self.push.subscription(browser.endpoint().to_owned(), &public, &secret).unwrap();
            let subscribed = PushChange::Subscribed { player, session, subscription, now_ms: 1 };
            self.writer.change_push(subscribed).await.unwrap();
            browser
        }

        async fn send(&self) -> Sent {
            let content = "{\"purpose\":\"turns\"}".to_owned();
            let message = Message { content, about: "turns", counts: 90 * MINUTE, is_urgent: true };
            self.push.send(self.player, &message).await.unwrap()
        }

        /// The endpoints that are left, with their failures.
        async fn left(&self) -> Vec<(String, u32)> {
            let pushes = self.store.pushes_of(self.player).await.unwrap().into_iter();
            let path = |push: &OwnPush| {
                push.subscription.endpoint.strip_prefix(self.service.origin()).unwrap().to_owned()
            };
            let mut left: Vec<_> = pushes.map(|push| (path(&push), push.failures)).collect();
            left.sort();
            left
        }
    }

    fn session(browser: &str) -> TokenHash {
        TokenHash::of(browser.as_bytes())
    }

    #[tokio::test]
    async fn every_browser_of_a_player_can_read_the_message_that_the_server_proves() {
        let mut scene = Scene::begin().await;
        let browsers = [scene.browser("201/phone").await, scene.browser("200/laptop?a=b").await];
        assert_eq!(scene.send().await, Sent::Done);
        let mut topics = Vec::new();
        for _ in &browsers {
            let pushed = scene.service.next().await;
            let to = browsers.iter().find(|browser| browser.endpoint().ends_with(&pushed.path)).unwrap();
            assert_eq!(to.read(&pushed), "{\"purpose\":\"turns\"}");
            let (claims, key) = pushed.verified();
            assert_eq!(claims["sub"], "https://towers.example");
            assert_eq!(key, scene.push.public_key());
            for (name, value) in [("content-encoding", "aes128gcm"), ("ttl", "5400"), ("urgency", "high")] {
                assert_eq!(pushed.header(name), value);
            }
            topics.push(pushed.header("topic").to_owned());
        }
        scene.send().await;
        for _ in &browsers {
            assert!(topics.contains(&scene.service.next().await.header("topic").to_owned()));
        }
        assert!(topics[0] != topics[1] && topics.iter().all(|topic| topic.len() == 32));
        scene
            .writer
            .change_session(SessionChange::Ended { player: scene.player, ended: EndedSessions::All })
            .await
            .unwrap();
        assert_eq!(scene.send().await, Sent::Done);
        scene.service.has_nothing();
    }

    #[tokio::test]
    async fn a_subscription_that_is_gone_is_deleted_and_one_that_fails_counts_it() {
        let scene = Scene::begin().await;
        for path in ["404/a", "410/a", "400/a", "redirect/a", "201/a", "endless/a"] {
            scene.browser(path).await;
        }
        let left = |failures| {
            [("/201/a", 0), ("/400/a", failures), ("/endless/a", 0), ("/redirect/a", failures)]
                .map(|(path, failures)| (path.to_owned(), failures))
        };
        for n_refused in 1..5 {
            assert_eq!(scene.send().await, Sent::Done);
            assert_eq!(scene.left().await, left(n_refused * PUSH_REFUSAL));
        }
        assert_eq!(scene.send().await, Sent::Done);
        assert_eq!(scene.left().await, ["/201/a", "/endless/a"].map(|path| (path.to_owned(), 0)));
    }

    #[tokio::test]
    async fn no_redirect_is_followed() {
        let mut scene = Scene::begin().await;
        scene.browser("redirect/a").await;
        scene.send().await;
        assert_eq!(scene.service.next().await.path, "/redirect/a");
        scene.service.has_nothing();
    }

    #[tokio::test]
    async fn a_service_that_takes_nothing_now_is_left_alone_for_as_long_as_it_says_within_bounds() {
        for (path, wait) in
            [("500/a", LATER), ("429/a", 2 * MINUTE), ("503/a", LATER_WITHIN[1]), ("nonsense/a", LATER)]
        {
            let scene = Scene::begin().await;
            scene.browser(path).await;
            assert_eq!(scene.send().await, Sent::Later(wait), "{path}");
            scene.browser("201/b").await;
            assert_eq!(scene.send().await, Sent::Done, "a browser that took it is not told again");
            assert_eq!(scene.left().await, [("/201/b".to_owned(), 0), (format!("/{path}"), 2)]);
        }
    }

    #[tokio::test]
    async fn a_subscription_whose_service_never_takes_a_message_is_deleted() {
        let scene = Scene::begin().await;
        scene.browser("500/a").await;
        for n_tried in 1..store::PUSH_FAILURES {
            assert_eq!(scene.send().await, Sent::Later(LATER));
            assert_eq!(scene.left().await, [("/500/a".to_owned(), n_tried)]);
        }
        scene.send().await;
        assert_eq!(scene.left().await, []);
    }

    #[tokio::test]
    async fn a_service_that_stalls_is_given_up_within_the_time_of_a_request() {
        let scene = Scene::begin().await;
        scene.browser("stall/a").await;
        // The clock goes on by itself once the request has been sent and nothing else is to be done.
        let began = tokio::time::Instant::now();
        assert_eq!(scene.send().await, Sent::Later(LATER));
        assert!(began.elapsed() >= Duration::from_secs(10));
        assert_eq!(scene.left().await, [("/stall/a".to_owned(), 1)]);
    }

    #[tokio::test]
    async fn a_service_that_is_gone_is_tried_again_and_one_that_is_no_longer_known_is_not() {
        let mut scene = Scene::begin().await;
        scene.browser("201/a").await;
        let origin = scene.service.origin().to_owned();
        scene.service = PushService::start().await;
        for _ in 0..=store::PUSH_FAILURES {
            assert_eq!(scene.send().await, Sent::Later(LATER));
        }
        let failures: Vec<_> =
            scene.store.pushes_of(scene.player).await.unwrap().iter().map(|push| push.failures).collect();
        assert_eq!(failures, [0], "it may be this node that has no network");
        let Inner { env, store, writer, key, .. } = &*scene.push.0;
        let hosts = vec!["push.example".parse().unwrap()];
        let elsewhere = Push::new(env.clone(), store.clone(), writer.clone(), key.clone(), hosts, None);
        let message = Message { content: String::new(), about: "", counts: MINUTE, is_urgent: false };
        assert!(elsewhere.subscription(format!("{origin}/201/a"), "", "").is_none());
        assert_eq!(elsewhere.send(scene.player, &message).await.unwrap(), Sent::Done);
        assert_eq!(scene.store.pushes_of(scene.player).await.unwrap(), []);
    }

    #[tokio::test]
    async fn keys_that_are_none_are_refused() {
        let scene = Scene::begin().await;
        let browser = scene.service.browser("201/a", "a");
        let [public, secret] = browser.keys();
        let is_taken = |public: &str, secret: &str| {
            scene.push.subscription(browser.endpoint().to_owned(), public, secret).is_some()
        };
        assert!(is_taken(&public, &secret) && is_taken(&format!("{public}="), &format!("{secret}==")));
        let zeros = BASE64_URL_SAFE_NO_PAD.encode([0; 65]);
        for (public, secret) in [
            ("", secret.as_str()),
            (&public, ""),
            (&secret, &public),
            (&public, &public),
            (&zeros, &secret),
            (&public[1..], &secret),
            ("é", &secret),
        ] {
            assert!(!is_taken(public, secret), "{public} {secret}");
        }
    }
}
