//! A dry run checks what an import would do, and does nothing.

use serde_json::{Value, json};

use super::{column, media_count, posts, put_table, read};
use crate::harness::World;

#[test]
fn a_dry_run_checks_every_row_and_neither_creates_nor_uploads() {
    let world = World::start();
    let playout = world.playout();
    put_table(
        &playout,
        "posts.csv",
        &[
            "kitestudio,One,now,clip.mp4,SELF_ONLY",
            "kitestudio,Two,now,clip.mp4,NOBODY",
            "kitestudio,Three,now,,SELF_ONLY",
        ],
    );
    let ran = playout.run(&["posts", "import", "posts.csv", "--dry-run"]);
    ran.failed(6, "invalid_settings");
    let report = ran.json();
    assert_eq!(column(&report, "status"), ["valid", "failed", "failed"]);
    let paths: Vec<&Value> = column(&report, "error")
        .into_iter()
        .map(|error| &error["details"][0]["path"][0])
        .collect();
    assert_eq!(paths, [&json!(null), &json!("settings"), &json!("mediaIds")]);
    let codes: Vec<&Value> = column(&report, "error")
        .into_iter()
        .map(|error| &error["code"])
        .collect();
    assert_eq!(
        codes,
        [&json!(null), &json!("invalid_settings"), &json!("invalid_media")]
    );
    assert_eq!(report["valid"], 1);
    assert!(!playout.dir().join("posts.failed.csv").exists());
    assert_eq!((posts(&playout).len(), media_count(&playout)), (0, 0));
}

#[test]
fn a_file_that_is_no_media_fails_in_a_dry_run_as_its_upload_would() {
    let world = World::start();
    let playout = world.playout();
    playout.put("fake.mp4", b"no film!!");
    playout.put("empty.jpg", b"");
    let fake = ["fake.mp4", "empty.jpg"].map(|name| format!("kitestudio,Two,draft,{name},SELF_ONLY"));
    let good = "kitestudio,One,draft,clip.mp4,SELF_ONLY";
    put_table(&playout, "none.csv", &[&fake[0], &fake[1]]);
    put_table(&playout, "some.csv", &[good, &fake[0], &fake[1]]);
    let dry = |name: &str| playout.run(&["posts", "import", name, "--dry-run"]);
    dry("none.csv").failed(1, "invalid_media_file");
    let checked = dry("some.csv");
    checked.failed(6, "invalid_media_file");
    let checked = checked.json();
    assert_eq!(column(&checked, "status"), ["valid", "failed", "failed"]);
    assert_eq!(media_count(&playout), 0);
    let imported = playout.run(&["posts", "import", "some.csv"]);
    imported.failed(6, "invalid_media_file");
    assert_eq!(column(&imported.json(), "error"), column(&checked, "error"));
    assert_eq!(media_count(&playout), 1);
    let uploads = playout.run(&["media", "upload", "fake.mp4", "empty.jpg"]).json();
    for (at, error) in column(&checked, "error")[1..].iter().enumerate() {
        let refused = &uploads["failed"][at]["error"];
        let ends_alike = error["message"]
            .as_str()
            .unwrap()
            .ends_with(refused["message"].as_str().unwrap());
        assert!(
            ends_alike && error["code"] == refused["code"],
            "{error} {refused}"
        );
    }
}

#[test]
fn a_row_that_is_refused_has_the_same_error_in_a_dry_run_and_an_import() {
    let world = World::start();
    let playout = world.playout();
    let rows = [
        "kitestudio,One,draft,clip.mp4,SELF_ONLY",
        "kitestudio,Two,now,clip.mp4,NOBODY",
    ];
    put_table(&playout, "week.csv", &rows);
    let import = ["posts", "import", "week.csv"];
    let dry = playout.run(&[&import[..], &["--dry-run"]].concat());
    dry.failed(6, "invalid_settings");
    let done = playout.run(&import);
    let error = done.failed(6, "invalid_settings");
    let (dry, done) = (dry.json(), done.json());
    assert_eq!(dry["rows"][1]["error"], done["rows"][1]["error"]);
    let message = done["rows"][1]["error"]["message"].as_str().unwrap();
    assert!(
        message.starts_with("settings.privacy_level: must be one of"),
        "{message}"
    );
    assert!(error["message"].as_str().unwrap().contains(message), "{error}");
    assert!(read(&playout, "week.failed.csv").contains(message));
    let help = playout.run(&["posts", "import", "--help"]).stdout;
    assert!(help.contains("week.failed.csv for week.csv"), "{help}");
}
