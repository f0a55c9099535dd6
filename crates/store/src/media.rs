//! Media as rows: objects, folders, resumable uploads, slides, the storage they take, and files that are to be removed. The bytes are in
//! the crate `media`.
//!
//! Looks at `db/` and at the files beside the rooms, at no other room.

pub(crate) mod changes;
pub(crate) mod folders;
pub(crate) mod read;
pub(crate) mod removed_files;
pub(crate) mod reservations;
pub(crate) mod slides;
pub(crate) mod unnamed_files;
pub(crate) mod uploads;
