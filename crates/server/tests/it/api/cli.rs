//! The program `playoutd` as an operator uses it (`docs/contract.md#commands`).

use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

use crate::harness::{Authenticator, Client, Playoutd, SECOND_FACTOR, Start, real_simulator, secret};
use playout_domain::time::Clock;
use playout_server::clock::SystemClock;

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

#[test]
fn admin_provisions_users_workspaces_keys_and_plans() {
    let dir = tempfile::tempdir().unwrap();
    let at = dir.path();
    let user = admin(
        at,
        &[
            "user",
            "create",
            "--email",
            " Kai@Example.com ",
            "--password",
            "longenough",
            "--name",
            "Kai",
        ],
    );
    assert_eq!(
        (&user["email"], &user["name"]),
        (&json!("kai@example.com"), &json!("Kai"))
    );
    let owner = user["id"].as_str().unwrap();
    let workspace = admin(at, &["workspace", "create", "--name", "Kites", "--owner", owner]);
    assert_eq!(
        (&workspace["plan"], &workspace["role"]),
        (&json!("unlimited"), &json!("owner"))
    );
    let by_address = [
        "workspace",
        "create",
        "--name",
        "Reels",
        "--owner",
        "kai@example.com",
    ];
    assert_eq!(admin(at, &by_address)["role"], "owner");
    let id = workspace["id"].as_str().unwrap();
    let plan = admin(at, &["plan", "set", "--workspace", id, "--plan", "free"]);
    assert_eq!(plan, json!({ "id": id, "plan": "free" }));
    let key = admin(at, &["key", "create", "--workspace", id, "--name", "CI"]);
    let text = key["key"].as_str().unwrap();
    assert!(
        text.starts_with("svc_sk_") && text.ends_with(key["lastFour"].as_str().unwrap()),
        "{key}"
    );
    assert_eq!(
        (&key["name"], &key["workspaceId"], &key["expiresAt"]),
        (&json!("CI"), &json!(id), &Value::Null)
    );
}

#[tokio::test]
async fn admin_turns_off_a_second_factor_whose_app_is_lost() {
    let dir = tempfile::tempdir().unwrap();
    let at = dir.path();
    let start = Start {
        dir: at,
        address: Playoutd::free_address(),
        simulator: "http://127.0.0.1:1",
        env: Vec::new(),
    };
    let mut service = Playoutd::spawn(&start);
    let api = Client::new(&service.base_url, None);
    service.ready(api.http()).await;
    let account = json!({ "email": "kai@example.com", "password": "longenough" });
    let begun = api.post("/app/v1/auth/sign-up", &account).await.ok();
    let session = api.with_key(Some(secret(begun["token"].as_str().unwrap())));
    let set_up = session.post(SECOND_FACTOR, &account).await.ok();
    let code = Authenticator::of(&set_up).code(SystemClock.now());
    let confirm = json!({ "code": code });
    session
        .post(&format!("{SECOND_FACTOR}/confirm"), &confirm)
        .await
        .ok();
    let sign_in = async || api.post("/app/v1/auth/sign-in", &account).await;
    sign_in().await.refused(401, "second_factor_required");
    let data = at.to_str().unwrap();
    let remove = |email| {
        [
            "user",
            "remove-second-factor",
            "--data-dir",
            data,
            "--email",
            email,
        ]
    };
    let removed = admin(at, &remove("Kai@example.com"));
    assert_eq!(
        (&removed["email"], &removed["secondFactor"]),
        (&json!("kai@example.com"), &json!(false))
    );
    sign_in().await.ok();
    for (email, what) in [
        ("kai@example.com", "no second factor"),
        ("x@example.com", "x@example.com"),
    ] {
        fails(&run(at, &[&["admin"], &remove(email)[..]].concat()), what);
    }
}

const NOWHERE: &str = "0196f3a0-0000-7000-8000-000000000000";
/// Commands that name something, which is in no database.
const ABOUT_WHAT_THERE_IS: [&[&str]; 6] = [
    &["workspace", "create", "--name", "x", "--owner", NOWHERE],
    &["workspace", "create", "--name", "x", "--owner", "ida@example.com"],
    &["key", "create", "--workspace", NOWHERE, "--name", "x"],
    &["plan", "set", "--workspace", NOWHERE, "--plan", "free"],
    &["audit", "list", "--workspace", NOWHERE],
    &["user", "remove-second-factor", "--email", "x@example.com"],
];

#[test]
fn admin_names_the_database_that_does_not_hold_what_it_looks_for() {
    let dir = tempfile::tempdir().unwrap();
    let database = dir.path().join("data/playout.db").display().to_string();
    admin(dir.path(), &["workspace", "create", "--name", "Kites"]);
    for arguments in ABOUT_WHAT_THERE_IS {
        let output = run(dir.path(), &[&["admin"], arguments].concat());
        fails(&output, &database);
        assert!(!stderr(&output).contains("there is no database"));
    }
}

