//! Environments of Python.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::failure::{Doing, Outcome};
use crate::machine::done;

const INSTALL: [&str; 3] = ["install", "--quiet", "--disable-pip-version-check"];

/// The folder of the programs that a list of packages has, in an environment that is filled once for each change of the list.
///
/// # Errors
/// When the list cannot be read, or its packages cannot be installed.
pub fn provide(list: &Path, venv: &Path) -> Outcome<PathBuf> {
    let (wanted, stamp) = (
        std::fs::read(list).doing(list.display())?,
        venv.join("installed.txt"),
    );
    if std::fs::read(&stamp).ok().as_ref() != Some(&wanted) {
        done(Command::new("python3").args(["-m", "venv"]).arg(venv))?;
        let mut pip = Command::new(venv.join("bin/pip"));
        done(pip.args(INSTALL).arg("--requirement").arg(list))?;
        std::fs::write(&stamp, wanted).doing(stamp.display())?;
    }
    Ok(venv.join("bin"))
}

/// A new environment that `programs`, the folder of another one's programs, make for one package. What it needs is installed in the
/// versions of `list`. Returns the folder of its programs.
///
/// # Errors
/// When the package cannot be installed.
pub fn fresh(programs: &Path, package: &Path, list: &Path, venv: &Path) -> Outcome<PathBuf> {
    let mut python = Command::new(programs.join("python"));
    done(python.args(["-m", "venv", "--clear", "--without-pip"]).arg(venv))?;
    let mut pip = Command::new(programs.join("pip"));
    pip.arg("--python").arg(venv).args(INSTALL);
    done(pip.arg("--constraint").arg(list).arg(package))?;
    Ok(venv.join("bin"))
}
