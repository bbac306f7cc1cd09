//! Mail addresses of accounts, and the mails to be sent.

use game::{MailAddress, Player};
use store::{
    AccountChange, AccountMail, Cleared, Clearing, DueMail, Errand, Link, MAILS_A_DAY,
    MAILS_A_DAY_TO_ADDRESS, MAILS_KEPT_MS, MAX_MAILS_WAITING, Mail, MailChange, Notice, OwnMail, Purpose,
    RecoveryProof, Refused, Write,
};
use uuid::Uuid;

use crate::{
    accounts::{account, by, change, secret, session_of},
    database::{Database, contract},
    passkeys::{add, passkey},
    verbs::Verbs,
};

contract! {
    a_link_gives_an_account_a_mail_address_and_the_former_one_is_told
    an_account_without_an_address_loses_none
    an_account_asks_for_a_bounded_number_of_mails_in_a_day
    an_address_is_asked_to_confirm_a_bounded_number_of_times_in_a_day
    a_mail_is_due_until_it_is_done
    a_mail_to_recover_is_sent_only_to_the_address_that_the_account_has_then
    a_recovery_leaves_an_intruder_neither_the_code_nor_the_mail_address
    a_new_password_voids_a_mail_that_would_confirm_an_address
    a_bounded_number_of_mails_wait
    mails_are_deleted_a_while_after_they_were_asked_for
    a_new_passkey_is_told_to_the_owner_of_the_account
    an_address_that_refuses_mails_is_marked_until_one_is_confirmed
}

fn address(text: &str) -> MailAddress {
    text.to_owned().try_into().unwrap()
}

fn mail(id: u128, errand: Errand, to: &str) -> Mail {
    Mail { id: Uuid::from_u128(id), errand, to: address(to), language: "fr".to_owned() }
}

fn own_mail(text: &str, recovers: bool) -> AccountMail {
    AccountMail { address: address(text), recovers, is_refused: false }
}

pub(crate) fn asked(player: &Player, id: u128, now_ms: i64) -> AccountChange {
    let mail = mail(id, Errand::Confirm(player.id), "ada@mail.example");
    AccountChange::MailAsked { player: player.id, session: session_of(player), mail, zone: None, now_ms }
}

pub(crate) fn notice(id: u128) -> Notice {
    Notice { id: Uuid::from_u128(id), language: "fr".to_owned() }
}

/// Confirms an address by a link, and returns its secret.
pub(crate) async fn confirm(database: &Database, player: &Player, text: &str, id: u128) {
    confirm_at(database, player, text, id, 500).await;
}

/// Gives an account a mail address at a time.
pub(crate) async fn confirm_at(database: &Database, player: &Player, text: &str, id: u128, now_ms: i64) {
    let link = Link { secret: secret(text), purpose: Purpose::Mail(address(text)), expires_ms: 1_000 };
    let made = AccountChange::LinkMade { player: player.id, link };
    assert_eq!(change(&*database.store, made).await, Ok(()));
    let confirmed =
        AccountChange::MailConfirmed { player: player.id, link: secret(text), notice: notice(id), now_ms };
    assert_eq!(change(&*database.store, confirmed.clone()).await, Ok(()), "{text}");
    assert_eq!(change(&*database.store, confirmed).await, Err(Refused::NoLink), "it counts once");
}

async fn due(database: &Database) -> Vec<Mail> {
    let due = database.store.due_mails(i64::MAX, 9).await.unwrap();
    due.into_iter().map(|due| due.mail).collect()
}

