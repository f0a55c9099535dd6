//! The connection that writes, its transactions, and the commits that they share.
//!
//! Waiting for the disk is shared. A transaction that is done lets the next one on as a part of the same transaction of
//! the file, each a savepoint of its own, and requests a commit in the lock's queue: transactions that are in the queue
//! before it are made permanent by the same commit. No caller gets success before the disk has it, and no reader sees it
//! before. Later transactions do: one that changes nothing is committed all the same where it returns what it has found, and
//! a refusal for what is stored waits for [`settled`](super::Sqlite::settled).

use std::sync::Arc;

use rusqlite::{Connection, ffi};
use sync_wrapper::SyncWrapper;
use tokio::sync::{OwnedMutexGuard, oneshot};

use super::connection::{patiently, roll_back, run};
use super::failure::{Outcome, closed, failure};
use super::log::Log;
use super::place::Place;
use super::statement::rows;
use crate::db::param::Param;
use crate::db::row::Row;

/// The connection that writes, and who waits for its next commit.
pub(super) struct Writer {
    connection: Connection,
    place: Arc<Place>,
    /// Transactions that are done and not yet permanent. While there is one, a commit is in the lock's queue.
    done: Vec<oneshot::Sender<Outcome<()>>>,
    log: Log,
}

/// A transaction that may write. Dropping it rolls back.
pub(crate) struct SqliteTx {
    writer: Option<SyncWrapper<OwnedMutexGuard<Writer>>>,
    of: Arc<tokio::sync::Mutex<Writer>>,
}

impl SqliteTx {
    /// Begins one on the connection that its lock has given out; `of` is that lock.
    pub(super) async fn begin(
        mut writer: OwnedMutexGuard<Writer>,
        of: Arc<tokio::sync::Mutex<Writer>>,
    ) -> Outcome<Self> {
        if writer.connection.is_autocommit() {
            let beginning = &mut *writer;
            patiently(move || run(&beginning.connection, "BEGIN IMMEDIATE")).await?;
        }
        if let Err(error) = run(&writer.connection, "SAVEPOINT part") {
            writer.roll_back();
            return Err(error);
        }
        Ok(Self {
            writer: Some(SyncWrapper::new(writer)),
            of,
        })
    }

    /// Runs a statement; returns its rows.
    pub(crate) fn rows(&mut self, sql: &str, params: &[Param]) -> Outcome<Vec<Row>> {
        rows(self.connection()?, sql, params)
    }

    /// Runs a statement; returns how many rows it changed.
    pub(crate) fn execute(&mut self, sql: &str, params: &[Param]) -> Outcome<u64> {
        self.rows(sql, params)?;
        Ok(self.changes())
    }

    /// How many rows the last statement changed.
    pub(super) fn changes(&mut self) -> u64 {
        self.connection().map_or(0, |connection| connection.changes())
    }

    /// Makes all of it permanent: on the disk when this returns.
    pub(crate) async fn commit(mut self) -> Outcome<()> {
        let Some(mut writer) = self.writer.take().map(SyncWrapper::into_inner) else {
            return Ok(());
        };
        if let Err(error) = run(&writer.connection, "RELEASE part") {
            writer.roll_back();
            return Err(error);
        }
        let (done, permanent) = oneshot::channel();
        writer.done.push(done);
        let is_first = writer.done.len() == 1;
        drop(writer);
        if is_first {
            // A task of its own: a caller that stops waiting for the outcome must not leave the others without one.
            tokio::spawn(commit(Arc::clone(&self.of)));
        }
        permanent.await.unwrap_or_else(|_| Err(closed()))
    }

    /// The connection, unless an error has undone the transaction: then each statement would be one of its own.
    fn connection(&mut self) -> Outcome<&mut Connection> {
        let writer = self.writer.as_mut().ok_or(rusqlite::Error::InvalidQuery)?;
        let connection = &mut writer.get_mut().connection;
        match connection.is_autocommit() {
            true => Err(failure(ffi::SQLITE_ABORT, "the transaction was undone")),
            false => Ok(connection),
        }
    }
}

impl Drop for SqliteTx {
    fn drop(&mut self) {
        if let Some(mut writer) = self.writer.take().map(SyncWrapper::into_inner) {
            writer.roll_back();
        }
    }
}

/// Commits what is done, after those who are in the lock's queue already have had their turn.
async fn commit(writer: Arc<tokio::sync::Mutex<Writer>>) {
    let mut writer = writer.lock_owned().await;
    if let Err(error) = tokio::task::spawn_blocking(move || writer.commit()).await {
        tracing::error!("a commit was lost: {error}");
    }
}

impl Writer {
    /// Its connection.
    pub(super) fn connection(&self) -> &Connection {
        &self.connection
    }

    /// The one that writes with this connection to the file at `place`.
    pub(super) fn of(connection: Connection, place: &Arc<Place>) -> Self {
        Self {
            place: Arc::clone(place),
            log: Log::of(&connection, Arc::clone(place)),
            connection,
            done: Vec::new(),
        }
    }

    /// The outcome of the next commit, if one is due.
    pub(super) fn permanent(&mut self) -> Option<oneshot::Receiver<Outcome<()>>> {
        if self.done.is_empty() {
            return None;
        }
        let (done, permanent) = oneshot::channel();
        self.done.push(done);
        Some(permanent)
    }

    /// Makes permanent what is done, and sends the outcome to those who wait for it.
    pub(super) fn commit(&mut self) {
        if self.done.is_empty() {
            return;
        }
        let committed = self.place.check().and_then(|()| run(&self.connection, "COMMIT"));
        if committed.is_err() && !self.connection.is_autocommit() {
            roll_back(&self.connection, "ROLLBACK");
        }
        self.tell(committed);
        self.log.after_commit(&self.connection);
    }

    /// Undoes the part that runs. Some errors, a full disk for one, have undone everything already: then those who are
    /// done have failed too.
    fn roll_back(&mut self) {
        if self.connection.is_autocommit() {
            let undone = failure(
                ffi::SQLITE_ABORT,
                "the transaction was undone together with another",
            );
            return self.tell(Err(undone));
        }
        match self.done.is_empty() {
            true => roll_back(&self.connection, "ROLLBACK"),
            false => roll_back(&self.connection, "ROLLBACK TO part; RELEASE part"),
        }
    }

    fn tell(&mut self, outcome: Outcome<()>) {
        for waiting in self.done.drain(..) {
            let told = match &outcome {
                Ok(()) => Ok(()),
                Err(rusqlite::Error::SqliteFailure(error, text)) => {
                    Err(rusqlite::Error::SqliteFailure(*error, text.clone()))
                }
                Err(error) => Err(failure(ffi::SQLITE_ERROR, &error.to_string())),
            };
            // The send fails if the caller has gone.
            let _ = waiting.send(told);
        }
    }
}
