//! Notices in inboxes: each is written with what it tells.

use engine::Ruleset;
use game::{
    GameEnd, InboxEvent, Player, Reason, ReportKind, Role, SecurityEvent, SlowGame,
    ids::{GameId, NoticeId, ReportId},
};
use store::{
    AccountChange, Append, Cleared, Clearing, Decision, DraftIs, GameRow, InboxNotice, MAX_NOTICES,
    NewNotice, RecoveryProof, Refused, VacationStep, Write,
};
use uuid::Uuid;

use crate::{
    accounts::{account, by, change, close, guest, make_link, secret, session_of},
    database::{Database, contract},
    mails::{asked, confirm, confirm_at, notice},
    moderation::{act, report, set_role},
    passkeys::{add, passkey, remove},
    sample::{event, player, room},
    vacations::change_vacation,
    verbs::Verbs,
};

contract! {
    what_an_append_tells_is_stored_with_it_and_once
    an_append_in_conflict_tells_nobody
    notices_are_read_from_the_newest_on_page_by_page
    notices_up_to_one_are_seen_by_their_player_alone
    the_newest_notices_of_a_player_are_kept
    a_player_who_is_gone_is_told_nothing
    an_owner_is_told_of_what_proves_the_account
    a_mail_address_that_stays_the_same_is_not_told
    a_day_of_vacation_is_told_once_and_only_if_it_was_used_by_itself
    the_author_of_a_report_is_told_that_it_was_answered_once
    notices_are_deleted_after_a_while
    the_notices_of_a_deleted_guest_are_deleted
}

const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

fn slow_game(number: u128, other: &Player) -> SlowGame {
    SlowGame { id: GameId::new(Uuid::from_u128(number)), ruleset: Ruleset::Fenix, other: other.id }
}

pub(crate) fn over(number: u128, other: &Player) -> InboxEvent {
    InboxEvent::GameOver { game: slow_game(number, other), end: GameEnd::Won(Reason::Resign) }
}

/// An append with a version of a game that tells players something at a time.
pub(crate) fn telling(game: &GameRow, version: u32, told: &[(&Player, InboxEvent)], at_ms: i64) -> Write {
    let event = event(version);
    let row = GameRow { version: event.version, ..game.clone() };
    let notices = told.iter().map(|(player, event)| NewNotice { player: player.id, event: *event, at_ms });
    Write::Append(Append::new(vec![event], row, DraftIs::Gone).telling(notices.collect()).into())
}

/// Tells a player something by the append of a game of its own.
async fn tell(database: &Database, player: &Player, event: InboxEvent, at_ms: i64) {
    database.write(telling(&room("Ada"), 1, &[(player, event)], at_ms)).await;
}

async fn inbox(database: &Database, player: &Player) -> Vec<InboxNotice> {
    database.store.inbox(player.id, None, 1_000).await.unwrap()
}

/// What a player was told, the last first.
async fn told(database: &Database, player: &Player) -> Vec<InboxEvent> {
    inbox(database, player).await.into_iter().map(|notice| notice.event).collect()
}

async fn what_an_append_tells_is_stored_with_it_and_once(database: Database) {
    let (ada, bob, game) = (guest(&database).await, guest(&database).await, room("Ada"));
    let challenged = InboxEvent::Challenged(slow_game(7, &ada));
    database.write(telling(&game, 1, &[(&ada, over(7, &bob)), (&bob, challenged)], 60)).await;
    let [notice] = &inbox(&database, &ada).await[..] else { panic!("Ada is told one thing") };
    assert_eq!((notice.event, notice.at_ms, notice.seen_ms), (over(7, &bob), 60, None));
    assert_eq!(told(&database, &bob).await, [challenged]);
    database.write(telling(&game, 2, &[(&ada, over(7, &bob)), (&bob, over(7, &ada))], 70)).await;
    assert_eq!(inbox(&database, &ada).await.as_slice(), std::slice::from_ref(notice));
    assert_eq!(told(&database, &bob).await, [over(7, &ada), challenged], "another kind about the same game");
}

async fn an_append_in_conflict_tells_nobody(database: Database) {
    let (ada, bob) = (guest(&database).await, guest(&database).await);
    let results = database.commit(&[telling(&room("Ada"), 2, &[(&ada, over(7, &bob))], 60)]).await;
    assert!(results[0].is_err());
    assert_eq!(told(&database, &ada).await, []);
}

async fn notices_are_read_from_the_newest_on_page_by_page(database: Database) {
    let (ada, bob) = (guest(&database).await, guest(&database).await);
    for number in [3, 1, 2] {
        tell(&database, &ada, over(number, &bob), number as i64).await;
    }
    let (mut read, mut before): (Vec<InboxEvent>, Option<NoticeId>) = (Vec::new(), None);
    for _ in 0..3 {
        let page = database.store.inbox(ada.id, before, 1).await.unwrap();
        before = page.last().map(|notice| notice.id);
        read.extend(page.iter().map(|notice| notice.event));
    }
    assert_eq!(read, [3, 2, 1].map(|number| over(number, &bob)));
    assert_eq!(database.store.inbox(ada.id, before, 1).await.unwrap(), []);
}

