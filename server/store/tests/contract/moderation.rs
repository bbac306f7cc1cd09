//! Reports, the acts of moderators, and their roles.

use game::{
    Player, ReportKind, Role, Seats, Status,
    ids::{ActId, GameId, PlayerId, ReportId, ReportText},
};
use store::{
    ACTS_AN_HOUR, ACTS_COUNT_MS, AccountChange, Act, ActKind, Audience, CHAT_LINES, Cleared, Clearing,
    Decision, GameRow, ModerationChange, NEUTRAL_NAME_KEPT_MS, NewAct, NewReport, REPORTED_LINES,
    REPORTS_A_DAY, REPORTS_COUNT_MS, Refused, Report, ReportCursor, ReportedChat, Write,
};
use uuid::Uuid;

use crate::{
    accounts::{PASSWORD, account, change, close, guest, registration, reopening, session_of, sign_in},
    chat::line,
    database::{Database, contract},
    sample::{append, name, player, room},
    verbs::Verbs,
};

contract! {
    a_report_about_the_same_matter_is_the_same_report
    an_account_makes_a_bounded_number_of_reports_in_a_day
    nobody_reports_himself_or_a_player_who_is_not_there
    open_reports_come_first_from_the_oldest_on
    roles_decide_who_acts_on_whom
    a_mute_holds_until_its_end_and_settles_the_reports_about_chats
    a_hidden_name_is_kept_from_everybody_and_signs_its_owner_in
    a_guest_whose_name_is_hidden_cannot_take_it_again
    an_account_that_a_moderator_closed_is_opened_by_moderators_alone
    the_reports_and_the_acts_about_an_erased_player_are_gone
    settled_reports_are_deleted_after_a_while
    a_report_about_chat_keeps_the_last_lines_of_its_target
    nobody_reads_the_reports_about_himself
    one_act_dismisses_all_reports_about_a_player
    a_moderator_acts_a_bounded_number_of_times_in_an_hour
    a_shorter_mute_does_not_end_a_longer_one
    a_player_whom_a_moderator_silenced_keeps_the_name
}

fn game(number: u128) -> GameId {
    GameId::new(Uuid::from_u128(number))
}

fn report_id(number: u128) -> ReportId {
    ReportId::new(Uuid::from_u128(number))
}

fn act_id(number: u128) -> ActId {
    ActId::new(Uuid::from_u128(number))
}

async fn moderate(database: &Database, change: ModerationChange) -> Result<(), Refused> {
    database.store.one(Write::Moderation(Box::new(change))).await.unwrap().map(drop)
}

/// Reports a player in the game with the number of the report.
pub(crate) async fn report(
    database: &Database,
    number: u128,
    by: &Player,
    target: &Player,
    kind: ReportKind,
) -> Result<(), Refused> {
    let text = Some(ReportText::try_from("it was rude".to_owned()).unwrap());
    let (by, target, at_ms) = (by.id, target.id, number as i64);
    let new =
        NewReport { id: report_id(number), by, target, kind, game: game(number), chat: None, text, at_ms };
    moderate(database, ModerationChange::Reported(new)).await
}

pub(crate) async fn act(
    database: &Database,
    number: u128,
    by: &Player,
    target: &Player,
    decision: Decision,
) -> Result<(), Refused> {
    let (session, target, at_ms) = (session_of(by), target.id, number as i64);
    let new = NewAct { id: act_id(number), by: by.id, session, target, decision, at_ms };
    moderate(database, ModerationChange::Acted(new)).await
}

pub(crate) async fn set_role(
    database: &Database,
    number: u128,
    player: &Player,
    role: Option<Role>,
) -> Result<(), Refused> {
    let (id, at_ms) = (act_id(number), number as i64);
    moderate(database, ModerationChange::RoleSet { id, player: player.id, role, at_ms }).await
}

/// A moderator, and the two accounts Bob and Cleo.
async fn scene(database: &Database) -> [Player; 3] {
    let ada = account(database, "Ada", "phone").await;
    set_role(database, 1, &ada, Some(Role::Moderator)).await.unwrap();
    [ada, account(database, "Bob", "tablet").await, account(database, "Cleo", "laptop").await]
}

/// A reader whom no report is about.
fn nobody() -> PlayerId {
    PlayerId::new(Uuid::nil())
}

