//! Rate limits of keys and of people in their sessions, told as in draft-ietf-httpapi-ratelimit-headers: `RateLimit-Policy` says what is
//! allowed, `RateLimit` what is left of it (`r`) and in how many seconds that is one call more (`t`).

use std::time::Duration;

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::response::Response;
use playout_domain::error::{Code, Refusal};
use playout_domain::rate::{Rate, Taken};

use super::error::refusal_response;

/// What is left, and when it is more.
pub const RATE_LIMIT: HeaderName = HeaderName::from_static("ratelimit");
/// What is allowed.
pub const RATE_LIMIT_POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");

/// Answers a call that was counted for `who`: if it was one too many, with a refusal, and then nothing else is done.
pub(super) async fn counted(
    who: &str,
    call: Option<(Rate, Taken)>,
    answer: impl Future<Output = Response>,
) -> Response {
    let Some((rate, taken)) = call else {
        return answer.await;
    };
    let mut response = match taken.allowed {
        true => answer.await,
        false => refuse(who, rate, taken),
    };
    tell(response.headers_mut(), rate, taken);
    response
}

fn refuse(who: &str, rate: Rate, taken: Taken) -> Response {
    let wait = whole_seconds(taken.more_in);
    let message = format!(
        "{who} may call {} times in {} seconds, and {} times at once. Wait {wait} s.",
        rate.quota(),
        rate.window_seconds(),
        rate.burst()
    );
    let details = serde_json::json!({ "retryAfter": wait });
    refusal_response(Refusal::new(Code::RateLimited, message).with_details(details))
}

fn tell(headers: &mut HeaderMap, rate: Rate, taken: Taken) {
    let policy = format!("\"default\";q={};w={}", rate.quota(), rate.window_seconds());
    let left = format!(
        "\"default\";r={};t={}",
        taken.remaining,
        whole_seconds(taken.more_in)
    );
    for (name, value) in [(RATE_LIMIT_POLICY, policy), (RATE_LIMIT, left)] {
        if let Ok(value) = HeaderValue::try_from(value) {
            headers.insert(name, value);
        }
    }
}

/// Rounded up: after so many seconds the time has really passed.
fn whole_seconds(duration: Duration) -> u64 {
    duration.as_secs() + u64::from(duration.subsec_nanos() > 0)
}
