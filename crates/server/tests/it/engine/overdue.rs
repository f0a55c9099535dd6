//! Posts that are found long after they were due, because the service was down or the account was away: a setting of
//! their workspace decides whether they still go out by themselves.

use std::time::Duration;

use playout_domain::job::JobQueue;
use playout_domain::time::Time;
use playout_domain::workspace::Role;
use playout_server::serve::Role as Half;
use playout_store::{ClaimLimits, Excluded};
use playout_tiktok::sim::{Endpoint, Fault, FaultAction};
use serde_json::{Value, json};

use crate::harness::{Db, Options, Receiver, TestApp, on_both, post_body};

use super::hold::{planned, searched, searched_in_time};
use super::internal::{damage, quoted};
use super::restored::is_a_persons;
use super::restored_doubts::{in_doubt, nothing_comes_of_it};
use super::webhooks::hook;

on_both!(
    a_post_that_is_found_ten_days_late_waits_for_a_person_and_says_so,
    an_overdue_post_goes_out_once_when_it_is_published_or_rescheduled_and_never_when_it_is_deleted,
    an_overdue_private_post_that_was_published_since_the_copy_is_a_persons,
    a_post_that_is_a_day_late_goes_out_and_one_a_microsecond_later_does_not,
    a_workspace_may_want_to_be_asked_sooner,
    a_workspace_that_always_publishes_has_a_day_of_retries_from_when_its_late_post_is_found,
    a_late_post_that_keeps_failing_ends_in_error_a_day_after_it_was_found,
    a_post_that_was_found_in_time_is_retried_without_asking,
    a_late_post_whose_handover_was_begun_is_not_asked_about_afterwards,
    a_post_whose_first_run_died_before_it_did_anything_is_asked_about,
    a_late_post_whose_first_run_fails_inside_is_asked_about_by_the_next,
    a_post_that_was_to_go_out_at_once_is_asked_about_days_later,
    a_post_whose_account_is_connected_again_days_later_is_asked_about,
    overdue_posts_are_counted_in_the_log_as_the_engine_starts,
    a_late_post_in_doubt_that_a_hold_has_marked_is_not_asked_about,
);

const HOUR: Duration = Duration::from_secs(3600);
const DAY: Duration = Duration::from_secs(86_400);
const MICROSECOND: Duration = Duration::from_micros(1);

/// A post that is due in an hour.
async fn scheduled(t: &TestApp, platform: &str) -> (String, Time) {
    let due = t.now().plus(HOUR);
    let mut body = post_body(platform, &[t.api.upload_clip().await]);
    (body["mode"], body["scheduledFor"]) = (json!("schedule"), json!(due));
    (t.api.create_post(&body).await, due)
}

/// The service is down until then, and another process comes up.
async fn down_until(t: &mut TestApp, then: Time) {
    t.stop().await;
    t.clock.set(then);
    t.replace().await;
    t.idle().await;
}

/// An admin sets the workspace's policy for overdue posts.
async fn want(t: &TestApp, policy: &Value) {
    let admin = t.sign_up("ada@example.org").await;
    let (workspace, user) = (t.workspace.id, admin.id.parse().unwrap());
    t.app
        .store
        .add_member(workspace, user, Role::Admin, t.now())
        .await
        .unwrap();
    let path = format!("/app/v1/organizations/{workspace}");
    let changed = admin
        .api
        .patch(&path, &json!({ "latenessPolicy": policy }))
        .await
        .ok();
    assert_eq!(&changed["latenessPolicy"], policy);
}

fn is_asked_about(root: &Value, due: Time, late: &str) {
    assert_eq!(root["state"], "ACTION_REQUIRED", "{root:#}");
    let text = root["errorText"].as_str().unwrap();
    let said = format!("This post was due at {due} and was found {late} later. Nothing was handed over.");
    assert!(
        text.starts_with(&said) && text.contains("Publish it now, give it another time, or delete it."),
        "{text}"
    );
}

async fn publish(t: &TestApp, post: &str) {
    t.api.publish_as_read(post).await;
}

async fn an_overdue_private_post_that_was_published_since_the_copy_is_a_persons(db: Db) {
    let mut t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let mut body = planned(&t, &platform, ("for me alone", &clip), HOUR);
    body["settings"]["privacy_level"] = "SELF_ONLY".into();
    let post = t.api.create_post(&body).await;
    let late = t.now().plus(DAY * 10);
    down_until(&mut t, late).await;
    assert_eq!(t.root(&post).await["state"], "ACTION_REQUIRED");
    let copy = t.copy_database().await;
    publish(&t, &post).await;
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
    t.go_on_with(copy).await;
    searched(&t).await;
    is_a_persons(&t.root(&post).await);
}

