//! What a provider calls, or redirects a browser to: its notifications, and the callback of an authorization.
//!
//! Imports the layers of `api`, and `app`, but no other room. `pages` has the route of the callback, which needs its session.

pub mod notifications;
pub mod oauth;
