//! Who may do what with the accounts of a workspace.

use axum::http::Method;
use playout_domain::workspace::{Role, Workspace};

use crate::api::access::{Needs, PREFIX, needs_of};

/// The operations that the forms correspond to, in the access table.
pub(super) const CONNECT: &str = "/platforms/connect";
pub(super) const ACCOUNT: &str = "/platforms/{id}";

/// A workspace and the user's role in it.
pub(super) type Membership = (Workspace, Role);

/// The lowest role that may call an operation.
pub(super) fn least(method: &Method, template: &str) -> Role {
    match needs_of(method, &format!("{PREFIX}{template}")) {
        Some(Needs::Role(role)) => role,
        _ => Role::Owner,
    }
}
