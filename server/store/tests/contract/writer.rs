use std::sync::{Arc, atomic::Ordering};

use game::ids::{PlayerId, Version};
use store::{
    Append, CannotBlock, Conflict, DraftIs, DraftRow, GameRow, Refused, Store, TokenHash, Write, WriteError,
    Writer, Written, writer,
};
use tokio::{runtime::Handle, task::JoinSet};

use crate::{
    counting::Counting,
    database::{Database, contract},
    sample::{append, appended, event, name, player, room},
    verbs::Verbs,
};

contract! {
    another_node_reads_every_acknowledged_write
    waiting_writes_share_a_transaction
    each_write_gets_its_own_conflict
    the_writer_ends_when_its_handles_are_dropped_and_its_work_is_done
    a_write_to_an_ended_writer_is_an_error
    a_transaction_that_panics_is_reported_and_the_next_one_succeeds
    deferrable_writes_go_in_small_batches_and_never_before_a_turn
    a_full_queue_refuses_deferrable_writes_but_no_turns
    writes_about_players_in_one_transaction_get_their_own_results
    ; only in SQL:
    a_refused_write_does_not_fail_others_in_its_transaction
}

async fn another_node_reads_every_acknowledged_write(database: Database) {
    let other = database.other_node().await;
    let (writer, work) = writer(Arc::clone(&database.store), Handle::current());
    let mut tasks = JoinSet::new();
    tasks.spawn(work);
    let game = room("Ada");
    for version in 1..10 {
        let row = GameRow { version: Version::new(version), ..game.clone() };
        let committed = writer.append(Append::new(vec![event(version)], row, DraftIs::Gone)).await.unwrap();
        assert_eq!(committed.game(), game.id);
        assert_eq!(committed.events(), [event(version)]);
        assert_eq!(committed.row().version, Version::new(version));
        let events = other.log(game.id).await.unwrap().unwrap().events;
        assert_eq!(events.last(), Some(&event(version)));

        let draft = DraftRow { game: game.id, version: Version::new(version), body: "draft".to_owned() };
        writer.save_draft(draft.clone()).await.unwrap();
        assert_eq!(other.log(game.id).await.unwrap().unwrap().draft, Some(draft));
        if version % 2 == 0 {
            writer.delete_draft(game.id, Version::new(version)).await.unwrap();
            assert_eq!(other.log(game.id).await.unwrap().unwrap().draft, None);
        }
    }
}

async fn waiting_writes_share_a_transaction(database: Database) {
    let counting = Arc::new(Counting::of(&database));
    let (writer, work) = writer(Arc::clone(&counting) as Arc<dyn Store>, Handle::current());
    let games: Vec<_> = (0..600).map(|_| room("Ada")).collect();
    let mut appends = JoinSet::new();
    for game in &games {
        let (writer, append) = (writer.clone(), appended(vec![event(1)], game));
        appends.spawn(async move { writer.append(append).await });
    }
    drop(writer);
    // Each yield runs at least one of the tasks, so that all appends are queued when the writer starts.
    for _ in &games {
        tokio::task::yield_now().await;
    }
    work.await;
    assert!(appends.join_all().await.iter().all(Result::is_ok));
    assert_eq!(counting.writes.load(Ordering::Relaxed), 600);
    assert_eq!(counting.commits.load(Ordering::Relaxed), 2, "a transaction has at most 512 urgent writes");
    assert_eq!(database.bodies(games[599].id).await, ["1"]);
}

async fn each_write_gets_its_own_conflict(database: Database) {
    let (writer, work) = writer(Arc::clone(&database.store), Handle::current());
    let game = room("Ada");
    let late = DraftRow { game: game.id, version: Version::NONE, body: String::new() };
    let asking = async {
        let answers = tokio::join!(
            writer.append(appended(vec![event(1)], &game)),
            writer.append(appended(vec![event(1)], &game)),
            writer.append(appended(vec![event(3)], &game)),
            writer.save_draft(late),
            writer.append(appended(vec![event(2)], &game)),
        );
        drop(writer);
        answers
    };
    let ((first, second, third, draft, fourth), ()) = tokio::join!(asking, work);
    assert!(first.is_ok());
    assert!(
        matches!(second, Err(WriteError::Refused(Refused::Conflict(Conflict(version)))) if version.get() == 1)
    );
    assert!(
        matches!(third, Err(WriteError::Refused(Refused::Conflict(Conflict(version)))) if version.get() == 1)
    );
    assert!(
        matches!(draft, Err(WriteError::Refused(Refused::Conflict(Conflict(version)))) if version.get() == 2)
    );
    assert!(fourth.is_ok());
}

