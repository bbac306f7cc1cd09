//! Pairings and their times, in virtual time.

use std::ops::RangeInclusive;

use engine::Ruleset;
use game::{
    Player,
    ids::{NodeId, PlayerName, SessionId},
};
use protocol::ClockRule;
use serde_json::Value;
use sqlx::{Connection, SqliteConnection};
use store::{TokenHash, Write, Written};
use tempfile::TempDir;
use tokio::time::advance;
use uuid::Uuid;

use super::{
    cluster::{ASK_EVERY, KEPT_FOR},
    *,
};
use crate::{
    admission::Admission,
    cluster::bus::{Claim, SeekerPools},
    live::Dependencies,
    net::{
        address::{Addresses, LimitedAction},
        limits::{AddressLimits, MAX_REAL_TIME},
        outbox::Outgoing,
    },
    presence::PresenceGuard,
};

fn player(number: u128) -> Player {
    let name = PlayerName::try_from(format!("Player {number}")).unwrap();
    Player { id: PlayerId::new(Uuid::from_u128(number)), name }
}

fn days(days: u64) -> Pool {
    let clock = ClockRule::Correspondence { days: days.try_into().unwrap() };
    Pool { ruleset: Ruleset::Fenix, clock }
}

fn blitz() -> Pool {
    let clock = r#"{"kind": "real_time", "base_s": 300, "bonus_s": 3, "bonus": "per_turn"}"#;
    Pool { ruleset: Ruleset::Fenix, clock: serde_json::from_str(clock).unwrap() }
}

/// Pools on a database of their own.
struct Scene {
    pools: Pools,
    admission: Admission,
    addresses: Addresses,
    presence: Presence,
    store: Arc<dyn Store>,
    url: String,
    _directory: TempDir,
}

/// A player's connection.
struct Tab {
    seeker: Seeker,
    outbox: Outbox,
    outgoing: Outgoing,
    _here: PresenceGuard,
}

impl Scene {
    async fn begin() -> Self {
        let directory = TempDir::new().unwrap();
        let url = format!("sqlite:{}/towers.db", directory.path().display());
        let store = store::open(&url).await.unwrap();
        let (presence, tasks) = (Presence::new(Bus::alone()), Tasks::default());
        let dependencies = Dependencies::alone(store.clone(), presence.clone()).await;
        let (admission, addresses) = (dependencies.admission.clone(), dependencies.addresses.clone());
        let games = Games::new(dependencies);
        let pools = Pools::start(games, store.clone(), presence.clone(), Bus::alone(), &tasks);
        Self { pools, admission, addresses, presence, store, url, _directory: directory }
    }

    fn come(&self, number: u128, address: u32) -> Tab {
        let (outbox, outgoing) = Outbox::open();
        let address = Address::of_tests(address);
        let here = self.presence.enter(player(number), SessionId::new(Uuid::nil()), address, outbox.clone());
        Tab { seeker: Seeker { player: player(number).id, address }, outbox, outgoing, _here: here }
    }

    async fn seek(&self, tab: &mut Tab, pool: Pool) {
        self.pools.seek(tab.seeker, pool, &tab.outbox);
        self.settle().await;
    }

    /// Stores new players.
    async fn store_players(&self, numbers: RangeInclusive<u128>) {
        for number in numbers {
            let token = TokenHash::of(&number.to_be_bytes());
            let new = Write::NewPlayer { player: player(number), token, now_ms: 0 };
            assert_eq!(self.store.commit(&[new]).await.unwrap(), [Ok(Written::Done)]);
        }
    }

    /// Blocks each stored player for each other one, except these two for each other.
    async fn block_all_but(&self, one: u128, other: u128) {
        let mut database = SqliteConnection::connect(&self.url).await.unwrap();
        let blocks = "insert into block (player, blocked, since_ms) select one.id, other.id, 0
                      from player as one join player as other on one.id < other.id
                      where (one.id, other.id) <> ($1, $2)";
        let [one, other] = [one, other].map(Uuid::from_u128);
        sqlx::query(blocks).bind(one).bind(other).execute(&mut database).await.unwrap();
    }

    /// Waits until all requests to the pools are processed.
    async fn settle(&self) {
        system_tests::timeout("what was asked of the pools", self.pools.settled()).await;
    }
}

