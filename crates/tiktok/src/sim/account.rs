//! The accounts at the simulated provider.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// A creator's account, with the flags that make the provider refuse things.
///
/// In JSON the names are camelCase and everything but `username` may be left out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Account {
    /// The handle, without `@`.
    pub username: String,
    /// The identity that apps see. Empty: derived from the handle.
    pub open_id: String,
    /// The identity shared by all apps of one developer. Empty: derived from the handle.
    pub union_id: String,
    /// The identity that the business app sees. Empty: derived from the handle.
    pub business_id: String,
    /// The display name. Empty: the handle.
    pub nickname: String,
    /// The text on the profile.
    pub bio: String,
    /// Has the blue tick.
    pub verified: bool,
    /// Followers, as `user.info.stats` shows them.
    pub followers: u64,
    /// A private account offers other privacy levels.
    pub private: bool,
    /// The creator lets no one comment.
    pub comment_disabled: bool,
    /// The creator lets no one make duets.
    pub duet_disabled: bool,
    /// The creator lets no one stitch.
    pub stitch_disabled: bool,
    /// The longest video this creator may post, in seconds.
    pub max_video_sec: u32,
    /// The creator is banned from posting.
    pub banned: bool,
    /// Direct posts allowed in any 24 hours; `null`: no limit.
    pub post_cap: Option<u32>,
    /// Version of the creator's app; photo drafts need 31.8.
    pub app_version: String,
    /// Drafts from other apps that wait in the inbox; five in all are allowed.
    pub pending_shares: u32,
}

impl Default for Account {
    fn default() -> Self {
        Self {
            username: String::new(),
            open_id: String::new(),
            union_id: String::new(),
            business_id: String::new(),
            nickname: String::new(),
            bio: String::new(),
            verified: false,
            followers: 1_204,
            private: false,
            comment_disabled: false,
            duet_disabled: false,
            stitch_disabled: false,
            max_video_sec: 600,
            banned: false,
            post_cap: Some(15),
            app_version: "38.2.0".to_owned(),
            pending_shares: 0,
        }
    }
}

impl Account {
    /// A public account in good standing, with identities derived from `username`.
    pub fn new(username: &str) -> Self {
        Self {
            username: username.to_owned(),
            ..Self::default()
        }
        .complete()
    }

    /// Fills what was left empty.
    pub(super) fn complete(mut self) -> Self {
        if self.open_id.is_empty() {
            self.open_id = format!("-000{}", letters(&format!("open:{}", self.username), 32));
        }
        if self.union_id.is_empty() {
            self.union_id = uuid_like(&self.username);
        }
        if self.business_id.is_empty() {
            self.business_id = format!("_000{}", letters(&format!("business:{}", self.username), 32));
        }
        if self.nickname.is_empty() {
            self.nickname.clone_from(&self.username);
        }
        self
    }

    /// The privacy levels that the creator may choose from.
    pub fn privacy_options(&self) -> [&'static str; 3] {
        let widest = if self.private {
            "FOLLOWER_OF_CREATOR"
        } else {
            "PUBLIC_TO_EVERYONE"
        };
        [widest, "MUTUAL_FOLLOW_FRIENDS", "SELF_ONLY"]
    }

    /// Whether the creator's app is new enough for photo drafts (31.8).
    pub(super) fn takes_photo_drafts(&self) -> bool {
        let mut parts = self
            .app_version
            .split('.')
            .map(|part| part.parse::<u32>().unwrap_or(0));
        (parts.next().unwrap_or(0), parts.next().unwrap_or(0)) >= (31, 8)
    }
}

/// The two accounts that a simulator starts with.
pub(super) fn demo_accounts() -> Vec<Account> {
    let kite = Account {
        username: "kitestudio".to_owned(),
        nickname: "Kite Studio".to_owned(),
        bio: "Hand-made kites, one knot at a time.".to_owned(),
        verified: true,
        followers: 48_310,
        ..Account::default()
    };
    let bread = Account {
        username: "harborbakes".to_owned(),
        nickname: "Harbor Bakes".to_owned(),
        bio: "Sourdough by the sea.".to_owned(),
        ..Account::default()
    };
    vec![kite.complete(), bread.complete()]
}

fn letters(of: &str, length: usize) -> String {
    const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let digest = Sha256::digest(of.as_bytes());
    digest
        .iter()
        .cycle()
        .take(length)
        .map(|byte| char::from(ALPHABET[usize::from(*byte) % 62]))
        .collect()
}

fn uuid_like(of: &str) -> String {
    let text = hex::encode(Sha256::digest(format!("union:{of}").as_bytes()));
    format!(
        "{}-{}-{}-{}-{}",
        &text[..8],
        &text[8..12],
        &text[12..16],
        &text[16..20],
        &text[20..32]
    )
}
