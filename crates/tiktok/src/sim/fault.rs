//! How the provider is made to fail: faults of requests, fates of posts, and requests that are held.

use serde::{Deserialize, Serialize};

/// A kind of request to the provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Endpoint {
    /// The consent page, shown and submitted.
    Authorize,
    /// The token endpoint, whatever the grant.
    Token,
    /// The token endpoint, refreshing.
    TokenRefresh,
    /// Ending a grant.
    Revoke,
    /// `user/info`.
    UserInfo,
    /// `video/list`.
    VideoList,
    /// `video/query`.
    VideoQuery,
    /// `creator_info/query`.
    CreatorInfo,
    /// Start of a direct video post.
    VideoInit,
    /// Start of a video draft.
    InboxInit,
    /// Start of a photo post or draft.
    ContentInit,
    /// `status/fetch`.
    Status,
    /// `cancel`.
    Cancel,
    /// PUT of any chunk.
    Upload,
    /// PUT of the last chunk.
    UploadLast,
    /// The business app's token endpoint.
    BusinessToken,
    /// The same, refreshing.
    BusinessRefresh,
    /// The same, ending a grant.
    BusinessRevoke,
    /// A business account's profile.
    BusinessGet,
    /// A business account's options.
    BusinessSettings,
    /// A business account's posts.
    BusinessPosts,
    /// A video of a business account.
    BusinessVideo,
    /// Photos of a business account.
    BusinessPhoto,
    /// What became of a post of a business account.
    BusinessStatus,
    /// A comment of a business account.
    CommentCreate,
    /// The comments under a post of a business account.
    CommentList,
}

impl Endpoint {
    /// Whether it is one of the business API, whose errors have numbers.
    pub(super) fn is_business(self) -> bool {
        use Endpoint as E;
        matches!(self, E::BusinessToken | E::BusinessRefresh | E::BusinessRevoke) || self.is_business_data()
    }

    /// Whether it is one of the business API that acts for an account: each has 40 calls a minute.
    pub(super) fn is_business_data(self) -> bool {
        use Endpoint as E;
        matches!(
            self,
            E::BusinessGet
                | E::BusinessSettings
                | E::BusinessPosts
                | E::BusinessVideo
                | E::BusinessPhoto
                | E::BusinessStatus
                | E::CommentCreate
                | E::CommentList
        )
    }

    /// Whether a rule for `self` applies to a request to `actual`.
    pub(super) fn covers(self, actual: Endpoint) -> bool {
        self == actual
            || matches!(
                (self, actual),
                (Self::Token, Self::TokenRefresh) | (Self::Upload, Self::UploadLast)
            )
    }
}

/// A fault that affects the next matching requests.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Fault {
    /// Which requests.
    pub endpoint: Endpoint,
    /// What happens to them.
    pub action: FaultAction,
    /// How many requests it affects.
    #[serde(default = "once")]
    pub times: u32,
    /// How many matching requests pass unharmed before.
    #[serde(default)]
    pub skip: u32,
    /// Only requests of this account (open_id).
    #[serde(default)]
    pub account: Option<String>,
}

fn once() -> u32 {
    1
}

impl Fault {
    /// Befalls the next request to `endpoint`.
    pub fn new(endpoint: Endpoint, action: FaultAction) -> Self {
        Self {
            endpoint,
            action,
            times: 1,
            skip: 0,
            account: None,
        }
    }

    /// Befalls `times` requests.
    #[must_use]
    pub fn times(mut self, times: u32) -> Self {
        self.times = times;
        self
    }

    /// Lets `skip` requests pass first.
    #[must_use]
    pub fn skip(mut self, skip: u32) -> Self {
        self.skip = skip;
        self
    }

    /// Only for requests of the account `open_id`.
    #[must_use]
    pub fn on_account(mut self, open_id: &str) -> Self {
        self.account = Some(open_id.to_owned());
        self
    }
}

