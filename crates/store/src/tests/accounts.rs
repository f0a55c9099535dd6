use playout_domain::platform::Connection;
use playout_domain::post::{PostState, Waiting};
use playout_domain::verdict::Verdict;
use serde_json::json;

use super::harness::on_both;
use super::settling::settle;
use super::world::{DAY, HOUR, NOON, OPERATOR, World, connect, connection, hash, must_reconnect, options};
use crate::{Authorization, ConnectPlatform, PlatformChanges, Store};

use playout_domain::secret::Secret;

on_both!(
    accounts_are_listed_by_name_without_those_that_cannot_be_posted_to,
    an_account_is_invisible_to_other_workspaces,
    settings_and_metadata_are_replaced_whole,
    connecting_again_keeps_the_identifier_the_settings_and_the_refresh_token,
    the_account_limit_counts_only_what_is_connected,
    the_account_limit_is_exact_when_many_connect_at_once,
    a_removed_account_keeps_its_posts_and_loses_its_tokens_and_jobs,
    an_account_at_the_provider_may_belong_to_several_workspaces,
    reconnecting_requeues_what_waits_for_it_and_nothing_else,
    an_account_is_connected_in_one_way_at_a_time,
    an_authorization_ends_once_and_only_in_time,
);

async fn accounts_are_listed_by_name_without_those_that_cannot_be_posted_to(store: Store) {
    let world = World::new(store.clone()).await;
    let second = connect(&store, world.workspace, "account-0").await;
    let third = connect(&store, world.workspace, "account-2").await;
    let fourth = connect(&store, world.workspace, "account-3").await;
    let off = PlatformChanges {
        disabled: Some(true),
        settings: None,
    };
    store
        .update_platform(world.workspace, third, &off, OPERATOR, NOON)
        .await
        .unwrap();
    assert!(must_reconnect(&store, fourth).await);
    let listed = store.list_shown_platforms(world.workspace).await.unwrap();
    let ready = listed.iter().filter(|platform| platform.is_ready());
    let ids: Vec<_> = ready.map(|platform| platform.id).collect();
    assert_eq!(ids, [second, world.platform]);
    assert_eq!(store.list_platforms(world.workspace).await.unwrap().len(), 4);
    assert_eq!(
        store
            .find_platforms(world.workspace, &[second, fourth])
            .await
            .unwrap()
            .len(),
        2
    );
    assert!(
        store
            .find_platforms(world.workspace, &[])
            .await
            .unwrap()
            .is_empty()
    );
}

async fn an_account_is_invisible_to_other_workspaces(store: Store) {
    let world = World::new(store.clone()).await;
    let neighbour = world.neighbour().await;
    assert!(
        store
            .find_platform(neighbour.workspace, world.platform)
            .await
            .unwrap()
            .is_none()
    );
    assert!(
        store
            .find_platforms(neighbour.workspace, &[world.platform])
            .await
            .unwrap()
            .is_empty()
    );
    assert!(
        !store
            .remove_platform(neighbour.workspace, world.platform, OPERATOR, NOON)
            .await
            .unwrap()
    );
    let changes = PlatformChanges {
        disabled: Some(true),
        settings: None,
    };
    let changed = store
        .update_platform(neighbour.workspace, world.platform, &changes, OPERATOR, NOON)
        .await
        .unwrap();
    assert!(changed.is_none());
    assert!(
        store
            .find_platform(world.workspace, world.platform)
            .await
            .unwrap()
            .unwrap()
            .is_ready()
    );
}

async fn settings_and_metadata_are_replaced_whole(store: Store) {
    let world = World::new(store.clone()).await;
    let settings = json!({ "privacy_level": "SELF_ONLY" })
        .as_object()
        .unwrap()
        .clone();
    let changes = PlatformChanges {
        disabled: None,
        settings: Some(settings.clone()),
    };
    let changed = store
        .update_platform(world.workspace, world.platform, &changes, OPERATOR, NOON)
        .await
        .unwrap();
    assert_eq!(changed.unwrap().settings, settings);
    let version = store.tokens(world.platform).await.unwrap().unwrap().version;
    assert!(
        store
            .update_options(world.platform, version, &options(&settings.clone().into()), NOON)
            .await
            .unwrap()
    );
    let found = store
        .find_platform(world.workspace, world.platform)
        .await
        .unwrap()
        .unwrap();
    assert_eq!((found.metadata, found.disabled), (settings, false));
}

