//! The only mapping from codes to statuses, and the only place that logs a failed request.

use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use playout_domain::error::{Code, Refusal};
use playout_store::StoreError;
use playout_wire::error::ErrorBody;

use super::json::written::written;
use crate::app::AppError;
use crate::app::expected::stale;

/// The error of a handler.
#[derive(Debug)]
pub struct ApiError(AppError);

impl<E: Into<AppError>> From<E> for ApiError {
    fn from(error: E) -> Self {
        Self(error.into())
    }
}

/// `Retry-After` while the database is unavailable.
const RETRY_AFTER_SECONDS: u64 = 2;

/// `460 Checksum Mismatch` of the tus protocol.
const CHECKSUM_MISMATCH: StatusCode = match StatusCode::from_u16(460) {
    Ok(status) => status,
    Err(_) => StatusCode::BAD_REQUEST,
};

/// The status of each code, which `docs/errors.md` lists.
pub const fn status_of(code: Code) -> StatusCode {
    match code {
        Code::InvalidJson
        | Code::InvalidRequest
        | Code::InvalidMediaFile
        | Code::InvalidContent
        | Code::InvalidMedia
        | Code::InvalidSettings
        | Code::CommentsNotSupported => StatusCode::BAD_REQUEST,
        Code::MissingApiKey
        | Code::InvalidApiKey
        | Code::InvalidSession
        | Code::InvalidCredentials
        | Code::SecondFactorRequired => StatusCode::UNAUTHORIZED,
        Code::Forbidden
        | Code::InsufficientScope
        | Code::EmailNotVerified
        | Code::SignupClosed
        | Code::SetupCodeRequired => StatusCode::FORBIDDEN,
        Code::PlatformNotFound
        | Code::PostNotFound
        | Code::MediaNotFound
        | Code::FolderNotFound
        | Code::WebhookNotFound
        | Code::DeviceCodeNotFound
        | Code::NotFound => StatusCode::NOT_FOUND,
        Code::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
        Code::RequestTimeout => StatusCode::REQUEST_TIMEOUT,
        Code::PostLimitReached
        | Code::InsufficientCredits
        | Code::StorageLimitReached
        | Code::CountLimitReached
        | Code::AccountLimitReached
        | Code::ConnectedOtherwise
        | Code::PermissionsMissing
        | Code::PostNotReschedulable
        | Code::PostNotEditable
        | Code::PostNotPublishable
        | Code::PostNotUnschedulable
        | Code::PostUndecided
        | Code::PostNotMarkable
        | Code::PostPublishing
        | Code::MediaInUse
        | Code::EmailTaken
        | Code::SecondFactorActive
        | Code::WorkspaceLimitReached
        | Code::LastOwner
        | Code::UploadOffsetConflict
        | Code::IdempotencyInProgress => StatusCode::CONFLICT,
        Code::UnsupportedTusVersion | Code::PreconditionFailed => StatusCode::PRECONDITION_FAILED,
        Code::UploadLocked => StatusCode::LOCKED,
        Code::ChecksumMismatch => CHECKSUM_MISMATCH,
        Code::PayloadTooLarge | Code::MediaTooLarge => StatusCode::PAYLOAD_TOO_LARGE,
        Code::UnsupportedMediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
        Code::IdempotencyKeyReused | Code::CaptionsRefused => StatusCode::UNPROCESSABLE_ENTITY,
        Code::RateLimited => StatusCode::TOO_MANY_REQUESTS,
        Code::InternalError => StatusCode::INTERNAL_SERVER_ERROR,
        Code::ProviderUnavailable | Code::ConnectionRejected => StatusCode::BAD_GATEWAY,
        Code::CaptionsUnavailable | Code::ProviderNotConfigured | Code::Unavailable => {
            StatusCode::SERVICE_UNAVAILABLE
        }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        match self.0 {
            AppError::Refused(refusal) => refusal_response(refusal),
            AppError::Store(StoreError::Stale) => refusal_response(stale()),
            AppError::Store(away @ StoreError::Unavailable(_)) => {
                tracing::warn!("a request failed: {}", chain(&away));
                unavailable()
            }
            AppError::Blob(passing) if passing.is_passing() => {
                tracing::warn!("a request failed: {passing}");
                unavailable_because(
                    "The storage is not available at the moment. Send the request again, with the same Idempotency-Key.",
                )
            }
            AppError::Store(StoreError::Unconfirmed) => {
                tracing::warn!("a request failed: {}", StoreError::Unconfirmed);
                unconfirmed()
            }
            internal => {
                let chain = chain(&internal);
                tracing::error!("a request failed inside: {chain}");
                internal_error()
            }
        }
    }
}

