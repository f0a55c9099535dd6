//! Plans of the queries that lists, the worker and every request run: none reads a whole table, and none of the
//! lists sorts more than its page.

use playout_domain::audit::Action;
use playout_domain::id::{JobId, WebhookId};
use playout_domain::job::JobQueue;
use playout_domain::media::MediaType;
use playout_domain::post::PostState;
use sqlx::AssertSqlSafe;

use super::harness::on_both;
use super::world::{DAY, HOUR, MINUTE, NOON, World, hash};
use crate::accounts::revocations::{NEXT_REVOCATION, claim_sql as claim_revocation_sql};
use crate::audit::{AuditFilter, DELETE_ENDED_TRAILS, audit_list};
use crate::db::store::Pools;
use crate::db::{Param, Row, params};
use crate::delivery::claims::{NEXT_DUE, claim_sql, next_sql, renew_sql, still_held_sql};
use crate::delivery::fetches::{FIND_FETCH, RECORD_FETCH};
use crate::delivery::matches::{
    CONNECTIONS, DELETED_MAY_BE_OUT, FIND_RELEASE, MAY_BE_OUT_AFTER, POSTS_AFTER, texts_among,
    texts_of_tries_among, with_posts_that_may_be_out,
};
use crate::delivery::opening::SAME_ACCOUNT;
use crate::delivery::provider_events::{KNOWN_HANDLE, LOST_PULLS, LOST_WITH_ITS_POST, MAY_BE_FORGOTTEN};
use crate::delivery::releases::RELEASE_OF_ANOTHER;
use crate::delivery::restrictions::FIND_RESTRICTIONS;
use crate::delivery::start_lookup::{groups_of, media_among, platforms_among};
use crate::delivery::submission_counts::{QUEUED_BETWEEN, RECENT_HAND_OVERS, TAKEN_FROM, TAKEN_SINCE};
use crate::delivery::submissions::{find_by_handle_sql, unsettled_among};
use crate::instance::sweep::DELETE_OLD_DELIVERIES;
use crate::media::folders::HAS_FOLDERS;
use crate::media::read::media_list;
use crate::media::unnamed_files::note_unnamed;
use crate::media::uploads::HAS_UNFINISHED_UPLOADS;
use crate::people::activity::LIST_ACTIVITY;
use crate::people::keys::{FIND_KEY, HAS_KEYS};
use crate::people::sessions::{LIST_SESSIONS, MAY_LOOK};
use crate::posts::read::{Among, place_after, post_list, post_list_among};
use crate::webhooks::deliveries::LIST_DELIVERIES;
use crate::webhooks::fan_out::LISTENING;
use crate::webhooks::read::LIST_WEBHOOKS;
use crate::webhooks::tries::{NEXT_DELIVERY, claim_sql as claim_deliveries_sql, receivers_sql};
use crate::{
    ClaimDeliveries, ClaimLimits, Excluded, InFolder, ListedFile, MediaFilter, Page, PostFilter, SeedPosts,
    Store,
};

on_both!(
    lists_of_posts_read_no_more_than_their_page,
    lists_of_media_read_no_more_than_their_page,
    a_key_is_looked_up_by_its_hash,
    who_may_look_is_looked_up_by_the_session,
    the_sessions_of_a_person_are_looked_up_by_the_person,
    claiming_reads_only_what_is_due,
    leases_are_renewed_by_the_ids_of_their_jobs,
    what_claimed_posts_need_is_looked_up_by_their_ids,
    giving_access_back_reads_only_what_is_due,
    a_fetch_is_looked_up_by_its_token,
    what_limits_an_account_is_looked_up_by_the_account,
    news_are_looked_up_by_their_handle_and_by_what_has_none,
    what_may_be_a_listed_post_is_looked_up_by_its_account,
    sending_to_webhooks_reads_only_what_is_due_and_lists_no_more_than_their_page,
    what_a_workspace_has_so_many_of_is_counted_in_an_index,
    the_audit_trail_reads_no_more_than_its_page,
    a_persons_activity_reads_no_more_than_its_page,
    files_of_the_storage_are_looked_up_by_their_keys,
    sweeping_the_trails_of_deleted_workspaces_reads_only_theirs,
);

