//! Large files: sent once, across cuts and across restarts of the program.

use serde_json::json;

use crate::harness::{CLIP, Playout, World};

const LARGE: u64 = 40_000_000;

/// The clip with a `free` box behind it: `size` bytes, and still a video (ISO/IEC 14496-12 §8.1.2).
pub(crate) fn large_clip(size: u64) -> Vec<u8> {
    let padding = u32::try_from(size).unwrap() - u32::try_from(CLIP.len()).unwrap();
    let mut bytes = CLIP.to_vec();
    bytes.extend(padding.to_be_bytes());
    bytes.extend(b"free");
    bytes.resize(usize::try_from(size).unwrap(), 0);
    bytes
}

fn with_large_clip(world: &World, url: &str) -> Playout {
    let playout = world.playout().env("PLAYOUT_API_URL", url);
    playout.put("large.mp4", &large_clip(LARGE));
    playout
}

#[test]
fn a_large_file_arrives_whole_although_the_line_is_cut() {
    let world = World::start();
    let relay = world.relay();
    let playout = with_large_clip(&world, &relay.url);
    relay.cut_after(25_000_000);
    let uploaded = playout.run(&["media", "upload", "large.mp4"]).ok();
    assert_eq!(uploaded["media"][0]["status"], "READY");
    assert_eq!(uploaded["media"][0]["size"], LARGE);
    let again = relay.sent() - LARGE;
    assert!(again < 25_000_000, "{again} bytes were sent twice");
    assert_eq!(
        playout.run(&["media", "list"]).ok()["media"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
}

#[test]
fn a_large_file_arrives_although_the_service_is_away_for_a_while() {
    let world = World::start();
    let relay = world.relay();
    let playout = with_large_clip(&world, &relay.url);
    relay.cut_after(25_000_000);
    relay.stay_away_for(12);
    let uploaded = playout.run(&["media", "upload", "large.mp4"]).ok();
    assert_eq!(uploaded["media"][0]["status"], "READY");
}

#[test]
fn a_file_that_is_sent_with_a_wrong_key_is_refused_rather_than_sent_again() {
    let world = World::start();
    let unknown = playout_domain::key::make_key([7; 32]);
    let playout = world.playout().env("PLAYOUT_API_KEY", unknown.expose());
    playout.put("form.mp4", &large_clip(12_000_000));
    playout.put("large.mp4", &large_clip(LARGE));
    for file in ["clip.mp4", "form.mp4", "large.mp4"] {
        playout
            .run(&["media", "upload", file])
            .failed(3, "invalid_api_key");
    }
}

#[test]
fn a_program_that_was_killed_goes_on_where_it_was() {
    let world = World::start();
    let relay = world.relay();
    let playout = with_large_clip(&world, &relay.url);
    relay.stop_after(25_000_000);
    let mut child = playout.spawn(&["media", "upload", "large.mp4"]);
    world.runtime.block_on(relay.stopped());
    child.kill().unwrap();
    child.wait().unwrap();
    relay.go_on();
    let pending = playout.run(&["media", "list"]).ok();
    assert_eq!(pending["media"][0]["status"], "PENDING");
    let before = relay.sent();
    let uploaded = playout.run(&["media", "upload", "large.mp4"]).ok();
    assert_eq!(
        uploaded["media"][0]["id"], pending["media"][0]["id"],
        "it is the same upload"
    );
    assert_eq!(uploaded["media"][0]["status"], "READY");
    let sent = relay.sent() - before;
    assert!(
        sent < LARGE - 10_000_000,
        "{sent} bytes were sent after the restart"
    );
}

#[test]
fn a_small_file_of_which_every_response_is_lost_is_not_uploaded_in_another_way() {
    let world = World::start();
    let relay = world.relay();
    let playout = world.playout().env("PLAYOUT_API_URL", &relay.url);
    let count = || {
        let listed = playout.run(&["media", "list"]).ok();
        listed["media"].as_array().unwrap().len()
    };
    relay.lose_responses(5);
    let ran = playout.run(&["media", "upload", "clip.mp4"]);
    let error = ran.failed(4, "network_error");
    assert_eq!(count(), 1);
    let message = error["message"].as_str().unwrap();
    let (_, key) = message.split_once("clip.mp4 --idempotency-key ").unwrap();
    let key = key.split('`').next().unwrap();
    let again = ["media", "upload", "clip.mp4", "--idempotency-key", key];
    let uploaded = playout.run(&again).ok();
    assert_eq!(playout.run(&again).ok()["media"], uploaded["media"]);
    assert_eq!(count(), 1);
    playout
        .run(&[
            "media",
            "upload",
            "slides/1.jpg",
            "slides/2.jpg",
            "--idempotency-key",
            key,
        ])
        .failed(2, "usage");
}

#[test]
fn an_upload_that_has_ended_is_not_resumed() {
    let world = World::start();
    let playout = with_large_clip(&world, &world.url);
    let first = playout.upload("large.mp4");
    let second = playout.upload("large.mp4");
    assert_ne!(first, second, "the same file can be uploaded twice");
}

#[test]
fn an_upload_that_the_service_gave_up_begins_anew() {
    let world = World::start();
    let relay = world.relay();
    let playout = with_large_clip(&world, &relay.url);
    relay.stop_after(20_000_000);
    let mut child = playout.spawn(&["media", "upload", "large.mp4"]);
    world.runtime.block_on(relay.stopped());
    child.kill().unwrap();
    child.wait().unwrap();
    relay.go_on();
    let pending = playout.run(&["media", "list"]).ok();
    playout
        .run(&["media", "delete", pending["media"][0]["id"].as_str().unwrap()])
        .ok();
    let uploaded = playout.run(&["media", "upload", "large.mp4"]).ok();
    assert_eq!(uploaded["media"][0]["status"], "READY");
    assert_ne!(uploaded["media"][0]["id"], pending["media"][0]["id"]);
}

#[test]
fn a_large_file_that_is_no_video_is_refused_with_the_reason() {
    let world = World::start();
    let playout = world.playout();
    for size in [2_000_000, 15_000_000, 20_000_000] {
        playout.put("large.mp4", &vec![7; size]);
        let ran = playout.run(&["media", "upload", "large.mp4"]);
        ran.failed(1, "invalid_media_file");
        assert_eq!(ran.json()["media"], json!([]));
    }
    // For a day the list gives the reason for those that were sent piece by piece, in case the response was lost.
    let listed = playout.run(&["media", "list"]).ok();
    let listed = listed["media"].as_array().unwrap();
    assert!(!listed.is_empty());
    for media in listed {
        assert_eq!(
            (&media["failure"]["code"], &media["size"]),
            (&json!("invalid_media_file"), &json!(null))
        );
    }
}

#[test]
fn a_large_file_that_cannot_be_noted_creates_nothing() {
    let world = World::start();
    let playout = with_large_clip(&world, &world.url);
    // A file in the place of the folder: root may write into any folder.
    let state = playout.state();
    let above = state.parent().unwrap();
    std::fs::create_dir_all(above.parent().unwrap()).unwrap();
    std::fs::write(above, "").unwrap();
    let create = [
        "posts",
        "create",
        "--platform",
        "kitestudio",
        "--caption",
        "Kites",
        "--media",
        "slides/1.jpg",
        "--media",
        "large.mp4",
        "--draft",
    ];
    let upload = [
        "media",
        "upload",
        "large.mp4",
        "--folder",
        "Kites",
        "--create-folder",
    ];
    for command in [&create[..], &upload] {
        playout.run(command).failed(2, "file_error");
    }
    assert_eq!(playout.run(&["media", "list"]).ok()["media"], json!([]));
    assert_eq!(playout.run(&["folders", "list"]).ok()["folders"], json!([]));
    let small = ["media", "upload", "slides/1.jpg"];
    playout.run(&small).ok();
}
