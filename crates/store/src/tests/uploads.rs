use playout_domain::id::MediaId;
use playout_domain::media::{Media, MediaFailure, MediaStatus};

use super::harness::on_both;
use super::world::{DAY, HOUR, NOON, OPERATOR, World, new_media};
use crate::{BeginUpload, DeleteMedia, InsertMedia, Store, Upload};

on_both!(
    an_upload_grows_and_becomes_ready,
    an_upload_takes_its_storage_from_the_beginning_and_gives_it_back,
    an_upload_that_has_expired_is_over_and_can_be_collected,
    an_upload_whose_bytes_are_all_in_expires_a_day_later,
    a_failed_upload_gives_its_storage_back_once_and_is_collected_after_its_time,
    an_attempt_that_is_leased_keeps_others_away_until_it_ends,
    what_is_reserved_counts_until_it_is_inserted_or_released,
    an_upload_cannot_be_reached_from_another_workspace,
);

fn upload(length: u64) -> Upload {
    let media = Media {
        status: MediaStatus::Pending,
        finalized_at: None,
        preview_key: None,
        sha256: None,
        ..new_media(length, NOON)
    };
    Upload {
        media,
        received_bytes: 0,
        note: None,
        metadata: Some("filename YS5tcDQ=".to_owned()),
        expires_at: NOON.plus(DAY),
    }
}

async fn begin(world: &World, length: u64) -> MediaId {
    let new = upload(length);
    let outcome = world
        .store
        .create_upload(world.workspace, &new, Some(100))
        .await
        .unwrap();
    assert_eq!(outcome, BeginUpload::Begun);
    new.media.id
}

async fn an_upload_grows_and_becomes_ready(store: Store) {
    let world = World::new(store.clone()).await;
    let id = begin(&world, 100).await;
    let advance = async |from, to, note| {
        let advanced = store.advance_upload(world.workspace, id, (from, to), note);
        advanced.await.unwrap()
    };
    assert!(advance(0, 60, Some("60-a")).await);
    assert!(!advance(0, 60, Some("60-b")).await);
    assert!(!advance(60, 101, None).await);
    let found = store
        .find_upload(world.workspace, id, NOON)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(
        (found.received_bytes, found.metadata.as_deref()),
        (60, Some("filename YS5tcDQ="))
    );
    assert_eq!(found.note.as_deref(), Some("60-a"));
    let ready = Media {
        file_name: "b.jpg".to_owned(),
        ..found.media
    };
    assert!(!store.finish_upload(world.workspace, &ready, NOON).await.unwrap());
    assert!(advance(60, 100, None).await);
    assert!(
        store
            .finish_upload(world.workspace, &ready, NOON.plus(HOUR))
            .await
            .unwrap()
    );
    assert!(
        !store
            .finish_upload(world.workspace, &ready, NOON.plus(HOUR))
            .await
            .unwrap()
    );
    let media = store.find_media(world.workspace, id).await.unwrap().unwrap();
    assert_eq!(
        (media.status, media.finalized_at),
        (MediaStatus::Ready, Some(NOON.plus(HOUR)))
    );
    assert_eq!(media.file_name, "b.jpg");
    assert!(
        store
            .find_upload(world.workspace, id, NOON)
            .await
            .unwrap()
            .is_none()
    );
    let (finished, metadata) = store
        .find_finished_upload(world.workspace, id)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(
        (finished.id, metadata.as_deref()),
        (id, Some("filename YS5tcDQ="))
    );
    assert_eq!(world.events().await, ["media.ready"]);
}

async fn an_upload_takes_its_storage_from_the_beginning_and_gives_it_back(store: Store) {
    let world = World::new(store.clone()).await;
    let id = begin(&world, 60).await;
    let refused = store
        .create_upload(world.workspace, &upload(41), Some(100))
        .await
        .unwrap();
    assert_eq!(refused, BeginUpload::StorageLimitReached { limit: 100, used: 60 });
    let deleted = store
        .delete_media(world.workspace, id, OPERATOR, NOON)
        .await
        .unwrap();
    assert!(matches!(deleted, DeleteMedia::Deleted(_)));
    assert_eq!(store.storage_used(world.workspace).await.unwrap(), 0);
}

