//! From a file to a published post, and everything that can be done on the way.

mod times;
mod versions;

use std::fs;

use serde_json::{Value, json};

use crate::harness::{Playout, World, post_body};

const NOW: [&str; 9] = [
    "posts",
    "create",
    "--platform",
    "@kitestudio",
    "--caption",
    "First flight #kites",
    "--media",
    "clip.mp4",
    "--now",
];

fn root(results: &Value) -> &Value {
    &results["results"][0]["post"]["root"]
}

fn id(post: &Value) -> &str {
    post["id"].as_str().unwrap()
}

#[test]
fn one_command_uploads_publishes_and_waits() {
    let world = World::start();
    let mut line = NOW.to_vec();
    line.extend([
        "--setting",
        "privacy_level=PUBLIC_TO_EVERYONE",
        "--setting",
        "allow_comment=true",
        "--wait",
    ]);
    let published = world.playout().run(&line).ok();
    assert_eq!(root(&published)["state"], "PUBLISHED");
    assert_eq!(root(&published)["settings"]["allow_comment"], json!(true));
    world.playout().with_page(id(root(&published)));
    assert_eq!(world.sim.publication_count(), 1);
}

#[test]
fn the_options_of_a_post_have_the_names_of_an_import_too() {
    let world = World::start();
    let playout = world.playout();
    let media = playout.upload("clip.mp4");
    let line = ["--account", "kitestudio", "--content", "Kites", "--media", &media];
    let created = playout
        .run(&[&["posts", "create", "--draft"], &line[..]].concat())
        .ok();
    assert_eq!(root(&created)["content"], "Kites");
    let listed = playout.run(&["posts", "list", "--account", "kitestudio"]).ok();
    assert_eq!(listed["posts"][0]["id"], root(&created)["id"]);
}

#[test]
fn a_post_that_a_platform_refuses_says_why_and_ends_with_1() {
    let world = World::start();
    let playout = world.playout();
    let mut line = NOW.to_vec();
    line.extend(["--setting", "privacy_level=NOBODY"]);
    let refused = playout.run(&line);
    let error = refused.failed(1, "invalid_settings");
    assert_eq!(refused.json()["results"][0]["status"], "failed");
    assert_eq!(error["details"], refused.json()["results"][0]["error"]["details"]);
    assert_eq!(world.sim.publication_count(), 0);
}

#[test]
fn a_post_that_some_accounts_refuse_is_partly_done() {
    let world = World::start();
    let playout = world.playout();
    let media = playout.upload("clip.mp4");
    let unknown = [
        "0196f3a0-7c1e-7d3a-9b5e-000000000008",
        "0196f3a0-7c1e-7d3a-9b5e-000000000009",
    ];
    let run = |what: &[&str], accounts: &str| {
        let line = ["--platform", accounts, "--caption", "Kites", "--media", &media];
        let setting = ["--setting", "privacy_level=SELF_ONLY"];
        playout.run(&[&["posts"], what, &line, &setting].concat())
    };
    let some = format!("kitestudio,{}", unknown[0]);
    for (what, created) in [
        (&["validate"][..], 0),
        (&["create", "--draft"], 1),
        (&["create", "--now", "--wait"], 2),
    ] {
        let error = run(what, &some).failed(6, "platform_not_found");
        assert!(
            error["message"].as_str().unwrap().starts_with("1 of 2"),
            "{error}"
        );
        run(what, &unknown.join(",")).failed(1, "platform_not_found");
        let posts = playout.run(&["posts", "list"]).ok();
        assert_eq!(posts["posts"].as_array().unwrap().len(), created, "{what:?}");
    }
}

#[test]
fn waiting_for_posts_of_which_some_are_published_ends_with_6() {
    let world = World::start();
    world.connect("harborbakes");
    world
        .sim
        .fail(playout_tiktok::sim::FailRule::next("spam_risk_text"));
    let line = NOW.map(|word| match word {
        "@kitestudio" => "kitestudio,harborbakes",
        word => word,
    });
    let setting = ["--setting", "privacy_level=SELF_ONLY", "--wait"];
    let ran = world.playout().run(&[&line[..], &setting].concat());
    ran.failed(6, "post_failed");
    let mut states = [0, 1].map(|at| ran.json()["results"][at]["post"]["root"]["state"].to_string());
    states.sort();
    assert_eq!(states, ["\"ERROR\"", "\"PUBLISHED\""]);
}

