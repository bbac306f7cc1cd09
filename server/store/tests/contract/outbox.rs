use engine::Side;
use game::{
    Bonus, ClockRule, Language, NoticeChannel, NoticePurpose, NoticeSettings, Player, QuietHours, RealTime,
    Seats, Status, TurnMails, Zone,
    ids::{BotLevel, Days, GameId, Hour, PlayerId, Version},
};
use store::{
    AccountChange, Cleared, Clearing, DueMessage, GameRow, Link, Mail, NoticeMail, OutboxChange, OutboxKey,
    Purpose, Refused, TURN_TOLD_AFTER_MS, Write, Written,
};
use uuid::Uuid;

use crate::{
    accounts::{account, change, guest, make_link, secret},
    database::{Database, contract},
    mails::{asked, confirm, notice},
    sample::{append, keeping, room},
    verbs::Verbs,
};

contract! {
    a_turn_of_a_slow_game_is_noted_for_its_player_whom_a_mail_reaches
    each_player_whose_turn_begins_in_a_commit_is_told
    a_live_game_a_bot_and_a_player_of_both_seats_are_told_nothing
    an_earlier_time_stays_and_each_change_is_another_one
    a_deadline_that_moves_within_a_turn_is_told_at_its_new_times
    the_events_of_a_turn_are_read_from_the_one_that_began_it_on
    a_message_is_due_again_until_it_is_done
    what_comes_while_a_message_is_sent_is_told_after_it
    a_message_is_postponed_unless_there_is_more
    the_mails_with_messages_are_counted
    a_link_that_stops_mails_outlives_the_others
    an_account_sets_when_it_is_told_and_a_link_stops_its_mails
    an_account_is_warned_of_turns_that_waited_before_mails_reached_it
    messages_go_with_their_account
}

const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// A game under way of three days for each turn, in which the player of the first seat is to move since `at_ms`.
pub(crate) fn slow_game(first: PlayerId, second: PlayerId, at_ms: i64) -> GameRow {
    GameRow {
        status: Status::Playing,
        clock: ClockRule::Correspondence { days: Days::try_from(3).unwrap() },
        seats: Some(Seats { first, second }),
        to_move: Side::First,
        updated_ms: at_ms,
        deadline_ms: Some(at_ms + 3 * DAY_MS),
        ..room("Ada")
    }
}

/// An account with a mail address.
async fn mailed(database: &Database, name: &str) -> Player {
    let account = account(database, name, name).await;
    confirm(database, &account, &format!("{name}@mail.example"), 1).await;
    let key = key(&account, NoticePurpose::Deadline);
    let done = OutboxChange::Done { key, changed_ms: 500, now_ms: 500, next_ms: None };
    assert_eq!(sent(database, done).await, Ok(Written::Done), "no turn waits");
    account
}

const fn key(player: &Player, purpose: NoticePurpose) -> OutboxKey {
    OutboxKey { player: player.id, purpose, channel: NoticeChannel::Mail }
}

async fn due(database: &Database, now_ms: i64) -> Vec<DueMessage> {
    database.store.due_messages(NoticeChannel::Mail, now_ms, 9).await.unwrap()
}

/// The purposes and the changes of the messages that are due.
async fn changes(database: &Database, now_ms: i64) -> Vec<(NoticePurpose, i64, i64)> {
    let due = due(database, now_ms).await.into_iter();
    due.map(|due| (due.key.purpose, due.since_ms, due.changed_ms)).collect()
}

async fn sent(database: &Database, change: OutboxChange) -> Result<Written, Refused> {
    database.store.one(Write::Outbox(Box::new(change))).await.unwrap()
}

