//! After a hold: posts that were in ERROR in the copy, and those of which every run fails inside.

use playout_tiktok::sim::FailRule;
use serde_json::Value;

use super::hold::{DAY, HOUR, plan, publish, searched, searched_in_time, send_early};
use super::internal::quoted;
use super::restored::is_a_persons;
use crate::harness::{Db, TestApp, execute_in, on_both};

on_both!(
    a_post_in_error_that_was_sent_again_since_the_copy_is_found,
    a_post_in_error_that_was_not_sent_again_stays_in_error_and_goes_out_once_when_it_is,
    a_post_that_could_not_be_searched_for_because_of_failures_inside_is_a_persons_after_a_day,
);

/// A post whose first try the provider rejects.
async fn refused(t: &TestApp, platform: &str, planned: (&str, &str)) -> String {
    t.sim.fail(FailRule::next("spam_risk_text"));
    let post = plan(t, platform, planned, HOUR).await;
    t.clock.advance(HOUR);
    assert_eq!(t.settled(&post).await["state"], "ERROR");
    post
}

async fn a_post_in_error_that_was_sent_again_since_the_copy_is_found(db: Db) {
    let mut t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let post = refused(&t, &platform, ("refused once", &clip)).await;
    let copy = t.copy_database().await;
    publish(&t, &post).await;
    let sent = t.settled(&post).await;
    assert_eq!(sent["state"], "PUBLISHED");
    t.go_on_with(copy).await;
    searched(&t).await;
    let found = t.root(&post).await;
    assert_eq!(found["state"], "PUBLISHED", "{found:#}");
    assert_eq!(found["releaseId"], sent["releaseId"]);
    assert_eq!(found["errorText"], Value::Null);
    assert_eq!(t.sim.publication_count(), 1);
}

async fn a_post_in_error_that_was_not_sent_again_stays_in_error_and_goes_out_once_when_it_is(db: Db) {
    let mut t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let post = refused(&t, &platform, ("refused once", &clip)).await;
    let twins = [
        refused(&t, &platform, ("refused twice", &clip)).await,
        refused(&t, &platform, ("refused twice", &clip)).await,
    ];
    let before = t.root(&post).await;
    let copy = t.copy_database().await;
    publish(&t, &twins[0]).await;
    assert_eq!(t.settled(&twins[0]).await["state"], "PUBLISHED");
    t.go_on_with(copy).await;
    searched(&t).await;
    for ambiguous in &twins {
        let root = t.root(ambiguous).await;
        assert_eq!(
            root["state"], "ERROR",
            "either may be the one that is out: {root:#}"
        );
    }
    let after = t.root(&post).await;
    assert_eq!(
        (&after["state"], &after["errorText"]),
        (&before["state"], &before["errorText"])
    );
    t.advance(2 * HOUR).await;
    publish(&t, &post).await;
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
    assert_eq!(t.sim.publication_count(), 2);
}

async fn a_post_that_could_not_be_searched_for_because_of_failures_inside_is_a_persons_after_a_day(db: Db) {
    let mut t = TestApp::start(db).await;
    t.errors.expect("could not be asked");
    t.errors.expect("failed inside");
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let post = plan(&t, &platform, ("out early", &clip), DAY).await;
    let copy = t.copy_database().await;
    send_early(&t, &post).await;
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
    let sealed = format!(
        "UPDATE platforms SET access_token = refresh_token WHERE id = {}",
        quoted(db, &platform)
    );
    execute_in(&copy.url, db, sealed).await;
    t.go_on_with(copy).await;
    searched_in_time(&t).await;
    assert_eq!(t.root(&post).await["state"], "QUEUE");
    t.advance(DAY).await;
    is_a_persons(&t.settled(&post).await);
    assert_eq!(t.sim.publication_count(), 1);
}
