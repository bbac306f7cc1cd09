//! Visibility of characters, by Unicode's data. Names must be visible and must not imitate others; chat lines lose
//! their invisible characters.

use icu_properties::{
    CodePointMapData, CodePointSetData,
    props::{DefaultIgnorableCodePoint, GeneralCategory},
};
use unicode_normalization::UnicodeNormalization;
use unicode_security::{
    GeneralSecurityProfile, RestrictionLevel, RestrictionLevelDetection, confusable_detection::skeleton,
};

/// Maximum number of combining marks in a row: pointed Hebrew has three on one letter, and more would cover the lines
/// around.
const MAX_MARKS: usize = 3;

/// Maximum number of joiners in a row, as in emoji of several parts.
const MAX_JOINERS: usize = 2;

/// Maximum number of bytes of a name before normalisation: those of the longest stored name, and those that composition
/// removes.
const NAME_BYTES: usize = 256;

/// Maximum number of bytes of a line before normalisation, for each character of its longest stored form: four bytes of
/// UTF-8 for each of four characters, because invisible ones are removed and the others are composed.
const LINE_BYTES_PER_CHAR: usize = 16;

/// Characters that Unicode counts as letters, marks or symbols though they are empty: the Braille pattern without dots,
/// the object replacement character, the null notehead, and fillers of Khitan and of hieroglyphs.
const EMPTY: [char; 6] = ['\u{2800}', '\u{fffc}', '\u{1d159}', '\u{16fe4}', '\u{13441}', '\u{13442}'];

/// Brackets of markup. Pages escape names, but programs of others that read games and records may not.
const MARKUP: [char; 2] = ['<', '>'];

/// The word in the names of bots, in capitals.
const BOT: &str = "BOT";

/// Visual class of a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CharClass {
    /// A letter or a number.
    Letter,
    /// Punctuation or a symbol, emoji among them.
    Symbol,
    /// A mark on the character before.
    Mark,
    /// A mark that encloses the character before, as in keycap emoji.
    Frame,
    Blank,
    /// An invisible character that joins or separates letters, or selects a variant of the character before.
    Joiner,
    /// Any other invisible or unknown character.
    Unseen,
}

impl CharClass {
    fn of(letter: char) -> Self {
        use GeneralCategory as Is;
        match letter {
            '\u{200c}' | '\u{200d}' | '\u{fe0e}' | '\u{fe0f}' => return Self::Joiner,
            _ if EMPTY.contains(&letter) => return Self::Unseen,
            _ if CodePointSetData::new::<DefaultIgnorableCodePoint>().contains(letter) => {
                return Self::Unseen;
            }
            _ => {}
        }
        match CodePointMapData::<GeneralCategory>::new().get(letter) {
            Is::UppercaseLetter
            | Is::LowercaseLetter
            | Is::TitlecaseLetter
            | Is::ModifierLetter
            | Is::OtherLetter
            | Is::DecimalNumber
            | Is::LetterNumber
            | Is::OtherNumber => Self::Letter,
            Is::NonspacingMark | Is::SpacingMark => Self::Mark,
            Is::EnclosingMark => Self::Frame,
            Is::DashPunctuation
            | Is::OpenPunctuation
            | Is::ClosePunctuation
            | Is::ConnectorPunctuation
            | Is::InitialPunctuation
            | Is::FinalPunctuation
            | Is::OtherPunctuation
            | Is::MathSymbol
            | Is::CurrencySymbol
            | Is::ModifierSymbol
            | Is::OtherSymbol => Self::Symbol,
            Is::SpaceSeparator | Is::LineSeparator | Is::ParagraphSeparator => Self::Blank,
            Is::Control if letter.is_whitespace() => Self::Blank,
            Is::Control | Is::Format | Is::Surrogate | Is::PrivateUse | Is::Unassigned => Self::Unseen,
        }
    }
}

