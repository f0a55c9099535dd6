//! Refusals: what the caller did wrong, with a stable code, a sentence and, where it helps, the places.

use std::borrow::Cow;

use serde::Serialize;

/// Every code the API can answer (contract §1, §10.12). The status of each is in `server/src/api/error.rs`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(
    missing_docs,
    reason = "the codes are documented in the contract and name themselves"
)]
pub enum Code {
    InvalidJson,
    InvalidRequest,
    InvalidMediaFile,
    MissingApiKey,
    InvalidApiKey,
    InvalidSession,
    InvalidCredentials,
    Forbidden,
    SignupClosed,
    PlatformNotFound,
    PostNotFound,
    MediaNotFound,
    FolderNotFound,
    WebhookNotFound,
    NotFound,
    MethodNotAllowed,
    PostLimitReached,
    InsufficientCredits,
    StorageLimitReached,
    AccountLimitReached,
    PostNotReschedulable,
    PostNotEditable,
    PostNotPublishable,
    PostPublishing,
    MediaInUse,
    EmailTaken,
    IdempotencyInProgress,
    PayloadTooLarge,
    MediaTooLarge,
    UnsupportedMediaType,
    IdempotencyKeyReused,
    RateLimited,
    InternalError,
    CaptionsUnavailable,
    ProviderNotConfigured,
    ProviderUnavailable,
    RequestTimeout,
    DeviceCodeNotFound,
    InvalidContent,
    InvalidMedia,
    InvalidSettings,
    CommentsNotSupported,
    UploadOffsetConflict,
    UploadLocked,
    ChecksumMismatch,
    UnsupportedTusVersion,
}

impl Code {
    /// The code as it stands on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::InvalidJson => "invalid_json",
            Self::InvalidRequest => "invalid_request",
            Self::InvalidMediaFile => "invalid_media_file",
            Self::MissingApiKey => "missing_api_key",
            Self::InvalidApiKey => "invalid_api_key",
            Self::InvalidSession => "invalid_session",
            Self::InvalidCredentials => "invalid_credentials",
            Self::Forbidden => "forbidden",
            Self::SignupClosed => "signup_closed",
            Self::PlatformNotFound => "platform_not_found",
            Self::PostNotFound => "post_not_found",
            Self::MediaNotFound => "media_not_found",
            Self::FolderNotFound => "folder_not_found",
            Self::WebhookNotFound => "webhook_not_found",
            Self::NotFound => "not_found",
            Self::MethodNotAllowed => "method_not_allowed",
            Self::PostLimitReached => "post_limit_reached",
            Self::InsufficientCredits => "insufficient_credits",
            Self::StorageLimitReached => "storage_limit_reached",
            Self::AccountLimitReached => "account_limit_reached",
            Self::PostNotReschedulable => "post_not_reschedulable",
            Self::PostNotEditable => "post_not_editable",
            Self::PostNotPublishable => "post_not_publishable",
            Self::PostPublishing => "post_publishing",
            Self::MediaInUse => "media_in_use",
            Self::EmailTaken => "email_taken",
            Self::IdempotencyInProgress => "idempotency_in_progress",
            Self::PayloadTooLarge => "payload_too_large",
            Self::MediaTooLarge => "media_too_large",
            Self::UnsupportedMediaType => "unsupported_media_type",
            Self::IdempotencyKeyReused => "idempotency_key_reused",
            Self::RateLimited => "rate_limited",
            Self::InternalError => "internal_error",
            Self::CaptionsUnavailable => "captions_unavailable",
            Self::ProviderNotConfigured => "provider_not_configured",
            Self::ProviderUnavailable => "provider_unavailable",
            Self::RequestTimeout => "request_timeout",
            Self::DeviceCodeNotFound => "device_code_not_found",
            Self::InvalidContent => "invalid_content",
            Self::InvalidMedia => "invalid_media",
            Self::InvalidSettings => "invalid_settings",
            Self::CommentsNotSupported => "comments_not_supported",
            Self::UploadOffsetConflict => "upload_offset_conflict",
            Self::UploadLocked => "upload_locked",
            Self::ChecksumMismatch => "checksum_mismatch",
            Self::UnsupportedTusVersion => "unsupported_tus_version",
        }
    }
}

/// One step of a path into a request: a field's name or an array's position.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum PathStep {
    /// A field of an object.
    Field(Cow<'static, str>),
    /// A position in an array, from 0.
    Index(usize),
}

impl From<&'static str> for PathStep {
    fn from(name: &'static str) -> Self {
        Self::Field(Cow::Borrowed(name))
    }
}

impl From<String> for PathStep {
    fn from(name: String) -> Self {
        Self::Field(Cow::Owned(name))
    }
}

impl From<usize> for PathStep {
    fn from(index: usize) -> Self {
        Self::Index(index)
    }
}

/// One problem and the place of it: an entry of `details` (contract §1).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Issue {
    /// Where in the request.
    pub path: Vec<PathStep>,
    /// What is wrong there, for a person.
    pub message: String,
}

impl Issue {
    /// A problem at `path`.
    pub fn at<const N: usize>(path: [PathStep; N], message: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            message: message.into(),
        }
    }

    /// A problem of one top-level field.
    pub fn field(name: &'static str, message: impl Into<String>) -> Self {
        Self::at([name.into()], message)
    }
}

/// A stable code, a sentence for a person and optional detail: the caller's business, never logged as a failure.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{}: {message}", code.as_str())]
pub struct Refusal {
    /// What a program branches on.
    pub code: Code,
    /// What a person reads.
    pub message: String,
    /// Structured detail, such as the issues of a validation.
    pub details: Option<serde_json::Value>,
}

impl Refusal {
    /// A refusal without detail.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            details: None,
        }
    }

    /// The refusal of a request that fails validation, all problems at once.
    pub fn invalid(issues: Vec<Issue>) -> Self {
        Self::listing(Code::InvalidRequest, issues)
    }

    /// A refusal whose message sums up `issues` and whose details list them.
    pub fn listing(code: Code, issues: Vec<Issue>) -> Self {
        let message = match issues.as_slice() {
            [only] => sentence(only),
            [first, rest @ ..] => format!("{} (and {} more)", sentence(first), rest.len()),
            [] => "the request is invalid".to_owned(),
        };
        let details = serde_json::to_value(issues).ok();
        Self {
            code,
            message,
            details,
        }
    }

    /// The same refusal with `details`.
    #[must_use]
    pub fn with_details(mut self, details: serde_json::Value) -> Self {
        self.details = Some(details);
        self
    }
}

fn sentence(issue: &Issue) -> String {
    let path = issue.path.iter().fold(String::new(), |path, step| match step {
        PathStep::Index(index) => format!("{path}[{index}]"),
        PathStep::Field(name) if path.is_empty() => name.to_string(),
        PathStep::Field(name) => format!("{path}.{name}"),
    });
    if path.is_empty() {
        issue.message.clone()
    } else {
        format!("{path}: {}", issue.message)
    }
}
