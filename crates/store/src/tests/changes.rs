use futures_util::FutureExt;
use playout_domain::change::Noun;
use playout_domain::media::{Media, MediaStatus};
use playout_domain::submission::SubmissionOutcome;
use playout_domain::verdict::Verdict;
use playout_domain::workspace::Role;
use playout_domain::zone::Zone;

use super::group_changes::{found, nothing};
use super::harness::on_both;
use super::settling::settle;
use super::world::{
    BY_OPERATOR, DAY, NOON, OPERATOR, World, begin_session, hash, must_reconnect, new_group, new_media,
    new_user,
};
use crate::db::new_id;
use crate::{
    BeginUpload, By, CreateFolder, FoundGroup, GroupChanges, MediaChanges, MonthlyLimit, NewSession,
    Released, Store, Upload, Watch, WorkspaceChanges,
};

on_both!(
    each_step_of_a_post_is_told,
    media_and_folders_are_told,
    an_upload_is_told_when_it_begins_and_ends_and_not_of_its_bytes,
    accounts_and_people_are_told,
    what_is_not_committed_and_what_others_do_is_not_told,
    whoever_reads_late_is_told_of_everything_once,
    who_may_look_is_a_member_in_a_session_that_goes_on,
);

/// The changes since the last call.
fn told(watch: &mut Watch) -> Vec<Noun> {
    watch.next().now_or_never().flatten().unwrap_or_default()
}

fn caption(judged: &FoundGroup) -> GroupChanges<'_> {
    GroupChanges {
        content: Some("Hello again".to_owned()),
        ..nothing(judged)
    }
}

fn upload() -> Upload {
    let media = Media {
        status: MediaStatus::Pending,
        finalized_at: None,
        ..new_media(100, NOON)
    };
    Upload {
        media,
        received_bytes: 0,
        note: None,
        metadata: None,
        expires_at: NOON.plus(DAY),
    }
}

async fn each_step_of_a_post_is_told(store: Store) {
    let world = World::new(store.clone()).await;
    let mut watch = store.watch(world.workspace);
    let draft = world.post(false, None).await;
    assert_eq!(told(&mut watch), [Noun::Post], "made");
    let judged = found(&world, draft.id).await;
    store
        .update_group(world.workspace, draft.id, caption(&judged), NOON)
        .await
        .unwrap();
    assert_eq!(told(&mut watch), [Noun::Post], "changed");
    store
        .update_group(world.workspace, draft.id, caption(&judged), NOON)
        .await
        .unwrap();
    assert_eq!(told(&mut watch), [], "not changed, because of its version");
    let (post, job) = world.claimed().await;
    assert_eq!(told(&mut watch), [Noun::Post], "queued");
    let submission = world.open(&job).await;
    assert_eq!(told(&mut watch), [Noun::Post], "being published");
    let verdict = Verdict::Published {
        release_id: Some("73".to_owned()),
        release_url: None,
    };
    assert!(
        settle(
            &world,
            &job,
            verdict,
            Some((submission, SubmissionOutcome::Published))
        )
        .await
    );
    assert_eq!(told(&mut watch), [Noun::Post], "out");
    let released = Released {
        release_id: None,
        release_url: Some("https://t.example/73"),
    };
    assert!(store.set_release(post.id, released, NOON).await.unwrap());
    assert_eq!(told(&mut watch), [Noun::Post], "found");
    assert!(!store.set_release(post.id, released, NOON).await.unwrap());
    assert_eq!(told(&mut watch), [], "known already");
    store
        .delete_group(world.workspace, draft.id, OPERATOR, NOON)
        .await
        .unwrap();
    assert_eq!(told(&mut watch), [Noun::Post], "deleted");
}

async fn media_and_folders_are_told(store: Store) {
    let world = World::new(store.clone()).await;
    let (workspace, mut watch) = (world.workspace, store.watch(world.workspace));
    let media = world.media(10).await;
    assert_eq!(told(&mut watch), [Noun::Media], "uploaded");
    let changes = MediaChanges {
        file_name: Some("b.jpg".to_owned()),
        folder_id: None,
    };
    store
        .update_media(workspace, media.id, &changes, BY_OPERATOR)
        .await
        .unwrap();
    assert_eq!(told(&mut watch), [Noun::Media], "named");
    store
        .delete_media(workspace, media.id, OPERATOR, NOON)
        .await
        .unwrap();
    assert_eq!(told(&mut watch), [Noun::Media], "deleted");
    let CreateFolder::Created(folder) = store.create_folder(workspace, "Kites", NOON).await.unwrap() else {
        panic!()
    };
    assert_eq!(told(&mut watch), [Noun::Media], "a folder");
    store
        .rename_folder(workspace, folder.id, "Boats", BY_OPERATOR)
        .await
        .unwrap();
    assert_eq!(told(&mut watch), [Noun::Media], "its name");
    assert!(
        store
            .delete_folder(workspace, folder.id, OPERATOR, NOON)
            .await
            .unwrap()
    );
    assert_eq!(told(&mut watch), [Noun::Media], "its end");
    assert!(
        !store
            .delete_folder(workspace, folder.id, OPERATOR, NOON)
            .await
            .unwrap()
    );
    store
        .update_media(workspace, media.id, &changes, BY_OPERATOR)
        .await
        .unwrap();
    assert_eq!(told(&mut watch), [], "neither is there");
}

