//! The reference: `/openapi.json` for programs, `/docs` for people, `/llms.txt` for language models. All three are generated from
//! one document and load nothing from other hosts.

mod contents;
#[cfg(test)]
mod errors;
mod llms;
mod operations;
mod schemas;

use std::sync::{Arc, LazyLock};

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use playout_domain::error::Code;
use serde_json::Value;
use tower_http::CompressionLevel;
use tower_http::compression::CompressionLayer;

use self::contents::{anchor, operations_of, tags};
use super::error::status_of;
use super::html::{Html, escaped, markdown};
use super::openapi::document;
use crate::app::App;
use crate::web::Web;

const STYLE: &str = include_str!("docs/reference.css");
const SCRIPT: &str = include_str!("docs/reference.js");
/// Only files of this service: nothing inline, no frame, no other host.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; font-src 'self'; img-src data:; \
     base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

static JSON: LazyLock<String> = LazyLock::new(super::openapi::text);
static DASHBOARD_JSON: LazyLock<String> = LazyLock::new(super::openapi::dashboard::text);
static PAGE: LazyLock<String> = LazyLock::new(page);
static LLMS: LazyLock<String> = LazyLock::new(llms::text);

/// The three forms of the reference, and the document of the dashboard's API.
pub fn routes() -> Router<Arc<App>> {
    Router::new()
        .route(
            "/openapi.json",
            get(async || answer("application/json", JSON.as_str())),
        )
        .route(
            "/app/v1/openapi.json",
            get(async || answer("application/json", DASHBOARD_JSON.as_str())),
        )
        .route(
            "/docs",
            get(async || answer("text/html; charset=utf-8", PAGE.as_str())),
        )
        .route("/docs/reference.css", get(style))
        .route(
            "/docs/reference.js",
            get(async || answer("text/javascript; charset=utf-8", SCRIPT)),
        )
        .route(
            "/llms.txt",
            get(async || answer("text/plain; charset=utf-8", LLMS.as_str())),
        )
        // These pages have no rate limit.
        .layer(CompressionLayer::new().quality(CompressionLevel::Fastest))
}

/// In the dashboard's typeface, where that is served.
async fn style(State(app): State<Arc<App>>) -> Response {
    let typeface = app.web.and_then(Web::typeface);
    let face = typeface.map(|name| {
        format!(
            "@font-face {{ font-family: \"Inter Variable\"; font-weight: 100 900; font-display: swap; \
             src: url(\"/assets/{name}\") format(\"woff2-variations\"); }}\n"
        )
    });
    answer("text/css; charset=utf-8", face.unwrap_or_default() + STYLE)
}

fn answer(content_type: &'static str, body: impl IntoResponse) -> Response {
    let mut response = body.into_response();
    let fixed = [
        (header::CONTENT_TYPE, content_type),
        (header::CACHE_CONTROL, "public, max-age=300"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::CONTENT_SECURITY_POLICY, POLICY),
    ];
    for (name, value) in fixed {
        response
            .headers_mut()
            .insert(name, HeaderValue::from_static(value));
    }
    response
}

fn page() -> String {
    let info = &document()["info"];
    let mut html = Html::default();
    html.raw("<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>Playout API</title>")
        .raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">")
        .raw("<meta name=\"color-scheme\" content=\"light dark\"><link rel=\"icon\" href=\"data:,\">")
        .raw("<link rel=\"stylesheet\" href=\"/docs/reference.css\"><script src=\"/docs/reference.js\"></script></head><body>");
    contents(&mut html);
    html.raw("<main><header id=\"guide\"><h1>Playout API</h1><p class=\"lead\">")
        .text(info["summary"].as_str().unwrap_or_default())
        .raw("</p><p class=\"meta\">Version ")
        .text(info["version"].as_str().unwrap_or_default())
        .raw(" · <a href=\"/openapi.json\">openapi.json</a> · <a href=\"/llms.txt\">llms.txt</a></p>")
        .raw(&markdown(info["description"].as_str().unwrap_or_default()))
        .raw(SHELL)
        .raw("</header>");
    for (tag, description) in tags() {
        operations::section(&mut html, tag, description);
    }
    error_table(&mut html);
    schemas::section(&mut html);
    html.raw("</main></body></html>");
    html.done()
}

