//! Who may sign up: the first user, who operates the service, and then those who were invited.

use serde_json::{Value, json};

use crate::harness::{Answer, Db, Options, PASSWORD, TestApp, on_both};

on_both!(
    the_first_user_operates_the_service_and_after_them_sign_up_is_by_invitation,
    who_the_operator_makes_first_operates_the_service,
    where_others_reach_the_service_the_first_user_shows_its_setup_code,
    open_sign_up_still_asks_the_first_user_for_the_setup_code,
    the_setup_code_is_not_found_out_by_trying,
    of_many_who_sign_up_first_at_once_one_is_in_and_operates_the_service,
    of_many_who_sign_up_at_once_where_sign_up_is_open_one_operates_the_service,
    the_page_asks_for_the_setup_code_exactly_when_it_is_needed,
    names_that_deceive_are_refused_and_file_names_lose_what_deceives,
);

const ELSEWHERE: &str = "https://playout.example.org";

/// A service without a setting for sign-up.
async fn fresh(db: Db) -> TestApp {
    TestApp::start_with(db, Options::default().set("signup", "")).await
}

/// The same, reached from elsewhere.
async fn reachable(db: Db) -> TestApp {
    let options = Options::default().set("signup", "").set("base_url", ELSEWHERE);
    TestApp::start_with(db, options).await
}

fn account(email: &str, more: Value) -> Value {
    let mut body = json!({ "email": email, "password": PASSWORD });
    for (name, value) in more.as_object().unwrap() {
        body[name] = value.clone();
    }
    body
}

async fn sign_up(t: &TestApp, email: &str, more: Value) -> Answer {
    t.nobody()
        .post("/app/v1/auth/sign-up", &account(email, more))
        .await
}

async fn conditions(t: &TestApp) -> Value {
    t.nobody().get("/app/v1/auth/sign-up").await.ok()
}

async fn the_first_user_operates_the_service_and_after_them_sign_up_is_by_invitation(db: Db) {
    let t = fresh(db).await;
    assert_eq!(
        conditions(&t).await,
        json!({ "mode": "open", "setupCodeRequired": false })
    );
    let ada = t.sign_up("ada@example.org").await;
    assert_eq!(ada.api.get("/app/v1/me").await.ok()["operator"], json!(true));
    assert_eq!(
        conditions(&t).await,
        json!({ "mode": "invite", "setupCodeRequired": false })
    );
    sign_up(&t, "eve@example.org", json!({}))
        .await
        .refused(403, "signup_closed");
    let path = format!("/app/v1/organizations/{}/invitations", ada.workspace);
    let made = ada
        .api
        .post(&path, &json!({ "email": "bob@example.org" }))
        .await
        .ok();
    let bob = t.person(
        &sign_up(&t, "bob@example.org", json!({ "invitation": made["token"] }))
            .await
            .ok(),
    );
    assert_eq!(bob.api.get("/app/v1/me").await.ok()["operator"], json!(false));
}

async fn who_the_operator_makes_first_operates_the_service(db: Db) {
    let t = reachable(db).await;
    let hash = t
        .app
        .hash_password(crate::harness::secret(PASSWORD))
        .await
        .unwrap();
    let user = playout_store::NewUser {
        id: playout_server::chance::id(t.now()),
        email: "op@example.org".to_owned(),
        name: None,
        password_hash: hash,
    };
    t.app.store.create_user(user, t.now()).await.unwrap();
    let op = t.person(&t.sign_in("op@example.org").await.ok());
    assert_eq!(op.api.get("/app/v1/me").await.ok()["operator"], json!(true));
    assert_eq!(
        conditions(&t).await,
        json!({ "mode": "invite", "setupCodeRequired": false })
    );
    sign_up(
        &t,
        "eve@example.org",
        json!({ "setupCode": t.app.setup_code().expose() }),
    )
    .await
    .refused(403, "signup_closed");
}

async fn where_others_reach_the_service_the_first_user_shows_its_setup_code(db: Db) {
    let t = reachable(db).await;
    assert_eq!(
        conditions(&t).await,
        json!({ "mode": "open", "setupCodeRequired": true })
    );
    for code in [json!(null), json!("0000-0000-0000")] {
        let refused = sign_up(&t, "eve@example.org", json!({ "setupCode": code }))
            .await
            .refused(403, "setup_code_required");
        assert_eq!(refused["details"][0]["path"], json!(["setupCode"]), "{refused}");
    }
    let code = t.app.setup_code().expose().to_lowercase().replace('-', " ");
    let ada = t.person(
        &sign_up(&t, "ada@example.org", json!({ "setupCode": code }))
            .await
            .ok(),
    );
    assert_eq!(ada.api.get("/app/v1/me").await.ok()["operator"], json!(true));
    assert_eq!(
        conditions(&t).await,
        json!({ "mode": "invite", "setupCodeRequired": false })
    );
}

