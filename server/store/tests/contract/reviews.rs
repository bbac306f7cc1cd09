use game::Status;
use store::{Clearing, GameRow, ReviewRow, Write};

use crate::{
    database::{Database, contract},
    sample::{append, room},
    verbs::Verbs,
};

contract! {
    a_review_is_stored_once_and_the_first_one_stays
    two_nodes_add_one_review
    a_review_of_no_game_is_dropped_and_fails_no_other_write
    a_review_is_deleted_with_its_game
}

fn review(game: &GameRow, body: &str) -> Write {
    Write::Review(ReviewRow { game: game.id, body: body.to_owned() })
}

async fn finished(database: &Database) -> GameRow {
    let game = GameRow { status: Status::Finished, ..room("Ada") };
    database.write(append(&game, 1..=2)).await;
    game
}

async fn a_review_is_stored_once_and_the_first_one_stays(database: Database) {
    let (game, other) = (finished(&database).await, finished(&database).await);
    let stored = async |game: &GameRow| database.store.review(game.id).await.unwrap();
    assert_eq!(stored(&game).await, None);
    database.write(review(&game, "première")).await;
    assert_eq!(stored(&game).await.as_deref(), Some("première"));
    assert_eq!(stored(&other).await, None);
    let both = [review(&game, "second"), review(&other, "its own"), review(&other, "one more")];
    assert_eq!(database.commit(&both).await, [Ok(()), Ok(()), Ok(())]);
    assert_eq!(stored(&game).await.as_deref(), Some("première"));
    assert_eq!(stored(&other).await.as_deref(), Some("its own"));
}

async fn two_nodes_add_one_review(database: Database) {
    let other = database.other_node().await;
    for _ in 0..10 {
        let game = finished(&database).await;
        let (here, there) = (review(&game, "here"), review(&game, "there"));
        let (one, two) = tokio::join!(database.store.one(here), other.one(there));
        assert!(one.unwrap().is_ok() && two.unwrap().is_ok());
        let body = database.store.review(game.id).await.unwrap().unwrap();
        assert!(["here", "there"].contains(&body.as_str()));
        assert_eq!(other.review(game.id).await.unwrap(), Some(body));
    }
}

async fn a_review_of_no_game_is_dropped_and_fails_no_other_write(database: Database) {
    let (missing, game) = (room("Bob"), room("Ada"));
    let writes = [review(&missing, "of none"), append(&game, 1..=1), review(&game, "of one")];
    assert_eq!(database.commit(&writes).await, [Ok(()), Ok(()), Ok(())]);
    assert_eq!(database.store.review(missing.id).await.unwrap(), None);
    assert_eq!(database.store.review(game.id).await.unwrap().as_deref(), Some("of one"));
}

async fn a_review_is_deleted_with_its_game(database: Database) {
    let game = GameRow { status: Status::Aborted, ..room("Ada") };
    database.write(append(&game, 1..=2)).await;
    let kept = finished(&database).await;
    database.commit(&[review(&game, "gone"), review(&kept, "kept")]).await;
    let games = Clearing::Games { deleted: vec![game.id, kept.id], spared: Vec::new() };
    assert_eq!(database.store.clear(games).await.deleted, 1);
    assert_eq!(database.store.review(game.id).await.unwrap(), None);
    assert_eq!(database.store.review(kept.id).await.unwrap().as_deref(), Some("kept"));
}
