use std::path::{Path, PathBuf};

use bytes::Bytes;
use futures_util::TryStreamExt;
use playout_domain::time::Time;
use playout_media::{BlobError, Blobs, BucketOptions, IfMissing, ListedBlob, keep_all};
use sha2::{Digest, Sha256};
use tempfile::TempDir;

fn open() -> (TempDir, Blobs) {
    let directory = tempfile::tempdir().unwrap();
    let blobs = Blobs::open(&format!("file://{}/media", directory.path().display())).unwrap();
    (directory, blobs)
}

/// Every file below `directory`, by its relative path.
fn files(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path))
        } else {
            found.push(path)
        }
    }
    found.sort();
    found
}

/// Bytes that do not repeat within any part.
fn noise(length: usize) -> Vec<u8> {
    let mut state = 7_u64;
    let next = std::iter::repeat_with(move || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as u8
    });
    next.take(length).collect()
}

async fn collect(blobs: &Blobs, key: &str, range: std::ops::Range<u64>) -> Vec<u8> {
    let size_bytes = blobs.head(key).await.unwrap();
    let pieces: Vec<Bytes> = blobs
        .get_range(key, range, size_bytes)
        .await
        .unwrap()
        .try_collect()
        .await
        .unwrap();
    pieces.concat()
}

#[tokio::test]
async fn an_upload_larger_than_several_parts_comes_back_byte_by_byte() {
    let (_directory, blobs) = open();
    let bytes = Bytes::from(noise(10_000_001));
    let mut upload = blobs.upload("media/ab/film.mp4").await.unwrap();
    let mut rest = bytes.clone();
    for length in [1, 70_000, 5_000_000, 0, 4_000_000] {
        upload.write(rest.split_to(length)).await.unwrap();
    }
    upload.write(rest).await.unwrap();
    assert_eq!(upload.size_bytes(), 10_000_001);
    let finished = upload.finish().await.unwrap();
    assert_eq!(finished.size_bytes, 10_000_001);
    assert_eq!(finished.sha256[..], Sha256::digest(&bytes)[..]);
    assert_eq!(blobs.get("media/ab/film.mp4").await.unwrap(), bytes);
}

#[tokio::test]
async fn an_empty_upload_is_an_empty_blob() {
    let (_directory, blobs) = open();
    let finished = blobs.upload("empty").await.unwrap().finish().await.unwrap();
    assert_eq!(finished.size_bytes, 0);
    assert_eq!(
        finished.sha256_hex(),
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    );
    assert_eq!(blobs.head("empty").await.unwrap(), 0);
}

#[tokio::test]
async fn an_upload_is_invisible_until_it_is_finished() {
    let (_directory, blobs) = open();
    let mut upload = blobs.upload("film").await.unwrap();
    upload.write(Bytes::from(noise(5_000_000))).await.unwrap();
    assert!(matches!(
        blobs.head("film").await,
        Err(BlobError::NotFound { .. })
    ));
    upload.finish().await.unwrap();
    assert_eq!(blobs.head("film").await.unwrap(), 5_000_000);
}

#[tokio::test]
async fn an_aborted_upload_leaves_nothing_behind() {
    let (directory, blobs) = open();
    let mut upload = blobs.upload("film").await.unwrap();
    upload.write(Bytes::from(noise(9_000_000))).await.unwrap();
    assert_eq!(files(directory.path()).len(), 1);
    upload.abort().await.unwrap();
    assert_eq!(files(directory.path()), Vec::<PathBuf>::new());
}

