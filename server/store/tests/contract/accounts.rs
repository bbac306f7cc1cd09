//! Accounts: their names, credentials and sessions.

use std::collections::BTreeSet;

use game::{
    NoticeSettings, Player, PlayerKind, Seats, Status,
    ids::{PlayerId, SessionId},
};
use store::{
    Account, AccountChange, Cleared, Clearing, EndedSessions, FirstCredential, GameRow, Link, LinkOf,
    MAX_SESSIONS, NamedAccount, Proof, Purpose, RecoveryProof, Refused, Session, SessionChange, SignIn,
    Store, TokenHash, Write, Written,
};

use uuid::Uuid;

use crate::{
    database::{Database, contract},
    sample::{append, name, player, room},
    verbs::Verbs,
};

contract! {
    a_guest_becomes_an_account_and_keeps_one_session_under_another_token
    look_alikes_of_a_name_of_an_account_are_taken
    an_account_keeps_its_former_names
    accounts_are_read_by_id_with_their_names_and_keys
    a_sign_in_needs_the_present_password_and_ends_what_the_browser_leaves
    a_recovery_sets_the_password_and_leaves_one_session_and_one_device
    a_link_recovers_an_account_once_and_before_its_end
    a_new_password_voids_links
    links_that_do_not_count_any_more_are_deleted
    a_new_password_ends_the_other_sessions_and_forgets_other_devices
    a_new_code_replaces_the_former_one
    a_session_that_has_ended_changes_nothing
    a_proof_counts_for_its_session_alone
    a_device_is_known_to_its_account_until_its_time
    an_account_has_a_bounded_number_of_sessions_and_devices
    two_nodes_give_a_name_to_one_account
    a_closed_account_has_no_session_and_no_name_until_a_sign_in_opens_it_again
    an_account_that_was_closed_for_long_is_erased_and_nobody_else_gets_its_names
    ; only in SQL:
    the_name_of_an_account_that_is_gone_stays_taken
}

pub(crate) fn secret(text: &str) -> TokenHash {
    TokenHash::of(text.as_bytes())
}

pub(crate) fn by(browser: &str, now_ms: i64) -> SignIn {
    SignIn {
        token: secret(browser),
        label: Some(format!("{browser}, Linux")),
        device: secret(&format!("device of {browser}")),
        device_until_ms: now_ms + 1_000,
        now_ms,
        reopens: false,
    }
}

/// The password of `registered`.
pub(crate) const PASSWORD: &str = "$argon2id$…";

pub(crate) fn registration(player: &Player, browser: &str) -> AccountChange {
    AccountChange::Registered {
        player: player.clone(),
        session: session_of(player),
        credential: FirstCredential::Password(PASSWORD.to_owned()),
        recovery: secret("code"),
        by: by(browser, 50),
    }
}

pub(crate) async fn change(store: &dyn Store, change: AccountChange) -> Result<(), Refused> {
    store.one(Write::Account(Box::new(change))).await.unwrap().map(drop)
}

/// The first session of a guest.
pub(crate) fn session_of(guest: &Player) -> SessionId {
    secret(&guest.id.to_string()).session()
}

/// A new guest, whose session has a token of its own.
pub(crate) async fn guest(database: &Database) -> Player {
    let guest = player("Guest 1000");
    database.store.create_player(&guest, &secret(&guest.id.to_string()), 1).await.unwrap();
    guest
}

/// A new account of this name, signed in with this browser.
pub(crate) async fn account(database: &Database, text: &str, browser: &str) -> Player {
    let player = Player { name: name(text), ..guest(database).await };
    change(&*database.store, registration(&player, browser)).await.unwrap();
    player
}

/// The player of a browser, and the kind.
pub(crate) async fn signed_in(database: &Database, browser: &str) -> Option<(PlayerId, PlayerKind)> {
    let session = database.store.session(&secret(browser), 0).await.unwrap();
    session.map(|session| (session.player.id, session.kind))
}

