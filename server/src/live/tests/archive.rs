//! Finished games.

use engine::Side;
use futures_util::future::join_all;
use game::{Outcome, Reason, Watching, ids::LineId};
use protocol::{GameDocument, GameEvents};
use serde_json::Value;
use store::{Audience, ChatLine, ChatRow};

use super::{
    sample::{Node, log, node, player, resigned},
    *,
};

fn terms(watching: Watching, delay: u64) -> Terms {
    Terms { watching, delay: delay.try_into().unwrap(), ..Terms::default() }
}

/// Everything that a reader can read of a game.
async fn all_of(node: &Node, game: GameId, reader: Option<PlayerId>) -> Result<[String; 4], Nack> {
    let document = node.games.document(game, reader, Requester::SERVER).await?;
    let events = node.games.events(game, reader, Requester::SERVER).await?;
    let record = node.games.record(game, reader, Requester::SERVER).await?;
    Ok([document, events, record.text, record.json].map(|text| text.text()))
}

#[tokio::test]
async fn a_game_that_is_over_reads_the_same_from_the_archive_as_from_memory_to_each_audience() {
    let node = node(64 << 20).await;
    for (watching, delay) in [(Watching::Everybody, 0), (Watching::Everybody, 20), (Watching::Nobody, 0)] {
        let row = node.store(&resigned(log(terms(watching, delay), 90))).await;
        let readers = [None, Some(player(1).id), Some(player(2).id), Some(player(3).id)];
        let mut archived = Vec::new();
        for reader in readers {
            archived.push(all_of(&node, row.id, reader).await);
        }
        assert!(node.games.live().is_empty(), "a finished game has no task");
        node.games.find(row.id, 0, None, Requester::SERVER);
        for (reader, archived) in readers.into_iter().zip(archived) {
            assert_eq!(all_of(&node, row.id, reader).await, archived, "{reader:?}");
            let is_closed = watching == Watching::Nobody && reader.is_none_or(|who| !row.is_of(who));
            let Ok([document, ..]) = archived else {
                assert!(is_closed);
                assert_eq!(archived, Err(Nack::Private));
                continue;
            };
            assert!(!is_closed);
            let document: GameDocument = serde_json::from_str(&document).unwrap();
            assert_eq!(document.events.len(), row.version.get() as usize);
        }
        assert_eq!(node.games.live(), [row.id]);
        node.games.0.remove(row.id, node.games.0.mailbox(row.id).unwrap().permits());
    }
}

#[tokio::test]
async fn delayed_spectators_read_the_beginning_and_players_the_whole_game() {
    let node = node(64 << 20).await;
    let row = node.store(&log(terms(Watching::Everybody, 20), 90)).await;
    for (reader, n_events) in [(Some(player(1).id), 92), (Some(player(3).id), 72), (None, 72)] {
        let document = node.games.document(row.id, reader, Requester::SERVER).await.unwrap().text();
        let document: GameDocument = serde_json::from_str(&document).unwrap();
        assert_eq!((document.events.len(), document.summary.version.get()), (n_events, n_events as u32));
        let events = node.games.events(row.id, reader, Requester::SERVER).await.unwrap().text();
        let events: GameEvents = serde_json::from_str(&events).unwrap();
        assert_eq!((events.events.len(), events.snapshot.version.get()), (n_events, n_events as u32));
        assert_eq!(events.snapshot.turn.position, document.snapshot.turn.position);
    }
}

#[tokio::test]
async fn a_game_whose_room_opened_again_shows_no_player_the_chat_with_the_one_who_left() {
    let node = node(64 << 20).await;
    let mut events = log(terms(Watching::Nobody, 0), 0);
    let reopened_ms = events[1].at_ms + 10;
    let seats = Seats { first: player(1).id, second: player(3).id };
    let outcome = Outcome { winner: Some(Side::Second), reason: Reason::Resign };
    for event in [
        Event::Reopened { side: Some(Side::Second) },
        Event::Started { seats, joined: true },
        Event::Resigned { side: Side::First },
        Event::Ended { outcome },
    ] {
        events.push(Recorded { at_ms: reopened_ms, event });
    }
    let row = node.store(&events).await;
    for (number, at_ms) in [reopened_ms - 1, reopened_ms + 1].into_iter().enumerate() {
        let id = LineId::new(Uuid::from_u128(number as u128));
        let text = number.to_string().try_into().unwrap();
        let line = ChatLine { id, at_ms, turn: 1, who: player(1).id, text };
        let command = number.to_string().try_into().unwrap();
        let audience = Audience::Players;
        node.writer.say(ChatRow { game: row.id, audience, command, line }).await.unwrap();
    }
    let (outbox, mut outgoing) = Outbox::open();
    let who = player(3).id;
    node.games
        .watch(row.id, &outbox, who, Version::NONE, FollowPolicy::All, Requester::SERVER)
        .await
        .unwrap();
    let frames = std::iter::from_fn(|| outgoing.next_waiting());
    let frames: Vec<Value> = frames.map(|frame| serde_json::from_str(&frame).unwrap()).collect();
    let lines = frames.iter().find(|frame| frame["type"] == "chat").unwrap()["lines"].as_array().unwrap();
    assert_eq!(lines.iter().map(|line| &line["text"]).collect::<Vec<_>>(), ["1"]);
}

