use std::time::Duration;

use playout_domain::media::Folder;
use playout_domain::platform::Connection;
use playout_domain::post::Group;
use playout_domain::second_factor::TotpSecret;
use playout_domain::secret::Secret;
use playout_domain::time::Time;

use super::harness::on_both;
use super::world::{BY_OPERATOR, DAY, HOUR, MINUTE, NOON, OPERATOR, World, begin_session, hash, new_user};
use crate::db::new_id;
use crate::{
    Authorization, BeginIdempotent, Claim, CreateFolder, CreditCharge, Keep, NewSession, SESSION_LIFETIME,
    ScheduleGroup, Scheduling, SpendCredits, Store, StoreError, Stored, Swept,
};

on_both!(
    the_same_request_is_answered_from_what_was_stored,
    a_workspace_that_has_stored_too_many_answers_begins_nothing_and_forgets_nothing,
    an_answer_is_kept_for_a_day_and_no_longer,
    an_answer_is_returned_once_it_is_permanent,
    an_abandoned_request_may_begin_again_a_completed_one_may_not,
    the_answer_is_stored_with_the_effect,
    who_was_taken_over_can_do_the_work_no_more,
    a_key_whose_process_died_is_free_for_any_request_after_its_lease,
    of_many_equal_requests_one_is_done,
    a_rescheduled_group_is_answered_as_it_is_then,
    ai_credits_are_spent_exactly_and_can_be_given_back,
    what_has_expired_is_swept_out_and_nothing_else,
);

fn answer() -> Stored {
    Stored {
        status: 201,
        headers: vec![("content-type".to_owned(), "application/json".to_owned())],
        body: br#"{"id":1}"#.to_vec(),
    }
}

/// How long a claim is its process's own.
const LEASE: Duration = MINUTE;

/// Begins as a request with this fingerprint.
async fn begin(world: &World, key: &str, print: u8, now: Time) -> BeginIdempotent {
    world
        .store
        .begin_idempotent(world.workspace, key, [print; 32], LEASE, now)
        .await
        .unwrap()
}

/// The claim of a request that is the first.
async fn claim(world: &World, key: &str, now: Time) -> Claim {
    match begin(world, key, 1, now).await {
        BeginIdempotent::Started(claim) => claim,
        other => panic!("{other:?}"),
    }
}

async fn starts(world: &World, key: &str, print: u8, now: Time) -> bool {
    matches!(begin(world, key, print, now).await, BeginIdempotent::Started(_))
}

/// Adds a folder and stores what it makes of its name.
async fn folder_once(world: &World, claim: &Claim, name: &str) -> Result<CreateFolder, StoreError> {
    let told = |folder: &Folder| Stored {
        body: folder.name.clone().into_bytes(),
        ..answer()
    };
    world
        .store
        .create_folder_once(world.workspace, name, Keep::with(claim, told), BY_OPERATOR)
        .await
}

async fn the_same_request_is_answered_from_what_was_stored(store: Store) {
    let world = World::new(store.clone()).await;
    let first = claim(&world, "k", NOON).await;
    assert_eq!(begin(&world, "k", 1, NOON).await, BeginIdempotent::InProgress);
    assert_eq!(begin(&world, "k", 2, NOON).await, BeginIdempotent::Mismatch);
    assert!(starts(&world, "other", 1, NOON).await);
    assert_eq!(store.answered_at(world.workspace, "k", NOON).await.unwrap(), None);
    store.complete_idempotent(&first, &answer()).await.unwrap();
    let later = NOON.plus(HOUR);
    assert_eq!(
        begin(&world, "k", 1, later).await,
        BeginIdempotent::Replay(answer())
    );
    assert_eq!(begin(&world, "k", 2, later).await, BeginIdempotent::Mismatch);
    assert_eq!(
        store.answered_at(world.workspace, "k", later).await.unwrap(),
        Some(NOON)
    );
    assert!(starts(&world.neighbour().await, "k", 9, NOON).await);
}

async fn a_workspace_that_has_stored_too_many_answers_begins_nothing_and_forgets_nothing(store: Store) {
    let world = World::new(store.clone()).await;
    let large = Stored {
        body: vec![b'x'; 64 << 20],
        ..answer()
    };
    for key in ["1", "2", "3", "4"] {
        let claim = claim(&world, key, NOON).await;
        store.complete_idempotent(&claim, &large).await.unwrap();
    }
    let BeginIdempotent::Full(wait) = begin(&world, "5", 1, NOON).await else {
        panic!()
    };
    assert!(wait > Duration::ZERO && wait < MINUTE, "{wait:?}");
    assert_eq!(
        begin(&world, "1", 1, NOON).await,
        BeginIdempotent::Replay(large.clone())
    );
    assert_eq!(begin(&world, "1", 2, NOON).await, BeginIdempotent::Mismatch);
    assert!(starts(&world.neighbour().await, "5", 1, NOON).await);
    // What was refused has left no claim, and is done once there is room again.
    assert!(starts(&world, "5", 1, NOON.plus(wait)).await);
    // A lost claim stores nothing, and counts for nothing.
    let lost = claim(&world.neighbour().await, "6", NOON).await;
    store.abandon_idempotent(&lost).await.unwrap();
    store.complete_idempotent(&lost, &large).await.unwrap();
}

