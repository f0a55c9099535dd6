//! An account's profile, its capabilities, and the options it currently allows.

use playout_domain::platform::{Capability, Platform};
use playout_domain::provider::{AccountOptions, AccountProfile, Fate, Grant, ProviderError, TokenSet};
use playout_domain::secret::Secret;
use playout_domain::time::Time;
use serde_json::{Map, Value, json};

use crate::client::TikTok;
use crate::envelope::{self, filled};
use crate::limits::Call;

const PUBLISH: &str = "video.publish";
const UPLOAD: &str = "video.upload";
const PROFILE: &str = "user.info.profile";
pub(crate) const LIST: &str = "video.list";

/// The keys of an account's metadata (`docs/contract.md#metadata`).
pub(crate) mod key {
    pub(crate) const USERNAME: &str = "username";
    pub(crate) const PRIVACY: &str = "privacyLevelOptions";
    pub(crate) const COMMENT_DISABLED: &str = "commentDisabled";
    pub(crate) const DUET_DISABLED: &str = "duetDisabled";
    pub(crate) const STITCH_DISABLED: &str = "stitchDisabled";
    pub(crate) const MAX_DURATION: &str = "maxVideoPostDurationSec";
    pub(crate) const REFRESHED_AT: &str = "refreshedAt";
    pub(crate) const SCOPES: &str = "scopes";
    /// Those that are asked for by themselves, and are not answered to an account that is capped.
    pub(crate) const OPTIONS: &[&str] = &[
        PRIVACY,
        COMMENT_DISABLED,
        DUET_DISABLED,
        STITCH_DISABLED,
        MAX_DURATION,
    ];
}

/// An account and the token that opens it, without the rest of a platform.
#[derive(Clone, Copy)]
struct Caller<'a> {
    account: &'a str,
    access: &'a Secret,
    scopes: &'a [String],
}

impl Caller<'_> {
    fn has(&self, scope: &str) -> bool {
        self.scopes.iter().any(|granted| granted == scope)
    }
}

impl TikTok {
    /// Reads the profile of the account that the tokens belong to. An account that may not post today can still be connected.
    /// Our own rate limit is not applied: the provider counts for each token, and these are new.
    pub(crate) async fn read_profile(&self, tokens: &TokenSet) -> Result<AccountProfile, ProviderError> {
        let caller = Caller {
            account: &tokens.provider_account_id,
            access: &tokens.access,
            scopes: &tokens.scopes,
        };
        let user = self.user(caller).await?;
        let info = match self.creator(caller).await {
            Err(error) if matches!(error.fate, Fate::Capped(_) | Fate::Rejected | Fate::Throttled(_)) => None,
            other => other?,
        };
        let unknown = match caller.has(PUBLISH) && info.is_none() {
            true => key::OPTIONS,
            false => &[],
        };
        let metadata = self.metadata(caller, &user, info.as_ref());
        let text = |key: &str| filled(&user, key).map(str::to_owned);
        let handle = metadata.get(key::USERNAME).and_then(Value::as_str);
        Ok(AccountProfile {
            provider_account_id: tokens.provider_account_id.clone(),
            display_name: text("display_name"),
            display_handle: handle.map(str::to_owned),
            display_image_url: text("avatar_url"),
            capabilities: capabilities(&tokens.scopes),
            metadata,
            unknown,
        })
    }

    /// Reads what the account allows at the moment.
    pub(crate) async fn read_options(&self, grant: Grant<'_>) -> Result<AccountOptions, ProviderError> {
        let stored = &grant.platform.metadata;
        let scopes = scopes(stored);
        let caller = Caller {
            account: &grant.platform.provider_account_id,
            access: grant.access,
            scopes: &scopes,
        };
        if caller.has(PUBLISH) {
            self.brake(caller.account, Some(Call::CreatorInfo))?;
        }
        let (user, info) = match self.creator(caller).await? {
            Some(info) => (json!({ "username": stored.get(key::USERNAME) }), info),
            None => (self.user(caller).await?, Value::Null),
        };
        let handle = match info.is_null() {
            true => filled(&user, "username"),
            false => filled(&info, "creator_username"),
        };
        Ok(AccountOptions {
            handle: handle.map(str::to_owned),
            metadata: self.metadata(caller, &user, Some(&info)),
        })
    }

    async fn user(&self, caller: Caller<'_>) -> Result<Value, ProviderError> {
        let mut fields = "open_id,avatar_url,display_name".to_owned();
        if caller.has(PROFILE) {
            fields.push_str(",username");
        }
        let path = format!("/v2/user/info/?fields={fields}");
        let request = self
            .http
            .get(&self.config.api(&path))
            .bearer_auth(caller.access.expose());
        let reply = self.read_api(caller.account, request).await?;
        match reply.data.get("user") {
            Some(user) => Ok(user.clone()),
            None => Err(envelope::incomplete(reply.log_id)),
        }
    }