async fn a_post_that_is_found_ten_days_late_waits_for_a_person_and_says_so(db: Db) {
    let mut t = TestApp::start_with(db, Options::default().set("egress_allow", "127.0.0.1")).await;
    let receiver = Receiver::start().await;
    hook(&t, &receiver.url, &["post.action_required"]).await;
    let platform = t.connect("kitestudio").await;
    let (post, due) = scheduled(&t, &platform).await;
    down_until(&mut t, due.plus(DAY * 10 + HOUR * 2)).await;
    let root = t.root(&post).await;
    is_asked_about(&root, due, "10 days and 2 hours");
    let tries = t.attempts_of(&post).await;
    let [asked] = tries.as_slice() else {
        panic!("{tries:#?}")
    };
    assert_eq!(
        (&asked["code"], &asked["outcome"], &asked["transfer"]),
        (&json!("overdue"), &json!("abandoned"), &Value::Null)
    );
    assert_eq!(
        (&asked["explanation"]["whoActs"], &asked["explanation"]["retries"]),
        (&json!("user"), &json!(false))
    );
    let told = receiver.only().json();
    assert_eq!(
        (&told["type"], &told["data"]["errorText"]),
        (&json!("post.action_required"), &root["errorText"]),
        "{told:#}"
    );
    t.advance(DAY * 3).await;
    assert_eq!(t.root(&post).await["state"], "ACTION_REQUIRED");
    assert_eq!((t.sim.task_count(), t.attempts_of(&post).await.len()), (0, 1));
}

async fn an_overdue_post_goes_out_once_when_it_is_published_or_rescheduled_and_never_when_it_is_deleted(
    db: Db,
) {
    let mut t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let (now, due) = scheduled(&t, &platform).await;
    let ((later, _), (never, _)) = (scheduled(&t, &platform).await, scheduled(&t, &platform).await);
    down_until(&mut t, due.plus(DAY * 3)).await;
    for post in [&now, &later, &never] {
        is_asked_about(&t.root(post).await, due, "3 days");
    }
    publish(&t, &now).await;
    assert_eq!(t.settled(&now).await["state"], "PUBLISHED");
    assert_eq!(t.sim.publication_count(), 1);
    let at = t.now().plus(HOUR);
    let group = t.api.schedule_post(&later, at).await;
    assert_eq!(
        (&group["root"]["state"], &group["root"]["errorText"]),
        (&json!("QUEUE"), &Value::Null)
    );
    t.api.delete_post(&never).await;
    t.clock.set(at.minus(MICROSECOND));
    t.idle().await;
    assert_eq!(
        (t.root(&later).await["state"].as_str(), t.sim.task_count()),
        (Some("QUEUE"), 1)
    );
    t.clock.set(at);
    assert_eq!(t.settled(&later).await["state"], "PUBLISHED");
    t.advance(DAY * 3).await;
    assert_eq!((t.sim.publication_count(), t.sim.task_count()), (2, 2));
    t.api
        .get(&format!("/public/v1/posts/{never}"))
        .await
        .refused(404, "post_not_found");
}

async fn a_post_that_is_a_day_late_goes_out_and_one_a_microsecond_later_does_not(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    for (late, state) in [(DAY, "PUBLISHED"), (DAY + MICROSECOND, "ACTION_REQUIRED")] {
        let (post, due) = scheduled(&t, &platform).await;
        t.clock.set(due.plus(late));
        assert_eq!(t.settled(&post).await["state"], state, "{late:?} late");
    }
    assert_eq!(t.sim.publication_count(), 1);
}

async fn a_workspace_may_want_to_be_asked_sooner(db: Db) {
    let mut t = TestApp::start(db).await;
    want(&t, &json!({ "askAfterHours": 1.5 })).await;
    let platform = t.connect("kitestudio").await;
    let (post, due) = scheduled(&t, &platform).await;
    down_until(&mut t, due.plus(HOUR * 2)).await;
    is_asked_about(&t.root(&post).await, due, "2 hours");
    let (post, due) = scheduled(&t, &platform).await;
    down_until(&mut t, due.plus(HOUR)).await;
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
    assert_eq!(t.sim.publication_count(), 1);
}