async fn notices_up_to_one_are_seen_by_their_player_alone(database: Database) {
    let (ada, bob) = (guest(&database).await, guest(&database).await);
    for number in 1..=3 {
        tell(&database, &ada, over(number, &bob), number as i64).await;
        tell(&database, &bob, over(number, &ada), number as i64).await;
    }
    let unseen = async |player: &Player| database.store.count_unseen(player.id).await.unwrap();
    assert_eq!((unseen(&ada).await, unseen(&bob).await), (3, 3));
    let up_to = inbox(&database, &ada).await[1].id;
    for now_ms in [50, 60] {
        database.write(Write::SeeNotices { player: ada.id, up_to, now_ms }).await;
    }
    let seen: Vec<_> = inbox(&database, &ada).await.iter().map(|notice| notice.seen_ms).collect();
    assert_eq!(seen, [None, Some(50), Some(50)], "the first time stays");
    assert_eq!((unseen(&ada).await, unseen(&bob).await), (1, 3));
}

async fn the_newest_notices_of_a_player_are_kept(database: Database) {
    let (ada, bob) = (guest(&database).await, guest(&database).await);
    tell(&database, &bob, over(1, &ada), 1).await;
    let numbers = 1..=u128::from(MAX_NOTICES) + 2;
    let events: Vec<_> = numbers.map(|number| over(number, &bob)).collect();
    for (index, event) in events.iter().enumerate() {
        tell(&database, &ada, *event, index as i64).await;
    }
    let told_ada = told(&database, &ada).await;
    assert_eq!(told_ada.into_iter().rev().collect::<Vec<_>>(), events[2..]);
    assert_eq!(told(&database, &bob).await.len(), 1);
}

async fn a_player_who_is_gone_is_told_nothing(database: Database) {
    let (ada, nobody) = (account(&database, "Ada", "phone").await, player("Nobody"));
    close(&database, &ada, "phone", 60).await.unwrap();
    database.write(telling(&room("Ada"), 1, &[(&ada, over(7, &nobody)), (&nobody, over(7, &ada))], 70)).await;
    assert_eq!((told(&database, &ada).await, told(&database, &nobody).await), (vec![], vec![]));
}

async fn an_owner_is_told_of_what_proves_the_account(database: Database) {
    let store = &*database.store;
    let ada = account(&database, "Ada", "phone").await;
    assert_eq!(told(&database, &ada).await, [], "nor of the registration");
    let (player, session) = (ada.id, session_of(&ada));
    let password = || "another".to_owned();
    change(store, asked(&ada, 1, 10)).await.unwrap();
    confirm(&database, &ada, "ada@mail.example", 2).await;
    change(store, add(&ada, passkey("laptop"))).await.unwrap();
    change(store, remove(&ada, "laptop")).await.unwrap();
    let set = AccountChange::PasswordSet { player, session, device: None, password: password(), now_ms: 62 };
    change(store, set).await.unwrap();
    let removed = AccountChange::MailRemoved { player, session, notice: notice(3), now_ms: 63 };
    change(store, removed).await.unwrap();
    let recovered = |proof, now_ms| {
        let by = by("laptop", now_ms);
        AccountChange::Recovered { player, proof, password: password(), by, left: None }
    };
    let guessed = change(store, recovered(RecoveryProof::Code(secret("a guess")), 64)).await;
    assert_eq!(guessed, Err(Refused::WrongCredentials));
    change(store, recovered(RecoveryProof::Code(secret("code")), 65)).await.unwrap();
    make_link(&database, &ada, "recovery").await;
    change(store, recovered(RecoveryProof::Link(secret("recovery")), 66)).await.unwrap();
    let what = [
        (SecurityEvent::PasskeyAdded, 50),
        (SecurityEvent::PasskeyRemoved, 60),
        (SecurityEvent::PasswordSet, 62),
        (SecurityEvent::MailRemoved, 63),
        (SecurityEvent::RecoveredByCode, 65),
        (SecurityEvent::RecoveredByLink, 66),
        (SecurityEvent::MailSet, 500),
    ];
    let expected = what.map(|(what, at_ms)| InboxEvent::Security { what, at_ms });
    assert_eq!(told(&database, &ada).await.into_iter().rev().collect::<Vec<_>>(), expected);
}

async fn a_mail_address_that_stays_the_same_is_not_told(database: Database) {
    let ada = account(&database, "Ada", "phone").await;
    let remove = async |now_ms| {
        let (player, session) = (ada.id, session_of(&ada));
        let id = u128::try_from(now_ms).unwrap();
        let removed = AccountChange::MailRemoved { player, session, notice: notice(id), now_ms };
        change(&*database.store, removed).await.unwrap();
    };
    remove(1).await;
    confirm_at(&database, &ada, "ada@mail.example", 2, 2).await;
    confirm_at(&database, &ada, "Ada@mail.example", 3, 3).await;
    confirm_at(&database, &ada, "ada@towers.example", 4, 4).await;
    remove(5).await;
    remove(6).await;
    let what = [(SecurityEvent::MailSet, 2), (SecurityEvent::MailSet, 4), (SecurityEvent::MailRemoved, 5)];
    let expected = what.map(|(what, at_ms)| InboxEvent::Security { what, at_ms });
    assert_eq!(told(&database, &ada).await.into_iter().rev().collect::<Vec<_>>(), expected);
}

