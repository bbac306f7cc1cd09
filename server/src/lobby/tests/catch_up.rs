//! Games that the lobby reads from the store again.

use game::ids::Version;
use store::{Append, DraftIs, StoredEvent, Write};

use super::sample::{directory, moved, of_strangers};
use crate::lobby::*;

#[tokio::test(start_paused = true)]
async fn a_lobby_that_is_behind_catches_up_with_games_that_no_list_of_the_store_begins_with() {
    let store = store::Memory::default();
    let lobby = Lobby::new(Bus::alone(), Presence::new(Bus::alone()), directory());
    let n_games = SHOWN as u128 + 3;
    for number in 1..=n_games {
        let known = of_strangers(number);
        lobby.update(&known);
        let row = moved(known);
        let event = |version| {
            let version = Version::new(version);
            StoredEvent { version, at_ms: 0, command: None, body: "{}".to_owned() }
        };
        let append = Append::new((1..=row.version.get()).map(event).collect(), row, DraftIs::Gone);
        store.commit(&[Write::Append(append.into())]).await.unwrap().remove(0).unwrap();
    }
    lobby.catch_up(&store).await.unwrap();
    let known = lobby.inner.lock().rows.last_changes();
    assert_eq!(known.len() as u128, n_games);
    assert!(known.values().all(|change| change.version == Version::new(3)), "{known:?}");
}
