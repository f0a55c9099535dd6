//! The second factor in a browser: the second step of signing in, and `/security`.

use std::time::Duration;

use playout_domain::second_factor::TotpSecret;
use serde_json::json;

use crate::harness::{Authenticator, Browser, Db, PASSWORD, TestApp, on_both, secret};

on_both!(
    signing_in_asks_for_the_code_on_a_page_of_its_own,
    half_a_sign_in_ends_after_ten_minutes_and_when_the_password_changes,
    codes_on_the_page_are_counted_as_anywhere,
    a_second_factor_is_turned_on_and_off_in_a_browser,
    the_forms_of_security_take_nothing_from_elsewhere,
);

const EMAIL: &str = "ada@example.org";

/// The part of a page between two texts.
#[track_caller]
fn between<'a>(page: &'a str, before: &str, after: &str) -> &'a str {
    let rest = page
        .split_once(before)
        .unwrap_or_else(|| panic!("no {before}: {page}"))
        .1;
    rest.split_once(after)
        .unwrap_or_else(|| panic!("no {after}: {page}"))
        .0
}

async fn signing_in_asks_for_the_code_on_a_page_of_its_own(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up_protected(EMAIL).await;
    t.clock.advance(Duration::from_secs(600));
    let mut browser = t.browser();
    let wrong = browser
        .submit("/sign-in", &[("email", EMAIL), ("password", "a wrong guess")])
        .await
        .page(401);
    assert!(!wrong.contains("name=\"code\""), "{wrong}");
    let fields = [("email", EMAIL), ("password", PASSWORD), ("next", "/device")];
    let page = browser.submit("/sign-in", &fields).await.page(200);
    assert!(browser.token().is_none() && !page.contains(PASSWORD), "{page}");
    assert!(
        page.contains("autocomplete=\"one-time-code\"") && page.contains(" autofocus"),
        "{page}"
    );
    let step = between(&page, "name=\"step\" value=\"", "\"").to_owned();
    let page = browser
        .submit(
            "/sign-in/code",
            &[("step", &step), ("next", "/device"), ("code", "123")],
        )
        .await
        .page(401);
    assert!(
        page.contains("id=\"code-note\" class=\"problem\"") && page.contains(&step),
        "{page}"
    );
    browser
        .submit("/sign-in/code", &[("step", &step), ("next", "/device")])
        .await
        .page(400);
    let code = ada.app.code(t.now());
    let fields = [("step", step.as_str()), ("next", "/device"), ("code", &code)];
    browser.origin = Some("https://evil.example".to_owned());
    browser.submit("/sign-in/code", &fields).await.page(403);
    browser.origin = Some(t.app.config.base_url.clone());
    assert_eq!(
        browser.submit("/sign-in/code", &fields).await.leads_to(),
        "/device"
    );
    assert!(browser.token().is_some());
    let late = [("step", step.as_str()), ("code", ada.recovery_codes[0].as_str())];
    assert!(
        t.browser()
            .submit("/sign-in/code", &late)
            .await
            .page(401)
            .contains("name=\"email\""),
        "the step is over"
    );
    assert_eq!(t.browser().open("/sign-in/code").await.leads_to(), "/sign-in");
}

async fn half_a_sign_in_ends_after_ten_minutes_and_when_the_password_changes(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up_protected(EMAIL).await;
    let fields = [("email", EMAIL), ("password", PASSWORD)];
    let begin = async || {
        between(
            &t.browser().submit("/sign-in", &fields).await.page(200),
            "name=\"step\" value=\"",
            "\"",
        )
        .to_owned()
    };
    let end = async |step: &str, code: &str| {
        t.browser()
            .submit("/sign-in/code", &[("step", step), ("code", code)])
            .await
    };
    let step = begin().await;
    t.clock.advance(Duration::from_secs(600));
    assert!(
        end(&step, &ada.recovery_codes[0])
            .await
            .page(401)
            .contains("role=\"alert\"")
    );
    let step = begin().await;
    let change =
        json!({ "password": "a new password", "currentPassword": PASSWORD, "code": ada.recovery_codes[1] });
    ada.person.api.patch("/app/v1/me", &change).await.ok();
    end(&step, &ada.recovery_codes[0]).await.page(401);
    end(&"0".repeat(64), &ada.recovery_codes[0]).await.page(401);
}

async fn codes_on_the_page_are_counted_as_anywhere(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up_protected(EMAIL).await;
    t.clock.advance(Duration::from_secs(600));
    let mut browser = t.browser();
    let page = browser
        .submit("/sign-in", &[("email", EMAIL), ("password", PASSWORD)])
        .await
        .page(200);
    let step = between(&page, "name=\"step\" value=\"", "\"").to_owned();
    for _ in 0..9 {
        browser
            .submit("/sign-in/code", &[("step", &step), ("code", "no code")])
            .await
            .page(401);
    }
    let right = ada.app.code(t.now());
    browser
        .submit("/sign-in/code", &[("step", &step), ("code", &right)])
        .await
        .page(429);
    t.clock.advance(Duration::from_secs(60));
    browser
        .submit(
            "/sign-in/code",
            &[("step", &step), ("code", &ada.app.code(t.now()))],
        )
        .await
        .leads_to();
}

