//! Another file with rows that were imported: they are known, however they are written.

use std::fs;

use serde_json::{Value, json};

use super::{column, posts, put_table};
use crate::harness::{PHOTO, World};

#[test]
fn a_changed_copy_is_refused_and_the_file_of_what_failed_is_named_where_it_is() {
    let world = World::start();
    let playout = world.playout();
    let rows = |first: &str| {
        [
            first.to_owned(),
            "kitestudio,Two,draft,gone.mp4,SELF_ONLY".to_owned(),
        ]
    };
    let put = |name: &str, rows: &[String]| {
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        put_table(&playout, name, &rows);
    };
    put("posts.csv", &rows("kitestudio,One,draft,clip.mp4,SELF_ONLY"));
    playout
        .run(&["posts", "import", "posts.csv"])
        .failed(6, "invalid_row");
    let mut changed = rows("kitestudio,One,draft,clip.mp4,SELF_ONLY").to_vec();
    changed.push("kitestudio,Three,draft,clip.mp4,SELF_ONLY".to_owned());
    put("copy.csv", &changed);
    let refusal = || {
        let ran = playout.run(&["posts", "import", "copy.csv", "--dry-run"]);
        ran.failed(2, "usage")["message"].as_str().unwrap().to_owned()
    };
    let message = refusal();
    assert!(
        message.contains("; what failed is in /") && message.contains("/posts.failed.csv. To create"),
        "{message}"
    );
    std::fs::remove_file(playout.dir().join("posts.failed.csv")).unwrap();
    let message = refusal();
    assert!(!message.contains("failed"), "{message}");
}

#[test]
fn rows_that_were_imported_are_not_created_by_a_file_of_another_name() {
    let world = World::start();
    let playout = world.playout();
    let import = |name: &str, rows: &[&str]| {
        put_table(&playout, name, rows);
        playout.run(&["posts", "import", name])
    };
    let [one, two, three] =
        ["One", "Two", "Three"].map(|text| format!("kitestudio,{text},draft,clip.mp4,SELF_ONLY"));
    import("week.csv", &[&one, &two]).ok();
    let error = import("week-2.csv", &[&two.replace("kitestudio", "@KiteStudio"), &three]).failed(2, "usage");
    let message = error["message"].as_str().unwrap();
    assert!(
        message.contains("week.csv") && message.contains("1 row of it, the first being row 2,"),
        "{message}"
    );
    import("week-3.csv", &[&three]).ok();
    assert_eq!(posts(&playout).len(), 3);
}

#[test]
fn rows_that_mean_the_same_are_not_created_again_however_they_are_written() {
    let world = World::start();
    world.connect("harborbakes");
    let playout = world.playout();
    let import = |name: &str, head: &str, row: &str| {
        playout.put(name, format!("{head}\n{row}\n").as_bytes());
        playout.run(&["posts", "import", name])
    };
    let head = "accounts,content,mode,when,media,settings.privacy_level";
    let first = "\"kitestudio,harborbakes\",One,draft,2027-12-01 09:00,clip.mp4,SELF_ONLY";
    import("week.csv", head, first).ok();
    let platforms = playout.run(&["platforms", "list"]).ok();
    let id = platforms["platforms"][0]["id"].as_str().unwrap();
    let rows = [
        "\"harborbakes, kitestudio\",One,draft,2027-12-01T09:00:00,clip.mp4,SELF_ONLY".to_owned(),
        "kitestudio,One,draft,2027-12-01T08:00:00Z,clip.mp4,SELF_ONLY".to_owned(),
        format!("{id},One,Draft,2027-12-01 09:00:00, clip.mp4 ,SELF_ONLY"),
        "kitestudio,One,draft,2027-12-01 09:00,./clip.mp4,SELF_ONLY".to_owned(),
    ];
    for (number, row) in rows.iter().enumerate() {
        import(
            &format!("other-{number}.csv"),
            &head.replace("accounts", "Account"),
            row,
        )
        .failed(2, "usage");
    }
    import("later.csv", head, &first.replace("09:00", "09:01")).ok();
    assert_eq!(posts(&playout).len(), 4);
    let dry = playout.run(&["posts", "import", "week.csv", "--dry-run"]).ok();
    assert_eq!(
        column(&dry, "status"),
        ["valid", "valid"],
        "the same file goes on"
    );
    import(
        "lines.csv",
        head,
        "kitestudio,\"One\r\ntwo\",draft,,clip.mp4,SELF_ONLY",
    )
    .ok();
    let other = "content,accounts,when,media,settings.privacy_level";
    import(
        "other-lines.csv",
        other,
        "\"One\ntwo\",kitestudio,draft,clip.mp4,SELF_ONLY",
    )
    .failed(2, "usage");
    assert_eq!(posts(&playout).len(), 5);
}

