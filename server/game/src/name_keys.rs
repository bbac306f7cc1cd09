//! Keys of names, by which look-alikes are found.

use unicode_normalization::UnicodeNormalization;
use unicode_security::confusable_detection::skeleton;

use crate::ids::PlayerName;

impl PlayerName {
    /// Returns the keys of the name: one to three, without duplicates, [the lower case](Self::folded) first. Two names are
    /// taken for each other if they have a key in common.
    ///
    /// Each of the three finds look-alikes that the others miss: `IDA` and `ida` meet in the lower case, `PaypaI` and
    /// `paypal` in the lower case of the skeleton, `Mark` and `rnark` in the skeleton of the lower case.
    pub fn keys(&self) -> Vec<String> {
        let (name, folded) = (self.normalised(), self.folded());
        let of_skeleton = lower_case(&skeleton(&name).collect::<String>());
        let of_folded = skeleton(&folded).collect();
        let mut keys = vec![folded];
        for key in [of_skeleton, of_folded] {
            if !keys.contains(&key) {
                keys.push(key);
            }
        }
        keys
    }

    /// Returns the name in lower case, the key by which its account is found.
    pub fn folded(&self) -> String {
        lower_case(&self.normalised())
    }

    /// Names from before the present rules may not be normalised.
    fn normalised(&self) -> String {
        self.as_str().nfkc().collect()
    }
}

/// A final sigma is another letter only in lower case.
fn lower_case(text: &str) -> String {
    text.to_lowercase().replace('ς', "σ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(name: &str) -> Vec<String> {
        PlayerName::try_from(name.to_owned()).unwrap().keys()
    }

    fn are_alike(one: &str, other: &str) -> bool {
        let others = keys(other);
        keys(one).iter().any(|key| others.contains(key))
    }

    #[test]
    fn look_alikes_have_a_key_in_common() {
        for (name, look_alikes) in [
            ("Ada", &["ada", "ADA", "aDa", "Ａｄａ", "𝔄𝔡𝔞", "Αda", "Аdа", "аda"][..]),
            ("Ida", &["IDA", "ida", "Ιda", "lda", "1da", "|da", "ⅰda", "ІDA", "ıda"]),
            ("paypal", &["PaypaI", "PAYPAL", "paypa1", "рaypal", "payPal", "рауpal"]),
            ("Mark", &["rnark", "mark", "MARK", "Rnark", "Маrk"]),
            ("Bill 10", &["BiII 10", "bill l0", "Bill IO", "bi11 10", "BILL 1O", "Bill lo"]),
            ("Léonard", &["Le\u{301}onard", "LÉONARD", "léonard", "Ｌéonard"]),
            ("Οδυσσεύς", &["ΟΔΥΣΣΕΎΣ", "οδυσσεύσ", "Oδυσσεύς"]),
            ("O’Brien", &["O'Brien", "o'brien", "0'Brien", "O`Brien"]),
        ] {
            for other in look_alikes {
                assert!(are_alike(name, other), "{name} {:?}, {other} {:?}", keys(name), keys(other));
                assert!(are_alike(other, name));
            }
        }
    }

    #[test]
    fn other_names_have_no_key_in_common() {
        let names = [
            "Ada",
            "Adam",
            "Ida",
            "Adda",
            "Anna",
            "Ana",
            "Ànna",
            "Paul",
            "Paula",
            "Pauli",
            "Mark",
            "Marc",
            "Nark",
            "Léonard",
            "Leonard",
            "Иван",
            "Иванна",
            "王伟",
            "王维",
            "Guest 1000",
            "Guest 1001",
            "a",
            "b",
            "🗼",
            "🗼🗼",
        ];
        for (place, name) in names.iter().enumerate() {
            for other in &names[place + 1..] {
                assert!(!are_alike(name, other), "{name} {:?}, {other} {:?}", keys(name), keys(other));
            }
        }
    }

    #[test]
    fn each_of_the_three_keys_is_needed() {
        assert_eq!(keys("ida"), ["ida"]);
        assert_eq!(keys("IDA"), ["ida", "lda"]);
        assert_eq!(keys("PaypaI"), ["paypai", "paypal"]);
        assert_eq!(keys("Mark"), ["mark", "rnark"]);
        assert_eq!(keys("MIm"), ["mim", "mlrn", "rnirn"]);
    }
}
