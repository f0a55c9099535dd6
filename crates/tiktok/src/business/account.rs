//! A business account's profile, its capabilities, and the options it currently allows: `/business/get/` and
//! `/business/video/settings/`. The settings are worded like the creator API's options.

use playout_domain::platform::Capability;
use playout_domain::provider::{AccountOptions, AccountProfile, Fate, Grant, ProviderError, TokenSet};
use serde_json::Value;

use super::calls::{Caller, of_the_grant};
use super::client::TikTokBusiness;
use super::comments::WRITE;
use crate::account::{self, key, metadata, scopes};
use crate::envelope::{self, filled};

const PROFILE_PATH: &str = "/business/get/";
const OPTIONS_PATH: &str = "/business/video/settings/";

const FIELDS: &str = r#"["username","display_name","profile_image"]"#;
const HANDLE_FIELD: &str = r#"["username"]"#;

impl TikTokBusiness {
    /// Reads the profile of the account that the tokens belong to. An account that may not post today can still be connected.
    pub(super) async fn read_profile(&self, tokens: &TokenSet) -> Result<AccountProfile, ProviderError> {
        let caller = Caller::from(tokens);
        let reply = self.get(caller, PROFILE_PATH, &[("fields", FIELDS)]).await?;
        let info = match self.settings(caller).await {
            Err(error) if matches!(error.fate, Fate::Capped(_) | Fate::Rejected | Fate::Throttled(_)) => {
                Value::Null
            }
            other => other?,
        };
        let text = |key: &str| filled(&reply.data, key).map(str::to_owned);
        let now = self.base.clock.now();
        Ok(AccountProfile {
            provider_account_id: tokens.provider_account_id.clone(),
            display_name: text("display_name"),
            display_handle: text("username"),
            display_image_url: text("profile_image"),
            capabilities: capabilities(&tokens.scopes),
            metadata: metadata(filled(&reply.data, "username"), &info, &tokens.scopes, now),
            unknown: if info.is_null() { key::OPTIONS } else { &[] },
        })
    }

    /// Reads what the account allows at the moment, and its handle, which these options lack. Without an answer to that, the handle
    /// stays as it was.
    pub(super) async fn read_options(&self, grant: Grant<'_>) -> Result<AccountOptions, ProviderError> {
        let info = self.settings(grant.into()).await.map_err(of_the_grant)?;
        let user = self
            .get(grant.into(), PROFILE_PATH, &[("fields", HANDLE_FIELD)])
            .await;
        let handle = user
            .ok()
            .and_then(|reply| filled(&reply.data, "username").map(str::to_owned));
        let stored = &grant.platform.metadata;
        let known = stored.get(key::USERNAME).and_then(Value::as_str);
        let now = self.base.clock.now();
        Ok(AccountOptions {
            metadata: metadata(handle.as_deref().or(known), &info, &scopes(stored), now),
            handle,
        })
    }

    async fn settings(&self, caller: Caller<'_>) -> Result<Value, ProviderError> {
        let reply = self.get(caller, OPTIONS_PATH, &[]).await?;
        let is_there = reply
            .data
            .get("privacy_level_options")
            .is_some_and(Value::is_array);
        match is_there {
            true => Ok(reply.data),
            false => Err(envelope::incomplete(reply.log_id)),
        }
    }
}

/// What the granted scopes let an account do (`docs/contract.md#capabilities`).
fn capabilities(scopes: &[String]) -> Vec<Capability> {
    let comments = scopes.iter().any(|granted| granted == WRITE);
    let mut capabilities = account::capabilities(scopes);
    capabilities.extend(comments.then_some(Capability::Comments));
    capabilities
}
