//! The session cookies of a request, and the tokens in them. The store has only a hash of a token.

use axum::http::{HeaderMap, HeaderValue};
use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use store::TokenHash;

use crate::{
    env::Env,
    net::{address::Client, cookies, origin::Origin},
};

/// Name of the session cookie over plain HTTP at the usual port.
pub(crate) const PLAIN_COOKIE: &str = "towers_session";

/// Name of the session cookie over HTTPS at the usual port. Browsers accept the prefix `__Host-` only over HTTPS, for
/// the whole site and from the host itself, so that no other host of the domain can plant it.
pub(crate) const HOST_COOKIE: &str = "__Host-towers_session";

/// Name of the cookie by which accounts recognise the browser, over plain HTTP at the usual port.
const PLAIN_DEVICE: &str = "towers_device";

/// The same over HTTPS.
const HOST_DEVICE: &str = "__Host-towers_device";

/// Maximum number of tokens of a request that are looked up. A browser has one; another server on the host, or a host of
/// the domain that plants cookies, may add some.
const MAX_TOKENS: usize = 8;

/// Lifetime of a session after its last use, and of its cookie after it was set: the longest that browsers keep one.
pub(super) const UNUSED_FOR_MS: i64 = 400 * DAY_MS;

pub(super) const DAY_MS: i64 = 86_400_000;

/// Bytes of a token.
const TOKEN: usize = 32;

/// Secret that proves a visitor's identity.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Token(Vec<u8>);

/// A session cookie, by its name. Browsers send cookies to all ports of a host, so the name has the port: servers at
/// several ports of a host have cookies of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SessionCookie {
    /// Whether it is for HTTPS alone.
    is_host: bool,
    /// `None` for the usual ports.
    port: Option<u16>,
}

/// The session cookies of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SessionCookies {
    /// The cookie of this server for this kind of connection.
    own: SessionCookie,
    /// The secret by which accounts recognise the browser.
    device: Option<Token>,
    /// Tokens that prove an identity, each with its cookie; those of the server's own cookie first.
    pub(super) proofs: Vec<(SessionCookie, Token)>,
    /// Tokens for plain HTTP, though the request came over HTTPS: they may be of an older release, or planted. They prove
    /// nothing, but can be exchanged for a new token of the same player.
    pub(super) plain: Vec<(SessionCookie, Token)>,
}

impl Token {
    /// Returns a random token.
    pub(crate) fn new(env: &Env) -> Self {
        Self(env.random::<[u8; TOKEN]>().into())
    }

    fn parse(value: &[u8]) -> Option<Self> {
        BASE64_URL_SAFE_NO_PAD.decode(value).ok().filter(|token| token.len() == TOKEN).map(Self)
    }

    /// The hash of the token, which the store keeps.
    pub(crate) fn hash(&self) -> TokenHash {
        TokenHash::of(&self.0)
    }
}

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Token").finish_non_exhaustive()
    }
}

impl SessionCookie {
    /// Reads the name of a cookie; `None` if it is not one of a session.
    fn named(name: &[u8]) -> Option<Self> {
        let (is_host, rest) = match name.strip_prefix(HOST_COOKIE.as_bytes()) {
            Some(rest) => (true, rest),
            None => (false, name.strip_prefix(PLAIN_COOKIE.as_bytes())?),
        };
        let port = match rest {
            [] => None,
            [b'_', port @ ..] => Some(str::from_utf8(port).ok()?.parse().ok()?),
            _ => return None,
        };
        Some(Self { is_host, port })
    }

    fn name(self) -> String {
        self.at_port(if self.is_host { HOST_COOKIE } else { PLAIN_COOKIE })
    }

    /// Name of the device cookie beside this one.
    fn device_name(self) -> String {
        self.at_port(if self.is_host { HOST_DEVICE } else { PLAIN_DEVICE })
    }

    fn at_port(self, name: &str) -> String {
        self.port.map_or_else(|| name.to_owned(), |port| format!("{name}_{port}"))
    }

    /// Returns the header that sets the cookie. Scripts cannot read it, and requests from other sites do not carry it.
    pub(crate) fn set(self, token: &Token) -> HeaderValue {
        self.header(&self.name(), &BASE64_URL_SAFE_NO_PAD.encode(&token.0), UNUSED_FOR_MS / 1000)
    }

    /// Returns the header that sets the device cookie beside this one, which outlives the session.
    pub(crate) fn set_device(self, device: &Token) -> HeaderValue {
        self.header(&self.device_name(), &BASE64_URL_SAFE_NO_PAD.encode(&device.0), UNUSED_FOR_MS / 1000)
    }

    /// Returns the header that removes the cookie.
    pub(crate) fn removal(self) -> HeaderValue {
        self.header(&self.name(), "", 0)
    }

    fn header(self, name: &str, value: &str, max_age_s: i64) -> HeaderValue {
        let secure = if self.is_host { "; Secure" } else { "" };
        let cookie = format!("{name}={value}; HttpOnly; SameSite=Lax{secure}; Path=/; Max-Age={max_age_s}");
        HeaderValue::from_str(&cookie).expect("a name, base64 and a number are a value")
    }
}

