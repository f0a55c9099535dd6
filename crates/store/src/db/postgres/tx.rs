//! A transaction on a connection of a pool of PostgreSQL.
//!
//! sqlx's own is not used: it knows that it is open only once `BEGIN` was answered. Where the caller is dropped before, as for a
//! client that closes its connection, it puts the connection back into the pool in an open transaction: what others then write on
//! it counts as written, and is gone with the next rollback (<https://github.com/launchbadge/sqlx/issues/4385>).

use std::ops::{Deref, DerefMut};

use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgConnection, PgPool, Postgres};
use sqlx::{Executor, Result};
use tokio::runtime::Handle;
use tokio::time::timeout;

use super::limits::SIGN_OF_LIFE;

/// An open transaction. Dropped at any moment, also while it begins or commits, it is rolled back before its connection is
/// used again, or the connection is closed.
pub(crate) struct PgTx {
    /// `None` once it has ended.
    connection: Option<PoolConnection<Postgres>>,
}

impl PgTx {
    /// Begins one as soon as there is a connection.
    pub(crate) async fn begin(pool: &PgPool) -> Result<Self> {
        let mut tx = Self {
            connection: Some(pool.acquire().await?),
        };
        tx.execute("BEGIN").await?;
        Ok(tx)
    }

    /// Makes it permanent.
    pub(crate) async fn commit(self) -> Result<()> {
        self.end("COMMIT").await
    }

    /// Undoes it.
    pub(crate) async fn rollback(self) -> Result<()> {
        self.end("ROLLBACK").await
    }

    async fn end(mut self, how: &'static str) -> Result<()> {
        self.execute(how).await?;
        drop(self.connection.take());
        Ok(())
    }
}

const OPEN: &str = "it has not ended";

impl Deref for PgTx {
    type Target = PgConnection;

    fn deref(&self) -> &PgConnection {
        self.connection.as_ref().expect(OPEN)
    }
}

impl DerefMut for PgTx {
    fn deref_mut(&mut self) -> &mut PgConnection {
        self.connection.as_mut().expect(OPEN)
    }
}

impl Drop for PgTx {
    fn drop(&mut self) {
        let Some(mut connection) = self.connection.take() else {
            return;
        };
        let Ok(runtime) = Handle::try_current() else {
            // Closing it ends the transaction, too.
            drop(connection.detach());
            return;
        };
        runtime.spawn(async move {
            let rolled_back = timeout(SIGN_OF_LIFE, connection.execute("ROLLBACK")).await;
            if !matches!(rolled_back, Ok(Ok(_))) {
                connection.close_on_drop();
            }
        });
    }
}
