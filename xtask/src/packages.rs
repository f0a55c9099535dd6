//! The packages for Python and TypeScript, built from `openapi.json` and what is in `sdk/`, and their tests.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::failure::Outcome;
use crate::machine::done;
use crate::{venv, web};

/// The workspace's version, which the packages have too.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The package for Python.
#[derive(Debug)]
pub struct Wheel {
    /// The wheel.
    pub file: PathBuf,
    /// The programs that build and check it.
    programs: PathBuf,
}

impl Wheel {
    /// Builds it in `target/sdk/python`.
    ///
    /// # Errors
    /// When its tools cannot be installed, or there is a warning or an error.
    pub fn build() -> Outcome<Self> {
        let (sources, folder) = (sources("python"), folder("python"));
        let programs = venv::provide(
            &sources.join("requirements.txt"),
            &crate::root().join("target/sdk/tools"),
        )?;
        let mut build = python(&programs);
        done(build.arg(sources.join("build.py")).arg(VERSION).arg(&folder))?;
        Ok(Self {
            file: folder.join(format!("playout-{VERSION}-py3-none-any.whl")),
            programs,
        })
    }

    /// Installs it in a new environment, checks the types of a program that uses it and runs that against a service, whose address
    /// and key `tell` sets.
    ///
    /// # Errors
    /// When a test fails.
    pub fn test(&self, tell: impl Fn(&mut Command)) -> Outcome<()> {
        let sources = sources("python");
        let program = sources.join("tests/journey.py");
        let list = sources.join("requirements.txt");
        let environment = folder("python").join("installed");
        let installed = venv::fresh(&self.programs, &self.file, &list, &environment)?;
        let mut mypy = Command::new(self.programs.join("mypy"));
        mypy.args(["--strict", "--no-error-summary", "--cache-dir"])
            .arg(folder("python").join("mypy"))
            .arg("--python-executable")
            .arg(installed.join("python"));
        done(mypy.arg(&program))?;
        let mut journey = python(&installed);
        tell(&mut journey);
        done(journey.arg(&program))
    }
}

/// The package for TypeScript.
#[derive(Debug)]
pub struct NpmPackage {
    /// The packed package.
    pub file: PathBuf,
}

impl NpmPackage {
    /// Builds it in `target/sdk/typescript`.
    ///
    /// # Errors
    /// When its tools cannot be installed, or it does not compile.
    pub fn build() -> Outcome<Self> {
        let (sources, folder) = (sources("typescript"), folder("typescript"));
        web::packages(&sources)?;
        let mut build = node(&sources.join("build.mjs"))?;
        done(build.arg(VERSION).arg(&folder))?;
        Ok(Self {
            file: folder.join(format!("playout-{VERSION}.tgz")),
        })
    }

    /// Installs it in a new folder, checks the types of programs that use it and runs them against a service, whose address and key
    /// `tell` sets.
    ///
    /// # Errors
    /// When a test fails.
    pub fn test(&self, tell: impl Fn(&mut Command)) -> Outcome<()> {
        let mut test = node(&sources("typescript").join("test.mjs"))?;
        tell(&mut test);
        done(test.arg(&self.file).arg(folder("typescript").join("installed")))
    }
}

fn node(script: &Path) -> Outcome<Command> {
    let mut node = Command::new("node");
    node.arg(script);
    web::on_new_node(node)
}

/// A Python that leaves nothing beside its programs.
fn python(programs: &Path) -> Command {
    let mut python = Command::new(programs.join("python"));
    python.env("PYTHONDONTWRITEBYTECODE", "1");
    python
}

fn sources(language: &str) -> PathBuf {
    crate::root().join("sdk").join(language)
}

fn folder(language: &str) -> PathBuf {
    crate::root().join("target/sdk").join(language)
}
