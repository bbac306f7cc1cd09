//! Passkeys and their ceremonies.

use game::ids::PasskeyId;

use super::Tables;
use crate::{CeremonyStep, MAX_CEREMONIES, Passkey, Refused, Written};

impl Tables {
    pub(super) fn passkey(&mut self, id: PasskeyId) -> &mut Passkey {
        &mut self.passkeys.get_mut(&id).expect("a change is planned of a stored passkey").1
    }

    pub(super) fn take_step(&mut self, step: &CeremonyStep) -> Result<Written, Refused> {
        match step {
            CeremonyStep::Begin { challenge, ceremony } => {
                self.ceremonies.insert(*challenge, ceremony.clone());
                while self.ceremonies.len() > MAX_CEREMONIES as usize {
                    let first = self.ceremonies.iter().min_by_key(|(_, ceremony)| ceremony.expires_ms);
                    let first = *first.expect("there are some").0;
                    self.ceremonies.remove(&first);
                }
                Ok(Written::Done)
            }
            CeremonyStep::Take { challenge, now_ms } => {
                let taken = self.ceremonies.remove(challenge).filter(|taken| taken.expires_ms > *now_ms);
                taken.map(Written::Taken).ok_or(Refused::NoCeremony)
            }
        }
    }
}
