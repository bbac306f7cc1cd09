//! The marks of the turn that led to a position, and of the attackers of centres.

use views::{CellName, Step};

use crate::{
    board::{Board, Kind, RADIUS},
    colours::{Army, Colours},
    fibonacci,
    path::{Path, Point, shortened},
    scene::Scene,
    svg::mark,
};

/// Distance from the middle of a cell at which the line of a move ends.
const BEFORE_PIECE: f64 = 24.0;

/// Cells that the pieces of a turn left and reached. Of a piece that moved twice these are its first and its last cell.
/// A man of the reserve leaves no cell.
struct Trail {
    from: Vec<CellName>,
    to: Vec<CellName>,
}

impl Trail {
    fn of(steps: &[Step]) -> Self {
        let routes = || steps.iter().map(|step| &step.route[..]).filter(|route| !route.is_empty());
        let from: Vec<Option<CellName>> =
            routes().map(|route| route.first().copied().filter(|_| route.len() > 1)).collect();
        let to: Vec<CellName> = routes().filter_map(|route| route.last().copied()).collect();
        let is_first =
            |(index, cell): (usize, &Option<CellName>)| cell.filter(|cell| !to[..index].contains(cell));
        let is_last =
            |(index, cell): (usize, &CellName)| (!from[index + 1..].contains(&Some(*cell))).then_some(*cell);
        Self {
            from: from.iter().enumerate().filter_map(is_first).collect(),
            to: to.iter().enumerate().filter_map(is_last).collect(),
        }
    }
}

/// The marks under the pieces: the cells of the last turn, and the lines along its routes.
pub(crate) fn under(board: &Board, colours: &Colours, steps: &[Step]) -> String {
    let points =
        |cells: &[CellName]| -> Vec<Point> { cells.iter().filter_map(|cell| board.middle(*cell)).collect() };
    let cells = |middles: Vec<Point>, radius: f64| {
        let mut path = Path::default();
        for middle in middles {
            path.rounded(&board.lattice.corners(middle, radius), 9.0);
        }
        path
    };
    let trail = Trail::of(steps);
    let mut taken = Path::default();
    for point in steps.iter().flat_map(|step| points(&step.taken)) {
        taken.cross(point, 10.0);
    }
    let mut routes = Path::default();
    for route in steps.iter().map(|step| points(&step.route)).filter(|route| route.len() > 1) {
        let walks = route.windows(2).all(|pair| board.are_neighbours(pair[0], pair[1]));
        let route = shortened(route, BEFORE_PIECE);
        if walks { routes.smooth(&route) } else { routes.line(&route) }
    }
    let Colours { last, last_fill, last_faint, halo, .. } = colours;
    [
        mark(&cells(points(&trail.from), 40.0), last_faint, last, 2.6, " stroke-dasharray=\"6 6\""),
        mark(&cells(points(&trail.to), 41.5), last_fill, last, 3.4, ""),
        mark(&taken, "none", last, 3.4, ""),
        mark(&routes, "none", halo, 9.5, ""),
        mark(&routes, "none", last, 4.6, ""),
    ]
    .concat()
}

/// The attackers of a centre.
struct Attacked<'a> {
    army: &'a Army,
    centre: Point,
    /// Directions of the neighbours that attack it.
    directions: Vec<u8>,
}

/// The marks over the pieces: red petals, and strokes from there towards the attackers.
pub(crate) fn over(board: &Board, colours: &Colours, scene: &Scene<'_>, contents: &[&str]) -> String {
    let (Kind::Fibonacci, Some(threats)) = (board.kind, scene.attackers()) else { return String::new() };
    let attacked = |letter: &str, army, cells: &[CellName]| {
        let (cell, _) = board.cells().zip(contents).find(|(_, content)| **content == letter)?;
        let attackers = cells.iter().filter_map(|name| board.middle(*name));
        let near = attackers.filter(|point| board.are_neighbours(cell.middle, *point));
        let directions = near.map(|point| board.direction(cell.middle, point)).collect();
        Some(Attacked { army, centre: cell.middle, directions })
    };
    let all = [attacked("C", &colours.black, &threats.first), attacked("c", &colours.white, &threats.second)];
    let mut strokes = Path::default();
    let mut petals = String::new();
    for Attacked { army, centre, directions } in all.into_iter().flatten() {
        for direction in &directions {
            strokes.ray(centre, board.degrees(*direction), 31.0, RADIUS + 2.0);
        }
        petals += &fibonacci::red_petals(army, centre, &directions);
    }
    [
        petals,
        mark(&strokes, "none", colours.threat_halo, 9.0, ""),
        mark(&strokes, "none", colours.threat, 5.0, ""),
    ]
    .concat()
}
