//! Pictures and patches in, slides out, by way of what the crate shows to others.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod captions;
#[path = "../../src/text/tests/corpus.rs"]
mod corpus;
mod files;
mod hostile;
#[path = "../kept.rs"]
mod kept;
mod page;
mod photo;
mod scenery;
mod sources;
mod splicing;
mod thumbnails;
mod webps;
