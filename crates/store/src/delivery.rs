//! How posts go out: jobs are claimed and fenced, submissions recorded, their outcomes settled, provider events taken in, and posts of a
//! copied database held back.
//!
//! Looks at `posts/`, `accounts/` and `media/` for their rows, and at `db/`; these do not look here.

pub(crate) mod attempts;
pub(crate) mod claims;
pub(crate) mod conclude;
pub(crate) mod fence;
pub(crate) mod fetches;
pub(crate) mod hold;
pub(crate) mod mark_published;
pub(crate) mod matches;
pub(crate) mod provider_events;
pub(crate) mod removed_submissions;
pub(crate) mod requeue;
pub(crate) mod restrictions;
pub(crate) mod settle;
pub(crate) mod start_lookup;
pub(crate) mod submission_counts;
pub(crate) mod submissions;
