//! People, the workspaces they belong to, and what they or their programs sign in with: passwords, second factors, sessions, invitations,
//! devices, API keys. Also who may sign up, and what a person did.
//!
//! Imports from `webhooks` those whose secret a member knows, and from `db`, `audit` and `allowances`. No other module imports from here.

pub(crate) mod activity;
pub(crate) mod admission;
pub(crate) mod credentials;
pub(crate) mod device_codes;
pub(crate) mod device_polls;
pub(crate) mod devices;
pub(crate) mod email_verifications;
pub(crate) mod holdings;
pub(crate) mod invitations;
pub(crate) mod keys;
pub(crate) mod members;
pub(crate) mod password_resets;
pub(crate) mod second_factors;
pub(crate) mod sessions;
pub(crate) mod sign_ins;
pub(crate) mod sign_up;
pub(crate) mod users;
pub(crate) mod workspaces;
