//! Platforms and their schemas.

use serde::Deserialize;
use serde_json::Value;

/// `{ platforms }`
#[derive(Debug, Clone, Deserialize)]
pub struct PlatformList {
    /// By name.
    pub platforms: Vec<Platform>,
}

/// A connected account.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Platform {
    /// Names it in posts.
    pub id: String,
    /// The provider's name for people.
    pub provider_name: String,
    /// The account's name for people.
    pub display_name: Option<String>,
    /// The account's handle, without `@`.
    pub display_handle: Option<String>,
    /// When the access that its owner gave ends, unless it is renewed.
    #[serde(default)]
    pub token_expires_at: Option<String>,
    /// What can be done with it.
    pub capabilities: Vec<String>,
}

/// `{ platform, schema }`
#[derive(Debug, Clone, Deserialize)]
pub struct PlatformWithSchema {
    /// The account.
    pub platform: Platform,
    /// What it accepts.
    pub schema: Schema,
}

/// What an account accepts, as far as the client shows it.
#[derive(Debug, Clone, Deserialize)]
pub struct Schema {
    /// The caption.
    pub content: ContentRules,
    /// What must be attached.
    pub media: MediaRules,
    /// The settings of a post.
    pub settings: SettingsRules,
}

/// The caption's limits.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ContentRules {
    /// Its longest, in UTF-16 code units.
    pub max_length: Option<u32>,
}

/// The limits of what is attached.
#[derive(Debug, Clone, Deserialize)]
pub struct MediaRules {
    /// Each a short sentence.
    pub rules: Vec<String>,
}

/// The settings of a post.
#[derive(Debug, Clone, Deserialize)]
pub struct SettingsRules {
    /// A descriptor for each.
    pub fields: Vec<SettingField>,
}

/// The descriptor of a setting.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SettingField {
    /// The key in `settings`.
    pub name: String,
    /// What its value is.
    pub r#type: String,
    /// Whether it must be given.
    #[serde(default)]
    pub required: bool,
    /// What holds when it is not given.
    #[serde(default)]
    pub default: Value,
    /// The choices of an `enum`.
    #[serde(default)]
    pub r#enum: Vec<String>,
    /// What it does, for people.
    #[serde(default)]
    pub description: String,
}
