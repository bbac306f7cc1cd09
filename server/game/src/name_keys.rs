//! Keys of names, by which look-alikes are found, and names that no account may have.

use unicode_normalization::UnicodeNormalization;
use unicode_security::confusable_detection::skeleton;

use crate::ids::PlayerName;

impl PlayerName {
    /// Returns the keys of the name: one to three, without duplicates, [the lower case](Self::folded) first. Two names are
    /// taken for each other if they have a key in common.
    ///
    /// Each of the three finds look-alikes that the others miss: `IDA` and `ida` meet in the lower case, `PaypaI` and
    /// `paypal` in the look of the name, `Mark` and `rnark` in the look of its lower case.
    pub fn keys(&self) -> Vec<String> {
        let (name, folded) = (self.normalised(), self.folded());
        let of_looks = [look(&name), look(&folded)];
        let mut keys = vec![folded];
        for key in of_looks {
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

    /// The first words of new guests' names, in English and in French.
    pub const WORDS_OF_GUESTS: [&str; 2] = ["Guest", "Invité"];

    /// Whether no account may have the name: it begins like that of a new guest, or has no other words than those by which
    /// a site speaks of itself.
    pub fn is_reserved(&self) -> bool {
        let keys =
            |word: &str| Self::try_from(word.to_owned()).map_or_else(|_| Vec::new(), |word| word.keys());
        let is_among = |word: &str, words: &[&str]| {
            let of_word = keys(word);
            words.iter().any(|other| keys(other).iter().any(|key| of_word.contains(key)))
        };
        let mut words = self.as_str().split(' ');
        let is_number = |word: &str| word.chars().all(char::is_numeric);
        words.clone().next().is_some_and(|first| is_among(first, &Self::WORDS_OF_GUESTS))
            || words.all(|word| is_number(word) || is_among(word, &WORDS_OF_THE_SITE))
                && !is_number(self.as_str())
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

/// Returns what a text looks like, in lower case: texts with the same look are taken for each other. It is the skeleton of
/// UTS 39, with what that leaves out, repeated until nothing changes: `M` is `m` in lower case, and `m` looks like `rn`.
fn look(text: &str) -> String {
    let mut look = text.to_owned();
    for _ in 0..MAX_ROUNDS {
        let mut next = String::with_capacity(look.len());
        for letter in lower_case(&skeleton(&look).collect::<String>()).chars() {
            match letter {
                // The dot of the letter takes its place.
                DOT_ABOVE if next.ends_with(['i', 'j', 'l', 'ı']) => {}
                'v' if next.ends_with('v') => {
                    next.pop();
                    next.push('w');
                }
                bar if BARS.contains(&bar) => next.push('l'),
                letter => next.push(letter),
            }
        }
        if next == look {
            break;
        }
        look = next;
    }
    look
}

/// Words by which a site speaks of itself.
const WORDS_OF_THE_SITE: [&str; 16] = [
    "Towers",
    "Admin",
    "Administrator",
    "Administrateur",
    "Administratrice",
    "Moderator",
    "Modérateur",
    "Modératrice",
    "Staff",
    "Support",
    "System",
    "Système",
    "Server",
    "Serveur",
    "Computer",
    "Ordinateur",
];

/// Most texts keep their look after the second round.
const MAX_ROUNDS: usize = 8;

const DOT_ABOVE: char = '\u{307}';

/// Upright bars that UTS 39 does not take for the letter `l`.
const BARS: [char; 8] =
    ['\u{2758}', '\u{23d0}', '\u{258f}', '\u{2595}', '\u{23b8}', '\u{23b9}', '\u{23ae}', '\u{4e28}'];

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
            ("Ida", &["IDA", "ida", "Ιda", "lda", "1da", "|da", "ⅰda", "ІDA", "ıda", "❘da", "⏐da", "丨da"]),
            ("Ida Mark", &["lda rnark", "IDA RNARK", "ida Mark"]),
            ("Maria", &["Mari\u{307}a", "MARIA"]),
            ("William", &["VVilliam", "vvilliam", "WILLIAM"]),
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
    fn no_account_has_a_name_like_that_of_a_guest_or_of_the_site() {
        for (name, expected) in [
            ("Guest 4711", true),
            ("guest", true),
            ("GUEST of Ada", true),
            ("Gueѕt 1000", true),
            ("Invité 1234", true),
            ("invite\u{301}", true),
            ("admin", true),
            ("Towers Moderator 2", true),
            ("Ordinateur", true),
            ("Guesty", false),
            ("Ada Guest", false),
            ("Ada Towers", false),
            ("Invite 1", false),
            ("1234", false),
        ] {
            assert_eq!(PlayerName::try_from(name.to_owned()).unwrap().is_reserved(), expected, "{name}");
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
        assert_eq!(keys("MIm"), ["mim", "rnlrn", "rnirn"]);
    }
}
