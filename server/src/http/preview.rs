//! Tags in the head of a page for search engines, and for the previews of links to it (Open Graph).

use std::{borrow::Cow, fmt::Write as _};

use engine::{AnyMatch, Ruleset};
use game::ids::GameId;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use super::{API, pages::LANGUAGES};
use crate::state::App;

/// The tags of a page about a ruleset, with a picture of its start position.
pub(super) fn of_ruleset(origin: &str, ruleset: Ruleset) -> String {
    let start = AnyMatch::new(ruleset);
    let position = utf8_percent_encode(start.start_text(), NON_ALPHANUMERIC);
    image(&format!("{origin}{API}/picture.png?ruleset={ruleset}&position={position}"))
}

/// The tags of a page about a game. The players are named only if the lobby shows them to everybody; nothing is read
/// from the database.
pub(super) fn of_game(app: &App, origin: &str, game: GameId) -> String {
    let names = app.lobby.names(game);
    let title = names.map_or_else(
        || "Towers".to_owned(),
        |names| format!("{} – {} · Towers", isolated(names.first.as_str()), isolated(names.second.as_str())),
    );
    let title = format!("<meta property=\"og:title\" content=\"{}\">", escaped(&title));
    title + &image(&format!("{origin}{API}/games/{game}/picture.png"))
}

/// The tags of a picture, which has 1200 × 630 pixels.
fn image(url: &str) -> String {
    format!(
        "<meta property=\"og:image\" content=\"{}\">\
         <meta property=\"og:image:width\" content=\"1200\"><meta property=\"og:image:height\" content=\"630\">\
         <meta name=\"twitter:card\" content=\"summary_large_image\">",
        escaped(url)
    )
}

/// The tags with the URLs of a page: its own, and that in each language. Search engines want them whole. `asked` is the
/// language that the request's URL names.
pub(super) fn addresses(origin: &str, path: &str, asked: Option<&str>) -> String {
    let path = escaped(path);
    let page = format!("{}{path}", escaped(origin));
    let own = asked.map_or_else(|| page.clone(), |language| format!("{page}?lang={language}"));
    let mut tags = format!(
        "<link rel=\"canonical\" href=\"{own}\"><meta property=\"og:url\" content=\"{own}\">\
         <link rel=\"alternate\" hreflang=\"x-default\" href=\"{page}\">"
    );
    for language in LANGUAGES {
        let _ =
            write!(tags, "<link rel=\"alternate\" hreflang=\"{language}\" href=\"{page}?lang={language}\">");
    }
    tags
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
