//! Form-encoded bodies, `application/x-www-form-urlencoded`: browsers without a script and OAuth clients send them.
//!
//! Limits: 64 KiB, and so at most 65,536 fields in memory.

use axum::extract::{FromRequest, Request};
use axum::http::{HeaderMap, header};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use playout_domain::error::{Code, Refusal};

use super::error::ApiError;

/// The largest form.
const MAX_FORM_BYTES: usize = 64 * 1024;

/// The fields of a form, in the order of the body.
#[derive(Debug)]
pub struct Form(Vec<(String, String)>);

impl Form {
    /// The value of a field: the first if it is repeated, empty if it is absent.
    pub fn text(&self, name: &str) -> &str {
        self.given(name).unwrap_or_default()
    }

    /// The value of a field that is present and not empty.
    pub fn given(&self, name: &str) -> Option<&str> {
        let found = self.0.iter().find(|(known, _)| known == name);
        found
            .map(|(_, value)| value.as_str())
            .filter(|value| !value.is_empty())
    }

    /// The values of a field that may be repeated.
    pub fn all<'f>(&'f self, name: &'f str) -> impl Iterator<Item = &'f str> {
        let found = self.0.iter().filter(move |(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }

    /// How often a field is present. OAuth allows each parameter once (RFC 6749 §3.2).
    pub fn count(&self, name: &str) -> usize {
        self.0.iter().filter(|(known, _)| known == name).count()
    }
}

/// Whether the content type is that of a form.
pub fn is_form(headers: &HeaderMap) -> bool {
    let content_type = headers
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok());
    let essence = content_type
        .and_then(|text| text.split(';').next())
        .unwrap_or_default();
    essence
        .trim()
        .eq_ignore_ascii_case("application/x-www-form-urlencoded")
}

impl<S: Sync> FromRequest<S> for Form {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &S) -> Result<Self, ApiError> {
        if !is_form(request.headers()) {
            let message = "The body must be application/x-www-form-urlencoded.";
            return Err(Refusal::new(Code::UnsupportedMediaType, message).into());
        }
        let body = Limited::new(request.into_body(), MAX_FORM_BYTES).collect().await;
        let bytes = body.map_err(|error| unread(error.as_ref()))?.to_bytes();
        Ok(Self(url::form_urlencoded::parse(&bytes).into_owned().collect()))
    }
}

fn unread(error: &(dyn std::error::Error + Send + Sync + 'static)) -> Refusal {
    match error.is::<LengthLimitError>() {
        true => Refusal::new(Code::PayloadTooLarge, "A form may have at most 64 KiB."),
        false => Refusal::new(Code::InvalidRequest, "The body ended before it was complete."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_that_is_not_there_and_an_empty_one_are_alike() {
        let form = Form(vec![
            ("a".to_owned(), String::new()),
            ("b".to_owned(), "x y".to_owned()),
            ("b".to_owned(), "z".to_owned()),
        ]);
        assert_eq!(
            (form.given("a"), form.given("c"), form.given("b")),
            (None, None, Some("x y"))
        );
        assert_eq!((form.text("a"), form.count("b"), form.count("c")), ("", 2, 0));
    }
}
