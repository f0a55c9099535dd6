//! The program `playout` against a real service, which publishes to a simulated provider.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod harness;

mod access;
mod calling;
mod connecting;
mod device;
mod doctor;
mod examples;
mod faults;
mod importing;
mod interrupts;
mod journey;
#[cfg(target_os = "linux")]
mod keyring;
mod keys;
mod library;
mod listening;
mod output;
mod posting;
mod slides;
mod terminal;
mod uploads;
