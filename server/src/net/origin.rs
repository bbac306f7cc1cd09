//! Origins: the sites whose pages may send requests in a visitor's name.

use std::{fmt, str::FromStr};

use axum::http::{HeaderMap, Uri, header, uri::Scheme};

/// An origin in the form that browsers send: scheme, host and port, in lower case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin(String);

/// A text that is not an origin.
#[derive(Debug, thiserror::Error)]
#[error(
    "an origin is https://HOST or http://HOST, with a port if it is not the usual one, and nothing behind it"
)]
pub struct NoOrigin;

impl FromStr for Origin {
    type Err = NoOrigin;

    fn from_str(text: &str) -> Result<Self, NoOrigin> {
        // `Uri` would drop a fragment.
        if text.contains('#') {
            return Err(NoOrigin);
        }
        let uri: Uri = text.parse().map_err(|_| NoOrigin)?;
        let is_web = uri.scheme().is_some_and(|scheme| *scheme == Scheme::HTTP || *scheme == Scheme::HTTPS);
        match (uri.scheme_str(), uri.authority()) {
            (Some(scheme), Some(host)) if is_web && uri.path() == "/" && uri.query().is_none() => {
                Ok(Self(format!("{scheme}://{host}").to_ascii_lowercase()))
            }
            _ => Err(NoOrigin),
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Whether a request was sent by a page of another site than `ours`, or without one, than its `Host`. Programs other
/// than browsers need not send an origin.
pub(crate) fn is_foreign(headers: &HeaderMap, ours: Option<&Origin>) -> bool {
    let Some(origin) = headers.get(header::ORIGIN) else { return false };
    let Some(origin) = origin.to_str().ok().and_then(|origin| origin.parse::<Origin>().ok()) else {
        return true;
    };
    match ours {
        Some(ours) => origin != *ours,
        None => {
            let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
            let authority = origin.0.split_once("://").map(|(_, authority)| authority);
            !matches!((authority, host), (Some(origin), Some(host)) if origin.eq_ignore_ascii_case(host))
        }
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn headers(origin: Option<&'static str>, host: &'static str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, HeaderValue::from_static(host));
        if let Some(origin) = origin {
            headers.insert(header::ORIGIN, HeaderValue::from_static(origin));
        }
        headers
    }

    #[test]
    fn only_a_page_of_the_own_host_acts_for_its_visitors() {
        for (origin, is_refused) in [
            (None, false),
            (Some("https://towers.example"), false),
            (Some("http://TOWERS.example"), false),
            (Some("https://towers.example:8443"), true),
            (Some("https://evil.example"), true),
            (Some("https://towers.example.evil.example"), true),
            (Some("null"), true),
            (Some(""), true),
            (Some("towers.example"), true),
        ] {
            assert_eq!(is_foreign(&headers(origin, "towers.example"), None), is_refused, "{origin:?}");
        }
    }

    #[test]
    fn an_origin_that_is_set_counts_whatever_host_a_proxy_passes_on() {
        let ours = "https://Towers.example".parse().unwrap();
        for (origin, is_refused) in [
            (None, false),
            (Some("https://towers.example"), false),
            (Some("http://towers.example"), true),
            (Some("https://inside:8080"), true),
        ] {
            assert_eq!(is_foreign(&headers(origin, "inside:8080"), Some(&ours)), is_refused, "{origin:?}");
        }
    }

    #[test]
    fn a_malformed_origin_is_refused() {
        for text in [
            "",
            "towers.example",
            "ftp://towers.example",
            "https://towers.example/path",
            "https://a?b",
            "https://towers.example#b",
            "https://towers.example/#",
        ] {
            assert!(text.parse::<Origin>().is_err(), "{text}");
        }
        assert_eq!(
            "HTTPS://Towers.Example:8443/".parse::<Origin>().unwrap().to_string(),
            "https://towers.example:8443"
        );
    }
}
