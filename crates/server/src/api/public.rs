//! `/public/v1`: a file per noun.

pub mod media;
pub mod platforms;
pub mod posts;
pub mod uploads;
