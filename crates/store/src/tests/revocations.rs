use std::time::Duration;

use playout_domain::audit::Action;
use playout_domain::platform::Connection;
use playout_domain::secret::Secret;
use playout_domain::workspace::Role;

use sqlx::AssertSqlSafe;

use super::harness::on_both;
use super::world::{DAY, HOUR, NOON, OPERATOR, World, connect, connection, must_reconnect, new_user};
use crate::accounts::revocations::claim_sql;
use crate::db::params;
use crate::{By, ConnectPlatform, Page, PlatformChanges, Revocation, Store};

on_both!(
    the_tokens_of_a_removed_account_are_where_only_the_revoking_job_finds_them,
    whoever_lost_a_revocation_changes_nothing_any_more,
    a_renewed_pair_is_kept_and_a_missing_refresh_token_loses_nothing,
    what_another_workspace_needs_is_not_given_back,
    what_is_needed_and_was_added_meanwhile_is_not_given_back,
    what_was_granted_by_another_connection_is_given_back_all_the_same,
    an_account_that_must_be_reconnected_needs_nothing,
    connecting_again_keeps_what_was_to_be_given_back,
    while_access_is_given_back_the_account_is_not_connected_again,
    a_deleted_workspace_leaves_the_tokens_of_its_accounts_to_be_given_back,
    access_that_connects_nothing_is_given_back,
    only_who_is_still_enough_in_the_workspace_connects,
    what_is_done_to_an_account_is_noted_and_what_stays_is_not,
);

const LEASE: Duration = Duration::from_secs(120);

async fn claim(store: &Store) -> Option<Revocation> {
    store.claim_revocation(LEASE, NOON).await.unwrap()
}

async fn remove(store: &Store, world: &World) -> bool {
    let removed = store.remove_platform(world.workspace, world.platform, OPERATOR, NOON);
    removed.await.unwrap()
}

async fn the_tokens_of_a_removed_account_are_where_only_the_revoking_job_finds_them(store: Store) {
    let world = World::new(store.clone()).await;
    let tokens = store.tokens(world.platform).await.unwrap().unwrap();
    assert!(remove(&store, &world).await);
    assert_eq!(store.tokens(world.platform).await.unwrap(), None);
    assert_eq!(store.next_revocation_at().await.unwrap(), Some(NOON));
    let held = claim(&store).await.unwrap();
    assert_eq!(
        (&held.access, &held.refresh, held.attempt),
        (&tokens.access, &tokens.refresh, 1)
    );
    assert_eq!(
        (held.provider.as_str(), held.provider_account_id.as_str()),
        ("tiktok", "account-1")
    );
    assert_eq!(claim(&store).await, None, "one at a time");
    assert_eq!(store.next_revocation_at().await.unwrap(), Some(NOON.plus(LEASE)));
    assert!(store.finish_revocation(&held).await.unwrap());
    assert_eq!(store.next_revocation_at().await.unwrap(), None);
}

async fn whoever_lost_a_revocation_changes_nothing_any_more(store: Store) {
    let world = World::new(store.clone()).await;
    remove(&store, &world).await;
    let first = claim(&store).await.unwrap();
    let later = NOON.plus(LEASE);
    let second = store.claim_revocation(LEASE, later).await.unwrap().unwrap();
    assert_eq!(second.attempt, 2);
    let pair = connection("account-1").tokens;
    assert!(!store.renew_revocation(&first, &pair).await.unwrap());
    assert!(!store.put_off_revocation(&first, later.plus(HOUR)).await.unwrap());
    assert!(!store.finish_revocation(&first).await.unwrap());
    assert!(store.put_off_revocation(&second, later.plus(HOUR)).await.unwrap());
    assert_eq!(store.claim_revocation(LEASE, later).await.unwrap(), None);
    let third = store
        .claim_revocation(LEASE, later.plus(HOUR))
        .await
        .unwrap()
        .unwrap();
    assert_eq!((third.attempt, third.failures), (3, 1));
}