async fn connecting_again_keeps_the_identifier_the_settings_and_the_refresh_token(store: Store) {
    let world = World::new(store.clone()).await;
    must_reconnect(&store, world.platform).await;
    let before = store.tokens(world.platform).await.unwrap().unwrap();
    let mut again = connection("account-1");
    again.tokens.access = Secret::new("act.second");
    again.tokens.refresh = None;
    again.default_settings = json!({ "other": true }).as_object().unwrap().clone();
    let outcome = store
        .connect_platform(world.workspace, &again, OPERATOR, NOON)
        .await
        .unwrap();
    assert_eq!(
        outcome,
        ConnectPlatform::Connected {
            id: world.platform,
            is_new: false,
            requeued: 0
        }
    );
    let after = store.tokens(world.platform).await.unwrap().unwrap();
    assert_eq!(after.access.expose(), "act.second");
    assert_eq!(after.refresh, before.refresh);
    assert!(after.version > before.version);
    let found = store
        .find_platform(world.workspace, world.platform)
        .await
        .unwrap()
        .unwrap();
    assert!(found.is_ready() && found.settings.is_empty());
}

async fn the_account_limit_counts_only_what_is_connected(store: Store) {
    let world = World::new(store.clone()).await;
    let mut second = connection("account-2");
    second.account_limit = Some(1);
    let reached = ConnectPlatform::LimitReached { limit: 1, used: 1 };
    assert_eq!(
        store
            .connect_platform(world.workspace, &second, OPERATOR, NOON)
            .await
            .unwrap(),
        reached
    );
    let mut same = connection("account-1");
    same.account_limit = Some(1);
    let connected = ConnectPlatform::Connected {
        id: world.platform,
        is_new: false,
        requeued: 0,
    };
    assert_eq!(
        store
            .connect_platform(world.workspace, &same, OPERATOR, NOON)
            .await
            .unwrap(),
        connected
    );
    assert!(
        store
            .remove_platform(world.workspace, world.platform, OPERATOR, NOON)
            .await
            .unwrap()
    );
    let outcome = store
        .connect_platform(world.workspace, &second, OPERATOR, NOON)
        .await
        .unwrap();
    assert!(matches!(outcome, ConnectPlatform::Connected { is_new: true, .. }));
    assert_eq!(
        store
            .connect_platform(world.workspace, &same, OPERATOR, NOON)
            .await
            .unwrap(),
        reached
    );
}

