//! The tables that the client's boards share with these pictures: `static/board/boards.js`, and the colours of its style
//! sheets.

use std::{fmt::Write as _, fs, path::Path};

use engine::Ruleset;

use crate::{
    board::{Board, LABEL_REACH, Lattice, RADIUS, ROW, WIDTH},
    colours::{Army, Colours},
    fenix, fibonacci,
    scene::Theme,
    stacks,
};

/// The environment variable that makes the test rewrite the tables instead of comparing them.
const WRITE: &str = "WRITE_BOARDS";

const HEAD: &str = "// Generated from engine/pictures/src; do not edit.
// To regenerate: WRITE_BOARDS=1 cargo test --workspace the_client_has_the_tables_of_the_boards

/** From the middle of a hexagon to a corner. */
";

const BOARDS: &str = "
/**
 * A board: its size, the directions of the labels in degrees, and its rows from top to bottom, as a text has them. A row
 * has the names of its cells and the spot of the first; each further one lies `step` beyond the one before.
 * @typedef {object} Board
 * @property {number} scale
 * @property {number} letterDegrees
 * @property {number} numberDegrees
 * @property {{ u: number, v: number }} step
 * @property {readonly (readonly [names: string, u: number, v: number])[]} rows
 */

/** @type {Record<'fibonacci' | 'fenix' | 'focus' | 'crossfire', Board>} */
export const BOARDS = {
";

fn tables() -> String {
    let mut out = format!("{HEAD}export const RADIUS = {RADIUS};\n");
    let mut constant = |comment: &str, name: &str, value: String| {
        // Writing to a text cannot fail.
        let _ = write!(out, "\n/** {comment} */\nexport const {name} = {value};\n");
    };
    constant(
        "From the middle of a line's last cell to the line's label.",
        "LABEL_REACH",
        LABEL_REACH.to_string(),
    );
    constant("From one man of a stack to the next.", "RISE", stacks::RISE.to_string());
    constant("Radius of a man.", "COIN", stacks::COIN.to_string());
    let paths = [
        ("petal", fibonacci::PETAL),
        ("up", fibonacci::UP),
        ("down", fibonacci::DOWN),
        ("ring", fibonacci::RING),
        ("flame", fenix::FLAME),
        ("waves", fenix::WAVES),
    ];
    let paths: String = paths.iter().map(|(name, path)| format!("  {name}: '{path}',\n")).collect();
    constant("The shapes of pieces.", "SHAPES", format!("{{\n{paths}}}"));
    out.push_str(BOARDS);
    for (name, ruleset) in [
        ("fibonacci", Ruleset::Fibonacci),
        ("fenix", Ruleset::Fenix),
        ("focus", Ruleset::Focus),
        ("crossfire", Ruleset::Crossfire),
    ] {
        out.push_str(&table(name, &Board::of(ruleset)));
    }
    out + "};\n"
}

/// A board as the client has it, whose cells have spots: of two steps among hexagons, of column and row among squares.
fn table(name: &str, board: &Board) -> String {
    let half = (board.rows.len() as f64 - 1.0) / 2.0;
    let spots = board.rows.iter().map(|row| {
        let spot = |cell: &crate::board::Cell| {
            let (x, y) = (cell.middle.x / WIDTH, cell.middle.y);
            let (u, v) = match board.lattice {
                Lattice::Hexagons => (x + y / (2.0 * ROW), x - y / (2.0 * ROW)),
                Lattice::Squares => (x + half, y / WIDTH + half),
            };
            (u.round() as i32, v.round() as i32)
        };
        row.iter().map(spot).collect::<Vec<_>>()
    });
    let spots: Vec<_> = spots.collect();
    let step = match board.lattice {
        Lattice::Hexagons => (1, 1),
        Lattice::Squares => (1, 0),
    };
    for pair in spots.iter().flat_map(|row| row.windows(2)) {
        assert_eq!((pair[1].0 - pair[0].0, pair[1].1 - pair[0].1), step, "{name}: {pair:?}");
    }
    let rows = board.rows.iter().zip(&spots).map(|(row, spots)| {
        let names: Vec<_> = row.iter().map(|cell| cell.name.as_str()).collect();
        format!("      ['{}', {}, {}],\n", names.join(" "), spots[0].0, spots[0].1)
    });
    let ([letters, numbers], scale) = (board.kind.label_degrees(), board.kind.scale());
    let (u, v) = step;
    format!(
        "  {name}: {{\n    scale: {scale},\n    letterDegrees: {letters},\n    numberDegrees: {numbers},\n    \
         step: {{ u: {u}, v: {v} }},\n    rows: [\n{}    ],\n  }},\n",
        rows.collect::<String>(),
    )
}

#[test]
fn the_client_has_the_tables_of_the_boards() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../static/board/boards.js");
    if std::env::var_os(WRITE).is_some() {
        fs::write(&path, tables()).unwrap();
        return;
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        kept == tables(),
        "static/board/boards.js is out of date: run `{WRITE}=1 cargo test --workspace \
         the_client_has_the_tables_of_the_boards`"
    );
}