impl Tab {
    /// The types and codes of the received messages, without `seeking`.
    fn received(&mut self) -> Vec<String> {
        let messages = std::iter::from_fn(|| self.outgoing.next_waiting());
        let messages = messages.map(|frame| serde_json::from_str::<Value>(&frame).unwrap());
        let told = messages.filter(|message| message["type"] != "seeking");
        told.map(|message| {
            message["code"].as_str().or(message["type"].as_str()).unwrap_or_default().to_owned()
        })
        .collect()
    }
}

/// Skips messages up to one of this type.
async fn receive(outgoing: &mut Outgoing, kind: &str) -> Value {
    system_tests::timeout(kind, async {
        loop {
            let frame = outgoing.next().await.expect("the connection is open");
            let message: Value = serde_json::from_str(&frame).unwrap();
            if message["type"] == kind {
                return message;
            }
        }
    })
    .await
}

/// Advances virtual time, and then real time, which the database needs.
async fn pass(time: Duration) {
    tokio::time::pause();
    advance(time).await;
    tokio::time::resume();
}

#[tokio::test]
async fn a_seeker_who_cannot_be_paired_now_stays_and_is_paired_later() {
    let scene = Scene::begin().await;
    let mut database = SqliteConnection::connect(&scene.url).await.unwrap();
    let stop_writing = "create trigger full before insert on game begin select raise(abort, 'full'); end";
    sqlx::query(stop_writing).execute(&mut database).await.unwrap();
    let mut tabs = [scene.come(1, 1), scene.come(2, 2)];
    for tab in &mut tabs {
        scene.seek(tab, days(1)).await;
    }
    for tab in &mut tabs {
        assert_eq!(receive(&mut tab.outgoing, "error").await["code"], "pool_unavailable");
    }
    sqlx::query("drop trigger full").execute(&mut database).await.unwrap();
    // A failed write may have been stored: the store is asked for as long as it can take.
    pass(KEPT_FOR).await;
    let mut games = Vec::new();
    for tab in &mut tabs {
        games.push(receive(&mut tab.outgoing, "paired").await["game"].clone());
        assert_eq!(receive(&mut tab.outgoing, "seeking").await["pools"], serde_json::json!([]));
    }
    assert_eq!(games[0], games[1]);
}

#[tokio::test]
async fn a_game_whose_storing_seemed_to_fail_is_found_and_its_players_are_not_paired_again() {
    let scene = Scene::begin().await;
    let mut database = SqliteConnection::connect(&scene.url).await.unwrap();
    let stop_writing = "create trigger full before insert on game begin select raise(abort, 'full'); end";
    sqlx::query(stop_writing).execute(&mut database).await.unwrap();
    let mut tabs = [scene.come(1, 1), scene.come(2, 2)];
    for tab in &mut tabs {
        scene.seek(tab, days(1)).await;
    }
    sqlx::query("drop trigger full").execute(&mut database).await.unwrap();
    let kept = tabs.each_ref().map(|tab| scene.pools.0.inner.lock().cluster.kept_game(tab.seeker.player));
    assert_eq!(kept[0], kept[1]);
    let (game, games) = (kept[0].unwrap(), &scene.pools.0.games);
    let sides = [(1, 1), (2, 2)]
        .map(|(number, address)| Beginner { player: player(number), address: Address::of_tests(address) });
    let terms = Terms { clock: days(1).clock.into(), ..Terms::default() };
    games.begin(game, days(1).ruleset, terms, sides, games.env().seed()).await.unwrap();
    let mut next = scene.come(3, 3);
    scene.seek(&mut next, days(1)).await;
    assert_eq!(next.received(), [] as [&str; 0]);
    pass(ASK_EVERY).await;
    for tab in &mut tabs {
        assert_eq!(receive(&mut tab.outgoing, "paired").await["game"], game.to_string());
    }
}

