use game::Player;
use store::{CannotBlock, MAX_BLOCKS, TokenHash};

use crate::{
    database::{Database, contract},
    sample::{name, player},
    verbs::Verbs,
};

contract! {
    a_block_holds_both_ways_until_it_is_removed
    blocked_players_are_listed_by_current_name_newest_first
    nobody_can_block_themselves_or_an_unknown_player
    blocks_are_bounded
    two_nodes_share_the_bound_on_blocks
}

async fn a_block_holds_both_ways_until_it_is_removed(database: Database) {
    let [ada, bob, cleo] = stored(&database, ["Ada", "Bob", "Cleo"]).await;
    let store = &database.store;
    assert_eq!(store.block(ada.id, bob.id, 1).await, Ok(()));
    assert_eq!(store.block(ada.id, bob.id, 2).await, Ok(()), "blocking twice is not an error");

    let everybody = [ada.id, bob.id, cleo.id];
    let among = async |player: &Player| store.blocked_among(player.id, &everybody).await.unwrap();
    assert_eq!(among(&ada).await, [bob.id]);
    assert_eq!(among(&bob).await, [ada.id]);
    assert_eq!(among(&cleo).await, []);
    assert_eq!(store.blocked_among(ada.id, &[cleo.id]).await.unwrap(), []);
    assert_eq!(store.blocked_among(ada.id, &[]).await.unwrap(), []);
    assert_eq!(store.blocks_of(ada.id).await.unwrap(), std::slice::from_ref(&bob));
    assert_eq!(store.blocks_of(bob.id).await.unwrap(), []);

    store.unblock(bob.id, ada.id).await;
    assert_eq!(among(&bob).await, [ada.id], "only Ada can remove her block");
    store.unblock(ada.id, bob.id).await;
    store.unblock(ada.id, bob.id).await;
    assert_eq!(among(&ada).await, []);
    assert_eq!(store.blocks_of(ada.id).await.unwrap(), []);
}

async fn blocked_players_are_listed_by_current_name_newest_first(database: Database) {
    let [ada, bob, cleo, dora] = stored(&database, ["Ada", "Bob", "Cleo", "Dora"]).await;
    let store = &database.store;
    for (other, at_ms) in [(&cleo, 20), (&bob, 10), (&dora, 30)] {
        store.block(ada.id, other.id, at_ms).await.unwrap();
    }
    store.block(bob.id, ada.id, 40).await.unwrap();
    store.rename(bob.id, &name("Robert")).await.unwrap();
    let bob = Player { name: name("Robert"), ..bob };
    assert_eq!(store.blocks_of(ada.id).await.unwrap(), [dora, cleo, bob]);
}

async fn nobody_can_block_themselves_or_an_unknown_player(database: Database) {
    let [ada] = stored(&database, ["Ada"]).await;
    let (store, unknown) = (&database.store, player("Bob"));
    assert_eq!(store.block(ada.id, ada.id, 1).await, Err(CannotBlock::Oneself));
    assert_eq!(store.block(ada.id, unknown.id, 1).await, Err(CannotBlock::UnknownPlayer));
    assert_eq!(store.block(unknown.id, ada.id, 1).await, Err(CannotBlock::UnknownPlayer));
    assert_eq!(store.blocks_of(ada.id).await.unwrap(), []);
}

async fn blocks_are_bounded(database: Database) {
    let [ada, last, one_more] = stored(&database, ["Ada", "Last", "One more"]).await;
    let store = &database.store;
    block_strangers(&database, &ada, MAX_BLOCKS - 1).await;
    assert_eq!(store.block(ada.id, last.id, 1).await, Ok(()));
    assert_eq!(store.block(ada.id, one_more.id, 2).await, Err(CannotBlock::TooMany));
    assert_eq!(store.block(ada.id, last.id, 3).await, Ok(()), "a repeated block does not count");
    assert_eq!(store.block(one_more.id, ada.id, 4).await, Ok(()), "each player has a bound of their own");

    store.unblock(ada.id, last.id).await;
    assert_eq!(store.block(ada.id, one_more.id, 5).await, Ok(()));
    assert_eq!(store.blocks_of(ada.id).await.unwrap().len(), usize::try_from(MAX_BLOCKS).unwrap());
}

async fn two_nodes_share_the_bound_on_blocks(database: Database) {
    let [ada, bob, cleo] = stored(&database, ["Ada", "Bob", "Cleo"]).await;
    let other = database.other_node().await;
    block_strangers(&database, &ada, MAX_BLOCKS - 1).await;
    for _ in 0..10 {
        let (here, there) =
            tokio::join!(database.store.block(ada.id, bob.id, 1), other.block(ada.id, cleo.id, 1));
        let full = Err(CannotBlock::TooMany);
        assert!([(Ok(()), full), (full, Ok(()))].contains(&(here, there)), "{here:?} {there:?}");
        database.store.unblock(ada.id, if here.is_ok() { bob.id } else { cleo.id }).await;
    }
}

async fn stored<const N: usize>(database: &Database, names: [&str; N]) -> [Player; N] {
    let players = names.map(player);
    for player in &players {
        let token = TokenHash::of(player.id.uuid().as_bytes());
        database.store.create_player(player, &token, 1).await.unwrap();
    }
    players
}

async fn block_strangers(database: &Database, player: &Player, count: u32) {
    for _ in 0..count {
        let [stranger] = stored(database, ["Stranger"]).await;
        database.store.block(player.id, stranger.id, 0).await.unwrap();
    }
}
