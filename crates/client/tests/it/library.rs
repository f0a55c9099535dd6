//! Media and folders.

use serde_json::{Value, json};

use crate::harness::{CLIP, Film, World};

fn names(list: &Value) -> Vec<&str> {
    let media = list["media"].as_array().unwrap().iter();
    media
        .map(|media| media["originalFileName"].as_str().unwrap())
        .collect()
}

#[test]
fn many_files_are_uploaded_in_the_order_they_were_named() {
    let world = World::start();
    let playout = world.playout();
    let uploaded = playout
        .run(&["media", "upload", "clip.mp4", "slides/*.jpg", "slides/1.jpg"])
        .ok();
    assert_eq!(
        names(&uploaded),
        ["clip.mp4", "1.jpg", "2.jpg"],
        "a file is sent once"
    );
    assert_eq!(uploaded["failed"], json!([]));
    let mut listed: Vec<String> = Vec::new();
    for kind in ["image", "video"] {
        let list = playout.run(&["media", "list", "--type", kind]).ok();
        listed.extend(names(&list).into_iter().map(str::to_owned));
    }
    listed.sort();
    assert_eq!(listed, ["1.jpg", "2.jpg", "clip.mp4"]);
    assert_eq!(
        playout.run(&["media", "list", "--limit", "2"]).ok()["media"]
            .as_array()
            .unwrap()
            .len(),
        2
    );
}

#[test]
fn a_file_that_is_refused_does_not_keep_the_others() {
    let world = World::start();
    let playout = world.playout();
    playout.put("notes.jpg", b"no picture at all");
    let ran = playout.run(&["media", "upload", "notes.jpg", "slides/1.jpg"]);
    let error = ran.failed(6, "invalid_media_file");
    assert!(
        error["message"].as_str().unwrap().starts_with("notes.jpg: "),
        "{error}"
    );
    let alone = playout.run(&["media", "upload", "notes.jpg"]);
    alone.failed(1, "invalid_media_file");
    assert_eq!(names(&ran.json()), ["1.jpg"]);
    assert_eq!(ran.json()["failed"][0]["file"], "notes.jpg");
    assert_eq!(ran.json()["failed"][0]["error"]["code"], "invalid_media_file");
}

#[test]
fn a_post_whose_file_is_refused_names_the_file() {
    let world = World::start();
    let playout = world.playout();
    playout.put("notes.jpg", b"no picture at all");
    let line = ["posts", "create", "--draft", "--platform", "kitestudio"];
    let files = ["--media", "slides/1.jpg", "--media", "notes.jpg"];
    let error = playout
        .run(&[&line[..], &files].concat())
        .failed(1, "invalid_media_file");
    assert!(
        error["message"].as_str().unwrap().starts_with("notes.jpg: "),
        "{error}"
    );
}

#[test]
fn files_that_are_not_there_are_a_usage_error() {
    let world = World::start();
    let playout = world.playout();
    playout
        .run(&["media", "upload", "gone.mp4"])
        .failed(2, "file_error");
    playout.run(&["media", "upload", "*.webm"]).failed(2, "usage");
    playout.run(&["media", "upload", "slides"]).failed(2, "usage");
    playout
        .run(&["media", "upload", "slides/*.jpg", "--name", "one.jpg"])
        .failed(2, "usage");
}

#[test]
fn folders_are_called_by_their_names() {
    let world = World::start();
    let playout = world.playout();
    let made = playout.run(&["folders", "create", "Kites"]).ok();
    playout
        .run(&["folders", "create", "kites"])
        .failed(1, "invalid_request");
    let uploaded = playout
        .run(&[
            "media",
            "upload",
            "clip.mp4",
            "--folder",
            "KITES",
            "--name",
            "first.mp4",
        ])
        .ok();
    assert_eq!(uploaded["media"][0]["folderId"], made["id"]);
    playout.upload("slides/1.jpg");
    assert_eq!(
        names(&playout.run(&["media", "list", "--folder", "Kites"]).ok()),
        ["first.mp4"]
    );
    assert_eq!(
        names(&playout.run(&["media", "list", "--folder", "root"]).ok()),
        ["1.jpg"]
    );
    playout.run(&["folders", "rename", "Kites", "Dragons"]).ok();
    playout
        .run(&["media", "list", "--folder", "Kites"])
        .failed(1, "folder_not_found");
    assert_eq!(
        playout.run(&["folders", "list"]).ok()["folders"][0]["name"],
        "Dragons"
    );
    playout.run(&["folders", "delete", "Dragons"]).ok();
    assert_eq!(playout.run(&["folders", "list"]).ok()["folders"], json!([]));
    playout.run(&["folders", "delete", "root"]).failed(2, "usage");
}

