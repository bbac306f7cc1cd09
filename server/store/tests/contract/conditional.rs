use std::sync::Arc;

use engine::Side;
use game::{Seats, Status, ids::Version};
use store::{Clearing, ConditionalRow, GameRow, Refused, Write};

use crate::{
    database::{Database, contract},
    sample::{append, appended, event, player, room},
    verbs::Verbs,
};

contract! {
    conditional_turns_of_a_side_are_replaced_and_dropped_if_they_are_the_same
    conditional_turns_are_due_when_their_side_is_to_move
    conditional_turns_end_with_their_game
    conditional_turns_go_when_turns_are_taken_back
}

/// Conditional turns that are laid down in a game as it is.
fn row(game: &GameRow, side: Side, body: &str) -> ConditionalRow {
    ConditionalRow { game: game.id, side, version: game.version, body: body.to_owned() }
}

/// Begins a game without a clock in which First is to move.
async fn begun(database: &Database) -> GameRow {
    let seats = Some(Seats { first: player("Ada").id, second: player("Bob").id });
    let game = GameRow { status: Status::Playing, seats, version: Version::new(1), ..room("Ada") };
    database.write(append(&game, 1..=1)).await;
    game
}

async fn stored(database: &Database, game: &GameRow) -> [Option<String>; 2] {
    let of = async |side| {
        let row = database.store.conditional(game.id, side).await.unwrap();
        row.map(|row| {
            assert_eq!((row.game, row.side), (game.id, side));
            row.body
        })
    };
    [of(Side::First).await, of(Side::Second).await]
}

fn some(body: &str) -> Option<String> {
    Some(body.to_owned())
}

async fn conditional_turns_of_a_side_are_replaced_and_dropped_if_they_are_the_same(database: Database) {
    let game = begun(&database).await;
    for body in ["earlier", "later"] {
        database.write(Write::SetConditional(row(&game, Side::Second, body))).await;
    }
    assert_eq!(stored(&database, &game).await, [None, some("later")]);
    database.write(Write::DropConditional(row(&game, Side::Second, "earlier"))).await;
    database.write(Write::DropConditional(row(&game, Side::First, "later"))).await;
    assert_eq!(stored(&database, &game).await, [None, some("later")], "neither is what is stored");
    database.write(Write::DropConditional(row(&game, Side::Second, "later"))).await;
    assert_eq!(stored(&database, &game).await, [None, None]);
}

async fn conditional_turns_are_due_when_their_side_is_to_move(database: Database) {
    let (game, other) = (begun(&database).await, begun(&database).await);
    database.write(Write::SetConditional(row(&game, game.to_move.other(), "waits"))).await;
    database.write(Write::SetConditional(row(&other, other.to_move, "due"))).await;
    assert_eq!(database.store.due_conditionals(10).await.unwrap(), [], "not before the next turn");
    let next = GameRow { version: other.version.next(), ..other.clone() };
    database.write(append(&next, 2..=2)).await;
    assert_eq!(database.store.due_conditionals(10).await.unwrap(), [(other.id, other.to_move)]);
    assert_eq!(database.store.due_conditionals(0).await.unwrap(), []);
}

async fn conditional_turns_end_with_their_game(database: Database) {
    let (finished, aborted) = (begun(&database).await, begun(&database).await);
    let set = async |game| database.write(Write::SetConditional(row(game, Side::First, "body"))).await;
    set(&finished).await;
    let over = GameRow { status: Status::Finished, version: finished.version.next(), ..finished.clone() };
    database.write(append(&over, 2..=2)).await;
    assert_eq!(stored(&database, &finished).await, [None, None]);
    set(&over).await;
    assert_eq!(stored(&database, &finished).await, [None, None], "the game is over");

    set(&aborted).await;
    let over = GameRow { status: Status::Aborted, version: aborted.version.next(), ..aborted.clone() };
    database.write(append(&over, 2..=2)).await;
    let games = Clearing::Games { deleted: vec![aborted.id], spared: Vec::new() };
    assert_eq!(database.store.clear(games).await.deleted, 1);
    set(&aborted).await;
    assert_eq!(stored(&database, &aborted).await, [None, None], "the game does not exist");
}

/// One that was taken back would be played again.
async fn conditional_turns_go_when_turns_are_taken_back(database: Database) {
    let game = begun(&database).await;
    for side in Side::ALL {
        database.write(Write::SetConditional(row(&game, side, "body"))).await;
    }
    let taken_back = appended(vec![event(2)], &game).taking_back();
    database.write(Write::Append(Arc::new(taken_back))).await;
    assert_eq!(stored(&database, &game).await, [None, None]);
    let late = Write::SetConditional(row(&game, Side::First, "body"));
    assert!(matches!(database.store.one(late).await.unwrap(), Err(Refused::Conflict(_))));
}
