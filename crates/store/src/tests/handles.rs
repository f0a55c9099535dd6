//! Two connections may be of one account until they are known to have had different handles at the same time.

use playout_domain::platform::Connection;
use playout_domain::provider::AccountOptions;
use playout_domain::time::Time;
use playout_domain::workspace::Role;
use serde_json::Map;
use uuid::Uuid;

use super::harness::on_both;
use super::world::{DAY, HOUR, NOON, OPERATOR, World, connection, new_group, new_user, new_workspace};
use crate::{By, ConnectPlatform, Store};

on_both!(
    a_post_in_doubt_counts_for_every_connection_that_may_be_of_its_account,
    a_post_in_doubt_of_a_deleted_workspace_counts_for_the_accounts_other_connection,
    an_account_that_is_renamed_stays_one_account,
    a_handle_that_was_not_seen_for_a_week_begins_a_new_span,
    the_handle_of_an_account_is_renewed_with_its_options,
    the_handles_of_an_account_are_kept_as_long_as_anything_is_known_of_it,
    an_account_without_a_handle_is_not_taken_for_another_one,
);

const AS_OWNER: By<'_> = By {
    role: Role::Owner,
    actor: OPERATOR,
};

/// A workspace with a business account.
async fn business(store: &Store, handle: &str) -> World {
    let owner = new_user(store).await;
    let workspace = new_workspace(store, owner).await;
    let mut new = connection("business-1");
    new.connection = Connection::Business;
    new.profile.display_handle = Some(handle.to_owned());
    let connected = store
        .connect_platform(workspace, &new, OPERATOR, NOON)
        .await
        .unwrap();
    let ConnectPlatform::Connected { id: platform, .. } = connected else {
        panic!("{connected:?}");
    };
    World {
        store: store.clone(),
        owner,
        workspace,
        platform,
    }
}

/// Notes that both accounts have these handles at a time.
async fn see(creator: &World, business: &World, (of_creator, of_business): (&str, &str), at: Time) {
    for (world, handle) in [(creator, of_creator), (business, of_business)] {
        world.store.see_handle(world.platform, handle, at).await.unwrap();
    }
}

/// Whether a post with this text may be out on the account of a platform.
async fn may_be_out(world: &World, text: &str) -> bool {
    let none = Uuid::nil().into();
    let has_rival = world.store.has_rival(world.platform, none, text, NOON);
    has_rival.await.unwrap()
}

/// A post whose outcome is open; its text.
async fn in_doubt(world: &World) -> String {
    let (post, job) = world.claimed().await;
    world.open(&job).await;
    post.content
}

async fn a_post_in_doubt_counts_for_every_connection_that_may_be_of_its_account(store: Store) {
    let creator = World::new(store.clone()).await;
    let business = business(&store, "renamed").await;
    let text = in_doubt(&creator).await;
    let draft = business.post(false, None).await;
    let has_twin = async || store.has_twin(business.platform, draft.id, &text).await.unwrap();
    assert!(may_be_out(&business, &text).await, "it may have been renamed");
    assert!(has_twin().await);
    see(&creator, &business, ("account-1", "renamed"), NOON.plus(HOUR)).await;
    assert!(may_be_out(&business, &text).await, "an answer may be of before");
    see(&creator, &business, ("account-1", "renamed"), NOON.plus(DAY)).await;
    assert!(!may_be_out(&business, &text).await, "they are two accounts");
    assert!(!has_twin().await);
}

async fn a_post_in_doubt_of_a_deleted_workspace_counts_for_the_accounts_other_connection(store: Store) {
    let creator = World::new(store.clone()).await;
    let (same, renamed) = (
        business(&store, "account-1").await,
        business(&store, "renamed").await,
    );
    let text = in_doubt(&creator).await;
    store
        .delete_workspace(creator.workspace, AS_OWNER, NOON)
        .await
        .unwrap()
        .unwrap();
    for business in [&same, &renamed] {
        assert!(may_be_out(business, &text).await);
        assert!(!may_be_out(business, "another text").await);
    }
}