/// The response to a rejected request.
pub fn refusal_response(refusal: Refusal) -> Response {
    let status = status_of(refusal.code);
    let retry_after = refusal
        .details
        .as_ref()
        .and_then(|details| details["retryAfter"].as_u64());
    let challenge = challenge(&refusal);
    let body = written(&ErrorBody::from(refusal)).unwrap_or_default();
    let mut response = (status, body).into_response();
    if status == StatusCode::UNAUTHORIZED {
        response
            .headers_mut()
            .insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    if let Some(challenge) = challenge {
        response.headers_mut().insert(header::WWW_AUTHENTICATE, challenge);
    }
    if let Some(seconds) = retry_after {
        response
            .headers_mut()
            .insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    response
}

/// What a key lacks, in the form of RFC 6750 §3.
fn challenge(refusal: &Refusal) -> Option<HeaderValue> {
    let required = refusal
        .details
        .as_ref()
        .filter(|_| refusal.code == Code::InsufficientScope)?["required"]
        .as_array()?;
    let words: Vec<&str> = required.iter().filter_map(|scope| scope.as_str()).collect();
    let challenge = format!(
        "Bearer error=\"insufficient_scope\", scope=\"{}\"",
        words.join(" ")
    );
    HeaderValue::try_from(challenge).ok()
}

/// The response after an internal error, without internals (`docs/contract.md#internal-errors`).
pub fn internal_error() -> Response {
    let message =
        "Something failed on the server. The x-request-id of this response identifies it in the log.";
    refusal_response(Refusal::new(Code::InternalError, message))
}

/// The response while the database is unavailable.
pub fn unavailable() -> Response {
    unavailable_because(
        "The database is not available at the moment. Send the request again, with the same Idempotency-Key.",
    )
}

/// The response if the change may have been made. Without `Retry-After`: a client that retries automatically must not make the
/// change twice.
fn unconfirmed() -> Response {
    let message = "The database did not confirm the change in time, and it may have been made. Send the request again if it has an \
        Idempotency-Key; otherwise check first.";
    refusal_response(Refusal::new(Code::Unavailable, message))
}

/// The response of a node that cannot serve requests at the moment.
pub fn unavailable_because(message: &str) -> Response {
    let details = serde_json::json!({ "retryAfter": RETRY_AFTER_SECONDS });
    refusal_response(Refusal::new(Code::Unavailable, message).with_details(details))
}

/// The response to a request whose handler panicked; the panic is logged with the request.
pub fn panicked(cause: Box<dyn std::any::Any + Send>) -> Response {
    let text = cause.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| cause.downcast_ref::<&str>().copied());
    tracing::error!("a request panicked: {}", text.unwrap_or("without a message"));
    internal_error()
}

/// The response to a method that a path does not have.
pub fn method_not_allowed() -> Response {
    refusal_response(Refusal::new(
        Code::MethodNotAllowed,
        "This path does not support this method; see Allow.",
    ))
}

/// The response to an unknown path.
pub fn not_found() -> Response {
    refusal_response(Refusal::new(
        Code::NotFound,
        "There is nothing at this path; /docs has the paths of the API.",
    ))
}

/// The header with the ID of a request.
pub const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

fn chain(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(error.source(), |cause| cause.source());
    causes.fold(error.to_string(), |chain, cause| {
        let cause = cause.to_string();
        if chain.ends_with(&cause) {
            chain
        } else {
            format!("{chain}: {cause}")
        }
    })
}
