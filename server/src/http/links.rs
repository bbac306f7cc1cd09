//! Links as mails and chats return them: with the punctuation, the white space or the line breaks of the text around, in
//! capitals, with slashes too many.

use axum::{
    http::{HeaderValue, StatusCode, Uri, header},
    response::{IntoResponse, Response},
};
use engine::Ruleset;
use game::ids::GameId;
use percent_encoding::percent_decode_str;

/// Pages without a variable part of their path.
pub(super) const PLAIN: [&str; 8] =
    ["learn", "puzzles", "games", "table", "analysis", "import", "api", "privacy"];

/// Pages about a game.
const OF_GAMES: [&str; 4] = ["game", "replay", "embed", "shuffles"];

/// Pages about a ruleset.
pub(super) const OF_RULESETS: [&str; 4] = ["learn", "puzzles", "example", "rules"];

/// Number of hexadecimal digits of an id.
const ID_DIGITS: usize = 32;

/// Redirects to the page that an unknown URL means, with its query; `None` if it means none. For example,
/// `/game/ID).?lang=fr` leads to `/game/ID?lang=fr`.
pub(super) fn redirect(uri: &Uri) -> Option<Response> {
    let page = page_meant(uri.path()).filter(|page| page != uri.path())?;
    let url = uri.query().map_or_else(|| page.clone(), |query| format!("{page}?{query}"));
    let location = HeaderValue::try_from(url).ok()?;
    Some((StatusCode::PERMANENT_REDIRECT, [(header::LOCATION, location)]).into_response())
}

/// Returns the path of the page that a path means. It consists of names of pages and rulesets and of ids alone, and of
/// nothing else from the request.
fn page_meant(path: &str) -> Option<String> {
    let path = percent_decode_str(path).decode_utf8_lossy();
    let segments: Vec<&str> = path.split('/').filter(|segment| !bare(segment).is_empty()).collect();
    match segments[..] {
        [] => Some("/".to_owned()),
        [page] => Some(format!("/{}", known(page, &PLAIN)?)),
        [page, id] if known(page, &OF_GAMES).is_some() => {
            Some(format!("/{}/{}", known(page, &OF_GAMES)?, game_in(id)?))
        }
        [page, name] => {
            let ruleset: Ruleset = bare(name).to_ascii_lowercase().parse().ok()?;
            Some(format!("/{}/{ruleset}", known(page, &OF_RULESETS)?))
        }
        _ => None,
    }
}

/// Removes what text around a link leaves at the ends of a part of its path. Names of pages and rulesets are of ASCII
/// letters and hyphens.
fn bare(segment: &str) -> &str {
    segment.trim_matches(|letter: char| !letter.is_ascii_alphanumeric())
}

