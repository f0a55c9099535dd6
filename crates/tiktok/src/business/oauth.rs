//! Consent and tokens of the business connection. People consent on the same page, with the business app's client ID as
//! `client_key`; codes and tokens are exchanged at the business API, with JSON bodies
//! (<https://business-api.tiktok.com/portal/docs?id=1738084387220481>). No source documents PKCE here, so none is sent.

use playout_domain::provider::{AuthorizationRequest, Fate, Permission, ProviderError, TokenSet};
use playout_domain::secret::Secret;
use serde_json::{Value, json};
use url::form_urlencoded;

use super::client::TikTokBusiness;
use crate::config::{BusinessApp, TikTokConfig};
use crate::envelope::{self, Reply};
use crate::{http, oauth};

/// The scopes that are requested. Reading comments (`comment.list`) finds one whose answer was lost; the handle makes links.
pub(super) const SCOPES: [&str; 7] = [
    "user.info.basic",
    "user.info.username",
    "video.publish",
    "video.upload",
    "video.list",
    super::comments::READ,
    super::comments::WRITE,
];

/// Without these the connection is of no use: the profile, posting, and the comments for which it is chosen.
pub(super) const NEEDED: &[Permission] = &[
    Permission {
        scope: "user.info.basic",
        meaning: "read the profile's name and picture",
    },
    Permission {
        scope: "video.publish",
        meaning: "post content to the account",
    },
    Permission {
        scope: super::comments::WRITE,
        meaning: "comment under the account's own posts",
    },
];

const TOKEN_PATH: &str = "/tt_user/oauth2/token/";
const REFRESH_PATH: &str = "/tt_user/oauth2/refresh_token/";
const REVOKE_PATH: &str = "/tt_user/oauth2/revoke/";

/// Where the user consents. The portal shows the address of this page for each app; its parameters are those of Login Kit.
pub(super) fn authorization_url(
    app: &BusinessApp,
    config: &TikTokConfig,
    request: &AuthorizationRequest<'_>,
) -> String {
    let query = form_urlencoded::Serializer::new(String::new())
        .append_pair("client_key", &app.client_id)
        .append_pair("response_type", "code")
        .append_pair("scope", &SCOPES.join(","))
        .append_pair("redirect_uri", request.redirect_uri)
        .append_pair("state", request.state)
        .append_pair("disable_auto_auth", "1")
        .finish();
    format!("{}?{query}", config.auth("/v2/auth/authorize/"))
}

impl TikTokBusiness {
    /// Exchanges a code, which is valid for ten minutes and once, for tokens.
    pub(super) async fn exchange_code(
        &self,
        request: &AuthorizationRequest<'_>,
        code: &str,
    ) -> Result<TokenSet, ProviderError> {
        let body = json!({
            "grant_type": "authorization_code",
            "auth_code": code,
            "redirect_uri": request.redirect_uri,
        });
        self.tokens(TOKEN_PATH, body).await
    }

    /// Buys the next pair; both tokens are new.
    pub(super) async fn refresh_tokens(&self, refresh: &Secret) -> Result<TokenSet, ProviderError> {
        let body = json!({ "grant_type": "refresh_token", "refresh_token": refresh.expose() });
        self.tokens(REFRESH_PATH, body).await.map_err(refused)
    }

    /// Gives the grant back.
    pub(super) async fn revoke_grant(&self, access: &Secret) -> Result<(), ProviderError> {
        let body = json!({ "access_token": access.expose() });
        self.as_app(REVOKE_PATH, body).await.map(drop)
    }

    async fn tokens(&self, path: &str, body: Value) -> Result<TokenSet, ProviderError> {
        let reply = self.as_app(path, body).await?;
        let now = self.base.clock.now();
        let tokens = oauth::read_tokens(&reply.data, "refresh_token_expires_in", now);
        tokens.ok_or_else(|| envelope::incomplete(reply.log_id))
    }

    /// A call that the app makes in its own name.
    async fn as_app(&self, path: &str, mut body: Value) -> Result<Reply, ProviderError> {
        body["client_id"] = self.app.client_id.as_str().into();
        body["client_secret"] = self.app.client_secret.expose().into();
        let answer = http::call(self.base.http.post(&self.url(path)).json(&body)).await?;
        envelope::read_business(&answer).map_err(|error| self.base.paced("", error))
    }
}

/// What a rejected refresh means. No source documents the code for an invalid refresh token, but nothing else that we send
/// can be wrong: a rejected token and a rejected parameter both mean that the account must be reconnected.
fn refused(error: ProviderError) -> ProviderError {
    if error.code == "business_40002" {
        return ProviderError {
            fate: Fate::Reauthorize,
            ..error
        };
    }
    oauth::refresh_refused(error)
}
