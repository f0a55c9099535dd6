//! The service: the HTTP API, the engine, and the `App` that both share.
//!
//! The modules are layers, each of which imports only from those before it: `config` and the other small ones; `identity`; `app`; `worker`
//! and `world`; `api`; `listen`; `serve`; `cli`. `cargo xtask tidy` finds cycles.

pub mod api;
pub mod app;
pub mod chance;
pub mod cli;
pub mod clock;
pub mod concurrency;
pub mod config;
pub mod egress;
pub mod heart;
pub mod identity;
mod likeness;
pub mod listen;
pub mod llm;
pub mod logs;
pub mod mail;
pub mod memory;
pub mod node;
pub mod open_error;
mod outage;
pub mod plans;
mod private;
pub mod serve;
pub mod settings;
pub mod standard_webhooks;
pub mod tally;
pub mod web;
pub mod worker;
pub mod world;
