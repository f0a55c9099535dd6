//! What the machine's other users see of a service, and how its operator gives passwords.

use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

use crate::harness::{Client, PATIENCE, Playoutd, Start, eventually, secret};

/// `playoutd` in an empty environment and under the most generous umask, with this on its standard input.
fn playoutd(data: &Path, arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new("sh")
        .args([
            "-c",
            "umask 000; exec \"$0\" \"$@\"",
            env!("CARGO_BIN_EXE_playoutd"),
        ])
        .args(arguments)
        .args(["--data-dir", data.to_str().unwrap()])
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .current_dir(data.parent().unwrap())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that reads nothing may be gone already.
    let _written = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

/// The JSON object of a command that must succeed.
#[track_caller]
fn admin(data: &Path, arguments: &[&str], input: &str) -> Value {
    let output = playoutd(data, arguments, input);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}");
    serde_json::from_slice(&output.stdout).unwrap()
}

fn mode(path: &Path) -> u32 {
    std::fs::metadata(path).unwrap().permissions().mode() & 0o7777
}

fn open_up(path: &Path, mode: u32) {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
}

fn start(data: &Path) -> Start<'_> {
    Start {
        dir: data,
        address: Playoutd::free_address(),
        simulator: "http://127.0.0.1:1",
        env: vec![("PLAYOUT_LOG", "info".to_owned())],
    }
}

#[test]
fn the_data_directory_is_its_owners_alone_whatever_the_umask_and_what_was_open_is_closed() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("data");
    let create = ["admin", "workspace", "create", "--name", "Kites"];
    admin(&data, &create, "");
    let files = [data.join("playout.db"), data.join("secret.key")];
    assert_eq!(mode(&data), 0o700);
    for file in &files {
        assert_eq!(mode(file), 0o600, "{}", file.display());
    }
    // As earlier versions left them, while another process holds them open.
    let mut connection = sqlx_file(&files[0]);
    let beside = ["playout.db-wal", "playout.db-shm"].map(|name| data.join(name));
    for path in files.iter().chain(&beside) {
        open_up(path, 0o644);
    }
    open_up(&data, 0o755);
    admin(&data, &create, "");
    assert_eq!(mode(&data), 0o700);
    for file in files.iter().chain(&beside) {
        assert_eq!(mode(file), 0o600, "{}", file.display());
    }
    connection.kill().unwrap();
    connection.wait().unwrap();
    // As an administrator makes it beforehand.
    let empty = dir.path().join("empty");
    std::fs::create_dir(&empty).unwrap();
    open_up(&empty, 0o755);
    admin(&empty, &create, "");
    assert_eq!(mode(&empty), 0o700);
}

/// A service that holds the database open.
fn sqlx_file(database: &Path) -> std::process::Child {
    let data = database.parent().unwrap();
    let start = start(data);
    let mut command = Playoutd::command(&start);
    let log = std::fs::File::create(data.join("held.log")).unwrap();
    let child = command.arg("serve").stdout(Stdio::null()).stderr(log).spawn();
    let wal = data.join("playout.db-wal");
    let pause = std::time::Duration::from_millis(10);
    for _ in 0..PATIENCE.as_millis() / pause.as_millis() {
        if wal.exists() && data.join("playout.db-shm").exists() {
            break;
        }
        std::thread::sleep(pause);
    }
    child.unwrap()
}

#[tokio::test]
async fn passwords_come_from_standard_input_or_a_file_and_a_new_one_ends_all_sessions() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("data");
    let kai = ["admin", "user", "create", "--email", "kai@example.com"];
    let made = admin(&data, &kai, "the first one\n");
    assert_eq!(made["operator"], json!(true), "the first user");
    let file = dir.path().join("password");
    std::fs::write(&file, "the second one\r\n").unwrap();
    let ida = [
        "admin",
        "user",
        "create",
        "--email",
        "ida@example.com",
        "--password-file",
        file.to_str().unwrap(),
    ];
    assert_eq!(admin(&data, &ida, "")["operator"], json!(false));
    let start = start(&data);
    let mut service = Playoutd::spawn(&start);
    let api = Client::new(&service.base_url, None);
    service.ready(api.http()).await;
    let sign_in = async |email: &str, password: &str| {
        let body = json!({ "email": email, "password": password });
        api.post("/app/v1/auth/sign-in", &body).await
    };
    let begun = sign_in("kai@example.com", "the first one").await.ok();
    sign_in("ida@example.com", "the second one").await.ok();
    let session = api.with_key(Some(secret(begun["token"].as_str().unwrap())));
    let set = ["admin", "user", "set-password", "--email", "KAI@example.com"];
    assert_eq!(admin(&data, &set, "another one")["email"], "kai@example.com");
    session.get("/app/v1/me").await.refused(401, "invalid_session");
    sign_in("kai@example.com", "the first one")
        .await
        .refused(401, "invalid_credentials");
    sign_in("kai@example.com", "another one").await.ok();
}

