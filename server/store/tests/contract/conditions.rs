//! Appends with a condition, which is decided in their transaction.

use std::sync::Arc;

use game::Player;
use store::{Append, Condition, DraftIs, GameRow, Refused, TokenHash, Write, Written};
use tokio::task::JoinSet;

use crate::{
    database::{Database, contract},
    sample::{append, appended, event, player, room},
    verbs::Verbs,
};

contract! {
    no_player_has_more_open_rooms_than_the_limit_however_many_are_made_at_once
    no_player_joins_another_if_either_has_blocked_the_other
}

const LIMIT: u32 = 3;

async fn known(database: &Database, name: &str) -> Player {
    let player = player(name);
    let token = TokenHash::of(name.as_bytes());
    database.store.create_player(&player, &token, 1).await.unwrap();
    player
}

fn limited(game: &GameRow) -> Write {
    let append = appended(vec![event(1)], game);
    Write::Append(Arc::new(append.provided(Condition::OpenRoomsBelow(LIMIT))))
}

async fn no_player_has_more_open_rooms_than_the_limit_however_many_are_made_at_once(database: Database) {
    let other = database.other_node().await;
    let (ada, bob) = (known(&database, "Ada").await, known(&database, "Bob").await);
    let of = |creator: &Player| GameRow { creator: creator.id, ..room("Ada") };
    let mut nodes = JoinSet::new();
    for i in 0..6 {
        let store = Arc::clone(if i % 2 == 0 { &database.store } else { &other });
        let writes = [limited(&of(&ada)), limited(&of(&ada)), limited(&of(&bob))];
        nodes.spawn(async move { store.commit(&writes).await.unwrap() });
    }
    let results = nodes.join_all().await.concat();
    let n_made = results.iter().filter(|result| **result == Ok(Written::Done)).count();
    assert_eq!(n_made, 2 * LIMIT as usize, "{results:?}");
    assert!(results.iter().all(|result| matches!(result, Ok(_) | Err(Refused::TooManyRooms))));
    for maker in [ada, bob] {
        assert_eq!(database.store.count_games(maker.id).await.unwrap().open_rooms, LIMIT);
    }
}

async fn no_player_joins_another_if_either_has_blocked_the_other(database: Database) {
    let [ada, bob] = [known(&database, "Ada").await, known(&database, "Bob").await];
    let block = |one: &Player, other: &Player| Write::Block { player: one.id, blocked: other.id, now_ms: 1 };
    let game = GameRow { creator: ada.id, ..room("Ada") };
    let join = || {
        let row = GameRow { version: event(2).version, ..game.clone() };
        let append = Append::new(vec![event(2)], row, DraftIs::Gone);
        Write::Append(Arc::new(append.provided(Condition::NotBlocked(ada.id, bob.id))))
    };
    database.write(append(&game, 1..=1)).await;
    let done = || Ok::<_, Refused>(Written::Done);
    for (one, other) in [(&ada, &bob), (&bob, &ada)] {
        let together = database.store.commit(&[block(one, other), join()]).await.unwrap();
        assert_eq!(together, [done(), Err(Refused::Blocked)]);
        assert_eq!(database.store.commit(&[join()]).await.unwrap(), [Err(Refused::Blocked)]);
        let unblock = Write::Unblock { player: one.id, blocked: other.id };
        assert_eq!(database.store.commit(&[unblock]).await.unwrap(), [done()]);
    }
    assert_eq!(database.bodies(game.id).await, ["1"]);
    let joined = database.store.commit(&[join(), block(&ada, &bob)]).await.unwrap();
    assert_eq!(joined, [done(), done()], "a block after the join is too late");
    assert_eq!(database.bodies(game.id).await, ["1", "2"]);
}
