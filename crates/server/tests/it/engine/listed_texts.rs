//! Posts that their account lists with another text than their caption: with the title before it, cut, or as it was before a change. Each is
//! found.

use playout_store::PlatformChanges;
use playout_tiktok::sim::{Endpoint, Fault, FaultAction, HoldPoint};
use serde_json::{Value, json};

use super::at_most_once::is_unconfirmed;
use super::hold::{DAY, HOUR, change, draft, plan, planned, publish, searched, searched_in_time, send_early};
use super::restored::{MINUTE, must_reconnect};
use crate::harness::{CLIP, Client, Db, TestApp, on_both, post_body};

on_both!(
    titled_posts_of_a_creator_that_went_out_since_a_copy_was_made_are_found,
    titled_posts_of_a_business_that_went_out_since_a_copy_was_made_are_found,
    a_titled_post_that_comes_out_after_the_search_is_found_before_it_would_go_out_again,
    a_titled_post_that_is_listed_by_its_caption_alone_is_found,
    titled_photos_whose_answer_was_lost_are_found_among_the_recent_posts,
    sent_again_a_titled_post_that_is_out_is_found_instead,
    a_titled_post_in_doubt_is_not_taken_for_the_next_that_would_be_listed_like_it,
    a_titled_post_that_was_deleted_in_doubt_is_not_taken_for_the_next_that_would_be_listed_like_it,
    a_post_whose_listed_beginning_is_full_of_ends_of_lines_is_found,
    a_post_that_was_changed_between_two_holds_is_looked_for_by_the_text_of_before,
    a_post_that_was_changed_between_two_holds_is_looked_for_by_the_text_of_after_too,
    a_post_whose_default_title_is_changed_after_a_hold_is_looked_for_with_the_one_of_before,
    photos_whose_default_title_is_changed_while_they_are_handed_over_are_found_with_the_one_that_was_sent,
    a_title_with_the_character_that_ends_titles_is_found,
    a_decomposed_text_that_was_cut_within_a_letter_is_a_persons,
    photos_whose_default_title_was_set_since_the_copy_are_a_persons,
);

/// The same photo post with a title.
fn titled(mut body: Value, title: &str) -> Value {
    body["settings"]["title"] = title.into();
    body
}

/// Sends a photo post, and loses the provider's answer after the photos were fetched.
pub(super) async fn lose_the_answer(t: &TestApp, body: &Value) -> String {
    lose_the_answer_to(t, &t.api, body).await
}

/// The same in the workspace of `client`.
pub(super) async fn lose_the_answer_to(t: &TestApp, client: &Client, body: &Value) -> String {
    t.sim.hold(Endpoint::ContentInit, HoldPoint::After);
    t.sim
        .inject(Fault::new(Endpoint::ContentInit, FaultAction::DropAfter));
    let post = client.create_post(body).await;
    t.sim.held(Endpoint::ContentInit, 1).await;
    t.sim.idle().await;
    t.sim.release(Endpoint::ContentInit);
    t.idle().await;
    post
}

/// The creator posts a video with this text in the provider's own app.
pub(super) async fn creator_posts(t: &TestApp, text: &str) {
    let grant = t.sim.grant(&t.open_id("kitestudio"), &["video.publish"]);
    let size = CLIP.len();
    let body = json!({
        "post_info": { "title": text, "privacy_level": "PUBLIC_TO_EVERYONE" },
        "source_info": { "source": "FILE_UPLOAD", "video_size": size, "chunk_size": size, "total_chunk_count": 1 },
    });
    let init = t
        .api
        .http()
        .post(format!("{}/v2/post/publish/video/init/", t.sim.url()));
    let answer = init
        .bearer_auth(grant.access_token)
        .json(&body)
        .send()
        .await
        .unwrap();
    let answer: Value = answer.json().await.unwrap();
    let upload = t
        .api
        .http()
        .put(answer["data"]["upload_url"].as_str().unwrap())
        .header("content-type", "video/mp4")
        .header("content-range", format!("bytes 0-{}/{size}", size - 1));
    let uploaded = upload.body(CLIP).send().await.unwrap();
    assert_eq!(uploaded.status(), 201);
    t.sim.idle().await;
}

/// Holds publications by hand, as is done after a failover, and waits until each post was looked for.
pub(super) async fn hold_by_hand(t: &TestApp) {
    let since = t.now().minus(5 * MINUTE);
    let begun = t.app.store.begin_hold(since, "it was held by hand", t.now());
    begun.await.unwrap();
    searched_in_time(t).await;
}

