//! The memory of games.

use engine::Side;
use game::OfferKind;
use store::StoredEvent;

use super::{
    sample::{command, drawn_log, log, node, player, resigned, stored},
    *,
};
use crate::{
    directory::deleted,
    live::{command_log::CommandLog, view::View},
    net::{limits::LONGEST_GAME, outbox::Outgoing},
};

/// Number of turns of a long game.
const LONG: usize = 990;

/// Maximum number of bytes that a stored turn takes in memory.
const BYTES_OF_TURN: usize = 400;

/// Maximum number of turns before the turn limit ends a game (RULES 0.7).
const LONGEST: usize = 999;

/// The offers and refusals that are possible between two turns.
fn talk() -> impl Iterator<Item = Event> {
    let sides = [Side::First, Side::Second].into_iter();
    let offers = sides.flat_map(|side| [(OfferKind::Draw, side), (OfferKind::Takeback, side)]);
    offers.flat_map(|(what, side)| {
        [Event::Offered { what, side }, Event::Declined { what, side: side.other() }]
    })
}

#[test]
fn a_game_with_all_that_can_happen_in_it_takes_no_more_than_is_documented() {
    let played = log(Terms::default(), LONG);
    let mut game = View::begin(&played[0], &deleted).unwrap();
    let mut command_log = CommandLog::default();
    let mut fold = |event: &Event| {
        let recorded = Recorded { at_ms: game.state.updated_ms() + 1_234, event: event.clone() };
        let version = game.state.version().next();
        let body = recorded.body();
        let stored = StoredEvent { version, at_ms: recorded.at_ms, command: Some(command(version)), body };
        let cause = game.state.cause(event);
        game.fold(&recorded, &deleted).unwrap();
        command_log.record(&stored, cause, event);
    };
    fold(&played[1].event);
    for (index, Recorded { event, .. }) in played[2..].iter().enumerate() {
        talk().for_each(|said| fold(&said));
        fold(event);
        if index < 100 {
            talk().for_each(|said| fold(&said));
            fold(&Event::TurnsTakenBack { turns: 1, side: Side::First });
            talk().for_each(|said| fold(&said));
            fold(event);
        }
    }
    assert_eq!(game.state.version().get() as usize, 2 + 9 * LONG + 100 * 18);
    let n_bytes = BYTES_OF_GAME + game.n_bytes() + command_log.n_bytes();
    assert!((LONGEST_GAME - LONGEST_GAME / 8..=LONGEST_GAME).contains(&n_bytes), "{n_bytes}");
}

/// Folds the events behind the first one.
fn play(log: &[Recorded], game: &mut View, command_log: &mut CommandLog) {
    for (recorded, stored) in log.iter().zip(stored(log)).skip(1) {
        let cause = game.state.cause(&recorded.event);
        game.fold(recorded, &deleted).unwrap();
        command_log.record(&stored, cause, &recorded.event);
    }
}

#[test]
fn a_stored_turn_takes_at_most_400_bytes_in_twenty_games_of_999_turns() {
    let mut n_bytes = 0;
    for seed in 1..=20 {
        let log = drawn_log(seed, Terms::default(), LONGEST);
        let (mut game, mut command_log) = (View::begin(&log[0], &deleted).unwrap(), CommandLog::default());
        play(&log, &mut game, &mut command_log);
        n_bytes += game.n_bytes() + command_log.n_bytes();
    }
    let of_turn = n_bytes / (20 * LONGEST);
    assert!(of_turn <= BYTES_OF_TURN, "a turn takes {of_turn}");
}

