//! The client of a request: its address, also behind proxies.

use std::{net::IpAddr, sync::Arc};

use axum::http::{HeaderMap, HeaderName, header};
use ipnet::IpNet;

use super::Address;
use crate::net::headers::elements;

const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");
const FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");

/// The sender of a request, as far as it is known without a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Client {
    pub(crate) address: Address,
    /// Whether the request came over HTTPS, according to a trusted proxy.
    pub(crate) is_https: bool,
}

/// The trusted proxies: their forwarding headers are believed.
#[derive(Clone, Debug)]
pub(crate) struct Proxies(Arc<[IpNet]>);

impl Proxies {
    /// Returns the trusted proxies with addresses in these networks.
    pub(crate) fn new(networks: &[IpNet]) -> Self {
        Self(networks.into())
    }

    /// Whether a peer is a trusted proxy.
    pub(crate) fn are_trusted_at(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.0.iter().any(|network| network.contains(&address))
    }

    /// Returns the client of a request: the last address in the forwarding headers that is named by a trusted proxy and
    /// is not one itself. Each proxy appends the address that it received the request from; anything before the
    /// client's own address may be forged by the client.
    pub(crate) fn client(&self, peer: IpAddr, headers: &HeaderMap) -> Client {
        if !self.are_trusted_at(peer) {
            return Client { address: peer.into(), is_https: false };
        }
        let mut address = peer;
        for named in forwarded(headers, &FORWARDED_FOR).rev().map(named_address) {
            let Some(named) = named else { break };
            address = named;
            if !self.are_trusted_at(address) {
                break;
            }
        }
        // Of several, the first is the one that the browser used. A client that forges it harms only itself.
        let protocol = forwarded(headers, &FORWARDED_PROTO).next();
        let is_https = protocol.is_some_and(|protocol| {
            [b"https".as_slice(), b"wss"].iter().any(|secure| protocol.eq_ignore_ascii_case(secure))
        });
        Client { address: address.into(), is_https }
    }

    /// Returns why the clients of a proxy count as one address, if a request shows that they do.
    pub(crate) fn misconfigured(&self, peer: IpAddr, headers: &HeaderMap) -> Option<Misconfigured> {
        let names = headers.contains_key(FORWARDED_FOR);
        if self.are_trusted_at(peer) {
            (!names && headers.contains_key(header::FORWARDED)).then_some(Misconfigured::OnlyForwarded)
        } else {
            names.then_some(Misconfigured::Untrusted)
        }
    }
}

/// The reason why all clients of a proxy count as one address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Misconfigured {
    /// It is not among the trusted proxies.
    Untrusted,
    /// It names its clients by `Forwarded` (RFC 7239) alone. A proxy that does not write this header itself passes on
    /// the one that a client sent, so the server does not read it.
    OnlyForwarded,
}

/// Returns the elements of a forwarding header. Some proxies quote them.
fn forwarded<'a>(headers: &'a HeaderMap, name: &HeaderName) -> impl DoubleEndedIterator<Item = &'a [u8]> {
    elements(headers, name).map(unquoted).filter(|element| !element.is_empty())
}

fn unquoted(element: &[u8]) -> &[u8] {
    let quoted = element.strip_prefix(b"\"").and_then(|rest| rest.strip_suffix(b"\""));
    quoted.unwrap_or(element).trim_ascii()
}

