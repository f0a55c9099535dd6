//! The effect of an account's settings and options on its posts (`docs/contract.md#validation-of-settings`).

use std::time::Duration;

use playout_store::PlatformChanges;
use serde_json::{Value, json};

use crate::harness::{Db, TestApp, on_both, post_body};

on_both!(
    a_posts_own_settings_override_the_accounts,
    without_any_setting_a_post_is_for_its_creator_alone,
    options_that_went_meanwhile_are_noticed_right_before_publishing,
    an_account_that_can_comment_says_so_and_takes_text_alone,
);

async fn set_defaults(t: &TestApp, platform: &str, settings: Value) {
    let changes = PlatformChanges {
        settings: settings.as_object().cloned(),
        ..PlatformChanges::default()
    };
    t.change_account(platform, changes).await;
}

async fn a_posts_own_settings_override_the_accounts(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    set_defaults(
        &t,
        &platform,
        json!({ "privacy_level": "MUTUAL_FOLLOW_FRIENDS", "allow_comment": true, "is_aigc": true }),
    )
    .await;
    let photo = t.api.upload_photo(300, 400).await;
    for (own, privacy, no_comments) in [
        (json!({}), "MUTUAL_FOLLOW_FRIENDS", false),
        (json!({ "privacy_level": "SELF_ONLY" }), "SELF_ONLY", false),
        (json!({ "allow_comment": false }), "MUTUAL_FOLLOW_FRIENDS", true),
        (json!({ "privacy_level": null }), "MUTUAL_FOLLOW_FRIENDS", false),
    ] {
        let mut body = post_body(&platform, std::slice::from_ref(&photo));
        body["settings"] = own.clone();
        let post = t.api.create_post(&body).await;
        assert_eq!(t.settled(&post).await["state"], "PUBLISHED", "{own}");
        let info = t.sim.publications().pop().unwrap().info;
        assert_eq!(
            (info.privacy_level.as_str(), info.disable_comment, info.is_aigc),
            (privacy, no_comments, true),
            "{own}"
        );
    }
    assert_eq!(t.sim.publication_count(), 4);
}

async fn without_any_setting_a_post_is_for_its_creator_alone(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let mut body = post_body(&platform, &[t.api.upload_photo(300, 400).await]);
    body["settings"] = Value::Null;
    let post = t.api.create_post(&body).await;
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
    let info = t.sim.publications().pop().unwrap().info;
    assert_eq!(
        (info.privacy_level.as_str(), info.disable_comment),
        ("SELF_ONLY", true)
    );
    assert_eq!(
        (info.brand_content_toggle, info.is_aigc, info.auto_add_music),
        (false, false, true)
    );
}

async fn options_that_went_meanwhile_are_noticed_right_before_publishing(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let mut body = post_body(&platform, &[t.api.upload_photo(300, 400).await]);
    (body["mode"], body["scheduledFor"]) = (json!("schedule"), json!("2026-11-21T12:00:00Z"));
    let post = t.api.create_post(&body).await;
    t.sim
        .change_account(&t.open_id("kitestudio"), |account| account.private = true);
    t.advance(Duration::from_secs(86_400)).await;
    let root = t.settled(&post).await;
    assert_eq!(root["state"], "ERROR", "{root:#}");
    assert!(
        root["errorText"].as_str().unwrap().contains("privacy_level"),
        "{root:#}"
    );
    assert_eq!(
        (t.handovers_of("kitestudio"), t.sim.publication_count()),
        (0, 0),
        "it was never handed over"
    );
    let body = json!({ "scheduledFor": "2026-11-22T12:00:00Z" });
    t.api
        .patch(&format!("/public/v1/posts/{post}/schedule"), &body)
        .await
        .invalid_at(&[json!(["settings", "privacy_level"])]);
}

async fn an_account_that_can_comment_says_so_and_takes_text_alone(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect_business("kitestudio").await;
    let schema = t
        .api
        .get(&format!("/public/v1/platforms/{platform}/schema"))
        .await
        .ok();
    let comments = json!({ "supported": true, "mediaSupported": false, "delayInMinutesSupported": true, "maxLength": 150 });
    assert_eq!(schema["schema"]["comments"], comments);
    assert!(
        schema["platform"]["capabilities"]
            .as_array()
            .unwrap()
            .contains(&json!("comments"))
    );
    let photo = t.api.upload_photo(300, 400).await;
    let mut body = post_body(&platform, std::slice::from_ref(&photo));
    body["settings"]["allow_comment"] = json!(true);
    body["comments"] =
        json!([{ "content": "fine", "delayInMinutes": 5 }, { "content": "x", "mediaIds": [photo] }]);
    let failed = t.api.post("/public/v1/posts", &body).await.ok()["results"][0].take();
    assert_eq!(
        (&failed["status"], &failed["error"]["code"]),
        (&json!("failed"), &json!("comments_not_supported"))
    );
    assert_eq!(
        failed["error"]["details"][0]["path"],
        json!(["comments", 1, "mediaIds"])
    );
    body["comments"] = json!([{ "content": "fine", "delayInMinutes": 5 }]);
    t.api.create_post(&body).await;
}
