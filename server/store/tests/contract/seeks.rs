//! Seeks, and the games that they begin.

use std::sync::Arc;

use engine::Ruleset;
use game::{
    ClockRule, Player, Seats, Status,
    ids::{GameId, SeekId},
};
use store::{
    Cleared, Clearing, Condition, GameLimits, GameRow, MAX_SEEKS, Refused, Seek, SeekChange, TokenHash,
    Write, Written,
};
use tokio::task::JoinSet;
use uuid::Uuid;

use crate::{
    accounts::{account, close},
    database::{Database, contract},
    sample::{append, appended, event, player, room},
    verbs::Verbs,
};

contract! {
    a_seek_waits_until_it_is_withdrawn_by_its_player
    seeks_that_a_player_cannot_accept_crowd_out_no_others
    seeks_of_one_game_are_found_and_those_of_others_are_not
    of_two_players_who_accept_a_last_game_at_once_one_gets_it
    two_seeks_of_one_game_give_each_other_one
    no_game_begins_between_players_one_of_whom_has_blocked_the_other
    the_seeks_of_absent_players_and_of_closed_accounts_are_deleted
}

const LIMITS: GameLimits = GameLimits { under_way: 200, slow_at_first: 3 };

async fn known(database: &Database, name: &str, seen_ms: i64) -> Player {
    let player = player(name);
    database
        .store
        .create_player(&player, &TokenHash::of(player.id.uuid().as_bytes()), seen_ms)
        .await
        .unwrap();
    player
}

pub(crate) fn seek(player: &Player, wanted: u32) -> Seek {
    Seek {
        id: SeekId::new(Uuid::now_v7()),
        player: player.id,
        ruleset: Ruleset::Fenix,
        clock: ClockRule::Correspondence { days: 3.try_into().unwrap() },
        wanted,
        created_ms: 1,
    }
}

pub(crate) async fn post(database: &Database, seek: Seek) -> Result<Written, Refused> {
    database.store.one(Write::Seek(SeekChange::Posted(seek))).await.unwrap()
}

/// A game that seeks want.
fn begun(seeks: [Option<&Seek>; 2], [first, second]: [&Player; 2]) -> (GameId, Write) {
    let [seek, other] = seeks.map(|seek| seek.map(|seek| seek.id));
    let seats = Some(Seats { first: first.id, second: second.id });
    let game = GameRow { status: Status::Playing, seats, creator: first.id, ..room("Ada") };
    let condition = Condition::Sought { seek: seek.unwrap(), other };
    let append = appended(vec![event(1)], &game).provided(condition);
    (game.id, Write::Append(Arc::new(append)))
}

async fn a_seek_waits_until_it_is_withdrawn_by_its_player(database: Database) {
    let [ada, bob] = [known(&database, "Ada", 1).await, known(&database, "Bob", 1).await];
    let mut seeks = Vec::new();
    let of_days = |days: u32, wanted| {
        let clock = ClockRule::Correspondence { days: u64::from(days).try_into().unwrap() };
        Seek { clock, ..seek(&ada, wanted) }
    };
    for days in 1..=MAX_SEEKS {
        seeks.push(of_days(days, 5));
        assert_eq!(post(&database, *seeks.last().unwrap()).await, Ok(Written::Done));
    }
    assert_eq!(post(&database, of_days(MAX_SEEKS + 1, 1)).await, Err(Refused::TooManySeeks));
    let replaced = seeks.remove(4);
    seeks.push(of_days(5, 2));
    assert_eq!(post(&database, seeks[9]).await, Ok(Written::Done), "in the place of an equal one");
    assert_eq!(database.store.seek(replaced.id).await.unwrap(), None);
    assert_eq!(post(&database, seek(&player("Gone"), 1)).await, Err(Refused::UnknownPlayer));
    let store = &database.store;
    assert_eq!(store.seeks_of(ada.id).await.unwrap(), seeks);
    assert_eq!(store.seeks_of(bob.id).await.unwrap(), []);
    assert_eq!(store.seek(seeks[0].id).await.unwrap(), Some(seeks[0]));
    let withdraw = async |player: &Player| {
        let withdrawn = SeekChange::Withdrawn { seek: seeks[0].id, player: player.id };
        store.one(Write::Seek(withdrawn)).await.unwrap()
    };
    assert_eq!(withdraw(&bob).await, Err(Refused::SeekGone));
    assert_eq!(withdraw(&ada).await, Ok(Written::Done));
    assert_eq!(withdraw(&ada).await, Err(Refused::SeekGone));
    assert_eq!(store.seek(seeks[0].id).await.unwrap(), None);
}

