//! The business connection: the same provider by its interfaces for businesses (TikTok API for Business v1.3, Accounts API,
//! <https://business-api.tiktok.com/portal/docs>), with an app, tokens and rules of its own. It publishes by pull alone and
//! writes comments.
//!
//! The field names are those of the portal as its clients use them: the Go client bububa/tiktok-business, which carries the
//! portal's texts in its comments, and gitroomhq/postiz-app. Where they differ or lack a field, a comment at the use notes it.

mod account;
mod allowed;
mod calls;
mod client;
mod comments;
mod oauth;
mod publish;
mod recent;
mod status;

use std::time::Duration;

use async_trait::async_trait;
use playout_domain::error::Issue;
use playout_domain::explanation::Explanation;
use playout_domain::limits::{AccountLimits, Delivery, RestrictionKind, ScopeUse, Warning};
use playout_domain::media::MediaType;
use playout_domain::platform::{Connection, Platform, PlatformSchema, Strictness};
use playout_domain::post::Draft;
use playout_domain::provider::{
    Accepted, AccountOptions, AccountProfile, AuthorizationRequest, ByteStream, CheckPolicy, ChunkAnswer,
    Commented, Grant, Handover, NamedPost, OwnComments, Permission, PhotoLimits, Problem, Progress, Provider,
    ProviderError, ProviderEvent, RecentPosts, Sighting, TokenSet, Whereabouts,
};
use playout_domain::secret::Secret;
use playout_domain::submission::{Chunk, Submission, Transfer, UploadSession, Way};
use playout_domain::time::Time;
use serde_json::{Map, Value};

use crate::{errors, settings, validate, ways};

pub use self::client::TikTokBusiness;

