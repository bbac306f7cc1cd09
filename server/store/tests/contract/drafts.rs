use game::ids::Version;
use store::{Conflict, DraftRow, Write};

use crate::{
    database::{Database, contract},
    sample::{append, draft, keeping, room},
};

contract! {
    the_latest_draft_is_kept_until_it_is_deleted
    a_draft_that_is_withdrawn_late_leaves_that_of_the_next_turn
    an_append_deletes_the_draft
    an_append_within_a_turn_keeps_the_draft
    a_draft_builds_on_any_version_of_the_turn_under_way
    a_late_draft_is_in_conflict
}

async fn the_latest_draft_is_kept_until_it_is_deleted(database: Database) {
    let game = room("Ada");
    database.write(append(&game, 1..=1)).await;
    assert_eq!(database.draft(game.id).await, None);

    database.write(draft(&game, 1, "{ \"first\" : 1 }")).await;
    assert_eq!(database.draft(game.id).await.unwrap(), "{ \"first\" : 1 }");

    let results = database.commit(&[draft(&game, 1, "second"), draft(&game, 1, "third")]).await;
    assert_eq!(results, [Ok(()), Ok(())]);
    assert_eq!(database.draft(game.id).await.unwrap(), "third");

    let withdrawn = |version| Write::TakeDraft { game: game.id, version: Version::new(version) };
    database.write(withdrawn(1)).await;
    assert_eq!(database.draft(game.id).await, None);
    database.write(withdrawn(1)).await;

    let results = database.commit(&[draft(&game, 1, "fourth"), withdrawn(1)]).await;
    assert_eq!(results, [Ok(()), Ok(())]);
    assert_eq!(database.draft(game.id).await, None);
}

async fn a_draft_that_is_withdrawn_late_leaves_that_of_the_next_turn(database: Database) {
    let game = room("Ada");
    database.write(append(&game, 1..=2)).await;
    database.write(draft(&game, 2, "next")).await;
    let late = Write::TakeDraft { game: game.id, version: Version::new(1) };
    assert_eq!(database.commit(&[late]).await, [Err(Conflict(Version::new(2)))]);
    assert_eq!(database.draft(game.id).await.unwrap(), "next");
}

async fn an_append_deletes_the_draft(database: Database) {
    let game = room("Ada");
    database.write(append(&game, 1..=1)).await;
    database.write(draft(&game, 1, "stored")).await;
    database.write(append(&game, 2..=2)).await;
    assert_eq!(database.draft(game.id).await, None);

    let results = database.commit(&[draft(&game, 2, "before"), append(&game, 3..=3)]).await;
    assert_eq!(results, [Ok(()), Ok(())]);
    assert_eq!(database.draft(game.id).await, None);

    let results = database.commit(&[append(&game, 4..=4), draft(&game, 4, "after")]).await;
    assert_eq!(results, [Ok(()), Ok(())]);
    assert_eq!(database.draft(game.id).await.unwrap(), "after");
}

async fn an_append_within_a_turn_keeps_the_draft(database: Database) {
    let game = room("Ada");
    database.write(append(&game, 1..=2)).await;
    database.write(draft(&game, 2, "made on 2")).await;

    let results = database.commit(&[keeping(&game, 3..=3), keeping(&game, 4..=5)]).await;

    assert_eq!(results, [Ok(()), Ok(())]);
    assert_eq!(database.bodies(game.id).await.len(), 5);
    let kept = DraftRow { game: game.id, version: Version::new(2), body: "made on 2".to_owned() };
    assert_eq!(database.log(game.id).await.draft, Some(kept));

    let results =
        database.commit(&[keeping(&game, 6..=6), append(&game, 7..=7), keeping(&game, 8..=8)]).await;
    assert_eq!(results, [Ok(()); 3]);
    assert_eq!(database.draft(game.id).await, None);
}

async fn a_draft_builds_on_any_version_of_the_turn_under_way(database: Database) {
    let [game, new] = [room("Ada"), room("Bob")];
    database.write(append(&game, 1..=3)).await;
    database.write(keeping(&game, 4..=5)).await;
    let stale = Err(Conflict(Version::new(5)));
    for (version, result) in [(0, stale), (2, stale), (3, Ok(())), (4, Ok(())), (5, Ok(())), (6, stale)] {
        let body = format!("made on {version}");
        assert_eq!(database.commit(&[draft(&game, version, &body)]).await, [result], "{body}");
    }
    assert_eq!(database.draft(game.id).await.unwrap(), "made on 5");

    let results = database
        .commit(&[
            append(&game, 6..=7),
            keeping(&game, 8..=8),
            draft(&game, 6, "late"),
            draft(&game, 7, "good"),
        ])
        .await;
    assert_eq!(results, [Ok(()), Ok(()), Err(Conflict(Version::new(8))), Ok(())]);
    assert_eq!(database.draft(game.id).await.unwrap(), "good");

    database.write(keeping(&new, 1..=2)).await;
    let results = database.commit(&[draft(&new, 0, "on nothing"), draft(&new, 2, "on the first")]).await;
    assert_eq!(results, [Err(Conflict(Version::new(2))), Ok(())]);
}

async fn a_late_draft_is_in_conflict(database: Database) {
    let [game, unknown] = [room("Ada"), room("Bob")];
    database.write(append(&game, 1..=2)).await;

    let results = database
        .commit(&[
            draft(&game, 1, "late"),
            draft(&game, 3, "early"),
            draft(&unknown, 1, "lost"),
            append(&game, 3..=3),
            draft(&game, 2, "late"),
        ])
        .await;

    let version = |count| Err(Conflict(Version::new(count)));
    assert_eq!(results, [version(2), version(2), version(0), Ok(()), version(3)]);
    assert_eq!(database.draft(game.id).await, None);
}
