//! `confine`, the hidden command that starts `ffmpeg`, and the reports of `serve` and `check` about it.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use playout_media::Poster;
use playout_media::confine::{self, Rights};

use super::print::say;
use crate::app::App;
use crate::open_error::OpenError;

/// The arguments of `playout_media::confine::Launcher`.
#[derive(Debug, clap::Args)]
pub(super) struct Options {
    /// The process that must be the parent.
    #[arg(long)]
    parent: Option<u32>,
    /// Limit of wall time.
    #[arg(long, default_value = "15")]
    seconds: u32,
    /// Limit of processor time.
    #[arg(long, default_value = "4")]
    processor_seconds: u32,
    /// The one file that may be read.
    #[arg(long)]
    input: Option<PathBuf>,
    /// The program and its arguments; without it, prints the restrictions that this system lacks.
    #[arg(last = true)]
    command: Vec<OsString>,
}

/// Replaces this process with the program. Must run before any thread is started.
pub(super) fn run(options: Options) -> Result<ExitCode, OpenError> {
    let rights = Rights {
        parent: options.parent,
        seconds: options.seconds,
        processor_seconds: options.processor_seconds,
        input: options.input,
    };
    let Some((program, arguments)) = options.command.split_first() else {
        for gap in confine::apply(&rights, None)? {
            say(gap);
        }
        return Ok(ExitCode::SUCCESS);
    };
    let error = confine::exec(&rights, program, arguments);
    Err(format!("{} cannot be run confined: {error}", program.display()).into())
}

/// Logs, once, the restrictions for `ffmpeg` that this system lacks.
pub(super) fn warn_of_gaps(app: &App) {
    let Some(poster) = app.inspector.poster() else {
        return;
    };
    match poster.gaps() {
        Ok(gaps) if gaps.is_empty() => {}
        Ok(gaps) => tracing::warn!("ffmpeg is confined in part only: {}", gaps.join("; ")),
        Err(error) => tracing::warn!("videos get a placeholder, because ffmpeg cannot be confined: {error}"),
    }
}

/// Prints whether `ffmpeg` runs, and how it is confined.
pub(super) fn check(poster: Option<&Poster>) {
    let Some(poster) = poster else {
        return say("ffmpeg: not installed, videos get a placeholder");
    };
    let confined = poster
        .try_out()
        .and_then(|()| poster.gaps())
        .map(|gaps| match gaps.as_slice() {
            [] => "confined".to_owned(),
            gaps => format!("confined in part only: {}", gaps.join("; ")),
        });
    let found = confined.unwrap_or_else(|error| format!("videos get a placeholder: {error}"));
    say(format!("ffmpeg: {}, {found}", poster.program().display()));
}
