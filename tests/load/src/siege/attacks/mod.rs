//! The attacks, a file for each kind.

mod connections;
mod dear;
mod drafts;
mod frames;
mod lists;
mod long_games;
mod oversize;
mod pipelines;
mod pools;
mod records;
mod storms;
mod writes;

use std::convert::Infallible;

use clap::ValueEnum;

use super::{attacker::Attacker, stock::Wanted};

/// What one address does to a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Attack {
    /// Nothing: what the machine makes of honest play alone.
    None,
    /// Questions about positions in which captures are dear, abandoned in the middle.
    Dear,
    /// Long games that are over, watched and read over HTTP, compressed and not.
    LongGames,
    /// Clients that ask for long games and take nothing.
    NeverRead,
    /// Drafts, turns and take-backs in long games that go on.
    Drafts,
    /// Filtered lists of very many games that find nothing.
    Lists,
    /// New names, blocks, guests and chat.
    Writes,
    /// Games without end: pools, rematches and rooms.
    Pools,
    /// Requests one behind the other, without waiting for answers.
    Pipelines,
    /// Pongs, empty fragments, pings and tiny messages.
    Frames,
    /// Connections that come and go, are slow, or say nothing.
    Connections,
    /// Records whose check is dear.
    Records,
    /// Lobby and games followed and left in turn.
    Storms,
    /// Bodies, frames, headers and paths beyond all limits.
    Oversize,
    /// All of it, a little of each.
    Mixed,
}

impl Attack {
    /// Every attack, in the order in which they are made.
    pub const ALL: [Self; 15] = [
        Self::None,
        Self::Dear,
        Self::LongGames,
        Self::NeverRead,
        Self::Drafts,
        Self::Lists,
        Self::Writes,
        Self::Pools,
        Self::Pipelines,
        Self::Frames,
        Self::Connections,
        Self::Records,
        Self::Storms,
        Self::Oversize,
        Self::Mixed,
    ];

    /// What `Mixed` is made of.
    const MIXED: [Self; 12] = [
        Self::Dear,
        Self::LongGames,
        Self::NeverRead,
        Self::Drafts,
        Self::Lists,
        Self::Writes,
        Self::Pools,
        Self::Pipelines,
        Self::Frames,
        Self::Records,
        Self::Storms,
        Self::Oversize,
    ];

    /// The name in a table, which is that of the command line.
    pub(super) fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// What it wants to find in the database.
    pub(super) const fn wants(self) -> Wanted {
        match self {
            Self::LongGames | Self::NeverRead | Self::Drafts | Self::Records | Self::Storms | Self::Mixed => {
                Wanted::LongGames
            }
            Self::Lists => Wanted::ManyGames,
            Self::None
            | Self::Dear
            | Self::Writes
            | Self::Pools
            | Self::Pipelines
            | Self::Frames
            | Self::Connections
            | Self::Oversize => Wanted::Nothing,
        }
    }

    /// How many times it says that it is prepared.
    pub(super) const fn parts(self) -> usize {
        match self {
            Self::Mixed => Self::MIXED.len(),
            _ => 1,
        }
    }

    /// Prepares the attack, waits for the word, and attacks until it is dropped.
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
            Self::NeverRead => long_games::never_read(attacker).await,
            Self::Drafts => drafts::run(attacker).await,
            Self::Lists => lists::run(attacker).await,
            Self::Writes => writes::run(attacker).await,
            Self::Pools => pools::run(attacker).await,
            Self::Pipelines => pipelines::run(attacker).await,
            Self::Frames => frames::run(attacker).await,
            Self::Connections => connections::run(attacker).await,
            Self::Records => records::run(attacker).await,
            Self::Storms => storms::run(attacker).await,
            Self::Oversize => oversize::run(attacker).await,
        }
    }
}
