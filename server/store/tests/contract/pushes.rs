//! Push subscriptions of sessions, and the keys of the deployment.

use game::{NoticeChannel, NoticePurpose, Player};
use store::{
    AccountChange, Clearing, EndedSessions, MAX_PUSHES, OwnPush, PUSH_FAILURES, PushChange, PushKeys,
    PushSubscription, Refused, SessionChange, TokenHash, Write, Written,
};

use crate::{
    accounts::{PASSWORD, account, by, change, close, guest, registration, secret, sign_in},
    database::{Database, contract},
    outbox::slow_game,
    sample::{append, name, player},
    verbs::Verbs,
};

contract! {
    a_session_has_one_subscription
    a_subscription_of_a_browser_belongs_to_its_last_session
    a_subscription_ends_with_its_session
    a_player_has_a_bounded_number_of_subscriptions
    a_subscription_that_fails_often_in_a_row_is_deleted
    turns_are_told_to_a_player_whose_browser_has_subscribed
    a_key_of_the_deployment_is_made_once
}

pub(crate) fn subscription(text: &str) -> PushSubscription {
    let keys = PushKeys { public: [4; PushKeys::PUBLIC], secret: [5; PushKeys::SECRET] };
    PushSubscription { endpoint: format!("https://push.example/{text}"), keys }
}

/// The browser of a session, named by the secret of its session, subscribes.
pub(crate) async fn subscribe(
    database: &Database,
    player: &Player,
    browser: &str,
    text: &str,
) -> Result<(), Refused> {
    let (session, subscription) = (secret(browser), subscription(text));
    let subscribed = PushChange::Subscribed { player: player.id, session, subscription, now_ms: 60 };
    change_push(database, subscribed).await
}

async fn change_push(database: &Database, change: PushChange) -> Result<(), Refused> {
    database.store.one(Write::Push(Box::new(change))).await.unwrap().map(drop)
}

async fn pushes(database: &Database, player: &Player) -> Vec<OwnPush> {
    database.store.pushes_of(player.id).await.unwrap()
}

/// The endpoints of a player, in order.
async fn endpoints(database: &Database, player: &Player) -> Vec<String> {
    let pushes = pushes(database, player).await.into_iter();
    let mut endpoints: Vec<String> = pushes.map(|push| push.subscription.endpoint).collect();
    endpoints.sort();
    endpoints
}

/// A guest who is signed in with a browser.
async fn guest_at(database: &Database, browser: &str) -> Player {
    let guest = player(browser);
    database.store.create_player(&guest, &secret(browser), 1).await.unwrap();
    guest
}

fn hash(text: &str) -> TokenHash {
    subscription(text).hash()
}

async fn a_session_has_one_subscription(database: Database) {
    let ada = guest_at(&database, "phone").await;
    assert_eq!(subscribe(&database, &ada, "laptop", "one").await, Err(Refused::NoSession));
    subscribe(&database, &ada, "phone", "one").await.unwrap();
    let session = secret("phone").session();
    let own = OwnPush { session, subscription: subscription("one"), failures: 0 };
    assert_eq!(pushes(&database, &ada).await, [own]);
    subscribe(&database, &ada, "phone", "other").await.unwrap();
    assert_eq!(endpoints(&database, &ada).await, ["https://push.example/other"]);
    change_push(&database, PushChange::Unsubscribed { player: ada.id, session: secret("laptop") })
        .await
        .unwrap();
    assert_eq!(pushes(&database, &ada).await.len(), 1, "another session has none");
    change_push(&database, PushChange::Unsubscribed { player: ada.id, session: secret("phone") })
        .await
        .unwrap();
    assert_eq!(pushes(&database, &ada).await, []);
}

async fn a_subscription_of_a_browser_belongs_to_its_last_session(database: Database) {
    let (ada, bob) = (guest_at(&database, "phone").await, guest_at(&database, "tablet").await);
    subscribe(&database, &ada, "phone", "one").await.unwrap();
    change_push(&database, PushChange::Failed { player: ada.id, subscription: hash("one"), failures: 1 })
        .await
        .unwrap();
    subscribe(&database, &bob, "tablet", "one").await.unwrap();
    assert_eq!(pushes(&database, &ada).await, []);
    let [own] = &pushes(&database, &bob).await[..] else { panic!("one subscription") };
    assert_eq!((own.session, own.failures), (secret("tablet").session(), 0));
}

async fn a_subscription_ends_with_its_session(database: Database) {
    let store = &*database.store;
    let ada = account(&database, "Ada", "phone").await;
    let begin = async |browser: &str| {
        change(store, sign_in(&ada, PASSWORD, browser, None)).await.unwrap();
        subscribe(&database, &ada, browser, browser).await.unwrap();
    };
    let end = async |ended| {
        let ended = SessionChange::Ended { player: ada.id, ended };
        store.one(Write::Session(ended)).await.unwrap().unwrap();
    };
    subscribe(&database, &ada, "phone", "phone").await.unwrap();
    begin("laptop").await;
    begin("tablet").await;
    assert_eq!(pushes(&database, &ada).await.len(), 3);
    end(EndedSessions::One(secret("laptop").session())).await;
    assert_eq!(endpoints(&database, &ada).await, ["phone", "tablet"].map(|text| subscription(text).endpoint));
    end(EndedSessions::AllBut(secret("tablet").session())).await;
    assert_eq!(endpoints(&database, &ada).await, [subscription("tablet").endpoint]);
    end(EndedSessions::All).await;
    assert_eq!(pushes(&database, &ada).await, []);

    begin("kiosk").await;
    let (session, password) = (secret("kiosk").session(), "$argon2id$other".to_owned());
    let set = AccountChange::PasswordSet { player: ada.id, session, device: None, password, now_ms: 60 };
    begin("thief").await;
    change(store, set).await.unwrap();
    assert_eq!(endpoints(&database, &ada).await, [subscription("kiosk").endpoint]);
    close(&database, &ada, "kiosk", 70).await.unwrap();
    assert_eq!(pushes(&database, &ada).await, []);

    // A guest who becomes an account gets another session: the browser subscribes it on its next visit.
    let eve = Player { name: name("Eve"), ..guest(&database).await };
    subscribe(&database, &eve, &eve.id.to_string(), "desk").await.unwrap();
    change(store, registration(&eve, "desk")).await.unwrap();
    assert_eq!(pushes(&database, &eve).await, []);

    let bob = guest_at(&database, "unused").await;
    subscribe(&database, &bob, "unused", "unused").await.unwrap();
    assert_eq!(store.clear(Clearing::Sessions { unused_since_ms: 1 }).await.deleted, 1);
    assert_eq!(pushes(&database, &bob).await, []);
}

