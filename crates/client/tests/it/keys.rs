//! `keys`: a person signs in for one command, and is out after it.

mod older;
mod scopes;

use serde_json::json;

use crate::harness::{EMAIL, PASSWORD, World};

#[test]
fn an_admin_makes_a_key_uses_it_and_revokes_it() {
    let world = World::start();
    let playout = world.playout().without("PLAYOUT_API_KEY");
    let create = [
        "keys",
        "create",
        "Render farm",
        "--email",
        EMAIL,
        "--expires",
        "2099-12-31 18:00",
    ];
    let made = playout.run_reading(&format!("{PASSWORD}\n"), &create).ok();
    assert_eq!(
        (&made["name"], &made["expiresAt"]),
        (&json!("Render farm"), &json!("2099-12-31T17:00:00.000Z"))
    );
    let key = made["key"].as_str().unwrap();
    let renderer = world.playout().env("PLAYOUT_API_KEY", key);
    renderer.run(&["platforms", "list"]).ok();
    let listed = playout
        .run_reading(PASSWORD, &["keys", "list", "--email", EMAIL])
        .ok();
    let names: Vec<&str> = listed["keys"]
        .as_array()
        .unwrap()
        .iter()
        .map(|key| key["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["test", "Render farm"]);
    assert!(!listed.to_string().contains(key), "a key is shown once");
    let revoked = playout
        .run_reading(
            PASSWORD,
            &["keys", "revoke", &key[key.len() - 4..], "--email", EMAIL],
        )
        .ok();
    assert_eq!((&revoked["id"], &revoked["revoked"]), (&made["id"], &json!(true)));
    renderer.run(&["platforms", "list"]).failed(3, "invalid_api_key");
    let named = ["keys", "create", "--name", "Farm", "--email", EMAIL];
    assert_eq!(playout.run_reading(PASSWORD, &named).ok()["name"], "Farm");
    for wrong in [vec!["keys", "revoke"], vec!["keys", "revoke", "Farm", "--all"]] {
        playout
            .run_reading(PASSWORD, &[&wrong[..], &["--email", EMAIL]].concat())
            .failed(2, "usage");
    }
    let all = ["keys", "revoke", "--all", "--email", EMAIL];
    assert_eq!(playout.run_reading(PASSWORD, &all).ok(), json!({ "revoked": 2 }));
    let unnamed = ["keys", "create", "--email", EMAIL];
    playout.run_reading(PASSWORD, &unnamed).failed(2, "usage");
    assert_eq!(world.sessions(), 0, "nobody stays signed in");
}

#[test]
fn who_cannot_get_in_is_told_why() {
    let world = World::start();
    let playout = world.playout();
    let list =
        |password: &str, more: &[&str]| playout.run_reading(password, &[&["keys", "list"], more].concat());
    list("wrong horse battery", &["--email", EMAIL]).failed(3, "invalid_credentials");
    list("", &["--email", EMAIL]).failed(2, "usage");
    list(PASSWORD, &[]).failed(2, "usage");
    list(PASSWORD, &["--email", EMAIL, "--workspace", "Boats"]).failed(1, "workspace_not_found");
    let late = ["keys", "create", "x", "--email", EMAIL, "--expires", "never"];
    playout.run_reading(PASSWORD, &late).failed(2, "usage");
    let unknown = ["keys", "revoke", "nothing", "--email", EMAIL];
    playout.run_reading(PASSWORD, &unknown).failed(1, "not_found");
    assert_eq!(world.sessions(), 0, "nobody stays signed in");
}
