use std::borrow::Cow;

use axum::{
    extract::{Path, rejection::PathRejection},
    http::{HeaderMap, Method, StatusCode, Uri, header},
    response::{IntoResponse, Redirect, Response},
};
use axum_extra::extract::cookie::CookieJar;
use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use engine::Ruleset;
use rust_embed::{EmbeddedFile, RustEmbed};

use super::Problem;
use crate::ids::GameId;

/// The client, as it lies in the folder.
#[derive(RustEmbed)]
#[folder = "../static"]
#[exclude = "*.d.ts"]
#[exclude = "tsconfig.json"]
struct Client;

/// The languages of the client, the first for those who read neither.
const LANGUAGES: [&str; 2] = ["en", "fr"];

/// The cookie in which the client keeps a language that was chosen.
const LANGUAGE_COOKIE: &str = "lang";

/// A page or a file may be kept, and is asked for again each time.
const KEPT: &str = "no-cache";

/// How an app page begins; the language in it is replaced by the visitor's.
const LANGUAGE_MARK: &str = "<html lang=\"en\"";

pub(super) async fn lobby(uri: Uri, headers: HeaderMap) -> Response {
    page("index.html", &uri, &headers)
}

pub(super) async fn game(id: Result<Path<String>, PathRejection>, uri: Uri, headers: HeaderMap) -> Response {
    page_of_game("game", &text_of(id), &uri, &headers)
}

pub(super) async fn replay(
    id: Result<Path<String>, PathRejection>,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    page_of_game("replay", &text_of(id), &uri, &headers)
}

/// The replay of a ruleset's example game.
pub(super) async fn example(
    ruleset: Result<Path<String>, PathRejection>,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    let response = page("replay.html", &uri, &headers);
    match text_of(ruleset).parse::<Ruleset>() {
        Ok(_) => response,
        Err(_) => (StatusCode::NOT_FOUND, response).into_response(),
    }
}

pub(super) async fn shuffles(
    id: Result<Path<String>, PathRejection>,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    page_of_game("shuffles", &text_of(id), &uri, &headers)
}

pub(super) async fn games(uri: Uri, headers: HeaderMap) -> Response {
    page("games.html", &uri, &headers)
}

pub(super) async fn import(uri: Uri, headers: HeaderMap) -> Response {
    page("import.html", &uri, &headers)
}

/// A part of a path; bytes that are no text stand for nothing that there is.
fn text_of(part: Result<Path<String>, PathRejection>) -> String {
    part.map(|Path(text)| text).unwrap_or_default()
}

/// A page about one game. An id that is written in another way leads to the page's one address; one that is none
/// gets the same page, which says that there is no such game.
fn page_of_game(name: &str, id: &str, uri: &Uri, headers: &HeaderMap) -> Response {
    let response = page(&format!("{name}.html"), uri, headers);
    match id.parse::<GameId>() {
        Ok(game) if game.to_string() == id => response,
        Ok(game) => Redirect::permanent(&format!("/{name}/{game}")).into_response(),
        Err(_) => (StatusCode::NOT_FOUND, response).into_response(),
    }
}

/// The rules of a ruleset, a file for each language.
pub(super) async fn rules(
    ruleset: Result<Path<String>, PathRejection>,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    let ruleset = text_of(ruleset);
    let language = language(&uri, &headers);
    match Client::get(&format!("rules/{ruleset}.{language}.html")) {
        Some(file) => html(file.data, language),
        None => missing(),
    }
}

/// Any other file of the client.
pub(super) async fn asset(method: Method, uri: Uri, headers: HeaderMap) -> Response {
    if !matches!(method, Method::GET | Method::HEAD) {
        return Problem::method_not_allowed().await.into_response();
    }
    let path = uri.path().trim_start_matches('/');
    match Client::get(path) {
        Some(file) if !path.ends_with(".html") => cached(path, file, &headers),
        Some(_) | None => missing(),
    }
}

fn missing() -> Response {
    Problem::new(StatusCode::NOT_FOUND, "no_such_page", "there is no page at this address").into_response()
}

