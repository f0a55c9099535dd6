//! The program `playoutd` as an operator uses it (`docs/contract.md#commands`).

mod administration;

use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

use crate::harness::{Client, Playoutd, Start, real_simulator, secret};

/// `playoutd` in an empty environment, working in `dir`.
fn playoutd(dir: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_playoutd"));
    command
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .current_dir(dir)
        .args(arguments)
        .stdin(Stdio::null());
    command
}

fn run(dir: &Path, arguments: &[&str]) -> Output {
    playoutd(dir, arguments).output().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// What a command that must succeed prints.
#[track_caller]
fn printed(dir: &Path, arguments: &[&str]) -> String {
    let output = run(dir, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
    stdout(&output)
}

/// The one JSON object that an admin command prints.
#[track_caller]
fn admin(dir: &Path, arguments: &[&str]) -> Value {
    let text = printed(dir, &[&["admin"], arguments, &["--json"]].concat());
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// Asserts that a command fails with one sentence about `what`, and prints no answer.
#[track_caller]
fn fails(output: &Output, what: &str) {
    assert_eq!(output.status.code(), Some(1), "{}", stderr(output));
    let said = stderr(output);
    let sentence = said.split_once("playoutd: ").map(|(_, sentence)| sentence);
    assert!(sentence.is_some_and(|sentence| sentence.contains(what)), "{said}");
}

#[test]
fn check_shows_every_setting_with_its_origin_and_masks_secrets() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(
        dir.path().join("playout.toml"),
        "log = \"debug\"\nlisten = \"127.0.0.1:9001\"\nbase_url = \"http://file.example\"\n",
    )
    .unwrap();
    let output = playoutd(dir.path(), &["check", "--base-url", "http://flag.example"])
        .env("PLAYOUT_BASE_URL", "http://environment.example")
        .env("PLAYOUT_LISTEN", "127.0.0.1:9002")
        .env("PLAYOUT_TIKTOK_CLIENT_KEY", "app")
        .env("PLAYOUT_TIKTOK_CLIENT_SECRET", "hunter2")
        .env(
            "PLAYOUT_SECRET_KEY",
            "KioqKioqKioqKioqKioqKioqKioqKioqKioqKioqKio=",
        )
        .env("PLAYOUT_LLM_API_KEY", "hunter2")
        .env("PLAYOUT_SMTP_URL", "smtp://app:hunter2@mail.example:587")
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let (shown, said) = (stdout(&output), stderr(&output));
    for (setting, value, origin) in [
        ("base_url", "http://flag.example", "flag"),
        ("listen", "127.0.0.1:9002", "environment"),
        ("log", "debug", "playout.toml"),
        ("data_dir", "./data", "default"),
        ("secret_key", "********", "environment"),
        ("tiktok_client_secret", "********", "environment"),
    ] {
        let line = shown
            .lines()
            .find(|line| line.starts_with(&format!("{setting} ")))
            .unwrap();
        assert!(line.contains(value) && line.contains(origin), "{line}");
    }
    for secret in ["hunter2", "KioqKio"] {
        assert!(!shown.contains(secret) && !said.contains(secret), "{shown}{said}");
    }
    assert!(shown.contains("secret key: ok"), "{shown}");
}

#[test]
fn a_bad_setting_fails_with_its_name() {
    let dir = tempfile::tempdir().unwrap();
    for task in [&["check"][..], &["serve"], &["migrate"], &["demo", "--once"]] {
        fails(
            &run(dir.path(), &[task, &["--listen", "nowhere"]].concat()),
            "listen",
        );
    }
    std::fs::write(dir.path().join("playout.toml"), "lisen = \"127.0.0.1:1\"\n").unwrap();
    fails(&run(dir.path(), &["check"]), "lisen");
    std::fs::write(dir.path().join("playout.toml"), "listen = \n").unwrap();
    fails(&run(dir.path(), &["check"]), "playout.toml");
    std::fs::write(dir.path().join("playout.toml"), b"log = \"\xff\"\n").unwrap();
    fails(&run(dir.path(), &["check"]), "playout.toml");
}

#[test]
fn a_database_that_does_not_answer_is_named_without_its_password() {
    let dir = tempfile::tempdir().unwrap();
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let url = format!("postgres://app:hunter2@{closed}/playout");
    let output = run(dir.path(), &["check", "--database-url", &url]);
    assert_eq!(output.status.code(), Some(1));
    let all = format!("{}{}", stdout(&output), stderr(&output));
    assert!(!all.contains("hunter2"), "{all}");
}

#[test]
fn migrating_twice_changes_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let first = printed(dir.path(), &["migrate"]);
    assert!(
        !first.starts_with("0 ") && first.contains("up to date"),
        "{first}"
    );
    assert!(printed(dir.path(), &["migrate"]).starts_with("0 migrations applied"));
    assert!(printed(dir.path(), &["check"]).contains("0 migrations to apply"));
}

#[test]
fn the_generated_secret_is_its_owners_alone_and_stays() {
    let dir = tempfile::tempdir().unwrap();
    printed(dir.path(), &["migrate"]);
    let path = dir.path().join("data/secret.key");
    let secret = std::fs::read_to_string(&path).unwrap();
    assert_eq!(
        std::fs::metadata(&path).unwrap().permissions().mode() & 0o777,
        0o600
    );
    assert_eq!(secret.trim().len(), 44, "32 bytes in base64");
    printed(dir.path(), &["migrate"]);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), secret);
    for damaged in [&b"damaged"[..], b"", b"\xff\xfe"] {
        std::fs::write(&path, damaged).unwrap();
        let check = run(dir.path(), &["check"]);
        fails(&check, "secret.key is empty or damaged");
        assert!(stdout(&check).contains("database: ok"));
        fails(&run(dir.path(), &["migrate"]), "the file from a backup");
    }
}