#[tokio::test]
async fn an_address_is_paired_at_its_rate_and_holds_up_nobody_behind_it() {
    let scene = Scene::begin().await;
    let n_guests = 2 * u128::from(AddressLimits::times(1).rooms.burst);
    let mut guests: Vec<_> = (1..=n_guests).map(|number| scene.come(number, 1)).collect();
    for guest in &guests {
        scene.pools.seek(guest.seeker, days(1), &guest.outbox);
    }
    scene.settle().await;
    let mut latest = scene.come(n_guests + 1, 1);
    let received: Vec<_> = guests.iter_mut().flat_map(Tab::received).collect();
    let paired = received.iter().filter(|message| *message == "paired").count();
    let burst = AddressLimits::times(1).rooms.burst as usize;
    assert!((burst..burst + 10).contains(&paired), "two shares for each game: {paired} players");

    system_tests::timeout("a seek that is refused", async {
        // Tokens are refilled by the second; some seeks find one.
        while !latest.received().contains(&"pool_too_fast".to_owned()) {
            scene.pools.stop_seeking(latest.seeker.player, days(1));
            scene.seek(&mut latest, days(1)).await;
        }
    })
    .await;
    let mut pair = [scene.come(1001, 2), scene.come(1002, 3)];
    for tab in &mut pair {
        scene.seek(tab, days(1)).await;
    }
    assert_eq!(
        pair.each_mut().map(Tab::received),
        [["paired"], ["paired"]],
        "with each other, past the queue"
    );
}

#[tokio::test]
async fn a_player_is_paired_at_the_own_rate_whatever_the_address() {
    let scene = Scene::begin().await;
    let burst = AddressLimits::times(1).rooms_of_player.burst;
    for number in 0..burst {
        let mut player = scene.come(1, 100 + number);
        let mut other = scene.come(1000 + u128::from(number), 2);
        scene.seek(&mut player, days(1)).await;
        scene.seek(&mut other, days(1)).await;
        assert_eq!(player.received(), ["paired"], "game {number}");
    }
    let mut player = scene.come(1, 7);
    scene.seek(&mut player, days(1)).await;
    assert_eq!(player.received(), ["pool_too_fast"]);
}

#[tokio::test]
async fn a_seeker_with_too_many_games_is_refused_and_the_other_waits() {
    let scene = Scene::begin().await;
    let mut full = scene.come(1, 1);
    for number in 0..MAX_REAL_TIME {
        // The rate limit of a player refills a token in five seconds.
        if number >= AddressLimits::times(1).rooms_of_player.burst - 1 {
            pass(Duration::from_secs(5)).await;
        }
        let mut other = scene.come(1000 + u128::from(number), 2);
        scene.seek(&mut full, blitz()).await;
        scene.seek(&mut other, blitz()).await;
        assert_eq!(other.received(), ["paired"], "game {number}");
    }
    full.received();
    pass(Duration::from_secs(10)).await;
    let mut other = scene.come(2, 3);
    scene.seek(&mut full, blitz()).await;
    scene.seek(&mut other, blitz()).await;
    assert_eq!((full.received(), other.received()), (vec!["too_many_under_way".to_owned()], vec![]));
    scene.seek(&mut full, days(1)).await;
    assert_eq!(full.received(), [] as [&str; 0], "without a running clock there is room for more");
    let mut next = scene.come(3, 4);
    scene.seek(&mut next, blitz()).await;
    assert_eq!((other.received(), next.received()), (vec!["paired".to_owned()], vec!["paired".to_owned()]));
}

#[tokio::test]
async fn no_beginning_of_a_queue_keeps_anybody_from_those_behind_it() {
    let scene = Scene::begin().await;
    let n_hostile = 2 * ASKED as u128 + 1;
    scene.store_players(1..=n_hostile + 2).await;
    let (victim, friend) = (n_hostile + 1, n_hostile + 2);
    scene.block_all_but(victim, friend).await;
    let mut queue: Vec<_> = (1..=n_hostile).map(|number| scene.come(number, 1)).collect();
    for tab in &mut queue {
        scene.seek(tab, days(1)).await;
    }
    let mut friend = scene.come(friend, 1);
    scene.seek(&mut friend, days(1)).await;
    let mut victim = scene.come(victim, 2);
    scene.seek(&mut victim, days(1)).await;
    assert_eq!(
        (victim.received(), friend.received()),
        (vec!["paired".to_owned()], vec!["paired".to_owned()])
    );
}

