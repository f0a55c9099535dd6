//! The service through its public surface: HTTP in front, the simulated provider behind, on both databases.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod harness;

mod api;
mod crash;
mod engine;
mod people;
mod upgrades;
