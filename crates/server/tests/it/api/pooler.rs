//! PgBouncer between the service and PostgreSQL: it works in session mode, and is refused in transaction mode.

use std::net::{Ipv4Addr, SocketAddr};
use std::os::unix::fs::PermissionsExt;
use std::process::{Child, Command, Stdio};

use playout_store::{Store, StoreError, Vault};
use tokio::net::TcpStream;

use crate::harness::{Database, Db, KEY, Options, Playoutd, TestApp, eventually};

/// A PgBouncer in front of the tests' PostgreSQL; it ends with its test.
struct Pooler {
    process: Child,
    address: SocketAddr,
    _dir: tempfile::TempDir,
}

impl Pooler {
    async fn start(mode: &str) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let (host, port) = Db::postgres();
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, Playoutd::free_address().port()));
        let settings = format!(
            "[databases]\n* = host={host} port={port} user=postgres\n[pgbouncer]\nlisten_addr = 127.0.0.1\n\
             listen_port = {}\nunix_socket_dir =\nauth_type = any\npool_mode = {mode}\nmax_client_conn = 100\n\
             default_pool_size = 40\n",
            address.port()
        );
        let file = dir.path().join("pgbouncer.ini");
        std::fs::write(&file, settings).unwrap();
        std::fs::set_permissions(dir.path(), PermissionsExt::from_mode(0o755)).unwrap();
        // It refuses to be root.
        let command = "PATH=$PATH:/usr/sbin:/sbin; \
            if [ $(id -u) = 0 ]; then exec pgbouncer -q -u postgres \"$0\"; fi; exec pgbouncer -q \"$0\"";
        let process = Command::new("sh")
            .args(["-c", command])
            .arg(file)
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let pooler = Self {
            process,
            address,
            _dir: dir,
        };
        eventually("the pooler listens", async || {
            TcpStream::connect(address).await.is_ok()
        })
        .await;
        pooler
    }
}

impl Drop for Pooler {
    fn drop(&mut self) {
        let _already_dead = self.process.kill();
        self.process.wait().unwrap();
    }
}

#[tokio::test]
async fn a_post_goes_out_through_pgbouncer_in_session_mode() {
    let pooler = Pooler::start("session").await;
    let options = Options {
        database_at: Some(pooler.address),
        ..Options::default()
    };
    let mut t = TestApp::start_with(Db::Postgres, options).await;
    let platform = t.connect("kitestudio").await;
    let post = t.api.publish_now(&platform, &[t.api.upload_clip().await]).await;
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
    assert_eq!(t.sim.publication_count(), 1);
    t.stop().await;
    t.app.store.close().await;
}

#[tokio::test]
async fn pgbouncer_in_transaction_mode_is_refused_with_what_to_do() {
    let pooler = Pooler::start("transaction").await;
    let database = Database::create(Db::Postgres, std::path::Path::new("/")).await;
    let url = database.url_at(Some(pooler.address));
    for connections in [1, 10] {
        let refused = Store::connect_with(&url, Vault::new(vec![KEY]).unwrap(), connections).await;
        let error = refused.err().expect("it is refused");
        assert!(
            matches!(error, StoreError::SharedConnections),
            "{connections}: {error}"
        );
        assert!(error.to_string().contains("pool_mode = session"), "{error}");
    }
}
