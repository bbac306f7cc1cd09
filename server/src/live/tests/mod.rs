//! Several games together.

mod archive;
mod back;
mod bounds;
mod budgets;
mod drafts;
mod joiners;
mod names;
pub(super) mod sample;
mod silence;
mod vacations;
mod watching;

use std::sync::Arc;

use engine::{Ruleset, Seed};
use game::{
    ClockRule, Command, Event, Player, Recorded, SeatChoice, Seats, State, Status, Terms, Visibility,
    ids::{ActionText, CommandId, GameId, PlayerId, SeekId, Version},
};
use protocol::{Nack, NewRoom};
use store::{Append, DraftIs, GameRow, Seek, SeekChange, Store, StoredEvent, TokenHash, Writer};
use tokio::{sync::oneshot, time::Instant};
use uuid::Uuid;

use super::{
    mailbox::{Mailbox, Sender},
    message::Message,
    shared::{ARCHIVE_DIVISOR, BYTES_OF_EVENT, BYTES_OF_GAME, Live},
    *,
};
use crate::{
    admission::Applicant,
    cluster::bus::Bus,
    compute::Requester,
    lobby::Lobby,
    net::{
        address::{Address, LimitedAction},
        outbox::Outbox,
    },
};

fn room() -> NewRoom {
    NewRoom {
        ruleset: Ruleset::Fenix,
        seat: SeatChoice::First.into(),
        visibility: Visibility::Public.into(),
        challenged: None,
        answers: None,
        start: None,
        terms: Terms::default().into(),
    }
}

#[tokio::test]
async fn two_seeks_that_find_each_other_at_once_begin_one_game() {
    let node = sample::node(64 << 20).await;
    let mut seeks = Vec::new();
    for number in [1, 2] {
        let player = sample::player(number);
        node.writer.create_player(player.clone(), TokenHash::of(&[number as u8]), 1).await.unwrap();
        let clock = ClockRule::Correspondence { days: 3.try_into().unwrap() };
        let id = SeekId::new(node.games.env().id());
        let seek = Seek { id, player: player.id, ruleset: Ruleset::Fenix, clock, wanted: 2, created_ms: 1 };
        node.writer.change_seeks(SeekChange::Posted(seek)).await.unwrap();
        seeks.push(seek);
    }
    let begin = async |[seek, other]: [Seek; 2]| {
        let seats = Seats { first: seek.player, second: other.player };
        let applicants = [seek, other].map(|seek| Applicant { player: seek.player, address: None });
        let sought = Sought { seek, other: Some(other), seats };
        node.games.begin_sought(sought, applicants, Seed::new([0; 32])).await
    };
    let (one, other) = tokio::join!(begin([seeks[0], seeks[1]]), begin([seeks[1], seeks[0]]));
    assert_eq!([one, other].iter().filter(|begun| begun.is_ok()).count(), 1);
}

#[tokio::test]
async fn a_game_with_a_broken_log_is_examined_once_and_then_skipped() {
    let node = sample::node(64 << 20).await;
    let games = &node.games;
    let ada = Beginner { player: sample::player(1), address: Address::of_tests(1) };
    let mut due = Vec::new();
    for deadline_ms in [1, 2, 3] {
        let row = games.create(room(), ada.clone(), Seed::new([0; 32])).await.unwrap();
        due.push(row.id);
        let version = row.version.next();
        let nonsense = StoredEvent { version, at_ms: 0, command: None, body: "nonsense".to_owned() };
        let row = GameRow { status: Status::Playing, version, deadline_ms: Some(deadline_ms), ..row };
        node.writer.append(Append::new(vec![nonsense], row, DraftIs::Gone)).await.unwrap();
    }
    assert_eq!(games.due(1).await.unwrap(), due[..1], "the longest due comes first");
    assert_eq!(games.document(due[0], None, Requester::SERVER).await.unwrap_err(), Nack::Unavailable);
    assert_eq!(games.due(1).await.unwrap(), due[1..2], "the first game has a corrupt log");
    assert_eq!(games.due(9).await.unwrap(), due[1..]);
}
