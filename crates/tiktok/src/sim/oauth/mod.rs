//! Login: the consent page, the codes it issues, and the tokens they are exchanged for.

mod authorize;
pub(super) mod business;
mod consent;
mod request;
mod token;

pub(super) use authorize::authorize;
pub(super) use token::{revoke, token};
