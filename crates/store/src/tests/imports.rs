use std::collections::HashMap;
use std::time::Duration;

use playout_domain::id::MediaId;
use playout_domain::media::{MAX_UNFINISHED_UPLOADS, Media, MediaFailure, MediaStatus};

use super::harness::on_both;
use super::world::{DAY, HOUR, MINUTE, NOON, OPERATOR, World, new_media};
use crate::{BeginUpload, ClaimImports, Import, Keep, NewLength, Resized, Store, Upload};

on_both!(
    the_first_import_of_each_workspace_is_leased_before_the_second_of_any,
    a_lease_is_one_nodes_until_it_ends,
    storage_is_counted_as_an_import_gets_its_length,
    an_import_ends_with_its_object,
    a_workspace_has_so_many_unfinished_imports_at_most,
);

const LEASE: Duration = Duration::from_secs(60);
const URL: &str = "https://example.org/kite.mp4";

async fn create(world: &World, storage: Option<u64>) -> (MediaId, BeginUpload) {
    let media = Media {
        status: MediaStatus::Pending,
        size_bytes: None,
        received_bytes: Some(0),
        finalized_at: None,
        preview_key: None,
        sha256: None,
        ..new_media(1, NOON)
    };
    let upload = Upload {
        media,
        received_bytes: 0,
        note: None,
        metadata: None,
        expires_at: NOON.plus(DAY),
    };
    let created = world
        .store
        .create_import(world.workspace, &upload, URL, storage, Keep::nowhere());
    (upload.media.id, created.await.unwrap())
}

async fn begin(world: &World) -> MediaId {
    let (id, created) = create(world, None).await;
    assert_eq!(created, BeginUpload::Begun);
    id
}

async fn claim(store: &Store, limit: usize, under_way: &[(&World, u32)]) -> Vec<Import> {
    let under_way: HashMap<_, _> = under_way
        .iter()
        .map(|(world, count)| (world.workspace, *count))
        .collect();
    let claim = ClaimImports {
        limit,
        per_workspace: 2,
        under_way: &under_way,
        lease: LEASE,
    };
    store.claim_imports(claim, NOON).await.unwrap()
}

fn ids(imports: &[Import]) -> Vec<MediaId> {
    imports.iter().map(|import| import.upload.media.id).collect()
}

async fn the_first_import_of_each_workspace_is_leased_before_the_second_of_any(store: Store) {
    let world = World::new(store.clone()).await;
    let (second, third) = (world.neighbour().await, world.neighbour().await);
    for _ in 0..5 {
        begin(&world).await;
    }
    let (of_second, of_third) = (begin(&second).await, begin(&third).await);
    let first = claim(&store, 3, &[]).await;
    assert_eq!(first.len(), 3);
    assert!([of_second, of_third].iter().all(|id| ids(&first).contains(id)));
    let busy = [(&world, 1), (&second, 1), (&third, 1)];
    assert_eq!(claim(&store, 8, &busy).await.len(), 1, "a workspace has two");
    assert!(claim(&store, 8, &[(&world, 2)]).await.is_empty());
    begin(&third).await;
    let next = claim(&store, 1, &[(&world, 1), (&second, 1)]).await;
    assert_eq!(
        next[0].workspace_id, third.workspace,
        "who has least under way comes first"
    );
}

async fn a_lease_is_one_nodes_until_it_ends(store: Store) {
    let world = World::new(store.clone()).await;
    let id = begin(&world).await;
    assert_eq!(store.next_import_at().await.unwrap(), Some(NOON));
    let import = claim(&store, 1, &[]).await.remove(0);
    assert_eq!(
        (import.url.as_str(), import.tries, import.due_at),
        (URL, 1, NOON.plus(LEASE))
    );
    assert!(claim(&store, 1, &[]).await.is_empty());
    let later = NOON.plus(MINUTE);
    assert!(
        store
            .renew_import(id, import.due_at, later.plus(LEASE))
            .await
            .unwrap()
    );
    assert!(
        !store
            .renew_import(id, import.due_at, later.plus(HOUR))
            .await
            .unwrap()
    );
    store.release_import(id, import.due_at, NOON, true).await.unwrap();
    assert!(claim(&store, 1, &[]).await.is_empty(), "it was not the lease");
    store
        .release_import(id, later.plus(LEASE), NOON, true)
        .await
        .unwrap();
    assert_eq!(claim(&store, 1, &[]).await[0].tries, 1, "it had not begun");
}

async fn storage_is_counted_as_an_import_gets_its_length(store: Store) {
    let world = World::new(store.clone()).await;
    let id = begin(&world).await;
    let resize = async |(from, to)| {
        let lengths = NewLength { from, to };
        let resized = store.resize_import(world.workspace, id, lengths, Some(100));
        resized.await.unwrap()
    };
    let reached = |used| Resized::StorageLimitReached { limit: 100, used };
    assert_eq!(resize((None, 101)).await, reached(0));
    assert_eq!(resize((None, 60)).await, Resized::Done);
    assert_eq!(resize((None, 70)).await, Resized::Lost);
    assert_eq!(resize((Some(60), 101)).await, reached(60));
    assert_eq!(resize((Some(60), 100)).await, Resized::Done);
    assert!(
        store
            .advance_upload(world.workspace, id, (0, 40), None)
            .await
            .unwrap()
    );
    assert_eq!(resize((Some(100), 39)).await, Resized::Lost, "more is in");
    assert_eq!(resize((Some(100), 40)).await, Resized::Done);
    let (_, created) = create(&world, Some(39)).await;
    assert_eq!(created, BeginUpload::StorageLimitReached { limit: 39, used: 40 });
    let import = store.find_import(id).await.unwrap().unwrap();
    assert_eq!(
        (import.upload.media.size_bytes, import.upload.received_bytes),
        (Some(40), 40)
    );
}

async fn an_import_ends_with_its_object(store: Store) {
    let world = World::new(store.clone()).await;
    let (failed, deleted) = (begin(&world).await, begin(&world).await);
    let media = store.find_media(world.workspace, failed).await.unwrap().unwrap();
    let failure = MediaFailure {
        code: "import_failed".to_owned(),
        message: "No.".to_owned(),
    };
    let times = (NOON, NOON.plus(DAY));
    assert!(
        store
            .fail_upload(world.workspace, &media, &failure, times)
            .await
            .unwrap()
    );
    assert_eq!(store.find_import(failed).await.unwrap(), None);
    store
        .delete_media(world.workspace, deleted, OPERATOR, NOON)
        .await
        .unwrap();
    assert_eq!(store.next_import_at().await.unwrap(), None);
    let expired = store.expired_uploads(NOON.plus(DAY), 10).await.unwrap();
    assert_eq!(expired.len(), 1);
    let left = begin(&world).await;
    let expired = store.expired_uploads(NOON.plus(DAY), 10).await.unwrap();
    assert!(
        expired.iter().any(|(_, media)| media.id == left),
        "without a length too"
    );
}

async fn a_workspace_has_so_many_unfinished_imports_at_most(store: Store) {
    let world = World::new(store.clone()).await;
    for _ in 0..MAX_UNFINISHED_UPLOADS {
        begin(&world).await;
    }
    assert_eq!(create(&world, None).await.1, BeginUpload::TooMany);
    assert_eq!(create(&world.neighbour().await, None).await.1, BeginUpload::Begun);
}
