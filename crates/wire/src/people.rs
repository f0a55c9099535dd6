//! People on the wire: signing up and in, and what they see of themselves (contract §9).

use playout_domain::error::Issue;
use playout_domain::id::UserId;
use playout_domain::people::{Email, MAX_EMAIL_CHARS, MAX_PASSWORD_CHARS, MIN_PASSWORD_CHARS};
use playout_domain::secret::Secret;
use playout_domain::time::Time;
use playout_domain::workspace::User;
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

use crate::organizations::{MAX_NAME_CHARS, OrganizationBody};
use crate::read::{ObjectReader, read_body};
use crate::schema;

/// The longest token that is looked at.
const MAX_TOKEN_CHARS: usize = 200;

/// A person.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = User)]
pub struct UserBody {
    /// Names them.
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

/// A session that has just begun.
#[derive(Serialize, ToSchema)]
#[schema(as = Session)]
pub struct SessionBody {
    /// Opens the session: `Authorization: Bearer …`. Shown this once; the cookie holds the same.
    pub token: String,
    /// Whose it is.
    pub user: UserBody,
    /// The workspaces they belong to, in the order of joining.
    pub organizations: Vec<OrganizationBody>,
}

/// Who is signed in.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Me)]
pub struct MeBody {
    /// They.
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
}

impl SignUp {
    /// Reads the body.
    pub fn read(body: &Value) -> Result<Self, Vec<Issue>> {
        read_body(body, |reader| {
            let email = read_email(reader, "email");
            let password = read_new_password(reader, "password");
            let name = reader.given("name", |reader| reader.trimmed_text("name", MAX_NAME_CHARS));
            let workspace = reader.given("workspaceName", |reader| {
                reader.trimmed_text("workspaceName", MAX_NAME_CHARS)
            });
            let invitation = reader.given("invitation", |reader| reader.text("invitation", MAX_TOKEN_CHARS));
            Some(Self {
                email: email?,
                password: password?,
                name: name?,
                workspace_name: workspace?,
                invitation: invitation?.map(Secret::new),
            })
        })
    }
}

/// A request to sign in.
#[derive(Debug, Clone)]
pub struct SignIn {
    /// The address; one that cannot be one belongs to nobody.
    pub email: String,
    /// The password.
    pub password: Secret,
}

impl SignIn {
    /// Reads the body.
    pub fn read(body: &Value) -> Result<Self, Vec<Issue>> {
        read_body(body, |reader| {
            let email = reader.trimmed_text("email", MAX_EMAIL_CHARS);
            let password = reader.text("password", MAX_PASSWORD_CHARS);
            Some(Self {
                email: email?.to_lowercase(),
                password: Secret::new(password?),
            })
        })
    }
}

/// A request for a link to choose a new password.
#[derive(Debug, Clone)]
pub struct ForgotPassword {
    /// The address; it may be nobody's.
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

/// A request to change what one is; `None` leaves a part as it is.
#[derive(Debug, Clone, Default)]
pub struct UpdateMe {
    /// The name; `Some(None)` takes it away.
    pub name: Option<Option<String>>,
    /// The address.
    pub email: Option<Email>,
    /// A new password.
    pub password: Option<Secret>,
    /// The present one, which a new address or password needs.
    pub current_password: Option<Secret>,
}

impl UpdateMe {
    /// Reads the body.
    pub fn read(body: &Value) -> Result<Self, Vec<Issue>> {
        read_body(body, |reader| {
            let takes_name = body.get("name").is_some_and(Value::is_null);
            let name = reader.given("name", |reader| reader.trimmed_text("name", MAX_NAME_CHARS));
            let email = reader.given("email", |reader| read_email(reader, "email"));
            let password = reader.given("password", |reader| read_new_password(reader, "password"));
            let current = reader.given("currentPassword", |reader| {
                reader.text("currentPassword", MAX_PASSWORD_CHARS)
            });
            if (reader.has("email") || reader.has("password")) && !reader.has("currentPassword") {
                reader.problem(
                    "currentPassword",
                    "is required to change the address or the password",
                );
            }
            Some(Self {
                name: if takes_name { Some(None) } else { name?.map(Some) },
                email: email?,
                password: password?,
                current_password: current?.map(Secret::new),
            })
        })
    }
}

pub(crate) fn read_email(reader: &mut ObjectReader<'_>, name: &'static str) -> Option<Email> {
    let text = reader.trimmed_text(name, MAX_EMAIL_CHARS)?;
    let email = Email::parse(&text);
    if email.is_none() {
        reader.problem(name, "must be an e-mail address");
    }
    email
}

fn read_new_password(reader: &mut ObjectReader<'_>, name: &'static str) -> Option<Secret> {
    let password = reader.text(name, MAX_PASSWORD_CHARS)?;
    if password.chars().count() < MIN_PASSWORD_CHARS {
        reader.problem(
            name,
            format!("must have at least {MIN_PASSWORD_CHARS} characters"),
        );
        return None;
    }
    Some(Secret::new(password))
}

/// What the reference says of the requests.
pub fn request_schemas() -> Vec<(&'static str, Value)> {
    let email = || json!({ "type": "string", "format": "email", "maxLength": MAX_EMAIL_CHARS, "description": "The address; upper and lower case count as the same." });
    let text = |description: &str, bounds| schema::text(description, bounds);
    let new_password = || text("At least 8 characters.", (MIN_PASSWORD_CHARS, MAX_PASSWORD_CHARS));
    let sign_up = json!({
        "email": email(),
        "password": new_password(),
        "name": schema::nullable(text("What others see.", (1, MAX_NAME_CHARS))),
        "workspaceName": schema::nullable(text("The name of the first workspace. Absent: one is made, unless an invitation is accepted.", (1, MAX_NAME_CHARS))),
        "invitation": schema::nullable(text("The token of an invitation to this address.", (1, MAX_TOKEN_CHARS))),
    });
    let sign_in = json!({
        "email": email(),
        "password": text("The password.", (1, MAX_PASSWORD_CHARS)),
    });
    let update = json!({
        "name": schema::nullable(text("What others see; `null` takes it away.", (1, MAX_NAME_CHARS))),
        "email": schema::nullable(email()),
        "password": schema::nullable(new_password()),
        "currentPassword": schema::nullable(text("The present password; a new address or password needs it.", (1, MAX_PASSWORD_CHARS))),
    });
    let forgot = json!({ "email": email() });
    let reset = json!({
        "token": text("The token from the mail.", (1, MAX_TOKEN_CHARS)),
        "password": new_password(),
    });
    vec![
        (
            "ForgotPassword",
            schema::object("Who forgot their password.", &["email"], forgot),
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
            schema::object("Who signs in.", &["email", "password"], sign_in),
        ),
        (
            "UpdateMe",
            schema::object("What to change; what is absent stays as it is.", &[], update),
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
    fn a_new_address_or_password_needs_the_present_password_and_a_name_does_not() {
        for body in [
            json!({ "email": "a@example.org" }),
            json!({ "password": "long enough" }),
        ] {
            assert_eq!(paths(UpdateMe::read(&body)), [json!(["currentPassword"])]);
        }
        assert_eq!(UpdateMe::read(&json!({ "name": null })).unwrap().name, Some(None));
        assert_eq!(UpdateMe::read(&json!({})).unwrap().name, None);
        assert_eq!(
            UpdateMe::read(&json!({ "name": " Ada " })).unwrap().name,
            Some(Some("Ada".to_owned()))
        );
    }

    #[test]
    fn passwords_do_not_show_in_debug() {
        let request =
            SignIn::read(&json!({ "email": "a@example.org", "password": "hunter2hunter2" })).unwrap();
        assert!(!format!("{request:?}").contains("hunter2"));
    }
}
