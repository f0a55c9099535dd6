//! Bodies in JSON, and forms: content type, size and syntax are checked in that order (`docs/contract.md#order-of-checks`). An
//! object with a repeated name is rejected: choosing one of the two values would be a guess, and a guess may publish.
//!
//! Bounds, whatever the body: 1 MiB ([`MAX_JSON_BYTES`]) with a key or a session, else 16 KiB ([`MAX_STRANGERS_BYTES`]); of large ones that are being received,
//! what [`crate::app::payloads`] allows; 127 levels (the limit of serde_json, which every level passes), and
//! [`MAX_VALUES`] values. A value takes 72 bytes, so that without the last bound a body of two bytes a value takes 75 MB.

use std::cell::Cell;
use std::collections::HashSet;
use std::fmt;

use axum::body::HttpBody;
use axum::extract::{FromRequest, Request};
use axum::http::{HeaderMap, header};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use playout_domain::error::{Code, Issue, Refusal};
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use super::error::ApiError;
use super::form::is_form;
use super::params::given_once;
use crate::app::payloads::{Room, SMALL};
use crate::app::writers::Turn;

/// The largest JSON body.
const MAX_JSON_BYTES: usize = 1024 * 1024;
/// The largest body of a batch.
const MAX_BATCH_BYTES: usize = 8 * 1024 * 1024;
/// The largest body of a caller who is not authenticated: many such bodies are in memory at once until they are complete.
const MAX_STRANGERS_BYTES: usize = 16 * 1024;
/// The most values in a JSON body, and fields in a form. An array or an object counts as one, plus its contents.
const MAX_VALUES: u32 = 50_000;
/// Bytes of a repeated name that an error quotes.
const QUOTED_NAME_BYTES: usize = 64;

/// A JSON body, syntactically right, not yet validated.
pub struct JsonBody(pub Value);

impl<S: Sync> FromRequest<S> for JsonBody {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &S) -> Result<Self, ApiError> {
        Ok(Self(read_json(request, LIMIT).await?))
    }
}

/// The same of a batch, which may be larger.
pub struct BatchBody(pub Value);

impl<S: Sync> FromRequest<S> for BatchBody {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &S) -> Result<Self, ApiError> {
        Ok(Self(read_json(request, BATCH_LIMIT).await?))
    }
}

/// How large a body may be, and what a larger one is answered.
type Limit = (usize, &'static str);

const LIMIT: Limit = (MAX_JSON_BYTES, "A JSON body may have at most 1 MiB.");
const BATCH_LIMIT: Limit = (MAX_BATCH_BYTES, "The body of a batch may have at most 8 MiB.");
const STRANGERS_LIMIT: Limit = (
    MAX_STRANGERS_BYTES,
    "A body without a key or a session may have at most 16 KiB.",
);

async fn read_json(request: Request, limit: Limit) -> Result<Value, ApiError> {
    if !is_json(request.headers()) {
        let message = "The body must be application/json, in UTF-8.";
        return Err(Refusal::new(Code::UnsupportedMediaType, message).into());
    }
    Ok(parse(&collect(request, limit).await?)?)
}

/// A JSON body or a form, as OAuth clients send it, not yet validated. A missing body has no fields.
pub struct FormOrJson {
    /// An object; the fields of a form are strings.
    pub value: Value,
    /// Whether it was a form.
    pub is_form: bool,
    /// The fields that appear more than once in the form.
    repeated: HashSet<String>,
}

impl FormOrJson {
    /// Rejects a body that repeats one of these fields (RFC 8628 §3.1); other fields may be repeated.
    pub fn check_once(&self, names: &[&str]) -> Result<(), Refusal> {
        let repeated = names.iter().filter(|name| self.repeated.contains(**name));
        let issue = |name: &&str| Issue::at([name.to_string().into()], given_once());
        let issues: Vec<Issue> = repeated.map(issue).collect();
        match issues.is_empty() {
            true => Ok(()),
            false => Err(Refusal::invalid(issues)),
        }
    }
}

impl<S: Sync> FromRequest<S> for FormOrJson {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &S) -> Result<Self, ApiError> {
        let is_form = is_form(request.headers());
        let is_typed = request.headers().contains_key(header::CONTENT_TYPE);
        if is_typed && !is_form && !is_json(request.headers()) {
            return Err(neither());
        }
        let bytes = collect(request, LIMIT).await?;
        let (value, repeated) = match is_typed {
            true if is_form => parse_form(&bytes)?,
            true => (parse(&bytes)?, HashSet::new()),
            false if bytes.is_empty() => (Value::Object(Map::new()), HashSet::new()),
            false => return Err(neither()),
        };
        Ok(Self {
            value,
            is_form,
            repeated,
        })
    }
}

fn neither() -> ApiError {
    let message = "The body must be application/x-www-form-urlencoded or application/json, in UTF-8.";
    Refusal::new(Code::UnsupportedMediaType, message).into()
}

