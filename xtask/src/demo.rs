//! `cargo xtask demo`: from a bare checkout to a running Playout with something published.

use std::os::unix::process::CommandExt;
use std::process::Command;

use crate::failure::{Doing, Outcome};
use crate::install::{self, Need};
use crate::playoutd::{Profile, build_playoutd};
use crate::web;

/// Installs what is missing, builds `playoutd` and becomes `playoutd demo` with the arguments given: signals and the exit code are its own.
///
/// # Errors
/// When something is missing, does not compile or does not start. On success this does not return.
pub fn run(arguments: &[String]) -> Outcome<()> {
    install::ensure(&[install::TO_BUILD.as_slice(), &[Need::Ffmpeg]].concat())?;
    web::build_if_possible()?;
    let playoutd = build_playoutd(Profile::Demo, &[])?;
    let failed = Command::new(&playoutd).arg("demo").args(arguments).exec();
    Err(failed).doing(format!("starting {}", playoutd.display()))
}
