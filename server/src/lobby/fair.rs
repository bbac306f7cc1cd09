//! The fair choice among rows: nobody fills a list, and nobody pushes the others out of memory.

use std::collections::HashMap;

use super::players;
use crate::{
    address::Address,
    ids::{GameId, PlayerId},
    store::GameRow,
};

/// A row that readers may see.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) game: GameRow,
    /// Where its maker, or else one of its players, was when the row came; `None` if they were on another node, or the
    /// server has started since.
    pub(super) address: Option<Address>,
}

/// What a list shows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    pub(super) rows: usize,
    /// Rows of one player.
    pub(super) of_player: usize,
    /// Rows of one address, as long as those of others take the rest.
    pub(super) of_address: usize,
}

impl Choice {
    /// The rows that are shown of these, in the same order. The first count more than the last.
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
                let n_rows = of_address.entry(address).or_insert(0);
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

/// The row that gives way when there are too many: the oldest of the address, or else of the player, that has the most.
/// They come the oldest first.
pub(super) fn surplus<'r>(rows: impl Iterator<Item = &'r Row>) -> Option<GameId> {
    #[derive(PartialEq, Eq, Hash)]
    enum Source {
        Address(Address),
        Player(PlayerId),
    }
    let mut sources: HashMap<Source, (usize, usize, GameId)> = HashMap::new();
    for (place, Row { game, address }) in rows.enumerate() {
        let source = address.map_or(Source::Player(game.creator.id), Source::Address);
        sources.entry(source).or_insert((0, usize::MAX - place, game.id)).0 += 1;
    }
    // Of several that have as many, that of the oldest row.
    sources.into_values().max().map(|(_, _, oldest)| oldest)
}
