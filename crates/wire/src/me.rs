//! Who is signed in, on the wire: what they see and change of themselves.

use playout_domain::error::Issue;
use playout_domain::people::{Email, MAX_PASSWORD_CHARS};
use playout_domain::secret::Secret;
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

use crate::organizations::{MAX_NAME_CHARS, OrganizationBody};
use crate::people::{UserBody, email_schema, new_password_schema, read_email, read_new_password};
use crate::read::read_body;
use crate::schema;
use crate::second_factor::{code_schema, read_code};

/// Who is signed in.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Me)]
pub struct MeBody {
    /// They.
    pub user: UserBody,
    /// The workspaces they belong to, in the order of joining.
    pub organizations: Vec<OrganizationBody>,
    /// Whether they sign in with a code as well.
    pub second_factor: bool,
    /// How many recovery codes they have left.
    pub recovery_codes_left: u64,
    /// Whether a mail to their address has reached them.
    pub email_verified: bool,
    /// Whether inviting people and letting programs in wait for a verified address.
    pub email_verification_required: bool,
    /// The address that becomes theirs once the mail to it has reached them.
    #[schema(required)]
    pub pending_email: Option<String>,
    /// Whether they operate the service: its first user does.
    pub operator: bool,
}

/// Who is signed in, after a change.
#[derive(Serialize, ToSchema)]
#[schema(as = ChangedMe)]
pub struct ChangedMeBody {
    #[serde(flatten)]
    #[schema(inline)]
    /// They.
    pub me: MeBody,
    /// The session's new token, where the address or the password has changed: the old one opens nothing any more. The cookie holds
    /// the same.
    #[schema(required)]
    pub token: Option<String>,
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
    /// What the app shows, or a recovery code: a new address or password needs it where a second factor is on.
    pub code: Option<Secret>,
}

impl UpdateMe {
    /// Reads the body.
    pub fn read(body: &Value) -> Result<Self, Vec<Issue>> {
        read_body(body, |reader| {
            let takes_name = body.get("name").is_some_and(Value::is_null);
            let name = reader.given("name", |reader| reader.visible_name("name", MAX_NAME_CHARS));
            let email = reader.given("email", |reader| read_email(reader, "email"));
            let password = reader.given("password", |reader| read_new_password(reader, "password"));
            let current = reader.given("currentPassword", |reader| {
                reader.text("currentPassword", MAX_PASSWORD_CHARS)
            });
            let code = reader.given("code", read_code);
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
                code: code?,
            })
        })
    }
}

/// What the reference says of the request.
pub fn request_schema() -> (&'static str, Value) {
    let text = |description: &str, bounds| schema::nullable(schema::text(description, bounds));
    let update = json!({
        "name": text("What others see; `null` takes it away.", (1, MAX_NAME_CHARS)),
        "email": schema::nullable(email_schema()),
        "password": schema::nullable(new_password_schema()),
        "currentPassword": text("The present password; a new address or password needs it.", (1, MAX_PASSWORD_CHARS)),
        "code": schema::nullable(code_schema("What the authenticator app shows, or a recovery code; a new address or password needs it where the second factor is on.")),
    });
    let description = "What to change; what is absent stays as it is.";
    ("UpdateMe", schema::object(description, &[], update))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(result: Result<impl Sized, Vec<Issue>>) -> Vec<Value> {
        let issues = result.err().unwrap_or_default();
        issues.iter().map(|issue| json!(issue.path)).collect()
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
}
