use std::sync::atomic::AtomicBool;

use ::game::{
    Command, Player, Terms, Watching,
    ids::{ActionText, CommandId},
};
use engine::{
    AnyMatch, Ruleset, Seed, Side,
    record::{EndReason, Ending},
};
use protocol::ReviewedTurn;
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::*;
use crate::{
    cluster::bus::Bus,
    live::{self, Beginner, Request},
    net::limits::AddressLimits,
    presence::Presence,
};

/// Few nodes, so that the tests are fast.
const FEW: u64 = 300;

/// The example game of a ruleset.
fn example(ruleset: Ruleset) -> Record {
    let path = format!("{}/examples/{ruleset}.txt", env!("CARGO_MANIFEST_DIR"));
    Record::parse_text(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// The record of a game that ends by resignation after some turns of `fibonacci`.
fn resigned(turns: &[&[&str]]) -> Record {
    let mut game = AnyMatch::new(Ruleset::Fibonacci);
    for turn in turns {
        game.play(turn).unwrap();
    }
    let ending = Ending { winner: Some(Side::Second), reason: EndReason::Resign };
    Record { ending: Some(ending), ..Record::from_match(&game) }
}

fn walked(record: &Record, n_nodes: u64) -> Result<Review, Flaw> {
    let (mut walk, stop) = (Walk::begin(record, n_nodes)?, AtomicBool::new(false));
    while !walk.is_done() {
        walk = walk.advanced(&stop)?;
    }
    assert_eq!(walk.progress().done, walk.progress().of);
    Ok(walk.review())
}

#[test]
fn a_game_of_each_ruleset_is_scored_after_each_turn_and_alike_each_time() {
    for ruleset in Ruleset::ALL {
        let record = example(ruleset);
        let review = walked(&record, FEW).unwrap();
        assert_eq!(review.turns.len(), record.turns.len(), "{ruleset}");
        let last = match record.ending.unwrap().winner {
            Some(Side::First) => 1.0,
            Some(Side::Second) => 0.0,
            None => 0.5,
        };
        assert_eq!(review.turns.last().unwrap().score, last, "{ruleset}");
        assert_eq!(walked(&record, FEW).unwrap(), review, "{ruleset}");
        assert!(body::write(&review).len() < store::MAX_REVIEW / 4, "{ruleset}");
    }
}

#[test]
fn a_weak_turn_has_a_better_one_that_can_be_played_and_the_winning_turn_has_none() {
    let record = example(Ruleset::Fibonacci);
    let review = walked(&record, 20_000).unwrap();
    let mut game = AnyMatch::new(Ruleset::Fibonacci);
    let mut n_better = 0;
    for (turn, reviewed) in record.turns.iter().zip(&review.turns) {
        if let Some(better) = &reviewed.better {
            n_better += 1;
            let gain = match game.to_move() {
                Side::First => better.score - reviewed.score,
                Side::Second => reviewed.score - better.score,
            };
            assert!(gain > 0.05, "{reviewed:?}");
            game.clone().play(&better.actions).unwrap();
        }
        game.play(&turn.actions).unwrap();
    }
    assert!(n_better > 0, "{review:?}");
    assert_eq!(review.turns.last(), Some(&ReviewedTurn { score: 1.0, better: None }));
}

#[test]
fn the_seed_of_the_cards_makes_no_difference() {
    let mut game = AnyMatch::new(Ruleset::FibonacciCards).with_seed(Seed::new([3; 32]));
    for _ in 0..4 {
        let mut actions: Vec<String> = Vec::new();
        while let Some(next) = {
            let draft = game.draft(&actions).unwrap();
            (!draft.complete).then(|| draft.legal()[0].text.clone())
        } {
            actions.push(next);
        }
        game.play(&actions).unwrap();
    }
    let ending = Some(Ending { winner: None, reason: EndReason::Agreement });
    let with_seed = Record { seed: Some(Seed::new([3; 32])), ending, ..Record::from_match(&game) };
    assert_eq!(with_seed.turns.len(), 5, "the last one was only begun");
    let without = Record { seed: None, card_hash: None, ..with_seed.clone() };
    let review = walked(&with_seed, FEW).unwrap();
    assert_eq!(review.turns.len(), 4);
    assert_eq!(walked(&without, FEW).unwrap(), review);
}

#[test]
fn only_the_first_turns_of_a_long_game_are_reviewed_and_a_game_without_turns_at_once() {
    let mut record = example(Ruleset::Crossfire);
    record.turns = record.turns.iter().cycle().take(1000).cloned().collect();
    let walk = Walk::begin(&record, FEW).unwrap();
    assert_eq!(walk.progress(), ReviewProgress { done: 0, of: 300 });
    assert_eq!(walked(&resigned(&[]), FEW).unwrap(), Review { turns: vec![] });
}

#[test]
fn a_record_that_no_game_has_is_refused() {
    let whole = example(Ruleset::Fenix);
    let unfinished = Record { ending: None, ..whole.clone() };
    assert!(matches!(walked(&unfinished, FEW), Err(Flaw::NotOver)));
    let mut illegal = whole.clone();
    illegal.turns.swap(0, 3);
    assert!(matches!(walked(&illegal, FEW), Err(Flaw::Turn(_))));
    let start = Some("nothing".parse().unwrap());
    assert!(matches!(walked(&Record { start, ..whole }, FEW), Err(Flaw::Start(_))));
    let mut cardless = example(Ruleset::FibonacciCards);
    cardless.turns[2].card = None;
    assert!(walked(&cardless, FEW).is_err());
}

/// A node with games and reviews.
struct Scene {
    games: Games,
    reviews: Reviews,
    store: Arc<dyn Store>,
    tasks: TaskTracker,
    stop: CancellationToken,
    _directory: TempDir,
}

impl Scene {
    async fn begin(n_nodes: u64) -> Self {
        let directory = TempDir::new().unwrap();
        let url = format!("sqlite:{}/towers.db", directory.path().display());
        let store = store::open(&url).await.unwrap();
        let dependencies = live::Dependencies::alone(store.clone(), Presence::new(Bus::alone())).await;
        let (tasks, stop, writer) =
            (dependencies.tasks.clone(), dependencies.stop.clone(), dependencies.writer.clone());
        let (compute, addresses) = (dependencies.compute.clone(), Addresses::new(AddressLimits::times(1)));
        let games = Games::new(dependencies);
        let reviews = Reviews::new(Dependencies {
            games: games.clone(),
            store: store.clone(),
            writer,
            compute,
            thinking: Thinking::start().unwrap(),
            addresses,
            tasks: tasks.clone(),
            n_nodes,
        });
        Self { games, reviews, store, tasks, stop, _directory: directory }
    }

    /// Begins a game of `fenix` between Ada and Bob.
    async fn game(&self, terms: Terms) -> GameId {
        let sides =
            [player(1, "Ada"), player(2, "Bob")].map(|player| Beginner { player, address: address(1) });
        let id = GameId::new(self.games.env().id());
        self.games.begin(id, Ruleset::Fenix, terms, sides, Seed::new([0; 32])).await.unwrap().id
    }

    async fn command(&self, game: GameId, who: Player, command: Command) {
        let id = CommandId::try_from(self.games.env().id().to_string()).unwrap();
        let request =
            Request { id, who, requester: Requester::SERVER, command, received_ms: 0, over_budget: None };
        self.games.command(game, request).await.map(drop).unwrap();
    }

    /// Plays the first turns of the example, after which Bob resigns.
    async fn finished(&self, terms: Terms) -> GameId {
        let game = self.game(terms).await;
        for (index, turn) in example(Ruleset::Fenix).turns.iter().take(4).enumerate() {
            let who = if index % 2 == 0 { player(1, "Ada") } else { player(2, "Bob") };
            let base = self.games.state(game, who.id).await.unwrap().version();
            let actions = turn.actions.iter().map(|text| ActionText::try_from(text.to_string()).unwrap());
            let command = Command::Turn { base, actions: actions.collect(), lag_ms: 0 };
            self.command(game, who, command).await;
        }
        self.command(game, player(2, "Bob"), Command::Resign).await;
        game
    }

    /// Waits until no review is under way.
    async fn until_idle(&self) {
        system_tests::timeout("the end of all reviews", async {
            while !self.reviews.0.known.lock().under_way.is_empty() {
                tokio::task::yield_now().await;
            }
        })
        .await;
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

fn player(number: u128, name: &str) -> Player {
    Player { id: PlayerId::new(Uuid::from_u128(number)), name: name.to_owned().try_into().unwrap() }
}

fn address(number: u32) -> Address {
    Address::of_tests(number)
}

#[tokio::test]
async fn a_finished_game_is_reviewed_once_and_one_under_way_is_refused() {
    let scene = Scene::begin(FEW).await;
    let reviews = &scene.reviews;
    let under_way = scene.game(Terms::default()).await;
    assert!(matches!(reviews.read(under_way, None).await, Err(ReviewError::NotOver)));
    let missing = GameId::new(Uuid::from_u128(9));
    assert!(matches!(reviews.read(missing, None).await, Err(ReviewError::Unread(Nack::UnknownGame))));

    let game = scene.finished(Terms::default()).await;
    assert!(matches!(reviews.read(game, None).await, Err(ReviewError::NotAsked)));
    let progress = reviews.begin(game, None, address(1)).await.unwrap();
    assert_eq!(progress, ReviewProgress { done: 0, of: 4 });
    assert!(reviews.read(game, None).await.is_ok());
    assert!(reviews.begin(game, None, address(2)).await.is_ok(), "it is the same review");
    scene.until_idle().await;
    let Ok(Asked::Done(review)) = reviews.read(game, None).await else { panic!("it is stored") };
    assert_eq!(review.turns.len(), 4);
    assert!(scene.store.review(game).await.unwrap().is_some());
    scene.tasks.close();
}

#[tokio::test]
async fn a_private_game_is_reviewed_for_its_players_only() {
    let scene = Scene::begin(FEW).await;
    let game = scene.finished(Terms { watching: Watching::Nobody, ..Terms::default() }).await;
    let ada = Some(player(1, "Ada").id);
    for stranger in [None, Some(player(3, "Cleo").id)] {
        let refused = scene.reviews.read(game, stranger).await;
        assert!(matches!(refused, Err(ReviewError::Unread(Nack::Private))), "{refused:?}");
    }
    assert!(matches!(scene.reviews.read(game, ada).await, Err(ReviewError::NotAsked)));
    scene.reviews.begin(game, ada, address(1)).await.unwrap();
    scene.until_idle().await;
    assert!(matches!(scene.reviews.read(game, ada).await, Ok(Asked::Done(_))));
}

#[tokio::test]
async fn an_address_and_a_node_have_a_bounded_number_of_reviews_under_way() {
    let scene = Scene::begin(FEW).await;
    let game = |number: u32| GameId::new(Uuid::from_u128(number.into()));
    let mut under_way = Vec::new();
    for number in 0..UNDER_WAY as u32 {
        let Ok(Entered::Now(entered)) = scene.reviews.enter(game(number), address(number)) else {
            panic!("{number} are under way");
        };
        under_way.push(entered);
        let again = scene.reviews.enter(game(number), address(number));
        assert!(matches!(again, Ok(Entered::Before(_))), "it is under way");
        let is_last = number as usize + 1 == UNDER_WAY;
        match scene.reviews.enter(game(1000), address(number)) {
            Err(ReviewError::Full) => assert!(is_last),
            Err(ReviewError::TooMany(TooMany { limit: 1 })) => assert!(!is_last),
            _ => panic!("one more than an address may have"),
        }
    }
    drop(under_way);
    assert!(scene.reviews.enter(game(1000), address(0)).is_ok());
}

#[tokio::test]
async fn a_review_that_cannot_begin_is_refused_with_the_reason_and_has_not_failed() {
    let scene = Scene::begin(FEW).await;
    let unknown = GameId::new(Uuid::from_u128(9));
    let refused = scene.reviews.begin(unknown, None, address(1)).await;
    assert!(matches!(refused, Err(ReviewError::Unread(Nack::UnknownGame))), "{refused:?}");
    assert_eq!(scene.reviews.0.known.lock().failed.find(&unknown), None);
    assert!(scene.reviews.0.known.lock().under_way.is_empty());
}

#[tokio::test]
async fn a_node_that_stops_loses_only_the_work_of_a_review() {
    let scene = Scene::begin(FEW).await;
    let game = scene.finished(Terms::default()).await;
    scene.reviews.0.dependencies.thinking.stop();
    scene.reviews.begin(game, None, address(1)).await.unwrap();
    scene.until_idle().await;
    let lost = scene.reviews.read(game, None).await;
    assert!(matches!(lost, Err(ReviewError::NotAsked)), "{lost:?}");
}

#[tokio::test]
async fn a_review_that_failed_is_reported_as_failed() {
    let scene = Scene::begin(FEW).await;
    let game = scene.finished(Terms::default()).await;
    scene.reviews.fail(game, &Broken::TooLong);
    assert!(matches!(scene.reviews.read(game, None).await, Err(ReviewError::Failed)));
}
