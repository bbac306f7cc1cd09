//! Choice and number of the rows that are kept and shown.

use super::sample::{
    ADA, READER, Scene, between, changed, game, numbers, of_stranger, of_strangers, over, player, room,
    session,
};
use crate::lobby::*;

#[tokio::test(start_paused = true)]
async fn the_lobby_keeps_a_bounded_number_of_rows_and_shows_the_newest() {
    let scene = Scene::begin().await;
    let n_games = KEPT as u128 + 5;
    for number in 1..=n_games {
        scene.lobby.update(&of_strangers(number));
    }
    scene.lobby.set_spectators(SpectatorCount { game: game(1), spectators: 1 });
    assert!(scene.lobby.inner.lock().rows.counts().is_empty(), "the oldest is not kept");
    let (_, shown) = scene.open(READER, &[]);
    let newest: Vec<_> = (1..=n_games).rev().take(SHOWN).collect();
    assert_eq!(numbers(&shown["live"]), newest);
    for number in 1..=FINISHED as u128 + 5 {
        scene.lobby.update(&over(of_strangers(number)));
    }
    let (_, shown) = scene.open(READER, &[]);
    let last: Vec<_> = (6..=FINISHED as u128 + 5).rev().collect();
    assert_eq!(numbers(&shown["finished"]), last, "the last ended first");
    scene.end().await;
}

#[tokio::test(start_paused = true)]
async fn no_player_is_shown_more_than_twice_among_live_or_finished_games() {
    let scene = Scene::begin().await;
    let (mut reader, _) = scene.open(READER, &[]);
    for number in 1..=100 {
        // Ada plays against everybody, and some play against each other too.
        scene.lobby.update(&between(number, ADA, 100 + number / 3));
    }
    let (_, shown) = scene.open(READER, &[]);
    assert_eq!(numbers(&shown["live"]), [100, 99]);
    scene.tick().await;
    let mut news = reader.news();
    news.sort();
    assert_eq!(news, [changed(99, "playing"), changed(100, "playing")]);

    scene.lobby.update(&over(between(100, ADA, 133)));
    scene.tick().await;
    assert_eq!(reader.news(), [changed(98, "playing"), changed(100, "finished")], "the next one is shown");
    for number in (1..=97).rev() {
        scene.lobby.update(&over(between(number, ADA, 100 + number / 3)));
    }
    let (_, shown) = scene.open(READER, &[]);
    assert_eq!(shown["finished"].as_array().unwrap().len(), 2);
    scene.end().await;
}

#[tokio::test(start_paused = true)]
async fn one_address_neither_fills_a_list_nor_pushes_others_out_of_memory() {
    let scene = Scene::begin().await;
    let mut flood = Vec::new();
    for number in 1..=2 * KEPT as u128 {
        let maker = player(1_000_000 + number);
        let address = Address::of_tests(if number <= 5 { 7 } else { 8 });
        flood.push(scene.lobby.presence.enter(maker, session(), address, Outbox::open().0));
        scene.lobby.update(&of_strangers(number));
    }
    let (_, shown) = scene.open(READER, &[]);
    let live = numbers(&shown["live"]);
    assert_eq!(live.len(), SHOWN, "what nobody else needs may be filled");
    assert!(
        (1..=5).all(|number| live.contains(&number)),
        "the oldest are shown, of another address: {live:?}"
    );
    assert_eq!(scene.lobby.inner.lock().rows.last_changes().len(), KEPT);

    let _ada = scene.come(ADA);
    scene.lobby.update(&room(900_000));
    // Their makers have live games, and rooms beside them.
    for number in 1..=2 * SHOWN as u128 {
        scene.lobby.update(&GameRow { id: game(900_000 + number), ..of_stranger(number + 5) });
    }
    let (rooms, are_more) = scene.lobby.rooms(None, 2 * SHOWN);
    assert_eq!((rooms.len(), are_more), (SHOWN, false));
    assert!(rooms.iter().any(|room| room.id == game(900_000)), "hers is older than all of theirs");
    scene.end().await;
}

#[tokio::test(start_paused = true)]
async fn open_rooms_are_paged_newest_first() {
    let scene = Scene::begin().await;
    for number in 1..=5 {
        scene.lobby.update(&room(number));
    }
    let page = |before, limit| {
        let (rooms, are_more) = scene.lobby.rooms(before, limit);
        (rooms.iter().map(|room| room.id.uuid().as_u128()).collect::<Vec<_>>(), are_more)
    };
    assert_eq!(page(None, 2), (vec![5, 4], true));
    assert_eq!(page(Some(game(4)), 2), (vec![3, 2], true));
    assert_eq!(page(Some(game(2)), 2), (vec![1], false));
    assert_eq!(page(None, 5), (vec![5, 4, 3, 2, 1], false));
    scene.end().await;
}

#[tokio::test(start_paused = true)]
async fn the_lists_are_made_a_few_times_a_tick_however_many_open_the_lobby() {
    let scene = Scene::begin().await;
    let mut tabs = Vec::new();
    let mut n_made = 0;
    let mut last = None;
    for number in 1..=20 {
        scene.lobby.update(&of_stranger(number));
        tabs.push(scene.open(1_000 + number, &[]));
        let shown = scene.lobby.inner.lock().shown(&scene.lobby.directory);
        if !last.as_ref().is_some_and(|last| std::sync::Arc::ptr_eq(last, &shown)) {
            n_made += 1;
        }
        last = Some(shown);
    }
    assert!((1..=4).contains(&n_made), "{n_made}");
    scene.tick().await;
    for (tab, shown) in &mut tabs {
        let mut known: Vec<_> = numbers(&shown["rooms"]);
        known.extend(tab.news().into_iter().map(|(number, _)| number));
        known.sort_unstable();
        known.dedup();
        assert_eq!(known, (1..=20).collect::<Vec<_>>(), "shown, or told with the tick");
    }
    scene.end().await;
}
