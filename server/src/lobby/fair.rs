//! The fair choice among rows: no player fills a list, or displaces all others from memory.

use std::{collections::HashMap, sync::Arc};

use game::ids::{GameId, PlayerId};
use store::GameRow;

use super::players;
use crate::{
    directory::Held,
    net::address::{Address, Network},
};

/// A row that is visible to readers.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) game: GameRow,
    /// Address of its maker, or else of one of its players, when the row came; `None` if they were on another node, or
    /// the server has restarted since.
    pub(super) address: Option<Address>,
    /// Keeps the names of its players.
    pub(super) held: Arc<Held>,
}

/// Limits of a list.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    pub(super) rows: usize,
    /// Maximum number of rows of one player.
    pub(super) of_player: usize,
    /// Maximum number of rows of one address, unless the others leave room.
    pub(super) of_address: usize,
}

impl Choice {
    /// Chooses the visible ones among these rows, in the same order. Earlier rows take precedence.
    pub(super) fn of<'r>(self, rows: impl Iterator<Item = &'r Row> + Clone) -> Vec<&'r GameRow> {
        let mut chosen: Vec<(usize, &GameRow)> = Vec::new();
        let (mut of_player, mut of_address) = (HashMap::new(), HashMap::new());
        let mut beyond = Vec::new();
        let mut take = |place, row: &'r Row| {
            let players = players(&row.game);
            if chosen.len() == self.rows
                || players.iter().any(|player| of_player.get(player) == Some(&self.of_player))
            {
                return;
            }
            for player in players {
                *of_player.entry(player).or_insert(0) += 1;
            }
            chosen.push((place, &row.game));
        };
        for (place, row) in rows.enumerate() {
            let n_rows = row.address.map_or(0, |address| {
                let n_rows = of_address.entry(address.subscriber()).or_insert(0);
                *n_rows += 1;
                *n_rows
            });
            if n_rows > self.of_address {
                beyond.push((place, row));
            } else {
                take(place, row);
            }
        }
        for (place, row) in beyond {
            take(place, row);
        }
        chosen.sort_unstable_by_key(|(place, _)| *place);
        chosen.into_iter().map(|(_, game)| game).collect()
    }
}

/// Returns the row to drop when there are too many: the oldest of the address, or else of the player, with the most
/// rows. `rows` are in the order of age, oldest first.
pub(super) fn surplus<'r>(rows: impl Iterator<Item = &'r Row>) -> Option<GameId> {
    #[derive(PartialEq, Eq, Hash)]
    enum Source {
        Address(Network),
        Player(PlayerId),
    }
    let mut sources: HashMap<Source, (usize, usize, GameId)> = HashMap::new();
    for (place, Row { game, address, .. }) in rows.enumerate() {
        let source = address.map(Address::subscriber).map_or(Source::Player(game.creator), Source::Address);
        sources.entry(source).or_insert((0, usize::MAX - place, game.id)).0 += 1;
    }
    // Among equals, the source of the oldest row.
    sources.into_values().max().map(|(_, _, oldest)| oldest)
}
