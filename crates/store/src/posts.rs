//! Posts and their groups as people write them: created, read, changed, deleted. How a post goes out is in `delivery/`.
//!
//! Imports from `db`, `audit`, `events`, `idempotency`, `jobs` and `usage` only.

pub(crate) mod create;
pub(crate) mod group_changes;
pub(crate) mod read;
pub(crate) mod search;
pub(crate) mod update_group;