#[test]
fn a_folder_that_does_not_exist_can_be_created_with_the_upload() {
    let world = World::start();
    let playout = world.playout();
    let upload = ["media", "upload", "clip.mp4", "--folder", "Spring 2027"];
    let error = playout.run(&upload).failed(1, "folder_not_found");
    let message = error["message"].as_str().unwrap();
    assert!(
        message.contains("playout folders create \"Spring 2027\"") && message.contains("--create-folder"),
        "{message}"
    );
    let import = [
        "media",
        "import",
        "https://example.org/kite.mp4",
        "--folder",
        "Spring 2027",
    ];
    let error = playout.run(&import).failed(1, "folder_not_found");
    let message = error["message"].as_str().unwrap();
    assert!(
        !message.contains("--create-folder"),
        "it has no such option: {message}"
    );
    assert_eq!(playout.run(&["media", "list"]).ok()["media"], json!([]));
    let create = [&upload[..], &["--create-folder"]].concat();
    let uploaded = [playout.run(&create).ok(), playout.run(&create).ok()];
    let folders = playout.run(&["folders", "list"]).ok();
    assert_eq!(folders["folders"].as_array().unwrap().len(), 1);
    for uploaded in uploaded {
        assert_eq!(uploaded["media"][0]["folderId"], folders["folders"][0]["id"]);
    }
    playout
        .run(&["media", "upload", "clip.mp4", "--create-folder"])
        .failed(2, "usage");
}

#[test]
fn media_are_moved_renamed_and_deleted() {
    let world = World::start();
    let playout = world.playout();
    let folder = playout.run(&["folders", "create", "Kites"]).ok();
    let id = playout.upload("clip.mp4");
    let moved = playout
        .run(&["media", "move", &id, "Kites", "--name", "flight.mp4"])
        .ok();
    assert_eq!(
        (&moved["folderId"], &moved["originalFileName"]),
        (&folder["id"], &json!("flight.mp4"))
    );
    assert_eq!(
        playout.run(&["media", "move", &id, "root"]).ok()["folderId"],
        json!(null)
    );
    assert_eq!(
        playout.run(&["media", "get", &id]).ok()["originalFileName"],
        "flight.mp4"
    );
    let unknown = "0196f3a0-7c1e-7d3a-9b5e-000000000009";
    let ran = playout.run(&["media", "delete", &id, unknown]);
    ran.failed(6, "media_not_found");
    assert_eq!(ran.json()["deleted"], json!([id]));
    playout
        .run(&["media", "delete", &id, unknown])
        .failed(1, "media_not_found");
    assert_eq!(ran.json()["failed"][0]["id"], unknown);
    playout.run(&["media", "get", &id]).failed(1, "media_not_found");
}

#[test]
fn what_a_draft_needs_is_not_deleted() {
    let world = World::start();
    let playout = world.playout();
    let draft = playout.draft();
    let group = playout.run(&["posts", "get", &draft]).ok();
    let media = group["root"]["mediaIds"][0].as_str().unwrap();
    playout.run(&["media", "delete", media]).failed(1, "media_in_use");
}

#[test]
fn a_file_is_imported_from_an_address() {
    let (world, film) = (World::with_local_webhooks(), Film::open());
    let playout = world.playout();
    playout.run(&["folders", "create", "Kites"]).ok();
    let media = playout
        .run(&["media", "import", &film.url, "--folder", "Kites"])
        .ok();
    let shown = (&media["status"], &media["originalFileName"], &media["size"]);
    assert_eq!(shown, (&json!("READY"), &json!("kite.mp4"), &json!(CLIP.len())));
    assert_ne!(media["folderId"], json!(null));
    let begun = playout
        .run(&["media", "import", &film.url, "--name", "wind.mp4", "--no-wait"])
        .ok();
    assert_eq!(begun["originalFileName"], "wind.mp4");
    let missing = film.url.replace("kite", "gone");
    let refused = playout.run(&["media", "import", &missing]);
    let error = refused.failed(1, "import_failed");
    assert!(error["message"].as_str().unwrap().contains("404"), "{error}");
}
