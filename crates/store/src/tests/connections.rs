//! The settings of every connection to PostgreSQL, and how many there are.

use std::time::Duration;

use super::harness::{on_postgres, vault};
use crate::db::params;
use crate::db::postgres::Pool;
use crate::db::store::Pools;
use crate::{Store, StoreError};

async fn has_its_limits(store: Store) {
    let Pools::Postgres(pools) = &store.0.pools else {
        panic!("it is not PostgreSQL");
    };
    let (mut work, mut engine, mut watch) = (
        pools.work.acquire().await.unwrap(),
        pools.engine.acquire().await.unwrap(),
        pools.watch.acquire().await.unwrap(),
    );
    for connection in [&mut *work, &mut *engine, &mut *watch] {
        for (setting, wanted) in [
            ("statement_timeout", "4s"),
            ("lock_timeout", "2500ms"),
            ("idle_in_transaction_session_timeout", "10s"),
            ("tcp_user_timeout", "15000"),
            ("tcp_keepalives_idle", "5"),
            ("tcp_keepalives_interval", "5"),
            ("tcp_keepalives_count", "2"),
            ("application_name", "playout"),
            ("jit", "off"),
        ] {
            let shown = sqlx::query_scalar::<_, String>("SELECT current_setting($1)");
            let shown = shown.bind(setting).fetch_one(&mut *connection).await.unwrap();
            assert_eq!(shown, wanted, "{setting}");
        }
    }
}

/// The address of the database of a pool.
fn url_of(pool: &Pool) -> String {
    let options = pool.connect_options();
    let (host, port) = (options.get_host(), options.get_port());
    let database = options.get_database().unwrap();
    format!("postgres://postgres@{host}:{port}/{database}")
}

/// Holds as many connections for work as there may be.
async fn takes_no_more_than_its_connections(store: Store) {
    let Pools::Postgres(pools) = &store.0.pools else {
        panic!("it is not PostgreSQL");
    };
    let small = Store::connect_with(&url_of(&pools.work), vault(), 1)
        .await
        .unwrap();
    let held = small.begin().await.unwrap();
    let refused = small.ping().await.and(small.begin().await.map(drop));
    assert!(
        matches!(refused, Err(StoreError::Unavailable(_))),
        "the one connection is taken"
    );
    drop(held);
    small.close().await;
}

/// The moments after which the beginning of a transaction is given up, some of them while the server has not answered it yet.
const GIVEN_UP_AFTER: Duration = Duration::from_micros(25);
const TIMES: u32 = 80;

/// Writes on a connection whose last transaction was given up while it began, and looks from another whether it is there.
async fn leaves_nothing_open(store: Store) {
    let Pools::Postgres(pools) = &store.0.pools else {
        panic!("it is not PostgreSQL");
    };
    let url = url_of(&pools.work);
    let small = Store::connect_with(&url, vault(), 1).await.unwrap();
    store
        .execute("CREATE TABLE kites (id BIGINT NOT NULL)", Vec::new())
        .await
        .unwrap();
    for id in 1..=TIMES {
        drop(tokio::time::timeout(GIVEN_UP_AFTER * id, small.begin()).await);
        small
            .execute("INSERT INTO kites (id) VALUES ($1)", params![i64::from(id)])
            .await
            .unwrap();
        let kept = store
            .row("SELECT count(*) AS kites FROM kites", Vec::new())
            .await
            .unwrap();
        let kept: i64 = kept.unwrap().of("kites").get("kites").unwrap();
        assert_eq!(kept, i64::from(id), "what was written is not kept");
    }
    small.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_transaction_that_is_given_up_while_it_begins_leaves_none_open() {
    on_postgres(leaves_nothing_open).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_connection_has_its_limits() {
    on_postgres(has_its_limits).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn there_are_no_more_connections_for_work_than_were_asked_for() {
    on_postgres(takes_no_more_than_its_connections).await;
}
