//! How a command of this crate fails: with a sentence for the person who ran it.

use std::fmt;

/// What a command returns.
pub type Outcome<T> = Result<T, Failure>;

/// Why a command failed, in words.
#[derive(Debug)]
pub struct Failure(String);

impl Failure {
    /// A failure with the text `why`.
    pub fn new(why: impl Into<String>) -> Self {
        Self(why.into())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Failure {}

/// Adds to an error what was being done when it came.
pub trait Doing<T> {
    /// Turns an error into a [`Failure`] that begins with `what`, as in "reading a.toml: no such file".
    fn doing(self, what: impl fmt::Display) -> Outcome<T>;
}

impl<T, E: fmt::Display> Doing<T> for Result<T, E> {
    fn doing(self, what: impl fmt::Display) -> Outcome<T> {
        self.map_err(|error| Failure(format!("{what}: {error}")))
    }
}
