//! The last chunk of an upload, whose answer decides whether the post can have gone out: whatever it is, the post goes out once.

use std::time::Duration;

use playout_tiktok::sim::{ChunkStatuses, Endpoint, Fault, FaultAction, HoldPoint};

use super::at_most_once::{is_unconfirmed, went_out_once};
use super::hold::publish;
use super::inbox::{plan_directly, video_in_inbox};
use super::internal::{damage, take_files_away};
use super::tokens::disable;
use crate::harness::{Db, PATIENCE, TestApp, eventually, on_both, padded};

on_both!(
    a_last_chunk_whose_answer_was_lost_is_not_a_second_post,
    a_last_chunk_that_is_answered_200_with_null_is_sent_once_and_published,
    a_last_chunk_that_was_taken_and_answered_with_any_status_is_not_a_second_post,
    a_last_chunk_that_was_taken_and_refused_is_not_a_second_post_although_its_try_is_called_unknown,
    a_last_chunk_that_was_taken_and_refused_is_not_a_second_post_although_its_status_lags,
    a_last_chunk_that_was_taken_and_refused_is_not_a_second_post_although_its_try_is_unknown_before_its_status_lags,
    a_last_chunk_that_was_taken_and_refused_is_not_a_second_post_although_its_status_has_no_number,
    a_last_chunk_that_was_taken_and_refused_is_not_a_second_post_although_its_draft_could_not_be_asked_about_before,
    a_last_chunk_that_was_refused_is_left_to_a_person_where_no_status_has_a_number,
    a_post_whose_account_is_disabled_before_it_is_handed_over_does_not_go_out,
    a_last_chunk_whose_account_is_disabled_meanwhile_is_not_a_second_post_although_its_status_lags,
    a_last_chunk_whose_account_is_reconnected_meanwhile_is_not_a_second_post_although_its_status_lags,
    a_last_chunk_of_a_lost_run_breaks_off_and_may_have_arrived_for_a_while_all_the_same,
    a_last_chunk_that_a_lost_run_still_sends_is_sent_again_once_its_account_is_enabled,
    a_last_chunk_that_was_taken_is_asked_about_although_its_file_is_gone,
    a_last_chunk_of_a_disabled_account_that_never_arrives_leaves_its_post_to_a_person,
    a_last_chunk_that_was_refused_is_sent_anew_once_its_status_shows_that_it_was_not_taken,
    a_post_whose_last_chunk_never_arrived_is_begun_again_when_it_is_sent_again,
);

/// More than lies between a sender and a receiver that does not read: the system keeps up to 4 MB for the sender, and as long as the receiver has
/// read nothing a fraction of that for it (<https://docs.kernel.org/networking/ip-sysctl.html>, `tcp_wmem` and `tcp_rmem`). A smaller chunk may be
/// sent whole before any of it is read.
const NOT_SENT_UNREAD: usize = 16_000_000;

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

/// Questions that were asked while bytes were missing count for nothing once the last chunk was refused, also after the death of the run.
async fn a_last_chunk_that_was_taken_and_refused_is_not_a_second_post_although_its_draft_could_not_be_asked_about_before(
    db: Db,
) {
    let t = TestApp::start(db).await;
    t.sim.turn(|knobs| knobs.webhooks = false);
    let (post, _draft) = video_in_inbox(&t).await;
    plan_directly(&t, &post).await;
    t.sim.hold(Endpoint::VideoInit, HoldPoint::After);
    t.clock.advance(Duration::from_secs(600));
    t.sim.held(Endpoint::VideoInit, 1).await;
    // So long that the draft is asked about once more, which fails for a while.
    t.clock.advance(Duration::from_secs(20));
    let broken = Fault::new(Endpoint::Status, FaultAction::internal_error());
    t.sim.inject(broken.times(12));
    let taken = FaultAction::AnswerAfter {
        status: 403,
        code: String::new(),
        message: String::new(),
    };
    t.sim.inject(Fault::new(Endpoint::UploadLast, taken));
    t.sim.turn(|knobs| knobs.status_delay_ms = 50_000);
    t.sim.hold(Endpoint::UploadLast, HoldPoint::After);
    t.sim.release(Endpoint::VideoInit);
    held_in_time(&t, Endpoint::UploadLast).await;
    t.sim.hold(Endpoint::Status, HoldPoint::Before);
    t.sim.release(Endpoint::UploadLast);
    t.sim.held(Endpoint::Status, 1).await;
    lose_the_run(&t, db).await;
    t.sim.release(Endpoint::Status);
    let root = t.settled(&post).await;
    assert_eq!(root["state"], "PUBLISHED", "{root:#}");
    t.advance(Duration::from_secs(86_400)).await;
    assert_eq!(t.sim.publication_count(), 1);
}

