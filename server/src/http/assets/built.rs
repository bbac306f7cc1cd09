use std::borrow::Cow;

use super::Stored;

/// File names contain the hash of the content.
pub(super) const FILES_KEPT: &str = "public, max-age=31536000, immutable";

/// Files that compress well are compressed at build time.
pub(super) const IS_COMPRESSED: bool = true;

/// All files of the built client, sorted by path.
static CLIENT: &[(&str, Stored)] = include!(concat!(env!("OUT_DIR"), "/built_client.rs"));

/// Returns a page in a language.
pub(super) fn page(name: &str, language: &str) -> Option<Stored> {
    find(&format!("pages/{name}.{language}.html"))
}

/// Files that programs ask for at these paths, without reading a page.
const AT_ROOT: [&str; 2] = ["favicon.ico", "apple-touch-icon.png"];

/// Returns a file by its path.
pub(super) fn file(path: &str) -> Option<Stored> {
    if path.starts_with("assets/") || AT_ROOT.contains(&path) { find(path) } else { None }
}

/// Returns the script of the service worker.
pub(super) fn service_worker() -> Option<Stored> {
    find("service-worker.js")
}

fn find(path: &str) -> Option<Stored> {
    let index = CLIENT.binary_search_by(|(name, _)| (*name).cmp(path)).ok()?;
    Some(CLIENT[index].1.clone())
}