#[test]
fn admin_makes_no_database_for_a_command_about_what_is_in_one() {
    let dir = tempfile::tempdir().unwrap();
    let database = dir.path().join("data/playout.db").display().to_string();
    for arguments in ABOUT_WHAT_THERE_IS {
        let output = run(dir.path(), &[&["admin"], arguments].concat());
        fails(&output, &format!("there is no database at sqlite://{database}"));
        assert!(stderr(&output).contains("playoutd serve"), "{}", stderr(&output));
        assert!(!dir.path().join("data").exists(), "{arguments:?}");
    }
    let first = run(dir.path(), &["admin", "workspace", "create", "--name", "Kites"]);
    let said = stderr(&first);
    assert!(
        first.status.success() && said.contains("an empty one was made"),
        "{said}"
    );
    let second = run(dir.path(), &["admin", "workspace", "create", "--name", "Boats"]);
    assert_eq!(stderr(&second), "");
}

#[test]
fn admin_refuses_what_cannot_be() {
    let dir = tempfile::tempdir().unwrap();
    let at = dir.path();
    let nowhere = "0196f3a0-0000-7000-8000-000000000000";
    admin(
        at,
        &[
            "user",
            "create",
            "--email",
            "kai@example.com",
            "--password",
            "longenough",
        ],
    );
    for (arguments, what) in [
        (
            &[
                "user",
                "create",
                "--email",
                "KAI@example.com",
                "--password",
                "longenough",
            ][..],
            "exists",
        ),
        (
            &[
                "user",
                "create",
                "--email",
                "ida@example.com",
                "--password",
                "short",
            ],
            "8 characters",
        ),
        (
            &["user", "create", "--email", "ida", "--password", "longenough"],
            "@",
        ),
        (
            &["workspace", "create", "--name", "x", "--plan", "golden"],
            "golden",
        ),
        (
            &["workspace", "create", "--name", "x", "--owner", nowhere],
            nowhere,
        ),
        (&["key", "create", "--workspace", nowhere, "--name", "x"], nowhere),
        (
            &["plan", "set", "--workspace", nowhere, "--plan", "free"],
            nowhere,
        ),
    ] {
        let output = run(at, &[&["admin"], arguments].concat());
        fails(&output, what);
        assert_eq!(stdout(&output), "", "{arguments:?}");
    }
    assert_eq!(run(at, &["publish"]).status.code(), Some(2));
}

#[test]
fn admin_asks_for_the_id_of_a_workspace_that_is_named_otherwise() {
    let dir = tempfile::tempdir().unwrap();
    let at = dir.path();
    let named = run(
        at,
        &["admin", "key", "create", "--workspace", "Kites", "--name", "y"],
    );
    assert_eq!(named.status.code(), Some(2));
    assert!(
        stderr(&named).contains("the ID of a workspace is wanted, not its name"),
        "{}",
        stderr(&named)
    );
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

/// The actions that `admin audit list` printed.
fn actions(listed: &Value) -> Vec<&str> {
    let entries = listed["entries"].as_array().unwrap().iter();
    entries.map(|entry| entry["action"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn admin_reads_the_trail_of_a_workspace_also_after_it_was_deleted() {
    let dir = tempfile::tempdir().unwrap();
    let at = dir.path();
    let start = Start {
        dir: at,
        address: Playoutd::free_address(),
        simulator: "http://127.0.0.1:1",
        env: Vec::new(),
    };
    let mut service = Playoutd::spawn(&start);
    let api = Client::new(&service.base_url, None);
    service.ready(api.http()).await;
    let account = json!({ "email": "kai@example.com", "password": "longenough" });
    let begun = api.post("/app/v1/auth/sign-up", &account).await.ok();
    let id = begun["organizations"][0]["id"].as_str().unwrap();
    let session = api
        .with_key(Some(secret(begun["token"].as_str().unwrap())))
        .in_workspace(id);
    let data = at.to_str().unwrap();
    let to = ["--data-dir", data, "--workspace", id, "--plan", "unlimited"];
    admin(at, &[&["plan", "set"], &to[..]].concat());
    let list = ["audit", "list", "--data-dir", data, "--workspace", id];
    let listed = admin(at, &list);
    assert_eq!(actions(&listed), ["workspace.plan_changed", "workspace.created"]);
    let changed = &listed["entries"][0];
    assert_eq!(
        (&changed["actor"]["kind"], &changed["detail"]["to"]),
        (&json!("system"), &json!("unlimited"))
    );
    assert_eq!(listed["workspace"]["endedAt"], Value::Null);
    let path = format!("/app/v1/organizations/{id}");
    let proof = json!({ "password": "longenough" });
    let deleted = session.delete_with(&path, &proof).await;
    assert_eq!(deleted.status, 204);
    let listed = admin(at, &list);
    assert_eq!(
        actions(&listed),
        ["workspace.deleted", "workspace.plan_changed", "workspace.created"]
    );
    assert!(listed["workspace"]["endedAt"].is_string());
    assert_eq!(listed["workspace"]["name"], "kai's workspace");
    let first = admin(at, &[&list[..], &["--limit", "2"]].concat());
    let cursor = first["nextCursor"].as_str().unwrap();
    let second = admin(at, &[&list[..], &["--cursor", cursor]].concat());
    assert_eq!(
        (actions(&first).len(), actions(&second)),
        (2, vec!["workspace.created"])
    );
    let unknown = "0196f3a0-0000-7000-8000-000000000000";
    let asked = [&["admin"], &list[..5], &[unknown]].concat();
    fails(&run(at, &asked), unknown);
}
