use std::collections::HashSet;

use playout_domain::id::PostId;
use playout_domain::post::PostState;
use playout_domain::time::Time;
use serde_json::json;

use super::harness::on_both;
use super::world::{DAY, HOUR, MINUTE, NOON, OPERATOR, World, connect, new_group, new_post};
use crate::{CreateGroups, LimitReached, MonthlyLimit, Page, PostFilter, SeedPosts, Store, StoreError};

on_both!(
    a_draft_counts_nothing_and_has_no_job,
    a_queued_post_counts_and_is_due_at_its_time,
    a_group_is_found_whole_by_any_of_its_posts,
    the_monthly_limit_is_all_or_nothing,
    the_monthly_limit_is_exact_when_a_hundred_create_at_once,
    posts_are_listed_by_effective_date_in_a_half_open_range,
    posts_can_be_filtered_by_state_account_and_text,
    pages_of_posts_neither_repeat_nor_skip_while_posts_are_added,
    pages_of_several_states_are_those_of_all_posts_in_these_states,
    media_that_vanished_meanwhile_make_a_conflict,
    seeded_posts_are_real_posts,
    a_list_has_the_media_of_each_post_in_order,
    settings_are_listed_as_they_were_given,
);

const ALL: Page = Page {
    limit: 1000,
    after: None,
};

async fn listed(world: &World, filter: &PostFilter) -> Vec<PostId> {
    let posts = world
        .store
        .list_root_posts(world.workspace, filter, ALL)
        .await
        .unwrap();
    posts.posts.iter().map(|post| post.id).collect()
}

async fn a_draft_counts_nothing_and_has_no_job(store: Store) {
    let world = World::new(store.clone()).await;
    let post = world.post(false, Some(NOON.plus(DAY))).await;
    assert_eq!(post.state, PostState::Draft);
    assert_eq!(world.posts_used().await, 0);
    assert!(world.events().await.is_empty());
    assert!(
        world
            .claim_at(NOON.plus(DAY * 2))
            .await
            .iter()
            .all(|job| job.post_id.is_none())
    );
}

async fn a_queued_post_counts_and_is_due_at_its_time(store: Store) {
    let world = World::new(store.clone()).await;
    let at = NOON.plus(HOUR);
    let post = world.post(true, Some(at)).await;
    assert_eq!(world.posts_used().await, 1);
    assert_eq!(world.events().await, ["post.queued"]);
    assert_eq!(store.next_run_at().await.unwrap(), Some(at));
    assert!(
        world
            .claim_at(Time::from_micros(at.as_micros() - 1))
            .await
            .is_empty()
    );
    let jobs = world.claim_at(at).await;
    assert_eq!(
        (jobs.len(), jobs[0].post_id, jobs[0].attempt),
        (1, Some(post.id), 1)
    );
    assert_eq!(jobs[0].deadline_at, at.plus(DAY));
}

async fn a_group_is_found_whole_by_any_of_its_posts(store: Store) {
    let world = World::new(store.clone()).await;
    let (one, two) = (world.media(1).await, world.media(1).await);
    let mut group = new_group(world.platform, true, None);
    group.root.media_ids = vec![two.id, one.id, two.id];
    group.children = vec![new_post("first"), new_post("second")];
    group.children[1].delay_minutes = Some(5);
    let created = store
        .create_groups(world.workspace, vec![group.clone()], None, NOON)
        .await
        .unwrap();
    let CreateGroups::Created(created) = created else {
        panic!("no limit was given")
    };
    for id in [group.root.id, group.children[0].id, group.children[1].id] {
        let found = store.find_group(world.workspace, id).await.unwrap().unwrap();
        assert_eq!(found.group, created[0]);
    }
    let root = &created[0].root;
    assert_eq!(root.media_ids, [two.id, one.id, two.id]);
    assert_eq!(created[0].children[1].delay_minutes, Some(5));
    assert!(
        created[0]
            .children
            .iter()
            .all(|child| child.parent_id == Some(root.id))
    );
    let neighbour = world.neighbour().await;
    assert!(
        store
            .find_group(neighbour.workspace, root.id)
            .await
            .unwrap()
            .is_none()
    );
}

async fn the_monthly_limit_is_all_or_nothing(store: Store) {
    let world = World::new(store.clone()).await;
    let quota = Some(MonthlyLimit { limit: 2 });
    let three = (0..3).map(|_| new_group(world.platform, true, None)).collect();
    let outcome = store
        .create_groups(world.workspace, three, quota, NOON)
        .await
        .unwrap();
    let resets_at = Time::parse("2026-12-01T00:00:00Z").unwrap();
    assert_eq!(
        outcome,
        CreateGroups::LimitReached(LimitReached {
            limit: 2,
            used: 0,
            resets_at
        })
    );
    assert!(listed(&world, &PostFilter::default()).await.is_empty());
    let drafts = (0..3).map(|_| new_group(world.platform, false, None)).collect();
    let outcome = store
        .create_groups(world.workspace, drafts, quota, NOON)
        .await
        .unwrap();
    assert!(matches!(outcome, CreateGroups::Created(groups) if groups.len() == 3));
    let next_month = NOON.plus(DAY * 15);
    let two = (0..2).map(|_| new_group(world.platform, true, None)).collect();
    store
        .create_groups(world.workspace, two, quota, next_month)
        .await
        .unwrap();
    assert_eq!(world.posts_used().await, 0);
    assert_eq!(store.usage(world.workspace, "2026-12").await.unwrap().posts, 2);
}