fn page(path: &str, uri: &Uri, headers: &HeaderMap) -> Response {
    let language = language(uri, headers);
    let Some(file) = Client::get(path) else { return missing() };
    let text = String::from_utf8_lossy(&file.data);
    let text = text.replacen(LANGUAGE_MARK, &format!("<html lang=\"{language}\""), 1);
    html(Cow::Owned(text.into_bytes()), language)
}

fn html(body: Cow<'static, [u8]>, language: &'static str) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CONTENT_LANGUAGE, language),
        (header::VARY, "accept-language, cookie"),
        (header::CACHE_CONTROL, KEPT),
    ];
    (headers, body).into_response()
}

/// A file under a name that stays: kept by browsers, and asked for again with the hash of what they have.
fn cached(path: &str, file: EmbeddedFile, headers: &HeaderMap) -> Response {
    let tag = format!("\"{}\"", BASE64_URL_SAFE_NO_PAD.encode(file.metadata.sha256_hash()));
    let known = headers.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok());
    if known.is_some_and(|known| known.split(',').any(|known| known.trim().trim_start_matches("W/") == tag)) {
        let headers = [(header::ETAG, tag), (header::CACHE_CONTROL, KEPT.to_owned())];
        return (StatusCode::NOT_MODIFIED, headers).into_response();
    }
    let kind = mime_guess::from_path(path).first_or_octet_stream();
    let headers = [
        (header::CONTENT_TYPE, kind.essence_str().to_owned()),
        (header::ETAG, tag),
        (header::CACHE_CONTROL, KEPT.to_owned()),
    ];
    (headers, file.data).into_response()
}

/// The visitor's language: as the address says, else as was chosen, else as the browser prefers.
fn language(uri: &Uri, headers: &HeaderMap) -> &'static str {
    let known = |text: &str| LANGUAGES.into_iter().find(|language| text.eq_ignore_ascii_case(language));
    let asked = uri.query().and_then(|query| query.split('&').find_map(|pair| pair.strip_prefix("lang=")));
    let chosen = CookieJar::from_headers(headers);
    let chosen = chosen.get(LANGUAGE_COOKIE).map(axum_extra::extract::cookie::Cookie::value);
    let preferred = headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
    asked
        .and_then(known)
        .or_else(|| chosen.and_then(known))
        .or_else(|| preferred.and_then(|preferred| best_of(preferred, known)))
        .unwrap_or(LANGUAGES[0])
}

/// The first of our languages in the order of an `Accept-Language` header.
fn best_of(accepted: &str, known: impl Fn(&str) -> Option<&'static str>) -> Option<&'static str> {
    let mut ranges: Vec<(f32, &str)> = accepted
        .split(',')
        .map(|range| {
            let (tag, parameter) = range.split_once(';').unwrap_or((range, "q=1"));
            let quality = parameter.trim().strip_prefix("q=").and_then(|quality| quality.parse().ok());
            (quality.unwrap_or(0.0), tag.trim())
        })
        .filter(|(quality, _)| *quality > 0.0)
        .collect();
    ranges.sort_by(|one, other| other.0.total_cmp(&one.0));
    ranges.into_iter().find_map(|(_, tag)| known(tag.split('-').next().unwrap_or(tag)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(address: &str, cookie: &str, accepted: &str, expected: &str) {
        let mut headers = HeaderMap::new();
        headers.insert(header::COOKIE, cookie.parse().unwrap());
        headers.insert(header::ACCEPT_LANGUAGE, accepted.parse().unwrap());
        assert_eq!(language(&address.parse().unwrap(), &headers), expected, "{address} {cookie} {accepted}");
    }

    #[test]
    fn the_address_beats_the_cookie_and_the_cookie_beats_the_browser() {
        check("/", "", "", "en");
        check("/", "", "fr-CA,fr;q=0.9,en;q=0.8", "fr");
        check("/", "", "de, en;q=0.5, fr; q=0.7", "fr");
        check("/", "", "fr;q=0,en;q=0.1", "en");
        check("/", "lang=en", "fr", "en");
        check("/?lang=fr", "lang=en", "en", "fr");
        check("/?a=b&lang=xx", "lang=fr", "en", "fr");
    }
}