/// Normalises a name (NFKC). Returns `None` if it is empty or too long, contains invisible or misleading characters, or
/// mixes scripts with similar letters, has a bracket of markup, or poses as a bot. Nothing is removed from a name, because
/// a player should get the chosen name or none.
pub(crate) fn name(text: &str, max_chars: usize) -> Option<String> {
    if text.len() > NAME_BYTES {
        return None;
    }
    // Some characters decompose into eighteen, so at most one character too many is examined.
    let name: String = text.nfkc().take(max_chars + 1).collect();
    if name.chars().count() > max_chars {
        return None;
    }
    let (mut before, mut n_marks) = (CharClass::Blank, 0);
    for letter in name.chars() {
        let look = CharClass::of(letter);
        n_marks = if look == CharClass::Mark { n_marks + 1 } else { 0 };
        let may_be = match look {
            CharClass::Letter => GeneralSecurityProfile::identifier_allowed(letter),
            CharClass::Symbol => true,
            CharClass::Mark => before != CharClass::Blank && n_marks <= MAX_MARKS,
            CharClass::Blank => letter == ' ' && before != CharClass::Blank,
            CharClass::Frame | CharClass::Joiner | CharClass::Unseen => false,
        };
        if !may_be {
            return None;
        }
        before = look;
    }
    // Punctuation and emoji have no script, and may be combined with any.
    let letters: String = name.chars().filter(|letter| CharClass::of(*letter) == CharClass::Letter).collect();
    let is_clear = letters.as_str().check_restriction_level(RestrictionLevel::ModeratelyRestrictive);
    let is_misread = name.contains(MARKUP) || poses_as_bot(&name);
    (before != CharClass::Blank && is_clear && !is_misread).then_some(name)
}

/// Whether a name looks like that of a bot, `Bot 1`, in any letters, spaces and punctuation. Names that only contain the
/// word are not meant: other people's programs may say what they are.
fn poses_as_bot(name: &str) -> bool {
    // Capitals of different scripts look more alike than small letters.
    let capitals = name.to_uppercase();
    let words = || capitals.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    let looks = |text: &str| skeleton(text).filter(|letter| letter.is_alphanumeric()).collect::<String>();
    // The skeleton of 1 and I is l, that of 0 is O.
    let is_digit = |look: char| look.is_numeric() || "lLO".contains(look);
    let is_number = |word: &str| looks(word).chars().all(is_digit);
    let joined: String = words().collect();
    looks(joined.trim_end_matches(char::is_numeric)) == BOT
        || (words().next().is_some_and(|first| looks(first) == BOT) && words().skip(1).all(is_number))
}

