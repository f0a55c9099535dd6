//! A pool of connections to PostgreSQL.
//!
//! sqlx's own asks the server after each use whether the connection is still good, and without a limit of time: that doubles the round
//! trips of small statements, and a server that stalls keeps the place for ever. Here a connection is asked only where there is a reason
//! to: its last use did not end, or was long ago, or another one turned out to be broken.

use std::io::ErrorKind;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, Error, Executor, Result};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, sleep, timeout};

use super::home::Home;
use super::limits::{ACQUIRE, LIFETIME, READ_COMMITTED, SIGN_OF_LIFE, TRUSTED_FOR, limits};

/// The pause before a server that refuses connections, as while it starts, is tried again.
const TRY_EVERY: Duration = Duration::from_millis(50);

/// What a new connection says of the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Trust {
    /// It is right, if place and pulse are.
    Compared,
    /// It may have gone back during an outage.
    Doubted,
}

/// The pool. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Pool(Arc<Inner>);

struct Inner {
    options: PgConnectOptions,
    limits: String,
    home: Arc<Home>,
    trust: Trust,
    connections: u32,
    places: Arc<Semaphore>,
    idle: Mutex<Vec<Session>>,
}

/// An open connection.
struct Session {
    connection: PgConnection,
    opened_at: Instant,
    used_at: Instant,
    /// Whether it is to be asked before its next use: the last one has not ended, or another connection is broken.
    is_doubtful: bool,
}

/// A connection that is taken from the pool. Dropped, it goes back; one whose use has not ended is asked before the next use whether it
/// is good.
pub(crate) struct Taken {
    /// `None` once it is closed.
    session: Option<Session>,
    pool: Pool,
    _place: OwnedSemaphorePermit,
}

impl Pool {
    /// Opens no connection yet.
    pub(super) fn new(options: PgConnectOptions, connections: u32, home: &Arc<Home>, trust: Trust) -> Self {
        Self(Arc::new(Inner {
            limits: limits(options.get_options().unwrap_or_default()),
            options,
            home: Arc::clone(home),
            trust,
            connections,
            places: Arc::new(Semaphore::new(connections as usize)),
            idle: Mutex::default(),
        }))
    }

    /// How its connections are made.
    #[cfg(test)]
    pub(crate) fn connect_options(&self) -> &PgConnectOptions {
        &self.0.options
    }

    /// A connection beside the pool, without limits of time.
    pub(crate) async fn connect_beside(&self) -> Result<PgConnection> {
        // Boxed, because it is large.
        let mut connection = Box::pin(self.0.options.connect()).await?;
        connection.execute(READ_COMMITTED).await?;
        Ok(connection)
    }

    /// A connection, once there is a place for one.
    ///
    /// # Errors
    /// When the server refuses. After [`ACQUIRE`] the refusal that it was tried again after, else [`Error::PoolTimedOut`].
    pub(crate) async fn acquire(&self) -> Result<Taken> {
        let refusal = Mutex::default();
        let taking = async {
            let place = Arc::clone(&self.0.places).acquire_owned().await;
            let place = place.map_err(|_| Error::PoolClosed)?;
            let session = match self.good().await {
                Some(session) => session,
                // Boxed, because it is large and seldom needed.
                None => Box::pin(self.connect(&refusal)).await?,
            };
            Ok(Taken {
                session: Some(session),
                pool: self.clone(),
                _place: place,
            })
        };
        let taken = timeout(ACQUIRE, taking).await;
        taken.unwrap_or_else(|_| {
            let refusal = refusal.into_inner().unwrap_or_else(PoisonError::into_inner);
            Err(refusal.unwrap_or(Error::PoolTimedOut))
        })
    }

    /// Does `work` on a connection. Where that does not end, because its caller goes away or it fails, the connection is asked before it is
    /// used again.
    pub(crate) async fn run<T>(&self, work: impl AsyncFnOnce(&mut PgConnection) -> Result<T>) -> Result<T> {
        let mut taken = self.acquire().await?;
        taken.begin_use();
        let done = work(&mut taken).await;
        match done {
            Err(ref error) if is_broken(error) => self.doubt_idle(),
            Ok(_) | Err(_) => taken.end_use(),
        }
        done
    }

