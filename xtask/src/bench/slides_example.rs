//! The measuring example of `playout-captions`, as a process of its own.

use std::process::Command;

/// The command that runs the measuring example with `arguments`.
pub fn example(arguments: &[&str]) -> Command {
    let mut cargo = Command::new("cargo");
    cargo.args(["run", "--release", "--quiet", "--package", "playout-captions"]);
    cargo.args(["--example", "slides", "--"]).args(arguments);
    cargo.current_dir(crate::root());
    cargo
}