async fn seeks_of_one_game_are_found_and_those_of_others_are_not(database: Database) {
    let mut posted = Vec::new();
    for name in ["Ada", "Bob", "Cleo"] {
        posted.push(seek(&known(&database, name, 1).await, 1));
    }
    let dora = known(&database, "Dora", 1).await;
    let others = [
        Seek { ruleset: Ruleset::Focus, ..seek(&dora, 1) },
        Seek { clock: ClockRule::None, ..seek(&dora, 1) },
    ];
    for seek in posted.iter().chain(&others) {
        assert_eq!(post(&database, *seek).await, Ok(Written::Done));
    }
    let like = async |seek: &Seek, limit| database.store.seeks_like(seek, LIMITS, limit).await.unwrap();
    assert_eq!(like(&posted[0], 9).await, posted[1..]);
    assert_eq!(like(&posted[1], 1).await, posted[..1], "the oldest first");
    assert_eq!(like(&others[1], 9).await, []);
    assert_eq!(newest(&database, &player("Eve"), 2).await, [others[1], others[0]]);
    assert_eq!(newest(&database, &dora, 2).await, [posted[2], posted[1]]);
}

async fn seeks_that_a_player_cannot_accept_crowd_out_no_others(database: Database) {
    let mut posted = Vec::new();
    let mut players = Vec::new();
    for name in ["Ada", "Bob", "Cleo", "Dora", "Eve"] {
        players.push(known(&database, name, 1).await);
        posted.push(seek(players.last().unwrap(), 1));
    }
    let [ada, bob, cleo, dora, eve] = &players[..] else { unreachable!() };
    for seek in &posted {
        post(&database, *seek).await.unwrap();
    }
    database.store.block(eve.id, bob.id, 1).await.unwrap();
    database.store.block(cleo.id, eve.id, 1).await.unwrap();
    let slow = |id| {
        let seats = Some(Seats { first: id, second: id });
        GameRow { status: Status::Playing, seats, creator: id, clock: ClockRule::None, ..room("Ada") }
    };
    for _ in 0..LIMITS.slow_at_first {
        database.write(append(&slow(dora.id), 1..=1)).await;
    }
    assert_eq!(newest(&database, eve, 1).await, posted[..1]);
    let like = async |limit| database.store.seeks_like(&posted[4], LIMITS, limit).await.unwrap();
    assert_eq!(like(9).await, posted[..1]);
    let finished = GameRow { status: Status::Finished, ..slow(dora.id) };
    database.write(append(&finished, 1..=1)).await;
    assert_eq!(like(9).await, [posted[0], posted[3]], "a finished game allows one more");
    assert_eq!(newest(&database, ada, 9).await, [posted[4], posted[3], posted[2], posted[1]]);
}

async fn newest(database: &Database, player: &Player, limit: u32) -> Vec<Seek> {
    database.store.newest_seeks(player.id, LIMITS, limit).await.unwrap()
}

async fn of_two_players_who_accept_a_last_game_at_once_one_gets_it(database: Database) {
    let other = database.other_node().await;
    let ada = known(&database, "Ada", 1).await;
    let wanted = seek(&ada, 3);
    post(&database, wanted).await.unwrap();
    let mut nodes = JoinSet::new();
    for i in 0..6 {
        let store = Arc::clone(if i % 2 == 0 { &database.store } else { &other });
        let taker = known(&database, "Bob", 1).await;
        let (game, write) = begun([Some(&wanted), None], [&taker, &ada]);
        nodes.spawn(async move { (game, store.one(write).await.unwrap()) });
    }
    let results = nodes.join_all().await;
    for (game, result) in &results {
        let is_there = database.store.game(*game).await.unwrap().is_some();
        assert_eq!(is_there, result.is_ok());
        assert!(matches!(result, Ok(Written::Done) | Err(Refused::SeekGone)), "{result:?}");
    }
    assert_eq!(results.iter().filter(|(_, result)| result.is_ok()).count(), 3, "{results:?}");
    assert_eq!(database.store.seek(wanted.id).await.unwrap(), None);
}