async fn a_guest_becomes_an_account_and_keeps_one_session_under_another_token(database: Database) {
    let (store, ada) = (&database.store, guest(&database).await);
    let (token, copy) = (secret(&ada.id.to_string()), secret("copy"));
    let copied = SessionChange::Copied { token, by: copy, player: ada.id, now_ms: 2, ending_ms: 2 };
    database.write(Write::Session(copied)).await;
    let ada = Player { name: name("Ada"), ..ada };
    assert_eq!(change(&**store, registration(&ada, "phone")).await, Ok(()));
    assert_eq!(signed_in(&database, &ada.id.to_string()).await, None);
    assert_eq!(signed_in(&database, "copy").await, None);
    let session = store.session(&secret("phone"), 0).await.unwrap().unwrap();
    let (id, kind) = (session_of(&ada), PlayerKind::Account);
    assert_eq!(session, Session { id, player: ada.clone(), kind, used_ms: 50, proved_ms: Some(50) });
    let sessions = store.sessions_of(ada.id, 0).await.unwrap();
    assert_eq!(sessions[0].label.as_deref(), Some("phone, Linux"));

    let stored = store.account(ada.id).await.unwrap();
    let (former_names, notices) = (vec![], NoticeSettings::default());
    let expected = Account { player: ada.clone(), former_names, has_password: true, mail: None, notices };
    assert_eq!(stored, Some(expected));
    for key in [name("ADA").folded(), "ada".to_owned()] {
        let credentials = store.credentials(&key, None, 0).await.unwrap().unwrap();
        assert_eq!((credentials.player, credentials.password.as_deref()), (ada.clone(), Some(PASSWORD)));
    }
    assert_eq!(store.credentials("bob", None, 0).await.unwrap(), None);
    assert_eq!(change(&**store, registration(&ada, "again")).await, Err(Refused::HasAccount));
    let nobody = player("Nobody");
    assert_eq!(change(&**store, registration(&nobody, "nowhere")).await, Err(Refused::UnknownPlayer));
    assert_eq!(store.account(guest(&database).await.id).await.unwrap(), None);
}

async fn look_alikes_of_a_name_of_an_account_are_taken(database: Database) {
    let (store, other) = (&database.store, guest(&database).await);
    account(&database, "Mark I", "phone").await;
    for text in ["Mark I", "MARK I", "mark l", "rnark i", "Mark 1", "Маrk I"] {
        let player = Player { name: name(text), ..other.clone() };
        assert_eq!(
            change(&**store, registration(&player, "laptop")).await,
            Err(Refused::NameTaken),
            "{text}"
        );
        assert_eq!(store.rename(other.id, &player.name).await, Err(Refused::NameTaken), "a guest as {text}");
    }
    assert_eq!(signed_in(&database, "laptop").await, None, "what is refused changes nothing");
    for text in ["Mark", "Mark II"] {
        assert_eq!(store.rename(other.id, &name(text)).await, Ok(()), "{text}");
    }
    let third = guest(&database).await;
    assert_eq!(store.rename(third.id, &name("Mark II")).await, Ok(()), "guests may have the same name");
    let other = Player { name: name("Mark II"), ..other };
    assert_eq!(change(&**store, registration(&other, "laptop")).await, Ok(()));
    assert_eq!(store.rename(third.id, &name("Mark II")).await, Err(Refused::NameTaken));
}

async fn an_account_keeps_its_former_names(database: Database) {
    let store = &database.store;
    let (ada, bob) = (account(&database, "Ada", "phone").await, account(&database, "Bob", "laptop").await);
    for text in ["Countess", "Countess L", "Ada"] {
        assert_eq!(store.rename(ada.id, &name(text)).await, Ok(()), "{text}");
        let stored = store.account(ada.id).await.unwrap().unwrap();
        assert_eq!(stored.player.name, name(text));
    }
    let former_names = store.account(ada.id).await.unwrap().unwrap().former_names;
    assert_eq!(former_names, ["Countess", "Countess L"].map(name));
    assert_eq!(store.rename(bob.id, &name("countess")).await, Err(Refused::NameTaken));
    assert_eq!(store.account(bob.id).await.unwrap().unwrap().former_names, []);
    let by_former = store.credentials("countess", None, 0).await.unwrap().unwrap();
    assert_eq!(by_former.player.id, ada.id);
}