async fn an_answer_is_kept_for_a_day_and_no_longer(store: Store) {
    let world = World::new(store.clone()).await;
    let first = claim(&world, "k", NOON).await;
    store.complete_idempotent(&first, &answer()).await.unwrap();
    let almost = NOON.plus(DAY).minus(Duration::from_micros(1));
    assert_eq!(
        begin(&world, "k", 1, almost).await,
        BeginIdempotent::Replay(answer())
    );
    assert_eq!(
        store.answered_at(world.workspace, "k", almost).await.unwrap(),
        Some(NOON)
    );
    assert_eq!(
        store
            .answered_at(world.workspace, "k", NOON.plus(DAY))
            .await
            .unwrap(),
        None
    );
    assert!(starts(&world, "k", 2, NOON.plus(DAY)).await);
}

/// SQLite lets the next transaction see what was done before the disk has it.
async fn an_answer_is_returned_once_it_is_permanent(store: Store) {
    let world = World::new(store.clone()).await;
    let claim = claim(&world, "k", NOON).await;
    let mut tx = store.begin().await.unwrap();
    tx.keep(Keep::with(&claim, |()| answer()), &()).await.unwrap();
    let mut again = Box::pin(begin(&world, "k", 1, NOON));
    // On SQLite it is in the queue for the next transaction.
    assert!(futures_util::poll!(&mut again).is_pending());
    let again = async {
        let again = again.await;
        let permanent = store.answered_at(world.workspace, "k", NOON).await.unwrap();
        (again, permanent)
    };
    let (done, (again, permanent)) = tokio::join!(tx.commit(), again);
    done.unwrap();
    assert_eq!(again, BeginIdempotent::Replay(answer()));
    assert_eq!(permanent, Some(NOON));
}

async fn an_abandoned_request_may_begin_again_a_completed_one_may_not(store: Store) {
    let world = World::new(store.clone()).await;
    let first = claim(&world, "k", NOON).await;
    store.abandon_idempotent(&first).await.unwrap();
    let second = claim(&world, "k", NOON.plus(MINUTE)).await;
    store.abandon_idempotent(&first).await.unwrap();
    assert_eq!(
        begin(&world, "k", 1, NOON.plus(MINUTE)).await,
        BeginIdempotent::InProgress
    );
    store.complete_idempotent(&second, &answer()).await.unwrap();
    store.abandon_idempotent(&second).await.unwrap();
    assert_eq!(
        begin(&world, "k", 1, NOON.plus(MINUTE)).await,
        BeginIdempotent::Replay(answer())
    );
}

async fn the_answer_is_stored_with_the_effect(store: Store) {
    let world = World::new(store.clone()).await;
    let first = claim(&world, "k", NOON).await;
    assert!(matches!(
        folder_once(&world, &first, "Kites").await,
        Ok(CreateFolder::Created(_))
    ));
    let kept = Stored {
        body: b"Kites".to_vec(),
        ..answer()
    };
    assert_eq!(begin(&world, "k", 1, NOON).await, BeginIdempotent::Replay(kept));
    let second = claim(&world, "l", NOON).await;
    assert_eq!(
        folder_once(&world, &second, "kites").await.unwrap(),
        CreateFolder::NameTaken
    );
    assert_eq!(
        begin(&world, "l", 1, NOON).await,
        BeginIdempotent::InProgress,
        "nothing happened, nothing is kept"
    );
}

async fn who_was_taken_over_can_do_the_work_no_more(store: Store) {
    let world = World::new(store.clone()).await;
    let first = claim(&world, "k", NOON).await;
    assert_eq!(
        begin(&world, "k", 1, NOON.plus(LEASE).minus(Duration::from_micros(1))).await,
        BeginIdempotent::InProgress
    );
    let second = claim(&world, "k", NOON.plus(LEASE)).await;
    let late = folder_once(&world, &first, "By the first").await;
    assert!(matches!(late, Err(StoreError::ClaimLost)), "{late:?}");
    store.complete_idempotent(&first, &answer()).await.unwrap();
    assert_eq!(
        begin(&world, "k", 1, NOON.plus(LEASE)).await,
        BeginIdempotent::InProgress
    );
    folder_once(&world, &second, "By the second").await.unwrap();
    assert!(
        folder_once(&world, &second, "Twice").await.is_err(),
        "a claim is good for one effect"
    );
    let names: Vec<String> = store
        .list_folders(world.workspace)
        .await
        .unwrap()
        .into_iter()
        .map(|f| f.name)
        .collect();
    assert_eq!(names, ["By the second"]);
}

