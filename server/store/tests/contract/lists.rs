use game::{Player, Seats, Status, Visibility, Watching};
use store::{Cursor, GameFilter, GameRow, List, Paging};

use crate::{
    database::{Database, contract},
    sample::{append, ids, player, room},
};

contract! {
    public_lists_hold_public_games_of_their_status_newest_first
    pages_have_no_gaps_and_no_duplicates
    a_players_lists_have_their_games_in_either_seat
    all_games_are_enumerated_by_id
}

async fn public_lists_hold_public_games_of_their_status_newest_first(database: Database) {
    let mut listed = [vec![], vec![], vec![]];
    let statuses = [Status::Open, Status::Playing, Status::Finished, Status::Aborted, Status::Cancelled];
    for i in 0..60_usize {
        let mut game = room("Ada");
        // The order of creation differs from that of the ids.
        game.created_ms = [3, 1, 2][i % 3];
        game.updated_ms = 100 - i as i64;
        game.status = statuses[i % 5];
        game.visibility = [Visibility::Public, Visibility::Link][i / 5 % 2];
        game.watching = [Watching::Everybody, Watching::Nobody][i / 10 % 2];
        database.write(append(&game, 1..=1)).await;
        // A room can be joined even if nobody may watch its game.
        let may_be_seen = game.watching == Watching::Everybody || game.status == Status::Open;
        if let (Visibility::Public, true, Some(list)) = (game.visibility, may_be_seen, listed.get_mut(i % 5))
        {
            list.push(game);
        }
    }
    let [mut open, mut live, mut finished] = listed;
    for list in [&mut open, &mut live] {
        list.sort_by_key(|game| std::cmp::Reverse((game.created_ms, game.id)));
    }
    finished.sort_by_key(|game| std::cmp::Reverse((game.updated_ms, game.id)));
    let ids = |games: &[GameRow]| games.iter().map(|game| game.id).collect::<Vec<_>>();
    assert_eq!([open.len(), live.len(), finished.len()], [6, 3, 3]);
    assert_eq!(database.first_page(List::OpenRooms).await, ids(&open));
    assert_eq!(database.first_page(List::LiveGames).await, ids(&live));
    assert_eq!(database.first_page(finished_games()).await, ids(&finished));
}

async fn pages_have_no_gaps_and_no_duplicates(database: Database) {
    let ada = player("Ada");
    let games: Vec<_> = (0..25)
        .map(|i| GameRow {
            creator: ada.id,
            // Many rooms are created in the same millisecond.
            created_ms: i / 10,
            updated_ms: i / 10,
            ..room("Ada")
        })
        .collect();
    let makings: Vec<_> = games.iter().map(|game| append(game, 1..=1)).collect();
    database.commit(&makings).await;
    walk(&database, List::OpenRooms).await;
    walk(&database, List::UnfinishedGamesOf(ada.id)).await;

    let seats = Seats { first: ada.id, second: player("Bob").id };
    for (status, version, lists) in [
        (Status::Playing, 2, [List::LiveGames, List::UnfinishedGamesOf(ada.id)]),
        (Status::Finished, 3, [finished_games(), List::FinishedGamesOf(ada.id)]),
    ] {
        let changes: Vec<_> = games
            .iter()
            .map(|game| GameRow { status, seats: Some(seats), ..game.clone() })
            .map(|game| append(&game, version..=version))
            .collect();
        database.commit(&changes).await;
        for list in lists {
            walk(&database, list).await;
        }
    }
    assert_eq!(database.first_page(List::UnfinishedGamesOf(ada.id)).await, []);
}

/// Reads a list of 25 games in pages of different sizes. The cursors pass through their text form, as with a client.
async fn walk(database: &Database, list: List) {
    let whole = database.first_page(list.clone()).await;
    assert_eq!(whole.len(), 25);
    for limit in [1, 4, 5, 24, 25, 26] {
        let mut walked = vec![];
        let mut before = None;
        loop {
            let page = database.store.list(list.clone(), Paging { before, limit }).await.unwrap();
            assert!(page.games.len() <= limit as usize);
            walked.extend(ids(&page));
            let Some(next) = page.next else { break };
            assert_eq!(page.games.len(), limit as usize, "only the last page is not full");
            let cursor: Cursor = next.to_string().parse().unwrap();
            assert_eq!(cursor, next);
            before = Some(cursor);
        }
        assert_eq!(walked, whole, "{list:?} by {limit}");
    }
}

