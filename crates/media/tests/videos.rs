use std::path::Path;
use std::time::Duration;

use playout_domain::media::{MimeType, Probe};
use playout_media::{BlobReader, Inspected, Inspector, Poster, ProbeError};

use crate::fixtures::{Seen, asset, reader};

fn inspect_with(inspector: &Inspector, name: &str) -> Result<Inspected, ProbeError> {
    inspector.inspect(&mut BlobReader::open(&asset(name)).unwrap())
}

fn inspect(name: &str) -> Result<Inspected, ProbeError> {
    inspect_with(&Inspector::default(), name)
}

#[derive(Debug, PartialEq)]
struct Facts(MimeType, (u32, u32), u16, u64, &'static str, Option<&'static str>);

fn facts_of(inspected: &Inspected, wanted: &Facts) -> Facts {
    let Probe {
        width,
        height,
        duration_ms,
        rotation_degrees,
        video_codec,
        audio_codec,
        ..
    } = &inspected.probe;
    let video = if video_codec.as_deref() == Some(wanted.4) {
        wanted.4
    } else {
        "another"
    };
    let audio = if audio_codec.as_deref() == wanted.5 {
        wanted.5
    } else {
        Some("another")
    };
    Facts(
        inspected.mime,
        (width.unwrap(), height.unwrap()),
        *rotation_degrees,
        duration_ms.unwrap(),
        video,
        audio,
    )
}

#[test]
fn every_container_and_codec_is_read_as_it_is() {
    use MimeType::{Mp4, QuickTime, Webm};
    let lying = (320, 180);
    let cases = [
        ("h264-aac.mp4", Facts(Mp4, lying, 0, 2000, "h264", Some("aac"))),
        (
            "rotated.mp4",
            Facts(Mp4, (180, 320), 90, 2000, "h264", Some("aac")),
        ),
        ("fragmented.mp4", Facts(Mp4, lying, 0, 2000, "h264", Some("aac"))),
        ("hevc.mp4", Facts(Mp4, lying, 0, 1000, "h265", None)),
        ("mpeg4.mp4", Facts(Mp4, lying, 0, 1000, "mpeg4", None)),
        (
            "h264-pcm.mov",
            Facts(QuickTime, lying, 0, 1000, "h264", Some("pcm")),
        ),
        ("vp9-opus.webm", Facts(Webm, lying, 0, 2008, "vp9", Some("opus"))),
        ("vp8-live.webm", Facts(Webm, lying, 0, 1000, "vp8", None)),
    ];
    for (name, wanted) in cases {
        let inspected = inspect(name).unwrap();
        assert_eq!(facts_of(&inspected, &wanted), wanted, "{name}");
        let rate = inspected.probe.frame_rate.unwrap();
        assert!((rate - 30.0).abs() < 0.15, "{name}: {rate} pictures a second");
    }
}

#[test]
fn files_that_are_no_accepted_video_say_what_they_are() {
    let refusals = [
        ("h264.mkv", "the file is a Matroska (MKV) video; accepted are"),
        ("sound.m4a", "the file is a sound file (M4A); accepted are"),
        ("sound-only.mp4", "the MP4 file has no video track"),
    ];
    for (name, message) in refusals {
        let refused = inspect(name).unwrap_err();
        assert!(refused.to_string().starts_with(message), "{name}: {refused}");
        assert!(!refused.is_internal());
    }
}

#[test]
fn a_video_cut_anywhere_is_refused_with_a_reason() {
    for name in ["h264-aac.mp4", "h264-pcm.mov", "vp9-opus.webm"] {
        let whole = std::fs::read(asset(name)).unwrap();
        for length in [200, 900, whole.len() / 2, whole.len() - 1] {
            let refused = Inspector::default().inspect(&mut reader(whole[..length].to_vec()));
            assert!(
                matches!(&refused, Err(error) if !error.is_internal()),
                "{name} cut at {length}: {refused:?}"
            );
        }
    }
}

#[test]
fn an_uncompressed_sound_track_of_hours_costs_no_memory() {
    // The sample table claims four thousand million samples of one size: a parser that lists them takes 300 GB.
    let mut movie = std::fs::read(asset("h264-pcm.mov")).unwrap();
    let tables: Vec<usize> = movie
        .windows(4)
        .enumerate()
        .filter(|(_, kind)| kind == b"stsz")
        .map(|(at, _)| at)
        .collect();
    for table in tables {
        movie[table + 8..table + 16].copy_from_slice(&[0, 0, 0, 2, 0xFF, 0xFF, 0xFF, 0xFF]);
    }
    let inspected = Inspector::default().inspect(&mut reader(movie)).unwrap();
    assert_eq!(inspected.probe.width, Some(320));
}