/// The style sheets of the client's boards.
fn style_sheets() -> String {
    let style = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../static/style");
    ["board.css", "pieces.css"].map(|name| fs::read_to_string(style.join(name)).unwrap()).concat()
}

/// A colour of the style sheets as pictures write it, in one theme.
fn colour(style: &str, selector: &str, property: &str, theme: Theme) -> String {
    let (_, rule) =
        style.split_once(&format!("\n{selector} {{\n")).unwrap_or_else(|| panic!("no rule for {selector}"));
    let (rule, _) = rule.split_once('}').unwrap();
    let (_, value) =
        rule.split_once(&format!("  {property}: ")).unwrap_or_else(|| panic!("no {property} of {selector}"));
    let (value, _) = value.split_once(";\n").unwrap();
    let value = match value.strip_prefix("light-dark(").and_then(|both| both.strip_suffix(')')) {
        Some(both) => {
            let (light, dark) = both.split_once(", ").unwrap();
            match theme {
                Theme::Light => light,
                Theme::Dark => dark,
            }
        }
        None => value,
    };
    hex(value)
}

/// Six digits, or eight of a colour with an opacity.
fn hex(value: &str) -> String {
    let Some(parts) = value.strip_prefix("rgb(").and_then(|parts| parts.strip_suffix("%)")) else {
        let digits = value.strip_prefix('#').unwrap_or_else(|| panic!("no colour: {value}"));
        return match digits.len() {
            3 => digits.chars().fold("#".to_owned(), |out, digit| format!("{out}{digit}{digit}")),
            _ => value.to_owned(),
        };
    };
    let (channels, percent) = parts.split_once(" / ").unwrap();
    let channels: String =
        channels.split(' ').map(|channel| format!("{:02x}", channel.parse::<u8>().unwrap())).collect();
    let opacity = (percent.parse::<f64>().unwrap() * 2.55).round() as u8;
    format!("#{channels}{opacity:02x}")
}

#[test]
fn colours_are_those_of_the_client() {
    let style = style_sheets();
    for theme in [Theme::Light, Theme::Dark] {
        let found = |selector: &str, property: &str| colour(&style, selector, property, theme);
        let board = |property: &str| found(".board", &format!("--board-{property}"));
        let Colours { ground, tones, label, notch, last, last_fill, last_faint, halo, .. } =
            Colours::of(theme);
        let Colours { threat, threat_halo, gold, shadow, shadow_layer, .. } = Colours::of(theme);
        for (own, property) in [
            (ground, "ground"),
            (&tones[0], "tone-0"),
            (&tones[1], "tone-1"),
            (&tones[2], "tone-2"),
            (label, "label"),
            (notch, "notch"),
            (last, "last"),
            (last_fill, "last-fill"),
            (last_faint, "last-faint"),
            (halo, "halo"),
            (threat, "threat"),
            (threat_halo, "threat-halo"),
        ] {
            assert_eq!(*own, board(property), "{property}, {theme:?}");
        }
        assert_eq!(*gold, found(".piece-gold", "stroke"));
        assert_eq!(*shadow, [found(".shadow-near", "stop-color"), found(".shadow-far", "stop-color")]);
        assert_eq!(*shadow_layer, found(".shadow-layers", "fill"));
        let Colours { black, white, red, blue, .. } = Colours::of(theme);
        for (name, Army { body, edge, cut, .. }, sign) in [
            ("black", black, "--piece-cut"),
            ("white", white, "--piece-cut"),
            ("red", red, "--piece-sign"),
            ("blue", blue, "--piece-sign"),
        ] {
            let stops =
                ["light", "middle", "dark"].map(|stop| found(&format!(".piece-{name}-{stop}"), "stop-color"));
            assert_eq!(*body, stops, "{name}, {theme:?}");
            let selector = format!(".piece-{name}");
            assert_eq!(
                (*edge, *cut),
                (&*found(&selector, "--piece-edge"), &*found(&selector, sign)),
                "{name}"
            );
        }
        for (name, army) in [("black", black), ("white", white)] {
            let of_army = |property: &str| found(&format!(".piece-{name}"), property);
            let facets = ["left", "right", "base"].map(|side| of_army(&format!("--facet-{side}")));
            assert_eq!(army.facets, facets, "{name}, {theme:?}");
            let petals = [of_army("--petal-red"), of_army("--petal-red-edge")];
            assert_eq!([army.petal_red, army.petal_red_edge], petals, "{name}, {theme:?}");
        }
        assert_eq!((black.coin, white.coin), (black.edge, &*found(".piece-white > .coin-edge", "fill")));
    }
}
