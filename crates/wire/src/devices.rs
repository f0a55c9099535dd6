//! The device flow on the wire (`docs/contract.md#device-authorization`, RFC 8628). Fields of the clients' operations are in
//! snake_case, as in OAuth; those of the operations of people's browsers are in camelCase.

mod metadata;

use playout_domain::access::Scopes;
use playout_domain::device::{Grant, PendingDevice};
use playout_domain::error::{Issue, IssueCode};
use playout_domain::id::WorkspaceId;
use playout_domain::secret::Secret;
use playout_domain::time::Time;
use serde::Serialize;
use serde_json::{Map, Value, json};
use utoipa::ToSchema;

pub use self::metadata::ServerMetadata;
use crate::keys::{GrantFields, ScopeName, scope_names};
use crate::read::{
    FieldType, ObjectReader, anything, read_body, schema_of, secret, text, text_or_empty, word,
};
use crate::schema::remove_null;

/// The grant of RFC 8628 §3.4.
pub const DEVICE_GRANT: &str = "urn:ietf:params:oauth:grant-type:device_code";
/// The name of all scopes together: everything in the workspace (`docs/contract.md#scopes`).
const WHOLE_WORKSPACE: &str = "workspace";

/// The longest name of a client.
const MAX_CLIENT_NAME_CHARS: usize = 100;
/// The longest identifier of a client.
const MAX_CLIENT_ID_CHARS: usize = 255;
/// The longest list of scopes.
const MAX_SCOPE_CHARS: usize = 500;
/// The longest code or token that is accepted.
const MAX_TOKEN_CHARS: usize = 500;
/// Text without invisible characters and without characters that change its direction.
const SHOWN: &str = r"^[^\x00-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]*$";

/// A request for codes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StartDevice {
    /// The name of the client that the person sees: its own, else its identifier.
    pub client_name: Option<String>,
    /// The client's OAuth identifier.
    pub client_id: Option<String>,
    /// What it asks to be allowed, as it says it.
    pub scope: Option<String>,
}

impl StartDevice {
    /// The scopes that it asks for: all of them where it names none. `None`: one of them is unknown.
    pub fn asked(&self) -> Option<Scopes> {
        let mut words = self.scope.iter().flat_map(|scope| scope.split_ascii_whitespace());
        match words.any(|word| word == WHOLE_WORKSPACE) {
            true => Some(Scopes::ALL),
            false => {
                let asked = Scopes::parse(self.scope.as_deref().unwrap_or_default())?;
                Some(if asked == Scopes::NONE { Scopes::ALL } else { asked })
            }
        }
    }

    /// Parses the body.
    pub fn read(body: &Value) -> Result<Self, Vec<Issue>> {
        read_body(body, Self::fields)
    }

    fn fields(reader: &mut ObjectReader<'_>) -> Option<Self> {
        reader.about("The client that asks.");
        let name = reader.optional(
            "client_name",
            label(MAX_CLIENT_NAME_CHARS),
            "The client's name, which the person sees, and the name of the key.",
        );
        let id = reader.optional(
            "client_id",
            label(MAX_CLIENT_ID_CHARS),
            "The client's OAuth identifier; shown if there is no name. Any value is accepted: clients are not registered.",
        );
        let scope = reader.optional(
            "scope",
            text_or_empty(MAX_SCOPE_CHARS),
            "The scopes that the key needs, separated by spaces (RFC 6749 §3.3); absent, or `workspace`: all. The person may grant fewer.",
        );
        let (name, id) = (name?.flatten(), id?.flatten());
        Some(Self {
            client_name: name.or_else(|| id.clone()),
            client_id: id,
            scope: scope?,
        })
    }
}

/// The codes of a new request.
#[derive(Serialize, ToSchema)]
#[schema(as = DeviceAuthorization)]
pub struct DeviceStartedBody {
    /// The client's secret, to poll with. Never shown to people.
    pub device_code: String,
    /// The code that the person compares or types: `SVC-XXXX-XXXX`.
    pub user_code: String,
    /// The address where they approve it.
    #[schema(format = Uri)]
    pub verification_uri: String,
    /// The same address with the code in it, for a browser that is opened or a QR code.
    #[schema(format = Uri)]
    pub verification_uri_complete: String,
    /// For how many seconds both codes are valid.
    pub expires_in: u64,
    /// How many seconds to wait between two polls.
    pub interval: u64,
}

/// A poll for the person's decision.
#[derive(Debug, Clone)]
pub struct PollDevice {
    /// The client's secret.
    pub device_code: Secret,
    /// The client's OAuth identifier.
    pub client_id: Option<String>,
    /// Whether it has the form of RFC 8628, and gets that form in return.
    pub is_grant: bool,
}

impl PollDevice {
    /// Parses the body; the grant type was checked before.
    pub fn read(body: &Value) -> Result<Self, Vec<Issue>> {
        read_body(body, Self::fields)
    }

