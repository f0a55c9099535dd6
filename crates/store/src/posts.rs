//! Posts and their groups as people write them: created, read, changed, deleted. How a post goes out is in `delivery/`.
//!
//! Looks at `db/` and at the files beside the rooms (`audit.rs`, `events.rs`, `idempotency.rs`, `jobs.rs`, `usage.rs`), at no other room.

pub(crate) mod create;
pub(crate) mod group_changes;
pub(crate) mod read;
pub(crate) mod update_group;
