//! Secrets that people type or keep on paper. No debug text has them.

use std::fmt;

use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization;

/// Error for a text that is no such secret. It does not repeat the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {expected}")]
pub struct InvalidSecret {
    expected: &'static str,
}

macro_rules! secret {
    ($(#[$doc:meta])* $name:ident($inner:ty)) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
        #[cfg_attr(feature = "ts", derive(ts_rs::TS))]
        #[serde(try_from = "String")]
        #[cfg_attr(feature = "ts", ts(type = "string"))]
        #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
        #[cfg_attr(feature = "openapi", schema(value_type = String))]
        pub struct $name($inner);

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!(stringify!($name), "(…)"))
            }
        }
    };
}

secret! {
    /// Password to be checked, 1 to 128 characters. It is normalised to NFKC, since keyboards differ in how they compose
    /// characters.
    Password(String)
}

secret! {
    /// Password that a player chooses, 8 to 128 characters, and not easy to guess.
    NewPassword(Password)
}

secret! {
    /// Recovery code of an account: 20 letters and digits, in any case, with or without hyphens. The letters `I`, `L` and
    /// `O` count as the digits that they look like; `U` does not occur.
    RecoveryCode(String)
}

secret! {
    /// Secret of a link that counts once: 32 letters and digits.
    LinkSecret(String)
}

impl Password {
    /// Maximum number of characters.
    pub const MAX_CHARS: usize = 128;

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for Password {
    type Error = InvalidSecret;

    fn try_from(text: String) -> Result<Self, InvalidSecret> {
        // Some characters decompose into eighteen, so at most one character too many is kept.
        let password: String = text.nfkc().take(Self::MAX_CHARS + 1).collect();
        if (1..=Self::MAX_CHARS).contains(&password.chars().count()) {
            Ok(Self(password))
        } else {
            Err(InvalidSecret { expected: "a password of 1 to 128 characters" })
        }
    }
}

impl NewPassword {
    /// Minimum number of characters.
    pub const MIN_CHARS: usize = 8;

    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

impl TryFrom<String> for NewPassword {
    type Error = InvalidSecret;

    fn try_from(text: String) -> Result<Self, InvalidSecret> {
        match Password::try_from(text) {
            Ok(password) if password.as_str().chars().count() >= Self::MIN_CHARS => Ok(Self(password)),
            Ok(_) | Err(_) => Err(InvalidSecret { expected: "a password of 8 to 128 characters" }),
        }
    }
}

impl RecoveryCode {
    /// Number of letters and digits.
    pub const CHARS: usize = 20;

    /// Returns the code of random bytes, in groups of five as it is shown.
    pub fn new(random: [u8; Self::CHARS]) -> Self {
        let letters = random.map(letter);
        let groups: Vec<String> = letters.chunks(5).map(|group| group.iter().collect()).collect();
        Self(groups.join("-"))
    }

    /// The code as it is shown.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for RecoveryCode {
    type Error = InvalidSecret;

    fn try_from(text: String) -> Result<Self, InvalidSecret> {
        let invalid = InvalidSecret { expected: "a recovery code: 20 letters and digits in groups of five" };
        let mut random = [0; Self::CHARS];
        let mut letters = text.bytes().filter(|byte| !b"- ".contains(byte)).map(|byte| match byte {
            b'I' | b'i' | b'L' | b'l' => b'1',
            b'O' | b'o' => b'0',
            byte => byte.to_ascii_uppercase(),
        });
        for number in &mut random {
            let letter = letters.next().ok_or(invalid)?;
            let place = ALPHABET.iter().position(|known| *known == letter).ok_or(invalid)?;
            *number = u8::try_from(place).map_err(|_| invalid)?;
        }
        if letters.next().is_none() { Ok(Self::new(random)) } else { Err(invalid) }
    }
}

impl LinkSecret {
    /// Number of letters and digits.
    pub const CHARS: usize = 32;

    /// Returns the secret of random bytes.
    pub fn new(random: [u8; Self::CHARS]) -> Self {
        Self(random.map(letter).iter().collect())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for LinkSecret {
    type Error = InvalidSecret;

    fn try_from(text: String) -> Result<Self, InvalidSecret> {
        if text.len() == Self::CHARS && text.bytes().all(|byte| ALPHABET.contains(&byte)) {
            Ok(Self(text))
        } else {
            Err(InvalidSecret { expected: "the secret of a link: 32 letters and digits" })
        }
    }
}

/// Letters and digits, five bits each: none looks like another.
const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// Returns the letter of a random byte.
fn letter(random: u8) -> char {
    char::from(ALPHABET[usize::from(random) % ALPHABET.len()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_bounded_in_its_normal_form() {
        let password = |text: &str| Password::try_from(text.to_owned());
        assert_eq!(password("Le\u{301}onard").unwrap().as_str(), "Léonard");
        assert!(password("").is_err() && password(&"é".repeat(129)).is_err());
        assert!(password(&"e\u{301}".repeat(128)).is_ok());
        let new = |text: &str| NewPassword::try_from(text.to_owned());
        assert!(new("1234567").is_err() && new("12345678").is_ok() && new(&"x".repeat(129)).is_err());
    }

    #[test]
    fn secrets_are_in_no_debug_text() {
        let password = Password::try_from("correct horse".to_owned()).unwrap();
        assert_eq!(format!("{password:?}"), "Password(…)");
        assert_eq!(format!("{:?}", RecoveryCode::new([7; 20])), "RecoveryCode(…)");
        assert_eq!(format!("{:?}", LinkSecret::new([7; 32])), "LinkSecret(…)");
        assert!(!InvalidSecret { expected: "…" }.to_string().contains("correct"));
    }

    #[test]
    fn the_secret_of_a_link_is_read_as_it_is_written() {
        let secret = LinkSecret::new(std::array::from_fn(|number| number as u8));
        assert_eq!(secret.as_str(), "0123456789ABCDEFGHJKMNPQRSTVWXYZ");
        let read = |text: &str| LinkSecret::try_from(text.to_owned());
        assert_eq!(read(secret.as_str()), Ok(secret.clone()));
        let lower_case = secret.as_str().to_lowercase();
        for wrong in ["", &secret.as_str()[1..], &format!("{}0", secret.as_str()), &lower_case] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_recovery_code_is_read_however_a_person_types_it() {
        let code = RecoveryCode::new(std::array::from_fn(|number| number as u8));
        assert_eq!(code.as_str(), "01234-56789-ABCDE-FGHJK");
        for typed in [
            "01234-56789-ABCDE-FGHJK",
            "o1234 56789 abcde fghjk",
            "OL23456789abcdefghjk",
            " 0i234-56789abcdefghjk",
        ] {
            assert_eq!(RecoveryCode::try_from(typed.to_owned()).as_ref(), Ok(&code), "{typed}");
        }
        for wrong in [
            "",
            "01234-56789-ABCDE-FGHJ",
            "01234-56789-ABCDE-FGHJK1",
            "01234-56789-ABCDE-FGHJU",
            "é1234-56789-ABCDE-FGHJK",
        ] {
            assert!(RecoveryCode::try_from(wrong.to_owned()).is_err(), "{wrong}");
        }
        assert_eq!(RecoveryCode::new([255; 20]), RecoveryCode::new([31; 20]), "each byte gives five bits");
    }
}
