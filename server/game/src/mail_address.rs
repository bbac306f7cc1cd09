use std::fmt;

use serde::{Deserialize, Serialize};

/// Maximum number of bytes of an address, of its local part, and of a label of its domain (RFC 5321, 4.5.3.1).
const MAX_BYTES: [usize; 3] = [254, 64, 63];

/// Mail address of a person: a local part without quotes, and the name of a domain, in ASCII. No debug text has it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(try_from = "String")]
#[cfg_attr(feature = "ts", ts(type = "string"))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(value_type = String))]
pub struct MailAddress(String);

/// Error for a text that is no such address. It does not repeat the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a mail address, as ada@towers.example")]
pub struct InvalidAddress;

impl MailAddress {
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the mailbox behind the address: in lower case, and without what follows a `+`, which most providers ignore.
    ///
    /// ```
    /// # use game::MailAddress;
    /// let address = MailAddress::try_from("Ada+towers@mail.example".to_owned()).unwrap();
    /// assert_eq!(address.mailbox(), "ada@mail.example");
    /// ```
    pub fn mailbox(&self) -> String {
        let (local, domain) = self.0.rsplit_once('@').expect("an address has both parts");
        let owner = local.split('+').next().expect("a split text has a first part");
        format!("{owner}@{domain}").to_ascii_lowercase()
    }

    /// Whether two addresses are the same but for the case of letters, which hardly any provider tells apart.
    pub fn is_same_as(&self, other: &Self) -> bool {
        self.0.eq_ignore_ascii_case(&other.0)
    }
}

impl fmt::Debug for MailAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MailAddress(…)")
    }
}

impl TryFrom<String> for MailAddress {
    type Error = InvalidAddress;

    fn try_from(text: String) -> Result<Self, InvalidAddress> {
        if is_address(&text) { Ok(Self(text)) } else { Err(InvalidAddress) }
    }
}

fn is_address(text: &str) -> bool {
    let [max, max_local, max_label] = MAX_BYTES;
    let Some((local, domain)) = text.rsplit_once('@') else { return false };
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric();
    let is_atom = |part: &str| {
        !part.is_empty() && part.bytes().all(|byte| is_letter(byte) || b"!#$%&'*+-/=?^_`{|}~".contains(&byte))
    };
    let is_label = |part: &str| {
        (1..=max_label).contains(&part.len())
            && part.bytes().all(|byte| is_letter(byte) || byte == b'-')
            && !part.starts_with('-')
            && !part.ends_with('-')
    };
    text.len() <= max
        && local.len() <= max_local
        && local.split('.').all(is_atom)
        && domain.contains('.')
        && domain.split('.').all(is_label)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> Result<MailAddress, InvalidAddress> {
        MailAddress::try_from(text.to_owned())
    }

    #[test]
    fn addresses_of_people_are_read_and_other_texts_are_not() {
        for right in
            ["ada@towers.example", "Ada.Lovelace+towers@mail.towers.example", "o'brien@xn--bcher-kva.example"]
        {
            assert_eq!(address(right).unwrap().as_str(), right);
        }
        let long = format!("{}@towers.example", "a".repeat(65));
        for wrong in [
            "",
            "ada",
            "@towers.example",
            "ada@",
            "ada@localhost",
            "ada@towers..example",
            "ada@-towers.example",
            ".ada@towers.example",
            "a..da@towers.example",
            "ada lovelace@towers.example",
            "ada@towers.example, bob@towers.example",
            "<ada@towers.example>",
            "\"ada\"@towers.example",
            "ada@towers.example\r\nBcc: bob@towers.example",
            "adé@towers.example",
            "ada@tours.exämple",
            &long,
        ] {
            assert_eq!(address(wrong), Err(InvalidAddress), "{wrong}");
        }
    }

    #[test]
    fn an_address_is_in_no_debug_text_and_its_case_does_not_matter() {
        let [one, other] = ["ada@towers.example", "Ada@Towers.Example"].map(|text| address(text).unwrap());
        assert!(one.is_same_as(&other) && one != other);
        assert!(!format!("{one:?} {:?}", address("nobody here")).contains("da@"));
    }
}
