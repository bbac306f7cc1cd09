//! Origins: the sites whose pages may send requests in a visitor's name.

use std::{fmt, str::FromStr};

use axum::http::{HeaderMap, HeaderValue, header};
use url::Url;

/// An origin: scheme, host and port, as URLs compare them. The case of the host does not count, nor does its Unicode or
/// ASCII form, the dot of an absolute name, or a port that is the usual one of the scheme.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    scheme: Scheme,
    host: String,
    /// `None` for the usual port of the scheme.
    port: Option<u16>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scheme {
    Http,
    Https,
}

impl Scheme {
    const fn name(self) -> &'static str {
        match self {
            Self::Http => "http",
            Self::Https => "https",
        }
    }
}

/// A text that is not an origin.
#[derive(Debug, thiserror::Error)]
#[error(
    "an origin is https://HOST or http://HOST, with a port if it is not the usual one, and nothing behind it"
)]
pub struct NoOrigin;

/// Maximum length of an authority in bytes: 253 of a name in ASCII, with room for Unicode and a port. Reading a longer one
/// takes work that grows with the square of its length.
const MAX_AUTHORITY: usize = 512;

impl Origin {
    /// Returns the origin of a scheme and an authority, as in `Host`.
    fn of(scheme: Scheme, authority: &str) -> Option<Self> {
        // In these, an URL would find another part, or ignore them.
        let is_other =
            |letter: char| letter.is_whitespace() || letter.is_control() || "/\\?#@".contains(letter);
        if authority.is_empty() || authority.len() > MAX_AUTHORITY || authority.contains(is_other) {
            return None;
        }
        let url = Url::parse(&format!("{}://{authority}", scheme.name())).ok()?;
        let host = url.host_str()?;
        let host = host.strip_suffix('.').unwrap_or(host).to_owned();
        (!host.is_empty()).then(|| Self { scheme, host, port: url.port() })
    }

    /// Returns the origin that a request names by its `Host`.
    pub(crate) fn of_host(headers: &HeaderMap, is_https: bool) -> Option<Self> {
        Self::at_host(headers, if is_https { Scheme::Https } else { Scheme::Http })
    }

    fn at_host(headers: &HeaderMap, scheme: Scheme) -> Option<Self> {
        Self::of(scheme, text(headers.get(header::HOST)?)?)
    }

    /// The port, unless it is the usual one of either scheme.
    pub(crate) fn unusual_port(&self) -> Option<u16> {
        self.port.filter(|port| ![80, 443].contains(port))
    }
}

impl FromStr for Origin {
    type Err = NoOrigin;

    fn from_str(text: &str) -> Result<Self, NoOrigin> {
        let (scheme, rest) = text.split_once("://").ok_or(NoOrigin)?;
        let scheme = [Scheme::Http, Scheme::Https]
            .into_iter()
            .find(|known| scheme.eq_ignore_ascii_case(known.name()))
            .ok_or(NoOrigin)?;
        Self::of(scheme, rest.strip_suffix('/').unwrap_or(rest)).ok_or(NoOrigin)
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", self.scheme.name(), self.host)?;
        self.port.map_or(Ok(()), |port| write!(f, ":{port}"))
    }
}

/// Whether a request was sent by a page of another site than `ours`, or without one, than its `Host`. Programs other
/// than browsers need not send an origin.
pub(crate) fn is_foreign(headers: &HeaderMap, ours: Option<&Origin>) -> bool {
    headers.get_all(header::ORIGIN).iter().any(|sent| !is_own(sent, headers, ours))
}

fn is_own(sent: &HeaderValue, headers: &HeaderMap, ours: Option<&Origin>) -> bool {
    let Some(Ok(sent)) = text(sent).map(str::parse::<Origin>) else { return false };
    // A server behind a proxy does not know by which scheme the browser came, so a page of either is its own.
    ours.cloned().or_else(|| Origin::at_host(headers, sent.scheme)).is_some_and(|ours| ours == sent)
}

