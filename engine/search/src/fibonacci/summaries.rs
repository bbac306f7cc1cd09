use engine::{
    BitCell, Side,
    fibonacci::{Cell, CellSet, Fibonacci, PieceKind, Variant},
};

use super::{
    estimate::{Attack, Needed},
    features::{Features, Role, add_needed, add_strikes, add_supports},
    network::{Network, Row},
};
use crate::{Random, table::TranspositionTable};

/// Memory of the table of summaries in bytes.
const TABLE_BYTES: usize = 1 << 22;

/// Memory of each table of parts in bytes.
const PARTS_BYTES: usize = 1 << 20;

/// The part of the evaluation that depends on a side's own pieces and on the other side's centre.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Summary {
    pub(super) needed: Needed,
    /// The sum of the rows of the features.
    pub(super) sum: Row,
}

/// The summaries of sides, and parts of them, that were worked out before.
///
/// Most boards of a search differ in the pieces of one side, and most moves in its strikes or in its supports.
#[derive(Debug)]
pub(super) struct Summaries {
    whole: TranspositionTable<Summary>,
    of_strikes: TranspositionTable<StrikesPart>,
    of_supports: TranspositionTable<Row>,
}

/// The part of a summary that depends on the strikes and on both centres.
#[derive(Clone, Copy, Default, Debug)]
struct StrikesPart {
    /// See [`Needed`]; 0 with mixed groups, in which it depends on the supports too.
    needed_by_strikes: u8,
    sum: Row,
}

impl Summaries {
    pub(super) fn new() -> Self {
        Self {
            whole: TranspositionTable::new(TABLE_BYTES),
            of_strikes: TranspositionTable::new(PARTS_BYTES),
            of_supports: TranspositionTable::new(PARTS_BYTES),
        }
    }

    /// The summary of a side. All positions of a variant must be summarised by the same network.
    pub(super) fn of(&mut self, position: &Fibonacci, side: Side, role: Role, network: &Network) -> Summary {
        let pieces = |kind| position.pieces(side, kind);
        let centres = [position.centre(side), position.centre(side.other())];
        let setting = Setting { variant: position.variant(), role, centres };
        let key = setting.key(&[pieces(PieceKind::Strike), pieces(PieceKind::Support)]);
        self.whole.get(key).unwrap_or_else(|| {
            let summary = self.summary(&Attack::new(position, side), &setting, network);
            self.whole.put(key, summary, |_| false);
            summary
        })
    }

    fn summary(&mut self, attack: &Attack, setting: &Setting, network: &Network) -> Summary {
        let strikes = self.strikes_part(attack, setting, network);
        let needed = match setting.variant {
            Variant::Original | Variant::Cards => attack.needed_with_supports(strikes.needed_by_strikes),
            Variant::Mixed => attack.needed(),
        };
        let mut features = Features::NONE;
        add_needed(needed, setting.role, &mut features);
        let mut sum = network.sum(strikes.sum, &features);
        sum.add(&self.supports_part(attack, setting, network));
        Summary { needed, sum }
    }

    fn strikes_part(&mut self, attack: &Attack, setting: &Setting, network: &Network) -> StrikesPart {
        let key = setting.key(&[attack.strikes]);
        self.of_strikes.get(key).unwrap_or_else(|| {
            let needed_by_strikes = match setting.variant {
                Variant::Original | Variant::Cards => attack.by_strikes(),
                Variant::Mixed => 0,
            };
            let mut features = Features::NONE;
            add_strikes(attack, setting.centres[0], setting.role, &mut features);
            let part = StrikesPart { needed_by_strikes, sum: network.sum(Row::ZERO, &features) };
            self.of_strikes.put(key, part, |_| false);
            part
        })
    }

    fn supports_part(&mut self, attack: &Attack, setting: &Setting, network: &Network) -> Row {
        let key = setting.key(&[attack.supports]);
        self.of_supports.get(key).unwrap_or_else(|| {
            let mut features = Features::NONE;
            add_supports(attack, setting.centres[0], setting.role, &mut features);
            let sum = network.sum(Row::ZERO, &features);
            self.of_supports.put(key, sum, |_| false);
            sum
        })
    }
}

/// What else a summary depends on, apart from the strikes and supports.
struct Setting {
    variant: Variant,
    role: Role,
    /// The centre of the side, and the other one.
    centres: [Cell; 2],
}

impl Setting {
    /// The key of some sets of cells with this setting.
    #[inline]
    fn key(&self, sets: &[CellSet]) -> u64 {
        // Odd numbers without a pattern, so that different sets have different sums.
        const FACTORS: [u64; 4] =
            [0xd6e8_feb8_6659_fd93, 0xa076_1d64_78bd_642f, 0xe703_7ed1_a0b4_28db, 0x8ebc_6af0_9c88_c6e3];
        let [own, other] = self.centres.map(|centre| u64::from(centre.bit()));
        let words = sets.iter().flat_map(|set| [set.bits() as u64, (set.bits() >> 64) as u64]);
        let products = words.zip(FACTORS).map(|(word, factor)| word.wrapping_mul(factor));
        let setting = (self.variant as u64 * 2 + self.role as u64) << 16 | own << 8 | other;
        Random::new(products.fold(setting, u64::wrapping_add)).bits()
    }
}
