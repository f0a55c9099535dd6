//! The dashboard in `web/`: built before the service, which carries it, and tested in a browser.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use crate::failure::{Doing, Outcome};
use crate::install::{self, Need};
use crate::machine::{done, done_naming_failures, free_port, program, said};

/// The oldest Node.js that the build runs on; a machine with an older one gets [`NEWER_NODE`] from npm.
const OLDEST_NODE: (u32, u32) = (20, 19);
const NEWER_NODE: &str = "24";
/// What the build is made from.
const SOURCES: [&str; 6] = [
    "src",
    "public",
    "index.html",
    "package-lock.json",
    "vite.config.ts",
    "packed.ts",
];

/// Builds the dashboard if Node.js is there, and prints a note if not: the service then has its plain pages alone.
///
/// # Errors
/// When it does not build.
pub fn build_if_possible() -> Outcome<()> {
    if Need::Node.is_met() {
        return build();
    }
    eprintln!("without node and npm the dashboard is not built; the plain pages are there");
    Ok(())
}

/// Builds the dashboard, unless what was built is newer than all that it is made from.
///
/// # Errors
/// When its packages cannot be installed or it does not build.
pub fn build() -> Outcome<()> {
    let web = folder();
    let built = modified(&web.join("dist/index.html"));
    let newest = SOURCES.iter().filter_map(|name| newest(&web.join(name))).max();
    if built.is_some() && built >= newest {
        return Ok(());
    }
    packages(&web)?;
    done(&mut npm(&["run", "--silent", "build"])?)
}

/// Checks and tests the dashboard; answers the name and the outcome of each step.
///
/// # Errors
/// When its packages cannot be installed.
pub fn steps(playoutd: &Path) -> Outcome<Vec<(&'static str, Outcome<()>)>> {
    packages(&folder())?;
    install::ensure_if_possible(Need::HeadlessShell);
    let check = done(&mut npm(&["run", "--silent", "check"])?);
    let unit = done(&mut npm(&["run", "--silent", "test"])?);
    let browser = done_naming_failures(&mut in_browser("e2e", playoutd)?);
    Ok(vec![
        ("the dashboard is formatted, linted and typed", check),
        ("the dashboard's own tests pass, its weight among them", unit),
        (
            "the dashboard's journeys go well in a browser, and axe finds nothing",
            browser,
        ),
    ])
}

/// Measures the dashboard in a browser, and compares the figures with their limits.
///
/// # Errors
/// When its packages cannot be installed or a figure misses its limit.
pub fn speed(playoutd: &Path) -> Outcome<()> {
    packages(&folder())?;
    install::ensure_if_possible(Need::HeadlessShell);
    done_naming_failures(&mut in_browser("speed", playoutd)?)
}

/// Installs the npm packages of a folder, once for each change of its lock file.
///
/// # Errors
/// When npm fails.
pub fn packages(folder: &Path) -> Outcome<()> {
    let installed = modified(&folder.join("node_modules/.package-lock.json"));
    if installed.is_some() && installed >= modified(&folder.join("package-lock.json")) {
        return Ok(());
    }
    // Not `npm ci`: it refuses a lock file without the packages that are for other machines, as npm itself writes them.
    let mut npm = Command::new("npm");
    npm.args(["install", "--no-save", "--silent", "--no-audit", "--no-fund"])
        .env("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1");
    done(npm.current_dir(folder))
}

fn folder() -> PathBuf {
    crate::root().join("web")
}

/// A script of the dashboard's browser tests against this program, on ports that are free.
fn in_browser(script: &str, playoutd: &Path) -> Outcome<Command> {
    let mut command = npm(&["run", "--silent", script])?;
    command.env("PLAYOUTD", playoutd);
    for name in ["PLAYOUT_LISTEN", "SIMULATOR_LISTEN"] {
        command.env(name, format!("127.0.0.1:{}", free_port()?));
    }
    if let Some(chromium) = ["chromium-headless-shell", "chromium"]
        .into_iter()
        .find_map(program)
    {
        command.env("CHROMIUM", chromium);
    }
    Ok(command)
}

/// npm in the dashboard's folder, on a Node.js that is new enough.
fn npm(arguments: &[&str]) -> Outcome<Command> {
    let mut npm = Command::new("npm");
    npm.args(arguments).current_dir(folder());
    on_new_node(npm)
}

/// A command that starts Node.js, on one that is new enough.
///
/// # Errors
/// When the machine's own is too old and a newer one cannot be installed.
pub fn on_new_node(mut command: Command) -> Outcome<Command> {
    if let Some(node) = newer_node()? {
        command.env("PATH", crate::machine::path_with(&node)?);
    }
    Ok(command)
}

/// The folder of a newer Node.js, where the machine's own is too old.
fn newer_node() -> Outcome<Option<PathBuf>> {
    let version = said(Command::new("node").arg("--version"))?;
    if node_version(&version).is_some_and(|version| version >= OLDEST_NODE) {
        return Ok(None);
    }
    let machine = match std::env::consts::ARCH {
        "aarch64" => "arm64",
        _ => "x64",
    };
    let name = format!(
        "node-{}-{machine}",
        std::env::consts::OS.replace("macos", "darwin")
    );
    let place = crate::root().join("target/web/node");
    let bin = place.join("node_modules").join(&name).join("bin");
    if !bin.join("node").is_file() {
        std::fs::create_dir_all(&place).doing(place.display())?;
        let package = format!("{name}@{NEWER_NODE}");
        let mut npm = Command::new("npm");
        npm.args(["install", "--silent", "--no-audit", "--no-fund", "--prefix"]);
        done(npm.arg(&place).arg(package))?;
    }
    Ok(Some(bin))
}

/// 20 and 19 from `v20.19.1`.
fn node_version(text: &str) -> Option<(u32, u32)> {
    let mut numbers = text.trim().trim_start_matches('v').split('.');
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}

fn modified(path: &Path) -> Option<SystemTime> {
    std::fs::metadata(path).and_then(|meta| meta.modified()).ok()
}

/// When the newest file at or below a path was changed.
fn newest(path: &Path) -> Option<SystemTime> {
    let own = modified(path);
    let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
    entries.filter_map(|entry| newest(&entry.path())).chain(own).max()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_of_node_is_read() {
        assert_eq!(node_version("v20.19.1\n"), Some((20, 19)));
        assert!(node_version("v18.20.4").unwrap() < OLDEST_NODE);
        assert_eq!(node_version("no node"), None);
    }

    #[test]
    fn a_change_far_down_makes_a_folder_new() {
        let base = std::env::temp_dir().join(format!("playout-xtask-web-{}", std::process::id()));
        std::fs::create_dir_all(base.join("a/b")).unwrap();
        let file = base.join("a/b/c.ts");
        std::fs::write(&file, "").unwrap();
        let later = SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(4_000_000_000);
        let changed = std::fs::File::options().write(true).open(&file).unwrap();
        changed.set_modified(later).unwrap();
        let found = newest(&base);
        std::fs::remove_dir_all(&base).unwrap();
        assert_eq!(found, Some(later));
        assert_eq!(newest(&base), None);
    }
}