#[tokio::test]
async fn the_first_seeker_is_paired_first_even_if_others_wait_for_the_same_moment() {
    let scene = Scene::begin().await;
    scene.store_players(1..=3).await;
    let block = Write::Block { player: player(1).id, blocked: player(2).id, now_ms: 0 };
    assert_eq!(scene.store.commit(&[block]).await.unwrap(), [Ok(Written::Done)]);
    let [mut one, mut two, mut three] = [1, 2, 3].map(|number| scene.come(number, 1));
    for tab in [&one, &two, &three] {
        scene.pools.seek(tab.seeker, days(1), &tab.outbox);
    }
    // The rate of the address is used up, so that all wait for its next tokens.
    let burst = AddressLimits::times(1).rooms.burst;
    scene.addresses.charge(one.seeker.address, LimitedAction::Room, burst as usize, Instant::now());
    scene.settle().await;
    pass(scene.admission.wait(one.seeker.applicant(), Instant::now()) * 2).await;
    receive(&mut three.outgoing, "paired").await;
    scene.settle().await;
    assert_eq!((one.received(), two.received()), (vec!["paired".to_owned()], vec![]));
}

#[tokio::test]
async fn a_game_that_begins_slowly_holds_up_nobody_else() {
    let scene = Scene::begin().await;
    let mut slow = [scene.come(1, 1), scene.come(2, 2)];
    // As the admission of another game of the first player does.
    let held = scene.admission.hold(slow[0].seeker.player).await;
    for tab in &mut slow {
        scene.pools.seek(tab.seeker, days(1), &tab.outbox);
    }
    let mut quick = [scene.come(3, 3), scene.come(4, 4)];
    for tab in &mut quick {
        scene.pools.seek(tab.seeker, days(1), &tab.outbox);
    }
    for tab in &mut quick {
        receive(&mut tab.outgoing, "paired").await;
    }
    assert!(!slow.iter_mut().any(|tab| tab.received().contains(&"paired".to_owned())));
    drop(held);
    for tab in &mut slow {
        receive(&mut tab.outgoing, "paired").await;
    }
}

#[tokio::test]
async fn the_third_seeker_of_an_address_comes_after_those_of_others() {
    let scene = Scene::begin().await;
    scene.store_players(1..=4).await;
    scene.block_all_but(0, 0).await;
    let mut waiting = [(1, 1), (2, 1), (3, 1), (4, 2)].map(|(number, address)| scene.come(number, address));
    for tab in &mut waiting {
        scene.seek(tab, days(1)).await;
    }
    scene.store_players(5..=5).await;
    for number in 1..=2 {
        let block = Write::Block { player: player(5).id, blocked: player(number).id, now_ms: 0 };
        assert_eq!(scene.store.commit(&[block]).await.unwrap(), [Ok(Written::Done)]);
    }
    let mut newcomer = scene.come(5, 5);
    scene.seek(&mut newcomer, days(1)).await;
    assert_eq!(newcomer.received(), ["paired"]);
    let paired = waiting.each_mut().map(|tab| tab.received() == ["paired"]);
    assert_eq!(paired, [false, false, false, true], "though the third came before");
}

#[tokio::test]
async fn guests_of_one_address_do_not_take_one_newcomer_after_the_other() {
    let scene = Scene::begin().await;
    scene.store_players(1..=4).await;
    scene.block_all_but(0, 0).await;
    let mut waiting = [(1, 1), (2, 1), (3, 1), (4, 2)].map(|(number, address)| scene.come(number, address));
    for tab in &mut waiting {
        scene.seek(tab, days(1)).await;
    }
    for (newcomer, expected) in [(5, [true, false, false, false]), (6, [false, false, false, true])] {
        let mut newcomer = scene.come(newcomer, newcomer as u32);
        scene.seek(&mut newcomer, days(1)).await;
        assert_eq!(newcomer.received(), ["paired"]);
        let paired = waiting.each_mut().map(|tab| tab.received() == ["paired"]);
        assert_eq!(paired, expected, "once an address was served, the others who wait come first");
    }
}

