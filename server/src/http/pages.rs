use std::convert::Infallible;

use axum::{
    extract::{FromRequestParts, State},
    http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header, request::Parts},
    response::{IntoResponse, Response},
};
use engine::Ruleset;
use game::ids::GameId;
use protocol::ProblemCode;

use super::{
    API, FOR_ALL_PAGES, IN_ANY_FRAME, Problem, RESOURCE_POLICY, accept::weighted, assets,
    extract::PartOfPath, links, preview,
};
use crate::{
    net::{address::Client, cookies, origin::Origin},
    state::App,
};

/// The languages of the client; the first is the default.
pub(super) const LANGUAGES: [&str; 2] = ["en", "fr"];

/// Cookie with the language that the visitor has chosen.
const LANGUAGE_COOKIE: &[u8] = b"towers_lang";

/// A request for a page.
#[derive(Clone, Debug)]
pub(super) struct Visit {
    uri: Uri,
    headers: HeaderMap,
    origin: String,
}

impl Visit {
    /// Where browsers find the server; empty if the request does not tell.
    pub(super) fn origin(&self) -> &str {
        &self.origin
    }
}

impl FromRequestParts<App> for Visit {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Infallible> {
        let is_https = parts.extensions.get::<Client>().is_some_and(|client| client.is_https);
        let origin = app.origin.clone().or_else(|| Origin::of_host(&parts.headers, is_https));
        let origin = origin.map(|origin| origin.to_string()).unwrap_or_default();
        Ok(Self { uri: parts.uri.clone(), headers: parts.headers.clone(), origin })
    }
}

/// The lobby page.
pub(super) async fn lobby(visit: Visit) -> Response {
    page("index", &visit)
}

/// The page of a game under way.
pub(super) async fn game(State(app): State<App>, PartOfPath(id): PartOfPath, visit: Visit) -> Response {
    page_of_game("game", &id, &visit, Some(&app))
}

/// The replay of a game.
pub(super) async fn replay(State(app): State<App>, PartOfPath(id): PartOfPath, visit: Visit) -> Response {
    page_of_game("replay", &id, &visit, Some(&app))
}

/// A board with the turns of a game, which pages of other sites may show in a frame.
pub(super) async fn embed(PartOfPath(id): PartOfPath, visit: Visit) -> Response {
    let mut response = page_of_game("embed", &id, &visit, None);
    response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, IN_ANY_FRAME);
    response.headers_mut().insert(RESOURCE_POLICY, FOR_ALL_PAGES);
    response
}

/// The replay of a ruleset's example game.
pub(super) async fn example(PartOfPath(ruleset): PartOfPath, visit: Visit) -> Response {
    match ruleset.parse() {
        Ok(ruleset) => {
            let mut response = page_about("replay", ruleset, &visit);
            response.headers_mut().insert(header::LINK, preload_of(&format!("/api/v1/examples/{ruleset}")));
            response
        }
        Err(_) => missing(&visit.uri, &visit.headers),
    }
}

/// The page that checks the shuffles of a game with cards.
pub(super) async fn shuffles(PartOfPath(id): PartOfPath, visit: Visit) -> Response {
    page_of_game("shuffles", &id, &visit, None)
}

/// The list of games.
pub(super) async fn games(visit: Visit) -> Response {
    page("games", &visit)
}

/// The games that wait for the visitor's turn.
pub(super) async fn turns(visit: Visit) -> Response {
    page("turns", &visit)
}

/// The visitor's notices.
pub(super) async fn inbox(visit: Visit) -> Response {
    page("inbox", &visit)
}

/// The list of lessons.
pub(super) async fn lessons(visit: Visit) -> Response {
    page("learn", &visit)
}

/// The lesson of a ruleset.
pub(super) async fn lesson(PartOfPath(ruleset): PartOfPath, visit: Visit) -> Response {
    page_of_ruleset("lesson", &ruleset, &visit)
}

/// The puzzles of a ruleset.
pub(super) async fn puzzles_of(PartOfPath(ruleset): PartOfPath, visit: Visit) -> Response {
    page_of_ruleset("puzzles", &ruleset, &visit)
}

/// The puzzles.
pub(super) async fn puzzles(visit: Visit) -> Response {
    page("puzzles", &visit)
}

/// The page for games on one device, which need no server.
pub(super) async fn table(visit: Visit) -> Response {
    page("table", &visit)
}

/// The board for the analysis of positions and games.
pub(super) async fn analysis(visit: Visit) -> Response {
    page("analysis", &visit)
}

/// The page that replays a record.
pub(super) async fn import(visit: Visit) -> Response {
    page("import", &visit)
}

/// The page of moderators, which is empty for others.
pub(super) async fn moderation(visit: Visit) -> Response {
    page("moderation", &visit)
}

/// The page about what the server keeps of its visitors.
pub(super) async fn privacy(visit: Visit) -> Response {
    page("privacy", &visit)
}

/// The page that the service worker shows instead of one that it has not kept.
pub(super) async fn offline(visit: Visit) -> Response {
    page("offline", &visit)
}

