//! Connected accounts (platforms): connected, changed and removed; their tokens, and access that is to be revoked.
//!
//! Imports from `db`, `audit` and `events` only.

pub(crate) mod authorizations;
pub(crate) mod connect;
pub(crate) mod handles;
pub(crate) mod platform_changes;
pub(crate) mod platforms;
pub(crate) mod revocations;
pub(crate) mod token_states;
pub(crate) mod tokens;
