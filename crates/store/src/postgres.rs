//! Connections to PostgreSQL, and how long anything on them may take.
//!
//! A peer can stall or vanish at any moment: a node in the middle of a transaction, the server, the network between them. Two
//! kinds of limits keep it from stopping everything else. The server's own, set on every connection, end what a node left behind:
//! its statements, its waits for locks, its idle transactions, and its connection once the node no longer answers. Ours end what
//! the server leaves us waiting for; the connection is given up then, and its place is free for another.
//!
//! There are three pools, so that requests which wait for one another's locks keep neither the engine from claiming and renewing
//! nor the instance from reporting that it is ready.

use std::pin::pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgConnectOptions, PgConnection, PgPool, PgPoolOptions, Postgres as Database};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, Executor, Row as _};
use tokio::sync::Notify;
use tokio::time::{Instant, timeout};

use crate::error::{Result, StoreError};
use crate::pg_tx::PgTx;
use crate::time_budget;

/// How long a request waits for a free connection.
const ACQUIRE: Duration = Duration::from_secs(2);
/// How long a statement waits for a lock.
const LOCK: Duration = Duration::from_millis(2500);
/// How long a statement may take.
const STATEMENT: Duration = Duration::from_secs(4);
/// How long we wait for the answer to a statement: a little longer, so that the server has the first word.
pub(crate) const ANSWER: Duration = Duration::from_millis(4500);
/// How long a commit may take. What became of one that is given up is not known, so it is given time.
const COMMIT: Duration = Duration::from_secs(30);
/// How long a request waits for its commit at least, even when less is left of its budget.
const COMMIT_AT_LEAST: Duration = Duration::from_millis(400);
/// How long a statement may take that a request's caller does not wait for, or cannot be split.
pub(crate) const LONG: Duration = Duration::from_secs(120);
/// How long a ping may take: readiness answers within 2 s.
pub(crate) const SIGN_OF_LIFE: Duration = Duration::from_millis(1500);
/// How long a transaction may be idle: a node that stalls in the middle of one keeps its locks for as long.
const IDLE_IN_TRANSACTION: Duration = Duration::from_secs(10);
/// How long the server waits for a client that no longer answers, whether or not it has something to send it.
const VANISHED: Duration = Duration::from_secs(15);
/// A connection that was tested so long ago is tested again before it is used.
const TRUSTED_FOR: Duration = Duration::from_secs(1);

/// Connections for claiming and renewing jobs.
const ENGINE_CONNECTIONS: u32 = 2;
/// Connections for notifications and for signs of life.
const WATCH_CONNECTIONS: u32 = 2;

/// The pools of one node.
pub(crate) struct Postgres {
    /// For everything else.
    pub(crate) work: PgPool,
    /// For claiming jobs, renewing their leases and looking when the next one is due.
    pub(crate) engine: PgPool,
    /// For notifications from other nodes, and for pings.
    pub(crate) watch: PgPool,
    /// Where the database is.
    pub(crate) home: Arc<Home>,
}

/// Where the database is: its cluster's system identifier, its timeline and its OID. A failover or a recovery gives it another timeline;
/// files that were put back under the server give it an earlier pulse (`identity.rs`). Each new connection is compared with both, so
/// that nothing is claimed or begun in a database that may have lost what was written last. A new connection of the engine may follow
/// an outage in which other nodes raised the pulse: after it nothing is claimed or begun before the service has compared the database
/// with its storage, too.
#[derive(Default)]
pub(crate) struct Home {
    known: Mutex<Option<Compared>>,
    /// How often it came into doubt, how often it had when the present comparison began, and at the last one that came out right.
    doubts: AtomicU64,
    doubts_at_begin: AtomicU64,
    settled_doubts: AtomicU64,
    doubted: Notify,
    compared: Notify,
}

/// How long a claim waits until a database in doubt was compared.
const COMPARISON: Duration = Duration::from_secs(4);

/// What was compared, and is right.
struct Compared {
    home: String,
    pulse: i64,
}

/// The timeline is the first eight digits of the name of the file that is being written.
pub(crate) const FIND_HOME: &str = "SELECT 'postgres ' || system_identifier::text || ':'
        || CASE WHEN pg_is_in_recovery() THEN '' ELSE substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) END || ':'
        || (SELECT oid::text FROM pg_database WHERE datname = current_database()) AS home
    FROM pg_control_system()";

const FIND_PULSE: &str = "SELECT pulse FROM instance WHERE id = 1";

impl Home {
    /// The place and the pulse that were compared, and are right.
    pub(crate) fn set(&self, home: &str, pulse: i64) {
        let home = home.to_owned();
        *self.known() = Some(Compared { home, pulse });
        let settled = self.doubts_at_begin.load(Ordering::Acquire);
        self.settled_doubts.store(settled, Ordering::Release);
        self.compared.notify_waiters();
    }

    /// A comparison begins: it settles no doubt that comes later.
    pub(crate) fn begin_comparison(&self) {
        let doubts = self.doubts.load(Ordering::Acquire);
        self.doubts_at_begin.store(doubts, Ordering::Release);
    }