async fn a_refused_write_does_not_fail_others_in_its_transaction(database: Database) {
    let [broken, whole, other] = [room("Ada"), room("Bob"), room("Cleo")];
    database.write(append(&broken, 1..=1)).await;
    // An event beyond the version in the game's row, so that only the unique key can reject the next append.
    database
        .execute("insert into event (game, version, at_ms, body) select id, version + 1, 0, 'x' from game")
        .await;
    let (writer, work) = writer(Arc::clone(&database.store), Handle::current());
    let asking = async {
        let answers = tokio::join!(
            writer.append(appended(vec![event(1)], &whole)),
            writer.append(appended(vec![event(2)], &broken)),
            writer.append(appended(vec![event(1)], &other)),
        );
        drop(writer);
        answers
    };
    let ((before, refused, after), ()) = tokio::join!(asking, work);
    assert!(before.is_ok() && after.is_ok());
    assert!(matches!(refused, Err(WriteError::Unknown(error)) if error.is_refusal()));
    assert_eq!(database.bodies(broken.id).await, ["1", "x"]);
    assert_eq!(database.bodies(whole.id).await, ["1"]);
}

async fn the_writer_ends_when_its_handles_are_dropped_and_its_work_is_done(database: Database) {
    let (writer, work) = writer(Arc::clone(&database.store), Handle::current());
    let game = room("Ada");
    let mut asking = JoinSet::new();
    let append = appended(vec![event(1)], &game);
    asking.spawn(async move { writer.append(append).await.map(drop) });
    tokio::task::yield_now().await;
    // The caller is gone, but its write is still done.
    asking.shutdown().await;
    work.await;
    assert_eq!(database.bodies(game.id).await, ["1"]);
}

async fn a_write_to_an_ended_writer_is_an_error(database: Database) {
    let (writer, work) = writer(Arc::clone(&database.store), Handle::current());
    drop(work);
    let game = room("Ada");
    let answer = writer.append(appended(vec![event(1)], &game)).await;
    assert!(matches!(answer, Err(WriteError::Ended)));
    assert_eq!(database.store.log(game.id).await.unwrap(), None);
}

async fn a_transaction_that_panics_is_reported_and_the_next_one_succeeds(database: Database) {
    let counting = Arc::new(Counting::of(&database));
    let (writer, work) = writer(Arc::clone(&counting) as Arc<dyn Store>, Handle::current());
    let mut tasks = JoinSet::new();
    tasks.spawn(work);
    let game = room("Ada");
    counting.breaks.store(true, Ordering::Relaxed);

    let broken = writer.append(appended(vec![event(1)], &game)).await;
    assert!(matches!(broken, Err(WriteError::Ended)), "{broken:?}");
    writer.append(appended(vec![event(1)], &game)).await.unwrap();
    assert_eq!(database.bodies(game.id).await, ["1"]);
}

/// Maximum number of deferrable writes in one transaction, and in the queue.
const LATER: (usize, usize) = (32, 512);

/// Queues renames of a player without waiting for the answers.
fn flood(tasks: &mut JoinSet<Result<(), WriteError>>, writer: &Writer, who: PlayerId, count: usize) {
    for number in 0..count {
        let writer = writer.clone();
        tasks.spawn(async move { writer.rename(who, name(&format!("Ada {number}")), 1).await.map(drop) });
    }
}

async fn deferrable_writes_go_in_small_batches_and_never_before_a_turn(database: Database) {
    let ada = player("Ada");
    database.store.create_player(&ada, &TokenHash::of(b"Ada"), 1).await.unwrap();
    let counting = Arc::new(Counting::of(&database));
    let (writer, work) = writer(Arc::clone(&counting) as Arc<dyn Store>, Handle::current());
    let games: Vec<_> = (0..3).map(|_| room("Ada")).collect();
    let mut tasks = JoinSet::new();
    flood(&mut tasks, &writer, ada.id, 100);
    for game in &games {
        let (writer, append) = (writer.clone(), appended(vec![event(1)], game));
        tasks.spawn(async move { writer.append(append).await.map(drop) });
    }
    drop(writer);
    // All writes are queued when the writer starts, the renames before the appends.
    for _ in 0..200 {
        tokio::task::yield_now().await;
    }
    work.await;
    assert!(tasks.join_all().await.iter().all(Result::is_ok));
    let transactions = counting.transactions.lock().clone();
    assert_eq!(transactions, [(3, LATER.0), (0, LATER.0), (0, LATER.0), (0, 100 - 3 * LATER.0)]);
}