async fn a_turn_of_a_slow_game_is_noted_for_its_player_whom_a_mail_reaches(database: Database) {
    let (ada, bob) = (mailed(&database, "Ada").await, account(&database, "Bob", "laptop").await);
    let visitor = guest(&database).await;
    database.write(append(&slow_game(ada.id, bob.id, 1_000), 1..=1)).await;
    database.write(append(&slow_game(bob.id, ada.id, 1_000), 1..=1)).await;
    database.write(append(&slow_game(visitor.id, ada.id, 1_000), 1..=1)).await;
    assert_eq!(due(&database, 1_000 + TURN_TOLD_AFTER_MS - 1).await, []);
    let turns =
        DueMessage { key: key(&ada, NoticePurpose::Turns), since_ms: 1_000, changed_ms: 1_000, attempts: 0 };
    assert_eq!(due(&database, 1_000 + TURN_TOLD_AFTER_MS).await, [turns]);
    let quarter_ms = 1_000 + 3 * DAY_MS * 3 / 4;
    assert_eq!(due(&database, quarter_ms - 1).await.len(), 1);
    let deadline = DueMessage { key: key(&ada, NoticePurpose::Deadline), ..turns };
    assert_eq!(due(&database, quarter_ms).await, [turns, deadline]);
}

async fn each_player_whose_turn_begins_in_a_commit_is_told(database: Database) {
    let (ada, bob) = (mailed(&database, "Ada").await, mailed(&database, "Bob").await);
    let visitor = guest(&database).await;
    let turns =
        [(&ada, &bob, 3_000), (&visitor, &ada, 4_000), (&bob, &visitor, 2_000), (&ada, &visitor, 1_000)];
    let turns = turns.map(|(player, other, at_ms)| append(&slow_game(player.id, other.id, at_ms), 1..=1));
    assert_eq!(database.commit(&turns).await, [Ok(()); 4]);
    let due = due(&database, 3_000 + TURN_TOLD_AFTER_MS).await;
    let mut told: Vec<_> = due.iter().map(|due| (due.key.player, due.changed_ms)).collect();
    told.sort_unstable_by_key(|(_, changed_ms)| *changed_ms);
    assert_eq!(told, [(bob.id, 2_000), (ada.id, 3_000)], "due since the first turn, changed by the last");
    let deadlines = changes(&database, 4_000 + 3 * DAY_MS).await;
    assert_eq!(deadlines.len(), 4);
}

async fn a_live_game_a_bot_and_a_player_of_both_seats_are_told_nothing(database: Database) {
    let (ada, bob) = (mailed(&database, "Ada").await, mailed(&database, "Bob").await);
    let live = ClockRule::RealTime(RealTime::new(60, 1, Bonus::PerTurn).unwrap());
    let bot = BotLevel::try_from(3).unwrap().player();
    let slow = slow_game(ada.id, bob.id, 1_000);
    let over = GameRow { status: Status::Finished, ..slow_game(ada.id, bob.id, 1_000) };
    for game in [
        GameRow { clock: live, ..slow_game(ada.id, bob.id, 1_000) },
        slow_game(bot.id, ada.id, 1_000),
        slow_game(ada.id, ada.id, 1_000),
        over,
        room("Ada"),
    ] {
        database.write(append(&game, 1..=1)).await;
        assert_eq!(due(&database, i64::MAX).await, [], "{game:?}");
    }
    let open = GameRow { status: Status::Open, seats: None, ..slow.clone() };
    database.write(append(&open, 1..=1)).await;
    database.write(append(&slow, 2..=2)).await;
    assert_eq!(due(&database, i64::MAX).await.len(), 2, "a game that begins");
    let offered = GameRow { version: Version::new(3), updated_ms: 2_000, ..slow };
    database.write(keeping(&offered, 3..=3)).await;
    let turns =
        changes(&database, i64::MAX).await.into_iter().find(|(purpose, ..)| *purpose == NoticePurpose::Turns);
    assert_eq!(turns, Some((NoticePurpose::Turns, 1_000, 1_000)), "an offer is no turn");
    let untimed = GameRow { clock: ClockRule::None, deadline_ms: None, ..slow_game(bob.id, ada.id, 1_000) };
    database.write(append(&untimed, 1..=1)).await;
    let of_bob = due(&database, i64::MAX).await.into_iter().filter(|due| due.key.player == bob.id);
    let purposes: Vec<_> = of_bob.map(|due| due.key.purpose).collect();
    assert_eq!(purposes, [NoticePurpose::Turns], "without a clock there is no deadline");
}