    /// An idle connection that is good, if there is one.
    async fn good(&self) -> Option<Session> {
        loop {
            let mut session = self.idle().pop()?;
            if session.opened_at.elapsed() > LIFETIME {
                continue;
            }
            let is_trusted = !session.is_doubtful && session.used_at.elapsed() <= TRUSTED_FOR;
            if is_trusted || is_alive(&mut session.connection).await {
                session.is_doubtful = false;
                return Some(session);
            }
            self.doubt_idle();
        }
    }

    /// What broke one connection, such as a failover, may have broken all.
    pub(super) fn doubt_idle(&self) {
        for session in self.idle().iter_mut() {
            session.is_doubtful = true;
        }
    }

    /// A new connection. `refusal` is the last one after which it was tried again.
    async fn connect(&self, refusal: &Mutex<Option<Error>>) -> Result<Session> {
        let mut connection = loop {
            match self.0.options.connect().await {
                Err(error) if passes(&error) => {
                    *refusal.lock().unwrap_or_else(PoisonError::into_inner) = Some(self.named(error));
                    sleep(TRY_EVERY).await;
                }
                connected => break connected?,
            }
        };
        connection.execute(AssertSqlSafe(self.0.limits.as_str())).await?;
        self.0.home.compare(&mut connection).await?;
        if self.0.trust == Trust::Doubted {
            self.0.home.doubt();
        }
        Ok(Session {
            connection,
            opened_at: Instant::now(),
            used_at: Instant::now(),
            is_doubtful: false,
        })
    }

    /// The failure with the address, where the system only says that the connection was refused.
    fn named(&self, error: Error) -> Error {
        let options = &self.0.options;
        match error {
            Error::Io(error) if error.kind() == ErrorKind::ConnectionRefused => {
                let text = format!(
                    "PostgreSQL at {}:{} refuses connections: it is not running there, or still starting",
                    options.get_host(),
                    options.get_port()
                );
                Error::Io(std::io::Error::new(error.kind(), text))
            }
            other => other,
        }
    }

    /// Lets no use begin, waits for those that have, and closes every connection.
    pub(super) async fn close(&self) {
        drop(self.0.places.acquire_many(self.0.connections).await);
        self.0.places.close();
        let idle = std::mem::take(&mut *self.idle());
        for session in idle {
            drop(timeout(SIGN_OF_LIFE, session.connection.close()).await);
        }
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Session>> {
        self.0.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Taken {
    /// A use of it begins that must not be cut.
    pub(super) fn begin_use(&mut self) {
        if let Some(session) = &mut self.session {
            session.is_doubtful = true;
        }
    }

    /// The use has ended.
    pub(super) fn end_use(&mut self) {
        if let Some(session) = &mut self.session {
            session.is_doubtful = false;
            session.used_at = Instant::now();
        }
    }

    /// Closes it, without a word to the server, because it is broken.
    pub(super) fn discard(&mut self) {
        self.session = None;
        self.pool.doubt_idle();
    }
}

const OPEN: &str = "it is not discarded";

impl Deref for Taken {
    type Target = PgConnection;

    fn deref(&self) -> &PgConnection {
        &self.session.as_ref().expect(OPEN).connection
    }
}

impl DerefMut for Taken {
    fn deref_mut(&mut self) -> &mut PgConnection {
        &mut self.session.as_mut().expect(OPEN).connection
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        if let Some(session) = self.session.take() {
            self.pool.idle().push(session);
        }
    }
}

/// Whether the connection answers. What is left of an answer that was not waited for is read first.
pub(super) async fn is_alive(connection: &mut PgConnection) -> bool {
    matches!(timeout(SIGN_OF_LIFE, connection.ping()).await, Ok(Ok(())))
}

/// Whether the connection may not be good after such a failure.
fn is_broken(error: &Error) -> bool {
    !matches!(error, Error::Database(_) | Error::RowNotFound)
}

/// Whether a server that refuses so may take connections a moment later.
fn passes(error: &Error) -> bool {
    match error {
        Error::Io(error) => error.kind() == ErrorKind::ConnectionRefused,
        Error::Database(error) => error.is_transient_in_connect_phase(),
        _ => false,
    }
}