async fn a_players_lists_have_their_games_in_either_seat(database: Database) {
    let [ada, bob] = [player("Ada"), player("Bob")];
    let made = |created_ms, creator: &Player| GameRow {
        creator: creator.id,
        created_ms,
        visibility: Visibility::Link,
        ..room("Ada")
    };
    let seated = |game: GameRow, first: &Player, second: &Player| GameRow {
        status: Status::Playing,
        seats: Some(Seats { first: first.id, second: second.id }),
        ..game
    };
    let open = made(1, &ada);
    let as_first = seated(made(4, &ada), &ada, &bob);
    let as_second = seated(made(3, &ada), &bob, &ada);
    let joined = seated(made(2, &bob), &bob, &ada);
    let cancelled = GameRow { status: Status::Cancelled, ..made(5, &ada) };
    let foreign = made(6, &bob);
    let over = |ended_ms, game: GameRow| GameRow { status: Status::Finished, updated_ms: ended_ms, ..game };
    let finished = over(20, seated(made(7, &ada), &ada, &bob));
    // It began later and ended earlier.
    let unwatched_end =
        over(10, GameRow { watching: Watching::Nobody, ..seated(made(10, &bob), &bob, &ada) });
    let aborted = GameRow { status: Status::Aborted, ..seated(made(8, &bob), &bob, &ada) };
    let unwatched = GameRow { watching: Watching::Nobody, ..seated(made(9, &ada), &bob, &ada) };
    let [cleo, dora] = [player("Cleo"), player("Dora")];
    let others = [15, 25].map(|ended_ms| over(ended_ms, seated(made(1, &ada), &cleo, &dora)));
    let games = [
        [&open, &as_first, &as_second, &joined, &cancelled, &foreign],
        [&finished, &unwatched_end, &aborted, &unwatched, &others[0], &others[1]],
    ];
    for game in games.concat() {
        database.write(append(game, 1..=1)).await;
    }
    let unfinished = [&unwatched, &as_first, &as_second, &joined, &open].map(|game| game.id);
    assert_eq!(database.first_page(List::UnfinishedGamesOf(ada.id)).await, unfinished);
    let unfinished = [&unwatched, &foreign, &as_first, &as_second, &joined].map(|game| game.id);
    assert_eq!(database.first_page(List::UnfinishedGamesOf(bob.id)).await, unfinished);
    for player in [&ada, &bob] {
        let played = database.first_page(List::FinishedGamesOf(player.id)).await;
        assert_eq!(played, [&finished, &unwatched_end].map(|game| game.id), "{}", player.name);
    }

    let both = player("Cleo");
    let [going_on, over] = [Status::Playing, Status::Finished]
        .map(|status| GameRow { status, ..seated(made(1, &both), &both, &both) });
    for game in [&going_on, &over] {
        database.write(append(game, 1..=1)).await;
    }
    assert_eq!(database.first_page(List::UnfinishedGamesOf(both.id)).await, [going_on.id]);
    let played = database.first_page(List::FinishedGamesOf(both.id)).await;
    assert_eq!(played, [over.id], "a game with one player in both seats is listed once");

    let stranger = player("Ada").id;
    assert_eq!(database.first_page(List::UnfinishedGamesOf(stranger)).await, []);
    assert_eq!(database.first_page(List::FinishedGamesOf(stranger)).await, []);
}

fn finished_games() -> List {
    List::FinishedGames(GameFilter::default())
}

#[test]
fn invalid_cursors_are_rejected() {
    for text in ["", "1", "1_", "_", "1_x", "x_01890a5d-ac96-774b-bcce-b302099a8057"] {
        assert!(text.parse::<Cursor>().is_err(), "{text}");
    }
}

async fn all_games_are_enumerated_by_id(database: Database) {
    let statuses = [Status::Open, Status::Playing, Status::Finished, Status::Aborted, Status::Cancelled];
    let mut games = vec![];
    for status in statuses {
        let game = GameRow { status, visibility: Visibility::Link, ..room("Ada") };
        // The times are in another order than the ids.
        let game = GameRow { created_ms: -(games.len() as i64), ..game };
        database.write(append(&game, 1..=1)).await;
        games.push(game.id);
    }
    games.sort();
    for limit in [1, 2, 5, 6] {
        let mut walked = vec![];
        loop {
            let page = database.store.games_after(walked.last().copied(), limit).await.unwrap();
            assert!(page.len() <= limit as usize);
            if page.is_empty() {
                break;
            }
            walked.extend(page);
        }
        assert_eq!(walked, games, "pages of {limit}");
    }
}
