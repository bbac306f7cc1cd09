//! Long games and their spectators.

use std::sync::mpsc;

use serde_json::Value;

use super::{
    sample::{log, node, player},
    *,
};
use crate::net::outbox::Outgoing;

fn frames(outgoing: &mut Outgoing) -> Vec<Value> {
    std::iter::from_fn(|| outgoing.next_waiting())
        .map(|frame| serde_json::from_str(&frame).unwrap())
        .collect()
}

/// The versions of the events of all frames, in their order.
fn versions(frames: &[Value]) -> Vec<u64> {
    let of = |frame: &Value| {
        let n_events = frame["events"].as_array().map_or(0, Vec::len) as u64;
        let last = frame["version"].as_u64().unwrap_or_default();
        last + 1 - n_events..=last
    };
    frames.iter().filter(|frame| frame["type"] == "events").flat_map(of).collect()
}

#[tokio::test]
async fn a_long_game_is_followed_at_once_though_the_pool_is_busy() {
    let node = node(64 << 20).await;
    let games = &node.games;
    let row = node.store(&log(Terms::default(), 400)).await;
    let n_events = row.version.get();
    games.state(row.id, player(1).id).await.unwrap();

    // The pool has one thread, which waits.
    let (release, released) = mpsc::channel::<()>();
    let (begun, has_begun) = oneshot::channel();
    let compute = games.0.dependencies.compute.clone();
    let busy = games.0.dependencies.tasks.spawn(async move {
        let work = move || {
            let _ = begun.send(());
            let _ = released.recv();
        };
        compute.run(Requester::SERVER, work).await
    });
    has_begun.await.unwrap();

    let (outbox, mut hears) = Outbox::open();
    let requester = Requester::player(Address::of_tests(1), player(9).id);
    let coming = games.watch(row.id, &outbox, player(9).id, Version::NONE, FollowPolicy::All, requester);
    assert_eq!(coming.await, Ok(n_events as usize));
    let resign = Request {
        id: CommandId::try_from("c".to_owned()).unwrap(),
        who: player(1),
        requester: Requester::SERVER,
        command: Command::Resign,
        received_ms: games.env().now_ms(),
        over_budget: None,
    };
    assert_eq!(games.command(row.id, resign).await, Ok(Version::new(n_events + 2)));
    release.send(()).unwrap();
    busy.await.unwrap().unwrap();
    let mut heard = frames(&mut hears);
    heard.retain(|frame| frame["type"] == "events");
    assert_eq!((heard.len(), &heard[0]["version"]), (2, &Value::from(n_events)));
    assert_eq!(heard[1]["present"]["status"], "finished");
    assert_eq!(versions(&heard), (1..=u64::from(n_events) + 2).collect::<Vec<_>>());
}

#[tokio::test]
async fn a_reader_is_sent_the_events_that_it_lacks_and_the_position_after_them() {
    let node = node(64 << 20).await;
    let terms = Terms { delay: 7.try_into().unwrap(), ..Terms::default() };
    let log = log(terms, 300);
    let row = node.store(&log).await;
    let n_events = u64::from(row.version.get());
    for (who, shown) in [(player(1), n_events), (player(9), n_events - 7)] {
        let mut state = State::begin(&log[0]).unwrap();
        log[1..shown as usize].iter().for_each(|recorded| state.apply(recorded).unwrap());
        for from in [0, 1, 30, 150, n_events - 9, shown, n_events + 1] {
            let (outbox, mut hears) = Outbox::open();
            let version = Version::new(from as u32);
            let watched = node
                .games
                .watch(row.id, &outbox, who.id, version, FollowPolicy::All, Requester::SERVER)
                .await;
            // Of a version that the game does not have, all is sent.
            let known = if from > shown { 0 } else { from };
            assert_eq!(watched, Ok((shown - known) as usize));
            let heard = frames(&mut hears);
            assert_eq!(versions(&heard), (known + 1..=shown).collect::<Vec<_>>());
            assert_eq!(heard[0]["position"], state.play().position_text());
        }
    }
}

