//! The simulator over real HTTP: every endpoint, every refusal, every knob.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod business;
mod caps;
mod control;
mod drafts;
mod faults;
mod harness;
mod memory;
mod oauth;
mod pages;
mod publish;
mod pulls;
mod reads;
mod uploads;
mod webhooks;
