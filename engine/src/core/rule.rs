use std::fmt;

/// The number of a clause of the rules (`docs/rules.md`), such as `1.12`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rule(&'static str);

impl Rule {
    pub(crate) const TURN: Self = Self("0.2");
    pub(crate) const SIDES_ALTERNATE: Self = Self("0.4");
    pub(crate) const END: Self = Self("0.5");
    pub(crate) const START: Self = Self("0.9");
    pub(crate) const KO: Self = Self("4.4");

    pub(crate) const fn new(number: &'static str) -> Self {
        Self(number)
    }

    /// The number alone, such as `1.12`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        self.0
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}