async fn a_link_gives_an_account_a_mail_address_and_the_former_one_is_told(database: Database) {
    let store = &database.store;
    let ada = account(&database, "Ada", "phone").await;
    let own = async || store.account(ada.id).await.unwrap().unwrap().mail;
    assert_eq!(own().await, None);
    let recovering =
        Link { secret: secret("recover"), purpose: Purpose::Recovery { by_mail: false }, expires_ms: 1_000 };
    let made = AccountChange::LinkMade { player: ada.id, link: recovering };
    assert_eq!(change(&**store, made).await, Ok(()));
    let other = AccountChange::MailConfirmed {
        player: ada.id,
        link: secret("recover"),
        notice: notice(1),
        now_ms: 500,
    };
    assert_eq!(change(&**store, other).await, Err(Refused::NoLink), "it has another purpose");

    confirm(&database, &ada, "one@mail.example", 1).await;
    assert_eq!(own().await, Some(own_mail("one@mail.example", true)));
    assert_eq!(due(&database).await, [], "there was no former address");
    assert_eq!(store.link(&secret("recover"), 0).await.unwrap(), None, "links are void");
    confirm(&database, &ada, "ONE@mail.example", 2).await;
    assert_eq!(due(&database).await, [], "it was the same");
    confirm(&database, &ada, "other@mail.example", 3).await;
    assert_eq!(due(&database).await, [mail(3, Errand::Changed(ada.id), "ONE@mail.example")]);

    let (player, session) = (ada.id, session_of(&ada));
    for recovers in [false, true, false] {
        let set = AccountChange::MailRecoverySet { player, session, recovers };
        assert_eq!(change(&**store, set).await, Ok(()));
        assert_eq!(own().await, Some(own_mail("other@mail.example", recovers)));
    }
    let removed = AccountChange::MailRemoved { player, session, notice: notice(4), now_ms: 600 };
    assert_eq!(change(&**store, removed).await, Ok(()));
    assert_eq!(own().await, None);
    let told = mail(4, Errand::Changed(ada.id), "other@mail.example");
    assert_eq!(due(&database).await.last(), Some(&told));
}

async fn an_account_without_an_address_loses_none(database: Database) {
    let ada = account(&database, "Ada", "phone").await;
    let (player, session) = (ada.id, session_of(&ada));
    let removed = AccountChange::MailRemoved { player, session, notice: notice(1), now_ms: 600 };
    assert_eq!(change(&*database.store, removed).await, Ok(()));
    assert_eq!(due(&database).await, []);
}

async fn an_account_asks_for_a_bounded_number_of_mails_in_a_day(database: Database) {
    let (store, most) = (&database.store, u128::from(MAILS_A_DAY));
    let (ada, bob) = (account(&database, "Ada", "phone").await, account(&database, "Bob", "laptop").await);
    for number in 0..most {
        assert_eq!(change(&**store, asked(&ada, number, 1_000)).await, Ok(()));
    }
    let later_ms = 1_000 + MAILS_KEPT_MS;
    assert_eq!(change(&**store, asked(&ada, 100, later_ms - 1)).await, Err(Refused::TooManyMails));
    let n_recoveries = store.count_recovery_mails_of(ada.id, 999).await.unwrap();
    assert_eq!(n_recoveries, 0, "strangers, who ask for recoveries, use up none of these");
    assert_eq!(change(&**store, asked(&bob, 101, later_ms - 1)).await, Ok(()));
    if database.url != "memory" {
        // A store in memory counts all that it has.
        assert_eq!(change(&**store, asked(&ada, 102, later_ms)).await, Ok(()));
    }
}

async fn an_address_is_asked_to_confirm_a_bounded_number_of_times_in_a_day(database: Database) {
    let store = &database.store;
    for number in 0..u128::from(MAILS_A_DAY_TO_ADDRESS) {
        let other = account(&database, &format!("Ada {number}"), &number.to_string()).await;
        let AccountChange::MailAsked { player, session, mail, zone, now_ms } = asked(&other, number, 1_000)
        else {
            unreachable!("it asks for a mail")
        };
        let to = address(&format!("{}+{number}@mail.example", if number % 2 == 0 { "ada" } else { "ADA" }));
        let asked = AccountChange::MailAsked { player, session, mail: Mail { to, ..mail }, zone, now_ms };
        assert_eq!(change(&**store, asked).await, Ok(()));
    }
    for mail in 0..2 {
        database.write(Write::Mail(Box::new(MailChange::Done { mail: Uuid::from_u128(mail) }))).await;
    }
    let ada = account(&database, "Ada", "phone").await;
    assert_eq!(change(&**store, asked(&ada, 100, 1_001)).await, Err(Refused::TooManyMails));
    let AccountChange::MailAsked { player, session, mail, zone, now_ms } = asked(&ada, 101, 1_001) else {
        unreachable!("it asks for a mail")
    };
    let mail = Mail { to: address("ada@other.example"), ..mail };
    let elsewhere = AccountChange::MailAsked { player, session, mail, zone, now_ms };
    assert_eq!(change(&**store, elsewhere).await, Ok(()), "of another address");
}