async fn a_workspace_that_always_publishes_has_a_day_of_retries_from_when_its_late_post_is_found(db: Db) {
    let mut t = TestApp::start(db).await;
    want(&t, &Value::Null).await;
    let platform = t.connect("kitestudio").await;
    let (post, due) = scheduled(&t, &platform).await;
    t.sim
        .inject(Fault::new(Endpoint::VideoInit, FaultAction::internal_error()).times(3));
    down_until(&mut t, due.plus(DAY * 10)).await;
    let root = t.root(&post).await;
    assert_eq!(root["state"], "QUEUE", "{root:#}");
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
    assert_eq!(
        (t.sim.publication_count(), t.calls(Endpoint::VideoInit).len()),
        (1, 4)
    );
}

async fn a_late_post_that_keeps_failing_ends_in_error_a_day_after_it_was_found(db: Db) {
    let mut t = TestApp::start(db).await;
    want(&t, &Value::Null).await;
    let platform = t.connect("kitestudio").await;
    let (post, due) = scheduled(&t, &platform).await;
    t.sim
        .inject(Fault::new(Endpoint::VideoInit, FaultAction::internal_error()).times(1000));
    let found = due.plus(DAY * 10);
    down_until(&mut t, found).await;
    let root = t.settled(&post).await;
    assert_eq!(root["state"], "ERROR", "{root:#}");
    assert!(
        root["errorText"]
            .as_str()
            .unwrap()
            .contains("within 24 hours of the first try"),
        "{root:#}"
    );
    let tried = t.now().since(found);
    assert!(tried > HOUR * 22 && tried <= DAY, "{tried:?}");
    assert_eq!(t.sim.publication_count(), 0);
}

async fn a_post_that_was_found_in_time_is_retried_without_asking(db: Db) {
    let t = TestApp::start(db).await;
    want(&t, &json!({ "askAfterHours": 1 })).await;
    let platform = t.connect("kitestudio").await;
    let (post, due) = scheduled(&t, &platform).await;
    t.sim
        .inject(Fault::new(Endpoint::CreatorInfo, FaultAction::internal_error()).times(12));
    t.clock.set(due);
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
    assert!(
        t.now().since(due) > HOUR + HOUR / 2,
        "it went out {:?} late",
        t.now().since(due)
    );
    assert_eq!(t.sim.publication_count(), 1);
}

async fn a_late_post_whose_handover_was_begun_is_not_asked_about_afterwards(db: Db) {
    let mut t = TestApp::start(db).await;
    want(&t, &Value::Null).await;
    let platform = t.connect("kitestudio").await;
    let (post, due) = scheduled(&t, &platform).await;
    t.sim
        .inject(Fault::new(Endpoint::VideoInit, FaultAction::internal_error()));
    down_until(&mut t, due.plus(DAY * 10)).await;
    assert_eq!(t.attempts_of(&post).await[0]["transfer"], "upload");
    let session = t.sign_in("ada@example.org").await.ok();
    let path = format!("/app/v1/organizations/{}", t.workspace.id);
    let admin = t.person(&session).api;
    admin
        .patch(&path, &json!({ "latenessPolicy": { "askAfterHours": 24 } }))
        .await
        .ok();
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
    assert_eq!(t.sim.publication_count(), 1);
}

async fn a_post_whose_first_run_died_before_it_did_anything_is_asked_about(db: Db) {
    let mut t = TestApp::start_with(
        db,
        Options {
            role: Some(Half::Api),
            ..Options::default()
        },
    )
    .await;
    let platform = t.connect("kitestudio").await;
    let (post, due) = scheduled(&t, &platform).await;
    t.clock.set(due);
    let without = Excluded::default();
    let limits = ClaimLimits {
        queue: JobQueue::Start,
        limit: 10,
        per_account: 10,
        without: &without,
        lease: HOUR,
    };
    let claimed = t
        .app
        .store
        .claim("a node that dies", &limits, due)
        .await
        .unwrap()
        .jobs;
    assert!(
        claimed
            .iter()
            .any(|job| job.post_id == Some(post.parse().unwrap())),
        "{claimed:?}"
    );
    down_until(&mut t, due.plus(DAY * 2)).await;
    is_asked_about(&t.root(&post).await, due, "2 days");
    assert_eq!(t.sim.task_count(), 0);
}

