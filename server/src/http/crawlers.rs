//! Files for search engines: the robots file and the site map.

use std::fmt::Write as _;

use axum::{
    http::header,
    response::{IntoResponse, Response},
};
use engine::Ruleset;

use super::{
    links::{OF_RULESETS, PLAIN},
    pages::{LANGUAGES, Visit},
};

/// Which pages search engines may read: none about a game under way, and no answer for programs.
pub(super) async fn robots(visit: Visit) -> Response {
    let origin = visit.origin();
    format!(
        "User-agent: *\nDisallow: /api/\nDisallow: /game/\nDisallow: /embed/\nSitemap: {origin}/sitemap.xml\n"
    )
    .into_response()
}

/// The pages that do not depend on a game, each in both languages.
pub(super) async fn sitemap(visit: Visit) -> Response {
    let of_rulesets =
        OF_RULESETS.iter().flat_map(|page| Ruleset::ALL.map(|ruleset| format!("/{page}/{ruleset}")));
    let plain = PLAIN.iter().map(|page| format!("/{page}"));
    let mut map = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" \
         xmlns:xhtml=\"http://www.w3.org/1999/xhtml\">\n",
    );
    for path in ["/".to_owned()].into_iter().chain(plain).chain(of_rulesets) {
        let page = format!("{}{path}", visit.origin());
        let _ = write!(map, "<url><loc>{page}</loc>");
        for language in LANGUAGES {
            let _ = write!(
                map,
                "<xhtml:link rel=\"alternate\" hreflang=\"{language}\" href=\"{page}?lang={language}\"/>"
            );
        }
        map.push_str("</url>\n");
    }
    map.push_str("</urlset>\n");
    ([(header::CONTENT_TYPE, "application/xml")], map).into_response()
}