#[tokio::test]
async fn strangers_messages_keep_no_player_waiting_and_their_commands_get_nowhere() {
    let node = node(64 << 20).await;
    let games = &node.games;
    let row = node.store(&log(Terms::default(), 4)).await;
    games.document(row.id, None, Requester::SERVER).await.unwrap();
    let Live { mailbox, share } = {
        let mut live = games.0.locked();
        // A task that takes nothing out of its mailbox.
        let (mailbox, mails) = Mailbox::open(Some([player(1).id, player(2).id]));
        std::mem::forget(mails);
        let share = live[&row.id].share.clone();
        live.insert(row.id, Live { mailbox: mailbox.clone(), share: share.clone() });
        Live { mailbox, share }
    };
    drop(share);
    let request = |who: u128, command| Request {
        id: CommandId::try_from("c".to_owned()).unwrap(),
        who: player(who),
        requester: Requester::SERVER,
        command,
        received_ms: 0,
        over_budget: None,
    };
    let options = |who: u128| DraftRequest {
        id: CommandId::try_from("o".to_owned()).unwrap(),
        who: player(who),
        base: row.version,
        actions: Vec::new(),
        requester: Requester::SERVER,
        from: Outbox::open().0.id,
    };
    for _ in 0..300 {
        assert_eq!(games.options(row.id, options(3)).await.unwrap_err(), Nack::NotSeated);
        assert_eq!(games.draft(row.id, options(3)).await.unwrap_err(), Nack::NotSeated);
        for (command, refusal) in [
            (Command::Resign, Nack::NotSeated),
            (Command::Cancel, Nack::NotYours),
            (Command::Join { coin: true }, Nack::RoomTaken),
        ] {
            assert_eq!(games.command(row.id, request(3, command)).await, Err(refusal));
        }
    }
    let mut reading: Vec<_> =
        (0..300).map(|_| Box::pin(games.document(row.id, None, Requester::SERVER))).collect();
    for read in &mut reading {
        assert!(futures_util::poll!(read).is_pending());
    }
    let mut played = Vec::new();
    let is_busy = loop {
        let mut turn = Box::pin(games.command(row.id, request(1, Command::Resign)));
        match futures_util::poll!(&mut turn) {
            std::task::Poll::Pending => played.push(turn),
            std::task::Poll::Ready(answer) => break answer,
        }
    };
    assert_eq!((played.len(), is_busy), (64, Err(Nack::Busy)), "only the player's own permits are taken");
    assert_eq!(mailbox.try_send(Sender::Client(Some(player(2).id)), Message::Wake), Ok(()));
}

#[tokio::test]
async fn a_connection_plays_only_while_it_follows_a_game_under_way_of_its_player() {
    let node = node(64 << 20).await;
    let games = &node.games;
    let maker = Beginner { player: player(1), address: Address::of_tests(1) };
    let row = games.create(room(), maker, Seed::new([0; 32])).await.unwrap();
    let connections: Vec<(Outbox, Outgoing)> = (0..3).map(|_| Outbox::open()).collect();
    let watch = async |number: usize| {
        let who = player(number as u128 + 1).id;
        let outbox = &connections[number].0;
        games.watch(row.id, outbox, who, Version::NONE, FollowPolicy::All, Requester::SERVER).await.unwrap();
    };
    let play = || [0, 1, 2].map(|number| connections[number].0.is_playing());
    let command = async |who: u128, command| {
        let id = CommandId::try_from(format!("c{who}")).unwrap();
        let (requester, received_ms) = (Requester::SERVER, games.env().now_ms());
        let request = Request { id, who: player(who), requester, command, received_ms, over_budget: None };
        games.command(row.id, request).await.unwrap();
    };
    for number in 0..3 {
        watch(number).await;
    }
    assert_eq!(play(), [false; 3], "a room is cheap");
    command(2, Command::Join { coin: true }).await;
    assert_eq!(play(), [true, true, false]);
    games.unwatch(row.id, connections[0].0.id).await;
    games.state(row.id, player(1).id).await.unwrap();
    assert_eq!(play(), [false, true, false]);
    watch(0).await;
    assert_eq!(play(), [true, true, false]);
    command(1, Command::Resign).await;
    assert_eq!(play(), [false; 3], "the game is over");
}
