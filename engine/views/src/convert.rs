//! Conversions of the engine's views.

use engine::{Budget, Unlisted};

use super::{
    ActionKind, Allowance, Barred, Capture, Cards, CellName, Choices, Draft, Jump, LegalAction, Overflow,
    Owed, OwedKind, Pack, Quiet, Reserves, SetUp, SetUps, Step, Threats, Turn,
};

impl Choices {
    /// The choices after the beginning of a turn.
    ///
    /// # Errors
    /// More than `limit` actions may follow, or listing them exceeds the budget.
    pub fn of(draft: &engine::Draft, limit: usize, budget: &mut Budget) -> Result<Self, Unlisted> {
        let actions = draft.list(limit, budget)?;
        Ok(Self {
            draft: draft.into(),
            actions: actions.into_iter().map(Into::into).collect(),
            groups: draft.groups().into_iter().map(cells).collect(),
            barred: draft.ko_forbidden.iter().cloned().map(Into::into).collect(),
            best_capture: draft.best_capture(),
        })
    }
}

impl From<&engine::Draft> for Draft {
    fn from(draft: &engine::Draft) -> Self {
        Self {
            steps: draft.steps.iter().map(Into::into).collect(),
            turn: draft.present.clone().into(),
            may_end: draft.may_end,
            complete: draft.complete,
        }
    }
}

impl From<engine::LegalAction> for LegalAction {
    fn from(action: engine::LegalAction) -> Self {
        let engine::LegalAction { text, kind, from, to, count, overflow, capture } = action;
        Self {
            text,
            kind: kind.into(),
            from: from.map(Into::into),
            to: to.map(Into::into),
            count,
            overflow: overflow.map(Into::into),
            capture: capture.map(Into::into),
        }
    }
}

impl From<engine::ActionKind> for ActionKind {
    fn from(kind: engine::ActionKind) -> Self {
        match kind {
            engine::ActionKind::Move => Self::Move,
            engine::ActionKind::Swap => Self::Swap,
            engine::ActionKind::Drop => Self::Drop,
            engine::ActionKind::Switch => Self::Switch,
            engine::ActionKind::Promote => Self::Make,
            engine::ActionKind::Capture => Self::Capture,
            engine::ActionKind::End => Self::End,
        }
    }
}

impl From<engine::Capture> for Capture {
    fn from(engine::Capture { jumps, n_discs }: engine::Capture) -> Self {
        let jump = |engine::Jump { over, to }| Jump { over: over.into(), to: to.into() };
        Self { jumps: jumps.into_iter().map(jump).collect(), discs: n_discs }
    }
}

impl From<engine::KoForbidden> for Barred {
    fn from(engine::KoForbidden { text, from, to, turn }: engine::KoForbidden) -> Self {
        Self { text, from: from.map(Into::into), to: to.map(Into::into), turn: turn.get() }
    }
}

impl From<&engine::PlayedAction> for Step {
    fn from(step: &engine::PlayedAction) -> Self {
        let engine::PlayedAction { action, position, route, swap, count, overflow, taken, threats } =
            step.clone();
        Self {
            action,
            position,
            route: cells(route),
            swap,
            count,
            overflow: overflow.map(Into::into),
            taken: cells(taken),
            threats: threats.map(Into::into),
        }
    }
}

impl From<engine::Overflow> for Overflow {
    fn from(engine::Overflow { reserved, captured }: engine::Overflow) -> Self {
        Self { reserved, captured }
    }
}

impl From<engine::BySide<Vec<engine::CellName>>> for Threats {
    fn from(engine::BySide { first, second }: engine::BySide<Vec<engine::CellName>>) -> Self {
        Self { first: cells(first), second: cells(second) }
    }
}

impl From<engine::Present> for Turn {
    fn from(present: engine::Present) -> Self {
        let engine::Present { position, turn, side, allowance, threats, reserves, counts, cards } = present;
        let engine::Counts { set_up, owed, quiet_turns } = counts;
        Self {
            number: turn.get(),
            side,
            position,
            allowance: allowance.map(Into::into),
            threats: threats.map(Into::into),
            reserves: reserves.map(|engine::BySide { first, second }| Reserves { first, second }),
            set_up: set_up.map(|made| SetUps { first: made.first.into(), second: made.second.into() }),
            owed: owed.filter(|owed| owed.side == side).map(Into::into),
            quiet: quiet_turns.map(|engine::QuietTurns { turns, limit }| Quiet { turns, limit }),
            cards: cards.map(|engine::Cards { card, packs }| Cards {
                card: card.map(engine::Card::get),
                first: packs.first.into(),
                second: packs.second.into(),
            }),
        }
    }
}

impl From<engine::Allowance> for Allowance {
    fn from(allowance: engine::Allowance) -> Self {
        let engine::Allowance { base, lost, lost_to, allowance, used, left } = allowance;
        Self { base, lost, lost_to: lost_to.map(cells).unwrap_or_default(), allowance, used, left }
    }
}

impl From<engine::SetUp> for SetUp {
    fn from(engine::SetUp { king, n_councillors, n_left }: engine::SetUp) -> Self {
        Self { king, councillors: n_councillors, left: n_left }
    }
}

impl From<engine::Owed> for Owed {
    fn from(owed: engine::Owed) -> Self {
        let kind = match owed.piece {
            engine::OwedPiece::King => OwedKind::King,
            engine::OwedPiece::Councillor => OwedKind::Councillor,
        };
        Self { kind, must: owed.must }
    }
}

impl From<engine::Pack> for Pack {
    fn from(engine::Pack { left, unseen }: engine::Pack) -> Self {
        Self { left, unseen }
    }
}

fn cells(names: Vec<engine::CellName>) -> Vec<CellName> {
    names.into_iter().map(Into::into).collect()
}
