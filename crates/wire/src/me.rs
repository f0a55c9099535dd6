//! The signed-in user on the wire: their data and their changes to it.

use playout_domain::error::{Issue, IssueCode};
use playout_domain::people::{Email, MAX_PASSWORD_CHARS};
use playout_domain::secret::Secret;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::address::{ADDRESS, email};
use crate::organizations::{MAX_NAME_CHARS, OrganizationBody};
use crate::people::{NEW_PASSWORD, UserBody, new_password};
use crate::read::{ObjectReader, read_body, schema_of, secret, visible_name};
use crate::second_factor::code;

/// The signed-in user.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Me)]
pub struct MeBody {
    /// The user.
    pub user: UserBody,
    /// The workspaces they belong to, in the order of joining.
    pub organizations: Vec<OrganizationBody>,
    /// Whether they have a second factor.
    pub second_factor: bool,
    /// How many recovery codes they have left.
    pub recovery_codes_left: u64,
    /// Whether their address is verified.
    pub email_verified: bool,
    /// Whether inviting people and approving programs requires a verified address.
    pub email_verification_required: bool,
    /// The pending address, which replaces the present one once it is verified.
    #[schema(required)]
    pub pending_email: Option<String>,
    /// Whether they operate the service, as its first user does.
    pub operator: bool,
}

/// The signed-in user, after a change.
#[derive(Serialize, ToSchema)]
#[schema(as = ChangedMe)]
pub struct ChangedMeBody {
    #[serde(flatten)]
    #[schema(inline)]
    /// The user.
    pub me: MeBody,
    /// The session's new token, where the address or the password has changed: the old one is invalid. The cookie has the new one
    /// too.
    #[schema(required)]
    pub token: Option<String>,
}

/// A request to change the signed-in user; `None` leaves a part unchanged.
#[derive(Debug, Clone, Default)]
pub struct UpdateMe {
    /// The name; `Some(None)` removes it.
    pub name: Option<Option<String>>,
    /// The address.
    pub email: Option<Email>,
    /// A new password.
    pub password: Option<Secret>,
    /// The current password, which a new address or password needs.
    pub current_password: Option<Secret>,
    /// A code of the app, or a recovery code: a new address or password needs it where a second factor is on.
    pub code: Option<Secret>,
}

impl UpdateMe {
    /// Reads the body.
    pub fn read(body: &Value) -> Result<Self, Vec<Issue>> {
        read_body(body, Self::fields)
    }

    fn fields(reader: &mut ObjectReader<'_>) -> Option<Self> {
        reader.about("What to change; absent fields stay unchanged.");
        let name = reader.optional_or_null(
            "name",
            visible_name(MAX_NAME_CHARS),
            "The name that others see; `null` removes it.",
        );
        let email = reader.optional("email", email(), ADDRESS);
        let password = reader.optional("password", new_password(), NEW_PASSWORD);
        let current = reader.optional(
            "currentPassword",
            secret(MAX_PASSWORD_CHARS),
            "The current password; a new address or password needs it.",
        );
        let code = reader.optional(
            "code",
            code(),
            "A code of the authenticator app, or a recovery code; a new address or password needs it where the second factor is \
             on.",
        );
        if (reader.has("email") || reader.has("password")) && !reader.has("currentPassword") {
            reader.problem(
                "currentPassword",
                IssueCode::Required.with("is required to change the address or the password"),
            );
        }
        Some(Self {
            name: name?,
            email: email?,
            password: password?,
            current_password: current?,
            code: code?,
        })
    }
}

/// The schema of the request.
pub fn request_schema() -> (&'static str, Value) {
    ("UpdateMe", schema_of(UpdateMe::fields))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

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
