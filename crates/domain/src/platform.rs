//! Platforms: the accounts a workspace has connected, and the schema of what each accepts.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::error::{Issue, IssueCode, Violation};
use crate::id::PlatformId;
use crate::media::MediaType;
use crate::object_text::ObjectText;
use crate::time::Time;

/// What an account can do (`docs/contract.md#capabilities`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Capability {
    /// Takes videos.
    Video,
    /// Takes slideshows of photos.
    Photos,
    /// Publishes without the creator's help.
    DirectPost,
    /// Delivers to the creator's inbox, to be finished there.
    InboxDraft,
    /// Posts comments under its own posts.
    Comments,
}

/// How an account is connected. A provider may have more than one way, each with an app, tokens and rules of its own; an
/// account's never changes under its posts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Connection {
    /// As its creator uses it.
    #[default]
    Creator,
    /// Through the provider's interfaces for businesses.
    Business,
}

impl Connection {
    /// All of them, the usual one first.
    pub const ALL: [Self; 2] = [Self::Creator, Self::Business];

    /// The word in the database and on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Creator => "creator",
            Self::Business => "business",
        }
    }

    /// The way of that word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|connection| connection.as_str() == word)
    }
}

impl std::str::FromStr for Connection {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        Self::parse(word).ok_or_else(|| format!("must be one of {}", Self::ALL.map(Self::as_str).join(", ")))
    }
}

/// A provider by its identifier, and which of its connections is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProviderConnection<'a> {
    /// The provider's identifier, a key of the provider registry.
    pub provider: &'a str,
    /// One of its connections.
    pub connection: Connection,
}

/// An account of a list.
pub type ListedPlatform = Platform<ObjectText>;

/// A connected account (`docs/contract.md#platforms`).
#[derive(Debug, Clone, PartialEq)]
pub struct Platform<S = Map<String, Value>> {
    /// Its identifier, kept across reconnects.
    pub id: PlatformId,
    /// The provider's identifier, a key of the provider registry.
    pub provider: String,
    /// Which of the provider's connections it has.
    pub connection: Connection,
    /// The account's identifier at the provider, verbatim.
    pub provider_account_id: String,
    /// The account's name.
    pub display_name: Option<String>,
    /// The account's handle, without `@`.
    pub display_handle: Option<String>,
    /// The account's picture.
    pub display_image_url: Option<String>,
    /// Switched off by the user.
    pub disabled: bool,
    /// The provider no longer takes our tokens; the user must reconnect.
    pub refresh_needed: bool,
    /// When the access token ends.
    pub token_expires_at: Option<Time>,
    /// What it can do.
    pub capabilities: Vec<Capability>,
    /// The account's data as the provider returned it; the provider's crate owns the keys.
    pub metadata: S,
    /// The account's defaults, chosen by the user; the keys of the schema's fields.
    pub settings: S,
    /// When it was first connected.
    pub created_at: Time,
}

impl<S> Platform<S> {
    /// Whether it may be posted to at all: neither disabled nor in need of reconnecting.
    pub fn is_ready(&self) -> bool {
        !self.disabled && !self.refresh_needed
    }

    /// What people know it by: its name, else its handle, else its identifier.
    pub fn shown_name(&self) -> &str {
        shown_name(
            [&self.display_name, &self.display_handle],
            &self.provider_account_id,
        )
    }

    /// The provider and the connection through which it is connected.
    pub fn provider_connection(&self) -> ProviderConnection<'_> {
        ProviderConnection {
            provider: &self.provider,
            connection: self.connection,
        }
    }

    /// Whether `other` is most likely the same account, connected in another way: no two accounts have one handle at the same time.
    pub fn is_other_connection_of(&self, other: &Self) -> bool {
        let handles = (&self.display_handle, &other.display_handle);
        self.provider == other.provider
            && self.connection != other.connection
            && matches!(handles, (Some(one), Some(two)) if one.to_lowercase() == two.to_lowercase())
    }

    /// Whether it has `capability`.
    pub fn can(&self, capability: Capability) -> bool {
        self.capabilities.contains(&capability)
    }
}

/// The first of an account's names that there is, else its identifier at the provider.
pub(crate) fn shown_name<'a>(names: [&'a Option<String>; 2], id: &'a str) -> &'a str {
    let named = names.into_iter().flatten().find(|name| !name.is_empty());
    named.map_or(id, String::as_str)
}

/// What an account accepts (`docs/contract.md#platform-schema`), made by its provider from the account's own options.
#[derive(Debug, Clone, PartialEq)]
pub struct PlatformSchema {
    /// Whether a caption is required.
    pub content_required: bool,
    /// Longest caption in UTF-16 code units.
    pub content_max_length: Option<u32>,
    /// What media it takes.
    pub media: MediaRules,
    /// What comments it takes.
    pub comments: CommentRules,
    /// The settings it knows.
    pub fields: Vec<Field>,
}