#[test]
fn a_document_holds_a_whole_post_and_flags_win_over_it() {
    let world = World::start();
    let playout = world.playout();
    let platforms = playout.run(&["platforms:list"]).ok();
    let media = playout.upload("clip.mp4");
    let body = post_body(id(&platforms["platforms"][0]), &[&media]);
    let from_stdin = [
        "posts",
        "create",
        "--file",
        "-",
        "--draft",
        "--caption",
        "Another caption",
    ];
    let created = playout.run_reading(&body.to_string(), &from_stdin).ok();
    assert_eq!(root(&created)["state"], "DRAFT");
    assert_eq!(root(&created)["content"], "Another caption");
    assert_eq!(root(&created)["mediaIds"], json!([media]));
    let mut with_handle = body.clone();
    with_handle["platformIds"] = json!(["@kitestudio"]);
    let same = playout.run_reading(&with_handle.to_string(), &from_stdin).ok();
    assert_eq!(root(&same)["integrationId"], root(&created)["integrationId"]);
    with_handle["platformIds"] = json!(["nobody"]);
    playout
        .run_reading(&with_handle.to_string(), &from_stdin)
        .failed(1, "platform_not_found");
    fs::write(playout.dir().join("post.json"), "{ nonsense").unwrap();
    playout
        .run(&["posts", "create", "--file", "post.json"])
        .failed(2, "usage");
    playout
        .run(&["posts", "create", "--file", "gone.json"])
        .failed(2, "file_error");
}

#[test]
fn a_post_without_a_time_is_not_published_by_accident() {
    let world = World::start();
    let playout = world.playout();
    let error = playout.run(&NOW[..8]).failed(2, "usage");
    assert!(
        error["message"]
            .as_str()
            .unwrap()
            .contains("--now, --at TIME or --draft")
    );
    playout.run(&[&NOW[..], &["--draft"]].concat()).failed(2, "usage");
    assert_eq!(playout.run(&["posts", "list"]).ok()["posts"], json!([]));
    assert_eq!(
        playout.run(&["media", "list"]).ok()["media"],
        json!([]),
        "nothing was uploaded either"
    );
}

#[test]
fn a_draft_is_edited_published_and_watched() {
    let world = World::start();
    let playout = world.playout();
    let draft = playout.draft();
    let edited = playout
        .run(&["posts", "edit", &draft, "--setting", "allow_comment=true"])
        .ok();
    let settings = json!({ "privacy_level": "PUBLIC_TO_EVERYONE", "allow_comment": true });
    assert_eq!(
        edited["root"]["settings"], settings,
        "settings that are not named stay"
    );
    let edited = playout
        .run(&["posts", "edit", &draft, "--caption", "Second thoughts"])
        .ok();
    assert_eq!(edited["root"]["content"], "Second thoughts");
    assert_eq!(edited["root"]["settings"], settings);
    playout.run(&["posts", "edit", &draft]).failed(2, "usage");
    playout
        .run(&["posts", "watch", &draft])
        .failed(1, "post_is_draft");
    playout.run(&["posts", "publish", &draft]).ok();
    assert_eq!(
        playout.run(&["posts", "watch", &draft]).ok()["root"]["state"],
        "PUBLISHED"
    );
    let attempts = playout.run(&["posts", "attempts", &draft]).ok();
    assert_eq!(attempts["attempts"][0]["outcome"], "published");
    playout
        .run(&["posts", "edit", &draft, "--caption", "Too late"])
        .failed(1, "post_not_editable");
}

#[test]
fn watching_ends_with_1_when_the_post_failed_or_time_is_up() {
    let world = World::start();
    let playout = world.playout();
    world
        .sim
        .fail(playout_tiktok::sim::FailRule::next("spam_risk_text"));
    let draft = playout.draft();
    let ran = playout.run(&["posts", "publish", &draft, "--wait"]);
    ran.failed(1, "post_failed");
    assert_eq!(ran.json()["root"]["state"], "ERROR");
    let later = playout.draft();
    playout.run(&["posts", "reschedule", &later, "--at", "+2h"]).ok();
    let ran = playout.run(&["posts", "watch", &later, "--timeout", "1s"]);
    ran.failed(1, "still_queued");
    assert_eq!(ran.json()["root"]["state"], "QUEUE");
    playout
        .run(&["posts", "watch", &later, "--timeout", "soon"])
        .failed(2, "usage");
}

