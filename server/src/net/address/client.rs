//! The client of a request: its address, also behind proxies.

use std::{
    net::{IpAddr, SocketAddr},
    sync::Arc,
};

use axum::http::{HeaderMap, HeaderName};
use ipnet::IpNet;

use super::Address;

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
        let named = headers.get_all(FORWARDED_FOR).iter().rev();
        // The part before the client's own address may be arbitrary bytes.
        let named = named.flat_map(|value| value.as_bytes().rsplit(|byte| *byte == b','));
        let mut address = peer;
        for named in named.map(named_address) {
            let Some(named) = named else { break };
            address = named;
            if !self.are_trusted_at(address) {
                break;
            }
        }
        let protocol = headers.get_all(FORWARDED_PROTO).iter().next_back();
        let is_https = protocol.is_some_and(|value| value.as_bytes().eq_ignore_ascii_case(b"https"));
        Client { address: address.into(), is_https }
    }

    /// Whether a request seems to come through an untrusted proxy.
    pub(crate) fn are_missing(&self, peer: IpAddr, headers: &HeaderMap) -> bool {
        headers.contains_key(FORWARDED_FOR) && !self.are_trusted_at(peer)
    }
}

/// An address in `X-Forwarded-For`; some proxies add the port.
fn named_address(bytes: &[u8]) -> Option<IpAddr> {
    let text = str::from_utf8(bytes).ok()?.trim();
    text.parse().ok().or_else(|| text.parse::<SocketAddr>().ok().map(|address| address.ip()))
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
            ("fd00::1", &["[2001:db8::1]:80"], "2001:db8::1"),
        ] {
            assert_eq!(client(peer, forwarded_for), ip(expected).into(), "{peer} {forwarded_for:?}");
        }
    }

    #[test]
    fn only_a_trusted_proxy_can_report_https() {
        let proxies = Proxies::new(&["10.0.0.0/8".parse().unwrap()]);
        let headers = HeaderMap::from_iter([(FORWARDED_PROTO, HeaderValue::from_static("https"))]);
        assert!(proxies.client(ip("10.0.0.1"), &headers).is_https);
        assert!(!proxies.client(ip("192.0.2.1"), &headers).is_https);
        assert!(!proxies.client(ip("10.0.0.1"), &HeaderMap::new()).is_https);
    }
}