/// As after the death of the process, and a restart at once.
async fn lose_the_run(t: &TestApp, db: Db) {
    let lost =
        "UPDATE jobs SET attempt = attempt + 1, leased_until = NULL, lease_owner = NULL, due_at = run_at";
    damage(t, db, lost.to_owned()).await;
}

/// Lets time pass until a request to `endpoint` is held.
pub(super) async fn held_in_time(t: &TestApp, endpoint: Endpoint) {
    let mut held = std::pin::pin!(t.sim.held(endpoint, 1));
    loop {
        tokio::select! {
            () = &mut held => return,
            () = tokio::time::sleep(Duration::from_millis(5)) => t.clock.advance(Duration::from_secs(1)),
        }
    }
}

/// A status without the number of bytes does not lack the last one: the provider may have all of them, and be processing for minutes.
async fn a_last_chunk_that_was_taken_and_refused_is_not_a_second_post_although_its_status_has_no_number(
    db: Db,
) {
    is_no_second_post(db, &REFUSALS, |t| {
        t.sim
            .turn(|knobs| (knobs.omit_uploaded_bytes, knobs.processing_ms) = (true, 240_000));
    })
    .await;
}

/// Nothing shows whether it was taken, so that nothing is begun again by itself, and the post does not stay in the queue either.
async fn a_last_chunk_that_was_refused_is_left_to_a_person_where_no_status_has_a_number(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    t.sim
        .turn(|knobs| (knobs.webhooks, knobs.omit_uploaded_bytes) = (false, true));
    t.sim
        .inject(Fault::new(Endpoint::UploadLast, FaultAction::error(404, "")));
    let post = t.api.publish_now(&platform, &[t.api.upload_clip().await]).await;
    is_unconfirmed(&t.settled(&post).await);
    assert_eq!((t.sim.publication_count(), t.sim.task_count()), (0, 1));
}

