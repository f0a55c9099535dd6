//! Limits which files the program can access, by Landlock.

use std::io::{Error, Result};
use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetStatus,
    Scope, path_beneath_rules,
};

/// The newest version of Landlock that is asked for; older kernels enforce what they know of it. Its last additions are
/// that no TCP port is reached (4), no device is controlled (5), and no signal leaves (6).
const NEWEST: ABI = ABI::V6;

/// Where programs and their libraries are installed, world-readable.
const LIBRARIES: [&str; 16] = [
    "/bin",
    "/gnu/store",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/nix/store",
    "/sbin",
    "/usr/bin",
    "/usr/lib",
    "/usr/lib32",
    "/usr/lib64",
    "/usr/local/bin",
    "/usr/local/lib",
    "/usr/local/lib64",
    "/usr/sbin",
];

/// Read by loaders and libraries while they start.
const FILES: [&str; 8] = [
    "/dev/null",
    "/dev/random",
    "/dev/urandom",
    "/dev/zero",
    "/etc/ld-musl-aarch64.path",
    "/etc/ld-musl-x86_64.path",
    "/etc/ld.so.cache",
    "/etc/ld.so.preload",
];

/// Leaves this thread and what it executes only the system's libraries, `program`, and `input` to read. Returns whether
/// the kernel enforces that.
pub(super) fn restrict(input: Option<&Path>, program: Option<&Path>) -> Result<bool> {
    let input = input.map(Path::canonicalize).transpose()?;
    let program = program.map(Path::canonicalize).transpose()?;
    let libraries = LIBRARIES
        .iter()
        .map(PathBuf::from)
        .chain(program.as_deref().and_then(beside))
        // A data directory within one of them stays out of sight.
        .filter(|directory| {
            let holds_input =
                |input: &PathBuf| directory.canonicalize().is_ok_and(|real| input.starts_with(real));
            !input.as_ref().is_some_and(holds_input)
        });
    let run: BitFlags<AccessFs> = AccessFs::Execute | AccessFs::ReadFile;
    let enforced = Ruleset::default()
        .handle_access(AccessFs::from_all(NEWEST))
        .and_then(|rules| rules.handle_access(AccessNet::from_all(NEWEST)))
        .and_then(|rules| rules.scope(Scope::from_all(NEWEST)))
        .and_then(Ruleset::create)
        .and_then(|rules| rules.add_rules(path_beneath_rules(libraries, run | AccessFs::ReadDir)))
        .and_then(|rules| rules.add_rules(path_beneath_rules(FILES, AccessFs::ReadFile)))
        .and_then(|rules| rules.add_rules(path_beneath_rules(&program, run)))
        .and_then(|rules| rules.add_rules(path_beneath_rules(&input, AccessFs::ReadFile)))
        .and_then(|rules| rules.restrict_self())
        .map_err(Error::other)?;
    Ok(enforced.ruleset != RulesetStatus::NotEnforced)
}

/// `lib` beside the directory of `program`: `/opt/ffmpeg/lib` of `/opt/ffmpeg/bin/ffmpeg`.
fn beside(program: &Path) -> Option<PathBuf> {
    Some(program.parent()?.parent()?.join("lib"))
}
