//! `cargo xtask demo`: from a bare checkout to a running Playout with something published.

use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::failure::{Doing, Failure, Outcome};
use crate::install::{self, Need};
use crate::machine::shown;
use crate::web;

/// Installs what is missing, builds `playoutd` and becomes `playoutd demo` with the arguments given: signals and the exit code are its own.
///
/// # Errors
/// When something is missing, does not compile or does not start. On success this does not return.
pub fn run(arguments: &[String]) -> Outcome<()> {
    install::ensure(&[install::TO_BUILD.as_slice(), &[Need::Ffmpeg]].concat())?;
    web::build_if_possible()?;
    let playoutd = build_playoutd(&[])?;
    let failed = Command::new(&playoutd).arg("demo").args(arguments).exec();
    Err(failed).doing(format!("starting {}", playoutd.display()))
}

/// Builds the release `playoutd` with these features, and returns its path.
///
/// # Errors
/// When it does not compile; cargo has then printed why.
pub fn build_playoutd(features: &[&str]) -> Outcome<PathBuf> {
    let mut cargo = Command::new("cargo");
    cargo.args([
        "build",
        "--release",
        "--package",
        "playout-server",
        "--bin",
        "playoutd",
    ]);
    cargo
        .args(["--features", &features.join(",")])
        .arg("--message-format=json-render-diagnostics")
        .current_dir(crate::root());
    let output = cargo
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .doing(shown(&cargo))?;
    if !output.status.success() {
        return Err(Failure::new("playoutd does not compile"));
    }
    executable(&String::from_utf8_lossy(&output.stdout))
        .ok_or_else(|| Failure::new("cargo built no playoutd"))
}

/// The path of the program among cargo's JSON messages, one a line.
fn executable(messages: &str) -> Option<PathBuf> {
    let parsed = messages
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok());
    parsed
        .filter_map(|message| message["executable"].as_str().map(PathBuf::from))
        .next_back()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_is_found_among_cargos_messages() {
        let messages = concat!(
            "{\"reason\":\"compiler-artifact\",\"executable\":null}\n",
            "{\"reason\":\"compiler-artifact\",\"executable\":\"/t/release/playoutd\"}\n",
            "{\"reason\":\"build-finished\",\"success\":true}\n",
        );
        assert_eq!(executable(messages), Some(PathBuf::from("/t/release/playoutd")));
    }
}
