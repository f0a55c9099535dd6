//! The settings of the simulated provider that can be changed while it runs.

use serde::{Deserialize, Serialize};

/// Settings of the simulated provider. In JSON (`/sim/knobs`) the names are camelCase.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Knobs {
    /// HTTP status of OAuth errors: 400, or 200 as seen in the field.
    pub oauth_error_http: u16,
    /// What a refresh does to the refresh token.
    pub refresh_rotation: RefreshRotation,
    /// How the code challenge is checked.
    pub pkce: Pkce,
    /// Lifetime of access tokens, in seconds.
    pub access_token_ttl_s: u64,
    /// Lifetime of refresh tokens, in seconds.
    pub refresh_token_ttl_s: u64,
    /// Lifetime of upload URLs, in seconds.
    pub upload_url_ttl_s: u64,
    /// From the last byte of a request to its response, in milliseconds.
    pub response_delay_ms: u64,
    /// From the last byte to the outcome, in milliseconds.
    pub processing_ms: u64,
    /// From the last byte of an upload to when its status shows it, in milliseconds.
    pub status_delay_ms: u64,
    /// The status of an upload never has the number of its bytes.
    pub omit_uploaded_bytes: bool,
    /// From the outcome to the post ID of a public post, in milliseconds.
    pub moderation_ms: u64,
    /// From the init to the first download, in milliseconds.
    pub pull_delay_ms: u64,
    /// Tasks never leave processing while this is on; turning it off lets them go on.
    pub stuck: bool,
    /// Public posts never reveal their ID (neither status nor webhook).
    pub omit_post_id: bool,
    /// The spam filter hides every new comment: it is written, and no one else sees it.
    pub hide_comments: bool,
    /// From when a comment is written to when the list has it, in milliseconds.
    pub comment_list_delay_ms: u64,
    /// How many of an account's public posts are pinned: lists have the oldest so many first.
    pub pinned_posts: usize,
    /// The first page of such a list has the pinned posts alone, as where the others on it are not shown.
    pub pinned_alone: bool,
    /// Lists of comments begin with a page that has a viewer's pinned comment alone, which is a month old.
    pub pinned_comment: bool,
    /// Lists of posts say that there are more, but not where: they have no cursor.
    pub omit_cursor: bool,
    /// Lists of posts leave out their texts.
    pub omit_texts: bool,
    /// The code of parameter errors; both were seen.
    pub param_code: ParamCode,
    /// The text that refuses one chunk whose size is not the file's; both were seen.
    pub single_chunk_error: SingleChunkError,
    /// The statuses of chunks that are stored; sources disagree.
    pub chunk_statuses: ChunkStatuses,
    /// Whether requests per minute are limited.
    pub rate_limits: bool,
    /// Whether the app passed the audit.
    pub audited: bool,
    /// Users who may post in any 24 hours. `null`: 5 unaudited, no limit audited.
    pub active_user_cap: Option<u32>,
    /// Whether the app has the Direct Post product; without it `video.publish` is worth nothing.
    pub direct_post: bool,
    /// The only accounts that may log in, by open_id, as in a sandbox; `null`: all.
    pub sandbox_targets: Option<Vec<String>>,
    /// Whether pull URLs must lie under `verified_prefixes`.
    pub verify_urls: bool,
    /// Prefixes (`https://host/path/`) and domains that the app owns.
    pub verified_prefixes: Vec<String>,
    /// Whether bytes are looked into: type, dimensions, duration.
    pub check_media: bool,
    /// Whether bytes are kept, so that the pages can play them. Hashes are always kept.
    pub keep_media: bool,
    /// Registered redirect URIs.
    pub redirect_uris: Vec<String>,
    /// Scopes that the app may ask for.
    pub approved_scopes: Vec<String>,
    /// Where events go; `null`: nowhere.
    pub webhook_url: Option<String>,
    /// Whether events are delivered at all.
    pub webhooks: bool,
    /// From the event to its first delivery, in milliseconds.
    pub webhook_delay_ms: u64,
    /// How often each event is delivered.
    pub webhook_copies: u32,
    /// Swaps neighbouring events of an account.
    pub webhook_reorder: bool,
    /// First wait after a delivery that was not answered with 200, in milliseconds; each further wait is four times longer.
    pub webhook_retry_ms: u64,
    /// Requests that the journal remembers.
    pub journal_limit: usize,
}