#[tokio::test]
async fn blobs_without_names_get_them_together_and_leave_nothing_behind_when_they_do_not() {
    let (directory, blobs) = open();
    let keys = ["one", "ab/two", "ab/three"];
    let write = async |key: &str| {
        blobs
            .write_unnamed(key, Bytes::from(key.to_owned()))
            .await
            .unwrap()
    };
    let (mut kept, mut dropped) = (Vec::new(), Vec::new());
    for key in keys {
        kept.push(write(key).await);
        dropped.push(write(&format!("{key}-not")).await);
        assert!(matches!(blobs.head(key).await, Err(BlobError::NotFound { .. })));
    }
    assert_eq!(kept[1].finished().size_bytes, 6);
    assert_eq!(kept[1].finished().sha256[..], Sha256::digest("ab/two")[..]);
    keep_all(kept).await.unwrap();
    drop(dropped);
    for key in keys {
        assert_eq!(blobs.get(key).await.unwrap(), key);
    }
    assert_eq!(files(directory.path()).len(), keys.len());
}

#[tokio::test]
async fn blobs_that_cannot_all_be_named_are_an_error() {
    let (directory, blobs) = open();
    let (one, two) = tokio::join!(
        blobs.write_unnamed("ab/one", Bytes::from_static(b"1")),
        blobs.write_unnamed("cd/two", Bytes::from_static(b"2"))
    );
    std::fs::remove_dir_all(directory.path().join("media/cd")).unwrap();
    let kept = keep_all(vec![one.unwrap(), two.unwrap()]).await;
    assert!(matches!(kept, Err(BlobError::Storage { key, .. }) if key == "cd/two"));
}

#[test]
fn an_upload_dropped_half_way_leaves_nothing_behind() {
    let (directory, blobs) = open();
    // With a single blocking thread the clean-up is done before anything that is asked for later.
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .max_blocking_threads(1)
        .build()
        .unwrap();
    runtime.block_on(async {
        let mut upload = blobs.upload("film").await.unwrap();
        upload.write(Bytes::from(noise(9_000_000))).await.unwrap();
        drop(upload);
        tokio::task::spawn_blocking(|| ()).await.unwrap();
    });
    assert_eq!(files(directory.path()), Vec::<PathBuf>::new());
}

#[tokio::test]
async fn what_a_killed_program_left_behind_is_removed_once_it_is_old() {
    let (directory, blobs) = open();
    blobs.put("ab/kept#not", Bytes::new()).await.unwrap_err();
    blobs.put("ab/kept", Bytes::from_static(b"kept")).await.unwrap();
    std::fs::write(directory.path().join("media/ab/lost#1"), b"half").unwrap();
    let (past, future) = (Time::from_secs(0), Time::from_secs(1 << 40));
    assert_eq!(blobs.remove_abandoned(past, |_| true).await.unwrap(), 0);
    assert_eq!(blobs.remove_abandoned(future, |_| true).await.unwrap(), 1);
    assert_eq!(files(directory.path()), [directory.path().join("media/ab/kept")]);
}

#[tokio::test]
async fn a_listing_has_all_blobs_and_no_unfinished_ones() {
    let (directory, blobs) = open();
    for number in 0..1100 {
        std::fs::write(directory.path().join(format!("media/film-{number}")), b"film").unwrap();
    }
    blobs.put("ab/kept", Bytes::from_static(b"kept")).await.unwrap();
    let upload = blobs.upload("unfinished").await.unwrap();
    let written = Time::from_micros(1_700_000_000_123_456);
    let since_epoch = std::time::Duration::from_micros(1_700_000_000_123_456);
    let file = std::fs::File::options()
        .write(true)
        .open(directory.path().join("media/ab/kept"));
    let modified = std::time::UNIX_EPOCH + since_epoch;
    file.unwrap().set_modified(modified).unwrap();
    let listed: Vec<ListedBlob> = blobs.list().try_collect().await.unwrap();
    assert_eq!(listed.len(), 1101);
    assert!(listed.contains(&ListedBlob {
        key: "ab/kept".to_owned(),
        written_at: written,
        size_bytes: 4,
    }));
    drop(upload);
}

