//! A typed client of Playout's HTTP API, and the basis of the program `playout`.
//!
//! [`Api`] has a method for each operation. It parses the known fields of a response into a type and keeps the whole document
//! beside it ([`Reply`]), so that fields of later versions are not lost. It adds an idempotency key to every POST and retries
//! only what is safe to send again ([`Api`] has the rules).
//!
//! ```no_run
//! use playout_client::{Api, Connection, Patience};
//! use playout_domain::secret::Secret;
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let api = Api::new(Connection {
//!     base_url: "http://localhost:8080".parse()?,
//!     key: Some(Secret::new("svc_sk_…")),
//!     patience: Patience::default(),
//! })?;
//! for platform in api.platforms().await?.value.platforms {
//!     println!("{} {:?}", platform.id, platform.display_handle);
//! }
//! # Ok(())
//! # }
//! ```

mod answers;
mod api;
mod chance;
mod clock;
mod device;
mod error;
mod events;
mod http;
mod person;
mod upload;

pub use answers::{
    AccountLimits, AccountUsage, Attempt, AttemptList, BakedSlide, BakedSlides, BatchEntry, BatchResults,
    ContentRules, Count, CreateResult, CreateResults, Delivery, DeliveryList, ErrorBody, Explanation, Folder,
    FolderList, Group, HealthProblem, HealthRefresh, Key, KeyList, Media, MediaFailure, MediaList,
    MediaRules, Month, NewKey, Organization, Platform, PlatformHealth, PlatformList, PlatformWithSchema,
    Post, PostList, ProposedCaptions, Reply, Restriction, RevokedKeys, Schema, ScopeHealth, SessionBegun,
    SettingField, SettingsRules, SlideCaption, SlidePreview, Storage, TokenHealth, Usage, ValidateResults,
    Warning, Webhook, WebhookList, WindowUsage,
};
pub use api::{Api, MediaQuery, PostQuery, RawRequest, RawResponse};
pub use chance::idempotency_key;
pub use clock::SystemClock;
pub use device::{Device, DeviceKey};
pub use error::{Error, Kind};
pub use events::{Event, EventQuery, Events, WebhookSecret};
pub use http::{Connection, Patience};
pub use person::{CreateKey, Credentials, Person};
pub use upload::{LARGE_FILE_BYTES, Progress, Standing, UploadFile};
