//! What failed is in a file of its own, which is corrected and imported beside the first one.

use std::fs;

use serde_json::json;

use super::{HEAD, WITH_PHOTO, column, imported_without_its_photo, posts, put_table, read};
use crate::harness::{PHOTO, World};

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
