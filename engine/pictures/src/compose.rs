//! A whole picture as SVG.

use std::fmt::Write as _;

use crate::{
    board::{Board, Kind, RADIUS},
    colours::Colours,
    fenix, fibonacci, marks,
    path::{Path, Point, short},
    scene::{Scene, Shape, Style, Unreadable},
    stacks,
    svg::{gradient, mark, used},
    writing::Writing,
};

/// Angle between a seed of a sunflower and the next, in degrees.
const GOLDEN_ANGLE: f64 = 137.507_764;

/// Distance of the seeds from each other.
const SEEDS_APART: f64 = 26.0;

/// Draws a scene. The picture has no scripts, refers to nothing outside it, and needs no font.
///
/// # Errors
/// The text is not a position of the board.
pub fn svg(scene: &Scene<'_>, Style { theme, shape }: Style) -> Result<String, Unreadable> {
    let board = Board::of(scene.ruleset);
    let contents = board.contents(scene.position)?;
    let colours = Colours::of(theme);
    let mut writing = Writing::default();
    let labels: String = board
        .labels()
        .iter()
        .map(|label| writing.text(&label.text, label.point, 18.0, colours.label))
        .collect();
    let pieces: String = board
        .cells()
        .zip(&contents)
        .filter(|(_, content)| !content.is_empty())
        .map(|(cell, content)| match board.kind {
            Kind::Fibonacci | Kind::Fenix => used(&format!("p{content}"), cell.middle),
            Kind::Focus | Kind::Crossfire => stacks::stack(colours, &mut writing, content, cell.middle),
        })
        .collect();
    let pictures = match board.kind {
        Kind::Fibonacci => fibonacci::definitions(colours),
        Kind::Fenix => fenix::definitions(colours),
        Kind::Focus | Kind::Crossfire => stacks::definitions(colours),
    };
    let View { x, y, width, height } = View::of(board.kind, shape);
    let (pixels_wide, pixels_high) = shape.size();
    let capacities = match board.kind {
        Kind::Crossfire => mark(&board.capacities(), "none", colours.notch, 3.4, ""),
        Kind::Fibonacci | Kind::Fenix | Kind::Focus => String::new(),
    };
    let [paper_top, paper_bottom] = colours.paper;
    Ok([
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{pixels_wide}\" height=\"{pixels_high}\" \
             viewBox=\"{x} {y} {width} {height}\"><defs>{}{}{}{pictures}{}</defs>\
             <rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"url(#paper)\"/>",
            gradient("paper", paper_top, paper_bottom),
            gradient("slab", colours.slab[0], colours.slab[1]),
            wood(&board),
            writing.definitions(),
        ),
        seeds(colours, &View { x, y, width, height }, board.kind.scale()),
        tablet(&board, colours),
        field(colours),
        labels,
        capacities,
        marks::under(&board, colours, scene.steps),
        pieces,
        marks::over(&board, colours, scene, &contents),
        "</svg>".to_owned(),
    ]
    .concat())
}

/// The visible part of the plane.
struct View {
    x: f64,
    y: f64,
    width: f64,
    height: f64,
}

impl View {
    /// The tablet with its shadow is 1100 wide and 980 high, times the scale.
    fn of(kind: Kind, shape: Shape) -> Self {
        let (wide, high) = match shape {
            Shape::Card => (980.0 * 1200.0 / 630.0, 980.0),
            Shape::Square => (1100.0, 1100.0),
        };
        let scale = kind.scale();
        let [x, y, width, height] =
            [-wide / 2.0, 20.0 - high / 2.0, wide, high].map(|length| short(length * scale));
        Self { x, y, width, height }
    }
}

/// The cells, those of each tone in a group.
fn wood(board: &Board) -> String {
    let mut outline = Path::default();
    outline.rounded(&board.lattice.corners(Point::at(0.0, 0.0), RADIUS - 1.9), 3.0);
    let mut out = format!("<path id=\"cell\" d=\"{}\"/>", outline.text());
    for tone in 0..3 {
        let cells = board.cells().filter(|cell| cell.tone == tone);
        let cells: String = cells.map(|cell| used("cell", cell.middle)).collect();
        // Writing to a text cannot fail.
        let _ = write!(out, "<g id=\"t{tone}\">{cells}</g>");
    }
    out
}

