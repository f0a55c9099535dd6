//! What is changed in the version that was read alone.

use serde_json::json;

use super::{VERSION, group, refusal, run, scripted};

#[test]
fn settings_are_added_to_those_of_the_version_that_was_read_alone() {
    let id = "0196f3a0-7c1e-7d3a-9b5e-000000000001";
    let edit = ["posts", "edit", id, "--setting", "allow_comment=true"];
    let (_runtime, playout, script) = scripted(vec![group("DRAFT"), refusal(412, "precondition_failed")]);
    playout.run(&edit).failed(1, "precondition_failed");
    assert_eq!(*script.named.lock().unwrap(), [VERSION]);
    let (_runtime, playout, script) = scripted(vec![group("DRAFT")]);
    playout.run(&["posts", "edit", id, "--caption", "Kites"]).ok();
    assert!(script.named.lock().unwrap().is_empty(), "nothing was read for it");
}

#[test]
fn a_planned_time_is_moved_in_the_version_that_was_read_alone() {
    let id = "0196f3a0-7c1e-7d3a-9b5e-000000000001";
    let planned = || {
        let mut group = group("QUEUE");
        group.2["root"]["scheduledFor"] = json!("2027-07-01T07:00:00.000Z");
        group
    };
    let by = ["posts", "reschedule", id, "--by", "+1d"];
    let (_runtime, playout, script) = scripted(vec![planned(), refusal(412, "precondition_failed")]);
    playout.run(&by).failed(1, "precondition_failed");
    assert_eq!(*script.named.lock().unwrap(), [VERSION]);
    let (ran, asked) = run(vec![planned(), refusal(500, "internal_error")], &by);
    let error = ran.failed(5, "internal_error");
    let message = error["message"].as_str().unwrap();
    assert!(
        message.contains("--at 2027-07-02T07:00:00.000Z"),
        "moved once by the same command again: {message}"
    );
    assert_eq!(asked.len(), 2, "{asked:?}");
}
