//! Out of the queue and into it, planned times of drafts, and what an edit does not change (`docs/contract.md#changing-posts`).

use std::time::Duration;

use playout_tiktok::sim::{Endpoint, Fault, FaultAction, HoldPoint};
use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::{Answer, Db, TestApp, on_both, post_body};

on_both!(
    an_unscheduled_post_is_a_draft_with_its_time_and_does_not_go_out,
    only_what_is_queued_and_not_being_handed_over_is_unscheduled,
    a_post_that_waits_for_its_next_try_can_be_unscheduled_and_goes_out_once_later,
    an_unscheduled_post_that_is_reported_as_published_is_published,
    a_drafts_planned_time_changes_and_is_taken_away,
    an_edit_names_the_operation_that_changes_what_it_does_not,
    settings_without_effect_are_kept_and_warned_of_with_what_was_meant,
    fields_that_are_ignored_are_warned_of_with_what_was_meant,
    a_text_that_shows_nothing_is_no_caption,
    whatever_happens_to_a_post_is_an_event,
);

const POSTS: &str = "/public/v1/posts";
const TOMORROW: &str = "2026-11-21T12:00:00.000Z";
const LATER: &str = "2026-11-22T12:00:00.000Z";
const DAY: Duration = Duration::from_secs(86_400);

async fn unschedule(t: &TestApp, id: &str) -> Answer {
    t.api
        .send(t.api.request(Method::POST, &format!("{POSTS}/{id}/unschedule")))
        .await
}

async fn edit(t: &TestApp, id: &str, changes: Value) -> Answer {
    t.api.patch(&format!("{POSTS}/{id}"), &changes).await
}

/// The body of a post for tomorrow, with these fields over it.
async fn body(t: &TestApp, platform: &str, over: Value) -> Value {
    let mut body = post_body(platform, &[t.api.upload_photo(300, 400).await]);
    let usual =
        json!({ "mode": "schedule", "scheduledFor": TOMORROW, "settings": { "privacy_level": "SELF_ONLY" } });
    for fields in [usual, over] {
        body.as_object_mut()
            .unwrap()
            .extend(fields.as_object().unwrap().clone());
    }
    body
}

async fn create(t: &TestApp, platform: &str, over: Value) -> String {
    t.api.create_post(&body(t, platform, over).await).await
}

async fn an_unscheduled_post_is_a_draft_with_its_time_and_does_not_go_out(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect_business("kitestudio").await;
    let settings = json!({ "privacy_level": "PUBLIC_TO_EVERYONE", "allow_comment": true });
    let over = json!({ "comments": [{ "content": "First!" }], "settings": settings });
    let id = create(&t, &platform, over).await;
    let child = t.group(&id).await["children"][0]["id"].clone();
    let group = unschedule(&t, child.as_str().unwrap()).await.ok();
    let (root, comment) = (&group["root"], &group["children"][0]);
    assert_eq!(
        (&root["state"], &root["scheduledFor"], &comment["state"]),
        (&json!("DRAFT"), &json!(TOMORROW), &json!("DRAFT"))
    );
    assert_eq!(root["updatedBy"], root["createdBy"]);
    assert_eq!(t.group(&id).await, group);
    t.advance(2 * DAY).await;
    assert_eq!((t.sim.publication_count(), &t.group(&id).await), (0, &group));
    let again = json!({ "scheduledFor": "2026-11-24T12:00:00Z" });
    let at = format!("{POSTS}/{id}/schedule");
    t.api.patch(&at, &again).await.ok();
    t.advance(2 * DAY).await;
    assert_eq!(t.settled(&id).await["state"], "PUBLISHED");
    assert_eq!(t.sim.publication_count(), 1);
}

