//! Players who join a room and do not come to its game, in virtual time.

use std::time::Duration;

use store::Memory;
use tokio::{task::yield_now, time::advance};

use super::{sample::player, *};
use crate::{
    cluster::outages::Outages,
    net::{
        address::Addresses,
        limits::{AddressLimits, EARLY_END_COSTS},
    },
    presence::Presence,
};

const MAKER: u128 = 1;
const JOINER: u128 = 2;

/// A game whose maker, of the first seat, follows it. Player 2 has joined it without a socket.
struct Scene {
    games: Games,
    store: Arc<Memory>,
    writer: Writer,
    outages: Outages,
    addresses: Addresses,
    room: GameId,
    maker: Outbox,
}

/// The address of a player.
fn address(who: u128) -> Address {
    Address::of_tests(u32::try_from(who).unwrap())
}

impl Scene {
    async fn joined() -> Self {
        let store = Arc::<Memory>::default();
        let presence = Presence::new(Bus::alone());
        let dependencies = Dependencies::alone(store.clone(), presence.clone()).await;
        let (writer, outages, addresses) =
            (dependencies.writer.clone(), dependencies.outages.clone(), dependencies.addresses.clone());
        let games = Games::new(dependencies);
        let maker = Beginner { player: player(MAKER), address: address(MAKER) };
        let room = games.create(room(), maker, Seed::new([0; 32])).await.unwrap().id;
        let scene = Self { games, store, writer, outages, addresses, room, maker: Outbox::open().0 };
        presence.see(player(MAKER).id, address(MAKER));
        scene.watch(MAKER, &scene.maker).await;
        // As long as it takes until somebody joins.
        scene.wait(40).await;
        scene.command(JOINER, Command::Join { coin: true }).await.unwrap();
        scene
    }

    async fn watch(&self, who: u128, outbox: &Outbox) {
        let requester = Requester::player(address(who), player(who).id);
        let watched =
            self.games.watch(self.room, outbox, player(who).id, Version::NONE, FollowPolicy::All, requester);
        watched.await.unwrap();
    }

    async fn command(&self, who: u128, command: Command) -> Result<Version, Nack> {
        let id = CommandId::try_from(self.games.env().id().to_string()).unwrap();
        let (received_ms, requester) =
            (self.games.env().now_ms(), Requester::player(address(who), player(who).id));
        let request = Request { id, who: player(who), requester, command, received_ms, over_budget: None };
        self.games.command(self.room, request).await
    }

    /// Lets time pass on a node whose heart beats.
    async fn wait(&self, seconds: u32) {
        for _ in 0..seconds {
            advance(Duration::from_secs(1)).await;
            self.outages.run_until(self.games.env().now_ms());
            self.outages.beat(&*self.store, &self.writer, i64::MAX).await.unwrap();
            for _ in 0..100 {
                yield_now().await;
            }
        }
    }

    async fn status(&self) -> Status {
        self.games.state(self.room, player(MAKER).id).await.unwrap().status()
    }

    /// Whether the address of a player has paid for the early end of a game in the last seconds.
    fn has_paid(&self, who: u128) -> bool {
        let take = || self.addresses.take(address(who), LimitedAction::Room, Instant::now());
        let burst = AddressLimits::times(1).rooms.burst as usize;
        (0..burst).take_while(|_| take().is_ok()).count() < burst - EARLY_END_COSTS / 2
    }
}

#[tokio::test(start_paused = true)]
async fn a_player_who_does_not_come_to_the_game_has_left_it_and_pays() {
    let scene = Scene::joined().await;
    scene.wait(29).await;
    assert_eq!(scene.status().await, Status::Playing);
    scene.wait(2).await;
    assert_eq!(scene.status().await, Status::Open);
    let again = scene.command(JOINER, Command::Join { coin: true }).await;
    assert_eq!(again, Err(Nack::RoomLeft));
    assert!(scene.has_paid(JOINER) && !scene.has_paid(MAKER));
}

#[tokio::test(start_paused = true)]
async fn a_player_who_has_come_to_the_game_has_the_time_for_a_first_turn() {
    let scene = Scene::joined().await;
    scene.wait(25).await;
    let joiner = Outbox::open().0;
    scene.watch(JOINER, &joiner).await;
    scene.wait(2).await;
    scene.games.unwatch(scene.room, joiner.id).await;
    scene.wait(90).await;
    assert_eq!(scene.status().await, Status::Playing);
    assert!(!scene.has_paid(JOINER));
}

#[tokio::test(start_paused = true)]
async fn a_maker_who_does_not_wait_for_an_absent_player_keeps_the_room_and_pays_nothing() {
    let scene = Scene::joined().await;
    scene.wait(10).await;
    scene.command(MAKER, Command::Abort { gone_ms: None }).await.unwrap();
    assert_eq!(scene.status().await, Status::Open);
    assert_eq!(scene.command(JOINER, Command::Join { coin: true }).await, Err(Nack::RoomLeft));
    assert!(scene.has_paid(JOINER) && !scene.has_paid(MAKER));
}

#[tokio::test(start_paused = true)]
async fn a_maker_who_leaves_a_present_player_ends_the_game_and_pays() {
    let scene = Scene::joined().await;
    let joiner = Outbox::open().0;
    scene.watch(JOINER, &joiner).await;
    scene.wait(10).await;
    scene.command(MAKER, Command::Abort { gone_ms: None }).await.unwrap();
    assert_eq!(scene.status().await, Status::Aborted);
    assert!(scene.has_paid(MAKER) && !scene.has_paid(JOINER));
}

#[tokio::test(start_paused = true)]
async fn a_player_who_could_not_come_since_the_node_stood_still_has_not_left() {
    let scene = Scene::joined().await;
    advance(Duration::from_secs(40)).await;
    assert_eq!(scene.outages.away_ms(scene.games.env().now_ms() - 40_000), 40_000, "as the process notices");
    scene.wait(60).await;
    assert_eq!(scene.status().await, Status::Playing);
    assert!(!scene.has_paid(JOINER));
}
