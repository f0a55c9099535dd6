//! What people decide through the API (`docs/contract.md#device-decisions`).

use std::time::Duration;

use playout_domain::workspace::Role;
use playout_server::api::access::{DEVICES, Needs};
use reqwest::Method;
use serde_json::{Value, json};

use super::{Device, decide};
use crate::harness::{Db, Person, TestApp, on_both, secret};

on_both!(
    an_approved_client_gets_a_key_of_that_workspace_in_the_name_of_who_approved,
    a_workspace_that_has_all_its_keys_approves_nothing,
    the_trail_tells_who_let_whom_in_and_that_the_key_was_made,
    who_waits_is_shown_with_name_address_and_age,
    whoever_decides_second_finds_nothing_to_decide,
    approving_and_denying_at_once_has_one_winner,
    twenty_approvals_at_once_are_one,
    a_workspace_is_named_and_one_must_be_its_admin,
    nobody_decides_without_a_session,
    with_the_cookie_only_our_own_pages_decide,
    whoever_was_put_out_before_the_key_was_fetched_has_approved_nothing,
    a_client_gets_no_key_of_a_workspace_that_has_fifty,
    an_approval_ends_with_its_workspace,
    a_client_without_a_name_gets_a_key_called_device,
    a_person_grants_no_more_than_is_asked_for_and_may_grant_less,
    a_scope_that_is_unknown_is_refused_at_the_start,
);

const NOWHERE: &str = "0196f3a0-0000-7000-8000-000000000000";

async fn an_approved_client_gets_a_key_of_that_workspace_in_the_name_of_who_approved(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let second = ada
        .api
        .post("/app/v1/organizations", &json!({ "name": "Second" }))
        .await
        .ok();
    let second = second["id"].as_str().unwrap();
    ada.api
        .in_workspace(second)
        .post("/app/v1/media/folders", &json!({ "name": "Theirs" }))
        .await
        .ok();
    let device = Device::start(&t).await;
    let body = json!({ "userCode": device.user_code() });
    let answer = ada
        .api
        .in_workspace(second)
        .post("/auth/device/approve", &body)
        .await;
    assert_eq!(
        answer.ok(),
        json!({ "status": "approved", "organizationId": second })
    );
    assert_eq!(answer.header("cache-control"), "no-store");
    assert_eq!(
        ada.api.in_workspace(second).get("/app/v1/keys").await.ok()["keys"],
        json!([]),
        "no key before it is fetched"
    );
    t.clock.advance(Duration::from_secs(60));
    let program = device.fetch().await;
    assert_eq!(
        program.get("/public/v1/media/folders").await.ok()["folders"][0]["name"],
        "Theirs"
    );
    let key = ada.api.in_workspace(second).get("/app/v1/keys").await.ok()["keys"][0].take();
    assert_eq!(
        (&key["name"], &key["createdBy"], &key["expiresAt"]),
        (&json!("laptop"), &json!(ada.id), &json!(null))
    );
    assert_eq!(
        (&key["createdAt"], key["lastFour"].as_str()),
        (&json!("2026-11-20T12:01:00.000Z"), program.key().get(52..))
    );
    assert_eq!(
        ada.api.get("/app/v1/keys").await.ok()["keys"],
        json!([]),
        "nothing of it is in the first workspace"
    );
}

