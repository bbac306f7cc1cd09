//! The push services that messages may go to. Browsers name them, so whoever sends a subscription chooses where requests go:
//! only known hosts count, and only public addresses of theirs.

use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    str::FromStr,
};

use url::{Host, Position, Url};

use crate::net::origin::Origin;

/// Maximum number of bytes of an endpoint.
const MAX_ENDPOINT: usize = 1_024;

/// A push service: a domain with its subdomains, which has public addresses and is reached over HTTPS at the usual port, or
/// an origin, which may be anywhere.
///
/// For example, `push.services.mozilla.com` covers `updates.push.services.mozilla.com`, and `http://10.0.0.7:9090` a server of
/// one's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PushHost {
    Domain(String),
    Origin(Origin),
}

/// A text that names no push service.
#[derive(Debug, thiserror::Error)]
#[error("a push service is a domain, as push.example, or an origin, as https://push.example:8443")]
pub struct NoPushHost;

impl FromStr for PushHost {
    type Err = NoPushHost;

    fn from_str(text: &str) -> Result<Self, NoPushHost> {
        if text.contains("://") {
            return text.parse().map(Self::Origin).map_err(|_| NoPushHost);
        }
        let is_label = |label: &str| {
            let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
            (1..=63).contains(&label.len()) && label.bytes().all(is_letter)
        };
        let is_domain = text.contains('.') && text.split('.').all(is_label);
        if is_domain && text.parse::<IpAddr>().is_err() {
            Ok(Self::Domain(text.to_ascii_lowercase()))
        } else {
            Err(NoPushHost)
        }
    }
}

/// The endpoint of a subscription at a known push service.
#[derive(Clone, Debug)]
pub(super) struct Target {
    url: Url,
    /// Whether its addresses must be public ones.
    must_be_public: bool,
}

/// Error for a push service that cannot be reached by its name.
#[derive(Debug, thiserror::Error)]
pub(super) enum LookupError {
    #[error("the name of the push service is not known")]
    Unknown(#[from] std::io::Error),
    #[error("the push service has no public address")]
    NotPublic,
}

impl Target {
    /// Reads an endpoint; `None` if it is at none of these push services.
    pub(super) fn at(hosts: &[PushHost], endpoint: &str) -> Option<Self> {
        if endpoint.len() > MAX_ENDPOINT {
            return None;
        }
        let url = Url::parse(endpoint).ok()?;
        let has_more = !url.username().is_empty() || url.password().is_some() || url.fragment().is_some();
        if has_more || !["http", "https"].contains(&url.scheme()) {
            return None;
        }
        let origin: Origin = url.origin().ascii_serialization().parse().ok()?;
        if hosts.iter().any(|host| matches!(host, PushHost::Origin(named) if *named == origin)) {
            return Some(Self { url, must_be_public: false });
        }
        let Some(Host::Domain(name)) = url.host() else { return None };
        let is_usual = url.scheme() == "https" && url.port().is_none();
        let is_known = |host: &PushHost| matches!(host, PushHost::Domain(domain) if is_within(name, domain));
        (is_usual && hosts.iter().any(is_known)).then_some(Self { url, must_be_public: true })
    }

    pub(super) fn is_https(&self) -> bool {
        self.url.scheme() == "https"
    }

    /// The origin, for which a token counts.
    pub(super) fn audience(&self) -> String {
        self.url.origin().ascii_serialization()
    }

    /// The host, with the port if it is not the usual one.
    pub(super) fn authority(&self) -> &str {
        &self.url[Position::BeforeHost..Position::AfterPort]
    }

    /// The host, as certificates name it.
    pub(super) fn name(&self) -> &str {
        self.url.host_str().unwrap_or_default().trim_matches(['[', ']'])
    }

    pub(super) fn path(&self) -> &str {
        &self.url[Position::BeforePath..Position::AfterQuery]
    }

    /// Looks the addresses up. They are the ones to connect to: another look-up may find others.
    pub(super) async fn addresses(&self) -> Result<Vec<SocketAddr>, LookupError> {
        let port = self.url.port_or_known_default().unwrap_or_default();
        let mut addresses: Vec<SocketAddr> = match self.url.host() {
            Some(Host::Domain(name)) => tokio::net::lookup_host((name, port)).await?.collect(),
            Some(Host::Ipv4(address)) => vec![(address, port).into()],
            Some(Host::Ipv6(address)) => vec![(address, port).into()],
            None => Vec::new(),
        };
        if self.must_be_public {
            addresses.retain(|address| is_public(address.ip()));
        }
        if addresses.is_empty() { Err(LookupError::NotPublic) } else { Ok(addresses) }
    }
}

/// Returns the origin of a push service, without what names a subscription there.
pub(crate) fn service(endpoint: &str) -> Option<String> {
    Url::parse(endpoint).ok().map(|url| url.origin().ascii_serialization())
}

/// Whether a name is a domain's or a subdomain's.
fn is_within(name: &str, domain: &str) -> bool {
    name.strip_suffix(domain).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
}

/// Whether an address is one of the internet, and none of a machine, a local network or an old way to tunnel to those.
fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let is_special = match address.octets() {
        [0 | 10 | 127 | 240.., ..] => true,
        [100, second, ..] => (64..128).contains(&second),
        [192, 0, 0 | 2, _] | [198, 51, 100, _] | [203, 0, 113, _] | [192, 88, 99, _] => true,
        [198, second, ..] => [18, 19].contains(&second),
        _ => address.is_private() || address.is_link_local() || address.is_multicast(),
    };
    !is_special
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    match address.segments() {
        // The translation of an IPv4 address, in networks without such addresses.
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] => {
            is_public_v4(Ipv4Addr::from_bits(u32::from(high) << 16 | u32::from(low)))
        }
        // Protocols, tunnels and documentation.
        [0x2001, second, ..] if second < 0x200 || second == 0xdb8 => false,
        [0x2002, ..] | [0x3fff, 0..0x1000, ..] => false,
        [first, ..] => (0x2000..0x4000).contains(&first),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEFAULTS: [&str; 4] =
        ["fcm.googleapis.com", "push.services.mozilla.com", "push.apple.com", "notify.windows.com"];

