use ::game::{
    Command, OfferKind, Terms,
    ids::{CommandId, Version},
};
use engine::{Ruleset, Seed, Side};
use protocol::Nack;
use store::GameRow;
use tempfile::TempDir;
use tokio_util::task::TaskTracker;
use uuid::Uuid;

use super::*;
use crate::{
    cluster::bus::Bus,
    compute::Requester,
    live::{Beginner, Dependencies, Request},
    net::address::Address,
};

/// A node with games, and bots that do not run yet.
struct Scene {
    games: Games,
    bots: Bots,
    tasks: TaskTracker,
    stop: CancellationToken,
    _directory: TempDir,
}

impl Scene {
    async fn begin() -> Self {
        Self::with(None).await
    }

    /// Begins with another store for the bots than that of the games.
    async fn with(of_bots: Option<Arc<dyn Store>>) -> Self {
        let directory = TempDir::new().unwrap();
        let url = format!("sqlite:{}/towers.db", directory.path().display());
        let store = store::open(&url).await.unwrap();
        let presence = Presence::new(Bus::alone());
        let dependencies = Dependencies::alone(store.clone(), presence.clone()).await;
        let (tasks, stop) = (dependencies.tasks.clone(), dependencies.stop.clone());
        let games = Games::new(dependencies);
        let thinking = Thinking::start().unwrap();
        let store = of_bots.unwrap_or(store);
        let bots = Bots::new(games.clone(), store, presence, thinking, tasks.clone(), stop.clone());
        Self { games, bots, tasks, stop, _directory: directory }
    }

    /// Runs the bots on a node that sweeps.
    fn run(&self) {
        let lease = Lease::new(self.games.env().clone());
        lease.hold_until(i64::MAX);
        self.tasks.spawn(self.bots.clone().run(self.games.feed(), lease));
    }

    /// Begins a game between a person and the bot of level 1.
    async fn game(&self, person: Side) -> GameId {
        let bot = BotLevel::try_from(1).unwrap().player();
        let mut sides = [self.person(), bot].map(|player| Beginner { player, address: Address::of_tests(1) });
        if person == Side::Second {
            sides.reverse();
        }
        let id = GameId::new(self.games.env().id());
        self.games.begin(id, Ruleset::Fenix, Terms::default(), sides, Seed::new([0; 32])).await.unwrap().id
    }

    fn person(&self) -> ::game::Player {
        let name = "Ada".to_owned().try_into().unwrap();
        ::game::Player { id: PlayerId::new(Uuid::from_u128(1)), name }
    }

    /// Sends a command of the person.
    async fn command(&self, game: GameId, command: Command) -> Result<(), Nack> {
        let id = CommandId::try_from(self.games.env().id().to_string()).unwrap();
        let request = Request {
            id,
            who: self.person(),
            requester: Requester::SERVER,
            command,
            received_ms: 0,
            over_budget: None,
        };
        self.games.command(game, request).await.map(drop)
    }

    /// Plays the first legal turn for the person.
    async fn play(&self, game: GameId) {
        let state = self.games.state(game, self.person().id).await.unwrap();
        let draft = state.play().draft::<&str>(&[]).unwrap();
        let actions = vec![draft.legal()[0].text.clone().try_into().unwrap()];
        self.command(game, Command::Turn { base: state.version(), actions, lag_ms: 0 }).await.unwrap();
    }

    fn offer(&self, what: OfferKind) -> Command {
        Command::Offer { what, rematch: GameId::new(self.games.env().id()) }
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

/// Waits for a commit of a game after which its row fulfils a condition.
async fn until(feed: &mut FeedReader, game: GameId, wanted: impl Fn(&GameRow) -> bool) -> GameRow {
    system_tests::timeout("a commit", async {
        loop {
            let committed = feed.next().await.unwrap().unwrap();
            if committed.game() == game && wanted(committed.row()) {
                return committed.row().clone();
            }
        }
    })
    .await
}

#[tokio::test]
async fn a_bot_answers_each_turn_of_a_person() {
    let scene = Scene::begin().await;
    scene.run();
    let mut feed = scene.games.feed();
    let game = scene.game(Side::First).await;
    for _ in 0..3 {
        scene.play(game).await;
        until(&mut feed, game, |row| row.to_move == Side::Second).await;
        until(&mut feed, game, |row| row.to_move == Side::First).await;
    }
}

#[tokio::test]
async fn a_bot_answers_without_a_query() {
    let scene = Scene::with(Some(Arc::new(store::Memory::default()))).await;
    scene.run();
    let mut feed = scene.games.feed();
    let game = scene.game(Side::First).await;
    scene.play(game).await;
    until(&mut feed, game, |row| row.to_move == Side::First && row.turn > 1).await;
}

#[tokio::test]
async fn a_turn_that_no_node_has_played_is_played_by_the_node_that_sweeps() {
    let scene = Scene::begin().await;
    let game = scene.game(Side::Second).await;
    let mut feed = scene.games.feed();
    scene.run();
    until(&mut feed, game, |row| row.to_move == Side::Second).await;
}

#[tokio::test]
async fn a_bot_lets_its_opponent_take_a_turn_back_and_accepts_a_rematch() {
    let scene = Scene::begin().await;
    scene.run();
    let mut feed = scene.games.feed();
    let game = scene.game(Side::First).await;
    scene.play(game).await;
    let played = until(&mut feed, game, |row| row.to_move == Side::First && row.turn > 1).await;
    scene.command(game, scene.offer(OfferKind::Takeback)).await.unwrap();
    until(&mut feed, game, |row| row.version > played.version && row.turn == 1).await;
    scene.command(game, Command::Abort { gone_ms: None }).await.unwrap();

    let game = scene.game(Side::First).await;
    scene.play(game).await;
    until(&mut feed, game, |row| row.to_move == Side::First && row.turn > 1).await;
    scene.command(game, Command::Resign).await.unwrap();
    scene.command(game, scene.offer(OfferKind::Rematch)).await.unwrap();
    let state = || async { scene.games.state(game, scene.person().id).await.unwrap() };
    system_tests::timeout("a rematch", async {
        while !matches!(state().await.phase(), ::game::Phase::Finished { rematch: Some(_), .. }) {
            feed.next().await.unwrap();
        }
    })
    .await;
}

#[tokio::test]
async fn an_offer_made_while_a_bot_thinks_is_answered() {
    let scene = Scene::begin().await;
    scene.run();
    let mut feed = scene.games.feed();
    let game = scene.game(Side::First).await;
    scene.play(game).await;
    scene.command(game, scene.offer(OfferKind::Takeback)).await.unwrap();
    until(&mut feed, game, |row| row.version > Version::new(2) && row.turn == 1).await;
}

#[tokio::test]
async fn a_bot_resigns_after_three_lost_turns_in_a_row() {
    let scene = Scene::begin().await;
    let game = GameId::new(Uuid::from_u128(9));
    let is_lost = |version, score| scene.bots.is_lost(game, Version::new(version), score);
    let scores = [0.01, 0.01, 0.5, 0.01, 0.01, 0.01];
    let resigns = scores.into_iter().zip(2..).map(|(score, version)| is_lost(version, score));
    assert_eq!(resigns.collect::<Vec<_>>(), [false, false, false, false, false, true]);
    for _ in 0..3 {
        assert!(!is_lost(20, 0.5) && !is_lost(21, 0.01), "the same turn counts once");
    }
}