async fn a_day_of_vacation_is_told_once_and_only_if_it_was_used_by_itself(database: Database) {
    let ada = guest(&database).await;
    for deadline_ms in [DAY_MS, DAY_MS + 5] {
        change_vacation(&database, &ada, 3 * DAY_MS, VacationStep::Used { deadline_ms }).await.unwrap();
    }
    let hour_ms = DAY_MS - 60 * 60 * 1_000;
    let used = InboxEvent::VacationUsed { from_ms: hour_ms, to_ms: hour_ms + DAY_MS };
    assert_eq!(told(&database, &ada).await, [used]);
    change_vacation(&database, &ada, 3 * DAY_MS, VacationStep::Begun(1.try_into().unwrap())).await.unwrap();
    change_vacation(&database, &ada, 3 * DAY_MS, VacationStep::Ended).await.unwrap();
    change_vacation(&database, &ada, 3 * DAY_MS, VacationStep::SetAutomatic(false)).await.unwrap();
    let refused = VacationStep::Used { deadline_ms: 9 * DAY_MS };
    assert!(change_vacation(&database, &ada, 9 * DAY_MS, refused).await.is_err());
    assert_eq!(told(&database, &ada).await, [used]);
}

async fn the_author_of_a_report_is_told_that_it_was_answered_once(database: Database) {
    let ada = account(&database, "Ada", "phone").await;
    set_role(&database, 1, &ada, Some(Role::Moderator)).await.unwrap();
    let (bob, cleo) = (account(&database, "Bob", "tablet").await, account(&database, "Cleo", "laptop").await);
    let dora = account(&database, "Dora", "desk").await;
    let answered = |number: u128| {
        let (report, game) = (Uuid::from_u128(number), Uuid::from_u128(number));
        InboxEvent::ReportAnswered { report: ReportId::new(report), game: GameId::new(game) }
    };
    report(&database, 10, &bob, &cleo, ReportKind::Chat).await.unwrap();
    report(&database, 11, &dora, &cleo, ReportKind::Chat).await.unwrap();
    report(&database, 12, &bob, &cleo, ReportKind::Play).await.unwrap();
    report(&database, 13, &bob, &cleo, ReportKind::Name).await.unwrap();
    report(&database, 14, &dora, &cleo, ReportKind::Play).await.unwrap();
    assert_eq!(told(&database, &bob).await, [], "not before the answer");
    act(&database, 20, &ada, &cleo, Decision::Mute { until_ms: 1_000 }).await.unwrap();
    assert_eq!(told(&database, &bob).await, [answered(10)]);
    assert_eq!(told(&database, &dora).await, [answered(11)]);
    act(&database, 21, &ada, &cleo, Decision::Dismiss(ReportId::new(Uuid::from_u128(12)))).await.unwrap();
    assert_eq!(told(&database, &bob).await, [answered(12), answered(10)]);
    act(&database, 22, &ada, &cleo, Decision::DismissAll).await.unwrap();
    assert_eq!(told(&database, &bob).await, [answered(13), answered(12), answered(10)]);
    assert_eq!(told(&database, &dora).await, [answered(14), answered(11)]);
    act(&database, 23, &ada, &cleo, Decision::Close).await.unwrap();
    assert_eq!(told(&database, &dora).await.len(), 2, "they were answered");
    assert_eq!((told(&database, &ada).await, told(&database, &cleo).await), (vec![], vec![]));
}

async fn notices_are_deleted_after_a_while(database: Database) {
    let (ada, bob) = (guest(&database).await, guest(&database).await);
    for number in 1..=3 {
        tell(&database, &ada, over(number, &bob), number as i64).await;
    }
    let cleared = database.store.clear(Clearing::Notices { at_ms: 2 }).await;
    assert_eq!(cleared, Cleared { deleted: 2, is_more: false });
    assert_eq!(told(&database, &ada).await, [over(3, &bob)]);
}

async fn the_notices_of_a_deleted_guest_are_deleted(database: Database) {
    let (ada, bob) = (guest(&database).await, account(&database, "Bob", "tablet").await);
    tell(&database, &ada, over(7, &bob), 60).await;
    tell(&database, &bob, over(7, &ada), 60).await;
    database.store.clear(Clearing::Sessions { unused_since_ms: i64::MAX }).await;
    let cleared = database.store.clear(Clearing::Guests { before_ms: 10, at_most: 5 }).await;
    assert_eq!(cleared, Cleared { deleted: 1, is_more: false });
    assert_eq!((told(&database, &ada).await, told(&database, &bob).await.len()), (vec![], 1));
}
