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
pub(super) const WEIGHTS: [Weights; 3] = [ORIGINAL, MIXED, CARDS];

const ORIGINAL: Weights = Weights {
    roles: [
        [
            537, 1072, 888, 529, 189, 192, 192, 163, 127, 79, 50, 20, -90, -149, -86, -42, -15, 5, 48, 150,
            1130, 120, 83, -3, -5, -23, -24, -11, 15, 48, 52, 72, 83, 87, 80, -13, 17, -1, 0, 0, 9, 18, 7, 6,
        ],
        [
            368, 280, 237, 211, 183, 137, 85, 44, 0, -47, -78, -106, -60, -36, -81, -68, -73, -85, -101, 150,
            5, -102, -137, -126, -132, -101, -69, -39, 0, 44, 71, 105, 119, 134, 142, -10, 12, -2, 1, 1, -7,
            -2, 2, 0,
        ],
    ],
};

const MIXED: Weights = Weights {
    roles: [
        [
            910, 1906, 802, 584, 307, 302, 278, 227, 165, 106, 44, -4, -90, -5, -41, -32, 3, 11, 77, 150, 54,
            -40, 51, -2, -10, -12, -24, -8, 19, 64, 81, 115, 137, 125, 101, -8, 6, -1, -3, -1, -6, -14, 2,
            12,
        ],
        [
            372, 336, 310, 243, 183, 138, 74, 18, -45, -87, -127, -161, -60, 121, 2, -57, -74, -113, -128,
            150, 32, -115, -153, -154, -142, -102, -93, -47, -6, 28, 75, 104, 122, 125, 132, -5, 3, -1, 0, 0,
            -47, -9, 3, 6,
        ],
    ],
};

const CARDS: Weights = Weights {
    roles: [
        [
            443, 410, 342, 278, 167, 103, 69, 56, 48, 40, 32, 24, -90, -70, -50, -35, -3, -10, 0, 479, -29,
            -80, -68, -52, 17, 53, 59, 56, 48, 40, 32, 20, 6, -25, -60, -2, 3, -1, -1, 0, -15, 1, 6, -5,
        ],
        [
            199, 198, 175, 155, 119, 87, 71, 63, 58, 54, 37, 42, -60, -50, -40, -30, -37, -10, 0, 74, 50, 28,
            25, 25, 49, 67, 71, 68, 63, 54, 37, 18, 4, -75, -153, -3, 3, -1, 0, 0, -10, -1, 2, -11,
        ],
    ],
};
