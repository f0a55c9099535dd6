//! People on the wire: signing up and in, and their own data (`docs/contract.md#people`).

use playout_domain::error::{Issue, IssueCode, Violation};
use playout_domain::id::UserId;
use playout_domain::passwords::{is_common, repeats_address};
use playout_domain::people::{Email, MAX_PASSWORD_CHARS, MIN_PASSWORD_CHARS};
use playout_domain::secret::Secret;
use playout_domain::time::Time;
use playout_domain::workspace::User;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;
use utoipa::openapi::Object;

use crate::address::{ADDRESS, address, email};
use crate::organizations::{MAX_NAME_CHARS, OrganizationBody};
use crate::read::{FieldType, ObjectReader, read_body, schema_of, secret, text, visible_name};
use crate::schema::word_of;
use crate::second_factor::read_optional_code;

/// The longest token that is accepted.
const MAX_TOKEN_CHARS: usize = 200;
/// The description of a new password.
pub(crate) const NEW_PASSWORD: &str = "At least 8 characters; neither a frequent password nor the address.";

/// A user.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = User)]
pub struct UserBody {
    /// Their ID.
    #[schema(value_type = Uuid)]
    id: UserId,
    /// Their address, in lower case.
    email: String,
    /// Their name.
    #[schema(required)]
    name: Option<String>,
    /// When they signed up.
    #[schema(value_type = String, format = DateTime)]
    created_at: Time,
}

impl From<User> for UserBody {
    fn from(user: User) -> Self {
        Self {
            id: user.id,
            email: user.email,
            name: user.name,
            created_at: user.created_at,
        }
    }
}

/// A new session.
#[derive(Serialize, ToSchema)]
#[schema(as = Session)]
pub struct SessionBody {
    /// The session's token: `Authorization: Bearer …`. Returned only here; the cookie has the same.
    pub token: String,
    /// Its user.
    pub user: UserBody,
    /// The workspaces they belong to, in the order of joining.
    pub organizations: Vec<OrganizationBody>,
}

/// A request to sign up.
#[derive(Debug, Clone)]
pub struct SignUp {
    /// Their address.
    pub email: Email,
    /// Their password.
    pub password: Secret,
    /// Their name.
    pub name: Option<String>,
    /// The name of their first workspace.
    pub workspace_name: Option<String>,
    /// The token of an invitation that they accept by signing up.
    pub invitation: Option<Secret>,
    /// The code that the service prints at its start; the first user may need it.
    pub setup_code: Option<Secret>,
}

/// The present conditions for signing up.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = SignUpConditions)]
pub struct SignUpConditionsBody {
    /// Who may sign up: `open`, everyone; `invite`, those with an invitation; `closed`, no one.
    #[schema(schema_with = sign_up_modes)]
    pub mode: &'static str,
    /// Whether the code that the service prints when it starts must be sent as `setupCode`: for the first user of a service that
    /// can be reached from other machines.
    pub setup_code_required: bool,
}

fn sign_up_modes() -> Object {
    word_of(&["open", "invite", "closed"])
}

impl SignUp {
    /// Reads the body.
    pub fn read(body: &Value) -> Result<Self, Vec<Issue>> {
        read_body(body, Self::fields)
    }

    fn fields(reader: &mut ObjectReader<'_>) -> Option<Self> {
        reader.about("A new person.");
        let email = reader.required("email", email(), ADDRESS);
        let password = reader.required("password", new_password(), NEW_PASSWORD);
        let name = reader.optional("name", visible_name(MAX_NAME_CHARS), "The name that others see.");
        let workspace = reader.optional(
            "workspaceName",
            visible_name(MAX_NAME_CHARS),
            "The name of the first workspace. Absent: one is created, unless an invitation is accepted.",
        );
        let invitation = reader.optional(
            "invitation",
            secret(MAX_TOKEN_CHARS),
            "The token of an invitation to this address.",
        );
        let setup_code = reader.optional(
            "setupCode",
            secret(MAX_TOKEN_CHARS),
            "The code that the service prints when it starts, where `setupCodeRequired` is true.",
        );
        let (email, password) = (email?, password?);
        if let Some(violation) = repeated_address(&password, email.as_str()) {
            return reader.refuse("password", violation);
        }
        Some(Self {
            email,
            password,
            name: name?,
            workspace_name: workspace?,
            invitation: invitation?,
            setup_code: setup_code?,
        })
    }
}

/// A request to sign in.
#[derive(Debug, Clone)]
pub struct SignIn {
    /// The address; an invalid one matches no user.
    pub email: String,
    /// The password.
    pub password: Secret,
    /// A code of the app, or a recovery code, for those who have a second factor.
    pub code: Option<Secret>,
}

