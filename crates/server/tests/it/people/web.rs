//! How the built dashboard is served, and that nothing else gives way to it.

use reqwest::Method;

use crate::harness::{Answer, Db, INDEX, Options, SCRIPT, TestApp, on_both};

on_both!(
    every_page_of_the_dashboard_starts_it_under_a_strict_policy,
    nothing_else_gives_way_to_the_dashboard,
    without_a_script_every_page_is_as_it_was,
    who_is_signed_in_already_is_sent_on,
    files_are_kept_for_ever_and_come_packed_as_the_browser_takes_them,
    where_it_is_switched_off_there_are_the_plain_pages_alone,
);

const EMAIL: &str = "ada@example.org";

async fn with_dashboard(db: Db) -> TestApp {
    TestApp::start_with(db, Options::default().set("dashboard", "on")).await
}

async fn fetch(t: &TestApp, path: &str, encoding: &str) -> Answer {
    let api = t.nobody();
    let request = api.request(Method::GET, path).header("accept-encoding", encoding);
    api.send(request).await
}

fn is_dashboard(answer: &Answer) -> bool {
    answer
        .body
        .starts_with(INDEX.split('%').next().unwrap().as_bytes())
}

async fn every_page_of_the_dashboard_starts_it_under_a_strict_policy(db: Db) {
    let t = with_dashboard(db).await;
    let pages = [
        "/",
        "/sign-in",
        "/sign-up?next=/device",
        "/forgot-password",
        "/reset-password?token=1",
        "/accounts?connected=1",
        "/accounts/0196f3a0-7c1e-7d3a-9b5e-000000000001",
        "/calendar?view=week",
        "/posts",
        "/posts?state=ERROR",
        "/posts/1",
        "/settings",
        "/settings/keys",
        "/settings/webhooks/1",
        "/security",
        "/device?user_code=SVC-WDJB-MJHT",
        "/accept-invitation?token=1",
    ];
    for page in pages {
        let answer = t.nobody().get(page).await;
        assert!(
            answer.status == 200 && is_dashboard(&answer),
            "{page} is {}",
            answer.status
        );
        assert_eq!(answer.header("content-type"), "text/html; charset=utf-8");
        assert_eq!(answer.header("cache-control"), "no-cache");
        assert_eq!(answer.header("x-content-type-options"), "nosniff");
        assert_eq!(answer.header("referrer-policy"), "same-origin");
        let policy = answer.header("content-security-policy");
        assert!(
            policy.starts_with("default-src 'none'; script-src 'self'; style-src 'self';"),
            "{policy}"
        );
        assert!(
            policy.contains("frame-ancestors 'none'") && !policy.contains("unsafe"),
            "{policy}"
        );
    }
}

async fn nothing_else_gives_way_to_the_dashboard(db: Db) {
    let t = with_dashboard(db).await;
    let others = [
        ("/public/v1/posts", 401),
        ("/app/v1/me", 401),
        ("/app/v1/nothing", 401),
        ("/media/none", 404),
        ("/docs", 200),
        ("/healthz", 200),
        ("/openapi.json", 200),
        ("/accounts/connect", 303),
        ("/device?plain", 303),
        ("/device/approved", 200),
        ("/security?plain=1", 303),
        ("/security/off", 303),
        ("/accept-invitation?token=1&plain=1", 404),
        ("/nothing", 404),
        ("/posts/1/2", 404),
        ("/assets/none.js", 404),
    ];
    for (path, status) in others {
        let answer = t.nobody().get(path).await;
        assert!(
            answer.status == status && !is_dashboard(&answer),
            "{path} is {}",
            answer.status
        );
    }
}

async fn without_a_script_every_page_is_as_it_was(db: Db) {
    let t = with_dashboard(db).await;
    let mut browser = t.browser();
    let start = t.nobody().get("/sign-in?next=/device%3Fa%3D\"%26b%3Dc").await;
    let start = String::from_utf8(start.body).unwrap();
    let plain = "/sign-in?next=/device%3Fa%3D%22%26b%3Dc&#38;plain=1";
    assert!(start.contains(&format!("href=\"{plain}\"")), "{start}");
    let page = browser.open(&plain.replace("&#38;", "&")).await.page(200);
    assert!(
        page.contains("<form") && page.contains("value=\"/device?a=&quot;&amp;b=c\""),
        "{page}"
    );
    t.sign_up(EMAIL).await;
    let fields = [("email", EMAIL), ("password", "wrong horse"), ("next", "/device")];
    browser.submit("/sign-in", &fields).await.page(401);
    let home = t.nobody().get("/settings/keys").await;
    assert!(
        String::from_utf8(home.body)
            .unwrap()
            .contains("href=\"/accounts?plain=1\"")
    );
    let device = t.nobody().get("/device?user_code=SVC-WDJB-MJHT").await;
    let plain = "href=\"/device?user_code=SVC-WDJB-MJHT&#38;plain=1\"";
    assert!(String::from_utf8(device.body).unwrap().contains(plain));
}

async fn who_is_signed_in_already_is_sent_on(db: Db) {
    let t = with_dashboard(db).await;
    let ada = t.sign_up(EMAIL).await;
    assert_eq!(
        t.browser_of(&ada.token)
            .open("/sign-in?next=/device")
            .await
            .leads_to(),
        "/device"
    );
    assert!(is_dashboard(&t.browser_of(&ada.token).open("/accounts").await));
}

async fn files_are_kept_for_ever_and_come_packed_as_the_browser_takes_them(db: Db) {
    let t = with_dashboard(db).await;
    let [plain, brotli, gzip] = SCRIPT;
    let wanted = [
        ("gzip, deflate, br, zstd", brotli, "br"),
        ("gzip", gzip, "gzip"),
        ("br;q=0, gzip;q=0.5", gzip, "gzip"),
        ("identity", plain, ""),
        ("br;q=0", plain, ""),
    ];
    for (accepted, bytes, encoding) in wanted {
        let answer = fetch(&t, "/assets/index-AbC123.js", accepted).await;
        assert_eq!(
            (answer.status, answer.body.as_slice()),
            (200, bytes),
            "{accepted}"
        );
        assert_eq!(answer.header("content-encoding"), encoding, "{accepted}");
        assert_eq!(answer.header("content-type"), "text/javascript; charset=utf-8");
        assert_eq!(
            answer.header("cache-control"),
            "public, max-age=31536000, immutable"
        );
        assert_eq!(
            (answer.header("vary"), answer.header("x-content-type-options")),
            ("accept-encoding", "nosniff")
        );
    }
    let font = fetch(&t, "/assets/inter-latin-wght-XyZ.woff2", "br").await;
    assert_eq!(
        (font.header("content-type"), font.header("content-encoding")),
        ("font/woff2", "")
    );
}

async fn where_it_is_switched_off_there_are_the_plain_pages_alone(db: Db) {
    let t = TestApp::start(db).await;
    assert!(t.browser().open("/sign-in").await.page(200).contains("<form"));
    for path in ["/posts", "/settings/keys", "/assets/index-AbC123.js"] {
        assert_eq!(t.nobody().get(path).await.status, 404, "{path}");
    }
}
