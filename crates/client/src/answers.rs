//! The service's responses as types. Unknown fields are no error: they are in [`Reply::json`].

mod health;
mod media;
mod people;
mod platforms;
mod posts;
mod slides;
mod usage;
mod webhooks;

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::error::Error;

pub use health::{
    AccountLimits, AccountUsage, HealthProblem, HealthRefresh, PlatformHealth, Restriction, ScopeHealth,
    TokenHealth, Warning, WindowUsage,
};
pub use media::{Folder, FolderList, Media, MediaFailure, MediaList};
pub use people::{Key, KeyList, NewKey, Organization, RevokedKeys, SessionBegun};
pub use platforms::{
    ContentRules, MediaRules, Platform, PlatformList, PlatformWithSchema, Schema, SettingField, SettingsRules,
};
pub use posts::{
    Attempt, AttemptList, BatchEntry, BatchResults, CreateResult, CreateResults, ErrorBody, Explanation,
    Group, Post, PostList, ValidateResults,
};
pub use slides::{BakedSlide, BakedSlides, ProposedCaptions, SlideCaption, SlidePreview};
pub use usage::{Count, Month, Storage, Usage};
pub use webhooks::{Delivery, DeliveryList, Webhook, WebhookList};

/// A response: the fields known to this client, and the whole document.
#[derive(Debug, Clone)]
pub struct Reply<T> {
    /// The fields known to this client.
    pub value: T,
    /// The whole document; in `etag` the version of a resource that has one.
    pub json: Value,
    /// The version of the resource: `ETag`. A change may be sent with it, as `If-Match`.
    pub etag: Option<String>,
}

impl<T: DeserializeOwned> Reply<T> {
    /// Parses a document.
    ///
    /// # Errors
    /// `unexpected_answer` if it does not have that form.
    pub fn read(json: Value) -> Result<Self, Error> {
        match T::deserialize(&json) {
            Ok(value) => Ok(Self {
                value,
                json,
                etag: None,
            }),
            Err(error) => Err(Error::unexpected(format!(
                "The service's response is not what this version of the client expects: {error}."
            ))),
        }
    }
}
