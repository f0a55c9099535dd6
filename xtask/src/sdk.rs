//! `cargo xtask sdk`: builds the packages for Python and TypeScript, and tests them.

use std::path::PathBuf;

use crate::conformance;
use crate::failure::{Failure, Outcome};
use crate::install::{self, Need};
use crate::packages::{NpmPackage, Wheel};

/// Builds the packages; with `--test` also installs them in new environments and runs their tests against a service, that of the
/// tests' build or `--playoutd PATH`.
///
/// # Errors
/// When something is missing, a package does not build, or a test fails.
pub fn run(arguments: &[String]) -> Outcome<()> {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let test = match words.as_slice() {
        [] => None,
        ["--test"] => Some(None),
        ["--test", "--playoutd", path] => Some(Some(PathBuf::from(path))),
        _ => return Err(Failure::new("sdk takes nothing, or --test [--playoutd PATH]")),
    };
    install::ensure(&[Need::Python, Need::Node])?;
    let Some(playoutd) = test else {
        println!("{}", Wheel::build()?.file.display());
        println!("{}", NpmPackage::build()?.file.display());
        return Ok(());
    };
    let playoutd = match playoutd {
        Some(playoutd) => playoutd,
        None => {
            install::ensure(&[install::TO_BUILD.as_slice(), &[Need::Ffmpeg]].concat())?;
            conformance::built_playoutd()?
        }
    };
    conformance::test_packages(&playoutd)
}
