//! The last chunk of an upload, whose answer decides whether the post can have gone out: whatever it is, the post goes out once.

use std::time::Duration;

use playout_tiktok::sim::{ChunkStatuses, Endpoint, Fault, FaultAction, HoldPoint};

use super::at_most_once::{is_unconfirmed, went_out_once};
use super::hold::publish;
use super::tokens::disable;
use crate::harness::{Db, TestApp, on_both};

on_both!(
    a_last_chunk_whose_answer_was_lost_is_not_a_second_post,
    a_last_chunk_that_is_answered_200_with_null_is_sent_once_and_published,
    a_last_chunk_that_was_taken_and_answered_with_any_status_is_not_a_second_post,
    a_last_chunk_that_was_taken_and_refused_is_not_a_second_post_although_its_try_is_called_unknown,
    a_last_chunk_that_was_taken_and_refused_is_not_a_second_post_although_its_status_lags,
    a_last_chunk_that_was_taken_and_refused_is_not_a_second_post_although_its_try_is_unknown_before_its_status_lags,
    a_last_chunk_whose_account_is_disabled_meanwhile_is_not_a_second_post_although_its_status_lags,
    a_last_chunk_whose_account_is_reconnected_meanwhile_is_not_a_second_post_although_its_status_lags,
    a_last_chunk_that_was_refused_is_sent_anew_once_its_status_shows_that_it_was_not_taken,
    a_post_whose_last_chunk_never_arrived_is_begun_again_when_it_is_sent_again,
);

/// Statuses that say that nothing was taken.
const REFUSALS: [u16; 4] = [400, 403, 404, 416];

async fn a_last_chunk_whose_answer_was_lost_is_not_a_second_post(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    t.sim
        .inject(Fault::new(Endpoint::UploadLast, FaultAction::DropAfter));
    let post = t.api.publish_now(&platform, &[t.api.upload_clip().await]).await;
    went_out_once(&t, &t.settled(&post).await, Endpoint::VideoInit);
}

async fn a_last_chunk_that_is_answered_200_with_null_is_sent_once_and_published(db: Db) {
    let t = TestApp::start(db).await;
    t.sim
        .turn(|knobs| (knobs.chunk_statuses, knobs.webhooks) = (ChunkStatuses::Created, false));
    let platform = t.connect("kitestudio").await;
    let post = t.api.publish_now(&platform, &[t.api.upload_clip().await]).await;
    went_out_once(&t, &t.settled(&post).await, Endpoint::VideoInit);
    assert_eq!(t.calls(Endpoint::UploadLast).len(), 1);
}

/// For each status: the provider takes a last chunk and answers it with the status, after `prepare`. The post goes out once.
async fn is_no_second_post(db: Db, statuses: &[u16], prepare: impl Fn(&TestApp)) {
    for &status in statuses {
        let t = TestApp::start(db).await;
        let platform = t.connect("kitestudio").await;
        t.sim.turn(|knobs| knobs.webhooks = false);
        let taken = FaultAction::AnswerAfter {
            status,
            code: String::new(),
            message: String::new(),
        };
        t.sim.inject(Fault::new(Endpoint::UploadLast, taken));
        prepare(&t);
        let post = t.api.publish_now(&platform, &[t.api.upload_clip().await]).await;
        let root = t.settled(&post).await;
        assert_eq!(root["state"], "PUBLISHED", "{status}: {root:#}");
        went_out_once(&t, &root, Endpoint::VideoInit);
    }
}

async fn a_last_chunk_that_was_taken_and_answered_with_any_status_is_not_a_second_post(db: Db) {
    let statuses = [202, 204, 302, 400, 401, 403, 404, 408, 416, 429, 500, 503];
    is_no_second_post(db, &statuses, |_| {}).await;
}

/// A new identifier may not be known everywhere at the provider yet.
async fn a_last_chunk_that_was_taken_and_refused_is_not_a_second_post_although_its_try_is_called_unknown(
    db: Db,
) {
    let unknown = || FaultAction::error(400, "invalid_publish_id");
    is_no_second_post(db, &REFUSALS, |t| {
        t.sim.inject(Fault::new(Endpoint::Status, unknown()))
    })
    .await;
}

async fn a_last_chunk_that_was_taken_and_refused_is_not_a_second_post_although_its_status_lags(db: Db) {
    let lags = |t: &TestApp| t.sim.turn(|knobs| knobs.status_delay_ms = 60_000);
    is_no_second_post(db, &REFUSALS, lags).await;
}

