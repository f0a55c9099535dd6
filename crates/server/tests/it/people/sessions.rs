//! Signing up, in and out, and reading and changing one's own user.

use std::time::Duration;

use playout_server::chance;
use serde_json::{Value, json};

use crate::harness::{Db, Options, PASSWORD, TestApp, on_both, secret};

on_both!(
    whoever_signs_up_owns_a_workspace_and_is_in,
    a_workspace_is_named_after_whoever_names_none,
    an_address_signs_up_once_in_whatever_case,
    everything_wrong_with_a_request_is_told_at_once,
    only_the_right_password_opens_and_a_wrong_address_is_told_alike,
    each_sign_in_begins_a_session_of_its_own_and_none_can_be_chosen,
    signing_out_ends_one_session_or_all,
    a_session_ends_thirty_days_after_its_last_use,
    what_is_no_session_opens_nothing,
    the_session_comes_before_anything_else,
    people_change_their_name_freely_and_the_rest_with_their_password,
    a_closed_service_takes_nobody_and_one_by_invitation_only_the_invited,
    who_was_made_by_the_operator_signs_in,
);

const DAY: Duration = Duration::from_secs(86_400);

async fn whoever_signs_up_owns_a_workspace_and_is_in(db: Db) {
    let t = TestApp::start(db).await;
    let body = json!({ "email": " Ada@Example.org ", "password": PASSWORD, "name": "Ada", "workspaceName": "Kites" });
    let answer = t.nobody().post("/app/v1/auth/sign-up", &body).await;
    assert_eq!((answer.status, answer.header("cache-control")), (201, "no-store"));
    let begun = answer.ok();
    assert_eq!(begun["user"]["email"], "ada@example.org");
    assert_eq!(begun["user"]["name"], "Ada");
    let workspace = &begun["organizations"][0];
    assert_eq!(
        (&workspace["name"], &workspace["role"], &workspace["plan"]),
        (&json!("Kites"), &json!("owner"), &json!("unlimited"))
    );
    let ada = t.person(&begun);
    let me = ada.api.get("/app/v1/me").await.ok();
    assert_eq!(
        (&me["user"], &me["organizations"]),
        (&begun["user"], &begun["organizations"])
    );
    assert_eq!(
        ada.api.get("/app/v1/platforms").await.ok()["platforms"],
        json!([])
    );
}

async fn a_workspace_is_named_after_whoever_names_none(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let list = ada.api.get("/app/v1/organizations").await.ok();
    assert_eq!(list["organizations"][0]["name"], "ada's workspace");
}

async fn an_address_signs_up_once_in_whatever_case(db: Db) {
    let t = TestApp::start(db).await;
    t.sign_up("ada@example.org").await;
    let body = json!({ "email": "ADA@example.org", "password": "another password" });
    t.nobody()
        .post("/app/v1/auth/sign-up", &body)
        .await
        .refused(409, "email_taken");
    t.sign_in("ada@example.org").await.ok();
}

async fn everything_wrong_with_a_request_is_told_at_once(db: Db) {
    let t = TestApp::start(db).await;
    let body = json!({ "password": "short", "email": "nobody", "name": 7 });
    let wrong = [json!(["password"]), json!(["email"]), json!(["name"])];
    t.nobody()
        .post("/app/v1/auth/sign-up", &body)
        .await
        .invalid_at(&wrong);
    t.nobody()
        .post("/app/v1/auth/sign-in", &json!({}))
        .await
        .invalid_at(&[json!(["email"]), json!(["password"])]);
}

async fn only_the_right_password_opens_and_a_wrong_address_is_told_alike(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let begun = t.sign_in("Ada@Example.ORG").await.ok();
    assert_eq!(begun["user"]["id"], json!(ada.id));
    let wrong = json!({ "email": "ada@example.org", "password": "wrong password" });
    let unknown = json!({ "email": "eve@example.org", "password": PASSWORD });
    let wrong = t.nobody().post("/app/v1/auth/sign-in", &wrong).await;
    let unknown = t.nobody().post("/app/v1/auth/sign-in", &unknown).await;
    wrong.refused(401, "invalid_credentials");
    assert_eq!((unknown.status, unknown.json()), (wrong.status, wrong.json()));
    assert_eq!(wrong.header("set-cookie"), "");
}

async fn each_sign_in_begins_a_session_of_its_own_and_none_can_be_chosen(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let chosen = "0".repeat(64);
    let body = json!({ "email": "ada@example.org", "password": PASSWORD, "token": chosen });
    let fixed = t.nobody().with_key(Some(secret(&chosen)));
    let request = fixed
        .request(reqwest::Method::POST, "/app/v1/auth/sign-in")
        .header("cookie", format!("playout_session={chosen}"));
    let begun = fixed.send(request.json(&body)).await.ok();
    assert!(begun["token"] != json!(chosen) && begun["token"] != json!(ada.token));
    fixed.get("/app/v1/me").await.refused(401, "invalid_session");
    t.person(&begun).api.get("/app/v1/me").await.ok();
    ada.api.get("/app/v1/me").await.ok();
}