/// The ground between the cells, and the cells.
fn field(colours: &Colours) -> String {
    let ground = colours.ground;
    let all = "<use href=\"#t0\"/><use href=\"#t1\"/><use href=\"#t2\"/>";
    let tones = colours.tones.iter().enumerate();
    let cells: String =
        tones.map(|(tone, colour)| format!("<use href=\"#t{tone}\" fill=\"{colour}\"/>")).collect();
    format!("<g fill=\"{ground}\" stroke=\"{ground}\" stroke-width=\"12\">{all}</g>{cells}")
}

/// The tablet around the field.
fn tablet(board: &Board, colours: &Colours) -> String {
    let edge = |inwards: f64| {
        let mut path = Path::default();
        let (corners, round) = tablet_corners(board.kind, inwards);
        path.rounded(&corners, round);
        path.text().to_owned()
    };
    let Colours { slab_shadow, slab_side, slab_rim, inlay, inlay_line, .. } = colours;
    let slab = edge(0.0);
    let shadow: String = [4, 10, 16, 22, 28, 34, 40]
        .map(|width| format!("<path d=\"{slab}\" stroke-width=\"{width}\"/>"))
        .concat();
    format!(
        "<g transform=\"translate(0 16)\" fill=\"none\" stroke=\"{slab_shadow}\">{shadow}</g>\
         <path d=\"{slab}\" transform=\"translate(0 11)\" fill=\"{slab_side}\"/>\
         <path d=\"{slab}\" fill=\"url(#slab)\" stroke=\"{slab_rim}\" stroke-width=\"2\"/>\
         <g fill=\"none\"><path d=\"{}\" stroke=\"{inlay}\" stroke-width=\"3.2\"/>\
         <path d=\"{}\" stroke=\"{inlay_line}\" stroke-width=\"1.2\"/></g>",
        edge(12.0),
        edge(17.0),
    )
}

/// The corners of the tablet, drawn inwards by a distance, and how round they are.
fn tablet_corners(kind: Kind, inwards: f64) -> (Vec<Point>, f64) {
    let around = |n: u8, turn: f64, radius: f64| {
        let step = 360.0 / f64::from(n);
        let reach = radius - inwards / (step / 2.0).to_radians().cos();
        (0..n).map(|k| Point::at(0.0, 0.0).towards(f64::from(k) * step + turn, reach)).collect()
    };
    match kind {
        Kind::Fibonacci => (around(6, 0.0, 522.3), 62.0),
        Kind::Crossfire => (around(6, -90.0, 404.0), 58.0),
        Kind::Fenix => (around(4, 45.0, 423.0 * std::f64::consts::SQRT_2), 52.0),
        Kind::Focus => {
            // A square without its corners.
            let side = 380.0 - inwards;
            let cut = 260.0 - inwards * (std::f64::consts::SQRT_2 - 1.0);
            let corners = [
                (-cut, -side),
                (cut, -side),
                (side, -cut),
                (side, cut),
                (cut, side),
                (-cut, side),
                (-side, cut),
                (-side, -cut),
            ];
            (corners.map(|(x, y)| Point::at(x, y)).to_vec(), 46.0)
        }
    }
}

/// The seeds of a sunflower around the tablet, which fade into the paper.
fn seeds(colours: &Colours, view: &View, scale: f64) -> String {
    let middle = Point::at(0.0, 20.0 * scale);
    let mut bands = [const { Vec::new() }; 4];
    let far = view.width.hypot(view.height) / 2.0;
    for n in 0..4000_u16 {
        let reach = SEEDS_APART * f64::from(n).sqrt();
        let Point { x, y } = middle.towards(f64::from(n) * GOLDEN_ANGLE, reach);
        let (right, low) = (view.x + view.width, view.y + view.height);
        let is_seen = (view.x..right).contains(&x) && (view.y..low).contains(&y);
        let beyond = reach - 430.0 * scale;
        if is_seen && beyond > 0.0 {
            let band = beyond / (far - 430.0 * scale) * 4.0;
            let index = (0..3).filter(|k| band >= f64::from(k + 1)).count();
            bands[index].push(Point::at(x, y));
        }
    }
    let looks = [("6", ".6"), ("5.2", ".5"), ("4.2", ".38"), ("3", ".25")];
    let bands: String = bands
        .iter()
        .zip(looks)
        .map(|(points, (width, opacity))| {
            let mut path = Path::default();
            points.iter().for_each(|point| path.dot(*point));
            format!("<path d=\"{}\" stroke-width=\"{width}\" opacity=\"{opacity}\"/>", path.text())
        })
        .collect();
    format!("<g fill=\"none\" stroke=\"{}\" stroke-linecap=\"round\">{bands}</g>", colours.seeds)
}
