//! Connected accounts in a session: listed, switched off and on, given other defaults, removed
//! (`docs/contract.md#dashboard-api`).

use std::time::Duration;

use playout_domain::job::{JobKind, JobQueue};
use playout_domain::submission::Transfer;
use playout_domain::workspace::Role as Is;
use playout_server::serve::Role;
use playout_store::{ClaimLimits, Excluded, NewSubmission};
use playout_tiktok::sim::{Endpoint, Fault, FaultAction, HoldPoint};
use serde_json::{Value, json};

use crate::harness::{Client, Db, Options, Person, TestApp, on_both, post_body};

on_both!(
    all_accounts_are_listed_where_all_are_asked_for_and_only_there,
    defaults_are_held_against_the_accounts_own_schema,
    due_posts_of_a_disabled_account_wait_for_a_person_and_go_out_when_they_say_so,
    what_the_provider_has_when_an_account_is_disabled_is_followed_to_its_end,
    what_the_provider_has_when_an_account_is_removed_is_for_a_person_to_look_at,
    a_removed_account_is_gone_its_access_given_back_and_its_posts_wait,
    accounts_of_other_workspaces_are_not_there,
);

const HOUR: Duration = Duration::from_secs(3600);

/// A person whose workspace has an account, the account's path, and a client with a key of the workspace.
async fn with_account(t: &TestApp) -> (Person, String, Client) {
    let ada = t.sign_up("ada@example.org").await;
    let platform = t.connected_as(&ada, "kitestudio").await;
    let workspace = ada.workspace.parse().unwrap();
    let key = t.app.create_key(workspace, "CI", None, None).await.unwrap().key;
    (
        ada,
        format!("/app/v1/platforms/{platform}"),
        t.nobody().with_key(Some(key)),
    )
}

fn id_in(path: &str) -> &str {
    path.rsplit('/').next().unwrap()
}

/// A post for an hour from now.
async fn plan(program: &Client, path: &str) -> String {
    let mut body = post_body(id_in(path), &[program.upload_clip().await]);
    (body["mode"], body["scheduledFor"]) = (json!("schedule"), json!("2026-11-20T13:00:00Z"));
    program.create_post(&body).await
}

async fn root(program: &Client, post: &str) -> Value {
    program.get(&format!("/public/v1/posts/{post}")).await.ok()["root"].take()
}

/// Hands a post over, and stops the clock while the provider works on it.
async fn hand_over(t: &TestApp, program: &Client, path: &str) -> String {
    t.sim.turn(|knobs| knobs.processing_ms = 60_000);
    let post = program
        .publish_now(id_in(path), &[program.upload_clip().await])
        .await;
    t.idle().await;
    assert_eq!(t.handovers_of("kitestudio"), 1);
    post
}

async fn all_accounts_are_listed_where_all_are_asked_for_and_only_there(db: Db) {
    let t = TestApp::start(db).await;
    let (ada, path, program) = with_account(&t).await;
    let bob = t.colleague(&ada, Is::Member, "bob@example.org").await;
    t.connected_as(&ada, "harborbakes").await;
    let away = ada.api.patch(&path, &json!({ "disabled": true })).await.ok();
    assert_eq!(
        (&away["id"], &away["disabled"]),
        (&json!(id_in(&path)), &json!(true))
    );
    let names = |list: &Value| -> Vec<Value> {
        list["platforms"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| one["displayHandle"].clone())
            .collect()
    };
    for (who, of, seen) in [
        (
            &bob.api,
            "/app/v1/platforms?all=true",
            vec!["harborbakes", "kitestudio"],
        ),
        (&bob.api, "/app/v1/platforms?all=false", vec!["harborbakes"]),
        (&bob.api, "/app/v1/platforms", vec!["harborbakes"]),
        (&program, "/public/v1/platforms", vec!["harborbakes"]),
    ] {
        let mut found = names(&who.get(of).await.ok());
        found.sort_by_key(Value::to_string);
        assert_eq!(found, seen, "{of}");
    }
    bob.api
        .get("/app/v1/platforms?all=yes")
        .await
        .invalid_at(&[json!(["all"])]);
    assert_eq!(bob.api.get(&path).await.ok(), away);
    bob.api
        .patch(&path, &json!({ "disabled": false }))
        .await
        .refused(403, "forbidden");
    bob.api.delete(&path).await.refused(403, "forbidden");
}

