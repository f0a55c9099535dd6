//! `/public/v1`: one file per noun.

pub mod folders;
pub mod media;
pub mod media_objects;
pub mod platforms;
pub mod posts;
pub mod slides;
pub mod uploads;
pub mod usage;
pub mod webhooks;