async fn a_mail_is_due_until_it_is_done(database: Database) {
    let store = &database.store;
    let ada = account(&database, "Ada", "phone").await;
    confirm(&database, &ada, "ADA@mail.example", 1).await;
    let recover = mail(7, Errand::Recover { key: "ada".to_owned() }, "ada@mail.example");
    let write = |change| Write::Mail(Box::new(change));
    database.write(write(MailChange::Asked { mail: recover.clone(), now_ms: 1_000 })).await;
    assert_eq!(store.due_mails(999, 9).await.unwrap(), []);
    let due = |attempts| vec![DueMail { mail: recover.clone(), attempts }];
    assert_eq!(store.due_mails(1_000, 9).await.unwrap(), due(0));
    assert_eq!(
        store.count_recovery_mails_of(ada.id, 0).await.unwrap(),
        0,
        "it is not known to be of this account"
    );

    let link =
        Link { secret: secret("link"), purpose: Purpose::Recovery { by_mail: false }, expires_ms: 9_000 };
    let (mail, player) = (recover.id, ada.id);
    let tried = MailChange::Tried { mail, player, link: Some(link), now_ms: 1_001, again_ms: 2_000 };
    database.write(write(tried)).await;
    assert_eq!(store.due_mails(1_999, 9).await.unwrap(), []);
    assert_eq!(store.due_mails(2_000, 9).await.unwrap(), due(1));
    assert_eq!(store.link(&secret("link"), 0).await.unwrap().unwrap().player, ada);
    assert_eq!(store.count_recovery_mails_of(ada.id, 0).await.unwrap(), 1);
    for (since_ms, n_tried) in [(1_000, 1), (1_001, 0)] {
        assert_eq!(store.count_tried_mails(since_ms).await.unwrap(), n_tried);
    }
    database.write(write(MailChange::Done { mail })).await;
    assert_eq!(store.due_mails(i64::MAX, 9).await.unwrap(), []);
    assert_eq!(store.count_recovery_mails_of(ada.id, 0).await.unwrap(), 1, "it counts for the limit");
}

async fn a_mail_to_recover_is_sent_only_to_the_address_that_the_account_has_then(database: Database) {
    let store = &database.store;
    let ada = account(&database, "Ada", "phone").await;
    let (player, session) = (ada.id, session_of(&ada));
    let recover = mail(7, Errand::Recover { key: "ada".to_owned() }, "one@mail.example");
    let asked = MailChange::Asked { mail: recover, now_ms: 1_000 };
    database.write(Write::Mail(Box::new(asked))).await;
    let tried = async |text: &str, now_ms| {
        let purpose = Purpose::Recovery { by_mail: true };
        let link = Some(Link { secret: secret(text), purpose, expires_ms: 9_000 });
        let mail = Uuid::from_u128(7);
        let tried = MailChange::Tried { mail, player, link, now_ms, again_ms: now_ms };
        store.commit(&[Write::Mail(Box::new(tried))]).await.unwrap().remove(0).map(drop)
    };
    assert_eq!(tried("none", 1_001).await, Err(Refused::NoLink), "it has no address");
    confirm(&database, &ada, "one@mail.example", 1).await;
    assert_eq!(tried("early", 999).await, Err(Refused::NoLink), "another node is trying it");
    assert_eq!(tried("first", 1_001).await, Ok(()));
    let forbidden = AccountChange::MailRecoverySet { player, session, recovers: false };
    assert_eq!(change(&**store, forbidden).await, Ok(()));
    assert_eq!(store.link(&secret("first"), 0).await.unwrap(), None, "it is void");
    assert_eq!(tried("forbidden", 1_002).await, Err(Refused::NoLink));
    let allowed = AccountChange::MailRecoverySet { player, session, recovers: true };
    assert_eq!(change(&**store, allowed).await, Ok(()));
    confirm(&database, &ada, "other@mail.example", 2).await;
    assert_eq!(tried("other", 1_003).await, Err(Refused::NoLink), "it has another address");
}