#[test]
fn a_password_that_cannot_be_is_refused_and_one_on_the_command_line_is_warned_of() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("data");
    let kai = ["admin", "user", "create", "--email", "kai@example.com"];
    admin(&data, &kai, "the first one\n");
    let set = ["admin", "user", "set-password", "--email", "kai@example.com"];
    for (arguments, input, what) in [
        (&set[..], "short", "8 characters"),
        (&set[..], "", "8 characters"),
        (
            &["admin", "user", "set-password", "--email", "x@example.com"][..],
            "long enough",
            "x@example.com",
        ),
        (
            &[
                "admin",
                "user",
                "set-password",
                "--email",
                "kai@example.com",
                "--password-file",
                "/nowhere",
            ][..],
            "",
            "/nowhere",
        ),
    ] {
        let output = playoutd(&data, arguments, input);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(1) && said.contains(what), "{said}");
    }
    let shown = [
        "admin",
        "user",
        "create",
        "--email",
        "eve@example.com",
        "--password",
        "on the line",
    ];
    let output = playoutd(&data, &shown, "");
    assert!(output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("list of processes"));
}

#[tokio::test]
async fn without_a_mail_server_the_log_tells_of_mails_but_not_their_links() {
    let dir = tempfile::tempdir().unwrap();
    let start = start(dir.path());
    let mut service = Playoutd::spawn(&start);
    let api = Client::new(&service.base_url, None);
    service.ready(api.http()).await;
    let account = json!({ "email": "ada@example.org", "password": "correct horse battery" });
    let begun = api.post("/app/v1/auth/sign-up", &account).await.ok();
    let session = api.with_key(Some(secret(begun["token"].as_str().unwrap())));
    let workspace = begun["organizations"][0]["id"].as_str().unwrap();
    let path = format!("/app/v1/organizations/{workspace}/invitations");
    let made = session
        .post(&path, &json!({ "email": "bob@example.org" }))
        .await
        .ok();
    api.post(
        "/app/v1/auth/password/forgot",
        &json!({ "email": "ada@example.org" }),
    )
    .await;
    let log = || std::fs::read_to_string(dir.path().join("playoutd.log")).unwrap();
    eventually("both mails are in the log", async || {
        log().contains("You are invited") && log().contains("Choose a new password")
    })
    .await;
    let log = log();
    assert!(
        !log.contains(made["token"].as_str().unwrap()) && !log.contains("token="),
        "{log}"
    );
    assert!(
        !log.contains("setup code"),
        "it is reached from this machine alone: {log}"
    );
}

#[tokio::test]
async fn the_setup_code_is_in_the_log_until_somebody_has_signed_up() {
    let dir = tempfile::tempdir().unwrap();
    let mut start = start(dir.path());
    start.env = vec![("PLAYOUT_BASE_URL", "https://playout.example.org".to_owned())];
    let mut service = Playoutd::spawn(&start);
    let api = Client::new(&service.base_url, None);
    service.ready(api.http()).await;
    let log = || std::fs::read_to_string(dir.path().join("playoutd.log")).unwrap();
    let said = log();
    let (_, code) = said.split_once("setup code ").unwrap();
    let code = code.split_whitespace().next().unwrap();
    let mut account = json!({ "email": "ada@example.org", "password": "correct horse battery" });
    api.post("/app/v1/auth/sign-up", &account)
        .await
        .refused(403, "setup_code_required");
    account["setupCode"] = json!(code);
    api.post("/app/v1/auth/sign-up", &account).await.ok();
    service.kill();
    std::fs::remove_file(dir.path().join("playoutd.log")).unwrap();
    let mut service = Playoutd::spawn(&start);
    service.ready(api.http()).await;
    assert!(!log().contains("setup code"), "{}", log());
}

#[tokio::test]
async fn the_limit_of_open_files_is_raised_to_what_the_system_allows() {
    let dir = tempfile::tempdir().unwrap();
    let start = start(dir.path());
    let mut service = Playoutd::spawn_under_limit(&start, "-Sn 300");
    service.ready(Client::new(&service.base_url, None).http()).await;
    let limits = service.proc("limits");
    let line = limits
        .lines()
        .find_map(|line| line.strip_prefix("Max open files"));
    let figures: Vec<&str> = line.unwrap().split_whitespace().collect();
    assert_ne!(figures[1], "300", "this system allows no more: {limits}");
    assert_eq!(figures[0], figures[1], "{limits}");
}