async fn a_renewed_pair_is_kept_and_a_missing_refresh_token_loses_nothing(store: Store) {
    let world = World::new(store.clone()).await;
    remove(&store, &world).await;
    let held = claim(&store).await.unwrap();
    let mut pair = connection("account-1").tokens;
    pair.access = Secret::new("act.renewed");
    pair.refresh = None;
    assert!(store.renew_revocation(&held, &pair).await.unwrap());
    let later = store
        .claim_revocation(LEASE, NOON.plus(LEASE))
        .await
        .unwrap()
        .unwrap();
    assert_eq!(
        (later.access.expose(), later.refresh),
        ("act.renewed", held.refresh)
    );
}

async fn what_another_workspace_needs_is_not_given_back(store: Store) {
    let world = World::new(store.clone()).await;
    let neighbour = world.neighbour().await;
    assert!(remove(&store, &world).await);
    assert_eq!(claim(&store).await, None);
    assert_eq!(store.next_revocation_at().await.unwrap(), None, "it is forgotten");
    assert!(remove(&store, &neighbour).await);
    assert!(claim(&store).await.is_some(), "the last to leave gives it back");
}

/// As where it is added between the statement that forgets what is needed and the one that claims.
async fn what_is_needed_and_was_added_meanwhile_is_not_given_back(store: Store) {
    let world = World::new(store.clone()).await;
    let neighbour = world.neighbour().await;
    assert!(remove(&store, &world).await);
    let mut tx = store.begin().await.unwrap();
    let sql = AssertSqlSafe(claim_sql(&tx));
    let claimed = tx.row(sql, params![NOON, NOON.plus(LEASE)]).await.unwrap();
    assert!(claimed.is_none(), "the neighbour needs it");
    drop(tx);
    assert!(remove(&store, &neighbour).await);
    assert!(claim(&store).await.is_some());
}

async fn what_was_granted_by_another_connection_is_given_back_all_the_same(store: Store) {
    let world = World::new(store.clone()).await;
    let neighbour = world.neighbour().await;
    assert!(remove(&store, &neighbour).await);
    let mut business = connection("account-1");
    business.connection = Connection::Business;
    let connected = store
        .connect_platform(neighbour.workspace, &business, OPERATOR, NOON)
        .await
        .unwrap();
    assert!(
        matches!(connected, ConnectPlatform::Connected { .. }),
        "{connected:?}"
    );
    assert!(remove(&store, &world).await);
    let held = claim(&store).await.unwrap();
    assert_eq!(held.connection, Connection::Creator, "another app holds it");
}

async fn an_account_that_must_be_reconnected_needs_nothing(store: Store) {
    let world = World::new(store.clone()).await;
    let neighbour = world.neighbour().await;
    must_reconnect(&store, neighbour.platform).await;
    remove(&store, &world).await;
    assert!(claim(&store).await.is_some());
}

async fn connecting_again_keeps_what_was_to_be_given_back(store: Store) {
    let world = World::new(store.clone()).await;
    remove(&store, &world).await;
    assert_eq!(
        connect(&store, world.workspace, "account-1").await,
        world.platform
    );
    assert_eq!(store.next_revocation_at().await.unwrap(), None);
}

async fn while_access_is_given_back_the_account_is_not_connected_again(store: Store) {
    let world = World::new(store.clone()).await;
    remove(&store, &world).await;
    let held = claim(&store).await.unwrap();
    let again = connection("account-1");
    let refused = store
        .connect_platform(world.workspace, &again, OPERATOR, NOON)
        .await
        .unwrap();
    assert_eq!(refused, ConnectPlatform::BeingRevoked);
    assert!(store.finish_revocation(&held).await.unwrap());
    let second = claim(&store).await.unwrap();
    assert_eq!(
        second.access, again.tokens.access,
        "what was granted meanwhile is given back too"
    );
    // A node that died meanwhile blocks the connection no longer than its lease.
    let later = NOON.plus(LEASE);
    let connected = store
        .connect_platform(world.workspace, &again, OPERATOR, later)
        .await
        .unwrap();
    assert!(matches!(
        connected,
        ConnectPlatform::Connected { is_new: false, .. }
    ));
}

