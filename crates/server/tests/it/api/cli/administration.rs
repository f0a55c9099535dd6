//! The commands `playoutd admin`.

use playout_domain::time::Clock;
use playout_server::clock::SystemClock;
use serde_json::{Value, json};

use super::{admin, fails, run, stderr, stdout};
use crate::harness::{Authenticator, Client, Playoutd, SECOND_FACTOR, Start, secret};

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
