//! A bucket in memory, which answers as object storages do.

mod both;

use std::io::{Read, Seek, SeekFrom};
use std::time::Duration;

use sha2::{Digest, Sha256};
use tempfile::TempDir;

use super::*;
use crate::blobs::{Blobs, Place};
use crate::partial::{IfMissing, Partial};

const KEY: &str = "film";
const PART: usize = PART_BYTES;

struct World {
    _scratch: TempDir,
    bucket: Bucket,
    blobs: Blobs,
}

/// A storage of one node.
fn world() -> World {
    let scratch = tempfile::tempdir().unwrap();
    let bucket = Bucket::in_memory(scratch.path().to_owned());
    World {
        blobs: Blobs::at(Place::Bucket(bucket.clone())),
        bucket,
        _scratch: scratch,
    }
}

impl World {
    /// What else the bucket holds, by name, without the folder and the hash of notes.
    async fn notes(&self) -> Vec<String> {
        let names = self.named_notes().await.into_iter();
        names
            .map(|name| name.split_once('-').unwrap().0.to_owned())
            .collect()
    }

    async fn named_notes(&self) -> Vec<String> {
        let objects: Vec<ObjectMeta> = self.bucket.list().try_collect().await.unwrap();
        let names = objects.into_iter().map(|object| object.location.to_string());
        let notes = names.filter_map(|name| name.strip_prefix("some/folder/unfinished/").map(str::to_owned));
        notes.collect()
    }

    /// The name of the note of [`KEY`] of a position, if there is one.
    async fn note_at(&self, offset: u64) -> Option<String> {
        let names = self.named_notes().await;
        let mut names = names.iter().filter_map(|name| name.strip_prefix("film/"));
        let is_it = |name: &&str| name.split_once('-').unwrap().0 == offset.to_string();
        names.find(is_it).map(str::to_owned)
    }

    async fn note_path(&self, offset: u64) -> Path {
        let name = self.note_at(offset).await.unwrap();
        self.bucket.note_path(KEY, &name).unwrap()
    }

    /// Whether parts of [`KEY`] can still be sent to a multipart upload.
    async fn is_open(&self, id: &MultipartId) -> bool {
        let path = self.bucket.path(KEY).unwrap();
        let late = PutPayload::from_static(b"late");
        self.bucket.store().put_part(&path, id, 1, late).await.is_ok()
    }

    /// The same bucket, as another node has it.
    fn other_node(&self) -> Blobs {
        let inner = &self.bucket.0;
        let bucket = Bucket::new(
            Arc::clone(&inner.store),
            inner.name.clone(),
            inner.prefix.clone(),
            inner.scratch.clone(),
            None,
        );
        Blobs::at(Place::Bucket(bucket))
    }
}

fn counting(length: usize) -> Bytes {
    (0..length).map(|at| ((at * 31) >> 3) as u8).collect()
}

/// Goes on from the note of that position, of which there is one.
async fn hold(world: &World, offset: u64) -> Partial {
    hold_at(&world.blobs, offset, world.note_at(offset).await.as_deref()).await
}

async fn hold_at(blobs: &Blobs, offset: u64, note: Option<&str>) -> Partial {
    let mut partial = blobs.hold_partial(KEY, IfMissing::Fail).await.unwrap().unwrap();
    partial.go_on_from(offset, note).await.unwrap();
    partial
}

#[tokio::test]
async fn uploads_of_any_size_come_back_byte_by_byte() {
    for length in [0, 1, PART - 1, PART, PART + 1, 7 * PART, 7 * PART + 4711] {
        let world = world();
        let bytes = counting(length);
        let mut upload = world.blobs.upload(KEY).await.unwrap();
        for piece in bytes.chunks(700_001) {
            upload.write(Bytes::copy_from_slice(piece)).await.unwrap();
        }
        assert!(
            matches!(world.blobs.head(KEY).await, Err(BlobError::NotFound { .. })),
            "seen half"
        );
        let finished = upload.finish().await.unwrap();
        assert_eq!(finished.size_bytes, length as u64);
        assert_eq!(finished.sha256[..], Sha256::digest(&bytes)[..]);
        assert!(world.blobs.get(KEY).await.unwrap() == bytes, "{length}");
        assert_eq!(world.blobs.sha256(KEY).await.unwrap(), finished.sha256);
    }
}

