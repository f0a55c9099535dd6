//! Refusals: what the caller did wrong, with a stable code, a sentence and, where it helps, the places.

use std::borrow::Cow;

use serde::{Serialize, Serializer};

macro_rules! codes {
    ($(#[$about:meta])* $type:ident: $($name:ident = $word:literal: $meaning:literal;)*) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $type {
            $(#[doc = $meaning] $name,)*
        }

        impl $type {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// The code as it stands on the wire.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => $word,)*
                }
            }

            /// When it is answered, for the reference.
            pub const fn meaning(self) -> &'static str {
                match self {
                    $(Self::$name => $meaning,)*
                }
            }
        }
    };
}

codes! {
    /// Every code the API can answer (`docs/contract.md#errors`). The status of each is in `server/src/api/error.rs`.
    Code:
    InvalidJson = "invalid_json": "The body is not JSON.";
    InvalidRequest = "invalid_request": "The body, the query or the path fails validation; `details` lists every problem with its place.";
    InvalidMediaFile = "invalid_media_file": "The file is missing, empty, unreadable, of an unsupported type, or its bytes contradict what is declared.";
    MissingApiKey = "missing_api_key": "There is no Bearer key in the `Authorization` header.";
    InvalidApiKey = "invalid_api_key": "The key is unknown, malformed, revoked or expired.";
    InvalidSession = "invalid_session": "The session is missing, unknown or expired.";
    InvalidCredentials = "invalid_credentials": "The address, the password or the code is wrong.";
    SecondFactorRequired = "second_factor_required": "The password is right, and this person signs in with a code as well: send it as `code`.";
    Forbidden = "forbidden": "The user is no member of the workspace, or their role does not allow it.";
    InsufficientScope = "insufficient_scope": "The API key may not do this; `details.required` lists the scopes of which it has none. A key with more is made in the dashboard.";
    EmailNotVerified = "email_not_verified": "The person's address was not verified by mail yet; inviting people and letting programs in wait for that.";
    SignupClosed = "signup_closed": "This service takes no new users.";
    SetupCodeRequired = "setup_code_required": "This service has no users yet: the first sign-up needs the code that the service prints at its start, as `setupCode`.";
    PlatformNotFound = "platform_not_found": "No such platform is connected to this workspace, or it is disabled or must be connected again.";
    PostNotFound = "post_not_found": "There is no such post in this workspace.";
    MediaNotFound = "media_not_found": "There is no such media in this workspace.";
    FolderNotFound = "folder_not_found": "There is no such folder in this workspace.";
    WebhookNotFound = "webhook_not_found": "There is no such webhook in this workspace.";
    NotFound = "not_found": "There is nothing at this path.";
    MethodNotAllowed = "method_not_allowed": "The path does not answer this method; `Allow` lists those it does.";
    PermissionsMissing = "permissions_missing": "The account was not connected, because less was granted at the provider than posting needs; `missing` names what.";
    PostLimitReached = "post_limit_reached": "The plan's posts of this month are used up; nothing was created or queued.";
    InsufficientCredits = "insufficient_credits": "The plan's AI credits of this month are used up.";
    StorageLimitReached = "storage_limit_reached": "The plan's storage would be exceeded; nothing was kept.";
    CountLimitReached = "count_limit_reached": "The workspace has as many folders, webhooks, API keys or unfinished uploads as a workspace can have; `details.limit` is how many. Remove or finish one first.";
    ConnectedOtherwise = "connected_otherwise": "The account is connected to the workspace in another way already; it would be posted to twice.";
    AccountLimitReached = "account_limit_reached": "The plan's connected accounts are used up.";
    PostNotReschedulable = "post_not_reschedulable": "The post is published, or is being handed to the provider right now.";
    PostNotUnschedulable = "post_not_unschedulable": "Only a post in QUEUE can be made a draft again.";
    PostNotEditable = "post_not_editable": "Only a draft or a queued post that is not being handed to the provider can be edited; a post in ERROR is created again with other contents.";
    PostNotPublishable = "post_not_publishable": "The post is published, or is being handed to the provider right now.";
    PostUndecided = "post_undecided": "A try of the post may be out, and it has waited for a person for less than a minute. Look at the account, then send the request with the `ETag` that you read as `If-Match`, or after that minute.";
    PostNotMarkable = "post_not_markable": "Only a post in ACTION_REQUIRED can be marked as published.";
    PostPublishing = "post_publishing": "The post is being handed to the provider right now.";
    MediaInUse = "media_in_use": "A post that is not published needs the file.";
    EmailTaken = "email_taken": "Somebody with this address has signed up already.";
    SecondFactorActive = "second_factor_active": "The second factor is on already; turn it off before another is set up.";
    WorkspaceLimitReached = "workspace_limit_reached": "The person owns, or has made, as many workspaces as this service allows.";
    LastOwner = "last_owner": "The workspace would be left without an owner.";
    IdempotencyInProgress = "idempotency_in_progress": "The first request with this `Idempotency-Key` is still running, or the process that ran it has died: send it again, for a minute at most.";
    PreconditionFailed = "precondition_failed": "The resource was changed since it was read: its version is not the one in `If-Match`.";
    PayloadTooLarge = "payload_too_large": "The body is larger than 1 MiB (8 MiB for a batch of posts), or than 16 KiB without a key or a session, or has more bytes than are still missing of the upload.";
    MediaTooLarge = "media_too_large": "The file is larger than its kind may be on this plan.";
    UnsupportedMediaType = "unsupported_media_type": "The request's `Content-Type` is not what this operation reads.";
    IdempotencyKeyReused = "idempotency_key_reused": "This `Idempotency-Key` was used with another request.";
    RateLimited = "rate_limited": "Too many requests; `Retry-After` says when to come back.";
    Unavailable = "unavailable": "The database does not answer, is overloaded, or a concurrent change holds for too long what this one needs. With `Retry-After`, nothing is known to be done: send the request again then, with the same `Idempotency-Key`. Without it, the change may have been made: check first if there is no `Idempotency-Key`.";
    InternalError = "internal_error": "The fault is ours; the `x-request-id` finds it in the log.";
    CaptionsUnavailable = "captions_unavailable": "No language model is configured, or it does not answer.";
    CaptionsRefused = "captions_refused": "The language model declined to write captions for this request; ask for something else.";
    ProviderNotConfigured = "provider_not_configured": "The provider is not set up on this service.";
    ProviderUnavailable = "provider_unavailable": "The provider does not answer.";
    ConnectionRejected = "connection_rejected": "The provider did not accept the code with which the account was to be connected; start again.";
    RequestTimeout = "request_timeout": "The request took too long. What it changes may take effect nevertheless: send it again, with the same `Idempotency-Key` where there is one.";
    DeviceCodeNotFound = "device_code_not_found": "The code is wrong, expired or decided already.";
    InvalidContent = "invalid_content": "The content breaks the platform's rules.";
    InvalidMedia = "invalid_media": "The media break the platform's rules.";
    InvalidSettings = "invalid_settings": "The settings are not what the platform takes.";
    CommentsNotSupported = "comments_not_supported": "The platform takes no comments.";
    UploadOffsetConflict = "upload_offset_conflict": "The upload does not stand at `Upload-Offset`; ask with HEAD where it stands.";
    UploadLocked = "upload_locked": "Another request is writing to the upload, or it is being checked; ask again in a moment.";
    ChecksumMismatch = "checksum_mismatch": "The bytes do not have the checksum that came with them; none of them were kept.";
    UnsupportedTusVersion = "unsupported_tus_version": "`Tus-Resumable` names a version other than those in `Tus-Version`.";
}

