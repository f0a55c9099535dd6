//! The memory that decoding may take: one budget in bytes for uploads, renditions, posters and slides.
//!
//! A permit belongs to the work, not to the request that asked for it: it moves into the blocking task and is released when
//! that ends. Waiting work holds neither pixels nor the bytes of its file, nor is the file open.

use std::sync::Arc;

use playout_domain::id::WorkspaceId;

use super::error::AppError;
use super::turns::{Turns, Units};

/// All decoding together, in KiB: 240 MiB. What costs more runs alone; the most that it takes is 270 MB of pixels or
/// coefficients and a file of 20 MB.
const BUDGET_KIB: u32 = 240 << 10;

/// Bounds what is decoded at once, by memory and by cores. Workspaces take turns; a large picture delays those behind it and is
/// never passed by them.
#[derive(Debug)]
pub struct Decoding {
    cores: Arc<Turns>,
    kib: Arc<Turns>,
}

/// The right to decode. Dropped when the decoder has returned.
#[derive(Debug)]
#[must_use]
pub struct DecodePermit {
    _kib: Units,
    _core: Option<Units>,
}

impl Decoding {
    /// A budget for work that runs on `cores` threads.
    pub fn new(cores: usize) -> Self {
        Self {
            cores: Turns::new(u32::try_from(cores).unwrap_or(u32::MAX)),
            kib: Turns::new(BUDGET_KIB),
        }
    }

    /// Waits for a core and for `cost` bytes.
    pub async fn permit(&self, workspace: WorkspaceId, cost: u64) -> Result<DecodePermit, AppError> {
        let core = self.cores.take(workspace, 1).await?;
        Ok(DecodePermit {
            _core: Some(core),
            ..self.memory(workspace, cost).await?
        })
    }

    /// Waits for `cost` bytes alone: for work whose threads are bounded elsewhere.
    pub async fn memory(&self, workspace: WorkspaceId, cost: u64) -> Result<DecodePermit, AppError> {
        Ok(DecodePermit {
            _kib: self.kib.take(workspace, kib(cost)).await?,
            _core: None,
        })
    }

    /// A permit, if a core and `cost` bytes are free right now and no other work waits for them.
    pub fn try_permit(&self, cost: u64) -> Option<DecodePermit> {
        let core = self.cores.try_take(1)?;
        Some(DecodePermit {
            _kib: self.kib.try_take(kib(cost))?,
            _core: Some(core),
        })
    }
}

fn kib(cost: u64) -> u32 {
    u32::try_from(cost.div_ceil(1024)).map_or(BUDGET_KIB, |kib| kib.min(BUDGET_KIB))
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;
    use crate::chance;
    use playout_domain::time::Time;

    const HALF: u64 = BUDGET_KIB as u64 * 512;

    #[tokio::test]
    async fn what_costs_more_than_the_budget_runs_alone() {
        let one = chance::id(Time::from_secs(0));
        let decoding = Decoding::new(4);
        let small = decoding.permit(one, 1).await.unwrap();
        let mut huge = Box::pin(decoding.permit(one, u64::MAX));
        assert!(huge.as_mut().now_or_never().is_none());
        drop(small);
        let huge = huge.await.unwrap();
        assert!(decoding.permit(one, 1).now_or_never().is_none());
        assert!(decoding.try_permit(1).is_none());
        drop(huge);
        assert!(decoding.try_permit(1).is_some());
    }

    #[tokio::test]
    async fn small_work_does_not_pass_a_large_one_that_waits() {
        let one = chance::id(Time::from_secs(0));
        let decoding = Decoding::new(4);
        let first = decoding.permit(one, HALF).await.unwrap();
        let mut large = Box::pin(decoding.permit(one, 2 * HALF));
        assert!(large.as_mut().now_or_never().is_none());
        let mut small = Box::pin(decoding.permit(one, 1));
        assert!(small.as_mut().now_or_never().is_none());
        drop(first);
        let large = large.await.unwrap();
        assert!(small.as_mut().now_or_never().is_none());
        drop(large);
        assert!(small.await.is_ok());
    }

    #[tokio::test]
    async fn no_more_is_decoded_than_there_are_cores() {
        let one = chance::id(Time::from_secs(0));
        let decoding = Decoding::new(1);
        let first = decoding.permit(one, 1).await.unwrap();
        assert!(decoding.permit(one, 1).now_or_never().is_none());
        assert!(
            decoding.memory(one, 1).now_or_never().is_some(),
            "slides have threads of their own"
        );
        drop(first);
        assert!(decoding.permit(one, 1).now_or_never().is_some());
    }
}
