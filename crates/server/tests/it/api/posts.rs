//! Creating posts: one result for each platform, and the state each new post is in (`docs/contract.md#creating-posts`).

mod refusals;
mod settings;

use serde_json::{Value, json};

use crate::harness::{Db, START, TestApp, on_both};

on_both!(
    a_created_post_has_every_field_of_the_contract,
    each_mode_leads_to_its_state,
    times_come_back_in_utc_with_milliseconds,
    platforms_succeed_and_fail_each_by_itself_in_the_order_asked,
    each_platform_gets_a_group_of_its_own,
    drafts_are_lenient_but_for_types,
);

const POSTS: &str = "/public/v1/posts";
const NOWHERE: &str = "0196f3a0-0000-7000-8000-000000000000";
const TOMORROW: &str = "2026-11-21T12:00:00.000Z";

/// A request for tomorrow that this platform takes, with these fields over it.
fn request(platforms: &[&str], photo: &str, over: Value) -> Value {
    let mut body = json!({
        "platformIds": platforms, "content": "Hello", "mode": "schedule", "scheduledFor": TOMORROW, "mediaIds": [photo],
        "settings": { "privacy_level": "SELF_ONLY" },
    });
    body.as_object_mut()
        .unwrap()
        .extend(over.as_object().unwrap().clone());
    body
}

/// Asserts that the one platform failed with this code, and returns the paths of its details.
async fn failed_with(t: &TestApp, body: &Value, code: &str) -> Vec<Value> {
    let answer = t.api.post(POSTS, body).await;
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
    let result = answer.json()["results"][0].clone();
    assert_eq!(
        (&result["status"], &result["error"]["code"]),
        (&json!("failed"), &json!(code)),
        "{result:#}"
    );
    assert!(
        result.get("post").is_none()
            && result["error"]["message"]
                .as_str()
                .is_some_and(|text| !text.is_empty())
    );
    assert_eq!(result["platformId"], body["platformIds"][0]);
    let details = result["error"]["details"].as_array().cloned().unwrap_or_default();
    details.iter().map(|issue| issue["path"].clone()).collect()
}

async fn a_created_post_has_every_field_of_the_contract(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let photo = t.api.upload_photo(300, 400).await;
    let settings =
        json!({ "privacy_level": "SELF_ONLY", "title": "Kites", "unknown_key": { "kept": [1, 2] } });
    let comments = json!([{ "content": "First", "delayInMinutes": 5, "settings": { "a": 1 }, "mediaIds": [photo] }, { "content": "Second" }]);
    let body = request(
        &[&platform],
        &photo,
        json!({ "mode": "draft", "settings": settings, "comments": comments }),
    );
    let answer = t.api.post(POSTS, &body).await;
    assert_eq!(answer.status, 201);
    let mut result = answer.json()["results"][0].clone();
    let warnings = result["warnings"].take();
    let warned: Vec<&Value> = warnings
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["path"])
        .collect();
    assert_eq!(
        warned,
        [
            &json!(["settings", "unknown_key"]),
            &json!(["comments", 0, "settings", "a"])
        ]
    );
    let (root, children) = (&result["post"]["root"], &result["post"]["children"]);
    let ids: Vec<&str> = [root, &children[0], &children[1]]
        .map(|post| post["id"].as_str().unwrap())
        .to_vec();
    assert!(
        ids.iter()
            .all(|id| id.len() == 36 && id.as_bytes()[14] == b'7' && *id == id.to_lowercase()),
        "UUIDv7: {ids:?}"
    );
    let post = |id: &str, over: Value| {
        let mut post = json!({
            "id": id, "groupId": root["groupId"], "parentPostId": ids[0], "integrationId": platform, "content": null,
            "state": "DRAFT", "scheduledFor": null, "delayInMinutes": null, "releaseId": null, "releaseUrl": null,
            "settings": {}, "mediaIds": [], "errorText": null, "createdAt": START, "updatedAt": START,
            "createdBy": { "kind": "key", "id": root["createdBy"]["id"], "name": "test" }, "updatedBy": null,
        });
        post.as_object_mut()
            .unwrap()
            .extend(over.as_object().unwrap().clone());
        post
    };
    let expected = json!({
        "root": post(ids[0], json!({ "parentPostId": null, "content": "Hello", "scheduledFor": TOMORROW, "settings": settings, "mediaIds": [photo] })),
        "children": [
            post(ids[1], json!({ "content": "First", "delayInMinutes": 5, "settings": { "a": 1 }, "mediaIds": [photo] })),
            post(ids[2], json!({ "content": "Second" })),
        ],
    });
    let outlook = json!({ "platformId": platform, "status": "created", "post": expected, "willPublishAt": null, "warnings": null });
    assert_eq!(result, outlook);
    assert!(!ids.contains(&root["groupId"].as_str().unwrap()));
    assert_eq!(
        t.api.get(&format!("{POSTS}/{}", ids[0])).await.ok(),
        expected,
        "reading shows what creating answered"
    );
}

