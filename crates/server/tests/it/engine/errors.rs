//! Every code and signal of the provider's error table, provoked through the simulator: the post's state, its error text,
//! and how often it went out. The table is `error_cases.rs`.

use std::collections::BTreeSet;
use std::time::Duration;

use playout_tiktok::errors::{Entry, table};
use playout_tiktok::sim::{Endpoint, FailRule, Fault, FaultAction};
use serde_json::{Value, json};

use super::error_cases::Ends::{Reconnect, Refused, Renewed, Unmoved, Waits};
use super::error_cases::Kind::{Clip, InboxClip, InboxPhoto, Photo};
use super::error_cases::Strikes::{Account, Fails, Init, Question, Refresh, Upload};
use super::error_cases::{CASES, Case, ELSEWHERE, Kind, OUT_OF_REACH, Strikes};
use crate::harness::{Db, Options, TIKTOK, TestApp, post_body};

#[test]
fn every_entry_of_the_error_table_is_provoked_by_a_test() {
    let mut provoked: BTreeSet<&str> = CASES.iter().map(|case| case.code).collect();
    provoked.extend(ELSEWHERE.iter().chain(OUT_OF_REACH).map(|(code, _)| *code));
    provoked.extend(super::comment_errors::codes());
    let missing: Vec<&str> = table()
        .iter()
        .map(|entry| entry.row.code)
        .filter(|code| !provoked.contains(code))
        .collect();
    assert!(missing.is_empty(), "no test provokes {missing:?}");
}

/// The cases from `first` to `last`, each on an account of its own.
async fn run_cases(strikes: impl Fn(Strikes) -> bool) {
    let t = TestApp::start(Db::Sqlite).await;
    // Notifications would settle a post before its status is queried.
    t.sim.turn(|knobs| knobs.webhooks = !strikes(Question(0)));
    let media = Stock {
        clip: t.api.upload_clip().await,
        photo: t.api.upload_photo(720, 960).await,
    };
    for (index, case) in CASES.iter().enumerate().filter(|(_, case)| strikes(case.strikes)) {
        let name = format!("case{index}");
        run_case(&t, case, &name, &media).await;
    }
}

struct Stock {
    clip: String,
    photo: String,
}

#[tokio::test]
async fn a_refused_question_for_options_has_its_ending() {
    run_cases(|strikes| matches!(strikes, Account(_))).await;
}

#[tokio::test]
async fn a_refused_handover_has_its_ending() {
    run_cases(|strikes| matches!(strikes, Init(_))).await;
}

#[tokio::test]
async fn refused_bytes_have_their_ending() {
    run_cases(|strikes| matches!(strikes, Upload(_))).await;
}

#[tokio::test]
async fn a_refused_question_is_not_a_refused_post() {
    run_cases(|strikes| matches!(strikes, Question(_))).await;
}

#[tokio::test]
async fn every_fail_reason_has_its_ending() {
    run_cases(|strikes| strikes == Fails).await;
}

#[tokio::test]
async fn a_refused_renewal_of_tokens_has_its_ending() {
    run_cases(|strikes| matches!(strikes, Refresh(_))).await;
}

/// The account of a case, by its name and its ID, and its post.
#[derive(Clone, Copy)]
struct Tried<'a> {
    name: &'a str,
    platform: &'a str,
    post: &'a str,
}

async fn run_case(t: &TestApp, case: &Case, name: &str, media: &Stock) {
    let platform = t.join(name).await;
    strike(t, case, &t.open_id(name));
    let post = t.api.create_post(&body(&platform, case.post, media)).await;
    let tried = Tried {
        name,
        platform: &platform,
        post: &post,
    };
    match case.ends {
        Refused => refused(t, case, tried).await,
        Reconnect => reconnect(t, case, tried).await,
        Waits(seconds) => waits(t, case, tried, seconds).await,
        Renewed | Unmoved => goes_out(t, case, tried).await,
    }
    assert_eq!(t.sim.pending_faults(), [], "{}: the fault has struck", case.code);
}

fn strike(t: &TestApp, case: &Case, open_id: &str) {
    let fault = |endpoint, status| {
        t.sim
            .inject(Fault::new(endpoint, FaultAction::error(status, case.code)).on_account(open_id));
    };
    match case.strikes {
        Account(status) => fault(Endpoint::CreatorInfo, status),
        Init(status) => fault(init_of(case.post), status),
        Upload(status) => fault(Endpoint::UploadLast, status),
        Question(status) => fault(Endpoint::Status, status),
        Fails if case.code == "failed_without_reason" => t.sim.fail(FailRule::next("").on_account(open_id)),
        Fails => t.sim.fail(FailRule::next(case.code).on_account(open_id)),
        Refresh(status) => {
            t.sim.expire_access_token(open_id);
            fault(Endpoint::TokenRefresh, status);
        }
    }
}

fn init_of(kind: Kind) -> Endpoint {
    match kind {
        Clip => Endpoint::VideoInit,
        InboxClip => Endpoint::InboxInit,
        Photo | InboxPhoto => Endpoint::ContentInit,
    }
}

fn body(platform: &str, kind: Kind, media: &Stock) -> Value {
    let medium = match kind {
        Clip | InboxClip => &media.clip,
        Photo | InboxPhoto => &media.photo,
    };
    let mut body = post_body(platform, std::slice::from_ref(medium));
    if matches!(kind, InboxClip | InboxPhoto) {
        body["settings"] = json!({ "post_mode": "MEDIA_UPLOAD" });
    }
    body
}

/// How often the post had been handed over, or should have been, when the code occurred for the last time.
fn handovers(case: &Case) -> usize {
    match case.strikes {
        Account(_) | Refresh(_) => 0,
        Init(_) | Upload(_) | Question(_) | Fails => 1,
    }
}

