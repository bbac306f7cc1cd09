//! Games whose database goes back to an earlier state.

use std::collections::HashMap;

use store::Memory;

use super::{
    sample::{drawn_log, log, player, stored},
    *,
};
use crate::{convert, metrics::METRICS, net::outbox::Outgoing, presence::Presence};

/// Games on a store in memory.
struct Scene {
    games: Games,
    store: Arc<Memory>,
    writer: Writer,
    lobby: Lobby,
}

impl Scene {
    async fn begin() -> Self {
        let store = Arc::new(Memory::default());
        let dependencies = Dependencies::alone(store.clone(), Presence::new(Bus::alone())).await;
        let (writer, lobby) = (dependencies.writer.clone(), dependencies.lobby.clone());
        Self { games: Games::new(dependencies), store, writer, lobby }
    }

    /// The row of a game after these events.
    fn row(id: GameId, log: &[Recorded]) -> GameRow {
        let mut state = State::begin(&log[0]).unwrap();
        log[1..].iter().for_each(|recorded| state.apply(recorded).unwrap());
        convert::row(id, &state)
    }

    /// Stores the events after the first `known` ones.
    async fn store(&self, id: GameId, log: &[Recorded], known: usize) {
        let append = Append::new(stored(log).split_off(known), Self::row(id, log), DraftIs::Gone);
        self.writer.append(append).await.unwrap();
    }

    /// Follows a game from a version.
    async fn watch(&self, game: GameId, outbox: &Outbox, from: Version) {
        let who = player(1).id;
        self.games.watch(game, outbox, who, from, FollowPolicy::All, Requester::SERVER).await.unwrap();
    }

    /// Lets the database go back to the beginning of a game, and another node play eight other turns.
    async fn go_elsewhere(&self, game: GameId) {
        self.store.go_back(Self::row(game, &elsewhere()[..2]));
        self.store(game, &elsewhere(), 2).await;
    }

    async fn resign(&self, game: GameId) -> Result<Version, Nack> {
        let id = CommandId::try_from(self.games.env().id().to_string()).unwrap();
        let (who, received_ms) = (player(2), self.games.env().now_ms());
        let request = Request {
            id,
            who,
            requester: Requester::SERVER,
            command: Command::Resign,
            received_ms,
            over_budget: None,
        };
        self.games.command(game, request).await
    }

    async fn state(&self, game: GameId) -> State {
        *self.games.state(game, player(1).id).await.unwrap()
    }

    async fn version_shown(&self, game: GameId) -> u32 {
        self.state(game).await.version().get()
    }
}

/// Another log of as many events as one of eight turns.
fn elsewhere() -> Vec<Recorded> {
    let mut other = drawn_log(3, Terms::default(), 8);
    other[2..].iter_mut().for_each(|recorded| recorded.at_ms += 1);
    other
}

fn types(outgoing: &mut Outgoing) -> Vec<String> {
    std::iter::from_fn(|| outgoing.next_waiting())
        .map(|frame| serde_json::from_str::<serde_json::Value>(&frame).unwrap())
        .map(|frame| frame["type"].as_str().unwrap().to_owned())
        .collect()
}

#[tokio::test]
async fn a_game_whose_database_went_back_is_read_again_with_its_next_command() {
    let scene = Scene::begin().await;
    let (id, events) = (GameId::new(scene.games.env().id()), log(Terms::default(), 8));
    scene.store(id, &events, 0).await;
    let (outbox, mut outgoing) = Outbox::open();
    scene.watch(id, &outbox, Version::NONE).await;
    types(&mut outgoing);
    let (known, lost) = (u32::try_from(events.len()).unwrap(), METRICS.versions_lost.get());

    scene.store.go_back(Scene::row(id, &events[..events.len() - 3]));
    assert_eq!(scene.resign(id).await, Err(Nack::Unavailable));
    assert!(METRICS.versions_lost.get() >= lost + 3, "three versions are gone");
    let told = types(&mut outgoing);
    assert_eq!(told.last().unwrap(), "error", "its readers ask again: {told:?}");
    scene.watch(id, &outbox, Version::new(known)).await;
    let first: serde_json::Value = serde_json::from_str(&outgoing.next_waiting().unwrap()).unwrap();
    assert_eq!(first["version"], known - 3, "it has less than the reader");
    assert_eq!(first["events"].as_array().unwrap().len(), known as usize - 3, "who is sent all of it");
    assert_eq!(scene.resign(id).await, Ok(Version::new(known - 1)), "and goes on: two events are new");
}

