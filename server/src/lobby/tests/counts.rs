//! Numbers of players and spectators, and the messages of nodes about them.

use serde_json::Value;

use super::sample::{
    ADA, READER, Scene, begun, directory, game, of_stranger, of_strangers, over, player, room,
};
use crate::lobby::*;

#[tokio::test(start_paused = true)]
async fn presence_and_spectator_counts_are_sent_once_a_second() {
    let scene = Scene::begin().await;
    let (mut reader, _) = scene.open(READER, &[]);
    scene.wait(Duration::from_secs(1)).await;
    reader.received();
    scene.lobby.set_spectators(SpectatorCount { game: game(1), spectators: 7 });
    scene.lobby.update(&room(1));
    scene.lobby.set_spectators(SpectatorCount { game: game(1), spectators: 1 });
    scene.lobby.update(&begun(room(1)));
    for spectators in 2..=5 {
        scene.lobby.set_spectators(SpectatorCount { game: game(1), spectators });
    }
    let (ada, tab) = (scene.come(ADA), scene.come(ADA));
    assert!(reader.received().iter().all(|news| news["type"] != "lobby_counts"));
    scene.wait(Duration::from_secs(1)).await;
    let counts: Vec<_> =
        reader.received().into_iter().filter(|news| news["type"] == "lobby_counts").collect();
    let [counts] = &counts[..] else { panic!("{counts:?}") };
    assert_eq!(counts["players"], 2, "each is counted once");
    assert_eq!(counts["watchers"], serde_json::json!([{"game": game(1), "watchers": 5}]));

    let (outbox, mut outgoing) = Outbox::open();
    let reading = scene.lobby.inner.lock().readings.begin(player(READER).id);
    scene.lobby.show(player(READER).id, &outbox, &reading, &[]);
    let frames: Vec<Value> = std::iter::from_fn(|| outgoing.next_waiting())
        .map(|frame| serde_json::from_str(&frame).unwrap())
        .collect();
    assert_eq!(frames[1], *counts, "a newcomer is told all counts");
    reader.received();

    drop(tab);
    scene.wait(Duration::from_secs(3)).await;
    assert_eq!(reader.received(), [] as [Value; 0], "nothing has changed");
    drop(ada);
    scene.lobby.set_spectators(SpectatorCount { game: game(1), spectators: 0 });
    scene.wait(Duration::from_secs(1)).await;
    let counts = reader.received();
    assert_eq!(counts[0]["players"], 1);
    assert_eq!(counts[0]["watchers"], serde_json::json!([{"game": game(1), "watchers": 0}]));
    scene.lobby.update(&over(begun(room(1))));
    scene.lobby.set_spectators(SpectatorCount { game: game(1), spectators: 3 });
    scene.tick().await;
    reader.received();
    scene.wait(Duration::from_secs(2)).await;
    assert_eq!(reader.received(), [] as [Value; 0], "a game that is over has no spectators in the lobby");
    scene.end().await;
}

#[tokio::test(start_paused = true)]
async fn no_message_of_a_node_about_itself_is_larger_than_nats_takes() {
    /// Default maximum size of a NATS message in bytes.
    const MAX_PAYLOAD: usize = 1 << 20;
    let lobby = Lobby::new(Bus::alone(), Presence::new(Bus::alone()), directory());
    let n_shown = 2 * KEPT as u128;
    for number in 1..=n_shown {
        lobby.update(&if number.is_multiple_of(2) { of_strangers(number) } else { of_stranger(number) });
    }
    for number in 1..=10 * n_shown {
        lobby.set_spectators(SpectatorCount { game: game(number), spectators: 9_999 });
    }
    let watching = lobby.watching();
    assert_eq!(watching.len(), 2 * KEPT);
    let players: Vec<_> = (0..200_000).map(|number| player(number).id).collect();
    let mut told = Vec::new();
    for news in NodeNews::state(Bus::alone().node(), players.clone(), watching) {
        assert!(serde_json::to_vec(&news).unwrap().len() < MAX_PAYLOAD);
        if let NodeNews::Here { part, .. } = news {
            told.extend(part.players);
        }
    }
    assert_eq!(told, players, "each player is told once");
}
