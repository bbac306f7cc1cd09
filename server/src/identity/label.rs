//! Coarse labels of browsers, by which a player tells the own sessions apart.

use axum::http::{HeaderMap, header};

/// Parts of `User-Agent` and the browsers that send them. Most browsers also name others, so the first part counts.
const BROWSERS: [(&str, &str); 10] = [
    ("EdgiOS/", "Edge"),
    ("EdgA/", "Edge"),
    ("Edg/", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Firefox/", "Firefox"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
];

/// Parts of `User-Agent` and the systems that they name. The first one counts.
const SYSTEMS: [(&str, &str); 7] = [
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("CrOS", "ChromeOS"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
];

/// Returns the browser of a request and its system, as `Firefox, Linux`, in words that are the same in all languages.
/// `None` if neither is known.
pub(super) fn label(headers: &HeaderMap) -> Option<String> {
    let agent = headers.get(header::USER_AGENT)?.to_str().ok()?;
    let find = |known: &[(&str, &'static str)]| {
        known.iter().find(|(part, _)| agent.contains(part)).map(|(_, name)| *name)
    };
    let parts: Vec<&str> = [find(&BROWSERS), find(&SYSTEMS)].into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn browsers_and_systems_are_told_coarsely() {
        for (agent, expected) in [
            (
                "Mozilla/5.0 (X11; Linux x86_64; rv:146.0) Gecko/20100101 Firefox/146.0",
                Some("Firefox, Linux"),
            ),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 \
                 Safari/537.36 Edg/143.0.0.0",
                Some("Edge, Windows"),
            ),
            (
                "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Mobile \
                 Safari/537.36",
                Some("Chrome, Android"),
            ),
            (
                "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) \
                 Version/26.0 Safari/605.1.15",
                Some("Safari, macOS"),
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) \
                 CriOS/143.0.0.0 Mobile/15E148 Safari/604.1",
                Some("Chrome, iPhone"),
            ),
            ("curl/8.14.1", None),
            ("", None),
        ] {
            let headers = HeaderMap::from_iter([(header::USER_AGENT, agent.parse().unwrap())]);
            assert_eq!(label(&headers).as_deref(), expected, "{agent}");
        }
        assert_eq!(label(&HeaderMap::new()), None);
    }
}
