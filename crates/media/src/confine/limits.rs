//! Resource limits, priority, and an end that does not depend on the parent.

use std::io::{Error, Result};

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Address space in bytes: a 4K HEVC decoder with one thread takes a quarter of it.
#[cfg(target_os = "linux")]
const MEMORY_BYTES: u64 = 2 << 30;
/// Libraries are opened one after the other; a decoder keeps its input and output open.
const OPEN_FILES: u64 = 64;
/// A picture can wait; what is being received or published meanwhile cannot.
const NICENESS: i32 = 10;

/// Kills this process when its parent dies, where the system can; fails when `parent` is not the parent any more.
pub(super) fn die_with(parent: Option<u32>) -> Result<()> {
    let Some(parent) = parent else { return Ok(()) };
    #[cfg(target_os = "linux")]
    rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))?;
    let found = rustix::process::getppid().map_or(0, |found| found.as_raw_nonzero().get());
    if u32::try_from(found) == Ok(parent) {
        Ok(())
    } else {
        Err(Error::other("the parent process died"))
    }
}

/// Limits everything but memory, which this process itself still needs.
pub(super) fn set(seconds: u32, processor_seconds: u32) -> Result<()> {
    lower(Resource::Core, 0)?;
    lower(Resource::Fsize, 0)?;
    lower(Resource::Nofile, OPEN_FILES)?;
    lower(Resource::Cpu, u64::from(processor_seconds))?;
    // Outlives exec, and ends a program that outlives its parent where nothing else does.
    nix::unistd::alarm::set(seconds.saturating_add(1));
    rustix::process::nice(NICENESS)?;
    Ok(())
}

/// Limits the address space, where the system has such a limit.
pub(super) fn set_memory() -> Result<()> {
    #[cfg(target_os = "linux")]
    lower(Resource::As, MEMORY_BYTES)?;
    Ok(())
}

fn lower(resource: Resource, wanted: u64) -> Result<()> {
    let most = getrlimit(resource)
        .maximum
        .map_or(wanted, |maximum| maximum.min(wanted));
    let limit = Rlimit {
        current: Some(most),
        maximum: Some(most),
    };
    Ok(setrlimit(resource, limit)?)
}
