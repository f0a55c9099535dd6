//! The cargo commands that compile and run all tests. Callers that need a program of that build use the same command, so that
//! nothing is compiled twice.

use std::process::{Command, Stdio};

/// A cargo command at the root of the checkout.
pub fn cargo(arguments: &[&str]) -> Command {
    let mut command = Command::new("cargo");
    command
        .args(arguments)
        .current_dir(crate::root())
        .stdin(Stdio::null());
    command
}

/// Compiles and runs the tests of the whole workspace with all features, and lints it: a warning of the compiler's or of clippy's is an
/// error. `cargo clippy` would read everything, the dependencies too, a second time; its driver compiles what it lints when it is
/// the compiler's wrapper, and takes its arguments from this variable (rust-lang/rust-clippy, `src/driver.rs`).
pub fn linted_tests() -> Command {
    let mut cargo = cargo(&["test", "--workspace", "--all-features"]);
    cargo
        .env("RUSTC_WORKSPACE_WRAPPER", "clippy-driver")
        .env("CLIPPY_ARGS", "-Dwarnings");
    cargo
}
