//! The memory that decoding may take: one budget in bytes for uploads, renditions, posters and slides.
//!
//! A permit belongs to the work, not to the request that asked for it: it moves into the blocking task and is released when
//! that ends. Waiting work holds neither pixels nor the bytes of its file, only an open reader.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::AppError;

/// All decoding together, in KiB: 240 MiB. What costs more runs alone; the most that it takes is 270 MB of pixels or
/// coefficients and a file of 20 MB.
const BUDGET_KIB: u32 = 240 << 10;

/// Bounds what is decoded at once, by memory and by cores. First come, first served: a large picture delays those behind it
/// and is never passed by them.
#[derive(Debug)]
pub struct Decoding {
    slots: Arc<Semaphore>,
    kib: Arc<Semaphore>,
}

/// The right to decode. Dropped when the decoder has returned.
#[derive(Debug)]
#[must_use]
pub struct DecodePermit {
    _kib: OwnedSemaphorePermit,
    _slot: Option<OwnedSemaphorePermit>,
}

impl Decoding {
    /// A budget for work that runs on `cores` threads.
    pub fn new(cores: usize) -> Self {
        Self {
            slots: Arc::new(Semaphore::new(cores)),
            kib: Arc::new(Semaphore::new(BUDGET_KIB as usize)),
        }
    }

    /// Waits for a core and for `cost` bytes.
    pub async fn permit(&self, cost: u64) -> Result<DecodePermit, AppError> {
        let slot = Arc::clone(&self.slots).acquire_owned().await;
        let slot = slot.map_err(|_| AppError::Press)?;
        Ok(DecodePermit {
            _slot: Some(slot),
            ..self.memory(cost).await?
        })
    }

    /// Waits for `cost` bytes alone: for work whose threads are bounded elsewhere.
    pub async fn memory(&self, cost: u64) -> Result<DecodePermit, AppError> {
        let kib = Arc::clone(&self.kib).acquire_many_owned(kib(cost)).await;
        let kib = kib.map_err(|_| AppError::Press)?;
        Ok(DecodePermit {
            _kib: kib,
            _slot: None,
        })
    }

    /// A permit where a core and `cost` bytes are free right now.
    pub fn try_permit(&self, cost: u64) -> Option<DecodePermit> {
        let slot = Arc::clone(&self.slots).try_acquire_owned().ok()?;
        let kib = Arc::clone(&self.kib).try_acquire_many_owned(kib(cost)).ok()?;
        Some(DecodePermit {
            _kib: kib,
            _slot: Some(slot),
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

    const HALF: u64 = BUDGET_KIB as u64 * 512;

    #[tokio::test]
    async fn what_costs_more_than_the_budget_runs_alone() {
        let decoding = Decoding::new(4);
        let small = decoding.permit(1).await.unwrap();
        let mut huge = Box::pin(decoding.permit(u64::MAX));
        assert!(huge.as_mut().now_or_never().is_none());
        drop(small);
        let huge = huge.await.unwrap();
        assert!(decoding.permit(1).now_or_never().is_none());
        assert!(decoding.try_permit(1).is_none());
        drop(huge);
        assert!(decoding.try_permit(1).is_some());
    }

    #[tokio::test]
    async fn small_work_does_not_pass_a_large_one_that_waits() {
        let decoding = Decoding::new(4);
        let first = decoding.permit(HALF).await.unwrap();
        let mut large = Box::pin(decoding.permit(2 * HALF));
        assert!(large.as_mut().now_or_never().is_none());
        let mut small = Box::pin(decoding.permit(1));
        assert!(small.as_mut().now_or_never().is_none());
        drop(first);
        let large = large.await.unwrap();
        assert!(small.as_mut().now_or_never().is_none());
        drop(large);
        assert!(small.await.is_ok());
    }

    #[tokio::test]
    async fn no_more_is_decoded_than_there_are_cores() {
        let decoding = Decoding::new(1);
        let one = decoding.permit(1).await.unwrap();
        assert!(decoding.permit(1).now_or_never().is_none());
        assert!(
            decoding.memory(1).now_or_never().is_some(),
            "slides have threads of their own"
        );
        drop(one);
        assert!(decoding.permit(1).now_or_never().is_some());
    }
}
