//! What a provider is to the rest of the product. Each provider is a crate of its own that implements
//! [`Provider`]; nothing generic names one.

use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::stream::BoxStream;
use serde_json::{Map, Value};

use crate::error::Issue;
use crate::explanation::Explanation;
use crate::limits::{AccountLimits, Delivery, RestrictionKind, ScopeUse, Warning};
use crate::media::MediaType;
use crate::platform::{Capability, Connection, Platform, PlatformSchema, Strictness, shown_name};
use crate::post::Draft;
use crate::secret::Secret;
use crate::submission::Submission;
use crate::time::Time;
use crate::transfer::{Chunk, Transfer, UploadSession, Way};

pub use crate::fate::{Fate, ProviderError};
pub use crate::shown::{Commented, Notice, OwnComment, OwnComments, RecentPost, RecentPosts};
pub use crate::sighting::{NamedPost, Sighting, Whereabouts};
pub use crate::transfer::ChunkAnswer;

/// A provider's tokens for one account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenSet {
    /// The account they belong to, at the provider.
    pub provider_account_id: String,
    /// Opens the API.
    pub access: Secret,
    /// When that ends.
    pub access_expires_at: Time,
    /// Buys the next pair. Never empty: an answer without one keeps the stored one.
    pub refresh: Option<Secret>,
    /// When that ends.
    pub refresh_expires_at: Option<Time>,
    /// What the user granted.
    pub scopes: Vec<String>,
}

/// An account's profile as the provider returns it.
#[derive(Debug, Clone, PartialEq)]
pub struct AccountProfile {
    /// Its identifier, verbatim.
    pub provider_account_id: String,
    /// Its name.
    pub display_name: Option<String>,
    /// Its handle, without `@`.
    pub display_handle: Option<String>,
    /// Its picture.
    pub display_image_url: Option<String>,
    /// What it can do.
    pub capabilities: Vec<Capability>,
    /// The options of the account, in the provider's own keys (`docs/contract.md#metadata`).
    pub metadata: Map<String, Value>,
    /// The keys of `metadata` that the provider did not answer at the moment: an account that is connected again keeps what was known.
    pub unknown: &'static [&'static str],
}

impl AccountProfile {
    /// What people know it by: its name, else its handle, else its identifier.
    pub fn shown_name(&self) -> &str {
        shown_name(
            [&self.display_name, &self.display_handle],
            &self.provider_account_id,
        )
    }
}

/// What an account allows right now.
#[derive(Debug, Clone, PartialEq)]
pub struct AccountOptions {
    /// The options in the provider's own keys (`docs/contract.md#metadata`); they replace the stored ones.
    pub metadata: Map<String, Value>,
    /// The account's handle, without `@`, where the provider returned it just now.
    pub handle: Option<String>,
}

/// Who calls a provider: an account and the token that opens it.
#[derive(Debug, Clone, Copy)]
pub struct Grant<'a> {
    /// The account.
    pub platform: &'a Platform,
    /// Its current access token.
    pub access: &'a Secret,
}

/// One problem of a draft, with the part of the draft it is in (which decides the code, `docs/contract.md#creating-posts`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Which part.
    pub part: Part,
    /// What and where.
    pub issue: Issue,
}

/// The parts of a draft, in the order in which their codes win.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// The caption: `invalid_content`.
    Content,
    /// The media: `invalid_media`.
    Media,
    /// The settings: `invalid_settings`.
    Settings,
    /// The comments: `comments_not_supported`.
    Comments,
}

/// Everything a provider needs to take a post.
#[derive(Debug, Clone)]
pub struct Handover<'a> {
    /// The content to publish; the settings are the effective ones.
    pub draft: &'a Draft,
    /// How the bytes travel.
    pub transfer: Transfer,
    /// For a pull: a single-purpose address for each of the media, in order.
    pub urls: Vec<String>,
}

/// A provider's yes to a handover.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Accepted {
    /// What it calls the submission from now on.
    pub handle: String,
    /// Where the bytes go, for an upload.
    pub upload: Option<UploadSession>,
}

/// What has become of a submission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Progress {
    /// The provider is at work, or waits for bytes.
    Pending {
        /// Bytes of an upload that it has, if it returned their number.
        received_bytes: Option<u64>,
    },
    /// It is in the creator's inbox.
    InInbox,
    /// It is out.
    Published {
        /// The post's ID, once revealed.
        release_id: Option<String>,
        /// Its public page, if it has one.
        release_url: Option<String>,
    },
    /// The provider gave up on it, finally.
    Failed(ProviderError),
}

/// A notification from a provider, once its signature is checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderEvent {
    /// The account it is about, at the provider.
    pub provider_account_id: String,
    /// When it happened.
    pub at: Time,
    /// What happened.
    pub kind: ProviderEventKind,
}

