//! Faults that leave the outcome unclear, faults that are temporary, and faults that are not: at every step of a post.

use std::time::Duration;

use playout_tiktok::sim::{Endpoint, FailRule, Fault, FaultAction};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::harness::{CLIP, Db, TestApp, post_body};

/// A step and how a post that takes it travels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    Options,
    Upload,
    Pull,
    Bytes,
    Question,
}

impl Step {
    const ALL: [Self; 5] = [
        Self::Options,
        Self::Upload,
        Self::Pull,
        Self::Bytes,
        Self::Question,
    ];

    fn endpoint(self) -> Endpoint {
        match self {
            Self::Options => Endpoint::CreatorInfo,
            Self::Upload => Endpoint::VideoInit,
            Self::Pull => Endpoint::ContentInit,
            Self::Bytes => Endpoint::UploadLast,
            Self::Question => Endpoint::Status,
        }
    }
}

fn unclear() -> Vec<(&'static str, FaultAction)> {
    let after = |code: &str| FaultAction::AnswerAfter {
        status: 500,
        code: code.to_owned(),
        message: String::new(),
    };
    vec![
        ("a gateway's page", FaultAction::Html { status: 502 }),
        ("a gateway's time-out", FaultAction::Html { status: 504 }),
        ("a page with HTTP 200", FaultAction::Html { status: 200 }),
        ("a fault of its own", FaultAction::internal_error()),
        (
            "an unknown fault of its own",
            FaultAction::error(503, "overloaded_today"),
        ),
        ("a fault after the work", after("internal_error")),
        ("a broken connection", FaultAction::Drop),
        ("a broken connection after the work", FaultAction::DropAfter),
    ]
}

/// Every unclear answer, `times` in a row, at the steps that `at` picks.
async fn goes_out_once(at: impl Fn(Step) -> bool) {
    let t = TestApp::start(Db::Sqlite).await;
    let (clip, photo) = (t.api.upload_clip().await, t.api.upload_photo(720, 960).await);
    for step in Step::ALL.into_iter().filter(|step| at(*step)) {
        for (index, (what, action)) in unclear().into_iter().enumerate() {
            for times in [1, 3] {
                let name = format!("{step:?}{index}x{times}").to_lowercase();
                let platform = t.join(&name).await;
                let fault = Fault::new(step.endpoint(), action.clone()).times(times);
                t.sim.inject(fault.on_account(&t.open_id(&name)));
                let medium = if step == Step::Pull { &photo } else { &clip };
                let post = t.api.publish_now(&platform, std::slice::from_ref(medium)).await;
                let root = t.settled(&post).await;
                assert_eq!(
                    root["state"], "PUBLISHED",
                    "{what} {times} times at {step:?}: {root:#}"
                );
                let published = t.publications_of(&name);
                assert_eq!(published.len(), 1, "{what} {times} times at {step:?}");
                assert_eq!(
                    root["releaseId"],
                    published[0].post_id.as_str(),
                    "{what} at {step:?}"
                );
            }
        }
    }
    t.advance(Duration::from_secs(2 * 3600)).await;
    let accounts = Step::ALL.into_iter().filter(|step| at(*step)).count() * unclear().len() * 2;
    assert_eq!(
        t.sim.publication_count(),
        accounts,
        "nothing went out again later"
    );
}

#[tokio::test]
async fn a_handover_without_a_clear_answer_goes_out_once() {
    goes_out_once(|step| matches!(step, Step::Upload | Step::Pull)).await;
}

#[tokio::test]
async fn bytes_without_a_clear_answer_go_out_once() {
    goes_out_once(|step| step == Step::Bytes).await;
}

#[tokio::test]
async fn questions_without_a_clear_answer_are_asked_again() {
    goes_out_once(|step| matches!(step, Step::Options | Step::Question)).await;
}