/// Normalises a line (NFC), and removes invisible characters, bidirectional controls and excess marks. Returns `None`
/// if nothing visible is left, or more than `max_chars`.
pub(crate) fn line(text: &str, max_chars: usize) -> Option<String> {
    let text = text.trim();
    if text.len() > max_chars * LINE_BYTES_PER_CHAR {
        return None;
    }
    let mut line = String::new();
    let (mut has_base, mut n_marks, mut n_joiners, mut shows) = (false, 0, 0, false);
    for letter in text.nfc() {
        match CharClass::of(letter) {
            CharClass::Letter | CharClass::Symbol => {
                (has_base, n_marks, n_joiners, shows) = (true, 0, 0, true);
                line.push(letter);
            }
            CharClass::Mark | CharClass::Frame if has_base && n_marks < MAX_MARKS => {
                n_marks += 1;
                line.push(letter);
            }
            CharClass::Joiner if has_base && n_joiners < MAX_JOINERS => {
                n_joiners += 1;
                line.push(letter);
            }
            CharClass::Blank => {
                (has_base, n_marks, n_joiners) = (false, 0, 0);
                line.push(' ');
            }
            CharClass::Mark | CharClass::Frame | CharClass::Joiner | CharClass::Unseen => {}
        }
    }
    // A removed character may have separated a letter from its mark.
    let line: String = line.trim().nfc().collect();
    (shows && line.chars().count() <= max_chars).then_some(line)
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng, rngs::StdRng};

    use super::*;

    const MAX: usize = 24;

    /// Characters that are invisible or misleading.
    const UNSEEN: [char; 40] = [
        '\u{3164}',
        '\u{115f}',
        '\u{1160}',
        '\u{ffa0}',
        '\u{2800}',
        '\u{17b4}',
        '\u{17b5}',
        '\u{34f}',
        '\u{180b}',
        '\u{180e}',
        '\u{1d173}',
        '\u{1bca0}',
        '\u{1d159}',
        '\u{16fe4}',
        '\u{fffc}',
        '\u{fffe}',
        '\u{ffff}',
        '\u{fdd0}',
        '\u{10ffff}',
        '\u{e000}',
        '\u{f8ff}',
        '\u{100000}',
        '\u{ad}',
        '\u{61c}',
        '\u{200b}',
        '\u{200e}',
        '\u{200f}',
        '\u{202a}',
        '\u{202e}',
        '\u{2060}',
        '\u{2066}',
        '\u{2069}',
        '\u{206a}',
        '\u{feff}',
        '\u{fff9}',
        '\u{e0001}',
        '\u{e0041}',
        '\u{e0100}',
        '\u{378}',
        '\u{7}',
    ];

    #[test]
    fn invisible_characters_are_rejected_in_names_and_removed_from_lines() {
        for letter in UNSEEN {
            let code = u32::from(letter);
            for text in
                [letter.to_string(), format!("A{letter}"), format!("A{letter}da"), format!("{letter}A")]
            {
                assert_eq!(name(&text, MAX), None, "U+{code:04X} in a name: {text:?}");
            }
            assert_eq!(line(&letter.to_string(), MAX), None, "U+{code:04X} alone");
            assert_eq!(line(&format!("a{letter}b"), MAX).as_deref(), Some("ab"), "U+{code:04X} in a line");
        }
    }

    #[test]
    fn names_in_all_scripts_are_accepted() {
        for text in [
            "Ada",
            "Léonard de Pise",
            "Œdipe",
            "O’Brien",
            "D'Artagnan",
            "Jean-Luc",
            "x",
            "Guest 1234",
            "[TK] Zoé_99!",
            "Ελένη",
            "Иван Грозный",
            "Ада 🗼",
            "Søren",
            "Nguyễn Thị Minh",
            "Łukasz",
            "ğüşİöç",
            "محمد علي",
            "مُحَمَّد",
            "דָּוִד",
            "אליעזר",
            "अमित",
            "স্বপন",
            "தமிழ்",
            "สมชาย",
            "ສົມ",
            "김철수",
            "山田 太郎",
            "ひらがな",
            "カタカナ・タロウ",
            "王伟",
            "李 Wei",
            "გიორგი",
            "Արամ",
            "አበበ",
            "🗼🗼",
            "👍🏽",
            "*",
            "...",
            "50%",
            "C++",
        ] {
            let composed: String = text.nfkc().collect();
            assert_eq!(name(text, MAX), Some(composed), "{text}");
        }
    }

    #[test]
    fn equivalent_spellings_of_a_name_are_normalised_to_one() {
        for (text, expected) in [
            ("Le\u{301}onard", "Léonard"),
            ("Ａｄａ", "Ada"),
            ("ﬁn", "fin"),
            ("𝔄𝔡𝔞", "Ada"),
            ("Ada\u{a0}L", "Ada L"),
            ("①", "1"),
        ] {
            assert_eq!(name(text, MAX).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn misleading_names_are_rejected() {
        for text in [
            "",
            " ",
            " Ada",
            "Ada ",
            "Ada  L",
            "Ada\tL",
            "Ada\nL",
            "\u{301}",
            "\u{301}a",
            "a \u{301}b",
            "\u{20dd}",
            "a\u{20dd}",
            "a\u{200d}b",
            "a\u{200c}b",
            "❤\u{fe0f}",
            // Cyrillic or Greek mixed with Latin.
            "А\u{64}a",
            "Adа",
            "Иvan",
            "Ελeνη",
            "pаypal",
            "Аdа 🗼",
            // Letters of historic scripts, and phonetic letters that resemble others.
            "\u{16a0}",
            "\u{10330}",
            "\u{1c3}",
        ] {
            assert_eq!(name(text, MAX), None, "{text:?}");
        }
        let heap = |n: usize| format!("a{}", "\u{324}\u{310}".repeat(n).chars().take(n).collect::<String>());
        assert_eq!(name(&heap(MAX_MARKS + 2), MAX), None);
        assert_eq!(name(&"x".repeat(MAX), MAX), Some("x".repeat(MAX)));
        assert_eq!(name(&"x".repeat(MAX + 1), MAX), None);
        assert_eq!(name("\u{fdfa}\u{fdfa}", MAX), None, "length is measured after normalisation");
    }

    #[test]
    fn no_name_poses_as_that_of_a_bot() {
        for text in [
            "Bot 1",
            "bot 8",
            "BOT 99",
            "Bot",
            "Bot1",
            "B o t 1",
            "B.o.t. 3",
            "Bot-2",
            "[Bot] 4",
            "Bot #5",
            "B0t 1",
            "Bot l",
            "Bot I",
            "Bot O",
            "Bot 1 0",
            "Böt 1",
            "Ｂｏｔ １",
            "Вот 1",
            "Βοτ 2",
            "Bot ①",
            "bot…7",
            "(bot)",
        ] {
            assert_eq!(name(text, MAX), None, "{text}");
        }
        for text in [
            "Botvinnik",
            "Boti",
            "Bottle 1",
            "Robot 1",
            "Ada's Bot",
            "Bot of Ada",
            "Abbot",
            "Jabot 3",
            "Bo T. Li",
            "1",
        ] {
            assert_eq!(name(text, MAX).as_deref(), Some(text));
        }
    }

    #[test]
    fn a_name_has_no_markup() {
        for text in ["<script>", "\"><svg onload=p()>", "a<b", "a>b", "＜b＞", "﹤b﹥"] {
            assert_eq!(name(text, MAX), None, "{text}");
        }
        assert_eq!(name("Tom & Jerry's \"1\"", MAX).as_deref(), Some("Tom & Jerry's \"1\""));
    }

    #[test]
    fn a_line_keeps_its_visible_characters() {
        for (text, expected) in [
            (" good luck! ", "good luck!"),
            ("e\u{301}", "é"),
            ("e\u{200b}\u{301}", "é"),
            ("two\nlines\u{2028}here", "two lines here"),
            ("👨\u{200d}👩\u{200d}👧 ❤\u{fe0f}", "👨\u{200d}👩\u{200d}👧 ❤\u{fe0f}"),
            ("می\u{200c}خواهم", "می\u{200c}خواهم"),
            ("1\u{fe0f}\u{20e3}", "1\u{fe0f}\u{20e3}"),
            ("\u{202e}evil\u{202c} \u{2067}x", "evil x"),
            ("\u{301}\u{200d}a", "a"),
            ("a\u{200d}\u{200d}\u{200d}\u{200d}b", "a\u{200d}\u{200d}b"),
            ("шahmat ♔ και", "шahmat ♔ και"),
        ] {
            assert_eq!(line(text, 300).as_deref(), Some(expected), "{text:?}");
        }
        let heaped = line(&format!("z{}", "\u{324}".repeat(200)), 300).unwrap();
        assert_eq!(heaped.chars().count(), 1 + MAX_MARKS, "excess marks are removed");
        for text in ["", " ", "\u{301}", "\u{200d}\u{fe0f}", " \u{200d} \n"] {
            assert_eq!(line(text, 300), None, "{text:?}");
        }
        assert_eq!(line(&"x".repeat(301), 300), None);
    }

    #[test]
    fn an_overlong_text_is_rejected() {
        // A character of three bytes that decomposes into eighteen characters.
        let composed = "\u{fdfa}".repeat(5_450);
        assert_eq!(name(&composed, MAX), None);
        assert_eq!(name(&composed[..NAME_BYTES / 3 * 3], MAX), None);
        assert_eq!(line(&composed, 300), None);
        assert_eq!(line(&format!("{}x{}", " ".repeat(8_000), " ".repeat(8_000)), 300).as_deref(), Some("x"));
    }

    #[test]
    fn normalisation_is_idempotent() {
        let mut chance = StdRng::seed_from_u64(7);
        let pieces = [
            'a', 'é', '\u{301}', '\u{324}', '\u{200d}', '\u{fe0f}', ' ', '\u{202e}', '\u{958}', '\u{344}',
            '🗼', '\u{1161}',
        ];
        for _ in 0..20_000 {
            let letter = |chance: &mut StdRng| match chance.random_range(0..4) {
                0 => chance.random::<char>(),
                _ => pieces[chance.random_range(0..pieces.len())],
            };
            let text: String = (0..chance.random_range(0..12)).map(|_| letter(&mut chance)).collect();
            if let Some(kept) = line(&text, 300) {
                assert_eq!(line(&kept, 300), Some(kept), "{text:?}");
            }
            if let Some(kept) = name(&text, MAX) {
                assert_eq!(name(&kept, MAX), Some(kept), "{text:?}");
            }
        }
    }
}