async fn an_earlier_time_stays_and_each_change_is_another_one(database: Database) {
    let (ada, bob) = (mailed(&database, "Ada").await, guest(&database).await);
    for (at_ms, changed_ms) in [(5_000, 5_000), (9_000, 9_000), (9_000, 9_001), (2_000, 9_002)] {
        database.write(append(&slow_game(ada.id, bob.id, at_ms), 1..=1)).await;
        let first_ms = at_ms.min(5_000) + TURN_TOLD_AFTER_MS;
        assert_eq!(changes(&database, first_ms - 1).await, []);
        assert_eq!(changes(&database, first_ms).await, [(NoticePurpose::Turns, 5_000, changed_ms)]);
    }
    let both = [3_000, 4_000].map(|at_ms| append(&slow_game(ada.id, bob.id, at_ms), 1..=1));
    database.commit(&both).await;
    assert_eq!(changes(&database, 2_000 + TURN_TOLD_AFTER_MS).await, [(NoticePurpose::Turns, 5_000, 9_003)]);
}

/// An attempt to send a message at a time, with a link.
fn tried(key: OutboxKey, link: &str, now_ms: i64, again_ms: i64) -> OutboxChange {
    let link = Link { secret: secret(link), purpose: Purpose::Unsubscription, expires_ms: DAY_MS };
    let mail = Some(NoticeMail { id: Uuid::now_v7(), link });
    OutboxChange::Tried { key, mail, now_ms, again_ms }
}

async fn a_message_is_due_again_until_it_is_done(database: Database) {
    let (ada, bob) = (mailed(&database, "Ada").await, guest(&database).await);
    let key = key(&ada, NoticePurpose::Turns);
    assert_eq!(sent(&database, tried(key, "early", 1, 2)).await, Err(Refused::NothingToSend));
    database.write(append(&slow_game(ada.id, bob.id, 0), 1..=1)).await;
    let now_ms = TURN_TOLD_AFTER_MS;
    assert_eq!(sent(&database, tried(key, "first", now_ms, now_ms + 5)).await, Ok(Written::Done));
    assert_eq!(due(&database, now_ms + 4).await, []);
    let stale = tried(key, "stale", now_ms + 4, now_ms + 9);
    assert_eq!(sent(&database, stale).await, Err(Refused::NothingToSend), "another node is sending it");
    let again = DueMessage { key, since_ms: 0, changed_ms: 0, attempts: 1 };
    assert_eq!(due(&database, now_ms + 5).await, [again]);
    let done = |changed_ms, next_ms| OutboxChange::Done { key, changed_ms, now_ms, next_ms };
    assert_eq!(sent(&database, done(0, Some(now_ms + 9))).await, Ok(Written::Done));
    assert_eq!(due(&database, now_ms + 8).await, []);
    let next = DueMessage { key, since_ms: now_ms, changed_ms: 1, attempts: 0 };
    assert_eq!(due(&database, now_ms + 9).await, [next], "another one begins");
    assert_eq!(sent(&database, done(1, None)).await, Ok(Written::Done));
    assert_eq!(due(&database, now_ms + 9).await, []);
    assert_eq!(sent(&database, done(1, None)).await, Ok(Written::Done), "it is gone");
}

async fn a_deadline_that_moves_within_a_turn_is_told_at_its_new_times(database: Database) {
    let (ada, bob) = (mailed(&database, "Ada").await, guest(&database).await);
    let key = key(&ada, NoticePurpose::Deadline);
    let told = OutboxChange::Done { key, changed_ms: 0, now_ms: 0, next_ms: None };
    let deadlines = async |now_ms| {
        let due = due(&database, now_ms).await.into_iter();
        due.filter(|due| due.key == key).map(|due| (due.since_ms, due.changed_ms)).collect::<Vec<_>>()
    };
    let game = slow_game(ada.id, bob.id, 0);
    database.write(append(&game, 1..=1)).await;
    sent(&database, told).await.unwrap();
    assert_eq!(deadlines(i64::MAX).await, [], "all has been told");
    // A vacation of ten days begins after one, and ends after two.
    let [one_ms, two_ms] = [DAY_MS, 2 * DAY_MS];
    let later = GameRow { updated_ms: one_ms, deadline_ms: Some(13 * DAY_MS), ..game };
    database.write(keeping(&later, 2..=2)).await;
    assert_eq!(deadlines(one_ms - 1).await, []);
    assert_eq!(deadlines(one_ms).await, [(one_ms, one_ms)], "its new times are found out at once");
    let quarter_ms = 13 * DAY_MS - 3 * DAY_MS / 4;
    let found = OutboxChange::Done { key, changed_ms: one_ms, now_ms: one_ms, next_ms: Some(quarter_ms) };
    sent(&database, found).await.unwrap();
    assert_eq!(deadlines(quarter_ms - 1).await, []);
    assert_eq!(deadlines(quarter_ms).await, [(one_ms, one_ms + 1)]);
    let earlier = GameRow { updated_ms: two_ms, deadline_ms: Some(4 * DAY_MS), ..later };
    database.write(keeping(&earlier, 3..=3)).await;
    assert_eq!(deadlines(two_ms - 1).await, []);
    assert_eq!(deadlines(two_ms).await, [(one_ms, two_ms)]);
    assert_eq!(
        changes(&database, TURN_TOLD_AFTER_MS).await,
        [(NoticePurpose::Turns, 0, 0)],
        "the turn is the same"
    );
}

