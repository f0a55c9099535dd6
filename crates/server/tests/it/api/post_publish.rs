//! Publishing on a person's request, and what the ledger records of every try (`docs/contract.md#changing-posts`).

use std::time::Duration;

use playout_tiktok::sim::{Endpoint, FailRule, Fault, FaultAction, HoldPoint};
use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::{Answer, Db, START, TestApp, on_both, post_body};

on_both!(
    a_draft_goes_out_at_once_whatever_its_date,
    a_post_that_failed_is_tried_anew_and_both_tries_are_listed,
    a_post_in_the_creators_inbox_can_be_published_after_all,
    a_person_may_publish_again_what_may_be_out_and_the_ledger_says_so,
    a_queued_post_no_longer_waits_for_its_time,
    what_is_being_handed_over_or_is_out_is_not_published_again,
    a_post_that_is_not_publishable_says_why_and_stays,
    published_twice_at_once_a_draft_goes_out_once,
    an_attempt_shows_its_beginning_and_its_end,
    a_try_that_failed_before_its_handover_says_when_the_next_comes,
    a_comment_has_tries_of_its_own,
);

const POSTS: &str = "/public/v1/posts";
const NOWHERE: &str = "0196f3a0-0000-7000-8000-000000000000";
const TOMORROW: &str = "2026-11-21T12:00:00.000Z";
/// The scopes of a grant that cannot list the account's posts.
const BLIND: [&str; 3] = ["user.info.basic", "video.publish", "video.upload"];

async fn publish(t: &TestApp, id: &str) -> Answer {
    t.api
        .send(t.api.request(Method::POST, &format!("{POSTS}/{id}/publish")))
        .await
}

async fn attempts(t: &TestApp, id: &str) -> Vec<Value> {
    let list = t.api.get(&format!("{POSTS}/{id}/attempts")).await.ok();
    list["attempts"].as_array().unwrap().clone()
}

async fn create(t: &TestApp, platform: &str, over: Value) -> String {
    let mut body = post_body(platform, &[t.api.upload_photo(300, 400).await]);
    body.as_object_mut()
        .unwrap()
        .extend(over.as_object().unwrap().clone());
    t.api.create_post(&body).await
}

fn outcomes(attempts: &[Value]) -> Vec<&str> {
    attempts
        .iter()
        .map(|attempt| attempt["outcome"].as_str().unwrap())
        .collect()
}

async fn a_draft_goes_out_at_once_whatever_its_date(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let id = create(
        &t,
        &platform,
        json!({ "mode": "draft", "scheduledFor": TOMORROW }),
    )
    .await;
    let answer = publish(&t, &id).await;
    let root = answer.ok()["root"].take();
    assert_eq!(
        (&root["state"], &root["scheduledFor"]),
        (&json!("QUEUE"), &Value::Null)
    );
    assert_eq!(t.settled(&id).await["state"], "PUBLISHED");
    assert_eq!(
        (t.now().to_string().as_str(), t.sim.publication_count()),
        (START, 1)
    );
}

async fn a_post_that_failed_is_tried_anew_and_both_tries_are_listed(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    t.sim.fail(FailRule::next("spam_risk_text"));
    let id = create(&t, &platform, json!({})).await;
    assert_eq!(t.settled(&id).await["state"], "ERROR");
    t.clock.advance(Duration::from_secs(1));
    let root = publish(&t, &id).await.ok()["root"].take();
    assert_eq!(
        (&root["state"], &root["errorText"]),
        (&json!("QUEUE"), &Value::Null)
    );
    assert_eq!(t.settled(&id).await["state"], "PUBLISHED");
    let tries = attempts(&t, &id).await;
    assert_eq!(outcomes(&tries), ["rejected", "published"]);
    assert_eq!(
        (&tries[0]["code"], tries[0]["message"].is_string()),
        (&json!("spam_risk_text"), true)
    );
    let explained = json!({ "whatHappened": "TikTok judged the caption risky.", "whoActs": "user", "retries": false,
        "nextStep": "Create the post again with another text, other links and hashtags, and delete this one." });
    assert_eq!(tries[0]["explanation"], explained);
    assert_eq!(
        (&tries[1]["code"], &tries[1]["message"], &tries[1]["explanation"]),
        (&Value::Null, &Value::Null, &Value::Null)
    );
    assert_eq!(tries[1]["publishId"], t.sim.publications()[0].publish_id.as_str());
}

