/// Types as serde names them in its messages, and what they are to people who write JSON. The first that fits counts.
const TYPES: [(&str, &str); 16] = [
    ("u8", "a whole number from 0 to 255"),
    ("u16", "a whole number from 0 to 65535"),
    ("u32", "a whole number from 0 to 4294967295"),
    ("u64", "a whole number of 0 or more"),
    ("usize", "a whole number of 0 or more"),
    ("i64", "a whole number"),
    ("f64", "a number"),
    ("a sequence", "a list"),
    ("a map", "an object"),
    ("struct ", "an object"),
    ("internally tagged enum ", "an object"),
    ("adjacently tagged enum ", "an object"),
    ("enum ", "a word"),
    ("string or map", "a word or an object"),
    ("variant identifier", "a word"),
    ("ident", "a word"),
];

/// Word before an expected thing in a message.
const EXPECTED: &str = ", expected ";

/// Returns a message of serde without the names of the types of this program. For example, `invalid type: null, expected
/// u16 at line 1 column 9` becomes `invalid type: null, expected a whole number from 0 to 65535 at line 1 column 9`.
#[must_use]
pub fn in_plain_words(message: &str) -> String {
    let (message, place) = message.rfind(" at line ").map_or((message, ""), |at| message.split_at(at));
    let Some((found, expected)) = message.rsplit_once(EXPECTED) else { return [message, place].concat() };
    let fits = |name: &str| if name.ends_with(' ') { expected.starts_with(name) } else { expected == name };
    let plain = TYPES.iter().find(|(name, _)| fits(name)).map_or(expected, |(_, plain)| plain);
    [found, EXPECTED, plain, place].concat()
}

#[cfg(test)]
mod tests {
    use super::in_plain_words;

    #[test]
    fn a_message_names_no_type_of_the_program() {
        for (message, plain) in [
            (
                "invalid type: string \"1\", expected u16 at line 1 column 9",
                "invalid type: string \"1\", expected a whole number from 0 to 65535 at line 1 column 9",
            ),
            ("invalid type: null, expected struct Object", "invalid type: null, expected an object"),
            (
                "invalid length 3, expected struct Object with 13 elements",
                "invalid length 3, expected an object",
            ),
            ("invalid type: map, expected a string", "invalid type: map, expected a string"),
            ("unknown variant `x`, expected `a` or `b`", "unknown variant `x`, expected `a` or `b`"),
            ("missing field `turns` at line 2 column 1", "missing field `turns` at line 2 column 1"),
            ("expected value at line 1 column 1", "expected value at line 1 column 1"),
        ] {
            assert_eq!(in_plain_words(message), plain);
        }
    }
}
