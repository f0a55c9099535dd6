//! Waiting for one thing while another goes on that may hold what the first one needs.

use std::pin::{Pin, pin};

/// Waits for `first`, while `work` goes on; returns the result of that, too, if there is one by then.
///
/// A future that is not polled keeps what it holds, and its place in queues: if `work` was the next to write to the database, a statement
/// that is awaited without it never ends.
pub async fn alongside<F, T>(
    first: impl Future<Output = F>,
    mut work: Pin<&mut impl Future<Output = T>>,
) -> (F, Option<T>) {
    let mut first = pin!(first);
    tokio::select! {
        biased;
        done = &mut work => (first.await, Some(done)),
        found = &mut first => (found, None),
    }
}

#[cfg(test)]
mod tests {
    use futures_util::poll;
    use tokio::sync::Mutex;

    use super::*;

    #[tokio::test]
    async fn what_the_work_is_next_to_hold_becomes_free() {
        let writer = Mutex::new(0);
        let held = writer.lock().await;
        let mut work = pin!(async {
            *writer.lock().await += 1;
            "done"
        });
        assert!(poll!(work.as_mut()).is_pending(), "it is the next");
        drop(held);
        let first = async { *writer.lock().await };
        assert_eq!(alongside(first, work).await, (1, Some("done")));
    }

    #[tokio::test]
    async fn work_that_takes_longer_goes_on_afterwards() {
        let (end, ended) = tokio::sync::oneshot::channel();
        let mut work = pin!(ended);
        assert_eq!(alongside(async { 1 }, work.as_mut()).await, (1, None));
        end.send(2).unwrap();
        assert_eq!(work.await, Ok(2));
    }
}
