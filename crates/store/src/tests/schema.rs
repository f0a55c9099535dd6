use super::harness::{on_both, vault};
use super::world::{NOON, World, new_group};
use crate::{Store, StoreError, Vault};

on_both! {
    async fn a_migrated_database_has_nothing_pending_and_can_be_migrated_again(store: Store) {
        assert_eq!(store.pending_migrations().await.unwrap(), 0);
        store.migrate().await.unwrap();
        store.ping().await.unwrap();
    }

    async fn nothing_outlives_its_workspace(store: Store) {
        let world = World::new(store.clone()).await;
        let media = world.media(10).await;
        let mut group = new_group(world.platform, true, None);
        group.root.media_ids = vec![media.id];
        world.group(group).await;
        let job = world.claim_at(NOON).await.remove(0);
        world.open(&job).await;
        store.execute("DELETE FROM workspaces", Vec::new()).await.unwrap();
        for table in ["members", "platforms", "posts", "post_media", "jobs", "submissions", "media", "events", "usage", "webhooks",
            "webhook_deliveries", "storage_reservations"] {
            let sql = format!("SELECT COUNT(*) AS rows_left FROM {table}");
            let row = store.row(sqlx::AssertSqlSafe(sql), Vec::new()).await.unwrap().unwrap();
            assert_eq!(row.of("workspaces").get::<i64>("rows_left").unwrap(), 0, "{table}");
        }
    }
}

#[tokio::test]
async fn a_new_database_has_everything_pending() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite://{}/playout.db", folder.path().display());
    let store = Store::connect(&url, vault()).await.unwrap();
    assert_eq!(
        store.pending_migrations().await.unwrap(),
        crate::open::MIGRATIONS.len()
    );
}

#[tokio::test]
async fn an_address_of_another_kind_is_refused_without_showing_its_password() {
    let refused = Store::connect("mysql://user:hunter2@host/db", vault())
        .await
        .err()
        .unwrap();
    assert!(matches!(&refused, StoreError::Address(_)));
    assert!(!refused.to_string().contains("hunter2"));
}

#[tokio::test]
async fn tokens_do_not_open_with_another_key_and_the_error_says_where() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite://{}/playout.db", folder.path().display());
    let store = Store::connect(&url, vault()).await.unwrap();
    store.migrate().await.unwrap();
    let world = World::new(store.clone()).await;
    let other = Store::connect(&url, Vault::new(vec![[8; 32]]).unwrap())
        .await
        .unwrap();
    let refused = other.tokens(world.platform).await.unwrap_err().to_string();
    assert!(
        refused.contains("platforms.access_token") && refused.contains("not configured"),
        "{refused}"
    );
}
