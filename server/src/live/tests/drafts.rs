//! Drafts: told and stored at a bounded rate, the newest alone.

use std::time::Duration;

use serde_json::Value;
use store::{DraftRow, Memory, Write};
use tokio::{task::yield_now, time::advance};
use tokio_util::sync::CancellationToken;

use super::{
    sample::{log, player, stored},
    *,
};
use crate::{convert, live::DraftRequest, net::outbox::Outgoing, presence::Presence};

/// A game of four turns in virtual time, and a connection of the side that is not to move.
struct Scene {
    games: Games,
    store: Arc<Memory>,
    stop: CancellationToken,
    row: GameRow,
    /// Legal beginnings of the turn under way.
    beginnings: Vec<ActionText>,
    outbox: Outbox,
    seen: Outgoing,
    n_asked: u32,
}

/// Lets all tasks run without time passing.
async fn settle() {
    for _ in 0..100 {
        yield_now().await;
    }
}

impl Scene {
    async fn open() -> Self {
        Self::open_with(|alone| alone).await
    }

    /// A scene with changed dependencies, whose game is stored all the same.
    async fn open_with(changed: impl FnOnce(Dependencies) -> Dependencies) -> Self {
        let store = Arc::<Memory>::default();
        let dependencies = Dependencies::alone(store.clone(), Presence::new(Bus::alone())).await;
        let (writer, stop) = (dependencies.writer.clone(), dependencies.stop.clone());
        let games = Games::new(changed(dependencies));
        let events = log(Terms::default(), 4);
        let mut state = State::begin(&events[0]).unwrap();
        events[1..].iter().for_each(|recorded| state.apply(recorded).unwrap());
        let row = convert::row(GameId::new(games.env().id()), &state);
        writer.append(Append::new(stored(&events), row.clone(), DraftIs::Gone)).await.unwrap();
        let legal = state.play().draft::<ActionText>(&[]).unwrap().legal();
        let beginnings = legal.into_iter().map(|action| action.text.try_into().unwrap()).collect();
        let (outbox, seen) = Outbox::open();
        let watched =
            games.watch(row.id, &outbox, player(2).id, row.version, FollowPolicy::All, Requester::SERVER);
        watched.await.unwrap();
        Self { games, store, stop, row, beginnings, outbox, seen, n_asked: 0 }
    }

    async fn draft(&mut self, which: usize) {
        self.n_asked += 1;
        let request = DraftRequest {
            id: CommandId::try_from(format!("d{}", self.n_asked)).unwrap(),
            who: player(1),
            base: self.row.version,
            actions: vec![self.beginnings[which].clone()],
            requester: Requester::SERVER,
            from: Outbox::open().0.id,
        };
        self.games.draft(self.row.id, request).await.unwrap();
    }

    /// The first action of each draft that the other side was sent since the last call.
    fn told(&mut self) -> Vec<String> {
        let frames = std::iter::from_fn(|| self.seen.next_waiting());
        let frames: Vec<Value> = frames.map(|frame| serde_json::from_str(&frame).unwrap()).collect();
        let drafts = frames.iter().filter(|frame| frame["type"] == "draft");
        drafts.map(|frame| frame["draft"][0].as_str().unwrap().to_owned()).collect()
    }

    fn stored(&self) -> Option<String> {
        self.store.look(self.row.id, 0).unwrap().1.map(|draft| draft.body)
    }

    fn body(&self, which: usize) -> Option<String> {
        Some(serde_json::to_string(&[&self.beginnings[which]]).unwrap())
    }
}

#[tokio::test(start_paused = true)]
async fn drafts_are_told_ten_times_and_stored_once_a_second_and_the_newest_comes_through() {
    let mut scene = Scene::open().await;
    let (mut n_told, n_writes) = (0, scene.store.n_writes());
    for _ in 0..20 {
        for number in 0..40 {
            scene.draft(number % 2).await;
        }
        settle().await;
        n_told += scene.told().len();
        advance(Duration::from_millis(50)).await;
    }
    assert!((9..=11).contains(&n_told), "{n_told} in a second");
    assert!((1..=2).contains(&(scene.store.n_writes() - n_writes)), "writes in a second");
    scene.draft(2).await;
    advance(Duration::from_millis(1_001)).await;
    settle().await;
    assert_eq!(scene.told().last().map(String::as_str), Some(scene.beginnings[2].as_str()));
    assert_eq!(scene.stored(), scene.body(2));
}

#[tokio::test(start_paused = true)]
async fn a_turn_removes_the_draft_though_one_waits_to_be_stored() {
    let mut scene = Scene::open().await;
    scene.draft(0).await;
    settle().await;
    scene.draft(1).await;
    assert_eq!(scene.stored(), scene.body(0), "the other one waits");
    let request = Request {
        id: CommandId::try_from("end".to_owned()).unwrap(),
        who: player(2),
        requester: Requester::SERVER,
        command: Command::Resign,
        received_ms: scene.games.env().now_ms(),
        over_budget: None,
    };
    scene.games.command(scene.row.id, request).await.unwrap();
    advance(Duration::from_secs(3)).await;
    settle().await;
    assert_eq!(scene.stored(), None);
}

/// Dependencies whose writer never answers.
fn stuck(dependencies: Dependencies) -> Dependencies {
    let (writer, writing) = store::writer(dependencies.store.clone(), tokio::runtime::Handle::current());
    std::mem::forget(writing);
    Dependencies { writer, ..dependencies }
}

#[tokio::test(start_paused = true)]
async fn a_comparison_shows_no_older_draft_while_the_newest_is_being_stored() {
    let mut scene = Scene::open_with(stuck).await;
    let version = scene.row.version;
    let older = DraftRow { game: scene.row.id, version, body: scene.body(0).unwrap() };
    scene.store.commit(&[Write::Draft(older)]).await.unwrap();
    scene.draft(1).await;
    settle().await;
    scene.games.compare_after_silence().await.unwrap();
    settle().await;
    scene.told();
    let who = player(2).id;
    let watched = scene.games.watch(
        scene.row.id,
        &scene.outbox,
        who,
        Version::NONE,
        FollowPolicy::All,
        Requester::SERVER,
    );
    watched.await.unwrap();
    let shown: Value = serde_json::from_str(&scene.seen.next_waiting().unwrap()).unwrap();
    assert_eq!(shown["draft"][0], scene.beginnings[1].as_str());
}

#[tokio::test(start_paused = true)]
async fn a_game_ends_though_its_draft_cannot_be_stored() {
    let mut scene = Scene::open_with(stuck).await;
    scene.draft(0).await;
    settle().await;
    scene.stop.cancel();
    settle().await;
    assert_eq!(scene.games.live(), [scene.row.id], "it waits for the write");
    advance(Duration::from_secs(3)).await;
    settle().await;
    assert!(scene.games.live().is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_stop_stores_the_newest_draft() {
    let mut scene = Scene::open().await;
    scene.draft(0).await;
    settle().await;
    scene.draft(1).await;
    assert_eq!(scene.stored(), scene.body(0));
    scene.stop.cancel();
    settle().await;
    assert_eq!(scene.stored(), scene.body(1));
}