impl SessionCookies {
    /// Reads the session cookies of a request. Those of other ports count too: the server may have been at that port
    /// before, or a node of the same database may be there; the token of any other server is unknown.
    pub(crate) fn by(headers: &HeaderMap, client: Client, ours: Option<&Origin>) -> Self {
        let port = match ours {
            Some(ours) => ours.unusual_port(),
            None => Origin::of_host(headers, client.is_https).and_then(|host| host.unusual_port()),
        };
        let own = SessionCookie { is_host: client.is_https, port };
        let name = own.device_name();
        let device = cookies::pairs(headers).find(|(sent, _)| *sent == name.as_bytes());
        let device = device.and_then(|(_, value)| Token::parse(value));
        let named =
            || cookies::pairs(headers).filter_map(|(name, value)| Some((SessionCookie::named(name)?, value)));
        let is_own_there = client.is_https && named().any(|(cookie, _)| cookie == own);
        let mut sent: Vec<(SessionCookie, Token)> =
            named().filter_map(|(cookie, value)| Some((cookie, Token::parse(value)?))).collect();
        // The sort is stable: browsers send the cookies of the longest path first.
        sent.sort_by_key(|(cookie, _)| (!cookie.is_host, cookie.port != port, cookie.port.is_some()));
        let mut tokens: Vec<(SessionCookie, Token)> = Vec::new();
        for (cookie, token) in sent {
            if tokens.len() < MAX_TOKENS && !tokens.iter().any(|(_, known)| *known == token) {
                tokens.push((cookie, token));
            }
        }
        let (proofs, plain) = tokens.into_iter().partition(|(cookie, _)| cookie.is_host || !client.is_https);
        // A cookie that only this host may set does not give way to one that others can plant, even if it is broken.
        Self { own, device, proofs, plain: if is_own_there { Vec::new() } else { plain } }
    }

    /// The cookie in which this server keeps a session.
    pub(crate) fn own(&self) -> SessionCookie {
        self.own
    }

    /// The secret by which accounts recognise the browser.
    pub(crate) fn device(&self) -> Option<&Token> {
        self.device.as_ref()
    }

    /// Returns the headers that remove a session from the browser, which was found in a cookie: the cookies of this
    /// server, and no cookie of another server on the host.
    pub(crate) fn removals(&self, found: Option<SessionCookie>) -> Vec<HeaderValue> {
        let own = [true, false].map(|is_host| SessionCookie { is_host, ..self.own });
        let other = found.filter(|found| !own.contains(found));
        own.into_iter().chain(other).map(SessionCookie::removal).collect()
    }
}

#[cfg(test)]
mod tests {
    use axum::http::header;

    use super::*;

    const HTTP: SessionCookie = SessionCookie { is_host: false, port: None };
    const HTTPS: SessionCookie = SessionCookie { is_host: true, port: None };

    fn token(number: u8) -> Token {
        Token([number; TOKEN].into())
    }

    fn pair(cookie: SessionCookie, number: u8) -> String {
        format!("{}={}", cookie.name(), BASE64_URL_SAFE_NO_PAD.encode(&token(number).0))
    }

    fn carried(host: &str, is_https: bool, cookies: &[u8]) -> SessionCookies {
        let client = Client { address: std::net::IpAddr::from([127, 0, 0, 1]).into(), is_https };
        let headers = HeaderMap::from_iter([
            (header::HOST, host.parse().unwrap()),
            (header::COOKIE, HeaderValue::from_bytes(cookies).unwrap()),
        ]);
        SessionCookies::by(&headers, client, None)
    }

    /// Numbers of the tokens that prove an identity, and of those that can be exchanged.
    fn numbers(host: &str, is_https: bool, cookies: &str) -> (Vec<u8>, Vec<u8>) {
        let SessionCookies { proofs, plain, .. } = carried(host, is_https, cookies.as_bytes());
        let numbers =
            |tokens: Vec<(SessionCookie, Token)>| tokens.iter().map(|(_, token)| token.0[0]).collect();
        (numbers(proofs), numbers(plain))
    }

    #[test]
    fn a_cookie_proves_no_more_than_its_connection_can() {
        let (host, plain) = (pair(HTTPS, 1), pair(HTTP, 2));
        let (both, broken) = (format!("{plain}; {host}"), format!("{HOST_COOKIE}=; {plain}"));
        for (cookies, is_https, proofs, exchanged) in [
            ("lang=fr", true, &[][..], &[][..]),
            (&plain, false, &[2], &[]),
            (&plain, true, &[], &[2]),
            (&host, true, &[1], &[]),
            (&both, true, &[1], &[]),
            (&both, false, &[1, 2], &[]),
            (&broken, true, &[], &[]),
            (&broken, false, &[2], &[]),
        ] {
            let expected = (proofs.to_vec(), exchanged.to_vec());
            assert_eq!(numbers("h", is_https, cookies), expected, "{cookies} by HTTPS: {is_https}");
        }
    }

