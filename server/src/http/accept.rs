//! The preferences of a client (RFC 9110, 12.5): lists whose elements have a weight. Clients and proxies fill these headers with
//! whatever they like, so each element is read by itself, and one that cannot be read hides no other.

use axum::http::{HeaderMap, HeaderName};

use crate::net::headers::elements;

/// Returns the elements of a header's lists, over all lines of the header, with their weights from 0 to 1.
pub(super) fn weighted<'a>(
    headers: &'a HeaderMap,
    name: &HeaderName,
) -> impl Iterator<Item = (&'a str, f32)> {
    elements(headers, name).filter_map(|element| str::from_utf8(element).ok()).filter_map(|element| {
        let mut parts = element.split(';').map(str::trim);
        let named = parts.next().filter(|named| !named.is_empty())?;
        Some((named, parts.find_map(weight).unwrap_or(1.0)))
    })
}

/// Returns the weight in a parameter; 0 if it is not a number, and `None` for another parameter.
fn weight(parameter: &str) -> Option<f32> {
    let (name, value) = parameter.split_once('=')?;
    let weight = name.trim_end().eq_ignore_ascii_case("q").then(|| value.trim_start().parse::<f32>())?;
    Some(weight.ok().filter(|weight| weight.is_finite()).map_or(0.0, |weight| weight.clamp(0.0, 1.0)))
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderValue, header};

    use super::*;

    #[test]
    fn each_element_of_a_list_counts_by_itself() {
        for (lines, expected) in [
            (&[][..], &[][..]),
            (&["", " , ,;q=1"], &[]),
            (&["gzip"], &[("gzip", 1.0)]),
            (&["gzip;q=0.5, br ; Q=1.0"], &[("gzip", 0.5), ("br", 1.0)]),
            (&["gzip; q = 0.5"], &[("gzip", 0.5)]),
            (&["text/html;level=1;q=0.4;x=y"], &[("text/html", 0.4)]),
            (&["a;q=0", "b;q=0.000", "c;q=1.000"], &[("a", 0.0), ("b", 0.0), ("c", 1.0)]),
            (
                &["a;q=2, b;q=-1, c;q=inf, d;q=NaN, e;q=, f;q=x"],
                &[("a", 1.0), ("b", 0.0), ("c", 0.0), ("d", 0.0), ("e", 0.0), ("f", 0.0)],
            ),
        ] {
            let mut headers = HeaderMap::new();
            for line in lines {
                headers.append(header::ACCEPT, HeaderValue::from_static(line));
            }
            let read: Vec<_> = weighted(&headers, &header::ACCEPT).collect();
            assert_eq!(read, expected, "{lines:?}");
        }
        let bytes = HeaderValue::from_bytes(b"\xff, fr;q=0.3, \xe9;q=1").unwrap();
        let headers = HeaderMap::from_iter([(header::ACCEPT, bytes)]);
        assert_eq!(weighted(&headers, &header::ACCEPT).collect::<Vec<_>>(), [("fr", 0.3)]);
    }
}