#[test]
fn a_game_of_990_turns_knows_all_its_commands() {
    let log = log(Terms::default(), LONG);
    let mut game = View::begin(&log[0], &deleted).unwrap();
    let mut command_log = CommandLog::default();
    play(&log, &mut game, &mut command_log);
    let state = &game.state;
    for (index, recorded) in log.iter().enumerate().skip(2) {
        let version = Version::new(index as u32 + 1);
        let Event::TurnPlayed { actions, .. } = &recorded.event else { panic!("the rest are turns") };
        let turn = |actions: &[ActionText]| Command::Turn {
            base: Version::NONE,
            actions: actions.to_vec(),
            lag_ms: 7,
        };
        let mover = player(1 + (index as u128 % 2));
        let find = |who: &Player, command_: &Command| command_log.find(&command(version), who.id, command_);
        assert_eq!(find(&mover, &turn(actions)), Some(Ok(version)));
        let reused = Some(Err(Nack::CommandReused));
        assert_eq!(find(&player(3), &turn(actions)), reused, "somebody else's");
        assert_eq!(find(&mover, &turn(&actions[1..])), reused, "another turn");
        assert_eq!(find(&mover, &Command::Resign), reused, "something else");
    }
    assert_eq!(command_log.find(&command(state.version().next()), player(1).id, &Command::Resign), None);
}

#[tokio::test]
async fn unplayed_games_in_memory_are_bounded_and_a_played_one_stays() {
    let log = log(Terms::default(), 60);
    let of_one = BYTES_OF_GAME + log.len() * BYTES_OF_EVENT;
    let node = node(10 * of_one).await;
    let games = &node.games;
    let watch = async |game: &GameRow, who: &Player| {
        let (outbox, outgoing) = Outbox::open();
        let watched =
            games.watch(game.id, &outbox, who.id, Version::NONE, FollowPolicy::All, Requester::SERVER).await;
        (watched, outgoing)
    };
    let played = node.store(&log).await;
    let (answer, mut player_hears) = watch(&played, &player(1)).await;
    answer.unwrap();
    let mut watching: Vec<(GameId, Outgoing)> = Vec::new();
    for _ in 0..30 {
        let game = node.store(&log).await;
        let (answer, outgoing) = watch(&game, &player(9)).await;
        answer.unwrap();
        watching.push((game.id, outgoing));
        assert!(games.0.memory.n_bytes() <= 10 * of_one, "{}", games.0.memory.n_bytes());
    }
    let (last, _) = watching.last().unwrap();
    assert!(games.live().contains(last), "the game watched last is kept");
    assert!(games.live().contains(&played.id), "it is played");
    let (first, hears) = &mut watching[0];
    assert!(!games.live().contains(first));
    let mut heard = Vec::new();
    while let Some(frame) = hears.next_waiting() {
        heard.push(serde_json::from_str::<serde_json::Value>(&frame).unwrap());
    }
    assert_eq!(heard.last().unwrap()["code"], "no_more_watchers", "its spectators are told");
    assert_eq!(watch(&GameRow { id: *first, ..played.clone() }, &player(9)).await.0, Ok(log.len()));

    // Players take the rest.
    let mut players = Vec::new();
    for _ in 0..12 {
        let game = node.store(&log).await;
        let (answer, outgoing) = watch(&game, &player(1)).await;
        answer.unwrap();
        players.push((game, outgoing));
    }
    let another = node.store(&log).await;
    assert_eq!(watch(&another, &player(9)).await.0, Err(Nack::Overloaded));
    assert_eq!(games.document(another.id, None, Requester::SERVER).await.unwrap_err(), Nack::Overloaded);
    assert!(players.iter().all(|(game, _)| games.live().contains(&game.id)), "all that are played stay");
    let over = node.store(&resigned(log)).await;
    let (answer, _hears) = watch(&over, &player(9)).await;
    answer.unwrap();
    assert!(!games.live().contains(&over.id), "a finished game is not loaded");
    assert!(player_hears.next_waiting().is_some());
}

#[tokio::test]
async fn games_that_were_removed_take_no_memory() {
    let node = node(1 << 20).await;
    let game = node.store(&log(Terms::default(), 10)).await;
    node.games.document(game.id, None, Requester::SERVER).await.unwrap();
    assert!(node.games.0.memory.n_bytes() > BYTES_OF_GAME);
    node.games.0.dependencies.stop.cancel();
    node.games.0.dependencies.tasks.close();
    drop(node.writer);
    while !node.games.live().is_empty() {
        tokio::task::yield_now().await;
    }
    assert_eq!(node.games.0.memory.n_bytes(), 0);
}

