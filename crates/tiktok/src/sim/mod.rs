//! The provider simulator: a server that answers, refuses, delays and fails as the real provider does.
//!
//! It is the provider of every test, of `playoutd simulator` and of `playoutd demo`. It shares no type with the
//! client: its JSON is written from the documentation, so that a mistake in the client cannot hide in it.
//! `docs/simulator.md` lists the knobs and where it differs from the real provider.
//!
//! How it is built: one `World` holds the whole state and never waits. Every request is one short call
//! under its lock. The future is a queue of timers, settled before anything is looked at, so that time may jump.
//! Downloads and webhooks are effects that a driver carries out.

mod account;
mod answer;
mod api;
mod call;
mod config;
mod control;
mod core;
mod driver;
mod fault;
mod flow;
mod front;
mod grants;
mod handle;
mod hold;
mod hooks;
mod ids;
mod journal;
mod knobs;
mod ledger;
mod media;
mod memory;
mod oauth;
mod observe;
mod pages;
mod pull;
mod rates;
mod sniff;
mod socket;
mod task;
mod upload;
mod webhooks;
mod world;

pub use account::Account;
pub use config::{BUSINESS_SCOPES, SCOPES, SimConfig};
pub use fault::{Endpoint, FailRule, Fault, FaultAction};
pub use grants::TokenPair;
pub use handle::Simulator;
pub use hold::HoldPoint;
pub use hooks::WebhookDelivery;
pub use journal::{JournalEntry, Misunderstood};
pub use knobs::{ChunkStatuses, Knobs, ParamCode, Pkce, RefreshRotation, SingleChunkError};
pub use ledger::{Comment, InboxDelivery, Publication};
pub use media::Media;
pub use memory::Past;
pub use observe::AccountSnapshot;
pub use task::{Kind, Mode, PostInfo};
