//! Changes that readers are sent, and when.

use serde_json::Value;

use super::sample::{ADA, BLAISE, READER, Scene, begun, changed, moved, numbers, of_strangers, over, room};
use crate::lobby::*;

#[tokio::test(start_paused = true)]
async fn however_many_games_begin_a_reader_gets_one_bounded_message_at_each_tick() {
    let scene = Scene::begin().await;
    let (mut reader, _) = scene.open(READER, &[]);
    for number in 1..=5 * BATCH as u128 {
        scene.lobby.update(&of_strangers(number));
    }
    assert_eq!(reader.messages(), [] as [Value; 0]);
    let mut told = vec![];
    for _ in 0..5 {
        scene.tick().await;
        let messages = reader.messages();
        let [message] = &messages[..] else { panic!("{} messages at once", messages.len()) };
        assert_eq!(message["games"].as_array().unwrap().len(), BATCH);
        told.extend(numbers(&message["games"]));
    }
    told.sort_unstable();
    assert_eq!(told, (1..=5 * BATCH as u128).collect::<Vec<_>>(), "each once");
    scene.wait(Duration::from_secs(5)).await;
    assert_eq!(reader.messages(), [] as [Value; 0], "nothing has changed");
    scene.end().await;
}

#[tokio::test(start_paused = true)]
async fn players_hear_of_their_games_at_once_and_others_of_turns_once_a_second() {
    let scene = Scene::begin().await;
    let _ada = scene.come(ADA);
    let (mut reader, _) = scene.open(READER, &[]);
    let (mut blaise, _) = scene.open(BLAISE, &[]);
    let mut row = begun(room(1));
    scene.lobby.update(&room(1));
    scene.tick().await;
    scene.lobby.update(&row);
    assert_eq!(blaise.news(), [changed(1, "open"), changed(1, "playing")], "a player hears at once");
    scene.tick().await;
    assert_eq!(reader.news(), [changed(1, "open"), changed(1, "playing")]);
    for _ in 0..3 {
        row = moved(row);
        scene.lobby.update(&row);
    }
    assert_eq!(blaise.news().len(), 3);
    assert_eq!(reader.news(), []);
    scene.wait(Duration::from_secs(1)).await;
    let news = reader.received();
    let turns: Vec<_> = news.iter().filter(|news| news["type"] == "lobby_changed").collect();
    assert_eq!(turns.len(), 1, "{news:?}");
    assert_eq!(turns[0]["games"][0]["turn"], 4);
    assert_eq!(blaise.news(), []);

    scene.lobby.update(&moved(row.clone()));
    let row = over(moved(row));
    scene.lobby.update(&row);
    scene.tick().await;
    assert_eq!(reader.news(), [changed(1, "finished")]);
    scene.wait(Duration::from_secs(2)).await;
    assert_eq!(reader.news(), [], "the turn before the end is old news");
    scene.lobby.update(&GameRow { version: row.version.next(), ..row.clone() });
    scene.lobby.update(&row);
    scene.wait(Duration::from_secs(2)).await;
    assert_eq!(reader.news(), [], "what follows the end is no news");
    assert_eq!(numbers(&scene.open(READER, &[]).1["finished"]), [1]);
    scene.end().await;
}

#[tokio::test(start_paused = true)]
async fn a_row_that_is_no_newer_than_the_one_that_was_told_is_no_news() {
    let scene = Scene::begin().await;
    let (mut reader, _) = scene.open(READER, &[]);
    let row = begun(room(1));
    scene.lobby.update(&row);
    scene.lobby.update(&row);
    scene.lobby.update(&room(1));
    scene.wait(Duration::from_secs(2)).await;
    assert_eq!(reader.news(), [changed(1, "playing")]);
    scene.end().await;
}