async fn an_account_that_is_renamed_stays_one_account(store: Store) {
    let creator = World::new(store.clone()).await;
    let business = business(&store, "first").await;
    let text = in_doubt(&creator).await;
    for (handle, day) in [("first", 1_u32), ("first", 3), ("second", 4), ("second", 6)] {
        see(&creator, &business, (handle, handle), NOON.plus(day * DAY)).await;
    }
    assert!(may_be_out(&business, &text).await);
}

async fn a_handle_that_was_not_seen_for_a_week_begins_a_new_span(store: Store) {
    let creator = World::new(store.clone()).await;
    let business = business(&store, "second").await;
    let text = in_doubt(&creator).await;
    for day in [1_u32, 2, 3] {
        let seen = store.see_handle(business.platform, "second", NOON.plus(day * DAY));
        seen.await.unwrap();
    }
    let later = NOON.plus(60 * DAY);
    store
        .see_handle(creator.platform, "account-1", later)
        .await
        .unwrap();
    assert!(
        may_be_out(&business, &text).await,
        "it may have been renamed and renamed back"
    );
}

async fn the_handle_of_an_account_is_renewed_with_its_options(store: Store) {
    let world = World::new(store.clone()).await;
    let version = store.tokens(world.platform).await.unwrap().unwrap().version;
    for (handle, shown) in [(Some("renamed"), "renamed"), (None, "renamed")] {
        let options = AccountOptions {
            metadata: Map::new(),
            handle: handle.map(str::to_owned),
        };
        assert!(
            store
                .update_options(world.platform, version, &options, NOON)
                .await
                .unwrap()
        );
        let found = store
            .find_platform(world.workspace, world.platform)
            .await
            .unwrap();
        assert_eq!(found.unwrap().display_handle.as_deref(), Some(shown));
    }
}

async fn the_handles_of_an_account_are_kept_as_long_as_anything_is_known_of_it(store: Store) {
    let world = World::new(store.clone()).await;
    in_doubt(&world).await;
    store
        .delete_workspace(world.workspace, AS_OWNER, NOON)
        .await
        .unwrap()
        .unwrap();
    let swept = store.delete_expired(NOON.plus(DAY)).await.unwrap();
    assert_eq!(swept.account_handles, 0, "a submission of it is remembered");
    let swept = store.delete_expired(NOON.plus(90 * DAY)).await.unwrap();
    assert_eq!((swept.removed_submissions, swept.account_handles), (1, 1));
    let world = World::new(store.clone()).await;
    world.group(new_group(world.platform, false, None)).await;
    let swept = store.delete_expired(NOON.plus(90 * DAY)).await.unwrap();
    assert_eq!(swept.account_handles, 0, "it is connected");
}

async fn an_account_without_a_handle_is_not_taken_for_another_one(store: Store) {
    let world = World::new(store.clone()).await;
    let connect = async |handle: Option<&str>, by: Connection| {
        let mut new = connection(if by == Connection::Creator {
            "account-1"
        } else {
            "business-1"
        });
        new.connection = by;
        new.profile.display_handle = handle.map(str::to_owned);
        store
            .connect_platform(world.workspace, &new, OPERATOR, NOON)
            .await
            .unwrap()
    };
    let not_compared = ConnectPlatform::NotCompared(world.platform);
    assert_eq!(connect(None, Connection::Business).await, not_compared);
    let again = connect(None, Connection::Creator).await;
    assert!(matches!(again, ConnectPlatform::Connected { .. }), "{again:?}");
    assert_eq!(connect(Some("kites"), Connection::Business).await, not_compared);
    let version = store.tokens(world.platform).await.unwrap().unwrap().version;
    assert!(
        store
            .mark_refresh_needed(world.platform, version, "access_token_invalid", NOON)
            .await
            .unwrap()
    );
    let business = connect(Some("kites"), Connection::Business).await;
    let ConnectPlatform::Connected { id, .. } = business else {
        panic!("{business:?}: the other one is compared when it is connected again");
    };
    let compared = connect(None, Connection::Creator).await;
    assert_eq!(compared, ConnectPlatform::NotCompared(id));
}