#[async_trait]
impl Provider for TikTokBusiness {
    fn id(&self) -> &'static str {
        self.base.id()
    }

    fn connection(&self) -> Connection {
        Connection::Business
    }

    fn name(&self) -> &'static str {
        self.base.name()
    }

    fn connection_notes(&self) -> &'static str {
        "For accounts of businesses: posts can have comments, and videos are always public."
    }

    fn schema(&self, platform: &Platform) -> PlatformSchema {
        self.base.schema(platform)
    }

    fn setting_names(&self) -> &'static [&'static str] {
        self.base.setting_names()
    }

    fn problems(&self, platform: &Platform, draft: &Draft, strictness: Strictness) -> Vec<Problem> {
        let transfer = ways::business_problem(&self.base.config, draft);
        validate::problems(platform, draft, strictness, transfer)
    }

    fn transfer(&self, _media_type: MediaType) -> Transfer {
        ways::BUSINESS.transfer
    }

    /// Always a fetch by the provider, whatever the earlier tries: the business API has no other transfer.
    fn way(&self, _media_type: MediaType, _tries: &[Submission]) -> Way {
        ways::BUSINESS
    }

    /// A video has no privacy and is always public; photos without one are sent as private.
    fn expects_link(&self, media_type: Option<MediaType>, settings: &Map<String, Value>) -> bool {
        let has_no_privacy = settings.get(settings::name::PRIVACY).is_none_or(Value::is_null);
        let is_video = media_type == Some(MediaType::Video);
        (is_video && has_no_privacy) || self.base.expects_link(media_type, settings)
    }

    fn limits(&self) -> AccountLimits {
        allowed::limits(self.base.limits(), &self.base.config)
    }

    fn delivery(&self, platform: &Platform, settings: &Map<String, Value>) -> Delivery {
        self.base.delivery(platform, settings)
    }

    fn recall(&self, code: &str) -> ProviderError {
        self.base.recall(code)
    }

    fn restriction(&self, code: &str) -> Option<RestrictionKind> {
        match code {
            "business_40100" => Some(RestrictionKind::Requests),
            other => self.base.restriction(other),
        }
    }

    fn warnings(&self, platform: &Platform, draft: &Draft) -> Vec<Warning> {
        self.base.warnings(platform, draft)
    }

    fn scopes(&self, _: &Platform) -> &'static [ScopeUse] {
        allowed::SCOPES
    }

    fn photo_limits(&self) -> PhotoLimits {
        self.base.photo_limits()
    }

    fn check_policy(&self, transfer: Transfer) -> CheckPolicy {
        self.base.check_policy(transfer)
    }

    /// The portal registers only addresses that end in a slash.
    fn callback_path(&self) -> &'static str {
        "/oauth/tiktok/callback/"
    }

    fn authorization_url(&self, request: &AuthorizationRequest<'_>) -> String {
        oauth::authorization_url(&self.app, &self.base.config, request)
    }

    fn consent_origin(&self) -> String {
        self.base.consent_origin()
    }

    fn needed_permissions(&self) -> &'static [Permission] {
        oauth::NEEDED
    }

    async fn exchange(
        &self,
        request: &AuthorizationRequest<'_>,
        code: &str,
    ) -> Result<TokenSet, ProviderError> {
        self.exchange_code(request, code).await
    }

    async fn refresh(&self, refresh: &Secret) -> Result<TokenSet, ProviderError> {
        self.refresh_tokens(refresh).await
    }

    async fn revoke(&self, access: &Secret) -> Result<(), ProviderError> {
        self.revoke_grant(access).await
    }

    async fn profile(&self, tokens: &TokenSet) -> Result<AccountProfile, ProviderError> {
        self.read_profile(tokens).await
    }

    async fn options(&self, grant: Grant<'_>) -> Result<AccountOptions, ProviderError> {
        self.read_options(grant).await
    }

    async fn begin(&self, grant: Grant<'_>, handover: &Handover<'_>) -> Result<Accepted, ProviderError> {
        self.hand_over(grant, handover).await
    }

    /// Always an error: this connection uploads nothing, so the session belongs to another one.
    async fn send(
        &self,
        _session: &UploadSession,
        _chunk: Chunk,
        _bytes: ByteStream,
    ) -> Result<ChunkAnswer, ProviderError> {
        Err(errors::ours("upload_host_refused"))
    }

    fn send_limit(&self, size_bytes: u64) -> Duration {
        self.base.send_limit(size_bytes)
    }

    async fn check(&self, grant: Grant<'_>, handle: &str) -> Result<Progress, ProviderError> {
        self.fetch_status(grant, handle).await
    }

    fn page(&self, platform: &Platform, handle: &str, release_id: &str) -> Option<String> {
        self.base.page(platform, handle, release_id)
    }

    async fn recent_posts(
        &self,
        grant: Grant<'_>,
        since: Time,
    ) -> Result<Option<RecentPosts>, ProviderError> {
        self.list_recent(grant, since).await
    }

    fn read_whereabouts(
        &self,
        platform: &Platform,
        said: Whereabouts<'_>,
    ) -> Result<Option<NamedPost>, Vec<Issue>> {
        self.base.read_whereabouts(platform, said)
    }

    async fn sight(&self, grant: Grant<'_>, release_id: &str) -> Result<Sighting, ProviderError> {
        self.look_for(grant, release_id).await
    }

    fn explain(&self, code: &str) -> Explanation {
        self.base.explain(code)
    }

    async fn comment(
        &self,
        grant: Grant<'_>,
        release_id: &str,
        text: &str,
    ) -> Result<Commented, ProviderError> {
        self.create_comment(grant, release_id, text).await
    }

    async fn own_comments(
        &self,
        grant: Grant<'_>,
        release_id: &str,
        since: Time,
    ) -> Result<Option<OwnComments>, ProviderError> {
        self.list_own_comments(grant, release_id, since).await
    }

    /// The portal's webhooks are not subscribed to: the status of a post is polled.
    fn read_event(
        &self,
        _header: &dyn Fn(&str) -> Option<String>,
        _body: &[u8],
        _now: Time,
    ) -> Option<ProviderEvent> {
        None
    }
}
