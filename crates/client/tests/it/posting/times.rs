//! The times of posts, as people say them.

use serde_json::json;

use crate::harness::World;

#[test]
fn a_local_time_is_the_hour_on_the_wall() {
    let world = World::start();
    let playout = world.playout();
    let draft = playout.draft();
    let times = [
        ("2027-07-01 09:00", "2027-07-01T07:00:00.000Z"),
        ("2027-12-01 09:00", "2027-12-01T08:00:00.000Z"),
        ("2027-12-01T09:00:00Z", "2027-12-01T09:00:00.000Z"),
        ("2027-12-01 09:00[America/New_York]", "2027-12-01T14:00:00.000Z"),
    ];
    for (said, meant) in times {
        let moved = playout.run(&["posts", "reschedule", &draft, "--at", said]).ok();
        assert_eq!(
            (&moved["root"]["state"], &moved["root"]["scheduledFor"]),
            (&json!("QUEUE"), &json!(meant))
        );
    }
    playout
        .run(&["posts", "reschedule", &draft, "--at", "2027-03-28 02:30"])
        .failed(2, "usage");
    playout
        .run(&["posts", "reschedule", &draft, "--at", "soon"])
        .failed(2, "usage");
    playout
        .run(&["posts", "reschedule", &draft, "--at", "2020-01-01 09:00"])
        .failed(1, "invalid_request");
}

#[test]
fn a_planned_time_is_moved_by_a_length() {
    let world = World::start();
    let playout = world.playout();
    let draft = playout.draft();
    let reschedule = |time: &[&str]| playout.run(&[&["posts", "reschedule", &draft], time].concat());
    let error = reschedule(&["--by", "+1d"]).failed(1, "post_has_no_time");
    assert!(error["message"].as_str().unwrap().contains("--at"), "{error}");
    // Clocks go back in between, and the hour stays.
    for (time, expected) in [
        (["--at", "2027-10-30 09:00"], "2027-10-30T07:00:00.000Z"),
        (["--by", "+1d"], "2027-10-31T08:00:00.000Z"),
        (["--by", "-2h"], "2027-10-31T06:00:00.000Z"),
    ] {
        let moved = reschedule(&time).ok();
        assert_eq!(moved["root"]["scheduledFor"], expected, "{time:?}");
    }
    for wrong in [
        &["--by", "1d"][..],
        &["--by", "soon"],
        &["--by", "+1d", "--at", "2027-07-01 09:00"],
        &[],
    ] {
        reschedule(wrong).failed(2, "usage");
    }
    let other = ["--by", "+1d", "--if-match", "\"other\""];
    reschedule(&other).failed(1, "precondition_failed");
    let last = playout.run(&["posts", "get", &draft]).ok();
    assert_eq!(last["root"]["scheduledFor"], "2027-10-31T06:00:00.000Z");
}

#[test]
fn a_local_time_is_refused_where_tz_names_no_known_zone() {
    let world = World::start();
    let draft = world.playout().draft();
    let playout = world.playout().env("TZ", "Foo/Bar");
    let reschedule = |at: &str| playout.run(&["posts", "reschedule", &draft, "--at", at]);
    for local in ["2027-07-01 09:00", "tomorrow 09:00"] {
        let error = reschedule(local).failed(2, "usage");
        assert!(
            error["message"].as_str().unwrap().contains("TZ=Foo/Bar"),
            "{error}"
        );
    }
    playout
        .run(&["posts", "list", "--from", "today"])
        .failed(2, "usage");
    for time in [
        "2027-07-01 09:00+02:00",
        "2027-07-01T07:00:00Z",
        "2027-07-01 09:00[Europe/Berlin]",
    ] {
        let moved = reschedule(time).ok();
        assert_eq!(moved["root"]["scheduledFor"], "2027-07-01T07:00:00.000Z");
    }
    reschedule("+3h").ok();
    playout.put(
        "posts.csv",
        b"accounts,content,when\nkitestudio,One,2027-07-01 09:00\n",
    );
    let error = playout
        .run(&["posts", "import", "posts.csv"])
        .failed(1, "invalid_row");
    assert!(error["message"].as_str().unwrap().contains("TZ"), "{error}");
}
