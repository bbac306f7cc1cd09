//! Previews of links: the tags by which other sites show a page (Open Graph).

use axum::http::HeaderMap;
use game::ids::GameId;

use super::API;
use crate::{
    net::{address::Client, origin::Origin},
    state::App,
};

/// The tags of a page about a game. The players are named only if the lobby shows them to everybody; nothing is read
/// from the database.
pub(super) fn tags(app: &App, client: Client, headers: &HeaderMap, page: &str, game: GameId) -> String {
    let names = app.lobby.names(game);
    let title = names.map_or_else(
        || "Towers".to_owned(),
        |names| format!("{} – {} · Towers", names.first.as_str(), names.second.as_str()),
    );
    let origin = escaped(&origin(app, client, headers));
    let title = escaped(&title);
    format!(
        "<meta property=\"og:title\" content=\"{title}\">\
         <meta property=\"og:url\" content=\"{origin}/{page}/{game}\">\
         <meta property=\"og:image\" content=\"{origin}{API}/games/{game}/picture.png\">\
         <meta property=\"og:image:width\" content=\"1200\"><meta property=\"og:image:height\" content=\"630\">\
         <meta name=\"twitter:card\" content=\"summary_large_image\">"
    )
}

/// The origin of the server as browsers see it; addresses in previews must be whole.
fn origin(app: &App, client: Client, headers: &HeaderMap) -> String {
    let origin = app.origin.clone().or_else(|| Origin::of_host(headers, client.is_https));
    origin.map(|origin| origin.to_string()).unwrap_or_default()
}

/// A text as the value of an attribute.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_ends_no_attribute_and_begins_no_tag() {
        assert_eq!(escaped("\"><script>&"), "&quot;>&lt;script>&amp;");
    }
}
