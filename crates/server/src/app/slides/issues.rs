//! What is wrong in a request, and where.

use playout_domain::error::{Issue, PathStep};

/// Where in a request something is wrong.
pub(super) type Path = Vec<PathStep>;

pub(super) fn issue(path: Path, message: impl Into<String>) -> Issue {
    Issue {
        path,
        message: message.into(),
    }
}
