//! A bucket that is a folder of the test: its objects are plain files there, as those of a storage in a folder are.
//!
//! The tests run with one in place of that folder where `PLAYOUT_TEST_STORAGE` is `s3`, as `cargo xtask test` sets it for the second
//! run of the tests of media.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use playout_domain::time::Time;
use s3s::auth::SimpleAuth;
use s3s::service::{S3Service, S3ServiceBuilder};
use s3s_fs::FileSystem;
use tokio::net::TcpListener;
use tokio::runtime;
use tokio::sync::oneshot;

/// The folder of the test's that is the bucket, and the bucket's name.
pub(crate) const NAME: &str = "media";
const KEY_ID: &str = "tests";
const SECRET: &str = "the secret of tests";

/// Whether tests keep media in a bucket.
pub(crate) fn is_wanted() -> bool {
    #[expect(
        clippy::disallowed_methods,
        reason = "how the test command names what tests use"
    )]
    let storage = std::env::var("PLAYOUT_TEST_STORAGE");
    storage.is_ok_and(|storage| storage == "s3")
}

/// A multipart upload that has not ended.
pub(crate) struct Multipart {
    pub(crate) key: String,
    pub(crate) id: String,
}

/// The multipart upload that this file beside the bucket's folder is about. s3s-fs makes it when one begins, and removes it when it ends.
pub(crate) fn multipart_of(name: &str) -> Option<Multipart> {
    let of_bucket = format!(".bucket-{}.object-", URL_SAFE_NO_PAD.encode(NAME));
    let (key, id) = name.strip_prefix(&of_bucket)?.split_once(".upload-")?;
    let key = URL_SAFE_NO_PAD.decode(key).unwrap();
    Some(Multipart {
        key: String::from_utf8(key).unwrap(),
        id: id.strip_suffix(".metadata.json")?.to_owned(),
    })
}

/// An object storage. It ends when dropped.
pub(crate) struct ObjectStorage {
    address: SocketAddr,
    _end: oneshot::Sender<()>,
}

impl ObjectStorage {
    /// One whose bucket is the folder [`NAME`] in `root`.
    pub(crate) fn start(root: &Path) -> Self {
        std::fs::create_dir_all(root.join(NAME)).unwrap();
        let mut service = S3ServiceBuilder::new(FileSystem::new(root).unwrap());
        service.set_auth(SimpleAuth::from_single(KEY_ID, SECRET));
        let (service, listener) = (
            service.build(),
            std::net::TcpListener::bind("127.0.0.1:0").unwrap(),
        );
        listener.set_nonblocking(true).unwrap();
        let address = listener.local_addr().unwrap();
        let (end, ended) = oneshot::channel();
        let root = root.to_owned();
        // On a thread of its own: what it logs is not the service's.
        std::thread::spawn(move || {
            let runtime = runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .unwrap();
            runtime.block_on(async {
                let listener = TcpListener::from_std(listener).unwrap();
                tokio::select! {
                    () = serve(listener, service, root) => {}
                    _ = ended => {}
                }
            });
        });
        Self { address, _end: end }
    }

    /// How it is reached.
    pub(crate) fn variables(&self) -> BTreeMap<String, String> {
        let endpoint = format!("http://{}", self.address);
        [
            ("AWS_ENDPOINT_URL", endpoint.as_str()),
            ("AWS_ACCESS_KEY_ID", KEY_ID),
            ("AWS_SECRET_ACCESS_KEY", SECRET),
            ("AWS_REGION", "us-east-1"),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .into()
    }
}

async fn serve(listener: TcpListener, storage: S3Service, root: PathBuf) {
    loop {
        let (connection, _) = listener.accept().await.unwrap();
        let (storage, root) = (storage.clone(), root.clone());
        let service = service_fn(move |request| answer(request, storage.clone(), root.clone()));
        let serving = hyper::server::conn::http1::Builder::new();
        let serving = serving.serve_connection(TokioIo::new(connection), service);
        // Connections that clients break off.
        tokio::spawn(async move { drop(serving.await) });
    }
}

/// Answers as S3 does where s3s-fs does not: it lists no multipart uploads, and denies access to those that are over.
async fn answer(
    request: Request<Incoming>,
    storage: S3Service,
    root: PathBuf,
) -> Result<Response<s3s::Body>, s3s::HttpError> {
    let query = request.uri().query().unwrap_or_default();
    let lists_multiparts = query.split('&').any(|pair| pair == "uploads=");
    if request.method() == Method::GET && lists_multiparts {
        return Ok(Response::new(s3s::Body::from(multiparts(&root))));
    }
    let id = query.split('&').find_map(|pair| pair.strip_prefix("uploadId="));
    if id.is_some_and(|id| !root.join(format!(".upload-{id}.json")).exists()) {
        let body = "<Error><Code>NoSuchUpload</Code></Error>".to_owned();
        let mut gone = Response::new(s3s::Body::from(body));
        *gone.status_mut() = StatusCode::NOT_FOUND;
        return Ok(gone);
    }
    hyper::service::Service::call(&storage, request).await
}

/// What `ListMultipartUploads` returns.
fn multiparts(root: &Path) -> String {
    let mut uploads = String::new();
    for file in std::fs::read_dir(root).unwrap().map(Result::unwrap) {
        let Some(Multipart { key, id }) = multipart_of(file.file_name().to_str().unwrap()) else {
            continue;
        };
        // It may have ended meanwhile.
        let Ok(metadata) = file.metadata() else { continue };
        let begun = metadata.modified().unwrap();
        let begun = begun.duration_since(SystemTime::UNIX_EPOCH).unwrap().as_micros();
        let begun = Time::from_micros(i64::try_from(begun).unwrap());
        uploads += &format!(
            "<Upload><Key>{key}</Key><UploadId>{id}</UploadId><Initiated>{begun}</Initiated></Upload>"
        );
    }
    format!(
        "<ListMultipartUploadsResult>{uploads}<IsTruncated>false</IsTruncated></ListMultipartUploadsResult>"
    )
}