impl Default for Knobs {
    fn default() -> Self {
        Self {
            oauth_error_http: 400,
            refresh_rotation: RefreshRotation::Rotate,
            pkce: Pkce::Hex,
            access_token_ttl_s: 86_400,
            refresh_token_ttl_s: 31_536_000,
            upload_url_ttl_s: 3_600,
            response_delay_ms: 0,
            processing_ms: 0,
            status_delay_ms: 0,
            omit_uploaded_bytes: false,
            moderation_ms: 0,
            pull_delay_ms: 0,
            stuck: false,
            omit_post_id: false,
            hide_comments: false,
            comment_list_delay_ms: 0,
            pinned_posts: 0,
            pinned_alone: false,
            pinned_comment: false,
            omit_cursor: false,
            omit_texts: false,
            param_code: ParamCode::InvalidParams,
            single_chunk_error: SingleChunkError::ChunkSize,
            chunk_statuses: ChunkStatuses::PartialContent,
            rate_limits: true,
            audited: true,
            active_user_cap: None,
            direct_post: true,
            sandbox_targets: None,
            verify_urls: false,
            verified_prefixes: Vec::new(),
            check_media: true,
            keep_media: true,
            redirect_uris: Vec::new(),
            approved_scopes: Vec::new(),
            webhook_url: None,
            webhooks: true,
            webhook_delay_ms: 0,
            webhook_copies: 1,
            webhook_reorder: false,
            webhook_retry_ms: 1_000,
            journal_limit: 100_000,
        }
    }
}

impl Knobs {
    /// Users who may post in any 24 hours, if limited.
    pub(super) fn user_cap(&self) -> Option<u32> {
        self.active_user_cap.or(if self.audited { None } else { Some(5) })
    }
}

/// What a refresh does to the refresh token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum RefreshRotation {
    /// A new one each time; the old one is invalid at once.
    Rotate,
    /// The same one for its whole life.
    Same,
}

/// How the code challenge is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Pkce {
    /// Challenges are ignored.
    Off,
    /// A challenge must be the hex digest; loopback redirects need one.
    Hex,
    /// Hex or base64url.
    Both,
    /// Hex, and every authorization needs one.
    Required,
}

/// The code of parameter errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ParamCode {
    /// As in the endpoint pages.
    #[serde(rename = "invalid_param")]
    InvalidParam,
    /// As in the error page, and seen in the field.
    #[serde(rename = "invalid_params")]
    InvalidParams,
}

impl ParamCode {
    /// The code as it goes over the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::InvalidParam => "invalid_param",
            Self::InvalidParams => "invalid_params",
        }
    }
}

/// What a plan of one chunk with the wrong size is refused for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum SingleChunkError {
    /// "The chunk size is invalid".
    ChunkSize,
    /// "The total chunk count is invalid".
    ChunkCount,
}

impl SingleChunkError {
    /// The text as it goes over the wire.
    pub(super) fn message(self) -> &'static str {
        match self {
            Self::ChunkSize => "The chunk size is invalid",
            Self::ChunkCount => "The total chunk count is invalid",
        }
    }
}

/// The HTTP statuses of stored chunks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ChunkStatuses {
    /// 206 for a chunk, 201 for the last one, as in the media transfer guide.
    PartialContent,
    /// 201 for a chunk, 200 for the last one.
    Created,
}

impl ChunkStatuses {
    /// The status of a stored chunk.
    pub(super) fn status(self, is_last: bool) -> u16 {
        match (self, is_last) {
            (Self::PartialContent, false) => 206,
            (Self::PartialContent, true) | (Self::Created, false) => 201,
            (Self::Created, true) => 200,
        }
    }
}