async fn the_monthly_limit_is_exact_when_a_hundred_create_at_once(store: Store) {
    let world = World::new(store.clone()).await;
    let tasks: Vec<_> = (0..100)
        .map(|_| {
            let world = world.clone();
            tokio::spawn(async move {
                let groups = vec![new_group(world.platform, true, None)];
                let quota = Some(MonthlyLimit { limit: 10 });
                world
                    .store
                    .create_groups(world.workspace, groups, quota, NOON)
                    .await
                    .unwrap()
            })
        })
        .collect();
    let mut created = 0;
    for task in tasks {
        created += u32::from(matches!(task.await.unwrap(), CreateGroups::Created(_)));
    }
    assert_eq!(created, 10);
    assert_eq!(world.posts_used().await, 10);
    assert_eq!(listed(&world, &PostFilter::default()).await.len(), 10);
}

async fn posts_are_listed_by_effective_date_in_a_half_open_range(store: Store) {
    let world = World::new(store.clone()).await;
    let late = world.post(true, Some(NOON.plus(HOUR * 2))).await;
    let unscheduled = world.post(false, None).await;
    let early = world.post(false, Some(NOON.minus(HOUR))).await;
    let all = [early.id, unscheduled.id, late.id];
    assert_eq!(listed(&world, &PostFilter::default()).await, all);
    let range = PostFilter {
        start: Some(NOON),
        end: Some(NOON.plus(HOUR * 2)),
        ..PostFilter::default()
    };
    assert_eq!(listed(&world, &range).await, [unscheduled.id]);
    let neighbour = world.neighbour().await;
    assert!(listed(&neighbour, &PostFilter::default()).await.is_empty());
}

async fn posts_can_be_filtered_by_state_account_and_text(store: Store) {
    let world = World::new(store.clone()).await;
    let other = connect(&store, world.workspace, "account-2").await;
    let draft = world.post(false, None).await;
    let queued = world.post(true, None).await;
    let mut group = new_group(other, false, None);
    group.root.content = "100% Of_it \\o/".to_owned();
    group.children = vec![new_post("100% of_it")];
    let elsewhere = world.group(group).await;
    let by_state = |states: &[PostState]| PostFilter {
        states: states.to_vec(),
        ..PostFilter::default()
    };
    assert_eq!(listed(&world, &by_state(&[PostState::Queue])).await, [queued.id]);
    let both = by_state(&[PostState::Draft, PostState::Queue]);
    assert_eq!(listed(&world, &both).await.len(), 3);
    let by_account = PostFilter {
        platform_ids: Some(vec![other]),
        ..PostFilter::default()
    };
    assert_eq!(listed(&world, &by_account).await, [elsewhere.id]);
    for (q, found) in [("0% oF_", true), ("\\O", true), ("%of", false), ("100_", false)] {
        let filter = PostFilter {
            q: Some(q.to_owned()),
            ..PostFilter::default()
        };
        assert_eq!(listed(&world, &filter).await == [elsewhere.id], found, "{q}");
    }
    let hello = PostFilter {
        q: Some("HELLO".to_owned()),
        ..by_state(&[PostState::Draft])
    };
    assert_eq!(listed(&world, &hello).await, [draft.id]);
}

async fn pages_of_posts_neither_repeat_nor_skip_while_posts_are_added(store: Store) {
    let world = World::new(store.clone()).await;
    let mut before = HashSet::new();
    for number in 0..20u32 {
        before.insert(world.post(false, Some(NOON.plus(MINUTE * (number / 4)))).await.id);
    }
    let (mut seen, mut after) = (Vec::new(), None);
    let mut added = 0u32;
    loop {
        let page = Page { limit: 3, after };
        let posts = store
            .list_root_posts(world.workspace, &PostFilter::default(), page)
            .await
            .unwrap()
            .posts;
        let Some(last) = posts.last() else { break };
        after = Some((last.scheduled_for.unwrap(), last.id.0));
        seen.extend(posts.iter().map(|post| post.id));
        // One before the place where the reader is, so that counted pages would repeat a row.
        world.post(false, Some(NOON.minus(MINUTE * added))).await;
        added += 1;
    }
    let distinct: HashSet<PostId> = seen.iter().copied().collect();
    assert_eq!(distinct.len(), seen.len());
    assert!(before.is_subset(&distinct));
}

