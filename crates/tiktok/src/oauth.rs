//! Consent and tokens (Login Kit, OAuth 2 with PKCE).
//!
//! Every path of the API ends in a slash: without it the real provider does not answer. (The authorize page does.) The challenge
//! is the *hexadecimal* SHA-256 of the verifier, not RFC 7636's base64url; scopes are joined by commas.

use std::time::Duration;

use playout_domain::provider::{AuthorizationRequest, Fate, Permission, ProviderError, TokenSet};
use playout_domain::secret::Secret;
use playout_domain::time::Time;
use serde_json::Value;
use sha2::{Digest, Sha256};
use url::form_urlencoded;

use crate::client::TikTok;
use crate::config::TikTokConfig;
use crate::envelope::{self, filled, integer};
use crate::http;

/// What is asked for. The user may untick any of them, so what was granted is read from the answer.
pub(crate) const SCOPES: [&str; 5] = [
    "user.info.basic",
    "user.info.profile",
    "video.publish",
    "video.upload",
    "video.list",
];

/// Without these nothing can be posted: the account's profile, and both ways to post. The meanings are worded as on the
/// consent page.
pub(crate) const NEEDED: &[Permission] = &[
    Permission {
        scope: "user.info.basic",
        meaning: "read the profile's name and picture",
    },
    Permission {
        scope: "video.publish",
        meaning: "post content to the account",
    },
    Permission {
        scope: "video.upload",
        meaning: "send drafts to the account's inbox",
    },
];

const TOKEN_PATH: &str = "/v2/oauth/token/";

/// No token lives longer than this; a longer life is a misread answer.
const LONGEST_LIFE: Duration = Duration::from_secs(10 * 366 * 86_400);

/// The URL of the consent page. `disable_auto_auth=1` shows the page even to a user who has consented before, so that
/// another account can be chosen.
pub(crate) fn authorization_url(config: &TikTokConfig, request: &AuthorizationRequest<'_>) -> String {
    let challenge = hex::encode(Sha256::digest(request.verifier.expose().as_bytes()));
    let query = form_urlencoded::Serializer::new(String::new())
        .append_pair("client_key", &config.client_key)
        .append_pair("response_type", "code")
        .append_pair("scope", &SCOPES.join(","))
        .append_pair("redirect_uri", request.redirect_uri)
        .append_pair("state", request.state)
        .append_pair("disable_auto_auth", "1")
        .append_pair("code_challenge", &challenge)
        .append_pair("code_challenge_method", "S256")
        .finish();
    format!("{}?{query}", config.auth("/v2/auth/authorize/"))
}

impl TikTok {
    /// Trades a code, already URL-decoded, for tokens. The code is single-use: a lost answer means connecting again.
    pub(crate) async fn exchange_code(
        &self,
        request: &AuthorizationRequest<'_>,
        code: &str,
    ) -> Result<TokenSet, ProviderError> {
        self.token(&[
            ("grant_type", "authorization_code"),
            ("code", code),
            ("redirect_uri", request.redirect_uri),
            ("code_verifier", request.verifier.expose()),
        ])
        .await
    }

    /// Buys the next pair. The old refresh token is to be taken as spent once this succeeds.
    pub(crate) async fn refresh_tokens(&self, refresh: &Secret) -> Result<TokenSet, ProviderError> {
        let fields = [
            ("grant_type", "refresh_token"),
            ("refresh_token", refresh.expose()),
        ];
        self.token(&fields).await.map_err(refresh_refused)
    }

    /// Gives the grant back.
    pub(crate) async fn revoke_grant(&self, access: &Secret) -> Result<(), ProviderError> {
        let mut form = self.credentials();
        form.push(("token", access.expose()));
        let request = self.http.post(&self.config.api("/v2/oauth/revoke/")).form(&form);
        let answer = http::call(request).await?;
        envelope::read_revocation(&answer).map_err(|error| self.paced("", error))
    }

    async fn token(&self, fields: &[(&str, &str)]) -> Result<TokenSet, ProviderError> {
        let mut form = self.credentials();
        form.extend_from_slice(fields);
        let request = self.http.post(&self.config.api(TOKEN_PATH));
        let request = request.header("Cache-Control", "no-cache").form(&form);
        let answer = http::call(request).await?;
        let body = envelope::read_token(&answer).map_err(|error| self.paced("", error))?;
        read_tokens(&body, "refresh_expires_in", self.clock.now()).ok_or_else(|| {
            let named = filled(&body, "log_id").map(str::to_owned);
            envelope::incomplete(named.or(answer.log_id))
        })
    }

    fn credentials(&self) -> Vec<(&str, &str)> {
        vec![
            ("client_key", self.config.client_key.as_str()),
            ("client_secret", self.config.client_secret.expose()),
        ]
    }
}

/// What an error of a refresh means. Renewing is what is done about access that is not accepted; where the refresh is refused so, only
/// the user can give other access.
pub(crate) fn refresh_refused(error: ProviderError) -> ProviderError {
    let fate = match error.fate {
        Fate::StaleToken => Fate::Reauthorize,
        fate => fate,
    };
    ProviderError { fate, ..error }
}

