//! The submission protocol, checked by a machine: every order in which two workers, the database, the provider and faults can act on
//! one post is tried out. What is left out, such as the creator's inbox, is listed in `docs/reliability.md#the-model-of-the-protocol`.

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
