use super::{
    Cell, Layout,
    board::{Board, MAX_CELLS},
};

/// The rotations and reflections of the squares other than the identity: whether the axes are swapped, then whether
/// letters and numbers are reversed.
const SYMMETRIES: [(bool, bool, bool); 7] = [
    (false, false, true),
    (false, true, false),
    (false, true, true),
    (true, false, false),
    (true, false, true),
    (true, true, false),
    (true, true, true),
];

/// The image of each square under each symmetry, by slot.
static IMAGES: [[Cell; MAX_CELLS]; 7] = {
    let corner = Board::Squares.at(2, 8).expect("c8 is the first square");
    let mut images = [[corner; MAX_CELLS]; 7];
    let mut symmetry = 0;
    while symmetry < 7 {
        let mut number = 1;
        while number <= 8 {
            let mut letter = 0;
            while letter < 8 {
                if let Some(cell) = Board::Squares.at(letter, number) {
                    images[symmetry][cell.slot()] = image(SYMMETRIES[symmetry], letter, number);
                }
                letter += 1;
            }
            number += 1;
        }
        symmetry += 1;
    }
    images
};

const fn image((turned, mirrored, upside_down): (bool, bool, bool), letter: i8, number: i8) -> Cell {
    let (x, y) = if turned { (number - 1, letter) } else { (letter, number - 1) };
    let x = if mirrored { 7 - x } else { x };
    let y = if upside_down { 7 - y } else { y };
    Board::Squares.at(x, y + 1).expect("a symmetry takes squares to squares")
}

impl Layout {
    /// Whether a symmetry of the squares, together with exchanging the colours, leaves the board as it is
    /// (RULES 3.3).
    pub(super) fn is_symmetric(&self) -> bool {
        IMAGES.iter().any(|images| {
            Board::Squares
                .cells()
                .zip(images)
                .all(|(cell, image)| self.stack(*image) == self.stack(cell).exchanged())
        })
    }
}
