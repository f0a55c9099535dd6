//! Multipart uploads that were begun and not ended, such as those of processes that were killed. Their parts cost as much as objects
//! do and are in no listing of objects.

use std::time::Duration;

use object_store::aws::AmazonS3;
use object_store::path::Path;
use object_store::signer::{SignedUrlOptions, Signer};
use object_store::{MultipartId, Result};
use playout_domain::time::Time;
use reqwest::{Client, Method, StatusCode};
use serde::Deserialize;

/// How long the signature of a request is valid.
const VALID_FOR: Duration = Duration::from_secs(60);
/// How long one listing may take.
const TIME_LIMIT: Duration = Duration::from_secs(30);

/// Lists the uploads of a bucket (`ListMultipartUploads`,
/// <https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListMultipartUploads.html>), which `object_store` does not.
#[derive(Debug)]
pub(super) struct Begun {
    bucket: AmazonS3,
    http: Client,
    prefix: Path,
}

/// A page of a listing.
#[derive(Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Page {
    #[serde(default)]
    is_truncated: bool,
    #[serde(default)]
    next_key_marker: String,
    #[serde(default)]
    next_upload_id_marker: String,
    #[serde(default, rename = "Upload")]
    uploads: Vec<Upload>,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Upload {
    key: String,
    upload_id: String,
    initiated: String,
}

impl Begun {
    pub(super) fn new(bucket: AmazonS3, prefix: Path) -> Result<Self> {
        #[expect(
            clippy::disallowed_methods,
            reason = "the one home of such requests in this crate"
        )]
        let http = Client::builder().timeout(TIME_LIMIT).build().map_err(generic)?;
        Ok(Self { bucket, http, prefix })
    }

    /// Those that were begun before `before`. None where the storage does not list them: a rule of the bucket must end them there.
    pub(super) async fn before(&self, before: Time) -> Result<Vec<(Path, MultipartId)>> {
        let (mut found, mut after) = (Vec::new(), (String::new(), String::new()));
        loop {
            let page = self.page(&after).await?;
            for upload in page.uploads {
                let is_old = Time::parse(&upload.initiated).is_ok_and(|begun| begun < before);
                let path = Path::parse(&upload.key).ok();
                if let Some(path) = path.filter(|path| is_old && path.prefix_matches(&self.prefix)) {
                    found.push((path, upload.upload_id));
                }
            }
            let next = (page.next_key_marker, page.next_upload_id_marker);
            if !page.is_truncated || next == after {
                return Ok(found);
            }
            after = next;
        }
    }

    async fn page(&self, (key, upload_id): &(String, String)) -> Result<Page> {
        let prefix = self.prefix.as_ref();
        let mut query = vec![("uploads", ""), ("prefix", prefix)];
        if !key.is_empty() {
            query.extend([("key-marker", key.as_str()), ("upload-id-marker", upload_id)]);
        }
        let (options, bucket) = (SignedUrlOptions::default().with_query(query), Path::default());
        let url = self
            .bucket
            .signed_url_opts(Method::GET, &bucket, VALID_FOR, &options);
        let answer = self.http.get(url.await?).send().await.map_err(generic)?;
        if answer.status() == StatusCode::NOT_IMPLEMENTED {
            return Ok(Page::default());
        }
        let answer = answer.error_for_status().map_err(generic)?;
        let text = answer.text().await.map_err(generic)?;
        quick_xml::de::from_str(&text).map_err(generic)
    }
}

fn generic(source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> object_store::Error {
    object_store::Error::Generic {
        store: "S3",
        source: source.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of the page on `ListMultipartUploads`, shortened.
    const PAGE: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
        <ListMultipartUploadsResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
          <Bucket>bucket</Bucket><KeyMarker></KeyMarker><UploadIdMarker></UploadIdMarker>
          <NextKeyMarker>my-movie.m2ts</NextKeyMarker>
          <NextUploadIdMarker>YW55IGlkZWEgd2h5IGVsdmluZydzIHVwbG9hZCBmYWlsZWQ</NextUploadIdMarker>
          <MaxUploads>2</MaxUploads><IsTruncated>true</IsTruncated>
          <Upload><Key>my-divisor</Key><UploadId>XMgbGlrZSBlbHZpbmcncyBub3QgaGF2aW5nIG11Y2ggbHVjaw</UploadId>
            <Initiator><ID>arn</ID></Initiator><StorageClass>STANDARD</StorageClass>
            <Initiated>2010-11-10T20:48:33.000Z</Initiated></Upload>
          <Upload><Key>my-movie.m2ts</Key><UploadId>VXBsb2FkIElEIGZvciBlbHZpbmcncyBteS1tb3ZpZS5tMnRzIHVwbG9hZA</UploadId>
            <Initiated>2010-11-10T20:48:33.000Z</Initiated></Upload>
        </ListMultipartUploadsResult>"#;

    #[test]
    fn a_listing_of_uploads_is_read() {
        let page: Page = quick_xml::de::from_str(PAGE).unwrap();
        assert!(page.is_truncated);
        assert_eq!(page.next_key_marker, "my-movie.m2ts");
        let keys: Vec<_> = page.uploads.iter().map(|upload| upload.key.as_str()).collect();
        assert_eq!(keys, ["my-divisor", "my-movie.m2ts"]);
        let initiated = Time::parse(&page.uploads[0].initiated).unwrap();
        assert_eq!(initiated.as_micros(), 1_289_422_113_000_000);
    }

    #[test]
    fn an_empty_listing_is_read() {
        let empty =
            "<ListMultipartUploadsResult><IsTruncated>false</IsTruncated></ListMultipartUploadsResult>";
        let page: Page = quick_xml::de::from_str(empty).unwrap();
        assert!(!page.is_truncated && page.uploads.is_empty());
    }
}
