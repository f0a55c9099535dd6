//! The second factor on the wire: setting it up, confirming it, proving it.

use playout_domain::error::Issue;
use playout_domain::people::MAX_PASSWORD_CHARS;
use playout_domain::secret::Secret;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::read::{FieldType, ObjectReader, read_body, schema_of, secret};

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
        read_body(body, Self::fields)
    }

    fn fields(reader: &mut ObjectReader<'_>) -> Option<Self> {
        reader.about("The user who sets up a second factor.");
        Some(Self {
            password: read_password(reader)?,
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
        read_body(body, Self::fields)
    }

    fn fields(reader: &mut ObjectReader<'_>) -> Option<Self> {
        reader.about("The first code.");
        let code = reader.required("code", code(), "A code of the app.");
        Some(Self { code: code? })
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
        read_body(body, Self::fields)
    }

    fn fields(reader: &mut ObjectReader<'_>) -> Option<Self> {
        reader.about("The password and a code.");
        let password = read_password(reader);
        let code = reader.required("code", code(), "A code of the app, or a recovery code.");
        Some(Self {
            password: password?,
            code: code?,
        })
    }
}

/// Reads the current password, as the proof of who asks.
pub(crate) fn read_password(reader: &mut ObjectReader<'_>) -> Option<Secret> {
    reader.required("password", secret(MAX_PASSWORD_CHARS), "The current password.")
}

/// Any text is accepted as a code; a malformed one is a wrong one.
pub(crate) fn code() -> impl FieldType<Parsed = Secret> {
    secret(MAX_CODE_CHARS)
}

/// Reads the code of those who have a second factor.
pub(crate) fn read_optional_code(reader: &mut ObjectReader<'_>) -> Option<Option<Secret>> {
    reader.optional(
        "code",
        code(),
        "A code of the authenticator app, or a recovery code: for those whose second factor is on.",
    )
}

/// The schemas of the requests.
pub fn request_schemas() -> Vec<(&'static str, Value)> {
    vec![
        ("SetUpSecondFactor", schema_of(SetUpSecondFactor::fields)),
        ("ConfirmSecondFactor", schema_of(ConfirmSecondFactor::fields)),
        ("BothFactors", schema_of(BothFactors::fields)),
    ]
}
