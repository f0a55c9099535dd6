//! Copies of a database by PostgreSQL's own programs, and of a whole cluster file by file, and back.

use std::path::Path;
use std::process::Command;

use super::{Postgres, unprivileged};
use crate::failure::{Doing, Outcome};
use crate::machine::said;

/// The database that tests and benches use.
const DATABASE: &str = "postgres";
/// A database to be connected to while that one is removed.
const OTHER: &str = "template1";
/// The copy of the cluster, beside it.
const CLUSTER: &str = "cluster-copy";

impl Postgres {
    /// The folder with the server's programs.
    pub fn bin(&self) -> &Path {
        &self.bin
    }

    /// Replaces the database by a new, empty one of the same name: its OID is another. Connections to the old one are closed.
    ///
    /// # Errors
    /// When the server refuses.
    pub fn empty_database(&self) -> Outcome<()> {
        for statement in [
            format!("DROP DATABASE {DATABASE} WITH (FORCE)"),
            format!("CREATE DATABASE {DATABASE}"),
        ] {
            let mut psql = self.client("psql");
            psql.args(["--quiet", "--no-psqlrc", "--dbname", OTHER, "--command"])
                .arg(statement);
            said(&mut psql).doing("replacing the database")?;
        }
        Ok(())
    }

    /// Runs a statement in the database.
    ///
    /// # Errors
    /// When it fails.
    pub fn execute(&self, statement: &str) -> Outcome<()> {
        let mut psql = self.client("psql");
        psql.args(["--quiet", "--no-psqlrc", "--dbname", DATABASE, "--command"])
            .arg(statement);
        said(&mut psql).doing(statement).map(drop)
    }

    /// Writes a dump of the database into a new file.
    ///
    /// # Errors
    /// When `pg_dump` fails.
    pub fn dump_to(&self, file: &Path) -> Outcome<()> {
        let mut dump = self.client("pg_dump");
        dump.args(["--format=custom", "--dbname", DATABASE, "--file"])
            .arg(file);
        said(&mut dump).doing("dumping the database").map(drop)
    }

    /// Loads a dump into the database, which must be empty.
    ///
    /// # Errors
    /// When `pg_restore` fails.
    pub fn load_from(&self, file: &Path) -> Outcome<()> {
        let mut load = self.client("pg_restore");
        load.args(["--exit-on-error", "--single-transaction", "--dbname", DATABASE])
            .arg(file);
        said(&mut load).doing("loading a dump").map(drop)
    }

    /// Stops the server, copies the files of the cluster, and starts it again. The copy replaces an earlier one.
    ///
    /// # Errors
    /// When the files cannot be copied or the server does not start again.
    pub fn copy_cluster(&self) -> Outcome<()> {
        self.crash()?;
        self.replace_folder((&self.folder.join("data"), &self.folder.join(CLUSTER)))?;
        self.start_again()
    }

    /// Stops the server, puts the copied files back, and starts it: the cluster has the same identifiers as before.
    ///
    /// # Errors
    /// As [`Self::copy_cluster`].
    pub fn put_cluster_back(&self) -> Outcome<()> {
        self.crash()?;
        self.replace_folder((&self.folder.join(CLUSTER), &self.folder.join("data")))?;
        self.start_again()
    }

    fn replace_folder(&self, (from, to): (&Path, &Path)) -> Outcome<()> {
        said(unprivileged(Path::new("rm")).arg("-rf").arg(to)).doing("removing an old cluster")?;
        said(unprivileged(Path::new("cp")).arg("-a").arg(from).arg(to))
            .doing("copying a cluster")
            .map(drop)
    }

    /// A program of PostgreSQL, with the arguments that connect it to the server.
    fn client(&self, program: &str) -> Command {
        let mut command = Command::new(self.bin.join(program));
        command
            .args(["--host", "127.0.0.1", "--username", "postgres", "--port"])
            .arg(self.port.to_string());
        command
    }
}
