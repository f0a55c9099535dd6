//! The session in a cookie: out of reach of scripts, and of other sites' pages.

use std::time::Duration;

use reqwest::Method;
use serde_json::json;

use crate::harness::{Answer, Db, PASSWORD, Person, TestApp, on_both};

on_both!(
    signing_in_sets_a_cookie_that_no_script_reads,
    with_the_cookie_only_our_own_pages_change_anything,
    pages_of_other_sites_sign_nobody_in,
    windows_that_other_sites_open_read_nothing_and_count_no_codes,
    the_cookie_slides_with_the_session,
    a_bearer_token_wins_over_the_cookie,
);

/// A request with the session in the cookie, from a page of `origin`.
async fn from_page(t: &TestApp, person: &Person, method: Method, path: &str, origin: Option<&str>) -> Answer {
    let api = t.nobody().in_workspace(&person.workspace);
    let mut request = api.request(method.clone(), path);
    request = request.header("cookie", format!("theme=dark; playout_session={}", person.token));
    if let Some(origin) = origin {
        request = request.header("origin", origin);
    }
    if method == Method::POST || method == Method::PATCH {
        request = request.json(&json!({ "name": "New" }));
    }
    api.send(request).await
}

async fn signing_in_sets_a_cookie_that_no_script_reads(db: Db) {
    let t = TestApp::start(db).await;
    t.sign_up("ada@example.org").await;
    let answer = t.sign_in("ada@example.org").await;
    let token = answer.ok()["token"].as_str().unwrap().to_owned();
    let wanted = format!("playout_session={token}; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure");
    assert_eq!(answer.header("set-cookie"), wanted);
}

async fn with_the_cookie_only_our_own_pages_change_anything(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let own = t.app.config.base_url.clone();
    from_page(&t, &ada, Method::GET, "/app/v1/me", None).await.ok();
    from_page(&t, &ada, Method::GET, "/app/v1/me", Some("https://evil.example"))
        .await
        .ok();
    let other_port = format!("{own}0");
    for (method, path) in [
        (Method::PATCH, "/app/v1/me"),
        (Method::POST, "/app/v1/organizations"),
        (Method::POST, "/app/v1/auth/sign-out"),
        (Method::POST, "/app/v1/media/folders"),
    ] {
        for origin in [
            None,
            Some("https://evil.example"),
            Some("null"),
            Some(other_port.as_str()),
        ] {
            from_page(&t, &ada, method.clone(), path, origin)
                .await
                .refused(403, "forbidden");
        }
    }
    let folder = format!("/app/v1/organizations/{}", ada.workspace);
    from_page(&t, &ada, Method::DELETE, &folder, None)
        .await
        .refused(403, "forbidden");
    let me = ada.api.get("/app/v1/me").await.ok();
    assert_eq!(
        (&me["user"]["name"], me["organizations"].as_array().unwrap().len()),
        (&json!(null), 1),
        "nothing has changed"
    );
    assert_eq!(
        from_page(&t, &ada, Method::PATCH, "/app/v1/me", Some(&own))
            .await
            .ok()["user"]["name"],
        "New"
    );
    from_page(&t, &ada, Method::POST, "/app/v1/media/folders", Some(&own))
        .await
        .ok();
}

/// A window may be opened here again and again; the cookie goes with it.
async fn windows_that_other_sites_open_read_nothing_and_count_no_codes(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let opened = async |site: &str| {
        let request = t.nobody().request(Method::GET, "/auth/device/SVC-BBBB-BBBB");
        let request = request.header("cookie", format!("playout_session={}", ada.token));
        t.nobody().send(request.header("sec-fetch-site", site)).await
    };
    for _ in 0..12 {
        for site in ["cross-site", "same-site", "anything"] {
            opened(site).await.refused(403, "forbidden");
        }
    }
    for site in ["none", "same-origin"] {
        opened(site).await.refused(404, "device_code_not_found");
    }
}

async fn pages_of_other_sites_sign_nobody_in(db: Db) {
    let t = TestApp::start(db).await;
    t.sign_up("ada@example.org").await;
    let body = json!({ "email": "ada@example.org", "password": PASSWORD });
    for path in ["/app/v1/auth/sign-in", "/app/v1/auth/sign-up"] {
        let request = t
            .nobody()
            .request(Method::POST, path)
            .header("origin", "https://evil.example")
            .json(&body);
        let answer = t.nobody().send(request).await;
        answer.refused(403, "forbidden");
        assert_eq!(answer.header("set-cookie"), "");
        assert_eq!(answer.header("access-control-allow-origin"), "");
    }
    let own = t.app.config.base_url.clone();
    t.nobody()
        .send(
            t.nobody()
                .request(Method::POST, "/app/v1/auth/sign-in")
                .header("origin", own)
                .json(&body),
        )
        .await
        .ok();
}

async fn the_cookie_slides_with_the_session(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let at_once = from_page(&t, &ada, Method::GET, "/app/v1/me", None).await;
    assert_eq!(at_once.header("set-cookie"), "");
    t.clock.advance(Duration::from_secs(2 * 86_400));
    let later = from_page(&t, &ada, Method::GET, "/app/v1/me", None).await;
    assert!(later.header("set-cookie").starts_with(&format!(
        "playout_session={}; Path=/; Max-Age=2592000;",
        ada.token
    )));
    t.clock.advance(Duration::from_secs(2 * 86_400));
    assert_eq!(
        ada.api.get("/app/v1/me").await.header("set-cookie"),
        "",
        "who sends a header has no cookie"
    );
}

async fn a_bearer_token_wins_over_the_cookie(db: Db) {
    let t = TestApp::start(db).await;
    let (ada, bob) = (
        t.sign_up("ada@example.org").await,
        t.sign_up("bob@example.org").await,
    );
    let request = ada
        .api
        .request(Method::GET, "/app/v1/me")
        .header("cookie", format!("playout_session={}", bob.token));
    assert_eq!(
        ada.api.send(request).await.ok()["user"]["email"],
        "ada@example.org"
    );
}