#[test]
fn posts_that_are_the_same_in_other_words_are_not_created_again() {
    let world = World::start();
    let playout = world.playout();
    let upload = playout.upload("clip.mp4");
    let import = |name: &str, row: &Value| {
        playout.put(name, row.to_string().as_bytes());
        playout.run(&["posts", "import", name])
    };
    let row = json!({ "accounts": "kitestudio", "content": "One", "when": "+3d", "media": upload });
    let first = import("week.jsonl", &row).ok();
    let account = first["rows"][0]["platformId"].as_str().unwrap().to_uppercase();
    let same = [
        ("when", json!("+72h")),
        ("when", first["rows"][0]["scheduledFor"].clone()),
        ("content", json!(" One\r\n")),
        ("comments", json!([])),
        ("settings", json!({})),
        (
            "settings",
            json!({ "privacy_level": "SELF_ONLY", "is_aigc": false, "title": null }),
        ),
        ("settings", json!({ "photo_cover_index": 0.0 })),
        ("accounts", json!(account)),
        ("media", json!(upload.to_uppercase())),
    ];
    for (number, (name, value)) in same.into_iter().enumerate() {
        let mut other = row.clone();
        other[name] = value;
        let error = import(&format!("{number}.jsonl"), &other).failed(2, "usage");
        assert!(
            error["message"].as_str().unwrap().contains("week.jsonl"),
            "{error}"
        );
    }
    for (name, value) in [
        ("when", json!("+73h")),
        ("content", json!("One kite")),
        ("settings", json!({ "is_aigc": true, "allow_duet": true })),
    ] {
        let mut other = row.clone();
        other[name] = value;
        import(&format!("{name}.jsonl"), &other).ok();
    }
    let mut other = row.clone();
    other["settings"] = json!({ "allow_duet": true, "is_aigc": true });
    import("order.jsonl", &other).failed(2, "usage");
    assert_eq!(posts(&playout).len(), 4);
}

#[test]
fn a_file_of_the_same_name_with_other_rows_is_imported() {
    let world = World::start();
    let playout = world.playout();
    let import = |rows: &[&str]| {
        put_table(&playout, "posts.csv", rows);
        playout.run(&["posts", "import", "posts.csv"])
    };
    let [one, two] = ["One", "Two"].map(|text| format!("kitestudio,{text},draft,clip.mp4,SELF_ONLY"));
    import(&[&one]).ok();
    import(&[&two]).ok();
    import(&[&one]).ok();
    assert_eq!(posts(&playout).len(), 2, "the first content is known");
    import(&[&one, &two]).failed(2, "usage");
    assert_eq!(posts(&playout).len(), 2);
}

#[test]
fn a_file_of_the_same_bytes_and_other_media_is_not_taken_for_the_one_that_was_imported() {
    let world = World::start();
    let playout = world.playout();
    let clip = fs::read(playout.dir().join("clip.mp4")).unwrap();
    let import = |folder: &str, media: &[u8], key: &[&str]| {
        fs::create_dir_all(playout.dir().join(folder)).unwrap();
        playout.put(&format!("{folder}/1.jpg"), media);
        put_table(
            &playout,
            &format!("{folder}/posts.csv"),
            &["kitestudio,One,draft,1.jpg,SELF_ONLY"],
        );
        playout.run(&[&["posts", "import", &format!("{folder}/posts.csv")], key].concat())
    };
    let first = import("w1", PHOTO, &[]).ok();
    assert_eq!(
        import("copy", PHOTO, &[]).ok()["rows"][0]["postId"],
        first["rows"][0]["postId"]
    );
    let error = import("w2", &clip, &[]).failed(2, "usage");
    assert!(
        error["message"].as_str().unwrap().contains("w1/posts.csv"),
        "{error}"
    );
    import("w2", &clip, &["--idempotency-key", "week 2"]).ok();
    assert_eq!(posts(&playout).len(), 2);
}
