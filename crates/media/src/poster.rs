//! A picture out of a video, by the `ffmpeg` that may be installed beside us.
//!
//! Decoders of video are large and hostile input finds their faults, so they run in a process of their own: without
//! our environment (it holds secrets), with limits on memory and processor time, after everything else that wants a
//! processor, told which container to expect (so that no playlist makes it open other files), with no protocol but
//! files, and killed when it takes too long.

use std::ffi::{OsStr, OsString};
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use playout_domain::media::MimeType;

use crate::raster::Raster;

/// How long drawing one poster may take.
const TIME_LIMIT: Duration = Duration::from_secs(15);
/// Address space in KiB: a 4K HEVC decoder with one thread takes a quarter of it.
const MEMORY_LIMIT_KIB: u32 = 2 << 20;
/// A picture can wait; what is being received or published meanwhile cannot.
const NICENESS: u8 = 10;
/// Many videos begin in black; this far in, few are.
const POSTER_AT_MS: u64 = 1000;

/// An installed `ffmpeg`.
#[derive(Debug, Clone)]
pub struct Poster {
    program: PathBuf,
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
        programs.find(|program| is_executable(program)).map(Self::at)
    }

    /// The `ffmpeg` at a path that the operator chose.
    pub fn at(program: PathBuf) -> Self {
        Self {
            program,
            time_limit: TIME_LIMIT,
        }
    }

    /// The same, giving up after `time_limit`.
    pub fn with_time_limit(self, time_limit: Duration) -> Self {
        Self { time_limit, ..self }
    }

    /// A frame near the beginning of the video at `path`, upright, scaled to `size`. Blocks until it is drawn or the
    /// time is up; the error says in a few words why there is none.
    pub(crate) fn draw(&self, path: &Path, video: PosterOf) -> Result<Raster, String> {
        let (width, height) = video.size;
        let wanted = width as usize * height as usize * 3;
        let mut child = self
            .start(path, video)
            .map_err(|error| format!("ffmpeg did not start: {error}"))?;
        let rgb = child
            .stdout
            .take()
            .and_then(|output| receive(output, wanted, self.time_limit));
        let is_done = rgb.is_some();
        let status = end(&mut child, is_done)?;
        match rgb {
            None => Err(format!(
                "ffmpeg took longer than {} s",
                self.time_limit.as_secs_f32()
            )),
            Some(rgb) if rgb.len() == wanted => Ok(Raster { width, height, rgb }),
            Some(_) => Err(format!("ffmpeg drew no picture ({status})")),
        }
    }

    fn start(&self, path: &Path, video: PosterOf) -> std::io::Result<Child> {
        let limits = format!(
            "ulimit -c 0; ulimit -v {MEMORY_LIMIT_KIB}; ulimit -t {}; \
             exec $(command -v nice >/dev/null && echo nice -n {NICENESS}) \"$@\"",
            self.time_limit.as_secs().max(1)
        );
        Command::new("sh")
            .args(["-c", &limits, "sh"])
            .arg(&self.program)
            .args(arguments(path, video))
            .env_clear()
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
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
        "file,pipe",
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

/// All that `output` gives, but not more than a little over `wanted` bytes; `None` if that takes too long.
fn receive(output: ChildStdout, wanted: usize, time_limit: Duration) -> Option<Vec<u8>> {
    let (send, received) = mpsc::channel();
    // Ends when the child does, which happens at the latest when `end` kills it.
    std::thread::spawn(move || {
        let mut rgb = Vec::with_capacity(wanted + 1);
        let read = output.take(wanted as u64 + 1).read_to_end(&mut rgb);
        // Nobody listens any more once the time is up.
        drop(send.send(read.map(|_| rgb).unwrap_or_default()));
    });
    received.recv_timeout(time_limit).ok()
}

/// Waits for the child, after killing it if it is not done by itself, so that no zombie stays.
fn end(child: &mut Child, is_done: bool) -> Result<std::process::ExitStatus, String> {
    if !is_done {
        child
            .kill()
            .map_err(|error| format!("ffmpeg could not be stopped: {error}"))?;
    }
    child.wait().map_err(|error| format!("ffmpeg was lost: {error}"))
}