async fn a_player_has_a_bounded_number_of_subscriptions(database: Database) {
    let store = &*database.store;
    let ada = account(&database, "Ada", "browser 0").await;
    subscribe(&database, &ada, "browser 0", "0").await.unwrap();
    let most = i64::from(MAX_PUSHES);
    for number in 1..=most {
        let browser = format!("browser {number}");
        let mut signed_in = sign_in(&ada, PASSWORD, &browser, None);
        if let AccountChange::SignedIn { by: how, .. } = &mut signed_in {
            *how = by(&browser, 1_000 * number);
        }
        change(store, signed_in).await.unwrap();
        subscribe(&database, &ada, &browser, &number.to_string()).await.unwrap();
    }
    let kept = |numbers: &[i64]| {
        let mut kept: Vec<_> =
            numbers.iter().map(|number| subscription(&number.to_string()).endpoint).collect();
        kept.sort();
        kept
    };
    assert_eq!(endpoints(&database, &ada).await, kept(&(1..=most).collect::<Vec<_>>()));
    subscribe(&database, &ada, "browser 0", "0").await.unwrap();
    let rest = [vec![0], (2..=most).collect()].concat();
    assert_eq!(endpoints(&database, &ada).await, kept(&rest), "the one that subscribes now is never it");
}

async fn a_subscription_that_fails_often_in_a_row_is_deleted(database: Database) {
    let ada = guest_at(&database, "phone").await;
    subscribe(&database, &ada, "phone", "one").await.unwrap();
    let fail = async || {
        change_push(&database, PushChange::Failed { player: ada.id, subscription: hash("one"), failures: 1 })
            .await
            .unwrap();
        pushes(&database, &ada).await.first().map(|push| push.failures)
    };
    for failures in 1..PUSH_FAILURES {
        assert_eq!(fail().await, Some(failures));
    }
    change_push(&database, PushChange::Delivered { player: ada.id, subscription: hash("one") })
        .await
        .unwrap();
    for failures in 1..PUSH_FAILURES {
        assert_eq!(fail().await, Some(failures), "they count in a row");
    }
    assert_eq!(fail().await, None);
    subscribe(&database, &ada, "phone", "one").await.unwrap();
    change_push(&database, PushChange::Gone { player: ada.id, subscription: hash("other") }).await.unwrap();
    assert_eq!(pushes(&database, &ada).await.len(), 1);
    change_push(&database, PushChange::Gone { player: ada.id, subscription: hash("one") }).await.unwrap();
    assert_eq!(pushes(&database, &ada).await, []);
}

async fn turns_are_told_to_a_player_whose_browser_has_subscribed(database: Database) {
    let (ada, bob) = (guest_at(&database, "phone").await, guest_at(&database, "tablet").await);
    let due = async || {
        let due = database.store.due_messages(NoticeChannel::Push, i64::MAX, 9).await.unwrap();
        due.into_iter().map(|due| (due.key.player, due.key.purpose, due.since_ms)).collect::<Vec<_>>()
    };
    for (first, second) in [(&ada, &bob), (&bob, &ada)] {
        database.write(append(&slow_game(first.id, second.id, 50), 1..=1)).await;
    }
    assert_eq!(due().await, []);
    subscribe(&database, &ada, "phone", "one").await.unwrap();
    let deadline = (ada.id, NoticePurpose::Deadline, 60);
    assert_eq!(due().await, [deadline], "of a turn that waits already the end is told");
    for (first, second) in [(&ada, &bob), (&bob, &ada)] {
        database.write(append(&slow_game(first.id, second.id, 1_000), 1..=1)).await;
    }
    assert_eq!(due().await, [deadline, (ada.id, NoticePurpose::Turns, 1_000)]);
    change_push(&database, PushChange::Unsubscribed { player: ada.id, session: secret("phone") })
        .await
        .unwrap();
    database.write(append(&slow_game(ada.id, bob.id, 2_000), 1..=1)).await;
    assert_eq!(due().await.len(), 2, "what is due finds no browser");
}

async fn a_key_of_the_deployment_is_made_once(database: Database) {
    let (store, other) = (&database.store, database.other_node().await);
    assert_eq!(store.server_key("push").await.unwrap(), None);
    for body in [vec![1, 2], vec![3]] {
        let add = Write::ServerKey { name: "push", body };
        assert_eq!(other.one(add).await.unwrap(), Ok(Written::Done));
        assert_eq!(store.server_key("push").await.unwrap(), Some(vec![1, 2]));
    }
    assert_eq!(store.server_key("other").await.unwrap(), None);
}
