//! The schemas of the device flow's requests.

use serde_json::{Value, json};

use super::{DEVICE_GRANT, MAX_CLIENT_ID_CHARS, MAX_CLIENT_NAME_CHARS, MAX_TOKEN_CHARS, SHOWN};
use crate::schema;

/// The schemas of the requests, in JSON and as forms, in which every value is a string and an empty one is absent.
pub fn request_schemas() -> Vec<(&'static str, Value)> {
    let token = |description: &str| schema::text(description, (1, MAX_TOKEN_CHARS));
    let decide = json!({ "userCode": token("The code that the client shows; case, spaces and dashes do not matter.") });
    let revoke = |is_form| {
        json!({
            "token": token("The API key to revoke."),
            "token_type_hint": ignored("there is one kind", is_form),
        })
    };
    let object = schema::object;
    vec![
        (
            "StartDevice",
            object("The client that asks.", &[], start_fields(false)),
        ),
        (
            "StartDeviceForm",
            object("The client that asks, in a form.", &[], start_fields(true)),
        ),
        (
            "PollDevice",
            object("Whether it was approved.", &["device_code"], poll_fields(false)),
        ),
        (
            "PollDeviceForm",
            object(
                "Whether it was approved, in a form.",
                &["device_code", "grant_type"],
                poll_fields(true),
            ),
        ),
        (
            "DecideDevice",
            object("The request to decide, by its user code.", &["userCode"], decide),
        ),
        (
            "RevokeToken",
            object("A key to revoke.", &["token"], revoke(false)),
        ),
        (
            "RevokeTokenForm",
            object("A key to revoke, in a form.", &["token"], revoke(true)),
        ),
    ]
}

fn start_fields(is_form: bool) -> Value {
    json!({
        "client_name": label("The client's name, which the person sees, and the name of the key.", MAX_CLIENT_NAME_CHARS, is_form),
        "client_id": label("The client's OAuth identifier; shown if there is no name. Any value is accepted: clients are not registered.", MAX_CLIENT_ID_CHARS, is_form),
        "scope": ignored("a key may do everything in its workspace", is_form),
    })
}

fn poll_fields(is_form: bool) -> Value {
    let grant = schema::word(
        "With it the response also has `access_token`, `token_type` and `scope`.",
        &[DEVICE_GRANT],
    );
    json!({
        "device_code": schema::text("The device code of the start.", (1, MAX_TOKEN_CHARS)),
        "grant_type": if is_form { grant } else { nullable_word(grant) },
        "client_id": label("If it is sent here and with the start, both must be the same.", MAX_CLIENT_ID_CHARS, is_form),
    })
}

/// An ignored field: any value in JSON, in a form at most once.
fn ignored(why: &str, is_form: bool) -> Value {
    let description = format!("Ignored: {why}.");
    match is_form {
        true => json!({ "type": "string", "description": description }),
        false => json!({ "description": description }),
    }
}

fn label(description: &str, most: usize, is_form: bool) -> Value {
    let text = json!({ "type": "string", "description": description, "maxLength": most, "pattern": SHOWN });
    if is_form {
        return text;
    }
    let mut text = schema::nullable(text);
    text["minLength"] = 1.into();
    text
}

/// One of a few words, or `null`.
fn nullable_word(mut word: Value) -> Value {
    word["enum"]
        .as_array_mut()
        .into_iter()
        .for_each(|words| words.push(Value::Null));
    schema::nullable(word)
}