/// Fails if the database would read a whole table for this statement. Results that the statement has just computed
/// are read whole, of course, as are its parameters: `computed` names them.
async fn assert_indexed(store: &Store, sql: &str, params: Vec<Param>, computed: &[&str]) {
    let plan = plan(store, sql, params).await;
    let is_computed = |line: &str| {
        ["SCAN (subquery", "CONSTANT ROW"]
            .iter()
            .any(|own| line.contains(own))
            || computed.iter().any(|name| line.contains(&format!("SCAN {name}")))
    };
    let scans = |line: &String| line.contains("Seq Scan") || (line.starts_with("SCAN") && !is_computed(line));
    assert!(!plan.iter().any(scans), "{sql}\n{}", plan.join("\n"));
}

/// Fails if the database would sort the rows of this list, rather than read them in order until the page is full.
async fn assert_read_in_order(store: &Store, sql: &str, params: Vec<Param>) {
    let plan = plan(store, sql, params.clone()).await;
    let sorts = |line: &String| line.contains("TEMP B-TREE") || line.contains("Sort");
    assert!(!plan.iter().any(sorts), "{sql}\n{}", plan.join("\n"));
    assert_indexed(store, sql, params, &[]).await;
}

async fn plan(store: &Store, sql: &str, params: Vec<Param>) -> Vec<String> {
    let mut tx = store.begin().await.unwrap();
    let (explain, column) = match store.0.pools {
        Pools::Sqlite { .. } => ("EXPLAIN QUERY PLAN", "detail"),
        Pools::Postgres(_) => {
            for avoided in ["enable_seqscan", "enable_bitmapscan", "enable_sort"] {
                let sql = format!("SET LOCAL {avoided} = off");
                tx.execute(AssertSqlSafe(sql), params![]).await.unwrap();
            }
            ("EXPLAIN", "QUERY PLAN")
        }
    };
    let rows = tx
        .rows(AssertSqlSafe(format!("{explain} {sql}")), params)
        .await
        .unwrap();
    rows.iter()
        .map(|row: &Row| row.of("plan").get::<String>(column).unwrap())
        .collect()
}

/// Fails if the database would do more than read an index of jobs in order.
async fn assert_first_of_index(store: &Store, sql: &str, params: Vec<Param>) {
    let plan = plan(store, sql, params).await.join(" ");
    let sorts = plan.contains("Sort") || plan.contains("B-TREE");
    assert!(
        plan.contains("jobs_due") && !plan.contains("Seq Scan") && !sorts,
        "{plan}"
    );
}

async fn filled(store: &Store) -> World {
    let world = World::new(store.clone()).await;
    for queued in [true, false] {
        let seed = SeedPosts {
            count: 500,
            platforms: vec![world.platform],
            media_ids: Vec::new(),
            queued,
            first_at: NOON.minus(HOUR),
            step: MINUTE,
        };
        store.seed_posts(world.workspace, &seed, NOON).await.unwrap();
    }
    // PostgreSQL does so by itself, sooner or later; SQLite never does.
    if let Pools::Postgres(_) = store.0.pools {
        store.execute("ANALYZE posts, jobs", params![]).await.unwrap();
    }
    world
}

async fn lists_of_posts_read_no_more_than_their_page(store: Store) {
    let world = filled(&store).await;
    let page = Page {
        limit: 100,
        after: Some((NOON, world.workspace.0)),
    };
    let plain = PostFilter {
        start: Some(NOON),
        end: Some(NOON.plus(DAY)),
        ..PostFilter::default()
    };
    let of_account = PostFilter {
        platform_ids: Some(vec![world.platform]),
        ..plain.clone()
    };
    let picky = PostFilter {
        states: vec![PostState::Queue],
        q: Some("x".to_owned()),
        ..plain.clone()
    };
    for filter in [PostFilter::default(), plain, of_account, picky] {
        for latest_first in [false, true] {
            let filter = PostFilter {
                latest_first,
                ..filter.clone()
            };
            for page in [page, Page { after: None, ..page }] {
                let (sql, params) = post_list(world.workspace, &filter, page, store.dialect());
                assert_read_in_order(&store, &sql, params).await;
                let (sql, params) = place_after(world.workspace, &filter, page, 2_000);
                assert_read_in_order(&store, &sql, params).await;
                let among = Among::Before((NOON, world.workspace.0));
                let (sql, params) = post_list_among(&among, world.workspace, &filter, page, store.dialect());
                assert_read_in_order(&store, &sql, params).await;
            }
        }
    }
}

