//! Reading by any ID, deleting, and giving posts another time (`docs/contract.md#changing-posts`).

use std::time::Duration;

use playout_store::PlatformChanges;
use playout_tiktok::sim::{Endpoint, FailRule, HoldPoint};
use serde_json::{Value, json};

use crate::harness::{Answer, Db, START, TestApp, on_both};

on_both!(
    a_group_is_read_by_the_id_of_any_of_its_posts,
    deleting_any_post_deletes_its_group,
    a_deleted_post_never_goes_out,
    deleting_a_published_post_removes_our_record_alone,
    a_new_time_moves_a_post,
    a_draft_that_gets_a_time_is_queued,
    a_time_just_past_means_now,
    a_draft_that_is_not_publishable_says_why_and_stays,
    a_new_time_has_the_limits_of_any_time,
    a_comments_id_reschedules_its_group,
    a_published_post_gets_no_new_time,
    a_refused_post_may_be_tried_again,
    a_post_that_is_being_handed_over_is_left_alone,
    a_post_whose_account_is_gone_gets_no_new_time,
);

const POSTS: &str = "/public/v1/posts";
const NOWHERE: &str = "0196f3a0-0000-7000-8000-000000000000";
const TOMORROW: &str = "2026-11-21T12:00:00.000Z";
const LATER: &str = "2026-11-25T12:00:00.000Z";

async fn reschedule(t: &TestApp, id: &str, when: &str) -> Answer {
    t.api
        .patch(
            &format!("{POSTS}/{id}/schedule"),
            &json!({ "scheduledFor": when }),
        )
        .await
}

async fn delete(t: &TestApp, id: &str) -> Answer {
    t.api.delete(&format!("{POSTS}/{id}")).await
}

/// Creates a post with these fields over an ordinary one for tomorrow; returns its root's ID.
async fn create(t: &TestApp, platform: &str, over: Value) -> String {
    let photo = t.api.upload_photo(300, 400).await;
    let mut body = json!({
        "platformIds": [platform], "content": "Hello", "mode": "schedule", "scheduledFor": TOMORROW, "mediaIds": [photo],
        "settings": { "privacy_level": "SELF_ONLY" },
    });
    body.as_object_mut()
        .unwrap()
        .extend(over.as_object().unwrap().clone());
    t.api.create_post(&body).await
}

/// A draft with two comments: the IDs of root and comments.
async fn thread(t: &TestApp, platform: &str) -> [String; 3] {
    let comments = json!([{ "content": "one" }, { "content": "two", "delayInMinutes": 3 }]);
    let root = create(t, platform, json!({ "mode": "draft", "comments": comments })).await;
    let children = t.api.get(&format!("{POSTS}/{root}")).await.ok()["children"].take();
    let id = |index: usize| children[index]["id"].as_str().unwrap().to_owned();
    [root, id(0), id(1)]
}

async fn a_group_is_read_by_the_id_of_any_of_its_posts(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let ids = thread(&t, &platform).await;
    let group = t.api.get(&format!("{POSTS}/{}", ids[0])).await.ok();
    assert_eq!(group["children"].as_array().unwrap().len(), 2);
    for id in &ids[1..] {
        assert_eq!(t.api.get(&format!("{POSTS}/{id}")).await.ok(), group);
    }
    t.api
        .get(&format!("{POSTS}/{NOWHERE}"))
        .await
        .refused(404, "post_not_found");
    let group_id = group["root"]["groupId"].as_str().unwrap();
    t.api
        .get(&format!("{POSTS}/{group_id}"))
        .await
        .refused(404, "post_not_found");
}

async fn deleting_any_post_deletes_its_group(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    for through in 0..3 {
        let ids = thread(&t, &platform).await;
        let answer = delete(&t, &ids[through]).await;
        assert_eq!((answer.status, answer.body.len()), (204, 0));
        for id in &ids {
            t.api
                .get(&format!("{POSTS}/{id}"))
                .await
                .refused(404, "post_not_found");
            delete(&t, id).await.refused(404, "post_not_found");
        }
    }
    assert_eq!(t.api.get(POSTS).await.ok()["posts"], json!([]));
}