async fn the_events_of_a_turn_are_read_from_the_one_that_began_it_on(database: Database) {
    let (ada, bob) = (mailed(&database, "Ada").await, guest(&database).await);
    let games = [1_000, 2_000].map(|at_ms| slow_game(ada.id, bob.id, at_ms));
    for game in &games {
        database.write(append(game, 1..=2)).await;
        database.write(append(game, 3..=3)).await;
        database.write(keeping(game, 4..=5)).await;
    }
    let over = GameRow { status: Status::Finished, ..slow_game(ada.id, bob.id, 1_000) };
    database.write(append(&over, 1..=1)).await;
    let read = async |ids: &[GameId]| {
        let events = database.store.turn_events(ids).await.unwrap().into_iter();
        events.map(|event| (event.game, event.at_ms, event.body)).collect::<Vec<_>>()
    };
    let of = |game: &GameRow| [3, 4, 5].map(|version: u32| (game.id, 1, version.to_string()));
    assert_eq!(read(&[games[0].id, over.id]).await, of(&games[0]));
    assert_eq!(read(&[games[0].id, games[1].id]).await.len(), 6);
}

async fn what_comes_while_a_message_is_sent_is_told_after_it(database: Database) {
    let (ada, bob) = (mailed(&database, "Ada").await, guest(&database).await);
    let key = key(&ada, NoticePurpose::Turns);
    for next_ms in [None, Some(DAY_MS)] {
        database.write(append(&slow_game(ada.id, bob.id, 0), 1..=1)).await;
        let now_ms = TURN_TOLD_AFTER_MS;
        let [read] = due(&database, now_ms).await[..] else { panic!("one message is due") };
        database.write(append(&slow_game(ada.id, bob.id, now_ms + 1), 1..=1)).await;
        let changed_ms = read.changed_ms;
        sent(&database, OutboxChange::Done { key, changed_ms, now_ms, next_ms }).await.unwrap();
        let kept = DueMessage { key, since_ms: now_ms, changed_ms: now_ms + 1, attempts: 0 };
        assert_eq!(due(&database, now_ms).await, [kept], "{next_ms:?}");
        let done = OutboxChange::Done { key, changed_ms: now_ms + 1, now_ms, next_ms: None };
        sent(&database, done).await.unwrap();
    }
}

async fn a_message_is_postponed_unless_there_is_more(database: Database) {
    let (ada, bob) = (mailed(&database, "Ada").await, guest(&database).await);
    let key = key(&ada, NoticePurpose::Turns);
    database.write(append(&slow_game(ada.id, bob.id, 0), 1..=1)).await;
    let postponed = |changed_ms| OutboxChange::Postponed { key, changed_ms, due_ms: DAY_MS };
    sent(&database, postponed(1)).await.unwrap();
    assert_eq!(due(&database, TURN_TOLD_AFTER_MS).await.len(), 1, "there is more");
    sent(&database, postponed(0)).await.unwrap();
    assert_eq!(due(&database, DAY_MS - 1).await, []);
    assert_eq!(due(&database, DAY_MS).await.len(), 1);
    database.write(append(&slow_game(ada.id, bob.id, 10), 1..=1)).await;
    assert_eq!(due(&database, 10 + TURN_TOLD_AFTER_MS).await.len(), 1, "a turn that is due earlier");
}

