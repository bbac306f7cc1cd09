//! Vacations, in the transaction of a commit. They are rare, so each has statements of its own.

use game::{Period, Vacation, Vacations};

use super::{Connection, text};
use crate::{
    Refused, VacationChange, VacationStep,
    inbox::InboxPlan,
    row::{VacationRow, vacations},
};

/// Executes a change, and adds what it tells to the changes of inboxes. The row of its player is locked.
pub(super) async fn save(
    tx: &mut impl Connection,
    change: &VacationChange,
    inbox: &mut InboxPlan,
) -> Result<Result<(), Refused>, sqlx::Error> {
    let player = change.player.uuid();
    let rows: Vec<VacationRow> = tx.rows(text::VACATIONS.bind(player)).await?;
    let Some(taken): Option<Vacations> = vacations(&rows) else { return Ok(Err(Refused::UnknownPlayer)) };
    match change.what {
        VacationStep::SetAutomatic(is_automatic) => {
            let set = if is_automatic { text::ALLOW_VACATION } else { text::FORBID_VACATION };
            tx.execute(set.bind(player)).await?;
        }
        VacationStep::Credited(Period { from_ms, to_ms }) => {
            tx.execute(text::VACATION_IS_CREDITED.bind(player).bind(from_ms).bind(to_ms)).await?;
        }
        VacationStep::Begun(_) | VacationStep::Ended | VacationStep::Used { .. } => {}
    }
    match change.decide(&taken) {
        Ok(Some(vacation)) => {
            let Vacation { from_ms, to_ms, is_automatic } = vacation;
            let kept = if is_automatic { text::KEEP_AUTOMATIC_VACATION } else { text::KEEP_VACATION };
            tx.execute(kept.bind(player).bind(from_ms).bind(to_ms)).await?;
            inbox.told.extend(change.notice(vacation));
            Ok(Ok(()))
        }
        Ok(None) => Ok(Ok(())),
        Err(refused) => Ok(Err(refused.into())),
    }
}