async fn only_what_is_queued_and_not_being_handed_over_is_unscheduled(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let draft = create(&t, &platform, json!({ "mode": "draft" })).await;
    unschedule(&t, &draft)
        .await
        .refused(409, "post_not_unschedulable");
    t.sim.hold(Endpoint::ContentInit, HoldPoint::Before);
    let going = create(&t, &platform, json!({ "mode": "now" })).await;
    t.sim.held(Endpoint::ContentInit, 1).await;
    unschedule(&t, &going).await.refused(409, "post_publishing");
    t.sim.release(Endpoint::ContentInit);
    assert_eq!(t.settled(&going).await["state"], "PUBLISHED");
    unschedule(&t, &going)
        .await
        .refused(409, "post_not_unschedulable");
    let nowhere = "0196f3a0-0000-7000-8000-000000000000";
    unschedule(&t, nowhere).await.refused(404, "post_not_found");
    unschedule(&t, "nonsense").await.invalid_at(&[json!(["id"])]);
}

async fn a_post_that_waits_for_its_next_try_can_be_unscheduled_and_goes_out_once_later(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let refused = Fault::new(Endpoint::ContentInit, FaultAction::internal_error());
    t.sim.inject(refused);
    let id = create(&t, &platform, json!({ "mode": "now" })).await;
    t.idle().await;
    let root = t.root(&id).await;
    assert_eq!(root["state"], "QUEUE", "{root:#}");
    let draft = unschedule(&t, &id).await.ok()["root"].take();
    assert_eq!(
        (&draft["state"], &draft["errorText"]),
        (&json!("DRAFT"), &Value::Null)
    );
    t.advance(2 * DAY).await;
    let before = t.sim.publication_count();
    assert_eq!(t.root(&id).await["state"], "DRAFT");
    let publish = format!("{POSTS}/{id}/publish");
    t.api.send(t.api.request(Method::POST, &publish)).await.ok();
    assert_eq!(t.settled(&id).await["state"], "PUBLISHED");
    assert_eq!(t.sim.publication_count(), before + 1);
}

async fn an_unscheduled_post_that_is_reported_as_published_is_published(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let id = create(
        &t,
        &platform,
        json!({ "mode": "now", "settings": { "privacy_level": "SELF_ONLY", "post_mode": "MEDIA_UPLOAD" } }),
    )
    .await;
    assert_eq!(t.settled(&id).await["state"], "ACTION_REQUIRED");
    let handle = t.sim.inbox_deliveries()[0].publish_id.clone();
    t.api
        .schedule_post(&id, t.now().plus(Duration::from_secs(3_600)))
        .await;
    unschedule(&t, &id).await.ok();
    assert!(t.sim.finish_draft(&handle, None, "PUBLIC_TO_EVERYONE"));
    t.sim.idle().await;
    t.idle().await;
    assert_eq!(t.root(&id).await["state"], "PUBLISHED");
    assert_eq!(t.sim.publication_count(), 1);
}

async fn a_drafts_planned_time_changes_and_is_taken_away(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let draft = create(&t, &platform, json!({ "mode": "draft" })).await;
    let planned = edit(&t, &draft, json!({ "scheduledFor": "2026-11-22T13:00:00+01:00" })).await;
    let root = planned.ok()["root"].take();
    assert_eq!(
        (&root["state"], &root["scheduledFor"]),
        (&json!("DRAFT"), &json!(LATER))
    );
    let on = format!("{POSTS}?startDate=2026-11-22T00:00:00Z&endDate=2026-11-23T00:00:00Z");
    assert_eq!(t.api.get(&on).await.ok()["posts"][0]["id"], draft.as_str());
    edit(&t, &draft, json!({ "content": "Kites" })).await.ok();
    assert_eq!(
        t.root(&draft).await["scheduledFor"],
        LATER,
        "absence changes nothing"
    );
    let cleared = edit(&t, &draft, json!({ "scheduledFor": null })).await.ok();
    assert_eq!(cleared["root"]["scheduledFor"], Value::Null);
    let none = json!([]);
    assert_eq!(
        t.api.get(&on).await.ok()["posts"],
        none,
        "it is listed on the day it was made"
    );
    let wrong = edit(&t, &draft, json!({ "scheduledFor": "2026-11-22T13:00:00" })).await;
    wrong.invalid_at(&[json!(["scheduledFor"])]);
    t.advance(3 * DAY).await;
    assert_eq!(t.sim.publication_count(), 0, "a draft's time publishes nothing");
}

