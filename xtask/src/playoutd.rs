//! Builds `playoutd`.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::failure::{Doing, Failure, Outcome};
use crate::install;
use crate::machine::shown;
use crate::web;

/// How a program is compiled: a profile of `Cargo.toml`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Profile {
    /// Fast, and slow to compile: what is deployed and measured.
    Release,
    /// Compiled in half the time: to be tried out.
    Demo,
}

impl Profile {
    const fn name(self) -> &'static str {
        match self {
            Self::Release => "release",
            Self::Demo => "demo",
        }
    }
}

/// `cargo xtask build`: installs what is missing, builds the dashboard and the release `playoutd` with it, and says where it is.
///
/// # Errors
/// When something is missing or does not compile.
pub fn run() -> Outcome<()> {
    install::ensure(&install::TO_BUILD)?;
    web::build_if_possible()?;
    println!("{}", build_playoutd(Profile::Release, &[])?.display());
    Ok(())
}

/// Builds `playoutd` with these features, and returns its path.
///
/// # Errors
/// When it does not compile; cargo has then printed why.
pub fn build_playoutd(profile: Profile, features: &[&str]) -> Outcome<PathBuf> {
    let mut cargo = Command::new("cargo");
    cargo.args([
        "build",
        "--profile",
        profile.name(),
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