async fn a_deleted_workspace_leaves_the_tokens_of_its_accounts_to_be_given_back(store: Store) {
    let world = World::new(store.clone()).await;
    connect(&store, world.workspace, "account-2").await;
    let removed = connect(&store, world.workspace, "account-3").await;
    assert!(
        store
            .remove_platform(world.workspace, removed, OPERATOR, NOON)
            .await
            .unwrap()
    );
    store
        .delete_workspace(
            world.workspace,
            By {
                role: Role::Owner,
                actor: OPERATOR,
            },
            NOON,
        )
        .await
        .unwrap()
        .unwrap();
    let mut accounts = Vec::new();
    while let Some(held) = claim(&store).await {
        accounts.push(held.provider_account_id.clone());
        assert!(store.finish_revocation(&held).await.unwrap());
    }
    accounts.sort();
    assert_eq!(accounts, ["account-1", "account-2", "account-3"]);
}

async fn access_that_connects_nothing_is_given_back(store: Store) {
    let world = World::new(store.clone()).await;
    let mut limited = connection("account-2");
    limited.account_limit = Some(1);
    let refused = store
        .connect_platform(world.workspace, &limited, OPERATOR, NOON)
        .await
        .unwrap();
    assert_eq!(refused, ConnectPlatform::LimitReached { limit: 1, used: 1 });
    let held = claim(&store).await.unwrap();
    assert_eq!(
        (held.access, held.provider_account_id.as_str()),
        (limited.tokens.access, "account-2")
    );
}

async fn only_who_is_still_enough_in_the_workspace_connects(store: Store) {
    let world = World::new(store.clone()).await;
    let user = new_user(&store).await;
    let mut new = connection("account-2");
    new.by = Some((user, Role::Admin));
    let attempt = async || {
        store
            .connect_platform(world.workspace, &new, OPERATOR, NOON)
            .await
            .unwrap()
    };
    assert_eq!(attempt().await, ConnectPlatform::NotAllowed);
    store
        .add_member(world.workspace, user, Role::Member, NOON)
        .await
        .unwrap();
    assert_eq!(attempt().await, ConnectPlatform::NotAllowed);
    store
        .add_member(world.workspace, user, Role::Admin, NOON)
        .await
        .unwrap();
    assert!(matches!(attempt().await, ConnectPlatform::Connected { .. }));
}

async fn what_is_done_to_an_account_is_noted_and_what_stays_is_not(store: Store) {
    let world = World::new(store.clone()).await;
    let change = async |disabled| {
        let changes = PlatformChanges {
            disabled: Some(disabled),
            settings: Some(serde_json::Map::new()),
        };
        store
            .update_platform(world.workspace, world.platform, &changes, OPERATOR, NOON)
            .await
            .unwrap()
            .unwrap();
    };
    for disabled in [false, true, true, false] {
        change(disabled).await;
    }
    store
        .connect_platform(
            world.workspace,
            &connection("account-1"),
            OPERATOR,
            NOON.plus(DAY),
        )
        .await
        .unwrap();
    remove(&store, &world).await;
    let all = Page {
        limit: 100,
        after: None,
    };
    let entries = store.list_audit(world.workspace, all).await.unwrap();
    let target = world.platform.to_string();
    let of_account = entries
        .iter()
        .filter(|entry| entry.target.as_ref() == Some(&target));
    let mut done: Vec<_> = of_account.map(|entry| entry.action.as_str()).collect();
    done.sort_unstable();
    let expected = [
        Action::PlatformConnected,
        Action::PlatformDisabled,
        Action::PlatformDisconnected,
        Action::PlatformEnabled,
        Action::PlatformReconnected,
    ];
    assert_eq!(done, expected.map(Action::as_str));
}
