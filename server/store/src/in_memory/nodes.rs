//! The heartbeat, outages, the lease of the sweep, and keys of the server.

use async_trait::async_trait;

use super::{Memory, Tables};
use crate::{Nodes, Outage, Refused, StoreError, Written, plan::PeriodicWrite};

impl Tables {
    pub(super) fn periodic_write(&mut self, write: PeriodicWrite) -> Result<Written, Refused> {
        match write {
            PeriodicWrite::Beat { now_ms, gap_ms } => {
                let before_ms = self.beat_ms.unwrap_or(now_ms);
                self.beat_ms = Some(before_ms.max(now_ms));
                let outage = Outage::between(before_ms, now_ms, gap_ms);
                self.outages.extend(outage);
                Ok(outage.map_or(Written::Done, Written::AfterOutage))
            }
            PeriodicWrite::TakeSweep { node, now_ms, until_ms } => {
                if self.sweeper.is_some_and(|(other, until_ms)| other != node && until_ms > now_ms) {
                    return Err(Refused::SweptElsewhere);
                }
                self.sweeper = Some((node, until_ms));
                Ok(Written::Done)
            }
        }
    }
}

#[async_trait]
impl Nodes for Memory {
    async fn outages_since(&self, ms: i64) -> Result<Vec<Outage>, StoreError> {
        Ok(self.0.lock().outages.iter().filter(|outage| outage.to_ms > ms).copied().collect())
    }

    async fn server_key(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        Ok(self.0.lock().server_keys.get(name).cloned())
    }

    async fn ping(&self) -> Result<(), StoreError> {
        Ok(())
    }

    async fn verify_tables(&self) -> Result<(), StoreError> {
        Ok(())
    }

    async fn free_bytes(&self) -> Result<Option<u64>, StoreError> {
        Ok(self.0.lock().free_bytes)
    }

    async fn close(&self) {}
}
