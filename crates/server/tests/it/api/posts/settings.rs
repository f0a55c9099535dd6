//! The settings of a new post, and other fields that are ignored.

use serde_json::{Map, Value, json};

use super::{failed_with, request};
use crate::harness::{Db, TestApp, on_both};

on_both!(
    settings_are_judged_by_the_accounts_schema,
    a_number_in_settings_comes_back_as_it_was_sent,
    of_many_fields_without_effect_ten_are_named,
    a_null_setting_is_absent_and_an_unknown_one_ignored,
);

async fn settings_are_judged_by_the_accounts_schema(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let photo = t.api.upload_photo(300, 400).await;
    for (name, value) in [
        ("privacy_level", json!("FOLLOWER_OF_CREATOR")),
        ("privacy_level", json!(true)),
        ("post_mode", json!("STORY")),
        ("title", json!("x".repeat(91))),
        ("title", json!(5)),
        ("allow_comment", json!("yes")),
        ("allow_duet", json!(1)),
        ("photo_cover_index", json!(-1)),
        ("photo_cover_index", json!(1)),
        ("photo_cover_index", json!(0.5)),
        ("is_aigc", json!("true")),
    ] {
        let mut settings = json!({ "privacy_level": "SELF_ONLY" });
        settings[name] = value.clone();
        let body = request(&[&platform], &photo, json!({ "settings": settings }));
        assert_eq!(
            failed_with(&t, &body, "invalid_settings").await,
            [json!(["settings", name])],
            "{name}: {value}"
        );
    }
    let branded = json!({ "settings": { "privacy_level": "SELF_ONLY", "brand_content_toggle": true } });
    let paths = failed_with(&t, &request(&[&platform], &photo, branded), "invalid_settings").await;
    assert_eq!(
        paths,
        [json!(["settings", "privacy_level"])],
        "branded content cannot be private"
    );
}

async fn a_null_setting_is_absent_and_an_unknown_one_ignored(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let photo = t.api.upload_photo(300, 400).await;
    let settings =
        json!({ "privacy_level": "SELF_ONLY", "title": null, "allow_comment": null, "made_up": "kept" });
    let id = t
        .api
        .create_post(&request(&[&platform], &photo, json!({ "settings": settings })))
        .await;
    assert_eq!(t.root(&id).await["settings"]["made_up"], "kept");
}

/// Also the largest, and those that only the nearest one of several texts stands for.
async fn a_number_in_settings_comes_back_as_it_was_sent(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let numbers = json!([
        f64::MAX,
        f64::MIN,
        f64::MIN_POSITIVE,
        389.776_807_134_521_96,
        1.1e-7,
        9_007_199_254_740_993_u64,
        u64::MAX,
        i64::MIN,
    ]);
    let over = json!({ "mode": "draft", "mediaIds": [], "settings": { "made_up": numbers } });
    let body = request(&[&platform], "", over);
    let created = t.api.post("/public/v1/posts", &body).await.ok();
    let root = &created["results"][0]["post"]["root"];
    assert_eq!(root["settings"]["made_up"], numbers);
    let id = root["id"].as_str().unwrap();
    assert_eq!(t.root(id).await["settings"]["made_up"], numbers);
    let listed = t.api.get("/public/v1/posts").await.ok();
    assert_eq!(listed["posts"][0]["settings"]["made_up"], numbers);
    t.api.delete_post(id).await;
}

/// However many fields without effect a request has, ten of them are named.
async fn of_many_fields_without_effect_ten_are_named(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let many = |start: &str| -> Map<String, Value> {
        (0..150)
            .map(|number| (format!("{start}{number:03}"), 1.into()))
            .collect()
    };
    let settings = many("s");
    let mut over = many("f");
    over.extend([
        ("settings".to_owned(), settings.into()),
        ("mode".to_owned(), "draft".into()),
        ("mediaIds".to_owned(), json!([])),
    ]);
    let body = request(&[&platform], "", over.into());
    let valid = t.api.post("/public/v1/posts/validate", &body).await;
    assert!(valid.body.len() < 10_000, "{} bytes", valid.body.len());
    let warnings = valid.ok()["results"][0]["warnings"].take();
    let of = |code: &str| {
        warnings
            .as_array()
            .unwrap()
            .iter()
            .filter(|one| one["code"] == code)
            .count()
    };
    assert_eq!((of("ignored_field"), of("unknown_setting")), (10, 10));
    let long = json!({ "mode": "draft", "mediaIds": [], "settings": { "x".repeat(5000): 1 } });
    let valid = t
        .api
        .post("/public/v1/posts/validate", &request(&[&platform], "", long))
        .await
        .ok();
    let warning = &valid["results"][0]["warnings"][0];
    assert_eq!(warning["path"], json!(["settings"]));
    assert!(warning["message"].as_str().unwrap().len() < 300, "{warning}");
}