#[test]
fn without_ffmpeg_a_video_gets_a_placeholder_of_its_shape() {
    let inspected = inspect("rotated.mp4").unwrap();
    assert_eq!(
        inspected.placeholder_because.as_deref(),
        Some("ffmpeg is not installed")
    );
    let seen = Seen::jpeg(&inspected.preview_jpeg);
    assert_eq!(seen.size(), (180, 320));
    assert_eq!(
        (inspected.probe.preview_width, inspected.probe.preview_height),
        (Some(180), Some(320))
    );
    assert!(
        seen.pixel(90, 160).iter().all(|channel| *channel > 200),
        "the triangle"
    );
    assert!(
        seen.pixel(10, 10).iter().all(|channel| *channel < 90),
        "the ground"
    );
    assert!(inspected.probe.blurhash.is_some());
}

/// The tests below draw with the installed ffmpeg; where there is none, the placeholder is all there is to see.
fn inspector() -> Option<Inspector> {
    Poster::detect().map(|poster| Inspector::new(Some(poster)))
}

#[test]
fn with_ffmpeg_a_video_shows_a_frame_of_itself_upright() {
    let Some(inspector) = inspector() else { return };
    for (name, size) in [
        ("h264-aac.mp4", (320, 180)),
        ("rotated.mp4", (180, 320)),
        ("vp9-opus.webm", (320, 180)),
    ] {
        let inspected = inspect_with(&inspector, name).unwrap();
        assert_eq!(inspected.placeholder_because, None, "{name}");
        let seen = Seen::jpeg(&inspected.preview_jpeg);
        assert_eq!(seen.size(), size, "{name}");
    }
    // The test picture has colour bars above and a grey ramp below; turned clockwise its top is at the right.
    let upright = Seen::jpeg(&inspect_with(&inspector, "h264-aac.mp4").unwrap().preview_jpeg);
    let turned = Seen::jpeg(&inspect_with(&inspector, "rotated.mp4").unwrap().preview_jpeg);
    for (x, y) in [(300, 20), (20, 160), (250, 100)] {
        let (was, is) = (upright.pixel(x, y), turned.pixel(179 - y, x));
        assert!(
            was.iter().zip(is).all(|(was, is)| was.abs_diff(is) < 40),
            "({x}, {y}): {was:?} became {is:?}"
        );
    }
}

/// Longer than any of these programs takes on a busy machine.
const PATIENT: Duration = Duration::from_secs(120);

/// A program that stands in for ffmpeg.
fn impostor(script: &str, time_limit: Duration) -> (tempfile::TempDir, Inspector) {
    use std::os::unix::fs::PermissionsExt;
    let directory = tempfile::tempdir().unwrap();
    let program = directory.path().join("ffmpeg");
    std::fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let poster = Poster::at(program).with_time_limit(time_limit);
    (directory, Inspector::new(Some(poster)))
}

#[test]
fn an_ffmpeg_that_hangs_is_killed_and_the_video_accepted() {
    let (_directory, inspector) = impostor("while :; do :; done", Duration::from_millis(300));
    let inspected = inspect_with(&inspector, "hevc.mp4").unwrap();
    assert_eq!(
        inspected.placeholder_because.as_deref(),
        Some("ffmpeg took longer than 0.3 s")
    );
    assert_eq!(inspected.probe.preview_width, Some(320));
}