async fn lists_of_media_read_no_more_than_their_page(store: Store) {
    let world = filled(&store).await;
    let page = Page {
        limit: 100,
        after: Some((NOON, world.workspace.0)),
    };
    for folder in [
        InFolder::All,
        InFolder::Root,
        InFolder::In(world.workspace.0.into()),
    ] {
        for media_type in [None, Some(MediaType::Image)] {
            let (sql, params) = media_list(world.workspace, MediaFilter { folder, media_type }, page);
            assert_read_in_order(&store, &sql, params).await;
        }
    }
}

async fn a_key_is_looked_up_by_its_hash(store: Store) {
    filled(&store).await;
    assert_indexed(&store, FIND_KEY, params![hash(), hash(), NOON], &[]).await;
}

async fn who_may_look_is_looked_up_by_the_session(store: Store) {
    let world = filled(&store).await;
    assert_indexed(&store, MAY_LOOK, params![world.workspace, hash(), NOON], &[]).await;
}

async fn the_sessions_of_a_person_are_looked_up_by_the_person(store: Store) {
    let world = filled(&store).await;
    let plan = plan(&store, LIST_SESSIONS, params![world.owner, NOON, 100u32])
        .await
        .join(" ");
    assert!(plan.contains("sessions_user"), "{plan}");
    assert_indexed(&store, LIST_SESSIONS, params![world.owner, NOON, 100u32], &[]).await;
}

async fn claiming_reads_only_what_is_due(store: Store) {
    let world = filled(&store).await;
    let full = Excluded {
        accounts: vec![world.platform],
        workspaces: vec![world.workspace],
    };
    for without in [Excluded::default(), full] {
        let limits = ClaimLimits {
            queue: JobQueue::Start,
            limit: 10,
            per_account: 4,
            without: &without,
            lease: MINUTE,
        };
        let (sql, params) = claim_sql(&store.begin().await.unwrap(), "worker-1", &limits, NOON);
        let plan = plan(&store, &sql, params.clone()).await.join(" ");
        assert!(plan.contains("jobs_due"), "{plan}");
        assert_indexed(
            &store,
            &sql,
            params,
            &["candidates", "turns", "shortlist", "picked"],
        )
        .await;
        // Those that are excluded are passed over in the index.
        let (sql, params) = next_sql(JobQueue::Start, &without);
        assert_first_of_index(&store, &sql, params).await;
    }
    assert_first_of_index(&store, NEXT_DUE, params![]).await;
}

async fn leases_are_renewed_by_the_ids_of_their_jobs(store: Store) {
    let world = filled(&store).await;
    let held = [(JobId(world.workspace.0), 1), (JobId(world.platform.0), 2)];
    let tx = store.begin().await.unwrap();
    let renewing = renew_sql(&tx, &held, "worker-1", NOON.plus(MINUTE), NOON);
    drop(tx);
    let looking = still_held_sql(&held, "worker-1", NOON);
    for (sql, params) in [renewing, looking] {
        assert_indexed(&store, &sql, params, &["held", "ours"]).await;
    }
}

async fn what_claimed_posts_need_is_looked_up_by_their_ids(store: Store) {
    let world = filled(&store).await;
    let ids = params![world.workspace, world.workspace];
    for sql in [
        groups_of("$1, $2"),
        platforms_among("$1, $2"),
        media_among("$1, $2"),
        unsettled_among("$1, $2"),
    ] {
        assert_indexed(&store, &sql, ids.clone(), &[]).await;
    }
}

async fn giving_access_back_reads_only_what_is_due(store: Store) {
    filled(&store).await;
    let sql = claim_revocation_sql(&store.begin().await.unwrap());
    assert_indexed(&store, &sql, params![NOON, NOON.plus(MINUTE)], &["picked"]).await;
    let plan = plan(&store, NEXT_REVOCATION, params![]).await.join(" ");
    assert!(
        plan.contains("revocations_due") && !plan.contains("Sort") && !plan.contains("B-TREE"),
        "{plan}"
    );
}

async fn a_fetch_is_looked_up_by_its_token(store: Store) {
    filled(&store).await;
    assert_indexed(&store, FIND_FETCH, params![hash()], &[]).await;
    assert_indexed(&store, RECORD_FETCH, params![hash(), NOON], &[]).await;
}