async fn the_mails_with_messages_are_counted(database: Database) {
    let (store, ada) = (&database.store, mailed(&database, "Ada").await);
    let bob = guest(&database).await;
    database.write(append(&slow_game(ada.id, bob.id, -3 * DAY_MS), 1..=1)).await;
    let last = async |purpose, since_ms| store.last_notice_mail(ada.id, purpose, since_ms).await.unwrap();
    assert_eq!(last(NoticePurpose::Turns, i64::MIN).await, None);
    for (number, purpose) in
        [(1, NoticePurpose::Turns), (2, NoticePurpose::Turns), (3, NoticePurpose::Deadline)]
    {
        let now_ms = 1_000 * number;
        let tried = tried(key(&ada, purpose), &number.to_string(), now_ms, now_ms);
        sent(&database, tried).await.unwrap();
    }
    assert_eq!(last(NoticePurpose::Turns, 1_999).await, Some(2_000));
    assert_eq!(last(NoticePurpose::Turns, 2_000).await, None);
    assert_eq!(last(NoticePurpose::Deadline, 0).await, Some(3_000));
    assert_eq!(store.count_tried_notices(1_000).await.unwrap(), 2);
    assert_eq!(store.count_tried_mails(999).await.unwrap(), 3, "they are mails too");
    assert_eq!(database.store.due_mails(i64::MAX, 9).await.unwrap(), [], "and none of those that wait");
}

async fn a_link_that_stops_mails_outlives_the_others(database: Database) {
    let (ada, bob) = (mailed(&database, "Ada").await, guest(&database).await);
    database.write(append(&slow_game(ada.id, bob.id, -TURN_TOLD_AFTER_MS), 1..=1)).await;
    sent(&database, tried(key(&ada, NoticePurpose::Turns), "stop", 1, 2)).await.unwrap();
    make_link(&database, &ada, "recover").await;
    let session = database.store.session(&secret("Ada"), 0).await.unwrap().unwrap().id;
    let forbidden = AccountChange::MailRecoverySet { player: ada.id, session, recovers: false };
    change(&*database.store, forbidden).await.unwrap();
    assert_eq!(database.store.link(&secret("recover"), 0).await.unwrap(), None);
    let link = database.store.link(&secret("stop"), 0).await.unwrap().unwrap();
    assert!(link.player == ada && link.unsubscribes(0) && !link.recovers(0));
    assert!(!link.unsubscribes(DAY_MS));
    let removed = AccountChange::MailRemoved { player: ada.id, session, notice: notice(5), now_ms: 600 };
    change(&*database.store, removed).await.unwrap();
    assert_eq!(
        database.store.link(&secret("stop"), 0).await.unwrap(),
        None,
        "it is with the owner of that address"
    );
}

