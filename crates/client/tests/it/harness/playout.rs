//! The program as a process, and its outcome.

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

use super::{CLIP, PHOTO};

/// The program with a home, a folder to work in and an environment of its own.
pub(crate) struct Playout {
    home: TempDir,
    env: Vec<(String, String)>,
}

/// What a run left behind.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Playout {
    pub(crate) fn new() -> Self {
        let home = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(home.path().join("here/slides")).unwrap();
        let playout = Self {
            home,
            env: Vec::new(),
        };
        playout.put("clip.mp4", CLIP);
        playout.put("slides/1.jpg", PHOTO);
        playout.put("slides/2.jpg", PHOTO);
        playout
    }

    /// The same with a variable in the environment.
    pub(crate) fn env(mut self, name: &str, value: &str) -> Self {
        self.env.retain(|(known, _)| known != name);
        self.env.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The same without a variable.
    pub(crate) fn without(mut self, name: &str) -> Self {
        self.env.retain(|(known, _)| known != name);
        self
    }

    /// Whether a variable is in the environment.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.env.iter().any(|(known, _)| known == name)
    }

    /// The folder it works in.
    pub(crate) fn dir(&self) -> PathBuf {
        self.home.path().join("here")
    }

    /// The folder its settings are kept in.
    pub(crate) fn config(&self) -> PathBuf {
        self.home.path().join(".config/playout")
    }

    /// The folder its notes are kept in.
    pub(crate) fn state(&self) -> PathBuf {
        self.home.path().join(".local/state/playout")
    }

    /// Puts a file into the folder.
    pub(crate) fn put(&self, name: &str, bytes: &[u8]) {
        std::fs::write(self.dir().join(name), bytes).unwrap();
    }

    /// Puts a shell script into the folder; returns its path.
    pub(crate) fn program(&self, name: &str, script: &str) -> String {
        use std::os::unix::fs::PermissionsExt;
        let path = self.dir().join(name);
        std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        path.to_str().unwrap().to_owned()
    }

    /// A run that is not started yet.
    pub(crate) fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command
            .env_clear()
            .env("PATH", path_with_playout())
            .env("HOME", self.home.path())
            .env("TZ", "Europe/Berlin")
            .envs(self.env.iter().map(|(name, value)| (name, value)))
            .current_dir(self.dir())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// Runs it with these arguments.
    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        let mut command = self.command(PLAYOUT);
        Ran::of(&command.args(arguments).output().unwrap())
    }

    /// Runs it with text on standard input, which it may end without having read.
    pub(crate) fn run_reading(&self, input: &str, arguments: &[&str]) -> Ran {
        let mut command = self.command(PLAYOUT);
        let mut child = command.args(arguments).stdin(Stdio::piped()).spawn().unwrap();
        if let Err(e) = child.stdin.take().unwrap().write_all(input.as_bytes()) {
            assert_eq!(e.kind(), ErrorKind::BrokenPipe, "{e}");
        }
        Ran::of(&child.wait_with_output().unwrap())
    }

    /// Starts it and does not wait.
    pub(crate) fn spawn(&self, arguments: &[&str]) -> Child {
        self.command(PLAYOUT).args(arguments).spawn().unwrap()
    }

    /// Runs a line as a shell does.
    pub(crate) fn shell(&self, line: &str) -> Ran {
        let mut command = self.command("sh");
        Ran::of(&command.args(["-c", line]).output().unwrap())
    }

    /// Uploads a file; returns its media ID.
    pub(crate) fn upload(&self, file: &str) -> String {
        let media = self.run(&["media", "upload", file]).ok();
        media["media"][0]["id"].as_str().unwrap().to_owned()
    }

    /// A published post once it has its public page. One command waits for that for a few seconds, which a busy machine may exceed.
    pub(crate) fn with_page(&self, post: &str) -> Value {
        (0..60)
            .map(|_| self.run(&["posts", "watch", post]).ok()["root"].take())
            .find(|root| root["releaseUrl"].is_string())
            .expect("it has its page")
    }

    /// Saves a draft of the clip that could be published; returns its ID.
    pub(crate) fn draft(&self) -> String {
        self.draft_with("privacy_level=PUBLIC_TO_EVERYONE")
    }

    /// The same with this setting.
    pub(crate) fn draft_with(&self, setting: &str) -> String {
        let created = self.run(&[
            "posts",
            "create",
            "--draft",
            "--platform",
            "kitestudio",
            "--caption",
            "A draft of kites",
            "--media",
            "clip.mp4",
            "--setting",
            setting,
        ]);
        created.ok()["results"][0]["post"]["root"]["id"]
            .as_str()
            .unwrap()
            .to_owned()
    }
}

const PLAYOUT: &str = env!("CARGO_BIN_EXE_playout");

/// The system's programs, and this one before them.
fn path_with_playout() -> String {
    let folder = Path::new(PLAYOUT).parent().unwrap().display();
    format!("{folder}:/usr/local/bin:/usr/bin:/bin")
}

impl Ran {
    pub(crate) fn of(output: &Output) -> Self {
        Self {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// The document of a run that must have worked.
    #[track_caller]
    pub(crate) fn ok(&self) -> Value {
        assert_eq!((self.code, self.stderr.as_str()), (0, ""), "{self:#?}");
        self.json()
    }

    /// The one document on standard output.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:#?}"))
    }

    /// Asserts an exit code and an error's code; returns the error.
    #[track_caller]
    pub(crate) fn failed(&self, exit: i32, code: &str) -> Value {
        let error: Value =
            serde_json::from_str(&self.stderr).unwrap_or_else(|error| panic!("{error}: {self:#?}"));
        let error = error["error"].clone();
        assert_eq!(
            (self.code, error["code"].as_str()),
            (exit, Some(code)),
            "{self:#?}"
        );
        assert!(
            error["message"]
                .as_str()
                .is_some_and(|message| !message.is_empty()),
            "{self:#?}"
        );
        error
    }
}