fn text(value: &HeaderValue) -> Option<&str> {
    str::from_utf8(value.as_bytes()).ok().map(str::trim_ascii)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(origin: Option<&str>, host: &str) -> HeaderMap {
        let value = |text: &str| HeaderValue::from_bytes(text.as_bytes()).unwrap();
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, value(host));
        if let Some(origin) = origin {
            headers.insert(header::ORIGIN, value(origin));
        }
        headers
    }

    #[test]
    fn an_authority_that_is_longer_than_any_name_is_not_read() {
        let label = "a".repeat(60);
        let long = |n_labels: usize| vec![label.as_str(); n_labels].join(".");
        assert!(!is_foreign(&headers(Some(&format!("https://{}", long(4))), &long(4)), None));
        let dear = format!("xn--{}", "a".repeat(MAX_AUTHORITY));
        for host in [long(10), dear] {
            assert!(is_foreign(&headers(Some(&format!("https://{host}")), &host), None), "{host}");
        }
    }

    #[test]
    fn only_a_page_of_the_own_host_acts_for_its_visitors() {
        for (origin, host, is_refused) in [
            (None, "towers.example", false),
            (Some("https://towers.example"), "towers.example", false),
            (Some("http://TOWERS.example"), "towers.example", false),
            (Some("https://towers.example"), "Towers.Example", false),
            (Some("https://towers.example"), "towers.example.", false),
            (Some("https://towers.example."), "towers.example", false),
            (Some("https://towers.example:443"), "towers.example", false),
            (Some("https://towers.example"), "towers.example:443", false),
            (Some("http://towers.example"), "towers.example:80", false),
            (Some("http://towers.example:80"), "towers.example", false),
            (Some("http://towers.example:8080"), "towers.example:8080", false),
            (Some("http://towers.example:8080"), "towers.example:08080", false),
            (Some("https://xn--checs-9ra.example"), "xn--checs-9ra.example", false),
            (Some("https://xn--checs-9ra.example"), "échecs.example", false),
            (Some("http://[2001:db8::1]:8080"), "[2001:DB8:0::1]:8080", false),
            (Some("http://[::1]"), "[::1]", false),
            (Some("http://127.0.0.1:8080"), "127.0.0.1:8080", false),
            (Some("https://towers.example:8443"), "towers.example", true),
            (Some("https://towers.example"), "towers.example:80", true),
            (Some("https://towers.example"), "towers.example:8443", true),
            (Some("http://towers.example"), "towers.example:443", true),
            (Some("https://evil.example"), "towers.example", true),
            (Some("https://towers.example.evil.example"), "towers.example", true),
            (Some("https://towers.example@evil.example"), "towers.example", true),
            (Some("https://evil.example"), "evil.example@towers.example", true),
            (Some("https://user@towers.example"), "towers.example", true),
            (Some("https://towers.example https://evil.example"), "towers.example", true),
            (Some("https://towers.example/"), "towers.example/x", true),
            (Some("http://[::1]"), "::1", true),
            (Some("null"), "towers.example", true),
            (Some("null"), "null", true),
            (Some(""), "towers.example", true),
            (Some("https://"), "", true),
            (Some("towers.example"), "towers.example", true),
            (Some("\u{e9}"), "\u{e9}", true),
        ] {
            assert_eq!(is_foreign(&headers(origin, host), None), is_refused, "{origin:?} at {host:?}");
        }
        let mut two = headers(Some("https://towers.example"), "towers.example");
        two.append(header::ORIGIN, HeaderValue::from_static("https://evil.example"));
        assert!(is_foreign(&two, None), "each of several counts");
    }

    #[test]
    fn an_origin_that_is_set_counts_whatever_host_a_proxy_passes_on() {
        let ours = "https://Towers.example:443".parse().unwrap();
        for (origin, is_refused) in [
            (None, false),
            (Some("https://towers.example"), false),
            (Some("https://TOWERS.example."), false),
            (Some("https://towers.example:443"), false),
            (Some("http://towers.example"), true),
            (Some("https://towers.example:80"), true),
            (Some("https://inside:8080"), true),
            (Some("null"), true),
        ] {
            assert_eq!(is_foreign(&headers(origin, "inside:8080"), Some(&ours)), is_refused, "{origin:?}");
        }
    }

    #[test]
    fn a_malformed_origin_is_refused() {
        for text in [
            "",
            "towers.example",
            "https:towers.example",
            "https://",
            "https:///towers.example",
            "https://.",
            "https://:8443",
            "https://towers.example:port",
            "https://towers.example:65536",
            "https://user@towers.example",
            "https://towers.example\\",
            " https://towers.example",
            "ftp://towers.example",
            "https://towers.example/path",
            "https://a?b",
            "https://towers.example#b",
            "https://towers.example/#",
        ] {
            assert!(text.parse::<Origin>().is_err(), "{text}");
        }
    }

    #[test]
    fn an_origin_has_one_form_however_it_is_written() {
        for (text, expected) in [
            ("HTTPS://Towers.Example:8443/", "https://towers.example:8443"),
            ("https://towers.example:443", "https://towers.example"),
            ("http://towers.example:443", "http://towers.example:443"),
            ("https://échecs.example", "https://xn--checs-9ra.example"),
            ("http://[0:0:0:0:0:0:0:1]:80", "http://[::1]"),
        ] {
            assert_eq!(text.parse::<Origin>().unwrap().to_string(), expected);
        }
    }
}
