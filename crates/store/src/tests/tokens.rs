use playout_domain::job::JobKind;
use playout_domain::secret::Secret;
use playout_domain::time::Time;

use super::harness::on_both;
use super::world::{DAY, HOUR, MINUTE, NOON, World, tokens};
use crate::param::params;
use crate::{RefreshClaim, Store};

fn claim<'a>(world: &World, version: i64, owner: &'a str) -> RefreshClaim<'a> {
    RefreshClaim {
        platform: world.platform,
        version,
        owner,
        lease: MINUTE,
    }
}

/// Between eight and four hours before `ends`.
fn is_hours_before(at: Time, ends: Time) -> bool {
    (HOUR * 4..=HOUR * 8).contains(&ends.since(at))
}

on_both! {
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
        let tasks: Vec<_> = (0..8).map(|number| {
            let world = world.clone();
            tokio::spawn(async move {
                let owner = format!("node-{number}");
                world.store.claim_refresh(claim(&world, version, &owner), NOON).await.unwrap()
            })
        }).collect();
        let mut winners = 0;
        for task in tasks {
            winners += u32::from(task.await.unwrap());
        }
        assert_eq!(winners, 1);
    }

    async fn a_refresh_whose_owner_died_can_be_claimed_again(store: Store) {
        let world = World::new(store.clone()).await;
        let version = store.tokens(world.platform).await.unwrap().unwrap().version;
        assert!(store.claim_refresh(claim(&world, version, "a"), NOON).await.unwrap());
        assert!(!store.claim_refresh(claim(&world, version, "b"), NOON).await.unwrap());
        assert!(store.claim_refresh(claim(&world, version, "b"), NOON.plus(MINUTE)).await.unwrap());
        assert_eq!(store.save_tokens(world.platform, "a", &tokens("account-1"), NOON).await.unwrap(), None);
        store.release_refresh(world.platform, "b").await.unwrap();
        assert!(store.claim_refresh(claim(&world, version, "c"), NOON).await.unwrap());
    }

    async fn new_tokens_raise_the_version_and_plan_the_next_refresh(store: Store) {
        let world = World::new(store.clone()).await;
        assert!(is_hours_before(store.next_run_at().await.unwrap().unwrap(), NOON.plus(DAY)));
        let version = store.tokens(world.platform).await.unwrap().unwrap().version;
        assert!(store.claim_refresh(claim(&world, version, "a"), NOON).await.unwrap());
        let mut next = tokens("account-1");
        next.access = Secret::new("act.second");
        next.access_expires_at = NOON.plus(DAY * 2);
        next.refresh = Some(Secret::new(""));
        let saved = store.save_tokens(world.platform, "a", &next, NOON).await.unwrap();
        assert_eq!(saved, Some(version + 1));
        let stored = store.tokens(world.platform).await.unwrap().unwrap();
        assert_eq!(stored.access.expose(), "act.second");
        assert_eq!(stored.refresh.unwrap().expose(), "rft.first");
        assert!(!store.claim_refresh(claim(&world, version, "b"), NOON).await.unwrap());
        let at = store.next_run_at().await.unwrap().unwrap();
        assert!(is_hours_before(at, NOON.plus(DAY * 2)));
        let jobs = world.claim_at(at).await;
        assert_eq!((jobs.len(), jobs[0].kind), (1, JobKind::RefreshPlatform));
    }

    async fn an_account_that_must_be_reconnected_is_announced_once(store: Store) {
        let world = World::new(store.clone()).await;
        assert!(store.mark_refresh_needed(world.platform, NOON).await.unwrap());
        assert!(!store.mark_refresh_needed(world.platform, NOON).await.unwrap());
        assert_eq!(world.events().await, ["platform.refresh_needed"]);
        assert_eq!(store.next_run_at().await.unwrap(), None);
    }
}