/// The post is out as the only one of the account, handed over once.
pub(super) fn is_the_one_that_is_out(t: &TestApp, root: &Value) {
    t.only_publication(root);
    assert_eq!(t.sim.task_count(), 1);
}

/// Photo posts with a title and without that went out since a copy was made are found when it is put back.
async fn photo_posts_are_found(mut t: TestApp, platform: &str) {
    let photo = t.api.upload_photo(720, 960).await;
    let untitled = planned(&t, platform, ("sunrise over the bay", &photo), 5 * DAY);
    let evening = planned(&t, platform, ("sunset over the bay", &photo), 5 * DAY);
    let untitled = t.api.create_post(&untitled).await;
    let evening = t.api.create_post(&titled(evening, "Evening")).await;
    let sketch = titled(draft(platform, "fog over the bay", &photo), "Fog");
    let sketch = t.api.create_post(&sketch).await;
    let copy = t.copy_database().await;
    send_early(&t, &untitled).await;
    send_early(&t, &evening).await;
    publish(&t, &sketch).await;
    let posts = [untitled, evening, sketch];
    for post in &posts {
        assert_eq!(t.settled(post).await["state"], "PUBLISHED");
    }
    t.go_on_with(copy).await;
    searched(&t).await;
    for post in &posts {
        let root = t.root(post).await;
        assert_eq!(root["state"], "PUBLISHED", "{root:#}");
    }
    t.advance(6 * DAY).await;
    assert_eq!(t.sim.publication_count(), 3);
}

/// A titled post that comes out without this service's knowledge, and that the account lists as `Evening\nover the bay`.
async fn comes_out_unnoticed(t: &TestApp, platform: &str, photo: &str) -> String {
    t.sim
        .turn(|knobs| (knobs.webhooks, knobs.processing_ms) = (false, 600_000));
    let mut body = post_body(platform, &[photo.to_owned()]);
    body["content"] = "over the bay".into();
    let post = lose_the_answer(t, &titled(body, "Evening")).await;
    is_unconfirmed(&t.settled(&post).await);
    assert_eq!(t.sim.publication_count(), 0);
    post
}

/// Another post whose caption is what the account lists of the titled one; the provider is at work on it for long.
async fn the_next_is_a_persons(t: &TestApp, platform: &str, photo: &str) {
    t.advance(9 * MINUTE).await;
    assert_eq!(t.sim.publication_count(), 1);
    t.sim.turn(|knobs| knobs.processing_ms = 86_400_000);
    let mut body = post_body(platform, &[photo.to_owned()]);
    body["content"] = "Evening\nover the bay".into();
    let next = lose_the_answer(t, &body).await;
    let root = t.settled(&next).await;
    is_unconfirmed(&root);
    assert_eq!(root["releaseId"], Value::Null);
}

/// More than the 150 characters that the provider lists, of which many are ends of lines.
fn recipe() -> String {
    let ingredients = [
        "- 2 eggs",
        "- 1 cup oats",
        "- 1 tsp salt",
        "- 3 g yeast",
        "- 1 dl milk",
    ];
    let steps = ["mix it", "let it rest", "bake 40 min", "let it cool", "enjoy it!"];
    let lines = ingredients.iter().chain(&steps).copied();
    format!(
        "Oat bread\n\n\n{}\n\n\n#bread #oats #rye",
        lines.collect::<Vec<_>>().join("\n\n\n")
    )
}

async fn titled_posts_of_a_creator_that_went_out_since_a_copy_was_made_are_found(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    photo_posts_are_found(t, &platform).await;
}

async fn titled_posts_of_a_business_that_went_out_since_a_copy_was_made_are_found(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect_business("kitestudio").await;
    photo_posts_are_found(t, &platform).await;
}

async fn a_titled_post_that_comes_out_after_the_search_is_found_before_it_would_go_out_again(db: Db) {
    let mut t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let photo = t.api.upload_photo(720, 960).await;
    let body = planned(&t, &platform, ("sunset over the bay", &photo), 5 * DAY);
    let post = t.api.create_post(&titled(body, "Evening")).await;
    let copy = t.copy_database().await;
    t.sim.turn(|knobs| knobs.processing_ms = 1_800_000);
    send_early(&t, &post).await;
    t.go_on_with(copy).await;
    searched(&t).await;
    assert_eq!(t.root(&post).await["state"], "QUEUE", "the provider is at it");
    t.clock.advance(5 * DAY);
    is_the_one_that_is_out(&t, &t.settled(&post).await);
}

