//! Accounts whose lists of posts are not in order, do not say where they go on, or are missing in the answer: what they do not show may be
//! out all the same.

use playout_tiktok::sim::{Endpoint, Fault, FaultAction};

use super::hold::{DAY, HOUR, plan, searched, searched_in_time, send_early};
use super::restored::{MINUTE, is_a_persons};
use crate::harness::{Db, TestApp, on_both};

on_both!(
    a_post_of_a_creator_that_is_listed_behind_pinned_ones_is_found_after_a_restore,
    a_post_of_a_business_that_is_listed_behind_pinned_ones_is_found_after_a_restore,
    a_post_of_a_creator_that_is_listed_behind_a_page_of_pinned_ones_is_found_after_a_restore,
    a_post_of_a_business_that_is_listed_behind_a_page_of_pinned_ones_is_found_after_a_restore,
    a_post_of_a_creator_whose_list_does_not_go_on_is_a_persons_after_a_restore,
    a_post_of_a_business_whose_list_does_not_go_on_is_a_persons_after_a_restore,
    a_creator_whose_list_is_missing_in_the_answer_is_asked_again_after_a_restore,
    a_business_whose_list_is_missing_in_the_answer_is_asked_again_after_a_restore,
    a_post_of_a_creator_whose_list_lacks_the_texts_is_a_persons_after_a_restore,
    a_post_of_a_business_whose_list_lacks_the_texts_is_a_persons_after_a_restore,
);

/// Restores a copy of an account with an old post, and one that went out since the copy was made and is on the second page of the list;
/// returns that one.
async fn on_the_second_page(t: &mut TestApp, platform: &str) -> String {
    let clip = t.api.upload_clip().await;
    let old = t.api.publish_now(platform, std::slice::from_ref(&clip)).await;
    t.run_until(&old, |root| root["releaseId"].is_string()).await;
    t.advance(DAY).await;
    let post = plan(t, platform, ("due in five days", &clip), 5 * DAY).await;
    let copy = t.copy_database().await;
    send_early(t, &post).await;
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
    t.advance(2 * MINUTE).await;
    let open_id = t.sim.publications()[0].open_id.clone();
    t.sim.creator_has_posted(&open_id, 25);
    t.go_on_with(copy).await;
    searched(t).await;
    post
}

/// The pinned posts come first, on a page of their own if `pinned_alone`.
async fn is_found_behind_pinned_posts(mut t: TestApp, platform: &str, pinned_alone: bool) {
    t.sim
        .turn(|knobs| (knobs.pinned_posts, knobs.pinned_alone) = (1, pinned_alone));
    let post = on_the_second_page(&mut t, platform).await;
    let root = t.root(&post).await;
    assert_eq!(root["state"], "PUBLISHED", "{root:#}");
    went_out_once(&t).await;
}

async fn is_a_persons_where_the_list_does_not_go_on(mut t: TestApp, platform: &str) {
    t.sim.turn(|knobs| knobs.omit_cursor = true);
    let post = on_the_second_page(&mut t, platform).await;
    is_a_persons(&t.root(&post).await);
    went_out_once(&t).await;
}

async fn went_out_once(t: &TestApp) {
    t.advance(6 * DAY + HOUR).await;
    let published = t.sim.publications();
    let ours = published.iter().filter(|post| post.caption == "due in five days");
    assert_eq!(ours.count(), 1);
}

async fn a_post_of_a_creator_that_is_listed_behind_pinned_ones_is_found_after_a_restore(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    is_found_behind_pinned_posts(t, &platform, false).await;
}

async fn a_post_of_a_business_that_is_listed_behind_pinned_ones_is_found_after_a_restore(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect_business("kitestudio").await;
    is_found_behind_pinned_posts(t, &platform, false).await;
}

async fn a_post_of_a_creator_that_is_listed_behind_a_page_of_pinned_ones_is_found_after_a_restore(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    is_found_behind_pinned_posts(t, &platform, true).await;
}

async fn a_post_of_a_business_that_is_listed_behind_a_page_of_pinned_ones_is_found_after_a_restore(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect_business("kitestudio").await;
    is_found_behind_pinned_posts(t, &platform, true).await;
}

async fn a_post_of_a_creator_whose_list_does_not_go_on_is_a_persons_after_a_restore(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    is_a_persons_where_the_list_does_not_go_on(t, &platform).await;
}

async fn a_post_of_a_business_whose_list_does_not_go_on_is_a_persons_after_a_restore(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect_business("kitestudio").await;
    is_a_persons_where_the_list_does_not_go_on(t, &platform).await;
}

/// The provider answers twice that all is well, without a list.
async fn is_asked_again_without_a_list(mut t: TestApp, platform: &str, endpoint: Endpoint, well: &str) {
    let clip = t.api.upload_clip().await;
    let post = plan(&t, platform, ("due in five days", &clip), 5 * DAY).await;
    let copy = t.copy_database().await;
    send_early(&t, &post).await;
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
    t.advance(2 * MINUTE).await;
    let without_list = Fault::new(endpoint, FaultAction::error(200, well));
    t.sim.inject(without_list.times(2));
    t.go_on_with(copy).await;
    searched_in_time(&t).await;
    let root = t.root(&post).await;
    assert_eq!(root["state"], "PUBLISHED", "{root:#}");
    went_out_once(&t).await;
}

async fn a_creator_whose_list_is_missing_in_the_answer_is_asked_again_after_a_restore(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    is_asked_again_without_a_list(t, &platform, Endpoint::VideoList, "ok").await;
}

async fn a_business_whose_list_is_missing_in_the_answer_is_asked_again_after_a_restore(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect_business("kitestudio").await;
    is_asked_again_without_a_list(t, &platform, Endpoint::BusinessPosts, "0").await;
}

/// The account lists its posts without their texts.
async fn is_a_persons_where_the_texts_are_missing(mut t: TestApp, platform: &str) {
    let clip = t.api.upload_clip().await;
    let post = plan(&t, platform, ("due in five days", &clip), 5 * DAY).await;
    let copy = t.copy_database().await;
    send_early(&t, &post).await;
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
    t.advance(2 * MINUTE).await;
    t.sim.turn(|knobs| knobs.omit_texts = true);
    t.go_on_with(copy).await;
    searched(&t).await;
    is_a_persons(&t.root(&post).await);
    went_out_once(&t).await;
}

async fn a_post_of_a_creator_whose_list_lacks_the_texts_is_a_persons_after_a_restore(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    is_a_persons_where_the_texts_are_missing(t, &platform).await;
}

async fn a_post_of_a_business_whose_list_lacks_the_texts_is_a_persons_after_a_restore(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect_business("kitestudio").await;
    is_a_persons_where_the_texts_are_missing(t, &platform).await;
}
