//! Validating a post without creating it (`docs/contract.md#creating-posts`).

use serde_json::{Value, json};

use crate::harness::{Db, Options, TestApp, on_both};

on_both!(
    validating_says_of_each_platform_what_creating_does,
    validating_creates_and_counts_nothing,
    problems_of_the_request_itself_are_those_of_creating,
    a_plan_that_is_used_up_does_not_make_a_post_invalid,
);

const VALIDATE: &str = "/public/v1/posts/validate";
const POSTS: &str = "/public/v1/posts";
const NOWHERE: &str = "0196f3a0-0000-7000-8000-000000000000";

fn request(platforms: &[&str], media: &[&str], over: Value) -> Value {
    let mut body = json!({
        "platformIds": platforms, "content": "Hello", "mode": "now", "mediaIds": media,
        "settings": { "privacy_level": "SELF_ONLY" },
    });
    body.as_object_mut()
        .unwrap()
        .extend(over.as_object().unwrap().clone());
    body
}

/// One request for each case: valid, wrong in each part, and lenient as a draft.
fn requests(platform: &str, photo: &str) -> Vec<Value> {
    let both = [platform, NOWHERE];
    vec![
        request(&both, &[photo], json!({})),
        request(&both, &[photo], json!({ "content": "a".repeat(2201) })),
        request(&both, &[], json!({})),
        request(
            &both,
            &[photo],
            json!({ "settings": { "privacy_level": "EVERYONE" } }),
        ),
        request(&both, &[photo], json!({ "comments": [{ "content": "First" }] })),
        request(
            &both,
            &[],
            json!({ "mode": "draft", "content": "a".repeat(2201), "settings": null }),
        ),
        request(
            &both,
            &[],
            json!({ "mode": "draft", "settings": { "allow_duet": "yes" } }),
        ),
    ]
}

async fn validating_says_of_each_platform_what_creating_does(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let photo = t.api.upload_photo(300, 400).await;
    for request in requests(&platform, &photo) {
        let validated = t.api.post(VALIDATE, &request).await;
        assert_eq!(validated.status, 200, "{request:#}");
        let mut expected = t.api.post(POSTS, &request).await.ok();
        for result in expected["results"].as_array_mut().unwrap() {
            if result["status"] == "created" {
                result.as_object_mut().unwrap().remove("post");
                result["status"] = json!("valid");
            }
        }
        assert_eq!(validated.json(), expected, "{request:#}");
    }
}

async fn validating_creates_and_counts_nothing(db: Db) {
    let t = TestApp::start_with(db, Options::default().plan("free")).await;
    let platform = t.connect("kitestudio").await;
    let photo = t.api.upload_photo(300, 400).await;
    for request in requests(&platform, &photo) {
        t.api.post(VALIDATE, &request).await.ok();
    }
    t.idle().await;
    assert_eq!(t.api.get(POSTS).await.ok()["posts"], json!([]));
    assert_eq!(
        t.api.get("/public/v1/usage").await.ok()["posts"],
        json!({ "used": 0, "limit": 30 })
    );
    assert!(t.sim.publications().is_empty());
    assert_eq!(
        t.api.delete(&format!("/public/v1/media/{photo}")).await.status,
        204,
        "nothing needs it"
    );
}

async fn problems_of_the_request_itself_are_those_of_creating(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let wrong = [
        json!({}),
        json!([]),
        request(&[], &[], json!({ "content": "", "mode": "later" })),
        request(&[&platform, &platform], &[NOWHERE], json!({})),
        request(
            &[&platform],
            &[NOWHERE],
            json!({ "comments": [{ "content": "x", "mediaIds": [NOWHERE] }] }),
        ),
        request(
            &[&platform],
            &[],
            json!({ "mode": "schedule", "scheduledFor": "2026-11-20T12:00:00" }),
        ),
    ];
    for request in wrong {
        let (validated, created) = (
            t.api.post(VALIDATE, &request).await,
            t.api.post(POSTS, &request).await,
        );
        validated.refused(400, "invalid_request");
        assert_eq!(validated.json(), created.json(), "{request:#}");
    }
}

async fn a_plan_that_is_used_up_does_not_make_a_post_invalid(db: Db) {
    let plans = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(&plans, "[plans.unlimited]\n[plans.none]\nposts_per_month = 0\n").unwrap();
    let options = Options::default()
        .plan("none")
        .set("plans_file", plans.path().to_str().unwrap());
    let t = TestApp::start_with(db, options).await;
    let platform = t.connect("kitestudio").await;
    let photo = t.api.upload_photo(300, 400).await;
    let request = request(&[&platform], &[&photo], json!({}));
    let results = t.api.post(VALIDATE, &request).await.ok();
    assert_eq!(
        results,
        json!({ "results": [
        { "status": "valid", "platformId": platform, "willPublishAt": t.now(), "warnings": [] },
    ] })
    );
    t.api
        .post(POSTS, &request)
        .await
        .refused(409, "post_limit_reached");
}