async fn reports(database: &Database) -> Vec<(ReportId, bool)> {
    let reports = database.store.reports(nobody(), None, 100).await.unwrap();
    reports.into_iter().map(|report| (report.id, report.settled_ms.is_some())).collect()
}

async fn a_report_about_the_same_matter_is_the_same_report(database: Database) {
    let [ada, bob, cleo] = scene(&database).await;
    let id = report_id(10);
    assert_eq!(report(&database, 10, &cleo, &bob, ReportKind::Chat).await, Ok(()));
    let again = NewReport {
        id: report_id(11),
        by: cleo.id,
        target: bob.id,
        kind: ReportKind::Chat,
        game: game(10),
        chat: None,
        text: None,
        at_ms: 11,
    };
    assert_eq!(moderate(&database, ModerationChange::Reported(again.clone())).await, Ok(()));
    let expected = Report {
        id,
        at_ms: 10,
        by: cleo.id,
        target: bob.id,
        kind: ReportKind::Chat,
        game: game(10),
        name: name("Bob"),
        text: Some(ReportText::try_from("it was rude".to_owned()).unwrap()),
        lines: vec![],
        settled_ms: None,
    };
    assert_eq!(database.store.reports(nobody(), None, 9).await.unwrap(), std::slice::from_ref(&expected));
    assert_eq!(database.store.report(id).await.unwrap(), Some(expected));
    assert_eq!(database.store.report(report_id(11)).await.unwrap(), None);
    act(&database, 12, &ada, &bob, Decision::Dismiss(id)).await.unwrap();
    assert_eq!(moderate(&database, ModerationChange::Reported(again)).await, Ok(()));
    assert_eq!(reports(&database).await, [(report_id(11), false), (id, true)], "the first was answered");
}

async fn an_account_makes_a_bounded_number_of_reports_in_a_day(database: Database) {
    let [_, bob, cleo] = scene(&database).await;
    for number in 0..u128::from(REPORTS_A_DAY) {
        assert_eq!(report(&database, 10 + number, &cleo, &bob, ReportKind::Play).await, Ok(()));
    }
    let more = async |number| report(&database, number, &cleo, &bob, ReportKind::Play).await;
    assert_eq!(more(100).await, Err(Refused::TooManyReports));
    assert_eq!(report(&database, 101, &bob, &cleo, ReportKind::Play).await, Ok(()), "of another account");
    let day = u128::try_from(REPORTS_COUNT_MS).unwrap();
    assert_eq!(more(day + 10).await, Ok(()));
    assert_eq!(more(day + 10).await, Ok(()), "it is the same");
    assert_eq!(more(day + 9).await, Err(Refused::TooManyReports));
}

async fn nobody_reports_himself_or_a_player_who_is_not_there(database: Database) {
    let [_, bob, _] = scene(&database).await;
    let nobody = player("Nobody");
    assert_eq!(report(&database, 10, &bob, &bob, ReportKind::Name).await, Err(Refused::OnOneself));
    assert_eq!(report(&database, 10, &bob, &nobody, ReportKind::Name).await, Err(Refused::NoTarget));
    assert_eq!(report(&database, 10, &nobody, &bob, ReportKind::Name).await, Err(Refused::NoSession));
    assert_eq!(reports(&database).await, []);
}

async fn open_reports_come_first_from_the_oldest_on(database: Database) {
    let [ada, bob, cleo] = scene(&database).await;
    for number in 10..16 {
        report(&database, number, &cleo, &bob, ReportKind::Play).await.unwrap();
    }
    for number in [11, 14] {
        let dismissal = Decision::Dismiss(report_id(number));
        assert_eq!(act(&database, 20 + number, &ada, &bob, dismissal.clone()).await, Ok(()));
        let again = act(&database, 30 + number, &ada, &bob, dismissal).await;
        assert_eq!(again, Err(Refused::NothingToDo));
    }
    let (mut read, mut after) = (Vec::new(), None);
    loop {
        let page = database.store.reports(nobody(), after, 4).await.unwrap();
        let Some(last) = page.last() else { break };
        after = Some(ReportCursor::behind(last));
        read.extend(page.into_iter().map(|report| report.id));
    }
    assert_eq!(read, [10, 12, 13, 15, 14, 11].map(report_id));
    let by = async |player: &Player, after| -> Vec<ReportId> {
        let reports = database.store.reports_by(player.id, after, 4).await.unwrap();
        reports.into_iter().map(|report| report.id).collect()
    };
    assert_eq!(by(&cleo, None).await, [10, 11, 12, 13].map(report_id));
    assert_eq!(by(&cleo, Some(report_id(13))).await, [14, 15].map(report_id));
    assert_eq!(by(&bob, None).await, []);
    let mute = Decision::Mute { until_ms: 1_000 };
    act(&database, 50, &ada, &bob, mute).await.unwrap();
    assert_eq!(reports(&database).await.iter().filter(|(_, is_settled)| !is_settled).count(), 4);
    act(&database, 51, &ada, &bob, Decision::Close).await.unwrap();
    assert!(reports(&database).await.iter().all(|(_, is_settled)| *is_settled));
}

