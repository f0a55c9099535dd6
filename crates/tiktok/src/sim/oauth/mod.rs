//! Login: the consent page, the codes it hands out, and the tokens they buy.

mod authorize;
pub(super) mod business;
mod consent;
mod token;

pub(super) use authorize::authorize;
pub(super) use token::{revoke, token};
