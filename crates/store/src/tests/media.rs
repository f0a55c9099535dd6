use playout_domain::media::{MediaStatus, MediaType, MimeType, Probe};

use super::harness::on_both;
use super::world::{BY_OPERATOR, MINUTE, NOON, OPERATOR, World, new_group, new_media};
use crate::{
    Authorship, CreateFolder, DeleteMedia, InFolder, InsertMedia, MediaChanges, MediaFile, MediaFilter, Page,
    RenameFolder, Store,
};
use playout_domain::id::FolderId;

on_both!(
    media_are_found_again_as_they_were_stored,
    a_storage_key_names_the_file_or_its_preview,
    storage_is_never_exceeded_and_is_given_back,
    media_are_listed_newest_first_by_folder_and_kind,
    pages_of_media_neither_repeat_nor_skip,
    media_of_a_post_that_is_to_go_out_cannot_be_deleted,
    a_media_object_can_be_renamed_and_moved,
    folder_names_are_unique_in_their_workspace_ignoring_case,
    the_media_of_a_deleted_folder_move_to_the_root,
    a_pending_upload_is_announced_only_when_it_is_ready,
);

const ALL: Page = Page {
    limit: 1000,
    after: None,
};

async fn folder(world: &World, name: &str) -> FolderId {
    match world
        .store
        .create_folder(world.workspace, name, NOON)
        .await
        .unwrap()
    {
        CreateFolder::Created(folder) => folder.id,
        CreateFolder::NameTaken => panic!("{name} is taken"),
        CreateFolder::TooMany => panic!("there are not so many"),
    }
}

async fn media_are_found_again_as_they_were_stored(store: Store) {
    let world = World::new(store.clone()).await;
    let mut media = new_media(1234, NOON);
    media.probe = Some(Probe {
        width: Some(1080),
        frame_rate: Some(29.97),
        ..Probe::default()
    });
    store.insert_media(world.workspace, &media, None).await.unwrap();
    assert_eq!(
        store
            .find_media(world.workspace, media.id)
            .await
            .unwrap()
            .unwrap(),
        media
    );
    assert_eq!(
        store.find_media_many(world.workspace, &[media.id]).await.unwrap(),
        [media.clone()]
    );
    let neighbour = world.neighbour().await;
    assert!(
        store
            .find_media(neighbour.workspace, media.id)
            .await
            .unwrap()
            .is_none()
    );
    assert!(
        store
            .find_media_many(neighbour.workspace, &[media.id])
            .await
            .unwrap()
            .is_empty()
    );
    assert_eq!(world.events().await, ["media.ready"]);
}

async fn a_storage_key_names_the_file_or_its_preview(store: Store) {
    let world = World::new(store.clone()).await;
    let media = world.media(10).await;
    let (found, file) = store
        .media_by_storage_key(&media.storage_key)
        .await
        .unwrap()
        .unwrap();
    assert_eq!((found.id, file), (media.id, MediaFile::Original));
    let preview = media.preview_key.unwrap();
    let (found, file) = store.media_by_storage_key(&preview).await.unwrap().unwrap();
    assert_eq!((found.id, file), (media.id, MediaFile::Preview));
    assert!(store.media_by_storage_key("guess").await.unwrap().is_none());
}

async fn storage_is_never_exceeded_and_is_given_back(store: Store) {
    let world = World::new(store.clone()).await;
    let insert = |size| {
        let (store, workspace) = (store.clone(), world.workspace);
        let media = new_media(size, NOON);
        async move {
            (
                media.id,
                store.insert_media(workspace, &media, Some(100)).await.unwrap(),
            )
        }
    };
    assert_eq!(
        insert(101).await.1,
        InsertMedia::StorageLimitReached { limit: 100, used: 0 }
    );
    let tasks: Vec<_> = (0..30).map(|_| tokio::spawn(insert(9))).collect();
    let mut stored = Vec::new();
    for task in tasks {
        let (id, outcome) = task.await.unwrap();
        if outcome == InsertMedia::Inserted {
            stored.push(id);
        }
    }
    assert_eq!(stored.len(), 11);
    assert_eq!(store.storage_used(world.workspace).await.unwrap(), 99);
    assert_eq!(
        insert(2).await.1,
        InsertMedia::StorageLimitReached { limit: 100, used: 99 }
    );
    assert!(matches!(
        store.delete_media(world.workspace, stored[0], OPERATOR, NOON).await.unwrap(),
        DeleteMedia::Deleted(media) if media.id == stored[0]
    ));
    assert_eq!(store.storage_used(world.workspace).await.unwrap(), 90);
    assert_eq!(store.find_media(world.workspace, stored[0]).await.unwrap(), None);
}