    fn hosts(texts: &[&str]) -> Vec<PushHost> {
        texts.iter().map(|text| text.parse().unwrap()).collect()
    }

    #[test]
    fn endpoints_of_the_known_services_count() {
        for endpoint in [
            "https://fcm.googleapis.com/fcm/send/abc:def",
            "https://updates.push.services.mozilla.com/wpush/v2/abc",
            "https://web.push.apple.com/abc",
            "https://wns2-db5p.notify.windows.com/w/?token=abc%2b",
            "https://FCM.googleapis.com:443/abc",
        ] {
            let target = Target::at(&hosts(&DEFAULTS), endpoint).unwrap_or_else(|| panic!("{endpoint}"));
            assert!(target.must_be_public && target.is_https(), "{endpoint}");
        }
        let target = Target::at(&hosts(&DEFAULTS), "https://web.push.apple.com/a/b?c=d").unwrap();
        assert_eq!(
            (target.audience().as_str(), target.authority(), target.name(), target.path()),
            ("https://web.push.apple.com", "web.push.apple.com", "web.push.apple.com", "/a/b?c=d")
        );
    }

    #[test]
    fn endpoints_anywhere_else_do_not() {
        let long = format!("https://fcm.googleapis.com/{}", "a".repeat(MAX_ENDPOINT));
        for endpoint in [
            "",
            "fcm.googleapis.com/abc",
            "http://fcm.googleapis.com/abc",
            "https://fcm.googleapis.com:8443/abc",
            "https://fcm.googleapis.com./abc",
            "https://evilpush.apple.com/abc",
            "https://push.apple.com.evil.example/abc",
            "https://evil.example/push.apple.com",
            "https://push.apple.com@evil.example/abc",
            "https://ada:secret@web.push.apple.com/abc",
            "https://web.push.apple.com/abc#fragment",
            "https://evil.example\\.push.apple.com/abc",
            "https://127.0.0.1/abc",
            "https://[::1]/abc",
            "https://0x7f000001/abc",
            "ftp://web.push.apple.com/abc",
            "data:text/plain,web.push.apple.com",
            &long,
        ] {
            assert!(Target::at(&hosts(&DEFAULTS), endpoint).is_none(), "{endpoint}");
        }
    }

    #[test]
    fn an_origin_may_be_anywhere_and_counts_for_itself_alone() {
        let hosts = hosts(&["http://127.0.0.1:9090", "https://push.example"]);
        for endpoint in ["http://127.0.0.1:9090/abc", "https://push.example/abc"] {
            assert!(!Target::at(&hosts, endpoint).unwrap().must_be_public, "{endpoint}");
        }
        for endpoint in [
            "http://127.0.0.1:9091/abc",
            "https://127.0.0.1:9090/abc",
            "http://push.example/abc",
            "https://web.push.example/abc",
        ] {
            assert!(Target::at(&hosts, endpoint).is_none(), "{endpoint}");
        }
    }

    #[test]
    fn a_push_service_is_a_domain_or_an_origin() {
        for wrong in
            ["", "localhost", "127.0.0.1", "push..example", ".example", "*.example", "push.example/a", "://"]
        {
            assert!(wrong.parse::<PushHost>().is_err(), "{wrong}");
        }
        assert_eq!("Push.Example".parse::<PushHost>().unwrap(), PushHost::Domain("push.example".to_owned()));
    }

    #[tokio::test]
    async fn the_addresses_of_a_domain_are_public() {
        for (address, expected) in [
            ("8.8.8.8", true),
            ("0.0.0.0", false),
            ("10.1.2.3", false),
            ("100.64.0.1", false),
            ("100.128.0.1", true),
            ("127.0.0.1", false),
            ("169.254.169.254", false),
            ("172.16.0.1", false),
            ("172.32.0.1", true),
            ("192.0.2.1", false),
            ("192.168.0.1", false),
            ("198.18.0.1", false),
            ("203.0.113.9", false),
            ("224.0.0.1", false),
            ("240.0.0.1", false),
            ("255.255.255.255", false),
            ("2a00:1450:4001:80b::200a", true),
            ("2606:4700::1111", true),
            ("2001:4860:4860::8888", true),
            ("64:ff9b::8.8.8.8", true),
            ("64:ff9b::127.0.0.1", false),
            ("64:ff9b:1::1", false),
            ("::", false),
            ("::1", false),
            ("::ffff:127.0.0.1", false),
            ("::ffff:8.8.8.8", false),
            ("2001::1", false),
            ("2001:db8::1", false),
            ("2002:7f00:1::", false),
            ("3fff::1", false),
            ("fc00::1", false),
            ("fe80::1", false),
            ("ff02::1", false),
        ] {
            assert_eq!(is_public(address.parse().unwrap()), expected, "{address}");
        }
        let url = Url::parse("http://127.0.0.1:9090/abc").unwrap();
        let own = Target { url, must_be_public: false };
        assert_eq!(own.addresses().await.unwrap(), ["127.0.0.1:9090".parse().unwrap()]);
        let other = Target { must_be_public: true, ..own };
        assert!(matches!(other.addresses().await, Err(LookupError::NotPublic)));
    }
}