async fn a_post_in_the_creators_inbox_can_be_published_after_all(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let id = create(
        &t,
        &platform,
        json!({ "settings": { "post_mode": "MEDIA_UPLOAD" } }),
    )
    .await;
    assert_eq!(t.settled(&id).await["state"], "ACTION_REQUIRED");
    t.api.publish_as_read(&id).await;
    assert_eq!(
        t.settled(&id).await["state"],
        "ACTION_REQUIRED",
        "it is in the inbox a second time"
    );
    assert_eq!(outcomes(&attempts(&t, &id).await), ["in_inbox", "in_inbox"]);
}

async fn a_person_may_publish_again_what_may_be_out_and_the_ledger_says_so(db: Db) {
    let t = TestApp::start(db).await;
    t.sim.turn(|knobs| knobs.webhooks = false);
    let platform = t.connect_granting("kitestudio", &BLIND).await;
    t.sim.hold(Endpoint::ContentInit, HoldPoint::After);
    t.sim
        .inject(Fault::new(Endpoint::ContentInit, FaultAction::DropAfter));
    let id = create(&t, &platform, json!({})).await;
    t.sim.held(Endpoint::ContentInit, 1).await;
    t.sim.idle().await;
    t.sim.release(Endpoint::ContentInit);
    assert_eq!(t.settled(&id).await["state"], "ACTION_REQUIRED");
    t.advance(Duration::from_secs(2 * 86_400)).await;
    assert_eq!(t.calls(Endpoint::ContentInit).len(), 1, "not by itself");
    let publications = t.sim.publication_count();
    // Not out before the second request.
    t.sim.hold(Endpoint::CreatorInfo, HoldPoint::Before);
    publish(&t, &id).await.ok();
    publish(&t, &id).await.ok();
    t.sim.release(Endpoint::CreatorInfo);
    let root = t.settled(&id).await;
    assert_eq!(root["state"], "PUBLISHED", "{root:#}");
    publish(&t, &id).await.refused(409, "post_not_publishable");
    let tries = attempts(&t, &id).await;
    assert_eq!(outcomes(&tries), ["unknown", "published"]);
    assert_eq!(
        (t.calls(Endpoint::ContentInit).len(), t.sim.publication_count()),
        (2, publications + 1)
    );
}

async fn a_queued_post_no_longer_waits_for_its_time(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let over = json!({ "mode": "schedule", "scheduledFor": TOMORROW });
    let queued = create(&t, &platform, over).await;
    let root = publish(&t, &queued).await.ok()["root"].take();
    assert_eq!(
        (&root["state"], &root["scheduledFor"]),
        (&json!("QUEUE"), &Value::Null)
    );
    assert_eq!(t.settled(&queued).await["state"], "PUBLISHED");
    assert_eq!(t.now().to_string(), START, "at once");
    t.advance(Duration::from_secs(2 * 86_400)).await;
    assert_eq!(t.sim.publication_count(), 1, "and not once more at its time");
}

async fn what_is_being_handed_over_or_is_out_is_not_published_again(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    t.sim.hold(Endpoint::ContentInit, HoldPoint::Before);
    let out = create(&t, &platform, json!({})).await;
    t.sim.held(Endpoint::ContentInit, 1).await;
    publish(&t, &out).await.refused(409, "post_not_publishable");
    t.sim.release(Endpoint::ContentInit);
    t.settled(&out).await;
    publish(&t, &out).await.refused(409, "post_not_publishable");
    publish(&t, NOWHERE).await.refused(404, "post_not_found");
    publish(&t, "no-uuid").await.invalid_at(&[json!(["id"])]);
    t.idle().await;
    assert_eq!(t.sim.publication_count(), 1);
}