#[test]
fn the_same_idempotency_key_creates_once() {
    let world = World::start();
    let playout = world.playout();
    let media = playout.upload("clip.mp4");
    let line = [
        "posts",
        "create",
        "--platform",
        "kitestudio",
        "--caption",
        "Once",
        "--media",
        &media,
        "--draft",
        "--idempotency-key",
        "once-1",
    ];
    let first = playout.run(&line).ok();
    assert_eq!(playout.run(&line).ok(), first);
    let with_file = line.map(|word| if word == media { "clip.mp4" } else { word });
    playout.run(&with_file).failed(2, "usage");
    assert_eq!(
        playout.run(&["posts", "list"]).ok()["posts"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
}

#[test]
fn validating_creates_nothing_and_uploads_nothing() {
    let world = World::start();
    let playout = world.playout();
    let media = playout.upload("clip.mp4");
    let validate = |media: &str, privacy: &str| {
        let setting = format!("privacy_level={privacy}");
        playout.run(&[
            "posts",
            "validate",
            "--platform",
            "kitestudio",
            "--caption",
            "Fine",
            "--media",
            media,
            "--setting",
            &setting,
        ])
    };
    assert_eq!(
        validate(&media, "SELF_ONLY").ok()["results"][0]["status"],
        "valid"
    );
    validate(&media, "NOBODY").failed(1, "invalid_settings");
    validate("slides/1.jpg", "SELF_ONLY").failed(2, "usage");
    assert_eq!(playout.run(&["posts", "list"]).ok()["posts"], json!([]));
    assert_eq!(
        playout.run(&["media", "list"]).ok()["media"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
}

#[test]
fn posts_are_listed_by_time_state_account_and_text() {
    let world = World::start();
    let playout = world.playout();
    let ids = [playout.draft(), playout.draft(), playout.draft()];
    playout
        .run(&["posts", "reschedule", &ids[2], "--at", "tomorrow 12:00"])
        .ok();
    let listed = |arguments: &[&str]| {
        let list = playout.run(&[&["posts", "list"], arguments].concat()).ok();
        list["posts"]
            .as_array()
            .unwrap()
            .iter()
            .map(|post| id(post).to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(listed(&[]), ids);
    assert_eq!(listed(&["--limit", "2"]), ids[..2]);
    let [first, second, third] = ids.each_ref().map(String::as_str);
    assert_eq!(listed(&["--latest"]), [third, second, first]);
    assert_eq!(listed(&["--latest", "--limit", "2"]), [third, second]);
    assert_eq!(listed(&["--state", "queue"]), ids[2..]);
    assert_eq!(listed(&["--from", "tomorrow"]), ids[2..]);
    assert_eq!(
        listed(&["--to", "tomorrow", "--platform", "kitestudio"]),
        ids[..2]
    );
    assert_eq!(listed(&["--search", "no such words"]), [""; 0]);
    let error = playout
        .run(&["posts", "list", "--platform", "nobody"])
        .failed(1, "platform_not_found");
    assert_eq!(error["details"], json!({ "known": ["kitestudio"] }));
}

#[test]
fn a_caption_may_begin_with_a_dash() {
    let world = World::start();
    let playout = world.playout();
    let draft = playout.draft();
    let edited = playout
        .run(&["posts", "edit", &draft, "--caption", "- one - two"])
        .ok();
    assert_eq!(edited["root"]["content"], "- one - two");
    let edited = playout
        .run(&["posts", "edit", &draft, "--caption", "--json"])
        .ok();
    assert_eq!(edited["root"]["content"], "--json");
}

#[test]
fn a_deleted_post_is_gone() {
    let world = World::start();
    let playout = world.playout();
    let draft = playout.draft();
    assert_eq!(
        playout.run(&["posts", "get", &draft]).ok()["root"]["state"],
        "DRAFT"
    );
    playout.run(&["posts", "delete", &draft]).ok();
    playout.run(&["posts", "get", &draft]).failed(1, "post_not_found");
    playout
        .run(&["posts", "get", "../usage"])
        .failed(1, "invalid_request");
}

#[test]
fn a_schema_says_what_an_account_takes() {
    let world = World::start();
    let schema = world.playout().run(&["platforms", "schema", "Kitestudio"]).ok();
    let fields = schema["schema"]["settings"]["fields"].as_array().unwrap();
    assert!(
        fields.iter().any(|field| field["name"] == "privacy_level"),
        "{schema:#}"
    );
    Playout::new()
        .run(&["platforms", "schema", "kitestudio"])
        .failed(3, "not_signed_in");
}