async fn defaults_are_held_against_the_accounts_own_schema(db: Db) {
    let t = TestApp::start(db).await;
    let (ada, path, program) = with_account(&t).await;
    let wrong = json!({ "settings": { "privacy_level": "EVERYBODY", "title": "x".repeat(91), "is_aigc": "yes", "photo_cover_index": -1, "own": 1 } });
    let body = ada.api.patch(&path, &wrong).await.refused(400, "invalid_request");
    let mut found: Vec<&str> = body["details"]
        .as_array()
        .unwrap()
        .iter()
        .map(|issue| issue["path"][1].as_str().unwrap())
        .collect();
    assert!(
        body["details"]
            .as_array()
            .unwrap()
            .iter()
            .all(|issue| issue["path"][0] == "settings"),
        "{body:#}"
    );
    found.sort_unstable();
    assert_eq!(found, ["is_aigc", "photo_cover_index", "privacy_level", "title"]);
    ada.api
        .patch(&path, &json!({ "disabled": 1, "settings": [] }))
        .await
        .invalid_at(&[json!(["disabled"]), json!(["settings"])]);
    ada.api
        .patch("/app/v1/platforms/x", &json!({ "disabled": 1 }))
        .await
        .invalid_at(&[json!(["id"]), json!(["disabled"])]);
    let right = json!({ "privacy_level": "SELF_ONLY", "is_aigc": true, "own": 1 });
    let changed = ada
        .api
        .patch(&path, &json!({ "settings": right, "disabled": null }))
        .await
        .ok();
    assert_eq!(
        (&changed["settings"], &changed["disabled"]),
        (&right, &json!(false))
    );
    assert_eq!(
        ada.api.patch(&path, &json!({})).await.ok(),
        changed,
        "what is absent stays"
    );
    let schema = program
        .get(&format!("/public/v1/platforms/{}/schema", id_in(&path)))
        .await
        .ok();
    let field = schema["schema"]["settings"]["fields"]
        .as_array()
        .unwrap()
        .iter()
        .find(|field| field["name"] == "is_aigc")
        .unwrap();
    assert_eq!(field["default"], true);
    let noted = ada.trail().await.remove(0);
    assert_eq!(
        (&noted["action"], &noted["target"]),
        (&json!("platform.settings_changed"), &json!(id_in(&path)))
    );
    assert_eq!(
        noted["detail"]["settings"],
        json!(["privacy_level", "is_aigc", "own"])
    );
}

async fn due_posts_of_a_disabled_account_wait_for_a_person_and_go_out_when_they_say_so(db: Db) {
    let t = TestApp::start(db).await;
    let (ada, path, program) = with_account(&t).await;
    let post = plan(&program, &path).await;
    ada.api.patch(&path, &json!({ "disabled": true })).await.ok();
    t.advance(HOUR).await;
    let waiting = root(&program, &post).await;
    assert_eq!(waiting["state"], "ACTION_REQUIRED");
    assert!(
        waiting["errorText"].as_str().unwrap().contains("disabled"),
        "{waiting:#}"
    );
    assert_eq!(t.handovers_of("kitestudio"), 0);
    let publish = format!("/public/v1/posts/{post}/publish");
    program
        .post(&publish, &json!({}))
        .await
        .refused(400, "invalid_request");
    ada.api.patch(&path, &json!({ "disabled": false })).await.ok();
    t.advance(HOUR).await;
    assert_eq!(
        root(&program, &post).await["state"],
        "ACTION_REQUIRED",
        "enabling alone publishes nothing"
    );
    program.post(&publish, &json!({})).await.ok();
    t.pass_until(|t| t.sim.publication_count() == 1).await;
    let actions: Vec<Value> = ada
        .trail()
        .await
        .iter()
        .map(|entry| entry["action"].clone())
        .take(3)
        .collect();
    assert_eq!(
        actions,
        ["post.scheduled", "platform.enabled", "platform.disabled"]
    );
}

