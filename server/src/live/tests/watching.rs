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
    let lists = frames.iter().filter_map(|frame| frame["events"].as_array());
    lists.flatten().map(|event| event["version"].as_u64().unwrap()).collect()
}

#[tokio::test]
async fn while_a_long_game_is_encoded_for_one_reader_the_others_continue_and_nothing_is_missed() {
    let node = node(64 << 20).await;
    let games = &node.games;
    let row = node.store(&log(Terms::default(), 400)).await;
    let n_events = row.version.get();
    games.document(row.id, None, Asker::SERVER).await.unwrap();

    // The pool has one thread, which waits.
    let (release, released) = mpsc::channel::<()>();
    let (begun, has_begun) = oneshot::channel();
    let compute = games.0.parts.compute.clone();
    let busy = games.0.parts.tasks.spawn(async move {
        let work = move || {
            let _ = begun.send(());
            let _ = released.recv();
        };
        compute.run(Asker::SERVER, work).await
    });
    has_begun.await.unwrap();

    let (outbox, mut hears) = Outbox::open();
    let asker = Asker::player(Address::of_tests(1), player(9).id);
    let coming = games.watch(row.id, &outbox, player(9).id, Version::NONE, Admitted::All, asker);
    tokio::pin!(coming);
    let resign = Request {
        id: CommandId::try_from("c".to_owned()).unwrap(),
        who: player(1),
        asker: Asker::SERVER,
        command: Command::Resign,
        received_ms: games.env().now_ms(),
        over_budget: None,
    };
    tokio::select! {
        biased;
        watched = &mut coming => panic!("it did not wait for the pool: {watched:?}"),
        resigned = games.command(row.id, resign) => assert_eq!(resigned, Ok(Version::new(n_events + 2))),
    }
    assert!(
        frames(&mut hears).is_empty(),
        "what happens meanwhile is not sent before all that it follows on"
    );
    release.send(()).unwrap();
    busy.await.unwrap().unwrap();
    assert_eq!(coming.await, Ok(n_events as usize + 2));
    let heard = frames(&mut hears);
    let types: Vec<&str> = heard.iter().map(|frame| frame["type"].as_str().unwrap()).collect();
    assert_eq!(types, ["snapshot", "events", "presence"]);
    assert_eq!(heard[0]["present"]["version"], n_events);
    assert_eq!(heard[1]["present"]["status"], "finished");
    assert_eq!(versions(&heard), (1..=u64::from(n_events) + 2).collect::<Vec<_>>());
}

#[tokio::test]
async fn a_reader_gets_the_same_events_however_they_are_sent() {
    let node = node(64 << 20).await;
    let terms = Terms { delay: 7.try_into().unwrap(), ..Terms::default() };
    let row = node.store(&log(terms, 300)).await;
    let n_events = u64::from(row.version.get());
    for (who, shown) in [(player(1), n_events), (player(9), n_events - 7)] {
        for from in [0, 1, 30, 150, n_events - 9, shown] {
            let (outbox, mut hears) = Outbox::open();
            let version = Version::new(from as u32);
            let watched =
                node.games.watch(row.id, &outbox, who.id, version, Admitted::All, Asker::SERVER).await;
            // What is replayed to make the missing events full is charged too.
            let charged = watched.unwrap() as u64;
            assert!((shown - from..=shown).contains(&charged), "{} from {from}: {charged}", who.id);
            assert_eq!(versions(&frames(&mut hears)), (from + 1..=shown).collect::<Vec<_>>());
        }
    }
}

#[tokio::test]
async fn strangers_messages_keep_no_player_waiting_and_their_commands_get_nowhere() {
    let node = node(64 << 20).await;
    let games = &node.games;
    let row = node.store(&log(Terms::default(), 4)).await;
    games.document(row.id, None, Asker::SERVER).await.unwrap();
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
        asker: Asker::SERVER,
        command,
        received_ms: 0,
        over_budget: None,
    };
    let options = |who: u128| DraftRequest {
        id: CommandId::try_from("o".to_owned()).unwrap(),
        who: player(who),
        base: row.version,
        actions: Vec::new(),
        asker: Asker::SERVER,
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
        (0..300).map(|_| Box::pin(games.document(row.id, None, Asker::SERVER))).collect();
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
        games.watch(row.id, outbox, who, Version::NONE, Admitted::All, Asker::SERVER).await.unwrap();
    };
    let play = || [0, 1, 2].map(|number| connections[number].0.is_playing());
    let command = async |who: u128, command| {
        let id = CommandId::try_from(format!("c{who}")).unwrap();
        let (asker, received_ms) = (Asker::SERVER, games.env().now_ms());
        let request = Request { id, who: player(who), asker, command, received_ms, over_budget: None };
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