async fn accounts_are_read_by_id_with_their_names_and_keys(database: Database) {
    let store = &database.store;
    assert_eq!(store.named_accounts(None, 2).await.unwrap(), []);
    let mut expected = Vec::new();
    for text in ["Mark I", "Ada", "Bob"] {
        let player = account(&database, text, text).await;
        expected.push((player.id, vec![player.name]));
    }
    guest(&database).await;
    assert_eq!(store.rename(expected[1].0, &name("Countess")).await, Ok(()));
    expected[1].1.push(name("Countess"));
    expected.sort_unstable_by_key(|(player, _)| *player);
    let expected: Vec<NamedAccount> = expected
        .into_iter()
        .map(|(player, names)| {
            let keys = names.iter().flat_map(|name| name.keys()).collect();
            NamedAccount { player, names, keys }
        })
        .collect();
    assert_eq!(store.named_accounts(None, 2).await.unwrap(), expected[..2]);
    assert_eq!(store.named_accounts(Some(expected[1].player), 2).await.unwrap(), expected[2..]);
    if database.url == "memory" {
        return;
    }
    database.execute("delete from name_key").await;
    let without: Vec<_> =
        store.named_accounts(None, 9).await.unwrap().into_iter().map(|account| account.keys).collect();
    assert_eq!(without, [const { BTreeSet::new() }; 3], "an account without a key is one all the same");
}

pub(crate) fn sign_in(
    player: &Player,
    password: &str,
    browser: &str,
    left: Option<(PlayerId, EndedSessions)>,
) -> AccountChange {
    let proof = Proof::Password(password.to_owned());
    AccountChange::SignedIn { player: player.id, proof, by: by(browser, 100), left }
}

async fn a_sign_in_needs_the_present_password_and_ends_what_the_browser_leaves(database: Database) {
    let store = &database.store;
    let (ada, visitor) = (account(&database, "Ada", "phone").await, guest(&database).await);
    let wrong = sign_in(&ada, "another", "laptop", Some((visitor.id, EndedSessions::All)));
    assert_eq!(change(&**store, wrong).await, Err(Refused::WrongCredentials));
    let of_guest = sign_in(&visitor, PASSWORD, "laptop", None);
    assert_eq!(change(&**store, of_guest).await, Err(Refused::WrongCredentials));
    let old = visitor.id.to_string();
    assert_eq!(signed_in(&database, &old).await, Some((visitor.id, PlayerKind::Guest)));

    let right = sign_in(&ada, PASSWORD, "laptop", Some((visitor.id, EndedSessions::All)));
    assert_eq!(change(&**store, right).await, Ok(()));
    assert_eq!(signed_in(&database, &old).await, None);
    for browser in ["phone", "laptop"] {
        assert_eq!(signed_in(&database, browser).await, Some((ada.id, PlayerKind::Account)));
    }
    let again = (ada.id, EndedSessions::One(secret("laptop").session()));
    assert_eq!(change(&**store, sign_in(&ada, PASSWORD, "laptop again", Some(again))).await, Ok(()));
    assert_eq!(signed_in(&database, "laptop").await, None);
    assert_eq!(store.sessions_of(ada.id, 0).await.unwrap().len(), 2);
}

pub(crate) async fn close(
    database: &Database,
    account: &Player,
    browser: &str,
    now_ms: i64,
) -> Result<(), Refused> {
    let session = database.store.session(&secret(browser), 0).await.unwrap().map(|session| session.id);
    let session = session.unwrap_or_else(|| secret(browser).session());
    change(&*database.store, AccountChange::Closed { player: account.id, session, now_ms }).await
}

/// A sign-in with a laptop that opens a closed account.
pub(crate) fn reopening(player: &Player, password: &str) -> AccountChange {
    let by = SignIn { reopens: true, ..by("laptop", 100) };
    AccountChange::SignedIn { player: player.id, proof: Proof::Password(password.to_owned()), by, left: None }
}

