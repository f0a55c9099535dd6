//! Pictures and patches in, slides out, by way of what the crate shows to others.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod captions;
mod files;
mod hostile;
mod photo;
mod sources;
mod splicing;