async fn a_titled_post_that_is_listed_by_its_caption_alone_is_found(db: Db) {
    let mut t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let photo = t.api.upload_photo(720, 960).await;
    let body = planned(&t, &platform, ("sunset over the bay", &photo), 5 * DAY);
    let post = t.api.create_post(&titled(body, "Evening")).await;
    let copy = t.copy_database().await;
    // The simulator lists titles: a video without one represents the post.
    creator_posts(&t, "sunset over the bay").await;
    t.go_on_with(copy).await;
    searched(&t).await;
    is_the_one_that_is_out(&t, &t.root(&post).await);
}

async fn titled_photos_whose_answer_was_lost_are_found_among_the_recent_posts(db: Db) {
    let t = TestApp::start(db).await;
    t.sim
        .turn(|knobs| (knobs.webhooks, knobs.moderation_ms) = (false, 40_000));
    let platform = t.connect("kitestudio").await;
    let photo = t.api.upload_photo(720, 960).await;
    let post = lose_the_answer(&t, &titled(post_body(&platform, &[photo]), "Evening")).await;
    is_the_one_that_is_out(&t, &t.settled(&post).await);
}

async fn sent_again_a_titled_post_that_is_out_is_found_instead(db: Db) {
    let t = TestApp::start(db).await;
    t.sim.turn(|knobs| knobs.webhooks = false);
    let platform = t.connect("kitestudio").await;
    let photo = t.api.upload_photo(720, 960).await;
    t.sim
        .inject(Fault::new(Endpoint::VideoList, FaultAction::internal_error()).times(5));
    let post = lose_the_answer(&t, &titled(post_body(&platform, &[photo]), "Evening")).await;
    is_unconfirmed(&t.settled(&post).await);
    assert_eq!(t.sim.pending_faults(), []);
    publish(&t, &post).await;
    is_the_one_that_is_out(&t, &t.settled(&post).await);
}

async fn a_titled_post_in_doubt_is_not_taken_for_the_next_that_would_be_listed_like_it(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let photo = t.api.upload_photo(720, 960).await;
    comes_out_unnoticed(&t, &platform, &photo).await;
    the_next_is_a_persons(&t, &platform, &photo).await;
}

async fn a_titled_post_that_was_deleted_in_doubt_is_not_taken_for_the_next_that_would_be_listed_like_it(
    db: Db,
) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let photo = t.api.upload_photo(720, 960).await;
    let deleted = comes_out_unnoticed(&t, &platform, &photo).await;
    t.api.delete_post(&deleted).await;
    the_next_is_a_persons(&t, &platform, &photo).await;
}

async fn a_post_whose_listed_beginning_is_full_of_ends_of_lines_is_found(db: Db) {
    let mut t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let recipe = recipe();
    let listed: String = recipe.chars().take(150).collect();
    assert!(listed.len() < recipe.len() && listed.split_whitespace().collect::<String>().len() < 100);
    let post = plan(&t, &platform, (&recipe, &clip), 5 * DAY).await;
    let copy = t.copy_database().await;
    send_early(&t, &post).await;
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
    t.go_on_with(copy).await;
    searched(&t).await;
    is_the_one_that_is_out(&t, &t.root(&post).await);
    t.advance(6 * DAY).await;
    assert_eq!(t.sim.publication_count(), 1);
}

async fn a_post_that_was_changed_between_two_holds_is_looked_for_by_the_text_of_before(db: Db) {
    let mut t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let post = plan(&t, &platform, ("old words", &clip), 5 * DAY).await;
    must_reconnect(&t, &platform).await;
    let copy = t.copy_database().await;
    t.connect("kitestudio").await;
    send_early(&t, &post).await;
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
    t.go_on_with(copy).await;
    searched(&t).await;
    t.connect("kitestudio").await;
    change(&t, &post, "new words").await;
    hold_by_hand(&t).await;
    t.clock.advance(5 * DAY);
    t.idle().await;
    is_the_one_that_is_out(&t, &t.root(&post).await);
}

async fn a_post_that_was_changed_between_two_holds_is_looked_for_by_the_text_of_after_too(db: Db) {
    let mut t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let post = plan(&t, &platform, ("old words", &clip), 5 * DAY).await;
    hold_by_hand(&t).await;
    change(&t, &post, "new words").await;
    t.advance(HOUR).await;
    let copy = t.copy_database().await;
    send_early(&t, &post).await;
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
    t.go_on_with(copy).await;
    searched(&t).await;
    is_the_one_that_is_out(&t, &t.root(&post).await);
}

