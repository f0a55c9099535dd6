//! Pages as responses: rendered from a template in `templates/pages/`, with the headers that restrict them. Their frame is
//! `templates/pages/base.html`.

use askama::Template;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_LENGTH, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};

use crate::api::error::ApiError;
use crate::app::AppError;

const STYLE: &str = include_str!("pages.css");

/// A page.
pub struct Page {
    html: String,
    status: StatusCode,
    forms_lead_to: Option<String>,
}

impl Page {
    /// A page made from this template.
    pub fn new(template: &impl Template) -> Self {
        Self {
            html: template.render().expect("no template has a part that fails"),
            status: StatusCode::OK,
            forms_lead_to: None,
        }
    }

    /// The page with this status.
    pub fn with_status(self, status: StatusCode) -> Self {
        Self { status, ..self }
    }

    /// The page, with forms that may lead to another origin: browsers apply the policy to redirects as well.
    pub fn with_forms_to(self, origin: String) -> Self {
        Self {
            forms_lead_to: Some(origin),
            ..self
        }
    }

    /// Only the service's own style sheet and pictures: no script, no frame, no form to another host.
    fn policy(&self) -> String {
        let forms_lead_to = self.forms_lead_to.as_deref().unwrap_or_default();
        format!(
            "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'; \
             form-action 'self' {forms_lead_to}"
        )
    }
}

impl IntoResponse for Page {
    fn into_response(self) -> Response {
        let policy = HeaderValue::try_from(self.policy());
        let mut response = (self.status, self.html).into_response();
        let headers = response.headers_mut();
        headers.insert(
            CONTENT_SECURITY_POLICY,
            policy.unwrap_or_else(|_| HeaderValue::from_static("default-src 'none'")),
        );
        for (name, value) in [
            (CONTENT_TYPE, "text/html; charset=utf-8"),
            (CACHE_CONTROL, "no-store"),
            (X_CONTENT_TYPE_OPTIONS, "nosniff"),
            // Forms need their Origin, which `no-referrer` would remove; other sites get no address with a token in it.
            (REFERRER_POLICY, "same-origin"),
        ] {
            headers.insert(name, HeaderValue::from_static(value));
        }
        response
    }
}

/// An error, as a page.
pub struct PageError(AppError);

#[derive(Template)]
#[template(path = "pages/failed.html")]
struct FailedPage<'a> {
    message: &'a str,
}

impl<E: Into<AppError>> From<E> for PageError {
    fn from(error: E) -> Self {
        Self(error.into())
    }
}

impl IntoResponse for PageError {
    fn into_response(self) -> Response {
        let message = match &self.0 {
            AppError::Refused(refusal) => refusal.message.as_str(),
            _ => {
                "Something failed on the server. Try again; if it fails again, contact the operator of this service."
            }
        };
        let page = Page::new(&FailedPage { message });
        // The API's response has logged the error and has its status and headers.
        let (told, _) = ApiError::from(self.0).into_response().into_parts();
        let mut response = page.with_status(told.status).into_response();
        for (name, value) in told.headers {
            if let Some(name) = name.filter(|name| *name != CONTENT_TYPE && *name != CONTENT_LENGTH) {
                response.headers_mut().insert(name, value);
            }
        }
        response
    }
}

/// `GET /pages.css`.
pub async fn style() -> Response {
    let headers = [
        (CONTENT_TYPE, "text/css; charset=utf-8"),
        (CACHE_CONTROL, "public, max-age=300"),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    (headers, STYLE).into_response()
}
