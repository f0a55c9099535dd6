//! The HTTP API, a file per noun.

mod bodies;
mod cli;
mod config;
mod conventions;
mod folders;
mod health;
mod idempotency;
mod isolation;
mod manners;
mod media;
mod media_objects;
mod platforms;
mod post_cap;
mod post_changes;
mod post_edits;
mod post_list;
mod post_publish;
mod post_requests;
mod post_validate;
mod posts;
mod rate_limits;
mod reference;
mod shapes;
mod tus;
mod uploads;
mod usage;
