//! The access table of session requests: `/app/v1`, and what people do about devices. `require_session` enforces it; a test
//! checks each entry for every role.

use axum::http::Method;
use playout_domain::workspace::Role;

/// What an operation requires of its caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needs {
    /// Nothing: the operation begins a session.
    Nothing,
    /// A session.
    Session,
    /// At least this role in the workspace that the path or `x-organization-id` names.
    Role(Role),
}

/// The prefix of the dashboard's API.
pub const PREFIX: &str = "/app/v1";

const ANYONE: Needs = Needs::Nothing;
const USER: Needs = Needs::Session;
const MEMBER: Needs = Needs::Role(Role::Member);
const ADMIN: Needs = Needs::Role(Role::Admin);
const OWNER: Needs = Needs::Role(Role::Owner);

/// Every operation. An operation that is missing here is closed to everyone.
pub const OPERATIONS: &[(&str, &str, Needs)] = &[
    ("GET", "/auth/sign-up", ANYONE),
    ("POST", "/auth/sign-up", ANYONE),
    ("POST", "/auth/sign-in", ANYONE),
    ("POST", "/auth/password/forgot", ANYONE),
    ("POST", "/auth/password/reset", ANYONE),
    ("POST", "/auth/verify-email", ANYONE),
    ("POST", "/invitations/read", ANYONE),
    ("POST", "/auth/sign-out", USER),
    ("GET", "/me", USER),
    ("PATCH", "/me", USER),
    ("POST", "/me/verification", USER),
    ("GET", "/me/sessions", USER),
    ("GET", "/me/activity", USER),
    ("DELETE", "/me/sessions", USER),
    ("DELETE", "/me/sessions/{id}", USER),
    ("POST", "/me/second-factor", USER),
    ("DELETE", "/me/second-factor", USER),
    ("POST", "/me/second-factor/confirm", USER),
    ("POST", "/me/second-factor/recovery-codes", USER),
    ("GET", "/organizations", USER),
    ("POST", "/organizations", USER),
    ("POST", "/invitations/accept", USER),
    ("PATCH", "/organizations/{organizationId}", ADMIN),
    ("DELETE", "/organizations/{organizationId}", OWNER),
    ("POST", "/organizations/{organizationId}/leave", MEMBER),
    ("GET", "/organizations/{organizationId}/members", MEMBER),
    ("PATCH", "/organizations/{organizationId}/members/{id}", ADMIN),
    ("DELETE", "/organizations/{organizationId}/members/{id}", ADMIN),
    (
        "GET",
        "/organizations/{organizationId}/members/{id}/holdings",
        ADMIN,
    ),
    ("GET", "/organizations/{organizationId}/invitations", ADMIN),
    ("POST", "/organizations/{organizationId}/invitations", ADMIN),
    (
        "DELETE",
        "/organizations/{organizationId}/invitations/{id}",
        ADMIN,
    ),
    ("GET", "/keys", ADMIN),
    ("POST", "/keys", ADMIN),
    ("DELETE", "/keys", ADMIN),
    ("DELETE", "/keys/{id}", ADMIN),
    ("GET", "/audit", ADMIN),
    ("GET", "/events", MEMBER),
    // Members who post see the accounts; granting or revoking access to them needs an admin, as with keys.
    ("GET", "/platforms", MEMBER),
    ("GET", "/platforms/connections", MEMBER),
    ("GET", "/platforms/{id}", MEMBER),
    ("PATCH", "/platforms/{id}", ADMIN),
    ("DELETE", "/platforms/{id}", ADMIN),
    ("POST", "/platforms/connect", ADMIN),
    // The reads of a page in one response, and the changes of a selection in one request.
    ("GET", "/bundle", MEMBER),
    ("POST", "/posts/reschedule", MEMBER),
    ("POST", "/posts/delete", MEMBER),
    ("POST", "/media/delete", MEMBER),
    // The resources of the public API.
    ("GET", "/platforms/{id}/schema", MEMBER),
    ("GET", "/platforms/{id}/health", MEMBER),
    ("GET", "/media", MEMBER),
    ("POST", "/media", MEMBER),
    ("POST", "/media/import", MEMBER),
    ("GET", "/media/{id}", MEMBER),
    ("PATCH", "/media/{id}", MEMBER),
    ("DELETE", "/media/{id}", MEMBER),
    ("GET", "/media/folders", MEMBER),
    ("POST", "/media/folders", MEMBER),
    ("PATCH", "/media/folders/{id}", MEMBER),
    ("DELETE", "/media/folders/{id}", MEMBER),
    ("POST", "/media/uploads", MEMBER),
    ("HEAD", "/media/uploads/{id}", MEMBER),
    ("PATCH", "/media/uploads/{id}", MEMBER),
    ("DELETE", "/media/uploads/{id}", MEMBER),
    ("GET", "/posts", MEMBER),
    ("POST", "/posts", MEMBER),
    ("POST", "/posts/validate", MEMBER),
    ("GET", "/posts/{id}", MEMBER),
    ("PATCH", "/posts/{id}", MEMBER),
    ("DELETE", "/posts/{id}", MEMBER),
    ("GET", "/posts/{id}/attempts", MEMBER),
    ("POST", "/posts/{id}/mark-published", MEMBER),
    ("POST", "/posts/batch", MEMBER),
    ("POST", "/posts/{id}/publish", MEMBER),
    ("POST", "/posts/{id}/unschedule", MEMBER),
    ("PATCH", "/posts/{id}/schedule", MEMBER),
    ("POST", "/slides/composite", MEMBER),
    ("POST", "/slides/preview", MEMBER),
    ("POST", "/slides/captions", MEMBER),
    // Members who may create keys may create webhooks too.
    ("GET", "/webhooks", ADMIN),
    ("POST", "/webhooks", ADMIN),
    ("GET", "/webhooks/{id}", ADMIN),
    ("PATCH", "/webhooks/{id}", ADMIN),
    ("DELETE", "/webhooks/{id}", ADMIN),
    ("POST", "/webhooks/{id}/rotate-secret", ADMIN),
    ("POST", "/webhooks/{id}/test", ADMIN),
    ("GET", "/webhooks/{id}/deliveries", ADMIN),
    ("POST", "/webhooks/deliveries/{id}/redeliver", ADMIN),
    ("GET", "/usage", MEMBER),
];