/// Posts of two states in turns, some at the same time; each has comments, which are no posts of the list.
async fn pages_of_several_states_are_those_of_all_posts_in_these_states(store: Store) {
    let world = World::new(store.clone()).await;
    for number in 0..24u32 {
        let at = NOON.plus(MINUTE * (number / 3));
        let mut group = new_group(world.platform, number % 2 == 0, Some(at));
        group.children = vec![new_post("a comment")];
        world.group(group).await;
    }
    for latest_first in [false, true] {
        let all = PostFilter {
            start: Some(NOON.plus(MINUTE)),
            end: Some(NOON.plus(MINUTE * 7)),
            latest_first,
            ..PostFilter::default()
        };
        for states in [vec![PostState::Draft], vec![PostState::Draft, PostState::Queue]] {
            let page = Page {
                limit: 100,
                after: None,
            };
            let posts = store
                .list_root_posts(world.workspace, &all, page)
                .await
                .unwrap()
                .posts;
            let in_states = posts.iter().filter(|post| states.contains(&post.state));
            let expected: Vec<PostId> = in_states.map(|post| post.id).collect();
            let filter = PostFilter {
                states,
                ..all.clone()
            };
            let (mut seen, mut after) = (Vec::new(), None);
            loop {
                let page = Page { limit: 4, after };
                let posts = store
                    .list_root_posts(world.workspace, &filter, page)
                    .await
                    .unwrap()
                    .posts;
                let Some(last) = posts.last() else { break };
                after = Some((last.scheduled_for.unwrap(), last.id.0));
                seen.extend(posts.iter().map(|post| post.id));
            }
            assert_eq!(seen, expected, "{filter:?}");
        }
    }
}

async fn media_that_vanished_meanwhile_make_a_conflict(store: Store) {
    let world = World::new(store.clone()).await;
    let media = world.media(1).await;
    store
        .delete_media(world.workspace, media.id, OPERATOR, NOON)
        .await
        .unwrap();
    let mut group = new_group(world.platform, true, None);
    group.root.media_ids = vec![media.id];
    let outcome = store
        .create_groups(world.workspace, vec![group], None, NOON)
        .await;
    assert!(matches!(outcome, Err(StoreError::Conflict { .. })));
    assert_eq!(world.posts_used().await, 0);
}

async fn seeded_posts_are_real_posts(store: Store) {
    let world = World::new(store.clone()).await;
    let media = world.media(1).await;
    let seed = SeedPosts {
        count: 1201,
        platforms: vec![world.platform],
        media_ids: vec![media.id],
        queued: true,
        first_at: NOON.plus(HOUR),
        step: MINUTE,
    };
    let ids = store.seed_posts(world.workspace, &seed, NOON).await.unwrap();
    assert_eq!(ids.len(), 1201);
    let page = Page {
        limit: 2000,
        after: None,
    };
    let posts = store
        .list_root_posts(world.workspace, &PostFilter::default(), page)
        .await
        .unwrap()
        .posts;
    assert_eq!(posts.iter().map(|post| post.id).collect::<Vec<_>>(), ids);
    assert!(posts.iter().all(|post| post.media_ids == [media.id]));
    assert_eq!(world.posts_used().await, 1201);
}

async fn a_list_has_the_media_of_each_post_in_order(store: Store) {
    let world = World::new(store.clone()).await;
    let mut media = Vec::new();
    for _ in 0..12 {
        media.push(world.media(1).await.id);
    }
    let mut expected = Vec::new();
    for (number, count) in [0, 12, 1, 0, 7].into_iter().enumerate() {
        // Not in the order of their identifiers.
        media.rotate_left(5);
        let at = NOON.plus(MINUTE * u32::try_from(number).unwrap());
        let mut group = new_group(world.platform, false, Some(at));
        group.root.media_ids = media[..count].to_vec();
        let root = world.group(group).await;
        assert_eq!(world.reload(root.id).await.media_ids, media[..count]);
        expected.push(media[..count].to_vec());
    }
    let every = PostFilter::default();
    let listed = store.list_root_posts(world.workspace, &every, ALL);
    let posts = listed.await.unwrap().posts;
    let found: Vec<_> = posts.into_iter().map(|post| post.media_ids).collect();
    assert_eq!(found, expected);
}

async fn settings_are_listed_as_they_were_given(store: Store) {
    let world = World::new(store.clone()).await;
    let given = json!({ "a": ["b, c: d", 1.5, -3, null, {}], "e": "\u{e9}\n\"", "f": 123 });
    let mut group = new_group(world.platform, false, Some(NOON));
    group.root.settings = given.as_object().unwrap().clone();
    let root = world.group(group).await;
    let every = PostFilter::default();
    let listed = store.list_root_posts(world.workspace, &every, ALL);
    let posts = listed.await.unwrap().posts;
    let text = posts[0].settings.as_str();
    let read = world.reload(root.id).await.settings;
    assert_eq!(text, serde_json::to_string(&read).unwrap());
    assert_eq!(read, *given.as_object().unwrap());
}
