use game::ids::PlayerId;

/// Maximum number of open challenges that a player has made.
pub const MAX_CHALLENGES: u32 = 20;

/// Maximum number of challenges that a player makes in a day.
pub const CHALLENGES_A_DAY: u32 = 60;

/// Maximum number of challenges that a player makes to one other player in a day.
pub const CHALLENGES_A_DAY_TO_ONE: u32 = 5;

/// Maximum number of open challenges that wait for the answer of one player.
pub const MAX_CHALLENGES_TO: u32 = 50;

/// The time for which challenges of a day count, in milliseconds.
pub(super) const CHALLENGES_COUNT_MS: i64 = 24 * 60 * 60 * 1_000;

/// Numbers of challenges of a player to another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ChallengeCounts {
    pub(super) maker: PlayerId,
    pub(super) challenged: PlayerId,
    pub(super) open: u32,
    /// Those of the last day.
    pub(super) recent: u32,
}