async fn a_key_whose_process_died_is_free_for_any_request_after_its_lease(store: Store) {
    let world = World::new(store.clone()).await;
    claim(&world, "k", NOON).await;
    assert_eq!(begin(&world, "k", 2, NOON).await, BeginIdempotent::Mismatch);
    assert!(starts(&world, "k", 2, NOON.plus(LEASE)).await);
}

async fn of_many_equal_requests_one_is_done(store: Store) {
    let world = World::new(store.clone()).await;
    let tasks: Vec<_> = (0..16)
        .map(|_| {
            let world = world.clone();
            tokio::spawn(async move { starts(&world, "k", 1, NOON).await })
        })
        .collect();
    let mut started = 0;
    for task in tasks {
        started += u32::from(task.await.unwrap());
    }
    assert_eq!(started, 1);
}

async fn a_rescheduled_group_is_answered_as_it_is_then(store: Store) {
    let world = World::new(store.clone()).await;
    let draft = world.post(false, None).await;
    let first = claim(&world, "k", NOON).await;
    let told = |group: &Group| Stored {
        body: group.root.state.as_str().into(),
        ..answer()
    };
    let found = store
        .find_group(world.workspace, draft.id)
        .await
        .unwrap()
        .unwrap();
    let scheduling = Scheduling {
        at: None,
        judged: &found,
        quota: None,
        by: OPERATOR,
        queued_only: false,
    };
    let keep = Keep::with(&first, told);
    let scheduled = store
        .schedule_group_once(world.workspace, draft.id, scheduling, keep, NOON)
        .await
        .unwrap();
    let now = store
        .find_group(world.workspace, draft.id)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(scheduled, ScheduleGroup::Scheduled(Box::new(now)));
    let kept = Stored {
        body: b"QUEUE".to_vec(),
        ..answer()
    };
    assert_eq!(begin(&world, "k", 1, NOON).await, BeginIdempotent::Replay(kept));
}

async fn ai_credits_are_spent_exactly_and_can_be_given_back(store: Store) {
    let world = World::new(store.clone()).await;
    let charge = |credits, limit| CreditCharge { credits, limit };
    let tasks: Vec<_> = (0..20)
        .map(|_| {
            let world = world.clone();
            tokio::spawn(async move {
                world
                    .store
                    .spend_ai_credits(world.workspace, charge(3, Some(10)), NOON)
                    .await
                    .unwrap()
            })
        })
        .collect();
    let mut spent = 0;
    for task in tasks {
        spent += u32::from(task.await.unwrap() == SpendCredits::Spent);
    }
    assert_eq!(spent, 3);
    store.return_ai_credits(world.workspace, 3, NOON).await.unwrap();
    assert_eq!(
        store.usage(world.workspace, "2026-11").await.unwrap().ai_credits,
        6
    );
    let refused = store
        .spend_ai_credits(world.workspace, charge(5, Some(10)), NOON)
        .await
        .unwrap();
    assert!(matches!(refused, SpendCredits::LimitReached(reached) if reached.used == 6));
    let next_month = NOON.plus(DAY * 15);
    let refused = store
        .spend_ai_credits(world.workspace, charge(11, Some(10)), next_month)
        .await
        .unwrap();
    assert!(matches!(refused, SpendCredits::LimitReached(reached) if reached.used == 0));
    let spent = store
        .spend_ai_credits(world.workspace, charge(1_000_000, None), next_month)
        .await
        .unwrap();
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
        connection: Connection::Creator,
        verifier: Secret::new("v"),
        expires_at,
    };
    for begun_at in [NOON, now.minus(HOUR)] {
        let session = NewSession {
            id: new_id(NOON),
            hash: hash(),
            address: None,
            program: None,
        };
        begin_session(&store, &session, world.owner, begun_at).await;
        store
            .create_sign_in(hash(), world.owner, (begun_at, begun_at.plus(DAY)))
            .await
            .unwrap();
        let secret = TotpSecret::new([7; 20]);
        store
            .begin_second_factor(new_user(&store).await, &secret, (begun_at, begun_at.plus(DAY)))
            .await
            .unwrap();
        let fleeting = authorization(begun_at.plus(DAY));
        store
            .create_authorization(hash(), &fleeting, begun_at)
            .await
            .unwrap();
    }
    assert!(starts(&world, "old", 1, NOON).await);
    assert!(starts(&world, "new", 1, now.minus(HOUR)).await);
    assert!(SESSION_LIFETIME < DAY * 31);
    let swept = store.delete_expired(now).await.unwrap();
    assert_eq!(
        swept,
        Swept {
            idempotency: 1,
            sessions: 1,
            authorizations: 1,
            second_factors: 1,
            sign_ins: 1,
            ..Swept::default()
        }
    );
    assert_eq!(store.delete_expired(now).await.unwrap(), Swept::default());
}
