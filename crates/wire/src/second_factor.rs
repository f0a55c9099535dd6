//! The second factor on the wire: setting it up, confirming it, proving that one has it.

use playout_domain::error::Issue;
use playout_domain::people::MAX_PASSWORD_CHARS;
use playout_domain::secret::Secret;
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

use crate::read::{ObjectReader, read_body};
use crate::schema;

/// The longest code that is looked at: a recovery code, generously spaced.
pub const MAX_CODE_CHARS: usize = 64;

/// What an authenticator app is given.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = SecondFactorSetUp)]
pub struct SetUpBody {
    /// The secret in base32, to be typed into an app.
    pub secret: String,
    /// The same as a link, to be shown as a QR code: `otpauth://totp/…`.
    pub otpauth_url: String,
}

/// Codes that stand in for the app's.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = RecoveryCodes)]
pub struct RecoveryCodesBody {
    /// Each is good once. Shown this once.
    pub recovery_codes: Vec<String>,
}

/// A second factor that has just become active.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = SecondFactor)]
pub struct ConfirmedBody {
    /// Codes that stand in for the app's, each once. Shown this once.
    pub recovery_codes: Vec<String>,
    /// The session's new token; the old one opens nothing any more. The cookie holds the same.
    pub token: String,
}

/// A request to set a second factor up.
#[derive(Debug, Clone)]
pub struct SetUpSecondFactor {
    /// The present password.
    pub password: Secret,
}

impl SetUpSecondFactor {
    /// Reads the body.
    pub fn read(body: &Value) -> Result<Self, Vec<Issue>> {
        read_body(body, |reader| {
            read_password(reader).map(|password| Self { password })
        })
    }
}

/// A request to make it active.
#[derive(Debug, Clone)]
pub struct ConfirmSecondFactor {
    /// What the app shows.
    pub code: Secret,
}

impl ConfirmSecondFactor {
    /// Reads the body.
    pub fn read(body: &Value) -> Result<Self, Vec<Issue>> {
        read_body(body, |reader| read_code(reader).map(|code| Self { code }))
    }
}

/// The proof that somebody has both: what turning it off and new recovery codes take.
#[derive(Debug, Clone)]
pub struct BothFactors {
    /// The present password.
    pub password: Secret,
    /// What the app shows, or a recovery code.
    pub code: Secret,
}

impl BothFactors {
    /// Reads the body.
    pub fn read(body: &Value) -> Result<Self, Vec<Issue>> {
        read_body(body, |reader| {
            let (password, code) = (read_password(reader), read_code(reader));
            Some(Self {
                password: password?,
                code: code?,
            })
        })
    }
}

fn read_password(reader: &mut ObjectReader<'_>) -> Option<Secret> {
    reader.text("password", MAX_PASSWORD_CHARS).map(Secret::new)
}

/// Any text may be a code; one that cannot be one is a wrong one.
pub(crate) fn read_code(reader: &mut ObjectReader<'_>) -> Option<Secret> {
    reader.text("code", MAX_CODE_CHARS).map(Secret::new)
}

/// What the reference says of a code.
pub(crate) fn code_schema(description: &str) -> Value {
    schema::text(description, (1, MAX_CODE_CHARS))
}

/// What the reference says of the requests.
pub fn request_schemas() -> Vec<(&'static str, Value)> {
    let password = || schema::text("The present password.", (1, MAX_PASSWORD_CHARS));
    let either = "What the app shows, or a recovery code.";
    let both = json!({ "password": password(), "code": code_schema(either) });
    vec![
        (
            "SetUpSecondFactor",
            schema::object(
                "Who sets a second factor up.",
                &["password"],
                json!({ "password": password() }),
            ),
        ),
        (
            "ConfirmSecondFactor",
            schema::object(
                "The first code.",
                &["code"],
                json!({ "code": code_schema("What the app shows.") }),
            ),
        ),
        (
            "BothFactors",
            schema::object("The password and a code.", &["password", "code"], both),
        ),
    ]
}
