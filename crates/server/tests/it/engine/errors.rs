//! Every code and signal of the provider's error table, provoked through the simulator: what becomes of the post, what
//! its text says, and how often it went out.

use std::collections::BTreeSet;
use std::time::Duration;

use playout_tiktok::errors::{Entry, table};
use playout_tiktok::sim::{Endpoint, FailRule, Fault, FaultAction};
use serde_json::{Value, json};

use crate::harness::{Db, TestApp, post_body};

/// A code, where it strikes, and what must follow.
struct Case {
    code: &'static str,
    strikes: Strikes,
    post: Kind,
    ends: Ends,
}

/// Where a code is met, with the HTTP status it comes with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Strikes {
    /// Asking what the account allows.
    Options(u16),
    /// Handing the post over.
    Init(u16),
    /// The bytes.
    Upload(u16),
    /// Asking what became of it.
    Question(u16),
    /// The provider gives up on the post with this `fail_reason`.
    Fails,
    /// Renewing tokens that have expired.
    Refresh(u16),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Clip,
    Photo,
    InboxClip,
    InboxPhoto,
}

/// What becomes of the post.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ends {
    /// ERROR, and nothing went out.
    Refused,
    /// ACTION_REQUIRED, the account must be reconnected, and nothing went out.
    Reconnect,
    /// It says so in QUEUE, waits at least this many seconds, and goes out once.
    Waits(u64),
    /// It goes out once, at its first handover, after the tokens were renewed.
    Renewed,
    /// It goes out once, at its first handover.
    Unmoved,
}

use Ends::{Reconnect, Refused, Renewed, Unmoved, Waits};
use Kind::{Clip, InboxClip, InboxPhoto, Photo};
use Strikes::{Fails, Init, Options, Question, Refresh, Upload};

const fn case(code: &'static str, strikes: Strikes, post: Kind, ends: Ends) -> Case {
    Case {
        code,
        strikes,
        post,
        ends,
    }
}

const HOUR: u64 = 3600;

#[rustfmt::skip]
const CASES: &[Case] = &[
    case("spam_risk_too_many_posts", Options(200), Clip, Waits(HOUR)),
    case("reached_active_user_cap", Options(200), Clip, Waits(HOUR)),
    case("spam_risk_user_banned_from_posting", Options(200), Clip, Refused),
    case("access_token_invalid", Options(401), Clip, Renewed),
    case("scope_not_authorized", Options(401), Clip, Reconnect),
    case("rate_limit_exceeded", Options(429), Clip, Waits(60)),
    case("internal_error", Options(500), Clip, Waits(3)),
    case("access_token_invalid", Init(401), Clip, Renewed),
    case("scope_not_authorized", Init(401), Clip, Reconnect),
    case("scope_permission_missed", Init(400), Clip, Reconnect),
    case("rate_limit_exceeded", Init(429), Clip, Waits(60)),
    case("internal_error", Init(500), Clip, Waits(3)),
    case("invalid_param", Init(400), Clip, Refused),
    case("invalid_params", Init(400), Photo, Refused),
    case("invalid_file_upload", Init(400), Clip, Refused),
    case("spam_risk_too_many_posts", Init(403), Clip, Waits(HOUR)),
    case("spam_risk_too_many_pending_share", Init(403), InboxClip, Waits(HOUR)),
    case("spam_risk_user_banned_from_posting", Init(403), Clip, Refused),
    case("reached_active_user_cap", Init(403), Photo, Waits(HOUR)),
    case("unaudited_client_can_only_post_to_private_accounts", Init(403), Clip, Refused),
    case("url_ownership_unverified", Init(403), Photo, Refused),
    case("privacy_level_option_mismatch", Init(403), Clip, Refused),
    case("app_version_check_failed", Init(400), InboxPhoto, Refused),
    case("spam_risk_of_tomorrow", Init(403), Clip, Refused),
    case("code_of_tomorrow", Init(400), Photo, Refused),
    case("upload_refused", Upload(400), Clip, Refused),
    case("upload_expired", Upload(403), Clip, Waits(3)),
    case("upload_expired", Upload(404), Clip, Waits(3)),
    case("rate_limit_exceeded", Upload(429), Clip, Waits(3)),
    case("invalid_publish_id", Question(400), Clip, Unmoved),
    case("token_not_authorized_for_specified_publish_id", Question(400), Photo, Unmoved),
    case("publish_not_cancellable", Question(400), Clip, Unmoved),
    case("internal_error", Question(500), Clip, Unmoved),
    case("rate_limit_exceeded", Question(429), Photo, Unmoved),
    case("access_token_invalid", Question(401), Clip, Renewed),
    case("publish_cancelled", Fails, Photo, Refused),
    case("file_format_check_failed", Fails, Clip, Refused),
    case("duration_check_failed", Fails, Clip, Refused),
    case("frame_rate_check_failed", Fails, Clip, Refused),
    case("picture_size_check_failed", Fails, Photo, Refused),
    case("internal", Fails, Clip, Waits(3)),
    case("video_pull_failed", Fails, Clip, Waits(3)),
    case("photo_pull_failed", Fails, Photo, Waits(3)),
    case("auth_removed", Fails, Clip, Reconnect),
    case("spam_risk_too_many_posts", Fails, Clip, Waits(HOUR)),
    case("spam_risk_user_banned_from_posting", Fails, Clip, Refused),
    case("spam_risk_text", Fails, Clip, Refused),
    case("spam_risk", Fails, Photo, Refused),
    case("failed_without_reason", Fails, Clip, Refused),
    case("invalid_grant", Refresh(400), Clip, Reconnect),
    case("invalid_request", Refresh(400), Clip, Refused),
    case("invalid_client", Refresh(401), Clip, Refused),
    case("unauthorized_client", Refresh(400), Clip, Refused),
    case("invalid_scope", Refresh(400), Clip, Refused),
    case("unsupported_grant_type", Refresh(400), Clip, Refused),
    case("server_error", Refresh(500), Clip, Waits(3)),
    case("temporarily_unavailable", Refresh(503), Photo, Waits(3)),
];

