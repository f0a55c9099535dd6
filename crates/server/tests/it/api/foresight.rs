//! Warnings are returned when posts are validated and created (`docs/contract.md#warnings`; warnings change no status).

use std::time::Duration;

use playout_domain::time::Time;
use playout_tiktok::sim::Account;
use serde_json::{Value, json};

use crate::harness::{Db, TestApp, on_both, post_body};

on_both!(
    the_sixteenth_post_of_a_day_is_warned_of_and_taken,
    a_video_for_the_inbox_loses_its_caption_and_five_fill_it,
    what_the_provider_has_said_is_passed_on,
    more_posts_than_a_minute_takes_start_later,
);

const VALIDATE: &str = "/public/v1/posts/validate";
const HOUR: Duration = Duration::from_secs(3600);

fn at(platform: &str, clip: &str, time: Time) -> Value {
    let mut body = post_body(platform, &[clip.to_owned()]);
    (body["mode"], body["scheduledFor"]) = (json!("schedule"), json!(time));
    body
}

fn to_inbox(mut body: Value) -> Value {
    body["settings"] = json!({ "post_mode": "MEDIA_UPLOAD" });
    body
}

/// The codes of the warnings with which a post would be taken.
async fn warned(t: &TestApp, body: &Value) -> Vec<String> {
    let result = t.api.post(VALIDATE, body).await.ok()["results"][0].take();
    assert_eq!(result["status"], "valid", "{result:#}");
    let warnings = result["warnings"].as_array().unwrap().iter();
    warnings
        .map(|warning| warning["code"].as_str().unwrap().to_owned())
        .collect()
}

async fn the_sixteenth_post_of_a_day_is_warned_of_and_taken(db: Db) {
    let t = TestApp::start(db).await;
    let (platform, clip) = (t.connect("kitestudio").await, t.api.upload_clip().await);
    let out = t.api.publish_now(&platform, std::slice::from_ref(&clip)).await;
    t.settled(&out).await;
    for hour in 1..15 {
        t.api
            .create_post(&at(&platform, &clip, t.now().plus(HOUR * hour)))
            .await;
    }
    let sixteenth = at(&platform, &clip, t.now().plus(HOUR * 15));
    assert_eq!(warned(&t, &sixteenth).await, ["daily_posts_likely_used_up"]);
    assert!(
        warned(&t, &at(&platform, &clip, t.now().plus(HOUR * 13).plus(HOUR / 2)))
            .await
            .is_empty()
    );
    assert!(
        warned(&t, &at(&platform, &clip, t.now().plus(HOUR * 26)))
            .await
            .is_empty(),
        "the first no longer count"
    );
    assert!(
        warned(
            &t,
            &at(&t.connect("harborbakes").await, &clip, t.now().plus(HOUR * 15))
        )
        .await
        .is_empty()
    );
    let created = t.api.post("/public/v1/posts", &sixteenth).await.ok()["results"][0].take();
    assert_eq!(
        (&created["status"], &created["willPublishAt"]),
        (&json!("created"), &sixteenth["scheduledFor"])
    );
    let text = created["warnings"][0]["message"].as_str().unwrap();
    assert!(
        text.contains("15 posts in the 24 hours before") && text.contains("about 15"),
        "{text}"
    );
    let mut draft = sixteenth.clone();
    draft["mode"] = json!("draft");
    let draft = t.api.post(VALIDATE, &draft).await.ok()["results"][0].take();
    assert_eq!(
        (&draft["willPublishAt"], &draft["warnings"]),
        (&Value::Null, &json!([]))
    );
}

async fn a_video_for_the_inbox_loses_its_caption_and_five_fill_it(db: Db) {
    let t = TestApp::start(db).await;
    let (platform, clip) = (t.connect("kitestudio").await, t.api.upload_clip().await);
    let photo = t.api.upload_photo(300, 400).await;
    let first = to_inbox(post_body(&platform, std::slice::from_ref(&clip)));
    assert_eq!(warned(&t, &first).await, ["caption_not_sent"]);
    assert!(
        warned(&t, &to_inbox(post_body(&platform, std::slice::from_ref(&photo))))
            .await
            .is_empty()
    );
    let post = t.api.create_post(&first).await;
    t.settled(&post).await;
    for hour in 1..5 {
        t.api
            .create_post(&to_inbox(at(&platform, &photo, t.now().plus(HOUR * hour))))
            .await;
    }
    let sixth = to_inbox(at(&platform, &photo, t.now().plus(HOUR * 5)));
    assert_eq!(warned(&t, &sixth).await, ["inbox_shares_likely_used_up"]);
    assert!(
        warned(&t, &at(&platform, &photo, t.now().plus(HOUR * 5)))
            .await
            .is_empty(),
        "directly there is room"
    );
}

async fn what_the_provider_has_said_is_passed_on(db: Db) {
    let t = TestApp::start(db).await;
    let (platform, clip) = (t.connect("kitestudio").await, t.api.upload_clip().await);
    t.sim
        .change_account(&t.open_id("kitestudio"), |account: &mut Account| {
            account.post_cap = Some(0)
        });
    t.api.publish_now(&platform, std::slice::from_ref(&clip)).await;
    t.idle().await;
    assert_eq!(
        warned(&t, &at(&platform, &clip, t.now().plus(HOUR))).await,
        ["account_restricted"]
    );
    assert!(
        warned(&t, &at(&platform, &clip, t.now().plus(HOUR * 25)))
            .await
            .is_empty(),
        "over by then"
    );
    let photo = t.api.upload_photo(300, 400).await;
    assert!(
        warned(&t, &to_inbox(at(&platform, &photo, t.now().plus(HOUR))))
            .await
            .is_empty()
    );
}

async fn more_posts_than_a_minute_takes_start_later(db: Db) {
    let t = TestApp::start(db).await;
    let (platform, clip) = (t.connect("kitestudio").await, t.api.upload_clip().await);
    let due = t.now().plus(HOUR);
    for _ in 0..6 {
        t.api.create_post(&at(&platform, &clip, due)).await;
    }
    assert_eq!(warned(&t, &at(&platform, &clip, due)).await, ["starts_later"]);
    assert!(warned(&t, &at(&platform, &clip, due.plus(HOUR))).await.is_empty());
}