fn known(segment: &str, names: &[&'static str]) -> Option<&'static str> {
    names.iter().copied().find(|name| name.eq_ignore_ascii_case(bare(segment)))
}

/// Returns the id at the beginning of a text: in any notation, broken by invisible characters or hyphens of a mail, and
/// followed by anything but another letter or digit.
fn game_in(text: &str) -> Option<GameId> {
    if let Ok(id) = text.parse() {
        return Some(id);
    }
    let mut letters = text.chars();
    let digits: String = letters.by_ref().filter(char::is_ascii_alphanumeric).take(ID_DIGITS).collect();
    let ends = letters.next().is_none_or(|next| !next.is_ascii_alphanumeric());
    if ends { digits.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "0193f2a4-7c1b-7d3e-9a52-4b8e6f0c1d2a";

    /// Where a URL leads: to a page, or nowhere.
    fn led(url: &str) -> Option<String> {
        let response = redirect(&url.parse().expect(url))?;
        assert_eq!(response.status(), StatusCode::PERMANENT_REDIRECT);
        Some(response.headers()[header::LOCATION].to_str().unwrap().to_owned())
    }

    /// Checks where each URL leads.
    fn check(urls: &[&str], expected: Option<&str>) {
        for url in urls {
            let url = url.replace("ID", ID);
            let expected = expected.map(|page| page.replace("ID", ID));
            assert_eq!(led(&url), expected, "{url}");
        }
    }

    #[test]
    fn an_id_with_the_text_around_it_leads_to_its_game() {
        let upper = ID.to_uppercase();
        let simple = ID.replace('-', "");
        let (start, end) = ID.split_at(18);
        let broken = [
            upper.clone(),
            format!("{upper}/"),
            format!("%7B{upper}%7D."),
            simple,
            format!("urn:uuid:{ID}"),
            format!("{start}%20{end}"),
            format!("{start}=%0D%0A{end}"),
            format!("{start}%E2%80%8B{end}."),
            ID.replace('-', "%E2%80%91"),
        ];
        let around = [
            "ID.",
            "ID,",
            "ID)",
            "ID).",
            "ID!",
            "ID;",
            "ID:",
            "ID'",
            "ID*",
            "**ID**",
            "ID_",
            "ID&gt;",
            "ID]",
            "%3CID%3E",
            "ID%22",
            "ID%5D",
            "%7BID%7D",
            "ID%3Flang=fr",
            "ID).thanks",
            // Curly quotes, an angle quote, an ellipsis, a full stop of Chinese, and a word after it.
            "ID%E2%80%9D",
            "%E2%80%98ID%E2%80%99",
            "ID%C2%BB",
            "ID%E2%80%A6",
            "ID%E3%80%82",
            "ID%E5%BE%88",
            // White space, also in Latin-1; a zero-width space, a byte order mark, a soft hyphen, line ends, no character.
            "ID%20",
            "%20ID",
            "ID%C2%A0",
            "ID%A0",
            "ID%E2%80%8B",
            "ID%EF%BB%BF",
            "ID%C2%AD",
            "ID%0D%0A",
            "ID%00",
            "ID/",
            "ID//",
            "/ID",
            "ID/.",
            "ID%2F",
            "ID%5C",
        ];
        for written in around.map(str::to_owned).into_iter().chain(broken) {
            for page in OF_GAMES {
                let (url, game) = (format!("/{page}/{written}"), format!("/{page}/ID"));
                check(&[&url], Some(&game));
                check(&[&format!("{url}?lang=fr&x=%2e")], Some(&format!("{game}?lang=fr&x=%2e")));
            }
        }
    }

    #[test]
    fn a_page_has_one_address_however_it_is_written() {
        check(&["//", "/%20", "/.", "/%E2%80%8B", "///"], Some("/"));
        check(&["/?x", "/"], None);
        for page in PLAIN {
            let slash = format!("/{page}/");
            let urls = [&*slash, &format!("//{page}"), &format!("/{page}."), &format!("/{page}%22/")];
            check(&urls, Some(&format!("/{page}")));
            check(&[&format!("/{}", page.to_uppercase())], Some(&format!("/{page}")));
            check(&[&format!("{slash}?a=b")], Some(&format!("/{page}?a=b")));
            check(&[&format!("/{page}")], None);
        }
        for page in OF_RULESETS {
            for ruleset in Ruleset::ALL {
                let address = format!("/{page}/{ruleset}");
                let urls = [&*format!("{address}/"), &format!("{address}),"), &format!("/{page}//{ruleset}")];
                check(&urls, Some(&address));
                check(&[&address.to_uppercase()], Some(&address));
                check(&[&address], None);
            }
        }
        check(&["/EMBED/ID", "/Embed/ID/"], Some("/embed/ID"));
    }

    #[test]
    fn an_unknown_address_leads_nowhere_and_none_leads_to_another_site() {
        let urls = [
            "/game",
            "/game/",
            "/game/ID",
            "/game/x",
            "/game/IDa",
            "/game/ID0",
            "/game/aID",
            "/game/ID/ID",
            "/game/ID/moves",
            "/rules",
            "/rules/",
            "/rules/chess",
            "/example/chess.",
            "/learn/ID",
            "/games/ID",
            "/gamesx",
            "/index.html",
            "/no/such/page",
            "/assets/gone-0123456789ab.js",
            "/healthz/",
            "/ws/",
            "//evil.example",
            "//evil.example/game",
            "/%5Cevil.example",
            "/%5C%5Cevil.example/",
            "//evil.example/%2e%2e",
            "///evil.example",
            "/http://evil.example",
            "/%0D%0ALocation:%20https://evil.example",
            "/%2F%2Fevil.example",
            "/api/v1/games/",
            "//api/v1/games",
        ];
        check(&urls, None);
        check(&["//evil.example/game/ID", "/@evil.example/ID"], None);
        check(&["//game/ID", "/game/ID/%0D%0A", "/%5Cgame/ID", "/Game/ID", "/%67ame/ID"], Some("/game/ID"));
        check(&["/game/ID.?//evil.example"], Some("/game/ID?//evil.example"));
    }
}