async fn signing_out_ends_one_session_or_all(db: Db) {
    let t = TestApp::start(db).await;
    let here = t.sign_up("ada@example.org").await;
    let there = t.person(&t.sign_in("ada@example.org").await.ok());
    let third = t.person(&t.sign_in("ada@example.org").await.ok());
    let answer = here.api.post("/app/v1/auth/sign-out", &Value::Null).await;
    assert_eq!(answer.status, 204);
    assert!(
        answer
            .header("set-cookie")
            .starts_with("playout_session=; Path=/; Max-Age=0;")
    );
    here.api.get("/app/v1/me").await.refused(401, "invalid_session");
    there.api.get("/app/v1/me").await.ok();
    there
        .api
        .post("/app/v1/auth/sign-out?everywhere=perhaps", &Value::Null)
        .await
        .invalid_at(&[json!(["everywhere"])]);
    assert_eq!(
        there
            .api
            .post("/app/v1/auth/sign-out?everywhere=true", &Value::Null)
            .await
            .status,
        204
    );
    for person in [&there, &third] {
        person.api.get("/app/v1/me").await.refused(401, "invalid_session");
    }
}

async fn a_session_ends_thirty_days_after_its_last_use(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    for _ in 0..3 {
        t.clock.advance(DAY * 29);
        ada.api.get("/app/v1/me").await.ok();
    }
    t.clock.advance(DAY * 30);
    let answer = ada.api.get("/app/v1/me").await;
    answer.refused(401, "invalid_session");
    assert_eq!(answer.header("www-authenticate"), "Bearer");
}

async fn what_is_no_session_opens_nothing(db: Db) {
    let t = TestApp::start(db).await;
    let key = t.api.key().to_owned();
    for token in ["x", &chance::token(), &key] {
        t.nobody()
            .with_key(Some(secret(token)))
            .get("/app/v1/me")
            .await
            .refused(401, "invalid_session");
    }
    t.nobody().get("/app/v1/me").await.refused(401, "invalid_session");
    let ada = t.sign_up("ada@example.org").await;
    ada.api
        .get("/public/v1/posts")
        .await
        .refused(401, "invalid_api_key");
}

async fn the_session_comes_before_anything_else(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    for path in ["/app/v1/nothing", "/app/v1/", "/app/v1", "/app/v1/auth/nothing"] {
        t.nobody().get(path).await.refused(401, "invalid_session");
        ada.api.get(path).await.refused(404, "not_found");
    }
    let answer = ada.api.delete("/app/v1/me").await;
    answer.refused(405, "method_not_allowed");
    assert!(answer.header("allow").contains("PATCH"), "{:?}", answer.headers);
    t.nobody()
        .get("/app/v1/auth/sign-in")
        .await
        .refused(405, "method_not_allowed");
}

async fn people_change_their_name_freely_and_the_rest_with_their_password(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    t.sign_up("bob@example.org").await;
    let there = t.person(&t.sign_in("ada@example.org").await.ok());
    let change = async |body: Value| ada.api.patch("/app/v1/me", &body).await;
    assert_eq!(
        change(json!({ "name": " Ada L. " })).await.ok()["user"]["name"],
        "Ada L."
    );
    let same = change(json!({})).await.ok();
    assert_eq!(
        (&same["user"]["name"], &same["token"]),
        (&json!("Ada L."), &Value::Null)
    );
    assert_eq!(
        change(json!({ "name": null })).await.ok()["user"]["name"],
        Value::Null
    );
    change(json!({ "password": "a new password" }))
        .await
        .invalid_at(&[json!(["currentPassword"])]);
    change(json!({ "password": "a new password", "currentPassword": "wrong" }))
        .await
        .refused(401, "invalid_credentials");
    change(json!({ "email": "BOB@example.org", "currentPassword": PASSWORD }))
        .await
        .refused(409, "email_taken");
    there.api.get("/app/v1/me").await.ok();
    let changed = change(
        json!({ "email": "Lovelace@example.org", "password": "a new password", "currentPassword": PASSWORD }),
    )
    .await
    .ok();
    assert_eq!(changed["user"]["email"], "lovelace@example.org");
    ada.api.get("/app/v1/me").await.refused(401, "invalid_session");
    ada.renewed(&changed["token"]).api.get("/app/v1/me").await.ok();
    there.api.get("/app/v1/me").await.refused(401, "invalid_session");
    t.sign_in("ada@example.org")
        .await
        .refused(401, "invalid_credentials");
    let body = json!({ "email": "lovelace@example.org", "password": "a new password" });
    t.nobody().post("/app/v1/auth/sign-in", &body).await.ok();
}

async fn a_closed_service_takes_nobody_and_one_by_invitation_only_the_invited(db: Db) {
    let t = TestApp::start_with(db, Options::default().set("signup", "closed")).await;
    let body = json!({ "email": "ada@example.org", "password": PASSWORD, "invitation": "x" });
    t.nobody()
        .post("/app/v1/auth/sign-up", &body)
        .await
        .refused(403, "signup_closed");
    let t = TestApp::start_with(db, Options::default().set("signup", "invite")).await;
    t.nobody()
        .post("/app/v1/auth/sign-up", &body)
        .await
        .refused(404, "not_found");
    let body = json!({ "email": "ada@example.org", "password": PASSWORD });
    t.nobody()
        .post("/app/v1/auth/sign-up", &body)
        .await
        .refused(403, "signup_closed");
}

async fn who_was_made_by_the_operator_signs_in(db: Db) {
    let t = TestApp::start(db).await;
    let hash = t.app.hash_password(secret(PASSWORD)).await.unwrap();
    let user = playout_store::NewUser {
        id: chance::id(t.now()),
        email: "op@example.org".to_owned(),
        name: None,
        password_hash: hash,
    };
    t.app.store.create_user(user, t.now()).await.unwrap();
    assert_eq!(t.sign_in("op@example.org").await.ok()["organizations"], json!([]));
}