async fn roles_decide_who_acts_on_whom(database: Database) {
    let [ada, bob, cleo] = scene(&database).await;
    let mute = || Decision::Mute { until_ms: 1_000 };
    let role = async |player: &Player| database.store.role(player.id).await.unwrap();
    assert_eq!((role(&ada).await, role(&bob).await), (Some(Role::Moderator), None));
    assert_eq!(act(&database, 10, &bob, &cleo, mute()).await, Err(Refused::NotModerator));
    assert_eq!(act(&database, 10, &ada, &ada, mute()).await, Err(Refused::OnOneself));
    assert_eq!(act(&database, 10, &ada, &cleo, mute()).await, Ok(()));
    set_role(&database, 11, &bob, Some(Role::Admin)).await.unwrap();
    assert_eq!(act(&database, 12, &ada, &bob, mute()).await, Err(Refused::OnModerator));
    assert_eq!(act(&database, 12, &bob, &ada, mute()).await, Ok(()));
    set_role(&database, 13, &ada, None).await.unwrap();
    assert_eq!(act(&database, 14, &ada, &cleo, Decision::Unmute).await, Err(Refused::NotModerator));
    assert_eq!(set_role(&database, 15, &guest(&database).await, None).await, Err(Refused::NoTarget));
    let other_session = NewAct {
        id: act_id(16),
        by: bob.id,
        session: session_of(&ada),
        target: cleo.id,
        decision: Decision::Unmute,
        at_ms: 16,
    };
    assert_eq!(moderate(&database, ModerationChange::Acted(other_session)).await, Err(Refused::NoSession));

    let acts = database.store.acts(None, 10).await.unwrap();
    let (by, target) = (Some(bob.id), ada.id);
    assert_eq!(
        acts[1],
        Act { id: act_id(12), at_ms: 12, by, target, what: ActKind::Muted { until_ms: 1_000 } }
    );
    let done = |act: &Act| (act.id, act.target, act.what.clone());
    assert_eq!(
        acts.iter().map(done).collect::<Vec<_>>(),
        [
            (act_id(13), ada.id, ActKind::RoleTaken),
            (act_id(12), ada.id, ActKind::Muted { until_ms: 1_000 }),
            (act_id(11), bob.id, ActKind::RoleGiven(Role::Admin)),
            (act_id(10), cleo.id, ActKind::Muted { until_ms: 1_000 }),
            (act_id(1), ada.id, ActKind::RoleGiven(Role::Moderator)),
        ]
    );
    assert_eq!(database.store.acts(Some(act_id(12)), 1).await.unwrap()[0].id, act_id(11));
    let on_ada: Vec<_> =
        database.store.acts_on(ada.id, None, 2).await.unwrap().iter().map(|act| act.id).collect();
    assert_eq!(on_ada, [act_id(13), act_id(12)]);
    let earlier = database.store.acts_on(ada.id, Some(act_id(12)), 9).await.unwrap();
    assert_eq!(earlier.iter().map(|act| act.id).collect::<Vec<_>>(), [act_id(1)]);
    close(&database, &bob, "tablet", 70).await.unwrap();
    set_role(&database, 17, &bob, None).await.unwrap();
    assert_eq!(role(&bob).await, None, "also of a closed account, which may be opened again");
}

