//! What people see: profiles, posts, inboxes, and the bytes themselves.

pub(super) mod html;
mod post;
mod profile;
mod routes;

pub(super) use routes::router;
