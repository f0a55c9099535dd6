//! Keys in a desktop's keyring: a real one, gnome-keyring on a session bus of its own.

use serde_json::json;

use crate::harness::{Playout, Ran, World};

/// Runs a script on a desktop whose keyring is unlocked. The output of the bus and of the services it starts is left out
/// of the result.
fn on_desktop(playout: &Playout, script: &str) -> Ran {
    let runtime = playout.dir().join("run");
    std::fs::create_dir_all(&runtime).unwrap();
    let said = playout.dir().join("stderr");
    let script = format!(
        "exec 2>'{}'\nprintf unlocked | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1\n{script}",
        said.display()
    );
    let mut command = playout.command("dbus-run-session");
    command
        .env("XDG_RUNTIME_DIR", &runtime)
        .args(["--", "sh", "-c", &script]);
    let output = command.output().expect("dbus-run-session, from Debian's dbus");
    let mut ran = Ran::of(&output);
    ran.stderr = std::fs::read_to_string(said).unwrap_or(ran.stderr);
    ran
}

fn kept(playout: &Playout) -> String {
    std::fs::read_to_string(playout.config().join("credentials.json")).unwrap()
}

#[test]
fn a_key_is_kept_in_the_keyring_and_nowhere_else() {
    let world = World::start();
    let playout = Playout::new()
        .env("PLAYOUT_API_URL", &world.url)
        .env("KEY", &world.key);
    let ran = on_desktop(
        &playout,
        "echo $KEY | playout auth login --api-key=- && playout auth status >status.json",
    );
    assert_eq!(ran.ok()["storedIn"], "keyring");
    assert!(!kept(&playout).contains("svc_sk_"), "{}", kept(&playout));
    let status: serde_json::Value =
        serde_json::from_slice(&std::fs::read(playout.dir().join("status.json")).unwrap()).unwrap();
    assert_eq!(status["keySource"], json!("profile"));
    let error = playout.run(&["auth", "status"]).failed(3, "keyring_error");
    assert!(
        error["message"].as_str().unwrap().contains("--no-keyring"),
        "{error}"
    );
    let later = on_desktop(&playout, "playout platforms list");
    assert_eq!(
        later.ok()["platforms"][0]["displayHandle"],
        "kitestudio",
        "the keyring outlives the session"
    );
}

#[test]
fn signing_out_forgets_the_key_in_the_keyring_too() {
    let world = World::start();
    let playout = Playout::new()
        .env("PLAYOUT_API_URL", &world.url)
        .env("KEY", &world.key);
    let script = "echo $KEY | playout auth login --api-key=- >/dev/null
        secret-tool lookup service playout profile default url $PLAYOUT_API_URL/ >before
        playout auth logout
        secret-tool lookup service playout profile default url $PLAYOUT_API_URL/ >after || true";
    assert_eq!(on_desktop(&playout, script).ok()["signedOut"], json!(true));
    let read = |name: &str| std::fs::read_to_string(playout.dir().join(name)).unwrap();
    assert_eq!(
        (read("before"), read("after")),
        (world.key.clone(), String::new())
    );
}

#[test]
fn who_wants_a_file_gets_one_and_the_keyring_forgets() {
    let world = World::start();
    let playout = Playout::new()
        .env("PLAYOUT_API_URL", &world.url)
        .env("KEY", &world.key);
    let script = "echo $KEY | playout auth login --api-key=- >/dev/null
        echo $KEY | playout auth login --api-key=- --no-keyring
        secret-tool lookup service playout profile default url $PLAYOUT_API_URL/ >after || true";
    let ran = on_desktop(&playout, script);
    let path = playout.config().join("credentials.json");
    assert_eq!(ran.ok()["storedIn"], json!(path));
    assert!(kept(&playout).contains(&world.key));
    assert_eq!(std::fs::read_to_string(playout.dir().join("after")).unwrap(), "");
    playout.run(&["auth", "status"]).ok();
}

#[test]
fn a_keyring_that_does_not_work_loses_no_key() {
    let world = World::start();
    let playout = Playout::new()
        .env("PLAYOUT_API_URL", &world.url)
        .env("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere/bus");
    let ran = playout.run_reading(&world.key, &["auth", "login", "--api-key=-", "--json"]);
    assert_eq!(ran.code, 0, "{ran:#?}");
    assert_eq!(
        ran.json()["storedIn"],
        json!(playout.config().join("credentials.json"))
    );
    playout.run(&["auth", "status"]).ok();
    let off = playout.env("PLAYOUT_KEYRING", "off");
    off.run_reading(&world.key, &["auth", "login", "--api-key=-"])
        .ok();
}
