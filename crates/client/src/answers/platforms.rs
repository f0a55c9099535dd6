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
    /// Its ID, which posts refer to.
    pub id: String,
    /// The provider's display name.
    pub provider_name: String,
    /// The account's display name.
    pub display_name: Option<String>,
    /// The account's handle, without `@`.
    pub display_handle: Option<String>,
    /// When the access token expires, unless it is renewed.
    #[serde(default)]
    pub token_expires_at: Option<String>,
    /// The operations that it supports.
    pub capabilities: Vec<String>,
    /// Whether it was disabled; only a list of all accounts has such ones.
    #[serde(default)]
    pub disabled: bool,
    /// Whether it must be connected again; only a list of all accounts has such ones.
    #[serde(default)]
    pub refresh_needed: bool,
}

/// `{ platform, schema }`
#[derive(Debug, Clone, Deserialize)]
pub struct PlatformWithSchema {
    /// The account.
    pub platform: Platform,
    /// What it accepts.
    pub schema: Schema,
}

/// What an account accepts: the parts that the client shows.
#[derive(Debug, Clone, Deserialize)]
pub struct Schema {
    /// The rules for the caption.
    pub content: ContentRules,
    /// The rules for the media.
    pub media: MediaRules,
    /// The settings of a post.
    pub settings: SettingsRules,
}

/// The caption's limits.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ContentRules {
    /// Its maximum length, in UTF-16 code units.
    pub max_length: Option<u32>,
}

/// The rules for the media.
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
    /// The type of its value.
    pub r#type: String,
    /// Whether it is required.
    #[serde(default)]
    pub required: bool,
    /// Its default.
    #[serde(default)]
    pub default: Value,
    /// The choices of an `enum`.
    #[serde(default)]
    pub r#enum: Vec<String>,
    /// What it does, for people.
    #[serde(default)]
    pub description: String,
}
