//! Blobs that grow over many requests.

use bytes::Bytes;
use playout_media::{BlobError, Blobs, Extent, IfMissing, Partial};
use sha2::{Digest, Sha256};

const KEY: &str = "film";

fn storage() -> (tempfile::TempDir, Blobs) {
    let directory = tempfile::tempdir().unwrap();
    let blobs = open(&directory);
    (directory, blobs)
}

fn open(directory: &tempfile::TempDir) -> Blobs {
    Blobs::open(&format!("file://{}", directory.path().join("media").display())).unwrap()
}

fn counting(length: usize) -> Bytes {
    (0..length).map(|at| ((at * 31) >> 3) as u8).collect()
}

async fn hold(blobs: &Blobs, if_missing: IfMissing) -> Option<Partial> {
    blobs.hold_partial(KEY, if_missing).await.unwrap()
}

/// An unfinished blob of these bytes, synced and let go.
async fn unfinished(blobs: &Blobs, bytes: &Bytes) {
    let mut partial = hold(blobs, IfMissing::Create).await.unwrap();
    partial.go_on_from(0, None).await.unwrap();
    partial.write(bytes.clone()).await.unwrap();
    partial.sync(Extent::Everything).await.unwrap();
}

fn files(directory: &tempfile::TempDir) -> Vec<String> {
    let entries = std::fs::read_dir(directory.path().join("media")).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[tokio::test]
async fn what_is_written_in_many_holds_is_one_blob() {
    let (directory, blobs) = storage();
    let bytes = counting(3_000_000);
    let mut written = 0;
    for end in [1, 4095, 4096, 524_288, 524_289, 2_000_000, 3_000_000] {
        let if_missing = if written == 0 {
            IfMissing::Create
        } else {
            IfMissing::Fail
        };
        let mut partial = hold(&blobs, if_missing).await.unwrap();
        partial.go_on_from(written as u64, None).await.unwrap();
        for piece in bytes.slice(written..end).chunks(70_001) {
            partial.write(Bytes::copy_from_slice(piece)).await.unwrap();
        }
        assert_eq!(partial.position(), end as u64);
        partial.sync(Extent::Everything).await.unwrap();
        assert!(
            matches!(blobs.head(KEY).await, Err(BlobError::NotFound { .. })),
            "seen half"
        );
        written = end;
    }
    hold(&blobs, IfMissing::Fail)
        .await
        .unwrap()
        .place()
        .await
        .unwrap();
    assert_eq!(files(&directory), [KEY]);
    assert!(blobs.get(KEY).await.unwrap() == bytes);
    assert_eq!(blobs.sha256(KEY).await.unwrap()[..], Sha256::digest(&bytes)[..]);
}

#[tokio::test]
async fn one_at_a_time_holds_a_blob() {
    let (directory, blobs) = storage();
    unfinished(&blobs, &counting(10)).await;
    let held = hold(&blobs, IfMissing::Fail).await;
    assert!(held.is_some());
    for other in [blobs.clone(), open(&directory)] {
        for if_missing in [IfMissing::Create, IfMissing::Fail] {
            assert!(hold(&other, if_missing).await.is_none());
        }
    }
    drop(held);
    assert!(hold(&open(&directory), IfMissing::Fail).await.is_some());
}

#[tokio::test]
async fn a_write_that_is_under_way_keeps_the_blob_held() {
    let (_directory, blobs) = storage();
    for round in 0..50 {
        let mut partial = hold(&blobs, IfMissing::Create).await.unwrap();
        partial.go_on_from(0, None).await.unwrap();
        partial.write(Bytes::from(vec![1; 600_000])).await.unwrap();
        // Let go in the middle of a write, as a request does that is cut.
        drop(partial);
        let next = loop {
            match hold(&blobs, IfMissing::Fail).await {
                Some(next) => break next,
                None => tokio::task::yield_now().await,
            }
        };
        let mut next = next;
        next.go_on_from(0, None).await.unwrap();
        next.write(Bytes::from_static(b"new")).await.unwrap();
        next.sync(Extent::Everything).await.unwrap();
        assert_eq!(next.head(100).await.unwrap(), b"new", "round {round}");
    }
}

#[tokio::test]
async fn what_was_not_noted_is_forgotten() {
    let (_directory, blobs) = storage();
    let bytes = counting(100_000);
    unfinished(&blobs, &bytes).await;
    let mut partial = hold(&blobs, IfMissing::Fail).await.unwrap();
    partial.go_on_from(60_000, None).await.unwrap();
    partial.write(Bytes::from_static(b"the end")).await.unwrap();
    partial.sync(Extent::Everything).await.unwrap();
    partial.place().await.unwrap();
    let expected = [&bytes[..60_000], b"the end"].concat();
    assert!(blobs.get(KEY).await.unwrap() == expected);
    let lost = partial.go_on_from(60_008, None).await.unwrap_err();
    let BlobError::Size {
        size_bytes,
        expected_bytes,
        ..
    } = lost
    else {
        panic!("{lost}");
    };
    assert_eq!((size_bytes, expected_bytes), (60_007, 60_008));
}

#[tokio::test]
async fn the_first_bytes_can_be_seen_before_the_last_has_come() {
    let (_directory, blobs) = storage();
    let bytes = counting(5000);
    unfinished(&blobs, &bytes).await;
    let partial = hold(&blobs, IfMissing::Fail).await.unwrap();
    assert_eq!(partial.head(4096).await.unwrap(), bytes[..4096]);
    assert_eq!(partial.head(9000).await.unwrap(), bytes);
}

#[tokio::test]
async fn a_blob_can_be_placed_again_after_a_crash() {
    let (directory, blobs) = storage();
    let bytes = counting(70_000);
    unfinished(&blobs, &bytes).await;
    for _ in 0..3 {
        let mut partial = hold(&blobs, IfMissing::Fail).await.unwrap();
        partial.place().await.unwrap();
    }
    assert!(blobs.get(KEY).await.unwrap() == bytes);
    assert!(hold(&blobs, IfMissing::Create).await.is_none(), "it is whole");
    assert_eq!(files(&directory), [KEY], "no second file");
}

#[tokio::test]
async fn a_second_file_never_takes_the_place_of_a_whole_one() {
    let (directory, blobs) = storage();
    let bytes = counting(70_000);
    unfinished(&blobs, &bytes).await;
    let mut finisher = hold(&blobs, IfMissing::Fail).await.unwrap();
    finisher.place().await.unwrap();
    std::fs::write(directory.path().join("media/film#0"), b"").unwrap();
    finisher.place().await.unwrap();
    assert!(blobs.get(KEY).await.unwrap() == bytes);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn who_comes_too_late_finds_the_blob_held_and_harms_nothing() {
    let (directory, blobs) = storage();
    let bytes = counting(70_000);
    for round in 0..50 {
        unfinished(&blobs, &bytes).await;
        let mut finisher = hold(&blobs, IfMissing::Fail).await.unwrap();
        let late = (0..6).map(|_| {
            let blobs = blobs.clone();
            tokio::spawn(async move {
                for _ in 0..20 {
                    assert!(hold(&blobs, IfMissing::Create).await.is_none());
                }
            })
        });
        let late: Vec<_> = late.collect();
        finisher.place().await.unwrap();
        for task in late {
            task.await.unwrap();
        }
        drop(finisher);
        assert!(blobs.get(KEY).await.unwrap() == bytes, "round {round}");
        assert_eq!(files(&directory), [KEY]);
        blobs.delete(KEY).await.unwrap();
    }
}

#[tokio::test]
async fn a_blob_that_is_missing_is_told_from_a_storage_that_is() {
    let (directory, blobs) = storage();
    let missing = blobs.hold_partial(KEY, IfMissing::Fail).await;
    assert!(matches!(missing, Err(BlobError::NotFound { .. })), "{missing:?}");
    unfinished(&blobs, &counting(10)).await;
    for _ in 0..2 {
        blobs.remove_partial(KEY).await.unwrap();
        assert_eq!(files(&directory), [""; 0]);
    }
    std::fs::remove_dir(directory.path().join("media")).unwrap();
    let missing = blobs.hold_partial(KEY, IfMissing::Fail).await;
    assert!(matches!(missing, Err(BlobError::Away { .. })), "{missing:?}");
}