    /// The pulse that was compared last; 0 before.
    pub(crate) fn pulse(&self) -> i64 {
        self.known().as_ref().map_or(0, |known| known.pulse)
    }

    /// Waits a little while the database is in doubt; `false` if it still is.
    pub(crate) async fn is_right(&self) -> bool {
        let compared = async {
            loop {
                let mut compared = pin!(self.compared.notified());
                compared.as_mut().enable();
                if self.settled_doubts.load(Ordering::Acquire) == self.doubts.load(Ordering::Acquire) {
                    return;
                }
                compared.await;
            }
        };
        timeout(COMPARISON, compared).await.is_ok()
    }

    /// Waits until it is in doubt.
    pub(crate) async fn doubted(&self) {
        self.doubted.notified().await;
    }

    /// Leaves it in doubt until [`Home::set`], if it was ever compared.
    fn doubt(&self) {
        if self.known().is_some() {
            self.doubts.fetch_add(1, Ordering::AcqRel);
            self.doubted.notify_one();
        }
    }

    /// Compares where a new connection leads. Before anything was compared there may be no tables yet.
    async fn compare(&self, connection: &mut PgConnection) -> sqlx::Result<()> {
        if self.known().is_none() {
            return Ok(());
        }
        let home: String = connection.fetch_one(sqlx::raw_sql(FIND_HOME)).await?.try_get(0)?;
        let pulse = connection.fetch_optional(sqlx::raw_sql(FIND_PULSE)).await?;
        let pulse: i64 = pulse.map_or(Ok(0), |row| row.try_get(0))?;
        let is_other = |known: &Compared| known.home != home || known.pulse > pulse;
        if self.known().as_ref().is_some_and(is_other) {
            self.doubt();
        }
        Ok(())
    }

    fn known(&self) -> MutexGuard<'_, Option<Compared>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Postgres {
    /// Opens the pools, `connections` for work.
    pub(crate) async fn open(options: PgConnectOptions, connections: u32) -> Result<Self> {
        let options = options
            .application_name("playout")
            // PgBouncer refuses it, and PostgreSQL shows floats exactly without it since version 12.
            .extra_float_digits(None)
            .statement_cache_capacity(256)
            .disable_statement_logging();
        let home = Arc::new(Home::default());
        let pools = Self {
            work: pool(connections, &options, Some((&home, Trust::Compared)))
                .connect_lazy_with(options.clone()),
            engine: pool(ENGINE_CONNECTIONS, &options, Some((&home, Trust::Doubted)))
                .connect_lazy_with(options.clone()),
            watch: pool(WATCH_CONNECTIONS, &options, None).connect_lazy_with(options.clone()),
            home,
        };
        let mut first = match pools.work.acquire().await {
            Ok(first) => first,
            Err(error) => {
                let what = format!(
                    "the PostgreSQL database at {}:{}",
                    options.get_host(),
                    options.get_port()
                );
                let source = reason(error, &options).await.into();
                return Err(StoreError::Open { what, source });
            }
        };
        refuse_shared(&pools, &mut first).await?;
        Ok(pools)
    }

    /// Checks that the server answers.
    pub(crate) async fn ping(&self) -> Result<()> {
        let asked = async {
            let mut connection = self.watch.acquire().await?;
            connection.ping().await
        };
        answered(SIGN_OF_LIFE, asked).await
    }

    /// Opens the engine's connections if they are not open, so that those that are new lead to no further comparison. One that is busy
    /// is open.
    pub(crate) async fn open_engine(&self) {
        let _opened = tokio::join!(self.engine.acquire(), self.engine.acquire());
    }

    /// Closes every connection, waiting for the statements that run.
    pub(crate) async fn close(&self) {
        self.watch.close().await;
        self.engine.close().await;
        self.work.close().await;
    }
}

/// What comes of asking the server, if it comes within `limit`, and within what is left of the request's budget unless it may take
/// [`LONG`].
pub(crate) async fn answered<T>(
    limit: Duration,
    asked: impl Future<Output = Result<T, sqlx::Error>>,
) -> Result<T> {
    let is_paid = limit <= ANSWER;
    let limit = match time_budget::left() {
        Some(left) if is_paid => limit.min(left),
        _ => limit,
    };
    let begun = Instant::now();
    let answer = timeout(limit, asked).await;
    if is_paid {
        time_budget::spend(begun.elapsed());
    }
    match answer {
        Ok(answer) => Ok(answer?),
        Err(_) => Err(StoreError::Unavailable("it did not answer in time".into())),
    }
}

/// Commits. A request waits for it as long as its budget lasts; the commit goes on, and whether it is made is not known then.
pub(crate) async fn commit(tx: PgTx) -> Result<()> {
    let committed = match time_budget::left() {
        None => timeout(COMMIT, tx.commit()).await,
        Some(left) => {
            let committing = tokio::spawn(timeout(COMMIT, tx.commit()));
            match timeout(left.max(COMMIT_AT_LEAST), committing).await {
                Ok(Ok(committed)) => committed,
                Ok(Err(_)) | Err(_) => return Err(StoreError::Unconfirmed),
            }
        }
    };
    match committed {
        Ok(Err(sqlx::Error::Io(_))) | Err(_) => Err(StoreError::Unconfirmed),
        Ok(committed) => Ok(committed?),
    }
}

