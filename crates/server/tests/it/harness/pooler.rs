//! PgBouncer between the service and PostgreSQL.

use std::net::{Ipv4Addr, SocketAddr};
use std::os::unix::fs::PermissionsExt;
use std::process::{Child, Command, Stdio};

use tokio::net::TcpStream;

use super::{Db, Playoutd, eventually};

/// A PgBouncer in front of the tests' PostgreSQL; it ends with its test.
pub(crate) struct Pooler {
    process: Child,
    pub(crate) address: SocketAddr,
    _dir: tempfile::TempDir,
}

impl Pooler {
    pub(crate) async fn start(mode: &str) -> Self {
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
