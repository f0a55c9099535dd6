//! From an address and the usual variables to a bucket.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
use object_store::path::Path;
use object_store::{BackoffConfig, ClientOptions, RetryConfig};
use url::Url;

use super::Bucket;
use super::begun::Begun;

/// How long the bucket may take to take a connection.
const CONNECT_LIMIT: Duration = Duration::from_secs(5);
/// How long it may be silent.
const SILENCE_LIMIT: Duration = Duration::from_secs(20);
/// How long a request is tried again: less than a step of the storage may take.
const RETRIED_FOR: Duration = Duration::from_secs(40);

/// How a bucket is reached.
#[derive(Clone, Default)]
pub struct BucketOptions {
    /// The `AWS_…` variables: `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_REGION`, `AWS_ENDPOINT_URL` and so on, as
    /// [`AmazonS3ConfigKey`] has them. Those of other programs are passed over.
    pub variables: Vec<(String, String)>,
    /// Where files without a name may be made for the bytes of unfinished parts, up to 25 MB an upload. It is made with the first.
    pub scratch: PathBuf,
}

impl BucketOptions {
    /// The names of the variables that say something of a bucket.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let known = |name: &str| name.to_ascii_lowercase().parse::<AmazonS3ConfigKey>().is_ok();
        self.variables
            .iter()
            .map(|(name, _)| name.as_str())
            .filter(move |name| known(name))
    }
}

impl std::fmt::Debug for BucketOptions {
    /// Variables hold secrets.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BucketOptions")
            .field("scratch", &self.scratch)
            .finish_non_exhaustive()
    }
}

impl Bucket {
    /// The bucket at `url`: `s3://NAME`, or `s3://NAME/FOLDER/…` for a part of one. Reaches for nothing.
    ///
    /// # Errors
    /// What is wrong with the address or the variables, in a clause.
    pub(crate) fn open(url: &Url, options: &BucketOptions) -> Result<Self, String> {
        // Where another part of the program has done so, that stays.
        let _installed = rustls::crypto::ring::default_provider().install_default();
        let name = url.host_str().filter(|name| !name.is_empty());
        let name = name.ok_or("names no bucket; use s3://bucket or s3://bucket/folder")?;
        if url.query().is_some()
            || url.fragment().is_some()
            || !url.username().is_empty()
            || url.port().is_some()
        {
            return Err(
                "has more than a bucket and a folder; use s3://bucket/folder and the variables AWS_…"
                    .to_owned(),
            );
        }
        let prefix = Path::from_url_path(url.path()).map_err(|error| error.to_string())?;
        let mut builder = AmazonS3Builder::new();
        let mut says_whether_signed = false;
        for (variable, value) in &options.variables {
            if let Ok(key) = variable.to_ascii_lowercase().parse::<AmazonS3ConfigKey>() {
                says_whether_signed |= key == AmazonS3ConfigKey::UnsignedPayload;
                builder = builder.with_config(key, value);
            }
        }
        let endpoints = [AmazonS3ConfigKey::S3Endpoint, AmazonS3ConfigKey::Endpoint];
        let endpoint = endpoints.iter().find_map(|key| builder.get_config_value(key));
        let is_plain = endpoint.is_some_and(|endpoint| endpoint.starts_with("http://"));
        if !is_plain && !says_whether_signed {
            // TLS keeps the bytes from being changed, and hashing them once more for the signature costs as much as the rest.
            builder = builder.with_unsigned_payload(true);
        }
        let client = ClientOptions::new()
            .with_timeout_disabled()
            .with_connect_timeout(CONNECT_LIMIT)
            .with_read_timeout(SILENCE_LIMIT)
            .with_allow_http(is_plain);
        let retry = RetryConfig {
            backoff: BackoffConfig::default(),
            max_retries: 10,
            retry_timeout: RETRIED_FOR,
        };
        let store = builder
            .with_bucket_name(name)
            .with_client_options(client)
            .with_retry(retry)
            .build()
            .map_err(|error| error.to_string())?;
        let begun = Begun::new(store.clone(), prefix.clone()).map_err(|error| error.to_string())?;
        Ok(Self::new(
            Arc::new(store),
            name.to_owned(),
            prefix,
            options.scratch.clone(),
            Some(begun),
        ))
    }
}