impl SignIn {
    /// Reads the body.
    pub fn read(body: &Value) -> Result<Self, Vec<Issue>> {
        read_body(body, Self::fields)
    }

    fn fields(reader: &mut ObjectReader<'_>) -> Option<Self> {
        reader.about("The user who signs in.");
        let email = reader.required("email", address(), ADDRESS);
        let password = reader.required("password", secret(MAX_PASSWORD_CHARS), "The password.");
        let code = read_optional_code(reader);
        Some(Self {
            email: email?.to_lowercase(),
            password: password?,
            code: code?,
        })
    }
}

/// A request for a link to choose a new password.
#[derive(Debug, Clone)]
pub struct ForgotPassword {
    /// The address; it may have no user.
    pub email: Email,
}

impl ForgotPassword {
    /// Reads the body.
    pub fn read(body: &Value) -> Result<Self, Vec<Issue>> {
        read_body(body, Self::fields)
    }

    fn fields(reader: &mut ObjectReader<'_>) -> Option<Self> {
        reader.about("The user who forgot their password.");
        let email = reader.required("email", email(), ADDRESS);
        Some(Self { email: email? })
    }
}

/// A request to choose a new password.
#[derive(Debug, Clone)]
pub struct ResetPassword {
    /// The token from the mail.
    pub token: Secret,
    /// The new password.
    pub password: Secret,
}

impl ResetPassword {
    /// Reads the body.
    pub fn read(body: &Value) -> Result<Self, Vec<Issue>> {
        read_body(body, Self::fields)
    }

    fn fields(reader: &mut ObjectReader<'_>) -> Option<Self> {
        reader.about("A new password.");
        let token = read_token(reader);
        let password = reader.required("password", new_password(), NEW_PASSWORD);
        Some(Self {
            token: token?,
            password: password?,
        })
    }
}

/// The token of a link that verifies an address.
pub fn read_verification(body: &Value) -> Result<Secret, Vec<Issue>> {
    read_body(body, verification_fields)
}

fn verification_fields(reader: &mut ObjectReader<'_>) -> Option<Secret> {
    reader.about("The proof that the address belongs to the user.");
    read_token(reader)
}

fn read_token(reader: &mut ObjectReader<'_>) -> Option<Secret> {
    reader.required("token", secret(MAX_TOKEN_CHARS), "The token from the mail.")
}

/// A password that is neither short nor frequent.
pub(crate) fn new_password() -> impl FieldType<Parsed = Secret> {
    let password = text(MAX_PASSWORD_CHARS).with("minLength", MIN_PASSWORD_CHARS);
    password.then(|password| {
        if password.chars().count() < MIN_PASSWORD_CHARS {
            let message = format!("must have at least {MIN_PASSWORD_CHARS} characters");
            return Err(IssueCode::TooShort.with(message));
        }
        if is_common(&password) {
            return Err(IssueCode::TooWeak.with("is one of the first that others would try; choose another"));
        }
        Ok(Secret::new(password))
    })
}

/// The problem of a new password that equals the user's address.
pub fn repeated_address(password: &Secret, email: &str) -> Option<Violation> {
    let repeats = repeats_address(password.expose(), email);
    repeats.then(|| IssueCode::TooWeak.with("must not be your address"))
}

/// The schemas of the requests.
pub fn request_schemas() -> Vec<(&'static str, Value)> {
    vec![
        ("VerifyEmail", schema_of(verification_fields)),
        ("ForgotPassword", schema_of(ForgotPassword::fields)),
        ("ResetPassword", schema_of(ResetPassword::fields)),
        ("SignUp", schema_of(SignUp::fields)),
        ("SignIn", schema_of(SignIn::fields)),
    ]
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn paths(result: Result<impl Sized, Vec<Issue>>) -> Vec<Value> {
        let issues = result.err().unwrap_or_default();
        issues.iter().map(|issue| json!(issue.path)).collect()
    }

    #[test]
    fn everything_wrong_with_a_sign_up_is_said_at_once() {
        let body = json!({ "email": "nobody", "password": "short", "name": " ", "workspaceName": 7 });
        let wrong = ["email", "password", "name", "workspaceName"].map(|name| json!([name]));
        assert_eq!(paths(SignUp::read(&body)), wrong);
        assert_eq!(
            paths(SignUp::read(&json!({}))),
            [json!(["email"]), json!(["password"])]
        );
    }

    #[test]
    fn passwords_do_not_show_in_debug() {
        let request =
            SignIn::read(&json!({ "email": "a@example.org", "password": "hunter2hunter2" })).unwrap();
        assert!(!format!("{request:?}").contains("hunter2"));
    }
}