/// The fields of a form, and the names of those that it repeats. A field without a value counts as absent (RFC 8628 §3.1).
fn parse_form(bytes: &[u8]) -> Result<(Value, HashSet<String>), Refusal> {
    let (mut fields, mut repeated) = (Map::new(), HashSet::new());
    for (number, (name, value)) in (0..).zip(url::form_urlencoded::parse(bytes)) {
        if number == MAX_VALUES {
            let message = format!("The form has more than {MAX_VALUES} fields.");
            return Err(Refusal::new(Code::InvalidRequest, message));
        }
        if !value.is_empty() && fields.insert(name.to_string(), value.into()).is_some() {
            repeated.insert(name.into_owned());
        }
    }
    Ok((Value::Object(fields), repeated))
}

fn is_json(headers: &HeaderMap) -> bool {
    let content_type = headers
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    let mut parts = content_type
        .split(';')
        .map(|part| part.trim().to_ascii_lowercase());
    let essence = parts.next().unwrap_or_default();
    (essence == "application/json" || essence.ends_with("+json")) && parts.all(|part| is_utf_8(&part))
}

/// Whether a parameter of the content type leaves the body in UTF-8, the encoding of JSON.
fn is_utf_8(parameter: &str) -> bool {
    let charset = parameter
        .strip_prefix("charset=")
        .map(|charset| charset.trim_matches('"'));
    charset.is_none_or(|charset| matches!(charset, "utf-8" | "utf8" | "us-ascii"))
}

async fn collect(mut request: Request, limit: Limit) -> Result<Vec<u8>, Refusal> {
    let room = request.extensions_mut().remove::<Room>();
    let turn = request.extensions_mut().remove::<Turn>();
    let (most, too_large) = match room {
        Some(_) => limit,
        None => STRANGERS_LIMIT,
    };
    let mut body = Limited::new(request.into_body(), most);
    let announced = body.size_hint().exact();
    // Counted only beyond a small size: an announced length alone takes no memory.
    let mut share = None;
    let mut bytes = Vec::new();
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|error| match error.is::<LengthLimitError>() {
            true => Refusal::new(Code::PayloadTooLarge, too_large),
            false => Refusal::new(Code::InvalidJson, "The body ended before it was complete."),
        })?;
        bytes.extend_from_slice(&frame.into_data().unwrap_or_default());
        if share.is_none()
            && bytes.len() as u64 > SMALL
            && let Some(room) = &room
        {
            share = Some(room.take(announced.unwrap_or(most as u64))?);
        }
    }
    if let Some(turn) = turn {
        turn.take().await?;
    }
    Ok(bytes)
}

fn parse(bytes: &[u8]) -> Result<Value, Refusal> {
    let mut deserializer = serde_json::Deserializer::from_slice(bytes);
    let values_left = Cell::new(MAX_VALUES);
    let read = Unambiguous(&values_left)
        .deserialize(&mut deserializer)
        .and_then(|value| deserializer.end().map(|()| value));
    read.map_err(|error| Refusal::new(Code::InvalidJson, format!("The body is not valid JSON: {error}.")))
}

/// Names that `serde_json` gives a meaning of its own when it reads a value: an object with one could be stored, and not be read again.
const RESERVED_NAMES: &str = "$serde_json::private::";
/// 2^64 and -2^63: whole numbers between them are read as such, also where they are written without a fraction.
const BEYOND_U64: f64 = 18_446_744_073_709_551_616.0;
const LEAST_I64: f64 = -9_223_372_036_854_775_808.0;

/// Reads a JSON value, rejects objects with a repeated name, and limits the number of values.
#[derive(Clone, Copy)]
struct Unambiguous<'a>(&'a Cell<u32>);

impl<'de> DeserializeSeed<'de> for Unambiguous<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        let left = self.0.get().checked_sub(1);
        let too_many = || D::Error::custom(format_args!("it has more than {MAX_VALUES} values"));
        self.0.set(left.ok_or_else(too_many)?);
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Unambiguous<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    /// `1.0` is 1: how a number is written does not count (`docs/contract.md#same-request`).
    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        let is_whole = value.fract() == 0.0;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "it is whole and in the range"
        )]
        Ok(match value {
            0.0..BEYOND_U64 if is_whole => (value as u64).into(),
            LEAST_I64..0.0 if is_whole => (value as i64).into(),
            _ => value.into(),
        })
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(self)? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some(name) = entries.next_key::<String>()? {
            if name.starts_with(RESERVED_NAMES) {
                let message = format_args!("no name may begin with {RESERVED_NAMES:?}");
                return Err(A::Error::custom(message));
            }
            if map.contains_key(&name) {
                return Err(A::Error::custom(format_args!(
                    "an object has the name {:?} twice",
                    quoted(&name)
                )));
            }
            let value = entries.next_value_seed(self)?;
            map.insert(name, value);
        }
        Ok(Value::Object(map))
    }
}

/// The part of a name that an error quotes.
fn quoted(name: &str) -> &str {
    &name[..name.floor_char_boundary(QUOTED_NAME_BYTES)]
}
