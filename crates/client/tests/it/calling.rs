//! `api`: any request of the API.

use std::fs;

use serde_json::{Value, json};

use crate::harness::{Playout, World, post_body};

#[test]
fn a_request_prints_the_body_and_ends_with_the_code_of_its_status() {
    let world = World::start();
    let playout = world.playout();
    let platforms = playout.run(&["api", "GET", "/platforms"]).ok();
    assert_eq!(platforms, playout.run(&["platforms", "list"]).ok());
    let made = playout
        .run(&[
            "api",
            "post",
            "/media/folders",
            "--data",
            r#"{ "name": "Spring" }"#,
        ])
        .ok();
    assert_eq!(made["name"], "Spring");
    let folder = format!("/public/v1/media/folders/{}", made["id"].as_str().unwrap());
    let renamed = playout.run_reading(
        r#"{ "name": "Summer" }"#,
        &["api", "PATCH", &folder, "--data", "-"],
    );
    assert_eq!(renamed.ok()["name"], "Summer");
    let gone = playout.run(&["api", "DELETE", &folder]);
    assert_eq!(
        (gone.code, gone.stdout.as_str(), gone.stderr.as_str()),
        (0, "", "")
    );
    let missing = playout.run(&["api", "DELETE", &folder]);
    missing.failed(1, "folder_not_found");
    assert_eq!(
        missing.json()["code"],
        "folder_not_found",
        "the body is printed as well"
    );
    let wrong_key = ["--api-key", "svc_sk_wrong"];
    playout
        .run(&[&["api", "GET", "/posts"][..], &wrong_key].concat())
        .failed(3, "invalid_api_key");
}

#[test]
fn parameters_headers_and_files_are_sent() {
    let world = World::start();
    let playout = world.playout();
    let drafts = [playout.draft(), playout.draft()];
    let listed = playout
        .run(&[
            "api",
            "GET",
            "/posts?limit=1",
            "--query",
            "state=DRAFT",
            "--query",
            "q=A draft",
        ])
        .ok();
    assert_eq!(listed["posts"][0]["id"], drafts[0].as_str());
    assert_eq!(listed["posts"].as_array().unwrap().len(), 1);
    let platform = playout.run(&["platforms", "list"]).ok()["platforms"][0]["id"].take();
    let mut body = post_body(platform.as_str().unwrap(), &[&playout.upload("clip.mp4")]);
    body["mode"] = json!("draft");
    playout.put("post.json", body.to_string().as_bytes());
    let create = [
        "api",
        "POST",
        "/posts",
        "--data",
        "@post.json",
        "--header",
        "Idempotency-Key: once",
    ];
    let created = playout.run(&create).ok();
    assert_eq!(playout.run(&create).ok(), created, "the header is sent");
    let media = created["results"][0]["post"]["root"]["mediaIds"][0]
        .as_str()
        .unwrap();
    let photo = playout.upload("slides/1.jpg");
    assert_ne!(media, photo);
    let preview = json!({ "mediaId": photo, "caption": "Kites" }).to_string();
    let line = format!("playout api POST /slides/preview --data '{preview}' > seen.jpg");
    assert_eq!(playout.shell(&line).code, 0);
    let seen = fs::read(playout.dir().join("seen.jpg")).unwrap();
    assert!(
        seen.starts_with(b"\xFF\xD8") && seen.ends_with(b"\xFF\xD9"),
        "bytes stay as they are"
    );
}

#[test]
fn what_cannot_be_sent_is_a_usage_error() {
    let world = World::start();
    let playout = world.playout();
    let refused =
        |arguments: &[&str]| -> Value { playout.run(&[&["api"], arguments].concat()).failed(2, "usage") };
    refused(&["GET", "https://elsewhere.example/posts"]);
    refused(&["POST", "/posts", "--data", "{ nonsense"]);
    refused(&["GET", "/posts", "--query", "state"]);
    refused(&["GET", "/posts", "--header", "Authorization: Bearer other"]);
    refused(&["G T", "/posts"]);
    playout
        .run(&["api", "POST", "/posts", "--data", "@gone.json"])
        .failed(2, "file_error");
}

#[test]
fn a_header_that_cannot_be_sent_is_a_usage_error() {
    let playout = Playout::new()
        .env("PLAYOUT_API_URL", "http://127.0.0.1:9")
        .env("PLAYOUT_API_KEY", "any");
    for header in ["X-Kites: one\ntwo", "X Kites: one", ": one"] {
        let get = ["api", "GET", "/posts", "--header", header];
        let error = playout.run(&get).failed(2, "usage");
        assert!(error["message"].as_str().unwrap().contains("header"), "{error}");
    }
}

#[test]
fn a_post_of_which_every_response_was_lost_names_the_key_with_which_it_takes_effect_once() {
    let world = World::start();
    let relay = world.relay();
    let playout = world.playout();
    let create = [
        "api",
        "POST",
        "/media/folders",
        "--data",
        r#"{ "name": "Spring" }"#,
    ];
    relay.lose_responses(100);
    let through = world.playout().env("PLAYOUT_API_URL", &relay.url);
    let error = through.run(&create).failed(4, "network_error");
    let message = error["message"].as_str().unwrap();
    let (_, header) = message.split_once("--header \"").unwrap();
    let (header, _) = header.split_once('"').unwrap();
    assert!(header.starts_with("Idempotency-Key: "), "{message}");
    playout.run(&create).failed(1, "invalid_request");
    let again = playout.run(&[&create[..], &["--header", header]].concat()).ok();
    assert_eq!(again["name"], "Spring");
    let own = ["--header", "idempotency-key: spring-1"];
    let error = through
        .run(&[&create[..], &own].concat())
        .failed(4, "network_error");
    assert!(error["message"].as_str().unwrap().contains("spring-1"), "{error}");
}