async fn an_upload_is_told_when_it_begins_and_ends_and_not_of_its_bytes(store: Store) {
    let world = World::new(store.clone()).await;
    let (workspace, mut watch) = (world.workspace, store.watch(world.workspace));
    let new = upload();
    let begun = store.create_upload(workspace, &new, None).await.unwrap();
    assert_eq!((begun, told(&mut watch)), (BeginUpload::Begun, vec![Noun::Media]));
    for (from, to) in [(0, 40), (40, 100)] {
        assert!(
            store
                .advance_upload(workspace, new.media.id, (from, to), None)
                .await
                .unwrap()
        );
    }
    assert_eq!(told(&mut watch), []);
    assert!(store.finish_upload(workspace, &new.media, NOON).await.unwrap());
    assert_eq!(told(&mut watch), [Noun::Media]);
}

async fn accounts_and_people_are_told(store: Store) {
    let world = World::new(store.clone()).await;
    let (workspace, mut watch) = (world.workspace, store.watch(world.workspace));
    assert!(must_reconnect(&store, world.platform).await);
    assert_eq!(told(&mut watch), [Noun::Platform]);
    let guest = new_user(&store).await;
    store
        .add_member(workspace, guest, Role::Member, NOON)
        .await
        .unwrap();
    assert_eq!(told(&mut watch), [Noun::Member]);
    let by = By {
        role: Role::Owner,
        actor: OPERATOR,
    };
    store.remove_member(workspace, by, guest, NOON).await.unwrap();
    assert_eq!(told(&mut watch), [Noun::Member]);
    let changes = WorkspaceChanges {
        name: None,
        time_zone: Zone::parse("Asia/Tokyo"),
        lateness_policy: None,
    };
    store
        .update_workspace(workspace, &changes, by, NOON)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(told(&mut watch), [Noun::Member]);
    store
        .remove_platform(workspace, world.platform, OPERATOR, NOON)
        .await
        .unwrap();
    assert_eq!(told(&mut watch), [Noun::Platform]);
}

async fn what_is_not_committed_and_what_others_do_is_not_told(store: Store) {
    let world = World::new(store.clone()).await;
    let mut watch = store.watch(world.workspace);
    world.neighbour().await.post(true, None).await;
    let group = new_group(world.platform, true, None);
    let none_left = MonthlyLimit { limit: 0 };
    store
        .create_groups(world.workspace, vec![group], Some(none_left), NOON)
        .await
        .unwrap();
    assert_eq!(told(&mut watch), []);
}

async fn whoever_reads_late_is_told_of_everything_once(store: Store) {
    let world = World::new(store.clone()).await;
    let mut watch = store.watch(world.workspace);
    for _ in 0..3 {
        world.post(true, None).await;
        world.media(10).await;
    }
    assert_eq!(told(&mut watch), [Noun::Post, Noun::Media]);
    assert_eq!(told(&mut watch), []);
    let mut later = store.watch(world.workspace);
    world.post(false, None).await;
    assert_eq!(
        (told(&mut watch), told(&mut later)),
        (vec![Noun::Post], vec![Noun::Post])
    );
}

async fn who_may_look_is_a_member_in_a_session_that_goes_on(store: Store) {
    let world = World::new(store.clone()).await;
    let session = NewSession {
        id: new_id(NOON),
        hash: hash(),
        address: None,
        program: None,
    };
    begin_session(&store, &session, world.owner, NOON).await;
    let may = async |workspace, hash, now| store.may_look(workspace, hash, now).await.unwrap();
    assert!(may(world.workspace, session.hash, NOON.plus(DAY * 29)).await);
    assert!(
        !may(world.workspace, session.hash, NOON.plus(DAY * 30)).await,
        "looking keeps no session"
    );
    assert!(!may(world.workspace, hash(), NOON).await);
    assert!(!may(world.neighbour().await.workspace, session.hash, NOON).await);
}

/// PostgreSQL alone has second nodes.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_changes_on_another_node_is_told_here() {
    super::harness::on_postgres(|store| async move {
        let url = super::harness::url_of(&store).await;
        let other = Store::connect(&url, super::harness::vault()).await.unwrap();
        let world = World::new(store.clone()).await;
        store.spread_changes_so_far().await.unwrap();
        let (mut here, mut there) = (store.watch(world.workspace), other.watch(world.workspace));
        let run = |store: &Store| {
            let store = store.clone();
            tokio::spawn(async move { tokio::join!(store.listen(), store.spread_changes()) })
        };
        let nodes = [run(&store), run(&other)];
        // Listening begins with everything: changes may have been missed before.
        for watch in [&mut here, &mut there] {
            assert_eq!(watch.next().await.unwrap(), Noun::ALL);
        }
        world.post(false, None).await;
        assert_eq!(here.next().await.unwrap(), [Noun::Post]);
        assert_eq!(there.next().await.unwrap(), [Noun::Post]);
        // A node receives its own notification too, and before that of the other: it does not count it twice.
        let folder = other.create_folder(world.workspace, "Kites", NOON).await.unwrap();
        assert!(matches!(folder, CreateFolder::Created(_)));
        assert_eq!(here.next().await.unwrap(), [Noun::Media]);
        nodes.iter().for_each(tokio::task::JoinHandle::abort);
        other.close().await;
    })
    .await;
}
