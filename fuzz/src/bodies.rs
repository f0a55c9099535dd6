//! Bodies in JSON and forms, and the readers of requests behind them.

use axum::body::Body;
use axum::extract::FromRequest;
use axum::http::Request;
use futures_util::FutureExt;
use playout_domain::time::Time;
use playout_server::api::body::{FormOrJson, JsonBody};
use playout_server::api::form::Form;
use playout_wire::posts::CreatePost;
use playout_wire::slides::{CompositeSlides, PreviewSlide};
use serde_json::Value;

/// A body that is read as JSON is JSON, of the same value.
pub(crate) fn json(data: &[u8]) {
    let read = JsonBody::from_request(request("application/json", data), &()).now_or_never();
    let Ok(JsonBody(value)) = read.expect("all of the body is there") else {
        return;
    };
    let plain = serde_json::from_slice::<Value>(data).expect("what is read is JSON");
    assert!(is_same(&plain, &value), "{plain} was read as {value}");
    drop(CreatePost::read(&value, Time::from_secs(0)));
    drop((CompositeSlides::read(&value), PreviewSlide::read(&value)));
}

/// Whether two values are the same, however their numbers were written (`docs/contract.md#same-request`).
fn is_same(plain: &Value, read: &Value) -> bool {
    match (plain, read) {
        (Value::Number(plain), Value::Number(read)) if plain.is_f64() => plain.as_f64() == read.as_f64(),
        (Value::Array(plain), Value::Array(read)) => {
            plain.len() == read.len() && plain.iter().zip(read).all(|(plain, read)| is_same(plain, read))
        }
        (Value::Object(plain), Value::Object(read)) => {
            let mut pairs = plain.iter().zip(read);
            plain.len() == read.len()
                && pairs.all(|((name, plain), (same_name, read))| name == same_name && is_same(plain, read))
        }
        (plain, read) => plain == read,
    }
}

/// A form is read as the fields that it has, by both readers.
pub(crate) fn form(data: &[u8]) {
    const FORM: &str = "application/x-www-form-urlencoded";
    let read = Form::from_request(request(FORM, data), &()).now_or_never();
    let fields = read.expect("all of the body is there").ok();
    let read = FormOrJson::from_request(request(FORM, data), &()).now_or_never();
    let Ok(body) = read.expect("all of the body is there") else {
        return;
    };
    let once = body.check_once(&["a", "grant_type"]).is_ok();
    if let Some(fields) = fields.filter(|fields| once && fields.count("grant_type") == 1) {
        assert_eq!(fields.given("grant_type"), body.value["grant_type"].as_str());
    }
}

fn request(content_type: &str, data: &[u8]) -> Request<Body> {
    let request = Request::builder().header("content-type", content_type);
    request
        .body(Body::from(data.to_vec()))
        .expect("the header is valid")
}
