//! Zobrist numbers, the components of position hashes. They come from a fixed seed, so a hash is the same in every
//! build.

const SEED: u64 = 0x5eed_0f70_3e25_0001;
const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// The number of an index: a step of the generator `SplitMix64`.
#[inline]
pub(crate) const fn number(index: u64) -> u64 {
    let mut z = SEED.wrapping_add(index.wrapping_add(1).wrapping_mul(GAMMA));
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}