async fn a_full_queue_refuses_deferrable_writes_but_no_turns(database: Database) {
    const TOO_MANY: usize = 50;
    let ada = player("Ada");
    database.store.create_player(&ada, &TokenHash::of(b"Ada"), 1).await.unwrap();
    let (writer, work) = writer(Arc::clone(&database.store), Handle::current());
    let mut names = JoinSet::new();
    flood(&mut names, &writer, ada.id, LATER.1 + TOO_MANY);
    let mut refused = 0;
    for _ in 0..TOO_MANY {
        let answer = names.join_next().await.unwrap().unwrap();
        refused += usize::from(matches!(answer, Err(WriteError::Full)));
    }
    assert_eq!(refused, TOO_MANY, "they are refused before anything is written");
    let game = room("Ada");
    let (committed, ()) = tokio::join!(
        async {
            let committed = writer.append(appended(vec![event(1)], &game)).await;
            drop(writer);
            committed
        },
        work
    );
    assert!(committed.is_ok());
    assert!(names.join_all().await.iter().all(Result::is_ok), "queued renames are done");
}

async fn writes_about_players_in_one_transaction_get_their_own_results(database: Database) {
    let [ada, bob, cleo, nobody] = ["Ada", "Bob", "Cleo", "Nobody"].map(player);
    for player in [&ada, &bob] {
        let token = TokenHash::of(player.name.as_str().as_bytes());
        database.store.create_player(player, &token, 1).await.unwrap();
    }
    let block = |one: PlayerId, other: PlayerId, now_ms| Write::Block { player: one, blocked: other, now_ms };
    let unblock = |one: PlayerId, other: PlayerId| Write::Unblock { player: one, blocked: other };
    let rename = |player, text| Write::Rename { player, name: name(text), now_ms: 1 };
    let game = room("Ada");
    let new = Write::NewPlayer { player: cleo.clone(), token: TokenHash::of(b"Cleo"), now_ms: 1 };
    let results = database
        .store
        .commit(&[
            rename(ada.id, "Ada L."),
            append(&game, 1..=1),
            rename(nobody.id, "Odysseus"),
            block(ada.id, bob.id, 5),
            unblock(ada.id, bob.id),
            block(ada.id, bob.id, 6),
            block(bob.id, ada.id, 7),
            unblock(bob.id, ada.id),
            block(bob.id, bob.id, 8),
            block(bob.id, nobody.id, 8),
            new,
            append(&game, 1..=1),
            rename(ada.id, "Ada Lovelace"),
        ])
        .await
        .unwrap();
    let (done, cannot) = (|| Ok(Written::Done), |why| Err(Refused::CannotBlock(why)));
    let expected = [
        done(),
        done(),
        Err(Refused::UnknownPlayer),
        done(),
        done(),
        done(),
        done(),
        done(),
        cannot(CannotBlock::Oneself),
        cannot(CannotBlock::UnknownPlayer),
        done(),
        Err(Refused::Conflict(Conflict(Version::new(1)))),
        done(),
    ];
    assert_eq!(results, expected);
    let found = database.store.session(&TokenHash::of(b"Ada"), 0).await.unwrap().unwrap();
    assert_eq!(found.player.name, name("Ada Lovelace"));
    let found = database.store.session(&TokenHash::of(b"Cleo"), 0).await.unwrap().unwrap();
    assert_eq!(found.player, cleo);
    assert_eq!(database.store.blocks_of(ada.id).await.unwrap(), std::slice::from_ref(&bob));
    assert_eq!(database.store.blocks_of(bob.id).await.unwrap(), []);
    assert_eq!(database.bodies(game.id).await, ["1"]);
    // Existing blocks are removed and made again.
    let again = [unblock(ada.id, bob.id), block(ada.id, bob.id, 9), block(ada.id, bob.id, 10)];
    assert_eq!(database.store.commit(&again).await.unwrap(), [done(), done(), done()]);
    assert_eq!(database.store.blocks_of(ada.id).await.unwrap(), [bob]);
}