async fn an_upload_that_has_expired_is_over_and_can_be_collected(store: Store) {
    let world = World::new(store.clone()).await;
    let id = begin(&world, 60).await;
    assert!(store.expired_uploads(NOON, 10).await.unwrap().is_empty());
    let end = NOON.plus(DAY);
    assert!(
        store
            .find_upload(world.workspace, id, end)
            .await
            .unwrap()
            .is_none()
    );
    let expired = store.expired_uploads(end, 10).await.unwrap();
    assert_eq!(
        (expired.len(), expired[0].0, expired[0].1.id),
        (1, world.workspace, id)
    );
}

async fn an_upload_whose_bytes_are_all_in_expires_a_day_later(store: Store) {
    let world = World::new(store.clone()).await;
    let id = begin(&world, 60).await;
    assert!(store.complete_uploads(NOON, 10).await.unwrap().is_empty());
    assert!(
        store
            .advance_upload(world.workspace, id, (0, 60), None)
            .await
            .unwrap()
    );
    let end = NOON.plus(DAY);
    assert!(store.expired_uploads(end, 10).await.unwrap().is_empty());
    let expired = store.expired_uploads(end.plus(DAY), 10).await.unwrap();
    assert_eq!(expired.len(), 1, "it could not be finished");
    assert!(
        store
            .find_upload(world.workspace, id, end)
            .await
            .unwrap()
            .is_some()
    );
    let complete = store.complete_uploads(NOON, 10).await.unwrap();
    assert_eq!(
        (complete.len(), complete[0].0, complete[0].1.media.id),
        (1, world.workspace, id)
    );
    assert!(
        store
            .find_finished_upload(world.workspace, id)
            .await
            .unwrap()
            .is_none()
    );
}

async fn a_failed_upload_gives_its_storage_back_once_and_is_collected_after_its_time(store: Store) {
    let world = World::new(store.clone()).await;
    let id = begin(&world, 60).await;
    store
        .advance_upload(world.workspace, id, (0, 60), None)
        .await
        .unwrap();
    for earlier in 0..3 {
        let begun = store.begin_attempt(world.workspace, id, NOON, None).await;
        assert_eq!(begun.unwrap(), Some(earlier));
        assert!(store.count_attempt(id, earlier + 1).await.unwrap());
    }
    let media = store.find_media(world.workspace, id).await.unwrap().unwrap();
    let failure = MediaFailure {
        code: "processing_failed".to_owned(),
        message: "It failed.".to_owned(),
    };
    let times = (NOON, NOON.plus(DAY));
    assert!(
        store
            .fail_upload(world.workspace, &media, &failure, times)
            .await
            .unwrap()
    );
    assert!(
        !store
            .fail_upload(world.workspace, &media, &failure, times)
            .await
            .unwrap()
    );
    assert_eq!(store.storage_used(world.workspace).await.unwrap(), 0);
    assert_eq!(
        store
            .find_media(world.workspace, id)
            .await
            .unwrap()
            .unwrap()
            .failure,
        Some(failure)
    );
    assert_eq!(
        store
            .begin_attempt(world.workspace, id, NOON, None)
            .await
            .unwrap(),
        None
    );
    assert!(store.complete_uploads(NOON, 10).await.unwrap().is_empty());
    assert!(
        store
            .find_upload(world.workspace, id, NOON)
            .await
            .unwrap()
            .is_none()
    );
    assert!(!store.finish_upload(world.workspace, &media, NOON).await.unwrap());
    assert_eq!(world.events().await, ["media.failed"]);
    assert!(store.expired_uploads(NOON, 10).await.unwrap().is_empty());
    assert_eq!(store.expired_uploads(NOON.plus(DAY), 10).await.unwrap().len(), 1);
    world.media(40).await;
    store
        .delete_media(world.workspace, id, OPERATOR, NOON)
        .await
        .unwrap();
    assert_eq!(store.storage_used(world.workspace).await.unwrap(), 40);
}

