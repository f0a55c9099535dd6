//! The submission protocol, checked by a machine: every order in which two workers, the database, the provider and faults can act on
//! one post is tried out.

mod checker;
mod database;
mod liveness;
mod model;
mod provider;
mod reduction;
mod state;
mod trace;
mod transition;
mod worker;

mod guards;
mod holds;
