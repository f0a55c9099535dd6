//! What the operator reads of holds: which posts wait, and how many, after the search too; and the workspaces whose accounts are to be connected.

use std::process::Stdio;
use std::time::Duration;

use playout_domain::time::{Clock, Time};
use playout_server::clock::SystemClock;
use serde_json::{Value, json};

use super::copies::refused;
use super::scene::{Scene, post_body};
use crate::harness::{Db, Playoutd, eventually, execute_in, on_both};

on_both!(
    a_hold_of_a_service_in_use_shows_what_waits_for_it_and_cannot_be_taken_back,
    comments_that_a_person_must_check_are_counted,
);

fn time_of(value: &Value) -> Time {
    Time::parse(value.as_str().unwrap()).unwrap()
}

async fn a_hold_of_a_service_in_use_shows_what_waits_for_it_and_cannot_be_taken_back(db: Db) {
    let scene = Scene::set(db, &[]).await;
    let _process = scene.serve().await;
    let platform = scene.connect("kitestudio", &[]).await;
    let clip = scene.api.upload_clip().await;
    let now = SystemClock.now();
    for (text, ahead) in [("soon", 600), ("in five hours", 18_000)] {
        let mut body = post_body(&platform, text, std::slice::from_ref(&clip));
        body["mode"] = "schedule".into();
        body["scheduledFor"] = now.plus(Duration::from_secs(ahead)).to_string().into();
        scene.api.create_post(&body).await;
    }
    let status = scene.admin(&["engine", "status"]).await;
    assert_eq!(
        (&status["postsThatWait"], &status["waitUntil"]),
        (&json!(0), &json!(null))
    );
    scene.admin(&["engine", "hold"]).await;
    let nobody = scene.api.with_key(None);
    eventually("the search has ended", async || {
        let status = scene.admin(&["engine", "status"]).await;
        status["held"] == false && nobody.get("/readyz").await.json()["hold"] == false
    })
    .await;
    let status = scene.admin(&["engine", "status"]).await;
    assert_eq!(status["postsThatWait"], 1, "{status:#}");
    let until = time_of(&status["waitUntil"]);
    let patience = Duration::from_secs(47 * 60);
    assert!(
        until > now.plus(patience) && until < now.plus(2 * patience),
        "{status:#}"
    );
    assert_eq!(status["lastHold"]["released"], false);
    let said = refused(&scene, &["admin", "engine", "release"]);
    assert!(
        said.contains("the search has ended") && said.contains(&until.to_string()),
        "{said}"
    );
    let mut help = scene.starting(&[], Playoutd::command);
    help.args(["admin", "engine", "hold", "--help"]);
    let help = help.stdout(Stdio::piped()).output().unwrap().stdout;
    let help = String::from_utf8(help)
        .unwrap()
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    assert!(
        help.contains("cannot be taken back") && help.contains("47 minutes"),
        "{help}"
    );
    let listed = scene.admin(&["workspace", "list"]).await;
    let workspace = &listed["workspaces"][0];
    assert_eq!(
        (
            &workspace["name"],
            &workspace["accounts"],
            &workspace["accountsToConnectAgain"]
        ),
        (&json!("Crash"), &json!(1), &json!(0)),
        "{listed:#}"
    );
    let id = workspace["id"].as_str().unwrap();
    scene.admin(&["platform", "connect", "--workspace", id]).await;
}

async fn comments_that_a_person_must_check_are_counted(db: Db) {
    let scene = Scene::set(db, &[]).await;
    let mut process = scene.serve().await;
    let platform = scene.connect("kitestudio", &[]).await;
    let clip = scene.api.upload_clip().await;
    let mut body = post_body(&platform, "with a comment", &[clip]);
    body["mode"] = "draft".into();
    body["comments"] = json!([{ "content": "first" }]);
    scene.api.create_post(&body).await;
    process.kill();
    let asked =
        "UPDATE posts SET state = 'ACTION_REQUIRED', waiting = 'unconfirmed' WHERE parent_id IS NOT NULL";
    execute_in(scene.database_url(), db, asked).await;
    let status = scene.admin(&["engine", "status"]).await;
    assert_eq!(
        (&status["postsWithAPerson"], &status["commentsWithAPerson"]),
        (&json!(0), &json!(1)),
        "{status:#}"
    );
}
