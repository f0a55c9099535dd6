//! Serves the dashboard as `web/` was built: files of immutable names with their packed variants, and the one page that
//! starts it under every path of the dashboard. What has a plain page too is left to it where `plain` is asked for.

use std::io::Read;
use std::sync::Arc;

use askama::filters::{Escaper, Html};
use axum::Router;
use axum::extract::{Path, Request, State};
use axum::http::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY,
    VARY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderValue, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use flate2::read::GzDecoder;
use tower_http::compression::CompressionLayer;

use super::auth::Visitor;
use super::error::not_found;
use crate::app::App;
use crate::web::{Content, Web};

/// Where the page that starts the dashboard names the address without a script.
const PLAIN: &str = "%PLAIN%";
/// Our own files and nothing else: no inline script or style, no other host, no frame. Previews of local files are blobs.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; connect-src 'self'; \
     img-src 'self' data: blob:; media-src 'self' blob:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
/// The pages that there are in a plain form too, and whether they are only for visitors without a session.
const TWINS: [(&str, bool); 9] = [
    ("/", false),
    ("/accept-invitation", false),
    ("/accounts", false),
    ("/device", false),
    ("/forgot-password", false),
    ("/reset-password", false),
    ("/security", false),
    ("/sign-in", true),
    ("/sign-up", true),
];
/// The pages that only the dashboard has.
const OWN: [&str; 10] = [
    "/accounts/{id}",
    "/calendar",
    "/compose",
    "/media",
    "/posts",
    "/posts/{id}",
    "/settings",
    "/settings/{page}",
    "/settings/webhooks/{id}",
    "/slides",
];

/// What only the dashboard has; nothing where it was not built.
pub fn routes(app: &App) -> Router<Arc<App>> {
    if app.web.is_none() {
        return Router::new();
    }
    let pages = OWN
        .iter()
        .fold(Router::new(), |router, path| router.route(path, get(page)));
    pages
        .layer(CompressionLayer::new())
        .route("/assets/{name}", get(asset))
}

async fn page(State(app): State<Arc<App>>, uri: Uri) -> Response {
    app.web.map_or_else(not_found, |web| start(web, &uri))
}

/// The page that starts the dashboard. It is asked for anew each time: it names the files of the present build.
fn start(web: Web, uri: &Uri) -> Response {
    let mut response = web.index.replace(PLAIN, &escaped(&plain(uri))).into_response();
    let headers = [
        (CONTENT_TYPE, "text/html; charset=utf-8"),
        (CACHE_CONTROL, "no-cache"),
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        // As on the plain pages: other sites learn no address with a token in it.
        (REFERRER_POLICY, "same-origin"),
    ];
    for (name, value) in headers {
        response
            .headers_mut()
            .insert(name, HeaderValue::from_static(value));
    }
    response
}

/// Text for a quoted attribute.
fn escaped(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    // Writing to a String does not fail.
    let _written = Html.write_escaped_str(&mut html, text);
    html
}

/// Lets the dashboard answer for a plain page, where there is one and the plain one was not asked for.
pub async fn instead(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    request: Request,
    next: Next,
) -> Response {
    match app.web {
        Some(web) if has_twin(&request, &visitor) => start(web, request.uri()),
        _ => next.run(request).await,
    }
}

/// A visitor with a session is redirected by the plain page.
fn has_twin(request: &Request, Visitor(visitor): &Visitor) -> bool {
    let uri = request.uri();
    let twin = TWINS.iter().find(|(path, _)| *path == uri.path());
    request.method().is_safe()
        && !wants_plain(uri)
        && twin.is_some_and(|(_, is_for_strangers)| !(*is_for_strangers && visitor.is_some()))
}

fn wants_plain(uri: &Uri) -> bool {
    let query = uri.query().unwrap_or_default();
    url::form_urlencoded::parse(query.as_bytes()).any(|(name, _)| name == "plain")
}

/// The same page without a script, or the accounts where there is none.
fn plain(uri: &Uri) -> String {
    let path = uri.path();
    match TWINS.iter().any(|(twin, _)| *twin == path && path != "/") {
        true => match uri.query() {
            Some(query) => format!("{path}?{query}&plain=1"),
            None => format!("{path}?plain=1"),
        },
        false => "/accounts?plain=1".to_owned(),
    }
}

async fn asset(State(app): State<Arc<App>>, Path(name): Path<String>, headers: HeaderMap) -> Response {
    let assets = app.web.map_or(&[][..], |web| web.assets);
    let Some(asset) = assets.iter().find(|asset| asset.name == name) else {
        return not_found();
    };
    let (mut response, encoding) = match asset.content {
        Content::Packed { brotli, .. } if accepts(&headers, "br") => (brotli.into_response(), Some("br")),
        Content::Packed { gzip, .. } if accepts(&headers, "gzip") => (gzip.into_response(), Some("gzip")),
        Content::Packed { gzip, .. } => (unpacked(gzip).into_response(), None),
        Content::Plain(bytes) => (bytes.into_response(), None),
    };
    let told = [
        (CONTENT_TYPE, Some(content_type(&name))),
        (CACHE_CONTROL, Some("public, max-age=31536000, immutable")),
        (X_CONTENT_TYPE_OPTIONS, Some("nosniff")),
        (VARY, Some("accept-encoding")),
        (CONTENT_ENCODING, encoding),
    ];
    for (header, value) in told {
        if let Some(value) = value {
            response
                .headers_mut()
                .insert(header, HeaderValue::from_static(value));
        }
    }
    response
}

/// What a file of the build holds. The build packed it: it is complete.
fn unpacked(gzip: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let _length = GzDecoder::new(gzip).read_to_end(&mut bytes);
    bytes
}

/// Whether an encoding is among those that are taken (RFC 9110, section 12.5.3); a weight of nought refuses it.
fn accepts(headers: &HeaderMap, encoding: &str) -> bool {
    let values = headers.get_all(ACCEPT_ENCODING).iter();
    let mut offers = values
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','));
    offers.any(|offer| {
        let (name, weight) = offer.split_once(';').unwrap_or((offer, ""));
        let weight = weight.trim().trim_start_matches("q=");
        let is_refused = weight.parse::<f32>().is_ok_and(|weight| weight <= 0.0);
        name.trim().eq_ignore_ascii_case(encoding) && !is_refused
    })
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("woff2") => "font/woff2",
        Some("json") => "application/json",
        _ => "application/octet-stream",
    }
}
