//! Passwords: their strength, and their hashes by Argon2id. Both are computed on a pool of their own, since a hash takes
//! tens of milliseconds and much memory.

use argon2::{Argon2, Params, PasswordHasher, PasswordVerifier};
use game::ids::PlayerName;
use protocol::{NewPassword, Password, ProblemCode};
use zxcvbn::{Score, zxcvbn};

use crate::{
    compute::{Bounds, Compute, ComputeError, Requester},
    net::{
        address::Address,
        limits::{PASSWORDS_AT_ONCE, PASSWORDS_WAITING},
    },
    problem::Problem,
};

/// Memory of a hash, in KiB.
const MEMORY_KIB: u32 = 19 * 1024;

/// Passes over the memory.
const PASSES: u32 = 2;

/// Lanes that could be computed at once.
const LANES: u32 = 1;

/// Bytes of a salt.
const SALT: usize = 16;

/// Maximum number of characters whose strength is estimated: more can take seconds, and make no password weaker.
const ESTIMATED_CHARS: usize = 28;

/// Words that guessers try first here, besides those of the name.
const SITE: &str = "towers";

/// The hash that is compared where there is no account or no password, so that this takes as long. No password is known
/// to have it.
const NOBODYS: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// The pool that computes hashes.
#[derive(Clone, Debug)]
pub(crate) struct Passwords(Compute);

/// The reason why a password is not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum PasswordError {
    #[error("the password is easy to guess")]
    Weak,
    #[error("the password is another one")]
    Wrong,
    #[error(transparent)]
    Compute(#[from] ComputeError),
}

impl From<PasswordError> for Problem {
    fn from(error: PasswordError) -> Self {
        match error {
            PasswordError::Weak => ProblemCode::WeakPassword.into(),
            PasswordError::Wrong => ProblemCode::WrongCredentials.into(),
            PasswordError::Compute(error) => error.into(),
        }
    }
}

impl Passwords {
    /// Bounds of the pool. When the queue is full, the address with the most passwords in it gives way.
    pub(crate) const BOUNDS: Bounds = Bounds {
        n_threads: PASSWORDS_AT_ONCE,
        waiting_per_address: PASSWORDS_WAITING,
        waiting_in_all: PASSWORDS_WAITING,
    };

    pub(crate) fn new(pool: Compute) -> Self {
        Self(pool)
    }

    /// Returns the hash of a new password, as a PHC string.
    ///
    /// # Errors
    /// The password is weak, or there is too much to compute.
    pub(crate) async fn hash(
        &self,
        password: NewPassword,
        name: PlayerName,
        salt: [u8; SALT],
        by: Address,
    ) -> Result<String, PasswordError> {
        let work = move || {
            if is_weak(password.as_str(), name.as_str()) {
                return Err(PasswordError::Weak);
            }
            let hash = argon2().hash_password_with_salt(password.as_str().as_bytes(), &salt);
            Ok(hash.expect("the parameters, the salt and the password are valid").to_string())
        };
        self.0.run(Requester::visitor(by), work).await?
    }

    /// Verifies that a password has this hash, a PHC string; `None` is the hash of nobody's password.
    ///
    /// # Errors
    /// It has not, or there is too much to compute.
    pub(crate) async fn verify(
        &self,
        password: Password,
        hash: Option<String>,
        by: Address,
    ) -> Result<(), PasswordError> {
        let work = move || {
            let hash = hash.as_deref().unwrap_or(NOBODYS);
            argon2().verify_password(password.as_str().as_bytes(), hash).map_err(|_| PasswordError::Wrong)
        };
        self.0.run(Requester::visitor(by), work).await?
    }
}

fn argon2() -> Argon2<'static> {
    Params::new(MEMORY_KIB, PASSES, LANES, None).expect("the parameters are valid").into()
}

/// Whether a guesser who knows the name needs few guesses.
fn is_weak(password: &str, name: &str) -> bool {
    let estimated: String = password.chars().take(ESTIMATED_CHARS).collect();
    let known: Vec<&str> = [SITE, name].into_iter().chain(name.split(' ')).collect();
    zxcvbn(&estimated, &known).score() < Score::Three
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passwords() -> Passwords {
        Passwords::new(Compute::at_once())
    }

    async fn hash(password: &str, name: &str) -> Result<String, PasswordError> {
        let password = NewPassword::try_from(password.to_owned()).unwrap();
        let name = PlayerName::try_from(name.to_owned()).unwrap();
        passwords().hash(password, name, [7; SALT], Address::of_tests(1)).await
    }

    async fn verify(password: &str, hash: Option<String>) -> Result<(), PasswordError> {
        let password = Password::try_from(password.to_owned()).unwrap();
        passwords().verify(password, hash, Address::of_tests(1)).await
    }

    #[tokio::test]
    async fn a_password_has_its_hash_alone() {
        let hashed = hash("quartz violin marmalade", "Ada").await.unwrap();
        assert!(hashed.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{hashed}");
        assert_eq!(hashed.len(), NOBODYS.len());
        assert_eq!(verify("quartz violin marmalade", Some(hashed.clone())).await, Ok(()));
        assert_eq!(verify("quartz violin marmalad", Some(hashed.clone())).await, Err(PasswordError::Wrong));
        assert_eq!(
            verify("quartz violin marmalade", Some("no hash".to_owned())).await,
            Err(PasswordError::Wrong)
        );
        assert_eq!(verify("quartz violin marmalade", None).await, Err(PasswordError::Wrong));
    }

    #[test]
    fn nobodys_hash_is_compared_with_the_parameters_of_all_others() {
        let hash = argon2::PasswordHash::new(NOBODYS).unwrap();
        let params = Params::try_from(&hash).unwrap();
        assert_eq!((params.m_cost(), params.t_cost(), params.p_cost()), (MEMORY_KIB, PASSES, LANES));
    }

    #[tokio::test]
    async fn passwords_that_are_easy_to_guess_are_refused() {
        for weak in [
            "password",
            "12345678",
            "qwertyuiop",
            "aaaaaaaaaaaaaaaa",
            "towers2026",
            "Lovelace1",
            "Ada Lovelace",
        ] {
            assert_eq!(hash(weak, "Ada Lovelace").await, Err(PasswordError::Weak), "{weak}");
        }
        // Long repetitions and many substitutions took the estimate seconds, or beyond its numbers.
        for slow in ["qw".repeat(64), "12".repeat(20), "4@8({[<369&#!1/|0$5+7%2".repeat(5), "@".repeat(128)] {
            let hashed = hash(&slow, "Ada Lovelace").await;
            assert!(matches!(hashed, Ok(_) | Err(PasswordError::Weak)), "{slow}");
        }
        for strong in ["quartz violin marmalade", "xK9#mQ2$vL7!", "ελένη και ο μεγάλος πύργος"]
        {
            assert!(hash(strong, "Ada Lovelace").await.is_ok(), "{strong}");
        }
    }
}
