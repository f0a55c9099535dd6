//! Platforms and their schemas on the wire (`docs/contract.md#platforms`, `docs/contract.md#platform-schema`).

use std::borrow::Cow;

use playout_domain::error::Issue;
use playout_domain::id::PlatformId;
use playout_domain::platform::{Capability, Connection, Field, FieldKind, Platform, PlatformSchema};
use playout_domain::time::Time;
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::openapi::schema::Schema;
use utoipa::openapi::{Array, Object, RefOr};
use utoipa::{PartialSchema, ToSchema};

use crate::object::JsonObject;
use crate::read::{ObjectReader, Patch, any_object, flag, read_body, schema_of, word};
use crate::schema::{remove_null, word_of, words_of};

/// The known providers, whether or not this service is set up for them.
pub const PROVIDERS: [&str; 1] = ["tiktok"];

/// For the reference: which platforms a list has.
pub struct Include;

impl PartialSchema for Include {
    fn schema() -> RefOr<Schema> {
        word_of(&["ready", "all"]).into()
    }
}

impl ToSchema for Include {}

/// `{ platforms: [...] }`
#[derive(Debug, Serialize, ToSchema)]
pub struct PlatformList {
    /// The usable ones, by name.
    pub platforms: Vec<PlatformBody>,
}

/// A connected account.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Platform)]
pub struct PlatformBody {
    /// Its ID, which posts refer to.
    #[schema(value_type = Uuid)]
    id: PlatformId,
    /// The provider: `tiktok`.
    provider: String,
    /// Its kind of connection: `business` accounts can post comments.
    #[schema(schema_with = connections)]
    connection: Connection,
    /// The provider's display name.
    provider_name: &'static str,
    /// The account's ID at the provider.
    provider_account_id: String,
    /// The account's display name.
    #[schema(required)]
    display_name: Option<String>,
    /// The account's handle, without `@`.
    #[schema(required)]
    display_handle: Option<String>,
    /// The account's picture.
    #[schema(format = Uri, required)]
    display_image_url: Option<String>,
    /// Whether it is disabled here.
    disabled: bool,
    /// Whether a person must connect it again.
    refresh_needed: bool,
    /// When the access token expires unless it is renewed, which happens automatically.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    token_expires_at: Option<Time>,
    /// The operations that it supports.
    #[schema(schema_with = capabilities)]
    capabilities: Vec<Capability>,
    /// The provider's data about the account: `username`, `privacyLevelOptions`, `commentDisabled`, `duetDisabled`,
    /// `stitchDisabled`, `maxVideoPostDurationSec`, `refreshedAt`, `scopes`.
    #[schema(value_type = Object)]
    metadata: JsonObject,
    /// The account's defaults; a post's own settings override them.
    #[schema(value_type = Object)]
    settings: JsonObject,
}

impl PlatformBody {
    /// The account as returned, with its provider's name.
    pub fn new<S: Into<JsonObject>>(platform: Platform<S>, provider_name: &'static str) -> Self {
        Self {
            id: platform.id,
            provider: platform.provider,
            connection: platform.connection,
            provider_name,
            provider_account_id: platform.provider_account_id,
            display_name: platform.display_name,
            display_handle: platform.display_handle,
            display_image_url: platform.display_image_url,
            disabled: platform.disabled,
            refresh_needed: platform.refresh_needed,
            token_expires_at: platform.token_expires_at,
            capabilities: platform.capabilities,
            metadata: platform.metadata.into(),
            settings: platform.settings.into(),
        }
    }
}

fn connections() -> Object {
    word_of(&Connection::ALL.map(Connection::as_str))
}

fn capabilities() -> Array {
    words_of(&["video", "photos", "direct_post", "inbox_draft", "comments"])
}

/// `{ platform, schema }`
#[derive(Debug, Serialize, ToSchema)]
pub struct PlatformWithSchema {
    /// The account.
    pub platform: PlatformBody,
    /// What it accepts.
    pub schema: SchemaBody,
}

/// What an account accepts.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = PlatformSchema)]
pub struct SchemaBody {
    /// The provider.
    provider: String,
    /// The rules for the caption.
    content: ContentBody,
    /// The rules for the media.
    media: MediaRulesBody,
    /// The rules for the comments.
    comments: CommentRulesBody,
    /// The provider-specific settings of a post.
    settings: SettingsBody,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ContentRules)]
struct ContentBody {
    /// Whether a caption is required.
    required: bool,
    /// Its maximum length, in UTF-16 code units, as the provider counts.
    #[schema(required)]
    max_length: Option<u32>,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = MediaRules)]
struct MediaRulesBody {
    /// Whether media are required.
    required: bool,
    /// The kinds of media.
    #[schema(schema_with = allowed_types)]
    allowed_types: Vec<&'static str>,
    /// The fewest.
    min_items: u32,
    /// The most.
    max_items: u32,
    /// Whether kinds may be mixed.
    supports_mixed_types: bool,
    /// Every other limit, each a short sentence.
    rules: Vec<String>,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CommentRules)]
