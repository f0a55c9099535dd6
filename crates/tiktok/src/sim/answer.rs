//! The shapes of answers: the API's envelope, OAuth's flat errors, pages.

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use serde_json::{Value, json};

/// Why the provider rejects a request, in the form of its answers.
#[derive(Debug, Clone)]
pub(super) struct Refusal {
    pub(super) status: u16,
    pub(super) code: String,
    pub(super) message: String,
}

impl Refusal {
    pub(super) fn new(status: u16, code: &str, message: &str) -> Self {
        Self {
            status,
            code: code.to_owned(),
            message: message.to_owned(),
        }
    }

    /// A 403 of the guideline group, whose message is the same for all.
    pub(super) fn guidelines(code: &str) -> Self {
        Self::new(
            403,
            code,
            "Please review our integration guidelines at https://developers.tiktok.com/doc/content-sharing-guidelines/",
        )
    }

    /// Too many posts in the last 24 hours.
    pub(super) fn too_many_posts() -> Self {
        Self::new(
            403,
            "spam_risk_too_many_posts",
            "The user has made too many posts via OpenAPI in the last 24 hours.",
        )
    }

    /// The same refusal under another HTTP status.
    pub(super) fn with_status(mut self, status: u16) -> Self {
        self.status = status;
        self
    }
}

/// An answer before it gets its log id.
#[derive(Debug)]
pub(super) enum Answer {
    /// `{"data": …, "error": …}`; `None` for answers without data.
    Api(Result<Option<Value>, Refusal>),
    /// Flat JSON; errors as `{"error", "error_description", "log_id"}`.
    OAuth(Result<Value, Refusal>),
    /// `{"code", "message", "request_id", "data"}`, HTTP 200 also on errors.
    Business(Result<Value, (u32, String)>),
    /// An upload's progress. The body is empty, but for the JSON `null` once all is there.
    Upload {
        status: u16,
        progress: Option<String>,
        code: &'static str,
        is_complete: bool,
    },
    /// A page.
    Page { status: u16, html: String },
    /// The way back to the app.
    Redirect(String),
    /// Nothing is here.
    Nowhere,
}

impl Answer {
    /// The HTTP status and the error code, for the journal.
    pub(super) fn outcome(&self) -> (u16, String) {
        match self {
            Self::Api(Ok(_)) | Self::OAuth(Ok(_)) | Self::Business(Ok(_)) => (200, "ok".to_owned()),
            Self::Api(Err(refusal)) | Self::OAuth(Err(refusal)) => (refusal.status, refusal.code.clone()),
            Self::Business(Err((code, _))) => (200, code.to_string()),
            Self::Upload { status, code, .. } => (*status, (*code).to_owned()),
            Self::Page { status, .. } => (*status, if *status < 400 { "ok" } else { "page" }.to_owned()),
            Self::Redirect(_) => (302, "ok".to_owned()),
            Self::Nowhere => (404, "not_found".to_owned()),
        }
    }

    /// The response, with `log_id` in it and in `x-tt-logid`.
    pub(super) fn into_response(self, log_id: &str) -> Response {
        let (status, _) = self.outcome();
        let (kind, body) = match self {
            Self::Api(result) => (JSON, enveloped(result, log_id)),
            Self::OAuth(result) => (JSON, flat(result, log_id)),
            Self::Business(result) => (JSON, numbered(result, log_id)),
            Self::Upload {
                progress,
                is_complete,
                ..
            } => return uploaded(status, progress, is_complete, log_id),
            Self::Page { html, .. } => ("text/html; charset=utf-8", html),
            Self::Redirect(to) => return redirect(&to, log_id),
            Self::Nowhere => ("text/plain; charset=utf-8", "Not Found".to_owned()),
        };
        with_headers(status, &[("content-type", kind), ("x-tt-logid", log_id)], body)
    }
}

const JSON: &str = "application/json; charset=utf-8";

fn enveloped(result: Result<Option<Value>, Refusal>, log_id: &str) -> String {
    let body = match result {
        Ok(Some(data)) => json!({ "data": data, "error": { "code": "ok", "message": "", "log_id": log_id } }),
        Ok(None) => json!({ "error": { "code": "ok", "message": "", "log_id": log_id } }),
        // Errors about parameters were seen without data, those of the other statuses with an empty one.
        Err(refusal) if refusal.status == 400 => json!({
            "error": { "code": refusal.code, "message": refusal.message, "log_id": log_id },
        }),
        Err(refusal) => json!({
            "data": {},
            "error": { "code": refusal.code, "message": refusal.message, "log_id": log_id },
        }),
    };
    body.to_string()
}

fn flat(result: Result<Value, Refusal>, log_id: &str) -> String {
    match result {
        Ok(Value::Null) => String::new(),
        Ok(body) => body.to_string(),
        Err(refusal) => {
            json!({ "error": refusal.code, "error_description": refusal.message, "log_id": log_id })
                .to_string()
        }
    }
}

fn numbered(result: Result<Value, (u32, String)>, log_id: &str) -> String {
    let (code, message, data) = match result {
        Ok(data) => (0, "OK".to_owned(), data),
        Err((code, message)) => (code, message, json!({})),
    };
    json!({ "code": code, "message": message, "request_id": log_id, "data": data }).to_string()
}

fn uploaded(status: u16, progress: Option<String>, is_complete: bool, log_id: &str) -> Response {
    let mut headers = vec![("x-tt-logid", log_id)];
    if let Some(progress) = &progress {
        headers.push(("content-range", progress));
    }
    if is_complete {
        headers.push(("content-type", JSON));
    }
    with_headers(status, &headers, if is_complete { "null" } else { "" })
}

fn redirect(to: &str, log_id: &str) -> Response {
    with_headers(302, &[("location", to), ("x-tt-logid", log_id)], String::new())
}

/// A gateway's page: no JSON at all.
pub(super) fn gateway(status: u16) -> Response {
    let page = format!(
        "<html><head><title>{status}</title></head><body><center><h1>{status}</h1></center></body></html>"
    );
    with_headers(status, &[("content-type", "text/html")], page)
}

/// A response from its parts; a header that cannot be sent is left out.
pub(super) fn with_headers(status: u16, headers: &[(&'static str, &str)], body: impl Into<Body>) -> Response {
    let mut response = Response::new(body.into());
    *response.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    for (name, value) in headers {
        if let Ok(value) = HeaderValue::from_str(value) {
            response
                .headers_mut()
                .append(header::HeaderName::from_static(name), value);
        }
    }
    response
}
