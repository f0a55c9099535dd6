//! How posts go out: jobs are claimed and fenced, submissions recorded, their outcomes settled, provider events taken in, and posts of a
//! database that may be a copy held back.
//!
//! Imports from `posts`, `accounts` and `media` what a run needs of their rows, and from the modules below those.

pub(crate) mod attempts;
pub(crate) mod claims;
pub(crate) mod conclude;
pub(crate) mod fence;
pub(crate) mod fetches;
mod held_comments;
pub(crate) mod hold;
mod late_publications;
pub(crate) mod mark_published;
pub(crate) mod matches;
pub(crate) mod opening;
pub(crate) mod provider_events;
pub(crate) mod releases;
pub(crate) mod removed_submissions;
pub(crate) mod requeue;
pub(crate) mod restrictions;
pub(crate) mod sent_text;
pub(crate) mod settle;
pub(crate) mod start_lookup;
pub(crate) mod submission_counts;
pub(crate) mod submissions;
