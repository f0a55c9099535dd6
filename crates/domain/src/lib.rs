//! What the product is: types, rules, states.
//!
//! Nothing here does I/O, knows a database, a protocol or an async runtime; that is why it can be read
//! and tested by itself.

pub mod access;
pub mod audit;
pub mod change;
pub mod device;
pub mod error;
pub mod event;
pub mod explanation;
pub mod fate;
pub mod id;
pub mod job;
pub mod key;
pub mod lateness;
pub mod limits;
pub mod listing;
pub mod media;
pub mod object_text;
pub mod passwords;
pub mod people;
pub mod platform;
pub mod post;
pub mod provider;
pub mod rate;
pub mod recovery;
pub mod refresh;
pub mod second_factor;
pub mod secret;
pub mod shown;
pub mod sighting;
pub mod sniff;
pub mod submission;
pub mod text;
pub mod time;
pub mod transfer;
pub mod verdict;
pub mod webhook;
pub mod workspace;
pub mod zone;
