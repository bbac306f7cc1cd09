/// An action with the score by which actions are ordered.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scored<A> {
    pub(super) action: A,
    pub(super) order: i32,
    pub(super) is_quiet: bool,
}

/// Selection-sort step: swaps the best action from an index on into that index.
#[inline]
pub(super) fn select<A: Copy>(actions: &mut [Scored<A>], from: usize) -> Scored<A> {
    let mut best = from;
    for index in from + 1..actions.len() {
        if actions[index].order > actions[best].order {
            best = index;
        }
    }
    actions.swap(from, best);
    actions[from]
}

/// Number of signatures of actions.
const N_SIGNATURES: usize = 1 << 16;
/// Maximum absolute value in [`Successes`].
const MOST: i32 = 16_384;

/// History heuristic: cutoff success of quiet actions by side and signature.
#[derive(Debug)]
pub(super) struct Successes(Vec<i16>);

impl Successes {
    /// Bytes of memory.
    pub(super) const N_BYTES: usize = 2 * N_SIGNATURES * size_of::<i16>();

    pub(super) fn new() -> Self {
        Self(vec![0; 2 * N_SIGNATURES])
    }

    pub(super) fn clear(&mut self) {
        self.0.fill(0);
    }

    #[inline]
    const fn index(side: usize, signature: u16) -> usize {
        side * N_SIGNATURES + signature as usize
    }

    #[inline]
    pub(super) fn get(&self, side: usize, signature: u16) -> i32 {
        self.0[Self::index(side, signature)].into()
    }

    /// Moves the value towards a bound, by less the closer it already is (history gravity).
    #[inline]
    pub(super) fn add(&mut self, side: usize, signature: u16, bonus: i32) {
        let value = &mut self.0[Self::index(side, signature)];
        let now = i32::from(*value);
        *value = (now + bonus - now * bonus.abs() / MOST) as i16;
    }
}
