//! The reference as it is served: without authentication, in three forms, all of the one document
//! (`docs/contract.md#reference`).

use playout_server::api::openapi::document;
use serde_json::Value;

use crate::harness::{Db, Options, TestApp};

/// Every operation: its method, upper case, its path and its ID.
fn operations() -> Vec<(String, &'static str, &'static str)> {
    let paths = document()["paths"].as_object().unwrap().iter();
    let all = paths.flat_map(|(path, methods)| {
        let methods = methods.as_object().unwrap().iter();
        methods.map(move |(method, operation)| {
            let id = operation["operationId"].as_str().unwrap();
            (method.to_uppercase(), path.as_str(), id)
        })
    });
    all.collect()
}

#[tokio::test]
async fn the_openapi_document_is_served_without_a_key() {
    let t = TestApp::start(Db::Sqlite).await;
    let answer = t.api.with_key(None).get("/openapi.json").await;
    assert_eq!(
        (answer.status, answer.header("content-type")),
        (200, "application/json")
    );
    let served: Value = answer.json();
    assert_eq!(&served, document());
    assert!(served["openapi"].as_str().unwrap().starts_with("3.1."));
}

#[tokio::test]
async fn the_readable_reference_shows_every_operation_and_loads_nothing_from_elsewhere() {
    let t = TestApp::start(Db::Sqlite).await;
    let answer = t.api.with_key(None).get("/docs").await;
    assert_eq!(
        (answer.status, answer.header("content-type")),
        (200, "text/html; charset=utf-8")
    );
    assert!(
        answer
            .header("content-security-policy")
            .contains("default-src 'none'")
    );
    let page = String::from_utf8(answer.body).unwrap();
    for (method, path, id) in operations() {
        assert!(page.contains(&format!("id=\"{id}\"")), "{method} {path}");
        assert!(page.contains(path), "{method} {path}");
    }
    assert!(!page.contains("<script>"), "nothing inline");
    for load in ["src=\"http", "<link rel=\"stylesheet\" href=\"http"] {
        assert!(!page.contains(load), "{load}");
    }
}

#[tokio::test]
async fn the_readable_reference_comes_with_its_own_style_script_and_typeface() {
    let t = TestApp::start(Db::Sqlite).await;
    let nobody = t.api.with_key(None);
    let page = nobody.get("/docs").await;
    let policy = page.header("content-security-policy").to_owned();
    assert!(
        policy.contains("script-src 'self';")
            && policy.contains("connect-src 'self';")
            && !policy.contains("unsafe"),
        "{policy}"
    );
    let page = String::from_utf8(page.body).unwrap();
    for (path, content_type) in [
        ("/docs/reference.css", "text/css; charset=utf-8"),
        ("/docs/reference.js", "text/javascript; charset=utf-8"),
        ("/docs/explorer.js", "text/javascript; charset=utf-8"),
    ] {
        assert!(page.contains(&format!("\"{path}\"")), "{path}");
        let file = nobody.get(path).await;
        assert_eq!((file.status, file.header("content-type")), (200, content_type));
    }
    let style = nobody.get("/docs/reference.css").await.body;
    let style = String::from_utf8(style).unwrap();
    assert!(
        !style.contains("@font-face"),
        "without a dashboard there is no typeface"
    );
}

#[tokio::test]
async fn the_readable_reference_is_set_in_the_dashboards_typeface_where_that_is_served() {
    let t = TestApp::start_with(Db::Sqlite, Options::default().set("dashboard", "on")).await;
    let style = t.api.with_key(None).get("/docs/reference.css").await.body;
    let style = String::from_utf8(style).unwrap();
    let (_, rest) = style.split_once("url(\"").unwrap();
    let (font, _) = rest.split_once('"').unwrap();
    let font = t.api.with_key(None).get(font).await;
    assert_eq!((font.status, font.header("content-type")), (200, "font/woff2"));
}

#[tokio::test]
async fn the_reference_for_language_models_names_every_operation() {
    let t = TestApp::start(Db::Sqlite).await;
    let answer = t.api.with_key(None).get("/llms.txt").await;
    assert_eq!(
        (answer.status, answer.header("content-type")),
        (200, "text/plain; charset=utf-8")
    );
    let text = String::from_utf8(answer.body).unwrap();
    assert!(text.starts_with("# "), "as llmstxt.org has it");
    for (method, path, id) in operations() {
        assert!(text.contains(&format!("`{method} {path}`")), "{id}");
        assert!(text.contains(&format!("/docs#{id}")), "{id}");
    }
}

