//! What teaches the API: `/openapi.json` for programs, `/docs` for people with guides beside the reference, `/llms.txt` for language
//! models. The reference is generated from the OpenAPI document, the guides are Markdown files of the repository; each page is served as Markdown too,
//! at its address with `.md` after it. The pages load nothing from other hosts, and are in `templates/reference/`.

mod contents;
mod error_table;
#[cfg(test)]
mod errors;
mod guides;
mod llms;
mod markdown;
mod operations;
mod plain;
mod prose;
mod samples;
mod schemas;
mod served;
mod tabs;
#[cfg(test)]
mod tests;
mod variables;
#[cfg(test)]
mod webhook_sample;

use std::sync::Arc;

use askama::Template;
use axum::Router;
use axum::extract::{Path, State};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use tower_http::CompressionLevel;
use tower_http::compression::CompressionLayer;

use self::guides::{GUIDES, Guide, SKILL};
use self::markdown::Markdown;
use self::schemas::{Object, Part, description_of, text_of};
use super::error::not_found;
use super::openapi::dates::Dated;
use super::openapi::document;
use crate::app::App;
use crate::web::Web;

const STYLE: &str = include_str!("docs/reference.css");
const SCRIPT: &str = include_str!("docs/reference.js");
const EXPLORER: &str = include_str!("docs/explorer.js");
/// Only files of this service, and calls of it by the explorer: nothing inline, no frame, no other host.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; font-src 'self'; img-src data:; \
     connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const HTML: &str = "text/html; charset=utf-8";
const MARKDOWN: &str = "text/markdown; charset=utf-8";
const JAVASCRIPT: &str = "text/javascript; charset=utf-8";
const TEXT: &str = "text/plain; charset=utf-8";

static JSON: Dated = Dated::new(super::openapi::text);
static DASHBOARD_JSON: Dated = Dated::new(super::openapi::dashboard::text);

/// The documents for programs, and the pages.
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
        .route("/docs", get(async |app| made("/docs", HTML, app, page)))
        .route("/docs/", get(async || Redirect::permanent("/docs")))
        .route(
            "/docs.md",
            get(async |app| made("/docs.md", MARKDOWN, app, plain::text)),
        )
        .route("/docs/{page}", get(guide))
        .route("/docs/reference.css", get(style))
        .route("/docs/reference.js", get(async || answer(JAVASCRIPT, SCRIPT)))
        .route("/docs/explorer.js", get(async || answer(JAVASCRIPT, EXPLORER)))
        .route(
            "/llms.txt",
            get(async |app| made("/llms.txt", TEXT, app, llms::text)),
        )
        .route("/llms-full.txt", get(everything))
        .route("/skill.md", get(async || answer(MARKDOWN, SKILL)))
        // These pages have no rate limit.
        .layer(CompressionLayer::new().quality(CompressionLevel::Fastest))
}

/// A document whose examples have the dates of today.
fn dated(text: &Dated, content_type: &'static str, State(app): State<Arc<App>>) -> Response {
    answer(content_type, text.at(app.now()))
}

/// A page of this path.
fn made(
    path: &str,
    content_type: &'static str,
    State(app): State<Arc<App>>,
    make: fn() -> String,
) -> Response {
    answer(content_type, served::text(&app, path, true, make))
}

/// All pages in one text.
async fn everything(State(app): State<Arc<App>>) -> Response {
    let make = || llms::full(&app.config.base_url);
    answer(TEXT, served::text(&app, "/llms-full.txt", false, make))
}

/// A guide, or its Markdown.
async fn guide(State(app): State<Arc<App>>, Path(name): Path<String>) -> Response {
    let slug = name.strip_suffix(".md");
    let Some(guide) = guides::find(slug.unwrap_or(&name)) else {
        return not_found();
    };
    let text = |make: fn(&Guide) -> String| {
        served::text(&app, &format!("/docs/{name}"), guide.is_addressed, || make(guide))
    };
    match slug {
        Some(_) => answer(MARKDOWN, text(Guide::markdown)),
        None => answer(HTML, text(guide_page)),
    }
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

/// The reference for people.
#[derive(Template)]
#[template(path = "reference/page.html")]
struct ReferencePage {
    guides: Vec<&'static Guide>,
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
        guides: guides::all().collect(),
        summary: text_of(info, "summary"),
        version: text_of(info, "version"),
        description: description_of(info),
        sections: operations::sections(),
        errors: error_table::rows(),
        objects: schemas::objects(),
    };
    page.render().expect("no template has a part that fails")
}

/// A guide for people.
#[derive(Template)]
#[template(path = "reference/guide.html")]
struct GuidePage<'a> {
    guides: Vec<&'static Guide>,
    guide: &'a Guide,
    text: prose::Prose,
    /// The tags of the reference, each with its anchor.
    tags: Vec<(&'static str, String)>,
    before: Option<&'static Guide>,
    after: Option<&'static Guide>,
}

fn guide_page(guide: &Guide) -> String {
    let place = GUIDES.iter().position(|other| other.slug == guide.slug);
    let neighbour = |place: Option<usize>| place.and_then(|place| GUIDES.get(place));
    let page = GuidePage {
        guides: guides::all().collect(),
        guide,
        text: prose::Prose(prose::html_of(&guide.markdown())),
        tags: contents::tags()
            .map(|(tag, _)| (tag, contents::anchor(tag)))
            .collect(),
        before: neighbour(place.and_then(|place| place.checked_sub(1))),
        after: neighbour(place.map(|place| place + 1)),
    };
    page.render().expect("no template has a part that fails")
}