async fn the_trail_tells_who_let_whom_in_and_that_the_key_was_made(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let device = Device::start(&t).await;
    decide(&ada, "approve", device.user_code()).await.ok();
    let program = device.fetch().await;
    let trail = ada.api.get("/app/v1/audit").await.ok();
    let entries = trail["entries"].as_array().unwrap();
    let actions: Vec<&Value> = entries.iter().map(|entry| &entry["action"]).collect();
    assert_eq!(actions, ["key.created", "device.approved", "workspace.created"]);
    for entry in &entries[..2] {
        let actor = &entry["actor"];
        assert_eq!(
            (&actor["kind"], &actor["id"], &actor["name"]),
            (&json!("user"), &json!(ada.id), &json!("ada@example.org"))
        );
        assert!(
            actor["sessionId"].is_string() && entry["address"] == "127.0.0.1",
            "{entry:#}"
        );
    }
    assert_eq!(
        (&entries[0]["detail"], &entries[1]["detail"]),
        (
            &json!({ "name": "laptop" }),
            &json!({ "name": "laptop", "address": "127.0.0.1" })
        )
    );
    let whole = trail.to_string();
    for secret in [program.key(), device.code(), device.user_code()] {
        assert!(!whole.contains(secret), "no secret is noted");
    }
}

async fn who_waits_is_shown_with_name_address_and_age(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let device = Device::start(&t).await;
    t.clock.advance(Duration::from_secs(90));
    let seen = ada.api.get(&format!("/auth/device/{}", device.user_code())).await;
    let wanted = json!({
        "userCode": device.user_code(), "clientName": "laptop", "address": "127.0.0.1",
        "createdAt": "2026-11-20T12:00:00.000Z", "ageSeconds": 90, "expiresAt": "2026-11-20T12:10:00.000Z",
        "scopes": ["read", "media", "drafts", "publish", "platforms", "webhooks"],
    });
    assert_eq!(seen.ok(), wanted);
    assert!(
        !String::from_utf8(seen.body).unwrap().contains(device.code()),
        "the device code is the client's own"
    );
}

async fn whoever_decides_second_finds_nothing_to_decide(db: Db) {
    let t = TestApp::start(db).await;
    let (ada, eve) = (
        t.sign_up("ada@example.org").await,
        t.sign_up("eve@example.org").await,
    );
    for first in ["approve", "deny"] {
        let device = Device::start(&t).await;
        decide(&ada, first, device.user_code()).await.ok();
        for second in ["approve", "deny"] {
            for person in [&ada, &eve] {
                decide(person, second, device.user_code())
                    .await
                    .refused(404, "device_code_not_found");
            }
        }
        ada.api
            .get(&format!("/auth/device/{}", device.user_code()))
            .await
            .refused(404, "device_code_not_found");
    }
}

/// The person hears of it, and can make room; the client waits meanwhile.
async fn a_workspace_that_has_all_its_keys_approves_nothing(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let mut keys = Vec::new();
    for number in 0..50 {
        let made = ada
            .api
            .post("/app/v1/keys", &json!({ "name": number.to_string() }))
            .await;
        keys.push(made.ok()["id"].take());
    }
    let device = Device::start(&t).await;
    let refused = decide(&ada, "approve", device.user_code()).await;
    assert_eq!(
        refused.refused(409, "count_limit_reached")["details"]["limit"],
        50
    );
    let path = format!("/app/v1/keys/{}", keys[0].as_str().unwrap());
    assert_eq!(ada.api.delete(&path).await.status, 204);
    decide(&ada, "approve", device.user_code()).await.ok();
}

async fn approving_and_denying_at_once_has_one_winner(db: Db) {
    let t = TestApp::start(db).await;
    let (ada, bob) = (
        t.sign_up("ada@example.org").await,
        t.sign_up("bob@example.org").await,
    );
    for _ in 0..5 {
        let device = Device::start(&t).await;
        let (approved, denied) = tokio::join!(
            decide(&ada, "approve", device.user_code()),
            decide(&bob, "deny", device.user_code())
        );
        let (won, lost) = if approved.status == 200 {
            (&approved, &denied)
        } else {
            (&denied, &approved)
        };
        won.ok();
        lost.refused(404, "device_code_not_found");
        match approved.status {
            200 => drop(device.fetch().await),
            _ => device.is_told("access_denied").await,
        }
    }
}

