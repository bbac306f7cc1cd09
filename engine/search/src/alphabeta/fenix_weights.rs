use super::fenix::N_WEIGHTS;

/// Weights of the features, fitted to games of the player with itself: see `fit`.
pub(super) static WEIGHTS: [i32; N_WEIGHTS] = [
    // Soldiers, councillors and the king by ring.
    60, 62, 64, 66, 66, 150, 155, 160, 165, 170, 300, 300, 300, 300, 300, //
    // Ways to make a new king.
    -200, -60, -20, 0, 10, 15, //
    // Numbers of councillors.
    -150, -40, 0, 10, 10, 10, //
    // Reach of councillors, of the king, of soldiers.
    3, 3, 2, //
    // Pairs.
    2, //
    // Pieces that can be jumped.
    -20, -60, -80, -40, -90, -120, //
    // Share, tempo, what is due.
    6, 10, 20, 75, //
    // Guards of the king, and enemies.
    2, -4,
];
