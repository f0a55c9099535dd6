//! The programs of PostgreSQL that write and load a dump.

use std::io::{ErrorKind, Write};
use std::path::Path;
use std::process::{ChildStdin, Command, Stdio};

use playout_store::IN_A_BACKUP;

use super::files::private_file;
use crate::open_error::OpenError;

/// The table that a dump leaves empty: that marks it as a backup's (`store/src/instance/identity.rs`).
const MARKED_BY: &str = "--exclude-table-data=instance_place";

/// Dumps a database in one snapshot, with the mark of a backup.
pub(super) fn dump(url: &str, to: &Path) -> Result<(), OpenError> {
    let file = private_file(to)?;
    let mut command = client("pg_dump", url)?;
    command
        .args(["--format=custom", "--no-owner", "--no-privileges", MARKED_BY])
        .stdout(file);
    finish(command, "pg_dump")
}

/// Loads a dump in one transaction, with the note that it comes from a backup: the dumps of earlier versions have no mark.
pub(super) fn load(url: &str, from: &Path) -> Result<(), OpenError> {
    let mut dump = Command::new("pg_restore");
    dump.args(["--no-owner", "--no-privileges", "--file=-"]).arg(from);
    dump.stdin(Stdio::null()).stdout(Stdio::piped());
    let mut database = client("psql", url)?;
    database.args([
        "--no-psqlrc",
        "--quiet",
        "--output=/dev/null",
        "--set=ON_ERROR_STOP=1",
    ]);
    database
        .args(["--single-transaction", "--file=-"])
        .stdin(Stdio::piped());
    let mut database = database.spawn().map_err(|error| not_run("psql", &error))?;
    let mut input = database.stdin.take().ok_or("psql takes no input")?;
    let written = write_dump(dump, &mut input);
    if written.is_err() {
        // Killed before its input ends, because that would commit the part that was loaded.
        database.kill()?;
    }
    drop(input);
    let status = database.wait()?;
    written?;
    match status.success() {
        true => Ok(()),
        false => Err(format!(
            "psql failed ({status}), for the reason above: no database was restored. When it is mended, type the same command again"
        )
        .into()),
    }
}

/// Writes the statements of a dump, then the note.
fn write_dump(mut dump: Command, into: &mut ChildStdin) -> Result<(), OpenError> {
    let mut dump = dump.spawn().map_err(|error| not_run("pg_restore", &error))?;
    let copied = match &mut dump.stdout {
        Some(statements) => std::io::copy(statements, into),
        None => Ok(0),
    };
    // If the pipe broke, the reader has reported why.
    copied.map_err(|error| format!("psql: {error}"))?;
    let status = dump.wait()?;
    if !status.success() {
        return Err(format!(
            "pg_restore cannot read the dump of this backup ({status}): no database was restored; restore another backup"
        )
        .into());
    }
    let note = "RESET search_path; UPDATE instance SET home";
    writeln!(into, "{note} = '{IN_A_BACKUP}' WHERE home IS NOT NULL;")?;
    Ok(())
}

/// A command of a PostgreSQL program. The connection is passed in its environment, because arguments show in the list of
/// processes.
fn client(program: &str, url: &str) -> Result<Command, OpenError> {
    let url = url::Url::parse(url)?;
    let mut command = Command::new(program);
    command.stdin(Stdio::null());
    let decoded = |text: &str| {
        percent_encoding::percent_decode_str(text)
            .decode_utf8_lossy()
            .into_owned()
    };
    let mut set = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            command.env(name, value);
        }
    };
    set("PGHOST", url.host_str().map(decoded));
    set("PGPORT", url.port().map(|port| port.to_string()));
    set(
        "PGUSER",
        Some(decoded(url.username())).filter(|user| !user.is_empty()),
    );
    set("PGPASSWORD", url.password().map(decoded));
    set("PGDATABASE", Some(database_of(&url)));
    for (name, value) in url.query_pairs() {
        match &*name {
            "sslmode" | "ssl-mode" => set("PGSSLMODE", Some(value.into_owned())),
            "sslrootcert" | "ssl-root-cert" => set("PGSSLROOTCERT", Some(value.into_owned())),
            "host" => set("PGHOST", Some(value.into_owned())),
            "options" => set("PGOPTIONS", Some(value.into_owned())),
            _ => {}
        }
    }
    Ok(command)
}

pub(super) fn database_of(url: &url::Url) -> String {
    let name = url.path().trim_start_matches('/');
    percent_encoding::percent_decode_str(name)
        .decode_utf8_lossy()
        .into_owned()
}

fn finish(mut command: Command, program: &str) -> Result<(), OpenError> {
    let status = command.status().map_err(|error| not_run(program, &error))?;
    match status.success() {
        true => Ok(()),
        false => Err(format!("{program} failed: {status}").into()),
    }
}

fn not_run(program: &str, error: &std::io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => {
            format!("{program} is not installed: it comes with the client programs of PostgreSQL")
        }
        _ => format!("{program}: {error}"),
    }
}
