//! Events and the rows of their games.

use std::sync::Arc;

use engine::{Ruleset, Side};
use game::{
    Bonus, ClockRule, Outcome, RealTime, Reason, SeatChoice, Seats, Status, Visibility, Watching,
    ids::Version,
};
use store::{Append, Conflict, DraftIs, GameRow, Log, Refused, StoredEvent, Write, WriteError, writer};
use tokio::{runtime::Handle, task::JoinSet};

use crate::{
    database::{Database, contract},
    sample::{append, appended, assert_same, command, event, player, room, write},
    verbs::Verbs,
};

contract! {
    a_log_is_read_back_byte_for_byte
    an_unknown_game_is_none
    a_log_is_the_same_in_pages_of_any_size
    an_append_in_conflict_does_not_affect_others
    only_one_of_two_appends_with_the_same_version_is_stored
    an_append_after_other_events_of_the_same_versions_is_in_conflict
    appends_of_one_game_may_follow_each_other_in_one_transaction
    only_one_of_two_nodes_appends_a_version
    only_one_of_two_nodes_creates_a_game
    two_nodes_that_write_to_the_same_games_do_not_deadlock
    a_game_row_is_read_back_unchanged
    each_turn_updates_the_row_of_its_game
    ; only in SQL:
    an_append_is_stored_whole_or_not_at_all
}

async fn a_log_is_read_back_byte_for_byte(database: Database) {
    let game = room("Ada");
    let bodies = [
        "{\"a\" : 1,\n\t\"b\":1.0e+2 , \"a\":\"twice\"}",
        "{\"text\":\"\\u0000 \\ud83d\\ude00 😀 é e\u{301} \u{202e} ' '' \\\\ $1 ?1\"}",
        "",
        &"x".repeat(100_000),
    ];
    let events: Vec<_> = bodies
        .iter()
        .zip(1..)
        .map(|(body, version)| StoredEvent {
            version: Version::new(version),
            at_ms: i64::from(version) * 1_700_000_000_000,
            command: (version == 2).then(|| command("c-2")),
            body: (*body).to_owned(),
        })
        .collect();

    database.write(write(events[..1].to_vec(), &game)).await;
    database.write(write(events[1..].to_vec(), &game)).await;

    assert_eq!(database.log(game.id).await, Log { events, draft: None });
}

async fn a_log_is_the_same_in_pages_of_any_size(database: Database) {
    let game = room("Ada");
    database.write(append(&game, 1..=600)).await;
    let whole = database.log(game.id).await.events;
    assert_eq!(whole.len(), 600);
    for limit in [50, 512, 600, 601] {
        let mut read = Vec::new();
        loop {
            let after = Version::new(read.len().try_into().unwrap());
            let page = database.store.log_page(game.id, after, limit).await.unwrap().unwrap();
            assert!(page.log.events.len() <= limit as usize);
            read.extend(page.log.events);
            if page.is_last {
                break;
            }
        }
        assert_eq!(read, whole, "pages of {limit}");
    }
    let newest = database.store.log_after(game.id, Version::new(598)).await.unwrap().unwrap();
    assert_eq!(newest.events, whole[598..]);
}

async fn an_unknown_game_is_none(database: Database) {
    let game = room("Ada").id;
    assert_eq!(database.store.log(game).await.unwrap(), None);
    assert!(database.store.game(game).await.unwrap().is_none());
}

async fn an_append_in_conflict_does_not_affect_others(database: Database) {
    let [stored, new, bystander] = [room("Ada"), room("Bob"), room("Cleo")];
    database.write(append(&stored, 1..=2)).await;

    let results = database
        .commit(&[
            append(&stored, 2..=3),
            append(&stored, 4..=4),
            append(&new, 2..=2),
            append(&bystander, 1..=1),
        ])
        .await;

    let version = |count| Err(Conflict(Version::new(count)));
    assert_eq!(results, [version(2), version(2), version(0), Ok(())]);
    assert_eq!(database.bodies(stored.id).await, ["1", "2"]);
    assert_eq!(database.store.game(stored.id).await.unwrap().unwrap().version, Version::new(2));
    assert_eq!(database.store.log(new.id).await.unwrap(), None);
    assert_eq!(database.bodies(bystander.id).await, ["1"]);
}

async fn only_one_of_two_appends_with_the_same_version_is_stored(database: Database) {
    let game = room("Ada");
    database.write(append(&game, 1..=1)).await;
    let other = StoredEvent { body: "other".to_owned(), ..event(2) };

    let results = database.commit(&[append(&game, 2..=2), write(vec![other], &game)]).await;

    assert_eq!(results, [Ok(()), Err(Conflict(Version::new(2)))]);
    assert_eq!(database.bodies(game.id).await, ["1", "2"]);
}