/// Only answers that lack the last byte count: those of a provider that does not know the try, or does not answer, show nothing of it.
async fn a_last_chunk_that_was_taken_and_refused_is_not_a_second_post_although_its_try_is_unknown_before_its_status_lags(
    db: Db,
) {
    let answers = [
        FaultAction::error(400, "invalid_publish_id"),
        FaultAction::rate_limited(),
        FaultAction::error(400, "invalid_publish_id"),
        FaultAction::internal_error(),
    ];
    is_no_second_post(db, &[403, 404], |t| {
        t.sim.turn(|knobs| knobs.status_delay_ms = 210_000);
        let faults = answers.iter().cloned();
        faults.for_each(|answer| t.sim.inject(Fault::new(Endpoint::Status, answer)));
    })
    .await;
}

/// While the account is disabled its status is requested as while it is not: answers that do not lack the last byte count for nothing.
async fn a_last_chunk_whose_account_is_disabled_meanwhile_is_not_a_second_post_although_its_status_lags(
    db: Db,
) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    t.sim
        .turn(|knobs| (knobs.webhooks, knobs.status_delay_ms) = (false, 60_000));
    t.sim.hold(Endpoint::UploadLast, HoldPoint::After);
    t.sim
        .inject(Fault::new(Endpoint::UploadLast, FaultAction::DropAfter));
    let post = t.api.publish_now(&platform, &[t.api.upload_clip().await]).await;
    t.sim.held(Endpoint::UploadLast, 1).await;
    disable(&t, &platform, true).await;
    t.sim.release(Endpoint::UploadLast);
    t.idle().await;
    for _ in 0..4 {
        t.advance(Duration::from_secs(10)).await;
    }
    assert!(t.calls(Endpoint::Status).len() > 1);
    disable(&t, &platform, false).await;
    went_out_once(&t, &t.settled(&post).await, Endpoint::VideoInit);
}

/// An answer that refuses the access from before a reconnection does not lack the last byte either.
async fn a_last_chunk_whose_account_is_reconnected_meanwhile_is_not_a_second_post_although_its_status_lags(
    db: Db,
) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    t.sim
        .turn(|knobs| (knobs.webhooks, knobs.status_delay_ms) = (false, 100_000));
    let taken = FaultAction::AnswerAfter {
        status: 403,
        code: String::new(),
        message: String::new(),
    };
    t.sim.inject(Fault::new(Endpoint::UploadLast, taken));
    let post = t.api.publish_now(&platform, &[t.api.upload_clip().await]).await;
    t.idle().await;
    assert!(!t.calls(Endpoint::Status).is_empty(), "it lacks the last byte");
    for _ in 0..2 {
        t.sim.inject(Fault::new(
            Endpoint::Status,
            FaultAction::error(401, "scope_not_authorized"),
        ));
        t.sim.hold(Endpoint::Status, HoldPoint::After);
        t.clock.set(t.app.store.next_run_at().await.unwrap().unwrap());
        t.sim.held(Endpoint::Status, 1).await;
        assert_eq!(t.connect("kitestudio").await, platform);
        t.sim.release(Endpoint::Status);
        t.idle().await;
        assert!(t.is_ready(&platform).await);
    }
    went_out_once(&t, &t.settled(&post).await, Endpoint::VideoInit);
}

async fn a_last_chunk_that_was_refused_is_sent_anew_once_its_status_shows_that_it_was_not_taken(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    t.sim.turn(|knobs| knobs.webhooks = false);
    t.sim
        .inject(Fault::new(Endpoint::UploadLast, FaultAction::error(404, "")));
    let (post, before) = (
        t.api.publish_now(&platform, &[t.api.upload_clip().await]).await,
        t.now(),
    );
    let root = t.settled(&post).await;
    assert_eq!(root["state"], "PUBLISHED", "{root:#}");
    assert_eq!((t.sim.publication_count(), t.sim.task_count()), (1, 2));
    assert!(t.now().since(before) >= Duration::from_secs(120));
}

/// What became of it is not waited for: nothing is sent any more under the handle of the first try.
async fn a_post_whose_last_chunk_never_arrived_is_begun_again_when_it_is_sent_again(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let lost = Fault::new(Endpoint::UploadLast, FaultAction::Drop);
    t.sim.inject(lost.times(500));
    let post = t.api.publish_now(&platform, &[t.api.upload_clip().await]).await;
    is_unconfirmed(&t.settled(&post).await);
    assert_eq!(t.sim.task_count(), 1);
    publish(&t, &post).await;
    assert_eq!(t.sim.task_count(), 2);
}
