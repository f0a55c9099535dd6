//! Runs a program on a hostile file with next to no rights.
//!
//! The parent starts [`Launcher`]'s program, which is `playoutd` itself with a hidden command. That process calls
//! [`exec`]: it takes its own rights away and becomes the program. Nothing has to run between fork and exec, where only
//! unsafe code can.
//!
//! * resource limits: processor time, address space, descriptors, no files written, no core dump; a timer for wall time
//! * Landlock (Linux 5.13): reads the one input file and the system's libraries, writes nothing
//! * seccomp (Linux on x86-64 and AArch64): a list of allowed system calls, without sockets, new processes, signals to
//!   others, and opening for writing
//! * killed when its parent dies (Linux)
//!
//! Landlock and seccomp are used as far as the kernel has them; [`Launcher::gaps`] names what is missing.

#[cfg(target_os = "linux")]
mod files;
mod limits;
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod syscalls;

use std::ffi::{OsStr, OsString};
use std::io::Error;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// The name of the hidden command that calls [`exec`] or [`apply`].
pub const COMMAND: &str = "confine";

/// Starts programs confined. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Launcher {
    playoutd: PathBuf,
}

impl Launcher {
    /// A launcher whose program is the `playoutd` at a path.
    pub fn new(playoutd: PathBuf) -> Self {
        Self { playoutd }
    }

    /// A launcher whose program is the running one, also after its file was replaced.
    pub fn this_program() -> std::io::Result<Self> {
        let running = Path::new("/proc/self/exe");
        if cfg!(target_os = "linux") && running.exists() {
            return Ok(Self::new(running.to_owned()));
        }
        std::env::current_exe().map(Self::new)
    }

    /// Starts `program`, which may read `input` and run within `limits`. The caller adds the program's arguments, and
    /// waits on the thread that spawns the command: the program is killed when that thread ends.
    pub(crate) fn command(&self, program: &Path, input: Option<&Path>, limits: TimeLimits) -> Command {
        let mut command = self.bare();
        command.arg("--parent").arg(std::process::id().to_string());
        command
            .arg("--seconds")
            .arg(whole_seconds(limits.wall).to_string());
        command
            .arg("--processor-seconds")
            .arg(whole_seconds(limits.processor).to_string());
        if let Some(input) = input {
            command.arg("--input").arg(input);
        }
        command.arg("--").arg(program);
        command
    }

    /// What this system cannot keep from a confined program, a sentence each; empty where everything works. Runs a
    /// process, for about two milliseconds.
    pub fn gaps(&self) -> Result<Vec<String>, String> {
        let output = self.bare().stderr(Stdio::null()).output();
        let output =
            output.map_err(|error| format!("{} does not start: {error}", self.playoutd.display()))?;
        if !output.status.success() {
            return Err(format!("{} failed ({})", self.playoutd.display(), output.status));
        }
        let lines = String::from_utf8_lossy(&output.stdout);
        Ok(lines.lines().map(str::to_owned).collect())
    }

    fn bare(&self) -> Command {
        let mut command = Command::new(&self.playoutd);
        command
            .arg(COMMAND)
            .env_clear()
            .current_dir("/")
            .stdin(Stdio::null());
        command
    }
}

/// How long a program may run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TimeLimits {
    /// In all.
    pub(crate) wall: Duration,
    /// On the processor.
    pub(crate) processor: Duration,
}

/// What a confined program is given.
#[derive(Debug, Clone)]
pub struct Rights {
    /// The process that must be the parent; the program does not start when it has ended in the meantime.
    pub parent: Option<u32>,
    /// Limit of wall time; the program ends a second after it.
    pub seconds: u32,
    /// Limit of processor time, of all threads together.
    pub processor_seconds: u32,
    /// The file that may be read besides the system's libraries.
    pub input: Option<PathBuf>,
}

/// Takes all rights but `rights` from this process, and turns it into `program`. Returns only when that fails. The
/// process must have one thread, because the restrictions apply to threads.
pub fn exec(rights: &Rights, program: &OsStr, arguments: &[OsString]) -> Error {
    match apply(rights, Some(Path::new(program))) {
        Ok(_gaps) => Command::new(program).args(arguments).env_clear().exec(),
        Err(error) => error,
    }
}

/// Takes all rights but `rights` from this thread, and returns what the system could not take, a sentence each. With a
/// `program`, that one can be executed.
pub fn apply(rights: &Rights, program: Option<&Path>) -> std::io::Result<Vec<String>> {
    limits::die_with(rights.parent)?;
    limits::set(rights.seconds, rights.processor_seconds)?;
    let mut gaps = Vec::new();
    #[cfg(target_os = "linux")]
    if !files::restrict(rights.input.as_deref(), program)? {
        gaps.push(
            "it can read the files of this user: the kernel has no Landlock (Linux 5.13), or it is not enabled"
                .to_owned(),
        );
    }
    limits::set_memory()?;
    #[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
    let filtered = syscalls::restrict();
    #[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
    let filtered: Result<(), &str> = Err("this system has no filter that is supported");
    if let Err(error) = filtered {
        gaps.push(format!(
            "it can use the network and start processes: seccomp is not available ({error})"
        ));
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _only_on_linux = program;
        gaps.push("it can read and write the files of this user: this system has no Landlock".to_owned());
    }
    Ok(gaps)
}

/// Rounded up; at least one.
fn whole_seconds(time: Duration) -> u64 {
    time.as_millis()
        .div_ceil(1000)
        .max(1)
        .try_into()
        .unwrap_or(u64::MAX)
}
