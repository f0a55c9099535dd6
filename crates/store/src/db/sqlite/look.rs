//! Opening a file only to look at it.

use std::path::Path;
use std::sync::{Arc, Mutex};

use rusqlite::{Connection, OpenFlags};
use tokio::sync::Semaphore;

use super::Sqlite;
use super::backup_mark::refuse_beside_log;
use super::connection::PAUSE;
use super::failure::Outcome;
use super::place::{Place, refuse_lone_log};
use super::writer::Writer;

impl Sqlite {
    /// Opens the file for reading alone, and makes no file beside it.
    pub(crate) fn open_to_look(path: &Path) -> Outcome<Self> {
        let (writer, reader) = (connect_to_look(path)?, connect_to_look(path)?);
        let place = Arc::new(Place::of(path));
        let writer = Writer::of(writer, &place);
        Ok(Self {
            place,
            writer: Arc::new(tokio::sync::Mutex::new(writer)),
            readers: Mutex::new(vec![reader]),
            searchers: Mutex::default(),
            // One at a time reads with the connection that is there.
            permits: Semaphore::new(1),
        })
    }
}

/// A connection for reading. A file without a log is in use by no service, and is read as it is: otherwise SQLite would make a log.
fn connect_to_look(path: &Path) -> Outcome<Connection> {
    refuse_lone_log(path)?;
    refuse_beside_log(path)?;
    let flags =
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
    let escaped = ["%", "?", "#"]
        .iter()
        .zip(["%25", "%3f", "%23"])
        .fold(path.display().to_string(), |path, (character, code)| {
            path.replace(character, code)
        });
    let has_log = Path::new(&format!("{}-wal", path.display())).exists();
    let address = match has_log {
        true => format!("file:{escaped}"),
        false => format!("file:{escaped}?immutable=1"),
    };
    let connection = Connection::open_with_flags(address, flags)?;
    connection.busy_timeout(PAUSE * 100)?;
    Ok(connection)
}
