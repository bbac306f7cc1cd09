//! The attacks, one file for each kind.

mod accounts;
mod bytes;
mod connections;
mod dear;
mod disk;
mod drafts;
mod frames;
mod lists;
mod long_games;
mod names;
mod oversize;
mod pipelines;
mod places;
mod pools;
mod records;
mod rooms;
mod seekers;
mod sitters;
mod storms;
mod writes;

use std::{convert::Infallible, time::Duration};

use clap::ValueEnum;

use super::{attacker::Attacker, fixture::FixtureKind};

/// An attack from one address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Attack {
    /// No attack: the noise of the machine.
    None,
    /// Requests about positions that are costly to search, abandoned before they are answered.
    Dear,
    /// Finished long games, watched and read over HTTP, compressed and not.
    LongGames,
    /// A long chat watched again and again, and long documents without compression.
    Bytes,
    /// Clients that request long games and never read.
    NeverRead,
    /// Drafts, turns and take-backs in live long games.
    Drafts,
    /// Filtered lists of very many games that match nothing.
    Lists,
    /// New names, blocks, guests and chat.
    Writes,
    /// Accounts, and guesses at the secrets of others.
    Accounts,
    /// As many bytes stored as one address may have.
    Disk,
    /// Names and lines that are long when they are composed.
    Names,
    /// Games from pools, rematches and rooms without pause.
    Pools,
    /// Rooms of others, joined and left at once.
    Rooms,
    /// Rooms of others, joined by players who have no socket and do nothing.
    Sitters,
    /// Guests in the pools in which newcomers seek.
    Seekers,
    /// Pipelined requests.
    Pipelines,
    /// Pongs, empty fragments, pings and tiny messages.
    Frames,
    /// Connections that are opened and dropped, slow, or idle.
    Connections,
    /// Idle connections of many addresses, more than there are places.
    Places,
    /// Records that are costly to check.
    Records,
    /// Subscriptions to the lobby and to games, made and cancelled in turn.
    Storms,
    /// Bodies, frames, headers and paths over the limits.
    Oversize,
    /// Most of the others at once, each at a sixth of its load.
    Mixed,
}

impl Attack {
    /// Every attack, in the order in which they run.
    pub const ALL: [Self; 23] = [
        Self::None,
        Self::Dear,
        Self::LongGames,
        Self::Bytes,
        Self::NeverRead,
        Self::Drafts,
        Self::Lists,
        Self::Writes,
        Self::Accounts,
        Self::Disk,
        Self::Names,
        Self::Pools,
        Self::Rooms,
        Self::Sitters,
        Self::Seekers,
        Self::Pipelines,
        Self::Frames,
        Self::Connections,
        Self::Places,
        Self::Records,
        Self::Storms,
        Self::Oversize,
        Self::Mixed,
    ];

    /// The parts of [`Self::Mixed`].
    const MIXED: [Self; 14] = [
        Self::Dear,
        Self::LongGames,
        Self::NeverRead,
        Self::Drafts,
        Self::Lists,
        Self::Writes,
        Self::Accounts,
        Self::Names,
        Self::Pools,
        Self::Pipelines,
        Self::Frames,
        Self::Records,
        Self::Storms,
        Self::Oversize,
    ];

    /// The name in the table and on the command line.
    pub(super) fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// The initial content of its database.
    pub(super) const fn fixture(self) -> FixtureKind {
        match self {
            Self::LongGames
            | Self::Bytes
            | Self::NeverRead
            | Self::Drafts
            | Self::Records
            | Self::Storms
            | Self::Mixed => FixtureKind::LongGames,
            Self::Lists => FixtureKind::ManyGames,
            Self::None
            | Self::Dear
            | Self::Writes
            | Self::Accounts
            | Self::Disk
            | Self::Names
            | Self::Pools
            | Self::Rooms
            | Self::Sitters
            | Self::Seekers
            | Self::Pipelines
            | Self::Frames
            | Self::Connections
            | Self::Places
            | Self::Oversize => FixtureKind::Nothing,
        }
    }

    /// Limit of the server's open files, where the attack needs one.
    pub(super) const fn files(self) -> Option<u32> {
        match self {
            Self::Places => Some(places::FILES),
            _ => None,
        }
    }

    /// Whether newcomers seek where the attacker does, and may be paired with its guests.
    pub(super) const fn shares_pools(self) -> bool {
        matches!(self, Self::Seekers)
    }

    /// Whether it takes the rooms of newcomers, who must get them all the same.
    pub(super) const fn takes_rooms(self) -> bool {
        matches!(self, Self::Rooms | Self::Sitters)
    }

    /// Time for which its guests may hold a room that they have joined.
    pub(super) const fn holds_rooms(self) -> Duration {
        match self {
            Self::Sitters => sitters::HELD,
            _ => Duration::ZERO,
        }
    }

    /// Whether owners of accounts come, at whose secrets it guesses.
    pub(super) const fn has_owners(self) -> bool {
        matches!(self, Self::Accounts)
    }

    /// Whether an honest pair has a player on a weak line.
    pub(super) const fn has_weak_line(self) -> bool {
        matches!(self, Self::Drafts)
    }

    /// Number of times that it reports to be prepared.
    pub(super) const fn parts(self) -> usize {
        match self {
            Self::Mixed => Self::MIXED.len(),
            _ => 1,
        }
    }

    /// Prepares the attack, waits for its start, and attacks until it is dropped.
    pub(super) async fn run(self, attacker: Attacker) -> anyhow::Result<Infallible> {
        if self != Self::Mixed {
            return self.run_alone(attacker).await;
        }
        let attacker = attacker.as_one_of(Self::MIXED.len() / 2);
        let mut parts = tokio::task::JoinSet::new();
        for part in Self::MIXED {
            parts.spawn(part.run_alone(attacker.clone()));
        }
        match parts.join_next().await {
            Some(ended) => ended?,
            None => anyhow::bail!("the mixture is empty"),
        }
    }

    async fn run_alone(self, attacker: Attacker) -> anyhow::Result<Infallible> {
        match self {
            Self::None | Self::Mixed => {
                attacker.ready().await?;
                std::future::pending().await
            }
            Self::Dear => dear::run(attacker).await,
            Self::LongGames => long_games::run(attacker).await,
            Self::Bytes => bytes::run(attacker).await,
            Self::NeverRead => long_games::never_read(attacker).await,
            Self::Drafts => drafts::run(attacker).await,
            Self::Lists => lists::run(attacker).await,
            Self::Writes => writes::run(attacker).await,
            Self::Accounts => accounts::run(attacker).await,
            Self::Disk => disk::run(attacker).await,
            Self::Names => names::run(attacker).await,
            Self::Pools => pools::run(attacker).await,
            Self::Rooms => rooms::run(attacker).await,
            Self::Sitters => sitters::run(attacker).await,
            Self::Seekers => seekers::run(attacker).await,
            Self::Pipelines => pipelines::run(attacker).await,
            Self::Frames => frames::run(attacker).await,
            Self::Connections => connections::run(attacker).await,
            Self::Places => places::run(attacker).await,
            Self::Records => records::run(attacker).await,
            Self::Storms => storms::run(attacker).await,
            Self::Oversize => oversize::run(attacker).await,
        }
    }
}
