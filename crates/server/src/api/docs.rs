//! The reference: `/openapi.json` for programs, `/docs` for people, `/llms.txt` for language models. All three are generated from
//! one document and load nothing from other hosts. The page for people is in `templates/reference/`.

mod contents;
mod error_table;
#[cfg(test)]
mod errors;
mod llms;
mod markdown;
mod operations;
mod schemas;

use std::sync::Arc;

use askama::Template;
use axum::Router;
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tower_http::CompressionLevel;
use tower_http::compression::CompressionLayer;

use self::markdown::Markdown;
use self::schemas::{Object, Part, description_of, text_of};
use super::openapi::dates::Dated;
use super::openapi::document;
use crate::app::App;
use crate::web::Web;

const STYLE: &str = include_str!("docs/reference.css");
const SCRIPT: &str = include_str!("docs/reference.js");
/// Only files of this service: nothing inline, no frame, no other host.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; font-src 'self'; img-src data:; \
     base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

static JSON: Dated = Dated::new(super::openapi::text);
static DASHBOARD_JSON: Dated = Dated::new(super::openapi::dashboard::text);
static PAGE: Dated = Dated::new(page);
static LLMS: Dated = Dated::new(llms::text);

/// The three forms of the reference, and the document of the dashboard's API.
pub fn routes() -> Router<Arc<App>> {
    Router::new()
        .route(
            "/openapi.json",
            get(async |app| dated(&JSON, "application/json", app)),
        )
        .route(
            "/app/v1/openapi.json",
            get(async |app| dated(&DASHBOARD_JSON, "application/json", app)),
        )
        .route(
            "/docs",
            get(async |app| dated(&PAGE, "text/html; charset=utf-8", app)),
        )
        .route("/docs/reference.css", get(style))
        .route(
            "/docs/reference.js",
            get(async || answer("text/javascript; charset=utf-8", SCRIPT)),
        )
        .route(
            "/llms.txt",
            get(async |app| dated(&LLMS, "text/plain; charset=utf-8", app)),
        )
        // These pages have no rate limit.
        .layer(CompressionLayer::new().quality(CompressionLevel::Fastest))
}

/// A form of the reference, whose examples have the dates of today.
fn dated(text: &Dated, content_type: &'static str, State(app): State<Arc<App>>) -> Response {
    answer(content_type, text.at(app.now()))
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

/// The page for people.
#[derive(Template)]
#[template(path = "reference/page.html")]
struct ReferencePage {
    summary: &'static str,
    version: &'static str,
    description: Markdown,
    sections: Vec<operations::Section>,
    errors: Vec<error_table::Row>,
    objects: Vec<Object>,
}

fn page() -> String {
    let info = &document()["info"];
    let page = ReferencePage {
        summary: text_of(info, "summary"),
        version: text_of(info, "version"),
        description: description_of(info),
        sections: operations::sections(),
        errors: error_table::rows(),
        objects: schemas::objects(),
    };
    page.render().expect("no template has a part that fails")
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
