//! Webhooks: their registration and secrets, the deliveries made of events, and every try to send one. The log of events itself is
//! `events.rs`.
//!
//! Looks at `posts/`, `accounts/` and `media/` for what an event is about, and at `db/`; these do not look here.

pub(crate) mod deliveries;
pub(crate) mod fan_out;
pub(crate) mod secrets;
pub(crate) mod tries;
pub(crate) mod webhook;
