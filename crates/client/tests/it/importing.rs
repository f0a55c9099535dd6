//! Many posts from a file: what is created, what is reported, and what a second run does.

mod again;
mod corrected;
mod dry_run;
mod interrupted;
mod limits;
mod reading;
mod same_rows;

use std::fs;

use serde_json::{Value, json};

use crate::harness::{PHOTO, Playout, Ran, World};

const HEAD: &str = "accounts,content,when,media,settings.privacy_level";

fn posts(playout: &Playout) -> Vec<Value> {
    let list = playout.run(&["posts", "list"]).ok();
    list["posts"].as_array().unwrap().clone()
}

fn media_count(playout: &Playout) -> usize {
    playout.run(&["media", "list"]).ok()["media"]
        .as_array()
        .unwrap()
        .len()
}

fn put_table(playout: &Playout, name: &str, rows: &[&str]) {
    let text = [&[HEAD], rows].concat().join("\r\n");
    playout.put(name, format!("\u{feff}{text}\r\n").as_bytes());
}

fn read(playout: &Playout, name: &str) -> String {
    fs::read_to_string(playout.dir().join(name)).unwrap()
}

/// A row of a post with a photo.
const WITH_PHOTO: &str = "kitestudio,Two,draft,photo.jpg,SELF_ONLY";

/// Imports a table of which the rows with `photo.jpg` fail, and puts the photo there; returns the run.
fn imported_without_its_photo(playout: &Playout, rows: &[&str], exit: i32) -> Ran {
    playout.put("photo.jpg", b"no picture");
    put_table(playout, "posts.csv", rows);
    let ran = playout.run(&["posts", "import", "posts.csv"]);
    ran.failed(exit, "invalid_media_file");
    playout.put("photo.jpg", PHOTO);
    ran
}

/// How many posts an earlier run has created, and which.
fn repeated(report: &Value) -> (Value, Vec<Value>) {
    let rows = column(report, "repeated").into_iter().cloned();
    (report["repeated"].clone(), rows.collect())
}

fn column<'a>(report: &'a Value, name: &str) -> Vec<&'a Value> {
    let rows = report["rows"].as_array().unwrap().iter();
    rows.map(|row| &row[name]).collect()
}

#[test]
fn a_table_becomes_posts_and_what_failed_is_corrected_and_imported_again() {
    let world = World::start();
    world.connect("harborbakes");
    let playout = world.playout();
    put_table(
        &playout,
        "posts.csv",
        &[
            "kitestudio,\"Kites, first\",draft,clip.mp4,SELF_ONLY",
            "\"@kitestudio, harborbakes\",Both,+3d,clip.mp4,SELF_ONLY",
            "kitestudio,Refused,now,clip.mp4,NOBODY",
            "kitestudio,Missing,draft,gone.mp4,SELF_ONLY",
            "nobody,Unknown,draft,clip.mp4,SELF_ONLY",
            "kitestudio,Never,soon,clip.mp4,SELF_ONLY",
        ],
    );
    let ran = playout.run(&["posts", "import", "posts.csv"]);
    let error = ran.failed(6, "invalid_settings");
    assert!(error["message"].as_str().unwrap().contains("4 of 7"), "{error}");
    let report = ran.json();
    let statuses = [
        "created", "created", "created", "failed", "failed", "failed", "failed",
    ];
    assert_eq!(column(&report, "status"), statuses);
    assert_eq!(column(&report, "row"), [2, 3, 3, 4, 5, 6, 7]);
    assert_eq!((&report["created"], &report["failed"]), (&json!(3), &json!(4)));
    assert_eq!((posts(&playout).len(), media_count(&playout)), (3, 1));
    assert_eq!(report["failedFile"], "posts.failed.csv");
    let failed = read(&playout, "posts.failed.csv");
    let lines: Vec<&str> = failed.lines().collect();
    assert_eq!(lines[0], format!("{HEAD},row,error"));
    for (line, why) in lines[1..]
        .iter()
        .zip(["settings.privacy_level", "gone.mp4", "kitestudio", "soon"])
    {
        assert!(line.contains(why), "{why}: {line}");
    }
    let corrected = failed
        .replace("NOBODY", "SELF_ONLY")
        .replace("now,", "draft,")
        .replace("gone.mp4,", "clip.mp4,")
        .replace("nobody,", "harborbakes,")
        .replace("soon,", "tomorrow 09:00,");
    // Corrected in the first file, its other rows would be created a second time.
    let whole = read(&playout, "posts.csv").replace("NOBODY", "SELF_ONLY");
    playout.put("posts.csv", whole.as_bytes());
    std::fs::remove_file(playout.dir().join("posts.failed.csv")).unwrap();
    for how in [&[][..], &["--dry-run"]] {
        let error = playout
            .run(&[&["posts", "import", "posts.csv"], how].concat())
            .failed(2, "usage");
        let message = error["message"].as_str().unwrap();
        assert!(
            message.contains("2 rows of it, the first being row 2,") && !message.contains("failed"),
            "{message}"
        );
    }
    assert_eq!(posts(&playout).len(), 3);
    playout.put("posts.failed.csv", corrected.as_bytes());
    let report = playout.run(&["posts", "import", "posts.failed.csv"]).ok();
    assert_eq!(
        (&report["created"], &report["failedFile"]),
        (&json!(4), &json!(null))
    );
    assert_eq!((posts(&playout).len(), media_count(&playout)), (7, 1));
}

#[test]
fn a_filter_that_fails_on_the_result_of_an_import_leaves_its_document_in_the_details() {
    let world = World::start();
    let playout = world.playout();
    playout.put("photo.jpg", b"no picture");
    put_table(
        &playout,
        "posts.csv",
        &["kitestudio,One,draft,clip.mp4,SELF_ONLY", WITH_PHOTO],
    );
    let ran = playout.run(&["posts", "import", "posts.csv", "--jq", ".rows.created"]);
    let error = ran.failed(6, "invalid_media_file");
    assert_eq!(error["details"]["rows"][0]["status"], "created");
    assert!(
        error["message"]
            .as_str()
            .unwrap()
            .contains("the filter of its output failed"),
        "{error}"
    );
}

#[test]
fn a_row_that_fails_on_one_of_its_accounts_is_left_with_that_account() {
    let world = World::start();
    world.connect("harborbakes");
    let playout = world.playout();
    let unknown = "0196f3a0-7c1e-7d3a-9b5e-000000000009";
    let row = json!({
        "platformIds": ["kitestudio", unknown],
        "content": "Both",
        "mode": "draft",
        "scheduledFor": "2027-12-01 09:00",
        "settings": { "privacy_level": "SELF_ONLY" },
        "comments": ["First!"],
        "error": "of another time",
    });
    playout.put("posts.jsonl", row.to_string().as_bytes());
    let ran = playout.run(&["posts", "import", "posts.jsonl"]);
    ran.failed(6, "platform_not_found");
    let left: Value = serde_json::from_str(&read(&playout, "posts.failed.jsonl")).unwrap();
    assert_eq!(left["platformIds"], json!([unknown]));
    assert!(left["error"].as_str().unwrap().starts_with(unknown), "{left}");
    let post = &posts(&playout)[0];
    assert_eq!(post["scheduledFor"], "2027-12-01T08:00:00.000Z");
    let report = playout.run(&["posts", "import", "posts.failed.jsonl"]);
    report.failed(1, "platform_not_found");
    assert_eq!(posts(&playout).len(), 1);
}
