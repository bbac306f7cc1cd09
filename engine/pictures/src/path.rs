//! Points, and the paths that are drawn through them.

use std::fmt::Write as _;

/// A point of a picture: x to the right, y down.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Point {
    pub(crate) x: f64,
    pub(crate) y: f64,
}

impl Point {
    pub(crate) const fn at(x: f64, y: f64) -> Self {
        Self { x, y }
    }

    /// The point at a distance in a direction, in degrees clockwise from the right.
    pub(crate) fn towards(self, degrees: f64, distance: f64) -> Self {
        let (sin, cos) = degrees.to_radians().sin_cos();
        Self { x: self.x + distance * cos, y: self.y + distance * sin }
    }

    pub(crate) fn distance(self, other: Self) -> f64 {
        (other.x - self.x).hypot(other.y - self.y)
    }

    /// The point on the way to another, at a part of the way.
    fn between(self, other: Self, part: f64) -> Self {
        Self { x: self.x + (other.x - self.x) * part, y: self.y + (other.y - self.y) * part }
    }
}

/// A number with at most one decimal.
pub(crate) fn short(number: f64) -> f64 {
    // Adding zero turns -0 into 0.
    (number * 10.0).round() / 10.0 + 0.0
}

/// The data of a path.
#[derive(Clone, Debug, Default)]
pub(crate) struct Path(String);

impl Path {
    pub(crate) fn text(&self) -> &str {
        &self.0
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn push(&mut self, command: char, points: &[Point]) {
        self.0.push(command);
        for (index, Point { x, y }) in points.iter().enumerate() {
            let space = if index == 0 { "" } else { " " };
            // Writing to a text cannot fail.
            let _ = write!(self.0, "{space}{} {}", short(*x), short(*y));
        }
    }

    /// Adds a closed line with rounded corners. `round` is the distance from a corner at which its curve begins.
    pub(crate) fn rounded(&mut self, corners: &[Point], round: f64) {
        let n = corners.len();
        for (index, corner) in corners.iter().enumerate() {
            let towards = |other: Point| corner.between(other, round / corner.distance(other));
            let (from, to) = (towards(corners[(index + n - 1) % n]), towards(corners[(index + 1) % n]));
            self.push(if index == 0 { 'M' } else { 'L' }, &[from]);
            self.push('Q', &[*corner, to]);
        }
        self.0.push('Z');
    }

    /// Adds an open line with corners.
    pub(crate) fn line(&mut self, points: &[Point]) {
        for (index, point) in points.iter().enumerate() {
            self.push(if index == 0 { 'M' } else { 'L' }, &[*point]);
        }
    }

    /// Adds a smooth open line.
    pub(crate) fn smooth(&mut self, points: &[Point]) {
        let [first, .., last] = points else { return };
        self.push('M', &[*first]);
        let n_inner = points.len() - 2;
        for (index, pair) in points[1..].windows(2).enumerate() {
            let part = if index + 1 < n_inner { 0.5 } else { 1.0 };
            self.push('Q', &[pair[0], pair[0].between(pair[1], part)]);
        }
        if n_inner == 0 {
            self.push('L', &[*last]);
        }
    }

    /// Adds a straight stroke in a direction, from one distance of a point to another.
    pub(crate) fn ray(&mut self, center: Point, degrees: f64, near: f64, far: f64) {
        self.line(&[center.towards(degrees, near), center.towards(degrees, far)]);
    }

    /// Adds a cross.
    pub(crate) fn cross(&mut self, Point { x, y }: Point, arm: f64) {
        self.line(&[Point::at(x - arm, y - arm), Point::at(x + arm, y + arm)]);
        self.line(&[Point::at(x + arm, y - arm), Point::at(x - arm, y + arm)]);
    }

    /// Adds a dot, which a round cap makes visible.
    pub(crate) fn dot(&mut self, point: Point) {
        self.push('M', &[point]);
        self.0.push_str("h.1");
    }
}

/// Draws the last point back, so that a line through the points ends at the edge of a piece there.
pub(crate) fn shortened(mut points: Vec<Point>, back: f64) -> Vec<Point> {
    if let [.., before, last] = &mut points[..] {
        let reach = last.distance(*before);
        if reach > 0.0 {
            *last = last.between(*before, (back / reach).min(1.0));
        }
    }
    points
}