/// Gives the account another default title.
async fn entitle(t: &TestApp, platform: &str, title: &str) {
    let settings = json!({ "title": title }).as_object().cloned();
    let changes = PlatformChanges {
        disabled: None,
        settings,
    };
    t.change_account(platform, changes).await;
}

async fn a_post_whose_default_title_is_changed_after_a_hold_is_looked_for_with_the_one_of_before(db: Db) {
    let mut t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    entitle(&t, &platform, "Kite Studio").await;
    let photo = t.api.upload_photo(720, 960).await;
    let post = plan(&t, &platform, ("daily bread", &photo), 20 * MINUTE).await;
    let copy = t.copy_database().await;
    t.sim.turn(|knobs| knobs.processing_ms = 1_800_000);
    send_early(&t, &post).await;
    t.go_on_with(copy).await;
    searched(&t).await;
    entitle(&t, &platform, "Kite Studio and friends").await;
    entitle(&t, &platform, "Friends of Kite Studio").await;
    t.advance(2 * HOUR).await;
    is_the_one_that_is_out(&t, &t.settled(&post).await);
    t.advance(DAY).await;
    assert_eq!((t.sim.task_count(), t.sim.publication_count()), (1, 1));
}

async fn photos_whose_default_title_is_changed_while_they_are_handed_over_are_found_with_the_one_that_was_sent(
    db: Db,
) {
    let t = TestApp::start(db).await;
    t.sim.turn(|knobs| knobs.webhooks = false);
    let platform = t.connect("kitestudio").await;
    entitle(&t, &platform, "Kite Studio").await;
    let photo = t.api.upload_photo(720, 960).await;
    let post = plan(&t, &platform, ("daily bread", &photo), MINUTE).await;
    t.sim.hold(Endpoint::CreatorInfo, HoldPoint::After);
    t.sim.hold(Endpoint::ContentInit, HoldPoint::After);
    t.sim
        .inject(Fault::new(Endpoint::ContentInit, FaultAction::DropAfter));
    t.clock.advance(MINUTE);
    t.sim.held(Endpoint::CreatorInfo, 1).await;
    entitle(&t, &platform, "Friends of Kite Studio").await;
    t.sim.release(Endpoint::CreatorInfo);
    t.sim.held(Endpoint::ContentInit, 1).await;
    t.sim.idle().await;
    t.sim.release(Endpoint::ContentInit);
    t.idle().await;
    is_the_one_that_is_out(&t, &t.settled(&post).await);
}

async fn a_title_with_the_character_that_ends_titles_is_found(db: Db) {
    let mut t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    entitle(&t, &platform, "Kite\u{1e}Studio").await;
    let photo = t.api.upload_photo(720, 960).await;
    let post = plan(&t, &platform, ("daily bread", &photo), 5 * DAY).await;
    let copy = t.copy_database().await;
    send_early(&t, &post).await;
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
    t.go_on_with(copy).await;
    searched(&t).await;
    is_the_one_that_is_out(&t, &t.root(&post).await);
    t.advance(6 * DAY).await;
    assert_eq!(t.sim.publication_count(), 1);
}

/// The account lists the first 150 code points: fewer characters, and half of the last one.
async fn a_decomposed_text_that_was_cut_within_a_letter_is_a_persons(db: Db) {
    let mut t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let texts = ["e\u{301}".repeat(120), "\u{1105}\u{1173}\u{11af}".repeat(60)];
    let mut posts = Vec::new();
    for text in &texts {
        posts.push(plan(&t, &platform, (text, &clip), 5 * DAY).await);
    }
    let copy = t.copy_database().await;
    for post in &posts {
        send_early(&t, post).await;
    }
    t.go_on_with(copy).await;
    searched(&t).await;
    t.advance(6 * DAY).await;
    for post in &posts {
        assert_eq!(t.root(post).await["state"], "ACTION_REQUIRED");
    }
    assert_eq!(t.sim.publication_count(), 2);
}

async fn photos_whose_default_title_was_set_since_the_copy_are_a_persons(db: Db) {
    let mut t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let photo = t.api.upload_photo(720, 960).await;
    let post = plan(&t, &platform, ("kites for sale", &photo), 5 * DAY).await;
    let copy = t.copy_database().await;
    entitle(&t, &platform, "Weekend offer").await;
    send_early(&t, &post).await;
    t.go_on_with(copy).await;
    searched(&t).await;
    t.advance(6 * DAY).await;
    assert_eq!(t.root(&post).await["state"], "ACTION_REQUIRED");
    assert_eq!(t.sim.publication_count(), 1);
}
