//! Media as rows: objects, folders, resumable uploads, slides, the storage they take, and files that are to be removed. Their bytes are the
//! business of the crate `media`.
//!
//! Imports from `db`, `audit`, `events`, `idempotency` and `usage` only.

pub(crate) mod changes;
pub(crate) mod folders;
pub(crate) mod imports;
pub(crate) mod read;
pub(crate) mod removed_files;
pub(crate) mod reservations;
pub(crate) mod slides;
pub(crate) mod unnamed_files;
pub(crate) mod uploads;