/// What media an account takes.
#[derive(Debug, Clone, PartialEq)]
pub struct MediaRules {
    /// Whether a post needs any.
    pub required: bool,
    /// The kinds.
    pub allowed_types: Vec<MediaType>,
    /// The fewest.
    pub min_items: u32,
    /// The most.
    pub max_items: u32,
    /// Whether kinds may be mixed in one post.
    pub supports_mixed_types: bool,
    /// Every further limit, a short sentence each.
    pub rules: Vec<String>,
}

/// What comments an account takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CommentRules {
    /// Whether it takes any.
    pub supported: bool,
    /// Whether a comment may carry media.
    pub media_supported: bool,
    /// Whether a comment may wait.
    pub delay_supported: bool,
    /// Longest comment in UTF-16 code units; `None` where there are none.
    pub max_length: Option<u32>,
}

/// The descriptor of one setting (`docs/contract.md#platform-schema`).
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    /// Its key in `settings`.
    pub name: &'static str,
    /// Its type, with the options of an enum.
    pub kind: FieldKind,
    /// Whether it must be given.
    pub required: bool,
    /// What holds when it is absent.
    pub default: Value,
    /// What it does, for a person; the reason too, where the account forces a value.
    pub description: Cow<'static, str>,
    /// The kinds of media it has an effect on.
    pub applies_to: &'static [MediaType],
    /// Longest text in UTF-16 code units.
    pub max_length: Option<u32>,
    /// Smallest number.
    pub minimum: Option<i64>,
    /// Largest number.
    pub maximum: Option<i64>,
}

/// The type of a setting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FieldKind {
    /// Free text.
    String,
    /// True or false.
    Boolean,
    /// One of these.
    Enum(Vec<String>),
    /// A whole number.
    Integer,
}

impl FieldKind {
    /// The word on the wire.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::String => "string",
            Self::Boolean => "boolean",
            Self::Enum(_) => "enum",
            Self::Integer => "integer",
        }
    }
}

/// How strictly settings are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strictness {
    /// A draft: types must be right, options and limits may still be broken (`docs/contract.md#drafts`).
    TypesOnly,
    /// A post that is to go out.
    Full,
}

/// Checks `settings` against the fields of a schema. Unknown keys are kept and ignored; `null` is absent.
pub fn check_settings(fields: &[Field], settings: &Map<String, Value>, strictness: Strictness) -> Vec<Issue> {
    let given = |field: &Field| settings.get(field.name).filter(|value| !value.is_null());
    fields
        .iter()
        .filter_map(|field| {
            let violation = field.problem(given(field)?, strictness)?;
            Some(Issue::at(["settings".into(), field.name.into()], violation))
        })
        .collect()
}

impl Field {
    fn problem(&self, value: &Value, strictness: Strictness) -> Option<Violation> {
        match (&self.kind, value) {
            (FieldKind::Boolean, Value::Bool(_)) => None,
            (FieldKind::Integer, Value::Number(number)) => match number.as_i64() {
                None => Some(IssueCode::Type.with("must be a whole number")),
                Some(number) if strictness == Strictness::Full => self.range_problem(number),
                Some(_) => None,
            },
            (FieldKind::String, Value::String(text)) if strictness == Strictness::Full => {
                self.length_problem(text)
            }
            (FieldKind::Enum(options), Value::String(text)) if strictness == Strictness::Full => {
                let known = options.contains(text);
                let words = || options.iter().map(String::as_str).collect::<Vec<_>>();
                (!known).then(|| Violation::one_of(&words()))
            }
            (FieldKind::String | FieldKind::Enum(_), Value::String(_)) => None,
            (FieldKind::Boolean, _) => Some(IssueCode::Type.with("must be true or false")),
            (FieldKind::Integer, _) => Some(IssueCode::Type.with("must be a whole number")),
            (FieldKind::String | FieldKind::Enum(_), _) => Some(IssueCode::Type.with("must be a string")),
        }
    }

    fn range_problem(&self, number: i64) -> Option<Violation> {
        match (self.minimum, self.maximum) {
            (Some(least), _) if number < least => {
                Some(IssueCode::Range.with(format!("must be at least {least}")))
            }
            (_, Some(most)) if number > most => {
                Some(IssueCode::Range.with(format!("must be at most {most}")))
            }
            _ => None,
        }
    }

    fn length_problem(&self, text: &str) -> Option<Violation> {
        let length = utf16_length(text);
        let most = self.max_length.filter(|most| length > *most)?;
        Some(too_long(length, most))
    }
}

/// A text has more UTF-16 code units than it may.
pub fn too_long(length: u32, most: u32) -> Violation {
    IssueCode::TooLong.with(format!(
        "must be at most {most} characters (UTF-16 code units); it has {length}"
    ))
}

/// How long a text is as the provider counts: in UTF-16 code units.
pub fn utf16_length(text: &str) -> u32 {
    u32::try_from(text.encode_utf16().count()).unwrap_or(u32::MAX)
}