    fn fields(reader: &mut ObjectReader<'_>) -> Option<Self> {
        reader.about("Whether it was approved.");
        let device_code = reader.required(
            "device_code",
            secret(MAX_TOKEN_CHARS),
            "The device code of the start.",
        );
        reader.unread(
            "grant_type",
            word(&[(DEVICE_GRANT, ())]),
            "With it the response also has `access_token`, `token_type` and `scope`.",
        );
        let client_id = reader.optional(
            "client_id",
            label(MAX_CLIENT_ID_CHARS),
            "If it is sent here and with the start, both must be the same.",
        );
        Some(Self {
            device_code: device_code?,
            client_id: client_id?.flatten(),
            is_grant: reader.has("grant_type"),
        })
    }
}

/// The new key, returned only here.
#[derive(Serialize, ToSchema)]
#[schema(as = DeviceToken)]
pub struct DeviceTokenBody {
    /// Always `approved`.
    #[schema(value_type = String)]
    pub status: &'static str,
    /// The API key. It is returned exactly once.
    pub api_key: String,
    /// The key again, where a `grant_type` was sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub access_token: Option<String>,
    /// `Bearer`, where a `grant_type` was sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub token_type: Option<&'static str>,
    /// The scopes that were granted, separated by spaces, where a `grant_type` was sent; `workspace`: all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope: Option<String>,
    /// In how many seconds the key expires, where a `grant_type` was sent and it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_in: Option<u64>,
}

impl DeviceTokenBody {
    /// The response to a plain request, or to one with a grant.
    pub fn new(key: &Secret, grant: &Grant, is_grant: bool, now: Time) -> Self {
        let scopes = grant.access.scopes;
        let scope = match scopes == Scopes::ALL {
            true => WHOLE_WORKSPACE.to_owned(),
            false => scopes.words(),
        };
        Self {
            status: "approved",
            api_key: key.expose().to_owned(),
            access_token: is_grant.then(|| key.expose().to_owned()),
            token_type: is_grant.then_some("Bearer"),
            scope: is_grant.then_some(scope),
            expires_in: grant
                .until
                .filter(|_| is_grant)
                .map(|until| until.since(now).as_secs()),
        }
    }
}

/// A person's decision about a user code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecideDevice {
    /// As typed.
    pub user_code: String,
}

impl DecideDevice {
    /// Reads the body.
    pub fn read(body: &Value) -> Result<Self, Vec<Issue>> {
        read_body(body, Self::fields)
    }

    fn fields(reader: &mut ObjectReader<'_>) -> Option<Self> {
        reader.about("The request to decide, by its user code.");
        let user_code = reader.required("userCode", text(MAX_TOKEN_CHARS), USER_CODE);
        Some(Self {
            user_code: user_code?,
        })
    }
}

const USER_CODE: &str = "The code that the client shows; case, spaces and dashes do not matter.";

/// A person's approval of a user code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApproveDevice {
    /// As typed.
    pub user_code: String,
    /// What the person grants.
    pub grant: GrantFields,
}

impl ApproveDevice {
    /// Reads the body.
    pub fn read(body: &Value, now: Time) -> Result<Self, Vec<Issue>> {
        read_body(body, |reader| Self::fields(reader, now))
    }

    fn fields(reader: &mut ObjectReader<'_>, now: Time) -> Option<Self> {
        reader.about("The request to approve, by its user code, and what to grant.");
        let user_code = reader.required("userCode", text(MAX_TOKEN_CHARS), USER_CODE);
        let grant = GrantFields::read(reader, now, "what the program asks for; no more can be granted");
        reader.refuse_others(&["userCode", "scopes", "platformIds", "expiresAt"]);
        Some(Self {
            user_code: user_code?,
            grant: grant?,
        })
    }
}

/// `{ status: "approved", organizationId }`
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = DeviceApproved)]
pub struct DeviceApprovedBody {
    /// Always `approved`.
    #[schema(value_type = String)]
    pub status: &'static str,
    /// The workspace of the key.
    #[schema(value_type = Uuid)]
    pub organization_id: WorkspaceId,
}

/// `{ status: "denied" }`
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = DeviceDenied)]
pub struct DeviceDeniedBody {
    /// Always `denied`.
    #[schema(value_type = String)]
    pub status: &'static str,
}

/// A client that waits for a decision.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = PendingDevice)]
pub struct PendingDeviceBody {
    /// The code as the client shows it.
    user_code: String,
    /// The client's name, as it gave it; it is not verified.
    #[schema(required)]
    client_name: Option<String>,
    /// The network address of its request.
    #[schema(required)]
    address: Option<String>,
    /// When it sent the request.
    #[schema(value_type = String, format = DateTime)]
    created_at: Time,
    /// How many seconds ago that was.
    age_seconds: u64,
    /// Until when it can be approved.
    #[schema(value_type = String, format = DateTime)]
    expires_at: Time,
    /// What it asks to be allowed, with what that includes.
    #[schema(value_type = Vec<ScopeName>)]
    scopes: Vec<&'static str>,
}

impl PendingDeviceBody {
    /// The client as it is now.
    pub fn new(device: PendingDevice, user_code: String, now: Time) -> Self {
        Self {
            user_code,
            client_name: device.client_name,
            address: device.client_address,
            created_at: device.created_at,
            age_seconds: now.since(device.created_at).as_secs(),
            expires_at: device.expires_at,
            scopes: scope_names(device.asked),
        }
    }
}

