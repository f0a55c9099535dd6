//! Only the version that was read is changed.

use serde_json::json;

use crate::harness::{Playout, World};

#[test]
fn only_the_version_that_was_read_is_changed() {
    let world = World::with_local_webhooks();
    let playout = world.playout();
    let draft = playout.draft();
    let read = playout.run(&["posts", "get", &draft]).ok();
    let etag = read["etag"].as_str().unwrap();
    let chosen = playout.run(&["posts", "get", &draft, "--json=id,etag"]).ok();
    assert_eq!(chosen, json!({ "id": draft, "etag": etag }));
    // A shell takes the quotation marks away.
    let bare = etag.trim_matches('"');
    let edit = [
        "posts",
        "edit",
        &draft,
        "--if-match",
        bare,
        "--setting",
        "allow_comment=true",
    ];
    let edited = playout.run(&edit).ok();
    assert_ne!(edited["etag"], etag);
    for command in [
        &["posts", "edit", &draft, "--caption", "Late"][..],
        &["posts", "edit", &draft, "--setting", "allow_comment=false"],
        &["posts", "reschedule", &draft, "--at", "+3d"],
        &["posts", "publish", &draft],
        &["posts", "unschedule", &draft],
        &["posts", "mark-published", &draft],
        &["posts", "delete", &draft],
    ] {
        has_another_version(&playout, command, etag);
        // One version in sixty-four begins so.
        has_another_version(&playout, command, "-HashOfAnother");
    }
    let last = playout.run(&["posts", "get", &draft]).ok();
    let unchanged = |field: &str| last[field] == edited[field];
    assert!(unchanged("root") && unchanged("etag"), "{last}");
    let of_post = last["etag"].as_str().unwrap();
    playout
        .run(&["posts", "delete", &draft, "--if-match", of_post])
        .ok();
}

/// A command that changes an old version is rejected, with what is to be done.
fn has_another_version(playout: &Playout, command: &[&str], version: &str) {
    let error = playout
        .run(&[command, &["--if-match", version]].concat())
        .failed(1, "precondition_failed");
    let message = error["message"].as_str().unwrap();
    assert!(
        message.contains("as it is now") && message.contains("--if-match"),
        "{command:?}: {message}"
    );
}

#[test]
fn media_folders_and_webhooks_are_changed_only_in_the_version_that_was_read() {
    let world = World::with_local_webhooks();
    let playout = world.playout();
    let media = &playout.upload("clip.mp4");
    let read = playout.run(&["media", "get", media]).ok();
    let folder = playout.run(&["folders", "create", "Kites"]).ok();
    playout.run(&["folders", "rename", "Kites", "Old kites"]).ok();
    let (folder, of_folder) = (folder["id"].as_str().unwrap(), folder["etag"].as_str().unwrap());
    let create = [
        "webhooks",
        "create",
        "http://127.0.0.1:9/",
        "--events",
        "post.failed",
    ];
    let webhook = playout.run(&create).ok();
    let webhook = webhook["id"].as_str().unwrap();
    let version = read["etag"].as_str().unwrap();
    playout
        .run(&["media", "move", media, folder, "--if-match", version])
        .ok();
    for (command, version) in [
        (
            &["media", "move", media, "root", "--name", "late.mp4"][..],
            version,
        ),
        (&["media", "delete", media], version),
        (&["folders", "rename", folder, "Kites"], of_folder),
        (&["folders", "delete", folder], of_folder),
        (&["webhooks", "delete", webhook], of_folder),
    ] {
        has_another_version(&playout, command, version);
    }
    playout
        .run(&["media", "delete", media, media, "--if-match", "*"])
        .failed(2, "usage");
}