#[tokio::test]
async fn a_long_video_survives_faults_at_every_piece_without_losing_a_byte() {
    let t = TestApp::start(Db::Sqlite).await;
    let platform = t.connect("kitestudio").await;
    let long = long_clip();
    let clip = t.api.upload_form("long.mp4", "video/mp4", &long, &[]).await.ok()["id"]
        .as_str()
        .unwrap()
        .to_owned();
    t.sim
        .inject(Fault::new(Endpoint::Upload, FaultAction::Drop).skip(1));
    t.sim
        .inject(Fault::new(Endpoint::Upload, FaultAction::DropAfter).skip(2));
    t.sim
        .inject(Fault::new(Endpoint::Upload, FaultAction::Html { status: 502 }).skip(3));
    t.sim
        .inject(Fault::new(Endpoint::UploadLast, FaultAction::DropAfter));
    let post = t.api.publish_now(&platform, &[clip]).await;
    let root = t.settled(&post).await;
    assert_eq!(root["state"], "PUBLISHED", "{root:#}");
    let published = t.sim.publications();
    assert_eq!((published.len(), t.calls(Endpoint::VideoInit).len()), (1, 1));
    assert_eq!(published[0].media[0].sha256, hex::encode(Sha256::digest(&long)));
}

/// The clip with 65 MB of nothing behind it, in a box that players skip: too long for one piece.
fn long_clip() -> Vec<u8> {
    let padding = 65_000_000u32;
    let mut bytes = CLIP.to_vec();
    bytes.extend(padding.to_be_bytes());
    bytes.extend(b"free");
    bytes.extend((8..padding).map(|at| (at % 251) as u8));
    bytes
}

#[tokio::test]
async fn a_provider_that_is_full_again_and_again_is_left_alone_for_a_minute_each_time() {
    let t = TestApp::start(Db::Sqlite).await;
    let platform = t.connect("kitestudio").await;
    t.sim
        .inject(Fault::new(Endpoint::VideoInit, FaultAction::rate_limited()).times(4));
    let post = t.api.publish_now(&platform, &[t.api.upload_clip().await]).await;
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
    let calls = t.calls(Endpoint::VideoInit);
    assert_eq!((calls.len(), t.sim.publication_count()), (5, 1));
    for pair in calls.windows(2) {
        assert!(
            pair[1].at.since(pair[0].at) >= Duration::from_secs(60),
            "{pair:#?}"
        );
    }
}

#[tokio::test]
async fn a_daily_cap_is_waited_for_and_then_the_post_goes_out() {
    let t = TestApp::start(Db::Sqlite).await;
    let open_id = t.open_id("kitestudio");
    let platform = t.connect("kitestudio").await;
    t.sim
        .change_account(&open_id, |account| account.post_cap = Some(0));
    let post = t.api.publish_now(&platform, &[t.api.upload_clip().await]).await;
    t.advance(Duration::from_secs(12 * 3600)).await;
    let root = t.root(&post).await;
    assert_eq!(root["state"], "QUEUE", "{root:#}");
    assert!(
        root["errorText"]
            .as_str()
            .unwrap()
            .contains("spam_risk_too_many_posts"),
        "{root:#}"
    );
    t.sim
        .change_account(&open_id, |account| account.post_cap = Some(15));
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
    assert_eq!(t.sim.publication_count(), 1);
}

#[tokio::test]
async fn a_daily_cap_that_holds_for_24_hours_ends_in_error() {
    let t = TestApp::start(Db::Sqlite).await;
    let platform = t.connect("kitestudio").await;
    t.sim
        .change_account(&t.open_id("kitestudio"), |account| account.post_cap = Some(0));
    let due = t.now().plus(Duration::from_secs(3600));
    let mut body = post_body(&platform, &[t.api.upload_clip().await]);
    (body["mode"], body["scheduledFor"]) = (json!("schedule"), json!(due));
    let post = t.api.create_post(&body).await;
    let root = t.settled(&post).await;
    gave_up_after_a_day(&root, "spam_risk_too_many_posts");
    let waited = t.now().since(due);
    assert!(
        waited > Duration::from_secs(22 * 3600) && waited <= Duration::from_secs(24 * 3600),
        "{waited:?}"
    );
    assert_eq!((t.handovers_of("kitestudio"), t.sim.publication_count()), (0, 0));
}