async fn media_are_listed_newest_first_by_folder_and_kind(store: Store) {
    let world = World::new(store.clone()).await;
    let inside = folder(&world, "Trip").await;
    let old = world.media_at(1, NOON).await;
    let mut video = new_media(1, NOON.plus(MINUTE));
    video.mime = MimeType::Mp4;
    video.folder_id = Some(inside);
    store.insert_media(world.workspace, &video, None).await.unwrap();
    let list = |folder, media_type| {
        let (store, workspace) = (store.clone(), world.workspace);
        let filter = MediaFilter { folder, media_type };
        async move {
            let media = store.list_media(workspace, filter, ALL).await.unwrap();
            media.iter().map(|media| media.id).collect::<Vec<_>>()
        }
    };
    assert_eq!(list(InFolder::All, None).await, [video.id, old.id]);
    assert_eq!(list(InFolder::Root, None).await, [old.id]);
    assert_eq!(list(InFolder::In(inside), None).await, [video.id]);
    assert_eq!(list(InFolder::All, Some(MediaType::Image)).await, [old.id]);
    assert_eq!(list(InFolder::In(inside), Some(MediaType::Image)).await, []);
}

async fn pages_of_media_neither_repeat_nor_skip(store: Store) {
    let world = World::new(store.clone()).await;
    let mut expected = Vec::new();
    for number in 0..7u32 {
        expected.push(world.media_at(1, NOON.plus(MINUTE * (number / 3))).await.id);
    }
    let (mut seen, mut after) = (Vec::new(), None);
    loop {
        let page = Page { limit: 2, after };
        let media = store
            .list_media(world.workspace, MediaFilter::default(), page)
            .await
            .unwrap();
        let Some(last) = media.last() else { break };
        after = Some((last.created_at, last.id.0));
        seen.extend(media.iter().map(|media| media.id));
        world.media_at(1, NOON.plus(MINUTE * 60)).await;
    }
    expected.reverse();
    assert_eq!(seen, expected);
}

async fn media_of_a_post_that_is_to_go_out_cannot_be_deleted(store: Store) {
    let world = World::new(store.clone()).await;
    let media = world.media(10).await;
    let mut group = new_group(world.platform, false, None);
    group.root.media_ids = vec![media.id];
    let post = world.group(group).await;
    assert_eq!(
        store
            .delete_media(world.workspace, media.id, OPERATOR, NOON)
            .await
            .unwrap(),
        DeleteMedia::InUse(vec![post.id])
    );
    let neighbour = world.neighbour().await;
    assert_eq!(
        store
            .delete_media(neighbour.workspace, media.id, OPERATOR, NOON)
            .await
            .unwrap(),
        DeleteMedia::NotFound
    );
    store
        .delete_group(world.workspace, post.id, OPERATOR, NOON)
        .await
        .unwrap();
    assert!(matches!(
        store
            .delete_media(world.workspace, media.id, OPERATOR, NOON)
            .await
            .unwrap(),
        DeleteMedia::Deleted(_)
    ));
    assert_eq!(
        store
            .delete_media(world.workspace, media.id, OPERATOR, NOON)
            .await
            .unwrap(),
        DeleteMedia::NotFound
    );
}

