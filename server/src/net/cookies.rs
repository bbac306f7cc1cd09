//! Cookies of requests. Browsers send those of all programs on a host and on its parent domains in one header, so only
//! the bytes of the server's own cookies are read, whatever is around them.

use axum::http::{HeaderMap, header};

/// Returns the names and values of all cookies, in the order in which they were sent. Values are without quotes.
///
/// Only ASCII white space around a pair is removed, as browsers do. If other characters were, another host could plant
/// a cookie whose name begins with one of them, and it would count as a `__Host-` cookie.
pub(crate) fn pairs(headers: &HeaderMap) -> impl Iterator<Item = (&[u8], &[u8])> {
    let values = headers.get_all(header::COOKIE).iter();
    values.flat_map(|value| value.as_bytes().split(|byte| *byte == b';')).filter_map(|pair| {
        let pair = pair.trim_ascii();
        let place = pair.iter().position(|byte| *byte == b'=')?;
        let (name, value) = (&pair[..place], pair[place + 1..].trim_ascii());
        let quoted = value.strip_prefix(b"\"").and_then(|rest| rest.strip_suffix(b"\""));
        Some((name, quoted.unwrap_or(value)))
    })
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn cookies_are_found_whatever_other_programs_leave_around_them() {
        for lines in [
            &[&b"ours=1"[..]][..],
            &[b"theirs=\xe9; ours=1"],
            &[b"theirs=\xff\xfe;ours=1;more=\x80"],
            &[b"ours=1; theirs"],
            &[b"theirs; =; ;; ours=1;"],
            &[b"=theirs; \t ours= 1 \t"],
            &[b"theirs=\"a; ours=1"],
            &[b"ours=\"1\"; theirs=\""],
            &[b"theirs={\"a\":[1,2]}; ours=1"],
            &[b"theirs=%; ours=1; theirs=%zz"],
            &[b"theirs=a=b=c; ours=1"],
            &[b"theirs=\xe9", b"ours=1"],
            &[b"ours=1", b"", b"theirs=\xe9"],
        ] {
            let mut headers = HeaderMap::new();
            for line in lines {
                headers.append(header::COOKIE, HeaderValue::from_bytes(line).unwrap());
            }
            let ours: Vec<_> = pairs(&headers).filter(|(name, _)| *name == b"ours").collect();
            assert_eq!(ours, [(&b"ours"[..], &b"1"[..])], "{lines:?}");
        }
    }

    #[test]
    fn a_cookie_whose_name_only_resembles_another_is_not_that_one() {
        for line in
            ["xours=1", "ours x=1", "Ours=1", "\u{85}ours=1", "\u{2000}ours=1", "theirs=ours=1", "x, ours=1"]
        {
            let value = HeaderValue::from_bytes(line.as_bytes()).unwrap();
            let headers = HeaderMap::from_iter([(header::COOKIE, value)]);
            assert!(pairs(&headers).all(|(name, _)| name != b"ours"), "{line:?}");
        }
    }
}
