//! What a program that `playoutd confine` executes can do. Programs of the system replace `ffmpeg`.

use std::net::{TcpListener, UdpSocket};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use playout_media::confine::Launcher;

const PLAYOUTD: &str = env!("CARGO_BIN_EXE_playoutd");

/// A data directory with a database, a secret and an upload.
fn data() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for name in ["playout.db", "secret.key", "upload.mp4"] {
        std::fs::write(dir.path().join(name), format!("this is {name}")).unwrap();
    }
    dir
}

/// Runs a command line confined, with the upload in `dir` as its input and a secret in the environment; `None` on a
/// system that cannot confine in full.
fn confined(dir: &Path, command: &[&str]) -> Option<Output> {
    if !Launcher::new(PLAYOUTD.into()).gaps().unwrap().is_empty() {
        return None;
    }
    let output = Command::new(PLAYOUTD)
        .arg("confine")
        .args(["--parent", &std::process::id().to_string()])
        .args(["--seconds", "7", "--processor-seconds", "3"])
        .arg("--input")
        .arg(dir.join("upload.mp4"))
        .arg("--")
        .args(command)
        .current_dir(dir)
        .env("PLAYOUT_SECRET_KEY", "hunter2")
        .stdin(Stdio::null())
        .output();
    Some(output.unwrap())
}

/// Whether a line of bash succeeds, whose built-in commands need no other process.
fn succeeds(dir: &Path, line: &str) -> Option<bool> {
    Some(confined(dir, &["/bin/bash", "-c", line])?.status.success())
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn a_confined_program_reads_its_input_and_no_other_file() {
    let dir = data();
    let path = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    let Some(output) = confined(dir.path(), &["/bin/cat", &path("upload.mp4")]) else {
        return;
    };
    assert_eq!(stdout(&output), "this is upload.mp4");
    for other in [
        &path("playout.db"),
        &path("secret.key"),
        "/etc/passwd",
        "/proc/self/environ",
        PLAYOUTD,
    ] {
        let output = confined(dir.path(), &["/bin/cat", other]).unwrap();
        assert!(!output.status.success(), "{other}");
        assert_eq!(stdout(&output), "", "{other}");
    }
    let listed = confined(dir.path(), &["/bin/ls", dir.path().to_str().unwrap()]).unwrap();
    assert_eq!(stdout(&listed), "");
}

#[test]
fn a_confined_program_changes_no_file() {
    let dir = data();
    for command in [
        vec!["/bin/bash", "-c", "echo new > new"],
        vec!["/bin/bash", "-c", "echo more >> upload.mp4"],
        vec!["/bin/bash", "-c", "echo new > /tmp/playout-confine-test"],
        vec!["/bin/rm", "-f", "playout.db"],
        vec!["/bin/mv", "playout.db", "other.db"],
        vec!["/bin/chmod", "000", "playout.db"],
        vec!["/usr/bin/truncate", "-s", "0", "upload.mp4"],
        vec!["/bin/ln", "playout.db", "link"],
        vec!["/bin/mkdir", "directory"],
        vec!["/usr/bin/touch", "-d", "2001-01-01", "playout.db"],
    ] {
        let Some(output) = confined(dir.path(), &command) else {
            return;
        };
        assert!(!output.status.success(), "{command:?}");
    }
    let mut names: Vec<_> = std::fs::read_dir(dir.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, ["playout.db", "secret.key", "upload.mp4"]);
    for name in names {
        let text = std::fs::read_to_string(dir.path().join(&name)).unwrap();
        assert_eq!(text, format!("this is {name}"));
    }
    assert!(!Path::new("/tmp/playout-confine-test").exists());
}

#[test]
fn a_confined_program_has_no_network() {
    let dir = data();
    let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
    tcp.set_nonblocking(true).unwrap();
    let udp = UdpSocket::bind("127.0.0.1:0").unwrap();
    udp.set_nonblocking(true).unwrap();
    let line = format!("exec 3<>/dev/tcp/127.0.0.1/{}", tcp.local_addr().unwrap().port());
    let Some(connects) = succeeds(dir.path(), &line) else {
        return;
    };
    assert!(!connects);
    let port = udp.local_addr().unwrap().port();
    let line = format!("echo hello > /dev/udp/127.0.0.1/{port}");
    assert_eq!(succeeds(dir.path(), &line), Some(false));
    assert_eq!(tcp.accept().unwrap_err().kind(), std::io::ErrorKind::WouldBlock);
    assert_eq!(
        udp.recv(&mut [0; 8]).unwrap_err().kind(),
        std::io::ErrorKind::WouldBlock
    );
}

#[test]
fn a_confined_program_starts_no_process_and_sends_no_signal_to_others() {
    let dir = data();
    let Some(forks) = succeeds(dir.path(), "( : )") else {
        return;
    };
    assert!(!forks);
    let us = std::process::id();
    assert_eq!(succeeds(dir.path(), &format!("kill -0 {us}")), Some(false));
    assert_eq!(succeeds(dir.path(), "kill -0 0"), Some(false));
    assert_eq!(succeeds(dir.path(), "kill -0 $$"), Some(true), "itself");
}

#[test]
fn a_confined_program_has_limits_and_an_empty_environment() {
    let dir = data();
    let Some(output) = confined(dir.path(), &["/usr/bin/env"]) else {
        return;
    };
    assert!(output.status.success());
    assert_eq!(stdout(&output), "");
    let line = "for limit in t v n f c; do ulimit -H -$limit; done";
    let limits = confined(dir.path(), &["/bin/bash", "-c", line]).unwrap();
    assert_eq!(stdout(&limits), "3\n2097152\n64\n0\n0\n");
}

#[test]
fn a_program_whose_parent_died_before_it_was_confined_is_not_started() {
    let output = Command::new(PLAYOUTD)
        .args(["confine", "--parent", "1", "--", "/bin/echo", "started"])
        .output()
        .unwrap();
    assert!(!output.status.success());
    assert_eq!(stdout(&output), "");
}

#[test]
fn check_reports_whether_ffmpeg_runs_confined() {
    let dir = tempfile::tempdir().unwrap();
    let check = |path: &str| {
        let mut command = Command::new(PLAYOUTD);
        command.args(["check", "--data-dir"]).arg(dir.path());
        stdout(&command.env_clear().env("PATH", path).output().unwrap())
    };
    let without = check("/nowhere");
    assert!(
        without.contains("\nffmpeg: not installed, videos get a placeholder\n"),
        "{without}"
    );
    let broken = dir.path().join("ffmpeg");
    std::fs::copy("/bin/false", broken).unwrap();
    let broken = check(dir.path().to_str().unwrap());
    assert!(
        broken.contains("ffmpeg, videos get a placeholder: ffmpeg does not run (exit status: 1)"),
        "{broken}"
    );
    if Path::new("/usr/bin/ffmpeg").exists() {
        let found = check("/usr/bin");
        assert!(found.contains("\nffmpeg: /usr/bin/ffmpeg, confined"), "{found}");
    }
}