codes! {
    /// What kind of problem an entry of `details` is (`docs/contract.md#error-details`).
    IssueCode:
    Required = "required": "It is missing.";
    Type = "type": "It has another JSON type.";
    TooShort = "too_short": "It has too few characters or items.";
    TooLong = "too_long": "It has too many characters, items or bytes.";
    Format = "format": "It is not in the form that is asked for, or has characters that are not allowed.";
    Range = "range": "The number, time, size or duration is out of bounds.";
    UnknownValue = "unknown_value": "It is none of the values that are possible.";
    NotFound = "not_found": "It names what does not exist, or is not ready.";
    Duplicate = "duplicate": "It is there twice.";
    Conflict = "conflict": "It does not go together with another part of the request, or with what is stored.";
    NotSupported = "not_supported": "The platform, the account or the operation does not take it.";
    Incorrect = "incorrect": "The password or the code is wrong.";
    TooWeak = "too_weak": "The password is easy to guess.";
}

impl Code {
    /// The code of that word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|code| code.as_str() == word)
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

/// A rule that a value breaks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// What a program branches on.
    pub code: IssueCode,
    /// What a person reads: a clause that follows the value's name, such as "must be a UUID".
    pub message: Cow<'static, str>,
}

impl IssueCode {
    /// A violation of this kind.
    pub fn with(self, message: impl Into<Cow<'static, str>>) -> Violation {
        Violation {
            code: self,
            message: message.into(),
        }
    }
}

impl Violation {
    /// The value is missing.
    pub fn required() -> Self {
        IssueCode::Required.with("is required")
    }

    /// The value is none of these words.
    pub fn one_of(words: &[&str]) -> Self {
        IssueCode::UnknownValue.with(format!("must be one of {}", words.join(", ")))
    }

    /// The value is no UUID.
    pub fn no_uuid() -> Self {
        IssueCode::Format.with("must be a UUID")
    }
}

/// One problem and the place of it: an entry of `details` (`docs/contract.md#error-details`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Issue {
    /// Where in the request.
    pub path: Vec<PathStep>,
    /// What a program branches on.
    pub code: IssueCode,
    /// What is wrong there, for a person.
    pub message: Cow<'static, str>,
}

impl Issue {
    /// What is wrong at `path`.
    pub fn at(path: impl Into<Vec<PathStep>>, violation: Violation) -> Self {
        Self {
            path: path.into(),
            code: violation.code,
            message: violation.message,
        }
    }

    /// What is wrong with a top-level field.
    pub fn field(name: &'static str, violation: Violation) -> Self {
        Self::at([name.into()], violation)
    }
}

impl Serialize for IssueCode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// Problems that one answer lists: without a limit, a body of 1 MiB makes an answer of many.
pub const MAX_LISTED_ISSUES: usize = 100;

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

    /// A refusal whose message sums up `issues` and whose details list them, the first [`MAX_LISTED_ISSUES`] of them.
    pub fn listing(code: Code, mut issues: Vec<Issue>) -> Self {
        let message = match issues.as_slice() {
            [only] => sentence(only),
            [first, _] => format!("{} (and 1 more problem)", sentence(first)),
            [first, rest @ ..] => format!("{} (and {} more problems)", sentence(first), rest.len()),
            [] => "the request is invalid".to_owned(),
        };
        issues.truncate(MAX_LISTED_ISSUES);
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
        issue.message.to_string()
    } else {
        format!("{path}: {}", issue.message)
    }
}