async fn an_append_after_other_events_of_the_same_versions_is_in_conflict(database: Database) {
    let game = room("Ada");
    database.write(append(&game, 1..=2)).await;
    let after =
        |at_ms| Write::Append(Arc::new(appended(vec![event(3)], &game).after(game.updated_ms + at_ms)));
    assert_eq!(database.commit(&[after(-1), after(0)]).await, [Err(Conflict(Version::new(2))), Ok(())]);
    let new = Write::Append(Arc::new(appended(vec![event(1)], &room("Bob")).after(0)));
    assert_eq!(database.commit(&[new]).await, [Err(Conflict(Version::NONE))], "the game is gone");
}

async fn appends_of_one_game_may_follow_each_other_in_one_transaction(database: Database) {
    let game = room("Ada");
    let results = database.commit(&[append(&game, 1..=2), append(&game, 3..=3), append(&game, 4..=5)]).await;
    assert_eq!(results, [Ok(()); 3]);
    assert_eq!(database.bodies(game.id).await, ["1", "2", "3", "4", "5"]);
    assert_eq!(database.store.game(game.id).await.unwrap().unwrap().version, Version::new(5));
}

async fn only_one_of_two_nodes_appends_a_version(database: Database) {
    let game = room("Ada");
    database.write(append(&game, 1..=1)).await;
    let other = database.other_node().await;
    for version in 2..20 {
        let mine = [append(&game, version..=version)];
        let theirs = [write(vec![StoredEvent { body: "other".to_owned(), ..event(version) }], &game)];

        let (mine, theirs) = tokio::join!(database.store.tried(&mine), other.tried(&theirs));

        let (mine, theirs) = (mine.unwrap()[0], theirs.unwrap()[0]);
        let lost = Err(Conflict(Version::new(version)));
        assert!([(Ok(()), lost), (lost, Ok(()))].contains(&(mine, theirs)), "{mine:?} {theirs:?}");
        let body = if mine.is_ok() { version.to_string() } else { "other".to_owned() };
        assert_eq!(database.bodies(game.id).await.last(), Some(&body));
    }
}

async fn only_one_of_two_nodes_creates_a_game(database: Database) {
    let (here, work_here) = writer(Arc::clone(&database.store), Handle::current());
    let (there, work_there) = writer(database.other_node().await, Handle::current());
    let mut tasks = JoinSet::new();
    tasks.spawn(work_here);
    tasks.spawn(work_there);
    for _ in 0..20 {
        let [game, bystander] = [room("Ada"), room("Bob")];
        let (mine, theirs, bystander) = tokio::join!(
            here.append(appended(vec![event(1)], &game)),
            there.append(appended(vec![event(1)], &game)),
            there.append(appended(vec![event(1)], &bystander)),
        );
        let conflicts = [mine, theirs].into_iter().filter_map(Result::err).collect::<Vec<_>>();
        assert!(
            matches!(conflicts[..], [WriteError::Refused(Refused::Conflict(Conflict(version)))] if version.get() == 1),
            "{conflicts:?}"
        );
        assert!(bystander.is_ok());
    }
}

async fn two_nodes_that_write_to_the_same_games_do_not_deadlock(database: Database) {
    let games: Vec<_> = (0..20).map(|_| room("Ada")).collect();
    let makings: Vec<_> = games.iter().map(|game| append(game, 1..=1)).collect();
    database.commit(&makings).await;
    let other = database.other_node().await;
    for version in 2..10 {
        let forwards: Vec<_> = games.iter().map(|game| append(game, version..=version)).collect();
        let backwards: Vec<_> = forwards.iter().rev().cloned().collect();

        let (here, there) = tokio::join!(database.store.tried(&forwards), other.tried(&backwards));

        let there: Vec<_> = there.unwrap().into_iter().rev().collect();
        assert!(here.unwrap().iter().zip(&there).all(|(here, there)| here.is_ok() != there.is_ok()));
    }
}

async fn an_append_is_stored_whole_or_not_at_all(database: Database) {
    let game = room("Ada");
    database.write(append(&game, 1..=1)).await;
    let before = database.store.game(game.id).await.unwrap().unwrap();
    // An event beyond the version in the game's row, so that only the unique key can reject the append.
    database
        .execute("insert into event (game, version, at_ms, body) select id, version + 2, 0, 'x' from game")
        .await;

    let refused = database.store.tried(&[append(&game, 2..=3)]).await.unwrap_err();

    assert!(refused.is_refusal(), "{refused}");
    database.execute("delete from event where body = 'x'").await;
    assert_eq!(database.bodies(game.id).await, ["1"]);
    assert_same(&database.store.game(game.id).await.unwrap().unwrap(), &before);
}