async fn a_deleted_post_never_goes_out(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let id = create(&t, &platform, json!({})).await;
    assert_eq!(delete(&t, &id).await.status, 204);
    t.advance(Duration::from_secs(2 * 86_400)).await;
    assert!(t.sim.publications().is_empty());
}

async fn deleting_a_published_post_removes_our_record_alone(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let id = create(&t, &platform, json!({ "mode": "now" })).await;
    assert_eq!(t.settled(&id).await["state"], "PUBLISHED");
    assert_eq!(delete(&t, &id).await.status, 204);
    t.api
        .get(&format!("{POSTS}/{id}"))
        .await
        .refused(404, "post_not_found");
    assert_eq!(t.sim.publications().len(), 1);
}

async fn a_new_time_moves_a_post(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let id = create(&t, &platform, json!({})).await;
    t.clock.advance(Duration::from_secs(60));
    let answer = reschedule(&t, &id, "2026-11-25T13:00:00+01:00").await;
    assert_eq!(answer.status, 200);
    let root = answer.json()["root"].clone();
    assert_eq!(
        (&root["state"], &root["scheduledFor"]),
        (&json!("QUEUE"), &json!(LATER))
    );
    assert_eq!(
        (&root["createdAt"], &root["updatedAt"]),
        (&json!(START), &json!("2026-11-20T12:01:00.000Z"))
    );
    let mut moved = answer.json();
    assert_eq!(moved.as_object_mut().unwrap().remove("warnings"), Some(json!([])));
    assert_eq!(t.api.get(&format!("{POSTS}/{id}")).await.ok(), moved);
    t.clock
        .set(playout_domain::time::Time::parse("2026-11-25T11:59:59.999Z").unwrap());
    t.idle().await;
    assert!(
        t.sim.publications().is_empty(),
        "not at the old time, and not before the new one"
    );
    t.advance(Duration::from_millis(1)).await;
    assert_eq!(t.settled(&id).await["state"], "PUBLISHED");
    assert_eq!(t.sim.publications().len(), 1);
}

async fn a_draft_that_gets_a_time_is_queued(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let id = create(&t, &platform, json!({ "mode": "draft", "scheduledFor": null })).await;
    let answer = reschedule(&t, &id, TOMORROW).await.ok();
    assert_eq!(
        (&answer["root"]["state"], &answer["root"]["scheduledFor"]),
        (&json!("QUEUE"), &json!(TOMORROW))
    );
    t.advance(Duration::from_secs(86_400)).await;
    assert_eq!(t.settled(&id).await["state"], "PUBLISHED");
}

async fn a_time_just_past_means_now(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let id = create(&t, &platform, json!({})).await;
    let root = reschedule(&t, &id, "2026-11-20T11:55:00Z").await.ok()["root"].take();
    assert_eq!(root["scheduledFor"], "2026-11-20T11:55:00.000Z");
    assert_eq!(t.settled(&id).await["state"], "PUBLISHED");
    let attempts = t.api.get(&format!("{POSTS}/{id}/attempts")).await.ok();
    assert_eq!(attempts["attempts"][0]["startedAt"], START, "at once");
}

async fn a_draft_that_is_not_publishable_says_why_and_stays(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let over = json!({ "mode": "draft", "content": "a".repeat(2201), "mediaIds": [], "settings": { "privacy_level": "FRIENDS" },
        "comments": [{ "content": "First" }] });
    let id = create(&t, &platform, over).await;
    let paths = [
        json!(["content"]),
        json!(["mediaIds"]),
        json!(["settings", "privacy_level"]),
        json!(["comments"]),
    ];
    reschedule(&t, &id, TOMORROW).await.invalid_at(&paths);
    assert_eq!(t.root(&id).await["state"], "DRAFT");
}

