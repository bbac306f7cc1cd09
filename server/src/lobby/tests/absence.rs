//! Rooms of makers who leave and come back.

use game::ids::Version;
use store::{Append, DraftIs, StoredEvent, Write};
use tokio::time::advance;

use super::sample::{
    ADA, BLAISE, GONE_AFTER, READER, Scene, changed, directory, game, gone, numbers, of_stranger, player,
    room, session,
};
use crate::lobby::*;

#[tokio::test(start_paused = true)]
async fn the_room_of_a_maker_who_is_gone_for_30_seconds_leaves_the_list_and_comes_back_with_him() {
    let scene = Scene::begin().await;
    let (mut reader, _) = scene.open(READER, &[]);
    let ada = scene.come(ADA);
    scene.lobby.update(&room(1));
    scene.tick().await;
    assert_eq!(reader.news(), [changed(1, "open")]);
    scene.wait(GONE_AFTER * 2).await;
    assert_eq!(reader.news(), [], "the maker is here");

    drop(ada);
    scene.wait(GONE_AFTER - Duration::from_secs(1)).await;
    assert_eq!(reader.news(), []);
    assert_eq!(numbers(&scene.open(READER, &[]).1["rooms"]), [1]);
    scene.wait(Duration::from_secs(2)).await;
    assert_eq!(reader.news(), [gone(1)]);
    assert_eq!(numbers(&scene.open(READER, &[]).1["rooms"]), [] as [u128; 0]);
    assert_eq!(scene.lobby.rooms(None, 10).0.len(), 0, "GET /api/v1/rooms");

    let ada = scene.come(ADA);
    assert!(ada.is_new);
    let reading = scene.lobby.inner.lock().readings.begin(player(ADA).id);
    scene.lobby.inner.lock().come_back(reading.games(&[room(1)]), &directory(), |_| None);
    scene.tick().await;
    assert_eq!(reader.news(), [changed(1, "open")]);
    assert_eq!(scene.lobby.rooms(None, 10).0.len(), 1);
    scene.wait(GONE_AFTER * 2).await;
    assert_eq!(reader.news(), []);
    scene.end().await;
}

#[tokio::test(start_paused = true)]
async fn a_reader_that_returns_within_30_seconds_loses_nothing() {
    let scene = Scene::begin().await;
    let (mut reader, _) = scene.open(READER, &[]);
    for _ in 0..3 {
        let ada = scene.come(ADA);
        scene.lobby.update(&room(1));
        drop(ada);
        scene.wait(GONE_AFTER - Duration::from_secs(1)).await;
    }
    assert_eq!(reader.news(), [changed(1, "open")]);
    scene.end().await;
}

#[tokio::test(start_paused = true)]
async fn rooms_from_before_a_restart_have_30_seconds_for_their_makers_to_come() {
    let scene = Scene::begin().await;
    let (mut reader, _) = scene.open(READER, &[]);
    scene.lobby.update(&room(1));
    scene.lobby.update(&GameRow { creator: player(BLAISE).id, ..room(2) });
    scene.tick().await;
    assert_eq!(reader.news().len(), 2);
    scene.wait(GONE_AFTER - Duration::from_secs(1)).await;
    let _blaise = scene.come(BLAISE);
    scene.wait(Duration::from_secs(1)).await;
    assert_eq!(reader.news(), [gone(1)]);
    scene.end().await;
}

#[tokio::test(start_paused = true)]
async fn rooms_that_leave_together_are_told_together() {
    let scene = Scene::begin().await;
    let n_rooms = 50;
    for number in 1..=n_rooms {
        scene.lobby.update(&of_stranger(number));
    }
    scene.wait(GONE_AFTER - Duration::from_secs(1)).await;
    let (mut reader, _) = scene.open(READER, &[]);
    scene.wait(Duration::from_secs(2)).await;
    let mut left = reader.news();
    left.sort();
    assert_eq!(left, (1..=n_rooms).map(gone).collect::<Vec<_>>());
    scene.end().await;
}

#[tokio::test]
async fn a_room_of_an_absent_maker_does_not_come_back_from_the_store() {
    let directory = tempfile::TempDir::new().unwrap();
    let store = store::open(&format!("sqlite:{}/towers.db", directory.path().display())).await.unwrap();
    let made = |number: u128| {
        let event = StoredEvent { version: Version::new(1), at_ms: 0, command: None, body: "{}".to_owned() };
        Write::Append(Arc::new(Append::new(vec![event], room(number), DraftIs::Gone)))
    };
    store.commit(&[made(1)]).await.unwrap().remove(0).unwrap();
    let names = Directory::new(store.clone());
    let lobby = Lobby::load(&*store, Bus::alone(), Presence::new(Bus::alone()), names).await.unwrap();
    let shown = || lobby.rooms(None, 10).0.iter().map(|room| room.id).collect::<Vec<_>>();
    assert_eq!(shown(), [game(1)]);

    tokio::time::pause();
    advance(GONE_AFTER).await;
    tokio::time::resume();
    lobby.tick(true);
    assert_eq!(shown(), []);
    store.commit(&[made(2)]).await.unwrap().remove(0).unwrap();
    lobby.catch_up(&*store).await.unwrap();
    assert_eq!(shown(), [], "Ada is gone");
    let _ada = lobby.presence.enter(player(ADA), session(), Address::of_tests(1), Outbox::open().0);
    lobby.catch_up(&*store).await.unwrap();
    assert_eq!(shown(), [game(2), game(1)], "Ada is here");
}
