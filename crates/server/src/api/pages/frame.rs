//! The frame of all pages: the head, the top line, the style sheet, and the headers that restrict them.

use axum::http::header::{
    CACHE_CONTROL, CONTENT_LENGTH, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};

use crate::api::auth::Visitor;
use crate::api::error::ApiError;
use crate::api::html::Html;
use crate::app::AppError;

const STYLE: &str = include_str!("pages.css");

/// A page.
pub struct Page {
    title: String,
    status: StatusCode,
    visitor: Visitor,
    body: Html,
    forms_lead_to: Option<String>,
}

impl Page {
    /// A page with this title and content.
    pub fn new(title: impl Into<String>, visitor: &Visitor, body: Html) -> Self {
        Self {
            title: title.into(),
            status: StatusCode::OK,
            visitor: visitor.clone(),
            body,
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

    fn markup(&self) -> String {
        let mut html = Html::default();
        html.raw("<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>")
            .text(&self.title)
            .raw(" · Playout</title><meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">")
            .raw("<meta name=\"color-scheme\" content=\"light dark\"><link rel=\"icon\" href=\"data:,\">")
            .raw("<link rel=\"stylesheet\" href=\"/pages.css\"></head><body>");
        top(&mut html, &self.visitor);
        html.raw("<main><h1>").text(&self.title).raw("</h1>");
        html.raw(self.body.as_str()).raw("</main></body></html>");
        html.done()
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

/// The top line: the name, and the links for signed-in users.
fn top(html: &mut Html, visitor: &Visitor) {
    html.raw("<header><a class=\"brand\" href=\"/accounts\">Playout</a>");
    if let Visitor(Some(signed_in)) = visitor {
        html.raw("<form class=\"who\" method=\"post\" action=\"/sign-out\"><a href=\"/security\">")
            .text(&signed_in.user().email)
            .raw("</a><button class=\"link\">Sign out</button></form>");
    }
    html.raw("</header>");
}

impl IntoResponse for Page {
    fn into_response(self) -> Response {
        let mut response = (self.status, self.markup()).into_response();
        let policy = HeaderValue::try_from(self.policy());
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

impl<E: Into<AppError>> From<E> for PageError {
    fn from(error: E) -> Self {
        Self(error.into())
    }
}

impl IntoResponse for PageError {
    fn into_response(self) -> Response {
        let message = match &self.0 {
            AppError::Refused(refusal) => refusal.message.clone(),
            _ => "Something failed on the server. Try again; if it fails again, contact the operator of this service."
                .to_owned(),
        };
        // The API's response has logged the error and has its status and headers.
        let (told, _) = ApiError::from(self.0).into_response().into_parts();
        let mut body = Html::default();
        body.raw("<p class=\"problem\" role=\"alert\">")
            .text(&message)
            .raw("</p><p><a href=\"/accounts\">Continue</a></p>");
        let page = Page::new("That did not work", &Visitor::default(), body).with_status(told.status);
        let mut response = page.into_response();
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