/// The kinds of [`ProviderEvent`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProviderEventKind {
    /// News of a submission.
    Submission {
        /// Its handle.
        handle: String,
        /// What became of it.
        progress: Progress,
    },
    /// What had come out is no longer public.
    NoLongerPublic {
        /// Its handle.
        handle: String,
    },
    /// The user took the grant back.
    Revoked,
    /// Nothing we act on.
    Ignored,
}

/// The sizes a photo must have to be taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PhotoLimits {
    /// Longest short side in pixels.
    pub max_short_side: u32,
    /// Longest long side in pixels.
    pub max_long_side: u32,
    /// Most bytes.
    pub max_bytes: u64,
}

/// How long the provider may take before the outcome is called unknown (`docs/contract.md#retries`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CheckPolicy {
    /// How long to go on asking.
    pub window: Duration,
    /// How long to wait before the n-th question, from 0; the last value repeats.
    pub pauses: &'static [Duration],
}

/// A stream of a chunk's bytes.
pub type ByteStream = BoxStream<'static, std::io::Result<Bytes>>;

/// The state that ties an authorization's start to its end.
#[derive(Debug, Clone)]
pub struct AuthorizationRequest<'a> {
    /// Echoed back by the provider.
    pub state: &'a str,
    /// The PKCE verifier (RFC 7636).
    pub verifier: &'a Secret,
    /// Where the provider sends the user back.
    pub redirect_uri: &'a str,
}

/// Something that a user must grant before their account can be posted to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Permission {
    /// The provider's word for it, as in [`TokenSet::scopes`].
    pub scope: &'static str,
    /// What it lets us do, for a person: "post to the account".
    pub meaning: &'static str,
}