/// Turns the second factor on, with a wrong password and a wrong code first; the recovery codes that the page shows.
async fn turned_on(t: &TestApp, browser: &mut Browser<'_>) -> Vec<String> {
    let page = browser
        .submit("/security", &[("password", "a wrong guess")])
        .await
        .page(401);
    assert!(
        page.contains("id=\"password-note\" class=\"problem\"") && !page.contains("otpauth"),
        "{page}"
    );
    let page = browser
        .submit("/security", &[("password", PASSWORD)])
        .await
        .page(200);
    let typed = between(&page, "<p class=\"code secret\">", "</p>").to_owned();
    assert_eq!(typed.split(' ').map(str::len).collect::<Vec<_>>(), [4; 8]);
    let shown = typed.replace(' ', "");
    assert!(
        page.contains("<svg class=\"qr\"") && page.contains(&format!("secret={shown}&amp;issuer=Playout")),
        "{page}"
    );
    let app = Authenticator::of(&json!({ "secret": shown }));
    assert!(TotpSecret::parse(&shown).is_some());
    let page = browser
        .submit("/security/confirm", &[("code", "123")])
        .await
        .page(401);
    assert!(
        page.contains("id=\"code-note\" class=\"problem\"") && !page.contains(&shown),
        "{page}"
    );
    let page = browser
        .submit("/security/confirm", &[("code", &app.code(t.now()))])
        .await
        .page(200);
    between(&page, "aria-describedby=\"codes-note\">", "</textarea>")
        .lines()
        .map(str::to_owned)
        .collect()
}

async fn a_second_factor_is_turned_on_and_off_in_a_browser(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up(EMAIL).await;
    assert_eq!(
        t.browser().open("/security").await.leads_to(),
        "/sign-in?next=%2Fsecurity"
    );
    let mut browser = t.browser_of(&ada.token);
    assert!(
        browser
            .open("/security")
            .await
            .page(200)
            .contains("autocomplete=\"current-password\"")
    );
    let codes = turned_on(&t, &mut browser).await;
    assert_eq!(codes.len(), 10);
    assert_ne!(
        browser.token(),
        Some(ada.token.as_str()),
        "the session has another token"
    );
    ada.api.get("/app/v1/me").await.refused(401, "invalid_session");
    let page = browser.open("/security").await.page(200);
    assert!(
        page.contains("is on") && page.contains("Recovery codes left: 10") && !page.contains(&codes[0]),
        "{page}"
    );
    browser
        .submit("/security", &[("password", PASSWORD)])
        .await
        .page(409);
    let page = browser
        .submit(
            "/security/recovery-codes",
            &[("password", PASSWORD), ("code", &codes[0])],
        )
        .await
        .page(200);
    let renewed = between(&page, "aria-describedby=\"codes-note\">", "</textarea>")
        .lines()
        .next()
        .unwrap()
        .to_owned();
    browser.open("/security/recovery-codes").await.page(200);
    browser.open("/security/off").await.page(200);
    let page = browser
        .submit("/security/off", &[("password", PASSWORD), ("code", &codes[1])])
        .await
        .page(401);
    assert!(page.contains("id=\"code-note\" class=\"problem\""), "{page}");
    assert_eq!(
        browser
            .submit("/security/off", &[("password", PASSWORD), ("code", &renewed)])
            .await
            .leads_to(),
        "/security"
    );
    let api = t.nobody().with_key(Some(secret(browser.token().unwrap())));
    assert_eq!(api.get("/app/v1/me").await.ok()["secondFactor"], json!(false));
}

async fn the_forms_of_security_take_nothing_from_elsewhere(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up_protected(EMAIL).await;
    let code = ada.recovery_codes[0].as_str();
    for origin in [None, Some("null"), Some("https://evil.example")] {
        let mut browser = t.browser_of(&ada.person.token);
        browser.origin = origin.map(str::to_owned);
        for path in [
            "/security",
            "/security/confirm",
            "/security/recovery-codes",
            "/security/off",
        ] {
            browser
                .submit(path, &[("password", PASSWORD), ("code", code)])
                .await
                .page(403);
        }
    }
    let me = ada.person.api.get("/app/v1/me").await.ok();
    assert_eq!(
        (&me["secondFactor"], &me["recoveryCodesLeft"]),
        (&json!(true), &json!(10))
    );
}
