//! People on the wire: signing up and in, and their own data (`docs/contract.md#people`).

use playout_domain::error::{Issue, IssueCode, Violation};
use playout_domain::id::UserId;
use playout_domain::passwords::{is_common, repeats_address};
use playout_domain::people::{Email, MAX_EMAIL_CHARS, MAX_PASSWORD_CHARS, MIN_PASSWORD_CHARS};
use playout_domain::secret::Secret;
use playout_domain::time::Time;
use playout_domain::workspace::User;
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;
use utoipa::openapi::Object;

use crate::organizations::{MAX_NAME_CHARS, OrganizationBody};
use crate::read::{ObjectReader, read_body};
use crate::schema::{self, word_of};
use crate::second_factor::{code_schema, read_code};

/// The longest token that is accepted.
const MAX_TOKEN_CHARS: usize = 200;

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
        read_body(body, |reader| {
            let email = read_email(reader, "email");
            let password = read_new_password(reader, "password");
            let name = reader.given("name", |reader| reader.visible_name("name", MAX_NAME_CHARS));
            let workspace = reader.given("workspaceName", |reader| {
                reader.visible_name("workspaceName", MAX_NAME_CHARS)
            });
            let invitation = reader.given("invitation", |reader| reader.text("invitation", MAX_TOKEN_CHARS));
            let setup_code = reader.given("setupCode", |reader| reader.text("setupCode", MAX_TOKEN_CHARS));
            let (email, password) = (email?, password?);
            if let Some(violation) = repeated_address(&password, email.as_str()) {
                reader.problem("password", violation);
                return None;
            }
            Some(Self {
                email,
                password,
                name: name?,
                workspace_name: workspace?,
                invitation: invitation?.map(Secret::new),
                setup_code: setup_code?.map(Secret::new),
            })
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
        read_body(body, |reader| {
            let email = reader.trimmed_text("email", MAX_EMAIL_CHARS);
            let password = reader.text("password", MAX_PASSWORD_CHARS);
            let code = reader.given("code", read_code);
            Some(Self {
                email: email?.to_lowercase(),
                password: Secret::new(password?),
                code: code?,
            })
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
        read_body(body, |reader| {
            read_email(reader, "email").map(|email| Self { email })
        })
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
        read_body(body, |reader| {
            let token = reader.text("token", MAX_TOKEN_CHARS);
            let password = read_new_password(reader, "password");
            Some(Self {
                token: Secret::new(token?),
                password: password?,
            })
        })
    }
}

/// The token of a link that verifies an address.
pub fn read_verification(body: &Value) -> Result<Secret, Vec<Issue>> {
    read_body(body, |reader| {
        reader.text("token", MAX_TOKEN_CHARS).map(Secret::new)
    })
}

pub(crate) fn read_email(reader: &mut ObjectReader<'_>, name: &'static str) -> Option<Email> {
    let text = reader.trimmed_text(name, MAX_EMAIL_CHARS)?;
    let email = Email::parse(&text);
    if email.is_none() {
        reader.problem(name, IssueCode::Format.with("must be an e-mail address"));
    }
    email
}

pub(crate) fn read_new_password(reader: &mut ObjectReader<'_>, name: &'static str) -> Option<Secret> {
    let password = reader.text(name, MAX_PASSWORD_CHARS)?;
    if password.chars().count() < MIN_PASSWORD_CHARS {
        reader.problem(
            name,
            IssueCode::TooShort.with(format!("must have at least {MIN_PASSWORD_CHARS} characters")),
        );
        return None;
    }
    if is_common(&password) {
        reader.problem(
            name,
            IssueCode::TooWeak.with("is one of the first that others would try; choose another"),
        );
        return None;
    }
    Some(Secret::new(password))
}

/// The problem of a new password that equals the user's address.
pub fn repeated_address(password: &Secret, email: &str) -> Option<Violation> {
    let repeats = repeats_address(password.expose(), email);
    repeats.then(|| IssueCode::TooWeak.with("must not be your address"))
}

/// The schema of an address.
pub(crate) fn email_schema() -> Value {
    json!({ "type": "string", "format": "email", "maxLength": MAX_EMAIL_CHARS, "description": "The address; upper and lower case count as the same." })
}

/// The schema of a new password.
pub(crate) fn new_password_schema() -> Value {
    schema::text(
        "At least 8 characters; neither a frequent password nor the address.",
        (MIN_PASSWORD_CHARS, MAX_PASSWORD_CHARS),
    )
}

/// The schemas of the requests.
pub fn request_schemas() -> Vec<(&'static str, Value)> {
    let text = |description: &str, bounds| schema::text(description, bounds);
    let sign_up = json!({
        "email": email_schema(),
        "password": new_password_schema(),
        "name": schema::nullable(text("The name that others see.", (1, MAX_NAME_CHARS))),
        "workspaceName": schema::nullable(text("The name of the first workspace. Absent: one is created, unless an invitation is accepted.", (1, MAX_NAME_CHARS))),
        "invitation": schema::nullable(text("The token of an invitation to this address.", (1, MAX_TOKEN_CHARS))),
        "setupCode": schema::nullable(text("The code that the service prints when it starts, where `setupCodeRequired` is true.", (1, MAX_TOKEN_CHARS))),
    });
    let sign_in = json!({
        "email": email_schema(),
        "password": text("The password.", (1, MAX_PASSWORD_CHARS)),
        "code": schema::nullable(code_schema("A code of the authenticator app, or a recovery code: for those whose second factor is on.")),
    });
    let forgot = json!({ "email": email_schema() });
    let reset = json!({
        "token": text("The token from the mail.", (1, MAX_TOKEN_CHARS)),
        "password": new_password_schema(),
    });
    let verify = json!({ "token": text("The token from the mail.", (1, MAX_TOKEN_CHARS)) });
    vec![
        (
            "VerifyEmail",
            schema::object(
                "The proof that the address belongs to the user.",
                &["token"],
                verify,
            ),
        ),
        (
            "ForgotPassword",
            schema::object("The user who forgot their password.", &["email"], forgot),
        ),
        (
            "ResetPassword",
            schema::object("A new password.", &["token", "password"], reset),
        ),
        (
            "SignUp",
            schema::object("A new person.", &["email", "password"], sign_up),
        ),
        (
            "SignIn",
            schema::object("The user who signs in.", &["email", "password"], sign_in),
        ),
    ]
}

#[cfg(test)]
mod tests {
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
