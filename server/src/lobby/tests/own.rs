//! Lists of a reader's own games.

use game::{Bonus, ClockRule, Player, RealTime, Watching};
use serde_json::{Value, json};

use super::sample::{
    ADA, BLAISE, CHARLES, READER, Scene, Tab, begun, between, changed, moved, numbers, of_stranger, over,
    player, room,
};
use crate::lobby::*;

#[tokio::test(start_paused = true)]
async fn changes_during_a_read_of_the_store_are_in_the_readers_own_list() {
    let scene = Scene::begin().await;
    let stored = vec![begun(room(1)), begun(room(2)), room(3)];
    let reading = scene.lobby.inner.lock().readings.begin(player(ADA).id);
    let others = GameRow { creator: player(CHARLES).id, ..room(5) };
    for row in [moved(begun(room(1))), over(begun(room(2))), room(4), others] {
        scene.lobby.update(&row);
    }
    let mine = reading.games(&stored);
    let found: Vec<_> = mine.iter().map(|row| (row.id.uuid().as_u128(), row.version.get())).collect();
    assert_eq!(found, [(4, 1), (3, 1), (1, 3)], "one moved, one is over, one is new");

    drop(reading);
    assert!(scene.lobby.inner.lock().readings.is_empty(), "no row has to come for a reading to be forgotten");
    let reading = scene.lobby.inner.lock().readings.begin(player(ADA).id);
    scene.lobby.update(&moved(begun(room(1))));
    assert_eq!(reading.games(&[moved(moved(begun(room(1))))])[0].version.get(), 4, "the store knew better");
    drop(reading);
    scene.end().await;
}

#[tokio::test(start_paused = true)]
async fn a_reader_gets_its_own_games_at_once_even_late_in_a_tick() {
    let scene = Scene::begin().await;
    // Somebody else has the lists made as often as they are in a tick.
    for number in 1..=10 {
        scene.lobby.update(&of_stranger(number));
        scene.open(1_000 + number, &[]);
    }
    scene.lobby.update(&room(11));
    scene.lobby.update(&begun(room(11)));
    let (mut ada, shown) = scene.open(ADA, &[begun(room(11))]);
    assert_eq!(numbers(&shown["mine"]), [11]);
    let _: ServerMessage = serde_json::from_value(shown).expect("it is a message of the protocol");
    scene.lobby.update(&over(begun(room(11))));
    assert_eq!(ada.news(), [changed(11, "finished")]);
    let (outbox, outgoing) = Outbox::open();
    let reading = scene.lobby.inner.lock().readings.begin(player(BLAISE).id);
    scene.lobby.show(player(BLAISE).id, &outbox, &reading, &[]);
    let mut blaise = Tab { outgoing, _here: scene.come(BLAISE) };
    assert_eq!(blaise.news(), [changed(11, "finished")]);
    scene.end().await;
}

#[tokio::test(start_paused = true)]
async fn a_new_name_shows_to_the_players_at_once_and_to_others_with_the_next_tick() {
    let scene = Scene::begin().await;
    scene.lobby.directory.learn(player(ADA).into());
    scene.lobby.update(&begun(room(1)));
    let (mut ada, _) = scene.open(ADA, &[]);
    let (mut reader, shown) = scene.open(READER, &[]);
    assert_eq!(shown["live"][0]["seats"]["first"]["name"], "Player 1");
    let name = "Ida".to_owned().try_into().unwrap();
    for game in scene.lobby.directory.rename(player(ADA).id, Player { name, ..player(ADA) }.into()) {
        scene.lobby.show_again(game);
    }
    let names = |tab: &mut Tab| -> Vec<Value> {
        let rows = tab.messages().into_iter().map(|message| message["games"][0].clone());
        rows.map(|row| row["seats"]["first"]["name"].clone()).collect()
    };
    assert_eq!((names(&mut ada), names(&mut reader)), (vec!["Ida".into()], vec![]));
    scene.tick().await;
    assert_eq!((names(&mut ada), names(&mut reader)), (vec![], vec!["Ida".into()]));
    assert_eq!(scene.open(READER, &[]).1["live"][0]["seats"]["first"]["name"], "Ida");
    scene.end().await;
}

#[tokio::test(start_paused = true)]
async fn who_asked_for_it_is_told_when_a_slow_game_of_the_own_begins_goes_on_or_ends() {
    let scene = Scene::begin().await;
    let (outbox, outgoing) = Outbox::open();
    let connection = outbox.id;
    scene.lobby.watch_turns(player(BLAISE).id, outbox);
    let mut page = Tab { outgoing, _here: scene.come(BLAISE) };
    let live = ClockRule::RealTime(RealTime::new(60, 0, Bonus::PerTurn).unwrap());
    let told = [json!({ "type": "turns" })];
    for (row, expected) in [
        (room(1), &[][..]),
        (begun(room(1)), &told),
        (moved(begun(room(1))), &told),
        (moved(begun(room(1))), &[]),
        (over(moved(begun(room(1)))), &told),
        (begun(GameRow { clock: live, ..room(2) }), &[]),
        (begun(GameRow { visibility: Visibility::Link, watching: Watching::Nobody, ..room(3) }), &told),
        (between(4, ADA, CHARLES), &[]),
    ] {
        scene.lobby.update(&row);
        assert_eq!(page.received(), expected, "{row:?}");
    }
    scene.lobby.forget(player(BLAISE).id, connection);
    scene.lobby.update(&begun(room(5)));
    assert_eq!(page.received(), [json!(null); 0]);
    scene.end().await;
}
