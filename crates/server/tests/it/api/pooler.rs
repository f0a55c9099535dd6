//! PgBouncer between the service and PostgreSQL: it works in session mode, and is refused in transaction mode.

use playout_store::{Store, StoreError, Vault};

use crate::harness::{Database, Db, KEY, Options, Pooler, TestApp};

#[tokio::test]
async fn a_post_goes_out_through_pgbouncer_in_session_mode() {
    let pooler = Pooler::start("session").await;
    let options = Options {
        database_at: Some(pooler.address),
        ..Options::default()
    };
    let mut t = TestApp::start_with(Db::Postgres, options).await;
    let platform = t.connect("kitestudio").await;
    let post = t.api.publish_now(&platform, &[t.api.upload_clip().await]).await;
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
    assert_eq!(t.sim.publication_count(), 1);
    t.stop().await;
    t.app.store.close().await;
}

#[tokio::test]
async fn pgbouncer_in_transaction_mode_is_refused_with_what_to_do() {
    let pooler = Pooler::start("transaction").await;
    let database = Database::create(Db::Postgres, std::path::Path::new("/")).await;
    let url = database.url_at(Some(pooler.address));
    for connections in [1, 10] {
        let refused = Store::connect_with(&url, Vault::new(vec![KEY]).unwrap(), connections).await;
        let error = refused.err().expect("it is refused");
        assert!(
            matches!(error, StoreError::SharedConnections),
            "{connections}: {error}"
        );
        assert!(error.to_string().contains("pool_mode = session"), "{error}");
    }
}
