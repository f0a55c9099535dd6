//! The second factor on the wire: setting it up, confirming it, proving it.

use playout_domain::error::Issue;
use playout_domain::people::MAX_PASSWORD_CHARS;
use playout_domain::secret::Secret;
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

use crate::read::{ObjectReader, read_body};
use crate::schema;

/// The longest code that is accepted: a recovery code with generous spacing.
pub const MAX_CODE_CHARS: usize = 64;

/// The secret for an authenticator app.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = SecondFactorSetUp)]
pub struct SetUpBody {
    /// The secret in base32, to be typed into an app.
    pub secret: String,
    /// The same as a link, to be shown as a QR code: `otpauth://totp/…`.
    pub otpauth_url: String,
}

/// Codes that replace the app's.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = RecoveryCodes)]
pub struct RecoveryCodesBody {
    /// Each is valid once. Returned only here.
    pub recovery_codes: Vec<String>,
}

/// A second factor that was just enabled.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = SecondFactor)]
pub struct ConfirmedBody {
    /// Codes that replace the app's, each once. Returned only here.
    pub recovery_codes: Vec<String>,
    /// The session's new token; the old one is invalid. The cookie has the new one too.
    pub token: String,
}

/// A request to set up a second factor.
#[derive(Debug, Clone)]
pub struct SetUpSecondFactor {
    /// The current password.
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

/// A request to enable it.
#[derive(Debug, Clone)]
pub struct ConfirmSecondFactor {
    /// A code of the app.
    pub code: Secret,
}

impl ConfirmSecondFactor {
    /// Reads the body.
    pub fn read(body: &Value) -> Result<Self, Vec<Issue>> {
        read_body(body, |reader| read_code(reader).map(|code| Self { code }))
    }
}

/// Both factors of a user, required to disable the second factor and to get new recovery codes.
#[derive(Debug, Clone)]
pub struct BothFactors {
    /// The current password.
    pub password: Secret,
    /// A code of the app, or a recovery code.
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

/// Any text is accepted as a code; a malformed one is a wrong one.
pub(crate) fn read_code(reader: &mut ObjectReader<'_>) -> Option<Secret> {
    reader.text("code", MAX_CODE_CHARS).map(Secret::new)
}

/// The schema of a code.
pub(crate) fn code_schema(description: &str) -> Value {
    schema::text(description, (1, MAX_CODE_CHARS))
}

/// The schemas of the requests.
pub fn request_schemas() -> Vec<(&'static str, Value)> {
    let password = || schema::text("The current password.", (1, MAX_PASSWORD_CHARS));
    let either = "A code of the app, or a recovery code.";
    let both = json!({ "password": password(), "code": code_schema(either) });
    vec![
        (
            "SetUpSecondFactor",
            schema::object(
                "The user who sets up a second factor.",
                &["password"],
                json!({ "password": password() }),
            ),
        ),
        (
            "ConfirmSecondFactor",
            schema::object(
                "The first code.",
                &["code"],
                json!({ "code": code_schema("A code of the app.") }),
            ),
        ),
        (
            "BothFactors",
            schema::object("The password and a code.", &["password", "code"], both),
        ),
    ]
}
