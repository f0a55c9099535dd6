//! The HTTP skin: routes, authentication, conventions. What a call does is in `app`.
//!
//! Most handlers are in five rooms: `resources`, `dashboard`, `oauth_device`, `provider_callbacks` and `pages`. The modules beside
//! them are layers, such as authentication, limits, bodies and errors, which import no room, or assemble the rooms (`router`,
//! `openapi`, `docs`).

pub mod access;
pub mod address;
pub mod auth;
mod bearer;
pub mod body;
mod conditions;
pub mod dashboard;
mod deprecation;
pub mod docs;
pub mod error;
pub mod files;
mod fixed_fields;
pub mod form;
pub mod heads;
pub mod health;
pub mod idempotency;
pub mod json;
pub mod key_access;
mod limits;
pub mod multipart;
pub mod oauth_device;
pub mod openapi;
pub mod pages;
pub mod params;
pub mod protect;
pub mod provider_callbacks;
mod query_names;
pub mod ranges;
pub mod rate_limit;
pub mod request_id;
pub mod resources;
pub mod router;
pub mod session;
pub mod tus;
pub mod web;

pub use router::router;
