//! The problems found so far, each with its path, and those that several types of fields have in common.

use playout_domain::error::{Issue, IssueCode, PathStep, Violation};

/// Collects problems. It knows the path of the value that is being parsed.
#[derive(Default)]
pub(crate) struct Issues {
    path: Vec<PathStep>,
    found: Vec<Issue>,
}

impl Issues {
    /// Records a problem with the present value.
    pub(super) fn add(&mut self, violation: Violation) {
        self.found.push(Issue::at(self.path.clone(), violation));
    }

    /// Records a problem with the present value and returns `None`.
    pub(super) fn refuse<T>(&mut self, violation: Violation) -> Option<T> {
        self.add(violation);
        None
    }

    /// Runs `parse` with a part of the present value as the present one.
    pub(super) fn at<T>(&mut self, step: impl Into<PathStep>, parse: impl FnOnce(&mut Self) -> T) -> T {
        self.path.push(step.into());
        let parsed = parse(self);
        self.path.pop();
        parsed
    }

    /// The problems, in the order in which they were found.
    pub(super) fn into_found(self) -> Vec<Issue> {
        self.found
    }
}

/// The problem of an item that equals an earlier one.
pub(super) fn listed_twice() -> Violation {
    IssueCode::Duplicate.with("is listed twice")
}

/// The problem of a value that is not an array.
pub(super) fn no_array() -> Violation {
    IssueCode::Type.with("must be an array")
}

/// The problem of an empty array.
pub(super) fn no_items() -> Violation {
    IssueCode::TooShort.with("must have at least 1 item")
}
