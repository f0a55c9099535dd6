//! Connections to PostgreSQL. How long anything on them may take is in `postgres/limits.rs`.
//!
//! There are three pools, so that requests which wait for one another's locks keep neither the engine from claiming and renewing
//! nor the instance from reporting that it is ready.

mod answer;
mod home;
mod limits;
mod pool;
mod statement;
mod tx;

use std::sync::Arc;

use sqlx::postgres::{PgConnectOptions, PgConnection, PgPool, PgPoolOptions};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, Executor, Row as _};
use tokio::time::timeout;

pub(crate) use self::answer::{answered, commit};
pub(crate) use self::home::FIND_HOME;
use self::home::Home;
use self::limits::{ACQUIRE, limits};
pub(crate) use self::limits::{ANSWER, LONG, SIGN_OF_LIFE};
pub(crate) use self::pool::Pool;
use self::pool::{Trust, is_alive};
pub(crate) use self::statement::{bound, read_within, was_cancelled};
pub(crate) use self::tx::PgTx;
use super::error::{Result, StoreError, unopened};

/// Connections for claiming and renewing jobs.
const ENGINE_CONNECTIONS: u32 = 2;
/// Connections for notifications and for signs of life.
const WATCH_CONNECTIONS: u32 = 2;

/// The pools of one node.
pub(crate) struct Postgres {
    /// For everything else.
    pub(crate) work: Pool,
    /// For claiming jobs, renewing their leases and looking when the next one is due.
    pub(crate) engine: Pool,
    /// For notifications from other nodes, and for pings.
    pub(crate) watch: PgPool,
    /// Where the database is.
    pub(crate) home: Arc<Home>,
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
            work: Pool::new(options.clone(), connections, &home, Trust::Compared),
            engine: Pool::new(options.clone(), ENGINE_CONNECTIONS, &home, Trust::Doubted),
            watch: watch_pool(&options),
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
                let source = unopened(reason(error, &options).await);
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

/// The pool for notifications and pings: a listener of sqlx takes it from sqlx's own.
#[expect(
    clippy::disallowed_methods,
    reason = "the one pool of sqlx's own, without a limit of age"
)]
fn watch_pool(options: &PgConnectOptions) -> PgPool {
    let limits: Arc<str> = limits(options.get_options().unwrap_or_default()).into();
    PgPoolOptions::new()
        .max_connections(WATCH_CONNECTIONS)
        .acquire_timeout(ACQUIRE)
        // With either of them sqlx 0.9.0 looks through the idle connections from time to time, and may do so for ever
        // (https://github.com/transact-rs/sqlx/issues/3645).
        .idle_timeout(None)
        .max_lifetime(None)
        // One that was given up in the middle of a statement is not waited for: its place would be lost.
        .after_release(|connection, _| Box::pin(async move { Ok(is_alive(connection).await) }))
        .after_connect(move |connection, _| {
            let limits = Arc::clone(&limits);
            Box::pin(async move { connection.execute(AssertSqlSafe(&*limits)).await.map(drop) })
        })
        .connect_lazy_with(options.clone())
}

/// Refuses a pooler that gives one connection of the server to several of ours, as PgBouncer does in transaction and statement mode:
/// notifications, prepared statements and limits get lost there. While ours are open at the same time each has a server process of
/// its own, or the address is such a pooler's.
async fn refuse_shared(pools: &Postgres, first: &mut PgConnection) -> Result<()> {
    // Of each pool one: a pool of one connection has no second to compare. A server that has no more connections to give is not such a
    // pooler.
    let Ok(mut second) = pools.engine.acquire().await else {
        return Ok(());
    };
    let Ok(mut third) = pools.watch.acquire().await else {
        return Ok(());
    };
    let mut processes = vec![
        process(first).await?,
        process(&mut second).await?,
        process(&mut third).await?,
    ];
    processes.sort_unstable();
    processes.dedup();
    match processes.len() {
        3 => Ok(()),
        _ => Err(StoreError::SharedConnections),
    }
}

async fn process(connection: &mut PgConnection) -> Result<i32> {
    let asked = connection.fetch_one(sqlx::raw_sql("SELECT pg_backend_pid()"));
    Ok(answered(ANSWER, asked).await?.try_get(0)?)
}

/// A pool that ran out of patience returns no cause, or its own text for it: one more connection returns it.
async fn reason(error: sqlx::Error, options: &PgConnectOptions) -> sqlx::Error {
    match (error, timeout(ACQUIRE, options.connect()).await) {
        (sqlx::Error::PoolTimedOut | sqlx::Error::Io(_), Ok(Err(reason))) => reason,
        (error, _) => error,
    }
}
