//! By whom a change of a post is asked for, and what comes of it.

use playout_domain::access::Scope;
use playout_domain::audit::Actor;
use playout_domain::error::Refusal;
use playout_domain::limits::Warning;
use playout_domain::post::{Group, Post, PostState};

use crate::app::expected::Expected;
use crate::app::refusals::insufficient_scope;

/// A group that was changed.
pub struct Changed {
    /// It.
    pub group: Group,
    /// What to know.
    pub warnings: Vec<Warning>,
}

/// By whom a change is asked for, and of which version.
#[derive(Clone, Copy)]
pub struct Asked<'a> {
    /// Who.
    pub by: &'a Actor,
    /// Of which version.
    pub expected: &'a Expected,
    /// Of which posts.
    pub changes: Changes,
}

/// Which posts a caller may change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Changes {
    /// All of them.
    All,
    /// Drafts alone.
    Drafts,
}

impl Changes {
    /// Refuses a post that may not be changed.
    pub(super) fn check(self, root: &Post) -> Result<(), Refusal> {
        match (self, root.state) {
            (Self::All, _) | (Self::Drafts, PostState::Draft) => Ok(()),
            (Self::Drafts, _) => Err(insufficient_scope(Scope::Publish)),
        }
    }
}