/// The page that describes the HTTP interface.
pub(super) async fn api(visit: Visit) -> Response {
    let mut response = page("interface", &visit);
    response.headers_mut().insert(header::LINK, preload_of(&format!("{API}/openapi.json")));
    response
}

/// The rules of a ruleset, from a file for each language.
pub(super) async fn rules(PartOfPath(ruleset): PartOfPath, visit: Visit) -> Response {
    page_of_ruleset(&format!("rules/{ruleset}"), &ruleset, &visit)
}

fn page(name: &str, visit: &Visit) -> Response {
    page_about(name, Ruleset::Fibonacci, visit)
}

/// A page about one ruleset.
fn page_of_ruleset(name: &str, ruleset: &str, visit: &Visit) -> Response {
    match ruleset.parse() {
        Ok(ruleset) => page_about(name, ruleset, visit),
        Err(_) => missing(&visit.uri, &visit.headers),
    }
}

/// A page with a picture of the board of a ruleset as its preview.
fn page_about(name: &str, ruleset: Ruleset, visit: &Visit) -> Response {
    page_with(name, visit, &preview::of_ruleset(&visit.origin, ruleset))
}

/// A page with tags for search engines, and for the previews of links to it.
fn page_with(name: &str, Visit { uri, headers, origin }: &Visit, tags: &str) -> Response {
    let tags = [&*preview::addresses(origin, uri.path(), asked_language(uri)), tags].concat();
    let page = assets::page_with(name, language(uri, headers), headers, &tags);
    page.unwrap_or_else(|| missing(uri, headers))
}

/// A page about one game. An id in another notation redirects to the page's canonical URL; an invalid one gets the same
/// page, which says that the game does not exist. With `app` the page has tags about the game.
fn page_of_game(name: &str, id: &str, visit: &Visit, app: Option<&App>) -> Response {
    let Visit { uri, headers, origin } = visit;
    let game = match id.parse::<GameId>() {
        Ok(game) if game.to_string() == id => game,
        _ => return links::redirect(uri).unwrap_or_else(|| not_found(name, uri, headers)),
    };
    let mut response = match app {
        Some(app) => page_with(name, visit, &preview::of_game(app, origin, game)),
        None => assets::page(name, language(uri, headers), headers).unwrap_or_else(|| missing(uri, headers)),
    };
    // The page of a game has an engine, and needs no more than the events; the others need every step.
    let part = if name == "game" { "/events" } else { "" };
    response.headers_mut().insert(header::LINK, preload_of(&format!("/api/v1/games/{game}{part}")));
    response
}

/// Preloads a document while the browser loads the page's script.
fn preload_of(document: &str) -> HeaderValue {
    let link = format!("<{document}>; rel=preload; as=fetch; crossorigin=anonymous");
    link.parse().expect("a path is of plain letters")
}

/// The script of the service worker, below whose path all pages are.
pub(super) async fn service_worker(uri: Uri, headers: HeaderMap) -> Response {
    assets::service_worker(&headers).unwrap_or_else(|| missing(&uri, &headers))
}

/// Any other file of the client.
pub(super) async fn asset(method: Method, uri: Uri, headers: HeaderMap) -> Response {
    if !matches!(method, Method::GET | Method::HEAD) {
        return Problem::from(ProblemCode::MethodNotAllowed).into_response();
    }
    let file = assets::file(uri.path().trim_start_matches('/'), &headers);
    file.unwrap_or_else(|| missing(&uri, &headers))
}

/// Answers a request for an unknown URL: with a redirect if it means a page, else with a page for a browser and with a
/// problem for all others.
fn missing(uri: &Uri, headers: &HeaderMap) -> Response {
    if let Some(redirect) = links::redirect(uri) {
        return redirect;
    }
    let mut response = if accepts_html(headers) {
        not_found("missing", uri, headers)
    } else {
        Problem::from(ProblemCode::NoSuchPage).into_response()
    };
    response.headers_mut().append(header::VARY, HeaderValue::from_static("accept"));
    response
}

/// Whether a client accepts HTML, as browsers do when they open a URL.
fn accepts_html(headers: &HeaderMap) -> bool {
    let mut accepted = weighted(headers, &header::ACCEPT);
    accepted.any(|(kind, weight)| kind.eq_ignore_ascii_case("text/html") && weight > 0.0)
}

/// The page for an unknown URL. It is always sent whole: conditional requests apply only to existing resources (RFC
/// 9110, 13.2.1).
fn not_found(name: &str, uri: &Uri, headers: &HeaderMap) -> Response {
    let mut unconditional = headers.clone();
    unconditional.remove(header::IF_NONE_MATCH);
    match assets::page(name, language(uri, headers), &unconditional) {
        Some(page) => (StatusCode::NOT_FOUND, page).into_response(),
        None => Problem::from(ProblemCode::NoSuchPage).into_response(),
    }
}

