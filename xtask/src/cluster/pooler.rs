//! PgBouncer in session mode between the nodes and PostgreSQL.

use std::net::SocketAddr;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use crate::bench::process::Process;
use crate::failure::{Doing, Failure, Outcome};
use crate::machine::{free_port, is_root, program};

/// A running pooler. It ends when dropped.
#[derive(Debug)]
pub(super) struct Pooler {
    /// Where it listens.
    pub(super) address: SocketAddr,
    _process: Process,
}

impl Pooler {
    /// Starts one in front of a PostgreSQL that trusts everyone.
    ///
    /// # Errors
    /// When it is not installed or does not start.
    pub(super) fn start(postgres: SocketAddr, folder: &Path) -> Outcome<Self> {
        let pgbouncer = program("pgbouncer").ok_or_else(|| Failure::new("pgbouncer is missing"))?;
        std::fs::create_dir_all(folder).doing(folder.display())?;
        let address = SocketAddr::from(([127, 0, 0, 1], free_port()?));
        let config = folder.join("pgbouncer.ini");
        std::fs::write(&config, settings(address, postgres)).doing(config.display())?;
        std::fs::set_permissions(folder, PermissionsExt::from_mode(0o755)).doing(folder.display())?;
        let mut command = Command::new(pgbouncer);
        if is_root() {
            // It refuses to be root.
            command.args(["-u", "postgres"]);
        }
        command.arg(&config);
        let process = Process::start(&mut command, &folder.join("pgbouncer.log"))?;
        Ok(Self {
            address,
            _process: process,
        })
    }
}

/// Each node has a connection of PostgreSQL for each of its own: `LISTEN` and settings belong to one.
fn settings(address: SocketAddr, postgres: SocketAddr) -> String {
    let (host, port) = (postgres.ip(), postgres.port());
    format!(
        "[databases]\n* = host={host} port={port} user=postgres\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {}\n\
         unix_socket_dir =\nauth_type = any\npool_mode = session\nmax_client_conn = 200\ndefault_pool_size = 100\n",
        address.port()
    )
}