/// A provider of social accounts.
#[async_trait]
pub trait Provider: Send + Sync + 'static {
    /// Its identifier, as stored in `platforms.provider`.
    fn id(&self) -> &'static str;

    /// Which of the provider's connections this one speaks for; with the identifier it is unique.
    fn connection(&self) -> Connection;

    /// Its name, for people: the same for all its connections.
    fn name(&self) -> &'static str;

    /// What accounts connected this way can do that others of the provider cannot, for a person who has to choose; empty
    /// for the usual way.
    fn connection_notes(&self) -> &'static str;

    /// What `platform` accepts, from the options that the provider last returned.
    fn schema(&self, platform: &Platform) -> PlatformSchema;

    /// The names of all settings that its schemas have, whatever the account.
    fn setting_names(&self) -> &'static [&'static str];

    /// Everything about `draft` that `platform` would refuse. Pure; paths are those of a create request.
    fn problems(&self, platform: &Platform, draft: &Draft, strictness: Strictness) -> Vec<Problem>;

    /// How a post with media of this type travels at first.
    fn transfer(&self, media_type: MediaType) -> Transfer;

    /// How a post with media of this type travels after these tries, oldest first, and why. Another way than before is
    /// named only where the earlier one does not work.
    fn way(&self, media_type: MediaType, _tries: &[Submission]) -> Way {
        Way::plain(self.transfer(media_type))
    }

    /// Whether a post with media of this type, `None` where that is not known, and these settings ever gets an ID and a page that the public
    /// can see.
    fn expects_link(&self, media_type: Option<MediaType>, settings: &Map<String, Value>) -> bool;

    /// What every account is allowed, as far as it is known beforehand.
    fn limits(&self) -> AccountLimits;

    /// How a post with these settings reaches `platform`.
    fn delivery(&self, platform: &Platform, settings: &Map<String, Value>) -> Delivery;

    /// The error that it answered with this code earlier.
    fn recall(&self, code: &str) -> ProviderError;

    /// The restriction that a code means, if any.
    fn restriction(&self, code: &str) -> Option<RestrictionKind>;

    /// What of a draft that `platform` takes may surprise its author. Pure.
    fn warnings(&self, platform: &Platform, draft: &Draft) -> Vec<Warning>;

    /// The scopes that an account like `platform` may have granted, and what each is for.
    fn scopes(&self, platform: &Platform) -> &'static [ScopeUse];

    /// What a photo must be cut down to.
    fn photo_limits(&self) -> PhotoLimits;

    /// How often and how long to check a submission.
    fn check_policy(&self, transfer: Transfer) -> CheckPolicy;

    /// Where the provider sends users back to: the path that is registered with it, below our own address.
    fn callback_path(&self) -> &'static str;

    /// Where to send the user to connect an account.
    fn authorization_url(&self, request: &AuthorizationRequest<'_>) -> String;

    /// The origin of the page where users agree: a form that leads there must be allowed to.
    fn consent_origin(&self) -> String;

    /// What a user must grant before their account is connected. They may grant less than was requested.
    fn needed_permissions(&self) -> &'static [Permission];

    /// Trades the code of a finished authorization for tokens.
    async fn exchange(
        &self,
        request: &AuthorizationRequest<'_>,
        code: &str,
    ) -> Result<TokenSet, ProviderError>;

    /// Buys a new pair of tokens. The caller makes sure that only one runs at a time for an account.
    ///
    /// # Errors
    /// [`Fate::Reauthorize`] where the refresh token is not accepted, never [`Fate::StaleToken`]: nothing else would renew it.
    async fn refresh(&self, refresh: &Secret) -> Result<TokenSet, ProviderError>;

    /// Gives the grant back.
    async fn revoke(&self, access: &Secret) -> Result<(), ProviderError>;

    /// Requests the account that the tokens belong to, and what the account allows right now.
    async fn profile(&self, tokens: &TokenSet) -> Result<AccountProfile, ProviderError>;

    /// Requests what the account allows right now.
    async fn options(&self, grant: Grant<'_>) -> Result<AccountOptions, ProviderError>;

    /// Hands a post over. Never repeated by the client itself, even after an error.
    async fn begin(&self, grant: Grant<'_>, handover: &Handover<'_>) -> Result<Accepted, ProviderError>;

    /// Sends one chunk of an upload. Safe to repeat under the same session.
    async fn send(
        &self,
        session: &UploadSession,
        chunk: Chunk,
        bytes: ByteStream,
    ) -> Result<ChunkAnswer, ProviderError>;

    /// How long [`Provider::send`] may take for so many bytes before it is given up. Who no longer holds the job of an upload may still
    /// be sending for as long as that.
    fn send_limit(&self, size_bytes: u64) -> Duration;

    /// Requests what has become of a submission. Safe to repeat. [`Fate::Rejected`]: the provider does not know it, which
    /// leaves open what became of it.
    async fn check(&self, grant: Grant<'_>, handle: &str) -> Result<Progress, ProviderError>;

    /// Requests the provider to drop a submission whose media it has not fetched. An error means that it may go on;
    /// providers without such a call return one.
    async fn cancel(&self, _grant: Grant<'_>, _handle: &str) -> Result<(), ProviderError> {
        Err(ProviderError {
            fate: Fate::Rejected,
            code: "not_cancellable".to_owned(),
            message: "The provider does not take submissions back.".to_owned(),
            next_step: "".into(),
            log_id: None,
        })
    }

    /// The public page of what came out, from what is known of the account; `None` where that does not suffice. Pure.
    fn page(&self, _platform: &Platform, _handle: &str, _release_id: &str) -> Option<String> {
        None
    }

    /// The account's public posts since `since`, or the newest of them; `None` where the grant does not let us look.
    async fn recent_posts(&self, grant: Grant<'_>, since: Time)
    -> Result<Option<RecentPosts>, ProviderError>;

    /// Reads where a post is, as a person entered it; the issues' paths begin at `releaseId` and `releaseUrl`. `None`
    /// where they entered nothing. Pure.
    fn read_whereabouts(
        &self,
        platform: &Platform,
        said: Whereabouts<'_>,
    ) -> Result<Option<NamedPost>, Vec<Issue>>;

    /// Whether the account shows the post of this ID to the public.
    async fn sight(&self, grant: Grant<'_>, release_id: &str) -> Result<Sighting, ProviderError>;

    /// Comments under one of the account's posts. Not idempotent. A provider whose accounts take no comments need not
    /// implement it.
    async fn comment(
        &self,
        _grant: Grant<'_>,
        _release_id: &str,
        _text: &str,
    ) -> Result<Commented, ProviderError> {
        Err(ProviderError {
            fate: Fate::Rejected,
            code: "comments_not_supported".to_owned(),
            message: "This account takes no comments through this service, so nothing was written."
                .to_owned(),
            next_step: "".into(),
            log_id: None,
        })
    }

    /// The account's own comments under one of its posts since `since`; `None` where the grant does not let us look.
    async fn own_comments(
        &self,
        _grant: Grant<'_>,
        _release_id: &str,
        _since: Time,
    ) -> Result<Option<OwnComments>, ProviderError> {
        Ok(None)
    }

    /// One of this provider's codes in plain words, known or not.
    fn explain(&self, code: &str) -> Explanation;

    /// Checks and reads a notification: `header` looks a header up by lower-case name. `None` if it is not genuine.
    fn read_event(
        &self,
        header: &dyn Fn(&str) -> Option<String>,
        body: &[u8],
        now: Time,
    ) -> Option<ProviderEvent>;
}