#[tokio::test]
async fn ranges_are_cut_at_the_end_and_empty_behind_it() {
    let (_directory, blobs) = open();
    let bytes = noise(1_300_000);
    blobs.put("film", Bytes::from(bytes.clone())).await.unwrap();
    assert_eq!(collect(&blobs, "film", 0..1_300_000).await, bytes);
    assert_eq!(
        collect(&blobs, "film", 524_280..524_300).await,
        bytes[524_280..524_300]
    );
    assert_eq!(
        collect(&blobs, "film", 1_299_990..1_300_000).await,
        bytes[1_299_990..]
    );
    assert_eq!(collect(&blobs, "film", 5..5).await, b"");
    assert!(matches!(
        blobs.get_range("none", 0..1, 1_300_000).await,
        Err(BlobError::NotFound { .. })
    ));
}

#[tokio::test]
async fn nothing_is_read_of_a_blob_that_has_another_size_than_it_was_written_with() {
    let (_directory, blobs) = open();
    blobs.put("film", Bytes::from(noise(1000))).await.unwrap();
    for (range, written_bytes) in [
        (0..2000, 2000),
        (500..600, 2000),
        (1500..2000, 2000),
        (7..7, 2000),
        (0..500, 500),
    ] {
        let read = blobs.get_range("film", range.clone(), written_bytes).await;
        let Err(BlobError::Size {
            size_bytes: 1000,
            expected_bytes,
            ..
        }) = read
        else {
            panic!("{range:?} of {written_bytes} is read");
        };
        assert_eq!(expected_bytes, written_bytes);
    }
}

#[tokio::test]
async fn a_range_is_streamed_in_large_pieces() {
    let (_directory, blobs) = open();
    blobs.put("film", Bytes::from(noise(2_000_000))).await.unwrap();
    let pieces: Vec<Bytes> = blobs
        .get_range("film", 0..2_000_000, 2_000_000)
        .await
        .unwrap()
        .try_collect()
        .await
        .unwrap();
    assert_eq!(pieces.len(), 4);
}

#[tokio::test]
async fn a_blob_is_replaced_copied_and_deleted() {
    let (_directory, blobs) = open();
    blobs.put("a", Bytes::from_static(b"first")).await.unwrap();
    blobs.copy("a", "b/c").await.unwrap();
    blobs.put("a", Bytes::from_static(b"second")).await.unwrap();
    assert_eq!(blobs.get("b/c").await.unwrap(), "first");
    assert_eq!(blobs.get("a").await.unwrap(), "second");
    blobs.delete("a").await.unwrap();
    blobs.delete("a").await.unwrap();
    assert!(matches!(blobs.get("a").await, Err(BlobError::NotFound { key }) if key == "a"));
}

#[tokio::test]
async fn a_key_that_would_leave_the_directory_is_refused() {
    let (_directory, blobs) = open();
    for key in ["../outside", "a/../../b", "", "a//b", "a#1", "./a"] {
        let refused = blobs.put(key, Bytes::from_static(b"x")).await;
        assert!(
            matches!(refused, Err(BlobError::Key { .. })),
            "{key:?}: {refused:?}"
        );
    }
}

#[test]
fn an_unknown_scheme_is_a_clear_error() {
    let error = Blobs::open("ftp://host/media").unwrap_err();
    assert!(
        error
            .to_string()
            .contains("\"ftp\" is not supported; use file:///"),
        "{error}"
    );
    assert!(
        Blobs::open("media")
            .unwrap_err()
            .to_string()
            .contains("storage URL \"media\"")
    );
}