async fn what_is_reserved_counts_until_it_is_inserted_or_released(store: Store) {
    let world = World::new(store.clone()).await;
    let (media, end) = (new_media(30, NOON), NOON.plus(HOUR));
    let key = media.storage_key.as_str();
    let reserve = async |key, bytes| {
        store
            .reserve_storage(world.workspace, key, (bytes, 100), end)
            .await
            .unwrap()
    };
    assert_eq!(reserve(key, 30).await, InsertMedia::Inserted);
    assert_eq!(reserve(key, 20).await, InsertMedia::Inserted);
    assert_eq!(
        reserve("other", 51).await,
        InsertMedia::StorageLimitReached { limit: 100, used: 50 }
    );
    assert_eq!(reserve("other", 50).await, InsertMedia::Inserted);
    assert_eq!(
        store
            .insert_media(world.workspace, &media, Some(100))
            .await
            .unwrap(),
        InsertMedia::Inserted
    );
    assert_eq!(
        store.storage_used(world.workspace).await.unwrap(),
        80,
        "20 were not needed"
    );
    assert!(store.abandoned_reservations(NOON, 10).await.unwrap().is_empty());
    let abandoned = store.abandoned_reservations(end, 10).await.unwrap();
    assert_eq!(abandoned, [(world.workspace, "other".to_owned())]);
    assert!(store.release_storage(world.workspace, "other").await.unwrap());
    assert!(!store.release_storage(world.workspace, "other").await.unwrap());
    assert_eq!(store.storage_used(world.workspace).await.unwrap(), 30);
}

async fn an_upload_cannot_be_reached_from_another_workspace(store: Store) {
    let world = World::new(store.clone()).await;
    let neighbour = world.neighbour().await;
    let id = begin(&world, 60).await;
    assert!(
        store
            .find_upload(neighbour.workspace, id, NOON)
            .await
            .unwrap()
            .is_none()
    );
    assert!(
        !store
            .advance_upload(neighbour.workspace, id, (0, 60), None)
            .await
            .unwrap()
    );
    assert!(
        store
            .find_finished_upload(neighbour.workspace, id)
            .await
            .unwrap()
            .is_none()
    );
}

async fn an_attempt_that_is_leased_keeps_others_away_until_it_ends(store: Store) {
    let world = World::new(store.clone()).await;
    let (workspace, id) = (world.workspace, begin(&world, 60).await);
    store.advance_upload(workspace, id, (0, 60), None).await.unwrap();
    let (until, later) = (NOON.plus(HOUR), NOON.plus(HOUR * 2));
    let attempt = async |now| {
        store
            .begin_attempt(workspace, id, now, Some(later))
            .await
            .unwrap()
    };
    let first = store.begin_attempt(workspace, id, NOON, Some(until)).await;
    assert_eq!(first.unwrap(), Some(0));
    assert!(store.count_attempt(id, 1).await.unwrap());
    assert_eq!(attempt(NOON).await, None);
    assert!(store.complete_uploads(NOON, 10).await.unwrap().is_empty());
    assert!(store.renew_attempt(id, (until, later)).await.unwrap());
    assert!(
        !store.renew_attempt(id, (until, later)).await.unwrap(),
        "another's"
    );
    assert_eq!(attempt(until).await, None, "it was renewed");
    assert_eq!(store.complete_uploads(later, 10).await.unwrap().len(), 1);
    assert_eq!(attempt(later).await, Some(1), "its process died");
    let end = async |leased, attempts| store.end_attempt(id, Some(leased), attempts).await.unwrap();
    assert!(
        store.count_attempt(id, 1).await.unwrap(),
        "by the one before, late"
    );
    end(until, 9).await;
    assert_eq!(
        attempt(NOON).await,
        None,
        "what ended was not the one that is leased"
    );
    end(later, 1).await;
    assert_eq!(attempt(NOON).await, Some(1), "neither did it count");
    assert!(store.count_attempt(id, 2).await.unwrap());
    assert!(store.count_attempt(id, 1).await.unwrap(), "nothing is taken back");
    end(later, 2).await;
    assert_eq!(attempt(NOON).await, Some(2));
}
