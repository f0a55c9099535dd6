use playout_domain::job::JobKind;
use playout_domain::provider::TokenSet;
use playout_domain::secret::Secret;
use playout_domain::time::Time;

use super::harness::on_both;
use super::world::{DAY, HOUR, MINUTE, NOON, World, must_reconnect, tokens};
use crate::db::params;
use crate::{RefreshClaim, Store, TokenVersion};

on_both!(
    tokens_are_stored_only_encrypted,
    of_many_who_want_to_refresh_one_does,
    a_refresh_whose_owner_died_can_be_claimed_again,
    new_tokens_raise_the_version_and_plan_the_next_refresh,
    a_pair_that_arrives_after_its_refresh_token_was_refused_connects_the_account_again,
    a_refused_refresh_token_that_was_replaced_disconnects_nothing,
    a_pair_that_arrives_after_the_grant_was_taken_back_connects_nothing_again,
    an_account_that_must_be_reconnected_is_announced_once,
);

fn claim<'a>(world: &World, version: TokenVersion, owner: &'a str) -> RefreshClaim<'a> {
    RefreshClaim {
        platform: world.platform,
        version,
        owner,
        lease: MINUTE,
    }
}

/// What the provider gives for the first refresh token.
fn second_pair() -> TokenSet {
    let mut next = tokens("account-1");
    next.access = Secret::new("act.second");
    next.refresh = Some(Secret::new("rft.second"));
    next
}

/// Between eight and four hours before `ends`.
fn is_hours_before(at: Time, ends: Time) -> bool {
    (HOUR * 4..=HOUR * 8).contains(&ends.since(at))
}

async fn tokens_are_stored_only_encrypted(store: Store) {
    let world = World::new(store.clone()).await;
    let sql = "SELECT id, access_token, refresh_token FROM platforms";
    let row = store.row(sql, params![]).await.unwrap().unwrap();
    for column in ["access_token", "refresh_token"] {
        let sealed: Vec<u8> = row.of("platforms").get(column).unwrap();
        assert!(!sealed.windows(5).any(|window| window == b"first"));
    }
    let tokens = store.tokens(world.platform).await.unwrap().unwrap();
    assert_eq!(tokens.access.expose(), "act.first");
    assert_eq!(tokens.refresh.unwrap().expose(), "rft.first");
}

async fn of_many_who_want_to_refresh_one_does(store: Store) {
    let world = World::new(store.clone()).await;
    let version = store.tokens(world.platform).await.unwrap().unwrap().version;
    let tasks: Vec<_> = (0..8)
        .map(|number| {
            let world = world.clone();
            tokio::spawn(async move {
                let owner = format!("node-{number}");
                world
                    .store
                    .claim_refresh(claim(&world, version, &owner), NOON)
                    .await
                    .unwrap()
            })
        })
        .collect();
    let mut winners = 0;
    for task in tasks {
        winners += u32::from(task.await.unwrap());
    }
    assert_eq!(winners, 1);
}

async fn a_refresh_whose_owner_died_can_be_claimed_again(store: Store) {
    let world = World::new(store.clone()).await;
    let version = store.tokens(world.platform).await.unwrap().unwrap().version;
    assert!(
        store
            .claim_refresh(claim(&world, version, "a"), NOON)
            .await
            .unwrap()
    );
    assert!(
        !store
            .claim_refresh(claim(&world, version, "b"), NOON)
            .await
            .unwrap()
    );
    assert!(
        store
            .claim_refresh(claim(&world, version, "b"), NOON.plus(MINUTE))
            .await
            .unwrap()
    );
    store.release_refresh(world.platform, "b").await.unwrap();
    assert!(
        store
            .claim_refresh(claim(&world, version, "c"), NOON)
            .await
            .unwrap()
    );
}