async fn what_limits_an_account_is_looked_up_by_the_account(store: Store) {
    let world = filled(&store).await;
    let (workspace, platform, since) = (world.workspace, world.platform, NOON.minus(DAY));
    assert_indexed(&store, FIND_RESTRICTIONS, params!["tiktok", "account-1"], &[]).await;
    assert_indexed(
        &store,
        TAKEN_FROM,
        params![workspace, platform, since, 200u32],
        &[],
    )
    .await;
    assert_indexed(&store, TAKEN_SINCE, params![workspace, since], &[]).await;
    assert_indexed(
        &store,
        RECENT_HAND_OVERS,
        params![platform, since, NOON, 6u32],
        &[],
    )
    .await;
    assert_indexed(&store, SAME_ACCOUNT, params![platform], &[]).await;
    let (_, last_posts) = QUEUED_BETWEEN.split_once("FROM (").unwrap();
    let (last_posts, _) = last_posts.rsplit_once(')').unwrap();
    assert_read_in_order(
        &store,
        last_posts,
        params![workspace, platform, since, NOON, 40u32],
    )
    .await;
}

async fn news_are_looked_up_by_their_handle_and_by_what_has_none(store: Store) {
    let world = filled(&store).await;
    let (by_handle, lost, known) = (find_by_handle_sql(), LOST_PULLS, KNOWN_HANDLE);
    assert_indexed(&store, &by_handle, params![world.platform, "v_pub"], &[]).await;
    assert_indexed(&store, known, params![world.platform, "v_pub"], &[]).await;
    assert_indexed(&store, MAY_BE_FORGOTTEN, params![world.platform, NOON], &[]).await;
    assert_indexed(&store, FIND_RELEASE, params![world.platform, "7"], &[]).await;
    let release = params![world.platform, "7", world.workspace];
    assert_indexed(&store, RELEASE_OF_ANOTHER, release, &[]).await;
    assert_indexed(&store, LOST_WITH_ITS_POST, params![world.platform, NOON], &[]).await;
    let plan = plan(&store, lost, params![world.platform, NOON]).await.join(" ");
    assert!(plan.contains("submissions_lost"), "{plan}");
}

/// How many posts there are of other accounts, or that are out and known, makes no difference.
async fn what_may_be_a_listed_post_is_looked_up_by_its_account(store: Store) {
    let world = filled(&store).await;
    store.build_indexes().await.unwrap();
    if let Pools::Postgres(_) = store.0.pools {
        let tables = "ANALYZE posts, submissions, removed_submissions, platforms, account_handles";
        store.execute(tables, params![]).await.unwrap();
    }
    let (workspace, platform) = (world.workspace, world.platform);
    assert_indexed(&store, CONNECTIONS, params![platform], &[]).await;
    let page = params![workspace, platform, NOON, workspace, 1000u32];
    assert_read_in_order(&store, POSTS_AFTER, page).await;
    let page = params![NOON, platform, workspace, 1000u32];
    assert_indexed(&store, MAY_BE_OUT_AFTER, page.clone(), &["page"]).await;
    let of_page = plan(&store, MAY_BE_OUT_AFTER, page).await.join(" ");
    assert!(of_page.contains("posts_marked_by_id"), "{of_page}");
    let posts = params![workspace, workspace];
    assert_indexed(&store, &texts_among("$1, $2"), posts.clone(), &[]).await;
    assert_indexed(&store, &texts_of_tries_among("$1, $2"), posts, &[]).await;
    let may_be_out = with_posts_that_may_be_out("$2, $3");
    let params = params![NOON, platform, platform];
    assert_indexed(&store, &may_be_out, params.clone(), &[]).await;
    let plan = plan(&store, &may_be_out, params).await.join(" ");
    for index in [
        "posts_without_release",
        "posts_marked_by_id",
        "posts_waiting",
        "submissions_unsettled",
    ] {
        assert!(plan.contains(index), "{index}: {plan}");
    }
    assert_indexed(&store, DELETED_MAY_BE_OUT, params![platform, [0_u8; 32]], &[]).await;
}