async fn a_late_post_whose_first_run_fails_inside_is_asked_about_by_the_next(db: Db) {
    let mut t = TestApp::start(db).await;
    t.errors.expect("cannot be read");
    let platform = t.connect("kitestudio").await;
    let (post, due) = scheduled(&t, &platform).await;
    let id = quoted(db, &post);
    damage(
        &t,
        db,
        format!("UPDATE posts SET settings = '[]' WHERE id = {id}"),
    )
    .await;
    down_until(&mut t, due.plus(DAY * 3)).await;
    damage(
        &t,
        db,
        format!("UPDATE posts SET settings = '{{}}' WHERE id = {id}"),
    )
    .await;
    assert!(
        t.root(&post).await["errorText"]
            .as_str()
            .unwrap()
            .contains("internal_failure")
    );
    is_asked_about(&t.settled(&post).await, due, "3 days");
    assert_eq!(t.sim.task_count(), 0);
}

async fn a_post_that_was_to_go_out_at_once_is_asked_about_days_later(db: Db) {
    let mut t = TestApp::start_with(
        db,
        Options {
            role: Some(Half::Api),
            ..Options::default()
        },
    )
    .await;
    let platform = t.connect("kitestudio").await;
    let asked_for = t.now();
    let post = t.api.publish_now(&platform, &[t.api.upload_clip().await]).await;
    down_until(&mut t, asked_for.plus(DAY * 2 + HOUR)).await;
    is_asked_about(&t.root(&post).await, asked_for, "2 days and 1 hour");
    assert_eq!(t.sim.task_count(), 0);
}

async fn a_post_whose_account_is_connected_again_days_later_is_asked_about(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let (post, due) = scheduled(&t, &platform).await;
    t.sim.inject(Fault::new(
        Endpoint::CreatorInfo,
        FaultAction::error(401, "scope_not_authorized"),
    ));
    let asked_for = t.now();
    let at_once = t.api.publish_now(&platform, &[t.api.upload_clip().await]).await;
    assert!(
        t.settled(&at_once).await["errorText"]
            .as_str()
            .unwrap()
            .contains("Reconnect")
    );
    t.clock.set(due);
    assert!(
        t.settled(&post).await["errorText"]
            .as_str()
            .unwrap()
            .contains("Reconnect")
    );
    t.advance(DAY * 5).await;
    assert_eq!(t.connect("kitestudio").await, platform);
    is_asked_about(&t.settled(&post).await, due, "5 days");
    is_asked_about(&t.settled(&at_once).await, asked_for, "5 days and 1 hour");
    assert_eq!(t.sim.task_count(), 0);
    publish(&t, &post).await;
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
    t.advance(DAY * 2).await;
    assert_eq!(
        (
            t.sim.publication_count(),
            t.root(&at_once).await["state"].as_str()
        ),
        (1, Some("ACTION_REQUIRED"))
    );
}

async fn overdue_posts_are_counted_in_the_log_as_the_engine_starts(db: Db) {
    let mut t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let (_, due) = scheduled(&t, &platform).await;
    scheduled(&t, &platform).await;
    down_until(&mut t, due.plus(HOUR)).await;
    let said = t.errors.warned("overdue as the engine starts").await;
    assert!(
        said.len() == 1
            && said[0].contains(&format!(
                "2 posts are overdue as the engine starts, the first since {due}"
            ))
            && said[0].contains("`latenessPolicy`"),
        "{said:?}"
    );
    let now = t.now();
    down_until(&mut t, now.plus(HOUR)).await;
    assert_eq!(t.errors.warnings("overdue as the engine starts").len(), 1);
}

/// Something was handed over for it, and a person has sent it again.
async fn a_late_post_in_doubt_that_a_hold_has_marked_is_not_asked_about(db: Db) {
    let mut t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let post = in_doubt(&t, &platform).await;
    nothing_comes_of_it(&t).await;
    let copy = t.copy_database().await;
    t.go_on_with(copy).await;
    searched_in_time(&t).await;
    assert_eq!(t.root(&post).await["state"], "ACTION_REQUIRED");
    let due = t.now().plus(HOUR);
    t.api.schedule_post(&post, due).await;
    down_until(&mut t, due.plus(DAY + HOUR)).await;
    let root = t.settled(&post).await;
    assert_eq!(root["state"], "PUBLISHED", "{root:#}");
}