async fn a_closed_account_has_no_session_and_no_name_until_a_sign_in_opens_it_again(database: Database) {
    let store = &database.store;
    let (ada, bob) = (account(&database, "Ada", "phone").await, account(&database, "Bob", "tablet").await);
    database.write(Write::Block { player: bob.id, blocked: ada.id, now_ms: 60 }).await;
    assert_eq!(close(&database, &ada, "elsewhere", 70).await, Err(Refused::NoSession));
    make_link(&database, &ada, "of an intruder").await;
    assert_eq!(close(&database, &ada, "phone", 70).await, Ok(()));
    assert_eq!(signed_in(&database, "phone").await, None);
    assert_eq!(store.link(&secret("of an intruder"), 0).await.unwrap(), None, "its links are void");
    let renamed = store.rename(ada.id, &name("Countess")).await;
    assert_eq!(renamed, Err(Refused::NoSession), "the request began before the end of its session");
    let named = async || store.named(&[ada.id, bob.id]).await.unwrap();
    assert_eq!(named().await, [(bob.clone(), PlayerKind::Account)]);
    assert_eq!(store.blocks_of(bob.id).await.unwrap(), []);

    let plain = sign_in(&ada, PASSWORD, "laptop", None);
    assert_eq!(change(&**store, plain.clone()).await, Err(Refused::AccountClosed));
    assert_eq!(signed_in(&database, "laptop").await, None);
    assert_eq!(change(&**store, reopening(&ada, "another")).await, Err(Refused::WrongCredentials));
    assert_eq!(change(&**store, reopening(&ada, PASSWORD)).await, Ok(()));
    assert_eq!(signed_in(&database, "laptop").await, Some((ada.id, PlayerKind::Account)));
    assert_eq!(named().await.len(), 2);
    assert_eq!(store.blocks_of(bob.id).await.unwrap(), [ada]);
    assert_eq!(change(&**store, plain).await, Ok(()), "it is open");
}

async fn an_account_that_was_closed_for_long_is_erased_and_nobody_else_gets_its_names(database: Database) {
    let store = &database.store;
    let (ada, bob) = (account(&database, "Ada", "phone").await, account(&database, "Bob", "tablet").await);
    let cleo = account(&database, "Cleo", "laptop").await;
    database.write(Write::Block { player: bob.id, blocked: ada.id, now_ms: 60 }).await;
    database.write(Write::Block { player: ada.id, blocked: bob.id, now_ms: 60 }).await;
    let playing = GameRow {
        status: Status::Playing,
        seats: Some(Seats { first: bob.id, second: ada.id }),
        ..room("Bob")
    };
    database.write(append(&playing, 1..=1)).await;
    close(&database, &ada, "phone", 70).await.unwrap();
    close(&database, &cleo, "laptop", 80).await.unwrap();
    assert_eq!(store.closed_with_games(10).await.unwrap(), [ada.id]);

    let erasure = |closed_before_ms| Clearing::Accounts { closed_before_ms, at_most: 1 };
    assert_eq!(store.clear(erasure(70)).await, Cleared::default());
    assert_eq!(store.clear(erasure(80)).await, Cleared { deleted: 1, is_more: true });
    assert_eq!(store.account(ada.id).await.unwrap(), None);
    assert_eq!(store.credentials("ada", None, 0).await.unwrap(), None);
    assert_eq!(change(&**store, reopening(&ada, PASSWORD)).await, Err(Refused::WrongCredentials));
    assert_eq!(store.named(&[ada.id]).await.unwrap(), []);
    assert_eq!(store.blocked_among(bob.id, &[ada.id]).await.unwrap(), []);
    assert_eq!(store.rename(bob.id, &name("ADA")).await, Err(Refused::NameTaken));
    assert!(store.account(cleo.id).await.unwrap().is_some(), "its time has not come");
    assert_eq!(store.clear(erasure(80)).await, Cleared::default());
}

async fn a_recovery_sets_the_password_and_leaves_one_session_and_one_device(database: Database) {
    let store = &database.store;
    let ada = account(&database, "Ada", "phone").await;
    let recovery = |code: &str, password: &str, browser| AccountChange::Recovered {
        player: ada.id,
        proof: RecoveryProof::Code(secret(code)),
        password: password.to_owned(),
        by: by(browser, 100),
        left: None,
    };
    let guessed = change(&**store, recovery("a guess", "another", "intruder")).await;
    assert_eq!(guessed, Err(Refused::WrongCredentials));
    for browser in ["laptop", "laptop again"] {
        assert_eq!(
            change(&**store, recovery("code", "another", browser)).await,
            Ok(()),
            "an answer was lost"
        );
    }
    for browser in ["phone", "intruder", "laptop"] {
        assert_eq!(signed_in(&database, browser).await, None, "{browser}");
    }
    assert_eq!(signed_in(&database, "laptop again").await, Some((ada.id, PlayerKind::Account)));
    assert!(!knows(&database, "device of phone").await && knows(&database, "device of laptop again").await);
    let by_old_password = sign_in(&ada, PASSWORD, "phone", None);
    assert_eq!(change(&**store, by_old_password).await, Err(Refused::WrongCredentials));
    assert_eq!(change(&**store, sign_in(&ada, "another", "phone", None)).await, Ok(()));
}

