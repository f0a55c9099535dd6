//! The bucket of a run, which the nodes reach by a proxy, and how often it was at fault.

use std::fmt;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::bucket_fault::{BucketEffect, BucketFault};
use super::fault_proxy::FaultProxy;
use super::fault_proxy::counts::Affected;
use super::fault_proxy::link::Protocol;
use crate::bench::object_storage::{Kind, ObjectStorage};
use crate::failure::Outcome;

/// The bucket.
#[derive(Debug)]
pub struct Bucket {
    storage: ObjectStorage,
    proxy: FaultProxy,
    faults: Mutex<BucketCount>,
}

/// How often it was at fault, and what met the faults.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct BucketCount {
    /// Its process was killed.
    pub stopped: usize,
    /// Its process was stopped by SIGSTOP.
    pub frozen: usize,
    /// It was slow.
    pub slow: usize,
    /// Connections to it were cut.
    pub cut: usize,
    /// It refused requests.
    pub refusing: usize,
    /// The connections and requests that met the last three.
    pub affected: Affected,
}

impl Bucket {
    /// Starts a storage that keeps everything below `folder`, and the proxy before it.
    ///
    /// # Errors
    /// When one of them does not start.
    pub fn start(folder: &Path) -> Outcome<Self> {
        let storage = ObjectStorage::start(Kind::at_hand(), folder)?;
        Ok(Self {
            proxy: FaultProxy::start(storage.address(), Protocol::Http)?,
            storage,
            faults: Mutex::default(),
        })
    }

    /// What commands need to use it, which reach it directly.
    pub fn settings(&self) -> [(&'static str, String); 5] {
        self.storage.settings()
    }

    /// The setting by which nodes reach it through the proxy.
    pub fn endpoint_by_proxy(&self) -> (&'static str, String) {
        self.storage.endpoint_by(self.proxy.address)
    }

    /// It does not answer, until [`Self::bring_back`].
    pub fn freeze(&self) {
        self.faults().frozen += 1;
        self.storage.freeze();
    }

    /// Its process is killed.
    pub fn stop(&self) {
        self.faults().stopped += 1;
        self.storage.stop();
    }

    /// Its process starts again, unless it runs.
    ///
    /// # Errors
    /// When it does not listen.
    pub fn start_again(&self) -> Outcome<bool> {
        self.storage.start_again()
    }

    /// All connections meet a fault for a while; returns how many are open.
    pub fn disturb(&self, fault: BucketFault) -> usize {
        let mut faults = self.faults();
        match fault.effect {
            BucketEffect::Slow { .. } => faults.slow += 1,
            BucketEffect::Cut => faults.cut += 1,
            BucketEffect::Refuse => faults.refusing += 1,
        }
        self.proxy.apply_to_all(fault)
    }

    /// Ends what [`Self::disturb`] began.
    pub fn calm(&self) {
        self.proxy.calm();
    }

    /// It runs and answers, whether it was frozen or stopped.
    ///
    /// # Errors
    /// As [`Self::start_again`].
    pub fn bring_back(&self) -> Outcome<()> {
        self.storage.go_on();
        self.storage.start_again().map(drop)
    }

    /// How often it was at fault so far.
    pub fn count(&self) -> BucketCount {
        BucketCount {
            affected: self.proxy.affected(),
            ..*self.faults()
        }
    }

    fn faults(&self) -> MutexGuard<'_, BucketCount> {
        self.faults.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Display for BucketCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            stopped,
            frozen,
            slow,
            cut,
            refusing,
            affected,
        } = self;
        write!(
            f,
            "the bucket was stopped {stopped} times, frozen {frozen} times, slow {slow} times ({} connections), cut {cut} times ({} \
             connections), and answered 503 {refusing} times ({} requests)",
            affected.delayed, affected.cut, affected.refused
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fault_is_counted_in_words() {
        let count = BucketCount {
            stopped: 11,
            frozen: 12,
            slow: 13,
            cut: 14,
            refusing: 15,
            affected: Affected {
                frozen: 0,
                cut: 16,
                delayed: 17,
                refused: 18,
            },
        };
        let text = count.to_string();
        assert!((11..=18).all(|count| text.contains(&count.to_string())), "{text}");
    }
}
