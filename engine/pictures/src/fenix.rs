//! The pieces of Fenix: a coin for a soldier, one with a collar for a councillor, a crown of three tiers for a king.

use crate::{
    colours::{Army, Colours},
    path::{Point, short},
    svg::{body, shadow},
};

/// The sign of a side besides its colour: a flame for red, two waves for blue.
pub(crate) const FLAME: &str = "M0-11C5-5 9-1 8 4.5A8 8 0 0 1-8 4.5C-8 1-5-1-4-4C-3-1-1-1 0-3C1-5 1-8 0-11Z";
pub(crate) const WAVES: &str = "M-9-1.5q4.5-6 9 0t9 0M-9 5.5q4.5-6 9 0t9 0";

/// The pictures of the pieces, which a board refers to by `p` and the letter.
pub(crate) fn definitions(colours: &Colours) -> String {
    let flame = format!("d=\"{FLAME}\" fill=\"{}\"", colours.red.cut);
    let waves = format!(
        "d=\"{WAVES}\" fill=\"none\" stroke=\"{}\" stroke-width=\"3.4\" stroke-linecap=\"round\"",
        colours.blue.cut,
    );
    [
        shadow(colours),
        body("red", &colours.red),
        body("blue", &colours.blue),
        army(colours, &colours.red, "red", ["S", "C", "K"], &flame),
        army(colours, &colours.blue, "blue", ["s", "c", "k"], &waves),
    ]
    .concat()
}

fn army(colours: &Colours, army: &Army, fill: &str, letters: [&str; 3], sign: &str) -> String {
    let [soldier, councillor, king] = letters;
    let body = format!("fill=\"url(#{fill})\" stroke=\"{}\" stroke-width=\"3\"", army.edge);
    let disc = |radius: f64| format!("<circle r=\"{radius}\" {body}/>");
    let below = |radius: u8| format!("<circle cy=\"5\" r=\"{radius}\" fill=\"url(#shadow)\"/>");
    let mark = |size: &str| format!("<path {sign} transform=\"scale({size})\"/>");
    let collar = format!(
        "<circle r=\"24.6\" fill=\"none\" stroke=\"{}\" stroke-width=\"3\" stroke-dasharray=\"5.2 4.46\"/>",
        army.cut,
    );
    let ring = format!("<circle r=\"21.4\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\"/>", colours.gold);
    let crown = format!("<path d=\"{}\" {body}/>", star(8, 37.0, 28.0));
    let piece = |letter: &str, parts: &[String]| format!("<g id=\"p{letter}\">{}</g>", parts.concat());
    [
        piece(soldier, &[below(28), disc(21.5), mark("1")]),
        piece(councillor, &[below(36), disc(28.5), collar, disc(19.5), mark(".95")]),
        piece(king, &[below(42), crown, disc(25.0), ring, disc(17.0), mark(".95")]),
    ]
    .concat()
}

/// Points around the middle, every other one further out.
fn star(n_points: u8, outer: f64, inner: f64) -> String {
    let point = |k: u8| {
        let reach = if k.is_multiple_of(2) { outer } else { inner };
        let degrees = f64::from(k) * 180.0 / f64::from(n_points) - 90.0;
        let Point { x, y } = Point::at(0.0, 0.0).towards(degrees, reach);
        format!("{} {}", short(x), short(y))
    };
    format!("M{}Z", (0..2 * n_points).map(point).collect::<Vec<_>>().join("L"))
}
