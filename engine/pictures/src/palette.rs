//! The 256 colours that pixels are reduced to.

use color_quant::NeuQuant;

/// Number of colours of a palette.
const N_COLOURS: usize = 256;

/// The colours are chosen from one pixel of this many.
const SAMPLED: i32 = 30;

/// Values of a channel that a colour is looked up by.
const STEPS_OF_CHANNEL: usize = 64;

/// Colours, and the nearest of them to any pixel.
pub(crate) struct Palette {
    network: NeuQuant,
    colours: Vec<u8>,
    /// The nearest colour of each pixel looked up so far, by its leading bits.
    known: Vec<Option<u8>>,
}

impl Palette {
    /// Chooses the colours for opaque pixels, which have four bytes each.
    pub(crate) fn of(pixels: &[u8]) -> Self {
        let network = NeuQuant::new(SAMPLED, N_COLOURS, pixels);
        let colours = network.color_map_rgb();
        Self { network, colours, known: vec![None; STEPS_OF_CHANNEL.pow(3)] }
    }

    /// Red, green and blue of each colour.
    pub(crate) fn colours(&self) -> &[u8] {
        &self.colours
    }

    /// The colour of each pixel.
    pub(crate) fn indices(&mut self, pixels: &[u8]) -> Vec<u8> {
        let bits = |value: u8| usize::from(value) * STEPS_OF_CHANNEL / 256;
        let index = |pixel: &[u8]| {
            let key = pixel[..3].iter().fold(0, |key, value| key * STEPS_OF_CHANNEL + bits(*value));
            let network = &self.network;
            *self.known[key].get_or_insert_with(|| network.index_of(pixel) as u8)
        };
        pixels.chunks_exact(4).map(index).collect()
    }
}