#[tokio::test]
async fn a_seeker_during_a_lookup_takes_no_partner_from_earlier_seekers() {
    let scene = Scene::begin().await;
    scene.store_players(1..=3).await;
    let block = Write::Block { player: player(1).id, blocked: player(2).id, now_ms: 0 };
    assert_eq!(scene.store.commit(&[block]).await.unwrap(), [Ok(Written::Done)]);
    let mut tabs = [1, 2, 3].map(|number| scene.come(number, number as u32));
    // All have arrived before the task searches for the first.
    for tab in &tabs {
        scene.pools.seek(tab.seeker, days(1), &tab.outbox);
    }
    scene.settle().await;
    assert_eq!(
        tabs.each_mut().map(Tab::received),
        [vec!["paired".to_owned()], vec![], vec!["paired".to_owned()]]
    );
}

/// The game that a player is claimed for.
fn game_of(player: PlayerId) -> GameId {
    GameId::new(player.uuid())
}

/// A node that is older than any other, and so the owner if it is up.
const OLDEST: NodeId = NodeId::new(Uuid::from_u128(1));

/// A node that is younger than any other.
const YOUNGEST: NodeId = NodeId::new(Uuid::max());

impl Scene {
    /// Applies a message of another node.
    fn apply(&self, news: PoolNews) {
        self.pools.apply_remote(news);
    }

    /// Hands over a seeker whose home is another node.
    fn entrust(&self, number: u128, address: u32) {
        let pools = vec![(days(1), Address::of_tests(address), 0)];
        self.apply(PoolNews::Seekers {
            home: YOUNGEST,
            seekers: vec![SeekerPools { player: player(number).id, pools }],
        });
    }

    /// Waits for a claim of this node.
    async fn claim(&self) -> Claim {
        let number = system_tests::timeout("a claim", async {
            loop {
                if let [number] = self.pools.0.inner.lock().cluster.open_claims()[..] {
                    return number;
                }
                tokio::task::yield_now().await;
            }
        });
        Claim { owner: self.pools.0.bus.node(), number: number.await }
    }

    /// Lets another node claim a seeker, to be paired with player 2.
    fn claim_from(&self, owner: NodeId, tab: &Tab) -> Claim {
        let claim = Claim { owner, number: 0 };
        let player = tab.seeker.player;
        self.apply(PoolNews::Claim { claim, player, game: game_of(player), pool: days(1) });
        claim
    }

    /// Two players of other addresses seek, and are paired with each other.
    async fn are_paired_with_each_other(&self, numbers: [u32; 2]) {
        let mut tabs = numbers.map(|number| self.come(number.into(), number));
        for tab in &tabs {
            self.pools.seek(tab.seeker, days(1), &tab.outbox);
        }
        let mut games = Vec::new();
        for tab in &mut tabs {
            games.push(receive(&mut tab.outgoing, "paired").await["game"].clone());
        }
        assert_eq!(games[0], games[1]);
    }
}

#[tokio::test]
async fn a_seeker_of_another_node_is_paired_once_its_home_has_given_it() {
    let scene = Scene::begin().await;
    let mut tab = scene.come(1, 1);
    scene.seek(&mut tab, days(1)).await;
    scene.entrust(2, 2);
    let claim = scene.claim().await;
    assert_eq!(tab.received(), [] as [&str; 0], "the other home has not answered");
    scene.apply(PoolNews::Granted { claim, player: Some(player(2).into()) });
    receive(&mut tab.outgoing, "paired").await;
    scene.settle().await;
    scene.are_paired_with_each_other([3, 4]).await;
}

#[tokio::test]
async fn a_seeker_keeps_the_place_in_the_queue_when_the_partners_home_does_not_give_the_partner() {
    let scene = Scene::begin().await;
    let mut tab = scene.come(1, 1);
    scene.seek(&mut tab, days(1)).await;
    for number in [2, 3] {
        scene.entrust(number.into(), number);
        let claim = scene.claim().await;
        scene.apply(PoolNews::Granted { claim, player: None });
        scene.settle().await;
    }
    assert_eq!(tab.received(), [] as [&str; 0]);
    let mut next = scene.come(4, 4);
    scene.seek(&mut next, days(1)).await;
    assert_eq!((tab.received(), next.received()), (vec!["paired".to_owned()], vec!["paired".to_owned()]));
}