async fn two_seeks_of_one_game_give_each_other_one(database: Database) {
    let [ada, bob] = [known(&database, "Ada", 1).await, known(&database, "Bob", 1).await];
    let (of_ada, of_bob) = (seek(&ada, 2), seek(&bob, 1));
    for seek in [of_ada, of_bob] {
        post(&database, seek).await.unwrap();
    }
    let (game, write) = begun([Some(&of_bob), Some(&of_ada)], [&ada, &bob]);
    let (_, again) = begun([Some(&of_bob), Some(&of_ada)], [&ada, &bob]);
    let results = database.store.commit(&[write.clone(), again.clone()]).await.unwrap();
    assert_eq!(results, [Ok(Written::Done), Err(Refused::SeekGone)]);
    assert_eq!(database.store.one(again).await.unwrap(), Err(Refused::SeekGone));
    let same_game = database.store.one(write).await.unwrap();
    assert!(matches!(same_game, Err(Refused::Conflict(_))), "the seeks find each other again: {same_game:?}");
    assert!(database.store.game(game).await.unwrap().is_some());
    assert_eq!(database.store.seek(of_ada.id).await.unwrap(), Some(Seek { wanted: 1, ..of_ada }));
    assert_eq!(database.store.seek(of_bob.id).await.unwrap(), None);
    let cleo = known(&database, "Cleo", 1).await;
    for players in [[&bob, &cleo], [&ada, &ada]] {
        let (_, write) = begun([Some(&of_ada), Some(&of_ada)], players);
        assert_eq!(database.store.one(write).await.unwrap(), Err(Refused::SeekGone), "{players:?}");
    }
}

async fn no_game_begins_between_players_one_of_whom_has_blocked_the_other(database: Database) {
    let [ada, bob] = [known(&database, "Ada", 1).await, known(&database, "Bob", 1).await];
    let wanted = seek(&ada, 1);
    post(&database, wanted).await.unwrap();
    database.store.block(ada.id, bob.id, 1).await.unwrap();
    let (_, write) = begun([Some(&wanted), None], [&ada, &bob]);
    assert_eq!(database.store.one(write).await.unwrap(), Err(Refused::Blocked));
    assert_eq!(database.store.seek(wanted.id).await.unwrap(), Some(wanted));
}

async fn the_seeks_of_absent_players_and_of_closed_accounts_are_deleted(database: Database) {
    let [absent, present] = [known(&database, "Ada", 10).await, known(&database, "Bob", 11).await];
    let leaving = account(&database, "Cleo", "phone").await;
    let seeks = [&absent, &present, &leaving].map(|player| seek(player, 1));
    for seek in seeks {
        post(&database, seek).await.unwrap();
    }
    let store = &database.store;
    close(&database, &leaving, "phone", 70).await.unwrap();
    assert_eq!(newest(&database, &player("Eve"), 9).await, [seeks[1], seeks[0]]);
    assert_eq!(store.left_seeks(10, 9).await.unwrap(), [seeks[0].id]);
    // A player who has come back since the seeks were looked for keeps them.
    let left = vec![seeks[0].id, seeks[1].id];
    let cleared = store.clear(Clearing::Seeks { left, seen_ms: 10 }).await;
    assert_eq!(cleared, Cleared { deleted: 1, is_more: false });
    assert_eq!(newest(&database, &player("Eve"), 9).await, [seeks[1]]);
    let guests = Clearing::Guests { before_ms: 100, at_most: 9 };
    assert_eq!(store.clear(guests).await.deleted, 2);
    assert_eq!(newest(&database, &player("Eve"), 9).await, [], "with their players");
}
