//! Platforms and their schemas on the wire (seed, "Platform", "Platform schema"; contract §2).

use playout_domain::id::PlatformId;
use playout_domain::platform::{Capability, Field, FieldKind, Platform, PlatformSchema};
use playout_domain::time::Time;
use serde::Serialize;
use serde_json::{Map, Value};

/// `{ platforms: [...] }`
#[derive(Debug, Serialize)]
pub struct PlatformList {
    /// The ready ones, by name.
    pub platforms: Vec<PlatformBody>,
}

/// A connected account.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PlatformBody {
    id: PlatformId,
    provider: String,
    provider_name: &'static str,
    provider_account_id: String,
    display_name: Option<String>,
    display_handle: Option<String>,
    display_image_url: Option<String>,
    disabled: bool,
    refresh_needed: bool,
    token_expires_at: Option<Time>,
    capabilities: Vec<Capability>,
    metadata: Map<String, Value>,
    settings: Map<String, Value>,
}

impl PlatformBody {
    /// The account as shown, with its provider's name.
    pub fn new(platform: Platform, provider_name: &'static str) -> Self {
        Self {
            id: platform.id,
            provider: platform.provider,
            provider_name,
            provider_account_id: platform.provider_account_id,
            display_name: platform.display_name,
            display_handle: platform.display_handle,
            display_image_url: platform.display_image_url,
            disabled: platform.disabled,
            refresh_needed: platform.refresh_needed,
            token_expires_at: platform.token_expires_at,
            capabilities: platform.capabilities,
            metadata: platform.metadata,
            settings: platform.settings,
        }
    }
}

/// `{ platform, schema }`
#[derive(Debug, Serialize)]
pub struct PlatformWithSchema {
    /// The account.
    pub platform: PlatformBody,
    /// What it accepts.
    pub schema: SchemaBody,
}

/// What an account accepts.
#[derive(Debug, Serialize)]
pub struct SchemaBody {
    provider: String,
    content: ContentBody,
    media: MediaRulesBody,
    comments: CommentRulesBody,
    settings: SettingsBody,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ContentBody {
    required: bool,
    max_length: Option<u32>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct MediaRulesBody {
    required: bool,
    allowed_types: Vec<&'static str>,
    min_items: u32,
    max_items: u32,
    supports_mixed_types: bool,
    rules: Vec<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct CommentRulesBody {
    supported: bool,
    media_supported: bool,
    delay_in_minutes_supported: bool,
}

#[derive(Debug, Serialize)]
struct SettingsBody {
    fields: Vec<FieldBody>,
}

/// The descriptor of a setting.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct FieldBody {
    name: &'static str,
    r#type: &'static str,
    required: bool,
    default: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    r#enum: Option<Vec<String>>,
    description: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    applies_to: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_length: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    minimum: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    maximum: Option<i64>,
}

impl SchemaBody {
    /// The schema of an account at `provider`.
    pub fn new(schema: PlatformSchema, provider: String) -> Self {
        let media = schema.media;
        Self {
            provider,
            content: ContentBody {
                required: schema.content_required,
                max_length: schema.content_max_length,
            },
            media: MediaRulesBody {
                required: media.required,
                allowed_types: media.allowed_types.iter().map(|kind| kind.as_str()).collect(),
                min_items: media.min_items,
                max_items: media.max_items,
                supports_mixed_types: media.supports_mixed_types,
                rules: media.rules,
            },
            comments: CommentRulesBody {
                supported: schema.comments.supported,
                media_supported: schema.comments.media_supported,
                delay_in_minutes_supported: schema.comments.delay_supported,
            },
            settings: SettingsBody {
                fields: schema.fields.into_iter().map(FieldBody::from).collect(),
            },
        }
    }
}

impl From<Field> for FieldBody {
    fn from(field: Field) -> Self {
        Self {
            name: field.name,
            r#type: field.kind.as_str(),
            required: field.required,
            default: field.default,
            description: field.description,
            applies_to: field.applies_to.iter().map(|kind| kind.as_str()).collect(),
            max_length: field.max_length,
            minimum: field.minimum,
            maximum: field.maximum,
            r#enum: match field.kind {
                FieldKind::Enum(options) => Some(options),
                FieldKind::String | FieldKind::Boolean | FieldKind::Integer => None,
            },
        }
    }
}