async fn what_the_provider_has_when_an_account_is_disabled_is_followed_to_its_end(db: Db) {
    let t = TestApp::start(db).await;
    let (ada, path, program) = with_account(&t).await;
    let post = hand_over(&t, &program, &path).await;
    ada.api.patch(&path, &json!({ "disabled": true })).await.ok();
    t.pass_until(|t| t.sim.publication_count() == 1).await;
    for _ in 0..10 {
        t.advance(Duration::from_secs(60)).await;
    }
    let root = root(&program, &post).await;
    assert_eq!(root["state"], "PUBLISHED", "{root:#}");
    assert_eq!(t.handovers_of("kitestudio"), 1);
}

async fn what_the_provider_has_when_an_account_is_removed_is_for_a_person_to_look_at(db: Db) {
    let t = TestApp::start(db).await;
    let (ada, path, program) = with_account(&t).await;
    let post = hand_over(&t, &program, &path).await;
    assert_eq!(ada.api.delete(&path).await.status, 204);
    t.advance(HOUR).await;
    let waiting = root(&program, &post).await;
    assert_eq!(waiting["state"], "ACTION_REQUIRED");
    assert!(
        waiting["errorText"].as_str().unwrap().contains("unknown"),
        "{waiting:#}"
    );
    assert_eq!(t.handovers_of("kitestudio"), 1);
    assert_eq!(
        program.delete(&format!("/public/v1/posts/{post}")).await.status,
        204,
        "it is no longer under way"
    );
}

async fn a_removed_account_is_gone_its_access_given_back_and_its_posts_wait(db: Db) {
    let t = TestApp::start(db).await;
    let (ada, path, program) = with_account(&t).await;
    let post = plan(&program, &path).await;
    assert_eq!(ada.api.delete(&path).await.status, 204);
    ada.api.get(&path).await.refused(404, "platform_not_found");
    ada.api
        .patch(&path, &json!({ "disabled": true }))
        .await
        .refused(404, "platform_not_found");
    ada.api.delete(&path).await.refused(404, "platform_not_found");
    assert!(ada.accounts().await.is_empty());
    assert_eq!(
        program.get("/public/v1/platforms").await.ok()["platforms"],
        json!([])
    );
    assert_eq!(
        t.app.store.tokens(id_in(&path).parse().unwrap()).await.unwrap(),
        None
    );
    t.idle().await;
    assert_eq!(t.revocations(), 1);
    let noted = ada.trail().await.remove(0);
    assert_eq!(
        (&noted["action"], &noted["target"]),
        (&json!("platform.disconnected"), &json!(id_in(&path)))
    );
    t.advance(HOUR).await;
    let waiting = root(&program, &post).await;
    assert_eq!(
        (
            &waiting["state"],
            waiting["errorText"].as_str().unwrap().contains("removed")
        ),
        (&json!("ACTION_REQUIRED"), true)
    );
    assert_eq!(
        t.connect_as(&ada, "kitestudio", &[]).await,
        format!("/accounts?requeued=0&connected={}", id_in(&path))
    );
    program
        .post(&format!("/public/v1/posts/{post}/publish"), &json!({}))
        .await
        .ok();
    t.pass_until(|t| t.sim.publication_count() == 1).await;
}

