//! Any operation, by its method and path.

use reqwest::Method;
use reqwest::header::{CONTENT_TYPE, HeaderName, HeaderValue};

use super::{Api, IDEMPOTENCY_KEY};
use crate::chance;
use crate::error::Error;

/// A request to any path of the service.
#[derive(Debug, Clone, Default)]
pub struct RawRequest {
    /// Such as `GET`.
    pub method: String,
    /// The path below the service's address, with its query.
    pub path: String,
    /// Names and values. A POST gets an `Idempotency-Key` unless one is among them.
    pub headers: Vec<(String, String)>,
    /// The body; JSON unless a `Content-Type` is among the headers.
    pub body: Option<Vec<u8>>,
}

/// A response.
#[derive(Debug)]
pub struct RawResponse {
    /// The body, which may be empty.
    pub body: Vec<u8>,
    /// The error, unless the status is 2xx.
    pub error: Option<Error>,
}

impl Api {
    /// Sends any request, with the key. GET, HEAD and POST are sent again as those of the other operations.
    ///
    /// # Errors
    /// `usage` if the method or a header is invalid; `network_error` if there is no response.
    pub async fn request(&self, wanted: &RawRequest) -> Result<RawResponse, Error> {
        let method = Method::from_bytes(wanted.method.to_uppercase().as_bytes());
        let method = method.map_err(|_| Error::usage(format!("{:?} is no HTTP method.", wanted.method)))?;
        let has = |name: &str| {
            let mut names = wanted.headers.iter().map(|(name, _)| name);
            names.any(|given| given.eq_ignore_ascii_case(name))
        };
        let headers = wanted.headers.iter().map(|(name, value)| header(name, value));
        let headers: Vec<(HeaderName, HeaderValue)> = headers.collect::<Result<_, Error>>()?;
        let key = (method == Method::POST && !has(IDEMPOTENCY_KEY)).then(chance::idempotency_key);
        let is_repeatable = matches!(method, Method::GET | Method::HEAD | Method::POST);
        let build = async || {
            let mut request = self.http.request(method.clone(), &wanted.path);
            if let Some(key) = &key {
                request = request.header(IDEMPOTENCY_KEY, key);
            }
            if let Some(body) = &wanted.body {
                request = request.body(body.clone());
                if !has(CONTENT_TYPE.as_str()) {
                    request = request.header(CONTENT_TYPE, "application/json");
                }
            }
            let headers = headers.iter();
            Ok(headers.fold(request, |request, (name, value)| request.header(name, value)))
        };
        match self.http.send_whole(is_repeatable, build).await {
            Ok(answer) => Ok(RawResponse {
                body: answer.body,
                error: None,
            }),
            Err(failed) => match failed.body {
                Some(body) => Ok(RawResponse {
                    body,
                    error: Some(failed.error),
                }),
                None => Err(failed.error),
            },
        }
    }
}

/// A header, if its name and value may be in a request (RFC 9110, section 5).
fn header(name: &str, value: &str) -> Result<(HeaderName, HeaderValue), Error> {
    let invalid = || Error::usage(format!("{name:?}: {value:?} is not a valid header."));
    let parsed = HeaderName::from_bytes(name.as_bytes())
        .ok()
        .zip(HeaderValue::from_str(value).ok());
    parsed.ok_or_else(invalid)
}