/// The shell variables of the examples.
const SHELL: &str = "<h2>The examples</h2><p>Every command on this page works as it is in a shell with the \
    service's address and a key:</p><pre><code>export PLAYOUT_URL=http://localhost:8080\nexport PLAYOUT_API_KEY=svc_sk_…</code></pre>\
    <p>Other variables, such as <code>$POST_ID</code>, stand for identifiers from earlier responses.</p>";

/// Hidden unless the script runs, because only the script can search.
const SEARCH: &str = "<form role=\"search\" hidden><input type=\"search\" aria-label=\"Search the reference\" placeholder=\"Search\" \
    autocomplete=\"off\" spellcheck=\"false\"><kbd aria-hidden=\"true\">/</kbd></form>\
    <p id=\"count\" role=\"status\"></p><ul id=\"found\" hidden></ul>";

fn contents(html: &mut Html) {
    html.raw("<nav aria-label=\"Contents\"><p class=\"top\"><a class=\"brand\" href=\"#guide\">Playout API</a><a href=\"/\">Dashboard</a></p>")
        .raw(SEARCH)
        .raw("<ul id=\"contents\">");
    for (tag, _) in tags() {
        html.raw("<li><a class=\"group\" href=\"#")
            .text(&anchor(tag))
            .raw("\">")
            .text(tag)
            .raw("</a><ul>");
        for (method, _, operation) in operations_of(tag) {
            html.raw("<li><a href=\"#")
                .text(operation["operationId"].as_str().unwrap_or_default())
                .raw("\">")
                .raw(&operations::badge(method))
                .text(operation["summary"].as_str().unwrap_or_default())
                .raw("</a></li>");
        }
        html.raw("</ul></li>");
    }
    html.raw("<li><a class=\"group\" href=\"#errors\">Errors</a></li><li><a class=\"group\" href=\"#objects\">Objects</a></li></ul></nav>");
}

fn error_table(html: &mut Html) {
    html.raw("<section id=\"errors\"><h2>Errors</h2><table><thead><tr><th>Code</th><th>Status</th><th>When</th></tr></thead><tbody>");
    let answered: Vec<&str> = document()["paths"]
        .as_object()
        .into_iter()
        .flat_map(|paths| paths.values())
        .filter_map(Value::as_object)
        .flat_map(|methods| methods.values())
        .filter_map(|operation| operation["x-error-codes"].as_array())
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let of_results = [
        Code::InvalidContent,
        Code::InvalidMedia,
        Code::InvalidSettings,
        Code::CommentsNotSupported,
    ];
    let anywhere = [Code::NotFound, Code::MethodNotAllowed];
    let listed = |code: &&Code| {
        answered.contains(&code.as_str()) || of_results.contains(*code) || anywhere.contains(*code)
    };
    for code in Code::ALL.iter().filter(listed) {
        let status = if of_results.contains(code) {
            "in <code>results</code>".to_owned()
        } else {
            escaped(status_of(*code).as_str())
        };
        html.raw("<tr id=\"error-")
            .text(code.as_str())
            .raw("\"><td><code>")
            .text(code.as_str())
            .raw("</code></td><td>")
            .raw(&status)
            .raw("</td><td>")
            .raw(&markdown(code.meaning()))
            .raw("</td></tr>");
    }
    html.raw("</tbody></table></section>");
}

#[cfg(test)]
mod tests {
    use super::STYLE;

    const TOKENS: &str = include_str!("../../../../web/src/ui/tokens.css");

    #[test]
    fn the_colours_of_the_reference_are_those_of_the_dashboard() {
        let (light, dark) = TOKENS.split_once("[data-theme=\"dark\"] {").unwrap();
        let both = STYLE.lines().filter_map(|line| {
            let (name, pair) = line.trim().split_once(": light-dark(")?;
            Some((name, pair.trim_end_matches(");").split_once(", ")?))
        });
        let mut compared = 0;
        for (name, (in_light, in_dark)) in both {
            assert!(
                light.contains(&format!("  {name}: {in_light};")),
                "{name} in light"
            );
            assert!(dark.contains(&format!("  {name}: {in_dark};")), "{name} in dark");
            compared += 1;
        }
        assert_eq!(compared, 18);
    }
}