    /// `None` where the grant does not include direct posting: then there are no options to read.
    async fn creator(&self, caller: Caller<'_>) -> Result<Option<Value>, ProviderError> {
        if !caller.has(PUBLISH) {
            return Ok(None);
        }
        let url = self.config.api("/v2/post/publish/creator_info/query/");
        let request = self
            .http
            .post(&url)
            .bearer_auth(caller.access.expose())
            .json(&json!({}));
        let reply = self.read_api(caller.account, request).await?;
        if reply
            .data
            .get("privacy_level_options")
            .is_some_and(Value::is_array)
        {
            Ok(Some(reply.data))
        } else {
            Err(envelope::incomplete(reply.log_id))
        }
    }

    fn metadata(&self, caller: Caller<'_>, user: &Value, info: Option<&Value>) -> Map<String, Value> {
        let info = info.unwrap_or(&Value::Null);
        let username = filled(info, "creator_username").or_else(|| filled(user, "username"));
        metadata(username, info, caller.scopes, self.clock.now())
    }
}

/// An account's metadata (`docs/contract.md#metadata`): its handle, its options as the provider words them, what was
/// granted, and when it answered. Both APIs name the options the same.
pub(crate) fn metadata(
    username: Option<&str>,
    info: &Value,
    scopes: &[String],
    now: Time,
) -> Map<String, Value> {
    let flag = |key: &str| Value::from(info.get(key).and_then(Value::as_bool).unwrap_or_default());
    let longest = info
        .get("max_video_post_duration_sec")
        .and_then(envelope::integer);
    let entries = [
        (key::USERNAME, Value::from(username)),
        (key::PRIVACY, privacy_options(info)),
        (key::COMMENT_DISABLED, flag("comment_disabled")),
        (key::DUET_DISABLED, flag("duet_disabled")),
        (key::STITCH_DISABLED, flag("stitch_disabled")),
        (
            key::MAX_DURATION,
            Value::from(longest.filter(|seconds| *seconds > 0)),
        ),
        (key::REFRESHED_AT, Value::from(now.to_string())),
        (key::SCOPES, Value::from(scopes)),
    ];
    entries
        .map(|(key, value)| (key.to_owned(), value))
        .into_iter()
        .collect()
}

/// Whether an account has granted a scope.
pub(crate) fn has_scope(platform: &Platform, scope: &str) -> bool {
    scopes(&platform.metadata).iter().any(|granted| granted == scope)
}

/// The scopes that an account's metadata name.
pub(crate) fn scopes(metadata: &Map<String, Value>) -> Vec<String> {
    let granted = metadata
        .get(key::SCOPES)
        .and_then(Value::as_array)
        .into_iter()
        .flatten();
    granted.filter_map(Value::as_str).map(str::to_owned).collect()
}

fn privacy_options(info: &Value) -> Value {
    let options = info.get("privacy_level_options").and_then(Value::as_array);
    options
        .into_iter()
        .flatten()
        .filter(|option| option.is_string())
        .cloned()
        .collect()
}

/// What the granted scopes let an account do (`docs/contract.md#capabilities`).
pub(crate) fn capabilities(scopes: &[String]) -> Vec<Capability> {
    let has = |scope: &str| scopes.iter().any(|granted| granted == scope);
    let posts = has(PUBLISH) || has(UPLOAD);
    [
        (posts, Capability::Video),
        (posts, Capability::Photos),
        (has(PUBLISH), Capability::DirectPost),
        (has(UPLOAD), Capability::InboxDraft),
    ]
    .into_iter()
    .filter_map(|(can, capability)| can.then_some(capability))
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(scopes: &[&str]) -> Vec<Capability> {
        let scopes: Vec<String> = scopes.iter().map(|scope| (*scope).to_owned()).collect();
        capabilities(&scopes)
    }

    #[test]
    fn capabilities_follow_the_scopes_that_were_granted() {
        use Capability::{DirectPost, InboxDraft, Photos, Video};
        assert_eq!(of(&["user.info.basic"]), []);
        assert_eq!(of(&["video.publish"]), [Video, Photos, DirectPost]);
        assert_eq!(of(&["video.upload"]), [Video, Photos, InboxDraft]);
        let all = ["video.publish", "video.upload", "comment.list.manage"];
        assert_eq!(
            of(&all),
            [Video, Photos, DirectPost, InboxDraft],
            "comments take another connection"
        );
    }
}
