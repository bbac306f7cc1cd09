//! Games as animations.

use std::borrow::Cow;

use gif::{DisposalMethod, Encoder, Frame, Repeat};

use crate::{
    palette::Palette,
    raster::{Undrawn, pixels},
    scene::{Scene, Shape, Style, Theme},
};

/// Maximum number of frames of an animation.
pub const MAX_FRAMES: usize = 60;

/// Width and height of an animation.
const SIZE: u16 = 480;

/// Time for which a frame is shown, and that for the last one, in hundredths of a second.
const SHOWN: u16 = 90;
const LAST_SHOWN: u16 = 400;

/// Draws scenes one after another as a GIF that repeats. Of more than [`MAX_FRAMES`] scenes, evenly chosen ones are
/// drawn, the first and the last among them.
///
/// # Errors
/// A text is not a position of the board.
pub fn gif(scenes: &[Scene<'_>], theme: Theme) -> Result<Vec<u8>, Undrawn> {
    let chosen = chosen(scenes.len());
    let style = Style { theme, shape: Shape::Square };
    let draw = |index: usize| -> Result<Vec<u8>, Undrawn> {
        Ok(pixels(&scenes[index], style, SIZE.into(), SIZE.into())?.take())
    };
    let [Some(first), Some(last)] = [chosen.first(), chosen.last()] else {
        return Err(Undrawn::fault(&"no scenes"));
    };
    let mut palette = Palette::of(&[draw(*first)?, draw(*last)?].concat());
    let mut out = Vec::new();
    let mut encoder =
        Encoder::new(&mut out, SIZE, SIZE, palette.colours()).map_err(|error| Undrawn::fault(&error))?;
    encoder.set_repeat(Repeat::Infinite).map_err(|error| Undrawn::fault(&error))?;
    let mut before: Option<Vec<u8>> = None;
    for (n, index) in chosen.iter().enumerate() {
        let frame = palette.indices(&draw(*index)?);
        let changed = before.map_or(Area::ALL, |before| Area::of_change(&before, &frame));
        let delay = if n + 1 == chosen.len() { LAST_SHOWN } else { SHOWN };
        encoder.write_frame(&changed.cut_from(&frame, delay)).map_err(|error| Undrawn::fault(&error))?;
        before = Some(frame);
    }
    drop(encoder);
    Ok(out)
}

/// Indices of the scenes that are drawn.
fn chosen(n_scenes: usize) -> Vec<usize> {
    let n_frames = n_scenes.min(MAX_FRAMES);
    (0..n_frames).map(|k| k * (n_scenes - 1) / (n_frames - 1).max(1)).collect()
}

/// A part of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Area {
    left: usize,
    top: usize,
    right: usize,
    bottom: usize,
}

impl Area {
    const ALL: Self = Self { left: 0, top: 0, right: SIZE as usize, bottom: SIZE as usize };

    /// The smallest part that has all changed pixels, or one pixel if none has changed.
    fn of_change(before: &[u8], after: &[u8]) -> Self {
        let mut area = Self { left: SIZE.into(), top: SIZE.into(), right: 0, bottom: 0 };
        let changed = before.iter().zip(after).enumerate().filter(|(_, (old, new))| old != new);
        for (index, _) in changed {
            let (x, y) = (index % usize::from(SIZE), index / usize::from(SIZE));
            area = Self {
                left: area.left.min(x),
                top: area.top.min(y),
                right: area.right.max(x + 1),
                bottom: area.bottom.max(y + 1),
            };
        }
        if area.right == 0 { Self { left: 0, top: 0, right: 1, bottom: 1 } } else { area }
    }

    fn cut_from(self, frame: &[u8], delay: u16) -> Frame<'static> {
        let rows = frame.chunks_exact(SIZE.into()).skip(self.top).take(self.bottom - self.top);
        let buffer: Vec<u8> = rows.flat_map(|row| &row[self.left..self.right]).copied().collect();
        Frame {
            delay,
            dispose: DisposalMethod::Keep,
            left: self.left as u16,
            top: self.top as u16,
            width: (self.right - self.left) as u16,
            height: (self.bottom - self.top) as u16,
            buffer: Cow::Owned(buffer),
            ..Frame::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_game_keeps_its_first_and_its_last_frame() {
        assert_eq!(chosen(0), [0; 0]);
        assert_eq!(chosen(1), [0]);
        assert_eq!(chosen(3), [0, 1, 2]);
        let long = chosen(1001);
        assert_eq!((long.len(), long[0], long[MAX_FRAMES - 1]), (MAX_FRAMES, 0, 1000));
        assert!(long.is_sorted_by(|one, next| one < next));
    }

    #[test]
    fn only_the_part_that_changes_is_stored_again() {
        let before = vec![0; usize::from(SIZE) * usize::from(SIZE)];
        let mut after = before.clone();
        after[usize::from(SIZE) * 7 + 3] = 1;
        after[usize::from(SIZE) * 9 + 2] = 1;
        let area = Area { left: 2, top: 7, right: 4, bottom: 10 };
        assert_eq!(Area::of_change(&before, &after), area);
        assert_eq!(area.cut_from(&after, 1).buffer, [0, 1, 0, 0, 1, 0].as_slice());
        let none = Area::of_change(&before, &before);
        assert_eq!(none.cut_from(&before, 1).buffer.len(), 1);
    }
}