/// `None` where the answer lacks what a grant needs, or names a life that no token has. How long the refresh token lives
/// is in a key that differs between the two APIs.
pub(crate) fn read_tokens(body: &Value, refresh_life_key: &str, now: Time) -> Option<TokenSet> {
    let life = |key: &str| expiry(body.get(key)?, now);
    let refresh_life = body.get(refresh_life_key).filter(|value| !value.is_null());
    let refresh_expires_at = match refresh_life {
        Some(value) => Some(expiry(value, now)?),
        None => None,
    };
    let scopes = filled(body, "scope").unwrap_or_default();
    let scopes = scopes.split([',', ' ']).filter(|scope| !scope.is_empty());
    Some(TokenSet {
        provider_account_id: filled(body, "open_id")?.to_owned(),
        access: Secret::new(filled(body, "access_token")?),
        access_expires_at: life("expires_in")?,
        refresh: filled(body, "refresh_token").map(Secret::new),
        refresh_expires_at,
        scopes: scopes.map(str::to_owned).collect(),
    })
}

fn expiry(seconds: &Value, now: Time) -> Option<Time> {
    let seconds = u64::try_from(integer(seconds)?).ok()?;
    let life = Duration::from_secs(seconds);
    (seconds > 0 && life <= LONGEST_LIFE).then(|| now.plus(life))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::collections::HashMap;
    use url::Url;

    const NOW: Time = Time::from_secs(1_795_000_000);

    fn answer() -> Value {
        json!({
            "access_token": "act.1", "expires_in": 86400, "open_id": "-000AbC-d_e",
            "refresh_token": "rft.1", "refresh_expires_in": 31_536_000,
            "scope": "user.info.basic,video.publish", "token_type": "Bearer"
        })
    }

    fn read(body: &Value) -> Option<TokenSet> {
        read_tokens(body, "refresh_expires_in", NOW)
    }

    fn with(key: &str, value: Value) -> Value {
        let mut body = answer();
        body[key] = value;
        body
    }

    #[test]
    fn the_consent_address_carries_a_hexadecimal_challenge_and_comma_joined_scopes() {
        let config = TikTokConfig::new("awk1", Secret::new("s"));
        let verifier = Secret::new("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk");
        let url = authorization_url(
            &config,
            &AuthorizationRequest {
                state: "st&te",
                verifier: &verifier,
                redirect_uri: "https://app.example/cb",
            },
        );
        assert!(url.starts_with("https://www.tiktok.com/v2/auth/authorize/?"));
        let query: HashMap<String, String> = Url::parse(&url).unwrap().query_pairs().into_owned().collect();
        // The example of RFC 7636, appendix B, in hexadecimal.
        let challenge = "13d31e961a1ad8ec2f16b10c4c982e0876a878ad6df144566ee1894acb70f9c3";
        assert_eq!(query["code_challenge"], challenge);
        assert_eq!(query["code_challenge_method"], "S256");
        assert_eq!(
            query["scope"],
            "user.info.basic,user.info.profile,video.publish,video.upload,video.list"
        );
        assert_eq!(query["disable_auto_auth"], "1");
        assert_eq!(query["state"], "st&te");
        assert_eq!(query["redirect_uri"], "https://app.example/cb");
        assert_eq!(
            (query["client_key"].as_str(), query["response_type"].as_str()),
            ("awk1", "code")
        );
        assert!(!url.contains("dBjftJeZ4CVP"), "the verifier stays with us");
    }

    #[test]
    fn what_is_needed_is_asked_for() {
        assert!(NEEDED.iter().all(|needed| SCOPES.contains(&needed.scope)));
    }

    #[test]
    fn a_token_answer_is_read_to_the_letter() {
        let tokens = read(&answer()).unwrap();
        assert_eq!(tokens.provider_account_id, "-000AbC-d_e");
        assert_eq!(tokens.access.expose(), "act.1");
        assert_eq!(tokens.access_expires_at, NOW.plus(Duration::from_secs(86_400)));
        assert_eq!(tokens.refresh.unwrap().expose(), "rft.1");
        assert_eq!(
            tokens.refresh_expires_at,
            Some(NOW.plus(Duration::from_secs(31_536_000)))
        );
        assert_eq!(tokens.scopes, ["user.info.basic", "video.publish"]);
    }

    #[test]
    fn an_empty_refresh_token_is_none_so_that_it_never_replaces_a_stored_one() {
        assert_eq!(read(&with("refresh_token", json!(""))).unwrap().refresh, None);
        assert_eq!(read(&with("refresh_token", json!(null))).unwrap().refresh, None);
    }

    #[test]
    fn absurd_lives_and_missing_names_are_refused() {
        for (key, value) in [
            ("expires_in", json!(0)),
            ("expires_in", json!(-1)),
            ("expires_in", json!(u64::MAX)),
            ("expires_in", json!(9_000_000_000_i64)),
            ("expires_in", json!("soon")),
            ("expires_in", json!(null)),
            ("refresh_expires_in", json!(-5)),
            ("refresh_expires_in", json!(9_000_000_000_i64)),
            ("open_id", json!("")),
            ("open_id", json!(null)),
        ] {
            assert_eq!(read(&with(key, value.clone())), None, "{key}: {value}");
        }
        assert!(read(&with("expires_in", json!("7200"))).is_some());
        assert!(read(&with("refresh_expires_in", json!(null))).is_some());
    }
}