fn recovered_by_link(player: &Player, link: &str, browser: &str, now_ms: i64) -> AccountChange {
    AccountChange::Recovered {
        player: player.id,
        proof: RecoveryProof::Link(secret(link)),
        password: "another".to_owned(),
        by: by(browser, now_ms),
        left: None,
    }
}

pub(crate) async fn make_link(database: &Database, player: &Player, text: &str) {
    let link =
        Link { secret: secret(text), purpose: Purpose::Recovery { by_mail: false }, expires_ms: 1_000 };
    let made = AccountChange::LinkMade { player: player.id, link };
    assert_eq!(change(&*database.store, made).await, Ok(()));
}

async fn a_link_recovers_an_account_once_and_before_its_end(database: Database) {
    let store = &database.store;
    let (ada, bob) = (account(&database, "Ada", "phone").await, account(&database, "Bob", "laptop").await);
    for text in ["one", "other"] {
        make_link(&database, &ada, text).await;
    }
    let link =
        Link { secret: secret("one"), purpose: Purpose::Recovery { by_mail: false }, expires_ms: 1_000 };
    let read = store.link(&secret("one"), 999).await.unwrap();
    assert_eq!(read, Some(LinkOf { player: ada.clone(), link }));
    assert_eq!(store.link(&secret("one"), 1_000).await.unwrap(), None, "its time is over");
    assert_eq!(store.link(&secret("none"), 0).await.unwrap(), None);
    let refused = Err(Refused::NoLink);
    for (player, link, now_ms) in [(&ada, "none", 999), (&bob, "one", 999), (&ada, "one", 1_000)] {
        assert_eq!(
            change(&**store, recovered_by_link(player, link, "thief", now_ms)).await,
            refused,
            "{link}"
        );
    }
    let guest = guest(&database).await;
    let link =
        Link { secret: secret("guest"), purpose: Purpose::Recovery { by_mail: false }, expires_ms: 1_000 };
    let of_guest = AccountChange::LinkMade { player: guest.id, link };
    assert_eq!(change(&**store, of_guest).await, Err(Refused::UnknownPlayer));

    // Both in one transaction: the first recovery voids all links.
    let writes = ["one", "other"]
        .map(|link| Write::Account(Box::new(recovered_by_link(&ada, link, &format!("tablet {link}"), 999))));
    assert_eq!(store.commit(&writes).await.unwrap(), [Ok(Written::Done), Err(Refused::NoLink)]);
    assert_eq!(signed_in(&database, "phone").await, None);
    assert_eq!(signed_in(&database, "tablet one").await, Some((ada.id, PlayerKind::Account)));
    for text in ["one", "other"] {
        assert_eq!(change(&**store, recovered_by_link(&ada, text, "again", 999)).await, refused, "{text}");
    }
    assert_eq!(signed_in(&database, "laptop").await, Some((bob.id, PlayerKind::Account)));
}

async fn a_new_password_voids_links(database: Database) {
    let store = &database.store;
    let (ada, bob) = (account(&database, "Ada", "phone").await, account(&database, "Bob", "laptop").await);
    for (player, text) in [(&ada, "of Ada"), (&bob, "of Bob")] {
        make_link(&database, player, text).await;
    }
    let (player, session) = (ada.id, session_of(&ada));
    let password = "another".to_owned();
    let set = AccountChange::PasswordSet { player, session, device: None, password, now_ms: 60 };
    assert_eq!(change(&**store, set).await, Ok(()));
    assert_eq!(store.link(&secret("of Ada"), 0).await.unwrap(), None);
    assert!(store.link(&secret("of Bob"), 0).await.unwrap().is_some());
}

async fn links_that_do_not_count_any_more_are_deleted(database: Database) {
    let ada = account(&database, "Ada", "phone").await;
    make_link(&database, &ada, "one").await;
    for (expired_ms, deleted) in [(999, 0), (1_000, 1), (1_000, 0)] {
        let clearing = Clearing::Links { expired_ms };
        assert_eq!(database.store.clear(clearing).await, Cleared { deleted, is_more: false });
    }
    assert_eq!(database.store.link(&secret("one"), 0).await.unwrap(), None);
}