async fn a_recovery_leaves_an_intruder_neither_the_code_nor_the_mail_address(database: Database) {
    let store = &database.store;
    for (name, proof, recovers, has_code) in [
        ("Ada", RecoveryProof::Link(secret("of the host")), false, false),
        ("Bob", RecoveryProof::Link(secret("by mail")), true, false),
        ("Cleo", RecoveryProof::Code(secret("code")), false, true),
    ] {
        let owner = account(&database, name, name).await;
        confirm(&database, &owner, &format!("{name}@mail.example"), 1).await;
        for (text, by_mail) in [("of the host", false), ("by mail", true)] {
            if proof == RecoveryProof::Link(secret(text)) {
                let purpose = Purpose::Recovery { by_mail };
                let link = Link { secret: secret(text), purpose, expires_ms: 1_000 };
                let made = AccountChange::LinkMade { player: owner.id, link };
                assert_eq!(change(&**store, made).await, Ok(()));
            }
        }
        let by = by(&format!("browser of {name}"), 900);
        let (player, password) = (owner.id, "another".to_owned());
        let recovered = AccountChange::Recovered { player, proof, password, by, left: None };
        assert_eq!(change(&**store, recovered).await, Ok(()), "{name}");
        let mail = store.account(owner.id).await.unwrap().unwrap().mail.unwrap();
        let credentials = store.credentials(&owner.name.folded(), None, 0).await.unwrap().unwrap();
        assert_eq!((mail.recovers, credentials.recovery.is_some()), (recovers, has_code), "{name}");
    }
}

async fn a_new_password_voids_a_mail_that_would_confirm_an_address(database: Database) {
    let store = &database.store;
    let (ada, bob) = (account(&database, "Ada", "phone").await, account(&database, "Bob", "laptop").await);
    for (player, id) in [(&ada, 1), (&bob, 2)] {
        assert_eq!(change(&**store, asked(player, id, 1_000)).await, Ok(()));
    }
    let (player, session, password) = (ada.id, session_of(&ada), "another".to_owned());
    let set = AccountChange::PasswordSet { player, session, device: None, password, now_ms: 60 };
    assert_eq!(change(&**store, set).await, Ok(()));
    assert_eq!(due(&database).await, [mail(2, Errand::Confirm(bob.id), "ada@mail.example")]);
    let link =
        Link { secret: secret("late"), purpose: Purpose::Recovery { by_mail: false }, expires_ms: 9_000 };
    let mail = Uuid::from_u128(1);
    let tried = MailChange::Tried { mail, player, link: Some(link), now_ms: 1_001, again_ms: 2_000 };
    let results = store.commit(&[Write::Mail(Box::new(tried))]).await.unwrap();
    assert_eq!(results, [Err(Refused::NoLink)], "the task that sends had read it before");
    assert_eq!(store.link(&secret("late"), 0).await.unwrap(), None);
}