async fn a_game_row_is_read_back_unchanged(database: Database) {
    let outcome = |winner, reason| Some(Outcome { winner, reason });
    let ends = [
        outcome(Some(Side::First), Reason::Surround),
        outcome(Some(Side::Second), Reason::Resign),
        outcome(None, Reason::Repetition),
        outcome(None, Reason::TurnLimit),
        None,
    ];
    let choices = [SeatChoice::First, SeatChoice::Second, SeatChoice::Random];
    let real_time =
        |base_s, bonus_s, bonus| ClockRule::RealTime(RealTime::new(base_s, bonus_s, bonus).unwrap());
    let clocks = [
        ClockRule::None,
        real_time(10_800, 180, Bonus::PerTurn),
        real_time(0, 5, Bonus::PerAction),
        ClockRule::Bank { base_days: 30.try_into().unwrap(), bonus_hours: 0.try_into().unwrap() },
        ClockRule::Correspondence { days: 14.try_into().unwrap() },
    ];
    for (end, i) in ends.into_iter().zip(0..) {
        let mut game = room("Åsa B.");
        game.ruleset = Ruleset::ALL[i % 2];
        game.visibility = [Visibility::Link, Visibility::Public][i % 2];
        game.seat = choices[i % 3];
        game.clock = clocks[i];
        game.watching = [Watching::Everybody, Watching::Nobody][i % 2];
        game.custom_start = i % 2 == 1;
        database.write(append(&game, 1..=1)).await;
        let stored = GameRow { version: Version::new(1), ..game.clone() };
        assert_same(&database.store.game(game.id).await.unwrap().unwrap(), &stored);

        game.status = if end.is_some() { Status::Finished } else { Status::Aborted };
        game.deadline_ms = (i % 2 == 0).then_some(1_800_000_000_000);
        game.outcome = end;
        game.seats = Some(Seats { first: player("Zoë").id, second: game.creator });
        game.version = Version::new(2);
        game.turn = 1001;
        game.to_move = Side::Second;
        game.updated_ms += 5;
        game.position = (i % 2 == 0).then(|| "the last position".to_owned());
        database.write(append(&game, 2..=2)).await;
        assert_same(&database.store.game(game.id).await.unwrap().unwrap(), &game);

        game.deadline_ms = game.deadline_ms.xor(Some(1_900_000_000_000));
        game.version = Version::new(3);
        database.write(append(&game, 3..=3)).await;
        assert_same(&database.store.game(game.id).await.unwrap().unwrap(), &game);
    }
}

async fn each_turn_updates_the_row_of_its_game(database: Database) {
    let seats = Some(Seats { first: player("Ada").id, second: player("Bob").id });
    let mut game = GameRow { status: Status::Playing, seats, ..room("Ada") };
    for version in 1..=3 {
        game.version = Version::new(version);
        game.turn = version as u16;
        game.to_move = if version % 2 == 1 { Side::First } else { Side::Second };
        game.updated_ms += 7;
        game.deadline_ms = Some(game.updated_ms + 100);
        game.position = Some(format!("the position of version {version}"));
        database.write(append(&game, version..=version)).await;
        assert_same(&database.store.game(game.id).await.unwrap().unwrap(), &game);
    }
}

#[test]
fn debug_texts_omit_event_bodies() {
    let event = StoredEvent { body: "a seed".to_owned(), ..event(1) };
    let append = appended(vec![event.clone()], &room("Ada"));
    for text in
        [format!("{event:?}"), format!("{append:?}"), format!("{:?}", Write::Append(Arc::new(append)))]
    {
        assert!(text.contains("version") && !text.contains("seed"), "{text}");
    }
}

#[test]
fn an_append_must_be_contiguous_and_end_at_the_version_of_its_row() {
    let row = |version| GameRow { version: Version::new(version), ..room("Ada") };
    let twice = StoredEvent { command: Some(command("c")), ..event(1) };
    let cases = [
        (vec![], 0),
        (vec![event(0)], 0),
        (vec![event(1)], 2),
        (vec![event(1), event(3)], 3),
        (vec![event(2), event(1)], 1),
        (vec![twice.clone(), StoredEvent { version: Version::new(2), ..twice }], 2),
        (vec![StoredEvent { body: "\0".to_owned(), ..event(1) }], 1),
    ];
    for (events, version) in cases {
        let tried = std::panic::catch_unwind(|| Append::new(events.clone(), row(version), DraftIs::Gone));
        assert!(tried.is_err(), "{events:?} {version}");
    }
}
