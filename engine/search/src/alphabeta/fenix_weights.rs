use super::fenix_features::N_WEIGHTS;

/// Feature weights, fitted to self-play games: see `fit`.
pub(super) static WEIGHTS: [i32; N_WEIGHTS] = [
    35, 26, 32, 33, 34, 81, 52, 41, 22, 11, 18, 16, 4, 20, 116, -16, //
    20, 34, 39, 38, 41, -154, 17, 120, 187, 0, 0, 1, -1, -14, 7, 3, //
    6, -2, 4, -2, 17, -1, 10, -13, -7, 15, -8, 3, -31, -27, 13, 3, //
    -4, 9, 9, 4, 11, 1, -3, 3, 3, 104, -318, //
];
