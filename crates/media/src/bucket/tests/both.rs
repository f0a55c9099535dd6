//! Two nodes that write to one blob at the same time.

use bytes::Bytes;

use super::{KEY, PART, counting, hold_at, until_there_are, world};
use crate::bucket::Extent;

#[tokio::test]
async fn two_nodes_that_write_at_once_harm_nothing() {
    let world = world();
    let (one, two) = (world.blobs.clone(), world.other_node());
    let bytes = counting(3 * PART + 7);
    // Both begin; the database takes the position of the second.
    let mut first = hold_at(&one, 0, None).await;
    first.write(bytes.slice(..2 * PART)).await.unwrap();
    let mut second = hold_at(&two, 0, None).await;
    second.write(bytes.slice(..PART + 3)).await.unwrap();
    assert_eq!(second.sync(Extent::Everything).await.unwrap(), PART as u64 + 3);
    second.is_noted();
    let note = second.note().map(str::to_owned);
    first.sync(Extent::Everything).await.unwrap();
    drop(second);
    // A third request goes on from there, and finds parts that the first one may still be sending.
    let mut third = hold_at(&two, PART as u64 + 3, note.as_deref()).await;
    first.write(bytes.slice(2 * PART..)).await.unwrap();
    third.write(bytes.slice(PART + 3..)).await.unwrap();
    first.sync(Extent::Everything).await.unwrap();
    third.sync(Extent::Everything).await.unwrap();
    third.is_noted();
    // Both may finish, too.
    third.place().await.unwrap();
    first.place().await.unwrap();
    assert!(one.get(KEY).await.unwrap() == bytes);
}

#[tokio::test]
async fn of_two_nodes_with_different_bytes_the_one_that_the_database_takes_counts() {
    let world = world();
    let (one, two) = (world.blobs.clone(), world.other_node());
    let bytes = counting(PART + 9);
    let (mut first, mut second) = (hold_at(&one, 0, None).await, hold_at(&two, 0, None).await);
    for (partial, brought) in [
        (&mut first, bytes.slice(..PART + 1)),
        (&mut second, Bytes::from(vec![7; PART + 1])),
    ] {
        partial.write(brought).await.unwrap();
        assert_eq!(partial.sync(Extent::Everything).await.unwrap(), PART as u64 + 1);
    }
    first.is_noted();
    let note = first.note().map(str::to_owned);
    // The second is refused, and ends.
    drop((first, second));
    let mut third = hold_at(&one, PART as u64 + 1, note.as_deref()).await;
    third.write(bytes.slice(PART + 1..)).await.unwrap();
    third.sync(Extent::Everything).await.unwrap();
    third.is_noted();
    third.place().await.unwrap();
    assert!(world.blobs.get(KEY).await.unwrap() == bytes);
    third.is_over();
    until_there_are(&world, &[]).await;
}