async fn a_media_object_can_be_renamed_and_moved(store: Store) {
    let world = World::new(store.clone()).await;
    let media = world.media(10).await;
    let inside = folder(&world, "Trip").await;
    let rename = MediaChanges {
        file_name: Some("b.jpg".to_owned()),
        folder_id: None,
    };
    let renamed = store
        .update_media(world.workspace, media.id, &rename, BY_OPERATOR)
        .await
        .unwrap()
        .unwrap();
    assert_eq!((renamed.file_name.as_str(), renamed.folder_id), ("b.jpg", None));
    let moved = MediaChanges {
        file_name: None,
        folder_id: Some(Some(inside)),
    };
    let moved = store
        .update_media(world.workspace, media.id, &moved, BY_OPERATOR)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(
        (moved.file_name.as_str(), moved.folder_id),
        ("b.jpg", Some(inside))
    );
    let root = MediaChanges {
        file_name: None,
        folder_id: Some(None),
    };
    assert_eq!(
        store
            .update_media(world.workspace, media.id, &root, BY_OPERATOR)
            .await
            .unwrap()
            .unwrap()
            .folder_id,
        None
    );
    let neighbour = world.neighbour().await;
    assert!(
        store
            .update_media(neighbour.workspace, media.id, &rename, BY_OPERATOR)
            .await
            .unwrap()
            .is_none()
    );
}

async fn folder_names_are_unique_in_their_workspace_ignoring_case(store: Store) {
    let world = World::new(store.clone()).await;
    let first = folder(&world, "Été").await;
    let second = folder(&world, "Winter").await;
    let create = store.create_folder(world.workspace, "éTÉ", NOON).await.unwrap();
    assert_eq!(create, CreateFolder::NameTaken);
    let rename = store
        .rename_folder(world.workspace, second, "ÉTÉ", BY_OPERATOR)
        .await
        .unwrap();
    assert_eq!(rename, RenameFolder::NameTaken);
    let rename = store
        .rename_folder(
            world.workspace,
            first,
            "ÉTÉ",
            Authorship {
                by: OPERATOR,
                at: NOON.plus(MINUTE),
            },
        )
        .await
        .unwrap();
    assert!(matches!(rename, RenameFolder::Renamed(folder) if folder.updated_at == NOON.plus(MINUTE)));
    let neighbour = world.neighbour().await;
    folder(&neighbour, "Été").await;
    let rename = store
        .rename_folder(neighbour.workspace, first, "x", BY_OPERATOR)
        .await
        .unwrap();
    assert_eq!(rename, RenameFolder::NotFound);
    let names: Vec<_> = store.list_folders(world.workspace).await.unwrap();
    assert_eq!(
        names
            .iter()
            .map(|folder| folder.name.as_str())
            .collect::<Vec<_>>(),
        ["Winter", "ÉTÉ"]
    );
}

async fn the_media_of_a_deleted_folder_move_to_the_root(store: Store) {
    let world = World::new(store.clone()).await;
    let inside = folder(&world, "Trip").await;
    let mut media = new_media(1, NOON);
    media.folder_id = Some(inside);
    store.insert_media(world.workspace, &media, None).await.unwrap();
    assert!(
        store
            .find_folder(world.workspace, inside)
            .await
            .unwrap()
            .is_some()
    );
    assert!(
        store
            .delete_folder(world.workspace, inside, OPERATOR, NOON)
            .await
            .unwrap()
    );
    assert!(
        !store
            .delete_folder(world.workspace, inside, OPERATOR, NOON)
            .await
            .unwrap()
    );
    assert_eq!(
        store
            .find_media(world.workspace, media.id)
            .await
            .unwrap()
            .unwrap()
            .folder_id,
        None
    );
}

async fn a_pending_upload_is_announced_only_when_it_is_ready(store: Store) {
    let world = World::new(store.clone()).await;
    let mut media = new_media(50, NOON);
    media.status = MediaStatus::Pending;
    media.finalized_at = None;
    store.insert_media(world.workspace, &media, None).await.unwrap();
    assert!(world.events().await.is_empty());
}