async fn sending_to_webhooks_reads_only_what_is_due_and_lists_no_more_than_their_page(store: Store) {
    let world = filled(&store).await;
    let (workspace, any) = (world.workspace, world.workspace);
    let tx = store.begin().await.unwrap();
    let free = ClaimDeliveries {
        limit: 10,
        per_webhook: 4,
        per_workspace: 8,
        busy: &[],
        without: &[],
        in_flight: &[],
        lease: MINUTE,
    };
    let hooks = [WebhookId(any.0); 2];
    let busy = ClaimDeliveries {
        busy: &hooks,
        without: &[any, any],
        in_flight: &[(any, 3)],
        ..free
    };
    let (free, busy) = (claim_deliveries_sql(&tx, &free), claim_deliveries_sql(&tx, &busy));
    drop(tx);
    let computed = ["candidates", "webhook_turns", "turns", "shortlist", "picked"];
    let claim = params![NOON, 10i64, "node-1", NOON.plus(MINUTE), NOON.plus(DAY)];
    assert_indexed(&store, &free, claim.clone(), &computed).await;
    assert_indexed(
        &store,
        &busy,
        [claim, params![any, any, any, any, any]].concat(),
        &computed,
    )
    .await;
    assert_indexed(&store, &receivers_sql("$1, $2"), params![any, any], &[]).await;
    assert_indexed(&store, LISTENING, params![workspace], &[]).await;
    assert_indexed(&store, DELETE_OLD_DELIVERIES, params![NOON], &[]).await;
    assert_read_in_order(&store, LIST_WEBHOOKS, params![workspace]).await;
    assert_read_in_order(
        &store,
        LIST_DELIVERIES,
        params![workspace, any, NOON, any, 100u32],
    )
    .await;
    let plan = plan(&store, NEXT_DELIVERY, params![]).await.join(" ");
    assert!(
        plan.contains("webhook_deliveries_due") && !plan.contains("Sort") && !plan.contains("B-TREE"),
        "{plan}"
    );
}

async fn what_a_workspace_has_so_many_of_is_counted_in_an_index(store: Store) {
    let world = filled(&store).await;
    assert_indexed(&store, HAS_FOLDERS, params![world.workspace, 1000u32], &[]).await;
    for (sql, params, index) in [
        (HAS_KEYS, params![world.workspace, 50u32], "keys_not_revoked"),
        (
            HAS_UNFINISHED_UPLOADS,
            params![world.workspace, 200u32, NOON],
            "media_unfinished",
        ),
    ] {
        let plan = plan(&store, sql, params).await.join(" ");
        assert!(plan.contains(index), "{index}: {plan}");
    }
}

async fn the_audit_trail_reads_no_more_than_its_page(store: Store) {
    let world = filled(&store).await;
    let page = Page {
        limit: 100,
        after: Some((NOON, world.workspace.0)),
    };
    let by_actor = AuditFilter {
        actor: Some(world.workspace.0),
        action: None,
    };
    let by_action = AuditFilter {
        actor: None,
        action: Some(Action::PostDeleted),
    };
    for (filter, index) in [
        (AuditFilter::default(), "audit_list"),
        (by_actor, "audit_actor"),
        (by_action, "audit_action"),
    ] {
        let (sql, params) = audit_list(world.workspace, filter, page);
        assert_read_in_order(&store, &sql, params.clone()).await;
        let plan = plan(&store, &sql, params).await.join(" ");
        assert!(plan.contains(index), "{index}: {plan}");
    }
}

async fn a_persons_activity_reads_no_more_than_its_page(store: Store) {
    let world = filled(&store).await;
    let params = params![world.workspace, NOON, world.workspace, 100u32];
    assert_read_in_order(&store, LIST_ACTIVITY, params).await;
}

async fn files_of_the_storage_are_looked_up_by_their_keys(store: Store) {
    filled(&store).await;
    let listed = ["one", "two"].map(|key| ListedFile {
        file_key: key.to_owned(),
        storage_key: key.to_owned(),
    });
    let (sql, params) = note_unnamed(&listed, NOON);
    assert_indexed(&store, &sql, params, &["f", "2 CONSTANT ROWS"]).await;
}

async fn sweeping_the_trails_of_deleted_workspaces_reads_only_theirs(store: Store) {
    filled(&store).await;
    assert_indexed(&store, DELETE_ENDED_TRAILS, params![NOON], &[]).await;
}