#[test]
fn a_data_directory_may_have_any_name() {
    let dir = tempfile::tempdir().unwrap();
    for name in ["with space", "50%20off", "hash#tag", "what?", "ünï"] {
        let data = dir.path().join(name);
        printed(dir.path(), &["migrate", "--data-dir", data.to_str().unwrap()]);
        assert!(
            data.join("playout.db").is_file() && data.join("media").is_dir(),
            "{name}"
        );
    }
}

#[tokio::test]
async fn a_provisioned_key_opens_the_running_service_which_ends_well() {
    let dir = tempfile::tempdir().unwrap();
    let address = Playoutd::free_address();
    let simulator = real_simulator(&format!("http://{address}")).await;
    let start = Start {
        dir: dir.path(),
        address,
        simulator: &simulator.url(),
        env: Vec::new(),
    };
    let data = ["--data-dir", dir.path().to_str().unwrap()];
    let workspace = admin(
        dir.path(),
        &[&["workspace", "create", "--name", "Kites"], &data[..]].concat(),
    );
    let id = workspace["id"].as_str().unwrap();
    let key = admin(
        dir.path(),
        &[&["key", "create", "--workspace", id, "--name", "CI"], &data[..]].concat(),
    );
    let mut service = Playoutd::spawn(&start);
    let api = Client::new(&service.base_url, Some(secret(key["key"].as_str().unwrap())));
    service.ready(api.http()).await;
    assert_eq!(
        api.get("/public/v1/platforms").await.ok(),
        json!({ "platforms": [] })
    );
    let later = admin(
        dir.path(),
        &[
            &["key", "create", "--workspace", id, "--name", "later"],
            &data[..],
        ]
        .concat(),
    );
    let later = api.with_key(Some(secret(later["key"].as_str().unwrap())));
    assert_eq!(
        later.get("/public/v1/posts").await.status,
        200,
        "a key made beside the running service works at once"
    );
    service.signal("TERM");
    assert_eq!(service.ended().await.code(), Some(0));
}

#[test]
fn a_port_that_is_taken_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    fails(&run(dir.path(), &["serve", "--listen", &address]), &address);
}

#[test]
fn the_demo_publishes_both_posts_and_exits_well() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("demo");
    let anywhere = ["--listen", "127.0.0.1:0", "--simulator-listen", "127.0.0.1:0"];
    let told = printed(
        dir.path(),
        &[
            &["demo", "--once", "--data-dir", data.to_str().unwrap()],
            &anywhere[..],
        ]
        .concat(),
    );
    assert_eq!(
        told.lines().filter(|line| line.contains(" is PUBLISHED")).count(),
        2,
        "{told}"
    );
    assert_eq!(
        told.lines()
            .filter(|line| line.starts_with("  ") && line.contains(" is at http"))
            .count(),
        2,
        "{told}"
    );
    assert!(data.join("playout.db").is_file());
    assert!(told.contains("demo@example.org with the password "), "{told}");
    let where_it_is = format!("Its data are in {}", data.display());
    assert!(told.contains(&where_it_is), "{told}");
}