#[tokio::test]
async fn two_seekers_of_other_nodes_are_both_claimed() {
    let scene = Scene::begin().await;
    scene.entrust(2, 2);
    scene.settle().await;
    scene.entrust(3, 3);
    let owner = scene.pools.0.bus.node();
    system_tests::timeout("two claims", async {
        while scene.pools.0.inner.lock().cluster.open_claims().len() < 2 {
            tokio::task::yield_now().await;
        }
    })
    .await;
    let numbers = scene.pools.0.inner.lock().cluster.open_claims();
    for number in numbers {
        let claim = Claim { owner, number };
        scene.apply(PoolNews::Granted { claim, player: Some(player(2 + u128::from(number)).into()) });
    }
    scene.settle().await;
    scene.are_paired_with_each_other([4, 5]).await;
}

#[tokio::test]
async fn a_node_pairs_its_own_seekers_only_while_no_older_node_is_up() {
    let scene = Scene::begin().await;
    for node in [OLDEST, YOUNGEST] {
        scene.apply(PoolNews::Alive { node });
    }
    let mut tabs = [scene.come(1, 1), scene.come(2, 2)];
    for tab in &mut tabs {
        scene.seek(tab, days(1)).await;
        assert_eq!(tab.received(), [] as [&str; 0]);
    }
    scene.apply(PoolNews::Gone { node: OLDEST });
    for tab in &mut tabs {
        receive(&mut tab.outgoing, "paired").await;
    }
}

#[tokio::test]
async fn a_seeker_kept_for_a_claim_is_paired_with_no_other_until_it_is_given_back() {
    let scene = Scene::begin().await;
    let mut tab = scene.come(1, 1);
    scene.seek(&mut tab, days(1)).await;
    let claim = scene.claim_from(OLDEST, &tab);
    scene.claim_from(YOUNGEST, &tab);
    scene.are_paired_with_each_other([3, 4]).await;
    let of_other = Claim { owner: YOUNGEST, ..claim };
    scene.apply(PoolNews::Released { claim: of_other, player: tab.seeker.player });
    scene.are_paired_with_each_other([5, 6]).await;
    assert_eq!(tab.received(), [] as [&str; 0]);

    scene.apply(PoolNews::Released { claim, player: tab.seeker.player });
    let mut next = scene.come(7, 7);
    scene.seek(&mut next, days(1)).await;
    assert_eq!((tab.received(), next.received()), (vec!["paired".to_owned()], vec!["paired".to_owned()]));
}

#[tokio::test]
async fn a_seeker_paired_by_another_node_is_notified_and_leaves_all_pools() {
    let scene = Scene::begin().await;
    let mut tab = scene.come(1, 1);
    for pool in [days(1), days(2)] {
        scene.seek(&mut tab, pool).await;
    }
    scene.claim_from(OLDEST, &tab);
    let game = GameId::new(Uuid::now_v7());
    scene.apply(PoolNews::Paired { players: [tab.seeker.player, player(2).id], game });
    assert_eq!(receive(&mut tab.outgoing, "paired").await["game"], game.to_string());
    assert_eq!(receive(&mut tab.outgoing, "seeking").await["pools"], serde_json::json!([]));
}

#[tokio::test]
async fn the_database_tells_how_a_claim_ended_whose_owner_is_lost() {
    let scene = Scene::begin().await;
    let mut tabs = [scene.come(1, 1), scene.come(3, 3)];
    for tab in &tabs {
        // No two are free at once.
        scene.pools.seek(tab.seeker, days(1), &tab.outbox);
        scene.claim_from(OLDEST, tab);
    }
    let sides = [(1, 1), (2, 2)]
        .map(|(number, address)| Beginner { player: player(number), address: Address::of_tests(address) });
    let terms = Terms { clock: days(1).clock.into(), ..Terms::default() };
    let games = &scene.pools.0.games;
    let begun =
        games.begin(game_of(player(1).id), days(1).ruleset, terms, sides, games.env().seed()).await.unwrap();
    pass(KEPT_FOR).await;
    let [one, other] = &mut tabs;
    assert_eq!(receive(&mut one.outgoing, "paired").await["game"], begun.id.to_string());
    let mut next = scene.come(4, 4);
    scene.pools.seek(next.seeker, days(1), &next.outbox);
    for tab in [other, &mut next] {
        receive(&mut tab.outgoing, "paired").await;
    }
}