async fn a_new_time_has_the_limits_of_any_time(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let id = create(&t, &platform, json!({})).await;
    for when in [
        "",
        "tomorrow",
        "2026-11-21T12:00:00",
        "2026-11-20T11:54:59Z",
        "2029-01-01T00:00:00Z",
    ] {
        reschedule(&t, &id, when)
            .await
            .invalid_at(&[json!(["scheduledFor"])]);
    }
    for body in [
        json!({}),
        json!({ "scheduledFor": null }),
        json!({ "scheduledFor": 5 }),
    ] {
        t.api
            .patch(&format!("{POSTS}/{id}/schedule"), &body)
            .await
            .invalid_at(&[json!(["scheduledFor"])]);
    }
    reschedule(&t, NOWHERE, TOMORROW)
        .await
        .refused(404, "post_not_found");
    reschedule(&t, NOWHERE, "nonsense")
        .await
        .invalid_at(&[json!(["scheduledFor"])]);
    assert_eq!(t.root(&id).await["scheduledFor"], TOMORROW);
}

async fn a_comments_id_reschedules_its_group(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let ids = thread(&t, &platform).await;
    reschedule(&t, &ids[2], LATER)
        .await
        .invalid_at(&[json!(["comments"])]);
    let [alone, ..] = [create(&t, &platform, json!({})).await];
    assert_eq!(reschedule(&t, &alone, LATER).await.status, 200);
    assert_eq!(t.root(&ids[0]).await["state"], "DRAFT");
}

async fn a_published_post_gets_no_new_time(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let id = create(&t, &platform, json!({ "mode": "now" })).await;
    t.settled(&id).await;
    reschedule(&t, &id, LATER)
        .await
        .refused(409, "post_not_reschedulable");
    assert_eq!(t.root(&id).await["state"], "PUBLISHED");
}

async fn a_refused_post_may_be_tried_again(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    t.sim.fail(FailRule::next("spam_risk_text"));
    let id = create(&t, &platform, json!({ "mode": "now" })).await;
    let root = t.settled(&id).await;
    assert_eq!(root["state"], "ERROR", "{root:#}");
    assert!(root["errorText"].as_str().is_some_and(|text| !text.is_empty()));
    let queued = reschedule(&t, &id, TOMORROW).await.ok()["root"].take();
    assert_eq!(
        (&queued["state"], &queued["errorText"]),
        (&json!("QUEUE"), &Value::Null)
    );
    t.advance(Duration::from_secs(86_400)).await;
    assert_eq!(t.settled(&id).await["state"], "PUBLISHED");
    assert_eq!(t.sim.publications().len(), 1);
}

async fn a_post_that_is_being_handed_over_is_left_alone(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    t.sim.hold(Endpoint::ContentInit, HoldPoint::Before);
    let id = create(&t, &platform, json!({ "mode": "now" })).await;
    t.sim.held(Endpoint::ContentInit, 1).await;
    delete(&t, &id).await.refused(409, "post_publishing");
    reschedule(&t, &id, LATER)
        .await
        .refused(409, "post_not_reschedulable");
    t.sim.release(Endpoint::ContentInit);
    assert_eq!(t.settled(&id).await["state"], "PUBLISHED");
}

async fn a_post_whose_account_is_gone_gets_no_new_time(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let id = create(&t, &platform, json!({})).await;
    let changes = PlatformChanges {
        disabled: Some(true),
        ..PlatformChanges::default()
    };
    t.change_account(&platform, changes).await;
    let body = reschedule(&t, &id, LATER).await.refused(400, "invalid_request");
    assert_eq!(body["details"][0]["code"], "not_found", "{body}");
    assert_eq!(t.root(&id).await["scheduledFor"], TOMORROW);
    assert_eq!(delete(&t, &id).await.status, 204, "it can still be deleted");
}
