//! The texts of messages, in the languages of the pages.

use std::sync::LazyLock;

use engine::Ruleset;
use game::{
    Language, NoticePurpose,
    ids::{GameId, PlayerName},
};
use serde_json::{Map, Value};

use crate::net::origin::Origin;

const MINUTE_MS: i64 = 60 * 1000;
const HOUR_MS: i64 = 60 * MINUTE_MS;
const DAY_MS: i64 = 24 * HOUR_MS;

/// A game that waits for the turn of the reader.
#[derive(Clone, Debug)]
pub(super) struct WaitingGame {
    pub(super) id: GameId,
    pub(super) ruleset: Ruleset,
    pub(super) opponent: PlayerName,
    /// Time left for the turn in milliseconds; `None` without a limit.
    pub(super) left_ms: Option<i64>,
}

/// Returns the subject of a message about this many games.
pub(super) fn subject(purpose: NoticePurpose, n_games: usize, language: Language) -> String {
    match (purpose, language, n_games) {
        (NoticePurpose::Turns, Language::English, 1) => "It is your turn".to_owned(),
        (NoticePurpose::Turns, Language::English, n) => format!("It is your turn in {n} games"),
        (NoticePurpose::Turns, Language::French, 1) => "C’est à vous de jouer".to_owned(),
        (NoticePurpose::Turns, Language::French, n) => format!("C’est à vous de jouer dans {n} parties"),
        (NoticePurpose::Deadline, Language::English, _) => "Your time is running out".to_owned(),
        (NoticePurpose::Deadline, Language::French, _) => "Il vous reste peu de temps".to_owned(),
    }
}

/// Returns the text of a message about games, the most urgent first.
pub(super) fn body(
    purpose: NoticePurpose,
    games: &[WaitingGame],
    origin: &Origin,
    unsubscribe: &str,
    language: Language,
) -> String {
    let greeting = greeting(purpose, games.len(), language);
    let games: String = games.iter().map(|game| paragraph(game, origin, language)).collect();
    let end = match language {
        Language::English => format!(
            "How often you get such mails is a setting of your account at {origin}\n\
             To stop these mails, open this link:\n{unsubscribe}\n"
        ),
        Language::French => format!(
            "La fréquence de ces e-mails se règle dans votre compte sur {origin}\n\
             Pour ne plus en recevoir, ouvrez ce lien\u{a0}:\n{unsubscribe}\n"
        ),
    };
    format!("{greeting}\n\n{games}-- \n{end}")
}

fn greeting(purpose: NoticePurpose, n_games: usize, language: Language) -> &'static str {
    match (purpose, language, n_games) {
        (NoticePurpose::Turns, Language::English, 1) => "This game waits for your turn:",
        (NoticePurpose::Turns, Language::English, _) => "These games wait for your turn:",
        (NoticePurpose::Turns, Language::French, 1) => "Cette partie attend que vous jouiez\u{a0}:",
        (NoticePurpose::Turns, Language::French, _) => "Ces parties attendent que vous jouiez\u{a0}:",
        (NoticePurpose::Deadline, Language::English, 1) => {
            "Your time for a turn is running out. This game waits for you:"
        }
        (NoticePurpose::Deadline, Language::English, _) => {
            "Your time for a turn is running out. These games wait for you:"
        }
        (NoticePurpose::Deadline, Language::French, 1) => {
            "Il vous reste peu de temps pour jouer un tour. Cette partie vous attend\u{a0}:"
        }
        (NoticePurpose::Deadline, Language::French, _) => {
            "Il vous reste peu de temps pour jouer un tour. Ces parties vous attendent\u{a0}:"
        }
    }
}

fn paragraph(game: &WaitingGame, origin: &Origin, language: Language) -> String {
    let WaitingGame { id, ruleset, opponent, left_ms } = game;
    let (name, left) = (name(*ruleset, language), time_left(*left_ms, language));
    let opponent = without_links(opponent);
    match language {
        Language::English => format!("{name}, against {opponent}: {left}\n{origin}/game/{id}\n\n"),
        Language::French => format!("{name}, contre {opponent}\u{a0}: {left}\n{origin}/game/{id}\n\n"),
    }
}

/// A name that a stranger has chosen, in which no mail program finds a link: each sign that joins the parts of one is followed by
/// a space without width.
fn without_links(name: &PlayerName) -> String {
    let joins = |letter: &char| ".:/@".contains(*letter);
    let letters = name.as_str().chars();
    letters.flat_map(|letter| [Some(letter), Some('\u{200b}').filter(|_| joins(&letter))]).flatten().collect()
}

/// The words of pages in each language.
static WORDS: LazyLock<[Map<String, Value>; 2]> = LazyLock::new(|| {
    let words = [include_str!("../../../static/i18n/en.json"), include_str!("../../../static/i18n/fr.json")];
    words.map(|words| serde_json::from_str(words).expect("each file of words is an object, as a test holds"))
});

