/// Number of classes of slack: moves that a win needs, less the allowance of the side's next turn.
pub(super) const N_SLACKS: usize = 12;
/// Number of classes of moves that a win needs.
pub(super) const N_MOVES: usize = 16;
const N_ALLOWANCES: usize = 7;

// Indices of the weights of a role.
pub(super) const SLACK: usize = 0;
pub(super) const ALLOWANCE: usize = SLACK + N_SLACKS;
pub(super) const MOVES: usize = ALLOWANCE + N_ALLOWANCES;
pub(super) const SPREAD: usize = MOVES + N_MOVES;
pub(super) const PAIRS: usize = SPREAD + 1;
pub(super) const SUPPORTS_FROM_CENTRE: usize = PAIRS + 1;
pub(super) const SUPPORTS_FROM_TARGET: usize = SUPPORTS_FROM_CENTRE + 1;
pub(super) const STRIKES_FROM_CENTRE: usize = SUPPORTS_FROM_TARGET + 1;
pub(super) const CENTRE_ON_EDGE: usize = STRIKES_FROM_CENTRE + 1;
pub(super) const CENTRE_SUPPORTED: usize = CENTRE_ON_EDGE + 1;
pub(super) const SWAPS_BY_SUPPORTS: usize = CENTRE_SUPPORTED + 1;
pub(super) const SWAPS_BY_STRIKES: usize = SWAPS_BY_SUPPORTS + 1;
/// Number of weights of a role.
pub(super) const N_WEIGHTS: usize = SWAPS_BY_STRIKES + 1;

/// Weights of the features, in hundredths of a logit, for the side whose turn comes next and for the side that has
/// moved last.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Weights {
    pub(super) roles: [[i32; N_WEIGHTS]; 2],
}

/// The weights of each ruleset, in the order of the variants.
pub(super) const WEIGHTS: [Weights; 3] = [ORIGINAL, ORIGINAL, GUESS];

const ORIGINAL: Weights = Weights {
    roles: [
        [
            462, 480, 300, 203, 147, 200, 129, 105, 102, 41, 15, 4, -90, -258, -157, -106, -68, 15, 71, 150,
            614, 23, 163, 43, 48, -6, 14, -24, -41, 14, 13, 54, 54, 35, 35, -12, 18, -2, 2, 3, 4, -3, 8, 9,
        ],
        [
            148, 95, 168, 151, 143, 107, 82, 65, 54, 47, 23, 16, -60, -130, -147, -73, -59, -54, -20, 150,
            299, 134, -8, 24, -6, 1, 15, 19, 19, 10, 35, 47, 54, 60, 46, -11, 6, -3, 1, 2, 27, -29, 1, 11,
        ],
    ],
};

const GUESS: Weights = Weights {
    roles: [
        [
            // Slack from -3.
            600, 600, 500, 400, 200, 90, 40, 20, 10, 0, 0, 0, //
            // Allowance from 0.
            -90, -70, -50, -35, -20, -10, 0, //
            // Moves to win from 0.
            150, 130, 110, 90, 70, 50, 40, 30, 20, 10, 0, 0, 0, 0, 0, 0, //
            -5, 5, -1, 0, 0, 20, 20, 5, 2,
        ],
        [
            300, 280, 240, 200, 120, 60, 30, 15, 5, 0, 0, 0, //
            -60, -50, -40, -30, -20, -10, 0, //
            150, 130, 110, 90, 70, 50, 40, 30, 20, 10, 0, 0, 0, 0, 0, 0, //
            -5, 5, -1, 0, 0, 20, 20, 5, 2,
        ],
    ],
};
