//! Games, events and players to store.

use std::{collections::HashSet, ops::RangeInclusive, sync::Arc};

use engine::{Ruleset, Side};
use game::{
    ClockRule, Player, SeatChoice, Status, Visibility, Watching,
    ids::{CommandId, Delay, GameId, PlayerId, PlayerName, Version},
};
use store::{Append, DraftIs, DraftRow, GameRow, Page, StoredEvent, Write};
use uuid::Uuid;

pub(crate) fn name(text: &str) -> PlayerName {
    text.to_owned().try_into().unwrap()
}

pub(crate) fn command(text: &str) -> CommandId {
    text.to_owned().try_into().unwrap()
}

/// A new player of this name.
pub(crate) fn player(text: &str) -> Player {
    Player { id: PlayerId::new(Uuid::now_v7()), name: name(text) }
}

/// A new open public room of a new player.
pub(crate) fn room(creator: &str) -> GameRow {
    GameRow {
        id: GameId::new(Uuid::now_v7()),
        ruleset: Ruleset::Fibonacci,
        status: Status::Open,
        visibility: Visibility::Public,
        creator: player(creator).id,
        challenged: None,
        seat: SeatChoice::Random,
        clock: ClockRule::None,
        watching: Watching::Everybody,
        delay: Delay::default(),
        custom_start: false,
        seats: None,
        version: Version::NONE,
        turn: 1,
        to_move: Side::First,
        outcome: None,
        created_ms: 1_700_000_000_000,
        updated_ms: 1_700_000_000_000,
        deadline_ms: None,
        position: Some("CSSSSS/1S5/8/8p/2P3ppp1/3P3p3/1PPP3p2/P8/8/5s1/sssssc 1 1 1/1".to_owned()),
        offers: Vec::new(),
    }
}

/// An event with its version as its body.
pub(crate) fn event(version: u32) -> StoredEvent {
    StoredEvent { version: Version::new(version), at_ms: 1, command: None, body: version.to_string() }
}

pub(crate) fn appended(events: Vec<StoredEvent>, game: &GameRow) -> Append {
    let version = events.last().unwrap().version;
    Append::new(events, GameRow { version, ..game.clone() }, DraftIs::Gone)
}

pub(crate) fn write(events: Vec<StoredEvent>, game: &GameRow) -> Write {
    Write::Append(Arc::new(appended(events, game)))
}

pub(crate) fn append(game: &GameRow, versions: RangeInclusive<u32>) -> Write {
    write(versions.map(event).collect(), game)
}

/// Like `append`, but keeps the draft.
pub(crate) fn keeping(game: &GameRow, versions: RangeInclusive<u32>) -> Write {
    let row = GameRow { version: Version::new(*versions.end()), ..game.clone() };
    Write::Append(Arc::new(Append::new(versions.map(event).collect(), row, DraftIs::Kept)))
}

pub(crate) fn draft(game: &GameRow, version: u32, body: &str) -> Write {
    Write::Draft(DraftRow { game: game.id, version: Version::new(version), body: body.to_owned() })
}

pub(crate) fn ids(page: &Page) -> Vec<GameId> {
    let ids: Vec<_> = page.games.iter().map(|game| game.id).collect();
    assert_eq!(ids.iter().collect::<HashSet<_>>().len(), ids.len(), "no game occurs twice");
    ids
}

#[track_caller]
pub(crate) fn assert_same(left: &GameRow, right: &GameRow) {
    assert_eq!(format!("{left:#?}"), format!("{right:#?}"));
}
