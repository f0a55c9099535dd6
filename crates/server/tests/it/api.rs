//! The HTTP API, a file per noun.

mod bodies;
mod conventions;
mod health;
mod isolation;
mod platforms;
mod post_requests;
mod posts;
