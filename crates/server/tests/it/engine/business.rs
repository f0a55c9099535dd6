//! Posts of accounts that are connected as businesses: fetched, public, their status queried, tokens renewed, at most
//! once.

use playout_tiktok::sim::{Endpoint, FailRule, Fault, FaultAction};
use serde_json::{Value, json};

use crate::harness::{Db, TestApp, on_both, post_body};

on_both!(
    a_video_is_fetched_published_publicly_and_linked,
    photos_keep_the_privacy_that_was_chosen,
    a_video_that_shall_not_be_public_is_refused,
    a_handover_whose_answer_is_lost_is_found_among_the_accounts_posts,
    what_the_provider_gives_up_on_ends_as_its_reason_says,
    an_ended_token_is_renewed_by_the_business_app,
    a_grant_that_was_taken_back_parks_posts_until_the_account_is_reconnected,
    a_missing_permission_at_the_handover_asks_for_reconnecting,
);

/// How often a post was handed over, with any outcome.
fn handovers(t: &TestApp) -> usize {
    t.calls(Endpoint::BusinessVideo).len() + t.calls(Endpoint::BusinessPhoto).len()
}

async fn a_video_is_fetched_published_publicly_and_linked(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect_business("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let mut body = post_body(&platform, &[clip]);
    body["settings"] = json!({ "allow_duet": true, "is_aigc": true });
    let post = t.api.create_post(&body).await;
    let root = t.run_until(&post, |root| root["releaseUrl"] != Value::Null).await;
    assert_eq!(root["state"], "PUBLISHED", "{root:#}");
    let out = t.publications_of("kitestudio").remove(0);
    assert_eq!(
        (
            out.info.privacy_level.as_str(),
            out.info.disable_duet,
            out.info.is_aigc
        ),
        ("PUBLIC_TO_EVERYONE", false, true)
    );
    assert_eq!(root["releaseId"], out.post_id.as_str());
    assert_eq!(root["releaseUrl"], format!("{}{}", t.sim.url(), out.path()));
    assert!(
        t.sim.fetches().keys().all(|url| url.contains("/m/")),
        "{:?}",
        t.sim.fetches()
    );
    assert_eq!((handovers(&t), t.calls(Endpoint::VideoInit).len()), (1, 0));
}

async fn photos_keep_the_privacy_that_was_chosen(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect_business("kitestudio").await;
    let photo = t.api.upload_photo(720, 960).await;
    let mut body = post_body(&platform, &[photo]);
    body["settings"] = json!({ "privacy_level": "MUTUAL_FOLLOW_FRIENDS", "title": "Wind" });
    let post = t.api.create_post(&body).await;
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
    let out = t.publications_of("kitestudio").remove(0);
    assert_eq!(
        (out.info.privacy_level.as_str(), out.info.title.as_str()),
        ("MUTUAL_FOLLOW_FRIENDS", "Wind")
    );
}

async fn a_video_that_shall_not_be_public_is_refused(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect_business("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let mut body = post_body(&platform, &[clip]);
    body["settings"] = json!({ "privacy_level": "SELF_ONLY" });
    let error = t.api.post("/public/v1/posts", &body).await.ok()["results"][0]["error"].take();
    assert_eq!(
        (error["code"].as_str(), &error["details"][0]["path"]),
        (Some("invalid_settings"), &json!(["settings", "privacy_level"])),
        "{error:#}"
    );
    let schema = t
        .api
        .get(&format!("/public/v1/platforms/{platform}/schema"))
        .await
        .ok();
    let fields = schema["schema"]["settings"]["fields"].as_array().unwrap().clone();
    let privacy = fields
        .iter()
        .find(|field| field["name"] == "privacy_level")
        .unwrap();
    assert_eq!(privacy["appliesTo"], json!(["image"]), "{privacy:#}");
    assert_eq!(handovers(&t), 0);
}

async fn a_handover_whose_answer_is_lost_is_found_among_the_accounts_posts(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect_business("kitestudio").await;
    let clip = t.api.upload_clip().await;
    t.sim
        .inject(Fault::new(Endpoint::BusinessVideo, FaultAction::DropAfter));
    let post = t.api.create_post(&post_body(&platform, &[clip])).await;
    let root = t.settled(&post).await;
    let out = t.publications_of("kitestudio");
    match root["state"].as_str() {
        // The provider had fetched when the addresses were revoked: the post is found.
        Some("PUBLISHED") if handovers(&t) == 1 => assert_eq!(root["releaseId"], out[0].post_id.as_str()),
        // It had not: nothing can have come of it, and it was handed over again.
        Some("PUBLISHED") => assert_eq!(handovers(&t), 2),
        other => panic!("{other:?}: {root:#}"),
    }
    assert_eq!(out.len(), 1);
}

async fn what_the_provider_gives_up_on_ends_as_its_reason_says(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect_business("kitestudio").await;
    let clip = t.api.upload_clip().await;
    t.sim.fail(FailRule::next("spam_risk_text"));
    let post = t
        .api
        .create_post(&post_body(&platform, std::slice::from_ref(&clip)))
        .await;
    let root = t.settled(&post).await;
    assert_eq!(root["state"], "ERROR");
    assert!(
        root["errorText"].as_str().unwrap().contains("spam_risk_text"),
        "{root:#}"
    );
    t.sim.fail(FailRule::next("internal"));
    let post = t.api.create_post(&post_body(&platform, &[clip])).await;
    assert_eq!(
        t.settled(&post).await["state"],
        "PUBLISHED",
        "submitted again by itself"
    );
    assert_eq!(t.publications_of("kitestudio").len(), 1);
}

async fn an_ended_token_is_renewed_by_the_business_app(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect_business("kitestudio").await;
    let clip = t.api.upload_clip().await;
    t.sim.expire_access_token(&t.open_id("kitestudio"));
    let post = t.api.create_post(&post_body(&platform, &[clip])).await;
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
    assert_eq!(
        (
            t.calls(Endpoint::BusinessRefresh).len(),
            t.calls(Endpoint::TokenRefresh).len(),
            handovers(&t)
        ),
        (1, 0, 1)
    );
}

async fn a_grant_that_was_taken_back_parks_posts_until_the_account_is_reconnected(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect_business("kitestudio").await;
    let clip = t.api.upload_clip().await;
    t.sim.disconnect_business(&t.open_id("kitestudio"));
    let post = t.api.create_post(&post_body(&platform, &[clip])).await;
    let root = t.settled(&post).await;
    assert_eq!(root["state"], "ACTION_REQUIRED", "{root:#}");
    assert!(!t.is_ready(&platform).await);
    assert!(
        t.connect_business("kitestudio").await.ends_with(&platform),
        "it keeps its ID"
    );
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
    assert_eq!((t.publications_of("kitestudio").len(), handovers(&t)), (1, 1));
}

async fn a_missing_permission_at_the_handover_asks_for_reconnecting(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect_business("kitestudio").await;
    let clip = t.api.upload_clip().await;
    t.sim.inject(Fault::new(
        Endpoint::BusinessVideo,
        FaultAction::error(200, "40001"),
    ));
    let post = t.api.create_post(&post_body(&platform, &[clip])).await;
    let root = t.settled(&post).await;
    assert_eq!(root["state"], "ACTION_REQUIRED", "{root:#}");
    assert!(
        root["errorText"].as_str().unwrap().contains("business_40001"),
        "{root:#}"
    );
    assert_eq!((handovers(&t), t.publications_of("kitestudio").len()), (1, 0));
}
