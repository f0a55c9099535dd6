//! After a hold: posts that no account lists, because they are private.

use playout_domain::audit::Actor;
use playout_server::app::expected::Expected;
use playout_tiktok::sim::{Endpoint, HoldPoint};
use playout_wire::platforms::UpdatePlatform;
use serde_json::{Value, json};

use super::hold::{DAY, HOUR, draft, planned, publish, searched, searched_in_time, send_early};
use super::listed_texts::hold_by_hand;
use super::restored::{MINUTE, is_a_persons};
use super::tokens::disable;
use crate::harness::{Db, TestApp, on_both};

on_both!(
    photos_of_a_business_account_without_a_privacy_are_private_and_a_persons,
    private_posts_of_a_disabled_account_are_a_persons_before_it_is_enabled,
    a_private_draft_that_was_published_since_the_copy_asks_a_person_before_it_goes_out,
    a_draft_that_was_private_and_is_made_public_after_the_copy_asks_a_person_too,
    planned_posts_that_are_made_public_before_the_search_are_a_persons,
    a_post_that_is_sent_again_early_is_a_persons_once_more_when_its_account_is_connected_again,
    a_post_that_is_sent_again_early_is_a_persons_while_its_account_is_disabled,
    a_post_that_is_sent_again_early_is_a_persons_while_its_account_is_removed,
    a_post_that_may_be_out_says_so_while_its_account_is_disabled,
);

const PRIVATE: &str = "SELF_ONLY";

pub(super) async fn set_defaults(t: &TestApp, platform: &str, settings: &Value) {
    let (workspace, id) = (t.workspace.id, platform.parse().unwrap());
    let request = UpdatePlatform {
        disabled: None,
        settings: settings.as_object().cloned(),
    };
    let operator = Actor::operator();
    let changed = t
        .app
        .update_platform(workspace, id, request, &operator, &Expected::Any);
    changed.await.unwrap();
}

async fn photos_of_a_business_account_without_a_privacy_are_private_and_a_persons(db: Db) {
    let mut t = TestApp::start(db).await;
    let platform = t.connect_business("kitestudio").await;
    let photo = t.api.upload_photo(720, 960).await;
    let clip = t.api.upload_clip().await;
    let mut photos = planned(&t, &platform, ("private photos", &photo), 5 * DAY);
    let mut video = planned(&t, &platform, ("a public video", &clip), 6 * DAY);
    (photos["settings"], video["settings"]) = (json!({}), json!({}));
    let photos = t.api.create_post(&photos).await;
    let video = t.api.create_post(&video).await;
    let copy = t.copy_database().await;
    for post in [&photos, &video] {
        send_early(&t, post).await;
        assert_eq!(t.settled(post).await["state"], "PUBLISHED");
    }
    t.go_on_with(copy).await;
    searched(&t).await;
    assert_eq!(t.root(&video).await["state"], "PUBLISHED");
    is_a_persons(&t.root(&photos).await);
    t.advance(6 * DAY).await;
    assert_eq!(t.sim.publication_count(), 2);
}

async fn private_posts_of_a_disabled_account_are_a_persons_before_it_is_enabled(db: Db) {
    let mut t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let mut private = planned(&t, &platform, ("private", &clip), 5 * DAY);
    private["settings"]["privacy_level"] = PRIVATE.into();
    let private = t.api.create_post(&private).await;
    let public = t
        .api
        .create_post(&planned(&t, &platform, ("public", &clip), 5 * DAY))
        .await;
    disable(&t, &platform, true).await;
    let copy = t.copy_database().await;
    disable(&t, &platform, false).await;
    send_early(&t, &private).await;
    assert_eq!(t.settled(&private).await["state"], "PUBLISHED");
    t.go_on_with(copy).await;
    searched(&t).await;
    is_a_persons(&t.root(&private).await);
    assert_eq!(t.root(&public).await["state"], "QUEUE");
    disable(&t, &platform, false).await;
    t.advance(5 * DAY).await;
    assert_eq!(t.settled(&public).await["state"], "PUBLISHED");
    is_a_persons(&t.root(&private).await);
    assert_eq!(t.sim.publication_count(), 2);
}

async fn a_private_draft_that_was_published_since_the_copy_asks_a_person_before_it_goes_out(db: Db) {
    let mut t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let mut body = draft(&platform, "private", &clip);
    body["settings"]["privacy_level"] = PRIVATE.into();
    let post = t.api.create_post(&body).await;
    let copy = t.copy_database().await;
    publish(&t, &post).await;
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
    t.go_on_with(copy).await;
    searched(&t).await;
    assert_eq!(t.root(&post).await["state"], "DRAFT");
    publish(&t, &post).await;
    is_a_persons(&t.root(&post).await);
    assert_eq!(t.sim.publication_count(), 1);
    t.advance(HOUR).await;
    publish(&t, &post).await;
    assert_eq!(
        t.settled(&post).await["state"],
        "PUBLISHED",
        "the person has looked"
    );
}