#[test]
fn what_ffmpeg_started_is_killed_with_it() {
    let script = "sleep 60 & echo $! > \"$0.pid\"; sleep 60";
    // Long enough for a busy machine to begin the script.
    let (directory, inspector) = impostor(script, Duration::from_secs(5));
    inspect_with(&inspector, "hevc.mp4").unwrap();
    let pid = std::fs::read_to_string(directory.path().join("ffmpeg.pid")).unwrap();
    // A process that was killed has no command line, also while nothing has collected it yet.
    let is_there = || {
        std::fs::read_to_string(format!("/proc/{}/cmdline", pid.trim())).is_ok_and(|line| !line.is_empty())
    };
    for _ in 0..PATIENT.as_millis() / 10 {
        if !is_there() {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("process {pid} goes on");
}

#[test]
fn an_ffmpeg_that_closes_its_output_and_goes_on_is_killed() {
    let (_directory, inspector) = impostor("exec >&-; exec sleep 60", Duration::from_millis(300));
    let inspected = inspect_with(&inspector, "hevc.mp4").unwrap();
    assert_eq!(
        inspected.placeholder_because.as_deref(),
        Some("ffmpeg took longer than 0.3 s")
    );
}

#[test]
fn a_video_of_an_unlisted_codec_gets_a_placeholder_and_its_decoder_does_not_run() {
    let Some(inspector) = inspector() else { return };
    for name in ["cinepak.mov", "qtrle.mov", "exr.mov"] {
        let because = inspect_with(&inspector, name).unwrap().placeholder_because;
        assert!(
            because
                .as_ref()
                .is_some_and(|because| because.starts_with("ffmpeg drew no picture")),
            "{name}: {because:?}"
        );
    }
}

#[test]
fn every_listed_codec_is_drawn() {
    let Some(inspector) = inspector() else { return };
    for name in [
        "h264-pcm.mov",
        "hevc.mp4",
        "mpeg4.mp4",
        "prores.mov",
        "av1.mp4",
        "vp8-live.webm",
        "vp9-opus.webm",
    ] {
        let inspected = inspect_with(&inspector, name).unwrap();
        assert_eq!(inspected.placeholder_because, None, "{name}");
    }
}

#[test]
fn a_playlist_is_rejected_and_nothing_that_it_names_is_opened() {
    let Some(inspector) = inspector() else { return };
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let address = listener.local_addr().unwrap();
    let clip = asset("h264-aac.mp4");
    for text in [
        format!("#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nhttp://{address}/a.ts\n#EXT-X-ENDLIST\n"),
        format!("ffconcat version 1.0\nfile '{}'\n", clip.display()),
        format!("ffconcat version 1.0\nfile 'http://{address}/a.mp4'\n"),
    ] {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), &text).unwrap();
        let mut reader = BlobReader::open(file.path()).unwrap();
        assert!(inspector.inspect(&mut reader).is_err(), "{text}");
        assert!(inspector.early_poster(file.path()).is_none(), "{text}");
    }
    let error = listener.accept().unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::WouldBlock);
}

#[test]
fn an_ffmpeg_that_fails_or_draws_too_much_leaves_a_placeholder() {
    for script in ["exit 3", "head -c 900000 /dev/zero", "exec /nowhere/to/be/found"] {
        let (_directory, inspector) = impostor(script, PATIENT);
        let because = inspect_with(&inspector, "hevc.mp4")
            .unwrap()
            .placeholder_because
            .unwrap();
        assert!(
            because.starts_with("ffmpeg drew no picture"),
            "{script}: {because}"
        );
    }
}

#[test]
fn ffmpeg_runs_without_our_environment() {
    let (directory, inspector) = impostor("env > \"$0.env\"; exit 1", PATIENT);
    inspect_with(&inspector, "hevc.mp4").unwrap();
    let told = std::fs::read_to_string(directory.path().join("ffmpeg.env")).unwrap();
    assert!(!told.contains("CARGO_MANIFEST_DIR"), "{told}");
}

#[test]
fn a_poster_drawn_from_the_beginning_of_a_video_is_the_one_drawn_from_all_of_it() {
    let Some(inspector) = inspector() else { return };
    let clip = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/demo/clip.mp4");
    let bytes = std::fs::read(clip).unwrap();
    let beginning = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(beginning.path(), &bytes[..bytes.len() * 2 / 3]).unwrap();
    let early = inspector.early_poster(beginning.path());
    assert!(early.is_some(), "its index stands before its samples");
    let mut whole = BlobReader::open(Path::new(clip)).unwrap();
    assert_eq!(
        inspector.inspect_with(&mut whole, early).unwrap(),
        inspector.inspect(&mut whole).unwrap()
    );
}

#[test]
fn what_cannot_be_drawn_early_is_left_for_later() {
    let Some(inspector) = inspector() else { return };
    for (name, bytes) in [("vp9-opus.webm", 2000), ("h264-aac.mp4", 20), ("h264-aac.mp4", 0)] {
        let beginning = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(beginning.path(), &std::fs::read(asset(name)).unwrap()[..bytes]).unwrap();
        assert!(inspector.early_poster(beginning.path()).is_none(), "{name}");
    }
    assert!(inspector.early_poster(Path::new("/nowhere")).is_none());
}
