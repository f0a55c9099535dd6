//! Who may do what with the accounts of a workspace.

use axum::http::Method;
use playout_domain::workspace::{Role, Workspace};

use crate::api::access::{Needs, PREFIX, needs_of};

/// The templates of the operations that the forms stand for, in the table of who may call what.
pub(super) const CONNECT: &str = "/platforms/connect";
pub(super) const ACCOUNT: &str = "/platforms/{id}";

/// A workspace and what somebody may do in it.
pub(super) type Membership = (Workspace, Role);

/// The least role that an operation takes.
pub(super) fn least(method: &Method, template: &str) -> Role {
    match needs_of(method, &format!("{PREFIX}{template}")) {
        Some(Needs::Role(role)) => role,
        _ => Role::Owner,
    }
}
