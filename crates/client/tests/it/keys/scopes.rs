//! Keys that are limited to scopes and accounts.

use serde_json::{Value, json};

use crate::harness::{EMAIL, PASSWORD, Playout, Ran, Terminal, World};

const ALL: [&str; 6] = ["read", "media", "drafts", "publish", "platforms", "webhooks"];

/// `keys create Agent` with these arguments.
fn create(world: &World, more: &[&str]) -> Ran {
    let arguments = [&["keys", "create", "Agent", "--email", EMAIL], more].concat();
    world.playout().run_reading(PASSWORD, &arguments)
}

fn with_key(world: &World, made: &Value) -> Playout {
    let key = made["key"].as_str().unwrap();
    world.playout().env("PLAYOUT_API_KEY", key)
}

fn keys(world: &World) -> Vec<Value> {
    let listed = world
        .playout()
        .run_reading(PASSWORD, &["keys", "list", "--email", EMAIL])
        .ok();
    listed["keys"].as_array().unwrap().clone()
}

/// What a person sees who types the password.
fn seen(columns: u16, world: &World, arguments: &[&str]) -> String {
    let arguments = [arguments, &["--email", EMAIL]].concat();
    let mut terminal = Terminal::start_in(columns, &world.playout().env("NO_COLOR", "1"), &arguments);
    terminal.wait_for("not shown");
    terminal.type_unseen(&format!("{PASSWORD}\n"));
    let (code, shown) = terminal.end();
    assert_eq!(code, 0, "{shown}");
    shown.replace('\r', "")
}

#[test]
fn a_limited_key_does_what_its_scopes_allow_on_its_accounts() {
    let world = World::start();
    world.connect("harborbakes");
    let limits = ["--scope", "drafts,media", "--scope", "drafts"];
    let accounts = ["--platform", "kitestudio", "--platform", "@KiteStudio"];
    let made = create(&world, &[&limits[..], &accounts].concat()).ok();
    assert_eq!(made["scopes"], json!(["read", "media", "drafts"]));
    assert_eq!(made["platformIds"].as_array().unwrap().len(), 1);
    let agent = with_key(&world, &made);
    let platforms = agent.run(&["platforms", "list"]).ok()["platforms"].take();
    assert_eq!(platforms.as_array().unwrap().len(), 1);
    assert_eq!(platforms[0]["id"], made["platformIds"][0]);
    let draft = agent.draft();
    let error = agent
        .run(&["posts", "publish", &draft])
        .failed(1, "insufficient_scope");
    assert_eq!(error["details"]["required"], json!(["publish"]));
    let message = error["message"].as_str().unwrap();
    for command in [
        "`playout keys create NAME --scope publish`",
        "`playout auth login --scope publish`",
    ] {
        assert!(message.contains(command), "{message}");
    }
    agent.run(&["doctor"]).ok();
}

#[test]
fn a_key_without_limits_may_do_everything() {
    let world = World::start();
    let made = create(&world, &[]).ok();
    assert_eq!(
        (&made["scopes"], &made["platformIds"]),
        (&json!(ALL), &json!(null))
    );
    let platforms = world.playout().run(&["platforms", "list"]).ok();
    let id = platforms["platforms"][0]["id"].as_str().unwrap();
    let made = create(&world, &["--platform", id]).ok();
    assert_eq!(made["platformIds"], json!([id]));
    assert_eq!(
        made["scopes"],
        json!(ALL[..5]),
        "a webhook reports on every account"
    );
}

#[test]
fn limits_that_make_no_sense_create_no_key() {
    let world = World::start();
    let unknown = create(&world, &["--scope", "everything"]).failed(2, "usage");
    let message = unknown["message"].as_str().unwrap();
    assert!(message.contains(&ALL.join(", ")), "{message}");
    let both = ["--scope", "read,webhooks", "--platform", "kitestudio"];
    let both = create(&world, &both).failed(2, "usage");
    assert!(
        both["message"].as_str().unwrap().contains("every account"),
        "{both}"
    );
    let nowhere = create(&world, &["--platform", "nowhere"]).failed(1, "platform_not_found");
    assert_eq!(nowhere["details"]["known"], json!(["kitestudio"]));
    let missing = "0196f3a0-7c1e-7d3a-9b5e-000000000009";
    create(&world, &["--platform", missing]).failed(1, "invalid_request");
    assert_eq!(keys(&world).len(), 1, "only the first key is there");
    assert_eq!(world.sessions(), 0, "every session has ended");
}

#[test]
fn a_key_that_may_not_read_works_all_the_same() {
    let world = World::start();
    let made = create(&world, &["--scope", "webhooks"]).ok();
    let agent = with_key(&world, &made);
    agent.run(&["webhooks", "list"]).ok();
    agent.run(&["usage"]).failed(1, "insufficient_scope");
    assert_eq!(agent.run(&["doctor"]).ok()["healthy"], true);
    let login = ["auth", "login", "--api-key", made["key"].as_str().unwrap()];
    assert_eq!(agent.run(&login).ok()["plan"], json!(null));
    let status = agent.run(&["auth", "status"]).ok();
    assert_eq!(
        (&status["signedIn"], &status["plan"]),
        (&json!(true), &json!(null))
    );
}

#[test]
fn a_person_sees_what_each_key_may_do() {
    let world = World::start();
    let create = [
        "keys",
        "create",
        "Agent",
        "--scope",
        "drafts,media",
        "--platform",
        "kitestudio",
    ];
    let shown = seen(120, &world, &create);
    assert!(shown.contains("Scopes    media, drafts\n"), "{shown}");
    assert!(shown.contains("Accounts  kitestudio ("), "{shown}");
    let shown = seen(120, &world, &["keys", "create", "Farm"]);
    assert!(shown.contains("Scopes    everything\nAccounts  all\n"), "{shown}");
    let shown = seen(160, &world, &["keys", "list"]);
    assert!(shown.contains("  media, drafts (1 account)  "), "{shown}");
    assert!(shown.contains("  everything  "), "{shown}");
    let narrow = seen(44, &world, &["keys", "list"]);
    assert!(
        narrow.contains("SCOPES") && narrow.contains("media, drafts"),
        "{narrow}"
    );
    let table = narrow.lines().skip_while(|line| !line.starts_with("NAME"));
    for line in table {
        assert!(line.chars().count() <= 44, "{line:?} is too wide:\n{narrow}");
    }
}
