//! The steps of a post when nothing goes wrong.

use std::time::Duration;

use playout_tiktok::sim::Endpoint;

use crate::harness::{Db, TestApp, on_both};

on_both!(
    a_video_goes_out_once_and_gets_its_address,
    a_slideshow_goes_out_once_with_photos_cut_to_size,
    what_the_provider_is_at_work_on_is_asked_after_ever_more_rarely_until_the_window_is_over,
);

async fn a_video_goes_out_once_and_gets_its_address(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let post = t.api.publish_now(&platform, &[clip]).await;
    let root = t.settled(&post).await;
    assert_eq!(root["state"], "PUBLISHED", "{root:#}");
    let published = t.sim.publications();
    assert_eq!(published.len(), 1);
    assert_eq!(root["releaseId"], published[0].post_id.as_str());
}

async fn a_slideshow_goes_out_once_with_photos_cut_to_size(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let photos = [
        t.api.upload_photo(1254, 1254).await,
        t.api.upload_photo(900, 1600).await,
    ];
    let post = t.api.publish_now(&platform, &photos).await;
    let root = t.settled(&post).await;
    assert_eq!(root["state"], "PUBLISHED", "{root:#}");
    assert_eq!(t.sim.publications().len(), 1);
}

async fn what_the_provider_is_at_work_on_is_asked_after_ever_more_rarely_until_the_window_is_over(db: Db) {
    let t = TestApp::start(db).await;
    t.sim.turn(|knobs| (knobs.stuck, knobs.webhooks) = (true, false));
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let began = t.now();
    let posts = [
        t.api.publish_now(&platform, std::slice::from_ref(&clip)).await,
        t.api.publish_now(&platform, &[clip]).await,
    ];
    for post in &posts {
        assert_eq!(t.settled(post).await["state"], "ACTION_REQUIRED");
    }
    let window = t.now().since(began);
    assert!(
        window >= Duration::from_secs(30 * 60) && window < Duration::from_secs(47 * 60),
        "{window:?}"
    );
    let handle = t.handle_of(&posts[0]).await;
    let asked = t.calls(Endpoint::Status);
    let of_one: Vec<_> = asked
        .iter()
        .filter(|call| call.body.contains(&handle))
        .map(|call| call.at)
        .collect();
    let pauses: Vec<u64> = of_one
        .windows(2)
        .map(|pair| pair[1].since(pair[0]).as_secs())
        .collect();
    assert_eq!(pauses[..6], [2, 5, 10, 20, 30, 60], "{pauses:?}");
    assert!(
        pauses[6..].iter().all(|pause| (60..=61).contains(pause)),
        "{pauses:?}"
    );
    for call in &asked {
        let minute = asked
            .iter()
            .filter(|other| other.at <= call.at && call.at.since(other.at) < Duration::from_secs(60));
        assert!(
            minute.count() <= 30,
            "the account's limit holds for all its posts"
        );
    }
    assert_eq!(t.handovers_of("kitestudio"), 2);
}