#[tokio::test]
async fn ranges_are_read_in_windows() {
    let world = world();
    let bytes = counting(40 << 20);
    world.blobs.put(KEY, bytes.clone()).await.unwrap();
    let size = bytes.len() as u64;
    for range in [0..size, 1..2, 99_000..17 << 20, (16 << 20)..(32 << 20), 7..7] {
        let pieces: Vec<Bytes> = world
            .blobs
            .get_range(KEY, range.clone(), size)
            .await
            .unwrap()
            .try_collect()
            .await
            .unwrap();
        assert!(
            pieces.concat() == bytes[range.start as usize..range.end as usize],
            "{range:?}"
        );
    }
    let cut = world
        .blobs
        .get_range(KEY, 0..size + 1, size + 1)
        .await
        .map(drop)
        .unwrap_err();
    assert!(matches!(cut, BlobError::Size { .. }), "{cut}");
}

#[tokio::test]
async fn a_listing_has_the_keys_of_blobs_alone() {
    let world = world();
    world.blobs.put("ab/one", Bytes::from_static(b"1")).await.unwrap();
    let mut partial = hold(&world, 0).await;
    partial.write(counting(10)).await.unwrap();
    partial.sync(Extent::Everything).await.unwrap();
    let listed: Vec<_> = world.blobs.list().try_collect().await.unwrap();
    let keys: Vec<&str> = listed.iter().map(|blob| blob.key.as_str()).collect();
    assert_eq!(keys, ["ab/one"]);
}

#[tokio::test]
async fn what_is_written_in_many_requests_is_one_blob() {
    let world = world();
    let bytes = counting(3 * PART + 1000);
    let mut written = 0;
    for end in [
        1,
        4095,
        4097,
        PART - 1,
        PART,
        PART + 1,
        2 * PART + 5,
        3 * PART + 1000,
    ] {
        let mut partial = hold(&world, written as u64).await;
        assert_eq!(partial.head(4096).await.unwrap(), bytes[..written.min(4096)]);
        for piece in bytes.slice(written..end).chunks(70_001) {
            partial.write(Bytes::copy_from_slice(piece)).await.unwrap();
        }
        assert_eq!(partial.position(), end as u64);
        assert_eq!(partial.sync(Extent::Everything).await.unwrap(), end as u64);
        partial.is_noted();
        written = end;
    }
    let mut partial = hold(&world, written as u64).await;
    partial.place().await.unwrap();
    assert!(world.blobs.get(KEY).await.unwrap() == bytes);
    assert_eq!(partial.head(100).await.unwrap(), bytes[..100]);
    drop(partial);
    // Placed by a process that ended before it could say so.
    let mut again = hold(&world, written as u64).await;
    again.place().await.unwrap();
    assert!(world.blobs.get(KEY).await.unwrap() == bytes);
    again.is_over();
    until_there_are(&world, &[]).await;
}

#[tokio::test]
async fn what_was_received_twice_leaves_nothing_behind() {
    let world = world();
    let bytes = counting(PART + 1);
    let mut partial = hold(&world, 0).await;
    partial.write(Bytes::from(vec![7; PART + 9])).await.unwrap();
    partial.sync(Extent::Everything).await.unwrap();
    partial.is_noted();
    let note = world.note_path(PART as u64 + 9).await;
    let first = world.bucket.multipart_of(&note).await.unwrap().unwrap();
    // As an import begins anew whose file has changed.
    partial.go_on_from(0, None).await.unwrap();
    partial.write(bytes.clone()).await.unwrap();
    partial.sync(Extent::Everything).await.unwrap();
    partial.is_noted();
    partial.place().await.unwrap();
    partial.is_over();
    until_there_are(&world, &[]).await;
    assert!(!world.is_open(&first).await);
    assert!(world.blobs.get(KEY).await.unwrap() == bytes);
}

