//! The API as types (`docs/contract.md`): requests and responses.
//!
//! Requests are parsed from JSON by functions that find *all* problems, each with its path (`docs/contract.md#order-of-checks`),
//! and that yield the requests' schemas too; responses are plain structs that serialize to the API's resources, with every field
//! always present.

mod address;
pub mod attempts;
pub mod audit;
pub mod batches;
pub mod canonical;
pub mod devices;
pub mod error;
pub mod keys;
pub mod limits;
pub mod me;
pub mod media;
pub mod object;
pub mod organizations;
pub mod page;
pub mod people;
pub mod platform_health;
pub mod platforms;
pub mod posts;
pub mod read;
pub mod schema;
pub mod second_factor;
pub mod sessions;
pub mod slides;
pub mod tus;
pub mod usage;
pub mod webhooks;
