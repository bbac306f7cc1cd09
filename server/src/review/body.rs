//! The stored form of a review: compact JSON with a version. A reader ignores fields that it does not know.

use protocol::{BetterTurn, Review, ReviewedTurn};
use serde::{Deserialize, Serialize};

/// Version of the form. A later version must stay readable by readers of this one.
const VERSION: u32 = 1;

/// Scores are stored in thousandths.
const SCALE: f32 = 1000.0;

#[derive(Serialize, Deserialize)]
struct Body {
    #[serde(rename = "v")]
    version: u32,
    turns: Vec<Turn>,
}

#[derive(Serialize, Deserialize)]
struct Turn {
    #[serde(rename = "s")]
    score: u16,
    #[serde(rename = "b", default, skip_serializing_if = "Option::is_none")]
    better: Option<Better>,
}

#[derive(Serialize, Deserialize)]
struct Better {
    #[serde(rename = "a")]
    actions: Vec<String>,
    #[serde(rename = "s")]
    score: u16,
}

/// Returns the body of a review.
pub(super) fn write(review: &Review) -> String {
    let turns = review.turns.iter().map(|turn| Turn {
        score: thousandths(turn.score),
        better: turn
            .better
            .as_ref()
            .map(|better| Better { actions: better.actions.clone(), score: thousandths(better.score) }),
    });
    let body = Body { version: VERSION, turns: turns.collect() };
    serde_json::to_string(&body).expect("a body has string keys only")
}

/// Returns the review of a body.
///
/// # Errors
/// It is no body of a review.
pub(super) fn read(body: &str) -> serde_json::Result<Review> {
    let Body { turns, .. } = serde_json::from_str(body)?;
    let score = |thousandths: u16| f32::from(thousandths) / SCALE;
    let turns = turns.into_iter().map(|turn| ReviewedTurn {
        score: score(turn.score),
        better: turn.better.map(|better| BetterTurn { actions: better.actions, score: score(better.score) }),
    });
    Ok(Review { turns: turns.collect() })
}

fn thousandths(score: f32) -> u16 {
    (score.clamp(0.0, 1.0) * SCALE).round() as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    fn review() -> Review {
        let better = BetterTurn { actions: vec!["b7-c7".to_owned(), "end".to_owned()], score: 0.75 };
        Review {
            turns: vec![
                ReviewedTurn { score: 0.5, better: None },
                ReviewedTurn { score: 0.125, better: Some(better) },
                ReviewedTurn { score: 1.0, better: None },
            ],
        }
    }

    #[test]
    fn a_review_is_written_compactly_and_read_back() {
        let body = write(&review());
        assert_eq!(
            body,
            r#"{"v":1,"turns":[{"s":500},{"s":125,"b":{"a":["b7-c7","end"],"s":750}},{"s":1000}]}"#
        );
        assert_eq!(read(&body).unwrap(), review());
    }

    #[test]
    fn a_reader_ignores_what_it_does_not_know_and_refuses_what_is_no_review() {
        let later = r#"{"v":2,"by":"x","turns":[{"s":500,"depth":7},{"s":125,"b":null}]}"#;
        let read_later = read(later).unwrap();
        assert_eq!(read_later.turns.len(), 2);
        assert_eq!(read_later.turns[1], ReviewedTurn { score: 0.125, better: None });
        for no_body in ["", "null", "[]", r#"{"v":1}"#, r#"{"v":1,"turns":[{"s":"high"}]}"#] {
            assert!(read(no_body).is_err(), "{no_body}");
        }
    }
}