/// Notes are removed behind the one who writes.
async fn until_there_are(world: &World, notes: &[&str]) {
    while world.notes().await != notes {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn in_the_middle_of_a_request_full_parts_are_noted() {
    let world = world();
    let bytes = counting(2 * PART + 10);
    let mut partial = hold(&world, 0).await;
    partial.write(bytes.slice(..PART - 1)).await.unwrap();
    assert_eq!(partial.sync(Extent::FullParts).await.unwrap(), 0);
    partial.write(bytes.slice(PART - 1..)).await.unwrap();
    assert_eq!(partial.sync(Extent::FullParts).await.unwrap(), 2 * PART as u64);
    partial.is_noted();
    // The process is killed here: the rest comes again.
    drop(partial);
    let mut partial = hold(&world, 2 * PART as u64).await;
    partial.write(bytes.slice(2 * PART..)).await.unwrap();
    assert_eq!(
        partial.sync(Extent::Everything).await.unwrap(),
        bytes.len() as u64
    );
    partial.is_noted();
    until_there_are(&world, &["film/10485770"]).await;
    partial.place().await.unwrap();
    assert!(world.blobs.get(KEY).await.unwrap() == bytes);
}

#[tokio::test]
async fn what_was_not_noted_is_forgotten() {
    let world = world();
    let bytes = counting(4 * PART + 100);
    let mut partial = hold(&world, 0).await;
    partial.write(bytes.slice(..PART + 50)).await.unwrap();
    partial.sync(Extent::Everything).await.unwrap();
    partial.is_noted();
    let note = partial.note().map(str::to_owned);
    let wrong = Bytes::from(vec![7; 3 * PART]);
    partial.write(wrong).await.unwrap();
    partial
        .go_on_from(PART as u64 + 50, note.as_deref())
        .await
        .unwrap();
    partial.write(bytes.slice(PART + 50..)).await.unwrap();
    partial.sync(Extent::Everything).await.unwrap();
    partial.place().await.unwrap();
    assert!(world.blobs.get(KEY).await.unwrap() == bytes);
}

#[tokio::test]
async fn one_at_a_time_holds_a_blob_in_a_process() {
    let world = world();
    let held = hold(&world, 0).await;
    assert!(
        world
            .blobs
            .hold_partial(KEY, IfMissing::Create)
            .await
            .unwrap()
            .is_none()
    );
    assert!(
        world
            .blobs
            .hold_partial("other", IfMissing::Create)
            .await
            .unwrap()
            .is_some()
    );
    drop(held);
    assert!(
        world
            .blobs
            .hold_partial(KEY, IfMissing::Create)
            .await
            .unwrap()
            .is_some()
    );
}

#[tokio::test]
async fn bytes_that_are_gone_are_missing_and_nothing_is_made_of_the_rest() {
    let world = world();
    let mut partial = world
        .blobs
        .hold_partial(KEY, IfMissing::Fail)
        .await
        .unwrap()
        .unwrap();
    let lost = partial.go_on_from(10, None).await.unwrap_err();
    assert!(
        matches!(
            lost,
            BlobError::Size {
                size_bytes: 0,
                expected_bytes: 10,
                ..
            }
        ),
        "{lost}"
    );
    assert!(partial.write(counting(1_000_000)).await.is_err());
    drop(partial);
    let bytes = counting(PART + 1);
    let mut partial = hold(&world, 0).await;
    partial.write(bytes).await.unwrap();
    partial.sync(Extent::Everything).await.unwrap();
    partial.is_noted();
    // The multipart upload ends by a rule of the bucket.
    let note = world.note_path(PART as u64 + 1).await;
    let id = world.bucket.multipart_of(&note).await.unwrap().unwrap();
    world
        .bucket
        .abort(&world.bucket.path(KEY).unwrap(), &id)
        .await
        .unwrap();
    // The store in memory calls it another error.
    assert!(partial.place().await.is_err());
    assert!(matches!(
        world.blobs.head(KEY).await,
        Err(BlobError::NotFound { .. })
    ));
}

#[tokio::test]
async fn an_upload_that_is_given_up_leaves_nothing_behind() {
    let world = world();
    let mut partial = hold(&world, 0).await;
    partial.write(counting(PART + 1)).await.unwrap();
    partial.sync(Extent::Everything).await.unwrap();
    let note = world.note_path(PART as u64 + 1).await;
    let id = world.bucket.multipart_of(&note).await.unwrap().unwrap();
    for _ in 0..2 {
        world.blobs.remove_partial(KEY).await.unwrap();
        assert_eq!(world.notes().await, [""; 0]);
    }
    assert!(!world.is_open(&id).await);
}

#[tokio::test]
async fn notes_of_uploads_that_were_given_up_by_their_process_are_swept_with_what_they_name() {
    let world = world();
    let mut partial = hold(&world, 0).await;
    partial.write(counting(PART + 1)).await.unwrap();
    partial.sync(Extent::Everything).await.unwrap();
    let note = world.note_path(PART as u64 + 1).await;
    let id = world.bucket.multipart_of(&note).await.unwrap().unwrap();
    world.blobs.put("other", counting(5)).await.unwrap();
    let now = Time::from_micros(
        world
            .bucket
            .list()
            .next()
            .await
            .unwrap()
            .unwrap()
            .last_modified
            .timestamp_micros(),
    );
    let hour = Duration::from_secs(3600);
    let remove = async |before, is_ours| world.blobs.remove_abandoned(before, is_ours).await.unwrap();
    assert_eq!(remove(now.minus(hour), |_| true).await, 0);
    assert_eq!(remove(now.plus(hour), |_| false).await, 0, "of another program");
    assert!(world.is_open(&id).await);
    assert_eq!(remove(now.plus(hour), |key| key == KEY).await, 2);
    assert!(
        !world.is_open(&id).await,
        "this bucket lists no multipart uploads"
    );
    assert_eq!(world.blobs.head("other").await.unwrap(), 5);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_reader_fetches_as_it_seeks_and_gives_a_file_of_both_ends() {
    let world = world();
    let bytes = counting(30 << 20);
    world.blobs.put(KEY, bytes.clone()).await.unwrap();
    let mut reader = world.blobs.reader(KEY).await.unwrap();
    assert_eq!(reader.path(), None);
    let checked = tokio::task::spawn_blocking(move || {
        for (position, length) in [(799_990, 10), (4, 400_000), (262_140, 8)] {
            let mut piece = vec![0; length];
            reader.seek(SeekFrom::Start(position as u64)).unwrap();
            reader.read_exact(&mut piece).unwrap();
            assert_eq!(piece, bytes[position..position + length]);
        }
        let file = reader.excerpt().unwrap().unwrap();
        let copy = std::fs::read(file.path()).unwrap();
        assert_eq!(copy.len(), bytes.len());
        assert!(copy[..16 << 20] == bytes[..16 << 20] && copy[22 << 20..] == bytes[22 << 20..]);
        assert!(copy[16 << 20..22 << 20].iter().all(|byte| *byte == 0), "a hole");
        let path = file.path().to_owned();
        drop(file);
        assert!(!path.exists());
    });
    checked.await.unwrap();
}

#[tokio::test]
async fn blobs_are_replaced_copied_and_deleted_as_files_are() {
    let world = world();
    let blobs = &world.blobs;
    let missing = blobs.replace(KEY, counting(3)).await.unwrap_err();
    assert!(matches!(missing, BlobError::NotFound { .. }), "{missing}");
    blobs.put(KEY, counting(3)).await.unwrap();
    blobs.replace(KEY, counting(4)).await.unwrap();
    blobs.copy(KEY, "ab/copy").await.unwrap();
    blobs.delete(KEY).await.unwrap();
    blobs.delete(KEY).await.unwrap();
    assert_eq!(blobs.get("ab/copy").await.unwrap(), counting(4));
    assert_eq!(blobs.get_end("ab/copy", 2).await.unwrap().bytes, counting(4)[2..]);
    blobs.check().await.unwrap();
}

#[test]
fn addresses_of_buckets_are_read_and_wrong_ones_refused() {
    let options = BucketOptions::default();
    for (url, name, prefix) in [
        ("s3://media", "media", ""),
        ("s3://media/", "media", ""),
        ("s3://media/of/playout/", "media", "of/playout"),
    ] {
        let bucket = Bucket::open(&url::Url::parse(url).unwrap(), &options).unwrap();
        assert_eq!((bucket.0.name.as_str(), bucket.0.prefix.as_ref()), (name, prefix));
    }
    for url in [
        "s3:///folder",
        "s3://key:secret@media",
        "s3://media?region=x",
        "s3://media:9000/",
    ] {
        assert!(
            Bucket::open(&url::Url::parse(url).unwrap(), &options).is_err(),
            "{url}"
        );
    }
    let refused = Blobs::open_with("s3://media:9000/", &options)
        .unwrap_err()
        .to_string();
    assert!(refused.contains("use s3://bucket/folder"), "{refused}");
}