/// The name of a ruleset, as pages have it.
fn name(ruleset: Ruleset, language: Language) -> &'static str {
    let [english, french] = &*WORDS;
    let words = match language {
        Language::English => english,
        Language::French => french,
    };
    words[&format!("ruleset.{ruleset}")].as_str().expect("each ruleset has a name, as a test holds")
}

/// The time left for a turn, in whole days, hours or minutes, of which there are at least two but for the last minute.
fn time_left(left_ms: Option<i64>, language: Language) -> String {
    let Some(left_ms) = left_ms else {
        return match language {
            Language::English => "no time limit".to_owned(),
            Language::French => "sans limite de temps".to_owned(),
        };
    };
    let (n, english, french) = if left_ms >= 2 * DAY_MS {
        (left_ms / DAY_MS, "days", "jours")
    } else if left_ms >= 2 * HOUR_MS {
        (left_ms / HOUR_MS, "hours", "heures")
    } else if left_ms >= 2 * MINUTE_MS {
        (left_ms / MINUTE_MS, "minutes", "minutes")
    } else {
        return match language {
            Language::English => "one minute left".to_owned(),
            Language::French => "il reste une minute".to_owned(),
        };
    };
    match language {
        Language::English => format!("{n} {english} left"),
        Language::French => format!("il reste {n}\u{a0}{french}"),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    const LANGUAGES: [Language; 2] = [Language::English, Language::French];

    #[test]
    fn games_have_the_names_that_pages_give_them() {
        for language in LANGUAGES {
            let names: BTreeSet<_> = Ruleset::ALL.iter().map(|ruleset| name(*ruleset, language)).collect();
            assert_eq!(names.len(), Ruleset::ALL.len());
        }
        assert_eq!(name(Ruleset::FibonacciCards, Language::French), "Fibonacci aux cartes");
    }

    #[test]
    fn one_game_is_greeted_as_one_and_more_as_many() {
        for purpose in [NoticePurpose::Turns, NoticePurpose::Deadline] {
            for (language, one, many) in [
                (Language::English, "This game waits", "These games wait"),
                (Language::French, "Cette partie", "Ces parties"),
            ] {
                let [of_one, of_many] = [1, 2].map(|n_games| greeting(purpose, n_games, language));
                assert!(of_one.contains(one) && of_many.contains(many), "{of_one} {of_many}");
            }
        }
    }

    #[test]
    fn no_name_of_a_player_becomes_a_link() {
        for (name, expected) in [
            ("Bob", "Bob"),
            ("http://evil.com", "http:\u{200b}/\u{200b}/\u{200b}evil.\u{200b}com"),
            ("a@evil.com", "a@\u{200b}evil.\u{200b}com"),
        ] {
            assert_eq!(without_links(&name.to_owned().try_into().unwrap()), expected);
        }
    }

    #[test]
    fn the_time_left_is_told_in_the_unit_that_suits_it() {
        for (left_ms, english, french) in [
            (None, "no time limit", "sans limite de temps"),
            (Some(3 * DAY_MS - 1), "2 days left", "il reste 2\u{a0}jours"),
            (Some(2 * DAY_MS - 1), "47 hours left", "il reste 47\u{a0}heures"),
            (Some(2 * HOUR_MS - 1), "119 minutes left", "il reste 119\u{a0}minutes"),
            (Some(2 * MINUTE_MS - 1), "one minute left", "il reste une minute"),
            (Some(-1), "one minute left", "il reste une minute"),
        ] {
            assert_eq!(time_left(left_ms, Language::English), english);
            assert_eq!(time_left(left_ms, Language::French), french);
        }
    }

    #[test]
    fn each_game_has_its_link_on_a_line_of_its_own_and_so_has_the_end_of_such_mails() {
        let game = |number, opponent: &str| WaitingGame {
            id: GameId::new(uuid::Uuid::from_u128(number)),
            ruleset: Ruleset::Fenix,
            opponent: opponent.to_owned().try_into().unwrap(),
            left_ms: Some(3 * HOUR_MS),
        };
        let games = [game(1, "Bob"), game(2, "Cleo")];
        let origin = "https://towers.example".parse().unwrap();
        let stop = "https://towers.example/unsubscribe?link=0";
        for purpose in [NoticePurpose::Turns, NoticePurpose::Deadline] {
            let [english, french] = LANGUAGES.map(|language| {
                let subject = subject(purpose, games.len(), language);
                assert!(!subject.contains("Bob"), "no name that a stranger has chosen: {subject}");
                let body = body(purpose, &games, &origin, stop, language);
                let lines: Vec<_> = body.lines().collect();
                for link in games.iter().map(|game| format!("https://towers.example/game/{}", game.id)) {
                    assert!(lines.contains(&&*link), "{body}");
                }
                assert!(lines.contains(&stop) && body.contains("Bob") && body.contains("Cleo"), "{body}");
                (subject, body)
            });
            assert!(english.0 != french.0 && english.1 != french.1);
        }
    }
}
