//! Passkeys of accounts, and the ceremonies in which they are made and used.

use game::{Player, ids::PasskeyId};
use store::{
    AccountChange, Ceremony, CeremonyStep, EndedSessions, FirstCredential, MAX_CEREMONIES, MAX_PASSKEYS,
    Passkey, Proof, RecoveryProof, Refused, SessionChange, TokenHash, UsedPasskey, Write, Written,
};

use crate::{
    accounts::{PASSWORD, account, by, change, guest, registration, secret, session_of, sign_in, signed_in},
    database::{Database, contract},
    mails::notice,
    sample::name,
    verbs::Verbs,
};

contract! {
    a_guest_becomes_an_account_without_a_password
    a_sign_in_by_a_passkey_needs_the_passkey
    a_passkey_is_used_named_and_removed_by_its_account_alone
    an_account_has_a_bounded_number_of_passkeys
    the_last_credential_of_an_account_stays
    a_recovery_removes_all_passkeys
    a_passkey_belongs_to_one_account
    passkeys_for_other_hosts_are_counted
    a_ceremony_is_taken_once_and_in_time
    of_too_many_ceremonies_the_first_give_way
    of_two_nodes_one_takes_a_ceremony
}

pub(crate) fn passkey(text: &str) -> Passkey {
    Passkey {
        id: id(text),
        host: "towers.example".to_owned(),
        body: format!("{{\"of\":\"{text}\"}}"),
        label: Some(text.to_owned()),
        created_ms: 50,
        used_ms: 0,
    }
}

fn id(text: &str) -> PasskeyId {
    secret(text).passkey()
}

/// A new account that this passkey alone proves.
async fn registered(database: &Database, text: &str, passkey: Passkey) -> Player {
    let player = Player { name: name(text), ..guest(database).await };
    let AccountChange::Registered { player, session, recovery, by, .. } = registration(&player, text) else {
        unreachable!("it is a registration")
    };
    let credential = FirstCredential::Passkey(passkey);
    let registered = AccountChange::Registered { player: player.clone(), session, credential, recovery, by };
    change(&*database.store, registered).await.unwrap();
    player
}

pub(crate) fn add(player: &Player, passkey: Passkey) -> AccountChange {
    let notice = notice(1_000);
    AccountChange::PasskeyAdded { player: player.id, session: session_of(player), passkey, notice }
}

pub(crate) fn remove(player: &Player, text: &str) -> AccountChange {
    let (session, passkey) = (session_of(player), id(text));
    AccountChange::PasskeyRemoved { player: player.id, session, passkey, now_ms: 60 }
}

fn used(text: &str) -> UsedPasskey {
    UsedPasskey { id: id(text), body: "{\"counter\":1}".to_owned(), used_ms: 86_400_000 }
}

fn signs_in(player: &Player, text: &str, browser: &str) -> AccountChange {
    let proof = Proof::Passkey(used(text));
    AccountChange::SignedIn { player: player.id, proof, by: by(browser, 100), left: None }
}

async fn passkeys(database: &Database, player: &Player) -> Vec<Passkey> {
    database.store.passkeys_of(player.id).await.unwrap()
}

async fn a_guest_becomes_an_account_without_a_password(database: Database) {
    let ada = registered(&database, "Ada", passkey("phone")).await;
    let stored = database.store.account(ada.id).await.unwrap().unwrap();
    assert!(!stored.has_password);
    assert_eq!(passkeys(&database, &ada).await, [passkey("phone")]);
    let credentials = database.store.credentials("ada", None, 0).await.unwrap().unwrap();
    assert_eq!(credentials.password, None);
    let by_password = change(&*database.store, sign_in(&ada, PASSWORD, "laptop", None)).await;
    assert_eq!(by_password, Err(Refused::WrongCredentials));
    assert!(database.store.is_taken(&name("ADA"), guest(&database).await.id).await.unwrap());
    assert!(!database.store.is_taken(&name("ADA"), ada.id).await.unwrap(), "it is the player's own");
}