/// While the account is disabled its status is requested as while it is not: answers that do not lack the last byte count for nothing.
/// The provider takes a while to answer what the account allows.
async fn a_post_whose_account_is_disabled_before_it_is_handed_over_does_not_go_out(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    t.sim.hold(Endpoint::CreatorInfo, HoldPoint::After);
    let post = t.api.publish_now(&platform, &[t.api.upload_clip().await]).await;
    t.sim.held(Endpoint::CreatorInfo, 1).await;
    disable(&t, &platform, true).await;
    t.sim.release(Endpoint::CreatorInfo);
    t.idle().await;
    let root = t.root(&post).await;
    assert_eq!(root["state"], "ACTION_REQUIRED", "{root:#}");
    assert_eq!(
        (t.calls(Endpoint::VideoInit).len(), t.sim.publication_count()),
        (0, 0)
    );
}

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
    for _ in 0..6 {
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

/// A post whose last chunk a run still sends that has lost its job, because its lease ended; its account was disabled. Its platform, and the
/// post.
async fn sent_by_a_lost_run(t: &TestApp) -> (String, String) {
    let platform = t.connect("kitestudio").await;
    t.sim.turn(|knobs| knobs.webhooks = false);
    t.sim.hold(Endpoint::UploadLast, HoldPoint::Before);
    let clip = padded(NOT_SENT_UNREAD);
    let clip = t.api.upload_form("clip.mp4", "video/mp4", &clip, &[]).await.ok();
    let clip = clip["id"].as_str().unwrap().to_owned();
    let post = t.api.publish_now(&platform, &[clip]).await;
    t.sim.held(Endpoint::UploadLast, 1).await;
    disable(t, &platform, true).await;
    t.advance(t.app.config.worker_lease + Duration::from_secs(1))
        .await;
    assert_eq!(t.calls(Endpoint::Status).len(), 1, "of the run that took over");
    (platform, post)
}

async fn five_minutes_pass(t: &TestApp) {
    for _ in 0..20 {
        t.advance(Duration::from_secs(15)).await;
    }
}

/// Lets the chunk go on that the lost run sends. No time passes before it is there.
async fn arrives(t: &TestApp) {
    t.sim.release(Endpoint::UploadLast);
    eventually("the chunk arrives", async || t.sim.publication_count() > 0).await;
}

async fn a_last_chunk_of_a_lost_run_breaks_off_and_may_have_arrived_for_a_while_all_the_same(db: Db) {
    let t = TestApp::start(db).await;
    let (platform, post) = sent_by_a_lost_run(&t).await;
    five_minutes_pass(&t).await;
    assert_eq!(
        t.root(&post).await["state"],
        "QUEUE",
        "the chunk may be on its way"
    );
    t.sim.release(Endpoint::UploadLast);
    let root = t.settled(&post).await;
    let text = root["errorText"].as_str().unwrap();
    assert!(
        root["state"] == "ACTION_REQUIRED" && text.contains("disabled"),
        "{root:#}"
    );
    assert_eq!(t.sim.publication_count(), 0);
    disable(&t, &platform, false).await;
    publish(&t, &post).await;
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
    assert_eq!(t.sim.publication_count(), 1);
}

/// Under the handle that it was sent under before.
async fn a_last_chunk_that_a_lost_run_still_sends_is_sent_again_once_its_account_is_enabled(db: Db) {
    let t = TestApp::start(db).await;
    let (platform, post) = sent_by_a_lost_run(&t).await;
    disable(&t, &platform, false).await;
    tokio::select! {
        () = t.sim.held(Endpoint::UploadLast, 2) => {}
        () = five_minutes_pass(&t) => {}
    }
    arrives(&t).await;
    went_out_once(&t, &t.settled(&post).await, Endpoint::VideoInit);
}

/// Its outcome needs no bytes: the provider is asked by the handle.
async fn a_last_chunk_that_was_taken_is_asked_about_although_its_file_is_gone(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    t.sim.turn(|knobs| knobs.webhooks = false);
    t.sim.hold(Endpoint::UploadLast, HoldPoint::After);
    let post = t.api.publish_now(&platform, &[t.api.upload_clip().await]).await;
    t.sim.held(Endpoint::UploadLast, 1).await;
    take_files_away(&t);
    lose_the_run(&t, db).await;
    t.sim.release(Endpoint::UploadLast);
    went_out_once(&t, &t.settled(&post).await, Endpoint::VideoInit);
}

/// It is closed once neither the chunk nor news of it can come any more: after the longest time of a call, and ten minutes.
async fn a_last_chunk_of_a_disabled_account_that_never_arrives_leaves_its_post_to_a_person(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    t.sim.hold(Endpoint::UploadLast, HoldPoint::Before);
    t.sim.inject(Fault::new(Endpoint::UploadLast, FaultAction::Drop));
    let post = t.api.publish_now(&platform, &[t.api.upload_clip().await]).await;
    t.sim.held(Endpoint::UploadLast, 1).await;
    disable(&t, &platform, true).await;
    t.sim.release(Endpoint::UploadLast);
    let before = t.now();
    let root = t.settled(&post).await;
    assert_eq!(root["state"], "ACTION_REQUIRED", "{root:#}");
    assert!(
        root["errorText"].as_str().unwrap().contains("disabled"),
        "{root:#}"
    );
    assert!(t.now().since(before) >= PATIENCE + Duration::from_secs(600));
    disable(&t, &platform, false).await;
    publish(&t, &post).await;
    let root = t.settled(&post).await;
    assert_eq!(root["state"], "PUBLISHED", "{root:#}");
    assert_eq!((t.sim.publication_count(), t.sim.task_count()), (1, 2));
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

/// Nothing is sent any more under the handle of the first try: once that can no longer arrive, what became of it is not waited for.
async fn a_post_whose_last_chunk_never_arrived_is_begun_again_when_it_is_sent_again(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let lost = Fault::new(Endpoint::UploadLast, FaultAction::Drop);
    t.sim.inject(lost.times(500));
    let post = t.api.publish_now(&platform, &[t.api.upload_clip().await]).await;
    is_unconfirmed(&t.settled(&post).await);
    assert_eq!(t.sim.task_count(), 1);
    publish(&t, &post).await;
    assert_eq!(t.sim.task_count(), 1, "it was sent a moment ago");
    t.advance(Duration::from_secs(1200)).await;
    assert_eq!(t.sim.task_count(), 2);
}
