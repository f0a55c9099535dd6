//! Deprecated operations say so in every response: since when (`Deprecation`, RFC 9745), until when they are answered (`Sunset`, RFC 8594),
//! and where the policy is. The reference marks them with `deprecated`, `x-deprecated-at` and `x-sunset-at`.

use std::collections::HashMap;
use std::sync::LazyLock;

use axum::Router;
use axum::extract::{MatchedPath, Request};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use axum::middleware::{Next, from_fn};
use axum::response::Response;
use playout_domain::time::Time;
use serde_json::Value;

use super::openapi::document;

const DEPRECATION: HeaderName = HeaderName::from_static("deprecation");
const SUNSET: HeaderName = HeaderName::from_static("sunset");
/// Where the policy is served.
const POLICY: &str = "</docs/deprecation>; rel=\"deprecation\"; type=\"text/html\"";

/// The headers of each deprecated operation.
#[derive(Debug, Default)]
pub(super) struct Deprecations(HashMap<(Method, String), HeaderMap>);

static DEPRECATIONS: LazyLock<Deprecations> = LazyLock::new(|| Deprecations::of(document()));

/// Adds the headers of deprecated operations to their responses. Where there are none, requests pay nothing.
pub(super) fn announced<S: Clone + Send + Sync + 'static>(routes: Router<S>) -> Router<S> {
    let deprecations = &*DEPRECATIONS;
    match deprecations.0.is_empty() {
        true => routes,
        false => routes.layer(from_fn(|request, next| deprecations.answer(request, next))),
    }
}

impl Deprecations {
    /// The operations that a document marks.
    fn of(document: &Value) -> Self {
        let paths = document["paths"].as_object().into_iter().flatten();
        let operations = paths.flat_map(|(path, methods)| {
            let methods = methods.as_object().into_iter().flatten();
            methods.map(move |(method, operation)| (path, method, operation))
        });
        let deprecated = operations.filter_map(|(path, method, operation)| {
            let method = Method::from_bytes(method.to_uppercase().as_bytes()).ok()?;
            Some(((method, path.clone()), headers_of(operation)?))
        });
        Self(deprecated.collect())
    }

    async fn answer(&self, request: Request, next: Next) -> Response {
        let path = request.extensions().get::<MatchedPath>();
        let headers = path.and_then(|path| {
            let operation = (request.method().clone(), path.as_str().to_owned());
            self.0.get(&operation).cloned()
        });
        let mut response = next.run(request).await;
        response.headers_mut().extend(headers.unwrap_or_default());
        response
    }
}

/// The headers of an operation, if it is deprecated.
fn headers_of(operation: &Value) -> Option<HeaderMap> {
    if operation["deprecated"] != true {
        return None;
    }
    let time = |name: &str| operation[name].as_str().and_then(|text| Time::parse(text).ok());
    let mut headers = HeaderMap::new();
    if let Some(since) = time("x-deprecated-at") {
        let since = format!("@{}", since.as_millis() / 1000);
        headers.insert(DEPRECATION, HeaderValue::try_from(since).ok()?);
    }
    if let Some(until) = time("x-sunset-at") {
        headers.insert(SUNSET, HeaderValue::try_from(until.http_date()).ok()?);
    }
    headers.insert(header::LINK, HeaderValue::from_static(POLICY));
    Some(headers)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use axum::body::Body;
    use axum::routing::get;
    use serde_json::json;
    use tower::ServiceExt;

    use super::*;

    /// For how long a deprecated operation is answered at least (`docs/contract.md#compatibility`).
    const NOTICE: Duration = Duration::from_secs(180 * 86_400);

    async fn headers(deprecations: &Arc<Deprecations>, method: &str) -> HeaderMap {
        let deprecations = Arc::clone(deprecations);
        let layer = from_fn(move |request, next| {
            let deprecations = Arc::clone(&deprecations);
            async move { deprecations.answer(request, next).await }
        });
        let handler = async || "kites";
        let router = Router::new().route("/public/v1/kites/{id}", get(handler).delete(handler));
        let request = Request::builder().method(method).uri("/public/v1/kites/7");
        let response = router
            .layer(layer)
            .oneshot(request.body(Body::empty()).unwrap())
            .await;
        response.unwrap().headers().clone()
    }

    #[tokio::test]
    async fn an_operation_that_is_marked_deprecated_says_since_when_and_until_when() {
        let marked = json!({ "paths": { "/public/v1/kites/{id}": {
            "get": { "deprecated": true, "x-deprecated-at": "2026-12-01T00:00:00Z", "x-sunset-at": "2027-12-01T00:00:00Z" },
            "delete": {},
        } } });
        let deprecations = Arc::new(Deprecations::of(&marked));
        let found = headers(&deprecations, "GET").await;
        assert_eq!(found["deprecation"], "@1796083200");
        assert_eq!(found["sunset"], "Wed, 01 Dec 2027 00:00:00 GMT");
        assert!(found["link"].to_str().unwrap().contains("rel=\"deprecation\""));
        let other = headers(&deprecations, "DELETE").await;
        assert!(!other.contains_key("deprecation") && !other.contains_key("link"));
    }

    #[test]
    fn every_operation_that_is_marked_deprecated_is_announced_in_time() {
        for document in [document(), super::super::openapi::dashboard::document()] {
            for (path, methods) in document["paths"].as_object().unwrap() {
                for (method, operation) in methods.as_object().unwrap() {
                    if operation["deprecated"] != true {
                        continue;
                    }
                    let time = |name: &str| Time::parse(operation[name].as_str().unwrap()).unwrap();
                    let (since, until) = (time("x-deprecated-at"), time("x-sunset-at"));
                    assert!(until.since(since) >= NOTICE, "{method} {path}");
                }
            }
        }
    }
}