async fn a_mute_holds_until_its_end_and_settles_the_reports_about_chats(database: Database) {
    let [ada, bob, cleo] = scene(&database).await;
    let guest = guest(&database).await;
    report(&database, 10, &cleo, &guest, ReportKind::Chat).await.unwrap();
    report(&database, 11, &cleo, &guest, ReportKind::Name).await.unwrap();
    report(&database, 12, &cleo, &bob, ReportKind::Chat).await.unwrap();
    assert_eq!(act(&database, 20, &ada, &guest, Decision::Mute { until_ms: 1_000 }).await, Ok(()));
    assert_eq!(
        reports(&database).await,
        [(report_id(11), false), (report_id(12), false), (report_id(10), true)]
    );
    assert_eq!(database.store.muted(999).await.unwrap(), [(guest.id, 1_000)]);
    assert_eq!(database.store.muted(1_000).await.unwrap(), []);
    assert_eq!(act(&database, 21, &ada, &bob, Decision::Unmute).await, Err(Refused::NothingToDo));
    assert_eq!(act(&database, 22, &ada, &guest, Decision::Unmute).await, Ok(()));
    assert_eq!(database.store.muted(0).await.unwrap(), []);
    act(&database, 23, &ada, &bob, Decision::Dismiss(report_id(12))).await.unwrap();
    assert_eq!(
        database.store.acts_on(bob.id, None, 9).await.unwrap(),
        [],
        "a dismissed report is no act on him"
    );
}

async fn a_hidden_name_is_kept_from_everybody_and_signs_its_owner_in(database: Database) {
    let [ada, bob, cleo] = scene(&database).await;
    let store = &database.store;
    store.rename(bob.id, &name("BOB")).await.unwrap();
    store.rename(bob.id, &name("Robert")).await.unwrap();
    store.rename(bob.id, &name("Bob")).await.unwrap();
    report(&database, 10, &cleo, &bob, ReportKind::Name).await.unwrap();
    let hide = |neutral: &str| Decision::HideName { name: name("Bob"), neutral: name(neutral) };
    let strange = Decision::HideName { name: name("Cleo"), neutral: name("Anon 1") };
    assert_eq!(act(&database, 20, &ada, &bob, strange).await, Err(Refused::NothingToDo), "it is not his");
    assert_eq!(act(&database, 20, &ada, &bob, hide("CLEO")).await, Err(Refused::NameTaken));
    assert_eq!(act(&database, 20, &ada, &bob, hide("Anon 1")).await, Ok(()));
    assert_eq!(reports(&database).await, [(report_id(10), true)]);
    let shown = store.named(&[bob.id]).await.unwrap();
    assert_eq!(shown[0].0.name, name("Anon 1"));
    let own = store.account(bob.id).await.unwrap().unwrap();
    assert_eq!(own.former_names, [name("Robert")], "those that look like it are hidden too");
    for (player, text) in [(&bob, "Bob"), (&bob, "bob"), (&cleo, "BOB"), (&cleo, "Anon 1")] {
        assert_eq!(store.rename(player.id, &name(text)).await, Err(Refused::NameTaken), "{text}");
        assert!(store.is_taken(&name(text), cleo.id).await.unwrap(), "{text}");
    }
    assert_eq!(store.player_named(&name("Bob")).await.unwrap(), None);
    assert_eq!(store.player_named(&name("anon 1")).await.unwrap(), Some(bob.id));
    assert_eq!(store.credentials("bob", None, 0).await.unwrap().unwrap().player.id, bob.id);
    for account in store.named_accounts(None, 9).await.unwrap() {
        let keys = account.names.iter().flat_map(|name| name.keys()).collect();
        assert_eq!(account.keys, keys, "as `towers check` expects");
    }
    assert_eq!(store.rename(bob.id, &name("Polite")).await, Ok(()));
    let what = ActKind::NameHidden(name("Bob"));
    assert_eq!(store.acts_on(bob.id, None, 9).await.unwrap()[0].what, what);

    // The reported name, and not the one that was taken after the report.
    let former = Decision::HideName { name: name("robert"), neutral: name("Anon 2") };
    assert_eq!(act(&database, 30, &ada, &bob, former).await, Ok(()));
    assert_eq!(store.named(&[bob.id]).await.unwrap()[0].0.name, name("Polite"));
    assert_eq!(store.rename(bob.id, &name("Robert")).await, Err(Refused::NameTaken));
    assert!(!store.is_taken(&name("Anon 2"), cleo.id).await.unwrap());
}

