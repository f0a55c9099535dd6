//! Bytes through the whole crate: stored, recognised, looked into and drawn.

mod blobs;
mod fixtures;
mod images;
mod renditions;
mod videos;