async fn twenty_approvals_at_once_are_one(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let device = Device::start(&t).await;
    let answers =
        futures_util::future::join_all((0..20).map(|_| decide(&ada, "approve", device.user_code()))).await;
    assert_eq!(answers.iter().filter(|answer| answer.status == 200).count(), 1);
    for lost in answers.iter().filter(|answer| answer.status != 200) {
        lost.refused(404, "device_code_not_found");
    }
    device.fetch().await;
}

async fn a_workspace_is_named_and_one_must_be_its_admin(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let (bob, cleo) = (
        t.colleague(&ada, Role::Admin, "bob@example.org").await,
        t.colleague(&ada, Role::Member, "cleo@example.org").await,
    );
    let eve = t.sign_up("eve@example.org").await;
    let device = Device::start(&t).await;
    let nowhere = Person {
        api: t.nobody().with_key(Some(secret(&ada.token))),
        ..ada.clone()
    };
    decide(&nowhere, "approve", device.user_code())
        .await
        .invalid_at(&[json!(["x-organization-id"])]);
    for id in [&ada.workspace, NOWHERE] {
        let stranger = Person {
            api: eve.api.in_workspace(id),
            ..eve.clone()
        };
        decide(&stranger, "approve", device.user_code())
            .await
            .refused(403, "forbidden");
    }
    decide(&cleo, "approve", device.user_code())
        .await
        .refused(403, "forbidden");
    ada.api
        .post("/auth/device/approve", &json!({ "userCode": 7 }))
        .await
        .invalid_at(&[json!(["userCode"])]);
    ada.api
        .post("/auth/device/deny", &json!({}))
        .await
        .invalid_at(&[json!(["userCode"])]);
    device.is_told("authorization_pending").await;
    decide(&bob, "approve", device.user_code()).await.ok();
    device.fetch().await;
}

async fn nobody_decides_without_a_session(db: Db) {
    let t = TestApp::start(db).await;
    let device = Device::start(&t).await;
    let ada = t.sign_up("ada@example.org").await;
    for (method, path, needs) in DEVICES {
        assert_ne!(*needs, Needs::Nothing);
        let path = path.replace("{userCode}", device.user_code());
        for api in [
            t.nobody(),
            t.api.clone(),
            t.nobody().with_key(Some(secret("nonsense"))),
        ] {
            let request = api
                .in_workspace(&ada.workspace)
                .request(method.parse().unwrap(), &path);
            api.send(request.json(&json!({ "userCode": device.user_code() })))
                .await
                .refused(401, "invalid_session");
        }
    }
    device.is_told("authorization_pending").await;
}

async fn with_the_cookie_only_our_own_pages_decide(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let device = Device::start(&t).await;
    let own = t.app.config.base_url.clone();
    for (origin, status) in [
        (None, 403),
        (Some("https://evil.example"), 403),
        (Some(own.as_str()), 200),
    ] {
        let api = t.nobody().in_workspace(&ada.workspace);
        let request = api
            .request(Method::POST, "/auth/device/approve")
            .header("cookie", format!("playout_session={}", ada.token));
        let request = origin
            .into_iter()
            .fold(request, |request, origin| request.header("origin", origin));
        let answer = api
            .send(request.json(&json!({ "userCode": device.user_code() })))
            .await;
        assert_eq!(answer.status, status, "{origin:?}");
    }
}

async fn whoever_was_put_out_before_the_key_was_fetched_has_approved_nothing(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let bob = t.colleague(&ada, Role::Admin, "bob@example.org").await;
    let device = Device::start(&t).await;
    decide(&bob, "approve", device.user_code()).await.ok();
    ada.api
        .delete(&format!(
            "/app/v1/organizations/{}/members/{}",
            ada.workspace, bob.id
        ))
        .await;
    device.is_told("access_denied").await;
    assert_eq!(ada.api.get("/app/v1/keys").await.ok()["keys"], json!([]));
}

