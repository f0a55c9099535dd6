//! The limits of a video file.

use std::ops::RangeInclusive;

use playout_domain::error::{IssueCode, Violation};
use playout_domain::media::{Media, Probe};

use crate::sizes::{VideoLimits, megabytes};

/// Pixels of each side of a video.
const VIDEO_SIDE: RangeInclusive<u32> = 360..=4096;
/// Pictures a second. Measured rates scatter around the nominal 23.976, 59.94 and 60.
const FRAME_RATE: RangeInclusive<f64> = 22.95..=60.05;
const CODECS: [&str; 4] = ["h264", "h265", "vp8", "vp9"];

/// Everything about `video` that the provider would refuse, given what it takes.
pub(super) fn problems(video: &Media, limits: VideoLimits) -> Vec<Violation> {
    let empty = Probe::default();
    let probe = video.probe.as_ref().unwrap_or(&empty);
    [
        video
            .size_bytes
            .filter(|size| *size > limits.max_bytes)
            .map(|size| {
                let most = limits.max_bytes / 1_000_000_000;
                IssueCode::Range.with(format!("must be at most {most} GB; it has {}", megabytes(size)))
            }),
        side_problem(probe),
        codec_problem(probe),
        rate_problem(probe),
        limits.least_secs.and_then(|secs| shortness_problem(probe, secs)),
        limits.longest_secs.and_then(|secs| duration_problem(probe, secs)),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn side_problem(probe: &Probe) -> Option<Violation> {
    let (width, height) = (probe.width?, probe.height?);
    let fits = VIDEO_SIDE.contains(&width) && VIDEO_SIDE.contains(&height);
    (!fits).then(|| {
        IssueCode::Range.with(format!(
            "must be 360 to 4096 pixels wide and high; it is {width}×{height}"
        ))
    })
}

fn codec_problem(probe: &Probe) -> Option<Violation> {
    let codec = probe.video_codec.as_deref()?;
    let known = CODECS.iter().any(|known| known.eq_ignore_ascii_case(codec));
    (!known).then(|| {
        IssueCode::NotSupported.with(format!(
            "must be encoded as H.264, H.265, VP8 or VP9; it is {codec}"
        ))
    })
}

fn rate_problem(probe: &Probe) -> Option<Violation> {
    let rate = probe.frame_rate?;
    (!FRAME_RATE.contains(&rate))
        .then(|| IssueCode::Range.with(format!("must have 23 to 60 pictures a second; it has {rate:.2}")))
}

fn shortness_problem(probe: &Probe, least_secs: u64) -> Option<Violation> {
    let millis = probe.duration_ms?;
    (millis < least_secs.saturating_mul(1000)).then(|| {
        let tenths = millis / 100;
        IssueCode::Range.with(format!(
            "must be at least {least_secs} s long; it is {}.{} s",
            tenths / 10,
            tenths % 10
        ))
    })
}

fn duration_problem(probe: &Probe, longest_secs: u64) -> Option<Violation> {
    let millis = probe.duration_ms?;
    (millis > longest_secs.saturating_mul(1000)).then(|| {
        let tenths = millis.div_ceil(100);
        IssueCode::Range.with(format!(
            "must be at most {longest_secs} s long; it is {}.{} s",
            tenths / 10,
            tenths % 10
        ))
    })
}
