//! The service through its public surface: HTTP in front, the simulated provider behind, on both databases.

mod harness;

mod api;
mod crash;
mod engine;
