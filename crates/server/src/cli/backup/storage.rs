//! Where the media are: in a folder, whose files a backup copies, or in a bucket, whose objects it lists.

use std::collections::HashMap;
use std::fmt;
use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use bytes::Bytes;
use futures_util::TryStreamExt;
use playout_media::Blobs;
use uuid::Uuid;

use super::files::{self, Means, private_file};
use crate::config::Config;
use crate::identity::marker::{MARKER, marker_of, storage_in};
use crate::identity::messages::is_bucket;
use crate::open_error::OpenError;

/// The list of a bucket's objects in a backup: a line of JSON for each, `{"key": …, "bytes": …}`.
const LIST: &str = "media.jsonl";
/// How much of a file is sent at once.
const PIECE_BYTES: usize = 1 << 20;

/// The storage that is configured.
pub(super) enum Storage {
    Folder(PathBuf),
    Bucket { url: String, blobs: Blobs },
}

/// The sizes of what is in a storage, where they are known.
pub(super) enum Sizes {
    /// Looked up in the first of these folders that has the file.
    Folders(Vec<PathBuf>),
    /// As the bucket lists them.
    Listed(HashMap<String, u64>),
}

impl Sizes {
    pub(super) fn of(&self, key: &str) -> Option<u64> {
        match self {
            Self::Folders(folders) => folders
                .iter()
                .find_map(|folder| fs::metadata(folder.join(key)).ok())
                .map(|there| there.len()),
            Self::Listed(sizes) => sizes.get(key).copied(),
        }
    }
}

impl fmt::Display for Storage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(folder) => write!(f, "{}", folder.display()),
            Self::Bucket { url, .. } => write!(f, "{url}"),
        }
    }
}

impl Storage {
    pub(super) fn of(config: &Config) -> Result<Self, OpenError> {
        let address = &config.storage_url;
        if is_bucket(address) {
            return Ok(Self::Bucket {
                url: address.clone(),
                blobs: Blobs::open_with(address, &config.bucket)?,
            });
        }
        let path = url::Url::parse(address)?.to_file_path();
        path.map(Self::Folder)
            .map_err(|()| format!("{address} names no folder").into())
    }

    /// The folder, where it is one.
    pub(super) fn folder(&self) -> Option<&Path> {
        match self {
            Self::Folder(folder) => Some(folder),
            Self::Bucket { .. } => None,
        }
    }

    /// The address that a manifest names: of a bucket, whose files are no part of the backup.
    pub(super) fn named(&self) -> Option<String> {
        match self {
            Self::Folder(_) => None,
            Self::Bucket { url, .. } => Some(url.clone()),
        }
    }

    /// Refuses a backup without the storage, as where its file system is not mounted.
    pub(super) async fn refuse_missing(&self) -> Result<(), OpenError> {
        match self {
            Self::Folder(folder) if folder.is_dir() => Ok(()),
            Self::Folder(folder) => Err(format!(
                "the storage {} is missing, and no backup was made: mount it, or set PLAYOUT_STORAGE_URL to where it is",
                folder.display()
            )
            .into()),
            Self::Bucket { blobs, .. } => Ok(blobs.check().await?),
        }
    }

    /// Which storage it is, by its marker.
    pub(super) async fn id(&self) -> Result<Option<Uuid>, OpenError> {
        match self {
            Self::Folder(folder) => storage_in(folder),
            Self::Bucket { blobs, .. } => Ok(marker_of(blobs).await?.map(|marker| marker.id)),
        }
    }

    /// Puts into the folder `media` of a backup what there is: all files of a folder, of a bucket the marker alone. Returns how many files there
    /// are.
    pub(super) async fn gather(&self, media: &Path) -> Result<u64, OpenError> {
        match self {
            Self::Folder(folder) => files::gather(folder, media, Means::LinksOrCopies),
            Self::Bucket { blobs, .. } => {
                let marker = blobs.get(MARKER).await?;
                if !media.exists() {
                    files::make_private(media)?;
                    private_file(&media.join(MARKER))?.write_all(&marker)?;
                }
                Ok(1)
            }
        }
    }

    /// Writes the list of a bucket's objects beside that folder; returns their sizes, or where they are looked up, and how many there are.
    pub(super) async fn list(&self, backup: &Path, media: &Path) -> Result<Option<(Sizes, u64)>, OpenError> {
        let Self::Bucket { blobs, .. } = self else {
            return Ok(None);
        };
        let sizes = listed(blobs).await?;
        let mut list = std::io::BufWriter::new(private_file(&backup.join(LIST))?);
        let mut keys: Vec<&String> = sizes.keys().collect();
        keys.sort_unstable();
        for key in keys {
            let line = serde_json::json!({ "key": key, "bytes": sizes.get(key) });
            writeln!(list, "{line}")?;
        }
        list.into_inner()
            .map_err(|error| error.into_error())?
            .sync_all()?;
        fs::File::open(media)?.sync_all()?;
        let count = sizes.len() as u64;
        Ok(Some((Sizes::Listed(sizes), count)))
    }

    /// Puts the files of a backup into the storage, those that are not there; returns how many the backup has.
    pub(super) async fn fill(&self, media: &Path, means: Means) -> Result<u64, OpenError> {
        match self {
            Self::Folder(folder) => files::gather(media, folder, means),
            Self::Bucket { blobs, .. } => send(blobs, media).await,
        }
    }

    /// The sizes of what is in the storage.
    pub(super) async fn sizes(&self) -> Result<Sizes, OpenError> {
        match self {
            Self::Folder(folder) => Ok(Sizes::Folders(vec![folder.clone()])),
            Self::Bucket { blobs, .. } => Ok(Sizes::Listed(listed(blobs).await?)),
        }
    }
}

async fn listed(blobs: &Blobs) -> Result<HashMap<String, u64>, OpenError> {
    let listed = blobs
        .list()
        .map_ok(|blob| (blob.key, blob.size_bytes))
        .try_collect();
    Ok(listed.await?)
}

/// Sends the files of a folder that a bucket lacks.
async fn send(blobs: &Blobs, media: &Path) -> Result<u64, OpenError> {
    let there = listed(blobs).await?;
    let mut files = 0;
    for entry in fs::read_dir(media).map_err(|error| format!("{}: {error}", media.display()))? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if !entry.file_type()?.is_file() || name.contains('#') {
            continue;
        }
        files += 1;
        if there.contains_key(&name) {
            continue;
        }
        let mut file = fs::File::open(entry.path())?;
        let mut upload = blobs.upload(&name).await?;
        loop {
            let mut piece = Vec::with_capacity(PIECE_BYTES);
            if Read::by_ref(&mut file)
                .take(PIECE_BYTES as u64)
                .read_to_end(&mut piece)?
                == 0
            {
                break;
            }
            upload.write(Bytes::from(piece)).await?;
        }
        upload.finish().await?;
    }
    Ok(files)
}