async fn a_guest_whose_name_is_hidden_cannot_take_it_again(database: Database) {
    let [ada, bob, cleo] = scene(&database).await;
    let (store, guest) = (&database.store, guest(&database).await);
    store.rename(guest.id, &name("Rude")).await.unwrap();
    let hide = |neutral: &str| Decision::HideName { name: name("rude"), neutral: name(neutral) };
    assert_eq!(act(&database, 20, &ada, &guest, hide("Anon 1")).await, Ok(()));
    for (player, text) in [(&guest, "rude"), (&bob, "Rude")] {
        assert_eq!(store.rename(player.id, &name(text)).await, Err(Refused::NameTaken));
    }
    assert_eq!(store.rename(guest.id, &name("Polite")).await, Ok(()));
    assert_eq!(store.rename(cleo.id, &name("Anon 1")).await, Ok(()), "a guest has no name of its own");
    assert_eq!(act(&database, 21, &ada, &player("Nobody"), hide("Anon 2")).await, Err(Refused::NothingToDo));
}

async fn an_account_that_a_moderator_closed_is_opened_by_moderators_alone(database: Database) {
    let [ada, bob, _] = scene(&database).await;
    let store = &database.store;
    assert_eq!(act(&database, 20, &ada, &bob, Decision::Reopen).await, Err(Refused::NothingToDo));
    assert_eq!(act(&database, 20, &ada, &bob, Decision::Close).await, Ok(()));
    assert_eq!(act(&database, 21, &ada, &bob, Decision::Close).await, Err(Refused::NothingToDo));
    assert_eq!(store.sessions_of(bob.id, 0).await.unwrap(), []);
    assert_eq!(store.named(&[bob.id]).await.unwrap(), []);
    let sign_in = || sign_in(&bob, PASSWORD, "tablet", None);
    for attempt in [sign_in(), reopening(&bob, PASSWORD)] {
        assert_eq!(change(&**store, attempt).await, Err(Refused::AccountBarred));
    }
    assert_eq!(act(&database, 22, &ada, &bob, Decision::Reopen).await, Ok(()));
    assert_eq!(change(&**store, sign_in()).await, Ok(()));
    // What its owner had closed before stays closed.
    close(&database, &bob, "tablet", 1_000).await.unwrap();
    assert_eq!(act(&database, 30, &ada, &bob, Decision::Close).await, Ok(()));
    assert_eq!(act(&database, 31, &ada, &bob, Decision::Reopen).await, Ok(()));
    assert_eq!(change(&**store, sign_in()).await, Err(Refused::AccountClosed));
    assert_eq!(store.named(&[bob.id]).await.unwrap(), []);
    let guest = guest(&database).await;
    assert_eq!(act(&database, 23, &ada, &guest, Decision::Close).await, Err(Refused::NothingToDo));
}

async fn the_reports_and_the_acts_about_an_erased_player_are_gone(database: Database) {
    let [ada, bob, cleo] = scene(&database).await;
    let (store, guest) = (&database.store, guest(&database).await);
    report(&database, 10, &cleo, &bob, ReportKind::Chat).await.unwrap();
    report(&database, 11, &bob, &cleo, ReportKind::Chat).await.unwrap();
    report(&database, 12, &cleo, &guest, ReportKind::Chat).await.unwrap();
    report(&database, 13, &cleo, &ada, ReportKind::Play).await.unwrap();
    act(&database, 20, &ada, &guest, Decision::Mute { until_ms: 1_000 }).await.unwrap();
    act(&database, 21, &ada, &bob, Decision::Mute { until_ms: 1_000 }).await.unwrap();
    act(&database, 22, &ada, &bob, Decision::Close).await.unwrap();
    let erasure = Clearing::Accounts { closed_before_ms: 1_000, at_most: 9 };
    assert_eq!(store.clear(erasure.clone()).await, Cleared { deleted: 1, is_more: false });
    assert_eq!(reports(&database).await, [(report_id(13), false), (report_id(12), true)]);
    assert_eq!(store.muted(0).await.unwrap(), [(guest.id, 1_000)]);
    let by = async |target: PlayerId| -> Vec<Option<PlayerId>> {
        store.acts_on(target, None, 9).await.unwrap().into_iter().map(|act| act.by).collect()
    };
    assert_eq!((by(bob.id).await, by(guest.id).await), (vec![], vec![Some(ada.id)]));

    let closed = AccountChange::Closed { player: ada.id, session: session_of(&ada), now_ms: 30 };
    change(&**store, closed).await.unwrap();
    assert_eq!(store.clear(erasure).await, Cleared { deleted: 1, is_more: false });
    assert_eq!(by(guest.id).await, [None], "nobody learns who it was");
    assert_eq!(reports(&database).await, [(report_id(12), true)]);
    store.clear(Clearing::Guests { before_ms: 2, at_most: 9 }).await;
    assert_eq!(store.session(&crate::accounts::secret(&guest.id.to_string()), 0).await.unwrap(), None);
    assert_eq!((reports(&database).await, store.acts(None, 9).await.unwrap()), (vec![], vec![]));
}

