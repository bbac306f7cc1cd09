//! Parts of an SVG that know no game: gradients, uses of definitions, marks.

use crate::{
    colours::{Army, Colours},
    path::{Path, Point, short},
};

/// A gradient from top to bottom.
pub(crate) fn gradient(id: &str, top: &str, bottom: &str) -> String {
    format!(
        "<linearGradient id=\"{id}\" x1=\"0\" y1=\"0\" x2=\"0\" y2=\"1\"><stop stop-color=\"{top}\"/>\
         <stop offset=\"1\" stop-color=\"{bottom}\"/></linearGradient>"
    )
}

/// The gradient of a side's pieces.
pub(crate) fn body(id: &str, army: &Army) -> String {
    let [light, middle, dark] = army.body;
    format!(
        "<linearGradient id=\"{id}\" x1=\".22\" y1=\"0\" x2=\".72\" y2=\"1\"><stop stop-color=\"{light}\"/>\
         <stop offset=\".5\" stop-color=\"{middle}\"/><stop offset=\"1\" stop-color=\"{dark}\"/></linearGradient>"
    )
}

/// The gradient of the shadows of discs.
pub(crate) fn shadow(colours: &Colours) -> String {
    let [near, far] = colours.shadow;
    format!(
        "<radialGradient id=\"shadow\"><stop offset=\".72\" stop-color=\"{near}\"/>\
         <stop offset=\"1\" stop-color=\"{far}\"/></radialGradient>"
    )
}

/// A use of a definition at a point.
pub(crate) fn used(id: &str, Point { x, y }: Point) -> String {
    format!("<use href=\"#{id}\" x=\"{}\" y=\"{}\"/>", short(x), short(y))
}

/// A path with its colours; nothing if it is empty.
pub(crate) fn mark(path: &Path, fill: &str, stroke: &str, width: f64, more: &str) -> String {
    if path.is_empty() {
        return String::new();
    }
    format!(
        "<path d=\"{}\" fill=\"{fill}\" stroke=\"{stroke}\" stroke-width=\"{width}\" stroke-linecap=\"round\" \
         stroke-linejoin=\"round\"{more}/>",
        path.text(),
    )
}
