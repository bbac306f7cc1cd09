//! Challenges: rooms that one player alone may join, and the limits on them.

use std::sync::Arc;

use game::{Player, Status, Visibility};
use store::{
    CHALLENGES_A_DAY, CHALLENGES_A_DAY_TO_ONE, Condition, GameCounts, GameRow, List, MAX_CHALLENGES,
    MAX_CHALLENGES_TO, Refused, TokenHash, Write, Written,
};
use tokio::task::JoinSet;

use crate::{
    accounts::account,
    database::{Database, contract},
    sample::{append, appended, event, player, room},
    verbs::Verbs,
};

contract! {
    a_challenge_is_among_the_games_of_both_and_counts_for_its_maker
    no_player_has_more_open_challenges_than_the_limit_however_many_are_made_at_once
    challenges_of_a_day_are_limited_to_one_player_and_to_all
    few_challenges_wait_for_the_answer_of_one_player
    nobody_challenges_a_player_who_has_blocked_them_or_is_gone
    a_closed_account_has_yet_to_decline
}

const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

async fn known(database: &Database, name: &str) -> Player {
    let player = player(name);
    database.store.create_player(&player, &TokenHash::of(player.id.uuid().as_bytes()), 1).await.unwrap();
    player
}

pub(crate) fn challenge(maker: &Player, challenged: &Player) -> GameRow {
    let visibility = Visibility::Link;
    GameRow { creator: maker.id, challenged: Some(challenged.id), visibility, ..room("Ada") }
}

pub(crate) fn made(game: &GameRow) -> Write {
    Write::Append(Arc::new(appended(vec![event(1)], game).provided(Condition::MayChallenge)))
}

async fn make(database: &Database, game: &GameRow) -> Result<Written, Refused> {
    database.store.one(made(game)).await.unwrap()
}

async fn a_challenge_is_among_the_games_of_both_and_counts_for_its_maker(database: Database) {
    let [ada, bob] = [known(&database, "Ada").await, known(&database, "Bob").await];
    let game = challenge(&ada, &bob);
    assert_eq!(make(&database, &game).await, Ok(Written::Done));
    let stored = database.store.game(game.id).await.unwrap().unwrap();
    assert_eq!(stored.challenged, Some(bob.id));
    for player in [&ada, &bob] {
        assert_eq!(database.first_page(List::UnfinishedGamesOf(player.id)).await, [game.id]);
        assert!(stored.is_of(player.id));
    }
    assert_eq!(database.first_page(List::OpenRooms).await, []);
    let counts = async |player: &Player| database.store.count_games(player.id).await.unwrap();
    assert_eq!(counts(&ada).await, GameCounts { open_rooms: 1, real_time: 0, under_way: 1 });
    assert_eq!(counts(&bob).await, GameCounts::default(), "nobody fills the games of another player");
    let limited = appended(vec![event(1)], &GameRow { creator: ada.id, ..room("Ada") });
    let limited = Write::Append(Arc::new(limited.provided(Condition::OpenRoomsBelow(1))));
    assert_eq!(database.store.one(limited).await.unwrap(), Ok(Written::Done), "a challenge is no open room");

    database.write(append(&GameRow { status: Status::Cancelled, ..game }, 2..=2)).await;
    assert_eq!(database.first_page(List::UnfinishedGamesOf(bob.id)).await, []);
}

async fn no_player_has_more_open_challenges_than_the_limit_however_many_are_made_at_once(database: Database) {
    let other = database.other_node().await;
    let ada = known(&database, "Ada").await;
    let mut nodes = JoinSet::new();
    for i in 0..MAX_CHALLENGES / 2 + 1 {
        let store = Arc::clone(if i % 2 == 0 { &database.store } else { &other });
        let [bob, cleo] = [known(&database, "Bob").await, known(&database, "Cleo").await];
        let writes = [&bob, &cleo].map(|challenged| made(&challenge(&ada, challenged)));
        nodes.spawn(async move { store.commit(&writes).await.unwrap() });
    }
    let results = nodes.join_all().await.concat();
    let n_made = results.iter().filter(|result| **result == Ok(Written::Done)).count();
    assert_eq!(n_made, MAX_CHALLENGES as usize, "{results:?}");
    assert!(results.iter().all(|result| matches!(result, Ok(_) | Err(Refused::TooManyChallenges))));
}

async fn challenges_of_a_day_are_limited_to_one_player_and_to_all(database: Database) {
    let [ada, bob, cleo] =
        [known(&database, "Ada").await, known(&database, "Bob").await, known(&database, "Cleo").await];
    // Those that were answered count as well.
    let declined = async |maker: &Player, challenged: &Player| {
        let game = challenge(maker, challenged);
        let result = make(&database, &game).await;
        if result.is_ok() {
            database.write(append(&GameRow { status: Status::Cancelled, ..game }, 2..=2)).await;
        }
        result
    };
    for _ in 0..CHALLENGES_A_DAY_TO_ONE {
        assert_eq!(declined(&ada, &bob).await, Ok(Written::Done));
    }
    assert_eq!(declined(&ada, &bob).await, Err(Refused::TooManyChallenges));
    assert_eq!(declined(&cleo, &bob).await, Ok(Written::Done), "the limit is that of one player");
    for _ in CHALLENGES_A_DAY_TO_ONE..CHALLENGES_A_DAY {
        let stranger = known(&database, "Dora").await;
        assert_eq!(declined(&ada, &stranger).await, Ok(Written::Done));
    }
    assert_eq!(declined(&ada, &cleo).await, Err(Refused::TooManyChallenges));
    let today = challenge(&ada, &bob);
    let tomorrow = GameRow { created_ms: today.created_ms + DAY_MS, ..today };
    assert_eq!(make(&database, &tomorrow).await, Ok(Written::Done));
}

async fn few_challenges_wait_for_the_answer_of_one_player(database: Database) {
    let bob = known(&database, "Bob").await;
    let mut results = Vec::new();
    for _ in 0..=MAX_CHALLENGES_TO {
        let maker = known(&database, "Ada").await;
        results.push(make(&database, &challenge(&maker, &bob)).await);
    }
    assert_eq!(results.pop(), Some(Err(Refused::TooManyChallenges)));
    assert!(results.iter().all(Result::is_ok), "{results:?}");
}

async fn nobody_challenges_a_player_who_has_blocked_them_or_is_gone(database: Database) {
    let [ada, bob] = [known(&database, "Ada").await, known(&database, "Bob").await];
    let gone = player("Gone");
    assert_eq!(make(&database, &challenge(&ada, &gone)).await, Err(Refused::NoTarget));
    for (one, other) in [(&ada, &bob), (&bob, &ada)] {
        database.store.block(one.id, other.id, 1).await.unwrap();
        assert_eq!(make(&database, &challenge(&ada, &bob)).await, Err(Refused::Blocked));
        database.write(Write::Unblock { player: one.id, blocked: other.id }).await;
    }
    assert_eq!(make(&database, &challenge(&ada, &bob)).await, Ok(Written::Done));
}

async fn a_closed_account_has_yet_to_decline(database: Database) {
    let (ada, bob) = (known(&database, "Ada").await, account(&database, "Bob", "phone").await);
    let game = challenge(&ada, &bob);
    assert_eq!(make(&database, &game).await, Ok(Written::Done));
    crate::accounts::close(&database, &bob, "phone", 70).await.unwrap();
    assert_eq!(database.store.closed_with_games(10).await.unwrap(), [bob.id]);
    database.write(append(&GameRow { status: Status::Cancelled, ..game }, 2..=2)).await;
    assert_eq!(database.store.closed_with_games(10).await.unwrap(), []);
}