async fn a_draft_that_was_private_and_is_made_public_after_the_copy_asks_a_person_too(db: Db) {
    let mut t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let mut body = draft(&platform, "private", &clip);
    body["settings"]["privacy_level"] = PRIVATE.into();
    let post = t.api.create_post(&body).await;
    let copy = t.copy_database().await;
    publish(&t, &post).await;
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
    t.go_on_with(copy).await;
    searched(&t).await;
    let public = json!({ "settings": { "privacy_level": "PUBLIC_TO_EVERYONE" } });
    t.api
        .patch(&format!("/public/v1/posts/{post}"), &public)
        .await
        .ok();
    hold_by_hand(&t).await;
    publish(&t, &post).await;
    is_a_persons(&t.settled(&post).await);
    assert_eq!(t.sim.publication_count(), 1);
}

async fn planned_posts_that_are_made_public_before_the_search_are_a_persons(db: Db) {
    let mut t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let by_default = json!({ "privacy_level": PRIVATE });
    set_defaults(&t, &platform, &by_default).await;
    let mut own = planned(&t, &platform, ("private itself", &clip), 5 * DAY);
    own["settings"]["privacy_level"] = PRIVATE.into();
    let mut default = planned(&t, &platform, ("private by default", &clip), 5 * DAY);
    default["settings"] = json!({});
    let posts = [t.api.create_post(&own).await, t.api.create_post(&default).await];
    let copy = t.copy_database().await;
    for post in &posts {
        send_early(&t, post).await;
        assert_eq!(t.settled(post).await["state"], "PUBLISHED");
    }
    // The account does not answer before the posts are changed.
    t.sim.hold(Endpoint::VideoList, HoldPoint::Before);
    t.go_on_with(copy).await;
    t.sim.held(Endpoint::VideoList, 1).await;
    let public = json!({ "privacy_level": "PUBLIC_TO_EVERYONE" });
    let path = format!("/public/v1/posts/{}", posts[0]);
    t.api.patch(&path, &json!({ "settings": public })).await.ok();
    set_defaults(&t, &platform, &public).await;
    t.sim.release(Endpoint::VideoList);
    searched_in_time(&t).await;
    t.advance(6 * DAY).await;
    for post in &posts {
        is_a_persons(&t.settled(post).await);
    }
    assert_eq!(t.sim.publication_count(), 2);
}

/// A private post that is out since the copy, and that a person who was asked has given another time before it could be seen.
async fn sent_again_early(db: Db) -> (TestApp, String, String) {
    let mut t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let mut body = planned(&t, &platform, ("for me alone", &clip), HOUR);
    body["settings"]["privacy_level"] = PRIVATE.into();
    let post = t.api.create_post(&body).await;
    let copy = t.copy_database().await;
    t.advance(HOUR).await;
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
    t.go_on_with(copy).await;
    searched(&t).await;
    is_a_persons(&t.root(&post).await);
    t.api.schedule_post(&post, t.now().plus(10 * MINUTE)).await;
    (t, post, platform)
}

async fn a_post_that_is_sent_again_early_is_a_persons_once_more_when_its_account_is_connected_again(db: Db) {
    let (t, post, _) = sent_again_early(db).await;
    t.sim.disconnect(&t.open_id("kitestudio"), 1);
    t.advance(HOUR).await;
    let waiting = t.root(&post).await;
    let text = waiting["errorText"].as_str().expect("a text");
    assert!(text.contains("Reconnect the account"), "{text}");
    t.connect("kitestudio").await;
    is_a_persons(&t.settled(&post).await);
    assert_eq!(t.sim.publication_count(), 1);
}

/// The account could not be searched, which says so; once it can be, a person looks for the post.
async fn is_a_persons_twice(t: &TestApp, post: &str, back: impl AsyncFnOnce(&TestApp)) {
    t.advance(HOUR).await;
    let asked = t.root(post).await;
    is_a_persons(&asked);
    let text = asked["errorText"].as_str().unwrap();
    assert!(text.contains("Enable the account or connect it again"), "{text}");
    back(t).await;
    publish(t, post).await;
    let asked = t.settled(post).await;
    is_a_persons(&asked);
    let text = asked["errorText"].as_str().unwrap();
    assert!(text.contains("Look at the account"), "{text}");
    assert_eq!(t.sim.publication_count(), 1);
    publish(t, post).await;
    assert_eq!(t.settled(post).await["state"], "PUBLISHED", "they have looked");
}

async fn a_post_that_is_sent_again_early_is_a_persons_while_its_account_is_disabled(db: Db) {
    let (t, post, platform) = sent_again_early(db).await;
    disable(&t, &platform, true).await;
    is_a_persons_twice(&t, &post, async |t| disable(t, &platform, false).await).await;
}

async fn a_post_that_is_sent_again_early_is_a_persons_while_its_account_is_removed(db: Db) {
    let (t, post, platform) = sent_again_early(db).await;
    t.remove_account(&platform).await;
    is_a_persons_twice(&t, &post, async |t| drop(t.connect("kitestudio").await)).await;
}

async fn a_post_that_may_be_out_says_so_while_its_account_is_disabled(db: Db) {
    let mut t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let post = t
        .api
        .create_post(&planned(&t, &platform, ("public", &clip), DAY))
        .await;
    disable(&t, &platform, true).await;
    let copy = t.copy_database().await;
    disable(&t, &platform, false).await;
    send_early(&t, &post).await;
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
    t.go_on_with(copy).await;
    searched(&t).await;
    assert_eq!(t.root(&post).await["state"], "QUEUE");
    t.advance(DAY).await;
    is_a_persons(&t.settled(&post).await);
    disable(&t, &platform, false).await;
    publish(&t, &post).await;
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
    assert_eq!(t.sim.publication_count(), 1);
}
