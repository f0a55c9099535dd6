//! The same file once more: nothing is created twice, and what failed is tried again.

use std::fs;
use std::path::PathBuf;

use playout_domain::time::Time;
use serde_json::{Value, json};

use super::{column, media_count, posts, put_table, repeated};
use crate::harness::{PHOTO, Playout, World};

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
