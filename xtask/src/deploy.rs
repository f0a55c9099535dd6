//! `cargo xtask deploy`: what `deploy/` has for operators, read by the programs that they use.
//!
//! Helm (`helm-python-sdk` of PyPI, which is Helm as a library) lints and renders the chart, and kubernetes-validate (PyPI) compares the
//! manifests with the schemas of Kubernetes. docker-compose reads `compose.yaml`, HAProxy reads `haproxy.cfg`. Nothing is started.

use std::path::Path;
use std::process::Command;

use crate::failure::{Failure, Outcome};
use crate::install::{self, Need};
use crate::machine::done;
use crate::venv;

/// What it takes.
pub const NEEDS: [Need; 4] = [Need::Python, Need::OpenSsl, Need::HaProxy, Need::DockerCompose];

/// Checks everything.
///
/// # Errors
/// When something is missing or is not as it must be.
pub fn run(arguments: &[String]) -> Outcome<()> {
    if !arguments.is_empty() {
        return Err(Failure::new("deploy takes nothing"));
    }
    install::ensure(&NEEDS)?;
    steps()?.into_iter().try_for_each(|(_, outcome)| outcome)
}

/// Runs the checks; returns the name and the outcome of each.
///
/// # Errors
/// When the Python packages cannot be installed.
pub fn steps() -> Outcome<Vec<(&'static str, Outcome<()>)>> {
    let tests = crate::root().join("deploy/tests");
    let python = venv::provide(
        &tests.join("requirements.txt"),
        &crate::root().join("target/deploy/python"),
    )?;
    let program = |name: &str| check(&python, &tests.join(name));
    Ok(vec![
        (
            "Helm renders the chart, and Kubernetes knows what comes out",
            program("chart.py"),
        ),
        (
            "docker-compose accepts compose.yaml, and HAProxy its settings",
            program("compose.py"),
        ),
    ])
}

fn check(python: &Path, program: &Path) -> Outcome<()> {
    done(
        Command::new(python.join("python"))
            .arg(program)
            .env("PYTHONDONTWRITEBYTECODE", "1"),
    )
}
