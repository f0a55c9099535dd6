//! Rate limits of keys and of users in sessions, reported as in draft-ietf-httpapi-ratelimit-headers: `RateLimit-Policy` is the
//! limit, `RateLimit` the calls left (`r`) and the seconds until one more is allowed (`t`).

use std::time::Duration;

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::response::Response;
use playout_domain::error::{Code, Refusal};
use playout_domain::rate::{Rate, Taken};

use super::error::refusal_response;

/// The calls left, and when there is one more.
pub const RATE_LIMIT: HeaderName = HeaderName::from_static("ratelimit");
/// The limit.
pub const RATE_LIMIT_POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");

/// Runs a call that was counted for `who`, or rejects it if it exceeds the limit.
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

/// Rounded up, so that the time has passed after that many seconds.
fn whole_seconds(duration: Duration) -> u64 {
    duration.as_secs() + u64::from(duration.subsec_nanos() > 0)
}
