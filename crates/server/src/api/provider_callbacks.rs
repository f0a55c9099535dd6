//! What a provider calls, or sends a browser to: its notifications, and the end of an authorization.
//!
//! It looks at the layers of `api` (errors, parameters, who calls) and at `app`, not at another room.

pub mod notifications;
pub mod oauth;
