//! Headers whose value is a list (RFC 9110, 5.6.1).

use axum::http::{HeaderMap, HeaderName};

/// Returns the elements of a header's list, over all lines of the header, without the white space around them. Empty
/// ones are left out. Clients and proxies fill headers with arbitrary bytes.
pub(crate) fn elements<'a>(
    headers: &'a HeaderMap,
    name: &HeaderName,
) -> impl DoubleEndedIterator<Item = &'a [u8]> {
    let values = headers.get_all(name).iter();
    let elements = values.flat_map(|value| value.as_bytes().split(|byte| *byte == b','));
    elements.map(<[u8]>::trim_ascii).filter(|element| !element.is_empty())
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderValue, header};

    use super::*;

    #[test]
    fn the_elements_of_a_list_are_those_of_all_lines_without_empty_ones() {
        for (lines, expected) in [
            (&[][..], &[][..]),
            (&[&b""[..], b" , ,\t,"], &[]),
            (&[b"a"], &[&b"a"[..]]),
            (&[b" a;q=1 ,\tb"], &[b"a;q=1", b"b"]),
            (&[b"a", b"b, c"], &[b"a", b"b", b"c"]),
            (&[b"\xff, b"], &[b"\xff", b"b"]),
        ] {
            let mut headers = HeaderMap::new();
            for line in lines {
                headers.append(header::ACCEPT, HeaderValue::from_bytes(line).unwrap());
            }
            assert_eq!(elements(&headers, &header::ACCEPT).collect::<Vec<_>>(), expected, "{lines:?}");
        }
    }
}
