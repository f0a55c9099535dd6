//! Opening a storage, whose directory only the first start makes.

use std::io::ErrorKind;

use crate::blob_error::{BlobError, storage};
use crate::blobs::{Blobs, Directory, Place};
use crate::bucket::{Bucket, BucketOptions};

impl Blobs {
    /// Opens the storage at `url`: `file:///absolute/directory`, which is created if it is missing.
    ///
    /// Touches the disk; meant for the start of the program.
    pub fn open(url: &str) -> Result<Self, BlobError> {
        let blobs = Self::open_existing(url)?;
        blobs.make_directory()?;
        Ok(blobs)
    }

    /// [`Blobs::open`], but makes nothing. Where the directory is missing every use is [`BlobError::Away`] until it is there.
    pub fn open_existing(url: &str) -> Result<Self, BlobError> {
        Self::open_with(url, &BucketOptions::default())
    }

    /// [`Blobs::open_existing`], also for a bucket: `s3://bucket` or `s3://bucket/folder`. Reaches for no bucket.
    pub fn open_with(url: &str, bucket: &BucketOptions) -> Result<Self, BlobError> {
        let refuse = |reason: String| BlobError::Url {
            url: url.to_owned(),
            reason,
        };
        let parsed = url::Url::parse(url).map_err(|error| refuse(error.to_string()))?;
        match parsed.scheme() {
            "file" => {}
            "s3" => {
                let bucket = Bucket::open(&parsed, bucket).map_err(refuse)?;
                return Ok(Self::at(Place::Bucket(bucket)));
            }
            scheme => {
                return Err(refuse(format!(
                    "the scheme {scheme:?} is not supported; use file:///absolute/directory or s3://bucket/folder"
                )));
            }
        }
        let directory = parsed
            .to_file_path()
            .map_err(|()| refuse("names no local directory".to_owned()))?;
        match std::fs::metadata(&directory) {
            Ok(found) if !found.is_dir() => Err(refuse("is no directory".to_owned())),
            Err(error) if error.kind() != ErrorKind::NotFound => Err(refuse(error.to_string())),
            _ => Ok(Self::at(Place::Directory(Directory::new(directory)))),
        }
    }

    /// [`Blobs::open_with`] to look at what is there. `None` where there is no such directory.
    ///
    /// Touches the disk; meant for the start of the program.
    pub fn look(url: &str, bucket: &BucketOptions) -> Result<Option<Self>, BlobError> {
        let blobs = Self::open_with(url, bucket)?;
        let is_there = blobs.directory().is_none_or(|directory| directory.exists());
        Ok(is_there.then_some(blobs))
    }

    /// Makes the directory of a local storage if it is missing, as the first start does.
    pub fn make_directory(&self) -> Result<(), BlobError> {
        let Some(directory) = self.directory() else {
            return Ok(());
        };
        std::fs::create_dir_all(directory).map_err(|error| {
            let text = format!("cannot make the folder {}: {error}", directory.display());
            storage("", std::io::Error::other(text))
        })
    }
}
