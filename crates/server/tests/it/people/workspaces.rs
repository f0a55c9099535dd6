//! Workspaces: made, renamed, deleted with all that is in them, and closed to everyone else.

use std::time::Duration;

use playout_domain::workspace::Role;
use serde_json::{Value, json};

use crate::harness::{Db, Options, TestApp, on_both, post_body, secret};

on_both!(
    people_make_and_rename_workspaces_of_their_own,
    admins_say_from_when_on_a_workspace_is_asked_about_overdue_posts,
    a_person_owns_at_most_so_many_workspaces_as_the_setting_says,
    a_workspace_is_closed_to_whoever_is_no_member_and_one_that_never_was_looks_alike,
    the_path_says_which_workspace_whatever_the_header_says,
    the_header_is_asked_for_where_the_path_names_no_workspace,
    a_deleted_workspace_is_gone_with_its_keys_media_posts_and_grants,
    a_grant_that_another_workspace_needs_is_kept,
    a_workspace_can_be_deleted_while_a_post_of_it_goes_out,
);

const NOWHERE: &str = "0196f3a0-0000-7000-8000-000000000000";

async fn people_make_and_rename_workspaces_of_their_own(db: Db) {
    let t = TestApp::start_with(db, Options::default().set("default_plan", "free")).await;
    let ada = t.sign_up("ada@example.org").await;
    t.clock.advance(Duration::from_millis(1));
    let made = ada
        .api
        .post("/app/v1/organizations", &json!({ "name": " Kites " }))
        .await;
    assert_eq!(made.status, 201);
    let made = made.ok();
    assert_eq!(
        (&made["name"], &made["role"], &made["plan"]),
        (&json!("Kites"), &json!("owner"), &json!("free"))
    );
    let path = format!("/app/v1/organizations/{}", made["id"].as_str().unwrap());
    let renamed = ada.api.patch(&path, &json!({ "name": "Dragons" })).await.ok();
    assert_eq!(
        (&renamed["id"], &renamed["name"]),
        (&made["id"], &json!("Dragons"))
    );
    for name in ["", "   ", &"x".repeat(101)] {
        ada.api
            .patch(&path, &json!({ "name": name }))
            .await
            .invalid_at(&[json!(["name"])]);
    }
    assert_eq!(made["timeZone"], "UTC");
    let moved = ada
        .api
        .patch(&path, &json!({ "timeZone": "asia/tokyo" }))
        .await
        .ok();
    assert_eq!(
        (&moved["name"], &moved["timeZone"]),
        (&json!("Dragons"), &json!("Asia/Tokyo")),
        "the rest stays"
    );
    assert_eq!(
        ada.api.patch(&path, &json!({ "timeZone": null })).await.ok(),
        moved
    );
    for zone in [json!("Mars/Olympus"), json!("+09:00"), json!(""), json!(9)] {
        ada.api
            .patch(&path, &json!({ "name": "", "timeZone": zone }))
            .await
            .invalid_at(&[json!(["name"]), json!(["timeZone"])]);
    }
    let list = ada.api.get("/app/v1/organizations").await.ok();
    assert_eq!(list["organizations"][1], moved);
    let names: Vec<&Value> = list["organizations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|listed| &listed["name"])
        .collect();
    assert_eq!(names, ["ada's workspace", "Dragons"]);
}

async fn admins_say_from_when_on_a_workspace_is_asked_about_overdue_posts(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let path = format!("/app/v1/organizations/{}", ada.workspace);
    let set = async |policy: Value| ada.api.patch(&path, &json!({ "latenessPolicy": policy })).await;
    let listed = async || ada.api.get("/app/v1/organizations").await.ok()["organizations"][0].take();
    assert_eq!(listed().await["latenessPolicy"], json!({ "askAfterHours": 24 }));
    for policy in [
        json!({ "askAfterHours": 1 }),
        json!({ "askAfterHours": 1.5 }),
        Value::Null,
        json!({ "askAfterHours": 8760 }),
    ] {
        let changed = set(policy.clone()).await.ok();
        assert_eq!(
            (&changed["latenessPolicy"], &changed["name"]),
            (&policy, &json!("ada's workspace"))
        );
        assert_eq!(listed().await, changed);
    }
    let before = listed().await;
    for hours in [
        json!(0.99),
        json!(8760.5),
        json!(-1),
        json!("24"),
        json!(true),
        Value::Null,
    ] {
        set(json!({ "askAfterHours": hours }))
            .await
            .invalid_at(&[json!(["latenessPolicy", "askAfterHours"])]);
    }
    set(json!({}))
        .await
        .invalid_at(&[json!(["latenessPolicy", "askAfterHours"])]);
    for policy in [json!(24), json!("never"), json!([24])] {
        set(policy).await.invalid_at(&[json!(["latenessPolicy"])]);
    }
    assert_eq!(
        ada.api.patch(&path, &json!({})).await.ok(),
        before,
        "what is absent stays"
    );
    let bob = t.colleague(&ada, Role::Member, "bob@example.org").await;
    bob.api
        .patch(&path, &json!({ "latenessPolicy": null }))
        .await
        .refused(403, "forbidden");
    let eve = t.colleague(&ada, Role::Admin, "eve@example.org").await;
    eve.api
        .patch(&path, &json!({ "latenessPolicy": null }))
        .await
        .ok();
    assert_eq!(listed().await["latenessPolicy"], Value::Null);
}

async fn a_person_owns_at_most_so_many_workspaces_as_the_setting_says(db: Db) {
    let t = TestApp::start_with(db, Options::default().set("workspaces_per_user", "3")).await;
    let (ada, bob) = (
        t.sign_up("ada@example.org").await,
        t.sign_up("bob@example.org").await,
    );
    let make = async |name: &str| {
        ada.api
            .post("/app/v1/organizations", &json!({ "name": name }))
            .await
    };
    // Those of others, where she is a member, do not count.
    for role in [Role::Member, Role::Admin] {
        t.app
            .store
            .add_member(
                bob.workspace.parse().unwrap(),
                ada.id.parse().unwrap(),
                role,
                t.now(),
            )
            .await
            .unwrap();
    }
    let tries = futures_util::future::join_all((0..8).map(|_| make("Kites"))).await;
    assert_eq!(
        tries.iter().filter(|answer| answer.status == 201).count(),
        2,
        "the first one came with signing up"
    );
    for answer in tries.iter().filter(|answer| answer.status != 201) {
        assert_eq!(
            answer.refused(409, "workspace_limit_reached")["details"],
            json!({ "workspacesPerUser": 3 })
        );
    }
    // To hand one over makes no room: it would be a way around.
    let list = ada.api.get("/app/v1/organizations").await.ok();
    let given = list["organizations"]
        .as_array()
        .unwrap()
        .iter()
        .find(|one| one["name"] == "Kites")
        .unwrap();
    let given = given["id"].as_str().unwrap().to_owned();
    t.app
        .store
        .add_member(
            given.parse().unwrap(),
            bob.id.parse().unwrap(),
            Role::Owner,
            t.now(),
        )
        .await
        .unwrap();
    assert_eq!(
        ada.api
            .post(&format!("/app/v1/organizations/{given}/leave"), &json!({}))
            .await
            .status,
        204
    );
    make("Dragons").await.refused(409, "workspace_limit_reached");
    assert_eq!(ada.delete_workspace().await.status, 204);
    assert_eq!(make("Dragons").await.status, 201);
}

async fn a_workspace_is_closed_to_whoever_is_no_member_and_one_that_never_was_looks_alike(db: Db) {
    let t = TestApp::start(db).await;
    let (ada, eve) = (
        t.sign_up("ada@example.org").await,
        t.sign_up("eve@example.org").await,
    );
    ada.api
        .post("/app/v1/media/folders", &json!({ "name": "Secret" }))
        .await
        .ok();
    for path in [
        "/app/v1/media/folders",
        "/app/v1/posts",
        "/app/v1/usage",
        "/app/v1/keys",
        "/app/v1/audit",
    ] {
        let foreign = eve.api.in_workspace(&ada.workspace).get(path).await;
        let never = eve.api.in_workspace(NOWHERE).get(path).await;
        foreign.refused(403, "forbidden");
        assert_eq!(foreign.body, never.body, "{path}");
    }
    for of in ["", "/members", "/invitations"] {
        let at = |id: &str| format!("/app/v1/organizations/{id}{of}");
        let (foreign, never) = match of {
            "" => (
                eve.api.delete(&at(&ada.workspace)).await,
                eve.api.delete(&at(NOWHERE)).await,
            ),
            _ => (
                eve.api.get(&at(&ada.workspace)).await,
                eve.api.get(&at(NOWHERE)).await,
            ),
        };
        foreign.refused(403, "forbidden");
        assert_eq!(foreign.body, never.body, "{of}");
    }
    ada.api.get("/app/v1/media/folders").await.ok();
}

async fn the_path_says_which_workspace_whatever_the_header_says(db: Db) {
    let t = TestApp::start(db).await;
    let (ada, eve) = (
        t.sign_up("ada@example.org").await,
        t.sign_up("eve@example.org").await,
    );
    let path = format!("/app/v1/organizations/{}/members", ada.workspace);
    eve.api.get(&path).await.refused(403, "forbidden");
    let members = ada.api.in_workspace(&eve.workspace).get(&path).await.ok();
    assert_eq!(members["members"][0]["email"], "ada@example.org");
}

async fn the_header_is_asked_for_where_the_path_names_no_workspace(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let without = t.nobody().with_key(Some(secret(&ada.token)));
    for path in ["/app/v1/posts", "/app/v1/keys", "/app/v1/media/uploads"] {
        let answer = match path.ends_with("uploads") {
            true => {
                without
                    .send(
                        without
                            .request(reqwest::Method::POST, path)
                            .header("Tus-Resumable", "1.0.0"),
                    )
                    .await
            }
            false => without.get(path).await,
        };
        answer.invalid_at(&[json!(["x-organization-id"])]);
    }
    for id in ["x", "", "{0196f3a0-0000-7000-8000-000000000000}"] {
        without
            .in_workspace(id)
            .get("/app/v1/posts")
            .await
            .invalid_at(&[json!(["x-organization-id"])]);
    }
    without
        .get("/app/v1/organizations/x/members")
        .await
        .invalid_at(&[json!(["organizationId"])]);
    without.get("/app/v1/me").await.ok();
}

async fn a_deleted_workspace_is_gone_with_its_keys_media_posts_and_grants(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let workspace = ada.workspace.parse().unwrap();
    let key = t.app.create_key(workspace, "CI", None, None).await.unwrap().key;
    let program = t.nobody().with_key(Some(key));
    let platform = t.connect_in(workspace, "kitestudio").await;
    let media = program.upload_clip().await;
    let file = program.get(&format!("/public/v1/media/{media}")).await.ok()["publicUrl"]
        .as_str()
        .unwrap()
        .to_owned();
    let mut later = post_body(&platform, std::slice::from_ref(&media));
    later["mode"] = json!("schedule");
    later["scheduledFor"] = json!("2026-11-21T12:00:00Z");
    program.create_post(&later).await;
    t.nobody().follow(&file).await;
    assert_eq!(ada.delete_workspace().await.status, 204);
    program
        .get("/public/v1/posts")
        .await
        .refused(401, "invalid_api_key");
    ada.api.get("/app/v1/posts").await.refused(403, "forbidden");
    assert_eq!(
        ada.api.get("/app/v1/organizations").await.ok()["organizations"],
        json!([])
    );
    assert_eq!(t.nobody().follow(&file).await.status, 404);
    assert!(
        t.app
            .store
            .tokens(platform.parse().unwrap())
            .await
            .unwrap()
            .is_none()
    );
    t.idle().await;
    assert_eq!(
        t.revocations(),
        1,
        "the provider was told to forget what was granted"
    );
    t.advance(Duration::from_secs(2 * 86_400)).await;
    assert!(t.sim.publications().is_empty(), "nothing goes out any more");
}

async fn a_grant_that_another_workspace_needs_is_kept(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    t.connect_in(ada.workspace.parse().unwrap(), "kitestudio").await;
    let ours = t.connect("kitestudio").await;
    assert_eq!(ada.delete_workspace().await.status, 204);
    t.idle().await;
    assert_eq!(t.revocations(), 0);
    let media = t.api.upload_clip().await;
    let post = t.api.publish_now(&ours, &[media]).await;
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
}

async fn a_workspace_can_be_deleted_while_a_post_of_it_goes_out(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let workspace = ada.workspace.parse().unwrap();
    let platform = t.connect_in(workspace, "kitestudio").await;
    let key = t.app.create_key(workspace, "CI", None, None).await.unwrap().key;
    let program = t.nobody().with_key(Some(key));
    let media = program.upload_clip().await;
    program.publish_now(&platform, &[media]).await;
    assert_eq!(ada.delete_workspace().await.status, 204);
    t.advance(Duration::from_secs(3600)).await;
    assert!(t.sim.publications().len() <= 1);
}
