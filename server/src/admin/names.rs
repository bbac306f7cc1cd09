//! Verification of the keys of names. The stored ones are those of the program that stored them; the tables of look-alikes
//! change with versions of it.

use std::collections::BTreeSet;

use store::{NamedAccount, Store};

use super::say;

/// Number of accounts in memory at once.
const PAGE: u32 = 1000;

/// Compares the keys of all accounts with those that their names have in this program, and prints each account with a
/// difference, and a summary. Returns whether there is none.
pub(super) async fn check(store: &dyn Store) -> anyhow::Result<bool> {
    let (mut n_accounts, mut n_wrong, mut last) = (0_u64, 0_u64, None);
    loop {
        let page = store.named_accounts(last, PAGE).await?;
        let Some(account) = page.last() else { break };
        last = Some(account.player);
        for account in &page {
            n_accounts += 1;
            let differences = differences(account);
            if !differences.is_empty() {
                n_wrong += 1;
                say(format_args!("{}: {}", account.player, differences.join("; ")))?;
            }
        }
    }
    say(format_args!("accounts checked: {n_accounts}; wrong: {n_wrong}"))?;
    Ok(n_wrong == 0)
}

/// Describes the missing and the wrong keys of an account.
fn differences(NamedAccount { player: _, names, keys }: &NamedAccount) -> Vec<String> {
    let right: BTreeSet<String> = names.iter().flat_map(|name| name.keys()).collect();
    let missing = right.difference(keys).map(|key| format!("the key {key:?} of its names is missing"));
    let wrong = keys.difference(&right).map(|key| format!("the key {key:?} is of none of its names"));
    missing.chain(wrong).collect()
}