async fn settled_reports_are_deleted_after_a_while(database: Database) {
    let [ada, bob, cleo] = scene(&database).await;
    for number in [10, 11, 12] {
        report(&database, number, &cleo, &bob, ReportKind::Play).await.unwrap();
    }
    for number in [10, 11] {
        act(&database, 10 + number, &ada, &bob, Decision::Dismiss(report_id(number))).await.unwrap();
    }
    let cleared = database.store.clear(Clearing::Reports { settled_ms: 20 }).await;
    assert_eq!(cleared, Cleared { deleted: 1, is_more: false });
    assert_eq!(reports(&database).await, [(report_id(12), false), (report_id(11), true)]);
}

async fn a_report_about_chat_keeps_the_last_lines_of_its_target(database: Database) {
    let [_, bob, cleo] = scene(&database).await;
    let seats = Seats { first: bob.id, second: cleo.id };
    let game = GameRow { status: Status::Playing, seats: Some(seats), creator: bob.id, ..room("Ada") };
    database.write(append(&game, 1..=1)).await;
    let say = async |who: &Player, audience, at_ms: i64| {
        let mut said = line(&game, audience, who, &at_ms.to_string());
        said.line.at_ms = at_ms;
        database.write(Write::Line(said)).await;
    };
    for at_ms in 1..=REPORTED_LINES.into() {
        say(&bob, Audience::Players, at_ms).await;
        say(&cleo, Audience::Players, at_ms).await;
        say(&bob, Audience::Spectators, 1_000 + at_ms).await;
    }
    let lines = async |number: u128, kind, after_ms| -> Vec<(i64, String)> {
        let chat = Some(ReportedChat { audience: Audience::Players, after_ms });
        let (id, text) = (report_id(number), None);
        let new = NewReport { id, by: cleo.id, target: bob.id, kind, game: game.id, chat, text, at_ms: 60 };
        moderate(&database, ModerationChange::Reported(new)).await.unwrap();
        let report = database.store.report(id).await.unwrap().unwrap();
        report.lines.into_iter().map(|line| (line.at_ms, line.text.as_str().to_owned())).collect()
    };
    let said = |times: std::ops::RangeInclusive<i64>| -> Vec<(i64, String)> {
        times.map(|at_ms| (at_ms, at_ms.to_string())).collect()
    };
    let most = i64::from(REPORTED_LINES);
    assert_eq!(lines(10, ReportKind::Chat, None).await, said(1..=most));
    say(&bob, Audience::Players, most + 1).await;
    assert_eq!(lines(11, ReportKind::Play, None).await, said(2..=most + 1), "the last ones");
    assert_eq!(lines(12, ReportKind::Name, Some(5)).await, said(6..=most + 1), "of those who play now");
    for number in 0..i64::from(CHAT_LINES) {
        say(&bob, Audience::Players, 2_000 + number).await;
    }
    let report = database.store.report(report_id(10)).await.unwrap().unwrap();
    assert_eq!(report.lines.len(), REPORTED_LINES as usize, "later lines do not push them out");
    assert_eq!(report.lines[0].at_ms, 1);
}

async fn nobody_reads_the_reports_about_himself(database: Database) {
    let [ada, bob, cleo] = scene(&database).await;
    for (number, target) in [(10, &ada), (11, &bob), (12, &ada)] {
        report(&database, number, &cleo, target, ReportKind::Play).await.unwrap();
    }
    set_role(&database, 13, &bob, Some(Role::Admin)).await.unwrap();
    act(&database, 14, &bob, &ada, Decision::Dismiss(report_id(12))).await.unwrap();
    let read = async |reader: &Player| -> Vec<ReportId> {
        let reports = database.store.reports(reader.id, None, 9).await.unwrap();
        reports.into_iter().map(|report| report.id).collect()
    };
    assert_eq!(read(&ada).await, [report_id(11)]);
    assert_eq!(read(&bob).await, [report_id(10), report_id(12)]);
}