/// What a new connection says of the database.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Trust {
    /// It is right, if place and pulse are.
    Compared,
    /// It may have gone back during an outage.
    Doubted,
}

/// A pool whose new connections are compared with a [`Home`], if it is given.
fn pool(connections: u32, options: &PgConnectOptions, home: Option<(&Arc<Home>, Trust)>) -> PgPoolOptions {
    let limits: Arc<str> = limits(options.get_options().unwrap_or_default()).into();
    let home = home.map(|(home, trust)| (Arc::clone(home), trust));
    PgPoolOptions::new()
        .max_connections(connections)
        .acquire_timeout(ACQUIRE)
        // Each connection is tested when it is given back: to test it again a moment later doubles every query's wait.
        .test_before_acquire(false)
        .before_acquire(|connection, known| {
            Box::pin(async move {
                let is_trusted = known.idle_for <= TRUSTED_FOR;
                Ok(is_trusted || is_alive(connection).await)
            })
        })
        // One that was given up in the middle of a statement is not waited for: its place would be lost.
        .after_release(|connection, _| Box::pin(async move { Ok(is_alive(connection).await) }))
        .after_connect(move |connection, _| {
            let (limits, home) = (Arc::clone(&limits), home.clone());
            Box::pin(async move {
                connection.execute(AssertSqlSafe(&*limits)).await?;
                if let Some((home, trust)) = home {
                    home.compare(connection).await?;
                    if trust == Trust::Doubted {
                        home.doubt();
                    }
                }
                Ok(())
            })
        })
}

async fn is_alive(connection: &mut PgConnection) -> bool {
    matches!(timeout(SIGN_OF_LIFE, connection.ping()).await, Ok(Ok(())))
}

/// Set by a statement, not with the start of the connection: poolers refuse to pass that on. What the address sets itself, in
/// `options`, stays as it is.
fn limits(own: &str) -> String {
    let millis = |(name, limit): (&str, Duration)| format!("SET {name} = {}", limit.as_millis());
    let seconds = |(name, value): (&str, u64)| format!("SET {name} = {value}");
    let timeouts = [
        ("statement_timeout", STATEMENT),
        ("lock_timeout", LOCK),
        ("idle_in_transaction_session_timeout", IDLE_IN_TRANSACTION),
        ("tcp_user_timeout", VANISHED),
    ];
    let keep_alive = [
        ("tcp_keepalives_idle", VANISHED.as_secs() / 3),
        ("tcp_keepalives_interval", VANISHED.as_secs() / 3),
        ("tcp_keepalives_count", 2),
    ];
    let all: Vec<String> = timeouts
        .into_iter()
        .map(millis)
        .chain(keep_alive.into_iter().map(seconds))
        .filter(|set| set.split(' ').nth(1).is_some_and(|name| !own.contains(name)))
        .chain(std::iter::once(DURABLE.to_owned()))
        .collect();
    all.join("; ")
}

/// What is committed survives a crash of the server, even where its configuration would not ensure it: a submission that it
/// forgets goes out again.
const DURABLE: &str = "SELECT set_config('synchronous_commit', 'on', FALSE) WHERE current_setting('synchronous_commit') = 'off'";

/// Refuses a pooler that gives one connection of the server to several of ours, as PgBouncer does in transaction and statement mode:
/// notifications, prepared statements and limits get lost there. While ours are open at the same time each has a server process of
/// its own, or the address is such a pooler's.
async fn refuse_shared(pools: &Postgres, first: &mut PoolConnection<Database>) -> Result<()> {
    let mut processes = vec![process(first).await?];
    let mut open = Vec::new();
    // Of each pool one: a pool of one connection has no second to compare.
    for pool in [&pools.engine, &pools.watch] {
        // A server that has no more connections to give is not such a pooler.
        let Ok(mut next) = pool.acquire().await else { break };
        let found = process(&mut next).await?;
        if processes.contains(&found) {
            return Err(StoreError::SharedConnections);
        }
        processes.push(found);
        open.push(next);
    }
    Ok(())
}

async fn process(connection: &mut PgConnection) -> Result<i32> {
    let asked = connection.fetch_one(sqlx::raw_sql("SELECT pg_backend_pid()"));
    Ok(answered(ANSWER, asked).await?.try_get(0)?)
}

/// A pool that ran out of patience does not return the cause: one more connection does.
async fn reason(error: sqlx::Error, options: &PgConnectOptions) -> sqlx::Error {
    match (error, timeout(ACQUIRE, options.connect()).await) {
        (sqlx::Error::PoolTimedOut, Ok(Err(reason))) => reason,
        (error, _) => error,
    }
}