async fn refused(t: &TestApp, case: &Case, tried: Tried<'_>) {
    let Tried { name, post, .. } = tried;
    let root = t.settled(post).await;
    assert_eq!(root["state"], "ERROR", "{}: {root:#}", case.code);
    explains(&root, case.code);
    assert_eq!(t.publications_of(name).len(), 0, "{}", case.code);
    assert_eq!(
        t.handovers_of(name),
        handovers(case),
        "{}: not tried again",
        case.code
    );
}

async fn reconnect(t: &TestApp, case: &Case, tried: Tried<'_>) {
    let Tried { name, platform, post } = tried;
    let root = t.settled(post).await;
    assert_eq!(root["state"], "ACTION_REQUIRED", "{}: {root:#}", case.code);
    explains(&root, case.code);
    assert!(
        root["errorText"]
            .as_str()
            .unwrap()
            .to_lowercase()
            .contains("reconnect"),
        "{root:#}"
    );
    assert!(
        !t.is_ready(platform).await,
        "{}: the account needs reconnecting",
        case.code
    );
    assert_eq!(t.publications_of(name).len(), 0, "{}", case.code);
    assert_eq!(
        t.handovers_of(name),
        handovers(case),
        "{}: not tried again",
        case.code
    );
}

async fn waits(t: &TestApp, case: &Case, tried: Tried<'_>, seconds: u64) {
    let Tried { name, post, .. } = tried;
    let waiting = t.run_until(post, |root| root["errorText"].is_string()).await;
    assert_eq!(waiting["state"], "QUEUE", "{}: {waiting:#}", case.code);
    explains(&waiting, case.code);
    let since = t.now();
    let root = t.settled(post).await;
    went_out(t, case, name, &root);
    assert!(
        t.now().since(since) >= Duration::from_secs(seconds),
        "{}: too soon",
        case.code
    );
    // Bytes that were put off go on under the same handle; everything else is handed over anew.
    let is_put_off = matches!((case.strikes, case.code), (Upload(_), "rate_limit_exceeded"));
    let again = if is_put_off { 0 } else { 1 };
    assert_eq!(t.handovers_of(name), handovers(case) + again, "{}", case.code);
}

async fn goes_out(t: &TestApp, case: &Case, tried: Tried<'_>) {
    let Tried { name, post, .. } = tried;
    let root = t.settled(post).await;
    went_out(t, case, name, &root);
    let renewed = t
        .calls(Endpoint::TokenRefresh)
        .iter()
        .filter(|call| call.account == Some(t.open_id(name)))
        .count();
    let repeated = matches!((case.strikes, case.ends), (Init(_), Renewed));
    assert_eq!(
        renewed,
        usize::from(case.ends == Renewed),
        "{}: renewals",
        case.code
    );
    assert_eq!(t.handovers_of(name), 1 + usize::from(repeated), "{}", case.code);
}

fn went_out(t: &TestApp, case: &Case, name: &str, root: &Value) {
    let drafts = t.sim.account(name).unwrap().waiting_drafts.len();
    match case.post {
        Clip | Photo => {
            assert_eq!(root["state"], "PUBLISHED", "{}: {root:#}", case.code);
            assert_eq!(root["errorText"], Value::Null, "{}", case.code);
            assert_eq!(t.publications_of(name).len(), 1, "{}", case.code);
        }
        InboxClip | InboxPhoto => {
            assert_eq!(root["state"], "ACTION_REQUIRED", "{}: {root:#}", case.code);
            assert_eq!((drafts, t.publications_of(name).len()), (1, 0), "{}", case.code);
        }
    }
}

/// The error text names the code, and contains the explanation that the table has for it.
fn explains(root: &Value, code: &str) {
    let text = root["errorText"].as_str().unwrap_or_default();
    assert!(text.contains(code), "{code} is not named in {text:?}");
    let known: Option<&Entry> = table().iter().find(|entry| entry.row.code == code);
    let says = known.map_or("again".to_owned(), |entry| entry.row.explanation().message());
    assert!(text.contains(&says), "{text:?} does not say {says:?}");
}

#[tokio::test]
async fn a_refused_consent_connects_nothing_and_says_why() {
    let t = TestApp::start(Db::Sqlite).await;
    let url = t.app.start_connecting(t.workspace.id, TIKTOK).await.unwrap();
    let denied = t.sim.deny(&url).unwrap();
    let of_the_page = format!(
        "{}/oauth/tiktok/callback?error=unsupported_response_type",
        t.app.config.base_url
    );
    for (back, code) in [
        (denied, "access_denied"),
        (of_the_page, "unsupported_response_type"),
    ] {
        let answer = t.api.follow(&back).await;
        let to = answer.header("location");
        assert!(to.contains(&format!("error={code}")), "{to}");
    }
    assert_eq!(
        t.api.get("/public/v1/platforms").await.ok()["platforms"],
        json!([])
    );
    assert_eq!(t.calls(Endpoint::Token).len(), 0, "no code was traded");
}

#[tokio::test]
async fn bytes_are_not_sent_to_a_host_that_the_provider_does_not_own() {
    let elsewhere = Options {
        provider_url: Some("http://uploads.example"),
        ..Options::default()
    };
    let t = TestApp::start_with(Db::Sqlite, elsewhere).await;
    let platform = t.connect("kitestudio").await;
    let post = t.api.publish_now(&platform, &[t.api.upload_clip().await]).await;
    let root = t.settled(&post).await;
    assert_eq!(root["state"], "ERROR", "{root:#}");
    explains(&root, "upload_host_refused");
    assert_eq!((t.handovers_of("kitestudio"), t.sim.publication_count()), (1, 0));
}
