//! The HTTP API, a file per noun.

mod bodies;
mod cli;
mod config;
mod conventions;
mod health;
mod isolation;
mod media;
mod platforms;
mod post_cap;
mod post_changes;
mod post_list;
mod post_requests;
mod posts;
mod rate_limits;
mod reference;
mod uploads;