async fn an_account_sets_when_it_is_told_and_a_link_stops_its_mails(database: Database) {
    let (store, ada) = (&database.store, account(&database, "Ada", "Ada").await);
    let own = async || store.account(ada.id).await.unwrap().unwrap().notices;
    let session = store.session(&secret("Ada"), 0).await.unwrap().unwrap().id;
    assert_eq!(own().await, NoticeSettings::default());
    let AccountChange::MailAsked { player, mail, now_ms, .. } = asked(&ada, 7, 1_000) else {
        unreachable!("it asks for a mail")
    };
    let zone: Zone = "Europe/Paris".to_owned().try_into().unwrap();
    let with_zone = |zone| {
        let mail = Mail { id: Uuid::now_v7(), ..mail.clone() };
        AccountChange::MailAsked { player, session, mail, zone, now_ms }
    };
    for zone in [Some(zone.clone()), None] {
        change(&**store, with_zone(zone)).await.unwrap();
    }
    let language = Language::French;
    assert_eq!(own().await, NoticeSettings { zone, language, ..NoticeSettings::default() });

    confirm(&database, &ada, "ada@mail.example", 1).await;
    database.write(append(&slow_game(ada.id, PlayerId::new(Uuid::nil()), -TURN_TOLD_AFTER_MS), 1..=1)).await;
    sent(&database, tried(key(&ada, NoticePurpose::Turns), "stop", 1, 2)).await.unwrap();
    let hour = |hour: u64| Hour::try_from(hour).unwrap();
    let notices = NoticeSettings {
        turn_mails: TurnMails::Soon,
        hour: hour(0),
        quiet: QuietHours { from: hour(23), to: hour(5) },
        zone: "Australia/Adelaide".to_owned().try_into().unwrap(),
        language: Language::English,
    };
    let set = AccountChange::NoticesSet { player: ada.id, session, notices: notices.clone(), now_ms: 7 };
    assert_eq!(change(&**store, set.clone()).await, Ok(()));
    assert_eq!(own().await, notices);
    make_link(&database, &ada, "recover").await;
    let unsubscribed =
        |link, now_ms| AccountChange::Unsubscribed { player: ada.id, link: secret(link), now_ms };
    for (link, now_ms) in [("recover", 0), ("none", 0), ("stop", DAY_MS)] {
        assert_eq!(change(&**store, unsubscribed(link, now_ms)).await, Err(Refused::NoLink), "{link}");
    }
    assert_eq!(own().await, notices);
    for _ in 0..2 {
        assert_eq!(change(&**store, unsubscribed("stop", DAY_MS - 1)).await, Ok(()));
    }
    assert_eq!(own().await, NoticeSettings { turn_mails: TurnMails::Off, ..notices.clone() });
    let noted = due(&database, i64::MAX).await;
    database.write(append(&slow_game(ada.id, PlayerId::new(Uuid::nil()), 9), 1..=1)).await;
    assert_eq!(due(&database, i64::MAX).await, noted, "nothing more is noted");
    change(&**store, AccountChange::Closed { player: ada.id, session, now_ms: 9 }).await.unwrap();
    assert_eq!(change(&**store, set).await, Err(Refused::NoSession));
}

async fn an_account_is_warned_of_turns_that_waited_before_mails_reached_it(database: Database) {
    let (store, ada) = (&database.store, account(&database, "Ada", "Ada").await);
    database.write(append(&slow_game(ada.id, PlayerId::new(Uuid::nil()), 0), 1..=1)).await;
    assert_eq!(due(&database, i64::MAX).await, [], "no mail reaches her");
    let key = key(&ada, NoticePurpose::Deadline);
    let warning = |now_ms| DueMessage { key, since_ms: now_ms, changed_ms: now_ms, attempts: 0 };
    confirm(&database, &ada, "ada@mail.example", 1).await;
    assert_eq!(due(&database, 500).await, [warning(500)]);
    let session = store.session(&secret("Ada"), 0).await.unwrap().unwrap().id;
    let set = async |turn_mails, now_ms| {
        let notices = NoticeSettings { turn_mails, ..NoticeSettings::default() };
        let set = AccountChange::NoticesSet { player: ada.id, session, notices, now_ms };
        change(&**store, set).await.unwrap();
    };
    set(TurnMails::Off, 600).await;
    let nothing = OutboxChange::Done { key, changed_ms: 500, now_ms: 600, next_ms: None };
    sent(&database, nothing).await.unwrap();
    assert_eq!(due(&database, i64::MAX).await, [], "she wants no mails");
    for now_ms in [700, 800] {
        set(TurnMails::Soon, now_ms).await;
        assert_eq!(due(&database, i64::MAX).await, [warning(700)]);
    }
}

async fn messages_go_with_their_account(database: Database) {
    let (ada, bob) = (mailed(&database, "Ada").await, mailed(&database, "Bob").await);
    for player in [&ada, &bob] {
        database.write(append(&slow_game(player.id, PlayerId::new(Uuid::nil()), 0), 1..=1)).await;
    }
    assert_eq!(due(&database, i64::MAX).await.len(), 4);
    crate::accounts::close(&database, &ada, "Ada", 70).await.unwrap();
    database.write(append(&slow_game(ada.id, bob.id, 90), 1..=1)).await;
    assert_eq!(due(&database, i64::MAX).await.len(), 4, "nothing more is noted for a closed account");
    let erasure = Clearing::Accounts { closed_before_ms: 80, at_most: 1 };
    assert_eq!(database.store.clear(erasure).await, Cleared { deleted: 1, is_more: true });
    let left: Vec<_> = due(&database, i64::MAX).await.iter().map(|due| due.key.player).collect();
    assert_eq!(left, [bob.id, bob.id]);
}
