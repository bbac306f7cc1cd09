//! The positions of a game, as its spectators see them.

use engine::Ruleset;
use protocol::{Event, EventKind, ProblemCode, Step, Threats};
use serde::Deserialize;

use crate::http::Problem;

/// A position to be drawn.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    /// Number of the turn that led to it; 0 for the start.
    pub(super) turn: u16,
    pub(super) position: String,
    pub(super) steps: Vec<Step>,
    /// Attackers of the centres, if no step tells them.
    pub(super) threats: Option<Threats>,
}

impl Frame {
    /// A position without a turn before it.
    pub(super) fn still(position: String, threats: Option<Threats>) -> Self {
        Self { turn: 0, position, steps: Vec::new(), threats }
    }
}

/// The parts of a game's document that are drawn.
#[derive(Debug, Deserialize)]
struct Document {
    summary: Summary,
    events: Vec<Event>,
}

#[derive(Debug, Deserialize)]
struct Summary {
    ruleset: Ruleset,
}

/// The start of a game and the ends of the turns that stand.
#[derive(Debug)]
pub(super) struct Frames {
    pub(super) ruleset: Ruleset,
    pub(super) all: Vec<Frame>,
}

impl Frames {
    /// Reads the document of a game.
    ///
    /// # Errors
    /// The text is no document of a game.
    pub(super) fn of_document(text: &str) -> Result<Self, Problem> {
        let document: Document = serde_json::from_str(text).map_err(|_| ProblemCode::Unavailable)?;
        let mut all: Vec<Frame> = Vec::new();
        for event in document.events {
            match event.what {
                EventKind::Created { start, .. } => all.push(Frame::still(start, None)),
                EventKind::TurnPlayed { turn, steps, .. } => {
                    let last = steps.last().map(|step| &step.position);
                    let Some(position) = last.or(all.last().map(|frame| &frame.position)) else { continue };
                    all.push(Frame { turn, position: position.clone(), steps, threats: None });
                }
                EventKind::TurnsTakenBack { turns, .. } => {
                    all.truncate(all.len().saturating_sub(turns.into()).max(1));
                }
                EventKind::Reopened { .. } => all.truncate(1),
                EventKind::Started { .. }
                | EventKind::Offered { .. }
                | EventKind::Declined { .. }
                | EventKind::DrawAgreed { .. }
                | EventKind::TimeCredited { .. }
                | EventKind::Resigned { .. }
                | EventKind::Flagged { .. }
                | EventKind::Claimed { .. }
                | EventKind::Aborted { .. }
                | EventKind::RematchStarted { .. }
                | EventKind::Cancelled { .. }
                | EventKind::Ended { .. } => {}
            }
        }
        Ok(Self { ruleset: document.summary.ruleset, all })
    }

    /// The position after a turn, or after the last one before it; the last of all by default.
    pub(super) fn at(mut self, turn: Option<u16>) -> Option<Frame> {
        self.all.retain(|frame| turn.is_none_or(|turn| frame.turn <= turn));
        self.all.pop()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn played(turn: u16, position: &str) -> serde_json::Value {
        let step = json!({
            "action": "a", "position": position, "route": [], "swap": false, "count": null,
            "overflow": null, "taken": [], "threats": null,
        });
        json!({
            "version": turn + 2, "at_ms": 0, "type": "turn_played", "turn": turn, "side": "first",
            "card": null, "steps": [step], "took_ms": 0, "time": null,
        })
    }

    fn positions(events: &[serde_json::Value]) -> Vec<(u16, String)> {
        let creator = json!({"id": "01890a5d-ac96-774b-bcce-b302099a8057", "name": "Ada", "bot": null});
        let created = json!({
            "version": 1, "at_ms": 0, "type": "created", "ruleset": "fenix", "visibility": "link",
            "creator": creator, "seat": "first", "terms": {}, "start": "start", "seed_hash": null,
        });
        let events: Vec<_> = [created].iter().chain(events).cloned().collect();
        let document = json!({"summary": {"ruleset": "fenix"}, "events": events}).to_string();
        let frames = Frames::of_document(&document).unwrap();
        frames.all.into_iter().map(|frame| (frame.turn, frame.position)).collect()
    }

    #[test]
    fn turns_that_were_taken_back_are_not_drawn() {
        let back = json!({"version": 5, "at_ms": 0, "type": "turns_taken_back", "turns": 2, "side": "first"});
        let shown =
            positions(&[played(1, "one"), played(2, "two"), played(3, "three"), back, played(2, "new")]);
        let expected = [(0, "start"), (1, "one"), (2, "new")];
        assert_eq!(shown, expected.map(|(turn, position)| (turn, position.to_owned())));
    }

    #[test]
    fn a_skipped_turn_shows_the_one_before_it() {
        let frame = |turn| {
            let all = [(0, "start"), (1, "one"), (3, "three")]
                .map(|(turn, position)| Frame { turn, ..Frame::still(position.to_owned(), None) });
            Frames { ruleset: Ruleset::Fenix, all: all.into() }.at(turn).unwrap().position
        };
        assert_eq!(
            [None, Some(0), Some(1), Some(2), Some(9)].map(frame),
            ["three", "start", "one", "one", "three"]
        );
    }
}