async fn the_account_limit_is_exact_when_many_connect_at_once(store: Store) {
    let world = World::new(store.clone()).await;
    let tasks: Vec<_> = (0..12)
        .map(|number| {
            let (store, workspace) = (store.clone(), world.workspace);
            let mut new = connection(&format!("many-{number}"));
            new.account_limit = Some(5);
            tokio::spawn(async move {
                store
                    .connect_platform(workspace, &new, OPERATOR, NOON)
                    .await
                    .unwrap()
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
    assert_eq!(store.list_platforms(world.workspace).await.unwrap().len(), 5);
}

async fn a_removed_account_keeps_its_posts_and_loses_its_tokens_and_jobs(store: Store) {
    let world = World::new(store.clone()).await;
    let post = world.post(false, None).await;
    assert!(
        store
            .remove_platform(world.workspace, world.platform, OPERATOR, NOON)
            .await
            .unwrap()
    );
    assert!(
        !store
            .remove_platform(world.workspace, world.platform, OPERATOR, NOON)
            .await
            .unwrap()
    );
    assert!(
        store
            .find_platform(world.workspace, world.platform)
            .await
            .unwrap()
            .is_none()
    );
    assert!(store.tokens(world.platform).await.unwrap().is_none());
    assert_eq!(store.next_run_at().await.unwrap(), None);
    assert_eq!(world.reload(post.id).await.platform_id, world.platform);
    assert!(
        store
            .find_by_provider_account("tiktok", "account-1")
            .await
            .unwrap()
            .is_empty()
    );
}

async fn an_account_at_the_provider_may_belong_to_several_workspaces(store: Store) {
    let world = World::new(store.clone()).await;
    let neighbour = world.neighbour().await;
    let found = store
        .find_by_provider_account("tiktok", "account-1")
        .await
        .unwrap();
    let mut workspaces: Vec<_> = found.iter().map(|(workspace, _)| *workspace).collect();
    workspaces.sort();
    let mut expected = [world.workspace, neighbour.workspace];
    expected.sort();
    assert_eq!(workspaces, expected);
    assert!(
        store
            .find_by_provider_account("tiktok", "account-9")
            .await
            .unwrap()
            .is_empty()
    );
}

async fn reconnecting_requeues_what_waits_for_it_and_nothing_else(store: Store) {
    let world = World::new(store.clone()).await;
    must_reconnect(&store, world.platform).await;
    let mut waiting = Vec::new();
    for reason in [Waiting::Reconnect, Waiting::Inbox] {
        let (post, job) = world.claimed().await;
        let verdict = Verdict::ActionRequired {
            waiting: reason,
            text: "Do something.".to_owned(),
        };
        assert!(settle(&world, &job, verdict, None).await);
        waiting.push(post.id);
    }
    let later = NOON.plus(DAY * 3);
    let outcome = store
        .connect_platform(world.workspace, &connection("account-1"), OPERATOR, later)
        .await
        .unwrap();
    assert!(matches!(outcome, ConnectPlatform::Connected { requeued: 1, .. }));
    let requeued = world.reload(waiting[0]).await;
    assert_eq!(
        (requeued.state, requeued.waiting, requeued.error_text),
        (PostState::Queue, None, None)
    );
    assert_eq!(world.state(waiting[1]).await, PostState::ActionRequired);
    let jobs = world.claim_at(later).await;
    let job = jobs.iter().find(|job| job.post_id == Some(waiting[0])).unwrap();
    assert_eq!((job.run_at, job.deadline_at), (later, later.plus(DAY)));
    assert_eq!(job.planned_at, NOON, "it is as late as it is");
    assert!(jobs.iter().all(|job| job.post_id != Some(waiting[1])));
}

async fn an_account_is_connected_in_one_way_at_a_time(store: Store) {
    let world = World::new(store.clone()).await;
    let mut business = connection("business-1");
    business.connection = Connection::Business;
    business.profile.display_handle = Some("Account-1".to_owned());
    let refused = store
        .connect_platform(world.workspace, &business, OPERATOR, NOON)
        .await
        .unwrap();
    assert_eq!(
        refused,
        ConnectPlatform::Otherwise(Connection::Creator),
        "it has the handle of the one that is there"
    );
    let mut same = connection("account-1");
    same.connection = Connection::Business;
    same.profile.display_handle = None;
    let refused = store
        .connect_platform(world.workspace, &same, OPERATOR, NOON)
        .await
        .unwrap();
    assert_eq!(
        refused,
        ConnectPlatform::Otherwise(Connection::Creator),
        "it has its identifier"
    );
    let held = store.claim_revocation(HOUR, NOON).await.unwrap().unwrap();
    assert_eq!(
        (held.connection, held.provider_account_id.as_str()),
        (Connection::Business, "business-1")
    );
    store
        .remove_platform(world.workspace, world.platform, OPERATOR, NOON)
        .await
        .unwrap();
    let now = NOON.plus(HOUR);
    store.finish_revocation(&held).await.unwrap();
    let ConnectPlatform::Connected { id, is_new: true, .. } = store
        .connect_platform(world.workspace, &business, OPERATOR, now)
        .await
        .unwrap()
    else {
        panic!("the other is gone");
    };
    assert_ne!(id, world.platform, "to its provider it is another account");
    let connected = store.find_platform(world.workspace, id).await.unwrap().unwrap();
    assert_eq!(connected.connection, Connection::Business);
    let back = store
        .connect_platform(world.workspace, &connection("account-1"), OPERATOR, now)
        .await
        .unwrap();
    assert_eq!(back, ConnectPlatform::Otherwise(Connection::Business));
}

async fn an_authorization_ends_once_and_only_in_time(store: Store) {
    let world = World::new(store.clone()).await;
    let authorization = Authorization {
        workspace_id: world.workspace,
        user_id: Some(world.owner),
        session_hash: Some(hash()),
        provider: "tiktok".to_owned(),
        connection: Connection::Business,
        verifier: Secret::new("verifier"),
        expires_at: NOON.plus(HOUR),
    };
    let (state, late) = (hash(), hash());
    store
        .create_authorization(state, &authorization, NOON)
        .await
        .unwrap();
    store
        .create_authorization(late, &authorization, NOON)
        .await
        .unwrap();
    assert_eq!(
        store.take_authorization(late, NOON.plus(HOUR)).await.unwrap(),
        None
    );
    assert_eq!(
        store.take_authorization(state, NOON).await.unwrap(),
        Some(authorization)
    );
    assert_eq!(store.take_authorization(state, NOON).await.unwrap(), None);
}