#[tokio::test]
async fn a_reader_sees_the_blob_from_every_side() {
    use std::io::{Read, Seek, SeekFrom};
    let (_directory, blobs) = open();
    let bytes = noise(100_000);
    blobs.put("film", Bytes::from(bytes.clone())).await.unwrap();
    let mut reader = blobs.reader("film").await.unwrap();
    assert!(reader.path().is_some_and(Path::is_file));
    assert_eq!(reader.size_bytes(), 100_000);
    assert_eq!(reader.head(4).unwrap(), bytes[..4]);
    for (position, length) in [(99_990, 10), (16_380, 10), (0, 5), (50_000, 40_000)] {
        let mut piece = vec![0; length];
        reader.seek(SeekFrom::Start(position as u64)).unwrap();
        reader.read_exact(&mut piece).unwrap();
        assert_eq!(piece, bytes[position..position + length]);
    }
    assert_eq!(reader.seek(SeekFrom::End(-3)).unwrap(), 99_997);
    let mut rest = Vec::new();
    reader.read_to_end(&mut rest).unwrap();
    assert_eq!(rest, bytes[99_997..]);
    assert!(reader.seek(SeekFrom::Current(-200_000)).is_err());
}

#[tokio::test]
async fn a_folder_that_is_missing_is_not_made_by_a_write() {
    let (directory, blobs) = open();
    let (media, moved) = (directory.path().join("media"), directory.path().join("moved"));
    blobs.put("kept", Bytes::from_static(b"kept")).await.unwrap();
    let mut begun = blobs.upload("begun").await.unwrap();
    begun.write(Bytes::from_static(b"begun")).await.unwrap();
    std::fs::rename(&media, &moved).unwrap();
    let url = format!("file://{}", media.display());
    for blobs in [blobs.clone(), Blobs::open_existing(&url).unwrap()] {
        let attempts = [
            blobs.put("new", Bytes::from_static(b"new")).await,
            blobs.put("deep/new", Bytes::from_static(b"new")).await,
            blobs.replace("kept", Bytes::from_static(b"new")).await,
            blobs.upload("new").await.map(drop),
            blobs.upload("deep/new").await.map(drop),
            blobs.hold_partial("new", IfMissing::Create).await.map(drop),
            blobs.copy("kept", "new").await,
            blobs.get("kept").await.map(drop),
            blobs.head("kept").await.map(drop),
            blobs.delete("kept").await,
            blobs.check().await,
        ];
        for (index, attempt) in attempts.into_iter().enumerate() {
            assert!(
                matches!(attempt, Err(BlobError::Away { .. })),
                "{index}: {attempt:?}"
            );
        }
    }
    assert!(Blobs::look(&url, &BucketOptions::default()).unwrap().is_none());
    let ended = begun.finish().await;
    assert!(matches!(ended, Err(BlobError::Away { .. })), "{ended:?}");
    assert!(!media.exists());
    std::fs::rename(&moved, &media).unwrap();
    blobs.put("deep/new", Bytes::from_static(b"new")).await.unwrap();
    assert_eq!(&blobs.get("kept").await.unwrap()[..], b"kept");
    assert_eq!(&blobs.get("deep/new").await.unwrap()[..], b"new");
}

#[tokio::test]
async fn a_blob_is_replaced_only_where_there_is_one() {
    let folder = tempfile::tempdir().unwrap();
    let blobs = Blobs::open(&format!("file://{}", folder.path().display())).unwrap();
    let missing = blobs.replace("marker", Bytes::from_static(b"one")).await;
    assert!(matches!(missing, Err(BlobError::NotFound { .. })), "{missing:?}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    blobs.put("marker", Bytes::from_static(b"one")).await.unwrap();
    // What a killed process has left does not matter.
    std::fs::write(folder.path().join("marker#1"), b"left").unwrap();
    blobs.replace("marker", Bytes::from_static(b"two")).await.unwrap();
    assert_eq!(&blobs.get("marker").await.unwrap()[..], b"two");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[tokio::test]
async fn a_blob_is_replaced_where_no_other_file_can_be_made() {
    let folder = tempfile::tempdir().unwrap();
    let blobs = Blobs::open(&format!("file://{}", folder.path().display())).unwrap();
    // A longer name than this is not allowed.
    let key = "m".repeat(255);
    std::fs::write(folder.path().join(&key), b"number one").unwrap();
    blobs.replace(&key, Bytes::from_static(b"two")).await.unwrap();
    assert_eq!(&blobs.get(&key).await.unwrap()[..], b"two");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}
