//! The men of Focus and Crossfire: stacks of coins, seen from above and a little from the front.

use std::fmt::Write as _;

use crate::{
    colours::{Army, Colours},
    path::{Path, Point, short},
    svg::{body, shadow},
    writing::Writing,
};

/// From one man of a stack to the next.
pub(crate) const RISE: f64 = 6.6;

pub(crate) const COIN: f64 = 24.5;

/// The pictures of the men: a plain rim for black, a double one with dots for white.
pub(crate) fn definitions(colours: &Colours) -> String {
    let mut dots = Path::default();
    for k in 0..16_u8 {
        dots.dot(Point::at(0.0, 0.0).towards(f64::from(k) * 22.5, 19.6));
    }
    let dots = format!(
        "<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"3.4\" stroke-linecap=\"round\"/>",
        dots.text(),
        colours.white.cut,
    );
    [
        shadow(colours),
        body("black", &colours.black),
        body("white", &colours.white),
        "<circle id=\"below\" cy=\"8\" r=\"32\" fill=\"url(#shadow)\"/>".to_owned(),
        man("o", "black", &colours.black, &rim(&colours.black, 19.5)),
        man("x", "white", &colours.white, &[dots, rim(&colours.white, 15.6)].concat()),
    ]
    .concat()
}

fn rim(army: &Army, radius: f64) -> String {
    format!(
        "<circle r=\"{radius}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\" stroke-opacity=\".8\"/>",
        army.cut,
    )
}

fn man(letter: &str, fill: &str, army: &Army, rims: &str) -> String {
    let (side, edge, coin, width) = (short(RISE - 1.0), army.edge, army.coin, 2.0 * COIN);
    format!(
        "<g id=\"p{letter}\" stroke-width=\"2\" stroke=\"{edge}\">\
         <path d=\"M-{COIN} 0v{side}a{COIN} {COIN} 0 0 0 {width} 0v-{side}Z\" fill=\"{coin}\"/>\
         <circle r=\"{COIN}\" fill=\"url(#{fill})\"/>{rims}</g>"
    )
}

/// A stack with its height, which a single man does not show.
pub(crate) fn stack(colours: &Colours, writing: &mut Writing, men: &str, Point { x, y }: Point) -> String {
    let above = |level: usize| f64::from(u8::try_from(level).unwrap_or(u8::MAX)) * RISE;
    let n_above = men.len().saturating_sub(1);
    let bottom = y + above(n_above) / 2.0;
    let (x, base) = (short(x), short(bottom));
    let mut out = format!("<use href=\"#below\" x=\"{x}\" y=\"{base}\"/>");
    for (level, man) in men.chars().enumerate() {
        // Writing to a text cannot fail.
        let _ = write!(out, "<use href=\"#p{man}\" x=\"{x}\" y=\"{}\"/>", short(bottom - above(level)));
    }
    if n_above > 0 {
        let army = if men.ends_with('x') { &colours.white } else { &colours.black };
        let middle = Point::at(x, bottom - above(n_above));
        out.push_str(&writing.text(&men.len().to_string(), middle, 21.0, army.cut));
    }
    out
}