async fn new_tokens_raise_the_version_and_plan_the_next_refresh(store: Store) {
    let world = World::new(store.clone()).await;
    assert!(is_hours_before(
        store.next_run_at().await.unwrap().unwrap(),
        NOON.plus(DAY)
    ));
    let made_from = store.tokens(world.platform).await.unwrap().unwrap();
    let version = made_from.version;
    assert!(
        store
            .claim_refresh(claim(&world, version, "a"), NOON)
            .await
            .unwrap()
    );
    let mut next = tokens("account-1");
    next.access = Secret::new("act.second");
    next.access_expires_at = NOON.plus(DAY * 2);
    next.refresh = Some(Secret::new(""));
    let saved = store
        .save_tokens(world.platform, &made_from, &next, NOON)
        .await
        .unwrap();
    assert!(saved.is_some_and(|saved| saved > version));
    let stored = store.tokens(world.platform).await.unwrap().unwrap();
    assert_eq!(stored.access.expose(), "act.second");
    assert_eq!(stored.refresh.unwrap().expose(), "rft.first");
    assert!(
        !store
            .claim_refresh(claim(&world, version, "b"), NOON)
            .await
            .unwrap()
    );
    let at = store.next_run_at().await.unwrap().unwrap();
    assert!(is_hours_before(at, NOON.plus(DAY * 2)));
    let jobs = world.claim_at(at).await;
    assert_eq!((jobs.len(), jobs[0].kind), (1, JobKind::RefreshPlatform));
}

async fn a_pair_that_arrives_after_its_refresh_token_was_refused_connects_the_account_again(store: Store) {
    let world = World::new(store.clone()).await;
    let made_from = store.tokens(world.platform).await.unwrap().unwrap();
    assert!(
        store
            .claim_refresh(claim(&world, made_from.version, "stalled"), NOON)
            .await
            .unwrap()
    );
    assert!(
        store
            .claim_refresh(claim(&world, made_from.version, "other"), NOON.plus(MINUTE))
            .await
            .unwrap()
    );
    let refused = store.mark_refresh_refused(world.platform, made_from.version, "invalid_grant", NOON);
    assert!(refused.await.unwrap());
    let saved = store
        .save_tokens(world.platform, &made_from, &second_pair(), NOON)
        .await
        .unwrap();
    assert!(saved.is_some_and(|saved| saved > made_from.version));
    let stored = store.tokens(world.platform).await.unwrap().unwrap();
    assert_eq!(
        (stored.access.expose(), stored.refresh.unwrap().expose()),
        ("act.second", "rft.second")
    );
    let platform = store
        .find_platform(world.workspace, world.platform)
        .await
        .unwrap()
        .unwrap();
    assert!(!platform.refresh_needed);
    assert!(
        store.next_run_at().await.unwrap().is_some(),
        "the next refresh is planned"
    );
}

async fn a_refused_refresh_token_that_was_replaced_disconnects_nothing(store: Store) {
    let world = World::new(store.clone()).await;
    let made_from = store.tokens(world.platform).await.unwrap().unwrap();
    store
        .save_tokens(world.platform, &made_from, &second_pair(), NOON)
        .await
        .unwrap()
        .unwrap();
    let refused = store.mark_refresh_refused(world.platform, made_from.version, "invalid_grant", NOON);
    assert!(!refused.await.unwrap());
    let platform = store
        .find_platform(world.workspace, world.platform)
        .await
        .unwrap()
        .unwrap();
    assert!(!platform.refresh_needed);
    // Neither does a pair from the same token that comes still later take the place of newer ones.
    let late = store
        .save_tokens(world.platform, &made_from, &tokens("account-1"), NOON)
        .await
        .unwrap();
    assert_eq!(late, None);
}

async fn a_pair_that_arrives_after_the_grant_was_taken_back_connects_nothing_again(store: Store) {
    let world = World::new(store.clone()).await;
    let made_from = store.tokens(world.platform).await.unwrap().unwrap();
    assert!(must_reconnect(&store, world.platform).await);
    store
        .save_tokens(world.platform, &made_from, &second_pair(), NOON)
        .await
        .unwrap()
        .unwrap();
    let platform = store
        .find_platform(world.workspace, world.platform)
        .await
        .unwrap()
        .unwrap();
    assert!(platform.refresh_needed);
    assert_eq!(store.next_run_at().await.unwrap(), None);
}

async fn an_account_that_must_be_reconnected_is_announced_once(store: Store) {
    let world = World::new(store.clone()).await;
    assert!(must_reconnect(&store, world.platform).await);
    assert!(!must_reconnect(&store, world.platform).await);
    assert_eq!(world.events().await, ["platform.refresh_needed"]);
    assert_eq!(store.next_run_at().await.unwrap(), None);
}
