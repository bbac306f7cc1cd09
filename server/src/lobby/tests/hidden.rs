//! Games that some readers may not see, or not yet.

use game::{Watching, ids::Delay};
use serde_json::Value;

use super::sample::{ADA, BLAISE, READER, Scene, Tab, begun, changed, gone, moved, over, room};
use crate::lobby::*;

#[tokio::test(start_paused = true)]
async fn a_game_by_link_is_told_to_its_players_alone() {
    let scene = Scene::begin().await;
    let (mut reader, _) = scene.open(READER, &[]);
    let ((mut ada, _), (mut blaise, _)) = (scene.open(ADA, &[]), scene.open(BLAISE, &[]));
    let room = GameRow { visibility: Visibility::Link, ..room(1) };
    scene.lobby.update(&room);
    assert_eq!((ada.news(), blaise.news()), (vec![changed(1, "open")], vec![]));
    for row in [begun(room.clone()), moved(begun(room.clone())), over(moved(begun(room)))] {
        let status = if row.status == Status::Playing { "playing" } else { "finished" };
        scene.lobby.update(&row);
        assert_eq!((ada.news(), blaise.news()), (vec![changed(1, status)], vec![changed(1, status)]));
    }
    scene.wait(Duration::from_secs(2)).await;
    assert_eq!(reader.news(), []);
    let (_, shown) = scene.open(READER, &[]);
    for list in ["rooms", "live", "finished"] {
        assert_eq!(shown[list], serde_json::json!([]), "{list}");
    }
    scene.end().await;
}

#[tokio::test(start_paused = true)]
async fn a_game_that_nobody_may_watch_is_shown_to_others_while_it_is_open() {
    let scene = Scene::begin().await;
    let (mut reader, _) = scene.open(READER, &[]);
    let (mut ada, _) = scene.open(ADA, &[]);
    let room = GameRow { watching: Watching::Nobody, ..room(1) };
    scene.lobby.update(&room);
    scene.tick().await;
    scene.lobby.update(&begun(room.clone()));
    scene.tick().await;
    assert_eq!(reader.news(), [changed(1, "open"), gone(1)]);
    assert_eq!(ada.news(), [changed(1, "open"), changed(1, "playing"), gone(1)], "the lists have it no more");
    scene.lobby.update(&moved(begun(room.clone())));
    scene.lobby.update(&over(moved(begun(room))));
    scene.wait(Duration::from_secs(2)).await;
    assert_eq!(reader.news(), []);
    assert_eq!(ada.news(), [changed(1, "playing"), changed(1, "finished")]);
    let (_, shown) = scene.open(READER, &[]);
    assert_eq!((&shown["live"], &shown["finished"]), (&serde_json::json!([]), &serde_json::json!([])));
    scene.end().await;
}

#[tokio::test(start_paused = true)]
async fn how_far_a_game_is_that_spectators_see_later_is_told_to_its_players_alone() {
    let scene = Scene::begin().await;
    let ((mut reader, _), (mut ada, _)) = (scene.open(READER, &[]), scene.open(ADA, &[]));
    let room = GameRow { delay: Delay::try_from(2).unwrap(), ..room(1) };
    let row = GameRow { updated_ms: 5, deadline_ms: Some(7), ..moved(begun(room.clone())) };
    scene.lobby.update(&begun(room));
    scene.lobby.update(&row);
    scene.wait(Duration::from_secs(2)).await;
    let told =
        |tab: &mut Tab| tab.messages().into_iter().map(|news| news["games"][0].clone()).collect::<Vec<_>>();
    let far = |row: &Value| {
        ["version", "turn", "to_move", "updated_ms", "deadline_ms", "position"].map(|part| row[part].clone())
    };
    let unknown = serde_json::json!([0, null, null, 0, null, null]);
    let [began] = &told(&mut reader)[..] else { panic!("a turn is no news") };
    assert_eq!((serde_json::json!(far(began)), &began["delay"]), (unknown.clone(), &serde_json::json!(2)));
    let for_ada = told(&mut ada);
    assert_eq!(
        serde_json::json!(far(for_ada.last().unwrap())),
        serde_json::json!([3, 2, "first", 5, 7, row.position])
    );
    let (_, shown) = scene.open(READER, &[]);
    assert_eq!(serde_json::json!(far(&shown["live"][0])), unknown);

    scene.lobby.update(&over(row));
    scene.tick().await;
    let [ended] = &told(&mut reader)[..] else { panic!("the end is news") };
    assert_eq!(
        (&ended["turn"], &ended["version"]),
        (&serde_json::json!(2), &serde_json::json!(4)),
        "all is known"
    );
    scene.end().await;
}
