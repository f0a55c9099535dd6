use playout_domain::media::Media;

use super::harness::on_both;
use super::world::{DAY, HOUR, MINUTE, NOON, OPERATOR, World, new_media};
use crate::{
    CreateFolder, CreditCharge, InsertSlides, Keep, NewSlides, SpendCredits, Store, StoreError, Stored,
};

on_both!(
    slides_are_inserted_with_what_they_cost_and_their_notes_are_taken_back,
    without_room_or_credits_nothing_is_changed,
    slides_whose_files_may_be_gone_are_not_inserted,
    a_slide_whose_folder_was_deleted_goes_to_the_root,
    whoever_lost_the_claim_inserts_and_spends_nothing,
);

/// So many slides of 10 bytes, whose files are noted.
async fn noted(world: &World, count: usize) -> Vec<Media> {
    let media: Vec<Media> = (0..count).map(|_| new_media(10, NOON)).collect();
    let keys: Vec<String> = media.iter().map(|media| media.storage_key.clone()).collect();
    world
        .store
        .note_files_until(&keys, NOON.plus(HOUR))
        .await
        .unwrap();
    media
}

/// Slides at two credits each, within these limits.
fn slides(media: &[Media], storage_limit: u64, credit_limit: u64) -> NewSlides<'_> {
    NewSlides {
        media,
        storage_limit: Some(storage_limit),
        credits: 2 * media.len() as u64,
        credit_limit: Some(credit_limit),
    }
}

async fn insert(world: &World, slides: NewSlides<'_>) -> InsertSlides {
    let inserted = world
        .store
        .insert_slides(world.workspace, slides, Keep::nowhere(), NOON);
    inserted.await.unwrap()
}

/// Bytes, credits, notes of files that are to go, and media of a workspace.
async fn counts(world: &World) -> (u64, u64, usize, usize) {
    let store = &world.store;
    let filter = crate::MediaFilter::default();
    let page = crate::Page {
        limit: 1000,
        after: None,
    };
    (
        store.storage_used(world.workspace).await.unwrap(),
        store.usage(world.workspace, "2026-11").await.unwrap().ai_credits,
        store.removed_files("", 100, NOON.plus(DAY)).await.unwrap().len(),
        store
            .list_media(world.workspace, filter, page)
            .await
            .unwrap()
            .len(),
    )
}

async fn slides_are_inserted_with_what_they_cost_and_their_notes_are_taken_back(store: Store) {
    let world = World::new(store).await;
    let media = noted(&world, 3).await;
    assert_eq!(counts(&world).await, (0, 0, 3, 0));
    assert!(
        world.store.removed_files("", 100, NOON).await.unwrap().is_empty(),
        "they are not to go yet"
    );
    assert_eq!(
        insert(&world, slides(&media, 30, 6)).await,
        InsertSlides::Inserted
    );
    assert_eq!(counts(&world).await, (30, 6, 0, 3));
    assert_eq!(world.events().await, ["media.ready"; 3]);
}

async fn without_room_or_credits_nothing_is_changed(store: Store) {
    let world = World::new(store).await;
    let media = noted(&world, 3).await;
    let refused = insert(&world, slides(&media, 29, 6)).await;
    assert_eq!(refused, InsertSlides::StorageLimitReached { limit: 29, used: 0 });
    let refused = insert(&world, slides(&media, 30, 5)).await;
    assert!(
        matches!(refused, InsertSlides::CreditLimitReached(reached) if (reached.limit, reached.used) == (5, 0))
    );
    assert_eq!(counts(&world).await, (0, 0, 3, 0));
    assert_eq!(
        insert(
            &world,
            NewSlides {
                credits: 0,
                ..slides(&media, 30, 0)
            }
        )
        .await,
        InsertSlides::Inserted
    );
}

async fn slides_whose_files_may_be_gone_are_not_inserted(store: Store) {
    let world = World::new(store).await;
    let media = noted(&world, 2).await;
    let late = world.store.insert_slides(
        world.workspace,
        slides(&media, 30, 6),
        Keep::nowhere(),
        NOON.plus(HOUR),
    );
    assert_eq!(late.await.unwrap(), InsertSlides::TooLate);
    let unknown = [media[0].clone(), new_media(10, NOON)];
    assert_eq!(
        insert(&world, slides(&unknown, 30, 6)).await,
        InsertSlides::TooLate
    );
    assert_eq!(counts(&world).await, (0, 0, 2, 0));
}

async fn a_slide_whose_folder_was_deleted_goes_to_the_root(store: Store) {
    let world = World::new(store.clone()).await;
    let mut media = noted(&world, 2).await;
    for (media, name) in media.iter_mut().zip(["Stays", "Goes"]) {
        let CreateFolder::Created(folder) = store.create_folder(world.workspace, name, NOON).await.unwrap()
        else {
            panic!("{name} is taken");
        };
        media.folder_id = Some(folder.id);
    }
    store
        .delete_folder(world.workspace, media[1].folder_id.unwrap(), OPERATOR, NOON)
        .await
        .unwrap();
    assert_eq!(
        insert(&world, slides(&media, 30, 6)).await,
        InsertSlides::Inserted
    );
    let folder = async |media: &Media| {
        store
            .find_media(world.workspace, media.id)
            .await
            .unwrap()
            .unwrap()
            .folder_id
    };
    assert_eq!(
        (folder(&media[0]).await, folder(&media[1]).await),
        (media[0].folder_id, None)
    );
}

async fn whoever_lost_the_claim_inserts_and_spends_nothing(store: Store) {
    let world = World::new(store.clone()).await;
    let media = noted(&world, 1).await;
    let answer = || Stored {
        status: 201,
        headers: Vec::new(),
        body: Vec::new(),
    };
    let begin = async |now| match store
        .begin_idempotent(world.workspace, "k", [1; 32], MINUTE, now)
        .await
        .unwrap()
    {
        crate::BeginIdempotent::Started(claim) => claim,
        other => panic!("{other:?}"),
    };
    let charge = CreditCharge {
        credits: 1,
        limit: Some(6),
    };
    let (lost, current) = (begin(NOON).await, begin(NOON.plus(MINUTE)).await);
    let inserted = store.insert_slides(
        world.workspace,
        slides(&media, 30, 6),
        Keep::with(&lost, |()| answer()),
        NOON,
    );
    assert!(matches!(inserted.await, Err(StoreError::ClaimLost)));
    let spent = store.spend_ai_credits_once(
        world.workspace,
        charge,
        Keep::with(&lost, |()| answer()),
        &(),
        NOON,
    );
    assert!(matches!(spent.await, Err(StoreError::ClaimLost)));
    assert_eq!(counts(&world).await, (0, 0, 1, 0));
    let spent = store.spend_ai_credits_once(
        world.workspace,
        charge,
        Keep::with(&current, |()| answer()),
        &(),
        NOON,
    );
    assert_eq!(spent.await.unwrap(), SpendCredits::Spent);
    assert_eq!(counts(&world).await, (0, 1, 1, 0));
}