async fn a_post_that_is_not_publishable_says_why_and_stays(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let over = json!({ "mode": "draft", "content": "a".repeat(2201), "mediaIds": [], "comments": [{ "content": "x" }] });
    let id = create(&t, &platform, over).await;
    let child = t.group(&id).await["children"][0]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    for id in [&id, &child] {
        publish(&t, id)
            .await
            .invalid_at(&[json!(["content"]), json!(["mediaIds"]), json!(["comments"])]);
    }
    assert_eq!(t.root(&id).await["state"], "DRAFT");
    assert_eq!(attempts(&t, &id).await, Vec::<Value>::new());
}

async fn published_twice_at_once_a_draft_goes_out_once(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let id = create(&t, &platform, json!({ "mode": "draft" })).await;
    let answers = futures_util::future::join_all((0..8).map(|_| publish(&t, &id))).await;
    let (won, lost): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.status == 200);
    assert!(!won.is_empty());
    lost.iter()
        .for_each(|answer| drop(answer.refused(409, "post_not_publishable")));
    assert_eq!(t.settled(&id).await["state"], "PUBLISHED");
    assert_eq!(t.sim.publication_count(), 1);
}

async fn an_attempt_shows_its_beginning_and_its_end(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    t.sim.hold(Endpoint::ContentInit, HoldPoint::Before);
    let id = create(&t, &platform, json!({})).await;
    t.sim.held(Endpoint::ContentInit, 1).await;
    let open = attempts(&t, &id).await;
    let expected = json!([{ "id": open[0]["id"], "startedAt": START, "endedAt": null, "outcome": null, "transfer": "pull",
        "transferReason": "TikTok takes photos only by fetching them from this service.", "publishId": null, "code": null, "message": null, "explanation": null, "logId": null, "nextRetryAt": null }]);
    assert_eq!(json!(open), expected);
    t.sim.release(Endpoint::ContentInit);
    t.settled(&id).await;
    let ended = attempts(&t, &id).await;
    assert_eq!(
        (&ended[0]["id"], &ended[0]["outcome"]),
        (&open[0]["id"], &json!("published"))
    );
    assert!(
        ended[0]["endedAt"].is_string() && ended[0]["publishId"].is_string(),
        "{ended:#?}"
    );
}

async fn a_try_that_failed_before_its_handover_says_when_the_next_comes(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    t.sim
        .inject(Fault::new(Endpoint::CreatorInfo, FaultAction::internal_error()));
    let id = create(&t, &platform, json!({})).await;
    assert_eq!(t.settled(&id).await["state"], "PUBLISHED");
    let tries = attempts(&t, &id).await;
    assert_eq!(outcomes(&tries), ["abandoned", "published"]);
    assert_eq!(
        (&tries[0]["transfer"], &tries[0]["publishId"]),
        (&Value::Null, &Value::Null)
    );
    assert_eq!(tries[0]["nextRetryAt"], tries[1]["startedAt"]);
    assert!(
        tries[0]["logId"].is_string() && tries[0]["code"].is_string(),
        "{tries:#?}"
    );
}

async fn a_comment_has_tries_of_its_own(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect_business("kitestudio").await;
    let settings = json!({ "privacy_level": "PUBLIC_TO_EVERYONE", "allow_comment": true });
    let id = create(
        &t,
        &platform,
        json!({ "comments": [{ "content": "x" }], "settings": settings }),
    )
    .await;
    let child = t.group(&id).await["children"][0]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    assert_eq!(attempts(&t, &child).await, Vec::<Value>::new());
    t.group_until(&id, |group| group["children"][0]["state"] == "PUBLISHED")
        .await;
    let (roots, own) = (attempts(&t, &id).await, attempts(&t, &child).await);
    assert_eq!((roots.len(), own.len()), (1, 1));
    assert_eq!(
        (&own[0]["transfer"], &own[0]["outcome"]),
        (&json!("text"), &json!("published"))
    );
    t.api
        .get(&format!("{POSTS}/{NOWHERE}/attempts"))
        .await
        .refused(404, "post_not_found");
    t.api
        .get(&format!("{POSTS}/x/attempts"))
        .await
        .invalid_at(&[json!(["id"])]);
}
