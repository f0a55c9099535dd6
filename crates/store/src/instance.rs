//! The installation as a whole: which key, storage and place belong to its database, how sealed values come under another key, and what
//! is swept out.
//!
//! Looks at `db/` and at the files beside the rooms for how long their rows live. No room looks here.

pub(crate) mod identity;
pub(crate) mod sealing;
pub(crate) mod sweep;