struct CommentRulesBody {
    /// Whether posts may have comments.
    supported: bool,
    /// Whether comments may have media.
    media_supported: bool,
    /// Whether comments may have a delay.
    delay_in_minutes_supported: bool,
    /// The longest comment, in UTF-16 code units.
    #[schema(required)]
    max_length: Option<u32>,
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SettingsRules)]
struct SettingsBody {
    /// A descriptor for each setting.
    fields: Vec<FieldBody>,
}

/// The descriptor of a setting.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = SettingField)]
struct FieldBody {
    /// The key in `settings`.
    name: &'static str,
    /// The type of its value.
    #[schema(schema_with = field_types)]
    r#type: &'static str,
    /// Whether it is required.
    required: bool,
    /// Its default.
    #[schema(value_type = Value)]
    default: Value,
    /// The choices of an `enum`, for this account.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    r#enum: Option<Vec<String>>,
    /// What it does, for people.
    description: Cow<'static, str>,
    /// The kinds of media that it applies to.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(schema_with = allowed_types)]
    applies_to: Vec<&'static str>,
    /// The longest text.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    max_length: Option<u32>,
    /// The least number.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    minimum: Option<i64>,
    /// The greatest number.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    maximum: Option<i64>,
}

fn allowed_types() -> Array {
    words_of(&["video", "image"])
}

fn field_types() -> Object {
    word_of(&["string", "boolean", "enum", "integer"])
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
                max_length: schema.comments.max_length,
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

/// `{ connections: [...] }`
#[derive(Debug, Serialize, ToSchema)]
pub struct ConnectionList {
    /// In the order in which to offer them; empty if no provider is set up.
    pub connections: Vec<ConnectionBody>,
}

/// A kind of connection that is available here.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Connection)]
pub struct ConnectionBody {
    /// The provider: `tiktok`.
    pub provider: &'static str,
    /// The kind of connection.
    #[schema(schema_with = connections)]
    pub connection: Connection,
    /// The provider's display name.
    pub provider_name: &'static str,
    /// What accounts connected this way can do that others of the provider cannot; empty for the default connection.
    pub notes: &'static str,
}

/// The page at which a person connects an account.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Authorization)]
pub struct AuthorizationBody {
    /// The provider's page. It redirects back to this service once, within 15 minutes, in the same session.
    #[schema(format = Uri)]
    pub authorization_url: String,
}

/// A request to connect an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConnectPlatform {
    /// One of [`PROVIDERS`].
    pub provider: &'static str,
    /// The kind of connection; the default one unless given.
    pub connection: Connection,
}

impl ConnectPlatform {
    /// Reads the body.
    pub fn read(body: &Value) -> Result<Self, Vec<Issue>> {
        read_body(body, Self::fields)
    }

    fn fields(reader: &mut ObjectReader<'_>) -> Option<Self> {
        let providers = PROVIDERS.map(|provider| (provider, provider));
        let connections = Connection::ALL.map(|connection| (connection.as_str(), connection));
        reader.about("An account to be connected.");
        let provider = reader.required("provider", word(&providers), "The provider.");
        let connection = reader.optional(
            "connection",
            word(&connections),
            "The kind of connection; default `creator`. Accounts connected as `business` can post comments.",
        );
        Some(Self {
            provider: provider?,
            connection: connection?.unwrap_or_default(),
        })
    }
}

/// A request to change an account; absent fields stay unchanged.
#[derive(Debug, Clone, PartialEq)]
pub struct UpdatePlatform {
    /// Whether it is disabled.
    pub disabled: Option<bool>,
    /// Its defaults, replaced as a whole.
    pub settings: Option<Map<String, Value>>,
}

impl Patch for UpdatePlatform {
    const FIELDS: &'static [&'static str] = &["disabled", "settings"];

    fn changed_by(_: &str) -> &'static str {
        "is set by the service, or by the provider when the account is connected again"
    }
}

impl UpdatePlatform {
    /// Parses the body. Which settings are valid depends on the account.
    pub fn read(body: &Value) -> Result<Self, Vec<Issue>> {
        read_body(body, Self::fields)
    }

    fn fields(reader: &mut ObjectReader<'_>) -> Option<Self> {
        reader.about("Changes of an account; absent fields stay unchanged.");
        let disabled = reader.optional(
            "disabled",
            flag(),
            "Whether it is disabled: no posts are published to it.",
        );
        let settings = reader.optional(
            "settings",
            any_object(),
            "The account's defaults, replaced as a whole: the keys of its schema's fields. Other keys are stored and ignored.",
        );
        Some(Self {
            disabled: disabled?,
            settings: settings?,
        })
    }
}

/// The schemas of the requests.
pub fn request_schemas() -> Vec<(&'static str, Value)> {
    let mut connect = schema_of(ConnectPlatform::fields);
    // A null is accepted here as well, but this schema has never offered it.
    remove_null(&mut connect["properties"]["connection"]);
    vec![
        ("ConnectPlatform", connect),
        ("UpdatePlatform", schema_of(UpdatePlatform::fields)),
    ]
}
