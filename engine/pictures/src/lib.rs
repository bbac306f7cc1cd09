//! Pictures of positions in the look of the client's boards: SVG, PNG, and animations of whole games as GIF. Nothing
//! here depends on a network, a clock or a font of the system, and the same scene always gives the same bytes.
//!
//! ```
//! use engine::{AnyMatch, Ruleset};
//! use pictures::{Scene, Shape, Style, Theme};
//!
//! let mut game = AnyMatch::new(Ruleset::Crossfire);
//! game.play(&["h8-f8"])?;
//! let steps: Vec<views::Step> = game.last_steps().iter().map(views::Step::from).collect();
//! let scene = Scene { ruleset: Ruleset::Crossfire, position: &game.position_text(), steps: &steps, threats: None };
//! let svg = pictures::svg(&scene, Style { theme: Theme::Dark, shape: Shape::Square })?;
//! assert!(svg.starts_with("<svg ") && svg.len() < 60_000);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod animation;
mod board;
mod colours;
mod compose;
#[cfg(test)]
mod export;
mod fenix;
mod fibonacci;
mod marks;
mod palette;
mod path;
mod raster;
mod scene;
mod stacks;
mod svg;
mod writing;

pub use self::{
    animation::{MAX_FRAMES, gif},
    compose::svg,
    raster::{Undrawn, png},
    scene::{Scene, Shape, Style, Theme, Unreadable},
};
