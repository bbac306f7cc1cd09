use std::borrow::Cow;

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use rust_embed::RustEmbed;
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};

use super::{REVALIDATED, Stored};

/// File names are stable, so files are revalidated on each use.
pub(super) const FILES_KEPT: &str = REVALIDATED;

/// Files are compressed per request, if at all.
pub(super) const IS_COMPRESSED: bool = false;

/// The client's source files.
#[derive(RustEmbed)]
#[folder = "../static"]
#[exclude = "*.d.ts"]
#[exclude = "tsconfig.json"]
#[exclude = "built/*"]
struct Sources;

/// Returns a page: from a file for its language, or from one for all.
pub(super) fn page(name: &str, language: &str) -> Option<Stored> {
    let file =
        Sources::get(&format!("{name}.{language}.html")).or_else(|| Sources::get(&format!("{name}.html")))?;
    let words = Sources::get(&format!("i18n/{language}.json"))?;
    let words = serde_json::from_slice(&words.data).ok()?;
    let html = whole(&String::from_utf8_lossy(&file.data));
    Some(stored(fill(&html, &words, language).into_bytes().into()))
}

/// Returns a file by its path.
pub(super) fn file(path: &str) -> Option<Stored> {
    if path.ends_with(".html") {
        return None;
    }
    Some(stored(Sources::get(path)?.data))
}

/// Returns the script of the service worker.
pub(super) fn service_worker() -> Option<Stored> {
    file("offline/service-worker.js")
}

fn stored(plain: Cow<'static, [u8]>) -> Stored {
    let tag = BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(&plain)).into();
    Stored { tag, plain, brotli: None, gzip: None }
}

/// Puts the parts that pages share in the places of their names, as `tests/bundle` does.
fn whole(html: &str) -> String {
    let mut pieces = html.split("{{parts/");
    let mut all = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let (name, rest) = piece.split_once("}}").unwrap_or((piece, ""));
        if let Some(part) = Sources::get(&format!("parts/{name}")) {
            all.push_str(&whole(String::from_utf8_lossy(&part.data).trim_end()));
        }
        all.push_str(rest);
    }
    all
}

/// Fills the texts of a language into the HTML of a page, as `tests/bundle` does. A key without a text remains.
fn fill(html: &str, words: &Map<String, Value>, language: &str) -> String {
    let mut parts = html.split("{{");
    let mut filled = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (key, rest) = part.split_once("}}").unwrap_or((part, ""));
        let text = if key == "language" { Some(language) } else { words.get(key).and_then(Value::as_str) };
        filled.push_str(&escaped(text.unwrap_or(key)));
        filled.push_str(rest);
    }
    filled
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_has_the_words_of_its_language_in_the_places_of_their_keys() {
        let words = serde_json::from_str(r#"{"page.name": "Towers & <more>"}"#).unwrap();
        let html = r#"<html lang="{{language}}"><h1>{{page.name}}</h1>{{page.none}}"#;
        let filled = r#"<html lang="fr"><h1>Towers &amp; &lt;more></h1>page.none"#;
        assert_eq!(fill(html, &words, "fr"), filled);
    }

    #[test]
    fn a_page_has_the_parts_that_it_shares_with_others_and_theirs() {
        let html = whole("<body>{{parts/footer.html}}</body>");
        assert!(html.contains("<footer") && html.contains("id=\"polite\""), "{html}");
        assert!(!html.contains("{{parts/"), "{html}");
    }
}