async fn an_edit_names_the_operation_that_changes_what_it_does_not(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let id = create(&t, &platform, json!({})).await;
    let before = t.group(&id).await;
    for (field, value, names) in [
        ("scheduledFor", json!(LATER), "/posts/{id}/schedule"),
        ("scheduledFor", Value::Null, "/posts/{id}/unschedule"),
        ("mode", json!("draft"), "/posts/{id}/unschedule"),
        ("mode", json!("now"), "/posts/{id}/publish"),
        ("state", json!("DRAFT"), "/posts/{id}/unschedule"),
        (
            "releaseUrl",
            json!("https://example.org/"),
            "/posts/{id}/mark-published",
        ),
        (
            "platformIds",
            json!(["0196f3a0-0000-7000-8000-000000000000"]),
            "create the post",
        ),
        ("children", json!([]), "comments"),
        ("id", json!("other"), "service"),
    ] {
        let answer = edit(&t, &id, json!({ "content": "Changed", field: value })).await;
        if field == "children" {
            // What is as it was is no problem.
            answer.ok();
            edit(&t, &id, json!({ "content": before["root"]["content"] }))
                .await
                .ok();
            continue;
        }
        answer.invalid_at(&[json!([field])]);
        let problem = &answer.json()["details"][0];
        assert_eq!(problem["code"], "conflict", "{problem}");
        let message = problem["message"].as_str().unwrap();
        assert!(message.contains(names), "{field}: {message}");
        assert_eq!(t.group(&id).await["root"]["content"], before["root"]["content"]);
    }
    let mut same = before["root"].clone();
    same["content"] = json!("Changed");
    same["mode"] = json!("schedule");
    same["platformIds"] = json!([platform]);
    same["scheduledFor"] = json!("2026-11-21T13:00:00+01:00");
    same["updatedAt"] = t.root(&id).await["updatedAt"].clone();
    same["updatedBy"] = t.root(&id).await["updatedBy"].clone();
    let changed = edit(&t, &id, same).await.ok();
    assert_eq!(changed["root"]["content"], "Changed");
}

async fn settings_without_effect_are_kept_and_warned_of_with_what_was_meant(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let settings =
        json!({ "privacyLevel": "SELF_ONLY", "privacy_level": "SELF_ONLY", "isAigc": true, "weather": 3 });
    let body = body(&t, &platform, json!({ "settings": settings })).await;
    let expected = json!([
        { "path": ["settings", "privacyLevel"], "suggestion": "privacy_level" },
        { "path": ["settings", "isAigc"], "suggestion": "is_aigc" },
        { "path": ["settings", "weather"], "suggestion": null },
    ]);
    let unknown = |warnings: &Value| -> Value {
        let warnings = warnings.as_array().unwrap().iter();
        let unknown = warnings.filter(|warning| warning["code"] == "unknown_setting");
        unknown
            .map(|warning| {
                let key = warning["path"][1].as_str().unwrap();
                assert!(warning["message"].as_str().unwrap().contains(key), "{warning}");
                json!({ "path": warning["path"], "suggestion": warning["suggestion"] })
            })
            .collect()
    };
    let valid = t.api.post(&format!("{POSTS}/validate"), &body).await.ok();
    assert_eq!(unknown(&valid["results"][0]["warnings"]), expected);
    let created = t.api.post(POSTS, &body).await.ok();
    let created = &created["results"][0];
    assert_eq!(unknown(&created["warnings"]), expected);
    assert_eq!(created["post"]["root"]["settings"], settings);
    let id = created["post"]["root"]["id"].as_str().unwrap();
    let changed = edit(&t, id, json!({ "settings": settings })).await.ok();
    assert_eq!(unknown(&changed["warnings"]), expected);
    let plain = edit(&t, id, json!({ "content": "Kites" })).await.ok();
    assert_eq!(plain["warnings"], json!([]), "only of what the edit brings");
    let draft = json!({ "mode": "draft", "settings": { "privaciLevel": 1 } });
    let draft = self::body(&t, &platform, draft).await;
    let draft = t.api.post(POSTS, &draft).await.ok();
    let one = json!([{ "path": ["settings", "privaciLevel"], "suggestion": "privacy_level" }]);
    assert_eq!(unknown(&draft["results"][0]["warnings"]), one);
}