async fn a_bounded_number_of_mails_wait(database: Database) {
    let store = &database.store;
    let ada = account(&database, "Ada", "phone").await;
    let asked_by_name = |id| {
        let mail = mail(id, Errand::Recover { key: "ada".to_owned() }, "ada@mail.example");
        Write::Mail(Box::new(MailChange::Asked { mail, now_ms: 1 }))
    };
    let most = u128::from(MAX_MAILS_WAITING);
    let writes: Vec<Write> = (0..=most).map(asked_by_name).collect();
    let results = store.commit(&writes).await.unwrap();
    assert!(results[..writes.len() - 1].iter().all(Result::is_ok));
    assert_eq!(results.last(), Some(&Err(Refused::MailsWait)));
    assert_eq!(change(&**store, asked(&ada, most + 1, 1)).await, Err(Refused::MailsWait));
    database.write(Write::Mail(Box::new(MailChange::Done { mail: Uuid::from_u128(0) }))).await;
    assert_eq!(change(&**store, asked(&ada, most + 1, 1)).await, Ok(()));
}

async fn mails_are_deleted_a_while_after_they_were_asked_for(database: Database) {
    let ada = account(&database, "Ada", "phone").await;
    assert_eq!(change(&*database.store, asked(&ada, 1, 1_000)).await, Ok(()));
    for (created_ms, deleted) in [(999, 0), (1_000, 1), (1_000, 0)] {
        let clearing = Clearing::Mails { created_ms };
        assert_eq!(database.store.clear(clearing).await, Cleared { deleted, is_more: false });
    }
    assert_eq!(due(&database).await, []);
}

async fn a_new_passkey_is_told_to_the_owner_of_the_account(database: Database) {
    let (ada, bob) = (account(&database, "Ada", "phone").await, account(&database, "Bob", "laptop").await);
    confirm(&database, &ada, "ada@mail.example", 1).await;
    for player in [&ada, &bob] {
        let key = passkey(player.name.as_str());
        assert_eq!(change(&*database.store, add(player, key)).await, Ok(()));
    }
    let told = mail(1_000, Errand::PasskeyAdded(ada.id), "ada@mail.example");
    assert_eq!(due(&database).await, [told], "the other account has no address");
    let own = database.store.mails_of(ada.id).await.unwrap();
    let [OwnMail { purpose, to, .. }] = &own[..] else { panic!("{own:?}") };
    assert_eq!((purpose.as_str(), to), ("passkey", &Some(address("ada@mail.example"))));
    let done = MailChange::Done { mail: Uuid::from_u128(1_000) };
    database.write(Write::Mail(Box::new(done))).await;
    assert_eq!(database.store.mails_of(ada.id).await.unwrap()[0].to, None);
    assert_eq!(database.store.mails_of(bob.id).await.unwrap(), []);
    assert_eq!(database.store.devices_of(ada.id).await.unwrap().len(), 1);
}

async fn an_address_that_refuses_mails_is_marked_until_one_is_confirmed(database: Database) {
    let store = &database.store;
    let ada = account(&database, "Ada", "phone").await;
    confirm(&database, &ada, "ada@mail.example", 1).await;
    let is_refused = async || store.account(ada.id).await.unwrap().unwrap().mail.unwrap().is_refused;
    let refused = async |id, errand, to| {
        let (mail, id) = (mail(id, errand, to), Uuid::from_u128(id));
        database.write(Write::Mail(Box::new(MailChange::Asked { mail, now_ms: 600 }))).await;
        let (player, link, now_ms, again_ms) = (ada.id, None, 600, 700);
        let tried = MailChange::Tried { mail: id, player, link, now_ms, again_ms };
        database.write(Write::Mail(Box::new(tried))).await;
        let address = to.to_owned().try_into().unwrap();
        database.write(Write::Mail(Box::new(MailChange::Refused { player, address }))).await;
        database.write(Write::Mail(Box::new(MailChange::Done { mail: id }))).await;
    };
    refused(2, Errand::Confirm(ada.id), "other@mail.example").await;
    assert!(!is_refused().await, "it is not the account's");
    refused(3, Errand::Recover { key: "ada".to_owned() }, "ADA@mail.example").await;
    assert!(is_refused().await);
    assert_eq!(due(&database).await, [], "it is given up");
    confirm(&database, &ada, "ada@mail.example", 4).await;
    assert!(!is_refused().await);
}