/// What a fault does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase", tag = "do")]
pub enum FaultAction {
    /// Answers with this error in the endpoint's own shape; the work is not done.
    Answer {
        /// HTTP status.
        status: u16,
        /// The provider's code, such as `rate_limit_exceeded`.
        code: String,
        /// The provider's message.
        #[serde(default)]
        message: String,
    },
    /// Does the work, then answers with this error all the same.
    AnswerAfter {
        /// HTTP status.
        status: u16,
        /// The provider's code.
        code: String,
        /// The provider's message.
        #[serde(default)]
        message: String,
    },
    /// Answers with a gateway's HTML page; the work is not done.
    Html {
        /// HTTP status, such as 502.
        status: u16,
    },
    /// Closes the connection; the work is not done.
    Drop,
    /// Does the work, then closes the connection without an answer.
    DropAfter,
}

impl FaultAction {
    /// 429 `rate_limit_exceeded`.
    pub fn rate_limited() -> Self {
        Self::error(429, "rate_limit_exceeded")
    }

    /// 500 `internal_error`.
    pub fn internal_error() -> Self {
        Self::error(500, "internal_error")
    }

    /// Any error of the provider, without doing the work.
    pub fn error(status: u16, code: &str) -> Self {
        Self::Answer {
            status,
            code: code.to_owned(),
            message: "Injected by the simulator.".to_owned(),
        }
    }

    /// Whether the work is done all the same.
    pub(super) fn works(&self) -> bool {
        matches!(self, Self::AnswerAfter { .. } | Self::DropAfter)
    }
}

/// Takes the action for a request out of `faults`; spent faults are removed.
pub(super) fn take(
    faults: &mut Vec<Fault>,
    endpoint: Endpoint,
    account: Option<&str>,
) -> Option<FaultAction> {
    for index in 0..faults.len() {
        let fault = &mut faults[index];
        if !fault.endpoint.covers(endpoint) || fault.account.is_some() && fault.account.as_deref() != account
        {
            continue;
        }
        if fault.skip > 0 {
            fault.skip -= 1;
            continue;
        }
        fault.times = fault.times.saturating_sub(1);
        let action = fault.action.clone();
        if fault.times == 0 {
            faults.remove(index);
        }
        return Some(action);
    }
    None
}

/// Posts that are bound to end as FAILED.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FailRule {
    /// The `fail_reason`, such as `spam_risk_text`.
    pub reason: String,
    /// Only posts of this account (open_id).
    #[serde(default)]
    pub account: Option<String>,
    /// Only posts whose caption contains this.
    #[serde(default)]
    pub caption_contains: Option<String>,
    /// How many posts; `null`: all.
    #[serde(default)]
    pub times: Option<u32>,
}

impl FailRule {
    /// The next post fails with `reason`.
    pub fn next(reason: &str) -> Self {
        Self {
            times: Some(1),
            ..Self::all(reason)
        }
    }

    /// All posts fail with `reason`.
    pub fn all(reason: &str) -> Self {
        Self {
            reason: reason.to_owned(),
            account: None,
            caption_contains: None,
            times: None,
        }
    }

    /// Only posts of the account `open_id`.
    #[must_use]
    pub fn on_account(mut self, open_id: &str) -> Self {
        self.account = Some(open_id.to_owned());
        self
    }

    /// Only posts whose caption contains `marker`.
    #[must_use]
    pub fn when_caption_contains(mut self, marker: &str) -> Self {
        self.caption_contains = Some(marker.to_owned());
        self
    }
}

/// The reason for which a post fails, if a rule matches it; spent rules are removed.
pub(super) fn take_fate(rules: &mut Vec<FailRule>, open_id: &str, caption: &str) -> Option<String> {
    let index = rules.iter().position(|rule| {
        rule.account.as_deref().is_none_or(|account| account == open_id)
            && rule
                .caption_contains
                .as_deref()
                .is_none_or(|marker| caption.contains(marker))
    })?;
    let reason = rules[index].reason.clone();
    if let Some(times) = &mut rules[index].times {
        *times = times.saturating_sub(1);
        if *times == 0 {
            rules.remove(index);
        }
    }
    Some(reason)
}
