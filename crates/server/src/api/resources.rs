//! The resources of `/public/v1`: a file per noun. The same handlers serve API keys there and sessions under `/app/v1`.
//!
//! Imports the layers of `api`, and `app`, but no other room; `dashboard` imports its operations.

pub mod events;
pub mod folders;
pub mod key;
pub mod media;
pub mod media_imports;
pub mod media_objects;
pub mod platforms;
pub mod post_batches;
pub mod posts;
pub mod routes;
pub mod slides;
pub mod uploads;
pub mod usage;
pub mod webhooks;
