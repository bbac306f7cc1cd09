//! Previews of links: the tags by which other sites show a page (Open Graph).

use std::borrow::Cow;

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
        |names| format!("{} – {} · Towers", isolated(names.first.as_str()), isolated(names.second.as_str())),
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

/// A name for the middle of a text: one that is written from right to left moves nothing around it. Names have no marks
/// of direction.
fn isolated(name: &str) -> Cow<'_, str> {
    let is_from_the_right = |letter| {
        matches!(letter, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefe}'
            | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}')
    };
    if name.contains(is_from_the_right) { format!("\u{2068}{name}\u{2069}").into() } else { name.into() }
}

/// A text as the value of an attribute.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_from_the_right_moves_nothing_around_it() {
        assert_eq!(isolated("Ada"), "Ada");
        assert_eq!(isolated("עדה 1"), "\u{2068}עדה 1\u{2069}");
    }

    #[test]
    fn a_text_ends_no_attribute_and_begins_no_tag() {
        assert_eq!(escaped("\"><script>&"), "&quot;>&lt;script>&amp;");
    }
}
