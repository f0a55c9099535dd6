//! A PostgreSQL server of one test's own, for what concerns a whole server.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use super::Playoutd;

/// Waits for the end of the test, however that comes, then stops the server and removes its folder.
const GUARDIAN: &str = r#"cat >/dev/null; pg_ctl stop --mode=immediate >/dev/null 2>&1; rm -rf "$0""#;

/// A running server. `cargo xtask test` puts the programs of PostgreSQL into the `PATH`.
pub(crate) struct Cluster {
    folder: PathBuf,
    port: u16,
    guardian: Child,
}

impl Cluster {
    /// A new server with these further lines of `postgresql.conf`, made for its folder; `wal` in it is an empty directory.
    pub(crate) fn start(settings: impl Fn(&Path) -> String) -> Self {
        let made = output(&mut as_postgres("mktemp -d /tmp/playout-cluster.XXXXXX"));
        let folder = PathBuf::from(made.trim());
        let port = Playoutd::free_address().port();
        let mut guardian = as_postgres(GUARDIAN);
        guardian.arg(&folder).stdin(Stdio::piped());
        let guardian = environment(&mut guardian, &folder, port).spawn().unwrap();
        let cluster = Self {
            folder,
            port,
            guardian,
        };
        let settings = format!(
            "listen_addresses = '127.0.0.1'\nport = {port}\nunix_socket_directories = '{}'\nfsync = off\n{}",
            cluster.folder.display(),
            settings(&cluster.folder)
        );
        cluster.run(&format!(
            "initdb --no-sync --auth=trust --username=postgres --encoding=UTF8 --locale=C >/dev/null\n\
             mkdir \"$0/wal\"\ncat >> \"$PGDATA/postgresql.conf\" <<'END'\n{settings}END\n\
             pg_ctl start --log=\"$0/log\" >/dev/null"
        ));
        cluster
    }

    /// The folder of its data (`data`) and its archive (`wal`), in which its user may write other files too.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The address of its database `postgres`.
    pub(crate) fn url(&self) -> String {
        format!("postgres://postgres@127.0.0.1:{}/postgres", self.port)
    }

    /// Runs a script as the user of the server, with the `PG…` variables of the server set; returns its output. `$0` is
    /// the folder.
    pub(crate) fn run(&self, script: &str) -> String {
        let mut command = as_postgres(&format!("set -e\n{script}"));
        output(environment(command.arg(&self.folder), &self.folder, self.port))
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        drop(self.guardian.stdin.take());
        self.guardian.wait().unwrap();
    }
}

/// A script for `sh`; the server refuses to be root.
fn as_postgres(script: &str) -> Command {
    let is_root = output(Command::new("id").arg("-u")).trim() == "0";
    let mut command = match is_root {
        true => Command::new("runuser"),
        false => Command::new("sh"),
    };
    if is_root {
        command.args(["-u", "postgres", "--", "sh"]);
    }
    command.args(["-c", script]).current_dir("/");
    command
}

fn environment<'a>(command: &'a mut Command, folder: &Path, port: u16) -> &'a mut Command {
    command
        .env("PGDATA", folder.join("data"))
        .env("PGHOST", "127.0.0.1")
        .env("PGPORT", port.to_string())
        .env("PGUSER", "postgres")
        .env("PGDATABASE", "postgres")
}

fn output(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {said}");
    String::from_utf8(output.stdout).unwrap()
}
