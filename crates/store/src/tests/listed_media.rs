//! Lists read a copy of each post's media, which is never of others than the post has.

use playout_domain::id::{MediaId, PostId};
use sqlx::AssertSqlSafe;

use super::group_changes::nothing;
use super::harness::on_both;
use super::world::{MINUTE, NOON, OPERATOR, World, new_group};
use crate::db::params;
use crate::{DeleteMedia, GroupChanges, Page, PostFilter, SeedPosts, Store, UpdateGroup};

on_both!(
    a_list_shows_the_media_that_a_post_was_changed_to,
    a_list_shows_what_a_program_without_the_copy_has_written,
    a_media_object_that_is_deleted_leaves_the_lists_of_published_posts,
    a_media_object_of_many_published_posts_is_deleted_without_their_locks,
    the_trigger_is_made_again_where_it_is_missing,
    a_copy_that_cannot_be_read_is_named,
);

/// A draft with these media.
async fn draft(world: &World, media: &[MediaId]) -> PostId {
    let mut group = new_group(world.platform, false, None);
    group.root.media_ids = media.to_vec();
    world.group(group).await.id
}

async fn media<const COUNT: usize>(world: &World) -> [MediaId; COUNT] {
    let mut media = Vec::new();
    for _ in 0..COUNT {
        media.push(world.media(1).await.id);
    }
    media.try_into().unwrap()
}

/// The media of each post of the workspace, as a list has them.
async fn listed(world: &World) -> Vec<Vec<MediaId>> {
    let page = Page {
        limit: 10,
        after: None,
    };
    let every = PostFilter::default();
    let listed = world.store.list_root_posts(world.workspace, &every, page);
    let posts = listed.await.unwrap().posts.into_iter();
    posts.map(|post| post.media_ids).collect()
}

/// How many posts have a copy.
async fn copies(store: &Store) -> i64 {
    let sql = "SELECT COUNT(listed_media) AS copies FROM posts";
    let row = store.row(sql, params![]).await.unwrap().unwrap();
    row.of("posts").get("copies").unwrap()
}

async fn change(world: &World, post: PostId, media: &[MediaId]) {
    let judged = world
        .store
        .find_group(world.workspace, post)
        .await
        .unwrap()
        .unwrap();
    let changes = GroupChanges {
        media_ids: Some(media.to_vec()),
        ..nothing(&judged)
    };
    let changed = world.store.update_group(world.workspace, post, changes, NOON);
    assert!(matches!(changed.await.unwrap(), UpdateGroup::Updated(_)));
}

async fn a_list_shows_the_media_that_a_post_was_changed_to(store: Store) {
    let world = World::new(store.clone()).await;
    let [a, b, c] = media(&world).await;
    let post = draft(&world, &[a, b]).await;
    for (to, copied) in [(vec![c, a], 1), (vec![], 0), (vec![b], 1)] {
        change(&world, post, &to).await;
        assert_eq!(listed(&world).await, std::slice::from_ref(&to));
        assert_eq!(world.reload(post).await.media_ids, to);
        assert_eq!(copies(&store).await, copied);
    }
}

/// It changes the rows in `post_media`, and knows nothing of the column.
async fn a_list_shows_what_a_program_without_the_copy_has_written(store: Store) {
    let world = World::new(store.clone()).await;
    let [a, b] = media(&world).await;
    let added = "INSERT INTO post_media (workspace_id, post_id, position, media_id) VALUES ($1, $2, $3, $4)";
    let removed = "DELETE FROM post_media WHERE post_id = $1";
    for before in [vec![a, b], vec![b], vec![]] {
        let post = draft(&world, &before).await;
        store.execute(removed, params![post]).await.unwrap();
        for (position, id) in [b, a].into_iter().enumerate() {
            let values = params![world.workspace, post, position as u64, id];
            store.execute(added, values).await.unwrap();
        }
        assert_eq!(copies(&store).await, 0);
    }
    assert_eq!(listed(&world).await, vec![vec![b, a]; 3]);
}

async fn a_media_object_that_is_deleted_leaves_the_lists_of_published_posts(store: Store) {
    let world = World::new(store.clone()).await;
    let [a, b] = media(&world).await;
    let post = draft(&world, &[a, b]).await;
    let published = "UPDATE posts SET state = 'PUBLISHED' WHERE id = $1";
    store.execute(published, params![post]).await.unwrap();
    let deleted = store
        .delete_media(world.workspace, a, OPERATOR, NOON)
        .await
        .unwrap();
    assert!(matches!(deleted, DeleteMedia::Deleted(_)));
    assert_eq!(listed(&world).await, [[b]]);
}

/// A post that has no copy is not waited for, whatever else is done to it: those who do it lock it before its rows in `post_media`.
async fn a_media_object_of_many_published_posts_is_deleted_without_their_locks(store: Store) {
    let world = World::new(store.clone()).await;
    let [a] = media(&world).await;
    let seed = SeedPosts {
        count: 300,
        platforms: vec![world.platform],
        media_ids: vec![a],
        queued: false,
        first_at: NOON,
        step: MINUTE,
    };
    let posts = store.seed_posts(world.workspace, &seed, NOON).await.unwrap();
    let published = "UPDATE posts SET state = 'PUBLISHED'";
    store.execute(published, params![]).await.unwrap();
    let cleared = "UPDATE posts SET listed_media = NULL WHERE id = $1";
    store.execute(cleared, params![posts[0]]).await.unwrap();
    // SQLite locks no rows.
    let mut beside = None;
    if store.is_postgres() {
        let mut tx = store.begin().await.unwrap();
        let locked = "SELECT id FROM posts WHERE id = $1 FOR UPDATE";
        tx.rows(locked, params![posts[0]]).await.unwrap();
        beside = Some(tx);
    }
    let deleted = store
        .delete_media(world.workspace, a, OPERATOR, NOON)
        .await
        .unwrap();
    assert!(matches!(deleted, DeleteMedia::Deleted(_)));
    assert_eq!(copies(&store).await, 0);
    assert_eq!(listed(&world).await, vec![Vec::<MediaId>::new(); 10]);
    drop(beside);
}

async fn the_trigger_is_made_again_where_it_is_missing(store: Store) {
    let world = World::new(store.clone()).await;
    let [a, b] = media(&world).await;
    draft(&world, &[a, b]).await;
    let on = if store.is_postgres() { " ON post_media" } else { "" };
    let dropped = format!("DROP TRIGGER post_media_removed{on}");
    store.execute(AssertSqlSafe(dropped), params![]).await.unwrap();
    store.migrate().await.unwrap();
    let removed = "DELETE FROM post_media WHERE media_id = $1";
    store.execute(removed, params![a]).await.unwrap();
    assert_eq!(listed(&world).await, [[b]]);
}

async fn a_copy_that_cannot_be_read_is_named(store: Store) {
    let world = World::new(store.clone()).await;
    let [a] = media(&world).await;
    let post = draft(&world, &[a]).await;
    let damaged = "UPDATE posts SET listed_media = $2 WHERE id = $1";
    let bytes = params![post, &b"seventeen bytes.."[..]];
    store.execute(damaged, bytes).await.unwrap();
    let page = Page {
        limit: 10,
        after: None,
    };
    let every = PostFilter::default();
    let refused = store.list_root_posts(world.workspace, &every, page).await;
    let refused = refused.unwrap_err().to_string();
    let place = ["posts", "listed_media", &post.to_string()];
    assert!(place.iter().all(|part| refused.contains(part)), "{refused}");
}
