//! Games whose node has missed messages of the others.

use serde_json::Value;
use store::{Audience, ChatLine, ChatRow};

use super::{
    sample::{command, log, node, player, resigned, stored},
    *,
};
use crate::{
    convert,
    metrics::{CauseLabel, METRICS},
    net::outbox::Outgoing,
};

fn frames(outgoing: &mut Outgoing) -> Vec<Value> {
    std::iter::from_fn(|| outgoing.next_waiting())
        .map(|frame| serde_json::from_str(&frame).unwrap())
        .collect()
}

#[tokio::test]
async fn after_a_silence_a_game_reads_what_it_has_missed_and_no_game_reads_more() {
    let node = node(64 << 20).await;
    let games = &node.games;
    let events = log(Terms::default(), 4);
    let mut readers = Vec::new();
    // In this order, the games miss nothing, an end, a draft and a chat line.
    let mut rows = Vec::new();
    for _ in 0..4 {
        let row = node.store(&events).await;
        let (outbox, mut outgoing) = Outbox::open();
        let from = row.version;
        games.watch(row.id, &outbox, player(1).id, from, FollowPolicy::All, Requester::SERVER).await.unwrap();
        frames(&mut outgoing);
        readers.push((outbox, outgoing));
        rows.push(row);
    }
    let whole = resigned(events.clone());
    let mut state = State::begin(&whole[0]).unwrap();
    whole[1..].iter().for_each(|recorded| state.apply(recorded).unwrap());
    let end = stored(&whole).split_off(events.len());
    let append = Append::new(end, convert::row(rows[1].id, &state), DraftIs::Gone);
    node.writer.append(append).await.unwrap();

    let play = State::begin(&events[0]).map(|mut state| {
        events[1..].iter().for_each(|recorded| state.apply(recorded).unwrap());
        state
    });
    let action = play.unwrap().play().draft::<ActionText>(&[]).unwrap().legal()[0].text.clone();
    let body = serde_json::to_string(&[action]).unwrap();
    let draft = store::DraftRow { game: rows[2].id, version: rows[2].version, body };
    node.writer.save_draft(draft).await.unwrap();

    let text = "hello".to_owned().try_into().unwrap();
    let id = game::ids::LineId::new(Uuid::now_v7());
    let line = ChatLine { id, at_ms: 1, turn: 1, who: player(2).id, text };
    let command = command(Version::new(99));
    let line = ChatRow { game: rows[3].id, audience: Audience::Players, command, line };
    node.writer.say(line).await.unwrap();

    let n_read = || METRICS.resyncs.get_or_create(&CauseLabel { cause: "silence" }).get();
    for (round, expected) in [(1, 2), (2, 2)] {
        games.compare_after_silence().await.unwrap();
        for row in &rows {
            // A game processes its messages in order, so once it answers, the comparison is over.
            games.document(row.id, Some(player(1).id), Requester::SERVER).await.unwrap();
        }
        assert_eq!(n_read(), expected, "the end and the draft are read, each once; round {round}");
        let told: Vec<Vec<String>> = readers
            .iter_mut()
            .map(|(_, outgoing)| {
                let frames = frames(outgoing);
                let types = frames.iter().map(|frame| frame["type"].as_str().unwrap().to_owned());
                types.filter(|kind| kind != "presence").collect()
            })
            .collect();
        let missed: &[&[&str]] =
            if round == 1 { &[&[], &["events"], &["events"], &["chat"]] } else { &[&[], &[], &[], &[]] };
        assert_eq!(told, missed, "round {round}");
    }
}
