//! The resources of `/public/v1`: a file per noun. Each handler serves API keys, and sessions in `/app/v1` too.
//!
//! It looks at the layers of `api` and at `app`, not at another room; `dashboard` takes its operations.

pub mod folders;
pub mod media;
pub mod media_objects;
pub mod platforms;
pub mod posts;
pub mod routes;
pub mod slides;
pub mod uploads;
pub mod usage;
pub mod webhooks;
