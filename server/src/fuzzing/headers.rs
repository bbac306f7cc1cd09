//! Headers by which a server identifies the sender of a request, and the site of the page.

use std::net::{IpAddr, Ipv4Addr};

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};

use crate::net::{
    address::{Client, Misconfigured, Proxies},
    origin::{Origin, is_foreign},
};

const FORWARDED_FOR: &str = "x-forwarded-for";
const FORWARDED_PROTO: &str = "x-forwarded-proto";

/// Networks of the trusted proxies.
const TRUSTED: [&str; 2] = ["10.0.0.0/8", "fd00::/8"];

/// Address of the peer that sends a request whose first line names no address.
const PROXY: IpAddr = IpAddr::V4(Ipv4Addr::new(10, 0, 0, 1));

/// Address of a client behind the proxies.
const CLIENT: &str = "198.51.100.7";

/// The server's own origin, where it has one.
const OURS: &str = "https://towers.example";

/// Reads bytes as the peer's address and, line by line, the headers. The client is the one that an unbroken chain of
/// trusted proxies names, whatever headers the client sends itself. A request of a foreign page is detected.
pub fn headers(bytes: &[u8]) {
    let mut lines = bytes.split(|byte| *byte == b'\n');
    let peer = lines.next().and_then(|line| str::from_utf8(line).ok()?.parse().ok()).unwrap_or(PROXY);
    let headers: HeaderMap = lines.filter_map(header).collect::<Vec<_>>().into_iter().fold(
        HeaderMap::new(),
        |mut headers, (name, value)| {
            headers.append(name, value);
            headers
        },
    );
    client(peer, &headers);
    origin(&headers);
}

/// Reads a line as a header.
pub(super) fn header(line: &[u8]) -> Option<(HeaderName, HeaderValue)> {
    let colon = line.iter().position(|byte| *byte == b':')?;
    let name = HeaderName::from_bytes(&line[..colon]).ok()?;
    let value = HeaderValue::from_bytes(line[colon + 1..].trim_ascii()).ok()?;
    Some((name, value))
}

fn client(peer: IpAddr, headers: &HeaderMap) {
    let proxies = Proxies::new(&TRUSTED.map(|network| network.parse().expect("a network")));
    let is_proxy = proxies.are_trusted_at(peer);
    let is_untrusted = proxies.misconfigured(peer, headers) == Some(Misconfigured::Untrusted);
    assert_eq!(is_untrusted, !is_proxy && headers.contains_key(FORWARDED_FOR));
    let client = proxies.client(peer, headers);
    if !is_proxy {
        assert_eq!(client, Client { address: peer.into(), is_https: false }, "only a proxy names a client");
        return;
    }
    let named: Vec<Option<IpAddr>> =
        list(headers, FORWARDED_FOR).iter().map(|named| address(named)).collect();
    let chain: Vec<IpAddr> = named.iter().rev().map_while(|named| *named).collect();
    let first = chain.iter().find(|named| !proxies.are_trusted_at(**named));
    let expected = first.or(chain.last()).copied().unwrap_or(peer);
    let protocol = list(headers, FORWARDED_PROTO).first().map(|first| first.to_ascii_lowercase());
    let is_https = protocol.is_some_and(|protocol| protocol == b"https" || protocol == b"wss");
    assert_eq!(client, Client { address: expected.into(), is_https }, "{headers:?}");
    let mut passed_on = headers.clone();
    for hop in [CLIENT, "10.0.0.2"] {
        passed_on.append(FORWARDED_FOR, HeaderValue::from_static(hop));
        let named: IpAddr = CLIENT.parse().expect("an address");
        assert_eq!(proxies.client(peer, &passed_on).address, named.into(), "{passed_on:?}");
    }
}

/// The elements of a list, without quotes.
fn list(headers: &HeaderMap, name: &str) -> Vec<Vec<u8>> {
    let values: Vec<&[u8]> = headers.get_all(name).iter().map(HeaderValue::as_bytes).collect();
    let joined = values.join(&b',');
    let bare = |element: &[u8]| match element.trim_ascii() {
        [b'"', inner @ .., b'"'] => inner.trim_ascii().to_vec(),
        element => element.to_vec(),
    };
    joined.split(|byte| *byte == b',').map(bare).filter(|element| !element.is_empty()).collect()
}

/// Parses an address, with or without brackets, zone and port.
fn address(bytes: &[u8]) -> Option<IpAddr> {
    let text = str::from_utf8(bytes).ok()?;
    let is_bracketed = text.starts_with('[');
    let has_port = is_bracketed || text.matches(':').count() == 1;
    let host = if is_bracketed {
        let end = text.find(']')?;
        let port = &text[end + 1..];
        if !port.is_empty() && !port.starts_with(':') {
            return None;
        }
        &text[1..end]
    } else if has_port {
        &text[..text.find(':')?]
    } else {
        text
    };
    host.split('%').next()?.parse().ok()
}

fn origin(headers: &HeaderMap) {
    let ours: Origin = OURS.parse().expect("an origin");
    let sent: Vec<&HeaderValue> = headers.get_all(header::ORIGIN).iter().collect();
    let read =
        |value: &HeaderValue| str::from_utf8(value.as_bytes()).ok()?.trim_ascii().parse::<Origin>().ok();
    let all_are = |ours: &Origin| sent.iter().all(|sent| read(sent).as_ref() == Some(ours));
    assert_eq!(is_foreign(headers, Some(&ours)), !all_are(&ours), "{headers:?}");
    let hosts = [true, false].map(|is_https| Origin::of_host(headers, is_https));
    let is_own = sent.iter().all(|sent| read(sent).is_some() && hosts.contains(&read(sent)));
    assert!(is_foreign(headers, None) || is_own, "{headers:?}");
    for origin in sent.into_iter().filter_map(read) {
        assert_eq!(origin.to_string().parse::<Origin>().ok(), Some(origin), "{headers:?}");
    }
}