    #[test]
    fn a_session_is_found_whatever_other_programs_leave_in_the_header() {
        let ours = pair(HTTP, 1);
        for cookies in [
            format!("theirs=\u{e9}; {ours}"),
            format!("{ours}; theirs=\u{e9}"),
            format!("{PLAIN_COOKIE}=; {ours}"),
            format!("{PLAIN_COOKIE}=%; {PLAIN_COOKIE}=\u{ff}; {PLAIN_COOKIE}=short; {PLAIN_COOKIE}; {ours}"),
            ours.replace('=', "=\"") + "\"",
            format!("xtowers_session=a; towers_sessions=b; towers_session_=c; towers_session_x=d; {ours}"),
        ] {
            assert_eq!(numbers("h", false, &cookies).0, [1], "{cookies}");
        }
        let bytes = [b"theirs=\xff\xfe; ", ours.as_bytes()].concat();
        assert_eq!(carried("h", false, &bytes).proofs, [(HTTP, token(1))]);
    }

    #[test]
    fn of_several_session_cookies_each_is_tried_the_own_ones_first_and_a_bounded_number_of_them() {
        let at = |port| SessionCookie { port: Some(port), ..HTTP };
        let cookies = [pair(at(9000), 1), pair(HTTP, 2), pair(at(8080), 3), pair(at(8080), 4), pair(HTTP, 3)];
        assert_eq!(numbers("h:8080", false, &cookies.join("; ")).0, [3, 4, 2, 1]);
        assert_eq!(numbers("h", false, &cookies.join("; ")).0, [2, 3, 1, 4]);
        let many: Vec<String> = (0..100).map(|number| pair(HTTP, number)).collect();
        assert_eq!(numbers("h", false, &many.join("; ")).0.len(), MAX_TOKENS);
    }

    #[test]
    fn servers_at_two_ports_of_a_host_have_cookies_of_their_own() {
        for (host, is_https, name) in [
            ("h", false, "towers_session"),
            ("h:80", false, "towers_session"),
            ("h:8080", false, "towers_session_8080"),
            ("[::1]:8081", false, "towers_session_8081"),
            ("h", true, "__Host-towers_session"),
            ("h:443", true, "__Host-towers_session"),
            ("h:8443", true, "__Host-towers_session_8443"),
        ] {
            assert_eq!(carried(host, is_https, b"").own().name(), name, "{host}");
        }
        let removed = |carried: &SessionCookies, found| {
            let removals = carried.removals(found);
            removals
                .iter()
                .map(|value| value.to_str().unwrap().split('=').next().unwrap().to_owned())
                .collect()
        };
        let own: Vec<String> = removed(&carried("h:8080", false, b""), None);
        assert_eq!(own, ["__Host-towers_session_8080", "towers_session_8080"]);
        let earlier: Vec<String> = removed(&carried("h:8080", false, b""), Some(HTTP));
        assert_eq!(earlier, ["__Host-towers_session_8080", "towers_session_8080", "towers_session"]);
    }

    #[test]
    fn a_device_is_read_from_the_cookie_of_this_server_alone() {
        for (host, is_https, cookies, expected) in [
            ("h", false, "towers_device=TOKEN", true),
            ("h", true, "towers_device=TOKEN", false),
            ("h", true, "__Host-towers_device=TOKEN", true),
            ("h:8080", false, "towers_device=TOKEN", false),
            ("h:8080", false, "towers_device_8080=TOKEN", true),
            ("h", false, "towers_device=", false),
        ] {
            let cookies = cookies.replace("TOKEN", &BASE64_URL_SAFE_NO_PAD.encode(&token(1).0));
            let device = carried(host, is_https, cookies.as_bytes()).device;
            assert_eq!(device, expected.then(|| token(1)), "{cookies} to {host}, by HTTPS: {is_https}");
        }
        let value = BASE64_URL_SAFE_NO_PAD.encode(&token(1).0);
        let set = HTTPS.set_device(&token(1));
        assert!(set.to_str().unwrap().starts_with(&format!("__Host-towers_device={value}; HttpOnly; ")));
    }

    #[test]
    fn a_cookie_lives_as_long_as_its_session_and_is_kept_from_scripts_and_other_sites() {
        let value = BASE64_URL_SAFE_NO_PAD.encode(&token(1).0);
        let expected = format!(
            "__Host-towers_session={value}; HttpOnly; SameSite=Lax; Secure; Path=/; Max-Age={}",
            400 * 24 * 60 * 60
        );
        assert_eq!(HTTPS.set(&token(1)), expected);
        for document in
            [include_str!("../../../docs/protocol.md"), include_str!("../../../docs/operation.md")]
        {
            assert!(document.contains("for 400 days"));
        }
        assert_eq!(HTTP.removal(), "towers_session=; HttpOnly; SameSite=Lax; Path=/; Max-Age=0");
    }
}
