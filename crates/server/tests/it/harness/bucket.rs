//! A bucket that is a folder of the test: its objects are plain files there, as those of a storage in a folder are.
//!
//! The tests run with one in place of that folder where `PLAYOUT_TEST_STORAGE` is `s3`, as `cargo xtask test` sets it for the second
//! run of the tests of media.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::Path;

use hyper_util::rt::TokioIo;
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
        // On a thread of its own: what it logs is not the service's.
        std::thread::spawn(move || {
            let runtime = runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .unwrap();
            runtime.block_on(async {
                let listener = TcpListener::from_std(listener).unwrap();
                tokio::select! {
                    () = serve(listener, service) => {}
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

async fn serve(listener: TcpListener, service: S3Service) {
    loop {
        let (connection, _) = listener.accept().await.unwrap();
        let serving = hyper::server::conn::http1::Builder::new();
        let serving = serving.serve_connection(TokioIo::new(connection), service.clone());
        // Connections that clients break off.
        tokio::spawn(async move { drop(serving.await) });
    }
}
