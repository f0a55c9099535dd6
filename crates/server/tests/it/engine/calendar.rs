//! Times as calendars and zones have them: leap days, hours that a zone has twice, and the two years that posts may be planned.

use std::time::Duration;

use playout_domain::time::Time;
use playout_tiktok::sim::Endpoint;
use serde_json::{Value, json};

use crate::harness::{Answer, Db, TestApp, on_both, post_body};

on_both!(
    a_post_for_a_leap_day_goes_out_on_it,
    the_hour_that_a_zone_has_twice_holds_two_posts_an_hour_apart,
    two_calendar_years_ahead_can_be_planned_although_a_leap_day_lies_between,
);

async fn plan(t: &TestApp, platform: &str, clip: &str, at: &str) -> Answer {
    let mut body = post_body(platform, &[clip.to_owned()]);
    (body["mode"], body["scheduledFor"]) = (json!("schedule"), json!(at));
    t.api.post("/public/v1/posts", &body).await
}

fn root(created: &Value) -> (String, String) {
    let root = &created["results"][0]["post"]["root"];
    let text = |name: &str| root[name].as_str().unwrap().to_owned();
    (text("id"), text("scheduledFor"))
}

/// Runs everything that is due until `to`, like a service that is never off: tokens are refreshed on the way.
async fn live_until(t: &TestApp, to: Time) {
    loop {
        let next = t.app.store.next_run_at().await.unwrap();
        t.clock.set(next.map_or(to, |next| next.min(to)));
        t.idle().await;
        if t.now() >= to {
            return;
        }
    }
}

async fn a_post_for_a_leap_day_goes_out_on_it(db: Db) {
    let t = TestApp::start(db).await;
    let (platform, clip) = (t.connect("kitestudio").await, t.api.upload_clip().await);
    let created = plan(&t, &platform, &clip, "2028-02-29T23:30:00+01:00").await.ok();
    let (post, shown) = root(&created);
    assert_eq!(shown, "2028-02-29T22:30:00.000Z");
    plan(&t, &platform, &clip, "2027-02-29T12:00:00Z")
        .await
        .refused(400, "invalid_request");
    let due = Time::parse(&shown).unwrap();
    live_until(&t, due.minus(Duration::from_micros(1))).await;
    assert!(t.calls(Endpoint::VideoInit).is_empty());
    live_until(&t, due).await;
    assert_eq!(
        t.calls(Endpoint::VideoInit)
            .iter()
            .map(|call| call.at)
            .collect::<Vec<_>>(),
        [due]
    );
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
}

async fn the_hour_that_a_zone_has_twice_holds_two_posts_an_hour_apart(db: Db) {
    let t = TestApp::start(db).await;
    let (platform, clip) = (t.connect("kitestudio").await, t.api.upload_clip().await);
    for at in ["2027-10-31T02:30:00+02:00", "2027-10-31T02:30:00+01:00"] {
        plan(&t, &platform, &clip, at).await.ok();
    }
    live_until(&t, Time::parse("2027-10-31T02:00:00Z").unwrap()).await;
    let handed: Vec<String> = t
        .calls(Endpoint::VideoInit)
        .iter()
        .map(|call| call.at.to_string())
        .collect();
    assert_eq!(handed, ["2027-10-31T00:30:00.000Z", "2027-10-31T01:30:00.000Z"]);
    assert_eq!(t.sim.publication_count(), 2);
}

async fn two_calendar_years_ahead_can_be_planned_although_a_leap_day_lies_between(db: Db) {
    let t = TestApp::start(db).await;
    let (platform, clip) = (t.connect("kitestudio").await, t.api.upload_clip().await);
    let created = plan(&t, &platform, &clip, "2028-11-20T12:00:00Z").await.ok();
    assert_eq!(root(&created).1, "2028-11-20T12:00:00.000Z");
    plan(&t, &platform, &clip, "2028-11-23T12:00:00Z")
        .await
        .refused(400, "invalid_request");
}