/// The token that a request for its revocation names (RFC 7009 §2.1).
pub fn read_revocation(body: &Value) -> Result<Secret, Vec<Issue>> {
    read_body(body, revocation_fields)
}

fn revocation_fields(reader: &mut ObjectReader<'_>) -> Option<Secret> {
    reader.about("A key to revoke.");
    let token = reader.required("token", secret(MAX_TOKEN_CHARS), "The API key to revoke.");
    reader.unread("token_type_hint", anything(), "Ignored: there is one kind.");
    token
}

/// A text that people read or compare, without surrounding white space; `None` if it is blank.
fn label(most: usize) -> impl FieldType<Parsed = Option<String>> {
    let shown = text(most).described_as(move |description| {
        json!({ "type": "string", "description": description, "maxLength": most, "pattern": SHOWN, "minLength": 1 })
    });
    shown.then(|text| match text.chars().any(is_unseen) {
        true => Err(IssueCode::Format.with("must not contain characters that do not show")),
        false => Ok(Some(text.trim().to_owned()).filter(|text| !text.is_empty())),
    })
}

/// Whether a character is invisible, or changes how others are displayed; those that join letters and emoji are not.
fn is_unseen(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

/// The schemas of the requests, in JSON and as forms.
pub fn request_schemas() -> Vec<(&'static str, Value)> {
    let (start, start_form) = with_form(StartDevice::fields);
    let (poll, mut poll_form) = with_form(PollDevice::fields);
    let (revoke, revoke_form) = with_form(revocation_fields);
    // A form without the grant is rejected before it is read.
    poll_form["required"] = json!(["device_code", "grant_type"]);
    vec![
        ("StartDevice", start),
        ("StartDeviceForm", start_form),
        ("PollDevice", poll),
        ("PollDeviceForm", poll_form),
        ("DecideDevice", schema_of(DecideDevice::fields)),
        (
            "ApproveDevice",
            schema_of(|reader| ApproveDevice::fields(reader, Time::from_secs(0))),
        ),
        ("RevokeToken", revoke),
        ("RevokeTokenForm", revoke_form),
    ]
}

/// The schema of a request in JSON, and that of the same request as a form, in which every value is a string, and an empty one is
/// absent.
fn with_form<T>(read: impl FnOnce(&mut ObjectReader<'_>) -> Option<T>) -> (Value, Value) {
    let json = schema_of(read);
    let mut form = json.clone();
    let about = json["description"].as_str().unwrap_or_default();
    form["description"] = format!("{}, in a form.", about.trim_end_matches('.')).into();
    let fields = form["properties"].as_object_mut();
    for field in fields.into_iter().flat_map(Map::values_mut) {
        if field.get("type").is_none() {
            *field = json!({ "type": "string", "description": field["description"] });
        } else if remove_null(field)
            && let Some(field) = field.as_object_mut()
        {
            field.shift_remove("minLength");
        }
    }
    (json, form)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_is_known_by_its_name_else_its_identifier_and_may_have_neither() {
        let read = |body: Value| {
            let start = StartDevice::read(&body).unwrap();
            (start.client_name, start.client_id)
        };
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(read(json!({})), (None, None));
        assert_eq!(
            read(json!({ "client_name": null, "client_id": " " })),
            (None, None)
        );
        assert_eq!(
            read(json!({ "client_id": "tv", "scope": "x" })),
            (some("tv"), some("tv"))
        );
        assert_eq!(
            read(json!({ "client_id": "tv", "client_name": " My TV " })),
            (some("My TV"), some("tv"))
        );
    }

    #[test]
    fn a_program_asks_for_the_scopes_that_it_names_and_else_for_all() {
        let asked = |scope: Value| StartDevice::read(&json!({ "scope": scope })).unwrap().asked();
        for all in [
            json!(null),
            json!(" "),
            json!("workspace"),
            json!("drafts workspace"),
        ] {
            assert_eq!(asked(all.clone()), Some(Scopes::ALL), "{all}");
        }
        assert_eq!(
            asked("drafts  media".into()).unwrap().words(),
            "read media drafts"
        );
        assert_eq!(asked("drafts openid".into()), None);
    }

    #[test]
    fn a_name_that_does_not_show_as_what_it_is_is_refused() {
        for name in [
            "a\nb",
            "a\u{202e}b",
            "\u{200b}",
            "a\u{85}b",
            "\u{feff}x",
            "a\0",
            &"x".repeat(101),
        ] {
            assert_eq!(
                StartDevice::read(&json!({ "client_name": name }))
                    .unwrap_err()
                    .len(),
                1,
                "{name:?}"
            );
        }
        assert!(StartDevice::read(&json!({ "client_name": "Ünï 👩\u{200d}💻 “TV”" })).is_ok());
    }

    #[test]
    fn secrets_do_not_show_in_debug() {
        let poll = PollDevice::read(&json!({ "device_code": "hunter2" })).unwrap();
        assert!(!format!("{poll:?}").contains("hunter2"));
    }
}
