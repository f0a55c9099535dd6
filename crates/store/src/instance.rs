//! The installation as a whole: which key and storage belong to its database, whether that is complete, how sealed values come under
//! another key, and what is swept out.
//!
//! Imports from `db`, `audit` and `idempotency` only. No other module imports from here.

pub(crate) mod identity;
pub(crate) mod loading;
pub(crate) mod sealing;
pub(crate) mod sweep;
