//! `ETag`, `If-Match` and `If-None-Match` (RFC 9110 §8.8.3, §13.1): reading only what changed, changing only what was read
//! (`docs/contract.md#versions`).

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use playout_store::Stored;
use serde::Serialize;
use serde_json::{Value, json};

use super::json::Json;
use crate::app::expected::{Expected, tag_of};

/// The conditions of a request.
#[derive(Debug, Default)]
pub struct Conditions {
    if_match: Option<Vec<String>>,
    if_none_match: Option<Vec<String>>,
}

impl<S: Sync> FromRequestParts<S> for Conditions {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self {
            if_match: tags(&parts.headers, &header::IF_MATCH),
            if_none_match: tags(&parts.headers, &header::IF_NONE_MATCH),
        })
    }
}

impl Conditions {
    /// The version for which a change is asked.
    pub fn expected(&self) -> Expected {
        match &self.if_match {
            None => Expected::Any,
            Some(tags) if tags.iter().any(|tag| tag == "*") => Expected::Any,
            Some(tags) => Expected::OneOf(tags.clone()),
        }
    }

    /// The response of a read: the resource with its tag, or 304 if the client has this version.
    pub fn respond(&self, shown: &impl Serialize) -> Response {
        let tag = tag_of(shown);
        let has = |known: &String| *known == tag || known == "*";
        match &self.if_none_match {
            Some(known) if known.iter().any(has) => with_tag(StatusCode::NOT_MODIFIED.into_response(), &tag),
            _ => with_tag(Json(shown).into_response(), &tag),
        }
    }
}

/// A resource after a change, with its tag.
pub(super) fn tagged(shown: &impl Serialize) -> Response {
    with_tag(Json(shown).into_response(), &tag_of(shown))
}

/// A body that has more than the resource, which is `of`, with the tag of the resource.
pub(super) fn tagged_as(body: &impl Serialize, of: &impl Serialize) -> Response {
    with_tag(Json(body).into_response(), &tag_of(of))
}

/// A response to be stored, with the tag of the resource `of`.
pub(super) fn stored_with_tag(mut stored: Stored, of: &impl Serialize) -> Stored {
    stored.headers.push((header::ETAG.to_string(), tag_of(of)));
    stored
}

/// The group in a body that has warnings besides: what `GET /posts/{id}` shows.
pub(super) fn group_in(body: &impl Serialize) -> Value {
    let mut body = json!(body);
    json!({ "root": body["root"].take(), "children": body["children"].take() })
}

fn with_tag(mut response: Response, tag: &str) -> Response {
    if let Ok(tag) = HeaderValue::try_from(tag) {
        response.headers_mut().insert(header::ETAG, tag);
    }
    response
}

/// The tags in a header, without `W/`, which proxies add when they compress: tags differ where the resource does. Tags have no commas. Many
/// libraries give a tag without its quotation marks, so those that are missing are added.
fn tags(headers: &HeaderMap, name: &HeaderName) -> Option<Vec<String>> {
    let mut values = headers.get_all(name).iter().peekable();
    values.peek()?;
    let lists = values.filter_map(|value| value.to_str().ok());
    let tags = lists.flat_map(|list| list.split(','));
    Some(
        tags.map(|tag| quoted(tag.trim().trim_start_matches("W/")))
            .collect(),
    )
}

fn quoted(tag: &str) -> String {
    match tag {
        "*" => tag.to_owned(),
        tag => format!("\"{}\"", tag.trim_matches('"')),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_read_from_lists_without_their_weakness_and_with_or_without_quotation_marks() {
        let mut headers = HeaderMap::new();
        assert_eq!(tags(&headers, &header::IF_MATCH), None);
        headers.append(header::IF_MATCH, HeaderValue::from_static("\"a\", W/\"b\""));
        headers.append(header::IF_MATCH, HeaderValue::from_static("*"));
        headers.append(header::IF_MATCH, HeaderValue::from_static("c,W/d"));
        let read = tags(&headers, &header::IF_MATCH).unwrap();
        assert_eq!(read, ["\"a\"", "\"b\"", "*", "\"c\"", "\"d\""]);
    }
}
