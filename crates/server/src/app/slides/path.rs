//! Where in a request something is wrong.

use playout_domain::error::PathStep;

/// The path of a value in a request.
pub(super) type Path = Vec<PathStep>;
