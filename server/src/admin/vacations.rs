//! Verification of vacations: what the transactions that store them keep true.

use game::{Vacation, ids::PlayerId};
use store::Store;

use super::say;

/// Number of vacations in memory at once.
const PAGE: u32 = 1000;

/// Maximum length of a vacation that was used because time ran out, in milliseconds.
const AUTOMATIC_MS: i64 = 24 * 60 * 60 * 1000;

/// Looks at all vacations, and prints each that is wrong, and a summary. Returns whether there is none.
pub(super) async fn check(store: &dyn Store) -> anyhow::Result<bool> {
    let (mut n_vacations, mut n_wrong) = (0_u64, 0_u64);
    let mut last: Option<(PlayerId, Vacation)> = None;
    loop {
        let page = store.all_vacations(last, PAGE).await?;
        if page.is_empty() {
            break;
        }
        for (player, vacation) in page {
            n_vacations += 1;
            let before = last.filter(|(of, _)| *of == player).map(|(_, before)| before);
            let faults = faults(before, vacation);
            if !faults.is_empty() {
                n_wrong += 1;
                let from_ms = vacation.from_ms;
                say(format_args!("{player}: the vacation from {from_ms} on {}", faults.join("; ")))?;
            }
            last = Some((player, vacation));
        }
    }
    say(format_args!("vacations checked: {n_vacations}; wrong: {n_wrong}"))?;
    Ok(n_wrong == 0)
}

/// Describes the faults of a vacation, which follows another one of its player. Its table has none that ends before it begins.
fn faults(
    before: Option<Vacation>,
    Vacation { from_ms, to_ms, is_automatic }: Vacation,
) -> Vec<&'static str> {
    [
        (is_automatic && to_ms.saturating_sub(from_ms) > AUTOMATIC_MS, "is automatic and longer than a day"),
        (before.is_some_and(|before| before.to_ms > from_ms), "begins before the last one has ended"),
    ]
    .into_iter()
    .filter_map(|(is_wrong, what)| is_wrong.then_some(what))
    .collect()
}