async fn a_sign_in_by_a_passkey_needs_the_passkey(database: Database) {
    let store = &*database.store;
    let ada = account(&database, "Ada", "browser").await;
    let bob = registered(&database, "Bob", passkey("of bob")).await;
    for text in ["phone", "of bob"] {
        assert_eq!(change(store, signs_in(&ada, text, "thief")).await, Err(Refused::WrongCredentials));
    }
    change(store, add(&ada, passkey("phone"))).await.unwrap();
    // It is removed in the transaction of the sign-in.
    let account = |change| Write::Account(Box::new(change));
    let writes = [signs_in(&ada, "phone", "laptop"), remove(&ada, "phone"), signs_in(&ada, "phone", "late")];
    let results = store.commit(&writes.map(account)).await.unwrap();
    assert_eq!(results, [Ok(Written::Done), Ok(Written::Done), Err(Refused::WrongCredentials)]);
    assert!(signed_in(&database, "laptop").await.is_some_and(|(player, _)| player == ada.id));
    assert_eq!(signed_in(&database, "late").await, None);
    change(store, signs_in(&bob, "of bob", "tablet")).await.unwrap();
    let [stored] = &passkeys(&database, &bob).await[..] else { panic!("one passkey") };
    assert_eq!((stored.body.as_str(), stored.used_ms), ("{\"counter\":1}", 86_400_000));
}

async fn a_passkey_is_used_named_and_removed_by_its_account_alone(database: Database) {
    let store = &*database.store;
    let (ada, bob) = (account(&database, "Ada", "browser").await, account(&database, "Bob", "of bob").await);
    change(store, add(&ada, passkey("phone"))).await.unwrap();
    let use_it = |player: &Player| {
        let (player, session) = (player.id, session_of(player));
        AccountChange::PasskeyUsed { player, session, used: used("phone") }
    };
    let rename = |player: &Player| {
        let (player, session) = (player.id, session_of(player));
        AccountChange::PasskeyNamed { player, session, passkey: id("phone"), label: "Old phone".to_owned() }
    };
    assert_eq!(change(store, use_it(&bob)).await, Err(Refused::WrongCredentials));
    assert_eq!(change(store, rename(&bob)).await, Err(Refused::NoPasskey));
    assert_eq!(change(store, remove(&bob, "phone")).await, Err(Refused::NoPasskey));
    assert_eq!(passkeys(&database, &ada).await, [passkey("phone")]);
    assert_eq!(change(store, use_it(&ada)).await, Ok(()));
    assert_eq!(change(store, rename(&ada)).await, Ok(()));
    let UsedPasskey { body, used_ms, .. } = used("phone");
    let label = Some("Old phone".to_owned());
    assert_eq!(passkeys(&database, &ada).await, [Passkey { body, used_ms, label, ..passkey("phone") }]);
    assert_eq!(change(store, remove(&ada, "phone")).await, Ok(()));
    assert_eq!(change(store, remove(&ada, "phone")).await, Err(Refused::NoPasskey));
    assert_eq!(change(store, rename(&ada)).await, Err(Refused::NoPasskey));
    let ended = SessionChange::Ended { player: ada.id, ended: EndedSessions::All };
    database.write(Write::Session(ended)).await;
    assert_eq!(change(store, add(&ada, passkey("late"))).await, Err(Refused::NoSession));
    let guest = guest(&database).await;
    assert_eq!(change(store, add(&guest, passkey("guest"))).await, Err(Refused::UnknownPlayer));
}

async fn an_account_has_a_bounded_number_of_passkeys(database: Database) {
    let ada = account(&database, "Ada", "browser").await;
    for number in 0..MAX_PASSKEYS {
        change(&*database.store, add(&ada, passkey(&number.to_string()))).await.unwrap();
    }
    let one_more = change(&*database.store, add(&ada, passkey("one more"))).await;
    assert_eq!(one_more, Err(Refused::TooManyPasskeys));
    change(&*database.store, remove(&ada, "3")).await.unwrap();
    change(&*database.store, add(&ada, passkey("one more"))).await.unwrap();
    assert_eq!(passkeys(&database, &ada).await.len(), MAX_PASSKEYS);
}

async fn the_last_credential_of_an_account_stays(database: Database) {
    let store = &*database.store;
    let ada = registered(&database, "Ada", passkey("phone")).await;
    assert_eq!(change(store, remove(&ada, "phone")).await, Err(Refused::LastCredential));
    change(store, add(&ada, passkey("laptop"))).await.unwrap();
    // Both are removed in one transaction.
    let removals = ["phone", "laptop"].map(|text| Write::Account(Box::new(remove(&ada, text))));
    let results = store.commit(&removals).await.unwrap();
    assert_eq!(results, [Ok(Written::Done), Err(Refused::LastCredential)]);
    let (player, session, device) = (ada.id, session_of(&ada), None);
    let password = PASSWORD.to_owned();
    let set = AccountChange::PasswordSet { player, session, device, password, now_ms: 60 };
    change(store, set).await.unwrap();
    assert_eq!(change(store, remove(&ada, "laptop")).await, Ok(()));
    assert_eq!(passkeys(&database, &ada).await, []);
}

