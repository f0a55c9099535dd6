//! Rate limits of keys and of users in sessions, reported as in draft-ietf-httpapi-ratelimit-headers: `RateLimit-Policy` is the
//! limit, `RateLimit` the calls left (`r`) and the seconds until one more is allowed (`t`).

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;
use playout_domain::error::{Code, Refusal};
use playout_domain::rate::{Rate, Taken};

use super::auth::Caller;
use super::error::refusal_response;
use crate::app::App;

/// The calls left, and when there is one more.
pub const RATE_LIMIT: HeaderName = HeaderName::from_static("ratelimit");
/// The limit.
pub const RATE_LIMIT_POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");

/// Limits the calls of a key. The body of a rejected request is not read.
pub async fn limit_rate(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let caller = request.extensions().get::<Caller>();
    let call = caller.and_then(|caller| app.take_call(caller.key()?, &caller.workspace().plan));
    counted("This key", call, next.run(request)).await
}

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
