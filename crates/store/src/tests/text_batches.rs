//! How many texts SQLite's index is given at a time, and how long they wait for others.

use std::time::Duration;

use tokio::time::Instant;

use super::harness::on_sqlite;
use super::searches::{fill, seed};
use super::world::World;
use crate::Store;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn texts_wait_for_others_to_be_indexed_with_for_a_minute() {
    on_sqlite(|store: Store| async move {
        let world = World::new(store.clone()).await;
        seed(&world, 499).await;
        assert_eq!(store.index_batches(None).await.unwrap().map(|_| ()), Some(()));
        assert_eq!(unindexed(&store).await, 499);
        seed(&world, 1).await;
        assert_eq!(store.index_batches(None).await.unwrap(), None);
        assert_eq!(unindexed(&store).await, 0);

        let long: Vec<String> = (0..40).map(|_| "kite ".repeat(440)).collect();
        fill(&world, &long).await;
        let since = Instant::now().checked_sub(Duration::from_secs(59)).unwrap();
        assert_eq!(store.index_batches(Some(since)).await.unwrap(), Some(since));
        assert_eq!(unindexed(&store).await, 40);
        // Of 2,200 bytes each, thirty are a batch.
        let since = since.checked_sub(Duration::from_secs(1)).unwrap();
        assert_eq!(store.index_batches(Some(since)).await.unwrap(), Some(since));
        assert_eq!(unindexed(&store).await, 10);
        assert_eq!(store.index_batches(Some(since)).await.unwrap(), None);
        assert_eq!(unindexed(&store).await, 0);
    })
    .await;
}

async fn unindexed(store: &Store) -> i64 {
    let row = store
        .row("SELECT COUNT(*) AS posts FROM unindexed_posts", Vec::new())
        .await
        .unwrap();
    row.unwrap().of("unindexed_posts").get("posts").unwrap()
}