async fn a_recovery_removes_all_passkeys(database: Database) {
    let ada = registered(&database, "Ada", passkey("phone")).await;
    let bob = registered(&database, "Bob", passkey("of bob")).await;
    let recovered = AccountChange::Recovered {
        player: ada.id,
        proof: RecoveryProof::Code(secret("code")),
        password: PASSWORD.to_owned(),
        by: by("laptop", 100),
        left: None,
    };
    change(&*database.store, recovered).await.unwrap();
    assert_eq!(passkeys(&database, &ada).await, []);
    assert_eq!(passkeys(&database, &bob).await, [passkey("of bob")]);
    let thief = change(&*database.store, signs_in(&ada, "phone", "thief")).await;
    assert_eq!(thief, Err(Refused::WrongCredentials));
}

async fn a_passkey_belongs_to_one_account(database: Database) {
    let (ada, bob) = (account(&database, "Ada", "browser").await, account(&database, "Bob", "of bob").await);
    change(&*database.store, add(&ada, passkey("phone"))).await.unwrap();
    for player in [&ada, &bob] {
        let again = change(&*database.store, add(player, passkey("phone"))).await;
        assert_eq!(again, Err(Refused::PasskeyTaken));
    }
    assert_eq!(passkeys(&database, &ada).await, [passkey("phone")]);
}

async fn passkeys_for_other_hosts_are_counted(database: Database) {
    let ada = account(&database, "Ada", "browser").await;
    change(&*database.store, add(&ada, passkey("phone"))).await.unwrap();
    for (host, count) in [("towers.example", 0), ("localhost", 1)] {
        assert_eq!(database.store.count_passkeys_elsewhere(host).await.unwrap(), count, "{host}");
    }
}

fn begin(text: &str, ceremony: Ceremony) -> Write {
    Write::Ceremony(CeremonyStep::Begin { challenge: secret(text), ceremony })
}

fn take(challenge: TokenHash, now_ms: i64) -> Write {
    Write::Ceremony(CeremonyStep::Take { challenge, now_ms })
}

async fn a_ceremony_is_taken_once_and_in_time(database: Database) {
    let store = &*database.store;
    let player = Some(guest(&database).await.id);
    let ceremony = Ceremony { player, state: "{\"a\":1}".to_owned(), expires_ms: 300 };
    let of_nobody = Ceremony { player: None, ..ceremony.clone() };
    database.write(begin("one", ceremony.clone())).await;
    database.write(begin("other", of_nobody.clone())).await;
    let nothing = || Ok(Err(Refused::NoCeremony));
    let taken = |taken| Ok(Ok(Written::Taken(taken)));
    let one = async |text: &str, now_ms| store.one(take(secret(text), now_ms)).await.map_err(drop);
    assert_eq!(one("a guess", 299).await, nothing());
    assert_eq!(one("one", 299).await, taken(ceremony));
    assert_eq!(one("one", 299).await, nothing(), "once");
    assert_eq!(one("other", 300).await, nothing(), "too late");
    assert_eq!(one("other", 299).await, nothing(), "it is gone");
    // Both in one transaction.
    let writes = [begin("third", of_nobody.clone()), take(secret("third"), 1), take(secret("third"), 1)];
    let expected = [Ok(Written::Done), Ok(Written::Taken(of_nobody)), Err(Refused::NoCeremony)];
    assert_eq!(store.commit(&writes).await.unwrap(), expected);
}

async fn of_too_many_ceremonies_the_first_give_way(database: Database) {
    let begun: Vec<Write> = (0..=MAX_CEREMONIES)
        .map(|number| {
            let expires_ms = 100 + i64::from(number);
            let ceremony = Ceremony { player: None, state: "{}".to_owned(), expires_ms };
            begin(&number.to_string(), ceremony)
        })
        .collect();
    for writes in begun.chunks(500) {
        database.commit(writes).await;
    }
    for (number, is_there) in [(0, false), (1, true), (MAX_CEREMONIES, true)] {
        let taken = database.store.one(take(secret(&number.to_string()), 0)).await.unwrap();
        assert_eq!(taken.is_ok(), is_there, "{number}");
    }
}

async fn of_two_nodes_one_takes_a_ceremony(database: Database) {
    let (one, other) = (&database.store, database.other_node().await);
    for round in 0..10 {
        let text = format!("round {round}");
        let ceremony = Ceremony { player: None, state: "{}".to_owned(), expires_ms: 100 };
        one.one(begin(&text, ceremony)).await.unwrap().unwrap();
        let (here, there) = tokio::join!(one.one(take(secret(&text), 1)), other.one(take(secret(&text), 1)));
        let n_taken = [here, there].into_iter().filter(|taken| taken.as_ref().unwrap().is_ok()).count();
        assert_eq!(n_taken, 1, "{text}");
    }
}