/// Reads an address as proxies write it: with or without a port, one of IPv6 with or without brackets and a zone.
fn named_address(element: &[u8]) -> Option<IpAddr> {
    let text = str::from_utf8(element).ok()?;
    let host = match (text.strip_prefix('['), text.split_once(':')) {
        (Some(rest), _) => {
            let (host, port) = rest.split_once(']')?;
            (port.is_empty() || port.starts_with(':')).then_some(host)?
        }
        (None, Some((host, port))) if !port.contains(':') => host,
        (None, _) => text,
    };
    host.split_once('%').map_or(host, |(host, _zone)| host).parse().ok()
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    fn client(peer: &str, forwarded_for: &[&str]) -> Address {
        let proxies = Proxies::new(&["10.0.0.0/8".parse().unwrap(), "fd00::/8".parse().unwrap()]);
        let mut headers = HeaderMap::new();
        for value in forwarded_for {
            headers.append(FORWARDED_FOR, HeaderValue::from_bytes(value.as_bytes()).unwrap());
        }
        proxies.client(ip(peer), &headers).address
    }

    #[test]
    fn the_client_is_the_last_address_that_a_trusted_proxy_names() {
        for (peer, forwarded_for, expected) in [
            ("192.0.2.1", &[][..], "192.0.2.1"),
            ("192.0.2.1", &["198.51.100.7"], "192.0.2.1"),
            ("10.0.0.1", &[], "10.0.0.1"),
            ("10.0.0.1", &["198.51.100.7"], "198.51.100.7"),
            ("::ffff:10.0.0.1", &["198.51.100.7:4711"], "198.51.100.7"),
            ("10.0.0.1", &["203.0.113.9, 198.51.100.7,10.0.0.2"], "198.51.100.7"),
            ("10.0.0.1", &["203.0.113.9", "198.51.100.7"], "198.51.100.7"),
            ("10.0.0.1", &["203.0.113.9, nonsense"], "10.0.0.1"),
            ("10.0.0.1", &["\u{e9}, 198.51.100.7"], "198.51.100.7"),
            ("10.0.0.1", &["203.0.113.9, nonsense, 10.0.0.2"], "10.0.0.2"),
        ] {
            assert_eq!(client(peer, forwarded_for), ip(expected).into(), "{peer} {forwarded_for:?}");
        }
    }

    #[test]
    fn an_address_is_read_in_each_form_that_proxies_write() {
        for (element, expected) in [
            ("198.51.100.7", Some("198.51.100.7")),
            ("\t198.51.100.7 ", Some("198.51.100.7")),
            ("198.51.100.7:4711", Some("198.51.100.7")),
            ("\"198.51.100.7:4711\"", Some("198.51.100.7")),
            ("2001:db8::1", Some("2001:db8::1")),
            ("2001:DB8::1", Some("2001:db8::1")),
            ("[2001:db8::1]", Some("2001:db8::1")),
            ("[2001:db8::1]:443", Some("2001:db8::1")),
            ("\"[2001:db8::1]:_hidden\"", Some("2001:db8::1")),
            ("2001:db8::1%eth0", Some("2001:db8::1")),
            ("::ffff:198.51.100.7", Some("198.51.100.7")),
            ("[::ffff:198.51.100.7]:80", Some("198.51.100.7")),
            // An element that names nobody.
            ("unknown", None),
            ("_hidden", None),
            ("198.51.100", None),
            ("[2001:db8::1", None),
            ("[2001:db8::1]443", None),
            ("198.51.100.7 203.0.113.9", None),
            ("for=198.51.100.7", None),
        ] {
            let client = client("10.0.0.1", &["203.0.113.9", element]);
            assert_eq!(client, ip(expected.unwrap_or("10.0.0.1")).into(), "{element}");
        }
    }

    #[test]
    fn an_empty_element_of_a_list_names_nobody_and_hides_nobody() {
        for lines in [
            &["203.0.113.9, 198.51.100.7,"][..],
            &["203.0.113.9, 198.51.100.7, , 10.0.0.2"],
            &["203.0.113.9,198.51.100.7", ""],
            &["203.0.113.9", " , 198.51.100.7", ",", "\"\", 10.0.0.2"],
        ] {
            assert_eq!(client("10.0.0.1", lines), ip("198.51.100.7").into(), "{lines:?}");
        }
    }

    #[test]
    fn only_a_trusted_proxy_can_report_https() {
        let proxies = Proxies::new(&["10.0.0.0/8".parse().unwrap()]);
        let is_https = |peer: &str, lines: &[&'static str]| {
            let mut headers = HeaderMap::new();
            for line in lines {
                headers.append(FORWARDED_PROTO, HeaderValue::from_static(line));
            }
            proxies.client(ip(peer), &headers).is_https
        };
        assert!(!is_https("192.0.2.1", &["https"]));
        for (lines, expected) in [
            (&[][..], false),
            (&[""], false),
            (&["https"], true),
            (&["HTTPS"], true),
            (&[" https\t"], true),
            (&["\"https\""], true),
            (&["wss"], true),
            (&["ws"], false),
            (&["http"], false),
            (&["httpsx"], false),
            (&["https, http"], true),
            (&["https,https"], true),
            (&["http, https"], false),
            (&[", https"], true),
            (&["https", "http"], true),
        ] {
            assert_eq!(is_https("10.0.0.1", lines), expected, "{lines:?}");
        }
    }

    #[test]
    fn a_proxy_whose_clients_count_as_one_address_is_noticed() {
        let proxies = Proxies::new(&["10.0.0.0/8".parse().unwrap()]);
        let (named, forwarded) = (FORWARDED_FOR, header::FORWARDED);
        for (peer, names, expected) in [
            ("192.0.2.1", vec![], None),
            ("192.0.2.1", vec![&named], Some(Misconfigured::Untrusted)),
            ("192.0.2.1", vec![&forwarded], None),
            ("10.0.0.1", vec![], None),
            ("10.0.0.1", vec![&named], None),
            ("10.0.0.1", vec![&named, &forwarded], None),
            ("10.0.0.1", vec![&forwarded], Some(Misconfigured::OnlyForwarded)),
        ] {
            let value = HeaderValue::from_static("for=198.51.100.7");
            let headers = names.iter().map(|name| ((*name).clone(), value.clone())).collect();
            assert_eq!(proxies.misconfigured(ip(peer), &headers), expected, "{peer} {names:?}");
        }
    }
}
