//! Webhooks: changed and read, their secrets, the deliveries made of events, and each try to send one. The log of events itself is
//! `events.rs`.
//!
//! Imports from `posts`, `accounts` and `media` what an event is about, and from the modules below those.

pub(crate) mod changes;
pub(crate) mod deliveries;
pub(crate) mod fan_out;
pub(crate) mod read;
pub(crate) mod secrets;
pub(crate) mod tries;
