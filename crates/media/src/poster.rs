//! A picture out of a video, by the `ffmpeg` that may be installed beside us.
//!
//! Decoders of video are large and hostile input finds their faults. So `ffmpeg` is given the one container and the few
//! decoders that videos for publishing use, reads no address but the file, runs in a process group that is killed when
//! it takes too long, without our environment (it holds secrets), and confined as [`crate::confine`] describes.

use std::ffi::{OsStr, OsString};
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use playout_domain::media::MimeType;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use crate::confine::{Launcher, TimeLimits};
use crate::raster::Raster;

/// How long drawing one poster may take.
const TIME_LIMIT: Duration = Duration::from_secs(15);
/// How much of it the processor may work: a second of 4K takes half of that. A file can be made to take any time.
const PROCESSOR_LIMIT: Duration = Duration::from_secs(4);
/// Many videos begin in black; this far in, few are.
const POSTER_AT_MS: u64 = 1000;
/// The decoders that may run, by the names that `ffmpeg` has for H.264, HEVC, VP8, VP9, AV1, MPEG-4 and ProRes.
const DECODERS: &str = "h264,hevc,vp8,libvpx,vp9,libvpx-vp9,av1,libdav1d,libaom-av1,mpeg4,prores";
/// More than `ffmpeg -version` prints.
const VERSION_BYTES: usize = 64 << 10;
/// The demuxers that may run; which of them does is known beforehand.
const DEMUXERS: &str = "mov,matroska";

/// An installed `ffmpeg`.
#[derive(Debug, Clone)]
pub struct Poster {
    program: PathBuf,
    launcher: Option<Launcher>,
    time_limit: Duration,
}

impl Poster {
    /// Looks for `ffmpeg` on the search path; `None` if there is none. Does not run it: that costs a tenth of a second,
    /// and one that does not run shows when the first poster becomes a placeholder. Call it once, at the start.
    pub fn detect() -> Option<Self> {
        #[expect(
            clippy::disallowed_methods,
            reason = "the search path is the system's, not a setting of ours"
        )]
        let path = std::env::var_os("PATH")?;
        let mut programs = std::env::split_paths(&path).map(|directory| directory.join("ffmpeg"));
        let program = programs.find(|program| is_executable(program))?;
        std::path::absolute(program).ok().map(Self::at)
    }

    /// The `ffmpeg` at a path that the operator chose.
    pub fn at(program: PathBuf) -> Self {
        Self {
            program,
            launcher: None,
            time_limit: TIME_LIMIT,
        }
    }

    /// The same, giving up after `time_limit`.
    pub fn with_time_limit(self, time_limit: Duration) -> Self {
        Self { time_limit, ..self }
    }

    /// The same, confined. Without it `ffmpeg` has all rights of this process and no limit but that of time.
    pub fn confined_by(self, launcher: Launcher) -> Self {
        Self {
            launcher: Some(launcher),
            ..self
        }
    }

    /// Where it is installed.
    pub fn program(&self) -> &Path {
        &self.program
    }

    /// What this system cannot keep from `ffmpeg`, a sentence each; empty where it is confined in full. Runs a process
    /// for about two milliseconds.
    pub fn gaps(&self) -> Result<Vec<String>, String> {
        match &self.launcher {
            Some(launcher) => launcher.gaps(),
            None => Ok(vec!["it is not confined".to_owned()]),
        }
    }

    /// Runs `ffmpeg -version`, confined, to see whether it starts. Takes about a tenth of a second.
    pub fn try_out(&self) -> Result<(), String> {
        let mut command = self.command(None);
        command.arg("-version");
        let (_version, status) = self.run(command, VERSION_BYTES)?;
        status
            .success()
            .then_some(())
            .ok_or_else(|| format!("ffmpeg does not run ({status})"))
    }

    /// A frame near the beginning of the video at `path`, upright, scaled to `size`. Blocks until it is drawn or the
    /// time is up; the error explains in a few words why there is none.
    pub(crate) fn draw(&self, path: &Path, video: PosterOf) -> Result<Raster, String> {
        let (width, height) = video.size;
        let wanted = width as usize * height as usize * 3;
        let path = std::path::absolute(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let mut command = self.command(Some(&path));
        command.args(arguments(&path, video));
        match self.run(command, wanted)? {
            (rgb, _) if rgb.len() == wanted => Ok(Raster { width, height, rgb }),
            (_, status) => Err(format!("ffmpeg drew no picture ({status})")),
        }
    }

    fn command(&self, input: Option<&Path>) -> Command {
        match &self.launcher {
            Some(launcher) => {
                let limits = TimeLimits {
                    wall: self.time_limit,
                    processor: self.time_limit.min(PROCESSOR_LIMIT),
                };
                launcher.command(&self.program, input, limits)
            }
            None => Command::new(&self.program),
        }
    }

    /// What `command` writes, up to a byte more than `wanted`, and how it ended. Its process group is gone afterwards.
    fn run(&self, mut command: Command, wanted: usize) -> Result<(Vec<u8>, ExitStatus), String> {
        let mut child = command
            .env_clear()
            .process_group(0)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("ffmpeg did not start: {error}"))?;
        let group = Pid::from_child(&child);
        let output = child.stdout.take();
        let received = output.and_then(|output| receive(output, group, wanted, self.time_limit));
        // Nothing is left where the child ended by itself. Its number is not given away before `wait`.
        let _already_gone = kill_process_group(group, Signal::KILL);
        let status = child
            .wait()
            .map_err(|error| format!("ffmpeg was lost: {error}"))?;
        let limit = self.time_limit.as_secs_f32();
        received
            .map(|rgb| (rgb, status))
            .ok_or_else(|| format!("ffmpeg took longer than {limit} s"))
    }
}

