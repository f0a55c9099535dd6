//! Bytes: where uploaded files live, what they are, and the smaller pictures made of them.
//!
//! * [`Blobs`] keeps files; [`Upload`] streams one in, hashing on the way; [`Partial`] grows over many requests;
//!   [`BlobReader`] reads one with seeks.
//! * [`sniff()`] distinguishes the five accepted types by their first bytes.
//! * [`Inspector::inspect`] reports what a stored file contains and draws its preview.
//! * [`fit_jpeg`] makes a photo that a provider with narrow limits accepts.
//!
//! This crate knows nothing of workspaces, posts or HTTP. Everything that decodes, resizes or runs a program is an
//! ordinary blocking function: call it from `tokio::task::spawn_blocking`, and bound what runs at once by
//! [`decode_cost`], because one 8192×8192 picture takes up to 290 MB while it is decoded. No parser here allocates by what a file *claims*;
//! sizes are checked against limits first.

mod blob_error;
mod blobs;
mod bucket;
mod colour;
pub mod confine;
mod cost;
mod direct;
mod excerpt;
mod filler;
mod finished;
mod header;
mod inspect;
mod intake;
mod isobmff;
mod jpeg;
mod keys;
mod local;
mod open;
mod orientation;
mod pages;
mod partial;
mod parts;
mod planes;
mod poster;
mod preview;
mod probe;
mod raster;
mod reader;
#[doc(hidden)]
pub mod readers;
mod refusal;
mod render;
mod rendition;
mod scaled_webp;
mod sealed;
mod upload;
mod video;
mod webm;
mod webp_chunks;

pub use playout_domain::sniff::{SNIFF_BYTES, Unrecognized, sniff};

pub use blob_error::{BlobError, BlobStream};
pub use blobs::{Blobs, End, ListedBlob};
pub use bucket::{BucketOptions, Extent};
pub use cost::{POSTER_COST_BYTES, decode_cost, slide_cost};
pub use finished::Finished;
pub use inspect::{EarlyPoster, Inspected, Inspector};
pub use keys::has_size;
pub use partial::{IfMissing, Partial};
pub use poster::Poster;
pub use preview::{PREVIEW_MAX_HEIGHT, PREVIEW_MAX_WIDTH};
pub use reader::BlobReader;
pub use refusal::{IMAGE_MAX_BYTES, IMAGE_MAX_SIDE, ProbeError};
pub use rendition::{FitLimits, RenditionError, fit_jpeg};
pub use sealed::{Sealed, Synced, keep_all};
pub use upload::Upload;