fn gave_up_after_a_day(root: &Value, code: &str) {
    assert_eq!(root["state"], "ERROR", "{root:#}");
    let text = root["errorText"].as_str().unwrap();
    assert!(text.contains("within 24 hours") && text.contains(code), "{text}");
    for promise in ["by itself", "tried again"] {
        assert!(!text.contains(promise), "{promise}: {text}");
    }
}

#[tokio::test]
async fn a_provider_that_cannot_be_reached_for_a_day_ends_in_error() {
    let t = TestApp::start(Db::Sqlite).await;
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    t.sim.stop().await;
    let created = t.now();
    let post = t.api.publish_now(&platform, &[clip]).await;
    let waiting = t.run_until(&post, |root| root["errorText"].is_string()).await;
    assert_eq!(waiting["state"], "QUEUE");
    assert!(
        waiting["errorText"].as_str().unwrap().contains("connect_error"),
        "{waiting:#}"
    );
    gave_up_after_a_day(&t.settled(&post).await, "connect_error");
    let waited = t.now().since(created);
    assert!(
        waited > Duration::from_secs(22 * 3600) && waited <= Duration::from_secs(24 * 3600),
        "{waited:?}"
    );
}

#[tokio::test]
async fn a_post_that_the_provider_keeps_losing_is_handed_over_ever_more_rarely_for_a_day() {
    let t = TestApp::start(Db::Sqlite).await;
    let platform = t.connect("kitestudio").await;
    t.sim.fail(FailRule::all("internal"));
    let created = t.now();
    let post = t.api.publish_now(&platform, &[t.api.upload_clip().await]).await;
    gave_up_after_a_day(&t.settled(&post).await, "internal");
    let waited = t.now().since(created);
    assert!(
        waited > Duration::from_secs(18 * 3600) && waited <= Duration::from_secs(24 * 3600),
        "{waited:?}"
    );
    t.advance(Duration::from_secs(86_400)).await;
    let handed_over = t.calls(Endpoint::VideoInit).len();
    assert!((10..=15).contains(&handed_over), "{handed_over} hand-overs");
    assert_eq!(t.sim.publication_count(), 0);
}

#[tokio::test]
async fn a_post_that_the_provider_lost_for_hours_still_goes_out() {
    let t = TestApp::start(Db::Sqlite).await;
    let platform = t.connect("kitestudio").await;
    t.sim.fail(FailRule {
        times: Some(7),
        ..FailRule::all("internal")
    });
    let post = t.api.publish_now(&platform, &[t.api.upload_clip().await]).await;
    let root = t.settled(&post).await;
    assert_eq!(root["state"], "PUBLISHED", "{root:#}");
    assert_eq!(
        (t.calls(Endpoint::VideoInit).len(), t.sim.publication_count()),
        (8, 1)
    );
}

#[tokio::test]
async fn a_post_that_the_provider_lost_is_given_its_repeats_whatever_went_wrong_before() {
    let t = TestApp::start(Db::Sqlite).await;
    let platform = t.connect("kitestudio").await;
    t.sim
        .inject(Fault::new(Endpoint::CreatorInfo, FaultAction::internal_error()).times(6));
    t.sim.fail(FailRule {
        times: Some(2),
        ..FailRule::all("internal")
    });
    let post = t.api.publish_now(&platform, &[t.api.upload_clip().await]).await;
    let root = t.settled(&post).await;
    assert_eq!(root["state"], "PUBLISHED", "{root:#}");
    assert_eq!(
        (t.calls(Endpoint::VideoInit).len(), t.sim.publication_count()),
        (3, 1)
    );
}

#[tokio::test]
async fn the_tokens_of_an_account_survive_a_provider_that_is_ill_for_hours() {
    let t = TestApp::start(Db::Sqlite).await;
    let platform = t.connect("kitestudio").await;
    t.sim
        .inject(Fault::new(Endpoint::TokenRefresh, FaultAction::Html { status: 502 }).times(8));
    t.sim.expire_access_token(&t.open_id("kitestudio"));
    let post = t.api.publish_now(&platform, &[t.api.upload_clip().await]).await;
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
    assert!(t.is_ready(&platform).await);
}