fn is_executable(program: &Path) -> bool {
    std::fs::metadata(program).is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

/// What [`Poster::draw`] must know of a video.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PosterOf {
    pub(crate) mime: MimeType,
    /// The poster's, in pixels.
    pub(crate) size: (u32, u32),
    pub(crate) duration_ms: Option<u64>,
}

fn arguments(path: &Path, video: PosterOf) -> Vec<OsString> {
    let demuxer = if video.mime == MimeType::Webm {
        "matroska"
    } else {
        "mov"
    };
    let at_ms = video
        .duration_ms
        .map_or(0, |duration| POSTER_AT_MS.min(duration / 3));
    let at = format!("{}.{:03}", at_ms / 1000, at_ms % 1000);
    let scale = format!("scale={}:{}:flags=area", video.size.0, video.size.1);
    let input = [OsStr::new("file:"), path.as_os_str()]
        .into_iter()
        .collect::<OsString>();
    let before = [
        "-nostdin",
        "-v",
        "quiet",
        "-threads",
        "1",
        "-protocol_whitelist",
        "file",
        "-format_whitelist",
        DEMUXERS,
        "-codec_whitelist",
        DECODERS,
        "-an",
        "-sn",
        "-dn",
        "-f",
        demuxer,
    ];
    let after = [
        "-map",
        "0:V:0",
        "-frames:v",
        "1",
        "-vf",
        &scale,
        "-pix_fmt",
        "rgb24",
        "-f",
        "rawvideo",
        "pipe:1",
    ];
    let seek = ["-ss", &at, "-i"];
    before
        .into_iter()
        .chain(seek)
        .map(OsString::from)
        .chain([input])
        .chain(after.map(OsString::from))
        .collect()
}

/// All that `output` gives, but not more than a byte over `wanted`, once the process that writes it has ended; `None` if
/// that takes too long. Leaves the process to be waited for.
fn receive(output: ChildStdout, process: Pid, wanted: usize, time_limit: Duration) -> Option<Vec<u8>> {
    let (send, received) = mpsc::channel();
    // Ends when the process does, which is killed at the latest when the time is up.
    std::thread::spawn(move || {
        let mut rgb = Vec::with_capacity(wanted + 1);
        let read = output.take(wanted as u64 + 1).read_to_end(&mut rgb);
        // A process can close its output and go on.
        let _status = waitid(
            WaitId::Pid(process),
            WaitIdOptions::EXITED | WaitIdOptions::NOWAIT,
        );
        // The receiver is gone once the time is up.
        drop(send.send(read.map(|_| rgb).unwrap_or_default()));
    });
    received.recv_timeout(time_limit).ok()
}