async fn a_client_gets_no_key_of_a_workspace_that_has_fifty(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let (first, second) = (Device::start(&t).await, Device::start(&t).await);
    for device in [&first, &second] {
        decide(&ada, "approve", device.user_code()).await.ok();
    }
    for number in 0..49 {
        ada.api
            .post("/app/v1/keys", &json!({ "name": number.to_string() }))
            .await
            .ok();
    }
    first.fetch().await;
    second.is_told("access_denied").await;
    assert_eq!(
        ada.api.get("/app/v1/keys").await.ok()["keys"]
            .as_array()
            .unwrap()
            .len(),
        50
    );
}

async fn an_approval_ends_with_its_workspace(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let device = Device::start(&t).await;
    decide(&ada, "approve", device.user_code()).await.ok();
    assert_eq!(ada.delete_workspace().await.status, 204);
    device.is_told("expired_token").await;
}

async fn a_client_without_a_name_gets_a_key_called_device(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    for (body, name) in [
        (json!({}), "Device".to_owned()),
        (json!({ "client_id": "x".repeat(255) }), "x".repeat(100)),
    ] {
        let device = Device::start_as(&t, &body).await;
        decide(&ada, "approve", device.user_code()).await.ok();
        device.fetch().await;
        let keys = ada.api.get("/app/v1/keys").await.ok();
        assert!(
            keys["keys"]
                .as_array()
                .unwrap()
                .iter()
                .any(|key| key["name"] == name),
            "{keys:#}"
        );
    }
}

async fn a_person_grants_no_more_than_is_asked_for_and_may_grant_less(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let account = t.connect_in(ada.workspace.parse().unwrap(), "kitestudio").await;
    let device = Device::start_as(&t, &json!({ "client_name": "agent", "scope": "drafts media" })).await;
    let shown = ada
        .api
        .get(&format!("/auth/device/{}", device.user_code()))
        .await
        .ok();
    assert_eq!(shown["scopes"], json!(["read", "media", "drafts"]));
    let approve = async |mut body: Value| {
        body["userCode"] = device.user_code().into();
        ada.api.post("/auth/device/approve", &body).await
    };
    let more = approve(json!({ "scopes": ["drafts", "publish"] })).await;
    more.invalid_at(&[json!(["scopes"])]);
    let nowhere = approve(json!({ "platformIds": [NOWHERE] })).await;
    nowhere.invalid_at(&[json!(["platformIds", 0])]);
    let webhooks = Device::start_as(&t, &json!({ "scope": "webhooks" })).await;
    let nothing = json!({ "userCode": webhooks.user_code(), "platformIds": [account] });
    let nothing = ada.api.post("/auth/device/approve", &nothing).await;
    nothing.invalid_at(&[json!(["platformIds"])]);
    let ends = t.now().plus(Duration::from_secs(3600));
    approve(json!({ "scopes": ["drafts"], "platformIds": [account], "expiresAt": ends }))
        .await
        .ok();
    let key = device.poll_standard().await.ok();
    assert_eq!(
        (&key["scope"], &key["expires_in"]),
        (&json!("read drafts"), &json!(3600))
    );
    let api = t
        .nobody()
        .with_key(Some(secret(key["api_key"].as_str().unwrap())));
    api.get("/public/v1/posts").await.ok();
    let folder = json!({ "name": "Mine" });
    api.post("/public/v1/media/folders", &folder)
        .await
        .refused(403, "insufficient_scope");
    let listed = ada.api.get("/app/v1/keys").await.ok()["keys"][0].take();
    assert_eq!(
        (&listed["scopes"], &listed["platformIds"], &listed["expiresAt"]),
        (&json!(["read", "drafts"]), &json!([account]), &json!(ends))
    );
}

async fn a_scope_that_is_unknown_is_refused_at_the_start(db: Db) {
    let t = TestApp::start(db).await;
    let body = json!({ "client_name": "agent", "scope": "drafts openid" });
    t.nobody()
        .post("/auth/device/start", &body)
        .await
        .is_oauth_error("invalid_scope");
}
