use super::fenix::N_WEIGHTS;

/// Feature weights, fitted to self-play games: see `fit`.
pub(super) static WEIGHTS: [i32; N_WEIGHTS] = [
    58, 43, 69, 69, 26, 200, 127, 129, 162, 185, 385, 298, 286, 233, 283, -158, //
    -16, -78, -19, -43, -1, -148, -40, 1, -7, 10, 10, -1, -8, -8, -1, 57, //
    -1, -100, -2, -70, -131, -9, 3, 66, -20, 32, -100, 10, 10, 10, 10, 10, 10, 10, //
];