#[tokio::test]
async fn concurrent_requests_share_one_fold_even_if_the_first_is_abandoned() {
    let node = node(64 << 20).await;
    let row = node.store(&resigned(log(Terms::default(), 30))).await;
    let archive = &node.games.0.archive;
    let mut first = Box::pin(archive.get(&row, Requester::SERVER));
    assert!(futures_util::poll!(&mut first).is_pending());
    let others = join_all((0..9).map(|_| archive.get(&row, Requester::SERVER)));
    tokio::pin!(others);
    assert!(futures_util::poll!(&mut others).is_pending());
    drop(first);
    let others = others.await;
    let one = others[0].as_ref().unwrap();
    assert!(others.iter().all(|other| Arc::ptr_eq(other.as_ref().unwrap(), one)));
    assert!(Arc::ptr_eq(&archive.get(&row, Requester::SERVER).await.unwrap(), one), "it is kept");
}

#[tokio::test]
async fn the_cache_evicts_the_least_recently_used_documents() {
    let node = node(ARCHIVE_DIVISOR * 64 * 1024).await;
    let archive = &node.games.0.archive;
    let log = resigned(log(Terms::default(), 60));
    let often = node.store(&log).await;
    let kept = archive.get(&often, Requester::SERVER).await.unwrap();
    for _ in 0..20 {
        let row = node.store(&log).await;
        archive.get(&row, Requester::SERVER).await.unwrap();
        assert!(Arc::ptr_eq(&archive.get(&often, Requester::SERVER).await.unwrap(), &kept));
        let (n_games, n_bytes) = archive.contents();
        assert!(n_bytes <= 64 * 1024 && n_games < 12, "{n_games} games of {n_bytes} bytes");
    }
    let newer = GameRow { version: often.version.next(), ..often };
    assert!(
        !Arc::ptr_eq(&archive.get(&newer, Requester::SERVER).await.unwrap(), &kept),
        "it has changed since"
    );
}

#[tokio::test]
async fn a_game_that_cannot_be_read_leaves_nothing_in_the_cache() {
    let node = node(64 << 20).await;
    let row = node.store(&resigned(log(Terms::default(), 2))).await;
    let unknown = GameRow { id: GameId::new(Uuid::from_u128(1)), ..row.clone() };
    assert_eq!(node.games.0.archive.get(&unknown, Requester::SERVER).await.unwrap_err(), Nack::UnknownGame);
    let version = row.version.next();
    let nonsense = StoredEvent { version, at_ms: 0, command: None, body: "nonsense".to_owned() };
    let row = GameRow { version, ..row };
    node.writer.append(Append::new(vec![nonsense], row.clone(), DraftIs::Gone)).await.unwrap();
    assert_eq!(node.games.0.archive.get(&row, Requester::SERVER).await.unwrap_err(), Nack::Unavailable);
    assert_eq!(node.games.0.archive.contents(), (0, 0));
}

#[tokio::test]
async fn strangers_never_load_a_finished_game_whatever_they_request() {
    let node = node(64 << 20).await;
    let row = node.store(&resigned(log(Terms::default(), 2))).await;
    for (command, refusal) in [
        (Command::Resign, Nack::NotSeated),
        (Command::Cancel, Nack::NotYours),
        (Command::Join { coin: true }, Nack::RoomTaken),
    ] {
        let id = CommandId::try_from("c".to_owned()).unwrap();
        let request = Request {
            id,
            who: player(3),
            requester: Requester::SERVER,
            command,
            received_ms: 0,
            over_budget: None,
        };
        assert_eq!(node.games.command(row.id, request).await, Err(refusal));
    }
    let (outbox, _outgoing) = Outbox::open();
    let watched =
        node.games.watch(row.id, &outbox, player(3).id, Version::NONE, FollowPolicy::All, Requester::SERVER);
    assert_eq!(watched.await, Ok(row.version.get() as usize));
    assert!(node.games.live().is_empty());
}
