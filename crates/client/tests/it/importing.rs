//! Many posts from a file: what is created, what is reported, and what a second run does.

use std::fs;
use std::path::PathBuf;

use playout_domain::time::Time;
use serde_json::{Value, json};

use crate::harness::{PHOTO, Playout, Ran, Relay, World};

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

/// Imports 250 drafts from lines, and is killed after the first of its requests.
fn import_that_is_killed(world: &World, relay: &Relay, playout: &Playout) {
    playout.put("posts.jsonl", drafts("").as_bytes());
    relay.stop_after(14_000);
    let mut child = playout.spawn(&["posts", "import", "posts.jsonl"]);
    world.runtime.block_on(relay.stopped());
    child.kill().unwrap();
    child.wait().unwrap();
    relay.go_on();
}

/// The lines of 250 drafts, and another line.
fn drafts(last: &str) -> String {
    let lines = (0..250).map(|number| {
        json!({ "account": "kitestudio", "content": format!("Kite {number}"), "when": "draft" }).to_string()
    });
    lines.chain([last.to_owned()]).collect::<Vec<_>>().join("\n")
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
fn a_second_run_creates_nothing_twice_and_tries_again_what_failed() {
    let world = World::start();
    let playout = world.playout();
    playout.put("photo.jpg", b"no picture");
    put_table(
        &playout,
        "posts.csv",
        &[
            "kitestudio,One,+3d,clip.mp4,SELF_ONLY",
            "kitestudio,Two,draft,photo.jpg,SELF_ONLY",
        ],
    );
    let import = ["posts", "import", "posts.csv"];
    let first = playout.run(&import);
    first.failed(6, "invalid_media_file");
    let again = playout.run(&import);
    again.failed(6, "invalid_media_file");
    assert_eq!(
        first.json()["rows"][0]["postId"],
        again.json()["rows"][0]["postId"]
    );
    assert_eq!(repeated(&first.json()), (json!(0), vec![json!(false); 2]));
    assert_eq!(
        repeated(&again.json()),
        (json!(1), vec![json!(true), json!(false)])
    );
    assert_eq!(
        again.json()["failedFile"],
        "posts.failed.csv",
        "its content is the same"
    );
    assert_eq!(posts(&playout).len(), 1);
    playout.put("photo.jpg", PHOTO);
    let third = playout.run(&import).ok();
    assert_eq!(third["rows"][0], again.json()["rows"][0]);
    assert_eq!(column(&third, "status"), ["created", "created"]);
    assert_eq!(repeated(&third), (json!(1), vec![json!(true), json!(false)]));
    assert_eq!((posts(&playout).len(), media_count(&playout)), (2, 2));
    let fourth = playout.run(&import).ok();
    assert_eq!(column(&fourth, "postId"), column(&third, "postId"));
    assert_eq!(repeated(&fourth), (json!(2), vec![json!(true); 2]));
    let mut once_more = import.to_vec();
    once_more.extend(["--idempotency-key", "second"]);
    let other = playout.run(&once_more).ok();
    assert_ne!(other["rows"][0]["postId"], third["rows"][0]["postId"]);
    assert_eq!((posts(&playout).len(), media_count(&playout)), (4, 2));
}

#[test]
fn what_failed_and_was_imported_from_its_own_file_is_not_sent_again() {
    let world = World::start();
    let playout = world.playout();
    let rows = ["kitestudio,One,+3d,clip.mp4,SELF_ONLY", WITH_PHOTO];
    imported_without_its_photo(&playout, &rows, 6);
    let import = |name: &str| playout.run(&["posts", "import", name]);
    assert_eq!(import("posts.failed.csv").ok()["created"], 1);
    for _ in 0..2 {
        let again = import("posts.csv").ok();
        assert_eq!(column(&again, "status"), ["created", "continued"]);
        assert_eq!(again["continuedIn"], "posts.failed.csv");
    }
    assert_eq!(import("posts.failed.csv").ok()["created"], 1);
    assert_eq!(posts(&playout).len(), 2);
}

#[test]
fn an_account_that_is_connected_otherwise_since_does_not_open_what_was_created_on_it() {
    let world = World::start();
    let playout = world.playout();
    put_table(
        &playout,
        "posts.csv",
        &["kitestudio,One,draft,clip.mp4,SELF_ONLY"],
    );
    let import = ["posts", "import", "posts.csv"];
    let first = playout.run(&import).ok();
    let platform = first["rows"][0]["platformId"].as_str().unwrap();
    world.connect_otherwise(platform, "kitestudio");
    let again = playout.run(&import).ok();
    assert_eq!(again["rows"][0]["postId"], first["rows"][0]["postId"]);
    assert_eq!(posts(&playout).len(), 1);
}

#[test]
fn what_failed_before_anything_was_sent_is_not_sent_either_once_its_own_file_was_imported() {
    let world = World::start();
    let playout = world.playout();
    imported_without_its_photo(&playout, &[WITH_PHOTO], 1);
    let import = |name: &str| playout.run(&["posts", "import", name]);
    import("posts.failed.csv").ok();
    assert_eq!(column(&import("posts.csv").ok(), "status"), ["continued"]);
    assert_eq!(posts(&playout).len(), 1);
}

#[test]
fn what_its_own_file_has_created_is_not_created_by_a_file_with_more_rows() {
    for corrected in [false, true] {
        let world = World::start();
        let playout = world.playout();
        imported_without_its_photo(&playout, &[WITH_PHOTO], 1);
        let import = |name: &str| playout.run(&["posts", "import", name]);
        if corrected {
            let text = read(&playout, "posts.failed.csv").replace("Two", "Two of three");
            playout.put("posts.failed.csv", text.as_bytes());
        }
        import("posts.failed.csv").ok();
        put_table(
            &playout,
            "posts.csv",
            &[WITH_PHOTO, "kitestudio,One,draft,clip.mp4,SELF_ONLY"],
        );
        import("posts.csv").failed(2, "usage");
        playout
            .run(&["posts", "import", "posts.csv", "--dry-run"])
            .failed(2, "usage");
        assert_eq!(posts(&playout).len(), 1);
    }
}

#[test]
fn what_failed_twice_is_created_by_either_file_once_the_cause_is_gone() {
    for again in [
        ["posts.csv", "posts.failed.csv"],
        ["posts.failed.csv", "posts.csv"],
    ] {
        let world = World::start();
        let playout = world.playout();
        imported_without_its_photo(&playout, &[WITH_PHOTO], 1);
        let import = |name: &str| playout.run(&["posts", "import", name]);
        playout.put("photo.jpg", b"no picture");
        import("posts.failed.csv").failed(1, "invalid_media_file");
        playout.put("photo.jpg", PHOTO);
        import(again[0]).ok();
        assert_eq!(posts(&playout).len(), 1);
        // The file of what failed is taken away once all of it was created otherwise.
        if playout.dir().join(again[1]).exists() {
            import(again[1]).ok();
        }
        assert_eq!(posts(&playout).len(), 1);
    }
}

#[test]
fn an_account_that_is_named_by_its_id_in_capitals_gets_its_post_once() {
    let world = World::start();
    let playout = world.playout();
    let platforms = playout.run(&["platforms", "list"]).ok();
    let id = platforms["platforms"][0]["id"].as_str().unwrap().to_uppercase();
    put_table(
        &playout,
        "posts.csv",
        &[&format!("{id},One,draft,clip.mp4,SELF_ONLY")],
    );
    let first = playout.run(&["posts", "import", "posts.csv"]).ok();
    assert_eq!(column(&first, "status"), ["created"]);
    let again = playout.run(&["posts", "import", "posts.csv"]).ok();
    assert_eq!(column(&again, "postId"), column(&first, "postId"));
    assert_eq!(repeated(&again), (json!(1), vec![json!(true)]));
    assert_eq!(posts(&playout).len(), 1);
}

#[test]
fn what_was_corrected_in_its_own_file_does_not_fail_again() {
    let world = World::start();
    let playout = world.playout();
    let import = |name: &str| playout.run(&["posts", "import", name]);
    let one = "kitestudio,One,+3d,clip.mp4,SELF_ONLY";
    // One row cannot be read, and one is refused.
    put_table(
        &playout,
        "posts.csv",
        &[
            one,
            "kitestudio,Two,soon,clip.mp4,SELF_ONLY",
            "kitestudio,Three,+4d,clip.mp4,EVERYONE",
        ],
    );
    assert_eq!(import("posts.csv").json()["failed"], 2);
    let corrected = read(&playout, "posts.failed.csv")
        .replace("soon", "+5d")
        .replace("EVERYONE", "SELF_ONLY");
    playout.put("posts.failed.csv", corrected.as_bytes());
    assert_eq!(import("posts.failed.csv").ok()["created"], 2);
    let again = import("posts.csv").ok();
    assert_eq!(column(&again, "status"), ["created", "continued", "continued"]);
    assert_eq!(
        (&again["continuedIn"], &again["failedFile"]),
        (&json!("posts.failed.csv"), &json!(null))
    );
    assert_eq!(posts(&playout).len(), 3);
}

#[test]
fn a_row_that_was_replaced_in_its_own_file_is_not_reported_as_imported() {
    let world = World::start();
    let playout = world.playout();
    let import = |name: &str| playout.run(&["posts", "import", name]);
    let other = "kitestudio,Other,draft,clip.mp4,SELF_ONLY";
    for (name, replaced) in [
        ("a", vec![HEAD.to_owned(), other.to_owned()]),
        (
            "b",
            vec![
                format!("{HEAD},row,error"),
                format!("{},,", other.replace("Other", "Another")),
            ],
        ),
    ] {
        let (first, failed) = (format!("{name}.csv"), format!("{name}.failed.csv"));
        let good = format!("kitestudio,Good {name},draft,clip.mp4,SELF_ONLY");
        let bad = format!("kitestudio,Bad {name},+3d,clip.mp4,EVERYONE");
        put_table(&playout, &first, &[&good, &bad]);
        import(&first).failed(6, "invalid_settings");
        assert!(
            read(&playout, &failed).contains(",3,"),
            "{}",
            read(&playout, &failed)
        );
        playout.put(&failed, replaced.join("\n").as_bytes());
        import(&failed).ok();
        let ran = import(&first);
        ran.failed(6, "imported_since");
        assert_eq!(column(&ran.json(), "status"), ["created", "failed"]);
        assert_eq!(ran.json()["failedFile"], format!("{name}.failed-2.csv"));
    }
    assert_eq!(posts(&playout).len(), 4);
}

#[test]
fn a_row_of_the_first_content_of_a_file_is_not_taken_for_one_of_a_later_content() {
    let world = World::start();
    let playout = world.playout();
    let import = |name: &str| playout.run(&["posts", "import", name]);
    for content in ["First", "Later"] {
        let good = format!("kitestudio,{content},draft,clip.mp4,SELF_ONLY");
        let bad = format!("kitestudio,{content} and bad,soon,clip.mp4,SELF_ONLY");
        put_table(&playout, "posts.csv", &[&good, &bad]);
        import("posts.csv").failed(6, "invalid_row");
    }
    let corrected = read(&playout, "posts.failed.csv").replace(",soon,", ",draft,");
    assert!(corrected.contains("First and bad"), "{corrected}");
    playout.put("posts.failed.csv", corrected.as_bytes());
    import("posts.failed.csv").ok();
    let ran = import("posts.csv");
    ran.failed(6, "imported_since");
    assert_eq!(column(&ran.json(), "status"), ["created", "failed"]);
}

#[test]
fn a_row_that_is_corrected_in_a_second_file_of_what_failed_is_known_by_its_number() {
    let world = World::start();
    let playout = world.playout();
    let import = |name: &str| playout.run(&["posts", "import", name]);
    let correct = |name: &str, wrong: &str, right: &str| {
        let when = |word: &str| format!("\"when\":\"{word}\"");
        let text = read(&playout, name).replace(&when(wrong), &when(right));
        playout.put(name, text.as_bytes());
    };
    let row = |content: &str, when: &str| {
        json!({ "account": "kitestudio", "content": content, "when": when }).to_string()
    };
    playout.put(
        "posts.jsonl",
        [row("One", "draft"), row("Two", "soon")].join("\n").as_bytes(),
    );
    import("posts.jsonl").failed(6, "invalid_row");
    correct("posts.failed.jsonl", "soon", "later");
    import("posts.failed.jsonl").failed(1, "invalid_row");
    correct("posts.failed-2.jsonl", "later", "draft");
    assert_eq!(import("posts.failed-2.jsonl").ok()["created"], 1);
    for (name, statuses) in [
        ("posts.jsonl", &["created", "continued"][..]),
        ("posts.failed.jsonl", &["continued"]),
    ] {
        assert_eq!(column(&import(name).ok(), "status"), statuses);
    }
    assert_eq!(posts(&playout).len(), 2);
}

/// Makes the note on the only import as old as if it had begun 25 hours ago.
fn begin_25_hours_ago(playout: &Playout) {
    let entries = fs::read_dir(playout.state().join("imports")).unwrap();
    let mut paths = entries.map(|entry| entry.unwrap().path());
    let is_note = |path: &PathBuf| fs::read_to_string(path).unwrap().contains("beganAt");
    let path = paths.find(is_note).unwrap();
    let mut note: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    let began_at = Time::parse(note["beganAt"].as_str().unwrap()).unwrap();
    let earlier = Time::from_micros(began_at.as_micros() - 25 * 3_600_000_000);
    note["beganAt"] = json!(earlier.to_string());
    fs::write(&path, note.to_string()).unwrap();
}

#[test]
fn an_ended_import_of_more_than_a_day_ago_is_not_called_unfinished() {
    let world = World::start();
    let playout = world.playout();
    let import = ["posts", "import", "posts.csv"];
    put_table(
        &playout,
        "posts.csv",
        &["kitestudio,One,draft,clip.mp4,SELF_ONLY"],
    );
    playout.run(&import).ok();
    begin_25_hours_ago(&playout);
    // What a run of the last 24 hours may have created is not created by the next one.
    for how in [&[][..], &["--dry-run"]] {
        let error = playout.run(&[&import[..], how].concat()).failed(2, "usage");
        let message = error["message"].as_str().unwrap();
        assert!(
            message.contains("the first being row 2,") && !message.contains("has not ended"),
            "{message}"
        );
    }
    assert_eq!(posts(&playout).len(), 1);
}

#[test]
fn an_ended_import_of_more_than_a_day_ago_that_created_nothing_begins_again() {
    let world = World::start();
    let playout = world.playout();
    let import = ["posts", "import", "posts.csv"];
    let row = "kitestudio,One,now,clip.mp4,EVERYONE";
    put_table(&playout, "posts.csv", &[row]);
    playout.run(&import).failed(1, "invalid_settings");
    begin_25_hours_ago(&playout);
    playout.run(&import).failed(1, "invalid_settings");
}

#[test]
fn a_table_is_numbered_and_cut_as_a_spreadsheet_shows_it() {
    let world = World::start();
    let playout = world.playout();
    let table = "accounts,content,when,,\n\nkitestudio,One,Draft,,\n\n\nkitestudio,Two,soon,,\n";
    playout.put("posts.csv", table.as_bytes());
    let ran = playout.run(&["posts", "import", "posts.csv"]);
    let error = ran.failed(6, "invalid_row");
    assert!(error["message"].as_str().unwrap().contains("row 6:"), "{error}");
    assert_eq!(column(&ran.json(), "row"), [3, 6]);
    assert!(read(&playout, "posts.failed.csv").starts_with("accounts,content,when,row,error\n"));
    playout.put(
        "named.csv",
        b"accounts,content,when,\nkitestudio,One,draft,more\n",
    );
    let error = playout.run(&["posts", "import", "named.csv"]).failed(2, "usage");
    assert!(
        error["message"]
            .as_str()
            .unwrap()
            .contains("column 4: The column has cells"),
        "{error}"
    );
}

#[test]
fn words_of_the_time_of_a_row_may_be_in_capitals() {
    let world = World::start();
    let playout = world.playout();
    let rows = ["Now", "DRAFT", "Tomorrow 09:00", "TOMORROW 09:00"];
    let rows = rows.map(|when| format!("kitestudio,One,{when},clip.mp4,SELF_ONLY"));
    put_table(&playout, "posts.csv", &rows.each_ref().map(String::as_str));
    let checked = playout.run(&["posts", "import", "posts.csv", "--dry-run"]).ok();
    assert_eq!(column(&checked, "mode"), ["now", "draft", "schedule", "schedule"]);
}

#[test]
fn a_file_of_what_failed_that_cannot_be_read_stays_and_is_no_error() {
    let world = World::start();
    let playout = world.playout();
    put_table(
        &playout,
        "posts.csv",
        &["kitestudio,One,draft,clip.mp4,SELF_ONLY"],
    );
    playout.put("posts.failed.csv", b"caf\xe9");
    let imported = playout.run(&["posts", "import", "posts.csv"]).ok();
    assert_eq!(imported["created"], 1);
    assert!(playout.dir().join("posts.failed.csv").exists());
}

#[test]
fn what_its_own_file_lacks_is_not_reported_as_imported() {
    let world = World::start();
    let playout = world.playout();
    let third = WITH_PHOTO.replace("Two", "Three");
    imported_without_its_photo(&playout, &[WITH_PHOTO, &third], 1);
    let import = |name: &str| playout.run(&["posts", "import", name]);
    put_table(&playout, "posts.failed.csv", &[WITH_PHOTO]);
    import("posts.failed.csv").ok();
    let ran = import("posts.csv");
    ran.failed(1, "imported_since");
    assert_eq!(column(&ran.json(), "status"), ["continued", "failed"]);
    let rest = ran.json()["failedFile"].as_str().unwrap().to_owned();
    assert_eq!(rest, "posts.failed-2.csv");
    import(&rest).ok();
    assert_eq!(posts(&playout).len(), 2);
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
fn an_import_is_known_under_another_spelling_of_the_address() {
    let world = World::start();
    let playout = world.playout();
    put_table(&playout, "week.csv", &["kitestudio,One,draft,clip.mp4,SELF_ONLY"]);
    put_table(
        &playout,
        "other.csv",
        &["kitestudio,One,draft,clip.mp4,SELF_ONLY"],
    );
    playout.run(&["posts", "import", "week.csv"]).ok();
    let playout = playout.env(
        "PLAYOUT_API_URL",
        &format!("{}//", world.url.replace("http", "HTTP")),
    );
    playout.put(
        "other.csv",
        b"accounts,content,when,media\nkitestudio,One,draft,clip.mp4\n",
    );
    playout.run(&["posts", "import", "other.csv"]).failed(2, "usage");
    playout.run(&["posts", "import", "week.csv"]).ok();
    assert_eq!(posts(&playout).len(), 1);
}

#[test]
fn without_a_folder_for_notes_nothing_is_created() {
    let world = World::start();
    let playout = world.playout();
    put_table(&playout, "week.csv", &["kitestudio,One,draft,clip.mp4,SELF_ONLY"]);
    playout.put("large.mp4", &crate::uploads::large_clip(20_000_000));
    for command in ["posts import week.csv", "media upload large.mp4"] {
        let ran = playout.shell(&format!("env -u HOME playout {command}"));
        let error = ran.failed(2, "usage");
        assert!(
            error["message"].as_str().unwrap().contains("XDG_STATE_HOME"),
            "{error}"
        );
    }
    assert_eq!((posts(&playout).len(), media_count(&playout)), (0, 0));
}

#[test]
fn the_file_of_what_failed_may_have_another_name_when_it_is_imported() {
    let world = World::start();
    let playout = world.playout();
    imported_without_its_photo(&playout, &[WITH_PHOTO], 1);
    let import = |name: &str| playout.run(&["posts", "import", name]);
    fs::rename(
        playout.dir().join("posts.failed.csv"),
        playout.dir().join("rest.csv"),
    )
    .unwrap();
    import("rest.csv").ok();
    assert_eq!(column(&import("posts.csv").ok(), "status"), ["continued"]);
    assert_eq!(posts(&playout).len(), 1);
}

#[test]
fn the_file_of_what_failed_goes_once_a_second_run_has_created_it() {
    let world = World::start();
    let playout = world.playout();
    imported_without_its_photo(&playout, &[WITH_PHOTO], 1);
    assert!(playout.dir().join("posts.failed.csv").exists());
    playout.run(&["posts", "import", "posts.csv"]).ok();
    assert!(
        !playout.dir().join("posts.failed.csv").exists(),
        "it would create the post once more"
    );
}

#[test]
fn a_file_that_was_changed_since_an_import_of_it_had_no_response_is_refused() {
    let world = World::start();
    let relay = world.relay();
    let playout = world.playout().env("PLAYOUT_API_URL", &relay.url);
    import_that_is_killed(&world, &relay, &playout);
    let more = json!({ "account": "kitestudio", "content": "One more", "when": "draft" });
    playout.put("posts.jsonl", drafts(&more.to_string()).as_bytes());
    let error = playout
        .run(&["posts", "import", "posts.jsonl"])
        .failed(2, "usage");
    let message = error["message"].as_str().unwrap();
    assert!(message.contains("the first being row 1,"), "{message}");
    assert!((100..250).contains(&posts(&playout).len()));
    playout.put("posts.jsonl", drafts("").as_bytes());
    playout.run(&["posts", "import", "posts.jsonl"]).ok();
    assert_eq!(posts(&playout).len(), 250);
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
fn without_the_notes_of_the_first_run_nothing_is_created_twice_either() {
    let world = World::start();
    put_table(&world.playout(), "posts.csv", &[]);
    let import = |playout: &Playout| {
        put_table(playout, "posts.csv", &["kitestudio,One,draft,clip.mp4,SELF_ONLY"]);
        playout.run(&["posts", "import", "posts.csv"])
    };
    let (here, elsewhere) = (world.playout(), world.playout());
    import(&here).ok();
    let error = import(&elsewhere).failed(1, "idempotency_key_reused");
    assert!(
        error["message"].as_str().unwrap().contains("--idempotency-key"),
        "{error}"
    );
    assert_eq!(posts(&here).len(), 1);
}

#[test]
fn a_run_that_is_killed_goes_on_when_it_is_run_again() {
    let world = World::start();
    let relay = world.relay();
    let playout = world.playout().env("PLAYOUT_API_URL", &relay.url);
    import_that_is_killed(&world, &relay, &playout);
    let before = posts(&playout).len();
    assert!((100..250).contains(&before), "{before}");
    let report = playout.run(&["posts", "import", "posts.jsonl"]).ok();
    assert_eq!(report["created"], 250);
    let all = posts(&playout);
    assert_eq!(all.len(), 250);
    assert_eq!(column(&report, "row"), (1..=250).collect::<Vec<_>>());
}

#[test]
fn a_file_that_a_run_uploaded_before_it_was_killed_is_not_uploaded_again() {
    let world = World::start();
    let relay = world.relay();
    let playout = world.playout().env("PLAYOUT_API_URL", &relay.url);
    playout.put("photo.jpg", PHOTO);
    playout.put("film.mp4", &crate::uploads::large_clip(12_000_000));
    put_table(
        &playout,
        "posts.csv",
        &[WITH_PHOTO, "kitestudio,One,draft,film.mp4,SELF_ONLY"],
    );
    let import = ["posts", "import", "posts.csv"];
    relay.stop_after(11_500_000);
    let mut child = playout.spawn(&import);
    world.runtime.block_on(relay.stopped());
    let around = world.playout();
    let names = || {
        around
            .run(&["media", "list", "--jq", ".media[].originalFileName"])
            .stdout
    };
    let is_noted = |entry: fs::DirEntry| {
        let text = fs::read_to_string(entry.path()).unwrap();
        text.contains("\"mediaId\"")
    };
    // The second upload stands where it is; the note on the first one is there once it has ended.
    let notes = playout.state().join("imports");
    let noted = (0..60).any(|_| {
        names().contains("photo.jpg")
            && fs::read_dir(&notes)
                .unwrap()
                .any(|entry| is_noted(entry.unwrap()))
    });
    child.kill().unwrap();
    child.wait().unwrap();
    relay.go_on();
    assert!(noted, "{}", names());
    assert_eq!(playout.run(&import).ok()["created"], 2);
    assert_eq!(names().matches("photo.jpg").count(), 1);
}

#[test]
fn a_key_of_ones_own_repeats_what_was_imported_without_it_and_not_what_was_imported_with_it() {
    let world = World::start();
    let playout = world.playout();
    let import = |rows: &[&str], key: &[&str]| {
        put_table(&playout, "posts.csv", rows);
        playout.run(&[&["posts", "import", "posts.csv"], key].concat())
    };
    let [one, two] = ["One", "Two"].map(|text| format!("kitestudio,{text},draft,clip.mp4,SELF_ONLY"));
    let key = ["--idempotency-key", "plan"];
    import(&[&one], &[]).ok();
    import(&[&one], &key).ok();
    import(&[&one, &two], &key).failed(2, "usage");
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

#[test]
fn another_import_does_not_begin_while_one_is_running() {
    let world = World::start();
    let relay = world.relay();
    let playout = world.playout();
    let through = playout.env("PLAYOUT_API_URL", &relay.url);
    through.put("posts.jsonl", drafts("").as_bytes());
    put_table(
        &through,
        "others.csv",
        &["kitestudio,One,draft,clip.mp4,SELF_ONLY"],
    );
    relay.stop_after(14_000);
    let mut child = through.spawn(&["posts", "import", "posts.jsonl"]);
    world.runtime.block_on(relay.stopped());
    relay.go_on();
    through
        .run(&["posts", "import", "others.csv"])
        .failed(2, "import_running");
    child.kill().unwrap();
    child.wait().unwrap();
    through.run(&["posts", "import", "others.csv"]).ok();
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

#[test]
fn a_file_that_is_no_import_is_refused_as_a_whole() {
    let world = World::start();
    let playout = world.playout();
    let refused = |name: &str, content: &[u8]| {
        playout.put(name, content);
        let error = playout.run(&["posts", "import", name]).failed(2, "usage");
        error["message"].as_str().unwrap().to_owned()
    };
    let message = refused(
        "a.csv",
        b"accounts,contnet,settings.privacyLevel\nkitestudio,a,b\n",
    );
    assert!(
        message.contains("column 2") && message.contains("\"content\"?"),
        "{message}"
    );
    let message = refused(
        "a.csv",
        b"accounts,content,settings.privacyLevel\nkitestudio,a,b\n",
    );
    assert!(message.contains("\"settings.privacy_level\"?"), "{message}");
    let message = refused("a.csv", b"accounts,content,caption\nkitestudio,a,b\n");
    assert!(message.contains("means the same"), "{message}");
    let message = refused("a.csv", b"content,when\na,draft\n");
    assert!(message.contains("no column accounts"), "{message}");
    let message = refused("a.csv", b"accounts,content\nkitestudio,a,b\n");
    assert!(message.contains("line 2 has 3 cells"), "{message}");
    let message = refused("a.csv", b"accounts,content\nkitestudio,caf\xe9\n");
    assert!(message.contains("line 2 is not UTF-8"), "{message}");
    let message = refused("a.csv", b"accounts,content\n");
    assert!(message.contains("no rows"), "{message}");
    let message = refused("a.jsonl", b"{\"account\": \"kitestudio\", \"txt\": 1}\n{");
    assert!(message.contains("line 2 is not JSON"), "{message}");
    let message = refused("a.txt", b"");
    assert!(message.contains(".csv or .jsonl"), "{message}");
    playout
        .run(&["posts", "import", "gone.csv"])
        .failed(2, "file_error");
    assert_eq!(posts(&playout).len(), 0);
}

#[test]
fn rows_that_are_too_much_for_one_request_are_sent_in_several() {
    let world = World::start();
    let playout = world.playout();
    // Each is too long for a caption, and all together, with 10 MB, for a request.
    let long = "x".repeat(100_000);
    let row = json!({ "account": "kitestudio", "content": long, "when": "draft" }).to_string();
    playout.put("posts.jsonl", [row.as_str(); 100].join("\n").as_bytes());
    let ran = playout.run(&["posts", "import", "posts.jsonl"]);
    ran.failed(1, "invalid_request");
    assert_eq!(column(&ran.json(), "status"), vec!["failed"; 100]);
}

#[test]
fn a_row_that_no_request_can_carry_fails_and_the_others_are_created() {
    let world = World::start();
    let playout = world.playout();
    let row = |content: &str| json!({ "account": "kitestudio", "content": content, "when": "draft" });
    let rows = [row("One"), row(&"x".repeat(9_000_000)), row("Two")];
    playout.put(
        "posts.jsonl",
        rows.map(|row| row.to_string()).join("\n").as_bytes(),
    );
    for (how, statuses) in [
        (&["--dry-run"][..], ["valid", "failed", "valid"]),
        (&[], ["created", "failed", "created"]),
    ] {
        let ran = playout.run(&[&["posts", "import", "posts.jsonl"], how].concat());
        let error = ran.failed(6, "payload_too_large");
        let message = error["message"].as_str().unwrap();
        assert!(
            message.contains("row 2") && message.contains("8 MiB"),
            "{message}"
        );
        assert_eq!(column(&ran.json(), "status"), statuses);
    }
    assert_eq!(posts(&playout).len(), 2);
}

#[test]
fn a_row_that_cannot_be_read_is_no_command_that_cannot() {
    let world = World::start();
    let playout = world.playout();
    let never = "kitestudio,Never,soon,clip.mp4,SELF_ONLY";
    put_table(&playout, "none.csv", &[never]);
    let ran = playout.run(&["posts", "import", "none.csv"]);
    ran.failed(1, "invalid_row");
    put_table(
        &playout,
        "some.csv",
        &[never, "kitestudio,One,draft,clip.mp4,SELF_ONLY"],
    );
    let ran = playout.run(&["posts", "import", "some.csv"]);
    ran.failed(6, "invalid_row");
    assert_eq!(ran.json()["rows"][0]["error"]["code"], "invalid_row");
    put_table(&playout, "gone.csv", &["kitestudio,Two,draft,gone.mp4,SELF_ONLY"]);
    let error = playout
        .run(&["posts", "import", "gone.csv"])
        .failed(1, "invalid_row");
    assert!(error["message"].as_str().unwrap().contains("gone.mp4"), "{error}");
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
