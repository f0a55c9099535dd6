//! Bytes through the whole crate: stored, recognised, looked into and drawn.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod blobs;
mod fixtures;
mod images;
mod partials;
mod renditions;
mod videos;
