//! JSON bodies: content type, size and syntax are checked in that order (contract §1).

use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use axum::http::{HeaderMap, header};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use playout_domain::error::{Code, Refusal};
use serde_json::Value;

use super::error::ApiError;

/// The largest JSON body.
const MAX_JSON_BYTES: usize = 1024 * 1024;

/// A JSON body, syntactically right, not yet validated.
pub struct JsonBody(pub Value);

impl<S: Sync> FromRequest<S> for JsonBody {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &S) -> Result<Self, ApiError> {
        if !is_json(request.headers()) {
            return Err(
                Refusal::new(Code::UnsupportedMediaType, "The body must be application/json.").into(),
            );
        }
        let bytes = collect(request).await?;
        Ok(Self(parse(&bytes)?))
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    let content_type = headers
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    let essence = content_type.split(';').next().unwrap_or_default().trim();
    essence.eq_ignore_ascii_case("application/json") || essence.to_ascii_lowercase().ends_with("+json")
}

async fn collect(request: Request) -> Result<Bytes, Refusal> {
    match Limited::new(request.into_body(), MAX_JSON_BYTES).collect().await {
        Ok(collected) => Ok(collected.to_bytes()),
        Err(error) if error.is::<LengthLimitError>() => Err(Refusal::new(
            Code::PayloadTooLarge,
            "A JSON body may have at most 1 MiB.",
        )),
        Err(_) => Err(Refusal::new(
            Code::InvalidJson,
            "The body ended before it was complete.",
        )),
    }
}

fn parse(bytes: &[u8]) -> Result<Value, Refusal> {
    serde_json::from_slice(bytes)
        .map_err(|error| Refusal::new(Code::InvalidJson, format!("The body is not valid JSON: {error}.")))
}
