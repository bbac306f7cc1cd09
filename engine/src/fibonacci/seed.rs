use std::{fmt, str::FromStr};

use sha2::{Digest, Sha256};
use thiserror::Error;

use super::cards::{N_ALIKE, N_CARDS, place};
use crate::core::{Card, TurnNumber};

/// The seed that fixes the cards of a game (RULES 1.18). It is secret until the game is over: only [`Seed::reveal`]
/// discloses it, `Debug` does not.
///
/// Its holder knows every card in advance. Positions and drafts never contain it, and drafting turns over no card. A
/// match can have the seed ([`Match::with_seed`](crate::Match::with_seed)); it then turns over each card itself, after
/// a turn is played.
///
/// A match without the seed waits after each turn until [`Match::turn_over`](crate::Match::turn_over) supplies the next
/// card. So a log that contains each card as it is turned over can be replayed by anyone. The keeper of the log needs
/// the seed, which may be stored elsewhere, only to get the next card from [`Seed::card`]. Both matches have the same
/// positions.
///
/// When the game is over the seed is published, and [`Seed::verify`] checks that it has the published hash and that the
/// cards were its own.
///
/// ```
/// use engine::{AnyMatch, Ruleset, Seed};
///
/// let seed = Seed::new([7; 32]);
/// let promise = seed.hash();
/// let mut game = AnyMatch::new(Ruleset::FibonacciCards);
/// while game.turns().len() < 2 {
///     let card = seed.card(game.turn());
///     game.turn_over(card)?;
///     let mut turn = Vec::new();
///     while !game.draft(&turn)?.complete {
///         turn.push(game.draft(&turn)?.legal()[0].text.clone());
///     }
///     game.play(&turn)?;
/// }
/// assert!(game.awaits_card() && game.draft::<&str>(&[])?.legal().is_empty());
/// assert_eq!(seed.verify(promise, game.cards().iter()), Ok(()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Seed([u8; 32]);

impl Seed {
    #[must_use]
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Returns the seed in hex, for publication.
    #[must_use]
    pub fn reveal(&self) -> String {
        hex(&self.0)
    }

    /// The hash that is published when the game is created.
    #[must_use]
    pub fn hash(&self) -> SeedHash {
        SeedHash(Sha256::digest(self.0).into())
    }

    /// The card that is turned over when a turn begins (RULES 1.17).
    #[must_use]
    pub fn card(&self, turn: TurnNumber) -> Card {
        let (round, index) = place(turn);
        self.shuffled(turn, round)[index]
    }

    /// The pack of the side whose turn it is, as shuffled for its round (RULES 1.18).
    fn shuffled(&self, turn: TurnNumber, round: u16) -> [Card; N_CARDS] {
        let mut pack = std::array::from_fn(|index| Card::ALL[index / usize::from(N_ALIKE)]);
        let side = turn.side().digit();
        for i in (1..N_CARDS as u8).rev() {
            let digest = Sha256::new()
                .chain_update(self.0)
                .chain_update([side])
                .chain_update(u32::from(round).to_be_bytes())
                .chain_update([i])
                .finalize();
            let value = digest[..8].iter().fold(0, |value: u64, byte| value << 8 | u64::from(*byte));
            pack.swap(i.into(), (value % (u64::from(i) + 1)) as usize);
        }
        pack
    }

    /// Verifies that this is the seed of a hash, and that these are its cards.
    ///
    /// # Errors
    /// The first difference.
    pub fn verify<'c>(
        &self,
        hash: SeedHash,
        cards: impl IntoIterator<Item = &'c (TurnNumber, Card)>,
    ) -> Result<(), Unfair> {
        if self.hash() != hash {
            return Err(Unfair::Hash);
        }
        let differs = |(turn, card): &&(TurnNumber, Card)| self.card(*turn) != *card;
        match cards.into_iter().find(differs) {
            Some(&(turn, shown)) => Err(Unfair::Card { turn, shown, fixed: self.card(turn) }),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Seed(secret)")
    }
}

impl FromStr for Seed {
    type Err = NotASeed;

    fn from_str(text: &str) -> Result<Self, NotASeed> {
        unhex(text).map(Self)
    }
}

/// SHA-256 of a seed, which commits to it. Printed and parsed in hex.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct SeedHash([u8; 32]);

impl fmt::Display for SeedHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex(&self.0))
    }
}

impl fmt::Debug for SeedHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SeedHash({self})")
    }
}

impl FromStr for SeedHash {
    type Err = NotASeed;

    fn from_str(text: &str) -> Result<Self, NotASeed> {
        unhex(text).map(Self)
    }
}

/// The error of a text that is neither a seed nor a hash.
#[derive(Clone, Copy, PartialEq, Eq, Error, Debug)]
#[error("expected 32 bytes as 64 digits `0` to `9` and `a` to `f`")]
pub struct NotASeed;

/// The error of a game whose seed or cards differ from the published hash.
#[derive(Clone, Copy, PartialEq, Eq, Error, Debug)]
pub enum Unfair {
    #[error("the seed is not the one whose hash was published")]
    Hash,
    #[error("the card of turn {turn} was {shown} where the seed has {fixed}")]
    Card { turn: TurnNumber, shown: Card, fixed: Card },
}

fn hex(bytes: &[u8; 32]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex(text: &str) -> Result<[u8; 32], NotASeed> {
    let digit = |byte| match byte {
        b'0'..=b'9' => Ok(byte - b'0'),
        b'a'..=b'f' => Ok(byte - b'a' + 10),
        _ => Err(NotASeed),
    };
    let digits = text.bytes().map(digit).collect::<Result<Vec<u8>, NotASeed>>()?;
    let (pairs, rest) = digits.as_chunks();
    let bytes: Vec<u8> = pairs.iter().map(|[high, low]| high << 4 | low).collect();
    if !rest.is_empty() {
        return Err(NotASeed);
    }
    bytes.try_into().map_err(|_| NotASeed)
}
