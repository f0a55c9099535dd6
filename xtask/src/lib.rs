//! The project's own commands, `cargo xtask …`: install what is missing, try the product, test it, measure it.
//!
//! Nothing here is part of the product, and no crate of the product is used: the benches see `playoutd` as its users do,
//! as a process that speaks HTTP.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "commands talk to the person who runs them"
)]

pub mod bench;
pub mod cluster;
pub mod compile;
pub mod conformance;
pub mod demo;
pub mod deploy;
pub mod failure;
pub mod fuzz;
pub mod install;
pub mod lab;
pub mod machine;
pub mod packages;
pub mod playoutd;
pub mod postgres;
pub mod sdk;
pub mod suite;
pub mod tidy;
pub mod venv;
pub mod web;

use std::path::PathBuf;

/// The root of the checkout: the parent of this crate's folder.
pub fn root() -> PathBuf {
    let mut path = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    path.pop();
    path
}
