//! Secrets that prove an account: passwords and their hashes, and how often they may be tried.

mod attempts;
mod passwords;

pub(crate) use self::{
    attempts::{Attempt, Attempts},
    passwords::{PasswordError, Passwords},
};