async fn each_mode_leads_to_its_state(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let photo = t.api.upload_photo(300, 400).await;
    for (mode, state, scheduled_for) in [
        ("draft", "DRAFT", json!(TOMORROW)),
        ("schedule", "QUEUE", json!(TOMORROW)),
        ("now", "QUEUE", Value::Null),
    ] {
        let created = t
            .api
            .post(POSTS, &request(&[&platform], &photo, json!({ "mode": mode })))
            .await;
        assert_eq!(created.status, 201);
        let root = created.json()["results"][0]["post"]["root"].clone();
        assert_eq!(
            (&root["state"], &root["scheduledFor"]),
            (&json!(state), &scheduled_for),
            "{mode}"
        );
        assert_eq!(
            (&root["releaseId"], &root["errorText"]),
            (&Value::Null, &Value::Null)
        );
    }
    t.idle().await;
    assert_eq!(t.sim.publications().len(), 1, "only the one for now is out");
}

async fn times_come_back_in_utc_with_milliseconds(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    for (given, shown) in [
        ("2026-11-21T14:00:00+02:00", "2026-11-21T12:00:00.000Z"),
        ("2026-11-21T12:00:00.123456789Z", "2026-11-21T12:00:00.123Z"),
        ("2026-11-21T12:00:00.999999Z", "2026-11-21T12:00:00.999Z"),
        ("2026-11-21t12:00:00z", "2026-11-21T12:00:00.000Z"),
        ("2026-11-20T23:59:59.5-05:30", "2026-11-21T05:29:59.500Z"),
    ] {
        let body =
            json!({ "platformIds": [platform], "content": "x", "mode": "draft", "scheduledFor": given });
        let id = t.api.create_post(&body).await;
        assert_eq!(t.root(&id).await["scheduledFor"], shown, "{given}");
    }
}

async fn platforms_succeed_and_fail_each_by_itself_in_the_order_asked(db: Db) {
    let t = TestApp::start(db).await;
    let (kite, bakery) = (
        t.connect("kitestudio").await,
        t.connect_granted("harborbakes", &["user.info.basic", "video.upload"])
            .await,
    );
    let photo = t.api.upload_photo(300, 400).await;
    let settings = json!({ "settings": { "privacy_level": "SELF_ONLY", "post_mode": "DIRECT_POST" } });
    let answer = t
        .api
        .post(
            POSTS,
            &request(&[&bakery, NOWHERE, &kite], &photo, settings.clone()),
        )
        .await;
    assert_eq!(answer.status, 201, "one was created");
    let results = answer.json()["results"].as_array().unwrap().clone();
    let seen: Vec<_> = results
        .iter()
        .map(|result| {
            (
                result["platformId"].as_str().unwrap(),
                result["status"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        seen,
        [
            (bakery.as_str(), "failed"),
            (NOWHERE, "failed"),
            (kite.as_str(), "created")
        ]
    );
    assert_eq!(results[0]["error"]["code"], "invalid_settings");
    assert_eq!(results[1]["error"]["code"], "platform_not_found");
    assert_eq!(results[2]["post"]["root"]["integrationId"], kite.as_str());
    let none = t
        .api
        .post(POSTS, &request(&[NOWHERE, &bakery], &photo, settings))
        .await;
    assert_eq!(
        (none.status, none.json()["results"].as_array().unwrap().len()),
        (200, 2),
        "none was created"
    );
    assert_eq!(t.api.get(POSTS).await.ok()["posts"].as_array().unwrap().len(), 1);
}

async fn each_platform_gets_a_group_of_its_own(db: Db) {
    let t = TestApp::start(db).await;
    let (kite, bakery) = (t.connect("kitestudio").await, t.connect("harborbakes").await);
    let photo = t.api.upload_photo(300, 400).await;
    let created = t
        .api
        .post(POSTS, &request(&[&kite, &bakery], &photo, json!({})))
        .await
        .ok();
    let roots = [0, 1].map(|index| created["results"][index]["post"]["root"].clone());
    assert_ne!(roots[0]["groupId"], roots[1]["groupId"]);
    assert_ne!(roots[0]["id"], roots[1]["id"]);
    t.api
        .delete(&format!("{POSTS}/{}", roots[0]["id"].as_str().unwrap()))
        .await;
    assert_eq!(
        t.root(roots[1]["id"].as_str().unwrap()).await["state"],
        "QUEUE",
        "the other stays"
    );
}

async fn drafts_are_lenient_but_for_types(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let (photo, clip) = (t.api.upload_photo(300, 400).await, t.api.upload_clip().await);
    for over in [
        json!({ "content": "a".repeat(5000) }),
        json!({ "mediaIds": [] }),
        json!({ "mediaIds": [photo, clip] }),
        json!({ "settings": { "privacy_level": "FOLLOWER_OF_CREATOR", "title": "x".repeat(91), "photo_cover_index": 99 } }),
        json!({ "comments": [{ "content": "First", "mediaIds": [photo] }] }),
        json!({ "settings": {}, "scheduledFor": null }),
    ] {
        let mut body = request(&[&platform], &photo, over);
        body["mode"] = json!("draft");
        let answer = t.api.post(POSTS, &body).await;
        assert_eq!(answer.status, 201, "{body:#}");
        assert_eq!(answer.json()["results"][0]["post"]["root"]["state"], "DRAFT");
    }
    let body = request(
        &[&platform],
        &photo,
        json!({ "mode": "draft", "settings": { "title": 1, "is_aigc": "x" } }),
    );
    assert_eq!(
        failed_with(&t, &body, "invalid_settings").await,
        [json!(["settings", "title"]), json!(["settings", "is_aigc"])]
    );
    let body = request(&[NOWHERE], &photo, json!({ "mode": "draft" }));
    failed_with(&t, &body, "platform_not_found").await;
}
