//! The pieces of Fibonacci: a flower for a centre, a triangle for a strike piece, a ring for a support piece.

use crate::{
    colours::{Army, Colours},
    path::{Point, short},
    svg::{body, shadow},
};

pub(crate) const PETAL: &str = "M5.2 0C10.5 6.5 20.5 6.5 26.2 0C20.5-6.5 10.5-6.5 5.2 0Z";
pub(crate) const UP: &str = "M6.4-25.2Q22.6-9 28.5 13.1Q30.3 21.5 22.1 24.1Q0 30.1-22.1 24.1Q-30.3 21.5-28.5 13.1Q-22.6-9-6.4-25.2Q0-31 6.4-25.2Z";
pub(crate) const DOWN: &str = "M-6.4 25.2Q-22.6 9-28.5-13.1Q-30.3-21.5-22.1-24.1Q0-30.1 22.1-24.1Q30.3-21.5 28.5-13.1Q22.6 9 6.4 25.2Q0 31-6.4 25.2Z";
pub(crate) const RING: &str =
    "M-26 0a26 26 0 1 0 52 0a26 26 0 1 0-52 0ZM-10.5 0a10.5 10.5 0 1 1 21 0a10.5 10.5 0 1 1-21 0Z";

/// The pictures of the pieces, which a board refers to by `p` and the letter.
pub(crate) fn definitions(colours: &Colours) -> String {
    let [near, far] = colours.shadow;
    let ring_shadow = format!(
        "<radialGradient id=\"ring\"><stop offset=\".12\" stop-color=\"{far}\"/>\
         <stop offset=\".42\" stop-color=\"{near}\"/><stop offset=\".66\" stop-color=\"{near}\"/>\
         <stop offset=\"1\" stop-color=\"{far}\"/></radialGradient>"
    );
    [
        shadow(colours),
        ring_shadow,
        body("black", &colours.black),
        body("white", &colours.white),
        army(colours, &colours.black, "black", ["C", "S", "P"], DOWN, -1.0),
        army(colours, &colours.white, "white", ["c", "s", "p"], UP, 1.0),
    ]
    .concat()
}

fn army(colours: &Colours, army: &Army, fill: &str, letters: [&str; 3], triangle: &str, up: f64) -> String {
    let [centre, strike, support] = letters;
    let body = format!("fill=\"url(#{fill})\" stroke=\"{}\" stroke-width=\"2\"", army.edge);
    let petals: String = (0..6).map(|k| petal(army.cut, "29", army.cut, 1.7, k)).collect();
    let gold = colours.gold;
    let flower = format!(
        "<g id=\"p{centre}\"><circle cy=\"5\" r=\"40\" fill=\"url(#shadow)\"/><circle r=\"32.5\" {body}/>\
         <circle r=\"28.9\" fill=\"none\" stroke=\"{gold}\" stroke-width=\"1.6\"/>\
         <circle r=\"3.6\" fill=\"{gold}\"/>{petals}</g>"
    );
    let ring = format!(
        "<g id=\"p{support}\"><circle cy=\"5\" r=\"34\" fill=\"url(#ring)\"/>\
         <path d=\"{RING}\" fill-rule=\"evenodd\" {body}/>\
         <g fill=\"none\" stroke-width=\"3.2\" stroke-linecap=\"round\">\
         <path d=\"M-18.2 0a18.2 18.2 0 0 1 18.2-18.2\" stroke=\"{}\"/>\
         <path d=\"M18.2 0a18.2 18.2 0 0 1-18.2 18.2\" stroke=\"{}\"/></g></g>",
        army.shine, army.shade,
    );
    [flower, strike_piece(colours, army, &body, strike, triangle, up), ring].concat()
}

/// A triangle that is cut into three facets.
fn strike_piece(colours: &Colours, army: &Army, body: &str, letter: &str, triangle: &str, up: f64) -> String {
    let layers: String =
        [1, 5, 9, 13].map(|width| format!("<path d=\"{triangle}\" stroke-width=\"{width}\"/>")).concat();
    let tip = format!("0 {}", -19.5 * up);
    let (left, right) = (format!("-20.4 {}", 15.7 * up), format!("20.4 {}", 15.7 * up));
    let top = format!("M0 {}L", 4.0 * up);
    let [one, other, base] = army.facets;
    let (layer, cut) = (colours.shadow_layer, army.cut);
    format!(
        "<g id=\"p{letter}\"><g transform=\"translate(0 5)\" fill=\"{layer}\" stroke=\"{layer}\">{layers}</g>\
         <path d=\"{triangle}\" {body}/><path d=\"{top}{tip}L{left}Z\" fill=\"{one}\"/>\
         <path d=\"{top}{tip}L{right}Z\" fill=\"{other}\"/><path d=\"{top}{right}L{left}Z\" fill=\"{base}\"/>\
         <path d=\"{top}{tip}{top}{right}{top}{left}M{tip}L{right}L{left}Z\" fill=\"none\" stroke=\"{cut}\" \
         stroke-opacity=\".68\" stroke-width=\"1.4\" stroke-linecap=\"round\" stroke-linejoin=\"round\"/></g>"
    )
}

/// The petal that points towards a neighbour.
fn petal(fill: &str, opacity: &str, edge: &str, width: f64, direction: u8) -> String {
    let degrees = 60 * u16::from(direction);
    format!(
        "<path d=\"{PETAL}\" transform=\"rotate({degrees})\" fill=\"{fill}{opacity}\" stroke=\"{edge}\" \
         stroke-width=\"{width}\"/>"
    )
}

/// The petals of a centre that turn red, since attackers stand there.
pub(crate) fn red_petals(army: &Army, centre: Point, directions: &[u8]) -> String {
    let petals: String =
        directions.iter().map(|k| petal(army.petal_red, "", army.petal_red_edge, 1.3, *k)).collect();
    format!("<g transform=\"translate({} {})\">{petals}</g>", short(centre.x), short(centre.y))
}