/// Returns the visitor's language: from the URL, else from the cookie, else as the browser prefers. What follows the
/// language in the URL may be of the text around a link.
pub(super) fn language(uri: &Uri, headers: &HeaderMap) -> &'static str {
    let mut chosen = cookies::pairs(headers)
        .filter(|(name, _)| *name == LANGUAGE_COOKIE)
        .filter_map(|(_, value)| str::from_utf8(value).ok());
    asked_language(uri)
        .or_else(|| chosen.find_map(known))
        .or_else(|| preferred(headers))
        .unwrap_or(LANGUAGES[0])
}

/// Returns the language that the URL asks for.
fn asked_language(uri: &Uri) -> Option<&'static str> {
    let pairs = uri.query().unwrap_or_default().split('&').filter_map(|pair| pair.strip_prefix("lang="));
    let mut asked = pairs.filter_map(|text| text.split(|letter: char| !letter.is_ascii_alphabetic()).next());
    asked.find_map(known)
}

fn known(text: &str) -> Option<&'static str> {
    LANGUAGES.into_iter().find(|language| text.eq_ignore_ascii_case(language))
}

/// Returns the language that a browser prefers. `*` stands for all languages that it does not name.
fn preferred(headers: &HeaderMap) -> Option<&'static str> {
    let of_range = |(range, weight): (&str, f32)| {
        let language = range.split(['-', '_']).next().and_then(known);
        (language.is_some() || range == "*").then_some((language, weight))
    };
    let ranges: Vec<_> = weighted(headers, &header::ACCEPT_LANGUAGE).filter_map(of_range).collect();
    let unnamed =
        || LANGUAGES.into_iter().find(|other| ranges.iter().all(|(named, _)| *named != Some(*other)));
    let mut accepted: Vec<_> = ranges.iter().filter(|(_, weight)| *weight > 0.0).collect();
    accepted.sort_by(|one, other| other.1.total_cmp(&one.1));
    accepted.into_iter().find_map(|(language, _)| language.or_else(unnamed))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(address: &str, cookie: &str, accepted: &str, expected: &str) {
        let value = |text: &str| HeaderValue::from_bytes(text.as_bytes()).unwrap();
        let headers = HeaderMap::from_iter([
            (header::COOKIE, value(cookie)),
            (header::ACCEPT_LANGUAGE, value(accepted)),
        ]);
        assert_eq!(language(&address.parse().unwrap(), &headers), expected, "{address} {cookie} {accepted}");
    }

    #[test]
    fn the_address_beats_the_cookie_and_the_cookie_beats_the_browser() {
        check("/", "", "", "en");
        check("/", "towers_lang=en", "fr", "en");
        check("/?lang=fr", "towers_lang=en", "en", "fr");
        check("/?lang=FR", "", "en", "fr");
        check("/?lang=fr).", "towers_lang=en", "en", "fr");
        check("/?lang=fr%E2%80%8B&a=b", "towers_lang=en", "en", "fr");
        check("/?a=b&lang=xx", "towers_lang=fr", "en", "fr");
    }

    #[test]
    fn the_languages_of_other_programs_choose_nothing() {
        check("/", "lang=fr; towers_lang=en", "fr", "en");
        check("/", "lang=fr", "en", "en");
        check("/", "theirs=\u{e9}; towers_lang=\"fr\"", "en", "fr");
        check("/", "towers_lang=\u{e9}; towers_lang=; towers_lang=de; towers_lang=fr", "en", "fr");
    }

    #[test]
    fn a_browser_gets_the_language_that_it_prefers_in_whatever_form_it_says_so() {
        for (accepted, expected) in [
            ("fr-CA,fr;q=0.9,en;q=0.8", "fr"),
            ("de, en;q=0.5, fr; q=0.7", "fr"),
            ("fr;q=0,en;q=0.1", "en"),
            ("fr-CH", "fr"),
            ("FR_ch", "fr"),
            ("fr-Latn-CH;q=0.1", "fr"),
            ("frr", "en"),
            ("*", "en"),
            ("*, fr;q=0.5", "en"),
            ("fr, *;q=0.1", "fr"),
            ("de, *;q=0.5", "en"),
            ("en;q=0.2, *", "fr"),
            ("en;q=0, *", "fr"),
            ("fr;q=0, *", "en"),
            ("en;q=0, fr;q=0", "en"),
            ("fr;q=high, en;q=0.1", "en"),
            ("\u{e9}, fr", "fr"),
            (",,;q=1,fr", "fr"),
        ] {
            check("/", "", accepted, expected);
        }
        let lines = [b"\xff".as_slice(), b"fr;q=0.9", b"en;q=0.8"];
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(header::ACCEPT_LANGUAGE, HeaderValue::from_bytes(line).unwrap());
        }
        assert_eq!(language(&Uri::from_static("/"), &headers), "fr", "over several lines");
    }

    #[test]
    fn html_is_for_those_who_name_it() {
        for (accepted, expected) in [
            ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", true),
            ("application/xml, Text/HTML;level=1;q=0.1", true),
            ("*/*", false),
            ("application/json, text/html;q=0", false),
            ("", false),
        ] {
            let headers = HeaderMap::from_iter([(header::ACCEPT, accepted.parse().unwrap())]);
            assert_eq!(accepts_html(&headers), expected, "{accepted}");
        }
        assert!(!accepts_html(&HeaderMap::new()));
    }
}