/// The paths, suggestions of the warnings about ignored fields.
fn ignored(warnings: &Value) -> Vec<Value> {
    let warnings = warnings.as_array().unwrap().iter();
    warnings
        .filter(|warning| warning["code"] == "ignored_field")
        .map(|warning| json!([warning["path"], warning["suggestion"]]))
        .collect()
}

async fn fields_that_are_ignored_are_warned_of_with_what_was_meant(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let comments = json!([{ "content": "First!" }, { "content": "Second!", "delay_in_minutes": 3 }]);
    let over = json!({ "mode": "draft", "setting": {}, "caption": "y", "comments": comments });
    let body = body(&t, &platform, over).await;
    let expected = [
        json!([["setting"], "settings"]),
        json!([["caption"], "content"]),
        json!([["comments", 1, "delay_in_minutes"], "delayInMinutes"]),
    ];
    let valid = t.api.post(&format!("{POSTS}/validate"), &body).await.ok();
    assert_eq!(ignored(&valid["results"][0]["warnings"]), expected);
    let created = t.api.post(POSTS, &body).await.ok();
    let created = &created["results"][0];
    assert_eq!(ignored(&created["warnings"]), expected);

    let id = created["post"]["root"]["id"].as_str().unwrap();
    let mut read = t.api.get(&format!("{POSTS}/{id}")).await.ok()["root"].clone();
    let same = edit(&t, id, read.clone()).await.ok();
    assert_eq!(ignored(&same["warnings"]), Vec::<Value>::new(), "what was read");
    read = same["root"].clone();
    read["caption"] = json!("z");
    read["captoin"] = json!("z");
    read["comments"] = json!([{ "content": "x", "weather": 1 }]);
    let changed = edit(&t, id, read).await.ok();
    let expected = [
        json!([["caption"], "content"]),
        json!([["captoin"], null]),
        json!([["comments", 0, "weather"], null]),
    ];
    assert_eq!(ignored(&changed["warnings"]), expected);

    let mut without = body.clone();
    without.as_object_mut().unwrap().remove("content");
    let refused = t.api.post(POSTS, &without).await.refused(400, "invalid_request");
    assert_eq!(
        refused["message"],
        "content: is required; there is \"caption\" instead: did you mean content?"
    );

    let now = json!({ "mode": "now", "scheduledFor": TOMORROW });
    let now = self::body(&t, &platform, now).await;
    let valid = t.api.post(&format!("{POSTS}/validate"), &now).await.ok();
    let warnings = &valid["results"][0]["warnings"];
    assert_eq!(ignored(warnings), [json!([["scheduledFor"], null])]);
}

async fn a_text_that_shows_nothing_is_no_caption(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    for content in ["\u{200b}", "\u{feff}\u{2060} \n", "\u{e0041}"] {
        let body = body(&t, &platform, json!({ "content": content })).await;
        let refused = t.api.post(POSTS, &body).await.ok();
        let error = &refused["results"][0]["error"];
        assert_eq!(error["code"], "invalid_content", "{content:?}: {refused}");
        assert_eq!(error["details"][0]["path"], json!(["content"]));
    }
    create(&t, &platform, json!({ "content": "👩\u{200d}🚀" })).await;
}

async fn whatever_happens_to_a_post_is_an_event(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let id = create(&t, &platform, json!({ "mode": "draft" })).await;
    edit(&t, &id, json!({})).await.ok();
    edit(&t, &id, json!({ "content": "Changed" })).await.ok();
    edit(&t, &id, json!({ "scheduledFor": LATER })).await.ok();
    let at = format!("{POSTS}/{id}/schedule");
    t.api.patch(&at, &json!({ "scheduledFor": TOMORROW })).await.ok();
    unschedule(&t, &id).await.ok();
    t.api.delete_post(&id).await;
    let expected = [
        "post.updated",
        "post.updated",
        "post.queued",
        "post.unscheduled",
        "post.deleted",
    ];
    assert_eq!(t.events_of(&id).await, expected);
}
