//! The creator connection: Login Kit and the Content Posting API.

use std::time::Duration;

use async_trait::async_trait;
use playout_domain::error::Issue;
use playout_domain::explanation;
use playout_domain::explanation::Explanation;
use playout_domain::limits::{AccountLimits, Delivery, RestrictionKind, ScopeUse, Warning};
use playout_domain::media::MediaType;
use playout_domain::platform::{Connection, Platform, PlatformSchema, Strictness};
use playout_domain::post::Draft;
use playout_domain::provider::{
    Accepted, AccountOptions, AccountProfile, AuthorizationRequest, ByteStream, CheckPolicy, ChunkAnswer,
    Grant, Handover, NamedPost, Permission, PhotoLimits, Problem, Progress, Provider, ProviderError,
    ProviderEvent, RecentPosts, Sighting, TokenSet, Whereabouts,
};
use playout_domain::secret::Secret;
use playout_domain::submission::{Chunk, Submission, Transfer, UploadSession, Way};
use playout_domain::time::Time;
use serde_json::{Map, Value};

use crate::client::TikTok;
use crate::{allowed, errors, events, oauth, schema, settings, sizes, status, validate, ways, whereabouts};

const PAUSES: &[Duration] = &[
    Duration::from_secs(1),
    Duration::from_secs(2),
    Duration::from_secs(5),
    Duration::from_secs(10),
    Duration::from_secs(20),
    Duration::from_secs(30),
    Duration::from_secs(60),
];

#[async_trait]
impl Provider for TikTok {
    fn id(&self) -> &'static str {
        "tiktok"
    }

    fn connection(&self) -> Connection {
        Connection::Creator
    }

    fn name(&self) -> &'static str {
        "TikTok"
    }

    fn connection_notes(&self) -> &'static str {
        ""
    }

    fn schema(&self, platform: &Platform) -> PlatformSchema {
        schema::of(platform)
    }

    fn setting_names(&self) -> &'static [&'static str] {
        settings::name::ALL
    }

    fn problems(&self, platform: &Platform, draft: &Draft, strictness: Strictness) -> Vec<Problem> {
        validate::problems(platform, draft, strictness, ways::problem(&self.config, draft))
    }

    fn transfer(&self, media_type: MediaType) -> Transfer {
        ways::way(&self.config, media_type, &[]).transfer
    }

    fn way(&self, media_type: MediaType, tries: &[Submission]) -> Way {
        ways::way(&self.config, media_type, tries)
    }

    fn expects_link(&self, _media_type: Option<MediaType>, settings: &Map<String, Value>) -> bool {
        settings::may_become_public(settings)
    }

    fn limits(&self) -> AccountLimits {
        allowed::limits(&self.config)
    }

    fn delivery(&self, platform: &Platform, settings: &Map<String, Value>) -> Delivery {
        allowed::delivery(platform, settings)
    }

    fn recall(&self, code: &str) -> ProviderError {
        match explanation::own(code) {
            Some(row) => row.error(),
            None => errors::error(code, "", None),
        }
    }

    fn restriction(&self, code: &str) -> Option<RestrictionKind> {
        allowed::restriction(code)
    }

    fn warnings(&self, platform: &Platform, draft: &Draft) -> Vec<Warning> {
        allowed::warnings(platform, draft)
    }

    fn scopes(&self, _: &Platform) -> &'static [ScopeUse] {
        allowed::SCOPES
    }

    fn photo_limits(&self) -> PhotoLimits {
        PhotoLimits {
            max_short_side: 1080,
            max_long_side: 1920,
            max_bytes: sizes::MAX_IMAGE_BYTES,
        }
    }

    fn check_policy(&self, transfer: Transfer) -> CheckPolicy {
        let minutes = match transfer {
            Transfer::Pull => 90,
            Transfer::Upload | Transfer::Text => 45,
        };
        CheckPolicy {
            window: Duration::from_secs(minutes * 60),
            pauses: PAUSES,
        }
    }

    fn callback_path(&self) -> &'static str {
        "/oauth/tiktok/callback"
    }

    fn authorization_url(&self, request: &AuthorizationRequest<'_>) -> String {
        oauth::authorization_url(&self.config, request)
    }

    fn consent_origin(&self) -> String {
        self.config.auth_url.origin().ascii_serialization()
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

    async fn send(
        &self,
        session: &UploadSession,
        chunk: Chunk,
        bytes: ByteStream,
    ) -> Result<ChunkAnswer, ProviderError> {
        self.send_chunk(session, chunk, bytes).await
    }

    fn send_limit(&self, size_bytes: u64) -> Duration {
        self.http.put_limit(size_bytes)
    }

    async fn check(&self, grant: Grant<'_>, handle: &str) -> Result<Progress, ProviderError> {
        self.fetch_status(grant, handle).await
    }

    async fn cancel(&self, grant: Grant<'_>, handle: &str) -> Result<(), ProviderError> {
        self.cancel_publish(grant, handle).await
    }

    fn page(&self, platform: &Platform, handle: &str, release_id: &str) -> Option<String> {
        status::permalink(&self.config, platform, handle, release_id)
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
        whereabouts::read(&self.config, platform, said)
    }

    async fn sight(&self, grant: Grant<'_>, release_id: &str) -> Result<Sighting, ProviderError> {
        self.look_for(grant, release_id).await
    }

    fn explain(&self, code: &str) -> Explanation {
        errors::explain(code)
    }

    fn read_event(
        &self,
        header: &dyn Fn(&str) -> Option<String>,
        body: &[u8],
        now: Time,
    ) -> Option<ProviderEvent> {
        events::read(&self.config, header, body, now)
    }
}