/// Whether the account of Ada knows a device.
async fn knows(database: &Database, device: &str) -> bool {
    let credentials = database.store.credentials("ada", Some(&secret(device)), 60).await.unwrap();
    credentials.unwrap().knows_device
}

async fn a_new_password_ends_the_other_sessions_and_forgets_other_devices(database: Database) {
    let store = &database.store;
    let ada = account(&database, "Ada", "phone").await;
    change(&**store, sign_in(&ada, PASSWORD, "laptop", None)).await.unwrap();
    let (player, session) = (ada.id, secret("laptop").session());
    let (device, password) = (Some(secret("device of laptop")), "another".to_owned());
    let set = AccountChange::PasswordSet { player, session, device, password, now_ms: 60 };
    assert_eq!(change(&**store, set).await, Ok(()));
    assert_eq!(signed_in(&database, "phone").await, None);
    assert_eq!(signed_in(&database, "laptop").await, Some((ada.id, PlayerKind::Account)));
    assert!(!knows(&database, "device of phone").await && knows(&database, "device of laptop").await);
    let by_old_password = sign_in(&ada, PASSWORD, "phone", None);
    assert_eq!(change(&**store, by_old_password).await, Err(Refused::WrongCredentials));
    assert_eq!(change(&**store, sign_in(&ada, "another", "phone", None)).await, Ok(()));
}

async fn a_new_code_replaces_the_former_one(database: Database) {
    let ada = account(&database, "Ada", "phone").await;
    let (player, session, recovery) = (ada.id, session_of(&ada), secret("next"));
    let set = AccountChange::CodeSet { player, session, recovery };
    assert_eq!(change(&*database.store, set).await, Ok(()));
    let credentials = database.store.credentials("ada", None, 0).await.unwrap().unwrap();
    assert_eq!(credentials.recovery, Some(recovery));
}

async fn a_session_that_has_ended_changes_nothing(database: Database) {
    let store = &database.store;
    let leaving = guest(&database).await;
    let ada = account(&database, "Ada", "phone").await;
    change(&**store, sign_in(&ada, PASSWORD, "laptop", None)).await.unwrap();
    let (phone, laptop) = (session_of(&ada), secret("laptop").session());
    let all: BTreeSet<_> = [(ada.id, phone), (ada.id, laptop)].into();
    assert_eq!(store.sessions_among(&[ada.id, PlayerId::new(Uuid::from_u128(1))]).await.unwrap(), all);

    let ended = SessionChange::Ended { player: leaving.id, ended: EndedSessions::All };
    let named = Player { name: name("Eve"), ..leaving.clone() };
    let of_ada = SessionChange::Ended { player: ada.id, ended: EndedSessions::One(laptop) };
    let player = ada.id;
    let password = AccountChange::PasswordSet {
        player,
        session: laptop,
        device: None,
        password: "the thief’s".to_owned(),
        now_ms: 60,
    };
    let code = AccountChange::CodeSet { player, session: laptop, recovery: secret("the thief’s") };
    let account = |change| Write::Account(Box::new(change));
    // The sessions end in the transaction of the changes.
    let writes = [
        Write::Session(ended),
        account(registration(&named, "thief")),
        Write::Session(of_ada),
        account(password),
        account(code),
    ];
    let refused = || Err(Refused::NoSession);
    let expected = [Ok(Written::Done), refused(), Ok(Written::Done), refused(), refused()];
    assert_eq!(store.commit(&writes).await.unwrap(), expected);
    let again = store.commit(&writes[1..2]).await.unwrap();
    assert_eq!(again, [refused()]);
    assert_eq!(signed_in(&database, "phone").await, Some((ada.id, PlayerKind::Account)));
    assert_eq!(store.sessions_among(&[ada.id]).await.unwrap(), [(ada.id, phone)].into());
}

