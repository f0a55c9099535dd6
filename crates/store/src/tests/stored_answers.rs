use super::harness::on_both;
use super::world::{DAY, HOUR, MINUTE, NOON, World, hash};
use crate::{Authorization, BeginIdempotent, SESSION_LIFETIME, SpendCredits, Store, Stored, Swept};
use playout_domain::secret::Secret;

fn answer() -> Stored {
    Stored {
        status: 201,
        headers: vec![("content-type".to_owned(), "application/json".to_owned())],
        body: br#"{"id":1}"#.to_vec(),
    }
}

on_both! {
    async fn the_same_request_is_answered_from_what_was_stored(store: Store) {
        let world = World::new(store.clone()).await;
        let begin = |key: &'static str, print: u8, now| {
            let (store, workspace) = (store.clone(), world.workspace);
            async move { store.begin_idempotent(workspace, key, [print; 32], now).await.unwrap() }
        };
        assert_eq!(begin("k", 1, NOON).await, BeginIdempotent::Started);
        assert_eq!(begin("k", 1, NOON).await, BeginIdempotent::InProgress);
        assert_eq!(begin("k", 2, NOON).await, BeginIdempotent::Mismatch);
        assert_eq!(begin("other", 1, NOON).await, BeginIdempotent::Started);
        store.complete_idempotent(world.workspace, "k", &answer()).await.unwrap();
        assert_eq!(begin("k", 1, NOON).await, BeginIdempotent::Replay(answer()));
        assert_eq!(begin("k", 2, NOON).await, BeginIdempotent::Mismatch);
        assert_eq!(begin("k", 2, NOON.plus(DAY)).await, BeginIdempotent::Started);
        let neighbour = world.neighbour().await;
        let begun = store.begin_idempotent(neighbour.workspace, "k", [9; 32], NOON).await.unwrap();
        assert_eq!(begun, BeginIdempotent::Started);
    }

    async fn an_abandoned_request_may_begin_again_a_completed_one_may_not(store: Store) {
        let world = World::new(store.clone()).await;
        let begin = || store.begin_idempotent(world.workspace, "k", [1; 32], NOON);
        assert_eq!(begin().await.unwrap(), BeginIdempotent::Started);
        store.abandon_idempotent(world.workspace, "k").await.unwrap();
        assert_eq!(begin().await.unwrap(), BeginIdempotent::Started);
        store.complete_idempotent(world.workspace, "k", &answer()).await.unwrap();
        store.abandon_idempotent(world.workspace, "k").await.unwrap();
        assert_eq!(begin().await.unwrap(), BeginIdempotent::Replay(answer()));
    }

    async fn a_request_whose_process_died_is_taken_over_after_five_minutes(store: Store) {
        let world = World::new(store.clone()).await;
        let begin = |now| store.begin_idempotent(world.workspace, "k", [1; 32], now);
        assert_eq!(begin(NOON).await.unwrap(), BeginIdempotent::Started);
        assert_eq!(begin(NOON.plus(MINUTE * 4)).await.unwrap(), BeginIdempotent::InProgress);
        assert_eq!(begin(NOON.plus(MINUTE * 5)).await.unwrap(), BeginIdempotent::Started);
        assert_eq!(begin(NOON.plus(MINUTE * 6)).await.unwrap(), BeginIdempotent::InProgress);
    }

    async fn of_many_equal_requests_one_is_done(store: Store) {
        let world = World::new(store.clone()).await;
        let tasks: Vec<_> = (0..16).map(|_| {
            let world = world.clone();
            tokio::spawn(async move {
                world.store.begin_idempotent(world.workspace, "k", [1; 32], NOON).await.unwrap()
            })
        }).collect();
        let mut started = 0;
        for task in tasks {
            started += u32::from(task.await.unwrap() == BeginIdempotent::Started);
        }
        assert_eq!(started, 1);
    }

    async fn ai_credits_are_spent_exactly_and_can_be_given_back(store: Store) {
        let world = World::new(store.clone()).await;
        let tasks: Vec<_> = (0..20).map(|_| {
            let world = world.clone();
            tokio::spawn(async move {
                world.store.spend_ai_credits(world.workspace, 3, Some(10), NOON).await.unwrap()
            })
        }).collect();
        let mut spent = 0;
        for task in tasks {
            spent += u32::from(task.await.unwrap() == SpendCredits::Spent);
        }
        assert_eq!(spent, 3);
        store.return_ai_credits(world.workspace, 3, NOON).await.unwrap();
        assert_eq!(store.usage(world.workspace, "2026-11").await.unwrap().ai_credits, 6);
        let refused = store.spend_ai_credits(world.workspace, 5, Some(10), NOON).await.unwrap();
        assert!(matches!(refused, SpendCredits::LimitReached(reached) if reached.used == 6));
        let next_month = NOON.plus(DAY * 15);
        let refused = store.spend_ai_credits(world.workspace, 11, Some(10), next_month).await.unwrap();
        assert!(matches!(refused, SpendCredits::LimitReached(reached) if reached.used == 0));
        let spent = store.spend_ai_credits(world.workspace, 1_000_000, None, next_month).await.unwrap();
        assert_eq!(spent, SpendCredits::Spent);
    }

    async fn what_has_expired_is_swept_out_and_nothing_else(store: Store) {
        let world = World::new(store.clone()).await;
        let now = NOON.plus(DAY * 31);
        let authorization = |expires_at| Authorization {
            workspace_id: world.workspace,
            user_id: Some(world.owner),
            session_hash: Some(hash()),
            provider: "tiktok".to_owned(),
            verifier: Secret::new("v"),
            expires_at,
        };
        for begun_at in [NOON, now.minus(HOUR)] {
            store.create_session(hash(), world.owner, begun_at).await.unwrap();
            let fleeting = authorization(begun_at.plus(DAY));
            store.create_authorization(hash(), &fleeting, begun_at).await.unwrap();
        }
        store.begin_idempotent(world.workspace, "old", [1; 32], NOON).await.unwrap();
        store.begin_idempotent(world.workspace, "new", [1; 32], now.minus(HOUR)).await.unwrap();
        assert!(SESSION_LIFETIME < DAY * 31);
        let swept = store.delete_expired(now).await.unwrap();
        assert_eq!(swept, Swept { idempotency: 1, sessions: 1, authorizations: 1, devices: 0 });
        assert_eq!(store.delete_expired(now).await.unwrap(), Swept::default());
    }
}
