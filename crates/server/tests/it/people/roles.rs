//! The table of who may call what, walked for every role: the service does what the table lists.

use playout_domain::workspace::Role;
use playout_server::api::access::{Needs, OPERATIONS, PREFIX};
use playout_server::api::openapi::dashboard;
use reqwest::Method;
use serde_json::json;

use crate::harness::{Answer, Db, Person, TestApp, on_both};

on_both!(
    every_operation_lets_in_whom_the_table_names_and_nobody_else,
    nobody_is_let_in_without_a_session_but_where_one_begins,
    the_workspace_is_asked_for_wherever_a_role_is,
);

const NOWHERE: &str = "0196f3a0-0000-7000-8000-000000000000";

/// Calls an operation on things that do not exist, with an empty body: a caller who is let in gets an error about that,
/// or about the body.
async fn call(person: &Person, (method, path): (&str, &str)) -> Answer {
    let path = path
        .replace("{organizationId}", &person.workspace)
        .replace("{id}", NOWHERE);
    let method = Method::from_bytes(method.as_bytes()).unwrap();
    let request = person.api.request(method.clone(), &format!("{PREFIX}{path}"));
    let request = match path.starts_with("/media/uploads") {
        true => request.header("Tus-Resumable", "1.0.0"),
        false => request.json(&json!({})),
    };
    person.api.send(request).await
}

/// Whether a response let the caller in. A guard rejects with 401, with 403, or because `x-organization-id` is missing.
fn is_let_in(answer: &Answer, method: &str) -> bool {
    match method {
        "HEAD" => !matches!(answer.status, 401 | 403),
        _ => {
            let body: serde_json::Value = serde_json::from_slice(&answer.body).unwrap_or_default();
            let header_is_missing = body["details"][0]["path"] == json!(["x-organization-id"]);
            !matches!(answer.status, 401 | 403) && !header_is_missing
        }
    }
}

async fn every_operation_lets_in_whom_the_table_names_and_nobody_else(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let bob = t.colleague(&ada, Role::Admin, "bob@example.org").await;
    let cleo = t.colleague(&ada, Role::Member, "cleo@example.org").await;
    let eve = t.sign_up("eve@example.org").await;
    let stranger = Person {
        api: eve.api.in_workspace(&ada.workspace),
        workspace: ada.workspace.clone(),
        ..eve
    };
    let everybody = [
        (Some(Role::Member), &cleo),
        (Some(Role::Admin), &bob),
        (None, &stranger),
        (Some(Role::Owner), &ada),
    ];
    let mut walked = 0;
    for (method, path, needs) in OPERATIONS {
        // What would end a session or a membership comes last, with people of its own.
        if ["/auth/sign-out", "/organizations/{organizationId}/leave"].contains(path)
            || *needs == Needs::Nothing
        {
            continue;
        }
        for (role, person) in everybody {
            if (*method, *path) == ("DELETE", "/organizations/{organizationId}") && role == Some(Role::Owner)
            {
                continue;
            }
            if *path == "/events" && role.is_some() {
                // Its stream would never end; `live.rs` tests it.
                continue;
            }
            let answer = call(person, (method, path)).await;
            let may = match needs {
                Needs::Nothing | Needs::Session => true,
                Needs::Role(least) => role.is_some_and(|role| role.covers(*least)),
            };
            assert_eq!(
                is_let_in(&answer, method),
                may,
                "{method} {path} as {role:?}: {answer:?}"
            );
            if !may && *method != "HEAD" {
                answer.refused(403, "forbidden");
            }
            walked += 1;
        }
    }
    assert!(walked > 150, "{walked} calls");
    let leave = ("POST", "/organizations/{organizationId}/leave");
    call(&stranger, leave).await.refused(403, "forbidden");
    for person in [&bob, &cleo] {
        assert_eq!(call(person, leave).await.status, 204);
    }
    call(&ada, leave).await.refused(409, "last_owner");
    let delete = ("DELETE", "/organizations/{organizationId}");
    call(&stranger, delete).await.refused(403, "forbidden");
    assert_eq!(ada.delete_workspace().await.status, 204);
    assert_eq!(call(&ada, ("POST", "/auth/sign-out")).await.status, 204);
}

async fn nobody_is_let_in_without_a_session_but_where_one_begins(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let nobody = Person {
        api: t.nobody().in_workspace(&ada.workspace),
        ..ada.clone()
    };
    let with_key = Person {
        api: t.api.in_workspace(&t.workspace.id.to_string()),
        ..ada.clone()
    };
    for (method, path, needs) in OPERATIONS {
        for person in [&nobody, &with_key] {
            let answer = call(person, (method, path)).await;
            assert_eq!(
                answer.status == 401,
                *needs != Needs::Nothing,
                "{method} {path}: {answer:?}"
            );
        }
    }
}

async fn the_workspace_is_asked_for_wherever_a_role_is(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let api = t.nobody().with_key(Some(crate::harness::secret(&ada.token)));
    let lost = Person { api, ..ada };
    for (method, path, needs) in OPERATIONS {
        let asks = matches!(needs, Needs::Role(_)) && !path.contains("{organizationId}");
        if !asks || *method == "HEAD" {
            continue;
        }
        call(&lost, (method, path))
            .await
            .invalid_at(&[json!(["x-organization-id"])]);
    }
}

#[test]
fn the_document_names_the_role_that_the_table_asks_for() {
    for (method, path, needs) in OPERATIONS {
        let operation = &dashboard::document()["paths"][format!("{PREFIX}{path}")][method.to_lowercase()];
        let role = match needs {
            Needs::Role(role) => json!(role.as_str()),
            Needs::Nothing | Needs::Session => json!(null),
        };
        assert_eq!(operation["x-least-role"], role, "{method} {path}");
        assert_eq!(
            operation["security"] == json!([]),
            *needs == Needs::Nothing,
            "{method} {path}"
        );
    }
}
