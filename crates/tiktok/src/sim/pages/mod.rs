//! The web pages: profiles, posts, inboxes, and the media themselves.

pub(super) mod html;
mod post;
mod profile;
mod routes;

pub(super) use routes::router;