#[tokio::test]
async fn a_comparison_finds_games_that_went_back_and_games_with_another_history() {
    let scene = Scene::begin().await;
    let events = log(Terms::default(), 8);
    let ids: Vec<GameId> = (0..5).map(|_| GameId::new(scene.games.env().id())).collect();
    let [same, shorter, longer, as_long, older] = ids[..] else { unreachable!("there are five") };
    for id in [same, shorter, longer, as_long] {
        scene.store(id, &events, 0).await;
        assert_eq!(scene.version_shown(id).await, 10);
    }
    scene.store.go_back(Scene::row(shorter, &events[..6]));
    // Another node has played on from there, otherwise and further.
    let other = drawn_log(2, Terms::default(), 12);
    scene.store.go_back(Scene::row(longer, &other[..2]));
    scene.store(longer, &other, 2).await;
    scene.go_elsewhere(as_long).await;
    // A comparison may be older than what the game has stored since.
    scene.store(older, &events, 0).await;
    scene.version_shown(older).await;
    scene.games.compare(older, Scene::row(older, &events[..9]).last_change());

    for silence in [false, true] {
        if silence {
            scene.games.compare_after_silence().await.unwrap();
        } else {
            scene.games.compare_last_changes().await.unwrap();
        }
        let mut shown = Vec::new();
        for id in [same, shorter, longer, as_long, older] {
            shown.push(scene.version_shown(id).await);
        }
        assert_eq!(shown, [10, 6, 14, 10, 10], "after silence: {silence}");
    }
    let shown = convert::row(as_long, &scene.state(as_long).await);
    assert_eq!(shown, Scene::row(as_long, &elsewhere()));
    let shown = convert::row(longer, &scene.state(longer).await);
    assert_eq!(shown.position, Scene::row(longer, &other).position, "of one history");
}

#[tokio::test]
async fn nothing_is_stored_after_events_that_another_node_has_stored_instead() {
    let scene = Scene::begin().await;
    let (id, events) = (GameId::new(scene.games.env().id()), log(Terms::default(), 8));
    scene.store(id, &events, 0).await;
    assert_eq!(scene.version_shown(id).await, 10);
    scene.go_elsewhere(id).await;
    assert_eq!(scene.resign(id).await, Err(Nack::Unavailable));
    assert_eq!(convert::row(id, &scene.state(id).await), Scene::row(id, &elsewhere()));
    assert_eq!(scene.resign(id).await, Ok(Version::new(12)));
}

#[tokio::test]
async fn the_lobby_shows_a_game_as_it_is_after_the_database_went_back() {
    let scene = Scene::begin().await;
    let events = super::sample::resigned(log(Terms::default(), 4));
    let [back, gone, other] = [(); 3].map(|()| GameId::new(scene.games.env().id()));
    for id in [back, gone] {
        scene.store(id, &events, 0).await;
        scene.lobby.update(&Scene::row(id, &events));
    }
    scene.lobby.update(&Scene::row(other, &log(Terms::default(), 8)));
    scene.store(other, &elsewhere(), 0).await;
    scene.store.go_back(Scene::row(back, &events[..4]));
    scene.store.remove(gone);
    scene.lobby.catch_up(&*scene.store).await.unwrap();
    let stored = [Scene::row(back, &events[..4]), Scene::row(other, &elsewhere())];
    let stored = stored.map(|row| (row.id, row.last_change()));
    assert_eq!(scene.lobby.last_changes(), HashMap::from(stored));
}