async fn a_proof_counts_for_its_session_alone(database: Database) {
    let ada = account(&database, "Ada", "phone").await;
    change(&*database.store, sign_in(&ada, PASSWORD, "laptop", None)).await.unwrap();
    let proved = SessionChange::Proved { token: secret("phone"), player: ada.id, now_ms: 500 };
    database.write(Write::Session(proved)).await;
    let copied = SessionChange::Copied {
        token: secret("phone"),
        by: secret("copy"),
        player: ada.id,
        now_ms: 600,
        ending_ms: 600,
    };
    database.write(Write::Session(copied)).await;
    for (browser, proved_ms) in [("phone", Some(500)), ("laptop", Some(100)), ("copy", None)] {
        let session = database.store.session(&secret(browser), 0).await.unwrap().unwrap();
        assert_eq!(session.proved_ms, proved_ms, "{browser}");
    }
    let sessions = database.store.sessions_of(ada.id, 0).await.unwrap();
    assert_eq!(sessions[0].label.as_deref(), Some("phone, Linux"), "a copy is of the same browser");
}

async fn a_device_is_known_to_its_account_until_its_time(database: Database) {
    let ada = account(&database, "Ada", "phone").await;
    account(&database, "Bob", "laptop").await;
    let knows = async |key: &str, device: &str, now_ms| {
        let credentials = database.store.credentials(key, Some(&secret(device)), now_ms).await.unwrap();
        credentials.unwrap().knows_device
    };
    assert!(knows("ada", "device of phone", 1_049).await);
    assert!(!knows("ada", "device of phone", 1_050).await, "its time is over");
    assert!(!knows("ada", "device of laptop", 60).await, "it is another account's");
    assert!(knows("bob", "device of laptop", 60).await);
    let (player, proof) = (ada.id, Proof::Password(PASSWORD.to_owned()));
    let by = SignIn { device: secret("device of phone"), ..by("phone again", 100) };
    change(&*database.store, AccountChange::SignedIn { player, proof, by, left: None }).await.unwrap();
    assert!(knows("ada", "device of phone", 1_050).await, "each sign-in renews it");
}

async fn an_account_has_a_bounded_number_of_sessions_and_devices(database: Database) {
    let store = &database.store;
    let ada = account(&database, "Ada", "phone").await;
    for number in 0..MAX_SESSIONS {
        let (player, proof) = (ada.id, Proof::Password(PASSWORD.to_owned()));
        let by = by(&number.to_string(), 100 + i64::from(number));
        change(&**store, AccountChange::SignedIn { player, proof, by, left: None }).await.unwrap();
    }
    assert_eq!(store.sessions_of(ada.id, 0).await.unwrap().len(), MAX_SESSIONS as usize);
    assert_eq!(signed_in(&database, "phone").await, None, "the longest unused one has ended");
    assert_eq!(signed_in(&database, "0").await, Some((ada.id, PlayerKind::Account)));
    for (device, is_known) in [("device of phone", false), ("device of 0", true), ("device of 49", true)] {
        let credentials = store.credentials("ada", Some(&secret(device)), 0).await.unwrap().unwrap();
        assert_eq!(credentials.knows_device, is_known, "{device}");
    }
}

async fn two_nodes_give_a_name_to_one_account(database: Database) {
    let (one, other) = (&database.store, database.other_node().await);
    for round in 0..10 {
        let [ada, bob] = [guest(&database).await, guest(&database).await];
        let named = |player: Player, text: String| Player { name: name(&text), ..player };
        let (here, there) = (named(ada, format!("Mark {round}x")), named(bob, format!("RNARK {round}X")));
        let (here, there) =
            (registration(&here, &here.id.to_string()), registration(&there, &there.id.to_string()));
        let (here, there) = tokio::join!(tried(&**one, here), tried(&*other, there));
        assert!(here != there, "one of them has the name: {here} {there}");
    }
}

/// Changes an account as the writer does: a write that a constraint refuses is tried again. Returns whether it is done.
async fn tried(store: &dyn Store, change: AccountChange) -> bool {
    let change = Write::Account(Box::new(change));
    let mut result = store.one(change.clone()).await;
    if result.as_ref().is_err_and(|error| error.is_refusal() || error.is_abort()) {
        result = store.one(change).await;
    }
    match result.unwrap() {
        Ok(_) => true,
        Err(refused) => {
            assert_eq!(refused, Refused::NameTaken);
            false
        }
    }
}

async fn the_name_of_an_account_that_is_gone_stays_taken(database: Database) {
    account(&database, "Ada", "phone").await;
    database.execute("update name_key set player = null").await;
    assert_eq!(database.store.credentials("ada", None, 0).await.unwrap(), None);
    let other = guest(&database).await;
    assert_eq!(database.store.rename(other.id, &name("Ada")).await, Err(Refused::NameTaken));
}