/// The operations on a waiting device, outside `/app/v1`. Approving one is allowed to members who may create keys.
pub const DEVICES: &[(&str, &str, Needs)] = &[
    ("GET", "/auth/device/{userCode}", USER),
    ("POST", "/auth/device/deny", USER),
    ("POST", "/auth/device/approve", ADMIN),
];

/// Paths that are no operations of their own: a POST in place of another method of an upload (`X-HTTP-Method-Override`), and
/// another name of the captions.
const STAND_INS: &[(&str, &str, Needs)] = &[
    ("POST", "/media/uploads/{id}", MEMBER),
    ("POST", "/slides/caption", MEMBER),
];

/// What the operation with this method and path template (prefix included) requires. HEAD counts as GET.
pub fn needs_of(method: &Method, template: &str) -> Option<Needs> {
    let find = |method: &str| {
        let among = |path: &str, table: &[(&str, &str, Needs)]| {
            let mut table = table.iter();
            table
                .find(|(known, at, _)| *known == method && *at == path)
                .map(|(_, _, needs)| *needs)
        };
        match template.strip_prefix(PREFIX) {
            Some(path) => among(path, OPERATIONS).or_else(|| among(path, STAND_INS)),
            None => among(template, DEVICES),
        }
    };
    match *method {
        Method::HEAD => find("HEAD").or_else(|| find("GET")),
        _ => find(method.as_str()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_in_the_table_has_no_answer() {
        assert_eq!(needs_of(&Method::GET, "/app/v1/keys"), Some(ADMIN));
        assert_eq!(needs_of(&Method::HEAD, "/app/v1/keys"), Some(ADMIN));
        assert_eq!(needs_of(&Method::PUT, "/app/v1/keys"), None);
        assert_eq!(needs_of(&Method::GET, "/public/v1/posts"), None);
        assert_eq!(needs_of(&Method::POST, "/auth/device/approve"), Some(ADMIN));
        assert_eq!(needs_of(&Method::POST, "/app/v1/auth/device/approve"), None);
        assert_eq!(needs_of(&Method::GET, "/app/v1/nothing"), None);
    }
}