/// Codes of the table that other tests provoke, and where.
const ELSEWHERE: &[(&str, &str)] = &[
    ("access_denied", "a_refused_consent_connects_nothing_and_says_why"),
    (
        "unsupported_response_type",
        "a_refused_consent_connects_nothing_and_says_why",
    ),
    (
        "authorization.removed",
        "tokens: a_removed_grant_is_noticed_before_the_next_post",
    ),
    (
        "upload_host_refused",
        "bytes_are_not_sent_to_a_host_that_the_provider_does_not_own",
    ),
    (
        "connect_error",
        "unclear: a_provider_that_cannot_be_reached_for_a_day_ends_in_error",
    ),
    (
        "network_error",
        "unclear: a_handover_without_a_clear_answer_goes_out_once",
    ),
    (
        "unreadable_answer",
        "unclear: a_handover_without_a_clear_answer_goes_out_once",
    ),
];

/// Codes of the table that no request to a running service can bring about, and why.
const OUT_OF_REACH: &[(&str, &str)] = &[
    (
        "timeout",
        "half a minute of real time; proved by the client's own tests",
    ),
    (
        "handover_incomplete",
        "a READY medium always has contents, and a pull always has addresses",
    ),
];

#[test]
fn every_entry_of_the_error_table_is_provoked_by_a_test() {
    let mut provoked: BTreeSet<&str> = CASES.iter().map(|case| case.code).collect();
    provoked.extend(ELSEWHERE.iter().chain(OUT_OF_REACH).map(|(code, _)| *code));
    provoked.extend(super::comment_errors::codes());
    let missing: Vec<&str> = table()
        .iter()
        .map(|entry| entry.code)
        .filter(|code| !provoked.contains(code))
        .collect();
    assert!(missing.is_empty(), "no test provokes {missing:?}");
}

/// The cases from `first` to `last`, each on an account of its own.
async fn run_cases(strikes: impl Fn(Strikes) -> bool) {
    let t = TestApp::start(Db::Sqlite).await;
    let media = Stock {
        clip: t.api.upload_clip().await,
        photo: t.api.upload_photo(720, 960).await,
    };
    for (index, case) in CASES.iter().enumerate().filter(|(_, case)| strikes(case.strikes)) {
        let name = format!("case{index}");
        run_case(&t, case, (&name, &media)).await;
    }
}

struct Stock {
    clip: String,
    photo: String,
}

#[tokio::test]
async fn a_refused_question_for_options_has_its_ending() {
    run_cases(|strikes| matches!(strikes, Options(_))).await;
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

async fn run_case(t: &TestApp, case: &Case, (name, media): (&str, &Stock)) {
    let platform = t.join(name).await;
    strike(t, case, &t.open_id(name));
    let post = t.api.create_post(&body(&platform, case.post, media)).await;
    match case.ends {
        Refused => refused(t, case, (name, &post)).await,
        Reconnect => reconnect(t, case, (name, &post, &platform)).await,
        Waits(seconds) => waits(t, case, (name, &post, seconds)).await,
        Renewed | Unmoved => goes_out(t, case, (name, &post)).await,
    }
    assert_eq!(t.sim.pending_faults(), [], "{}: the fault has struck", case.code);
}

fn strike(t: &TestApp, case: &Case, open_id: &str) {
    let fault = |endpoint, status| {
        t.sim
            .inject(Fault::new(endpoint, FaultAction::error(status, case.code)).on_account(open_id));
    };
    match case.strikes {
        Options(status) => fault(Endpoint::CreatorInfo, status),
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

/// How often the post had been handed over, or should have been, when the code struck for good.
fn handovers(case: &Case) -> usize {
    match case.strikes {
        Options(_) | Refresh(_) => 0,
        Init(_) | Upload(_) | Question(_) | Fails => 1,
    }
}

async fn refused(t: &TestApp, case: &Case, (name, post): (&str, &str)) {
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

async fn reconnect(t: &TestApp, case: &Case, (name, post, platform): (&str, &str, &str)) {
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

async fn waits(t: &TestApp, case: &Case, (name, post, seconds): (&str, &str, u64)) {
    let waiting = t.run_until(post, |root| root["errorText"].is_string()).await;
    assert_eq!(waiting["state"], "QUEUE", "{}: {waiting:#}", case.code);
    explains(&waiting, case.code);
    let since = t.now();
    let root = t.settled(post).await;
    went_out(t, case, (name, &root));
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

async fn goes_out(t: &TestApp, case: &Case, (name, post): (&str, &str)) {
    let root = t.settled(post).await;
    went_out(t, case, (name, &root));
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

fn went_out(t: &TestApp, case: &Case, (name, root): (&str, &Value)) {
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

/// The text names the code, and says what the table says to do about it.
fn explains(root: &Value, code: &str) {
    let text = root["errorText"].as_str().unwrap_or_default();
    assert!(text.contains(code), "{code} is not named in {text:?}");
    let known: Option<&Entry> = table().iter().find(|entry| entry.code == code);
    let says = known.map_or("again", |entry| entry.message);
    assert!(text.contains(says), "{text:?} does not say {says:?}");
}

#[tokio::test]
async fn a_refused_consent_connects_nothing_and_says_why() {
    let t = TestApp::start(Db::Sqlite).await;
    let url = t.app.start_connecting(t.workspace.id, "tiktok").await.unwrap();
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
