//! IDs with which strangers have marked posts of theirs: a person's word about another account hides no post from a search.

use serde_json::json;

use super::at_most_once::is_unconfirmed;
use super::hold::{DAY, plan};
use super::listed_texts::{creator_posts, hold_by_hand, lose_the_answer_to};
use super::restored::{MINUTE, is_a_persons};
use crate::harness::{Client, Db, TestApp, on_both, post_body};

on_both!(
    a_post_whose_id_a_stranger_has_marked_is_a_persons_after_a_hold,
    a_post_whose_id_a_stranger_has_marked_and_deleted_is_a_persons_after_a_hold,
);

/// A planned post of a business account that is out, and whose ID a stranger has given to a private post of theirs, on an account that is
/// connected in the other way; the path of that one.
async fn marked_by_a_stranger(t: &TestApp) -> (String, Client, String) {
    t.sim.turn(|knobs| knobs.webhooks = false);
    let platform = t.connect_business("kitestudio").await;
    let (stranger, theirs) = t.stranger_with("harborbakes").await;
    let mut body = post_body(&theirs, &[stranger.upload_photo(720, 960).await]);
    body["settings"] = json!({ "privacy_level": "SELF_ONLY" });
    let private = lose_the_answer_to(t, &stranger, &body).await;
    for _ in 0..15 {
        t.advance(MINUTE).await;
    }
    let path = format!("/public/v1/posts/{private}");
    is_unconfirmed(&stranger.get(&path).await.ok()["root"]);
    let clip = t.api.upload_clip().await;
    let own = plan(t, &platform, ("the same words", &clip), 5 * DAY).await;
    creator_posts(t, "the same words").await;
    let published = t.sim.publications();
    let out = published.iter().find(|post| post.caption == "the same words");
    let mark = json!({ "releaseId": out.unwrap().post_id });
    let marked = stranger.post(&format!("{path}/mark-published"), &mark).await;
    assert_eq!(marked.ok()["root"]["state"], "PUBLISHED");
    (own, stranger, path)
}

async fn is_a_persons_after_a_hold(t: &TestApp, own: &str) {
    hold_by_hand(t).await;
    is_a_persons(&t.root(own).await);
    t.advance(6 * DAY).await;
    let published = t.sim.publications();
    let ours = published.iter().filter(|post| post.caption == "the same words");
    assert_eq!(ours.count(), 1);
}

async fn a_post_whose_id_a_stranger_has_marked_is_a_persons_after_a_hold(db: Db) {
    let t = TestApp::start(db).await;
    let (own, _, _) = marked_by_a_stranger(&t).await;
    is_a_persons_after_a_hold(&t, &own).await;
}

async fn a_post_whose_id_a_stranger_has_marked_and_deleted_is_a_persons_after_a_hold(db: Db) {
    let t = TestApp::start(db).await;
    let (own, stranger, path) = marked_by_a_stranger(&t).await;
    assert_eq!(stranger.delete(&path).await.status, 204);
    is_a_persons_after_a_hold(&t, &own).await;
}