async fn open_sign_up_still_asks_the_first_user_for_the_setup_code(db: Db) {
    let t = TestApp::start_with(db, Options::default().set("base_url", ELSEWHERE)).await;
    sign_up(&t, "eve@example.org", json!({}))
        .await
        .refused(403, "setup_code_required");
    sign_up(
        &t,
        "ada@example.org",
        json!({ "setupCode": t.app.setup_code().expose() }),
    )
    .await
    .ok();
    sign_up(&t, "bob@example.org", json!({})).await.ok();
}

async fn the_setup_code_is_not_found_out_by_trying(db: Db) {
    let t = reachable(db).await;
    for _ in 0..10 {
        sign_up(&t, "eve@example.org", json!({ "setupCode": "0000-0000-0000" }))
            .await
            .refused(403, "setup_code_required");
    }
    let right = json!({ "setupCode": t.app.setup_code().expose() });
    let answer = sign_up(&t, "eve@example.org", right.clone()).await;
    answer.refused(429, "rate_limited");
    assert_eq!(answer.header("retry-after"), "60");
    t.clock.advance(std::time::Duration::from_secs(60));
    sign_up(&t, "ada@example.org", right).await.ok();
}

async fn of_many_who_sign_up_first_at_once_one_is_in_and_operates_the_service(db: Db) {
    for t in [fresh(db).await, reachable(db).await] {
        let code = json!({ "setupCode": t.app.setup_code().expose() });
        let tries = (0..8).map(|number| {
            let (t, code) = (&t, code.clone());
            async move { sign_up(t, &format!("{number}@example.org"), code).await }
        });
        let answers = futures_util::future::join_all(tries).await;
        let (taken, refused): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.status == 201);
        assert_eq!(taken.len(), 1);
        for answer in refused {
            answer.refused(403, "signup_closed");
        }
        let first = t.person(&taken[0].ok());
        assert_eq!(first.api.get("/app/v1/me").await.ok()["operator"], json!(true));
    }
}

async fn of_many_who_sign_up_at_once_where_sign_up_is_open_one_operates_the_service(db: Db) {
    let t = TestApp::start(db).await;
    let emails: Vec<String> = (0..8).map(|number| format!("{number}@example.org")).collect();
    let people = futures_util::future::join_all(emails.iter().map(|email| t.sign_up(email))).await;
    let mut operators = 0;
    for person in &people {
        operators += usize::from(person.api.get("/app/v1/me").await.ok()["operator"] == json!(true));
    }
    assert_eq!(operators, 1);
}

async fn the_page_asks_for_the_setup_code_exactly_when_it_is_needed(db: Db) {
    let t = fresh(db).await;
    assert!(!t.browser().open("/sign-up").await.page(200).contains("setupCode"));
    let t = reachable(db).await;
    let mut browser = t.browser();
    assert!(
        browser
            .open("/sign-up")
            .await
            .page(200)
            .contains("name=\"setupCode\"")
    );
    let fields = [("email", "ada@example.org"), ("password", PASSWORD)];
    let page = browser.submit("/sign-up", &fields).await.page(403);
    assert!(
        page.contains("id=\"setupCode-note\" class=\"problem\"")
            && page.contains("value=\"ada@example.org\""),
        "{page}"
    );
    let code = t.app.setup_code();
    browser
        .submit("/sign-up", &[fields[0], fields[1], ("setupCode", code.expose())])
        .await
        .leads_to();
    assert!(!t.browser().open("/sign-up").await.page(200).contains("setupCode"));
}

async fn names_that_deceive_are_refused_and_file_names_lose_what_deceives(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let path = format!("/app/v1/organizations/{}", ada.workspace);
    for name in ["Kites\u{202e}gpj", "Ki\ntes", "\u{2066}Kites"] {
        ada.api
            .post("/app/v1/organizations", &json!({ "name": name }))
            .await
            .invalid_at(&[json!(["name"])]);
        ada.api
            .patch(&path, &json!({ "name": name }))
            .await
            .invalid_at(&[json!(["name"])]);
        ada.api
            .patch("/app/v1/me", &json!({ "name": name }))
            .await
            .invalid_at(&[json!(["name"])]);
        sign_up(
            &t,
            "eve@example.org",
            json!({ "name": name, "workspaceName": name }),
        )
        .await
        .invalid_at(&[json!(["name"]), json!(["workspaceName"])]);
    }
    sign_up(&t, "e\u{202e}ve@example.org", json!({}))
        .await
        .invalid_at(&[json!(["email"])]);
    ada.api.patch(&path, &json!({ "name": "می‌خواهم 👩‍🚀" })).await.ok();
    let jpeg = crate::harness::jpeg(8, 8);
    let media = t
        .api
        .upload_form("exe\u{202e}gpj.jpg", "image/jpeg", &jpeg, &[])
        .await
        .ok();
    assert_eq!(media["originalFileName"], "exegpj.jpg");
}
