//! `/app/v1`, the dashboard's API: one file per noun. The resources of `/public/v1` are served here too, by the same handlers.
//!
//! Imports the operations of `resources`, the layers of `api`, and `app`, but no other room.

pub mod audit;
pub mod auth;
pub mod batches;
pub mod bundle;
pub mod events;
pub mod invitations;
pub mod keys;
pub mod me;
pub mod members;
pub mod organizations;
pub mod platforms;
pub mod routes;
pub mod second_factor;
pub mod sessions;