#[tokio::test]
async fn every_guide_is_a_page_and_markdown_with_the_address_of_this_service() {
    let t = TestApp::start(Db::Sqlite).await;
    let nobody = t.api.with_key(None);
    let list = String::from_utf8(nobody.get("/llms.txt").await.body).unwrap();
    let slugs: Vec<&str> = list
        .split("](/docs/")
        .skip(1)
        .filter_map(|rest| Some(rest.split_once(".md)")?.0))
        .collect();
    assert!(slugs.len() >= 12, "{slugs:?}");
    for slug in slugs {
        let page = nobody.get(&format!("/docs/{slug}")).await;
        assert_eq!(
            (page.status, page.header("content-type")),
            (200, "text/html; charset=utf-8"),
            "{slug}"
        );
        let page = String::from_utf8(page.body).unwrap();
        assert!(
            page.contains("<h1 id=") && page.contains("aria-label=\"Contents\""),
            "{slug}"
        );
        for load in ["<script>", "src=\"http", "stylesheet\" href=\"http"] {
            assert!(!page.contains(load), "{slug} has {load}");
        }
        let text = nobody.get(&format!("/docs/{slug}.md")).await;
        assert_eq!(
            (text.status, text.header("content-type")),
            (200, "text/markdown; charset=utf-8"),
            "{slug}"
        );
        assert!(String::from_utf8(text.body).unwrap().contains("# "), "{slug}");
    }
    let start = String::from_utf8(nobody.get("/docs/quick-start.md").await.body).unwrap();
    let export = format!("export PLAYOUT_API_URL={}\n", t.app.config.base_url);
    assert!(
        start.starts_with("# Quick start\n") && start.contains(&export),
        "{start}"
    );
    for missing in [
        "/docs/no-such-guide",
        "/docs/no-such-guide.md",
        "/docs/reference.md",
    ] {
        assert_eq!(nobody.get(missing).await.status, 404, "{missing}");
    }
}

#[tokio::test]
async fn the_reference_and_the_skill_are_markdown_too_and_one_text_has_everything() {
    let t = TestApp::start(Db::Sqlite).await;
    let nobody = t.api.with_key(None);
    let of = async |path: &str, content_type: &str| {
        let answer = nobody.get(path).await;
        assert_eq!(
            (answer.status, answer.header("content-type")),
            (200, content_type),
            "{path}"
        );
        String::from_utf8(answer.body).unwrap()
    };
    let reference = of("/docs.md", "text/markdown; charset=utf-8").await;
    for (method, path, id) in operations() {
        assert!(reference.contains(&format!("`{method} {path}` (`{id}`)")), "{id}");
    }
    assert!(reference.contains("\n### Post\n") && reference.contains("`post_not_found`"));
    let skill = of("/skill.md", "text/markdown; charset=utf-8").await;
    assert_eq!(skill, include_str!("../../../../../skills/playout/SKILL.md"));
    let everything = of("/llms-full.txt", "text/plain; charset=utf-8").await;
    let export = format!("export PLAYOUT_API_URL={}\n", t.app.config.base_url);
    for part in [
        &export,
        // What the client does without a setting is the same everywhere.
        "else http://localhost:8080\n",
        "# Quick start\n",
        "# Webhooks\n",
        "# Publishing with `playout`\n",
        "# Changelog\n",
        &reference,
    ] {
        assert!(everything.contains(part), "{}", &part[..part.len().min(60)]);
    }
    let list = of("/llms.txt", "text/plain; charset=utf-8").await;
    for link in [
        "(/skill.md)",
        "(/docs.md)",
        "(/llms-full.txt)",
        "(/docs/webhooks.md)",
    ] {
        assert!(list.contains(link), "{link}");
    }
}

#[tokio::test]
async fn a_slash_after_the_address_of_the_reference_leads_to_it() {
    let t = TestApp::start(Db::Sqlite).await;
    let answer = t.api.with_key(None).get("/docs/").await;
    assert_eq!((answer.status, answer.header("location")), (308, "/docs"));
}