#[tokio::test]
async fn games_held_by_one_address_take_a_part_of_the_memory_and_evict_no_game_of_others() {
    let log = log(Terms::default(), 60);
    let of_one = BYTES_OF_GAME + log.len() * BYTES_OF_EVENT;
    let node = node(40 * of_one).await;
    let games = &node.games;
    let watch = async |game: &GameRow, who: &Player, address: u32| {
        let (outbox, outgoing) = Outbox::open();
        let requester = Requester::player(Address::of_tests(address), who.id);
        games.watch(game.id, &outbox, who.id, Version::NONE, FollowPolicy::All, requester).await.unwrap();
        outgoing
    };
    let [of_others, of_both] = [node.store(&log).await, node.store(&log).await];
    let _others = watch(&of_others, &player(1), 2).await;
    let _both = (watch(&of_both, &player(1), 1).await, watch(&of_both, &player(2), 2).await);
    let mut held = Vec::new();
    for _ in 0..30 {
        let game = node.store(&log).await;
        let outgoing = watch(&game, &player(1), 1).await;
        held.push((game, outgoing));
    }
    let live = games.live();
    let n_held = held.iter().filter(|(game, _)| live.contains(&game.id)).count();
    assert!((2..20).contains(&n_held), "{n_held} games");
    assert!(live.contains(&of_others.id) && live.contains(&of_both.id), "games that others play stay");
    assert!(live.contains(&held.last().unwrap().0.id), "the game that the player watches last stays");
    let (first, hears) = &mut held[0];
    assert!(!live.contains(&first.id), "the least recently used one went");
    let frames: Vec<_> = std::iter::from_fn(|| hears.next_waiting()).collect();
    assert!(frames.last().unwrap().contains(r#""code":"unavailable""#), "its player is told to ask again");
    let again = watch(&first.clone(), &player(1), 1).await;
    assert!(games.live().contains(&held[0].0.id));
    drop(again);
}

#[tokio::test]
async fn bringing_games_to_memory_counts_against_the_address_that_asks() {
    let node = node(64 << 20).await;
    let (games, addresses) = (&node.games, &node.games.0.dependencies.addresses);
    let (address, requester) = (Address::of_tests(1), Requester::visitor(Address::of_tests(1)));
    let log = log(Terms::default(), 60);
    let [game, another] = [node.store(&log).await, node.store(&log).await];
    let n_at_once = crate::net::limits::AddressLimits::times(1).events.burst as usize;
    let began = Instant::now();
    addresses.charge(address, LimitedAction::Events, n_at_once - 1, began);
    let mut reading = Box::pin(games.record(game.id, None, requester));
    while games.live().is_empty() {
        assert!(futures_util::poll!(&mut reading).is_pending());
        tokio::task::yield_now().await;
    }
    assert!(!addresses.wait(address, LimitedAction::Events, began).is_zero(), "its log counts");
    reading.await.unwrap();
    addresses.charge(address, LimitedAction::Events, n_at_once, Instant::now());
    let refused = games.record(another.id, None, requester).await.unwrap_err();
    assert!(matches!(refused, Nack::TooFast { .. }), "{refused:?}");
    games.record(game.id, None, requester).await.expect("it is in memory");
    let refused = games.document(game.id, None, requester).await.unwrap_err();
    assert!(matches!(refused, Nack::TooFast { .. }), "its log is read from the store: {refused:?}");
    games.document(another.id, None, Requester::visitor(Address::of_tests(2))).await.unwrap();
    games.events(game.id, Some(player(1).id), requester).await.expect("its player goes on");
    for reader in [Some(player(3).id), None] {
        let refused = games.events(game.id, reader, requester).await.unwrap_err();
        assert!(matches!(refused, Nack::TooFast { .. }), "{refused:?}");
    }
}
