//! What the games do together.

use engine::{Ruleset, Seed};
use tokio::runtime::Handle;

use super::*;
use crate::{
    address::Addresses,
    bus::Bus,
    ids::PlayerName,
    limits::Share,
    presence::Presence,
    protocol::Status,
    store::{self, StoredEvent},
};

fn room() -> NewRoom {
    NewRoom {
        ruleset: Ruleset::Fenix,
        seat: SeatChoice::First,
        visibility: Visibility::Public,
        start: None,
        terms: Terms::default(),
    }
}

#[tokio::test]
async fn a_game_whose_log_is_broken_is_looked_at_once_and_then_passed_over() {
    let directory = tempfile::TempDir::new().unwrap();
    let store = store::open(&format!("sqlite:{}/towers.db", directory.path().display())).await.unwrap();
    let (tasks, stop) = (TaskTracker::new(), CancellationToken::new());
    let (writer, writing) = store::writer(store.clone(), Handle::current());
    tasks.spawn(writing);
    let lobby = Lobby::load(&*store, Bus::alone(), Presence::new(Bus::alone())).await.unwrap();
    let share = Share::times(1);
    let admission = Admission::new(store.clone(), Addresses::new(share), &share);
    let (bus, outages) = (Bus::alone(), Outages::new());
    let (compute, writer) = (Compute::start(1).unwrap(), writer.clone());
    let games = Games::new(Parts {
        store,
        writer: writer.clone(),
        bus,
        lobby,
        admission,
        outages,
        compute,
        tasks,
        stop,
    });
    let name = PlayerName::try_from("Ada".to_owned()).unwrap();
    let ada = Beginner {
        player: Player { id: PlayerId::new(Uuid::from_u128(1)), name },
        address: Address::of_tests(1),
    };

    let mut due = Vec::new();
    for deadline_ms in [1, 2, 3] {
        let row = games.create(room(), ada.clone(), Seed::new([0; 32])).await.unwrap();
        due.push(row.id);
        let version = row.version.next();
        let nonsense = StoredEvent { version, at_ms: 0, command: None, body: "nonsense".to_owned() };
        let row = GameSummary { status: Status::Playing, version, deadline_ms: Some(deadline_ms), ..row };
        writer.append(Append::new(vec![nonsense], row, DraftIs::Gone)).await.unwrap();
    }
    assert_eq!(games.due(1).await.unwrap(), due[..1], "the longest due comes first");
    assert_eq!(games.document(due[0], None, Asker::SERVER).await.unwrap_err(), Refusal::Unavailable);
    assert_eq!(games.due(1).await.unwrap(), due[1..2], "nothing will come of the first");
    assert_eq!(games.due(9).await.unwrap(), due[1..]);
}