async fn accounts_of_other_workspaces_are_not_there(db: Db) {
    let t = TestApp::start(db).await;
    let (_ada, path, _) = with_account(&t).await;
    let eve = t.sign_up("eve@example.org").await;
    eve.api.get(&path).await.refused(404, "platform_not_found");
    eve.api
        .patch(&path, &json!({ "disabled": true, "settings": { "is_aigc": 1 } }))
        .await
        .refused(404, "platform_not_found");
    eve.api.delete(&path).await.refused(404, "platform_not_found");
    assert_eq!(t.revocations(), 0);
}

#[tokio::test]
async fn a_lost_handover_is_not_begun_again_once_its_account_is_disabled() {
    let t = TestApp::start(Db::Sqlite).await;
    let (ada, path, program) = with_account(&t).await;
    t.sim.hold(Endpoint::VideoInit, HoldPoint::After);
    t.sim
        .inject(Fault::new(Endpoint::VideoInit, FaultAction::DropAfter));
    let media = program.upload_clip().await;
    let post = program.publish_now(id_in(&path), &[media]).await;
    t.sim.held(Endpoint::VideoInit, 1).await;
    ada.api.patch(&path, &json!({ "disabled": true })).await.ok();
    t.sim.release(Endpoint::VideoInit);
    t.advance(HOUR).await;
    let root = root(&program, &post).await;
    assert_eq!(root["state"], "ACTION_REQUIRED", "{root:#}");
    assert!(
        root["errorText"].as_str().unwrap().contains("disabled"),
        "{root:#}"
    );
    assert_eq!((t.handovers_of("kitestudio"), t.sim.publication_count()), (1, 0));
}

/// What a process leaves behind that died while it handed a post over: an open submission without a handle.
async fn die_handing_over(t: &TestApp, transfer: Transfer) {
    let limits = ClaimLimits {
        queue: JobQueue::Start,
        limit: 10,
        per_account: 10,
        without: &Excluded::default(),
        lease: Duration::from_secs(60),
    };
    let jobs = t.app.store.claim("dead", &limits, t.now()).await.unwrap().jobs;
    let job = jobs.iter().find(|job| job.kind == JobKind::PublishPost).unwrap();
    let new = NewSubmission {
        id: playout_server::chance::id(t.now()),
        content: "a post",
        transfer,
        token_hash: (transfer == Transfer::Pull).then(playout_server::chance::bytes),
        reason: None,
    };
    assert!(t.app.store.open_submission(job, &new, t.now()).await.unwrap());
}

#[tokio::test]
async fn what_a_dead_process_had_begun_is_given_up_when_its_account_is_disabled_or_removed() {
    for (transfer, is_removed) in [
        (Transfer::Upload, true),
        (Transfer::Upload, false),
        (Transfer::Pull, true),
        (Transfer::Pull, false),
    ] {
        let options = Options {
            role: Some(Role::Api),
            ..Options::default()
        };
        let mut t = TestApp::start_with(Db::Sqlite, options).await;
        let (ada, path, program) = with_account(&t).await;
        let media = program.upload_clip().await;
        let post = program.publish_now(id_in(&path), &[media]).await;
        die_handing_over(&t, transfer).await;
        match is_removed {
            true => assert_eq!(ada.api.delete(&path).await.status, 204),
            false => drop(ada.api.patch(&path, &json!({ "disabled": true })).await.ok()),
        }
        t.stop().await;
        t.restart().await;
        for _ in 0..10 {
            t.advance(Duration::from_secs(60)).await;
        }
        let root = root(&program, &post).await;
        assert_eq!(root["state"], "ACTION_REQUIRED", "{transfer:?} {root:#}");
        assert!(
            root["errorText"]
                .as_str()
                .unwrap()
                .contains("disabled or removed"),
            "{root:#}"
        );
        assert_eq!(t.handovers_of("kitestudio"), 0, "nothing is begun any more");
        let deleted = program.delete(&format!("/public/v1/posts/{post}")).await;
        assert_eq!(deleted.status, 204, "it is no longer under way");
    }
}
