//! Pictures as pixels.

use resvg::{
    tiny_skia::{Pixmap, Transform},
    usvg::{Options, Tree},
};

use crate::{
    compose::svg,
    palette::Palette,
    scene::{Scene, Style, Unreadable},
};

/// The reason why a picture was not drawn.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Undrawn {
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
    /// A fault of this crate.
    #[error("the picture cannot be rendered: {0}")]
    Render(String),
}

impl Undrawn {
    pub(crate) fn fault(cause: &impl ToString) -> Self {
        Self::Render(cause.to_string())
    }
}

/// Draws a scene as PNG, in the size of its shape.
///
/// # Errors
/// The text is not a position of the board.
pub fn png(scene: &Scene<'_>, style: Style) -> Result<Vec<u8>, Undrawn> {
    let (width, height) = style.shape.size();
    let pixels = pixels(scene, style, width, height)?.take();
    let mut palette = Palette::of(&pixels);
    let indices = palette.indices(&pixels);
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, width, height);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_palette(palette.colours());
    let mut writer = encoder.write_header().map_err(|error| Undrawn::fault(&error))?;
    writer.write_image_data(&indices).map_err(|error| Undrawn::fault(&error))?;
    writer.finish().map_err(|error| Undrawn::fault(&error))?;
    Ok(out)
}

/// Draws a scene in a size.
pub(crate) fn pixels(scene: &Scene<'_>, style: Style, width: u32, height: u32) -> Result<Pixmap, Undrawn> {
    let tree =
        Tree::from_str(&svg(scene, style)?, &Options::default()).map_err(|error| Undrawn::fault(&error))?;
    let mut pixmap = Pixmap::new(width, height).ok_or_else(|| Undrawn::fault(&"no memory"))?;
    let (wide, high) = style.shape.size();
    let scale = |to: u32, from: u32| to as f32 / from as f32;
    let transform = Transform::from_scale(scale(width, wide), scale(height, high));
    resvg::render(&tree, transform, &mut pixmap.as_mut());
    Ok(pixmap)
}