async fn one_act_dismisses_all_reports_about_a_player(database: Database) {
    let [ada, bob, cleo] = scene(&database).await;
    for (number, kind) in [(10, ReportKind::Play), (11, ReportKind::Chat), (12, ReportKind::Play)] {
        report(&database, number, &cleo, &bob, kind).await.unwrap();
    }
    report(&database, 13, &bob, &cleo, ReportKind::Play).await.unwrap();
    assert_eq!(act(&database, 20, &ada, &bob, Decision::DismissAll).await, Ok(()));
    let are_settled = [(13, false), (12, true), (11, true), (10, true)];
    assert_eq!(reports(&database).await, are_settled.map(|(number, is)| (report_id(number), is)));
    assert_eq!(act(&database, 21, &ada, &bob, Decision::DismissAll).await, Err(Refused::NothingToDo));
    let by: Vec<_> =
        database.store.acts_by(ada.id, None, 9).await.unwrap().into_iter().map(|act| act.id).collect();
    assert_eq!(by, [act_id(20)]);
    assert_eq!(database.store.acts_by(ada.id, Some(act_id(20)), 9).await.unwrap(), []);
}

async fn a_moderator_acts_a_bounded_number_of_times_in_an_hour(database: Database) {
    let [ada, bob, cleo] = scene(&database).await;
    let most = u128::from(ACTS_AN_HOUR);
    let mute = async |by: &Player, number: u128| {
        let until_ms = i64::MAX;
        act(&database, number, by, &cleo, Decision::Mute { until_ms }).await
    };
    for number in 0..most {
        assert_eq!(mute(&ada, 10 + number).await, Ok(()));
    }
    let until_ms = 10 + ACTS_COUNT_MS;
    let refused = Err(Refused::TooManyActs { until_ms });
    assert_eq!(mute(&ada, 100).await, refused);
    report(&database, 101, &cleo, &bob, ReportKind::Play).await.unwrap();
    assert_eq!(act(&database, 102, &ada, &bob, Decision::DismissAll).await, Ok(()), "it does no harm");
    set_role(&database, 103, &bob, Some(Role::Moderator)).await.unwrap();
    assert_eq!(mute(&bob, 104).await, Ok(()), "of another moderator");
    let until = u128::try_from(until_ms).unwrap();
    assert_eq!(mute(&ada, until - 1).await, refused);
    assert_eq!(mute(&ada, until).await, Ok(()));
}

async fn a_shorter_mute_does_not_end_a_longer_one(database: Database) {
    let [ada, bob, _] = scene(&database).await;
    for (number, until_ms) in [(10, 1_000), (11, 500)] {
        act(&database, number, &ada, &bob, Decision::Mute { until_ms }).await.unwrap();
        assert_eq!(database.store.muted(0).await.unwrap(), [(bob.id, 1_000)]);
    }
    let told = database.store.acts_on(bob.id, None, 1).await.unwrap();
    assert_eq!(told[0].what, ActKind::Muted { until_ms: 1_000 }, "what holds is told");
    act(&database, 12, &ada, &bob, Decision::Unmute).await.unwrap();
    act(&database, 13, &ada, &bob, Decision::Mute { until_ms: 500 }).await.unwrap();
    assert_eq!(database.store.muted(0).await.unwrap(), [(bob.id, 500)]);
}

async fn a_player_whom_a_moderator_silenced_keeps_the_name(database: Database) {
    let [ada, bob, cleo] = scene(&database).await;
    let (store, guest) = (&database.store, guest(&database).await);
    act(&database, 10, &ada, &bob, Decision::Mute { until_ms: 1_000 }).await.unwrap();
    let refused = |until_ms| Err(Refused::KeepsName { until_ms });
    assert_eq!(store.rename_at(bob.id, &name("Rude"), 999).await, refused(1_000));
    assert_eq!(store.rename_at(cleo.id, &name("Rude"), 999).await, Ok(()), "another player");
    assert_eq!(store.rename_at(bob.id, &name("Polite"), 1_000).await, Ok(()));

    let hide = Decision::HideName { name: guest.name.clone(), neutral: name("Anon 1") };
    act(&database, 11, &ada, &guest, hide).await.unwrap();
    let until_ms = 11 + NEUTRAL_NAME_KEPT_MS;
    assert_eq!(store.rename_at(guest.id, &name("Ruder"), until_ms - 1).await, refused(until_ms));
    let account = registration(&Player { id: guest.id, name: name("Ruder") }, "desk");
    assert_eq!(change(&**store, account).await, refused(until_ms), "nor by an account");
    assert_eq!(store.rename_at(guest.id, &name("Ruder"), until_ms).await, Ok(()));
}
