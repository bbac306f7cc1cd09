//! Credentials of accounts: passwords and their hashes, how often they may be tried, and passkeys.

mod attempts;
mod passkeys;
mod passwords;

pub(crate) use self::{
    attempts::{Attempt, Attempts},
    passkeys::{Begun, Passkeys, challenge_of, player_of},
    passwords::{PasswordError, Passwords},
};
