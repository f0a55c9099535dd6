//! What a test's storage holds, whichever kind it is.
//!
//! In a folder an unfinished file is `KEY#0` or `KEY#1`. In a bucket it is a multipart upload, or notes for the next request
//! (`unfinished/KEY/OFFSET-HASH`), or both; what has come in of a part that is not full is in neither.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use playout_domain::time::Time;

use super::{TestApp, bucket, eventually, stored_files};

/// A file that has something of an unfinished one, or is about it.
pub(crate) struct Unfinished {
    /// Whose it is.
    pub(crate) key: String,
    pub(crate) path: PathBuf,
    /// Whether it says when the file was begun, and not when it was last written to: that of a multipart upload.
    pub(crate) is_of_its_beginning: bool,
}

/// The size of the parts that are sent to a bucket. While its first request goes on, nothing of a smaller file is there.
pub(crate) const PART_BYTES: usize = 5 << 20;

impl Unfinished {
    fn written(key: String, path: PathBuf) -> Self {
        Self {
            key,
            path,
            is_of_its_beginning: false,
        }
    }
}

impl TestApp {
    /// Where the storage's files are. Of a bucket these are the objects, which s3s-fs keeps as files.
    pub(crate) fn media_folder(&self) -> PathBuf {
        self.dir.path().join(bucket::NAME)
    }

    /// Whether a request that writes to an upload keeps all other nodes away from it, by a lock on the file. A bucket has no locks:
    /// of two nodes that write at once, the one is right that first moves the position in the database.
    pub(crate) fn storage_locks(&self) -> bool {
        self.app.blobs.locks_partials()
    }

    /// How many of these bytes, which a request has brought so far, are kept if the process is killed once the request has noted them:
    /// in a bucket only full parts.
    pub(crate) fn noted_of(&self, received: usize) -> usize {
        match self.storage_locks() {
            true => received,
            false => received - received % PART_BYTES,
        }
    }

    /// The names of all files but unfinished ones.
    pub(crate) fn file_names(&self) -> BTreeSet<String> {
        let names = names_in(&self.media_folder());
        names.into_iter().filter(|name| !name.contains('#')).collect()
    }

    /// What there is of unfinished files.
    pub(crate) fn unfinished(&self) -> Vec<Unfinished> {
        let (root, media) = (self.dir.path(), self.media_folder());
        let partial = names_in(&media).into_iter().filter_map(|name| {
            let key = name.split_once('#')?.0.to_owned();
            let path = media.join(name);
            Some(Unfinished::written(key, path))
        });
        let notes = media.join("unfinished");
        let noted = names_in(&notes).into_iter().flat_map(|key| {
            let of_key = notes.join(&key);
            let offsets = names_in(&of_key).into_iter();
            offsets.map(move |offset| Unfinished::written(key.clone(), of_key.join(offset)))
        });
        let begun = names_in(root).into_iter().filter_map(|name| {
            let key = bucket::multipart_of(&name)?.key;
            Some(Unfinished {
                key,
                path: root.join(name),
                is_of_its_beginning: true,
            })
        });
        partial.chain(noted).chain(begun).collect()
    }

    /// The keys of unfinished files.
    pub(crate) fn unfinished_keys(&self) -> BTreeSet<String> {
        self.unfinished().into_iter().map(|file| file.key).collect()
    }

    /// How many files there are, unfinished ones included.
    pub(crate) fn file_count(&self) -> usize {
        self.file_names().len() + self.unfinished_keys().len()
    }

    /// Waits until there are so many files, unfinished ones included: notes in a bucket are removed behind the request that they were
    /// for.
    pub(crate) async fn settles_at(&self, files: usize) {
        let waiting = format!("{files} files are stored");
        eventually(&waiting, async || self.file_count() == files).await;
    }

    /// The file that has the last bytes of a resumable upload that no request is writing to.
    pub(crate) fn last_bytes_of(&self, key: &str) -> PathBuf {
        let folder = self.media_folder();
        if self.storage_locks() {
            return folder.join(format!("{key}#0"));
        }
        let notes = folder.join("unfinished").join(key);
        let offset = |name: &String| name.split_once('-').unwrap().0.parse::<u64>().unwrap();
        notes.join(names_in(&notes).into_iter().max_by_key(offset).unwrap())
    }
}

/// Makes a file look as if it was last written then.
pub(crate) fn date(file: &Path, written_at: Time) {
    let since = Duration::from_micros(u64::try_from(written_at.as_micros()).unwrap());
    let file = std::fs::File::options().write(true).open(file).unwrap();
    file.set_modified(SystemTime::UNIX_EPOCH + since).unwrap();
}

/// The names in a folder, if there is one.
fn names_in(folder: &Path) -> Vec<String> {
    let entries = stored_files(folder).into_iter().flatten();
    entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect()
}
