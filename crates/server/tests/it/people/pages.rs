//! The pages on which people sign up, in and out, in a browser without scripts.

use crate::harness::{Db, PASSWORD, TestApp, on_both};

on_both!(
    somebody_signs_up_out_and_in_and_goes_on_to_the_page_they_came_for,
    what_is_wrong_stands_beside_its_field_and_what_was_typed_stays,
    a_form_of_another_site_does_nothing,
);

const EMAIL: &str = "ada@example.org";

async fn somebody_signs_up_out_and_in_and_goes_on_to_the_page_they_came_for(db: Db) {
    let t = TestApp::start(db).await;
    let mut browser = t.browser();
    assert_eq!(browser.open("/").await.leads_to(), "/accounts");
    assert_eq!(browser.open("/accounts").await.leads_to(), "/sign-in");
    let page = browser
        .open("/sign-up?next=/device%3Fuser_code%3DA")
        .await
        .page(200);
    assert!(
        page.contains("name=\"next\" value=\"/device?user_code=A\""),
        "{page}"
    );
    let fields = [
        ("email", EMAIL),
        ("password", PASSWORD),
        ("name", "Ada"),
        ("next", "/device?user_code=A"),
    ];
    assert_eq!(
        browser.submit("/sign-up", &fields).await.leads_to(),
        "/device?user_code=A"
    );
    let first = browser.token().unwrap().to_owned();
    assert_eq!(
        browser.open("/sign-in?next=/device").await.leads_to(),
        "/device",
        "they are in already"
    );
    assert_eq!(browser.submit("/sign-out", &[]).await.leads_to(), "/sign-in");
    assert_eq!(browser.token(), None);
    assert_eq!(
        t.browser_of(&first).submit("/sign-out", &[]).await.leads_to(),
        "/sign-in",
        "it is over"
    );
    let fields = [
        ("email", EMAIL),
        ("password", PASSWORD),
        ("next", "https://evil.example/"),
    ];
    assert_eq!(browser.submit("/sign-in", &fields).await.leads_to(), "/accounts");
    assert_ne!(browser.token(), Some(first.as_str()));
}

async fn what_is_wrong_stands_beside_its_field_and_what_was_typed_stays(db: Db) {
    let t = TestApp::start(db).await;
    let mut browser = t.browser();
    let fields = [
        ("email", "a\"><b>@x"),
        ("password", "short"),
        ("name", "<i>Ada</i>"),
    ];
    let page = browser.submit("/sign-up", &fields).await.page(400);
    assert!(
        page.contains("value=\"a&quot;&gt;&lt;b&gt;@x\"")
            && page.contains("value=\"&lt;i&gt;Ada&lt;/i&gt;\""),
        "{page}"
    );
    assert!(
        page.contains("id=\"email-note\" class=\"problem\"")
            && page.contains("id=\"password-note\" class=\"problem\""),
        "{page}"
    );
    assert!(!page.contains("short"), "passwords never come back: {page}");
    t.sign_up(EMAIL).await;
    let page = browser
        .submit("/sign-up", &[("email", EMAIL), ("password", PASSWORD)])
        .await
        .page(409);
    assert!(page.contains("role=\"alert\""), "{page}");
    let known = browser
        .submit("/sign-in", &[("email", EMAIL), ("password", "wrong horse")])
        .await
        .page(401);
    let unknown = browser
        .submit(
            "/sign-in",
            &[("email", "eve@example.org"), ("password", "wrong horse")],
        )
        .await
        .page(401);
    assert_eq!(
        known.replace(EMAIL, "x"),
        unknown.replace("eve@example.org", "x"),
        "nothing tells who is known"
    );
    assert_eq!(browser.token(), None);
}

async fn a_form_of_another_site_does_nothing(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up(EMAIL).await;
    let mut stranger = t.browser();
    stranger.origin = Some("https://evil.example".to_owned());
    stranger
        .submit("/sign-in", &[("email", EMAIL), ("password", PASSWORD)])
        .await
        .page(403);
    assert_eq!(stranger.token(), None);
    let mut browser = t.browser_of(&ada.token);
    for origin in [None, Some("null"), Some("https://evil.example")] {
        browser.origin = origin.map(str::to_owned);
        browser.submit("/sign-out", &[]).await.page(403);
    }
    ada.api.get("/app/v1/me").await.ok();
}
